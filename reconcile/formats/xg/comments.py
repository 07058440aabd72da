"""What somebody wrote about a match and its decisions in XG: the member `temp.xgc`, a text in RTF a line, to which records point.

Inside a text a line break is the two bytes 1 and 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from struct import Struct
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from reconcile.formats.xg import records
from reconcile.match.columns import Kind

MEMBER: Final = "temp.xgc"
MOST_COMMENTS: Final = 10_000
LONGEST: Final = 10_000
INDEX: Final = Struct("<i")
_TOKEN: Final = re.compile(
    rb"\\'(?P<code>[0-9a-fA-F]{2})|\\u(?P<unicode>-?\d{1,5})(?: |\\'[0-9a-fA-F]{2}|\?)?"
    rb"|\\(?P<word>[a-z]{1,32})-?\d{0,10} ?|\\(?P<letter>[^a-z])|(?P<brace>[{}])|[\x01\x02\r\n]|(?P<text>[^\\{}\x01\x02\r\n]+)"
)
"""The parts of RTF."""
HIDDEN: Final = frozenset((b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict"))
"""Groups whose text is not shown; so is one that begins with an asterisk."""
BREAKS: Final = {b"par": "\n", b"line": "\n", b"tab": "\t"}


class Records(Protocol):
    """The records of a file."""

    blob: bytes | bytearray
    game_rows: npt.NDArray[np.intp]
    cubes: npt.NDArray[np.void]

    def turn_of(
        self, rows: npt.NDArray[np.intp], game: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.intp]:
        """Number of the turn that each record belongs to."""

    def game_of(self, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """Index of the game that each record belongs to."""


def plain_text(rtf: bytes) -> str:
    """The text that RTF shows; what is no RTF as it is."""
    shown: list[str] = []
    depth = hidden = 0
    for found in _TOKEN.finditer(rtf[:LONGEST]):
        if brace := found["brace"]:
            depth += 1 if brace == b"{" else -1
            hidden = 0 if depth < hidden else hidden
        elif not hidden and (found["word"] in HIDDEN or found["letter"] == b"*"):
            hidden = max(depth, 1)
        elif not hidden:
            shown.append(_shown(found))
    return "".join(shown).strip()


def _shown(found: re.Match[bytes]) -> str:
    if code := found["code"]:
        return bytes.fromhex(code.decode()).decode("cp1252", "replace")
    if number := found["unicode"]:
        return chr(int(number) % 2**16)
    if word := found["word"]:
        return BREAKS.get(word, "")
    return (found["text"] or found["letter"] or b"").decode("cp1252", "replace")


def read_comments(file: Records, content: bytes) -> tuple[str, dict[tuple[int, int, int], str]]:
    """The comment on the match, and those on decisions as in `Match`."""
    texts = [plain_text(line) for line in content.split(b"\r\n")[:MOST_COMMENTS]]
    about_match: list[str] = []
    about: dict[tuple[int, int, int], str] = {}
    for row, kind, index in _pointers(file.blob):
        text = texts[index] if 0 <= index < len(texts) else ""
        if not text:
            continue
        if kind in (records.MATCH_HEADER, records.GAME_HEADER):
            about_match.append(text)
            continue
        rows = np.array([row])
        game = file.game_of(rows)
        turn = int(file.turn_of(rows, game)[0])
        action = int(file.cubes["double"][row]) if kind == records.CUBE else -1
        decision = {0: Kind.NO_DOUBLE, 1: Kind.DOUBLE}.get(action, Kind.PLAY)
        place = int(game[0]), turn, int(decision)
        about[place] = "\n".join(filter(None, (about.get(place), text)))
    return "\n".join(about_match), about


POINTERS: Final = {
    records.MATCH_HEADER: (records.MATCH_HEADER_LAYOUT, ("header_comment", "footer_comment")),
    records.GAME_HEADER: (records.GAME_HEADER_LAYOUT, ("header_comment", "footer_comment")),
    records.CUBE: (records.CUBE_LAYOUT, ("comment",)),
    records.MOVE: (records.MOVE_LAYOUT, ("comment",)),
}
"""By type of record: its layout, and the fields that point to a text."""


def _pointers(blob: bytes | bytearray) -> Iterator[tuple[int, int, int]]:
    """Row, type and index of a text."""
    for row, kind in enumerate(blob[records.TYPE_OFFSET :: records.RECORD_SIZE]):
        layout, names = POINTERS.get(kind, ({}, ()))
        for name in names:
            (index,) = INDEX.unpack_from(blob, row * records.RECORD_SIZE + layout[name][1])
            yield row, kind, index
