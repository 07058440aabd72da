"""Damaged `.bgf` files, in their bytes and in their values: read to the last figure or refused in one line, quickly."""

from __future__ import annotations

import gzip
import time
import zlib
from collections.abc import Iterator
from functools import cache
from math import isfinite
from random import Random
from typing import Any

import pytest

from reconcile.errors import ReconcileError, UnreadableFile
from reconcile.formats import read_match
from reconcile.formats.bgblitz import container
from reconcile.formats.bgblitz.container import LARGEST_PAYLOAD, open_bgf
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from tests.support.data import matching
from tests.support.long import long_but_first
from tests.support.small_bgf import match, written
from tests.support.smile_writer import encode

HEADER = b'{"format":"BGF","version":"1.0","compress":true,"useSmile":true}\n'
ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        "",
        "x",
        "nan",
        "1e9",
        "-0.00000000",
        "-999.00000000",
        "-999.90000000",
        "0.5",
        "9.99999999",
        "1,5",
        -1,
        0,
        1,
        2,
        7,
        25,
        64,
    ),
    *(2**31, -(2**63), 10**30, 1.5, 1e300, [], {}, [1], [[]], [1, 2, 3, 4], {"a": 1}, "\u0660.\u0661", "1.0,2.0"),
)
SLOWEST = 2.0


@cache
def seeds() -> tuple[bytes, ...]:
    """Payloads of sound files: the small file made here, and real ones."""
    contents = [written(match()), *(path.read_bytes() for path in matching("bgblitz/bgf/B4*.bgf", "bgblitz/bgf/baR*.bgf"))]
    return tuple(encode(open_bgf("seed", content)[0]) for content in contents)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with every key or index in it."""
    waiting = [value]
    while waiting:
        table = waiting.pop()
        for key, inner in table.items() if isinstance(table, dict) else enumerate(table):
            yield table, key
            if isinstance(inner, (dict, list)):
                waiting.append(inner)


def damaged(number: int) -> bytes:
    """The damaged file of a number."""
    chance = Random(number)
    payload = chance.choice(seeds())
    if chance.random() < 0.5:
        copy = container.decode(payload)
        for _ in range(chance.choice((1, 1, 2, 5))):
            found = list(places(copy))
            table, key = chance.choice(found)
            other, there = chance.choice(found)
            moved = other[there] if not isinstance(other[there], (dict, list)) else None
            table[key] = chance.choice(ODD) if chance.random() < 0.7 else moved
        return HEADER + gzip.compress(encode({key: value for key, value in copy.items() if isinstance(key, str)}), 1)
    content = bytearray(payload)
    for _ in range(chance.choice((1, 1, 2, 8))):
        at = chance.randrange(len(content) or 1)
        match chance.randrange(4):
            case 0:
                content[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                content[at : at + 1] = bytes([chance.choice(b"0123456789-.")])
            case 2:
                content[at : at + chance.choice((0, 1, 40))] = bytes([chance.choice((0xF8, 0xF9, 0xFA, 0xFB, 0x21, 0x24, 0x40, 0xC0))])
            case _:
                del content[at : at + chance.choice((1, 5, 500, 50_000))]
    return HEADER + (bytes(content) if chance.random() < 0.5 else gzip.compress(bytes(content), 1))


def survives(content: bytes) -> bool:
    """Whether the bytes were read; nothing but `ReconcileError` may come of them."""
    started = time.process_time()
    try:
        found = read_match("hostile.bgf", content)
        for rules in ("bgblitz", "xg", "gnubg"):
            computed = statistics(found, rules)
            assert all(value is None or isfinite(value) for seat in (0, 1) for value in computed.figures(seat).values())
            findings_of(computed)
        list(found.decisions())
        message = ""
    except ReconcileError as error:
        message = str(error)
    assert time.process_time() - started < SLOWEST
    assert "\n" not in message
    assert len(message) < 500
    return not message


def test_damaged_files_are_read_or_refused() -> None:
    verdicts = [survives(damaged(number)) for number in range(8)]
    assert True in verdicts
    assert False in verdicts


@pytest.mark.parametrize("start", long_but_first(range(100, 2100, 100), 0, 1))
def test_many_damaged_files_are_read_or_refused(start: int) -> None:
    assert {survives(damaged(number)) for number in range(start, start + 100)} == {True, False}


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
    with pytest.raises(UnreadableFile) as caught:
        read_match("hostile.bgf", HEADER + payload)
    assert "\n" not in str(caught.value)
    assert not survives(HEADER + payload)


@pytest.mark.parametrize("line", [b"{}", b'{"format": "XYZ"}', b'{"format"', b'{"format": "BGF"' + b" " * 10_000 + b"}"])
def test_other_first_line_is_refused(line: bytes) -> None:
    with pytest.raises(UnreadableFile, match=r"\.bgf|BGBlitz"):
        read_match("hostile.bgf", line + b"\n" + written(match()).partition(b"\n")[2])
