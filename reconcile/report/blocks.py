"""What a report says, as blocks without a look; and two of their looks, plain text and a terminal
in colour (`markdown.py` has a third).

A result has one function that makes its blocks, `report/forms.py` lists it, and every look shows
all of them: text, terminal and Markdown cannot say different things. `Folded` and what is `alone`
are for a document, which travels without its command and its files."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import IO, TYPE_CHECKING, Final, NamedTuple, Self

from reconcile.gap.rows import Rows
from reconcile.report.numbers import GAP, WIDTH, aligned, ascii_minus
from reconcile.wording import harmless, printable

if TYPE_CHECKING:
    from rich.table import Table as RichTable
    from rich.text import Text

STYLES: Final = {
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
FIXED: Final = "\N{NO-BREAK SPACE}"
"""A blank at which no line ends."""
NARROWEST: Final = 28
"""Columns that a detail has beside its row; with fewer it stands below."""


class Toned(str):
    """Words that are good or bad news: coloured on a terminal, with a mark in Markdown."""

    tone: str

    def __new__(cls, words: str, tone: str) -> Self:
        """Words in a tone of `STYLES`."""
        toned = super().__new__(cls, words)
        toned.tone = tone
        return toned


class Parts(str):
    """Words in parts that stay whole: a line ends between them, never in one."""

    parts: tuple[str, ...]

    def __new__(cls, parts: Sequence[str]) -> Self:
        """The parts, with a gap between them."""
        joined = super().__new__(cls, GAP.join(parts))
        joined.parts = tuple(parts)
        return joined


class Heading(NamedTuple):
    """The first line."""

    words: str
    alone: bool = False
    """Whether only a document needs it, which is read without the command above it."""


class Verdict(NamedTuple):
    """What was judged: a label and a sentence."""

    label: str
    sentence: str
    tone: str
    match: str = ""
    """Who played, if the label is the heading of a document."""


class Sentences(NamedTuple):
    """Paragraphs that belong together."""

    paragraphs: Sequence[str]
    wrapped: bool = True
    alone: bool = False
    """As that of a heading."""


class Table(NamedTuple):
    """Rows under a head; a cell can be `Toned` or, in the last column, `Parts`."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Collection[int] = ()
    """Columns of numbers."""
    title: str = ""
    indent: int = 0
    """Blanks before each line of plain text."""
    is_prose: bool = False
    """Whether the last column holds sentences, which plain text has below the others."""
    has_to_fit: bool = False
    """Whether plain text leaves it out where it is wider than the text: what it says can be seen in
    other tables."""


class Item(NamedTuple):
    """An entry of a list, with what belongs to it below."""

    words: str
    below: Sequence[str] = ()
    lead: str = ""
    """What it begins with: a number that ranks it, or how severe it is."""


class Bullets(NamedTuple):
    """Entries below a title, those that matter most first."""

    items: Sequence[str | Item]
    title: str = ""
    wrapped: bool = False
    most: int | None = None
    """How many are shown, and counted in the title; a document has room for twice as many."""
    more: int = 0
    """How many were left out before."""

    def titled(self, shown: int) -> str:
        """The title, and how many are shown of how many."""
        return (
            self.title
            if self.most is None
            else f"{self.title} ({min(shown, len(self.items))} of {len(self.items)})"
        )


class Folded(NamedTuple):
    """What few look at: folded away in a document."""

    title: str
    block: Table
    everywhere: bool = False
    """Whether a text has it too, under its title; else it is only in documents."""


class Command(NamedTuple):
    """What makes a document again; a text stands below its command."""

    words: str


Block = Heading | Verdict | Rows | Sentences | Table | Bullets | Folded | Command


def text(blocks: Iterable[Block], width: int = WIDTH) -> str:
    """The blocks as plain text, for people who read logs; nothing in it is a command to a CI
    service."""
    parts = [
        "\n".join(str(line).rstrip() for line in lines_of(block, width))
        for block in _of_a_text(blocks)
    ]
    return harmless(ascii_minus("\n\n".join(filter(None, parts)) + "\n"))


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
    for block in _of_a_text(blocks):
        if isinstance(block, Verdict):
            console.print(
                _styled(block.label.upper(), block.tone).append_text(
                    _styled(f"{GAP}{block.sentence}")
                )
            )
        elif isinstance(block, Heading):
            console.print(_styled(block.words), style="bold")
        elif isinstance(block, Table) and not _is_list(block):
            console.print(_rich(block))
        else:
            # Prose in longer lines is hard to read; rows and lists have the room of the terminal.
            room = min(WIDTH, console.width) if isinstance(block, Sentences) else console.width
            for line in lines_of(block, room):
                # Lines of a table in text are longer than some terminals, which know better how to
                # show them.
                console.print(
                    _styled(line, getattr(line, "tone", "")),
                    soft_wrap=isinstance(block, Sentences) and not block.wrapped,
                )


