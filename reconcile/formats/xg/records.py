"""What an `.xg` file has: the archive, the records of its member `temp.xg`, and the comments of
`temp.xgc`; all numbers are little-endian.

    offset 0            header (8232 bytes)  thumbnail   members   registry   trailer (36 bytes)

Everything declared is checked before it is used: sizes against the file, checksums against the
bytes, and no member inflates beyond the size the registry states.

A record has 2560 bytes. A table (`records.txt`) has the name of a field, its type as in `struct`
(`32*26b` is 32 rows of 26) and its offset, which is the same in every version of the file; what is
never read or written has no name. Decisions are read as columns: a field of all records is one
strided NumPy view of the bytes in place. The match and its few games are unpacked one by one.

A comment is a text in RTF a line, to which records point.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.formats.common import Damaged
from reconcile.match.board.play import Play
from reconcile.match.columns import Kind
from reconcile.match.match import Level, Note
from reconcile.match.names import unbroken
from reconcile.wording import NOTED

try:
    # libdeflate, which gets the size in advance, takes a fifth of zlib's time.
    from deflate import DeflateError, crc32, zlib_decompress
except ImportError:
    crc32, DeflateError = zlib.crc32, zlib.error  # type: ignore[assignment,misc]

    def zlib_decompress(data: Any, originalsize: int) -> bytearray:
        """The content of a zlib stream, at most one byte more than its size."""
        return bytearray(zlib.decompressobj().decompress(data, originalsize + 1))


MAGIC = b"RGMH"
HEADER = struct.Struct(
    "<4sIIqI"
)  # 0 magic; 4 header version, 1; 8 header size, 8232; 12 thumbnail offset; 20 thumbnail size
TEXTS = struct.Struct(
    "<16s2048s2048s2048s2048s"
)  # 24 GUID, the same in every file; in UTF-16: played on; title; event; comments
HEADER_SIZE = HEADER.size + TEXTS.size
TRAILER = struct.Struct(
    "<IiiiiB15x"
)  # CRC-32; members; version, 1; registry size; data size; registry compressed; reserved
ENTRY = struct.Struct(
    "<256s256siiiIBB2x"
    # name; path, empty; size; compressed size; start; CRC-32 of the content; 0 compressed, 1
    # stored; level
)
LARGEST_MEMBER = 64 * 2**20
"""Bytes; 26,000 records, of which a 25-point match has 3,000."""
MOST_MEMBERS = 16


class Member(NamedTuple):
    """One entry of the registry: the place of a member in the file and the size it must inflate
    to."""

    start: int
    stored_size: int
    size: int
    crc: int
    compressed: bool


class Archive(NamedTuple):
    """An opened container."""

    content: bytes
    members: dict[str, Member]

    def read(self, name: str) -> bytes | bytearray:
        """The content of a member, its checksum verified. Raises `Damaged`."""
        member = self.members[name]
        stored = memoryview(self.content)[member.start : member.start + member.stored_size]
        blob = _inflated(name, stored, member.size) if member.compressed else bytes(stored)
        if len(blob) != member.size:
            raise Damaged(f"expected {name} has {member.size} bytes, found {len(blob)}")
        _check(f"checksum of {name}", blob, member.crc)
        return blob


def _inflated(name: str, packed: bytes | memoryview, size: int) -> bytearray:
    try:
        return zlib_decompress(packed, size)
    except DeflateError as error:
        reason = str(error).lower()
        raise Damaged(f"expected {name} inflates to {size} bytes, found {reason}") from None


def _check(subject: str, blob: bytes | bytearray | memoryview, expected: int) -> None:
    checksum = crc32(blob)
    if checksum != expected:
        raise Damaged(f"expected {subject} {expected:08x}, found {checksum:08x}")


def open_archive(content: bytes) -> Archive:
    """Check header, trailer and registry of an `.xg` file. Raises `Damaged`."""
    end = len(content) - TRAILER.size
    if end < HEADER_SIZE:
        least = HEADER_SIZE + TRAILER.size
        raise Damaged(f"expected at least {least} bytes, found {len(content)} (truncated)")
    magic, version, header_size, _, thumbnail = HEADER.unpack_from(content)
    if magic != MAGIC:
        raise Damaged(f"expected the signature RGMH, found {magic!r}")
    if version != 1 or header_size < HEADER_SIZE:
        head = f"version {version} of {header_size} bytes"
        raise Damaged(f"expected header version 1 of {HEADER_SIZE} bytes, found {head}")
    crc, count, archive_version, registry_size, data_size, registry_compressed = (
        TRAILER.unpack_from(content, end)
    )
    start = header_size + thumbnail
    if (
        archive_version != 1
        or min(registry_size, data_size) < 0
        or start != end - registry_size - data_size
    ):
        raise Damaged(
            f"expected data from byte {start} to a trailer at the end of the file, found no such "
            "trailer (truncated or changed)"
        )
    _check("archive checksum", memoryview(content)[start:end], crc)
    if not 0 < count <= MOST_MEMBERS:
        raise Damaged(f"expected 1 to {MOST_MEMBERS} members, found {count}")
    registry: bytes | bytearray = content[start + data_size : end]
    if registry_compressed:
        registry = _inflated("the registry", bytes(registry), count * ENTRY.size)
    if len(registry) != count * ENTRY.size:
        raise Damaged(f"expected a registry of {count * ENTRY.size} bytes, found {len(registry)}")
    return Archive(content, _members(registry, start, data_size))


def _members(registry: bytes | bytearray, start: int, data_size: int) -> dict[str, Member]:
    """The members by name, whose data begin at byte `start`. Raises `Damaged`."""
    members = {}
    for name, _, size, stored, offset, crc, method, _ in ENTRY.iter_unpack(registry):
        label = name[1 : 1 + name[0]].decode("ascii", "replace").lower()
        is_inside = stored >= 0 and offset >= 0 and offset + stored <= data_size
        if not (is_inside and 0 <= size <= LARGEST_MEMBER):
            place = f"{stored} bytes from {offset}, {size} inflated"
            raise Damaged(f"expected {label!r} inside the archive, found {place}")
        members[label] = Member(start + offset, stored, size, crc, method == 0)
    return members


Array = npt.NDArray[Any]
Layout = dict[str, tuple[str, int]]
Value = int | float | bytes | tuple[int, ...] | tuple[float, ...] | list[int] | list[float]

RECORD_SIZE = 2560
TYPE_OFFSET = 8

MATCH_HEADER = 0
GAME_HEADER = 1
CUBE = 2
MOVE = 3
GAME_FOOTER = 4
MATCH_FOOTER = 5
MISSING_GAME = 6

MONEY_LENGTH = 99999
NOT_SCORED = -1000.0
"""An error field at or below this value has no score."""
LARGEST_ERROR = 1000.0
LARGEST_EQUITY = 1000.0
HIGHEST_CUBE = 12
"""Power of two; XG's own limit is 10."""
MOST_CANDIDATES = 32
BAR = 24
"""The highest place of a step; points are 0 to 23, lower numbers are off the board or the end of
the play."""
UNICODE_VERSION = 24
"""From this file version on names are also stored in UTF-16."""
AUTOMATIC_DOUBLES_VERSION = 26
KNOWN_VERSIONS = (30, 32)
"""Versions with a layout verified on real files."""
RESIGNED = range(100, 1000)
"""What a termination is for a resignation."""


