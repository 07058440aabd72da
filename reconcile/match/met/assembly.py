"""Builds a table from a table file as gnuBG does, including gnuBG's faults, and checks that it is
possible.

In a possible table the chances fall with the points still needed, and those of both players add up
to 1. In any other an equity has no meaning: an error would gain winning chances, or nothing would
be at stake at a score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NoReturn, TypedDict

import numpy as np
from numpy.typing import NDArray

from reconcile.errors import At, UnreadableFile
from reconcile.match.met.extension import mec_series, trailing_series
from reconcile.match.met.table import Met

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
    "mec": {
        "gammon-rate": "gammon_rate",
        "win-rate": "win_rate",
        "free-drop-2-away": "free_drop_2_away",
        "free-drop-4-away": "free_drop_4_away",
    },
    "zadeh": {
        "gammon-rate-trailer": "gammon_rate",
        "free-drop-2-away": "free_drop_2_away",
        "free-drop-4-away": "free_drop_4_away",
    },
}
"""The formulas for the post-Crawford chances, with the parameters of each."""


def assemble(name: str, file: TableFile) -> Met:
    """Build the table that gnuBG builds from this file."""
    length = file["length"] or 0
    rows = file["pre_crawford"]
    listed = (
        np.zeros((0, 0), np.float32) if isinstance(rows, Mapping) else np.array(rows, np.float32)
    )
    post = np.stack([_post_crawford(file["post_crawford"], player, length) for player in (0, 1)])
    listed.flags.writeable = post.flags.writeable = False
    return Met(name, file["title"], file["source"], file["length"], listed, post)


def _post_crawford(
    tables: Mapping[str, Listed | Parameters], player: int, length: int
) -> NDArray[np.float32]:
    """Return one player's chances as the trailer.

    Parameters given for both players apply to player 0 only: in gnuBG player 1 gets the formula's
    default parameters. So `mec`, whose gammon rate is 0.26 where the default is 0.25, favours
    player 0.
    """
    own = tables.get(str(player))
    table = tables["both"] if own is None else own
    if not isinstance(table, Mapping):
        # A table of n points needs n - 1 figures here, and gnuBG computes the n-th even where the
        # file lists it.
        return trailing_series(table[: length - 1])
    formula = str(table["type"])
    parameters = (
        {}
        if own is None and player == 1
        else {
            PARAMETERS[formula][key]: float(value) for key, value in table.items() if key != "type"
        }
    )
    return mec_series(**parameters) if formula == "mec" else trailing_series((), **parameters)


ROUNDING: Final = 0.005
"""How far both players' chances at one score may be from 1 together. Measured in the tables of
gnuBG 1.07: `ortega`, which lists tenths of a percent, is off by 0.002 at four scores; the others
are exact, but for jac050 and jac100, which are for unequal players."""
DECIDED: Final = 0.01
"""A chance of so little, or of so little less than 1, may be rounded to that of a better score. In
jac050 and jac100 all that is 0.999."""
SLACK: Final = 1e-9
"""Of the sum of two decimal fractions."""


def check(path: str, file: TableFile, met: Met) -> None:
    """Raise `UnreadableFile` unless the table is one of a game that both players want to win."""
    post = file["post_crawford"]
    unequal = "both" not in post
    if not isinstance(file["pre_crawford"], Mapping):
        chances = np.array(file["pre_crawford"], float)
        _check_falling(path, chances)
        if not unequal:
            _check_sums(path, chances)
        _check_stakes(path, met.listed)
    for player, listed in post.items():
        if not isinstance(listed, Mapping):
            _check_trailer(At(path, key=f"post-Crawford table {player}"), listed)
    trailers = [
        row
        for row in (post.get("0", post.get("both")), post.get("1", post.get("both")))
        if row and not isinstance(row, Mapping)
    ]
    if len(trailers) == 2 and not _is_one(even := trailers[0][0] + trailers[1][0]):
        refuse(
            At(path, key="post-Crawford table: figure 1"),
            "both players' chances at 1-away each to add up to 1",
            f"{even:g}",
        )
    beyond = met.post[~((met.post > 0) & (met.post < 1))]
    if len(beyond):
        refuse(
            At(path, key="post-Crawford table"),
            "chances between 0 and 1 at every score",
            f"{beyond[0]:g}",
        )


def refuse(where: str | At, expected: str, content: str) -> NoReturn:
    """Raise `UnreadableFile` for a table that is none."""
    raise UnreadableFile(
        f"expected {expected}, found {content}; correct the file or use the name of a known table",
        where,
    )


def _is_one(both: float) -> bool:
    return abs(both - 1) <= ROUNDING + SLACK


def _check_falling(path: str, chances: NDArray[np.float64]) -> None:
    """A row down a player needs one point more, a column to the right the opponent does."""
    for axis, away, change in ((0, "player", "higher"), (1, "opponent", "lower")):
        step = np.diff(chances, axis=axis) * (1 if axis == 0 else -1)
        if (step > 0).any():
            row, column = (int(index) for index in np.argwhere(step > 0)[0])
            before = chances[row, column]
            row, column = row + (axis == 0), column + (axis == 1)
            expected = (
                f"a chance not {change} than {before:g}, that of the score where the {away} needs "
                "one point less"
            )
            refuse(_place(path, row, column), expected, f"{chances[row, column]:g}")


def _check_sums(path: str, chances: NDArray[np.float64]) -> None:
    """Where one table serves both players, what one wins the other loses."""
    for row, column in np.argwhere(np.abs(chances + chances.T - 1) > ROUNDING + SLACK).tolist():
        other = f"row {column + 1}, figure {row + 1}"
        expected = (
            f"{1 - chances[column, row]:g}, since the opponent has {chances[column, row]:g} "
            f"({other}), to within {ROUNDING:g}"
        )
        refuse(_place(path, row, column), expected, f"{chances[row, column]:g}")


def _check_stakes(path: str, listed: NDArray[np.float32]) -> None:
    """A point won leads to a better score than a point lost, unless the match is as good as
    decided."""
    chances = np.pad(listed, ((1, 0), (1, 0)))
    chances[0] = 1
    after = chances[:-1, 1:]
    for row, column in np.argwhere(
        (after <= chances[1:, :-1]) & (after > DECIDED) & (after < 1 - DECIDED)
    ).tolist():
        won, lost = chances[row, column + 1], chances[row + 1, column]
        expected = "the player to have more after winning a point than after losing one"
        refuse(_place(path, row, column), expected, f"{won:g} and {lost:g}")


def _check_trailer(where: At, listed: Listed) -> None:
    """The chances of the trailer, who needs one point more with every figure."""
    for index, (before, chance) in enumerate(pairwise(listed), 2):
        if chance > before:
            refuse(
                where.under(f"figure {index}"),
                f"a chance not higher than {before:g}, that of one point less to go",
                f"{chance:g}",
            )


def _place(path: str, row: int, column: int) -> At:
    return At(path, key=f"pre-Crawford table: row {row + 1}, figure {column + 1}")
