"""What the figures of a program under test have in common over all its matches: how many of them
each known rule set gives, and whether a plain transformation gives them all.

Those that are off are grouped: by figure, by player, and by what all their differences share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import numpy as np

from reconcile.document import OR_NULL, Count, Document, Positive, Text
from reconcile.infer.reported import Reported, margin
from reconcile.match.columns import Bools, Floats, Ints
from reconcile.match.match import Match
from reconcile.match.values import grouped
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.figures import (
    METRICS,
    MetricName,
    by_player,
    figures_of,
    metric,
    short_metric,
    totals_of,
)
from reconcile.scoring.statistics import Statistics, statistics
from reconcile.wording import either, listed, plural, signed, some

# -- plain transformations ------------------------------------------------------------------------
#
# What may have been done to figures of a program, all or some of them alike, in all its matches:
# each is refuted by a single figure.

VERSIONS = 5
MATCH, BOTH, MEAN, NOT_FIRST, NOT_LAST = range(VERSIONS)
"""Figures of a match; of both players together; the mean of those of the games; those without the
first and without the last game."""
COLUMNS = {name: column for column, name in enumerate(METRICS)}
PER_DECISION = ("pr", "checker_pr", "cube_pr", "error_rate_memg")
RATES = {name: figure.factor for name, figure in METRICS.items() if figure.factor > 1}
"""The rates, and the number of decisions or moves that they are per."""


@dataclass(frozen=True, slots=True)
class Transformation:
    """One thing that may have been done to figures."""

    code: str
    """Its name; several may share it."""
    words: str
    """What was done, as the end of a sentence: they are `of the other player`."""
    concerns: Callable[[str], bool] = lambda name: True
    """Whether a figure of this name can be one of those that it changes."""
    factor: float = 1.0
    version: int = MATCH
    exchanges: bool = False
    """Whether each player has the other's figures."""
    of_match: Callable[[Ints], Ints] = lambda match: match
    """The match whose figures are given for each match."""


def versions(ours: Statistics) -> Floats:
    """The figures of a match as transformations need them, shape (versions, seats, figures), in the
    order of `METRICS`; NaN where unknown."""
    sums, games = ours.sums, range(len(ours.match.games))
    played = shown(ours, None)
    each = np.array([shown(ours, game) for game in games])
    mean = np.ma.masked_invalid(each).mean(axis=0).filled(np.nan)
    both = np.stack([played.sum(axis=0)] * 2)
    rates = _figures(ours, {name: np.stack([s.sum(axis=0)] * 2) for name, s in sums.match.items()})
    columns = [COLUMNS[name] for name in PER_DECISION]
    both[:, columns] = rates[:, columns]
    less = [
        _figures(ours, {name: table - sums.games[name][game] for name, table in sums.match.items()})
        for game in (0, -1)
    ]
    return np.array([played, both, mean, *less])


def shown(ours: Statistics, game: int | None) -> Floats:
    """The figures of both players, of the match or a game."""
    both = [ours.figures_at(seat, game) for seat in (0, 1)]
    return np.array([[figures[name] for name in METRICS] for figures in both], float)


def _figures(ours: Statistics, sums: dict[str, Floats]) -> Floats:
    """The figures of both players by sums of them."""
    match = ours.match
    totals = totals_of(sums, ours.rules, is_money=match.is_money, one_point=match.length == 1)
    figures = figures_of(totals)
    return np.array([np.broadcast_to(figures[name], 2) for name in METRICS], float).T


TRANSFORMATIONS = (
    Transformation("players-exchanged", "of the other player", exchanges=True),
    Transformation(
        "per-1000", "per 1000, and should be per 500", lambda name: RATES.get(name) == 500, 2
    ),
    Transformation(
        "per-500", "per 500, and should be per 1000", lambda name: RATES.get(name) == 1000, 0.5
    ),
    Transformation(
        "as-fractions",
        "given as a fraction, and should be a percentage",
        lambda name: METRICS[name].in_mwc,
        0.01,
    ),
    Transformation(
        "percent-of-percent",
        "given as a percentage of a percentage, 100 times too large",
        lambda name: METRICS[name].in_mwc,
        100,
    ),
    Transformation("sign", "given with the other sign", lambda name: METRICS[name].is_signed, -1),
    Transformation("twice", "given twice as large as is right", lambda name: name not in RATES, 2),
    Transformation("half", "given half as large as is right", lambda name: name not in RATES, 0.5),
    Transformation(
        "match-before", "of the match before", of_match=lambda match: np.maximum(match - 1, 0)
    ),
    Transformation("mean-of-games", "the mean of those of the games", version=MEAN),
    Transformation("both-players", "of both players together", version=BOTH),
    Transformation("game-missing", "without the last game", version=NOT_LAST),
    Transformation("game-missing", "without the first game", version=NOT_FIRST),
)
"""Those that are the same in all matches, the likeliest first."""
OTHER_MATCH = "another-match"
CODES = (*dict.fromkeys(way.code for way in TRANSFORMATIONS), OTHER_MATCH)


