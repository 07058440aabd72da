"""Several analyses of one match as text, and folders of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final

from reconcile.files.wording import harmless
from reconcile.gap.many import DisputedDecision, SeveralAnalyses
from reconcile.gap.many_folders import ManyFolders, MatchFiles
from reconcile.gap.many_story import stories
from reconcile.report import numbers
from reconcile.report.text.columns import GAP, aligned
from reconcile.report.text.comparison import rolled_out_lines
from reconcile.report.text.folders import LEFT_OVER, page_names
from reconcile.report.words import by_action, error_span, file_name
from reconcile.scoring.findings import level_text
from reconcile.scoring.open_rules import Range

WIDTH: Final = 80
SHOWN: Final = 10
"""Decisions of a list that are printed; the other outputs have all."""
FIGURES: Final = (
    ("PR", "pr"), ("checker", "checker_pr"), ("cube", "cube_pr"), ("counted", "decisions.counted"),
    ("MWC lost", "mwc_loss_percent.total"),
)  # fmt: skip
"""Headings and metrics of the table of figures."""


def many_text(many: SeveralAnalyses) -> str:
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


def _figures(many: SeveralAnalyses, seat: int) -> Iterator[str]:
    """A line for every side, and one for the consensus."""
    outlier = many.outliers[seat]
    yield f"{many.names[seat]}:"
    rows = [("", *(head for head, _ in FIGURES), "")]
    for side, label in enumerate(many.labels):
        figures, ranges = many.figures(side, seat), many.ranges[side][seat]
        note = "outlier" if outlier and outlier.side == side else "incomplete" if many.missing(side, seat) else ""
        rows.append((f"[{side + 1}] {label}", *(_cell(name, figures[name], ranges.get(name)) for _, name in FIGURES), note))
    ours = many.consensus.figures(seat)
    rows.append((f"consensus ({many.consensus_rules.name})", *(numbers.figure(name, ours[name]) for _, name in FIGURES), "ours"))
    yield from aligned(rows, right=range(1, len(FIGURES) + 1))


def _cell(name: str, value: float | None, span: Range | None) -> str:
    """A figure, or its range in few letters."""
    return numbers.ranged(name, value, span).replace(" to ", "-")


def _gaps(many: SeveralAnalyses, seat: int) -> list[str]:
    """The gap of PR of every pair: the side of the column less that of the row; nothing where there are too many for the width."""
    rates = [many.figures(side, seat)["pr"] for side in range(len(many.sides))]
    rows = [("", *(f"[{side + 1}]" for side in range(1, len(rates))))]
    for left, one in enumerate(rates[:-1]):
        gaps = [None if one is None or other is None else other - one for other in rates[left + 1 :]]
        rows.append((f"[{left + 1}] {many.labels[left]}", *[""] * left, *(numbers.change("pr", gap) for gap in gaps)))
    lines = list(aligned(rows, right=range(1, len(rates))))
    return [f"Gaps of PR, {many.names[seat]} (column less row):", *lines] if max(map(len, lines)) <= WIDTH else []


def _decisions(title: str, many: SeveralAnalyses, found: Sequence[tuple[float, DisputedDecision]]) -> Iterator[str]:
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


def _sides(many: SeveralAnalyses) -> Iterator[str]:
    yield "Analyses:"
    for side, label in enumerate(many.labels):
        statistics = many.sides[side]
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
    blocks = [[result.sentence], list(_matches(result)), [line for one in result.left for line in _left(one.name, one.why, one.reason)]]
    return harmless(numbers.ascii_minus("\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"))


def _matches(result: ManyFolders) -> Iterator[str]:
    for one in result.matches:
        yield " | ".join(one.files)
        yield from (GAP + " ".join(sentence.split()) for sentence in sentences_of(one))


def _left(name: str, why: str, reason: str) -> Iterator[str]:
    yield f"{LEFT_OVER[why]}{GAP}{name}"
    yield GAP + " ".join(reason.split())
