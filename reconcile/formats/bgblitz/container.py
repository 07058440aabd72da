"""A `.bgf` file as BGBlitz writes it: one line of JSON that names the format, then the match as one
object in binary JSON (Smile).

The object may be plain JSON as well, and is usually compressed. Its bytes decide what it is, not
the first line, which is only asked which format this is; sizes, depth and the number of parts are
bounded before anything is built from them.

Source of Smile: the public specification of the format by FasterXML (`smile-format-specification`),
version 0. BGBlitz writes a small part of it: short ASCII texts, small and variable whole numbers,
literals, arrays, objects, shared names. The rest of JSON is read as well; binary data, `BigInteger`
and `BigDecimal` are not, since no match has any. Whole numbers of variable length have seven bits
in each byte and six in the last one, which has its highest bit set.

BGBlitz's numbers as it writes them, and its own match equity table as far as a file shows it.

No file names the table, but every evaluation of a match has both a chance of winning the match and
the equity (EMG) made of it, and the two are tied by one line for every game and cube: `chance = mid
+ half * equity`. Half the sum and half the difference of the chances after winning and after losing
the cube are its two parameters, so the fitted lines give the table at every score that could
follow.
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from reconcile.formats.common import HIGHEST_CUBE, LARGEST, Damaged, Follower, JsonObject, shown
from reconcile.match.columns import Ints

MAGIC = b":)\n"
VERSION_BITS = 0xF0
SHARED_NAMES, SHARED_VALUES, RAW_BINARY = 0x01, 0x02, 0x04
MOST_SHARED = 1024
"""A table of shared texts that is full starts anew."""
MOST_PARTS = 400_000
"""Objects and lists in one file; a 7-point match has 12,000."""
DEEPEST = 40
"""Levels of objects and lists; BGBlitz writes 9."""
LONGEST_INTEGER = 10
"""Bytes of a variable whole number of 64 bits."""
LITERALS = ("", None, False, True)
"""Of the tokens 20 to 23."""
SMALL = tuple((bits >> 1) ^ -(bits & 1) for bits in range(32))
"""Whole numbers of the tokens C0 to DF."""
START_ARRAY, END_ARRAY, START_OBJECT, END_OBJECT, END_OF_TEXT = 0xF8, 0xF9, 0xFA, 0xFB, b"\xfc"


def decode(content: bytes) -> Any:
    """The value encoded in `content`, as `json.loads` would return it. Raises `Damaged`."""
    if content[:3] != MAGIC or len(content) < 5:
        raise Damaged("expected Smile (binary JSON), found another head")
    if content[3] & (VERSION_BITS | RAW_BINARY):
        raise Damaged(
            f"expected Smile version 0 without raw binary data, found the head {content[3]:#04x}"
        )
    try:
        return _Decoder(content).root()
    except IndexError:
        raise Damaged(
            "expected a complete object, found an early end (truncated) or an unknown reference"
        ) from None
    except UnicodeDecodeError:
        raise Damaged("expected text in UTF-8, found other bytes") from None


class _Decoder:
    """The content and the tables of shared texts."""

    def __init__(self, content: bytes) -> None:
        self.content, self.text = content, content.decode("latin-1")
        self.names: list[str] = []
        self.values: list[str] = []
        self.parts = 0
        self.shares_names = bool(content[3] & SHARED_NAMES)
        self.shares_values = bool(content[3] & SHARED_VALUES)

    def root(self) -> Any:
        """The one value of the content."""
        value, end = self.value(4, 0)
        if end > len(self.content):
            raise IndexError
        return value

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        """The value that begins here, and where it ends."""
        token = self.content[at]
        at += 1
        if 0x40 <= token < 0x80 and not self.shares_values:  # most are short ASCII texts
            end = at + token - 0x3F
            value = self.text[at:end]
            if not value.isascii():
                raise Damaged(f"byte {at}: expected ASCII text, found other bytes")
            return value, end
        if 0xC0 <= token < 0xE0:
            return SMALL[token - 0xC0], at
        if 0x20 <= token < 0x24:
            return LITERALS[token - 0x20], at
        if token not in (START_ARRAY, START_OBJECT):
            return self.scalar(token, at)
        self.parts += 1
        if self.parts > MOST_PARTS or depth >= DEEPEST:
            raise Damaged(
                f"expected at most {MOST_PARTS} objects and lists, {DEEPEST} deep, found more"
            )
        return (self.fields if token == START_OBJECT else self.items)(at, depth + 1)

    def items(self, at: int, depth: int) -> tuple[list[Any], int]:
        """A list, and where it ends."""
        items = []
        while self.content[at] != END_ARRAY:
            value, at = self.value(at, depth)
            items.append(value)
        return items, at + 1

    def fields(self, at: int, depth: int) -> tuple[JsonObject, int]:
        """An object, and where it ends."""
        fields, content, names = {}, self.content, self.names
        while (token := content[at]) != END_OBJECT:
            if 0x40 <= token < 0x80:  # most are references
                name, at = names[token - 0x40], at + 1
            else:
                name, at = self.name(token, at + 1)
            fields[name], at = self.value(at, depth)
        return fields, at + 1

    def name(self, token: int, at: int) -> tuple[str, int]:
        """The name of a field, new or a reference of two bytes, and where it ends."""
        content = self.content
        if 0x30 <= token < 0x34:
            return self.names[(token & 3) << 8 | content[at]], at + 1
        if token == 0x20:
            return "", at
        if token == 0x34:
            end = self.end_of_text(at)
            return content[at:end].decode(), end + 1
        if 0x80 <= token < 0xC0:
            end = at + token - 0x7F
            new = self.cut(at, end).decode("ascii")
        elif 0xC0 <= token < 0xF8:
            end = at + token - 0xBE
            new = self.cut(at, end).decode()
        else:
            raise Damaged(f"byte {at - 1}: expected the name of a field, found {token:#04x}")
        if self.shares_names:
            self.shared(self.names, new)
        return new, end

    def scalar(self, token: int, at: int) -> tuple[Any, int]:
        """Any value but an object or a list, and where it ends."""
        content = self.content
        if token in (0x24, 0x25):
            return self.integer(at)
        if 0x40 <= token < 0xC0:
            length = token - 0x3F if token < 0x80 else token - 0x7E
            value = self.cut(at, at + length).decode("ascii" if token < 0x80 else "utf-8")
            if self.shares_values:
                self.shared(self.values, value)
            return value, at + length
        if token in (0xE0, 0xE4):
            end = self.end_of_text(at)
            return content[at:end].decode("ascii" if token == 0xE0 else "utf-8"), end + 1
        if token in (0x28, 0x29):
            size, form = (5, ">f") if token == 0x28 else (10, ">d")
            width = struct.calcsize(form)
            bits = 0
            for byte in self.cut(at, at + size):
                bits = bits << 7 | byte & 0x7F
            return struct.unpack(form, (bits & (1 << 8 * width) - 1).to_bytes(width, "big"))[
                0
            ], at + size
        if 0x01 <= token < 0x20 or 0xEC <= token < 0xF0:
            index, at = (
                (token - 1, at) if token < 0x20 else ((token & 3) << 8 | content[at], at + 1)
            )
            return self.values[index], at
        raise Damaged(f"byte {at - 1}: expected a value, found {token:#04x}")

    def integer(self, at: int) -> tuple[int, int]:
        """A whole number of variable length in zigzag form, and where it ends."""
        content, bits = self.content, 0
        for here in range(at, at + LONGEST_INTEGER):
            byte = content[here]
            if byte & 0x80:
                bits = bits << 6 | byte & 0x3F
                return (bits >> 1) ^ -(bits & 1), here + 1
            bits = bits << 7 | byte
        raise Damaged(
            f"byte {at}: expected a whole number of at most {LONGEST_INTEGER} bytes, found a "
            "longer one"
        )

    def cut(self, start: int, end: int) -> bytes:
        """Bytes that must be there."""
        if end > len(self.content):
            raise IndexError
        return self.content[start:end]

    def end_of_text(self, at: int) -> int:
        """Where a long text ends."""
        end = self.content.find(END_OF_TEXT, at)
        if end < 0:
            raise IndexError
        return end

    def shared(self, table: list[str], text: str) -> None:
        """Add a text to a table of shared ones."""
        if len(table) >= MOST_SHARED:
            table.clear()
        table.append(text)


LONGEST_HEADER = 4096
"""Bytes; the line that BGBlitz writes has 63."""
LARGEST_PAYLOAD = 16 * 2**20
"""Bytes after decompression; a 7-point match has 0.6 million."""
GZIP = b"\x1f\x8b"
ZLIB = 0x78
"""First byte of a zlib stream with the usual window."""
EITHER_STREAM = 32 + zlib.MAX_WBITS
"""Lets zlib recognise a gzip or a zlib stream by its head."""
FORMAT = "BGF"
KNOWN_VERSION = "1.0"


def recognises(content: bytes) -> bool:
    """Whether the first line is that of a `.bgf` file."""
    return re.match(rb'\{[^\n]*"format"\s*:\s*"BGF"', content[:LONGEST_HEADER]) is not None


def open_bgf(content: bytes) -> tuple[JsonObject, str]:
    """The object of a `.bgf` file, and the version that its first line states. Raises `Damaged`."""
    line, _, packed = content.partition(b"\n")
    try:
        header = json.loads(line[:LONGEST_HEADER])
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise Damaged(
            f"expected a first line with the format {FORMAT}, found {line[:40]!r}",
            "if it is not a BGBlitz match (.bgf), export the match again",
        )
    return _decoded(_inflated(packed)), str(header.get("version", ""))[:20]


def _inflated(packed: bytes) -> bytes:
    if packed[:2] != GZIP and not (
        packed[:1] == bytes([ZLIB])
        and len(packed) > 1
        and not int.from_bytes(packed[:2], "big") % 31
    ):
        payload = packed
    else:
        stream = zlib.decompressobj(EITHER_STREAM)
        try:
            payload = stream.decompress(packed, LARGEST_PAYLOAD + 1)
        except zlib.error as error:
            raise Damaged(f"expected a compressed match, found {str(error).lower()}") from None
        if not stream.eof and len(payload) <= LARGEST_PAYLOAD:
            raise Damaged(
                f"expected a complete compressed match, found an end after {len(packed)} bytes "
                "(truncated)"
            )
    if len(payload) > LARGEST_PAYLOAD:
        raise Damaged(f"expected a match of at most {LARGEST_PAYLOAD >> 20} MB, found more")
    return payload


def _decoded(payload: bytes) -> JsonObject:
    if payload.startswith(MAGIC):
        root = decode(payload)
    elif payload.lstrip()[:1] == b"{":
        if payload.count(b"{") + payload.count(b"[") > MOST_PARTS:
            raise Damaged(f"expected at most {MOST_PARTS} objects and lists, found more")
        try:
            root = json.loads(payload)
        except (ValueError, RecursionError) as error:
            raise Damaged(f"expected JSON, found {str(error).lower()}") from None
    else:
        raise Damaged(f"expected binary (Smile) or plain JSON, found {payload[:8]!r}")
    if not isinstance(root, dict):
        raise Damaged(f"expected an object, found {type(root).__name__}")
    return root


GREEN, RED = 0, 1
"""Seats of the two players."""
SEATS = {-1: GREEN, 1: RED}
"""Seat by BGBlitz's number of a player."""
ABSENT = -900.0
"""Numbers below are marks: -999 for no such value, -999.9 for no cube."""
NUMBER = re.compile(r"-?[0-9]{1,9}\.[0-9]{1,20}")

