"""Which rules would have given that number? Every combination of answers is scored over columns, and those that fit are told.

Answers that cannot change a figure of this match are left out first. What remains is not scored combination by combination:
counts and errors of a class depend on a few questions each, so the figures of all combinations are sums of small arrays,
one axis per question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.contributions import identifiers_of
from reconcile.errors import InvalidConfiguration, NothingToCompare, UnknownName
from reconcile.figures import MEMG_FACTOR, PR_FACTOR, tally
from reconcile.match import Kind, Match
from reconcile.met import load_met
from reconcile.metrics import METRICS, metric
from reconcile.pairing import seat_of
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet, own_rules
from reconcile.scoring import DecisionClass, Scored, score

Table = npt.NDArray[np.float64]

TOOLS: Final = ("xg", "gnubg")
"""Rule sets verified against the tool itself: explanations start from these."""
MOST_EXPLANATIONS: Final = 20
MOST_COMBINATIONS: Final = 2_000_000
ROUNDING: Final = 1e-9
UNEXPLORED: Final = ("Q08", "Q11", "Q12")
"""Q08 and Q12 name and grade; another table (Q11) is tried by naming it."""
EXPLORED: Final = (
    "pr",
    "checker_pr",
    "cube_pr",
    "error_rate_memg",
    "snowie_er",
    "snowie_memg",
    *(f"decisions.{key}" for key in ("counted", "checker", "double", "take")),
    *(f"equity_error.{key}" for key in ("total", "checker", "double", "take")),
    *(f"mwc_loss_percent.{key}" for key in ("total", "checker", "double", "take")),
)
"""Figures that depend on answers."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A figure somebody saw, and how exactly its digits fix it."""

    metric: str
    text: str
    value: float
    half: float
    """Half of the last printed digit; 0 for a count."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One question answered otherwise than by the nearest rule set."""

    question: str
    answer_from: str
    answer_to: str
    title: str


