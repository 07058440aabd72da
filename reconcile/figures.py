"""Figures of a match under a rule set: per player, for the match and for every game.

Sums are kept per game, player and class in double precision; a figure of the match is made from sums over games, never from
rates. An unknown figure is `None`. (gnuBG's own single-precision sums, to the last bit, are in `reconcile.gnubg_table`.)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.equity import cost
from reconcile.match import UNKNOWN_COUNT, Bools, Floats, Ints, Match, Plays, Validity
from reconcile.met import Met, load_met
from reconcile.rules.rulesets import RuleSet, own_rules, rule_set
from reconcile.scoring import DecisionClass, Scored, score

PR_FACTOR: Final = 500.0
"""XG's convention; gnuBG's rate has 1000 (milli-EMG)."""
MEMG_FACTOR: Final = 1000.0
CLASSES: Final = {"checker": DecisionClass.CHECKER, "double": DecisionClass.DOUBLE, "take": DecisionClass.TAKE}


class Coverage(NamedTuple):
    """How many decisions a full analysis evaluates, and how many this one did."""

    expected: int
    analysed: int

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return self.analysed >= self.expected


@dataclass(frozen=True)
class Statistics:
    """Every figure of one match under one rule set."""

    scored: Scored
    counted: npt.NDArray[np.int64]
    """Counted decisions, shape (games, 2 seats, 4 classes)."""
    error: Floats
    """Equity lost (EMG), same shape."""
    loss: Floats
    """Match winning chance lost (0 to 1), points in money play; same shape."""

    @property
    def match(self) -> Match:
        """The match that was scored."""
        return self.scored.match

    @property
    def rules(self) -> RuleSet:
        """The rules as the file could bear them."""
        return self.scored.rules

    @cached_property
    def moves(self) -> tuple[Ints, Ints]:
        """Moves and unforced moves, each of shape (games, 2)."""
        rolled = self._rolled
        return self._plays_where(rolled), self._plays_where(rolled & (legal_plays(self.match.plays) > 1))

    @cached_property
    def luck(self) -> tuple[Floats, Floats, Ints]:
        """Luck in EMG, in match winning chance (points in money play), and the number of rolls with luck known; (games, 2)."""
        plays = self.match.plays
        luck = plays.luck
        known = luck == luck
        value = np.where(known, luck, luck.dtype.type(0))
        gained = roll_gains(self.scored, value)
        key, size = self._play_key, 2 * len(self.match.games)
        shape = (-1, 2)
        return _sums(key, value, size).reshape(shape), _sums(key, gained, size).reshape(shape), self._plays_where(known & self._rolled)

    @cached_property
    def coverage(self) -> dict[str, tuple[Ints, Ints]]:
        """Expected and analysed decisions by part (`checker`, `cube`, `luck`), each of shape (games, 2)."""
        plays, cubes = self.match.plays, self.match.cubes
        valid = plays.validity == Validity.VALID.value
        key = cubes.game * 2 + cubes.player
        return {
            "checker": (self._plays_where(valid), self._plays_where(valid & plays.analysed)),
            "cube": (self._count(key[cubes.expected]), self._count(key[cubes.expected & cubes.analysed])),
            "luck": (self.moves[0], self.luck[2]),
        }

    @cached_property
    def _rolled(self) -> Bools:
        rolled: Bools = self.match.plays.validity != Validity.UNPLAYED.value
        return rolled

    @cached_property
    def _play_key(self) -> Ints:
        key: Ints = self.match.plays.game * 2 + self.match.plays.player
        return key

    def _plays_where(self, chosen: Bools) -> npt.NDArray[np.int64]:
        return self._count(self._play_key[chosen])

    def _count(self, keys: Ints) -> npt.NDArray[np.int64]:
        return np.bincount(keys, minlength=2 * len(self.match.games)).reshape(-1, 2)

    def _totals(self, game: int | None) -> dict[str, list[Any]]:
        """Sums of every table over the match or one game, a list with an entry (or a list of classes) per seat."""
        if game not in self._added:
            which = slice(None) if game is None else slice(game, game + 1)
            tables = {"counted": self.counted, "error": self.error, "loss": self.loss}
            tables |= dict(zip(("moves", "unforced", "luck", "chance", "rolls"), (*self.moves, *self.luck), strict=True))
            for part, (expected, analysed) in self.coverage.items():
                tables |= {f"{part} expected": expected, f"{part} analysed": analysed}
            self._added[game] = {name: table[which].sum(axis=0).tolist() for name, table in tables.items()}
        return self._added[game]

    @cached_property
    def _added(self) -> dict[int | None, dict[str, list[Any]]]:
        return {}

    def completeness(self, seat: int, game: int | None = None) -> dict[str, Coverage]:
        """Coverage of a player's analysis by part, for the match or one game (index from 0)."""
        totals = self._totals(game)
        return {part: Coverage(totals[f"{part} expected"][seat], totals[f"{part} analysed"][seat]) for part in self.coverage}

    def figures(self, seat: int, game: int | None = None) -> dict[str, float | int | None]:
        """All metrics of a player, for the match or one game (index from 0); unknown ones are `None`."""
        totals = self._totals(game)
        covered = self.completeness(seat, game)
        counted, errors, losses = totals["counted"][seat], totals["error"][seat], totals["loss"][seat]
        known = {part: seen.analysed > 0 or seen.expected == 0 for part, seen in covered.items()}
        has = {"checker": known["checker"], "double": known["cube"], "take": known["cube"]}
        any_known = covered["checker"].analysed + covered["cube"].analysed > 0
        figures: dict[str, float | int | None] = {}
        by_class = {name: counted[code] for name, code in CLASSES.items()}
        decisions = sum(by_class.values())
        total = sum(errors) if any_known else None
        moves, unforced, both = totals["moves"][seat], totals["unforced"][seat], sum(totals["moves"])
        scale: float = self.rules.value("Q09") if self.match.length == 1 else 1.0
        cap: float | None = self.rules.value("Q13")
        pr = _rate(PR_FACTOR * scale, total, decisions)
        cube = errors[DecisionClass.DOUBLE] + errors[DecisionClass.TAKE]
        figures["pr"] = pr if pr is None or cap is None else min(pr, cap)
        figures["checker_pr"] = _rate(PR_FACTOR * scale, errors[DecisionClass.CHECKER], by_class["checker"])
        figures["cube_pr"] = _rate(PR_FACTOR * scale, cube, by_class["double"] + by_class["take"])
        figures["error_rate_memg"] = _rate(MEMG_FACTOR * scale, total, decisions)
        figures["snowie_er"] = _rate(PR_FACTOR, total, both)
        figures["snowie_memg"] = _rate(MEMG_FACTOR, total, both)
        figures["decisions.counted"] = decisions
        figures.update({f"decisions.{name}": number for name, number in by_class.items()})
        figures |= {"moves.total": moves, "moves.unforced": unforced, "moves.forced": moves - unforced}
        figures["equity_error.total"] = total
        figures.update({f"equity_error.{name}": errors[code] if has[name] else None for name, code in CLASSES.items()})
        in_match = not self.match.is_money
        figures["mwc_loss_percent.total"] = 100 * sum(losses) if any_known and in_match else None
        figures.update(
            {f"mwc_loss_percent.{name}": 100 * losses[code] if has[name] and in_match else None for name, code in CLASSES.items()}
        )
        rolls = totals["rolls"][seat]
        figures["luck.equity"] = totals["luck"][seat] if rolls else None
        figures["luck.mwc_percent"] = 100 * totals["chance"][seat] if rolls and in_match else None
        return figures


