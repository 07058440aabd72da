"""Finds the rules that give a number: every combination of answers is scored over columns, and
those that fit are reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from reconcile.document import (
    HIDDEN,
    SCHEMA_VERSION,
    Amount,
    Document,
    Key,
    Positive,
    Row,
    Text,
    Version,
    with_keys,
    within,
)
from reconcile.document import rows_of as in_rows
from reconcile.errors import (
    InvalidArgument,
    InvalidConfiguration,
    NothingToCompare,
    UnknownName,
    expect,
    expect_list,
)
from reconcile.gap.pairing import seat_of
from reconcile.gap.rows import PLACE
from reconcile.gap.walk import States
from reconcile.infer.answer_grid import Combinations, Table, rows_of
from reconcile.infer.reported import (
    EXPLORED,
    ROUNDING,
    Explored,
    HoldingCheck,
    Reported,
    checks_that_hold,
    fit_all,
    fits_figure,
    halves_off,
    paste_notes,
    read_reported,
    reported_by,
    shown_off,
    sighting_of,
)
from reconcile.match.columns import Bools, Floats, Ints
from reconcile.match.match import Match, Source
from reconcile.match.tools import ANALYSERS, TOOLS
from reconcile.notebook import NotebookTable, frame_of, one_line, short
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet, own_rules, rule_set
from reconcile.scoring.decisions import decisions_of
from reconcile.scoring.figures import METRICS, Form, MetricName, short_metric
from reconcile.scoring.score import Scored
from reconcile.scoring.statistics import Coverage, Statistics
from reconcile.wording import plural

if TYPE_CHECKING:
    import pandas as pd

VERIFIED_RULES = tuple(tool.rules for tool in ANALYSERS.values())
"""Rule sets verified against the tool itself: explanations start from these."""
MOST_EXPLANATIONS = 20
MOST_CLOSEST = 3
CONSTANTS = ("Q09", "Q13")
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
    decisions: tuple[TurningDecision, ...]
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
    def is_of_no_program(self) -> bool:
        """Whether no known program counts so, or may: one may where nobody outside knows its answer
        to any of the questions that differ."""
        questions = {change.question for change in self.differences}
        return bool(questions - RULE_SETS[self.nearest].open) and not self.also

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
    """What else the figures can be, the most obvious first."""
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
        leads = {"rules": "object", "differences": "object", "fits": "bool", "off": "float64"}
        rows: list[tuple[object, ...]] = [
            (near.nearest, near.changes, near.off <= 1, near.off, *near.figures.values())
            for near in self.explanations or self.closest
        ]
        rows += [
            (each.name, "", each.fits, None, *each.figures.values()) for each in self.rule_sets
        ]
        columns = leads | dict.fromkeys(EXPLORED, "float64")
        return frame_of([dict(zip(columns, row, strict=True)) for row in rows], columns)

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
    space = Combinations(match, met, seat, row)
    search = _Search(space, wanted)
    shown = space.under(theirs).figures_at(seat, row)
    return search.document(
        match=match,
        game=game,
        met=met,
        completeness=_covered(space, wanted),
        given_rules=None if rules is None else search.under(rule_set(rules)),
        not_searched=tuple((rest, shown[rest.metric]) for rest in figures if rest not in wanted),
        others_rules=theirs.name,
        program=program,
    )


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


Kind = TypeVar("Kind", bound=Explanation)


class _Search:
    """All combinations, with the distance of each."""

    def __init__(self, space: Combinations, wanted: tuple[Reported, ...]) -> None:
        self.space, self.wanted = space, wanted
        under = {name: space.under(rules) for name, rules in RULE_SETS.items()}
        every = sighting_of(under, space.seat, space.game, wanted)
        own = space.own.figures_at(space.seat, space.game)
        # Those of the few decisions that are analysed, and 0 for none, say nothing.
        self.blank = tuple(
            figure.metric
            for figure in wanted
            if own[figure.metric] is None and (figure not in every.wrong or not figure.value)
        )
        telling = tuple(figure for figure in wanted if figure.metric not in self.blank)
        self.sighting = replace(every, wanted=telling)
        self.figures = space.figures()
        off = np.full([len(names) for names in space.axes.values()], 0.0 if telling else np.inf)
        for figure in telling:
            off = np.maximum(off, halves_off(self.figures[figure.metric], figure))
        self.off: Table = off
        """How far the worst figure of every combination is off, in halves of its last digit."""
        self.rule_sets = tuple(self._given_by(name, ours) for name, ours in every.under.items())

    @property
    def is_about_counts(self) -> bool:
        """Whether a reported figure moves where a decision only counts otherwise: not a sum of
        errors, nor a rate per move of both players."""
        asked = [METRICS[figure.metric] for figure in self.wanted]
        return any(each.form is not Form.ERROR and not each.per_move for each in asked)

    def under(self, rules: RuleSet) -> KnownRules:
        """What rules of somebody's own give."""
        return self._given_by(rules.name, self.space.under(rules))

    def _given_by(self, name: str, ours: Statistics) -> KnownRules:
        figures = ours.figures_at(self.space.seat, self.space.game)
        fits = bool(self.sighting.wanted) and fit_all(self.sighting.wanted, figures)
        return KnownRules(name, fits, {key: figures[key] for key in EXPLORED})

    def document(self, **rest: Any) -> Investigation:
        """What an investigation says, with `rest` of it."""
        explanations = self.explanations(self.off <= 1, Explanation)
        nearest = self.off.min()
        near = (self.off <= nearest + ROUNDING) & (nearest < np.inf)
        closest = () if explanations else self.explanations(near, NearMiss)[:MOST_CLOSEST]
        # What a known program does, or may do, is more plausible than what none does; in each, the
        # fewest differences come first.
        return Investigation(
            player=self.space.match.names[self.space.seat],
            reported=self.wanted,
            blank=self.blank,
            rule_sets=self.rule_sets,
            checks=tuple(checks_that_hold(self.sighting)),
            explanations=tuple(sorted(explanations, key=lambda near: near.is_of_no_program)),
            closest=tuple(closest),
            reached=reach(self.figures, self.wanted),
            fitting=int((self.off <= 1).sum()),
            tried=self.space.size,
            **rest,
        )

    def explanations(self, chosen: Bools, kind: type[Kind]) -> list[Kind]:
        """Explanations of the combinations that are chosen, fewest differences first; those with
        needless differences are left out."""
        space, rows = self.space, np.argwhere(chosen)
        several = np.array([len(names) > 1 for names in space.axes.values()])
        verified = sorted(VERIFIED_RULES, key=lambda name: name != space.base.name)
        nearest: list[tuple[int, RuleSet, tuple[int, ...], Bools]] = []
        for base in [RULE_SETS[name].for_match(space.match)[0] for name in verified]:
            own = [
                names.index(base.answers[code]) if base.answers[code] in names else -1
                for code, names in space.axes.items()
            ]
            for row, needed in _fewest(rows, (rows != own) & several):
                nearest.append((int(needed.sum()), base, tuple(row.tolist()), needed))
        explained: dict[tuple[int, ...], Kind] = {}
        for _, base, place, needed in sorted(nearest, key=itemgetter(0)):
            if place not in explained and len(explained) < MOST_EXPLANATIONS:
                answers = np.array(list(space.answers_at(place).items()))[needed]
                explained[place] = self._explanation(base, place, dict(answers.tolist()), kind)
        return list(explained.values())

    def _explanation(
        self, base: RuleSet, place: tuple[int, ...], changed: Mapping[str, str], kind: type[Kind]
    ) -> Kind:
        space, own = self.space, self.space.supported
        figures = {key: _at(table, place) for key, table in self.figures.items()}
        after = space.scored(space.answers_at(place))
        needed = changed if base.name == own.name else self._needed(place, after)
        alone = {code: space.scored({code: needed[code]}) for code in sorted(needed)}
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
            decisions=turning(
                space.own.scored, after, space.seat, space.game, alone, self.is_about_counts
            ),
            off=float(self.off[place]),
        )

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
            if not differing(space.scored(fewer), after)[space.rows].any():
                needed = fewer
        return needed


