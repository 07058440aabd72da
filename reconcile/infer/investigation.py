"""Finds the rules that give a number: every combination of answers is scored over columns, and
those that fit are reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import numpy as np

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
from reconcile.gap.pairing import seat_of
from reconcile.infer.answer_grid import Combinations, Table, combinations
from reconcile.infer.checks import HoldingCheck, Sighting, checks_that_hold, sighting_of
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
from reconcile.infer.turning import Reach, Turning, differing, longer, reach, rows_of, turning
from reconcile.match.columns import Bools
from reconcile.match.match import Match, Source
from reconcile.match.tools import ANALYSERS, TOOLS
from reconcile.notebook import NotebookTable, frame_of, one_line, short
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet, own_rules, rule_set
from reconcile.scoring.figures import Figures
from reconcile.scoring.metrics import METRICS, MetricName, short_metric
from reconcile.scoring.score import Scored, score
from reconcile.scoring.statistics import Coverage, Statistics
from reconcile.wording import plural

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
    """The questions answered otherwise than by the rules of the file's own tool, as far as the
    figures turn on them."""
    decisions: tuple[Turning, ...]
    """Decisions that count or cost otherwise than by the rules of the file's own tool; what moves
    PR most comes first."""
    off: Annotated[float, HIDDEN]
    """How far the worst figure is off, in halves of its last digit; at most 1 fits."""

    @property
    def changes(self) -> str:
        """What is answered otherwise than by the nearest rule set: `Q01 blunderdb, Q03 never`;
        empty where nothing is."""
        return ", ".join(f"{change.question} {change.answer_to}" for change in self.differences)

    @property
    def only_open(self) -> bool:
        """Whether all differences are in questions for which nobody outside knows the program's
        answer, so that it may count so itself."""
        questions = {change.question for change in self.differences}
        return bool(questions) and questions <= RULE_SETS[self.nearest].open

    @property
    def is_of_no_program(self) -> bool:
        """Whether no known program counts so, or may."""
        return bool(self.differences) and not self.also and not self.only_open

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
    """Metrics of reported figures that say nothing: those of the few decisions that the file has
    analysed, and 0 for none."""
    completeness: Annotated[Mapping[str, Coverage], HIDDEN]
    """How many decisions a full analysis evaluates and how many this one does, by part: `checker`,
    `cube`, `luck`."""
    rule_sets: Annotated[tuple[KnownRules, ...], within(min_length=1)]
    """Every known rule set and its figures."""
    given_rules: KnownRules | None
    """The rules that the figures were to be tried with, and what they give; null where none were
    named."""
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
    not_searched: Annotated[tuple[tuple[Reported, float | None], ...], HIDDEN] = ()
    """Reported figures that were not searched for (luck, grades, wrong and missed cubes), each with
    the file's under `others_rules`."""
    others_rules: Annotated[str, HIDDEN] = ""
    program: Annotated[str | None, HIDDEN] = None
    """Short name of the program that showed the figures, where that is said."""

    @property
    def texts(self) -> dict[str, str]:
        """Every reported figure as it was printed, those that were not searched for last; totals
        have their short name."""
        figures = (*self.reported, *(figure for figure, _ in self.not_searched))
        return {short_metric(figure.metric): figure.text for figure in figures}

    @property
    def own(self) -> KnownRules:
        """What the rules of the file's own tool give."""
        name = own_rules(self.match).name
        return next(rules for rules in self.rule_sets if rules.name == name)

    @property
    def nearest(self) -> KnownRules:
        """The known rule set that gives most of the figures, of several the one whose worst figure
        as printed is least off; the file's own comes first."""
        telling = [figure for figure in self.reported if figure.metric not in self.blank]

        def distance(rules: KnownRules) -> tuple[int, float, bool]:
            pairs = [(rules.figures[figure.metric], figure) for figure in telling]
            off = [shown_off(*pair) for pair in pairs if not fits_figure(*pair)]
            return len(off), max(off, default=0.0), rules.name != self.own.name

        return min(self.rule_sets, key=distance)

    def __repr__(self) -> str:
        reported = ", ".join(
            f"{METRICS[figure.metric].title} {figure.text}" for figure in self.reported
        )
        parts = [
            plural(len(self.checks), "check") if self.checks else "",
            f"{plural(len(self.explanations), 'explanation')} in "
            f"{plural(self.tried, 'combination')} of answers",
        ]
        first = f", the first {self.explanations[0].rules}" if self.explanations else ""
        listing = " and ".join(filter(None, parts))
        return one_line(self, f"of {reported} for {short(self.player)}: {listing}{first}")

    def to_frame(self) -> pd.DataFrame:
        """A row for every explanation, or for what comes closest where there is none; then one for
        every known rule set as it is.

        - `rules`: the known rule set that is nearest
        - `differences`: what is answered otherwise, as `Q01 blunderdb`; empty for the rule set as
          it is
        - `fits`: whether these rules give all reported figures
        - `off`: how far the worst figure is off, in halves of its last digit; missing for the known
          rule sets
        - a column for every figure that is searched for (rates, decisions, errors, MWC lost), under
          its name: what these rules give
        """
        leads: dict[str, str] = {
            "rules": "object",
            "differences": "object",
            "fits": "bool",
            "off": "float64",
        }
        rows: list[tuple[tuple[object, ...], Mapping[str, object]]] = [
            ((near.nearest, near.changes, near.off <= 1, near.off), near.figures)
            for near in self.explanations or self.closest
        ]
        rows += [((rules.name, "", rules.fits, None), rules.figures) for rules in self.rule_sets]
        return frame_of(
            [{**dict(zip(leads, lead, strict=True)), **figures} for lead, figures in rows],
            leads | dict.fromkeys(EXPLORED, "float64"),
        )

    def _small_frame(self) -> pd.DataFrame:
        names = [figure.metric for figure in self.reported]
        return self.to_frame()[["rules", "differences", "fits", *names]]


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
    """Find the rules that give the figures somebody saw for a player, for the match or one game
    (its number).

    `rules` are rules to try first, by name, file or mapping, and `program` is the short name of the
    program that showed the figures, by default that of the file. Raises `UnknownName`,
    `InvalidConfiguration`, and `NothingToCompare` if the file is not analysed.
    """
    expect("match", match, Match, "a match, as load_match returns it")
    figures = _figures_of(reported)
    theirs = _rules_of_program(program, match)
    seat, row = seat_of(match, player), None if game is None else match.game_row(game)
    wanted = tuple(figure for figure in figures if figure.metric in EXPLORED)
    space = combinations(match, met, seat, row)
    covered = _covered(space, wanted)
    search, blank = _search(space, wanted)
    shown = Statistics(score(match, theirs, space.met)).figures_at(seat, row)
    return search.document(
        match=match,
        game=game,
        met=met,
        blank=blank,
        completeness=covered,
        given_rules=None if rules is None else search.under(match, rule_set(rules)),
        not_searched=tuple((rest, shown[rest.metric]) for rest in figures if rest not in wanted),
        others_rules=theirs.name,
        program=program,
    )


