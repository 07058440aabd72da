"""The tables of the .xg records as the program reads and writes them, from its own source."""

from __future__ import annotations

from typing import Any, Final

from docs.making.markdown import code, heading, page, prose, table
from reconcile.formats.xg import container, records
from reconcile.match.board.position import STARTS

KINDS: Final = {
    "i": "signed integer",
    "u": "unsigned integer",
    "f": "float",
    "S": "bytes",
    "V": "bytes",
}
Field = tuple[str, Any, int, str]
"""Name, type of NumPy, offset, meaning."""


RECORDS: Final = ("match-header", "game-header", "cube", "move", "game-footer")
"""The records that are described."""


def record_fields(name: str) -> list[Field]:
    """The fields of a record, by offset."""
    fields = records.FIELDS[name.upper().replace("-", "_")]
    return [
        (field, records.numpy_type(form), offset, meaning)
        for field, form, offset, meaning in fields
    ]


def record(name: str) -> str:
    """One record of temp.xg as a table."""
    rows = (
        (offset, kind.itemsize, type_of(kind), code(field), prose(words))
        for field, kind, offset, words in record_fields(name)
    )
    return table(["offset", "bytes", "type", "field", "meaning"], rows, "rrlll")


def records_page() -> str:
    """Every field of every record."""
    parts = [
        "The fields of the records of an [`.xg` file](xg.md), as the program reads them and as it "
        f"writes them in synthetic files. Every record has {records.RECORD_SIZE} bytes and its "
        f"type at offset {records.TYPE_OFFSET}.",
    ]
    for name in RECORDS:
        parts += [heading(2, name.replace("-", " ").capitalize(), name), record(name)]
    return page("Records of the .xg format", *parts)


def type_of(kind: Any) -> str:
    """A NumPy type in words."""
    base, shape = kind.subdtype or (kind, ())
    word = KINDS[base.kind]
    text = f"{8 * base.itemsize}-bit {word}" if base.kind in "iuf" else word
    return f"{' × '.join(map(str, shape))} × {text}" if shape else text


def levels() -> str:
    """XG's level codes."""
    rows = (
        (code, level.label, "–" if level.lookahead is None else f"{level.lookahead:g}")
        for code, level in records.LEVELS.items()
    )
    return table(["code", "level", "plies looked ahead"], rows, "rlr")


def sizes() -> str:
    """The sizes of the container's parts."""
    rows = [
        (
            "header",
            container.HEADER_SIZE,
            f"signature {code(container.MAGIC.decode())}, version, size, thumbnail",
        ),
        ("registry entry", container.ENTRY.size, "one per member"),
        ("trailer", container.TRAILER.size, "at the end of the file"),
        ("record of `temp.xg`", records.RECORD_SIZE, f"type at byte {records.TYPE_OFFSET}"),
    ]
    return table(["part", "bytes", "holds"], rows, "lrl")


def variations() -> str:
    """The variations that a transcript can name."""
    return ", ".join(code(name) for name in STARTS)