def _tables() -> Iterator[tuple[str, list[tuple[str, str, int, str]]]]:
    for part in Path(__file__).with_name("records.txt").read_text("utf-8").split("\n[")[1:]:
        name, _, rows = part.partition("]")
        cells = (
            (*row.split(maxsplit=3), "")[:4]
            for row in rows.splitlines()
            if row and not row.startswith("#")
        )
        yield name, [(field, form, int(offset), meaning) for field, form, offset, meaning in cells]


FIELDS = dict(_tables())
"""By kind of record, every field with its type, its offset, and what it has."""
LAYOUTS: dict[str, Layout] = {
    kind: {name: (form, offset) for name, form, offset, _ in fields}
    for kind, fields in FIELDS.items()
}
MATCH_HEADER_LAYOUT, GAME_HEADER_LAYOUT = LAYOUTS["MATCH_HEADER"], LAYOUTS["GAME_HEADER"]
CUBE_LAYOUT, MOVE_LAYOUT = LAYOUTS["CUBE"], LAYOUTS["MOVE"]
GAME_FOOTER_LAYOUT = LAYOUTS["GAME_FOOTER"]


def numpy_type(form: str) -> np.dtype[Any]:
    """A type of a table as NumPy writes it: `32*26b` is 32 rows of 26."""
    *rows, row = form.split("*")
    shape = *map(int, rows), *([int(row[:-1])] if row[:-1] and row[-1] != "s" else [])
    return np.dtype((f"S{row[:-1]}" if row[-1] == "s" else f"<{row[-1]}", shape))