def _search(space: Combinations, wanted: tuple[Reported, ...]) -> tuple[_Search, tuple[str, ...]]:
    """The search for figures, and which of them say nothing."""
    under = {
        name: Statistics(score(space.match, rules, space.met)) for name, rules in RULE_SETS.items()
    }
    sighting = sighting_of(under, space.seat, space.game, wanted)
    blank = _blank(sighting, space.own.figures_at(space.seat, space.game))
    telling = tuple(figure for figure in wanted if figure.metric not in blank)
    return _Search(space, replace(sighting, wanted=telling), wanted), blank


def _rules_of_program(program: str | None, match: Match) -> RuleSet:
    """The rules of the program that showed figures, by default those of the file's. Raises
    `UnknownName`."""
    expect("program", program, (str, type(None)), "the short name of a program, or None")
    if program is None:
        return own_rules(match)
    rules = {tool.short: RULE_SETS[tool.rules] for tool in TOOLS.values()}
    if program not in rules:
        raise UnknownName(f"no program {program!r}; there are {', '.join(rules)}")
    return rules[program]


def _figures_of(reported: Mapping[str, str | float] | Sequence[Reported]) -> tuple[Reported, ...]:
    """The figures of a question, of which one at least depends on rules; each once. Raises
    `InvalidArgument`, `InvalidConfiguration`."""
    expected = "figures by metric, as {'pr': '7.16'}"
    if not isinstance(reported, Mapping):
        expect_list("reported", reported, Reported, expected)
    if not reported:
        raise InvalidArgument("reported", expected, reported)
    figures = read_reported(reported) if isinstance(reported, Mapping) else tuple(reported)
    numbers = Counter(figure.metric for figure in figures)
    if twice := sorted(name for name, number in numbers.items() if number > 1):
        raise InvalidConfiguration(f"{', '.join(twice)}: given twice; give each figure once")
    if not set(numbers) & set(EXPLORED):
        ruled = ", ".join(EXPLORED)
        raise InvalidConfiguration(
            f"none of the figures given depends on a rule; give one of {ruled}"
        )
    return figures


