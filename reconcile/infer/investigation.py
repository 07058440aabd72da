"""Finds the rules that give a number: every combination of answers is scored over columns, and those that fit are reported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from reconcile.document import (
    HIDDEN,
    SCHEMA_VERSION,
    Amount,
    Document,
    Key,
    Positive,
    Text,
    Version,
    within,
)
from reconcile.errors import (
    InvalidArgument,
    InvalidConfiguration,
    NothingToCompare,
    UnknownName,
    expect,
    expect_list,
)
from reconcile.files.wording import plural
from reconcile.gap.pairing import seat_of
from reconcile.infer.answer_grid import Combinations, Table, combinations
from reconcile.infer.checks import HoldingCheck, checks_that_hold
from reconcile.infer.reported import (
    EXPLORED,
    ROUNDING,
    Explored,
    Reported,
    fits_figure,
    halves_off,
    read_reported,
    shown_off,
)
from reconcile.infer.run import case_of
from reconcile.infer.turning import Reach, Turning, reach, turning
from reconcile.match.match import Match, Source
from reconcile.match.tools import ANALYSERS, TOOLS
from reconcile.notebook import NotebookTable, frame_of, one_line, short
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet, own_rules, rule_set
from reconcile.scoring.metrics import METRICS, MetricName, short_metric
from reconcile.scoring.score import Scored, score
from reconcile.scoring.statistics import Coverage, Statistics

if TYPE_CHECKING:
    import pandas as pd

VERIFIED_RULES: Final = tuple(tool.rules for tool in ANALYSERS.values())
"""Rule sets verified against the tool itself: explanations start from these."""
MOST_EXPLANATIONS: Final = 20
MOST_CLOSEST: Final = 3
CONSTANTS: Final = ("Q09", "Q13")
"""Questions whose answers change a rate and no decision."""


@dataclass(frozen=True, slots=True)
class Difference(Document):
    """A question answered differently."""

    question: Annotated[str, within(pattern="^Q[0-9]{2}$")]
    """Its code."""
    answer_from: Annotated[Text, Key("from")]
    """The answer of the rule set that is changed."""
    answer_to: Annotated[Text, Key("to")]
    """The answer that gives the figures."""
    title: str
    """The question."""


@dataclass(frozen=True, slots=True)
class Explanation(Document):
    """Rules that give all reported figures."""

    nearest: Text
    """The known rule set with the fewest differences."""
    differences: tuple[Difference, ...]
    """The questions answered differently."""
    also: tuple[Text, ...]
    """Known rule sets that give the same reported figures."""
    figures: Explored
    """What these rules give."""
    own_differences: tuple[Difference, ...]
    """The questions answered otherwise than by the rules of the file's own tool, as far as the figures turn on them."""
    decisions: tuple[Turning, ...]
    """Decisions that count or cost otherwise than by the rules of the file's own tool; what moves PR most comes first."""
    off: Annotated[float, HIDDEN]
    """How far the worst figure is off, in halves of its last digit; at most 1 fits."""

    @property
    def changes(self) -> str:
        """What is answered otherwise than by the nearest rule set: `Q01 blunderdb, Q03 never`; empty where nothing is."""
        return ", ".join(f"{one.question} {one.answer_to}" for one in self.differences)

    @property
    def only_open(self) -> bool:
        """Whether all differences are in questions for which nobody outside knows the program's answer, so that it may count so itself."""
        return (
            bool(self.differences)
            and {one.question for one in self.differences} <= RULE_SETS[self.nearest].open
        )

    @property
    def rules(self) -> str:
        """The rules in a few words: `xg with Q01 blunderdb`."""
        return f"{self.nearest} with {self.changes}" if self.differences else self.nearest


@dataclass(frozen=True, slots=True)
class NearMiss(Explanation):
    """Rules that nearly give the reported figures."""

    off: Annotated[Amount, Key("off_by_digits")]
    """How far the worst figure is off, in halves of its last digit."""


