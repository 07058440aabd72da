"""Tables in Markdown, and text cut to the room that a comment has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final


def escape(text: str) -> str:
    """Text on one line, escaped for Markdown and HTML; a mention or a link in a name stays text."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    plain = re.sub(r"([\\`*_{}\[\]()#|~!])", r"\\\1", plain)
    return plain.replace("@", "&#64;").replace("://", "&#58;//")


def table(head: Sequence[str], rows: Iterable[Sequence[str]], right: tuple[int, ...] = ()) -> str:
    """A table of cells, which must be escaped already."""
    rule = ["---:" if index in right else "---" for index in range(len(head))]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


CUT: Final = "*Cut here, since GitHub shows no more; the files of the run have all of it.*"
COUNTED: Final = "\n\n*{} more {} not shown here.*"
ROOM: Final = 64
"""Bytes for a line that counts what was left out of a block."""


def fitted(markdown: str, limit: int) -> str:
    """The text in at most `limit` bytes of UTF-8; what is too long ends with a line that says so.

    A table or list that is too long loses its last lines, which matter least, and says how many: short blocks stay whole, and long
    ones share what room there is, so that none hides those after it. Empty if not even the heading fits.
    """
    if _size(markdown) <= limit:
        return markdown
    blocks = markdown.strip("\n").split("\n\n")
    room = limit - _size(f"\n\n{CUT}\n") - 2 * len(blocks)
    shares = _shares([_size(block) for block in blocks], room)
    kept = [_block(block, share) for block, share in zip(blocks, shares, strict=True)]
    if not kept[0]:
        return ""
    return "\n\n".join([*filter(None, kept), CUT]) + "\n"


def _shares(sizes: list[int], room: int) -> list[int]:
    """Room for each block: all that it needs for the short ones, an equal part of the rest for the others."""
    shares = dict.fromkeys(range(len(sizes)), 0)
    for rank, index in enumerate(sorted(shares, key=sizes.__getitem__)):
        shares[index] = max(0, min(sizes[index], room // (len(sizes) - rank)))
        room -= shares[index]
    return list(shares.values())


def _block(block: str, share: int) -> str:
    """The first lines of a block that fit, and how many did not; empty if none fits, or only the head of a table."""
    if _size(block) <= share:
        return block
    lines, kept, used = block.split("\n"), 0, ROOM
    while kept < len(lines) and used + _size(lines[kept]) + 1 <= share:
        used += _size(lines[kept]) + 1
        kept += 1
    if kept <= (2 if block.startswith("|") else 0):
        return ""
    left = len(lines) - kept
    return "\n".join(lines[:kept]) + COUNTED.format(left, "line" if left == 1 else "lines")


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
