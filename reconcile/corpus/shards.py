"""Shards: the rows of some matches in a table, as Parquet files that are never changed.

The manifest of an archive lists its shards. Every file states what made it and what its columns
mean, under keys that begin with `reconcile.`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import file_digest
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.parquet as pq

from reconcile.corpus.settings import Settings
from reconcile.corpus.tables import described
from reconcile.files.inputs import open_regular
from reconcile.version import __version__

if TYPE_CHECKING:
    import duckdb

UNITS: Final = (
    "equities and errors: EMG, in the decider's view; losses of match winning chance: "
    "percentage points; PR: 500 errors a decision; chances: 0 to 1"
)
SUFFIX: Final = ".parquet"
UNFINISHED: Final = ".unfinished"
DIGITS: Final = 32
"""Of a SHA-256 in the name of a file."""
SHARD: Final = re.compile(rf"[0-9a-f]{{{DIGITS}}}{re.escape(SUFFIX)}")
ROW_GROUP: Final = 1 << 16
"""Rows that are in memory at once, of whoever writes or reads a file."""
PAGE: Final = 1 << 18
"""Bytes of a column that whoever reads a file has in memory at once, of each column."""


def write_shard(
    path: Path,
    name: str,
    schema: pa.Schema,
    pieces: Iterable[pa.Table],
    settings: Settings,
    **more: str,
) -> str:
    """Write rows of a table to a file, which says what it is; its SHA-256. Raises `OSError`.

    Small pieces share a row group, since engines read large ones at full speed.
    """
    # A dictionary of numbers costs time and saves nothing; what describes 100 columns is soon
    # larger than the rows of a few matches.
    texts = [field.name for field in schema if pa.types.is_string(field.type)]
    brief = {"use_dictionary": texts, "store_schema": False, "write_statistics": False}
    brief |= {"compression": "zstd", "data_page_size": PAGE}
    stated = {
        "table": name,
        "version": __version__,
        "rules": ",".join(settings.rules),
        "units": UNITS,
        "columns": json.dumps(described(schema), ensure_ascii=False),
        "licence": settings.licence,
        **more,
    }
    with pq.ParquetWriter(path, schema, **brief) as file:
        file.add_key_value_metadata(
            {f"reconcile.{key}": text for key, text in stated.items() if text}
        )
        for rows in _in_groups(pieces):
            columns = rows.select(schema.names).columns
            file.write_table(pa.table(columns, schema=schema), row_group_size=ROW_GROUP)
    with path.open("rb+") as written:
        os.fsync(written.fileno())
        return file_digest(written, "sha256").hexdigest()


def _in_groups(pieces: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The pieces, joined until they are large enough for a row group."""
    waiting: list[pa.Table] = []
    for piece in pieces:
        waiting.append(piece)
        if sum(map(len, waiting)) >= ROW_GROUP:
            yield pa.concat_tables(waiting)
            waiting.clear()
    if waiting:
        yield pa.concat_tables(waiting)


def literal(path: str) -> str:
    """A path as a pattern of DuckDB that matches nothing else."""
    return re.sub(r"[\[*?]", r"[\g<0>]", path)


def view_of(database: duckdb.DuckDBPyConnection, name: str, paths: Sequence[Path]) -> None:
    """Create a view of the rows of these files, in their order."""
    rows = database.read_parquet([literal(str(path)) for path in paths], hive_partitioning=False)
    rows.create_view(name)


def digest_of(path: Path) -> str:
    """The SHA-256 of a file; empty for what cannot be read, or is no regular file."""
    try:
        with open_regular(path) as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def put(path: Path, target: Path) -> None:
    """Put a file in a place that is ours, whatever is there."""
    if target.is_dir():
        remove(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    path.replace(target)


def remove(path: Path) -> None:
    """Remove what is in the place of a file of ours, whatever it is."""
    if path.is_dir() and not path.is_symlink():
        rmtree(path)
    else:
        path.unlink(missing_ok=True)