def of_other_matches(matches: int) -> Iterator[Transformation]:
    """That all figures are those of one match of the pack, by its index."""
    for index in range(matches if matches > 1 else 0):
        of_one = partial(np.full_like, fill_value=index)
        yield Transformation(OTHER_MATCH, "of one match, for all matches", of_match=of_one)


# -- the figures of a program ---------------------------------------------------------------------

OWN = "own"
"""The rules of each reference, where they are not the same for all matches."""
OWN_WORDS = "the rules of each reference"
LEAST_DIGITS = 4.0
"""Printed digits that a transformation has to make right: with fewer it can be chance."""
MOST_NAMED = 3
ALL = slice(None)
UNCHANGED = Transformation("", "")
if TYPE_CHECKING:
    TransformationCode: TypeAlias = str
else:
    TransformationCode = Literal[CODES]


@dataclass(frozen=True, slots=True)
class Diagnosis(Document):
    """What a program under test does, by all its matches."""

    program: Text
    """Its name, or the command or the files."""
    figures: Count
    """Figures that it gave and that can be compared with a file."""
    agree: Mapping[str, int]
    """How many of them each known rule set gives, within their printed digits; `own` are the rules
    of each reference, where these are not the same."""
    transformation: Annotated[TransformationCode, OR_NULL]
    """What was done to figures, if with that undone all are right; null where nothing known was."""
    sentence: Text
    """The same in words."""


@dataclass(eq=False)
class MatchFigures:
    """A match and its figures under rule sets, each computed once: which programs ask, and in which
    process, makes no difference."""

    source: Match | Callable[[], Match]
    """A match, or what reads it, so that it need not be held; without candidates."""
    tables: dict[tuple[str, ...], Floats] = field(default_factory=dict)
    """By the name and answers of rules, shape (seats, figures)."""
    versions: dict[tuple[str, ...], Floats] = field(default_factory=dict)
    """The same as `versions` makes them, which cost ten times as much."""

    @classmethod
    def of_tables(cls, source: Callable[[], Match], figures: Mapping[str, Floats]) -> MatchFigures:
        """The figures of a match that are known under rule sets by name, shape (seats, figures);
        only these of their versions."""
        tables = {_key(RULE_SETS[name]): values for name, values in figures.items()}
        unknown = {key: np.full((VERSIONS, *each.shape), np.nan) for key, each in tables.items()}
        return cls(source, tables, unknown)

    def look_ahead(self, rule_sets: Iterable[RuleSet]) -> None:
        """Compute the figures under rule sets."""
        match: Match | None = None
        for rules in rule_sets:
            if (key := _key(rules)) not in self.tables:
                match = match or self._read()
                self.tables[key] = shown(statistics(match, rules), None)

    def under(self, rules: RuleSet, version: int = MATCH) -> Floats:
        """A version of the figures under a rule set, shape (seats, figures)."""
        key = _key(rules)
        if version == MATCH:
            self.look_ahead([rules])
            return self.tables[key]
        if key not in self.versions:
            self.versions[key] = versions(statistics(self._read(), rules))
        table: Floats = self.versions[key][version]
        return table

    def by_seat(self, rules: RuleSet) -> Sequence[Mapping[str, float | None]]:
        """By seat, the figures under a rule set by name; `None` where unknown."""
        figures = self.under(rules).T.tolist()
        return by_player(dict(zip(METRICS, figures, strict=True)))

    def _read(self) -> Match:
        return self.source if isinstance(self.source, Match) else self.source()


def _key(rules: RuleSet) -> tuple[str, ...]:
    return rules.name, *rules.answers.values()


