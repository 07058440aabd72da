"""A match equity table given as numbers, by a program that has its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from reconcile.errors import InvalidArgument
from reconcile.match.met.assembly import TableFile
from reconcile.match.met.extension import LONGEST_MATCH, trailing_series
from reconcile.match.met.possible import check
from reconcile.match.met.table import Met

KEYS: Final = ("name", "pre_crawford", "post_crawford")


def table_given(given: Mapping[str, Any]) -> Met:
    """A table from `pre_crawford`, rows of chances (0 to 1) by points the player and the opponent need, and `post_crawford`, those of the
    player who is 1, 2, 3... points away after the Crawford game against 1-away; `name` is what reports call it.

    Raises `InvalidArgument`, and `UnreadableFile` for chances that no match can have.
    """
    strange = given.keys() - set(KEYS)
    name, missing = given.get("name", "given"), {"pre_crawford", "post_crawford"} - given.keys()
    if strange or missing or not isinstance(name, str):
        raise InvalidArgument("met", f"a name and the tables {' and '.join(KEYS[1:])}", sorted(given, key=str))
    before, after = _chances(given, "pre_crawford", 2), _chances(given, "post_crawford", 1)
    if before.shape != (len(after), len(after)):
        raise InvalidArgument("met", f"as many rows and columns of pre_crawford as figures of post_crawford, {len(after)}", before.shape)
    file: TableFile = {
        "title": name,
        "source": "given as numbers",
        "length": len(after),
        "pre_crawford": before.tolist(),
        "post_crawford": {"both": after.tolist()},
    }
    listed, post = before.astype(np.float32), np.stack([trailing_series(after.tolist())] * 2)
    listed.flags.writeable = post.flags.writeable = False
    met = Met(name, name, file["source"], len(after), listed, post)
    check(name, file, met)
    return met


def _chances(given: Mapping[str, Any], key: str, axes: int) -> NDArray[np.float64]:
    try:
        found = np.array(given[key], float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.ndim != axes or not 1 <= len(found) <= LONGEST_MATCH or not ((found > 0) & (found < 1)).all():
        shape = "rows" if axes == 2 else "a row"
        raise InvalidArgument(f"met: {key}", f"{shape} of 1 to {LONGEST_MATCH} chances between 0 and 1", given[key])
    return found
