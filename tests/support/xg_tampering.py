"""Change what an `.xg` file holds and seal it again, so that only what a test means to be wrong is
wrong."""

from itertools import starmap

from reconcile.formats.xg import records as at
from reconcile.formats.xg.records import HEADER, HEADER_SIZE, open_archive
from tests.support.xg_writer import Entry, archive, put

RECORDS = "temp.xg"


def members_of(content: bytes) -> dict[str, bytes]:
    """The members of a file by their names, inflated."""
    opened = open_archive(content)
    return {name: bytes(opened.read(name)) for name in opened.members}


def with_members(content: bytes, members: dict[str, bytes]) -> bytes:
    """The file with other members, its sizes and checksums true: what the container cannot
    notice."""
    thumbnail = HEADER.unpack_from(content)[-1]
    return content[: HEADER_SIZE + thumbnail] + archive(*starmap(Entry, members.items()))


def records_of(content):
    """The records of a file."""
    blob = members_of(content)[RECORDS]
    return [bytearray(blob[i : i + at.RECORD_SIZE]) for i in range(0, len(blob), at.RECORD_SIZE)]


def sealed(content, records):
    """The file with these records alone."""
    return with_members(content, {RECORDS: b"".join(records)})


def changed(content, row, fields, base=0, /, **values):
    """The file with fields of one record changed."""
    records = records_of(content)
    put(records[row], fields, base, **values)
    return sealed(content, records)


def first(content, kind):
    """The number of the first record of a type."""
    return next(number for number, record in enumerate(records_of(content)) if record[8] == kind)


def with_registry(content, *entries, **more):
    """The file with members and a registry as given, the archive's own checksum and sizes true."""
    return content[:HEADER_SIZE] + archive(*entries, **more)


def with_entry(content, **numbers):
    """The file with a registry that says something else of its records."""
    return with_registry(content, Entry(RECORDS, b"".join(records_of(content)), **numbers))
