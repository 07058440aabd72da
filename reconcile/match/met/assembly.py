"""Builds a table from a table file as gnuBG does, including gnuBG's faults, and checks that it is
possible.

In a possible table the chances fall with the points still needed, and those of both players add up
to 1. In any other an equity has no meaning: an error would gain winning chances, or nothing would
be at stake at a score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NoReturn, TypedDict

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
