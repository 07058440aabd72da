"""gnuBG's whole statistics table, under gnuBG's own names, as its Python interface prints it.

Errors and luck are added in the order and precision of gnuBG (float32 per game, then the games), so that counters and sums
are equal to its own. Zeros stand where gnuBG shows zeros, also where nothing was analysed.

Source: gnuBG 1.07.001 `updateStatcontext`, `AddStatcontext`, `formatgs.c`; checked against `gnubg.match(statistics=1)`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from reconcile.equity import chance_at_score
from reconcile.figures import Statistics, roll_gains
from reconcile.match import NO_MARK, Floats, Ints, Kind, Validity

LUCKY, VERY_LUCKY = 0.3, 0.6
"""gnuBG's `arLuckLevel` (EMG), for files that carry luck but no marks."""
MARKS: Final = ("verybad", "bad", "unmarked", "good", "verygood")
CUBE_ERRORS: Final = (
    "missed-double-below-cp",
    "missed-double-above-cp",
    "wrong-double-below-dp",
    "wrong-double-above-tg",
    "wrong-take",
    "wrong-drop",
)
PLAY: Final = len(CUBE_ERRORS)
"""Category of checker errors, behind those of the cube."""
FIBS_BASE: Final = 2050.0
CONFIDENCE: Final = 1.95996
"""Normal quantile of gnuBG's 95 % intervals."""

RATINGS: Final = (
    (0.002, "Supernatural"),
    (0.005, "World class"),
    (0.008, "Expert"),
    (0.012, "Advanced"),
    (0.018, "Intermediate"),
    (0.026, "Casual player"),
    (0.035, "Beginner"),
)
"""gnuBG's rating words by equity lost (EMG) per decision, strictly below."""
MANUAL: Final = ("actual_result_percent", "luck_adjusted_result_percent", "mwc_against_current_opponent_percent")
"""Results as the manual defines them: 50 % is even."""
BEYOND: Final = "Awful!"
"""Its word beyond the last border."""


@dataclass(frozen=True, slots=True)
class ResultPage:
    """What a figure about luck and results means."""

    title: str
    page: str


RESULTS: Final[Mapping[str, ResultPage]] = MappingProxyType(
    {
        "actual-result": ResultPage(
            "Actual result",
            "What the games brought in match winning chance, added up; points in money play. gnuBG 1.07 gives it as a difference, so a "
            "match won is +0.5; its manual adds 50 %, so a match won is 100 %. The loser's result is the winner's with the other sign.",
        ),
        "luck-adjusted-result": ResultPage(
            "Luck-adjusted result",
            "The actual result less the player's own luck, plus the opponent's: what would have come out had the dice been fair. It is "
            "an unbiased measure of the players' strength (variance reduction), but a single match leaves much of the noise, and luck "
            "is computed at 0 plies unless gnuBG is told otherwise. Source: D. Zare, Hedging Toward Skill.",
        ),
        "mwc-against-current-opponent": ResultPage(
            "MWC against current opponent",
            "50 % less the match winning chance that the player's errors cost, plus what the opponent's errors cost, cut to 0 and "
            "100 %. In match play only, under rule set `gnubg-manual`: gnuBG's manual describes it, gnuBG 1.07 no longer prints it. It "
            "leans towards the program that analysed: a player who thinks like it seems to make no errors.",
        ),
        "fibs-rating-difference": ResultPage(
            "Luck-based FIBS rating difference",
            "The difference in FIBS rating that makes the luck-adjusted result the expected one: with r = 0.5 + result and n the match "
            "length, -2000 / sqrt(n) * log10(1 / r - 1), at least -2100; unknown where r is not between 0 and 1.",
        ),
        "error-based-fibs-rating": ResultPage(
            "Error-based FIBS rating",
            "gnuBG's estimate from the error rates (EMG per decision) and the match length n: 2050 less the rate of checker plays times "
            "(8798 + 25526 / n), less the rate of cube decisions times (863 - 519 / n). Both losses stand beside the total.",
        ),
        "ppg-advantage": ResultPage(
            "Points per game",
            "In a money session of several games: the mean of the actual and of the luck-adjusted results, each with the half width of "
            "gnuBG's 95 % interval, 1.95996 * sqrt(variance / games).",
        ),
    }
)
"""Figures about luck and results, by their names in gnuBG's table and in its manual."""


def manual_results(statistics: Statistics, seat: int, game: int | None = None) -> dict[str, float | None]:
    """The results as gnuBG's manual defines them, in percent, of a player for the match or one game (index from 0).

    Unknown ones are `None`: all of them in money play, what rests on luck or errors where these are unknown. Source: gnuBG's manual,
    "Overall rating".
    """
    results: dict[str, float | None] = dict.fromkeys(MANUAL)
    if statistics.match.is_money:
        return results
    table = GnubgTable(statistics)
    which = slice(None) if game is None else slice(game, game + 1)
    results["actual_result_percent"] = 50 + 100 * float(table.actual[which, seat].sum())
    if all(statistics.completeness(each, game)["luck"].complete for each in (0, 1)):
        results["luck_adjusted_result_percent"] = 50 + 100 * float(table.adjusted[which, seat].sum())
    lost = [statistics.figures(each, game)["mwc_loss_percent.total"] for each in (seat, 1 - seat)]
    if lost[0] is not None and lost[1] is not None:
        results["mwc_against_current_opponent_percent"] = min(max(50 - lost[0] + lost[1], 0.0), 100.0)
    return results


