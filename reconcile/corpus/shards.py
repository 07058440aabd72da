"""Shards: the rows of some matches in one table, a Parquet file that is named by its content and never changed.

A shard lies in a folder named after what is in it, `decisions/tool=xg/year=2024/DIGEST.parquet`, which other engines know as a Hive
partition: one that is asked for one tool or year reads only its folders, and a cluster shares the files out. What the folders are named
after is not in the files. Which shards are of an archive, its list of tables says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reconcile.corpus.identity import copied
from reconcile.match.columns import Ints
from reconcile.match.tools import TOOLS

KEYS: Final = ("tool", "year")
SHARDED: Final = ("players", "games", "questions", "decisions")
"""The tables that grow with the matches; those of matches and files are made again when something is new."""
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

Tables = Mapping[str, pa.Table]
Shards = dict[str, bytes]
"""By path below the folder of the archive."""


def folder_of(keys: Sequence[str], tool: str = OTHER, year: int = 0) -> str:
    """The folder of the rows of such a match; empty without keys."""
    known = TOOLS[tool].key if tool in TOOLS else OTHER
    values = {"tool": known, "year": str(year) if year in YEARS else UNKNOWN}
    return "/".join(f"{key}={values[key]}" for key in keys)


def shards_of(tables: Tables, schemas: Mapping[str, pa.Schema], keys: Sequence[str]) -> Shards:
    """The rows of the tables that grow, by tool and year of their match in `matches`; the year is that of its own file."""
    matches = tables["matches"]
    dates = matches.column("date").to_pylist()
    folders = [
        folder_of(keys, tool, date.year if date else 0) for tool, date in zip(matches.column("tool").to_pylist(), dates, strict=True)
    ]
    names = sorted(set(folders))
    number = np.array([names.index(folder) for folder in folders], np.int64)
    made: Shards = {}
    for name in SHARDED:
        rows = tables[name]
        here = number[places_of(rows, matches.column("match").to_numpy())]
        for at, folder in enumerate(names):
            own = rows.filter(pa.array(here == at)) if len(names) > 1 else rows
            if own.num_rows:
                made |= shard(name, folder, own, schemas[name])
    return made


def shard(table: str, folder: str, rows: pa.Table, schema: pa.Schema) -> Shards:
    """The only shard of these rows."""
    # A dictionary of numbers that hardly repeat costs time and saves nothing.
    repeating = [field.name for field in schema if not pa.types.is_floating(field.type)]
    sink = pa.BufferOutputStream()
    group = max(1, NUMBERS // len(schema))
    # What describes 100 columns is soon larger than the rows of a few matches.
    brief: dict[str, Any] = {"store_schema": False, "write_statistics": False}
    pq.write_table(rows.cast(schema), sink, row_group_size=group, compression="zstd", use_dictionary=repeating, **brief)
    content = bytes(sink.getvalue())
    return {"/".join(filter(None, (table, folder, f"{sha256(content).hexdigest()[:DIGITS]}{SUFFIX}"))): content}


def revised(shards: Mapping[str, Path], matches: pa.Table, times: Ints, schemas: Mapping[str, pa.Schema]) -> Tables:
    """The tables of some shards, which lie there, and their `matches`, each match so many times: without rows, once or with copies."""
    base = matches.column("match").to_numpy()
    numbers = [np.array([copied(number, copy) for number in base.tolist()], np.int64) for copy in range(times.max(initial=0))]

    def repeated(rows: pa.Table) -> Iterator[pa.Table]:
        at = places_of(rows, base)
        at = np.where(base[at] == rows.column("match").to_numpy(), at, -1)  # what is -1 is a copy
        for copy, own in enumerate(numbers):
            some = np.flatnonzero((at >= 0) & (times[at] > copy))
            found = rows.take(pa.array(some))
            yield found.set_column(found.schema.get_field_index("match"), "match", pa.array(own[at[some]]))

    made: dict[str, pa.Table] = {}
    for name in ("matches", *SHARDED):
        schema = schemas[name]
        here = [pq.read_table(place, schema=schema, partitioning=None) for path, place in shards.items() if path.startswith(f"{name}/")]
        rows = matches if name == "matches" else pa.concat_tables([schema.empty_table(), *here])
        made[name] = pa.concat_tables([schema.empty_table(), *(one.cast(schema) for one in repeated(rows))]) if len(base) else rows
    return made


def places_of(rows: pa.Table, numbers: Ints) -> Ints:
    """The place in `numbers` of the match of every row; any place for a match that is not there."""
    order = np.argsort(numbers, kind="stable")
    found: Ints = np.searchsorted(numbers, rows.column("match").to_numpy(), sorter=order)
    return order[found.clip(max=len(order) - 1)] if len(order) else found