@dataclass(frozen=True, slots=True)
class Subject:
    """A match with the figures that a program gave for it."""

    id: str
    own: RuleSet
    """The rules by which the reference is counted."""
    record: MatchFigures
    figures: tuple[tuple[int, Reported], ...]
    """By seat."""

    def look_ahead(self) -> None:
        """Compute what a diagnosis asks of every match."""
        self.record.look_ahead((self.own, *RULE_SETS.values()))

    def under(self, rules: str, version: int = MATCH) -> Floats:
        """A version of the figures of the match under rules by name, shape (seats, figures)."""
        return self.record.under(self.rules(rules), version)

    def rules(self, name: str) -> RuleSet:
        """A known rule set by name, or that of the reference."""
        return self.own if name in (OWN, self.own.name) else RULE_SETS[name]


class Run:
    """The figures of a program over all its matches, one after the other."""

    def __init__(self, subjects: Sequence[Subject]) -> None:
        self.subjects = tuple(subjects)
        entries = [
            (index, seat, figure)
            for index, subject in enumerate(self.subjects)
            for seat, figure in subject.figures
        ]
        self.match: Ints = np.array([index for index, *_ in entries], int)
        self.seat: Ints = np.array([seat for _, seat, _ in entries], int)
        self.figures = [figure for *_, figure in entries]
        self.names = np.array([figure.metric for figure in self.figures])
        self.values: Floats = np.array([figure.value for figure in self.figures], float)
        self._columns: Ints = np.array([COLUMNS[name] for name in self.names], int)
        self._signed: Bools = np.array([METRICS[name].is_signed for name in self.names], bool)
        self._margins: Floats = np.array([margin(figure) for figure in self.figures], float)
        own = list(dict.fromkeys(subject.own.name for subject in self.subjects))
        self.own = own[0] if len(own) == 1 else OWN
        """The rules of the references."""
        self.rule_sets = tuple(dict.fromkeys((self.own, *RULE_SETS)))

    def under(
        self, rules: str, way: Transformation = UNCHANGED, rows: Ints | slice = ALL
    ) -> Floats:
        """Given figures, by default all, as a rule set and a transformation have them; NaN where
        unknown."""
        match, seat = way.of_match(self.match)[rows], self.seat[rows] ^ way.exchanges
        wanted, at = np.unique(match, return_inverse=True)
        tables = [self.subjects[index].under(rules, way.version) for index in wanted.tolist()]
        table = np.reshape(tables, (len(wanted), 2, len(METRICS)))
        values: Floats = way.factor * table[at, seat, self._columns[rows]]
        return values

    def fits(self, expected: Floats, rows: Ints | slice = ALL) -> Bools:
        """Which given figures these are, within their printed digits."""
        expected = np.where(self._signed[rows], expected, np.abs(expected))
        fits: Bools = np.abs(expected - self.values[rows]) <= self._margins[rows]
        return fits

    @cached_property
    def agree(self) -> Mapping[str, int]:
        """How many figures each rule set gives."""
        return {name: int(self.fits(self.under(name)).sum()) for name in self.rule_sets}

    @cached_property
    def equals(self) -> tuple[str, ...]:
        """The rule sets that it follows most likely: figures of the fewest names against them,
        among equals fewest figures, then those that most agree with.

        A figure that rules do not have counts neither way; but rules that lack a rate that the
        program prints, as Snowie's lack PR, are not its own.
        """
        has = {name: np.isfinite(self.under(name)) for name in self.rule_sets}
        rates = {name: {*self.names[finite]} & {*RATES} for name, finite in has.items()}
        printed = set[str]().union(*rates.values())
        ranks = {
            name: (len({*self.names[wrong]}), int(wrong.sum()), -self.agree[name])
            for name in self.rule_sets
            for wrong in [self.wrong(name)]
            if has[name].any() and rates[name] == printed
        }
        return tuple(name for name, rank in ranks.items() if rank == min(ranks.values()))

    @property
    def rules(self) -> str:
        """The rules through which its figures are explained: those under which a transformation
        shows, otherwise the likeliest, that of the references first."""
        if self.transformed:
            return self.transformed[0]
        return self.own if self.own in self.equals else next(iter(self.equals), self.own)

    @property
    def is_right(self) -> bool:
        """Whether nothing is against the rules that it follows."""
        return bool(self.equals) and not self.wrong(self.equals[0]).any()

    def wrong(self, rules: str) -> Bools:
        """The figures that a rule set has otherwise."""
        expected = self.under(rules)
        wrong: Bools = np.isfinite(expected) & ~self.fits(expected)
        return wrong

    def digits(self, chosen: Bools) -> float:
        """How many digits these figures have together."""
        widths = np.maximum(
            2 * self._margins[chosen], [1.0 * (f.half == 0) for f in self.of(chosen)]
        )
        return float(np.log10(np.maximum(self.values[chosen] / widths, 1)).sum())

    def of(self, chosen: Bools) -> list[Reported]:
        """The given figures that are marked."""
        return [self.figures[row] for row in np.flatnonzero(chosen).tolist()]

    @cached_property
    def transformed(self) -> tuple[str, Transformation, Bools] | None:
        """The rules, the transformation and the figures to which it was applied that together give
        every figure; `None` where some or all figures are right without, or nothing gives all."""
        if self.is_right:
            return None
        every = chain(TRANSFORMATIONS, of_other_matches(len(self.subjects)))
        ways = [(way, np.array(list(map(way.concerns, self.names)), bool)) for way in every]
        for rules in sorted(self.rule_sets, key=lambda name: -self.agree[name]):
            plain, wrong = self.under(rules), self.wrong(rules)
            off = np.isin(self.names, self.names[wrong])
            if not wrong.any():
                continue
            worst = np.flatnonzero(self.match == self.match[wrong][0])
            for way, concerned in ways:
                if way.version != MATCH and not self._may_fit(rules, way, off & concerned, worst):
                    continue
                changed = self.under(rules, way)
                for scope in (concerned, concerned & off):
                    expected = np.where(scope, changed, plain)
                    fits = self.fits(expected)
                    shown = self.digits(wrong & fits)
                    if (fits | np.isnan(expected)).all() and shown >= LEAST_DIGITS:
                        return rules, way, scope
        return None

    def _may_fit(self, rules: str, way: Transformation, scope: Bools, rows: Ints) -> bool:
        """Whether a transformation gives what is off in one match: others cost as much each."""
        rows = rows[scope[rows]]
        expected = self.under(rules, way, rows)
        return bool((self.fits(expected, rows) | np.isnan(expected)).all())


