"""A match equity table: its lookup, scores that are not listed, how it is made of a file, all as
gnuBG 1.07.001 does, including gnuBG's faults; and a check that it is possible.

What gnuBG computes beyond a file's length, and of tables given only by parameters, is reproduced
as on Debian 12 to the last bit of float32; `tests/match/met/test_met_against_gnubg.py` compares it.

In a possible table the chances fall with the points still needed, and those of both players add up
to 1. In any other an equity has no meaning: an error would gain winning chances, or nothing would
be at stake at a score.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reconcile.errors import At, UnreadableFile
from reconcile.match.values import Value

LONGEST_MATCH = 64
"""gnuBG's tables end here; for a longer match it reads past their end."""

GAMMON_RATE = 0.25
"""Share of gammons among the trailer's wins, after the Crawford game."""
WIN_RATE = 0.5
FREE_DROP_2_AWAY = 0.015
FREE_DROP_4_AWAY = 0.004

# Standard deviation of one game's points when a player is 1-away, 2-away, ...; 11-away and more are
# all 1.77.
_DEVIATIONS = (1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72) + (1.77,) * (
    LONGEST_MATCH - 10
)

_ERF = Path(__file__).with_name("erf.json")
"""The scores (away, away) at which the single precision erf of Debian 12's C library (glibc 2.36)
is one unit in the last place above or below the nearest float32, and gnuBG's chance shows it.
Measured; the rest of the 2 080 scores agree with rounding."""


@cache
def projected_chances() -> NDArray[np.float32]:
    """Return the chance of the row's player at every score before the Crawford game, by the normal
    approximation.

    A player who is `a` away against `b`, `a >= b`, wins with probability 1 - Phi((a - b) / S),
    where S^2 = (s_a^2 + s_b^2) (a + b) / 2 and s is the deviation of one game. The leader has the
    rest.
    """
    deviation = np.array(_DEVIATIONS, np.float32)
    row, column = np.tril_indices(LONGEST_MATCH)
    games = (row + column + 2).astype(np.float32) / np.float32(2)
    spread = np.sqrt(
        (deviation[row] * deviation[row] + deviation[column] * deviation[column]) * games
    )
    # gnuBG is compiled with -ffast-math: it multiplies by 1/sqrt(2), which rounds differently from
    # a division by sqrt(2).
    distance = (row - column).astype(np.float32) / spread * np.float32(math.sqrt(0.5))
    error_function = np.zeros((LONGEST_MATCH, LONGEST_MATCH), np.float32)
    error_function[row, column] = [math.erf(x) for x in distance.tolist()]
    corrections = json.loads(_ERF.read_bytes())
    for side, towards in (("above", 1), ("below", 0)):
        at = tuple(np.array(corrections[side]).T - 1)
        error_function[at] = np.nextafter(error_function[at], np.float32(towards))
    chances = np.empty_like(error_function)
    chances[row, column] = np.float32(0.5) - np.float32(0.5) * error_function[row, column]
    chances[column, row] = np.float32(1) - chances[row, column]
    chances.flags.writeable = False
    return chances


Number = Any
"""In the precision of whoever computes: `float` or `np.float32`."""


def _continued(
    listed: Sequence[Number], gammon: Number, single: Number, drops: Mapping[int, Number]
) -> list[Number]:
    """The chances of a trailer who doubles at once, so that a win gains 2 points, or 4 with a
    gammon; `drops` are subtracted by place in the series."""
    won = type(gammon)(1)
    series = [won] * 4 + [*listed]  # before 1-away the match is won
    for place in range(len(listed), LONGEST_MATCH):
        chance = gammon * series[-4] + single * series[-2]
        series.append(chance - drops[place] if place in drops else chance)
    return series[4:]


