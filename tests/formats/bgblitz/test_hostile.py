"""Hostile `.bgf` files are refused in one line, quickly; damaged ones are in `tests/fuzz`."""

from __future__ import annotations

import gzip
import time
import zlib

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import read_match
from reconcile.formats.bgblitz.container import LARGEST_PAYLOAD
from tests.support.small_bgf import match, written

HEADER = b'{"format":"BGF","version":"1.0","compress":true,"useSmile":true}\n'
SLOWEST = 2.0


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b":)\n\x01",
        b"[]",
        b'{"games":',
        b'{"a":' * 100_000,
        b"[" * 100_000,
        b"{" + b'"a":[],' * 500_000,
        b'{"matchlen": ' + b"9" * 100_000 + b"}",
        b":)\n\x01" + b"\xfa" * 1000,
        b":)\n\x01\xfa\x80a\xf8" + b"\xc0" * 1_000_000 + b"\xf9\xfb",
        gzip.compress(b":)\n\x01\xfa\x80a\xf8" + b"\xf8\xf9" * 6_000_000),
        gzip.compress(b"\0" * (LARGEST_PAYLOAD + 10)),
        zlib.compress(b"\0" * 100),
        gzip.compress(b":)\n\x01\xfa\xfb")[:-4],
    ],
    ids=range(14),
)
def test_hostile_payload_is_refused(payload: bytes) -> None:
    started = time.process_time()
    with pytest.raises(UnreadableFile) as caught:
        read_match("hostile.bgf", HEADER + payload)
    assert time.process_time() - started < SLOWEST
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("line", [b"{}", b'{"format": "XYZ"}', b'{"format"', b'{"format": "BGF"' + b" " * 10_000 + b"}"])
def test_other_first_line_is_refused(line: bytes) -> None:
    with pytest.raises(UnreadableFile, match=r"\.bgf|BGBlitz"):
        read_match("hostile.bgf", line + b"\n" + written(match()).partition(b"\n")[2])