@dataclass(frozen=True, slots=True)
class KnownRules(Document):
    """A known rule set."""

    name: Text
    """Its name."""
    fits: Annotated[bool, Key("reproduces")]
    """Whether it gives all reported figures."""
    figures: Explored
    """Its figures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Investigation(NotebookTable, Document):
    """What `reconcile investigate --json` writes: the rules that give figures somebody saw."""

    schema_version: Version = SCHEMA_VERSION
    match: Annotated[Match, Key("source", shown="match.source", kind=Source)]
    """The file, so that anyone can check a figure against the same bytes."""
    player: str
    """Whose figures they are."""
    game: Positive | None
    """Number of their game; null for the match."""
    met: Annotated[str | None, HIDDEN]
    """The requested match equity table; `None` for that of the tool's own rules."""
    reported: Annotated[
        tuple[Reported, ...],
        Key(shown="texts", kind=Annotated[dict[MetricName, str], within(min_length=1)]),
    ]
    """The figures as they were printed."""
    blank: Annotated[tuple[str, ...], HIDDEN]
    """Metrics of reported figures that say nothing: those of the few decisions that the file has analysed, and 0 for none."""
    completeness: Annotated[Mapping[str, Coverage], HIDDEN]
    """How many decisions a full analysis evaluates and how many this one does, by part: `checker`, `cube`, `luck`."""
    known: Annotated[tuple[KnownRules, ...], Key("rule_sets"), within(min_length=1)]
    """Every known rule set and its figures."""
    given_rules: KnownRules | None
    """The rules that the figures were to be tried with, and what they give; null where none were named."""
    checks: tuple[HoldingCheck, ...]
    """The ordinary mistakes that account for the figures, the most obvious first."""
    explanations: tuple[Explanation, ...]
    """Rules that give all reported figures, the fewest differences first."""
    closest: tuple[NearMiss, ...]
    """The nearest misses, if nothing fits."""
    reached: Annotated[tuple[Reach, ...], HIDDEN]
    """What counting alone makes of each reported figure, in their order."""
    fitting: Annotated[int, HIDDEN]
    """Combinations of answers that give the reported figures."""
    tried: Positive
    """Combinations of answers that were scored."""
    others: Annotated[tuple[tuple[Reported, float | None], ...], HIDDEN] = ()
    """Reported figures that were not searched for (luck, grades, wrong and missed cubes), each with the file's under `others_rules`."""
    others_rules: Annotated[str, HIDDEN] = ""
    program: Annotated[str | None, HIDDEN] = None
    """Short name of the program that showed the figures, where that is said."""

    @property
    def texts(self) -> dict[str, str]:
        """Every reported figure as it was printed, those that were not searched for last; totals have their short name."""
        return {
            short_metric(one.metric): one.text
            for one in (*self.reported, *(other for other, _ in self.others))
        }

    @property
    def own(self) -> KnownRules:
        """What the rules of the file's own tool give."""
        name = own_rules(self.match).name
        return next(one for one in self.known if one.name == name)

    @property
    def nearest(self) -> KnownRules:
        """The known rule set that gives most of the figures, of several the one whose worst figure as printed is least off.

        The file's own comes first.
        """
        telling = [one for one in self.reported if one.metric not in self.blank]

        def distance(rules: KnownRules) -> tuple[int, float, bool]:
            off = [one for one in telling if not fits_figure(rules.figures[one.metric], one)]
            return (
                len(off),
                max((shown_off(rules.figures[one.metric], one) for one in off), default=0.0),
                rules.name != self.own.name,
            )

        return min(self.known, key=distance)

    def __repr__(self) -> str:
        reported = ", ".join(f"{METRICS[one.metric].title} {one.text}" for one in self.reported)
        found = f"{plural(len(self.explanations), 'explanation')} in {plural(self.tried, 'combination')} of answers"
        found = f"{plural(len(self.checks), 'check')} and {found}" if self.checks else found
        first = f", the first {self.explanations[0].rules}" if self.explanations else ""
        return one_line(self, f"of {reported} for {short(self.player)}: {found}{first}")

    def to_frame(self) -> pd.DataFrame:
        """A row for every explanation, or for what comes closest where there is none; then one for every known rule set as it is.

        - `rules`: the known rule set that is nearest
        - `differences`: what is answered otherwise, as `Q01 blunderdb`; empty for the rule set as it is
        - `fits`: whether these rules give all reported figures
        - `off`: how far the worst figure is off, in halves of its last digit; missing for the known rule sets
        - a column for every figure that is searched for (rates, decisions, errors, MWC lost), under its name: what these rules give
        """
        kinds = {
            "rules": "object",
            "differences": "object",
            "fits": "bool",
            "off": "float64",
        } | dict.fromkeys(EXPLORED, "float64")
        rows: list[dict[str, object]] = [
            {
                "rules": one.nearest,
                "differences": one.changes,
                "fits": one.off <= 1,
                "off": one.off,
                **one.figures,
            }
            for one in self.explanations or self.closest
        ]
        rows += [
            {"rules": one.name, "differences": "", "fits": one.fits, "off": None, **one.figures}
            for one in self.known
        ]
        return frame_of(rows, kinds)

    def _small_frame(self) -> pd.DataFrame:
        return self.to_frame()[
            ["rules", "differences", "fits", *(one.metric for one in self.reported)]
        ]


