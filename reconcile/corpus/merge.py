"""Merging: small parts of an archive become one, so that a table is a few files that engines read at full speed.

The new part is written before the old ones are removed. After a kill in between both are there,
and the next run removes what no file needs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from reconcile.corpus.parts import COMPRESSED, HEAD, SUFFIX, Part, remove
from reconcile.corpus.shards import DIGITS, NUMBERS, SHARDED, writer
from reconcile.corpus.shards import SUFFIX as SHARD
from reconcile.files.output import write

MOST_SMALL: Final = 8
"""Small parts that stay as they are."""
SMALL: Final = 32 << 20
"""Bytes of the largest shard of a part that is rewritten."""
ENOUGH: Final = 64 << 20
"""Bytes of a shard to which nothing is added."""
LARGEST: Final = "decisions/"


def groups(parts: Sequence[Part], place: Callable[[str], Path]) -> Iterator[list[Part]]:
    """The parts to merge with each other, in their order; none while few are small."""
    sizes = {
        part.name: sum(
            place(path).stat().st_size for path in part.shards if path.startswith(LARGEST)
        )
        for part in parts
    }
    small = [part for part in parts if sizes[part.name] <= SMALL]
    group: list[Part] = []
    size = 0
    for part in small if len(small) > MOST_SMALL else ():
        group.append(part)
        size += sizes[part.name]
        if size > ENOUGH:
            yield group
            group, size = [], 0
    if len(group) > 1:
        yield group


def merge(
    kept: Path,
    parts: Sequence[Part],
    place: Callable[[str], Path],
    settings: str,
    rules: Sequence[str],
    wanted: Sequence[bool] | None = None,
) -> str:
    """Write a part that has what these have, and remove them; its file name.

    `wanted` says of each content, in the order of the parts, whether it stays; by default all do.
    """
    streams = [pa.ipc.open_stream((kept / part.name).read_bytes()) for part in parts]
    heads = [json.loads(stream.schema.metadata[HEAD]) for stream in streams]
    entries = [entry for head in heads for entry in head["entries"]]
    rows, sink = pa.concat_tables(stream.read_all() for stream in streams), pa.BufferOutputStream()
    numbers = None
    if wanted is not None:
        matches = np.repeat(np.array(wanted, bool), [entry[1] for entry in entries])
        entries = [entry for entry, stays in zip(entries, wanted, strict=True) if stays]
        rows = rows.filter(pa.array(matches))
        numbers = rows.column("match")
    shards: dict[str, str] = {}
    for table in SHARDED:
        paths = [path for part in parts for path in part.shards if path.startswith(f"{table}/")]
        if paths:
            shards |= _shard(kept, table, list(map(place, paths)), rules, numbers)
    head = json.dumps({"entries": entries, "shards": shards}).encode()
    schema = rows.schema.with_metadata({HEAD: head})
    with pa.ipc.new_stream(sink, schema, options=COMPRESSED) as stream:
        stream.write_table(rows.replace_schema_metadata(schema.metadata))
    content = bytes(sink.getvalue())
    name = f"{settings}-{sha256(content).hexdigest()[:DIGITS]}{SUFFIX}"
    write(str(kept / name), content)
    for part in parts:
        remove(kept / part.name)
    return name


def _shard(
    kept: Path,
    table: str,
    paths: list[Path],
    rules: Sequence[str],
    matches: pa.ChunkedArray | None,
) -> dict[str, str]:
    """The rows of some shards in one, which waits beside the parts; its SHA-256 by its path."""
    (kept / table).mkdir(exist_ok=True)
    temporary = kept / table / ".merging"
    schema = pq.ParquetFile(paths[0]).schema_arrow
    most = max(1, NUMBERS // len(schema))
    with writer(table, temporary, schema, rules) as file:
        waiting: list[pa.Table] = []
        for path in paths:
            rows = pq.ParquetFile(path).read().cast(schema)
            if matches is not None:
                rows = rows.filter(pc.is_in(rows.column("match"), value_set=matches))
            waiting.append(rows)
            if sum(map(len, waiting)) >= most:
                file.write_table(pa.concat_tables(waiting), row_group_size=most)
                waiting.clear()
        if waiting:
            file.write_table(pa.concat_tables(waiting), row_group_size=most)
    with temporary.open("rb") as content:
        digest = file_digest(content, "sha256").hexdigest()
    name = f"{table}/{digest[:DIGITS]}{SHARD}"
    temporary.replace(kept / name)
    return {name: digest}
