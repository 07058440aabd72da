"""A benchmark score as blocks, which text and Markdown are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from engine_benchmark.published import NOT_JUDGED
from engine_benchmark.results import BORDERS, TOTAL, Reference, Score, Tally
from reconcile.report.blocks import Block, Bullets, Heading, Item, Sentences, Table, Toned
from reconcile.report.numbers import number
from reconcile.report.words import file_name

DECIMALS = 3
"""Decimals of averages in thousandths of a point."""
LOSS_DECIMALS = 4
"""Decimals of a single loss in points."""
HEAD = (
    "",
    "lines",
    "scored",
    "interesting",
    "average loss",
    "± s.e.",
    "of interesting",
    "lose",
    "outside list",
)
PUBLISHED_HEAD = ("published", "database", "score", "measured", "gap", "verdict")
HOW = (
    "Average loss times 1000, in thousandths of a point of cubeless money equity: first over "
    "all scored m lines, as published, then over "
    "interesting lines, whose listed plays were not all rolled out to the same result. "
    "A play outside the list is charged the last listed loss."
)


def _row(name: str, tally: Tally) -> tuple[str, ...]:
    return (
        name,
        str(tally.lines),
        str(tally.scored),
        str(tally.interesting),
        number(tally.average_loss, DECIMALS),
        number(tally.standard_error, DECIMALS),
        number(tally.average_loss_interesting, DECIMALS),
        _share(tally.errors, tally.scored),
        _share(tally.n_out, tally.scored),
    )


def _share(count: int, of: int) -> str:
    return f"{count} ({100 * count / of:.2f} %)" if of else str(count)


def _rows(by_class: Mapping[str, Tally], total: Tally) -> tuple[tuple[str, ...], ...]:
    return (*(_row(name, tally) for name, tally in by_class.items()), _row(TOTAL, total))


def blocks(score: Score) -> Iterator[tuple[str, tuple[tuple[str, ...], ...]]]:
    """The table of every file, and of all files if there are several, each with its title."""
    for file in score.files:
        limit = "" if file.complete else " (first lines only)"
        yield f"{file_name(file.path)}{limit}", _rows(file.by_class, file.total)
    if len(score.files) > 1:
        yield "All files", _rows(score.by_class, score.total)


def headline(score: Score) -> str:
    """The score in a sentence."""
    total = score.total
    if not total.is_answered:
        return (
            f"{score.engine}: no score, since only {total.scored} of {total.lines} lines have "
            f"a legal answer "
            f"({total.illegal} illegal, {total.missing} missing)"
        )
    return (
        f"{score.engine}: average loss {number(total.average_loss, DECIMALS)} over "
        f"{total.scored} lines, "
        f"{number(total.average_loss_interesting, DECIMALS)} over {total.interesting} "
        f"interesting ones; "
        f"{total.n_out} choices outside the list"
    )


def published_rows(references: Sequence[Reference]) -> list[tuple[str, ...]]:
    """Published scores beside the measured ones, a row each."""
    rows: list[tuple[str, ...]] = []
    for reference in references:
        gap = None if reference.measured is None else reference.measured - reference.published
        allowed = "" if reference.allowed is None else f" (allowed {reference.allowed:g})"
        rows.append(
            (
                reference.title,
                reference.database,
                f"{reference.published:g}",
                number(reference.measured, DECIMALS),
                number(gap, DECIMALS),
                reference.verdict + allowed,
            )
        )
    return rows


def shown_references(score: Score) -> list[Reference]:
    """The published scores to show on a terminal: only those for the files scored."""
    return [
        reference
        for reference in score.published
        if reference.measured is not None or reference.verdict != NOT_JUDGED
    ]


def bins(tally: Tally) -> list[tuple[str, int]]:
    """The distribution of losses over the choices."""
    names = [
        "none",
        *(f"{low:g} to {high:g}" for low, high in pairwise(BORDERS)),
        f"above {BORDERS[-1]:g}",
    ]
    return [(name, part.lines) for name, part in zip(names, tally.distribution, strict=True)]


def benchmark_blocks(score: Score) -> Iterator[Block]:
    """The score, a table for every file, published scores beside what was measured, the costliest
    choices and the findings."""
    yield Heading(headline(score))
    yield Sentences([HOW], alone=True)
    for title, rows in blocks(score):
        yield Table(("class", *HEAD[1:]), rows, range(1, len(HEAD)), title, indent=2)
    yield Sentences(
        [
            "Loss of a choice (points): "
            + ", ".join(f"{name} {count}" for name, count in bins(score.total))
        ],
        wrapped=False,
    )
    if shown := shown_references(score):
        yield Table(PUBLISHED_HEAD, published_rows(shown), (2, 3, 4), indent=2)
    costliest = [
        f"costliest: line {outcome.line} of {file_name(outcome.path)}, {outcome.key} "
        f"{outcome.dice[0]} {outcome.dice[1]}: {outcome.choice.name} loses "
        f"{outcome.choice.loss:.{LOSS_DECIMALS}f}{'' if outcome.choice.listed else ' or more'} "
        f"against {outcome.listed[0].name}"
        for outcome in score.worst[:3]
    ]
    yield Bullets(
        [
            *costliest,
            *(
                Item(finding.text, lead=Toned(finding.severity, finding.severity))
                for finding in score.findings
            ),
        ]
    )