def _of_a_text(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks without those that only a document has."""
    for block in blocks:
        if isinstance(block, Folded):
            yield from (block.block._replace(title=block.title),) if block.everywhere else ()
        elif not isinstance(block, Command) and not (
            isinstance(block, (Heading, Sentences)) and block.alone
        ):
            yield block


def lines_of(block: Block, width: int = WIDTH) -> Iterator[str]:
    """A block as lines of plain text."""
    match block:
        case Heading():
            yield block.words
        case Verdict():
            yield block.sentence if block.match else f"{block.label}: {block.sentence}"
        case Sentences():
            for paragraph in block.paragraphs:
                yield from _wrapped(paragraph, width) if block.wrapped else (paragraph,)
        case Rows():
            yield from _rows(block, width)
        case Bullets():
            yield from _list(block, width)
        case Table():
            if block.has_to_fit and max(map(len, _table(block, width))) > width:
                return
            if block.title:
                yield f"{block.title}:"
            yield from _hanging(block, width) if _is_list(block) else _table(block, width)


def _wrapped(words: str, width: int, first: str = "", rest: str = "") -> list[str]:
    return wrap(
        words,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _rows(block: Rows, width: int) -> Iterator[str]:
    """A headline, and below it columns; what does not fit is continued below itself."""
    yield from (Toned(line, "heading") for line in _wrapped(block.headline, width))
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


def _list(block: Bullets, width: int) -> Iterator[str]:
    yield from (f"{block.titled(block.most or 0)}:",) if block.title else ()
    indent = GAP if block.title else ""
    for entry in block.items[: block.most]:
        item = entry if isinstance(entry, Item) else Item(entry)
        # What is below an entry begins under its words if a number leads them, else a little
        # further than the entry.
        lead, below = (
            (f"{item.lead}{GAP}", " " * len(item.lead + GAP))
            if item.lead.strip("0123456789.") == ""
            else (f"{item.lead}: ", GAP)
        )
        lead, below = (lead, indent + below) if item.lead else ("", indent + GAP)
        first = f"{lead}{item.words}"
        tone = getattr(item.lead, "tone", "")
        yield from (
            _wrapped(first, width, indent, below)
            if block.wrapped
            else (Toned(indent + first, tone) if tone else indent + first,)
        )
        for words in item.below:
            yield from (
                _wrapped(words, width, below, below + GAP) if block.wrapped else (below + words,)
            )
    if block.more:
        yield f"{indent}and {block.more} more"


def _is_list(block: Table) -> bool:
    """Whether its last column is a text in parts, to which a frame would leave no room."""
    return any(isinstance(row[-1], Parts) for row in block.rows)


def _hanging(block: Table, width: int) -> Iterator[str]:
    """Rows whose last cell continues below itself."""
    heads = list(aligned([row[:-1] for row in block.rows]))
    room = max(map(len, heads)) + len(GAP)
    for head, row in zip(heads, block.rows, strict=True):
        last = (
            GAP.join(part.replace(" ", FIXED) for part in row[-1].parts)
            if isinstance(row[-1], Parts)
            else row[-1]
        )
        yield from beside(GAP + head.ljust(room), last, width)


def beside(head: str, words: str, width: int = WIDTH) -> list[str]:
    """Words beside their head, continued below themselves; a blank that is `FIXED` ends no line."""
    return [line.replace(FIXED, " ") for line in _wrapped(words, width, head, " " * len(head))]


def _table(block: Table, width: int) -> Iterator[str]:
    if block.is_prose:
        room = max(len(first) for first, *_ in block.rows)
        for first, *middle, last in block.rows:
            yield first.ljust(room) + GAP + " | ".join(middle)
            yield " " * room + 2 * GAP + " ".join(last.split())
        return
    yield from (
        " " * block.indent + line for line in aligned([block.head, *block.rows], block.right, width)
    )


def _styled(words: str, tone: str = "") -> Text:
    """Words in a tone, without markup."""
    from rich.text import Text

    return Text(printable(ascii_minus(words)), style=STYLES.get(tone, ""))


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
            _styled(name), justify="right" if index in block.right else "left", overflow="fold"
        )
    for row in block.rows:
        table.add_row(*(_styled(cell, getattr(cell, "tone", "")) for cell in row))
    return table
