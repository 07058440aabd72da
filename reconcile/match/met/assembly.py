"""Builds a table from a table file as gnuBG does, including gnuBG's faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

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
    "zadeh": {"gammon-rate-trailer": "gammon_rate", "free-drop-2-away": "free_drop_2_away", "free-drop-4-away": "free_drop_4_away"},
}
"""The formulas for the post-Crawford chances, with the parameters of each."""


def assemble(name: str, file: TableFile) -> Met:
    """Build the table that gnuBG builds from this file."""
    length = file["length"] or 0
    rows = file["pre_crawford"]
    listed = np.zeros((0, 0), np.float32) if isinstance(rows, Mapping) else np.array(rows, np.float32)
    post = np.stack([_post_crawford(file["post_crawford"], player, length) for player in (0, 1)])
    listed.flags.writeable = post.flags.writeable = False
    return Met(name, file["title"], file["source"], file["length"], listed, post)


def _post_crawford(tables: Mapping[str, Listed | Parameters], player: int, length: int) -> NDArray[np.float32]:
    """Return one player's chances as the trailer.

    Parameters given for both players apply to player 0 only: in gnuBG player 1 gets the formula's default parameters. So
    `mec`, whose gammon rate is 0.26 where the default is 0.25, favours player 0.
    """
    own = tables.get(str(player))
    table = tables["both"] if own is None else own
    if not isinstance(table, Mapping):
        # A table of n points needs n - 1 figures here, and gnuBG computes the n-th even where the file lists it.
        return trailing_series(table[: length - 1])
    formula = str(table["type"])
    given = {} if own is None and player == 1 else {PARAMETERS[formula][key]: float(value) for key, value in table.items() if key != "type"}
    return mec_series(**given) if formula == "mec" else trailing_series((), **given)