def rating(per_decision: float | None) -> str | None:
    """gnuBG's word for an error rate (EMG per decision); `None` without a rate."""
    if per_decision is None:
        return None
    return next((word for border, word in RATINGS if per_decision < border), BEYOND)


class GnubgTable:
    """gnuBG's counters and sums of a scored match, per game and seat."""

    def __init__(self, statistics: Statistics) -> None:
        scored = statistics.scored
        self.statistics, self.scored = statistics, scored
        self.match = match = scored.match
        self.games = len(match.games)
        self.key = 2 * scored.game + scored.player
        plays, cubes = match.plays, match.cubes
        self.play_rows = slice(0, len(plays))
        self.cube_rows = slice(len(plays), len(plays) + len(cubes))
        self._count_plays()
        self._count_cubes()
        self._add_errors()
        self._add_luck()

    def _count(self, key: Ints, chosen: Any) -> Ints:
        return np.bincount(key[chosen], minlength=2 * self.games).reshape(self.games, 2)

    def _count_plays(self) -> None:
        plays, scored = self.match.plays, self.scored
        key = self.key[self.play_rows]
        error = scored.error[self.play_rows]
        rolled = plays.validity != Validity.UNPLAYED.value
        limits = scored.rules.value("Q12")
        doubtful = limits.error if limits.doubtful is None else limits.doubtful
        self.total_moves = self._count(key, rolled)
        self.unforced = self._count(key, scored.counted[self.play_rows])
        very_bad, bad = error > np.float32(limits.blunder), error > np.float32(limits.error)
        uncertain = error > np.float32(doubtful)
        self.marked = {
            "very bad": self._count(key, rolled & very_bad),
            "bad": self._count(key, rolled & bad & ~very_bad),
            "doubtful": self._count(key, rolled & uncertain & ~bad),
            "unmarked": self._count(key, rolled & ~uncertain),
        }

    def _count_cubes(self) -> None:
        cubes, scored, view = self.match.cubes, self.scored, self.scored.view
        key = self.key[self.cube_rows]
        kind = cubes.kind
        counted = scored.counted[self.cube_rows]
        analysed = cubes.analysed & (counted | (kind == Kind.NO_DOUBLE))
        self.total_cube = self._count(key, analysed)
        self.close = self._count(key, counted)
        self.kinds = {
            "n-doubles": self._count(key, analysed & (kind == Kind.DOUBLE)),
            "n-takes": self._count(key, analysed & (kind == Kind.TAKE)),
            "n-drops": self._count(key, analysed & (kind == Kind.PASS)),
        }
        above_cash = view.double_take > 1
        too_good = view.no_double > 1
        self.category = np.select(
            [kind == Kind.NO_DOUBLE, kind == Kind.DOUBLE, kind == Kind.TAKE, kind == Kind.PASS],
            [above_cash * 1, 2 + too_good, 4, 5],
            4,
        )
        wrong = scored.error[self.cube_rows] > 0
        self.wrong = [self._count(key, wrong & (self.category == index)) for index in range(len(CUBE_ERRORS))]

    def _add_errors(self) -> None:
        scored = self.scored
        rows = slice(0, self.cube_rows.stop)
        category = np.concatenate((np.full(self.play_rows.stop, PLAY), self.category))
        key = self.key[rows] * (PLAY + 1) + category
        shape = (self.games, 2, PLAY + 1)
        size = self.games * 2 * (PLAY + 1)
        error = scored.error[rows].copy()
        error[self.play_rows][~scored.counted[self.play_rows]] = 0
        self.errors = grouped_sum(key, error, size).reshape(shape)
        loss = np.where(error == 0, error.dtype.type(0), scored.loss[rows])
        self.losses = grouped_sum(key, loss, size).reshape(shape)

    def _add_luck(self) -> None:
        plays = self.match.plays
        luck, mark = plays.luck, plays.luck_mark
        known = (luck == luck) & (plays.validity != Validity.UNPLAYED.value)
        if (mark == NO_MARK).all():
            amount = np.where(known, np.abs(luck), 0)
            mark = np.sign(np.where(known, luck, 0)).astype(int) * ((amount > LUCKY).astype(int) + (amount > VERY_LUCKY))
        key = self.key[self.play_rows]
        self.rolls = [self._count(key, known & (mark == index - 2)) for index in range(len(MARKS))]
        luck = np.where(known, luck, luck.dtype.type(0))
        gained = roll_gains(self.scored, luck)
        size = 2 * self.games
        self.luck = grouped_sum(key, luck, size).reshape(-1, 2)
        self.luck_loss = grouped_sum(key, gained, size).reshape(-1, 2)
        self.actual = self._actual_results()
        # Every roll moves the luck-adjusted result of both players, in the order of the rolls, from the actual result on.
        rows = np.flatnonzero(known)
        keys = np.column_stack((key[rows], key[rows] ^ 1)).ravel()
        changes = np.column_stack((-gained[rows], gained[rows])).ravel()
        adjusted = self.actual.ravel().astype(gained.dtype)
        np.add.at(adjusted, keys, changes)
        self.adjusted = adjusted.reshape(-1, 2)

    def _actual_results(self) -> Floats:
        """What each game brought in match winning chance (points in money play), shape (games, 2); 0 where unfinished."""
        match, scored = self.match, self.scored
        games = match.games
        over = games.winner >= 0
        first = np.where(games.winner == 0, 1, -1) * over
        if match.is_money:
            won = (first * games.points).astype(np.float32)
        else:
            before = chance_at_score(match, scored.met)
            away0 = match.away[:, 0] - games.points * (games.winner == 0)
            away1 = match.away[:, 1] - games.points * (games.winner == 1)
            post = games.crawford | (match.away[:, 0] == 1) | (match.away[:, 1] == 1)
            after = scored.met.chance(away0, away1, post)
            won = np.where(over, after - before, np.float32(0))
        return np.column_stack((won, -won))

    def table(self, seat: int, game: int | None = None) -> dict[str, Any]:
        """The table of a player for the match or one game, as `gnubg.match(statistics=1)` nests it."""
        which = slice(None) if game is None else slice(game, game + 1)

        def number(counts: Ints) -> int:
            return int(counts[which, seat].sum())

        def total(sums: Floats) -> float:
            return float(sums[which, seat].sum(axis=0))

        errors, losses = self.errors[which, seat].sum(axis=0), self.losses[which, seat].sum(axis=0)
        close = number(self.close)
        cube: dict[str, Any] = {"total-cube": number(self.total_cube), "close-cube": close}
        cube.update({name: number(counts) for name, counts in self.kinds.items()})
        cube.update({name: number(self.wrong[index]) for index, name in enumerate(CUBE_ERRORS)})
        for index, name in enumerate(CUBE_ERRORS):
            cube[f"err-{name}-skill"], cube[f"err-{name}-cost"] = float(errors[index]), float(losses[index])
        cube["error-skill"] = float(errors[:PLAY].sum()) / close if close else 0.0
        cube["error-cost"] = float(losses[:PLAY].sum()) / close if close else 0.0
        unforced = number(self.unforced)
        moves = {
            "unforced-moves": unforced,
            "total-moves": number(self.total_moves),
            "error-skill": float(errors[PLAY]),
            "error-cost": float(losses[PLAY]),
            "marked": {name: number(counts) for name, counts in self.marked.items()},
        }
        dice = {
            "luck": total(self.luck),
            "luck-cost": total(self.luck_loss),
            "actual-result": total(self.actual),
            "luck-adjusted-result": total(self.adjusted),
            "marked-rolls": {name: number(counts) for name, counts in zip(MARKS, self.rolls, strict=True)},
        }
        if game is None and not self.match.is_money:
            dice["fibs-rating-difference"] = self._fibs_difference(seat)
        found = {"moves": moves, "cube": cube, "dice": dice}
        if game is None and not self.match.is_money:
            found["error-based-fibs-rating"] = self._fibs_rating(float(errors[PLAY]), unforced, cube["error-skill"], close)
        elif game is None and self.games > 1:
            found["ppg-advantage"] = self._points_per_game(seat)
        return found

    def _points_per_game(self, seat: int) -> dict[str, float]:
        """Points per game of a money session, actual and luck-adjusted, each with gnuBG's 95 % half width."""
        found = {}
        for name, results in (("actual", self.actual), ("luck-adjusted", self.adjusted)):
            points = results[:, seat].astype(float)
            found[name] = float(points.mean())
            found[f"{name}-ci"] = CONFIDENCE * math.sqrt(float(points.var(ddof=1)) / self.games)
        return found

    def _fibs_difference(self, seat: int) -> float | None:
        """Rating difference that would explain the luck-adjusted result, gnuBG's formula; `None` outside (0, 1)."""
        length = self.match.length or 1
        chance = 0.5 + float(self.adjusted[:, seat].sum(axis=0))
        if not 0 < chance < 1:
            return None
        return max(-2000 / math.sqrt(length) * math.log10(1 / chance - 1), -2100.0)

    def _fibs_rating(self, error: float, unforced: int, cube_rate: float, close: int) -> dict[str, float]:
        """FIBS rating that gnuBG estimates from the error rates, and points lost per part; a part without decisions is left out."""
        length = self.match.length or 1
        losses = {}
        if unforced:
            losses["chequer"] = error / unforced * (8798 + 25526 / length)
        if close:
            losses["cube"] = cube_rate * (863 - 519 / length)
        return {"total": FIBS_BASE - sum(losses.values()), **losses}


def grouped_sum(key: Ints, values: Floats, size: int) -> Floats:
    """Sum of `values` by `key`, one after the other in the precision of the values: as gnuBG adds, where they are float32."""
    sums = np.zeros(size, values.dtype)
    np.add.at(sums, key, values)
    return sums
