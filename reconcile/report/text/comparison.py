"""A comparison of two files as blocks, and the walk from one figure to the other."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final

import numpy as np

from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import explanations, notes
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE, UNGATED, Figure
from reconcile.gap.walk import CAUSES, Bridge
from reconcile.report import numbers, words
from reconcile.report.blocks import (
    FIXED,
    Block,
    Bullets,
    Command,
    Folded,
    Item,
    Marked,
    Picture,
    Sentences,
    Table,
    Title,
    Verdict,
)
from reconcile.report.verdict import in_order, verdict_of, with_verdict
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.figures import LEADING, METRICS
from reconcile.scoring.findings import NOTES, Finding, level_text
from reconcile.scoring.statistics import PARTS, Statistics
from reconcile.wording import plural

MOST_DIFFERENCES: Final = 100
"""Differences between transcripts in a document; JSON has all."""
FILE_FACTS: Final = (
    "File", "Program", "Rules", "Equity table", "Level", "Analysed", "Players", "SHA-256",
)  # fmt: skip


def comparison_blocks(comparison: Comparison) -> Iterator[Block]:
    """Rows and verdict, the judged figures, where the gaps come from, findings; in a document also
    all figures and the files."""
    verdict, match = verdict_of(comparison), words.match_title(comparison)
    if comparison.is_alarm:
        yield Verdict(verdict.label, verdict.sentence, verdict.tone, match)
        yield from rows_and_notes(comparison)
    else:
        yield Title(f"{' against '.join(comparison.labels)}: {match}")
        yield from rows_and_notes(comparison)
        yield Verdict(verdict.label, verdict.sentence, verdict.tone)
    yield from evidence_blocks(comparison)


def evidence_blocks(comparison: Comparison) -> Iterator[Block]:
    """What is behind the rows: the judged figures, where the gaps come from, findings; in a
    document also all figures, the rules that differ and the files."""
    yield from _figures(comparison, in_order(comparison.judged))
    yield from incomplete_blocks(with_verdict(comparison, INCOMPLETE))
    noted = [
        f"{figure.title} of {figure.player}: {figure.note}"
        for figure in comparison.judged
        if figure.note
    ]
    yield from bullets("Judged with other bounds", noted)
    yield from _walks(comparison)
    yield from _waterfalls(comparison)
    findings = [finding for finding in comparison.findings if finding.code not in NOTES]
    paths = {"left": comparison.left.path, "right": comparison.right.path}
    items = [finding_item(finding, paths.get(finding.side or "", "")) for finding in findings]
    yield from bullets("Findings", items)
    yield Folded("All figures", _figures(comparison, comparison.figures))
    if differences := comparison.pairing.differences:
        rows = [
            (f"game {row['game']}", str(row["turn"] or ""), row["what"], row["left"], row["right"])
            for row in differences[:MOST_DIFFERENCES]
        ]
        head = ("Game", "Turn", "What", *comparison.labels)
        number = f"{len(rows)} of {len(differences)}"
        yield Folded(f"Where the transcripts differ ({number})", [Table(head, rows)])
    yield Folded("Rules that differ", rules_blocks(comparison.labels, comparison.statistics))
    facts = Sentences([f"Tolerances {comparison.table}. {_in_both(comparison)}."])
    files = files_table(comparison.labels, comparison.statistics)
    yield Folded("Files", [files, facts])
    yield Command(_command(comparison))


def rules_blocks(labels: Sequence[str], analyses: Sequence[Statistics]) -> Iterator[Block]:
    """The questions that these analyses answer differently."""
    rows = [
        (f"{code} {question.title}", *answers)
        for code, question in QUESTIONS.items()
        if len({*(answers := [scored.rules.answers[code] for scored in analyses])}) > 1
    ]
    tables = [scored.scored.met.name for scored in analyses]
    rows += [("Match equity table", *tables)] * (len({*tables}) > 1)
    if rows:
        yield Table(("Question", *labels), rows)
        yield Sentences(["`reconcile explain CODE` has the page of a question."])
    else:
        yield Sentences(["All are counted by the same rules."])


def files_table(labels: Sequence[str], analyses: Sequence[Statistics]) -> Table:
    """The files, and what is counted of them."""
    columns = []
    for scored in analyses:
        source, covered = scored.match.source, [scored.completeness(seat) for seat in (0, 1)]
        analysed = [
            f"{sum(of[part].analysed for of in covered)} of "
            f"{sum(of[part].expected for of in covered)} {noun}"
            for part, noun in PARTS.items()
        ]
        columns.append(
            (
                words.file_name(source.path),
                f"{source.tool}, {source.tool_version or 'version not stated'}",
                scored.rules.name,
                scored.scored.met.name,
                level_text(scored.match),
                ", ".join(analysed),
                ", ".join(scored.match.players),
                source.sha256,
            )
        )
    return Table(("", *labels), list(zip(FILE_FACTS, *columns, strict=True)))


def _in_both(comparison: Comparison) -> str:
    """How many decisions both files have, and how many only one has, for each reason."""
    walk, number = comparison.walk, comparison.paired[0]
    rows = np.flatnonzero(~walk.aligned.paired)
    causes = Counter(walk.causes("coverage-left", rows).tolist())
    alone = "; ".join(f"{CAUSES[cause].title}: {count}" for cause, count in causes.items())
    both = f"{plural(number, 'decision')} {'is' if number == 1 else 'are'} in both files"
    return f"{both}; in one alone: {alone}" if alone else both


def _command(comparison: Comparison) -> str:
    left, right = comparison.left, comparison.right
    engine = comparison.statistics[1].match.source.analysed_by
    other = ["--analyse", engine] if engine else [words.file_name(right.path)]
    names = [side.rules.file or side.rules.name for side in comparison.statistics]
    rules = ["--left-rules", names[0], "--right-rules", names[1]]
    parts = ["reconcile", "compare", words.file_name(left.path), *other, *rules]
    return shlex.join([*parts, "--table", comparison.table, "--html", "report.html"])


def bullets(
    title: str, items: Sequence[str | Marked | Item], *, wrapped: bool = False
) -> Iterator[Block]:
    """A list, if there is anything in it."""
    if items:
        yield Bullets(items, title, wrapped)


def rows_and_notes(comparison: Comparison) -> Iterator[Block]:
    """Why the figure of each player differs, and what a reader has to know beside it."""
    yield from (explanation.shown() for explanation in explanations(comparison))
    yield from bullets("Notes", notes(comparison), wrapped=True)


def incomplete_blocks(figures: Sequence[Figure]) -> Iterator[Block]:
    """What is missing for the figures that are not judged since their analysis is incomplete."""
    missing = dict.fromkeys(
        f"{figure.title} of {figure.player}: {figure.coverage or 'unknown on one side'}"
        for figure in figures
    )
    yield from bullets("Incomplete analysis, not judged", list(missing))


def finding_item(finding: Finding, path: str) -> Item:
    """A finding, with what to do about it if it matters."""
    where = f" ({words.file_name(path)})" if path else ""
    return Item(
        finding.text,
        () if finding.severity == "info" else (finding.advice,),
        Marked(f"{finding.severity}{where}", finding.severity),
    )


def _figures(comparison: Comparison, figures: Sequence[Figure]) -> Iterator[Table]:
    noted = verdict_of(comparison).tone == "noted"
    rows = []
    for figure in figures:
        tone, word = words.judgement(figure)
        if noted and figure.verdict == OUTSIDE:
            tone = "noted"
        gap, bound = numbers.gap_shown(figure)
        if figure.verdict == OPEN and figure.gap_range:
            gap += f" ({numbers.gap_between(figure.metric, figure.gap_range)})"
        rows.append(
            (
                figure.title,
                figure.player,
                *numbers.both_sides(figure),
                gap,
                bound,
                Marked(word, tone * (tone not in ("noted", UNGATED))),
            )
        )
    if rows:
        yield Table(
            ("Figure", "Player", *comparison.labels, "gap", "allowed", "verdict"),
            rows,
            right=(2, 3, 4, 5),
        )


def _walks(comparison: Comparison) -> Iterator[Block]:
    """The walk from the left to the right figure, for each judged figure."""
    bridges = [
        words.bridge_of(comparison, figure) for figure in comparison.judged if not figure.share
    ]
    yield from walk_lines(filter(None, bridges), "Where the gaps come from")


def walk_lines(bridges: Iterable[Bridge], title: str = "") -> Iterator[Block]:
    """The way from one end of every bridge to the other: `PR of Nora: 7.16, Q01 +0.03 = 7.19`."""
    lines = [
        f"{METRICS[bridge.metric].title} of {bridge.player}: {_way(bridge)}" for bridge in bridges
    ]
    yield from bullets(title, lines, wrapped=True)


def _waterfalls(comparison: Comparison) -> Iterator[Picture]:
    """The walks of the rates and of what is judged, as pictures."""
    for number, figure in enumerate(comparison.figures):
        bridge = words.bridge_of(comparison, figure)
        is_shown = figure.metric == LEADING or figure.verdict != UNGATED
        if is_shown and bridge and bridge.steps and None not in (bridge.start, bridge.end):
            name = f"{figure.title} of {figure.player}, step by step"
            yield Picture(name, partial(_waterfall, comparison, bridge, figure, f"walk-{number}"))


def _waterfall(comparison: Comparison, bridge: Bridge, figure: Figure, key: str) -> str:
    from reconcile.report.html.waterfall import waterfall_svg  # no text draws

    ranges = (figure.left_range, figure.right_range)
    return waterfall_svg(bridge, comparison.labels, figure.tolerance, key, ranges)


def _way(bridge: Bridge) -> str:
    """A bridge in a line, which ends between steps alone: `7.16, Q01 +0.03 = 7.19`."""
    if not bridge.steps:
        return f"no bridge: {bridge.reason}" if bridge.reason else "no bridge"
    name = bridge.metric
    steps = [
        f"{words.step_name(step.code)} {numbers.change(name, step.change)}"
        for step in bridge.steps
        if step.change
    ]
    start, end = numbers.figure(name, bridge.start), numbers.figure(name, bridge.end)
    return ", ".join(step.replace(" ", FIXED) for step in [start, *steps]) + f" = {end}"


def walk_line(comparison: Comparison | None, figure: Figure) -> str:
    """The bridge of a figure out of tolerance in one line; empty where there is none."""
    if comparison is None or figure.share or figure.verdict not in (OUTSIDE, OPEN):
        return ""
    bridge = words.bridge_of(comparison, figure)
    return _way(bridge) if bridge else ""