@dataclass(frozen=True, slots=True)
class Turning:
    """A decision on which an explanation turns."""

    game: int
    turn: int
    kind: str
    counted_from: bool
    counted_to: bool
    error_from: float
    error_to: float
    xgid: str
    gnubg_id: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Rules that give the reported figures."""

    nearest: str
    differences: tuple[Difference, ...]
    also: tuple[str, ...]
    """Known rule sets that give the same reported figures with these answers."""
    figures: Mapping[str, float | None]
    decisions: tuple[Turning, ...]
    off: float = 0.0
    """How far the worst figure is off, in halves of its last digit; up to 1 it fits."""


@dataclass(frozen=True, slots=True)
class Investigation:
    """What rules give the reported figures, or come closest."""

    match: Match
    player: str
    game: int | None
    reported: tuple[Reported, ...]
    known: tuple[tuple[str, bool, Mapping[str, float | None]], ...]
    """Every known rule set: name, whether it gives all reported figures, and its own figures."""
    explanations: tuple[Explanation, ...]
    closest: tuple[Explanation, ...]
    """The nearest misses, where nothing fits."""
    tried: int
    """Combinations of answers scored."""


def read_reported(figures: Mapping[str, str | float]) -> tuple[Reported, ...]:
    """Figures as printed (`"9.23"`, with a decimal comma if need be). Raises `InvalidConfiguration`, `UnknownName`."""
    found = []
    for name, value in figures.items():
        known = metric(name)
        if known.name not in EXPLORED:
            raise UnknownName(f"{name}: does not depend on a rule; give one of {', '.join(EXPLORED)}")
        text = str(value).strip().replace("\N{MINUS SIGN}", "-").replace(",", ".").rstrip("%").strip()
        try:
            number = Decimal(text)
            if not number.is_finite() or abs(number) > 10**9:
                raise InvalidOperation
        except InvalidOperation:
            raise InvalidConfiguration(
                f"{name}: expected a number as the tool prints it, found {str(value)!r}; write e.g. pr=9.23"
            ) from None
        exponent = number.as_tuple().exponent
        digits = -exponent if isinstance(exponent, int) and exponent < 0 else 0
        half = 0.0 if known.decimals == 0 else 0.5 * 10.0**-digits
        found.append(Reported(known.name, text, abs(float(number)), half))
    if not found:
        raise InvalidConfiguration("expected at least one reported figure, found none; give e.g. --reported pr=9.23")
    return tuple(found)


class _Space:
    """All combinations of answers of one match, one player, as arrays with one axis per question."""

    def __init__(self, match: Match, met: str | None, seat: int, game: int | None) -> None:
        self.match, self.seat, self.game = match, seat, game
        self.base = own_rules(match)
        self.met = load_met(met or self.base.value("Q11"))
        self.axes = {code: self._answers(code) for code in QUESTIONS if code not in UNEXPLORED}
        self.size = int(np.prod([len(names) for names in self.axes.values()]))
        if self.size > MOST_COMBINATIONS:
            raise NothingToCompare(f"{match.source.path}: {self.size} combinations of answers are too many")
        self._scored: dict[tuple[tuple[str, str], ...], Scored] = {}

    def _answers(self, code: str) -> tuple[str, ...]:
        """The answers worth trying: all that the file can bear and that can matter, the tool's own first."""
        own = self.base.for_match(self.match)[0].answers[code]
        if not self._can_matter(code):
            return (own,)
        bearable = (name for name, answer in QUESTIONS[code].answers.items() if not answer.fallback or answer.applies(self.match))
        return (own, *(name for name in bearable if name != own))

    def _can_matter(self, code: str) -> bool:
        match, cubes = self.match, self.match.cubes
        if code == "Q05":
            return not bool(match.plays.analysed.all() and cubes.analysed[cubes.expected].all())
        if code == "Q07":
            return bool((match.resignations.stored_error > 0).any())
        if code == "Q09":
            return match.length == 1
        if code == "Q10":
            return not match.is_money and bool((cubes.kind >= Kind.TAKE).any())
        if code == "Q14":
            return bool((cubes.answers_beaver | (cubes.access != cubes.recount_access)).any())
        return True

    def scored(self, **answers: str) -> Scored:
        """The match under the tool's own rules with some answers changed."""
        key = tuple(sorted(answers.items()))
        if key not in self._scored:
            rules = self.base.for_match(self.match)[0]
            for code, name in answers.items():
                rules = rules.switched(code, name)
            self._scored[key] = score(self.match, rules, self.met)
        return self._scored[key]

    def _mine(self, scored: Scored, which: DecisionClass) -> npt.NDArray[np.bool_]:
        mine = (scored.player == self.seat) & (scored.decision_class == which)
        chosen: npt.NDArray[np.bool_] = mine if self.game is None else mine & (scored.game == self.game)
        return chosen

    def _grid(self, codes: Sequence[str], which: DecisionClass, column: str) -> Table:
        """Sums of a column over a class for all answers to some questions, shaped to broadcast with every other grid."""
        shape = [len(self.axes[code]) for code in codes]
        values = np.empty(shape)
        for index in np.ndindex(*shape):
            scored = self.scored(**{code: self.axes[code][i] for code, i in zip(codes, index, strict=True)})
            values[index] = getattr(scored, column)[self._mine(scored, which)].sum(dtype=np.float64)
        full = [len(self.axes[code]) if code in codes else 1 for code in self.axes]
        order = [code for code in self.axes if code in codes]
        return values.transpose([codes.index(code) for code in order]).reshape(full)

    def figures(self) -> dict[str, Table]:
        """Every figure for all combinations, as arrays that broadcast over the axes."""
        checker, double, take, resignation = DecisionClass
        counts = {
            "checker": self._grid(("Q01", "Q05"), checker, "counted"),
            "double": self._grid(("Q02", "Q03", "Q04", "Q05", "Q14"), double, "counted"),
            "take": self._grid(("Q05", "Q14"), take, "counted"),
        }
        found: dict[str, Table] = {f"decisions.{name}": table for name, table in counts.items()}
        found["decisions.counted"] = counts["checker"] + counts["double"] + counts["take"]
        for group, column in (("equity_error", "error"), ("mwc_loss_percent", "loss")):
            factor = 1.0 if column == "error" else 100.0
            parts = {
                "checker": factor * self._grid(("Q06",), checker, column),
                "double": factor * self._grid(("Q06", "Q14"), double, column),
                "take": factor * self._grid(("Q06", "Q10", "Q14"), take, column),
            }
            total = parts["checker"] + parts["double"] + parts["take"] + factor * self._grid(("Q07",), resignation, column)
            found.update({f"{group}.{name}": table for name, table in parts.items()})
            found[f"{group}.total"] = total
        scale = self._constants("Q09")
        cap = self._constants("Q13")
        total = found["equity_error.total"]
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = total / found["decisions.counted"]
            found["pr"] = np.minimum(PR_FACTOR * scale * rate, np.where(np.isnan(cap), np.inf, cap))
            found["error_rate_memg"] = MEMG_FACTOR * scale * rate
            found["checker_pr"] = PR_FACTOR * scale * found["equity_error.checker"] / counts["checker"]
            cube = found["equity_error.double"] + found["equity_error.take"]
            found["cube_pr"] = PR_FACTOR * scale * cube / (counts["double"] + counts["take"])
            moves = self._moves()
            found["snowie_er"] = PR_FACTOR * total / moves
            found["snowie_memg"] = MEMG_FACTOR * total / moves
        return found

    def _constants(self, code: str) -> Table:
        values = [QUESTIONS[code].answers[name].value for name in self.axes[code]]
        if code == "Q09" and self.match.length != 1:
            values = [1.0]
        numbers = np.array([np.nan if value is None else value for value in values], float)
        return numbers.reshape([len(numbers) if axis == code else 1 for axis in self.axes])

    def _moves(self) -> float:
        total = tally(self.scored()).moves[0]
        return float(total.sum() if self.game is None else total[self.game].sum())

    def answers_at(self, index: Sequence[int]) -> dict[str, str]:
        """The answers of a combination."""
        return {code: self.axes[code][i] for code, i in zip(self.axes, index, strict=True)}