def diagnosis_of(program: str, run: Run) -> Diagnosis:
    """The document of the figures of a program."""
    code = run.transformed[1].code if run.transformed else ""
    return Diagnosis(program, len(run.figures), run.agree, code, f"{program}{_sentence(run)}")


def _sentence(run: Run) -> str:
    number, matches = len(run.figures), plural(len(run.subjects), "match", "matches")
    if run.transformed:
        rules, way, scope = run.transformed
        names = _labels(run.names[scope]) if not scope.all() else ["all its figures"]
        verb = "is" if len(names) == 1 and not scope.all() else "are"
        gives = f"{'give' if rules == OWN else 'gives'} all {plural(number, 'figure')} of {matches}"
        return f": {some(names)} {verb} {way.words}. With that undone {_words(run, rules)} {gives}."
    equals = [_words(run, name) for name in run.equals]
    if not equals:
        return f" gives no figure that is known of {matches}."
    agreeing = run.agree[run.equals[0]]
    if not agreeing:
        return f" agrees with no known rules: none gives any of {number} figures of {matches}."
    share = f"{agreeing} of {plural(number, 'figure')} of {matches}"
    more = f"; {some(equals[1:], MOST_NAMED)} as many" if equals[1:] else ""
    if run.is_right:
        write = ""
        if run.own not in run.equals:
            lines = either([f"`rules: {name}`" for name in run.equals[:MOST_NAMED]])
            write = f" Write {lines} under `candidates` in pack.yaml to judge it by them."
        return f" agrees with {equals[0]}: {share}{more}.{write}"
    right = [
        name
        for name in dict.fromkeys(run.names)
        if not run.wrong(run.rules)[run.names == name].any()
    ]
    always = f" Right in every match: {some(_labels(right), 6)}." if right else ""
    right_by = f"{share} are right by {equals[0]}{more}"
    return f" agrees with no known rules in all figures. {right_by}.{always}"


def _words(run: Run, name: str) -> str:
    return OWN_WORDS if name == OWN else f"rule set {name}"


