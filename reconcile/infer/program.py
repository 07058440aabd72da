"""What the figures of a program under test have in common over all its matches: how many of them
each known rule set gives, and whether a plain transformation gives them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import numpy as np

from reconcile.document import OR_NULL, Count, Document, Text
from reconcile.infer.reported import Reported, margin
from reconcile.match.columns import Bools, Floats, Ints
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.figures import METRICS, figures_of, totals_of
from reconcile.scoring.statistics import Statistics, statistics
from reconcile.wording import either, listed, plural, some

# -- plain transformations ------------------------------------------------------------------------
#
# What may have been done to figures of a program, all or some of them alike, in all its matches:
# each is refuted by a single figure.

VERSIONS: Final = 5
MATCH, BOTH, MEAN, NOT_FIRST, NOT_LAST = range(VERSIONS)
"""Figures of a match; of both players together; the mean of those of the games; those without the
first and without the last game."""
PER_DECISION: Final = ("pr", "checker_pr", "cube_pr", "error_rate_memg")
RATES: Final = {name: figure.factor for name, figure in METRICS.items() if figure.factor > 1}
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
    finite = np.isfinite(each)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(finite, each, 0).sum(axis=0) / finite.sum(axis=0)
    both = np.stack([played.sum(axis=0)] * 2)
    rates = _figures(ours, {name: np.stack([s.sum(axis=0)] * 2) for name, s in sums.match.items()})
    columns = [list(METRICS).index(name) for name in PER_DECISION]
    both[:, columns] = np.where(np.isnan(both[:, columns]), np.nan, rates[:, columns])
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


TRANSFORMATIONS: Final = (
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
OTHER_MATCH: Final = "another-match"
CODES: Final = (*dict.fromkeys(way.code for way in TRANSFORMATIONS), OTHER_MATCH)


def of_other_matches(matches: int) -> Iterator[Transformation]:
    """That all figures are those of one match of the pack, by its index."""
    for index in range(matches if matches > 1 else 0):
        of_one = partial(np.full_like, fill_value=index)
        yield Transformation(OTHER_MATCH, "of one match, for all matches", of_match=of_one)


# -- the figures of a program ---------------------------------------------------------------------

OWN: Final = "own"
"""The rules of each reference, where they are not the same for all matches."""
OWN_WORDS: Final = "the rules of each reference"
LEAST_DIGITS: Final = 4.0
"""Printed digits that a transformation has to make right: with fewer it can be chance."""
MOST_NAMED: Final = 3
ALL: Final = slice(None)
UNCHANGED: Final = Transformation("", "")
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
    others: dict[tuple[str, ...], Floats] = field(default_factory=dict)
    """The same as `versions` makes them, which cost ten times as much."""

    @classmethod
    def known(cls, source: Callable[[], Match], figures: Mapping[str, Floats]) -> MatchFigures:
        """The figures of a match that are known under rule sets by name, shape (seats, figures);
        only these of their versions."""
        tables = {_key(RULE_SETS[name]): values for name, values in figures.items()}
        others = {key: np.full((VERSIONS, *values.shape), np.nan) for key, values in tables.items()}
        return cls(source, tables, others)

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
        if key not in self.others:
            self.others[key] = versions(statistics(self._read(), rules))
        table: Floats = self.others[key][version]
        return table

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

    def rules(self, name: str) -> RuleSet:
        """A known rule set by name, or that of the reference."""
        return self.own if name in (OWN, self.own.name) else RULE_SETS[name]


class Run:
    """The figures of a program over all its matches, one after the other."""

    def __init__(self, subjects: Sequence[Subject]) -> None:
        self.subjects = tuple(subject for subject in subjects if subject.figures)
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
        order = {name: place for place, name in enumerate(METRICS)}
        self._columns: Ints = np.array([order[name] for name in self.names], int)
        self._signed: Bools = np.array([METRICS[name].is_signed for name in self.names], bool)
        self._margins: Floats = np.array([margin(figure) for figure in self.figures], float)
        own = list(dict.fromkeys(subject.own.name for subject in self.subjects))
        self.own = own[0] if len(own) == 1 else OWN
        """The rules of the references."""
        self.rule_sets = tuple(dict.fromkeys((self.own, *RULE_SETS)))
        self._tables: dict[str, Floats] = {}

    def under(
        self, rules: str, way: Transformation = UNCHANGED, rows: Ints | None = None
    ) -> Floats:
        """Given figures, by default all, as a rule set and a transformation have them; NaN where
        unknown."""
        rows = np.arange(len(self.figures)) if rows is None else rows
        match, seat = way.of_match(self.match)[rows], self.seat[rows] ^ way.exchanges
        wanted = np.unique(match) if way.version != MATCH else ()
        table = np.zeros((0, 0, 0)) if way.version != MATCH else self._plain(rules)
        for index in wanted:
            subject = self.subjects[index]
            figures = subject.record.under(subject.rules(rules), way.version)
            if not table.size:
                table = np.full((len(self.subjects), *figures.shape), np.nan)
            table[index] = figures
        values: Floats = way.factor * table[match, seat, self._columns[rows]]
        return values

    def _plain(self, rules: str) -> Floats:
        """The figures of all matches, shape (matches, seats, figures)."""
        if rules not in self._tables:
            each = [subject.record.under(subject.rules(rules)) for subject in self.subjects]
            self._tables[rules] = np.array(each)
        return self._tables[rules]

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
