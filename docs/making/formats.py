"""The tables of the .xg records as the program reads them, from its own source."""

from __future__ import annotations

import inspect
import re
from typing import Any, Final

from docs.making.markdown import code, prose, table
from reconcile.adapters.mat import game as mat_game
from reconcile.adapters.xg import container, records

FIELD: Final = re.compile(r'^    \("(?P<name>\w+)",.*?\),(?:\s*#\s*(?P<meaning>.*))?$')
TABLE: Final = re.compile(r"^(?P<name>[A-Z_]+_FIELDS): Final = _table\($")
KINDS: Final = {"i": "signed integer", "u": "unsigned integer", "f": "float", "S": "bytes", "V": "bytes"}


def meanings() -> dict[str, dict[str, str]]:
    """Table -> field -> what the comment behind it in the source says."""
    found: dict[str, dict[str, str]] = {}
    current: dict[str, str] = {}
    for line in inspect.getsource(records).splitlines():
        if start := TABLE.match(line):
            current = found.setdefault(start["name"], {})
        elif field := FIELD.match(line):
            current[field["name"]] = field["meaning"] or ""
    return found


def record(name: str) -> str:
    """One record of temp.xg as a table."""
    layout: Any = getattr(records, name)
    said = meanings()[name]
    rows = []
    for field in sorted(layout.names, key=lambda field: layout.fields[field][1]):
        kind, offset = layout.fields[field][:2]
        rows.append((offset, kind.itemsize, type_of(kind), code(field), prose(said[field])))
    return table(["offset", "bytes", "type", "field", "meaning"], rows, "rrlll")


def type_of(kind: Any) -> str:
    """A type of NumPy in words."""
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
    """The variations a transcript may name."""
    return ", ".join(code(name) for name in mat_game.STARTS)