def investigate(
    match: Match,
    player: str,
    reported: Mapping[str, str | float] | Sequence[Reported],
    *,
    rules: str | Path | Mapping[str, Any] | RuleSet | None = None,
    met: str | None = None,
    game: int | None = None,
    program: str | None = None,
) -> Investigation:
    """Find the rules that give the figures somebody saw for a player, for the match or one game (its number).

    `rules` are rules to try first, by name, file or mapping, and `program` is the short name of the program that showed the figures, by
    default that of the file.
    Raises `UnknownName`, `InvalidConfiguration`, and `NothingToCompare` if the file is not analysed.
    """
    expect("match", match, Match, "a match, as load_match returns it")
    if not isinstance(reported, Mapping):
        expect_list("reported", reported, Reported, "figures by metric, as {'pr': '7.16'}")
    if not reported:
        raise InvalidArgument("reported", "figures by metric, as {'pr': '7.16'}", reported)
    if program is not None and program not in (programs := [tool.short for tool in TOOLS.values()]):
        raise UnknownName(f"no program {program!r}; there are {', '.join(programs)}")
    tried = None if rules is None else rule_set(rules)
    seat = seat_of(match, player)
    wanted = read_reported(reported) if isinstance(reported, Mapping) else tuple(reported)
    if twice := {
        one.metric for one in wanted if sum(other.metric == one.metric for other in wanted) > 1
    }:
        raise InvalidConfiguration(
            f"{', '.join(sorted(twice))}: given twice; give each figure once"
        )
    given, wanted = wanted, tuple(one for one in wanted if one.metric in EXPLORED)
    if given and not wanted:
        raise InvalidConfiguration(
            f"none of the figures given depends on a rule; give one of {', '.join(EXPLORED)}"
        )
    index = None if game is None else match.game_row(game)
    space = combinations(match, met, seat, index)
    if match.is_money and any(METRICS[one.metric].in_mwc for one in wanted):
        raise NothingToCompare(
            "a money session has no match winning chance; leave it out", match.source.path
        )
    covered = space.own.completeness_at(seat, index)
    if not covered["checker"].analysed and not covered["cube"].analysed:
        raise NothingToCompare(
            "the match is not analysed, so no rules give a figure; analyse it first",
            match.source.path,
        )
    figures = space.figures()
    own = space.own.figures_at(seat, index)
    under = {
        name: Statistics(score(space.match, rules, space.met)) for name, rules in RULE_SETS.items()
    }
    case = case_of(under, seat, index, wanted)
    of_a_part = case.fits(case.figures(case.own)) | (case.values == 0)
    blank = tuple(
        one.metric
        for one, is_blank in zip(wanted, of_a_part, strict=True)
        if is_blank and own[one.metric] is None
    )
    telling = tuple(one for one in wanted if one.metric not in blank)
    off = np.full([len(names) for names in space.axes.values()], 0.0 if telling else np.inf)
    for one in telling:
        off = np.maximum(off, halves_off(figures[one.metric], one))
    fits = off <= 1
    known = tuple(_known(under, seat, index, telling))
    search = _Search(space, figures, off, known, tuple(one.metric for one in wanted))
    explanations = tuple(search.explanations(np.argwhere(fits), Explanation))
    closest: tuple[NearMiss, ...] = ()
    if not explanations:
        nearest = off.min()
        rows = (
            np.argwhere(off <= nearest + ROUNDING)
            if np.isfinite(nearest)
            else np.empty((0, off.ndim), int)
        )
        closest = tuple(search.explanations(rows, NearMiss))[:MOST_CLOSEST]
    checks = tuple(checks_that_hold(replace(case, wanted=telling))) if telling else ()
    others_rules = next(
        (RULE_SETS[tool.rules] for tool in TOOLS.values() if tool.short == program), space.base
    )
    shown = Statistics(score(match, others_rules, space.met)).figures_at(seat, index)
    return Investigation(
        match=match,
        player=match.names[seat],
        game=game,
        met=met,
        reported=wanted,
        blank=blank,
        completeness=covered,
        checks=tuple(
            one for one in checks if not explanations or one.code != "misprint"
        ),  # what rules give is no misprint
        known=known,
        given_rules=None
        if tried is None
        else next(
            _known({tried.name: Statistics(score(match, tried, space.met))}, seat, index, telling)
        ),
        # What a known program does, or may do, is more plausible than what none does; in each, the fewest differences first.
        explanations=tuple(
            sorted(
                explanations,
                key=lambda one: bool(one.differences) and not one.also and not one.only_open,
            )
        ),
        closest=closest,
        reached=reach(figures, wanted),
        fitting=int(fits.sum()),
        tried=space.size,
        others=tuple((one, shown[one.metric]) for one in given if one.metric not in EXPLORED),
        others_rules=others_rules.name,
        program=program,
    )


def _known(
    under: Mapping[str, Statistics], seat: int, game: int | None, wanted: Sequence[Reported]
) -> Iterator[KnownRules]:
    for name, ours in under.items():
        figures = ours.figures_at(seat, game)
        own = {key: figures[key] for key in EXPLORED}
        fits = bool(wanted) and all(fits_figure(own[one.metric], one) for one in wanted)
        yield KnownRules(name, fits, own)