def _fewest(rows: Ints, differs: Bools) -> Iterator[tuple[Ints, Bools]]:
    """Combinations with the fewest answers that differ from those of rules, and which do, shape
    (questions); none that changes all the answers that another one does, and more."""
    order = np.argsort(differs.sum(axis=1), kind="stable")
    rows, differs = rows[order], differs[order]
    for _ in range(2 * MOST_EXPLANATIONS):  # some are also those from other rules
        if len(rows):
            row, needed = rows[0], differs[0]
            yield row, needed
            is_left = ~(rows[:, needed] == row[needed]).all(axis=1)
            rows, differs = rows[is_left], differs[is_left]


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


# -- what an explanation turns on -----------------------------------------------------------------


class Reach(NamedTuple):
    """The values of one figure over all combinations of answers; `None` where no combination has
    such a figure."""

    metric: str
    low: float | None
    high: float | None
    nearest: float | None
    """The value that is closest to the reported figure."""


def reach(figures: Mapping[str, Floats], wanted: Iterable[Reported]) -> tuple[Reach, ...]:
    """How far counting moves each reported figure; `figures` are those of all combinations by
    metric."""
    reached = []
    for figure in wanted:
        values = figures[figure.metric][np.isfinite(figures[figure.metric])]
        ends: list[float | None] = [None] * 3
        if len(values):
            nearest = values[np.argmin(np.abs(values - figure.value))]
            ends = [float(values.min()), float(values.max()), float(nearest)]
        reached.append(Reach(figure.metric, *ends))
    return tuple(reached)


SMALLEST_LOSS = 1e-12
"""Smallest change of match winning chance; anything less is float noise."""


if TYPE_CHECKING:
    TurningDecision: TypeAlias = Row
