"""Match equity tables: the chance of winning the match at every score.

    >>> met = load_met("Kazaross-XG2")
    >>> float(met.chance(1, 2, False))
    0.6773599982261658

There player 0 needs one point, player 1 two, and the Crawford game is next.

The twelve tables shipped with gnuBG are named by the stem of their file; any other table comes from
a file in gnuBG's own XML format.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from reconcile.errors import InvalidArgument, UnknownName, expect
from reconcile.match.met.table import LONGEST_MATCH, Met, TableFile, assemble, check
from reconcile.wording import did_you_mean

__all__ = ["DEFAULT_MET", "LONGEST_MATCH", "Met", "equity_tables", "load_met"]

DEFAULT_MET = "Kazaross-XG2"
"""gnuBG 1.07.001 and 1.08.003 start with this table."""

_KEYS = ("name", "pre_crawford", "post_crawford")

# Written out, since listing a folder slows every start of the program; a test compares them with
# the folder.
_NAMES = (
    "Kazaross-XG2",
    "Rockwell-Kazaross",
    "g11",
    "jac050",
    "jac100",
    "jacobs",
    "mec",
    "mec26",
    "ortega",
    "snowie",
    "woolsey",
    "zadeh",
)


def equity_tables() -> tuple[str, ...]:
    """The names of the match equity tables that come with the program."""
    return _NAMES


AnyMet: TypeAlias = str | Path | Mapping[str, Any] | Met
"""A match equity table, or what it is loaded from."""


def load_met(name: AnyMet) -> Met:
    """Return the table of that name, in any letter case, read the gnuBG file whose path ends in
    `.xml`, or make a table of numbers.

    A table is returned as it is. A known table is read once and shared; a file is read every time,
    since it may have changed.
    Numbers are a mapping with `name`, `pre_crawford`, rows of chances (0 to 1) by points the player
    and the opponent need, and `post_crawford`, the chances of the player who is 1, 2, 3... points
    away after the Crawford game against 1-away.

    Raises:
        UnknownName: no such table. UnreadableFile: the file is missing, is not a match equity
        table, or holds chances that no match can have. InvalidArgument: anything else.
    """
    if isinstance(name, Met):
        return name
    if isinstance(name, Mapping):
        return _from_numbers(name)
    expect(
        "met", name, (str, Path), "the name of a match equity table, or the path of an .xml file"
    )
    name = str(name)
    if name.casefold().endswith(".xml"):
        # Imported here, since few runs need an XML parser.
        from reconcile.match.met.gnubg_xml import read_table

        file = read_table(name)
        met = assemble(Path(name).stem, file)
        check(name, file, met)
        return met
    for shipped in _NAMES:
        if shipped.casefold() == name.casefold():
            return _shipped(shipped)
    raise UnknownName(
        f"no match equity table {name!r}{did_you_mean(name, _NAMES)}, expected one of "
        f"{', '.join(_NAMES)}, or a path that ends in .xml"
    )


@cache
def _shipped(name: str) -> Met:
    """Read one of our own tables."""
    text = (Path(__file__).parent / "tables" / f"{name}.json").read_bytes()
    return assemble(name, cast(TableFile, json.loads(text)))


def _from_numbers(numbers: Mapping[str, Any]) -> Met:
    """A table of numbers, by a program that has its own."""
    name, missing = numbers.get("name", "given"), {*_KEYS[1:]} - numbers.keys()
    if numbers.keys() - {*_KEYS} or missing or not isinstance(name, str):
        raise InvalidArgument(
            "met", f"a name and the tables {' and '.join(_KEYS[1:])}", sorted(numbers, key=str)
        )
    before, after = _chances(numbers, "pre_crawford", 2), _chances(numbers, "post_crawford", 1)
    length = len(after)
    if before.shape != (length, length):
        raise InvalidArgument(
            "met",
            f"as many rows and columns of pre_crawford as figures of post_crawford, {length}",
            before.shape,
        )
    file: TableFile = {
        "title": name,
        "source": "given as numbers",
        "length": length,
        "pre_crawford": before.tolist(),
        "post_crawford": {"both": after.tolist()},
    }
    met = assemble(name, file, trailers=length)
    check(name, file, met)
    return met


def _chances(numbers: Mapping[str, Any], key: str, axes: int) -> NDArray[np.float64]:
    try:
        chances = np.array(numbers[key], float)
    except (TypeError, ValueError):
        chances = np.zeros(0)
    if (
        chances.ndim != axes
        or not 1 <= len(chances) <= LONGEST_MATCH
        or not ((chances > 0) & (chances < 1)).all()
    ):
        shape = "rows" if axes == 2 else "a row"
        raise InvalidArgument(
            f"met: {key}", f"{shape} of 1 to {LONGEST_MATCH} chances between 0 and 1", numbers[key]
        )
    return chances