def _covered(space: Combinations, wanted: Sequence[Reported]) -> dict[str, Coverage]:
    """How much of the player's decisions is analysed. Raises `NothingToCompare` if none is, or a
    money session is asked for match winning chance."""
    match, path = space.match, space.match.source.path
    if match.is_money and any(METRICS[figure.metric].in_mwc for figure in wanted):
        raise NothingToCompare("a money session has no match winning chance; leave it out", path)
    covered = space.own.completeness_at(space.seat, space.game)
    if not covered["checker"].analysed and not covered["cube"].analysed:
        raise NothingToCompare(
            "the match is not analysed, so no rules give a figure; analyse it first, for example "
            "with `reconcile analyse`",
            path,
        )
    return covered


def _blank(sighting: Sighting, own: Figures) -> tuple[str, ...]:
    """The figures that say nothing: those of the few decisions that are analysed, and 0 for
    none."""
    in_part = sighting.fitting(sighting.plain)
    return tuple(
        figure.metric
        for figure in sighting.wanted
        if own[figure.metric] is None and (figure in in_part or not figure.value)
    )


Kind = TypeVar("Kind", bound=Explanation)


@dataclass(frozen=True)
class _Search:
    """All combinations, with the distance of each."""

    space: Combinations
    sighting: Sighting
    """The figures that say something."""
    wanted: tuple[Reported, ...]
    """All of them."""

    @cached_property
    def figures(self) -> Mapping[str, Table]:
        """Every figure for all combinations."""
        return self.space.figures()

    @cached_property
    def off(self) -> Table:
        """How far the worst figure of every combination is off, in halves of its last digit."""
        worst = 0.0 if self.sighting.wanted else np.inf
        off = np.full([len(names) for names in self.space.axes.values()], worst)
        for figure in self.sighting.wanted:
            off = np.maximum(off, halves_off(self.figures[figure.metric], figure))
        return off

    @cached_property
    def rule_sets(self) -> tuple[KnownRules, ...]:
        """What known rule sets give."""
        return tuple(self._given_by(name, ours) for name, ours in self.sighting.under.items())

    def under(self, match: Match, rules: RuleSet) -> KnownRules:
        """What rules of somebody's own give."""
        return self._given_by(rules.name, Statistics(score(match, rules, self.space.met)))

    def _given_by(self, name: str, ours: Statistics) -> KnownRules:
        figures = ours.figures_at(self.space.seat, self.space.game)
        fits = bool(self.sighting.wanted) and self.sighting.gives(figures)
        return KnownRules(name, fits, {key: figures[key] for key in EXPLORED})

    def document(self, **rest: Any) -> Investigation:
        """What an investigation says, with `rest` of it."""
        explanations = self.explanations(self.off <= 1, Explanation)
        checks = checks_that_hold(self.sighting) if self.sighting.wanted else ()
        # What rules give is no misprint. What a known program does, or may do, is more plausible
        # than what none does; in each, the fewest differences come first.
        return Investigation(
            player=self.sighting.player,
            reported=self.wanted,
            rule_sets=self.rule_sets,
            checks=tuple(check for check in checks if not explanations or check.code != "misprint"),
            explanations=tuple(sorted(explanations, key=lambda near: near.is_of_no_program)),
            closest=() if explanations else self.closest(),
            reached=reach(self.figures, self.wanted),
            fitting=int((self.off <= 1).sum()),
            tried=self.space.size,
            **rest,
        )

    def closest(self) -> tuple[NearMiss, ...]:
        """The nearest misses; none where no combination has the figures."""
        nearest = self.off.min()
        near = (self.off <= nearest + ROUNDING) & (nearest < np.inf)
        return tuple(self.explanations(near, NearMiss)[:MOST_CLOSEST])

    def explanations(self, chosen: Bools, kind: type[Kind]) -> list[Kind]:
        """Explanations of the combinations that are chosen, fewest differences first; those with
        needless differences are left out."""
        space, rows = self.space, np.argwhere(chosen)
        verified = sorted(VERIFIED_RULES, key=lambda name: name != space.base.name)
        bases = [RULE_SETS[name].for_match(space.match)[0] for name in verified]
        answers_of_bases = [
            [
                names.index(rules.answers[code]) if rules.answers[code] in names else -1
                for code, names in space.axes.items()
            ]
            for rules in bases
        ]
        # For all of them at once, since there are thousands: which answers differ from those of
        # each base, shape (bases, rows, questions). Then every pair of a base and a row, fewest
        # differences first.
        several = np.array([len(names) > 1 for names in space.axes.values()])
        differs = (rows != np.array(answers_of_bases)[:, np.newaxis]) & several
        base, row = (index.ravel() for index in np.indices(differs.shape[:2]))
        order = np.lexsort((row, base, differs.sum(axis=2).ravel()))
        base, row = base[order], row[order]
        is_left = np.ones(len(order), bool)
        explained: dict[int, Kind] = {}
        while is_left.any() and len(explained) < MOST_EXPLANATIONS:
            first = int(is_left.argmax())
            at, needed = int(row[first]), differs[base[first], row[first]]
            # What changes all of these answers in the same way, and others, has needless
            # differences.
            same = (rows[:, needed] == rows[at, needed]).all(axis=1)
            is_left &= (base != base[first]) | ~same[row]
            if at not in explained:  # else from the other program's rules
                place = tuple(rows[at].tolist())
                answers = space.answers_at(place)
                changed = {code: answers[code] for code in np.array(list(answers))[needed]}
                explained[at] = self._explanation(bases[base[first]], place, changed, kind)
        return list(explained.values())

    def _explanation(
        self, base: RuleSet, place: tuple[int, ...], changed: Mapping[str, str], kind: type[Kind]
    ) -> Kind:
        space = self.space
        figures = {key: _at(table, place) for key, table in self.figures.items()}
        own = space.supported
        after = self._scored(base, changed)
        needed = changed if base.name == own.name else self._needed(place, after)
        alone = {code: self._scored(own, {code: name}) for code, name in sorted(needed.items())}
        telling = ("pr", "decisions.counted", *(figure.metric for figure in self.wanted))
        also = [
            rules.name
            for rules in self.rule_sets
            if all(_same(rules.figures[key], figures[key]) for key in telling)
        ]
        return kind(
            nearest=base.name,
            differences=_differences(base, changed),
            own_differences=_differences(own, needed),
            also=tuple(name for name in also if changed or name != base.name),
            figures={key: figures[key] for key in METRICS if key in figures},
            decisions=tuple(turning(space.own.scored, after, space.seat, space.game, alone)),
            off=float(self.off[place]),
        )

    def _scored(self, base: RuleSet, changes: Mapping[str, str]) -> Scored:
        """The match under a rule set with some answers changed."""
        for code, name in changes.items():
            base = base.switched(code, name)
        return score(self.space.match, base, self.space.met)

    def _needed(self, place: tuple[int, ...], after: Scored) -> Mapping[str, str]:
        """The answers of a combination that are not the tool's own, without those that touch no
        decision."""
        space, own = self.space, self.space.supported
        needed = {
            code: name
            for code, name in space.answers_at(place).items()
            if len(space.axes[code]) > 1 and own.answers[code] != name
        }
        for code in [code for code in needed if code not in CONSTANTS]:
            fewer = {other: name for other, name in needed.items() if other != code}
            before = self._scored(own, fewer)
            mine = rows_of(longer(before, after), space.seat, space.game)
            if not differing(before, after)[mine].any():
                needed = fewer
        return needed


def _differences(rules: RuleSet, changes: Mapping[str, str]) -> tuple[Difference, ...]:
    return tuple(
        Difference(code, rules.answers[code], name, QUESTIONS[code].title)
        for code, name in sorted(changes.items())
    )


def _same(value: float | None, other: float | None) -> bool:
    if value is None or other is None:
        return value is other
    return abs(value - other) < ROUNDING


def _at(table: Table, place: tuple[int, ...]) -> float | None:
    sizes = zip(place, table.shape, strict=True)
    value = float(table[tuple(index if size > 1 else 0 for index, size in sizes)])
    return value if np.isfinite(value) else None