def _rate(factor: float, total: float | None, number: int) -> float | None:
    return factor * total / number if number and total is not None else None


def _sums(key: Ints, values: Floats, size: int) -> Floats:
    """Sum of `values` by `key` in double precision; floats also where there is not one value."""
    return np.bincount(key, values, size).astype(np.float64, copy=False)


def roll_gains(scored: Scored, luck: Floats) -> Floats:
    """What each roll gained in match winning chance (0 to 1), points in money play."""
    plays = scored.match.plays
    win, lose = scored.stakes.of(plays.game, plays.player, plays.cube)
    return cost(luck, win, lose)


def legal_plays(plays: Plays) -> Ints:
    """Number of different results of every roll, completed from the rules of the game where the file does not tell it.

    Only 0, 1 and "more than 1" are exact.
    """
    legal = plays.legal
    unknown = np.flatnonzero((legal == UNKNOWN_COUNT) & (plays.validity != Validity.UNPLAYED.value))
    if not len(unknown):
        return legal
    from reconcile.play import count_legal_plays

    legal = legal.copy()
    for row in unknown.tolist():
        first, second = plays.dice[row].tolist()
        legal[row] = count_legal_plays(plays.position[row].tolist(), first, second, stop_after=2)
    return legal


def statistics(match: Match, rules: str | RuleSet | None = None, met: str | Met | None = None) -> Statistics:
    """Score a match and add it up.

    `rules` is the name of a rule set, by default that of the tool that wrote the file; `met` a match equity table, its name
    or the path of a gnuBG table file, by default the rule set's. Raises `UnknownName`, `UnreadableFile`.
    """
    chosen = own_rules(match) if rules is None else rule_set(rules) if isinstance(rules, str) else rules
    return tally(score(match, chosen, met if isinstance(met, Met) else load_met(met or chosen.value("Q11"))))


def tally(scored: Scored) -> Statistics:
    """Add scored decisions up."""
    games = len(scored.match.games)
    key = (scored.game * 2 + scored.player) * len(DecisionClass) + scored.decision_class
    size = games * 2 * len(DecisionClass)
    shape = (games, 2, len(DecisionClass))
    return Statistics(
        scored=scored,
        counted=np.bincount(key[scored.counted], minlength=size).reshape(shape),
        error=_sums(key, scored.error, size).reshape(shape),
        loss=_sums(key, scored.loss, size).reshape(shape),
    )


def nested(figures: dict[str, Any]) -> dict[str, Any]:
    """Figures by dotted name as the nested object of the JSON contract."""
    tree: dict[str, Any] = {}
    for name, value in figures.items():
        group, _, key = name.partition(".")
        if key:
            tree.setdefault(group, {})[key] = value
        else:
            tree[group] = value
    return tree
