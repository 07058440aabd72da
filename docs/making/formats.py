"""The tables of the .xg records as the program reads and writes them, from its own source."""

from __future__ import annotations

from docs.making.markdown import code, heading, page, prose, table
from reconcile.formats.xg import records

RECORDS = ("match-header", "game-header", "cube", "move", "game-footer")
"""The records that are described."""


def records_page() -> str:
    """Every field of every record."""
    parts = [
        "The fields of the records of an [`.xg` file](xg.md), as the program reads them and as it "
        f"writes them in synthetic files. Every record has {records.RECORD_SIZE} bytes and its "
        f"type at offset {records.TYPE_OFFSET}. Numbers are little-endian; a type is named as in "
        "NumPy, with the number of its bits.",
    ]
    for name in RECORDS:
        parts += [heading(2, name.replace("-", " ").capitalize(), name), _record(name)]
    parts += [heading(2, "Levels", "levels"), _levels(), heading(2, "Sizes", "sizes"), _sizes()]
    return page("Records of the .xg format", *parts)


def _record(name: str) -> str:
    """One record of temp.xg as a table."""
    rows = []
    for field, form, offset, meaning in records.FIELDS[name.upper().replace("-", "_")]:
        kind = records.numpy_type(form)
        shape = "".join(f"{length} × " for length in kind.shape)
        base = kind.base.name if kind.base.kind in "iuf" else "bytes"
        rows.append((offset, kind.itemsize, f"{shape}{base}", code(field), prose(meaning)))
    return table(["offset", "bytes", "type", "field", "meaning"], rows, "rrlll")


def _levels() -> str:
    """XG's level codes."""
    rows = (
        (code, level.label, "–" if level.lookahead is None else f"{level.lookahead:g}")
        for code, level in records.LEVELS.items()
    )
    return table(["code", "level", "plies looked ahead"], rows, "rlr")


def _sizes() -> str:
    """The sizes of the container's parts."""
    start = f"signature {code(records.MAGIC.decode())}, version, size, thumbnail"
    rows = [
        ("header", records.HEADER_SIZE, start),
        ("registry entry", records.ENTRY.size, "one per member"),
        ("trailer", records.TRAILER.size, "at the end of the file"),
        ("record of `temp.xg`", records.RECORD_SIZE, f"type at byte {records.TYPE_OFFSET}"),
    ]
    return table(["part", "bytes", "holds"], rows, "lrl")