def investigate(
    match: Match, player: str, reported: Mapping[str, str | float], *, met: str | None = None, game: int | None = None
) -> Investigation:
    """Find the rules that give the figures somebody saw for a player, for the match or one game (its number).

    Raises `UnknownName`, `InvalidConfiguration`, `NothingToCompare` when the file is not analysed.
    """
    seat = seat_of(match, player)
    wanted = read_reported(reported)
    index = _game_index(match, game)
    space = _Space(match, met, seat, index)
    if match.is_money and any(one.metric.startswith("mwc") for one in wanted):
        raise NothingToCompare(f"{match.source.path}: a money session has no match winning chances to report")
    covered = tally(space.scored()).completeness(seat, index)
    if not covered["checker"].analysed and not covered["cube"].analysed:
        raise NothingToCompare(f"{match.source.path}: the match is not analysed, so no rules give a figure; analyse it first")
    figures = space.figures()
    shape = tuple(len(names) for names in space.axes.values())
    off = np.zeros(shape)
    for one in wanted:
        with np.errstate(invalid="ignore"):
            gap = np.abs(figures[one.metric] - one.value)
        distance = np.where(np.isnan(gap), np.inf, np.maximum(gap - ROUNDING, 0) / (one.half or 0.5))
        # A count fits only when it is equal; half of a decision apart is as far off as a digit.
        off = np.maximum(off, distance if one.half else np.where(gap < ROUNDING, 0, 1 + distance))
    fits = off <= 1
    known = tuple(_known(space, wanted))
    explanations = tuple(_explanations(space, figures, np.argwhere(fits), off, known))
    closest: tuple[Explanation, ...] = ()
    if not explanations:
        best = np.argsort(off, axis=None, kind="stable")[:MOST_COMBINATIONS]
        nearest = off.ravel()[best[0]]
        rows = np.argwhere(off <= nearest + ROUNDING) if np.isfinite(nearest) else np.empty((0, len(shape)), int)
        closest = tuple(_explanations(space, figures, rows, off, known))[:3]
    return Investigation(match, match.players[seat], game, wanted, known, explanations, closest, space.size)


def _game_index(match: Match, game: int | None) -> int | None:
    if game is None:
        return None
    numbers = match.games.number.tolist()
    if game not in numbers:
        raise UnknownName(f"{match.source.path}: no game {game}; there are {', '.join(map(str, numbers))}")
    return int(numbers.index(game))


