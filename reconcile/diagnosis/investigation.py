"""Finds the rules that give a number: every combination of answers is scored over columns, and those that fit are reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.columns import Kind
from reconcile.diagnosis.answer_grid import Combinations, Table
from reconcile.diagnosis.reported import EXPLORED, ROUNDING, Reported, fits_figure, read_reported, slack
from reconcile.errors import InvalidConfiguration, NothingToCompare, UnknownName
from reconcile.files.wording import plural
from reconcile.gap.contributions import identifiers_of
from reconcile.gap.pairing import seat_of
from reconcile.match import Match
from reconcile.notebook import Shown, frame_of, one_line, short
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import Scored, score
from reconcile.scoring.statistics import tally
from reconcile.tools import ANALYSERS, TOOLS

if TYPE_CHECKING:
    import pandas as pd

VERIFIED_RULES: Final = tuple(tool.rules for tool in ANALYSERS.values())
"""Rule sets verified against the tool itself: explanations start from these."""
MOST_EXPLANATIONS: Final = 20
MOST_CLOSEST: Final = 3
SMALLEST_LOSS: Final = 1e-12
"""Smallest change of match winning chance; anything less is float noise."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One question answered differently from the nearest rule set."""

    question: str
    answer_from: str
    answer_to: str
    title: str


@dataclass(frozen=True, slots=True)
class Turning:
    """A decision on which an explanation turns."""

    game: int
    """Number of the game, from 1."""
    turn: int
    """Number of the turn in its game, from 1."""
    kind: str
    """`play`, `no-double`, `double`, `take`, `pass`, `beaver`, `resign`, `accept-resign`."""
    counted_from: bool
    """Whether it counts under the nearest rule set."""
    counted_to: bool
    """The same with the differences."""
    error_from: float
    """Equity lost (EMG)."""
    error_to: float
    """The same with the differences."""
    mwc_from: float | None
    """Match winning chance lost, in percent; `None` for money."""
    mwc_to: float | None
    """The same with the differences."""
    xgid: str
    """As XG takes it; empty where there is no such ID."""
    gnubg_id: str
    """gnuBG's `Position ID:Match ID`."""
    row: int
    """Of the match: plays, then cubes, then resignations."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Rules that give the reported figures."""

    nearest: str
    """The known rule set with the fewest differences."""
    differences: tuple[Difference, ...]
    also: tuple[str, ...]
    """Known rule sets that give the same reported figures with these answers."""
    figures: Mapping[str, float | None]
    """What these rules give, by metric."""
    decisions: tuple[Turning, ...]
    """The decisions that move PR most come first."""
    off: float = 0.0
    """How far the worst figure is off, in units of half its last digit; at most 1 fits."""

    @property
    def changes(self) -> str:
        """What is answered otherwise than by the nearest rule set: `Q01 blunderdb, Q03 never`; empty where nothing is."""
        return ", ".join(f"{one.question} {one.answer_to}" for one in self.differences)

    @property
    def rules(self) -> str:
        """The rules in a few words: `xg with Q01 blunderdb`."""
        return f"{self.nearest} with {self.changes}" if self.differences else self.nearest


class KnownRules(NamedTuple):
    """A known rule set, whether it gives all reported figures, and its own figures."""

    name: str
    fits: bool
    figures: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Investigation(Shown):
    """What rules give the reported figures, or come closest."""

    match: Match
    player: str
    """The name as the file has it."""
    game: int | None
    """Number of the game; `None` for the match."""
    met: str | None
    """The requested match equity table; `None` for that of the tool's own rules."""
    reported: tuple[Reported, ...]
    known: tuple[KnownRules, ...]
    """Every known rule set, and whether it gives all reported figures."""
    explanations: tuple[Explanation, ...]
    """The fewest differences first; empty where no rules give the figures."""
    closest: tuple[Explanation, ...]
    """The nearest misses, if nothing fits."""
    tried: int
    """Combinations of answers scored."""
    others: tuple[tuple[Reported, float | None], ...] = ()
    """Reported figures that were not searched for (luck, grades, wrong and missed cubes), each with the file's under `others_rules`."""
    others_rules: str = ""

    def __repr__(self) -> str:
        reported = ", ".join(f"{METRICS[one.metric].title} {one.text}" for one in self.reported)
        found = f"{plural(len(self.explanations), 'explanation')} in {plural(self.tried, 'combination')} of answers"
        first = f", the first {self.explanations[0].rules}" if self.explanations else ""
        return one_line(self, f"of {reported} for {short(self.player)}: {found}{first}")

    def to_frame(self) -> pd.DataFrame:
        """A row for every explanation, or for what comes closest where there is none; then one for every known rule set as it is.

        - `rules`: the known rule set that is nearest
        - `differences`: what is answered otherwise, as `Q01 blunderdb`; empty for the rule set as it is
        - `fits`: whether these rules give all reported figures
        - `off`: how far the worst figure is off, in halves of its last digit; missing for the known rule sets
        - a column for every metric that depends on rules, under its name: what these rules give
        """
        kinds = {"rules": "object", "differences": "object", "fits": "bool", "off": "float64"} | dict.fromkeys(EXPLORED, "float64")
        rows: list[dict[str, object]] = [
            {"rules": one.nearest, "differences": one.changes, "fits": one.off <= 1, "off": one.off, **one.figures}
            for one in self.explanations or self.closest
        ]
        rows += [{"rules": one.name, "differences": "", "fits": one.fits, "off": None, **one.figures} for one in self.known]
        return frame_of(rows, kinds)

    def _small_frame(self) -> pd.DataFrame:
        return self.to_frame()[["rules", "differences", "fits", *(one.metric for one in self.reported)]]


