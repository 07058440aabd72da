"""Equity and match winning chance: the affine map between them, for every game, player and cube of
a match; and the table of the tool that analysed it, as far as its file shows it.

EMG (equivalent money game) equity is +1 for winning and -1 for losing the current cube. With W and
L the match winning chances after winning and after losing, `eq = (2 m - (W + L)) / (W - L)` and `m
= (eq (W - L) + W + L) / 2`; an error costs the difference of two such `m`, never the image of the
error itself. In money play an error costs its points, EMG times cube.

Source: gnuBG 1.07.001 `eq2mwc`, `mwc2eq`; float32 in, float32 out in that order of operations, so
that ties fall as in gnuBG.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from reconcile.match.columns import Floats, Ints
from reconcile.match.match import Match
from reconcile.match.met import Met
from reconcile.match.tools import short_name

HIGHEST_POWER = 14
"""Powers of two for cubes up to 2**14: gnuBG's largest, doubled, and one more for a response
weighed after the double."""
_POWER = np.full(2**HIGHEST_POWER + 1, -1, np.int8)
_POWER[2 ** np.arange(HIGHEST_POWER + 1)] = np.arange(HIGHEST_POWER + 1)


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes in every game of a match at every cube.

    `win` and `lose` have shape (games * 2 * powers): match winning chance of a seat after winning
    or losing the cube; for money, plus and minus the cube, so that an error costs its points.
    """

    win: Floats
    lose: Floats
    powers: int

    def of(self, game: Ints, seat: Ints, cube: Ints) -> tuple[Floats, Floats]:
        """W and L for rows of a table, in the view of `seat`."""
        index = (game * 2 + seat) * self.powers + _POWER[cube]
        return self.win[index], self.lose[index]


def stakes(match: Match, met: Met, highest_cube: int) -> Stakes:
    """The stakes of every game of a match at cubes up to `highest_cube`."""
    powers = max(int(highest_cube).bit_length(), 1)
    if match.is_money:
        win = np.tile((1 << np.arange(powers)).astype(np.float32), 2 * len(match.games))
        return Stakes(win, -win, powers)
    scores = zip(match.away.tolist(), match.games.crawford.tolist(), strict=True)
    chances = np.concatenate(
        [chances_after(met, *away, crawford, powers) for away, crawford in scores]
    )
    return Stakes(chances[:, ::3].ravel(), chances[:, 1:3].ravel(), powers)


@lru_cache(maxsize=2000)
def chances_after(met: Met, away0: int, away1: int, crawford: bool, powers: int) -> Floats:
    """Chances after one game, shape (1, 4, powers): of seat 0 after winning or losing the cube, of
    seat 1 after losing or winning it.

    Cached, since the same few scores occur in match after match.
    """
    points = 1 << np.arange(powers)
    post = crawford or 1 in (away0, away1)
    chances = [
        met.chance(first, second, post, seat)
        for seat in (0, 1)
        for first, second in ((away0 - points, away1), (away0, away1 - points))
    ]
    return np.stack(chances)[np.newaxis]


def equity_of(chance: Floats, win: Floats, lose: Floats) -> Floats:
    """EMG equity of a match winning chance (0 to 1); not a number where winning and losing the cube
    are worth the same, as they are in single precision at the far ends of a table."""
    stake = win - lose
    with np.errstate(invalid="ignore"):
        equity: Floats = (2 * chance - (win + lose)) / np.where(
            stake == 0, stake.dtype.type(np.nan), stake
        )
    return equity


def chance_of(equity: Floats, win: Floats, lose: Floats) -> Floats:
    """Match winning chance (0 to 1) of an EMG equity."""
    return (equity * (win - lose) + (win + lose)) / 2


def cost(error: Floats, win: Floats, lose: Floats) -> Floats:
    """The value of an equity lost or gained (EMG): match winning chance (0 to 1), points in money
    play."""
    return chance_of(error, win, lose) - (win + lose) / 2


def chance_at_score(match: Match, met: Met, seat: ArrayLike = 0) -> Floats:
    """Match winning chance of a seat before each game, float32, shape (games,)."""
    away0, away1 = match.away[:, 0], match.away[:, 1]
    post = ~match.games.crawford & ((away0 == 1) | (away1 == 1))
    return met.chance(away0, away1, post, seat)


def chance_after_game(
    match: Match, met: Met, first: Ints, second: Ints, seat: ArrayLike = 0
) -> Floats:
    """The same after each game, where its players win so many points."""
    post = match.games.crawford | (match.away == 1).any(axis=1)
    return met.chance(match.away[:, 0] - first, match.away[:, 1] - second, post, seat)


EVEN = 0.5
"""The chance of either player at an even score: the same for both, and together they are 1."""


def own_table(match: Match) -> Met | None:
    """The table that the file shows, with NaN at every score that it does not; `None` if it shows
    none."""
    if match.known_chances is None or match.length is None:
        return None
    return _table(
        short_name(match.source.tool), match.length, tuple(sorted(match.known_chances.items()))
    )


@lru_cache(maxsize=64)
def _table(tool: str, length: int, chances: tuple[tuple[tuple[int, int, bool], float], ...]) -> Met:
    listed = np.full((length, length), np.nan, np.float32)
    np.fill_diagonal(listed, EVEN)
    post = np.full((2, length), np.nan, np.float32)
    post[:, 0] = EVEN
    for (away, opponent, after_crawford), chance in chances:
        if not after_crawford:
            listed[away - 1, opponent - 1] = chance
        elif opponent == 1:
            post[:, away - 1] = chance
    return Met(
        name=f"{tool}'s own",
        title=f"{tool}'s own table",
        source="fitted to the evaluations of the file; unknown at scores that the games played "
        "could not lead to",
        explicit_length=length,
        listed=listed,
        post=post,
        is_partial=True,
    )