else:
    TurningDecision = with_keys(
        "Decision",
        {
            **PLACE,
            "questions": (
                tuple[str, ...],
                "Codes of the questions whose answers, each alone, count or rate it otherwise; "
                "where none does, of all that are answered otherwise.",
            ),
            "counted_from": (bool, "Whether it counts under the rules of the file's own tool."),
            "counted_to": (bool, "Whether it counts by the explanation."),
            "error_from": (float, "Equity lost (EMG) under the rules of the file's own tool."),
            "error_to": (float, "Equity lost (EMG) by the explanation."),
            "mwc_from": (
                float | None,
                "Match winning chance lost (percent) under the rules of the file's own tool; null "
                "in money play.",
            ),
            "mwc_to": (float | None, "The same by the explanation."),
            "xgid": (
                str,
                "The position for eXtreme Gammon; empty if no ID describes it (a resignation).",
            ),
            "gnubg_id": (str, "The position for GNU Backgammon; empty if no ID describes it."),
        },
        "A decision on which an explanation turns.",
    )


def differing(before: Scored, after: Scored, *, counting: bool = True) -> Bools:
    """Which rows cost otherwise, or, unless told not to look, count otherwise."""
    differs = np.zeros(len(before.facts), bool)
    for name, most in (("counted", 0.0), ("error", ROUNDING), ("loss", SMALLEST_LOSS)):
        first, second = columns_of(name, before, after)
        differs |= (np.abs(first - second) > most) & (counting or name != "counted")
    return differs


def columns_of(name: str, *scored: Scored) -> list[Floats]:
    """A column under several rules, with zeros in the rows of resignations where rules leave these
    out."""
    return [each.facts.filled(getattr(each, name), 0).astype(float) for each in scored]


def turning(
    before: Scored,
    after: Scored,
    seat: int,
    game: int | None,
    alone: Mapping[str, Scored] = MappingProxyType({}),
    counting: bool = True,
) -> tuple[Row, ...]:
    """A player's decisions whose count, error or cost differs, of the match or one game (index from
    0); what moves PR most comes first. `alone` is the match with each other answer by itself, by
    question. Without `counting` those that only count otherwise are left out, and what moves the
    sum of errors most comes first."""
    table, mine = decisions_of(before), rows_of(before.facts, seat, game)
    counted, error, loss = (
        columns_of(name, before, after) for name in ("counted", "error", "loss")
    )
    weight = np.zeros(len(mine))
    weight[mine] = _moved(np.array(error)[:, mine], np.array(counted)[:, mine], counting)
    rows = np.flatnonzero(mine & differing(before, after, counting=counting))
    rows = rows[np.argsort(-np.abs(weight[rows]).round(12), kind="stable")]
    touched = {code: differing(before, scored)[rows] for code, scored in alone.items()}
    questions = [
        tuple(compress(touched, each)) or tuple(touched)
        for each in zip(*touched.values(), strict=True)
    ]
    lost = [[None] * len(rows) if before.match.is_money else 100 * column[rows] for column in loss]
    return in_rows(
        {
            **{name: table[name][rows] for name in PLACE},
            "questions": questions or [()] * len(rows),
            "counted_from": counted[0][rows] > 0,
            "counted_to": counted[1][rows] > 0,
            "error_from": error[0][rows],
            "error_to": error[1][rows],
            "mwc_from": lost[0],
            "mwc_to": lost[1],
            **{name: table[name][rows] for name in ("xgid", "gnubg_id")},
        }
    )


def _moved(errors: Floats, counts: Floats, counting: bool) -> Floats:
    """How much each decision, shape (2 sides, decisions), moves PR, or else the sum of errors."""
    form, ends = Form.RATE if counting else Form.ERROR, (np.ones((2, 1)), np.full((2, 1), np.inf))
    with np.errstate(divide="ignore", invalid="ignore"):  # a side without a decision that counts
        moved: Floats = np.nan_to_num(States(form, errors, counts, *ends).shares()[0])
    return moved


def investigate_file(
    file: str,
    figures: Mapping[str, str],
    *,
    player: str | None,
    paste: str | None,
    game: int | None,
    **options: Any,
) -> tuple[list[Investigation], tuple[str, ...]]:
    """The rules that give the figures of a player, typed by metric or in a pasted text, which may
    have both players'; and notes about the text. `options` are those of `investigate`.

    Raises what reading and investigating raise, and `UnknownName` for a text without names.
    """
    from reconcile.files.inputs import read_bytes
    from reconcile.formats import load_match
    from reconcile.formats.printed import read_pasted

    match = load_match(file, met=options["met"])
    typed = read_reported(figures) if figures else ()
    if paste is None:
        return [investigate(match, str(player), typed, game=game, **options)], ()
    pasted = read_pasted(paste, read_bytes(paste), game)
    if player is None and len(pasted.players) != len(match.players):
        raise UnknownName(
            f"{paste} does not name both players: say whose figures they are with --player "
            f"{match.players[0]!r} or {match.players[1]!r}"
        )
    wanted = {
        name: (*typed, *reported_by(pasted, match, name))
        for name in (match.players if player is None else [player])
    }
    results = [
        investigate(match, name, reported, game=game, program=pasted.program, **options)
        for name, reported in wanted.items()
    ]
    return results, paste_notes(pasted, match.players)
