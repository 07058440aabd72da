"""The pages of a judged pack as blocks: an index, and a page for every pair and match of which
there is something to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from reconcile.gap.verdict import DECIDED, INCOMPLETE, OPEN, UNGATED, WITHIN
from reconcile.gate.candidates.lists import ListResult, address
from reconcile.gate.manifest import Manifest
from reconcile.gate.match_results import MatchResult
from reconcile.gate.pack_results import JudgedFigure, PackResult, Part, pack_parts
from reconcile.report import numbers
from reconcile.report.blocks import (
    Block,
    Folded,
    Heading,
    Marked,
    Sentences,
    Table,
    Title,
    Verdict,
    first,
)
from reconcile.report.html.charts import board_of
from reconcile.report.html.look import page
from reconcile.report.html.page import comparison_page
from reconcile.report.text.comparison import bullets, walk_line
from reconcile.report.text.pack import (
    compared,
    differing_line,
    in_order,
    is_quiet,
    match_verdict,
    pack_blocks,
    page_name,
)
from reconcile.report.words import judgement
from reconcile.scoring.figures import METRICS
from reconcile.wording import capital, plural

MOST_BOARDS = 10
"""Boards of one list."""
MOST_OPEN = 20
"""Rows of a list that are not folded away."""
MOST_ROWS = 50
"""Rows of a list that fit no decision."""


def pack_page(result: PackResult) -> str:
    """The index and the pages of its matches as one page; what was compared has none here."""
    parts = [*pack_parts(result)]
    loud = [match for match in in_order(result) if not is_quiet(match)]
    sections = [
        Folded(match.title, match_blocks(match, own, key), key)
        for match in loud
        for key in [Path(page_name(match.id)).stem]
        for own in [[part for part in parts if part.match == match.id]]
    ]
    content = page([*pack_blocks(result), *sections])
    for match in loud:
        here = f'href="#{Path(page_name(match.id)).stem}"'
        for name in (page_name(match.id), *(name for name, *_ in compared(match))):
            content = content.replace(f'href="{name}"', here)
    return content


def pack_pages(result: PackResult) -> dict[str, str]:
    """By name `index.html`, and a page per pair, candidate and match that is not quiet."""
    parts, pages = [*pack_parts(result)], dict[str, str]()
    for match in in_order(result):
        if is_quiet(match):
            continue
        for name, source, judged in compared(match):
            pages[name] = comparison_page(source(), judged=judged)
        own = [part for part in parts if part.match == match.id]
        pages[page_name(match.id)] = page(match_blocks(match, own))
    return pages | {"index.html": page(pack_blocks(result))}


def match_blocks(match: MatchResult, parts: Sequence[Part], key: str = "") -> Iterator[Block]:
    """What was judged of a match, part by part, what is only explained or listed, and its files;
    with a `key` as a part of a page."""
    manifest, verdict = match.manifest, match_verdict(match)
    pages = {id(source): name for name, source, _ in compared(match)}
    if key:
        yield Sentences([Marked(verdict, verdict), _sentence(match)])
    else:
        yield Title(manifest.title)
        yield Verdict(verdict.capitalize(), _sentence(match), verdict)
        yield Sentences([Marked("All matches of the pack", link="index.html")])
    yield Sentences(["Synthetic data."] * manifest.synthetic)
    for number, part in enumerate(parts, 1):
        yield from _part(part, pages, f"{key}{key and '-'}part-{number}")
    explained = [
        Marked(f"{pair.left} against {pair.right}", note=pair.note, link=pages[id(result.source)])
        for result in match.pairs
        if not result.gates
        for pair in [result.pair]
    ]
    yield from bullets("Explained, not judged", explained)
    for entry in match.listed:
        rows = [
            (
                METRICS[name].title,
                *(own.get(name, numbers.UNKNOWN) for own in entry.players.values()),
            )
            for name in entry.metrics
        ]
        right = range(1, len(entry.players) + 1)
        yield Table(("Figure", *entry.players), rows, right, f"Listed, not judged: {entry.source}")
    yield Heading("Files", f"{key}{key and '-'}files")
    yield _files(manifest)
    yield Sentences([f"Provenance: {manifest.provenance}", f"Licence: {manifest.licence}"])


def _files(manifest: Manifest) -> Table:
    files = [
        (
            name,
            Marked(file.name, note=file.url or (file.archive.member if file.archive else "")),
            f"{file.tool} {file.tool_version or ''}".strip(),
            file.level or numbers.UNKNOWN,
            str(file.bytes),
            file.sha256,
        )
        for name, file in manifest.files.items()
    ]
    return Table(("Handle", "File", "Tool", "Level", "Bytes", "SHA-256"), files, (4,))


def _part(part: Part, pages: Mapping[int, str], key: str) -> Iterator[Block]:
    """What was judged together."""
    yield Heading(capital(part.suite), key)
    word = "failed" if part.failed else "not compared"
    missing = [Marked(word, word, part.missing)] if part.missing else []
    yield Sentences([*missing, *(Marked("missing", "warned", str(lack)) for lack in part.lacking)])
    source = next((case.source for case in part.cases if case.source is not None), None)
    if id(source) in pages:
        why = "Where the gap comes from, decision by decision"
        yield Sentences([Marked(why, link=pages[id(source)])])
    heads = ("Reported", "Ours") if source is None else ("Left", "Right")
    heads = part.heads if any(part.heads) else heads
    if part.cases:
        head = ("Figure", "Player", *heads, "Gap", "Allowed", "Verdict")
        yield Table(head, [_row(part, case) for case in part.cases], (2, 3, 4, 5))
    if part.decisions:
        yield from _decisions(part.decisions, key)
    if part.facts:
        yield Folded("How it was judged", [Table(("Fact", "Value"), part.facts)])


def _row(part: Part, case: JudgedFigure) -> tuple[str | Marked, ...]:
    figure, ranges = case.figure, (case.figure.left_range, case.figure.right_range)
    sides = [
        Marked(_printed(part, case, value), note=numbers.between(figure.metric, range_))
        for value, range_ in zip((figure.left, figure.right), ranges, strict=True)
    ]
    tone, word = judgement(figure)
    if case.unjudged or tone == UNGATED:
        tone, word = "not compared" * case.unjudged, "not judged"
    remarks = (figure.coverage, figure.note, walk_line(case.comparison, figure))
    verdict = Marked(word, tone, "; ".join(filter(None, remarks)))
    return (figure.title, figure.player, *sides, *numbers.gap_shown(figure), verdict)


def _printed(part: Part, case: JudgedFigure, value: float | None) -> str:
    """A figure; beside one that a tool reported, with as many decimals as the tool printed."""
    figure = case.figure
    if case.source is not None or any(part.heads) or figure.left is None:
        return numbers.figure(figure.metric, value)
    digits = f"{figure.left:.10f}".rstrip("0").partition(".")[2]
    return numbers.number(value, max(len(digits), METRICS[figure.metric].decimals))


def _decisions(result: ListResult, key: str) -> Iterator[Block]:
    """The decisions of a list that differ, the first of them on boards, and rows that fit none."""
    lines = [f"{result.fault}."] if result.fault else []
    if not result.differing:
        rules = result.listed.left.rules.name
        lines.append(
            f"Every listed decision counts and costs what it does under rule set `{rules}`."
        )
    yield Sentences(lines)
    for number, row in enumerate(result.differing[:MOST_BOARDS]):
        line = differing_line(row)
        if row["xgid"]:
            yield board_of(row["xgid"], f"{key}-{number}", address(row), line)
        else:
            yield Sentences([line])
    rest = list(map(differing_line, result.differing[MOST_BOARDS:]))
    if len(rest) > MOST_OPEN:
        yield Folded(plural(len(rest), "more decision"), bullets("", rest))
    else:
        yield from bullets("", rest)
    if result.unpaired:
        rows = [row.text for row in result.unpaired]
        yield first(rows, MOST_ROWS, "Rows that fit no decision, or repeat one")
    counts = sorted(result.rule_sets.items(), key=lambda entry: entry[1])
    differ = Table(("Rule set", "Decisions"), [(name, str(count)) for name, count in counts], (1,))
    yield Folded("How many decisions differ from the list under each known rule set", [differ])


def _sentence(match: MatchResult) -> str:
    verdicts = [figure.verdict for figure in match.figures]
    decided = sum(verdict in DECIDED for verdict in verdicts)
    parts = [f"{verdicts.count(WITHIN)} of {plural(decided, 'figure')} within tolerance"]
    if not verdicts:
        parts = [
            "No tolerance is applied to this match" if match.pairs else "No figure was compared"
        ]
    if OPEN in verdicts:
        parts.append(f"{verdicts.count(OPEN)} open")
    if INCOMPLETE in verdicts:
        parts.append(f"{verdicts.count(INCOMPLETE)} incomplete and not judged")
    if unjudged := len(match.unjudged):
        parts.append(f"{plural(unjudged, 'given figure')} not judged")
    if match.failures:
        parts.insert(0, plural(len(match.failures), "failure"))
    if match.not_compared:
        parts.append(f"{plural(len(match.not_compared), 'part')} not compared")
    return "; ".join(parts) + "."
