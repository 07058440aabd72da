"""Two folders, judged, as text and as tables on a terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Final

from reconcile.files.output import legal_stem
from reconcile.files.wording import plural, printable
from reconcile.gap.folder_pairs import FileLeftOver
from reconcile.gap.folders import FolderPair, FolderResult
from reconcile.gap.verdict import INCOMPARABLE, OPEN, OUTSIDE, WITHIN
from reconcile.report import numbers
from reconcile.report.text.columns import styled
from reconcile.report.verdict import verdict_of

WORDS: Final = {WITHIN: "within", "warned": "warning", OUTSIDE: "outside", INCOMPARABLE: "not judged", "failed": "failed"}
"""Label of a pair's verdict."""
LEFT_OVER: Final = {"unreadable": "unreadable", "alone": "no partner", "duplicate": "duplicate", "ignored": "ignored"}
"""Files that were not compared, the worst first."""
ORDER: Final = ("failed", OUTSIDE, "warned", INCOMPARABLE, "noted", WITHIN)
"""Words and tones of verdicts, the worst first."""
STYLES: Final = {"noted": "", "failed": "bold red", OUTSIDE: "bold red", "warned": "yellow", INCOMPARABLE: "yellow", WITHIN: "green"}
GAP: Final = "  "
LONGEST_NAME: Final = 80
"""Most letters of a file's name in the name of its page."""


@dataclass(frozen=True, slots=True)
class Row:
    """A pair, with what every output shows."""

    word: str
    """`failed`, `outside`, `warned`, `incomparable` or `within`."""
    pair: FolderPair
    sentence: str
    tone: str
    """As that of its verdict."""
    page: str

    @property
    def said(self) -> str:
        """The verdict in a word."""
        return WORDS[self.word]


def rows_of(result: FolderResult) -> list[Row]:
    """The pairs, the worst first."""
    pages = page_names([pair.left for pair in result.pairs])
    rows = [Row(*_verdict(pair), page) for pair, page in zip(result.pairs, pages, strict=True)]
    return sorted(rows, key=lambda row: ORDER.index(row.word))


def _verdict(pair: FolderPair) -> tuple[str, FolderPair, str, str]:
    if pair.comparison is None:
        word = "failed" if pair.failed else INCOMPARABLE
        return word, pair, pair.reason, word
    verdict = verdict_of(pair.comparison)
    return verdict.word, pair, verdict.sentence, verdict.tone


def page_names(files: Sequence[str]) -> list[str]:
    """A file name, valid on any system, for the page of every pair, based on the left file's name."""
    taken = {"index"}
    names = []
    for file in files:
        stem = start = legal_stem(re.sub(r"\.[^./]{1,4}(?=$|#)", "", file)[:LONGEST_NAME])
        number = 1
        while stem in taken:
            number += 1
            stem = f"{start}-{number}"
        taken.add(stem)
        names.append(f"{stem}.html")
    return names


def folders_sentence(result: FolderResult) -> str:
    """`A against B: 3 of 4 pairs within tolerance, 1 outside; 1 file without a partner.`"""
    counts = result.summary
    judged = counts[WITHIN] + counts[OUTSIDE]
    parts = [f"{counts[WITHIN]} of {plural(judged, 'pair')} within tolerance" if judged else "no pair could be judged"]
    parts[0] += f" ({counts[OPEN]} with open figures)" if counts[OPEN] else ""
    parts += [f"{counts[OUTSIDE]} outside"] if counts[OUTSIDE] else []
    parts += [f"{counts[INCOMPARABLE]} not judged"] if counts[INCOMPARABLE] and judged else []
    words = (("unreadable", "unreadable"), ("alone", "without a partner"), ("duplicate", "duplicated"), ("ignored", "ignored"))
    left = [f"{plural(counts[why], 'file')} {word}" for why, word in words if counts[why]]
    left += [f"{plural(result.incomplete, 'figure')} incomplete"] if result.incomplete else []
    return f"{result.left} against {result.right}: {', '.join(parts)}" + (f"; {', '.join(left)}" if left else "") + "."


def leftovers_of(result: FolderResult) -> list[FileLeftOver]:
    """The files that were not compared, the most serious first."""
    order = list(LEFT_OVER)
    return sorted(result.leftovers, key=lambda one: order.index(one.why))


def folder_text(result: FolderResult) -> str:
    """The verdict, the pairs and the files left over, as plain text."""
    pairs = [(row.said, f"{row.pair.left} | {row.pair.right}", row.sentence) for row in rows_of(result)]
    rest = [(LEFT_OVER[one.why], f"{one.side}: {one.name}", one.reason) for one in leftovers_of(result)]
    blocks = [[folders_sentence(result)], _lines(pairs), _lines(rest)]
    return numbers.ascii_minus("\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n")


def _lines(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    """A verdict with its files, and the details below."""
    width = max((len(word) for word, _, _ in rows), default=0)
    return [line for word, name, text in rows for line in (word.ljust(width) + GAP + name, " " * width + 2 * GAP + _line(text))]


def _line(text: str) -> str:
    return " ".join(text.split())


def print_folders(result: FolderResult, file: IO[str] | None = None) -> None:
    """The result on a terminal in colour, elsewhere as plain text; by default to standard output."""
    file = sys.stdout if file is None else file
    if not file.isatty():
        file.write(printable(folder_text(result)))
        return
    from rich.console import Console
    from rich.table import Column, Table

    console = Console(file=file, highlight=False)
    console.print(styled(folders_sentence(result), style="bold"))
    pairs = Table(
        "Verdict",
        Column(styled(result.left), overflow="fold"),
        Column(styled(result.right), overflow="fold"),
        "Result",
        header_style="bold",
    )
    for row in rows_of(result):
        pairs.add_row(styled(row.said, style=STYLES[row.tone]), styled(row.pair.left), styled(row.pair.right), styled(row.sentence))
    if result.pairs:
        console.print(pairs)
    rest = Table("Not compared", "Side", Column("File", overflow="fold"), "Reason", header_style="bold")
    for one in leftovers_of(result):
        rest.add_row(styled(LEFT_OVER[one.why]), one.side, styled(one.name), styled(one.reason))
    if result.leftovers:
        console.print(rest)
