"""gnuBG's whole statistics table, under gnuBG's own names, as its Python interface prints it.

Errors and luck are added in gnuBG's order and precision (float32 per game, then over the games), so
that counters and sums equal gnuBG's. The table has zeros wherever gnuBG shows zeros, even if
nothing was analysed.

Source: gnuBG 1.07.001 `updateStatcontext`, `AddStatcontext`, `formatgs.c`; checked against
`gnubg.match(statistics=1)`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from reconcile.document import Document, within
from reconcile.files.bundled import read_pages
from reconcile.match.columns import NO_MARK, Floats, Ints, Kind, Validity
from reconcile.match.met.equity import chance_after_game, chance_at_score
from reconcile.match.values import once
from reconcile.rules.rulesets import Q12
from reconcile.scoring.grades import reaches
from reconcile.scoring.statistics import Statistics, roll_gains
from reconcile.scoring.sums import Group, Sums

LUCKY, VERY_LUCKY = 0.3, 0.6
"""gnuBG's `arLuckLevel` (EMG), for files that have luck but no luck marks."""
MARKS = ("verybad", "bad", "unmarked", "good", "verygood")
CUBE_ERRORS = (
    "missed-double-below-cp",
    "missed-double-above-cp",
    "wrong-double-below-dp",
    "wrong-double-above-tg",
    "wrong-take",
    "wrong-drop",
)
ACTIONS = tuple(kind.value for kind in (Kind.NO_DOUBLE, Kind.DOUBLE, Kind.TAKE, Kind.PASS))
CATEGORIES = np.array(
    [{Kind.NO_DOUBLE: 0, Kind.DOUBLE: 2, Kind.PASS: 5}.get(kind, 4) for kind in Kind]
)
"""By kind, the first of its categories in `CUBE_ERRORS`: those of a double missed or wrong have
two."""
CUBE_COUNTS = ("total-cube", "close-cube", "n-doubles", "n-takes", "n-drops")
PLAY_MARKS = ("very bad", "bad", "doubtful", "unmarked")
PLAY = len(CUBE_ERRORS)
"""Category of checker errors, after those of the cube."""
FIBS_BASE = 2050.0
CONFIDENCE = 1.95996
"""Normal quantile of gnuBG's 95 % intervals."""

RESULTS = read_pages(Path(__file__).with_name("results.md"))
"""Figures about luck and results, by their names in gnuBG's table and in its manual."""


@dataclass(frozen=True, slots=True)
class GnubgManual(Document):
    """Results as GNU Backgammon's manual defines them, where 50 % is even; only under rule set
    `gnubg-manual`. Null in money play."""

    actual_result_percent: float | None = None
    """50 % plus the match winning chance gained in the games."""
    luck_adjusted_result_percent: float | None = None
    """The same less the player's own luck, plus the opponent's; null where the luck is
    incomplete."""
    mwc_against_current_opponent_percent: Annotated[float, within(ge=0, le=100)] | None = None
    """50 % less what the player's errors cost, plus what the opponent's cost, limited to 0 to 100
    %."""


def manual_results(statistics: Statistics, seat: int, game: int | None = None) -> GnubgManual:
    """The results of a player in the match or one game (index from 0). Source: gnuBG's manual,
    "Overall rating"."""
    if statistics.match.is_money:
        return GnubgManual()
    table = gnubg_table(statistics)
    which = slice(None) if game is None else slice(game, game + 1)
    has_luck = all(statistics.completeness_at(each, game)["luck"].complete for each in (0, 1))
    own, other = (
        statistics.figures_at(each, game)["mwc_loss_percent.total"] for each in (seat, 1 - seat)
    )
    return GnubgManual(
        50 + 100 * float(table.actual[which, seat].sum()),
        50 + 100 * float(table.adjusted[which, seat].sum()) if has_luck else None,
        None if own is None or other is None else min(max(50 - own + other, 0.0), 100.0),
    )