def _known(space: _Space, wanted: Sequence[Reported]) -> Iterator[tuple[str, bool, Mapping[str, float | None]]]:
    for name, rules in RULE_SETS.items():
        figures = tally(score(space.match, rules, space.met)).figures(space.seat, space.game)
        own = {key: figures[key] for key in EXPLORED}
        yield name, all(_fits(own[one.metric], one) for one in wanted), own


def _fits(value: float | None, one: Reported) -> bool:
    return value is not None and abs(value - one.value) <= one.half + ROUNDING


def _explanations(
    space: _Space, figures: Mapping[str, Table], rows: Any, off: Table, known: Sequence[tuple[str, bool, Mapping[str, float | None]]]
) -> Iterator[Explanation]:
    """Explanations of the combinations in `rows`, fewest differences first; one that adds needless differences is left out."""
    bases = [RULE_SETS[name].for_match(space.match)[0] for name in sorted(TOOLS, key=lambda name: name != space.base.name)]
    candidates = []
    for row in rows.tolist():
        answers = space.answers_at(row)
        for position, base in enumerate(bases):
            changed = frozenset((code, name) for code, name in answers.items() if base.answers[code] != name and len(space.axes[code]) > 1)
            candidates.append((len(changed), position, tuple(row), changed))
    candidates.sort(key=lambda entry: entry[:3])
    told: list[tuple[int, frozenset[tuple[str, str]]]] = []
    seen: set[tuple[int, ...]] = set()
    for _, position, row, changed in candidates:
        if row in seen or any(position == other and less <= changed for other, less in told):
            continue
        seen.add(row)
        told.append((position, changed))
        yield _explanation(space, figures, bases[position], row, changed, float(off[row]), known)
        if len(told) == MOST_EXPLANATIONS:
            return


def _explanation(
    space: _Space,
    figures: Mapping[str, Table],
    base: RuleSet,
    row: tuple[int, ...],
    changed: frozenset[tuple[str, str]],
    off: float,
    known: Sequence[tuple[str, bool, Mapping[str, float | None]]],
) -> Explanation:
    own = {key: _at(table, row) for key, table in figures.items()}
    differences = tuple(
        Difference(code, base.answers[code], name, QUESTIONS[code].title) for code, name in sorted(changed, key=lambda pair: pair[0])
    )
    rules = base
    for code, name in changed:
        rules = rules.switched(code, name)
    same = tuple(
        name
        for name, _, theirs in known
        if all(
            theirs[key] is not None and own[key] is not None and abs((theirs[key] or 0) - (own[key] or 0)) < 1e-9
            for key in ("pr", "decisions.counted")
        )
    )
    return Explanation(
        nearest=base.name,
        differences=differences,
        also=same,
        figures={key: own[key] for key in METRICS if key in own},
        decisions=tuple(_turning(space, score(space.match, base, space.met), score(space.match, rules, space.met))),
        off=off,
    )


def _at(table: Table, row: tuple[int, ...]) -> float | None:
    value = float(table[tuple(i if size > 1 else 0 for i, size in zip(row, table.shape, strict=True))])
    return value if np.isfinite(value) else None


def _turning(space: _Space, before: Scored, after: Scored) -> Iterator[Turning]:
    """Decisions of the player that count or err differently."""
    rows = min(len(before.error), len(after.error))
    differs = (before.counted[:rows] != after.counted[:rows]) | (np.abs(before.error[:rows] - after.error[:rows]) > ROUNDING)
    differs &= before.player[:rows] == space.seat
    if space.game is not None:
        differs &= before.game[:rows] == space.game
    match = space.match
    plays, cubes = len(match.plays), len(match.cubes)
    for row in np.flatnonzero(differs[: plays + cubes]).tolist():
        table: Any = match.plays if row < plays else match.cubes
        index = row if row < plays else row - plays
        ids = identifiers_of(match, row)
        yield Turning(
            game=int(match.games.number[table.game[index]]),
            turn=int(table.turn[index]),
            kind=Kind.PLAY.label if row < plays else Kind(int(match.cubes.kind[index])).label,
            counted_from=bool(before.counted[row]),
            counted_to=bool(after.counted[row]),
            error_from=float(before.error[row]),
            error_to=float(after.error[row]),
            xgid=ids[0],
            gnubg_id=ids[1],
        )