def _labels(names: Iterable[str]) -> list[str]:
    """Figures in words, each once."""
    return [METRICS[name].words for name in dict.fromkeys(map(str, names))]


def agree_line(diagnosis: Diagnosis) -> str:
    """How many figures each known rule set gives, most first."""
    ranked = sorted(diagnosis.agree.items(), key=lambda entry: -entry[1])
    shown = [f"{OWN_WORDS if name == OWN else name} {number}" for name, number in ranked]
    return f"Of {plural(diagnosis.figures, 'figure')} known rules give: {listed(shown)}"


# -- figures that are off --------------------------------------------------------------------------

LIKE = 0.05
"""How far ratios may be apart, as a share of their mean, to be about the same."""
MOST_MATCHES = 3
"""Matches that a sentence names."""
MOST_FIGURES = 8
"""Figures that a sentence names."""
CLASSES = ("checker", "double", "take")
LOST = ("equity_error", "mwc_loss_percent")
MADE_OF: Mapping[str, Sequence[str]] = {
    **{f"{group}.total": [f"{group}.{each}" for each in CLASSES] for group in LOST},
    **{f"mwc_loss_percent.{each}": [f"equity_error.{each}"] for each in CLASSES},
    "decisions.counted": [f"decisions.{each}" for each in CLASSES],
    **dict.fromkeys(("pr", "error_rate_memg"), ("decisions.counted", "equity_error.total")),
    "checker_pr": ("decisions.checker", "equity_error.checker"),
    "cube_pr": [f"{group}.{each}" for group in ("decisions", LOST[0]) for each in CLASSES[1:]],
    **dict.fromkeys(("snowie_er", "snowie_memg"), ("moves.total", "equity_error.total")),
}
"""By figure those from which it follows."""
Place: TypeAlias = Literal["first", "second"]
SEATS: tuple[Place, Place] = ("first", "second")


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure that a program gave, beside what it should be."""

    match: str
    seat: int
    figure: Reported
    expected: float
    is_off: bool

    @property
    def size(self) -> float:
        """What it should be; of a loss without its sign."""
        return self.expected if METRICS[self.figure.metric].is_signed else abs(self.expected)

    @property
    def change(self) -> float:
        """How much more the program gives."""
        return self.figure.value - self.size


@dataclass(frozen=True, slots=True)
class Group(Document):
    """One figure of a program that is off in some or all matches."""

    figure: MetricName
    """Its name."""
    player: Annotated[Place | None, OR_NULL]
    """The only player of whom it is off, in the order of the file; null for both."""
    cause: Annotated[str | None, OR_NULL]
    """The transformation that explains it; null where none does."""
    first: bool
    """Whether no other figure that is off explains it: it is computed from none of them."""
    change: float | None
    """How much more the program gives, if that is always the same; null otherwise."""
    ratio: float | None
    """How many times as much it gives, if that is always about the same; null otherwise."""
    matches: Positive
    """Matches in which it is off."""
    of: Positive
    """Matches in which it was compared."""
    sentence: Text
    """The same in words."""

    @property
    def is_scattered(self) -> bool:
        """Whether it is off by more than one difference or ratio."""
        return self.change is None and self.ratio is None


def roots_of(off: Iterable[Set[str]]) -> tuple[list[str], list[str]]:
    """Of the figures that are off, for each player of each match, those that follow from no other
    of them in half of the places or more, and the others."""
    every, alone = Counter[str](), Counter[str]()
    for names in off:
        every.update(names)
        alone.update(name for name in names if not _is_moved(name, names))
    roots = {name for name, number in every.items() if 2 * alone[name] >= number}
    return _in_order(roots), _in_order(every.keys() - roots)


def _is_moved(name: str, off: Set[str]) -> bool:
    return any(part in off or _is_moved(part, off) for part in MADE_OF.get(name, ()))


def fault_words(groups: Iterable[Group], right: Collection[str]) -> str:
    """Which figures are off although those that they are computed from are right, which others are
    off by themselves, and which because of them, in sentences."""
    every = [(metric(group.figure).name, group.first) for group in groups]
    first = {name for name, is_first in every if is_first}
    alone = {name for name in first & MADE_OF.keys() if {*MADE_OF[name]} <= {*right}}
    made_of = in_words(_in_order({part for name in alone for part in MADE_OF[name]}))
    ranks = {
        f"although computed from right figures ({made_of})": alone,
        "and not because of another figure": first - alone,
        "because of that": {name for name, _ in every} - first,
    }
    words = (f"Off, {why}: {in_words(_in_order(names))}." for why, names in ranks.items() if names)
    return " ".join(words)


def _in_order(names: Collection[str]) -> list[str]:
    return [name for name in METRICS if name in names]


def in_words(names: Iterable[str]) -> str:
    """Figures by name, of many the first."""
    return some(_labels(names), MOST_FIGURES)


def groups_of(
    compared: Sequence[Compared], causes: Mapping[str, str], program: str = ""
) -> Iterator[Group]:
    """A group for each figure that is off, the worst first: those that do not follow from others,
    in most matches, always in the same way.

    `causes` are transformations by figure, `program` is named where there are several."""
    by_name = grouped(compared, lambda entry: entry.figure.metric)
    groups = [
        _group(entries, causes.get(name))
        for name, entries in by_name.items()
        if any(entry.is_off for entry in entries)
    ]
    off = (entry for entry in compared if entry.is_off)
    places = grouped(off, lambda entry: (entry.match, entry.seat)).values()
    roots, _ = roots_of({entry.figure.metric for entry in place} for place in places)
    groups = [replace(group, first=metric(group.figure).name in roots) for group in groups]
    groups.sort(key=lambda group: (not group.first, -group.matches, group.is_scattered))
    start = f"{program}: " * bool(program) + "only " * (len(groups) == 1)
    yield from (replace(group, sentence=start + group.sentence) for group in groups)


def _group(compared: Sequence[Compared], cause: str | None) -> Group:
    off = [entry for entry in compared if entry.is_off]
    name, seats = off[0].figure.metric, {entry.seat for entry in off}
    is_one = len(seats) == 1 and len({entry.seat for entry in compared}) > 1
    player = SEATS[seats.pop()] if is_one else None
    matches, of = (list(dict.fromkeys(each.match for each in part)) for part in (off, compared))
    changes = np.array([entry.change for entry in off])
    change = _common(off, changes)
    ratio = _ratio(off) if change is None else None
    where = f"in all {plural(len(of), 'match', 'matches')}"
    if len(matches) < len(of) or len(of) == 1:
        where = f"in {len(matches)} of {plural(len(of), 'match', 'matches')}"
    if len(matches) < len(of) and len(matches) <= MOST_MATCHES:
        where += f" ({listed(matches)})"
    whose = f", {player} player" if player else ""
    words = f"{METRICS[name].words} {_difference(name, changes, change, ratio)}{whose}, {where}"
    numbers = change, ratio, len(matches), len(of)
    return Group(short_metric(name), player, cause, False, *numbers, words)


def _common(off: Sequence[Compared], changes: Floats) -> float | None:
    """The change that all share, within the printed digits; `None` of a single figure."""
    widest = 2 * max(margin(entry.figure) for entry in off)
    middle = float(np.median(changes))
    if len(off) < 2 or np.ptp(changes) > widest or abs(middle) <= widest:
        return None
    return round(middle, 9)


def _ratio(off: Sequence[Compared]) -> float | None:
    """The ratio that all share, within the printed digits or about; `None` of a single figure, or
    where there is none."""
    sizes = np.array([entry.size for entry in off])
    if len(off) < 2 or not sizes.all():
        return None
    ratios = np.array([entry.figure.value for entry in off]) / sizes
    widths = np.array([margin(entry.figure) for entry in off]) / abs(sizes)
    mean, low, high = ratios.mean(), (ratios - widths).max(), (ratios + widths).min()
    if low <= high and not low <= 1 <= high:
        shown = (float(f"{(low + high) / 2:.{digits}g}") for digits in range(3, 9))
        return next((ratio for ratio in shown if low <= ratio <= high), float(mean))
    is_alike = np.ptp(ratios) <= LIKE * abs(mean) and abs(mean - 1) > LIKE
    return float(f"{mean:.3g}") if is_alike else None


def _difference(name: str, changes: Floats, change: float | None, ratio: float | None) -> str:
    digits = METRICS[name].decimals
    if change is not None:
        return signed(change, digits)
    if ratio is not None:
        return f"about {ratio:g} times" if ratio else "always 0"
    low, high = (signed(float(end), digits) for end in (changes.min(), changes.max()))
    return low if low == high else f"{low} to {high}"