def investigate(
    match: Match,
    player: str,
    reported: Mapping[str, str | float] | Sequence[Reported],
    *,
    met: str | None = None,
    game: int | None = None,
    program: str | None = None,
) -> Investigation:
    """Find the rules that give the figures somebody saw for a player, for the match or one game (its number).

    `program` is the short name of the program that showed them, by default that of the file.
    Raises `UnknownName`, `InvalidConfiguration`, and `NothingToCompare` if the file is not analysed.
    """
    seat = seat_of(match, player)
    wanted = read_reported(reported) if isinstance(reported, Mapping) else tuple(reported)
    twice = {one.metric for one in wanted if sum(other.metric == one.metric for other in wanted) > 1}
    if twice:
        raise InvalidConfiguration(f"{', '.join(sorted(twice))}: given twice; give each figure once")
    given, wanted = wanted, tuple(one for one in wanted if one.metric in EXPLORED)
    if given and not wanted:
        raise InvalidConfiguration(f"none of the figures given depends on a rule; give one of {', '.join(EXPLORED)}")
    index = _game_index(match, game)
    space = Combinations(match, met, seat, index)
    if match.is_money and any(METRICS[one.metric].in_mwc for one in wanted):
        raise NothingToCompare(f"{match.source.path}: a money session has no match winning chance; leave it out")
    covered = space.own.completeness(seat, index)
    if not covered["checker"].analysed and not covered["cube"].analysed:
        raise NothingToCompare(f"{match.source.path}: the match is not analysed, so no rules give a figure; analyse it first")
    figures = space.figures()
    shape = tuple(len(names) for names in space.axes.values())
    off = np.zeros(shape)
    for one in wanted:
        gap = np.abs(figures[one.metric] - one.value)
        distance = np.where(np.isnan(gap), np.inf, np.maximum(gap - slack(one), 0) / (one.half or 0.5))
        # A count fits only if it is equal; half a decision off counts like half a digit.
        off = np.maximum(off, distance if one.half else np.where(gap < ROUNDING, 0, 1 + distance))
    fits = off <= 1
    known = tuple(_known(space, wanted))
    search = _Search(space, figures, off, known, tuple(one.metric for one in wanted))
    explanations = tuple(search.explanations(np.argwhere(fits)))
    closest: tuple[Explanation, ...] = ()
    if not explanations:
        nearest = off.min()
        rows = np.argwhere(off <= nearest + ROUNDING) if np.isfinite(nearest) else np.empty((0, len(shape)), int)
        closest = tuple(search.explanations(rows))[:MOST_CLOSEST]
    rules = next((RULE_SETS[tool.rules] for tool in TOOLS.values() if tool.short == program), space.base)
    own = tally(score(match, rules, space.met)).figures(seat, index)
    others = tuple((one, own[one.metric]) for one in given if one.metric not in EXPLORED)
    return Investigation(match, match.players[seat], game, met, wanted, known, explanations, closest, space.size, others, rules.name)


def _game_index(match: Match, game: int | None) -> int | None:
    if game is None:
        return None
    numbers = match.games.number.tolist()
    if game not in numbers:
        raise UnknownName(f"{match.source.path}: no game {game}, expected one of {', '.join(map(str, numbers))}")
    return int(numbers.index(game))


def _known(space: Combinations, wanted: Sequence[Reported]) -> Iterator[KnownRules]:
    for name, rules in RULE_SETS.items():
        figures = tally(score(space.match, rules, space.met)).figures(space.seat, space.game)
        own = {key: figures[key] for key in EXPLORED}
        yield KnownRules(name, all(fits_figure(own[one.metric], one) for one in wanted), own)


