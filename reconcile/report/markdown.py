"""Blocks as Markdown for GitHub: the summary of a CI step, a pull request, a mail or a forum; and
text cut to the room of a comment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from reconcile.gap.rows import Rows
from reconcile.report.blocks import (
    Block,
    Bullets,
    Command,
    Folded,
    Heading,
    Item,
    Picture,
    Sentences,
    Table,
    Title,
    Verdict,
    Words,
    tone_of,
)

MARKS = {
    "noted": "ℹ️",
    "within": "✅",
    "warned": "⚠️",
    "outside": "❌",
    "failed": "❌",
    "incomparable": "⚠️",
    "incomplete": "⚠️",
}
"""The mark of a tone; others have none."""
CODE = re.compile(r"`((?:reconcile|gnubg|blunderdb|--|\.|XGID=)[^`]*)`")
"""A command, an option, an ending of a file or a position in a sentence of ours; a backtick in a
name stays a letter."""
XGID = re.compile(r"(?<!`)XGID=[A-Za-z0-9:-]+")
"""To be copied letter by letter."""


def markdown(blocks: Iterable[Block]) -> str:
    """The blocks as Markdown; text in them is escaped, so that a name is never markup."""
    return "\n\n".join(filter(None, map(_shown, blocks))) + "\n"


def escape(text: str) -> str:
    """Text on one line, escaped for Markdown and HTML; a mention or a link in a name stays text.

    Parentheses stay as they are: without the brackets of a link they mean nothing.
    """
    pieces = with_code(" ".join(text.split()))
    return "".join(code(words) if is_code else _escaped(words) for words, is_code in pieces)


def with_code(text: str) -> Iterator[tuple[str, bool]]:
    """A sentence in pieces, each with whether it is code."""
    pieces = CODE.split(XGID.sub(r"`\g<0>`", text))
    return ((piece, number % 2 == 1) for number, piece in enumerate(pieces))


def _escaped(text: str) -> str:
    plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    plain = re.sub(r"([\\`*_{}\[\]#|~!])", r"\\\1", plain)
    return plain.replace("@", "&#64;").replace("://", "&#58;//")


def code(words: str) -> str:
    """Words as they are, to be copied."""
    return "`" + words.replace("`", "'").replace("|", "\\|") + "`"


def _shown(block: Block) -> str:
    match block:
        case Title() | Heading():
            return f"### {_cell(block.words)}"
        case Verdict():
            judged = f"{MARKS[block.tone]} {block.label}: "
            sentence = escape(block.sentence)
            return (
                f"### {judged}{escape(block.match)}\n\n{sentence}"
                if block.match
                else judged + sentence
            )
        case Rows():
            return _titled(block.headline, _rows(block))
        case Sentences():
            return "\n\n".join(escape(str(words)) for words in block.paragraphs)
        case Bullets():
            return _titled(block.title, "\n".join(_entries(block)))
        case Table():
            return _titled(
                block.title,
                table(
                    list(map(escape, block.head)),
                    [_row(row, len(block.head)) for row in block.rows],
                    block.right,
                ),
            )
        case Command():
            return code(block.words)
        case Folded():
            summary = f"<details><summary>{escape(block.title)}</summary>"
            return f"{summary}\n\n{markdown(block.blocks)}\n</details>"
        case Picture():
            return escape(block.caption)


def _rows(block: Rows) -> str:
    """A table without names of columns, which Markdown cannot do without a row for them."""
    rows = [[escape(line.lead), escape(line.words), escape(line.detail)] for line in block.lines]
    return table(["", "", ""], rows, right=(0,)) if rows else ""


def _titled(title: str, content: str) -> str:
    return f"**{escape(title)}**\n\n{content}".rstrip() if title else content


def _entries(block: Bullets) -> Iterator[str]:
    for entry in block.items:
        item = entry if isinstance(entry, Item) else Item(entry)
        lead, words = escape(str(item.lead)), escape(str(item.words))
        yield f"- **{lead}**: {words}" if lead else f"- {words}"
        yield from (f"  - {escape(str(words))}" for words in item.below)
    if block.more:
        yield f"- and {block.more} more"


def _row(row: Sequence[Words], width: int) -> list[str]:
    if len(row) < width:
        return [f"**{escape(str(row[0]))}**", *[""] * (width - 1)]
    return list(map(_cell, row))


def _cell(words: Words) -> str:
    mark = MARKS.get(tone_of(words), "")
    return f"{mark} {escape(str(words))}".strip()


def table(head: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> str:
    """A table of cells, which must be escaped already."""
    numbers = set(right)
    rule = ["---:" if index in numbers else "---" for index in range(len(head))]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


CUT = "*Cut here, since GitHub shows no more; the files of the run have all of it.*"
COUNTED = "\n\n*{} more {} not shown here.*"
ROOM = 64
"""Bytes for a line that counts what was left out of a block."""


def fitted(markdown: str, limit: int) -> str:
    """The text in at most `limit` bytes of UTF-8; what is too long ends with a line that says so.

    A table or list that is too long loses its last lines, which matter least, and says how many:
    short blocks stay whole, and long ones share what room there is, so that none hides those after
    it. Empty if not even the heading fits."""
    if _size(markdown) <= limit:
        return markdown
    blocks = markdown.strip("\n").split("\n\n")
    room = limit - _size(f"\n\n{CUT}\n") - 2 * len(blocks)
    shares = _shares([_size(block) for block in blocks], room)
    blocks_ = [_block(block, share) for block, share in zip(blocks, shares, strict=True)]
    if not blocks_[0]:
        return ""
    return "\n\n".join([*filter(None, blocks_), CUT]) + "\n"


def _shares(sizes: list[int], room: int) -> list[int]:
    """Room for each block: all that it needs for the short ones, an equal part of the rest for the
    others."""
    shares = dict.fromkeys(range(len(sizes)), 0)
    for rank, index in enumerate(sorted(shares, key=sizes.__getitem__)):
        shares[index] = max(0, min(sizes[index], room // (len(sizes) - rank)))
        room -= shares[index]
    return list(shares.values())


def _block(block: str, share: int) -> str:
    """The first lines of a block that fit, and how many did not; empty if none fits, or only the
    head of a table."""
    if _size(block) <= share:
        return block
    lines, count, used = block.split("\n"), 0, ROOM
    while count < len(lines) and used + _size(lines[count]) + 1 <= share:
        used += _size(lines[count]) + 1
        count += 1
    if count <= (2 if block.startswith("|") else 0):
        return ""
    left = len(lines) - count
    return "\n".join(lines[:count]) + COUNTED.format(left, "line" if left == 1 else "lines")


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
