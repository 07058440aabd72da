"""From a file of any known tool to a `Match`; a file is recognised by its content, never by its name."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from reconcile.errors import UnreadableFile
from reconcile.match import Match

LARGEST_FILE: Final = 128 * 2**20
STANDARD_INPUT: Final = "-"
XG_MAGIC: Final = b"RGMH"


def load_match(path: str | Path) -> Match:
    """Read a match from an `.xg` file, a gnuBG `.sgf` or a transcript (`.mat`, `.txt`); `-` is standard input.

    Raises `UnreadableFile` with one line that says what is wrong and what to do.
    """
    return read_match(str(path), read_bytes(str(path)))


def read_bytes(path: str) -> bytes:
    """The bytes of a file. Raises `UnreadableFile` where it is missing, no file, or far larger than any match."""
    if not path:
        raise UnreadableFile("expected the name of a file, found an empty one; check the command")
    try:
        if path == STANDARD_INPUT:
            import sys

            content = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with Path(path).open("rb") as file:
                content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise UnreadableFile(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}; check the path") from None
    if len(content) > LARGEST_FILE:
        raise UnreadableFile(f"{path}: expected a match, found more than {LARGEST_FILE >> 20} MB; is it the right file?")
    return content


def read_match(path: str, content: bytes) -> Match:
    """Recognise and read the bytes of a match; `path` only names them in messages. Raises `UnreadableFile`."""
    if content.startswith(XG_MAGIC):
        from reconcile.adapters.xg import read_xg

        return read_xg(path, content)
    if not content.strip(b"\0 \t\r\n"):
        raise UnreadableFile(
            f"{path}: expected a match, found {'an empty file' if not content else 'only blanks'}; fetch or export it again"
        )
    head = content[:4096]
    if b"(;" in head or b"GM[" in head:
        from reconcile.adapters.gnubg import read_sgf

        return read_sgf(path, content)
    from reconcile.adapters.mat import looks_like_transcript, read_mat

    if looks_like_transcript(content):
        return read_mat(path, content)
    raise UnreadableFile(
        f"{path}: expected an XG match (.xg), a gnuBG match (.sgf) or a transcript (.mat, .txt), found {content[:8]!r}...; "
        "export the match again from XG or gnuBG"
    )