def trailing_series(
    listed: Sequence[float],
    gammon_rate: float = GAMMON_RATE,
    free_drop_2_away: float = FREE_DROP_2_AWAY,
    free_drop_4_away: float = FREE_DROP_4_AWAY,
) -> NDArray[np.float32]:
    """Continue the listed post-Crawford chances of the trailer, or make a `zadeh` series if none is
    listed.

    The free drop is subtracted from the chance at 2-away and 4-away, and the scores further away
    inherit it.
    """
    rate, half, won = np.float32(gammon_rate), np.float32(0.5), np.float32(1)
    drops = {1: np.float32(free_drop_2_away), 3: np.float32(free_drop_4_away)}
    series = [np.float32(chance) for chance in listed]
    return np.array(_continued(series, rate * half, (won - rate) * half, drops), np.float32)


def mec_series(
    gammon_rate: float = GAMMON_RATE,
    win_rate: float = WIN_RATE,
    free_drop_2_away: float = FREE_DROP_2_AWAY,
    free_drop_4_away: float = FREE_DROP_4_AWAY,
) -> NDArray[np.float32]:
    """Return the post-Crawford chances of the trailer in a `mec` table.

    Unlike `trailing_series`, it uses double precision from float32 parameters and a win rate, and
    applies the free drop at the end, so that no other score inherits it; at 4-away gnuBG adds it.
    """
    rate, win, drop_2, drop_4 = (
        float(np.float32(value))
        for value in (gammon_rate, win_rate, free_drop_2_away, free_drop_4_away)
    )
    series = _continued((), rate * win, (1.0 - rate) * win, {})
    series[1] -= drop_2
    series[3] += drop_4
    return np.array(series, np.float32)


_KEPT = 64
"""Tables whose arrays stay in memory; the matches of an archive may each show one of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Met(Value):
    """The chance of winning the match at every score. Player 0 is gnuBG's player 0: White, `PW` in
    a file."""

    name: str
    """The stem of the file, as used by gnuBG and the command line."""
    title: str
    """The name inside the file."""
    source: str
    explicit_length: int | None
    """Points of the longest match that the file lists; `None` if it has only parameters."""
    listed: NDArray[np.float32]
    """The pre-Crawford chances listed in the file, `explicit_length` rows and columns."""
    post: NDArray[np.float32]
    """`post[p, a - 1]`: chance of player `p`, who trails and is `a` away, against 1-away after the
    Crawford game."""

    is_partial: bool = False
    """Whether some scores are unknown (NaN)."""

    def __repr__(self) -> str:
        return f"<Met {self.name}>"

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def pre(self) -> NDArray[np.float32]:
        """`pre[a - 1, b - 1]`: chance of player 0, `a` away against `b`; 1-away means that the
        Crawford game is next.

        Beyond the listed scores gnuBG projects. A table of parameters lists none, and so `zadeh`
        and `mec` are the same table before the Crawford game: gnuBG computes their formulas and
        then overwrites the results.
        """
        return _pre(self)

    def chance(
        self,
        away0: ArrayLike,
        away1: ArrayLike,
        post_crawford: ArrayLike,
        player: ArrayLike = 0,
    ) -> NDArray[np.float32]:
        """Return a player's chance of winning the match when the players are `away0` and `away1`
        points away.

        Zero or less means that this player has won. `post_crawford` says whether the next game
        comes after the Crawford game. The arguments broadcast against each other, and may be whole
        numbers as well as arrays. The chance of player 1 is what the table lists for a trailer, and
        otherwise 1 less that of player 0: in single precision 1 - (1 - x) is not always x.

        Raises:
            ValueError: a player is more than 64 away, or both have won.
        """
        points0 = np.maximum(away0, 0, dtype=np.intp)
        points1 = np.maximum(away1, 0, dtype=np.intp)
        farther = np.maximum(points0, points1)
        farthest = int(farther.max(initial=0))
        if farthest > LONGEST_MATCH:
            raise ValueError(
                f"score: a player is {farthest} points away, expected at most {LONGEST_MATCH}"
            )
        if farther.min(initial=1) < 1:
            raise ValueError("score: both players have won the match")
        # Projecting costs more than reading a table, and most matches do not need it.
        chances = _lookup(
            self, extended=self.explicit_length is None or farthest > self.explicit_length
        )
        side = chances.shape[-1]
        table = 2 * np.asarray(player, np.intp) + np.asarray(post_crawford, np.bool_)
        index = table * (side * side) + points0 * side + points1
        looked_up: NDArray[np.float32] = chances.ravel().take(index)
        return looked_up


@lru_cache(_KEPT)
def _pre(met: Met) -> NDArray[np.float32]:
    """Overwrite the projected chances with the listed ones."""
    chances = projected_chances().copy()
    chances[: len(met.listed), : len(met.listed)] = met.listed
    chances.flags.writeable = False
    return chances


@lru_cache(_KEPT)
def _lookup(met: Met, *, extended: bool) -> NDArray[np.float32]:
    """Return chances by [player, post-Crawford, away of player 0, away of player 1], where 0 away
    has won."""
    pre = met.pre if extended else met.listed
    size = len(pre)
    first = np.empty((2, size + 1, size + 1), np.float32)
    first[0, 1:, 1:] = pre
    # gnuBG checks player 0 first, so at 1-away each it is player 1 who "trails".
    first[1, 1:, 1:] = met.post[0, :size, np.newaxis]
    first[1, 1, 1:] = np.float32(1) - met.post[1, :size]
    first[:, :, 0] = 0
    first[:, 0, :] = 1
    second = np.float32(1) - first
    second[1, 1, 1:] = met.post[1, :size]
    return np.stack((first, second))


Listed = Sequence[float]
Parameters = Mapping[str, float | str]
"""A formula's parameters under gnuBG's names, and its `type`."""


class TableFile(TypedDict):
    """The content of a match equity table file, the same for our JSON and gnuBG's XML."""

    title: str
    source: str
    length: int | None
    pre_crawford: Sequence[Listed] | Parameters
    post_crawford: Mapping[str, Listed | Parameters]
    """By player: `0` and `1`, or `both`."""