Kind = TypeVar("Kind", bound=Explanation)


@dataclass(frozen=True)
class _Search:
    """All combinations, with the distance of each."""

    space: Combinations
    figures: Mapping[str, Table]
    off: Table
    known: tuple[KnownRules, ...]
    wanted: tuple[str, ...]

    def explanations(self, rows: npt.NDArray[np.intp], kind: type[Kind]) -> Iterator[Kind]:
        """Explanations of the combinations in `rows`, fewest differences first; those with needless differences are left out."""
        space = self.space
        bases = [
            RULE_SETS[name].for_match(space.match)[0]
            for name in sorted(VERIFIED_RULES, key=lambda name: name != space.base.name)
        ]
        # For all of them at once, thousands: which answers differ from those of each base, shape (bases, rows, questions).
        several = np.array([len(names) > 1 for names in space.axes.values()])
        own = [
            [
                names.index(one.answers[code]) if one.answers[code] in names else -1
                for code, names in space.axes.items()
            ]
            for one in bases
        ]
        differs = (rows != np.array(own)[:, np.newaxis]) & several
        position, index = (
            np.repeat(np.arange(len(bases)), len(rows)),
            np.tile(np.arange(len(rows)), len(bases)),
        )
        order = np.lexsort((index, position, differs.sum(axis=2).ravel()))
        position, index = position[order], index[order]
        left = np.ones(len(order), bool)
        yielded: set[int] = set()
        while left.any():
            first = int(left.argmax())
            base, row = int(position[first]), int(index[first])
            needed = differs[base, row]
            # What changes all of these answers in the same way, and others, has needless differences.
            same = (rows[:, needed] == rows[row, needed]).all(axis=1)
            left &= (position != base) | ~same[index]
            if row in yielded:  # from the other program's rules
                continue
            yielded.add(row)
            at = tuple(rows[row].tolist())
            changed = frozenset(
                (code, name)
                for (code, name), here in zip(
                    space.answers_at(at).items(), needed.tolist(), strict=True
                )
                if here
            )
            yield self._explanation(bases[base], at, changed, kind)
            if len(yielded) == MOST_EXPLANATIONS:
                return

    def _explanation(
        self,
        base: RuleSet,
        row: tuple[int, ...],
        changed: frozenset[tuple[str, str]],
        kind: type[Kind],
    ) -> Kind:
        space = self.space
        own = {key: _at(table, row) for key, table in self.figures.items()}
        own_base = space.base.for_match(space.match)[0]
        after = self._scored(base, changed)
        needed = changed if base.name == own_base.name else self._needed(own_base, row, after)
        return kind(
            nearest=base.name,
            differences=tuple(
                Difference(code, base.answers[code], name, QUESTIONS[code].title)
                for code, name in sorted(changed)
            ),
            own_differences=tuple(
                Difference(code, own_base.answers[code], name, QUESTIONS[code].title)
                for code, name in sorted(needed)
            ),
            also=tuple(
                one.name
                for one in self.known
                if (changed or one.name != base.name)
                and all(
                    _same(one.figures[key], own[key])
                    for key in ("pr", "decisions.counted", *self.wanted)
                )
            ),
            figures={key: own[key] for key in METRICS if key in own},
            decisions=tuple(turning(space.own.scored, after, space.seat, space.game)),
            off=float(self.off[row]),
        )

    def _scored(self, base: RuleSet, changes: Iterable[tuple[str, str]]) -> Scored:
        """The match under a rule set with some answers changed."""
        for code, name in changes:
            base = base.switched(code, name)
        return score(self.space.match, base, self.space.met)

    def _needed(
        self, own: RuleSet, row: tuple[int, ...], after: Scored
    ) -> frozenset[tuple[str, str]]:
        """The answers of a combination that are not the tool's own, without those that touch no decision."""
        space = self.space
        answers = space.answers_at(row)
        needed = {
            code: name
            for code, name in answers.items()
            if len(space.axes[code]) > 1 and own.answers[code] != name
        }
        for code in [one for one in needed if one not in CONSTANTS]:
            fewer = {other: name for other, name in needed.items() if other != code}
            if (
                next(turning(self._scored(own, fewer.items()), after, space.seat, space.game), None)
                is None
            ):
                needed = fewer
        return frozenset(needed.items())


def _same(one: float | None, other: float | None) -> bool:
    return one == other if one is None or other is None else abs(one - other) < ROUNDING


def _at(table: Table, row: tuple[int, ...]) -> float | None:
    value = float(
        table[tuple(i if size > 1 else 0 for i, size in zip(row, table.shape, strict=True))]
    )
    return value if np.isfinite(value) else None
