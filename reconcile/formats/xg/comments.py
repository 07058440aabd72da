"""What somebody wrote about a match and its decisions in XG: the member `temp.xgc`, a text in RTF a
line, to which records point."""

from __future__ import annotations

import re
from collections.abc import Callable
from struct import unpack_from

import numpy as np

from reconcile.formats.xg import records
from reconcile.match.columns import Kind
from reconcile.match.match import Note
from reconcile.wording import NOTED

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
            (records.MATCH_HEADER_LAYOUT, ("header_comment", "footer_comment")),
            (records.GAME_HEADER_LAYOUT, ("header_comment", "footer_comment")),
            (records.CUBE_LAYOUT, ("comment", "comment")),
            (records.MOVE_LAYOUT, ("comment", "comment")),
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
    kinds = np.frombuffer(blob[records.TYPE_OFFSET :: records.RECORD_SIZE], np.uint8)
    rows = np.flatnonzero(kinds <= records.MOVE)
    numbers = np.frombuffer(blob, "<i4").reshape(len(kinds), -1)
    pointers = numbers[rows[:, None], _POINTERS[kinds[rows]]]
    at, column = np.nonzero((pointers >= 0) & (pointers < len(texts)))
    for row, index in zip(rows[at].tolist(), pointers[at, column].tolist(), strict=True):
        text, kind = texts[index], kinds[row]
        if text and kind in (records.MATCH_HEADER, records.GAME_HEADER):
            about_match.append(text)
        elif text:
            decision = Kind.PLAY
            if kind == records.CUBE:
                start = row * records.RECORD_SIZE + records.CUBE_LAYOUT["double"][1]
                (double,) = unpack_from("<i", blob, start)
                decision = {0: Kind.NO_DOUBLE, 1: Kind.DOUBLE}.get(double, Kind.PLAY)
            about.setdefault((*place(row), decision), text)
    return "\n".join(about_match), about, notes
