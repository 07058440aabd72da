"""Shards: the rows of some matches in one table, a Parquet file that is named by its content and never changed.

Which shards are of an archive, its list of tables says. Every file states what made it and what its
columns mean, under keys that begin with `reconcile.`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reconcile.corpus.tables import IDS, schemas
from reconcile.version import __version__

SHARDED: Final = ("players", "games", "questions", "decisions")
"""The tables that grow with the matches; the others are made again when something is new."""
UNITS: Final = (
    "equities and errors: EMG, in the decider's view; losses of match winning chance: percentage points; "
    "PR: 500 errors a decision; chances: 0 to 1"
)
SUFFIX: Final = ".parquet"
DIGITS: Final = 32
"""Of a file's SHA-256 in its name."""
NUMBERS: Final = 1 << 22
"""In a row group: a table of many columns has fewer rows in one, so that each needs the same memory."""


def described(table: str, rules: Sequence[str]) -> dict[str, str]:
    """The metadata of every file of a table."""
    columns = {
        field.name: field.metadata[b"description"].decode() for field in schemas(rules)[table]
    }
    return {
        "reconcile.table": table,
        "reconcile.version": __version__,
        "reconcile.rules": ",".join(rules),
        "reconcile.units": UNITS,
        "reconcile.licence": "not stated: that of the matches",
        "reconcile.columns": json.dumps(columns, ensure_ascii=False),
    }


def shards_of(
    matches: pa.Table, tables: Mapping[str, pa.Table], rules: Sequence[str]
) -> Iterator[tuple[str, bytes]]:
    """Path and content of the shard of every table that grows.

    `match` in `tables` is the row in `matches`; the rows of one that is not there are left out.
    """
    ids = {name: matches.column(name).combine_chunks() for name in IDS}
    for name in SHARDED:
        rows = tables[name].combine_chunks()
        row = rows.column("match").to_numpy()
        order = np.argsort(row, kind="stable")
        order = order[row[order] >= 0]
        if len(order):
            yield shard(name, _identified(rows.take(pa.array(order)), row[order], ids), rules)


def _identified(rows: pa.Table, row: Any, ids: Mapping[str, pa.Array]) -> pa.Table:
    """Rows with the ids of their matches in place of their number; a text is stored once for each match."""
    own, index = np.unique(row, return_inverse=True)
    rows = rows.drop_columns("match")
    for place, (name, values) in enumerate(ids.items()):
        column = values.take(pa.array(own))
        if (
            name != "match"
        ):  # of what is in a dictionary twice Parquet's writer stores the length twice, with whatever the memory holds
            column = column.dictionary_encode()
        column = column.take(pa.array(index))
        rows = rows.add_column(place, name, column)
    return rows


def shard(table: str, rows: pa.Table, rules: Sequence[str]) -> tuple[str, bytes]:
    """Path and content of the shard of these rows."""
    sink = pa.BufferOutputStream()
    with writer(table, sink, rows.schema, rules) as file:
        file.write_table(rows, row_group_size=max(1, NUMBERS // rows.num_columns))
    content = bytes(sink.getvalue())
    return f"{table}/{sha256(content).hexdigest()[:DIGITS]}{SUFFIX}", content


def writer(table: str, sink: Any, schema: pa.Schema, rules: Sequence[str]) -> pq.ParquetWriter:
    """What writes a file of a table, with its metadata."""
    # A dictionary of numbers costs time and saves nothing.
    texts = [
        field.name
        for field in schema
        if pa.types.is_string(field.type) or pa.types.is_dictionary(field.type)
    ]
    # What describes 100 columns is soon larger than the rows of a few matches.
    brief: dict[str, Any] = {"store_schema": False, "write_statistics": False}
    file = pq.ParquetWriter(sink, schema, compression="zstd", use_dictionary=texts, **brief)
    file.add_key_value_metadata(described(table, rules))
    return file