PARAMETERS = {
    "mec": ("gammon-rate", "win-rate", "free-drop-2-away", "free-drop-4-away"),
    "zadeh": ("gammon-rate-trailer", "free-drop-2-away", "free-drop-4-away"),
}
"""The formulas for the post-Crawford chances, with the parameters of each."""


def assemble(name: str, file: TableFile, trailers: int | None = None) -> Met:
    """Build the table that gnuBG builds from this file.

    Of a trailer's chances so many are used as are listed. A table of n points needs n - 1, and
    gnuBG computes the n-th even where the file lists it.
    """
    most = (file["length"] or 0) - 1 if trailers is None else trailers
    rows = file["pre_crawford"]
    listed = (
        np.zeros((0, 0), np.float32) if isinstance(rows, Mapping) else np.array(rows, np.float32)
    )
    post = np.stack([_post_crawford(file["post_crawford"], player, most) for player in (0, 1)])
    listed.flags.writeable = post.flags.writeable = False
    return Met(name, file["title"], file["source"], file["length"], listed, post)


def _post_crawford(
    tables: Mapping[str, Listed | Parameters], player: int, most: int
) -> NDArray[np.float32]:
    """Return one player's chances as the trailer.

    Parameters given for both players apply to player 0 only: in gnuBG player 1 gets the formula's
    default parameters. So `mec`, whose gammon rate is 0.26 where the default is 0.25, favours
    player 0.
    """
    own = tables.get(str(player))
    table = tables["both"] if own is None else own
    if not isinstance(table, Mapping):
        return trailing_series(table[:most])
    formula = str(table["type"])
    parameters = (
        {}
        if own is None and player == 1
        else {
            key.removesuffix("-trailer").replace("-", "_"): float(value)
            for key, value in table.items()
            if key != "type"
        }
    )
    return mec_series(**parameters) if formula == "mec" else trailing_series((), **parameters)


