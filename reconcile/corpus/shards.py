"""Shards: the rows of some matches in one table, a Parquet file that is named by its content and never changed.

A shard lies in a folder named after what is in it, `decisions/tool=xg/year=2024/DIGEST.parquet`, which other engines know as a Hive
partition: one that is asked for one tool or year reads only its folders, and a cluster shares the files out. What the folders are named
after is not in the files. Which shards are of an archive, its list of tables says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reconcile.corpus.tables import IDS
from reconcile.match.tools import TOOLS

KEYS: Final = ("tool", "year")
SHARDED: Final = ("players", "games", "questions", "decisions")
"""The tables that grow with the matches; the others are made again when something is new."""
OTHER: Final = "other"
UNKNOWN: Final = "__HIVE_DEFAULT_PARTITION__"
"""What engines read as null."""
YEARS: Final = range(1970, 2100)
"""A file may state any year; a match of another one is a match without a date."""
SUFFIX: Final = ".parquet"
DIGITS: Final = 32
"""Of a file's SHA-256 in its name."""
NUMBERS: Final = 1 << 22
"""In a row group: a table of many columns has fewer rows in one, so that each needs the same memory."""


def folder_of(keys: Sequence[str], tool: str = OTHER, year: int = 0) -> str:
    """The folder of the rows of such a match; empty without keys."""
    known = TOOLS[tool].key if tool in TOOLS else OTHER
    values = {"tool": known, "year": str(year) if year in YEARS else UNKNOWN}
    return "/".join(f"{key}={values[key]}" for key in keys)


def shards_of(
    matches: pa.Table, tables: Mapping[str, pa.Table], keys: Sequence[str]
) -> Iterator[tuple[str, bytes]]:
    """Path and content of every shard of the tables that grow, by tool and year of the match; the year is that of its own file.

    `match` in `tables` is the row in `matches`; the rows of one that is not there are left out.
    """
    dates = zip(matches.column("tool").to_pylist(), matches.column("date").to_pylist(), strict=True)
    folders = [folder_of(keys, tool, date.year if date else 0) for tool, date in dates]
    names = sorted(set(folders))
    number = np.array([names.index(folder) for folder in folders], np.int64)
    ids = {name: matches.column(name).combine_chunks() for name in IDS}
    for name in SHARDED:
        rows = tables[name].combine_chunks()
        row = rows.column("match").to_numpy()
        order = np.argsort(row, kind="stable")
        order = order[row[order] >= 0]
        for at, folder in enumerate(names):
            own = order if len(names) == 1 else order[number[row[order]] == at]
            if len(own):
                here = (
                    rows
                    if len(own) == len(rows) and (np.diff(own) == 1).all()
                    else rows.take(pa.array(own))
                )
                yield shard(name, folder, _identified(here, row[own], ids))


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


def shard(table: str, folder: str, rows: pa.Table) -> tuple[str, bytes]:
    """Path and content of the shard of these rows."""
    # A dictionary of numbers costs time and saves nothing.
    texts = [
        field.name
        for field in rows.schema
        if pa.types.is_string(field.type) or pa.types.is_dictionary(field.type)
    ]
    sink = pa.BufferOutputStream()
    group = max(1, NUMBERS // rows.num_columns)
    # What describes 100 columns is soon larger than the rows of a few matches.
    brief: dict[str, Any] = {"store_schema": False, "write_statistics": False}
    pq.write_table(
        rows, sink, row_group_size=group, compression="zstd", use_dictionary=texts, **brief
    )
    content = bytes(sink.getvalue())
    return "/".join(
        filter(None, (table, folder, f"{sha256(content).hexdigest()[:DIGITS]}{SUFFIX}"))
    ), content
