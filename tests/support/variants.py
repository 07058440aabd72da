"""Matches in any number that are no duplicates of each other: real ones, or the bundled, with other
dice thrown here and there.

The plays and the analysis stay, so some plays no longer fit their dice; what matters here is that
the files are as large and as much work as real ones.
"""

import random
import re
import struct
from collections.abc import Mapping

from reconcile.formats.xg.records import MATCH_HEADER_LAYOUT, RECORD_SIZE, Value
from tests.support.xg_tampering import RECORDS, members_of, with_members
from tests.support.xg_writer import put

ENDS = "temp.xgi"
"""The member with the first and the last record again."""
MOVE = 3
DICE = 100
THROWN = re.compile(rb";[WB]\[([1-6]{2})(?=[a-y])")


def variant(
    content: bytes, seed: int, changes: int = 6, header: Mapping[str, Value] | None = None
) -> bytes:
    """An `.xg` or SGF file with the dice of some of its rolls changed; `header` has fields of an
    `.xg` file's match header that are others."""
    draw = random.Random(seed)
    if content.startswith(b"RGMH"):
        return _xg(content, draw, changes, header or {})
    return _sgf(content, draw, changes)


def _dice(draw: random.Random) -> tuple[int, int]:
    return draw.randint(1, 6), draw.randint(1, 6)


def _xg(content: bytes, draw: random.Random, changes: int, header: Mapping[str, Value]) -> bytes:
    members = {name: bytearray(blob) for name, blob in members_of(content).items()}
    records = members[RECORDS]
    for name in (RECORDS, ENDS):
        put(members[name], MATCH_HEADER_LAYOUT, **header)
    moves = [start for start in range(0, len(records), RECORD_SIZE) if records[start + 8] == MOVE]
    for start in draw.sample(moves, min(changes, len(moves))):
        struct.pack_into("<2i", records, start + DICE, *_dice(draw))
    return with_members(content, {name: bytes(blob) for name, blob in members.items()})


def _sgf(content: bytes, draw: random.Random, changes: int) -> bytes:
    places = [match.start(1) for match in THROWN.finditer(content)]
    changed_bytes = bytearray(content)
    for start in draw.sample(places, min(changes, len(places))):
        changed_bytes[start : start + 2] = "{}{}".format(*_dice(draw)).encode()
    return bytes(changed_bytes)