ROUNDING = 0.005
"""How far both players' chances at one score may be from 1 together. Measured in the tables of
gnuBG 1.07: `ortega`, which lists tenths of a percent, is off by 0.002 at four scores; the others
are exact, but for jac050 and jac100, which are for unequal players."""
DECIDED = 0.01
"""A chance of so little, or of so little less than 1, may be rounded to that of a better score. In
jac050 and jac100 all that is 0.999."""
SLACK = 1e-9
"""Of the sum of two decimal fractions."""


def check(path: str, file: TableFile, met: Met) -> None:
    """Raise `UnreadableFile` unless the table is one of a game that both players want to win."""
    for place, expected, content in _faults(file, met):
        refuse(At(path, key=place), expected, content)


def refuse(where: str | At, expected: str, content: str) -> NoReturn:
    """Raise `UnreadableFile` for a table that is none."""
    raise UnreadableFile(
        f"expected {expected}, found {content}; correct the file or use the name of a known table",
        where,
    )


Faults = Iterator[tuple[str, str, str]]
"""Where something is wrong, what was expected, and what is there."""


def _faults(file: TableFile, met: Met) -> Faults:
    post = file["post_crawford"]
    if not isinstance(file["pre_crawford"], Mapping):
        yield from _faults_before(np.array(file["pre_crawford"], float), met, "both" in post)
    explicit = {
        player: listed for player, listed in post.items() if not isinstance(listed, Mapping)
    }
    for player, listed in explicit.items():
        for index, (before, chance) in enumerate(pairwise(listed), 2):
            if chance > before:
                place = f"post-Crawford table {player}: figure {index}"
                expected = f"a chance not higher than {before:g}, that of one point less to go"
                yield place, expected, f"{chance:g}"
    each = [explicit.get(player, explicit.get("both")) for player in ("0", "1")]
    even = [listed[0] for listed in each if listed]
    if len(even) == 2 and abs(sum(even) - 1) > ROUNDING + SLACK:
        expected = "both players' chances at 1-away each to add up to 1"
        yield "post-Crawford table: figure 1", expected, f"{sum(even):g}"
    for chance in met.post[~((met.post > 0) & (met.post < 1))]:
        yield "post-Crawford table", "chances between 0 and 1 at every score", f"{chance:g}"


def _faults_before(chances: NDArray[np.float64], met: Met, is_shared: bool) -> Faults:
    """What is wrong before the Crawford game. A row down a player needs one point more, a column to
    the right the opponent does; where the table is shared by both, what one wins the other
    loses."""

    def place(row: int, column: int) -> str:
        return f"pre-Crawford table: row {row + 1}, figure {column + 1}"

    for axis, away, change in ((0, "player", "higher"), (1, "opponent", "lower")):
        step = np.diff(chances, axis=axis) * (1 - 2 * axis)
        for row, column in np.argwhere(step > 0).tolist():
            before, after = chances[row, column], (row + 1 - axis, column + axis)
            expected = (
                f"a chance not {change} than {before:g}, that of the score where the {away} needs "
                "one point less"
            )
            yield place(*after), expected, f"{chances[after]:g}"
    unequal = np.abs(chances + chances.T - 1) > ROUNDING + SLACK
    for row, column in np.argwhere(unequal & is_shared).tolist():
        opponent = chances[column, row]
        expected = (
            f"{1 - opponent:g}, since the opponent has {opponent:g} "
            f"(row {column + 1}, figure {row + 1}), to within {ROUNDING:g}"
        )
        yield place(row, column), expected, f"{chances[row, column]:g}"
    # A point won leads to a better score than a point lost, unless the match is as good as decided.
    after_game = np.pad(met.listed, ((1, 0), (1, 0)))
    after_game[0] = 1
    won, lost = after_game[:-1, 1:], after_game[1:, :-1]
    nothing = (won <= lost) & (won > DECIDED) & (won < 1 - DECIDED)
    for row, column in np.argwhere(nothing).tolist():
        expected = "the player to have more after winning a point than after losing one"
        yield place(row, column), expected, f"{won[row, column]:g} and {lost[row, column]:g}"