def values_of(layout: Layout, blob: bytes | bytearray, row: int = 0) -> dict[str, Any]:
    """Every field of one record; of a field of several numbers, all of them."""
    start = row * RECORD_SIZE
    fields = {
        name: struct.unpack_from(f"<{form}", blob, start + offset)
        for name, (form, offset) in layout.items()
    }
    return {name: numbers[0] if len(numbers) == 1 else numbers for name, numbers in fields.items()}


def columns(layout: Layout) -> np.dtype[np.void]:
    """The fields of a table as a type of whole records."""
    forms, offsets = zip(*layout.values(), strict=True)
    return np.dtype(
        {
            "names": [*layout],
            "formats": [*map(numpy_type, forms)],
            "offsets": offsets,
            "itemsize": RECORD_SIZE,
        }
    )


def bounded(numbers: Array, lowest: float, highest: float, expected: str) -> Array:
    """The same numbers. Raises `Damaged` if one is out of bounds."""
    outside = (numbers < lowest) | (numbers > highest)
    if np.count_nonzero(outside):  # a third of the time of `any`
        raise Damaged(f"expected {expected}, found {numbers[outside][0]}")
    return numbers


EQUITY = f"equities of at most {LARGEST_EQUITY:.0f}"
STEPS = f"steps from and to places up to {BAR}"

CUBE_FIELDS = columns(CUBE_LAYOUT)
MOVE_FIELDS = columns(MOVE_LAYOUT)
CUBE_CHANCES = ("no_double_evaluation", "double_take_evaluation")
CHANCES = [3, 4, 5, 1, 0]
"""Where win, win gammon, win backgammon, lose gammon and lose backgammon are in an evaluation."""
MOVE_RESULTS = columns(
    {"after": ("26s", MOVE_LAYOUT["after"][1]), "results": ("32*26s", MOVE_LAYOUT["results"][1])}
)
"""Positions as texts, each of which is compared at once."""

LEVELS = {
    **{n: Level(f"{n + 1}-ply", float(n)) for n in range(7)},
    12: Level("3-ply red", 2.0),
    100: Level("rollout", None),
    998: Level("opening book", None),
    999: Level("opening book", None),
    1000: Level("XG Roller", None),
    1001: Level("XG Roller+", None),
    1002: Level("XG Roller++", None),
}
"""XG's level codes in rising order: its own names, and plies looked ahead (its 1-ply looks at no
reply, like gnuBG's 0-ply)."""
LEVEL_CODES = np.array([*LEVELS], np.int32)
EVERY_LEVEL = (*LEVELS.values(), Level("unknown level", None))
MOST_PLAYS = 1 << 14
"""That are remembered: most plays of an archive are few."""


def level_index(code: Array, scored: Array) -> Array:
    """Index into `EVERY_LEVEL` of every code; -1 for codes that mean no known analysis."""
    index = np.minimum(LEVEL_CODES.searchsorted(code), len(LEVEL_CODES) - 1)
    index = np.where(LEVEL_CODES[index] == code, index, len(LEVEL_CODES))
    return np.where(scored, index, -1)


def viewed(position: Array, sign: Array) -> Array:
    """Converts positions in player 1's view to the view of the player with sign +1 or -1."""
    other = np.flatnonzero(sign < 0)  # an eighth of the time of `where` for whole positions
    views = position.copy()
    views[other] = -position[other, ::-1]
    return views


@lru_cache(MOST_PLAYS)
def pairs_of(numbers: tuple[int, ...]) -> Play:
    """XG's (from, to) numbers from 0 as points from 1: bar 25, off 0. All zeros means nothing was
    played."""
    pairs = []
    for origin, target in zip(numbers[::2], numbers[1::2], strict=True):
        if origin < 0 or origin == target:
            break
        pairs.append((origin + 1, max(target + 1, 0)))
    return tuple(pairs)


def plays_of(numbers: Array) -> list[Play]:
    """The plays of rows of eight (from, to) numbers."""
    return [*map(pairs_of, map(tuple, numbers.tolist()))]


