"""What a report says, as blocks without a look; and three of their looks: plain text, a terminal in
colour, and Markdown for GitHub, which is cut to the room of a comment (`html/look.py` has the
fourth).

A result has one function that makes its blocks, and `report/forms.py` lists it: no look can say
what another does not. A document travels without the command that it answers, so it alone shows
`Title`, `Folded` and `Command`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import IO, TYPE_CHECKING, NamedTuple

from reconcile.gap.rows import Rows
from reconcile.report.numbers import GAP, WIDTH, aligned, ascii_minus
from reconcile.wording import harmless, printable

if TYPE_CHECKING:
    from rich.table import Table as RichTable
    from rich.text import Text

STYLES = {
    "failed": "bold red",
    "outside": "bold red",
    "warned": "yellow",
    "incomplete": "yellow",
    "incomparable": "bold yellow",
    "within": "green",
    "error": "red",
    "warning": "yellow",
    "info": "dim",
    "heading": "bold",
}
"""How a tone looks on a terminal; others look like the rest of the text."""
FIXED = "\N{NO-BREAK SPACE}"
"""A blank at which no line ends."""
NARROWEST = 28
"""Columns that a detail has beside its row; with fewer it stands below."""


class Marked(NamedTuple):
    """Words with more than letters; a look shows what it can of that."""

    words: str
    tone: str = ""
    """Good or bad news, one of `STYLES`: a colour on a terminal, a mark elsewhere."""
    note: str = ""
    """What is said of the words beside them, in small letters or in brackets."""
    link: str = ""
    """Where a page leads from here: another page, or `#` and a key of this one."""

    def __str__(self) -> str:
        return f"{self.words} ({self.note})" if self.note else self.words


Words = str | Marked
"""What a cell or a line says; `str` makes plain text of it."""


class Title(NamedTuple):
    """What a document is called; a text stands below the command that it answers."""

    words: str


class Heading(NamedTuple):
    """What the blocks below it are about."""

    words: Words
    key: str = ""
    """By what others lead here."""


class Verdict(NamedTuple):
    """What was judged: a label and a sentence."""

    label: str
    sentence: str
    tone: str
    match: str = ""
    """Who played, if the label is the heading of a document."""


class Sentences(NamedTuple):
    """Paragraphs that belong together."""

    paragraphs: Sequence[Words]
    wrapped: bool = True


class Table(NamedTuple):
    """Rows under a head; a row of one cell is the title of those below it."""

    head: Sequence[str]
    rows: Sequence[Sequence[Words]]
    right: Collection[int] = ()
    """Columns of numbers."""
    title: str = ""


class Item(NamedTuple):
    """An entry of a list, with what belongs to it below."""

    words: Words
    below: Sequence[Words] = ()
    lead: Words = ""
    """What it begins with: a number that ranks it, or how severe it is."""


class Bullets(NamedTuple):
    """Entries below a title, those that matter most first."""

    items: Sequence[Words | Item]
    title: str = ""
    wrapped: bool = False
    more: int = 0
    """How many were left out."""


class Picture(NamedTuple):
    """A chart or a board, for a look that can draw; a table beside a chart has its numbers."""

    name: str
    draw: Callable[[], str]
    """Makes it as SVG."""
    caption: str = ""
    """What is below it, and all that the others show of it; without one a page has the name."""


class Folded(NamedTuple):
    """What few look at: folded away in a document, left out of a text."""

    title: str
    blocks: Iterable[Block]
    """Made only when they are shown."""
    key: str = ""
    """By what others lead here."""


class Command(NamedTuple):
    """What makes a document again; a text stands below its command."""

    words: str


Block = Title | Heading | Verdict | Rows | Sentences | Table | Bullets | Picture | Folded | Command
Blocks = Iterator[Block]
"""What there is to say of a result, in order."""


def first(items: Sequence[str | Item], most: int, title: str = "") -> Bullets:
    """The first entries of a list, and how many there are."""
    shown = min(most, len(items))
    return Bullets(items[:most], f"{title} ({shown} of {len(items)})")


def text(blocks: Iterable[Block], width: int = WIDTH) -> str:
    """The blocks as plain text, for people who read logs; nothing in it is a command to a CI
    service."""
    parts = ["\n".join(str(line).rstrip() for line in lines_of(block, width)) for block in blocks]
    return harmless(_plain("\n\n".join(filter(None, parts)) + "\n"))


def terminal(blocks: Iterable[Block], file: IO[str] | None = None) -> None:
    """The blocks on a terminal in colour, elsewhere as plain text; by default on standard
    output."""
    file, blocks = file or sys.stdout, list(blocks)
    if not file.isatty():
        file.write(printable(text(blocks)))
        file.flush()  # what is said afterwards on standard error comes after it
        return
    from rich.console import Console

    console = Console(file=file, highlight=False)
    for block in blocks:
        if isinstance(block, Verdict):
            console.print(
                _styled(block.label.upper(), block.tone).append_text(
                    _styled(f"{GAP}{block.sentence}")
                )
            )
        elif isinstance(block, Heading):
            console.print(_styled(str(block.words)), style="bold")
        elif isinstance(block, Table):
            console.print(_rich(block))
        else:
            # Prose in longer lines is hard to read; rows and lists have the room of the terminal.
            room = min(WIDTH, console.width) if isinstance(block, Sentences) else console.width
            for line in lines_of(block, room):
                # Lines of a table in text are longer than some terminals, which know better how to
                # show them.
                console.print(
                    _styled(str(line), tone_of(line)),
                    soft_wrap=isinstance(block, Sentences) and not block.wrapped,
                )


def tone_of(words: Words) -> str:
    """Whether words are good or bad news; empty for neither."""
    return words.tone if isinstance(words, Marked) else ""


def lines_of(block: Block, width: int = WIDTH) -> Iterator[Words]:
    """A block as lines of plain text; none of what only a document has."""
    match block:
        case Heading():
            yield str(block.words)
        case Verdict():
            yield block.sentence if block.match else f"{block.label}: {block.sentence}"
        case Sentences():
            for paragraph in block.paragraphs:
                yield from _wrapped(str(paragraph), width) if block.wrapped else (paragraph,)
        case Rows():
            yield from _rows(block, width)
        case Bullets():
            yield from _list(block, width)
        case Picture():
            yield from _wrapped(block.caption, width)
        case Table():
            if block.title:
                yield f"{block.title}:"
            yield from _table(block, width)


def _wrapped(words: str, width: int, first: str = "", rest: str = "") -> list[str]:
    return wrap(
        words,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _rows(block: Rows, width: int) -> Iterator[Words]:
    """A headline, and below it columns; what does not fit is continued below itself."""
    yield from (Marked(line, "heading") for line in _wrapped(block.headline, width))
    leads = max((len(line.lead) for line in block.lines), default=0)
    room = max((len(line.words) for line in block.lines), default=0)
    below = " " * (leads + 3 * len(GAP))
    for line in block.lines:
        head = f"{GAP}{line.lead:>{leads}}{GAP}{line.words:<{room}}"
        if not line.detail:
            yield head.rstrip()
        elif width - len(head + GAP) < min(len(line.detail), NARROWEST):
            yield head.rstrip()
            yield from _wrapped(line.detail, width, below, below)
        else:
            yield from beside(head + GAP, line.detail, width)


def _list(block: Bullets, width: int) -> Iterator[Words]:
    yield from (f"{block.title}:",) if block.title else ()
    indent = GAP if block.title else ""
    for entry in block.items:
        item = entry if isinstance(entry, Item) else Item(entry)
        start = str(item.lead)
        # What is below an entry begins under its words if a number leads them, else a little
        # further than the entry.
        lead, below = (
            (f"{start}{GAP}", " " * len(start + GAP))
            if start.strip("0123456789.") == ""
            else (f"{start}: ", GAP)
        )
        lead, below = (lead, indent + below) if start else ("", indent + GAP)
        words = f"{lead}{item.words}"
        tone = tone_of(item.lead)
        yield from (
            _wrapped(words, width, indent, below)
            if block.wrapped
            else (Marked(indent + words, tone) if tone else indent + words,)
        )
        for part in map(str, item.below):
            yield from (
                _wrapped(part, width, below, below + GAP) if block.wrapped else (below + part,)
            )
    if block.more:
        yield f"{indent}and {block.more} more"


def beside(head: str, words: str, width: int = WIDTH) -> list[str]:
    """Words beside their head, continued below themselves; a blank that is `FIXED` ends no line."""
    return [line.replace(FIXED, " ") for line in _wrapped(words, width, head, " " * len(head))]


def _plain(words: str) -> str:
    """Words as plain text has them."""
    return ascii_minus(words).replace(FIXED, " ")


def _table(block: Table, width: int) -> Iterator[Words]:
    rows = [list(map(str, row)) for row in block.rows]
    titles = [len(row) < len(block.head) for row in rows]
    indent = GAP * any(titles)
    cells = [[indent + row[0], *row[1:]] for row in rows if len(row) == len(block.head)]
    lines = aligned([block.head, *cells], block.right, width)
    yield next(lines)
    for row, is_title in zip(rows, titles, strict=True):
        yield Marked(row[0], "heading") if is_title else next(lines)


def _styled(words: str, tone: str = "") -> Text:
    """Words in a tone, without markup."""
    from rich.text import Text

    return Text(printable(_plain(words)), style=STYLES.get(tone, ""))


def _rich(block: Table) -> RichTable:
    from rich.table import Table as RichTable

    table = RichTable(
        title=_styled(block.title) if block.title else None,
        title_justify="left",
        title_style="bold",
        header_style="bold",
    )
    for index, name in enumerate(block.head):
        table.add_column(
            _styled(name),
            justify="right" if index in block.right else "left",
            overflow="fold",
            no_wrap=name.lower() == "xgid",  # to be copied
        )
    for row in block.rows:
        tone = "heading" if len(row) < len(block.head) else ""
        table.add_row(*(_styled(str(cell), tone or tone_of(cell)) for cell in row))
    return table


# -- Markdown --------------------------------------------------------------------------------------

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
            return _titled(block.headline, _rows_in_markdown(block))
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


def _rows_in_markdown(block: Rows) -> str:
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
