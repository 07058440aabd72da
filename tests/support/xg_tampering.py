"""Change what an `.xg` file holds and seal it again, so that only what a test means to be wrong is wrong."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

from reconcile.adapters.writers import xg_layout as at
from reconcile.adapters.writers.xg_container import archive, short_string
from reconcile.adapters.writers.xg_layout import Layout, Value, put

RECORDS = "temp.xg"


@dataclass(frozen=True, slots=True)
class Entry:
    """What the registry says of a member; a number that is None is the true one."""

    name: str
    content: bytes
    size: int | None = None
    stored_size: int | None = None
    start: int | None = None
    crc: int | None = None
    compressed: bool = True


def records_of(content: bytes) -> list[bytearray]:
    """The records of a file made by the writer."""
    thumbnail = struct.unpack_from("<I", content, 20)[0]
    blob = zlib.decompressobj().decompress(content[at.FILE_HEADER_SIZE + thumbnail :])
    return [bytearray(blob[i : i + at.RECORD_SIZE]) for i in range(0, len(blob), at.RECORD_SIZE)]


def sealed(content: bytes, records: list[bytearray]) -> bytes:
    """The file with other records, its sizes and checksums true."""
    return content[: at.FILE_HEADER_SIZE] + archive({RECORDS: b"".join(records)})


def changed(content: bytes, row: int, fields: Layout, base: int = 0, /, **values: Value) -> bytes:
    """The file with fields of one record changed."""
    records = records_of(content)
    put(records[row], fields, base, **values)
    return sealed(content, records)


def first(content: bytes, kind: int) -> int:
    """The number of the first record of a type."""
    return next(number for number, record in enumerate(records_of(content)) if record[8] == kind)


def with_registry(content: bytes, *entries: Entry, count: int | None = None, registry: bytes | None = None) -> bytes:
    """The file with members and a registry as given, the archive's own checksum and sizes true."""
    table = bytearray(at.REGISTRY_ENTRY_SIZE * len(entries))
    blobs = b""
    for number, entry in enumerate(entries):
        blob = zlib.compress(entry.content) if entry.compressed else entry.content
        put(
            table,
            at.REGISTRY_ENTRY,
            base=number * at.REGISTRY_ENTRY_SIZE,
            name=short_string(entry.name, 255),
            original_size=len(entry.content) if entry.size is None else entry.size,
            compressed_size=len(blob) if entry.stored_size is None else entry.stored_size,
            start=len(blobs) if entry.start is None else entry.start,
            crc=zlib.crc32(entry.content) if entry.crc is None else entry.crc,
            status=0 if entry.compressed else 1,
        )
        blobs += blob
    packed = zlib.compress(bytes(table) if registry is None else registry)
    body = blobs + packed
    trailer = bytearray(at.TRAILER_SIZE)
    number_of_members = len(entries) if count is None else count
    put(
        trailer,
        at.TRAILER,
        crc=zlib.crc32(body),
        file_count=number_of_members,
        version=1,
        registry_size=len(packed),
        members_size=len(blobs),
        registry_compressed=1,
    )
    return content[: at.FILE_HEADER_SIZE] + body + bytes(trailer)


def with_entry(
    content: bytes, *, size: int | None = None, stored_size: int | None = None, start: int | None = None, crc: int | None = None
) -> bytes:
    """The file with a registry that says something else of its records."""
    return with_registry(content, Entry(RECORDS, b"".join(records_of(content)), size, stored_size, start, crc))
