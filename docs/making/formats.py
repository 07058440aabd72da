"""The tables of the .xg records as the program reads them, from its own source."""

from __future__ import annotations

import inspect
import re
from typing import Any, Final

import numpy as np

from docs.making.markdown import code, prose, table
from reconcile.adapters.mat import game as mat_game
from reconcile.adapters.xg import container, records

FIELD: Final = re.compile(r'^    \("(?P<name>\w+)",.*?\),(?:\s*#\s*(?P<meaning>.*))?$')
TABLE: Final = re.compile(r"^(?P<name>[A-Z_]+): Final = _(?:table|form|numbers)\($")
KINDS: Final = {"i": "signed integer", "u": "unsigned integer", "f": "float", "S": "bytes", "V": "bytes"}
TYPES: Final = {"i": "<i4", "B": "u1", "d": "<f8"}
"""Types of `struct` as NumPy's."""

Field = tuple[str, Any, int, str]
"""Name, type of NumPy, offset, meaning."""


def meanings() -> dict[str, dict[str, str]]:
    """Table -> field -> the comment after it in the source."""
    found: dict[str, dict[str, str]] = {}
    current: dict[str, str] = {}
    for line in inspect.getsource(records).splitlines():
        if start := TABLE.match(line):
            current = found.setdefault(start["name"], {})
        elif field := FIELD.match(line):
            current[field["name"]] = field["meaning"] or ""
    return found


def fields(name: str, column: int = 0) -> list[Field]:
    """The fields of one table of the source; `column` selects the kind of record if a table has several."""
    layout: Any = getattr(records, name)
    said = meanings()[name]
    if isinstance(layout, records.Form):
        listed = [(field, np.dtype(TYPES.get(kind, f"S{kind[:-1]}")), offset) for field, kind, offset in layout.fields]
    elif isinstance(layout, records.Numbers):
        offsets = layout.columns[:, min(column, layout.columns.shape[1] - 1)] * layout.type.itemsize
        listed = [(field, layout.type, offset) for field, offset in zip(layout.names, offsets.tolist(), strict=True)]
    else:
        listed = [(field, *layout.fields[field][:2]) for field in layout.names]
    return [(field, kind, offset, said[field]) for field, kind, offset in listed]


def record_fields(name: str) -> list[Field]:
    """The fields of a record that the program reads, by offset."""
    found = [field for table_name, column in RECORDS[name] for field in fields(table_name, column)]
    if name == "cube":
        (response,) = fields("DECISION_ERRORS", 2)
        found.append(("error_response", *response[1:]))
    return sorted(found, key=lambda field: field[2])


def layout(name: str) -> np.dtype[np.void]:
    """A record as one table of NumPy."""
    names, kinds, offsets, _ = zip(*record_fields(name), strict=True)
    return np.dtype({"names": names, "formats": kinds, "offsets": offsets, "itemsize": records.RECORD_SIZE})


RECORDS: Final[dict[str, tuple[tuple[str, int], ...]]] = {
    "match-header": (("MATCH_HEADER_FIELDS", 0),),
    "game-header": (("GAME_HEADER_FIELDS", 0),),
    "cube": (("CUBE_FIELDS", 0), ("DECISION_NUMBERS", 1), ("DECISION_ERRORS", 1), ("CUBE_EQUITIES", 0)),
    "move": (("MOVE_FIELDS", 0), ("DECISION_NUMBERS", 0), ("DECISION_ERRORS", 0), ("MOVE_NUMBERS", 0)),
    "game-footer": (("GAME_FOOTER_FIELDS", 0),),
}
"""The tables of the source, and the columns in them, that make up a record."""


def record(name: str) -> str:
    """One record of temp.xg as a table."""
    rows = ((offset, kind.itemsize, type_of(kind), code(field), prose(said)) for field, kind, offset, said in record_fields(name))
    return table(["offset", "bytes", "type", "field", "meaning"], rows, "rrlll")


def type_of(kind: Any) -> str:
    """A NumPy type in words."""
    base, shape = kind.subdtype or (kind, ())
    word = KINDS[base.kind]
    text = f"{8 * base.itemsize}-bit {word}" if base.kind in "iuf" else word
    return f"{' × '.join(map(str, shape))} × {text}" if shape else text


def levels() -> str:
    """XG's level codes."""
    rows = ((number, label, "–" if plies is None else f"{plies:g}") for number, (label, plies) in sorted(records.LEVELS.items()))
    return table(["code", "level", "plies looked ahead"], rows, "rlr")


def sizes() -> str:
    """The sizes of the container's parts."""
    rows = [
        ("header", container.HEADER_SIZE, f"signature {code(container.MAGIC.decode())}, version, size, thumbnail"),
        ("registry entry", container.ENTRY.size, "one per member"),
        ("trailer", container.TRAILER.size, "at the end of the file"),
        ("record of `temp.xg`", records.RECORD_SIZE, f"type at byte {records.TYPE_OFFSET}"),
    ]
    return table(["part", "bytes", "holds"], rows, "lrl")


def variations() -> str:
    """The variations that a transcript can name."""
    return ", ".join(code(name) for name in mat_game.STARTS)