Floats = npt.NDArray[np.float64]
POWERS = HIGHEST_CUBE.bit_length()
"""Powers of two of the cube."""
NARROWEST = 1e-9
"""Least variance of the equities that determine a line."""
WORST_FIT = 1e-5
"""Largest distance (chance) of an evaluation from its line; those of BGBlitz are within
0.00000002."""

Scores = Mapping[tuple[int, int, bool], float]
"""Chance of a player to win the match, by points away, points the opponent is away, and whether the
Crawford game has been played."""


@dataclass(frozen=True, slots=True)
class Frames:
    """The fitted lines, by `key_of`, in the view of the first seat; NaN where the file does not
    determine one."""

    mid: Floats
    half: Floats

    def equity(self, game: Ints, seat: Ints, cube: Ints, chance: Floats) -> Floats:
        """The equity (EMG) of a chance to win the match, both in the view of `seat`."""
        key = key_of(game, cube)
        mid = np.where(seat == RED, 1 - self.mid[key], self.mid[key])
        equities: Floats = (chance - mid) / self.half[key]
        return equities


def key_of(game: Ints, cube: Ints) -> Any:
    """A number for every game and cube."""
    return game * POWERS + np.log2(np.maximum(cube, 1)).astype(np.int64)


def fitted(
    game: Ints, seat: Ints, cube: Ints, equity: Floats, chance: Floats, games: int
) -> Frames:
    """The least-squares line of every game and cube, by pairs of equity and chance in the view of
    `seat`; those with an unknown number are left out. Raises `Damaged` where they do not agree with
    each other."""
    both = (equity == equity) & (chance == chance)
    sign = np.where(seat == RED, -1.0, 1.0)
    # Counted by places in memory, which have 32 bits in a browser.
    keys = key_of(game, cube)[both].astype(np.intp, copy=False)
    equities = (equity * sign)[both]
    chances = (0.5 + (chance - 0.5) * sign)[both]
    size = games * POWERS

    def mean(values: Floats) -> Floats:
        sums = np.bincount(keys, values, size)
        means: Floats = np.divide(sums, count, out=np.full(size, np.nan), where=count > 0)
        return means

    count = np.bincount(keys, minlength=size)
    equity, chance = mean(equities), mean(chances)
    from_equity, from_chance = equities - equity[keys], chances - chance[keys]
    variance = mean(from_equity * from_equity)
    half = np.divide(
        mean(from_equity * from_chance),
        variance,
        out=np.full(size, np.nan),
        where=variance > NARROWEST,
    )
    off = np.abs(from_chance - half[keys] * from_equity)
    if np.count_nonzero(half <= 0) or np.count_nonzero(off > WORST_FIT):
        raise Damaged(
            "expected chances of winning the match that follow from the equities, found others"
        )
    return Frames(chance - half * equity, half)


