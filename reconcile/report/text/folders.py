"""Two folders, judged, several analyses of one match, and folders of them, as text and as tables on a terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import IO, Final

from reconcile.files.output import legal_stem
from reconcile.files.wording import harmless, plural, printable
from reconcile.gap.disputed import DisputedDecision
from reconcile.gap.folder_pairs import FileLeftOver
from reconcile.gap.folders import FolderPair, FolderResult
from reconcile.gap.many_folders import ManyFolders, MatchFiles
from reconcile.gap.many_story import stories
from reconcile.gap.review import Review
from reconcile.gap.verdict import INCOMPARABLE, OUTSIDE, WITHIN
from reconcile.report import numbers
from reconcile.report.numbers import GAP, aligned, styled
from reconcile.report.text.comparison import rolled_out_lines
from reconcile.report.verdict import verdict_of
from reconcile.report.words import by_action, error_span, file_name
from reconcile.scoring.findings import level_text
from reconcile.scoring.open_rules import Range

WORDS: Final = {WITHIN: "within", "warned": "warning", OUTSIDE: "outside", INCOMPARABLE: "not judged", "failed": "failed"}
"""Label of a pair's verdict."""
LEFT_OVER: Final = {"unreadable": "unreadable", "alone": "no partner", "duplicate": "duplicate", "ignored": "ignored"}
"""Files that were not compared, the worst first."""
ORDER: Final = ("failed", OUTSIDE, "warned", INCOMPARABLE, "noted", WITHIN)
"""Words and tones of verdicts, the worst first."""
STYLES: Final = {"noted": "", "failed": "bold red", OUTSIDE: "bold red", "warned": "yellow", INCOMPARABLE: "yellow", WITHIN: "green"}
LONGEST_NAME: Final = 80
"""Most letters of a file's name in the name of its page."""


@dataclass(frozen=True, slots=True)
class PairRow:
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


def rows_of(result: FolderResult) -> list[PairRow]:
    """The pairs, the worst first."""
    pages = page_names([pair.left for pair in result.pairs])
    rows = [PairRow(*_verdict(pair), page) for pair, page in zip(result.pairs, pages, strict=True)]
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
    judged = counts.within + counts.outside
    parts = [f"{counts.within} of {plural(judged, 'pair')} within tolerance" if judged else "no pair could be judged"]
    parts[0] += f" ({counts.open} with open figures)" if counts.open else ""
    parts += [f"{counts.outside} outside"] if counts.outside else []
    parts += [f"{counts.incomparable} not judged"] if counts.incomparable and judged else []
    words = {"unreadable": counts.unreadable, "without a partner": counts.alone, "duplicated": counts.duplicate, "ignored": counts.ignored}
    left = [f"{plural(count, 'file')} {word}" for word, count in words.items() if count]
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


WIDTH: Final = 80
SHOWN: Final = 10
"""Decisions of a list that are printed; the other outputs have all."""
FIGURES: Final = (
    ("PR", "pr"), ("checker", "checker_pr"), ("cube", "cube_pr"), ("counted", "decisions.counted"),
    ("MWC lost", "mwc_loss_percent.total"),
)  # fmt: skip
"""Headings and metrics of the table of figures."""


def many_text(many: Review) -> str:
    """All that was found, for people who read logs and terminals of 80 columns."""
    parts = [
        *([*wrap(" ".join(story.sentences), WIDTH, break_on_hyphens=False)] for story in stories(many)),
        list(rolled_out_lines(many.settlement, many.labels)),
        *(list(_figures(many, seat)) for seat in many.seats),
        *(_gaps(many, seat) for seat in many.seats),
        list(_decisions("In dispute, by what is at stake", many, [(one.at_stake, one) for one in many.disputes])),
        list(_decisions("Wrong in every analysis, by the smallest error", many, [(one.least, one) for one in many.agreed_errors])),
        list(_sides(many)),
    ]
    return harmless(numbers.ascii_minus("\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"))


