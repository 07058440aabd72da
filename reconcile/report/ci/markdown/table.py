"""Tables and lists of decisions in Markdown, and text cut to the room that a comment has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from reconcile.gate.candidates.list_result import address, sentence
from reconcile.gate.pack_results import MatchResult, PackResult
from reconcile.report import numbers
from reconcile.report.text.decisions import list_sentences


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


MOST: Final = 20
"""Rows of the table of one list."""


def list_bullets(result: PackResult) -> list[str]:
    """What the lists of every program show, as a list with an empty line below it; nothing without one."""
    bullets = [f"- {escape(line)}" for line in list_sentences(result)]
    return [*bullets, ""] if bullets else []


def list_tables(result: PackResult) -> Iterator[str]:
    """A table for every list with decisions that differ."""
    for match in result.matches:
        yield from _tables(match)


def _tables(match: MatchResult) -> Iterator[str]:
    for candidate in match.candidates:
        decisions = candidate.decisions
        if decisions is None or not decisions.differing:
            continue
        more = f", the first {MOST} of {len(decisions.differing):,}" if len(decisions.differing) > MOST else ""
        yield f"\n### {match.manifest.id}: decisions of {escape(candidate.suite)} that differ{more}\n"
        yield "| decision | what differs | PR | XGID |"
        yield "| --- | --- | ---: | --- |"
        for one in decisions.differing[:MOST]:
            xgid = f"`{one.xgid}`" if one.xgid else ""
            yield f"| {escape(address(one))} | {escape(sentence(one, decisions))} | {numbers.change('pr', one.pr)} | {xgid} |"