def scores_of(frames: Frames, games: Sequence[Follower], length: int) -> Scores:
    """The table at every score that the frames reach in the games of a match."""
    scores: dict[tuple[int, int, bool], float] = {}
    for key in np.flatnonzero(frames.half == frames.half).tolist():
        game, points = games[key // POWERS], 1 << key % POWERS
        first, second = (length - before for before in game.score)
        post = game.crawford or 1 in (first, second)
        for score, chance in (
            ((first - points, second, post), frames.mid[key] + frames.half[key]),
            ((first, second - points, post), frames.mid[key] - frames.half[key]),
        ):
            if score[0] > 0 and score[1] > 0 and score not in scores:
                scores[score] = float(chance)
                scores[score[1], score[0], post] = float(1 - chance)
    return scores


def numbers(raw: Sequence[Any]) -> Floats:
    """Numbers as BGBlitz writes them, texts with a decimal point, as an array; NaN for a missing
    one (`None`), and where it marks a value as absent. Raises `Damaged` for anything else."""
    converted = np.array([_number(value) for value in raw], np.float64)
    converted[converted < ABSENT] = np.nan
    if np.count_nonzero(np.abs(converted) > LARGEST):
        raise Damaged(
            f"expected numbers up to {LARGEST:.0f}, found {np.nanmax(np.abs(converted)):.0f}"
        )
    return converted


def _number(value: Any) -> float:
    if type(value) is str and NUMBER.fullmatch(value):
        return float(value)
    if value is None:
        return float("nan")
    if type(value) in (int, float) and abs(value) <= LARGEST:
        return float(value)
    raise Damaged(f"expected a number with a decimal point, found {shown(value)}")