def _figures(many: Review, seat: int) -> Iterator[str]:
    """A line for every side, and one for the consensus."""
    outlier = many.outliers[seat]
    yield f"{many.names[seat]}:"
    rows = [("", *(head for head, _ in FIGURES), "")]
    for side, label in enumerate(many.labels):
        figures, ranges = many.figures_of(side, seat), many.ranges[side][seat]
        note = "outlier" if outlier and outlier.side == side else "incomplete" if many.missing(side, seat) else ""
        rows.append((f"[{side + 1}] {label}", *(_cell(name, figures[name], ranges.get(name)) for _, name in FIGURES), note))
    ours = many.consensus.figures(seat)
    rows.append((f"consensus ({many.consensus_rules.name})", *(numbers.figure(name, ours[name]) for _, name in FIGURES), "ours"))
    yield from aligned(rows, right=range(1, len(FIGURES) + 1))


def _cell(name: str, value: float | None, span: Range | None) -> str:
    """A figure, or its range in few letters."""
    return numbers.ranged(name, value, span).replace(" to ", "-")


def _gaps(many: Review, seat: int) -> list[str]:
    """The gap of PR of every pair: the side of the column less that of the row; nothing where there are too many for the width."""
    rates = [many.figures_of(side, seat)["pr"] for side in range(len(many.analyses))]
    rows = [("", *(f"[{side + 1}]" for side in range(1, len(rates))))]
    for left, one in enumerate(rates[:-1]):
        gaps = [None if one is None or other is None else other - one for other in rates[left + 1 :]]
        rows.append((f"[{left + 1}] {many.labels[left]}", *[""] * left, *(numbers.change("pr", gap) for gap in gaps)))
    lines = list(aligned(rows, right=range(1, len(rates))))
    return [f"Gaps of PR, {many.names[seat]} (column less row):", *lines] if max(map(len, lines)) <= WIDTH else []


def _decisions(title: str, many: Review, found: Sequence[tuple[float, DisputedDecision]]) -> Iterator[str]:
    """The first decisions, each after the number that ranks it."""
    if not found:
        return
    yield f"{title} ({min(SHOWN, len(found))} of {len(found)}):"
    for size, one in found[:SHOWN]:
        said = f"{size:.3f}{GAP}game {one.game}, turn {one.turn}, {one.player}: {one.played}, error {error_span(one)}"
        yield from _wrapped(said, "  ", 9)
        for best, sides in by_action(one, many.labels):
            yield from _wrapped(f"{best}: {', '.join(f'{label} ({error})' for label, error in sides)}", " " * 9, 11)


def _wrapped(text: str, start: str, indent: int) -> list[str]:
    return wrap(text, WIDTH, initial_indent=start, subsequent_indent=" " * indent, break_on_hyphens=False, break_long_words=False)


def _sides(many: Review) -> Iterator[str]:
    yield "Analyses:"
    for side, label in enumerate(many.labels):
        statistics = many.analyses[side]
        file = file_name(many.matches[side].source.path)
        yield from _wrapped(f"[{side + 1}] {label}: {file}, {level_text(statistics.match)}, rules {statistics.rules.name}", "  ", 6)


def pages_of(matches: Sequence[MatchFiles]) -> list[str]:
    """A file name, valid on any system, for the page of every match."""
    return page_names([one.files[0] for one in matches])


def sentences_of(one: MatchFiles) -> list[str]:
    """What is found in a match: the first sentence on every player, or why it could not be compared."""
    return [one.reason] if one.many is None else [story.sentences[0] for story in stories(one.many) if story.player]


def many_folders_text(result: ManyFolders) -> str:
    """The sentence, the matches, and the files that were not compared."""
    left = [line for one in result.left for line in (f"{LEFT_OVER[one.why]}{GAP}{one.name}", GAP + _line(one.reason))]
    blocks = [[result.sentence], list(_matches(result)), left]
    return harmless(numbers.ascii_minus("\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"))


def _matches(result: ManyFolders) -> Iterator[str]:
    for one in result.matches:
        yield " | ".join(one.files)
        yield from (GAP + _line(sentence) for sentence in sentences_of(one))
