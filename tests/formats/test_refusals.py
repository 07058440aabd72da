"""Damaged containers and payloads and cut files, a table for all formats: refused in one line.

What is wrong with a value in a file is in `cases/`, files beyond a limit and bytes at random in
`tests/fuzz`.
"""

from __future__ import annotations

import gzip
import json
import struct
import zlib
from functools import partial
from typing import Any

import pytest

from reconcile.files.limits import LARGEST_JSON
from reconcile.formats import read_match
from reconcile.formats.bgblitz.container import LARGEST_PAYLOAD
from reconcile.formats.xg import records as at
from reconcile.formats.xg.container import HEADER_SIZE, TRAILER
from reconcile.scoring.statistics import statistics
from tests.formats.facts import PAGES, assert_refused
from tests.formats.kept_analysis import DOCUMENT
from tests.support import ogxm, small_bgf
from tests.support.small_files import CONTENT, USUAL
from tests.support.small_transcripts import SHORT
from tests.support.xg_tampering import (
    RECORDS,
    Entry,
    changed,
    records_of,
    sealed,
    with_entry,
    with_registry,
)

SOUND = records_of(CONTENT)
SIGNALLING = changed(CONTENT, 4, at.CUBE_LAYOUT, double_take=123.25)


def trailer(offset: int, form: str, value: int) -> bytes:
    """The archive with another number in its trailer."""
    tampered = bytearray(CONTENT)
    struct.pack_into("<" + form, tampered, len(CONTENT) - TRAILER.size + offset, value)
    return bytes(tampered)


XG = {
    **{
        f"the first {size} bytes": CONTENT[:size]
        for size in (4, HEADER_SIZE, len(CONTENT) // 2, -1)
    },
    "another checksum": with_entry(CONTENT, crc=0),
    "beyond the archive": with_entry(CONTENT, start=10**6),
    "before the archive": with_entry(CONTENT, start=-1),
    "negative size": with_entry(CONTENT, size=-2560),
    "negative stored size": with_entry(CONTENT, stored_size=-1),
    "stored beyond the archive": with_entry(CONTENT, stored_size=2**31 - 1),
    "2 GB": with_entry(CONTENT, size=2**31 - 1),
    "200 MB that are none": with_entry(CONTENT, size=200 * 2**20),
    "inflates beyond its size": with_entry(CONTENT, size=2560),
    "no match header": sealed(CONTENT, SOUND[1:]),
    "no game": sealed(CONTENT, SOUND[:1]),
    "no record": sealed(CONTENT, []),
    "a play before the first game": sealed(CONTENT, [SOUND[0], *SOUND[2:]]),
    "half a record": sealed(CONTENT, [bytearray(1280)]),
    "a byte more": CONTENT + b"\0",
    "a byte changed": CONTENT[:9000] + bytes([CONTENT[9000] ^ 1]) + CONTENT[9001:],
    "thumbnail beyond the file": CONTENT[:20] + b"\xff" * 4 + CONTENT[24:],
    "archive version": trailer(8, "i", 2),
    "no members": trailer(4, "i", 0),
    "2^31-1 members": trailer(4, "i", 2**31 - 1),
    "negative registry": trailer(12, "i", -1),
    "registry beyond the file": trailer(12, "i", 2**31 - 1),
    "archive checksum": trailer(0, "I", 0),
}
SAID = {
    # NumPy warns where it is converted, and a warning is an error in these tests.
    "expected equities of at most 1000": sealed(
        CONTENT,
        [
            bytearray(record.replace(struct.pack("<f", 123.25), b"\x01\x00\x80\x7f"))
            for record in records_of(SIGNALLING)
        ],
    ),
    "header version 1": CONTENT[:4] + b"\2" + CONTENT[5:],
    "of 0 bytes": CONTENT[:8] + bytes(4) + CONTENT[12:],
    "has 2560 bytes, found 100": with_registry(
        CONTENT, Entry(RECORDS, b"\x07" * 100, size=2560, compressed=False)
    ),
    "expected the member temp.xg, found temp.xgi": with_registry(CONTENT, Entry("temp.xgi", b"x")),
    "expected a registry of": with_registry(CONTENT, Entry(RECORDS, b""), count=2),
}
"""By what the line says."""
HEADER = b'{"format":"BGF","version":"1.0","compress":true,"useSmile":true}\n'
PAYLOADS = (
    b"",
    b":)\n\x01",
    b"[]",
    b'{"games":',
    b'{"a":' * 100_000,
    b"[" * 100_000,
    b"{" + b'"a":[],' * 500_000,
    b":)\n\x01" + b"\xfa" * 1000,
    b'{"matchlen": ' + b"9" * 100_000 + b"}",
    b":)\n\x01\xfa\x80a\xf8" + b"\xc0" * 1_000_000 + b"\xf9\xfb",
    zlib.compress(b"\0" * 100),
    gzip.compress(b":)\n\x01\xfa\x80a\xf8" + b"\xf8\xf9" * 500_000),
    gzip.compress(b"\0" * (LARGEST_PAYLOAD + 10)),
    gzip.compress(b":)\n\x01\xfa\xfb")[:-4],
)
LINES = (b"{}", b'{"format": "XYZ"}', b'{"format"', b'{"format": "BGF"' + b" " * 10_000 + b"}")
KEPT = b'{"analysis_version":'
DAMAGED: tuple[tuple[bytes, str], ...] = (
    *((content, "expected") for content in XG.values()),
    *((content, words) for words, content in SAID.items()),
    *((HEADER + payload, "expected") for payload in PAYLOADS),
    *(
        (line + small_bgf.written(small_bgf.match())[len(HEADER) - 1 :], "BGBlitz")
        for line in LINES
    ),
    (json.dumps(DOCUMENT)[:200].encode(), "not JSON to its end"),
    (KEPT + b"[" * 100_000, "not JSON to its end"),
    (KEPT + b" " * LARGEST_JSON, "found more"),
    (b"", "found an empty file; fetch or export it again"),
    (b"\0 \t\r\n", "found only blanks; fetch or export it again"),
    (b"()", "expected an XG match (.xg)"),
    (b"hello", "expected an XG match (.xg)"),
)


@pytest.mark.parametrize(
    ("content", "words"), DAMAGED, ids=[*XG, *SAID, *range(len(DAMAGED) - len(XG) - len(SAID))]
)
def test_damaged_container_is_refused_in_one_line(content: bytes, words: str) -> None:
    assert_refused(lambda: statistics(read_match("case.any", content)), words)


@ogxm.needs_ogxm
@pytest.mark.parametrize("size", [5, 17, 200, -1])
def test_cut_document_is_refused_in_one_line(size: int) -> None:
    assert_refused(
        partial(read_match, "case.ogxm", ogxm.encode(ogxm.small())[:size]), "damaged OGXM"
    )


@pytest.mark.parametrize("text", [USUAL, PAGES, SHORT, CONTENT], ids=range(4))
def test_what_was_damaged_is_read_when_whole(text: Any) -> None:
    match = read_match("whole", text if isinstance(text, bytes) else text.encode())
    assert "damaged-value" not in [note.code for note in match.notes]
    assert len(match.plays)