@once
def gnubg_table(statistics: Statistics) -> GnubgTable:
    """The table of a scored match, made once."""
    return GnubgTable(statistics)


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
        self.counts = Sums(self.games, self._of_plays(), self._of_cubes())
        self._add_errors()
        self._add_luck()

    @staticmethod
    def _with_match(tables: Any) -> Any:
        """Tables of shape (tables, games, 2...) with their sum appended after the games, so that
        index -1 is the match."""
        return np.concatenate((tables, tables.sum(axis=1, keepdims=True)), axis=1)

    def _of_plays(self) -> Group:
        plays, scored = self.match.plays, self.scored
        error = scored.error[self.play_rows]
        rolled = plays.validity != Validity.UNPLAYED.value
        limits = scored.rules.value(Q12)
        doubtful = limits.error if limits.doubtful is None else limits.doubtful
        very_bad, bad, uncertain = (
            reaches(error, border, limits) for border in (limits.blunder, limits.error, doubtful)
        )
        luck, mark = plays.luck, plays.luck_mark
        self.luck_known = with_luck = (luck == luck) & rolled
        if (mark == NO_MARK).all():
            amount = np.where(with_luck, np.abs(luck), 0)
            mark = np.sign(np.where(with_luck, luck, 0)).astype(int) * (
                (amount > LUCKY).astype(int) + (amount > VERY_LUCKY)
            )
        columns = {
            "total-moves": rolled,
            "unforced-moves": scored.counted[self.play_rows],
            "very bad": rolled & very_bad,
            "bad": rolled & bad & ~very_bad,
            "doubtful": rolled & uncertain & ~bad,
            "unmarked": rolled & ~uncertain,
        }
        columns |= {
            f"rolls {name}": with_luck & (mark == index - 2) for index, name in enumerate(MARKS)
        }
        return Group(plays.game, plays.player, columns)

    def _of_cubes(self) -> Group:
        cubes, scored, view = self.match.cubes, self.scored, self.scored.view
        kind = cubes.kind
        no_double, double, take, passed = (kind == action for action in ACTIONS)
        counted = scored.counted[self.cube_rows]
        analysed = cubes.analysed & (counted | no_double)
        self.category = (
            CATEGORIES[kind]
            + (no_double & (view.double_take > 1))
            + (double & (view.no_double > 1))
        )
        wrong = scored.error[self.cube_rows] > 0
        columns = {
            "total-cube": analysed,
            "close-cube": counted,
            "n-doubles": analysed & double,
            "n-takes": analysed & take,
            "n-drops": analysed & passed,
        }
        columns |= {
            name: wrong & (self.category == index) for index, name in enumerate(CUBE_ERRORS)
        }
        return Group(cubes.game, cubes.player, columns)

    def _add_errors(self) -> None:
        scored = self.scored
        rows = slice(0, self.cube_rows.stop)
        category = np.concatenate((np.full(self.play_rows.stop, PLAY), self.category))
        key = self.key[rows] * (PLAY + 1) + category
        shape = (self.games, 2, PLAY + 1)
        size = self.games * 2 * (PLAY + 1)
        error = scored.error[rows].copy()
        error[self.play_rows][~scored.counted[self.play_rows]] = 0
        loss = np.where(error == 0, error.dtype.type(0), scored.loss[rows])
        sums = np.stack([grouped_sum(key, column, size).reshape(shape) for column in (error, loss)])
        tables = self._with_match(sums)
        self.errors, self.losses = tables.tolist()  # by category, plays last
        self.cube_errors, self.cube_losses = tables[..., :PLAY].sum(axis=-1).tolist()

    def _add_luck(self) -> None:
        with_luck, luck = self.luck_known, self.match.plays.luck
        key = self.key[self.play_rows]
        luck = np.where(with_luck, luck, luck.dtype.type(0))
        gained = roll_gains(self.scored, luck)
        size = 2 * self.games
        self.actual = self._actual_results()
        # Starting from the actual result, every roll in order changes the luck-adjusted result of
        # both players.
        rows = np.flatnonzero(with_luck)
        keys = np.column_stack((key[rows], key[rows] ^ 1)).ravel()
        changes = np.column_stack((-gained[rows], gained[rows])).ravel()
        adjusted = self.actual.ravel().astype(gained.dtype)
        np.add.at(adjusted, keys, changes)
        self.adjusted = adjusted.reshape(-1, 2)
        tables = {
            "luck": grouped_sum(key, luck, size).reshape(-1, 2),
            "luck-cost": grouped_sum(key, gained, size).reshape(-1, 2),
            "actual-result": self.actual,
            "luck-adjusted-result": self.adjusted,
        }
        self.results = {
            name: self._with_match(table[np.newaxis])[0].tolist() for name, table in tables.items()
        }

    def _actual_results(self) -> Floats:
        """The match winning chance gained in each game (points in money play), shape (games, 2); 0
        if unfinished. gnuBG takes the winner's, and its negative for the loser."""
        match, met = self.match, self.scored.met
        games = match.games
        won: Floats = games.points.astype(np.float32)
        if not match.is_money:
            winner = np.maximum(games.winner, 0)
            first, second = (games.points * (winner == seat) for seat in (0, 1))
            after = chance_after_game(match, met, first, second, winner)
            won = after - chance_at_score(match, met, winner)
        gained = np.where(games.winner >= 0, won, np.float32(0))[:, np.newaxis]
        is_winner = games.winner[:, np.newaxis] == (0, 1)
        return np.where(is_winner, gained, 0 - gained)  # no minus sign before a zero

    def table(self, seat: int, game: int | None = None) -> dict[str, Any]:
        """The table of a player for the match or one game, as `gnubg.match(statistics=1)` nests
        it."""
        at = -1 if game is None else game
        counts = {name: int(number[seat]) for name, number in self.counts.of(game).items()}
        errors, losses = self.errors[at][seat], self.losses[at][seat]
        close, unforced = counts["close-cube"], counts["unforced-moves"]
        cube: dict[str, Any] = {name: counts[name] for name in (*CUBE_COUNTS, *CUBE_ERRORS)}
        for index, name in enumerate(CUBE_ERRORS):
            cube[f"err-{name}-skill"], cube[f"err-{name}-cost"] = errors[index], losses[index]
        cube["error-skill"] = self.cube_errors[at][seat] / close if close else 0.0
        cube["error-cost"] = self.cube_losses[at][seat] / close if close else 0.0
        moves = {
            "unforced-moves": unforced,
            "total-moves": counts["total-moves"],
            "error-skill": errors[PLAY],
            "error-cost": losses[PLAY],
            "marked": {name: counts[name] for name in PLAY_MARKS},
        }
        dice: dict[str, Any] = {name: table[at][seat] for name, table in self.results.items()}
        dice["marked-rolls"] = {name: counts[f"rolls {name}"] for name in MARKS}
        if game is None and not self.match.is_money:
            dice["fibs-rating-difference"] = self._fibs_difference(seat)
        table = {"moves": moves, "cube": cube, "dice": dice}
        if game is None and not self.match.is_money:
            table["error-based-fibs-rating"] = self._fibs_rating(
                errors[PLAY], unforced, cube["error-skill"], close
            )
        elif game is None and self.games > 1:
            table["ppg-advantage"] = self._points_per_game(seat)
        return table

    def _points_per_game(self, seat: int) -> dict[str, float]:
        """Points per game of a money session, actual and luck-adjusted, each with gnuBG's 95 % half
        width."""
        means = {}
        for name, results in (("actual", self.actual), ("luck-adjusted", self.adjusted)):
            points = results[:, seat].astype(float)
            means[name] = float(points.mean())
            means[f"{name}-ci"] = CONFIDENCE * math.sqrt(float(points.var(ddof=1)) / self.games)
        return means

    def _fibs_difference(self, seat: int) -> float | None:
        """Rating difference that would explain the luck-adjusted result, gnuBG's formula; `None`
        outside (0, 1)."""
        length = self.match.length or 1
        chance = 0.5 + float(self.adjusted[:, seat].sum(axis=0))
        if not 0 < chance < 1:
            return None
        return max(-2000 / math.sqrt(length) * math.log10(1 / chance - 1), -2100.0)

    def _fibs_rating(
        self, error: float, unforced: int, cube_rate: float, close: int
    ) -> dict[str, float]:
        """gnuBG's FIBS rating estimate from the error rates, and points lost per part; a part
        without decisions is left out."""
        length = self.match.length or 1
        losses = {}
        if unforced:
            losses["chequer"] = error / unforced * (8798 + 25526 / length)
        if close:
            losses["cube"] = cube_rate * (863 - 519 / length)
        return {"total": FIBS_BASE - sum(losses.values()), **losses}


def grouped_sum(key: Ints, values: Floats, size: int) -> Floats:
    """Sum of `values` by `key`, one after the other in their own precision, as gnuBG adds float32
    values."""
    sums = np.zeros(size, values.dtype)
    np.add.at(sums, key, values)
    return sums