@dataclass(frozen=True)
class _Search:
    """All combinations, with the distance of each."""

    space: Combinations
    figures: Mapping[str, Table]
    off: Table
    known: tuple[KnownRules, ...]
    wanted: tuple[str, ...]

    def explanations(self, rows: npt.NDArray[np.intp]) -> Iterator[Explanation]:
        """Explanations of the combinations in `rows`, fewest differences first; those with needless differences are left out."""
        space = self.space
        bases = [RULE_SETS[name].for_match(space.match)[0] for name in sorted(VERIFIED_RULES, key=lambda name: name != space.base.name)]
        candidates = []
        for row in rows.tolist():
            answers = space.answers_at(row)
            for position, base in enumerate(bases):
                changed = frozenset(
                    (code, name) for code, name in answers.items() if base.answers[code] != name and len(space.axes[code]) > 1
                )
                candidates.append((len(changed), position, tuple(row), changed))
        candidates.sort(key=lambda entry: entry[:3])
        minimal: list[tuple[int, frozenset[tuple[str, str]]]] = []
        yielded: set[tuple[int, ...]] = set()
        for _, position, row, changed in candidates:
            if any(position == other and less <= changed for other, less in minimal):
                continue
            minimal.append((position, changed))
            if row in yielded:  # from the other program's rules
                continue
            yielded.add(row)
            yield self._explanation(bases[position], row, changed)
            if len(yielded) == MOST_EXPLANATIONS:
                return

    def _explanation(self, base: RuleSet, row: tuple[int, ...], changed: frozenset[tuple[str, str]]) -> Explanation:
        space = self.space
        own = {key: _at(table, row) for key, table in self.figures.items()}
        rules = base
        for code, name in changed:
            rules = rules.switched(code, name)
        return Explanation(
            nearest=base.name,
            differences=tuple(Difference(code, base.answers[code], name, QUESTIONS[code].title) for code, name in sorted(changed)),
            also=tuple(
                one.name
                for one in self.known
                if (changed or one.name != base.name)
                and all(_same(one.figures[key], own[key]) for key in ("pr", "decisions.counted", *self.wanted))
            ),
            figures={key: own[key] for key in METRICS if key in own},
            decisions=tuple(_turning(space, score(space.match, base, space.met), score(space.match, rules, space.met))),
            off=float(self.off[row]),
        )


def _same(one: float | None, other: float | None) -> bool:
    return one == other if one is None or other is None else abs(one - other) < ROUNDING


def _at(table: Table, row: tuple[int, ...]) -> float | None:
    value = float(table[tuple(i if size > 1 else 0 for i, size in zip(row, table.shape, strict=True))])
    return value if np.isfinite(value) else None


def _turning(space: Combinations, before: Scored, after: Scored) -> Iterator[Turning]:
    """The player's decisions whose count, error or cost differs; those that move PR most come first."""
    match, rows = space.match, max(len(before.error), len(after.error))
    longest = before if len(before.error) == rows else after
    mine = longest.player == space.seat
    if space.game is not None:
        mine &= longest.game == space.game
    counted, error, loss = ([_filled(getattr(one, name), rows) for one in (before, after)] for name in ("counted", "error", "loss"))
    differs = mine & ((counted[0] != counted[1]) | (np.abs(error[0] - error[1]) > ROUNDING) | (np.abs(loss[0] - loss[1]) > SMALLEST_LOSS))
    numbers = [max(int(one[mine].sum()), 1) for one in counted]
    totals = [float(one[mine].sum()) for one in error]
    # Each decision's exact share of the change of the rate.
    weight = (error[1] - error[0]) * (1 / numbers[0] + 1 / numbers[1]) / 2
    weight -= (counted[1] * 1 - counted[0] * 1) * sum(totals) / (2 * numbers[0] * numbers[1])
    chosen = np.flatnonzero(differs)
    for row in chosen[np.argsort(-np.abs(weight[chosen]).round(12), kind="stable")].tolist():
        kind, turn = _kind_and_turn(match, row)
        ids = identifiers_of(match, row)
        yield Turning(
            game=int(match.games.number[longest.game[row]]),
            turn=turn,
            kind=kind.label,
            counted_from=bool(counted[0][row]),
            counted_to=bool(counted[1][row]),
            error_from=float(error[0][row]),
            error_to=float(error[1][row]),
            mwc_from=None if match.is_money else 100 * float(loss[0][row]),
            mwc_to=None if match.is_money else 100 * float(loss[1][row]),
            xgid=ids[0],
            gnubg_id=ids[1],
            row=row,
        )


def _filled(column: npt.NDArray[Any], rows: int) -> npt.NDArray[Any]:
    """A column padded with zeros if the rules leave resignations out."""
    return np.concatenate((column, np.zeros(rows - len(column), column.dtype)))


def _kind_and_turn(match: Match, row: int) -> tuple[Kind, int]:
    plays, cubes = match.plays, match.cubes
    if row < len(plays):
        return Kind.PLAY, int(plays.turn[row])
    row -= len(plays)
    if row < len(cubes):
        return Kind(int(cubes.kind[row])), int(cubes.turn[row])
    row -= len(cubes)
    resigned = match.resignations
    turns = plays.turn[plays.game == resigned.game[row]]
    return Kind(int(resigned.kind[row])), 1 + (int(turns.max()) if len(turns) else 0)