def utf16(raw: bytes) -> str:
    """Text of a field in UTF-16, up to its end mark."""
    return (
        raw.decode("utf-16-le", "replace")
        .partition("\0")[0]
        .replace("\n", " ")
        .replace("\t", " ")
        .strip()
    )


def ansi(raw: bytes) -> str:
    """Text of a Delphi short string in code page 1252."""
    raw = raw or b"\0"
    return unbroken(raw[1 : 1 + raw[0]]).decode("cp1252", "replace").partition("\0")[0].strip()


MEMBER = "temp.xgc"
MOST_COMMENTS = 10_000
LONGEST = 10_000
_HIDDEN = re.compile(
    rb"\{\\(?:\*|fonttbl|colortbl|stylesheet|info|pict)[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}"
)
"""Groups of RTF whose text is not shown."""
_CONTROL = re.compile(
    rb"\\'([0-9a-fA-F]{2})|\\u(-?\d{1,5})(?: |\?)?|\\(par|line)\b ?|\\[a-z]{1,32}-?\d{0,10} "
    rb"?|\\([^a-z])|[{}\x00-\x1f]"
)
"""The rest of RTF but for plain text: a letter of the code page, one of Unicode, a break, any other
word, an escaped character, and what is no text, such as the two bytes 1 and 2 for a break inside
the RTF."""
_POINTERS = np.array(
    [
        [layout[name][1] // 4 for name in names]
        for layout, names in (
            (MATCH_HEADER_LAYOUT, ("header_comment", "footer_comment")),
            (GAME_HEADER_LAYOUT, ("header_comment", "footer_comment")),
            (CUBE_LAYOUT, ("comment", "comment")),
            (MOVE_LAYOUT, ("comment", "comment")),
        )
    ]
)
"""By type of record, where the two numbers are that point to a text, counted in numbers."""


def plain_text(rtf: bytes) -> str:
    """The text that RTF shows; what is no RTF as it is."""

    def shown(control: re.Match[bytes]) -> bytes:
        code, number, line_end, letter = control.groups()
        if code:
            return bytes.fromhex(code.decode()).decode("cp1252", "replace").encode()
        if number:
            return chr(int(number) % 2**16).encode("utf-8", "replace")
        return b"\n" if line_end else letter or b""

    return _CONTROL.sub(shown, _HIDDEN.sub(b"", rtf[:LONGEST])).decode("utf-8", "replace").strip()


def read_comments(
    content: bytes, blob: bytes | bytearray, place: Callable[[int], tuple[int, int]]
) -> tuple[str, dict[tuple[int, int, int], str], list[Note]]:
    """The comment on the match, those on decisions as in `Match`, and notes of those that are cut.

    `place` gives index of the game and turn of a record.
    """
    if not content:
        return "", {}, []
    lines = content.split(b"\r\n")
    texts = [plain_text(line) for line in lines[:MOST_COMMENTS]]
    notes = [
        Note(
            "comment-cut", f"comment {number}: the first {LONGEST:,} of {len(line):,} bytes of RTF"
        )
        for number, line in enumerate(lines[:MOST_COMMENTS], 1)
        if len(line) > LONGEST
    ][:NOTED]
    if len(lines) > MOST_COMMENTS:
        notes.append(Note("comment-cut", f"the first {MOST_COMMENTS:,} of {len(lines):,} comments"))
    about_match: list[str] = []
    about: dict[tuple[int, int, int], str] = {}
    kinds = np.frombuffer(blob[TYPE_OFFSET::RECORD_SIZE], np.uint8)
    rows = np.flatnonzero(kinds <= MOVE)
    numbers = np.frombuffer(blob, "<i4").reshape(len(kinds), -1)
    pointers = numbers[rows[:, None], _POINTERS[kinds[rows]]]
    at, column = np.nonzero((pointers >= 0) & (pointers < len(texts)))
    for row, index in zip(rows[at].tolist(), pointers[at, column].tolist(), strict=True):
        text, kind = texts[index], kinds[row]
        if text and kind in (MATCH_HEADER, GAME_HEADER):
            about_match.append(text)
        elif text:
            decision = Kind.PLAY
            if kind == CUBE:
                start = row * RECORD_SIZE + CUBE_LAYOUT["double"][1]
                (double,) = struct.unpack_from("<i", blob, start)
                decision = {0: Kind.NO_DOUBLE, 1: Kind.DOUBLE}.get(double, Kind.PLAY)
            about.setdefault((*place(row), decision), text)
    return "\n".join(about_match), about, notes
