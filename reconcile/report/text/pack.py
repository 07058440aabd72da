"""A judged pack of reference matches as blocks: a text, an index, and a page for every pair and
match of which there is something to say; the gaps measured on one as text and as a draft of
tolerance tables; and the changes between two results."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

from reconcile.document import Row
from reconcile.files.output import legal_stem
from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import explanations, notes
from reconcile.gap.rows import story
from reconcile.gap.verdict import DECIDED, INCOMPLETE, OPEN, OUTSIDE, UNGATED, WITHIN, Figure
from reconcile.gap.walk import SHARES
from reconcile.gate.candidates.lists import ListResult, address
from reconcile.gate.changes import ChangedFigure, Changes
from reconcile.gate.changes import Figure as ResultFigure
from reconcile.gate.manifest import Again, Manifest
from reconcile.gate.match_results import (
    NO_REFERENCE,
    CandidateResult,
    MatchResult,
    ReportedResult,
    incomparable_lines,
    missing_lines,
)
from reconcile.gate.measure import Measured, Measurement
from reconcile.gate.pack_results import (
    JudgedFigure,
    PackResult,
    Part,
    by_reason,
    comparison_part,
    pack_parts,
)
from reconcile.infer.program import agree_line, roots_of
from reconcile.report import numbers
from reconcile.report.blocks import (
    Blocks,
    Bullets,
    Folded,
    Heading,
    Item,
    Marked,
    Sentences,
    Table,
    Title,
    Verdict,
    Words,
    first,
)
from reconcile.report.html.charts import board_of
from reconcile.report.html.look import page
from reconcile.report.html.page import comparison_page
from reconcile.report.numbers import aligned
from reconcile.report.text.comparison import bullets, lacking_of, walk_line
from reconcile.report.words import (
    WHY_OPEN,
    bridge_of,
    differs_most,
    file_name,
    judgement,
    step_name,
    title,
    verdict_word,
)
from reconcile.scoring.figures import METRICS, metric
from reconcile.scoring.findings import ABOUT_TOLERANCES
from reconcile.wording import capital, plural


def comparison_parts(comparison: Comparison) -> tuple[Part]:
    """The judged figures of two files outside any pack, named after the files and their tools."""
    files = [file_name(side.path) for side in (comparison.left, comparison.right)]
    names = " against ".join(files), " against ".join(comparison.labels)
    return (comparison_part(lambda: comparison, *names),)


def line(case: JudgedFigure) -> str:
    """What is to be said of a figure that is not within its tolerance, in one line."""
    figure = case.figure
    start = f"{figure.title}  {figure.player}"
    if figure.verdict == INCOMPLETE:
        return f"{start}  not judged: {lacking_of(figure)}"
    if case.unjudged:
        value = numbers.figure(figure.metric, figure.right)
        return numbers.ascii_minus(f"{start}  given {value}, not judged: {figure.note}")
    return numbers.ascii_minus(failure_line(figure, case.comparison))


def failure_line(figure: Figure, comparison: Comparison | None) -> str:
    """Two files have a gap, and what is allowed; of a list of figures the reference's is expected
    and the program's found."""
    start, is_open = f"{figure.title}  {figure.player}", figure.verdict == OPEN
    why = f", {WHY_OPEN}" if is_open else ""
    is_known = figure.left is not None and figure.right is not None
    if comparison is None and not figure.share and is_known:
        if is_open:
            sides = numbers.both_sides(figure)
            gap = numbers.gap_between(figure.metric, figure.gap_range or (0.0, 0.0))
        else:
            sides = f"{figure.left:g}", f"{figure.right:.6g}"
            gap = numbers.significant(figure.gap or 0.0, 4, "+")
        if figure.known_gap is not None:
            gap += f", known {numbers.significant(figure.known_gap, 4, '+')}"
        expected = f"expected {sides[0]} within {numbers.bound_of_list(figure.tolerance or 0.0)}"
        return f"{start}  {expected}, found {sides[1]} (gap {gap}{why})"
    gap, bound = numbers.gap_shown(figure)
    if is_open and figure.gap_range:
        gap = numbers.gap_between(figure.metric, figure.gap_range)
    allowed = f"allowed {bound}{numbers.beyond_known(figure)}{why}"
    if figure.share or comparison is None:
        return f"{start}  {gap} of the gap, {allowed}"
    values = zip(comparison.labels, numbers.both_sides(figure), strict=True)
    return f"{start}  gap {gap}, {allowed}  ({', '.join(map(' '.join, values))})"


def steps(case: JudgedFigure) -> Iterator[str]:
    """Why a PR differs in a headline and its first rows; then the bridge from the left to the right
    figure, one line per step."""
    comparison, figure = case.comparison, case.figure
    if comparison is None or figure.verdict not in (OUTSIDE, OPEN):
        return
    for explanation in explanations(comparison):
        if (explanation.player, explanation.metric) == (figure.player, figure.metric):
            shown = explanation.shown()
            lines = [shown.headline, *(f"  {row}" for row in shown.lines[:FIRST_ROWS])]
            yield from map(numbers.ascii_minus, lines)
    bridge = bridge_of(comparison, figure)
    if bridge is None:
        return
    if not bridge.steps:
        yield f"no bridge: {bridge.reason}"
        return
    ends = [
        (label, numbers.figure(figure.metric, value), "", "")
        for label, value in zip(comparison.labels, (bridge.start, bridge.end), strict=True)
    ]
    rows = [
        (
            step_name(step.code),
            numbers.change(figure.metric, step.change),
            plural(step.decisions, "decision"),
            step.title,
        )
        for step in bridge.steps
        if step.change
    ]
    rows = [ends[0], *rows, ends[1]]
    yield from map(numbers.ascii_minus, aligned(rows, right=(1,)))


FIRST_ROWS = 2
"""Rows in the message of a figure."""
ORDER = ("failed", OUTSIDE, "warned", "explained", WITHIN, "listed", "not compared")
"""Verdicts of matches as a reader wants them: what is to be looked at before what is well, what is
missing last."""
TITLES = {"listed": "Listed, with a tool's figures and without its file"}
"""Of the matches of a verdict, where it says more than its word."""
MOST_DECISIONS = 5
"""Decisions of one list that are printed."""
MOST_GROUPS = 12
"""Figures that are off, shown."""
MOST_FIGURES = 4
"""Figures of one match out of tolerance, shown in a text; the groups have them all."""
SAID_ONCE = ("candidate-own-rules", "candidate-rules", "candidate-unexplained")
"""Findings that repeat what the diagnosis of the program says of all matches."""
SAID_OF_LISTS = ("candidate-own-rules", "candidate-unit", "candidate-decisions")
"""Those that repeat what is said of all lists of a program."""
OF_MATCHES = ("candidate-digits", "candidate-unjudged")
"""Those that are said of all matches together."""
Entry: TypeAlias = tuple[str, Figure, Again[Comparison] | None]
"""The name of a candidate or nothing, its figure, and what was compared, if two files were."""


def match_verdict(match: MatchResult) -> str:
    """The verdict of a match: `failed`, `outside`, `warned`, `within`, `not compared`, `explained`
    or `listed`."""
    figures = list(match.figures)
    verdicts = {figure.verdict for figure in figures}
    if match.failures:
        return "failed"
    if any(figure.failing() for figure in figures):
        return OUTSIDE
    if OPEN in verdicts or any(figure.failing(fail_on="warn") for figure in figures):
        return "warned"
    if WITHIN in verdicts:
        return WITHIN
    if match.not_compared or any(match.unjudged):
        return "not compared"
    return "listed" if match.listed and not match.pairs else "explained"


def in_order(result: PackResult) -> list[MatchResult]:
    """The matches with something to show, by their verdicts and otherwise as in the pack."""
    here = (match for match in result.matches if not match.nothing_here)
    return sorted(here, key=lambda match: ORDER.index(match_verdict(match)))


def away_line(result: PackResult) -> str:
    """How many matches have files that are not here; empty if none has."""
    count = sum(match.nothing_here for match in result.matches)
    if not count:
        return ""
    are, those = ("is", "it") if count == 1 else ("are", "them")
    matches = plural(count, "public match", "public matches")
    return f"{matches} {are} not here; `reconcile fetch` downloads {those}"


def pack_sentence(result: PackResult) -> str:
    """The verdict of a pack in a sentence."""
    summary = result.summary
    judged = summary.within + summary.outside + summary.open
    away = sum(len(match.not_compared) for match in result.matches if match.nothing_here)
    apart, failed = max(summary.not_compared - away, 0), len(result.failed)
    programs = len(result.faulty)
    theirs = (
        figure for match in result.matches for own in match.candidates for figure in own.figures
    )
    incomplete = summary.incomplete - sum(figure.verdict == INCOMPLETE for figure in theirs)
    counted = (
        (failed, plural(failed, "failure")),
        (True, f"{summary.within} of {judged} figures within tolerance"),
        (summary.open, f"{summary.open} open"),
        (programs, f"{plural(programs, 'program')} with a mistake"),
        (summary.missing, f"{summary.missing} missing"),
        (summary.incomparable, f"{summary.incomparable} incomparable"),
        (summary.unsupported, f"{summary.unsupported} unsupported"),
        (incomplete, f"{incomplete} incomplete"),
        (apart, f"{plural(apart, 'part')} not compared"),
    )
    return f"{result.name}: {', '.join(words for count, words in counted if count)}"


def worst_of(match: MatchResult) -> str:
    """The figure of a match that is furthest off, relative to its tolerance; empty if none has a
    bound."""
    sizes = [
        (abs(figure.unexplained) / (figure.tolerance or 1e-9), figure)
        for figure in match.figures
        if figure.unexplained is not None and figure.tolerance is not None
    ]
    if not sizes:
        explained = (differs_most(pair.comparison) for pair in match.pairs if not pair.gates)
        return next(filter(None, explained), "")
    _, worst = max(sizes, key=lambda entry: entry[0])
    off = numbers.significant(abs(worst.gap or 0.0), 3)
    return f"{title(worst)} off by {off}"


def pack_blocks(result: PackResult) -> Blocks:
    """The verdict of a pack, what failed first; then the matches by their verdicts, and in a
    document all of them in a table."""
    yield Heading(Marked(pack_sentence(result), OUTSIDE if result.failed else result.verdict))
    yield Sentences(list(filter(None, [away_line(result)])))
    matches = in_order(result)
    failed = [(part.part, part.why) for part in result.failures]
    failed += [(match.id, str(part)) for match in matches for part in match.failures]
    yield from bullets("Failed", list(by_reason(failed)))
    yield from bullets("Missing", list(missing_lines(result.cells)))
    yield from bullets("Incomparable", list(incomparable_lines(result.cells)))
    yield from _diagnosis(result)
    for verdict, group in groupby(matches, key=match_verdict):
        items = [_match_item(match) for match in group if not is_quiet(match)]
        listed = [item for item in items if item.below or verdict != "failed"]
        heading = TITLES.get(verdict, verdict.capitalize())
        yield from bullets(heading, listed, wrapped=verdict == "explained")
    absent = [str(reason) for reason in result.not_compared if not reason.is_failure]
    yield from bullets("Not compared with any match", absent)
    for match in result.matches:
        for candidate in match.candidates:
            yield from _differing(match, candidate)
    yield from bullets("In several matches", list(_shared_findings(result)))
    remarks = [Item(text, lead=Marked(tone, tone)) for tone, text in about_tolerances(result)]
    yield from bullets("Tolerances to look at", remarks)
    unjudged = [
        f"{match.id}, {cell.suite}: {cell}: {cell.reason}"
        for match in matches
        for cell in match.unjudged
    ]
    if unjudged:
        yield Folded("Given and not judged", [Bullets(unjudged)])
    if matches:
        yield Folded("Every match", [_table(matches)])


def _diagnosis(result: PackResult) -> Blocks:
    """What the lists and figures of every program show, and the figures that are off and follow
    from no cause that is named."""
    diagnoses = [Item(entry.sentence, [agree_line(entry)]) for entry in result.diagnoses]
    lists = [
        f"decisions of {pooled.candidate}: {line}"
        for pooled in result.decision_lists or ()
        for line in pooled.sentences
    ]
    yield from bullets("Diagnosis", [*lists, *diagnoses])
    if groups := [group for group in result.groups if not group.cause]:
        yield from [Sentences([result.faults])] * bool(result.faults)
        yield first([group.sentence for group in groups], MOST_GROUPS, "Figures that are off")


def _table(matches: Sequence[MatchResult]) -> Table:
    """A row for every match: its verdict, and the figure that is furthest off."""
    rows = [
        (
            Marked(match.title, note=match.id, link=page_name(match.id) * (not is_quiet(match))),
            Marked(verdict, verdict),
            str(len(list(match.figures))),
            worst_of(match) or numbers.UNKNOWN,
        )
        for match in matches
        for verdict in [match_verdict(match)]
    ]
    return Table(("Match", "Verdict", "Figures", "Worst figure"), rows, right=(2,))


def is_quiet(match: MatchResult) -> bool:
    """Whether there is nothing to say of a match but that it is within tolerance: it has no line
    and no page."""
    unjudged = any(cell.reason != NO_REFERENCE for cell in match.unjudged)
    apart = match.not_compared or match.pairs or unjudged
    incomparable = {
        (cell.player, cell.figure) for cell in match.cells if cell.state == "incomparable"
    }
    figures = all(
        (figure.verdict == WITHIN and not figure.note)
        or (figure.player, figure.name) in incomparable
        for figure in match.figures
    )
    lists = any(candidate.source or candidate.decisions for candidate in match.candidates)
    is_green = match_verdict(match) == WITHIN and figures
    return is_green and not (apart or lists or any(_candidate_lines(match)))


def _match_item(match: MatchResult) -> Item:
    """What there is to say of a match: first the figures out of tolerance, then those of which that
    is open, each with its bridge in one line."""
    figures = list(_judged(match))
    pages = {id(source): name for name, source, _ in compared(match)}
    lines: list[Words] = []
    for verdict in (OUTSIDE, OPEN):
        first_of, more = _shown([entry for entry in figures if entry[1].verdict == verdict])
        for whose, figure, source in first_of:
            word = "warning" if (verdict, figure.level) == (OUTSIDE, "warn") else verdict
            comparison = source() if source else None
            words = f"{word}: {whose}{failure_line(figure, comparison)}"
            lines.append(Marked(words, link=pages.get(id(source), "")))
            lines += filter(None, [walk_line(comparison, figure)])
        lines += [f"{verdict}: {plural(more, 'more figure')}"] * bool(more)
    lines += [
        f"incomplete: {figure.title}  {figure.player}: {lacking_of(figure)}"
        for whose, figure, _ in figures
        if figure.verdict == INCOMPLETE and not whose
    ]
    if match_verdict(match) == "explained":
        for pair in match.pairs:
            gaps = [gap.shown() for gap in explanations(pair.comparison)]
            headline, *rest = story(gaps, notes(pair.comparison))
            lines += [Marked(headline, link=pages[id(pair.source)]), *rest]
    lines += [
        f"judged with an exception: {whose}{figure.title}  {figure.player}: {figure.note}"
        for whose, figure, _ in figures
        if figure.note
    ]
    for reason in () if match.nothing_here else match.not_compared:
        lines += [f"not compared: {reason}"] * (not reason.is_failure)
    lines += _candidate_lines(match)
    if any(figure.verdict != WITHIN or figure.note for whose, figure, _ in figures if not whose):
        lines.append(f"from: {match.provenance}")
    name = f"{match.id}{' (synthetic)' * match.synthetic}: {match.title}"
    return Item(Marked(name, link=page_name(match.id)), lines)


def _outside(figures: Iterable[Figure]) -> Iterable[set[str]]:
    """The figures out of tolerance, by player."""
    names: dict[str, set[str]] = {}
    for figure in figures:
        if figure.verdict in (OUTSIDE, OPEN):
            names.setdefault(figure.player, set()).add(figure.metric)
    return names.values()


def _shown(entries: Sequence[Entry]) -> tuple[Sequence[Entry], int]:
    """The figures of a match to be shown, and how many more there are: of many that programs give
    those first that do not follow from others."""
    theirs = [entry for entry in entries if entry[0]]
    if len(theirs) <= MOST_FIGURES + 1:
        return entries, 0
    roots, _ = roots_of(_outside(figure for _, figure, _ in theirs))
    theirs.sort(key=lambda entry: entry[1].metric not in roots)
    own = [entry for entry in entries if not entry[0]]
    return [*own, *theirs[:MOST_FIGURES]], len(theirs) - MOST_FIGURES


def _differing(match: MatchResult, candidate: CandidateResult) -> Blocks:
    """The decisions of a list that differ, those first that move PR most."""
    if candidate.decisions and candidate.decisions.differing:
        items = list(map(differing_line, candidate.decisions.differing))
        heading = f"{match.id}: decisions of {candidate.suite} that differ"
        yield first(items, MOST_DECISIONS, heading)


def differing_line(row: Row) -> str:
    """A decision of a list that differs, with what it moves and its XGID."""
    moved = "" if row["pr"] is None else f", PR {numbers.change('pr', row['pr'])}"
    return f"{address(row)}: {row['sentence']}{moved}  {row['xgid'] or ''}".rstrip()


def page_name(match: str) -> str:
    """The page of a match, in the folder of a pack's pages."""
    return f"{legal_stem(match)}.html"


def compared(match: MatchResult) -> Iterator[tuple[str, Again[Comparison], bool]]:
    """The pages of pairs and candidates: name, what was compared, whether it is judged."""
    # An id holds no dot, so that no page of a pair can be that of another match.
    stem = legal_stem(match.id)
    for number, pair in enumerate(match.pairs, start=1):
        yield f"{stem}.pair-{number}.html", pair.source, pair.gates
    for number, candidate in enumerate(match.candidates, start=1):
        if candidate.source is not None:
            yield f"{stem}.candidate-{number}.html", candidate.source, True


def _judged(match: MatchResult) -> Iterator[Entry]:
    """The figures that count for the verdict."""
    for result in match.results:
        whose = f"{result.title}: " if isinstance(result, CandidateResult) else ""
        source = None if isinstance(result, ReportedResult) else result.source
        yield from ((whose, figure, source) for figure in result.judged)


def about_tolerances(result: PackResult) -> Iterator[tuple[str, str]]:
    """Severity and text of the findings about tolerances."""
    for match in result.matches:
        for finding in match.findings:
            if finding.code in ABOUT_TOLERANCES:
                yield finding.severity, f"{match.id}: {finding.text}"
    yield from ((finding.severity, finding.text) for finding in result.findings)


def _shared_findings(result: PackResult) -> Iterator[str]:
    """The findings about candidates that are said of all matches together: the first, and in how
    many others the same is texts_of."""
    texts_of: dict[tuple[str, str], list[str]] = {}
    for match in result.matches:
        for candidate in match.candidates:
            for finding in candidate.findings:
                if finding.code in OF_MATCHES:
                    key = candidate.title, finding.code
                    texts_of.setdefault(key, []).append(f"{finding.text} ({match.id})")
    for (title_, _), texts in texts_of.items():
        more = f"; so in {plural(len(texts) - 1, 'more match', 'more matches')}"
        yield f"{title_}: {texts[0]}{more * (len(texts) > 1)}"


def _candidate_lines(match: MatchResult) -> Iterator[str]:
    """The findings about the candidates of a match, one line each; candidates with the same finding
    share a line.

    Where the rules of a program's diagnosis give its figures here too, there is nothing to say once
    more.
    """
    lines: dict[str, list[str]] = {}
    for candidate in match.candidates:
        once = SAID_ONCE if candidate.program else ()
        once = SAID_OF_LISTS if candidate.decisions else once
        for finding in candidate.findings:
            if finding.code not in (*once, *OF_MATCHES):
                lines.setdefault(finding.text, []).append(candidate.title)
    yield from (f"{', '.join(dict.fromkeys(suites))}: {words}" for words, suites in lines.items())


GAPS_HEAD = (
    "Figure", "n", "matches", "widest gap", "95 % within", "where", "allowed", "times the widest",
)  # fmt: skip
NUMBERS = (1, 2, 3, 4, 6, 7)
UNJUDGED = "not judged"


def measurement_blocks(measurement: Measurement) -> Blocks:
    """A table for each tolerance table."""
    for name, group in _by_table(measurement.measured):
        yield Table(GAPS_HEAD, list(map(_cells, group)), NUMBERS, name or UNJUDGED)


YAML_HEAD = """\
# The tightest bounds within which everything measured would have passed, rounded up to two \
digits. Add some margin,
# and give the `reason` why the figures may differ: the file is rejected until every reason is \
filled in.
schema_version: 1
"""


def measurement_yaml(gaps: Measurement) -> str:
    """Tolerance tables with the tightest bounds that would have passed; the reasons are left for
    people to write.

    The file is rejected until they are filled in, since the reason for a bound cannot be measured.
    Of a program, a figure that never differs in a printed digit needs no other
    reason.
    """
    pack, of_program = gaps.pack, gaps.of_program
    lines = [f"{YAML_HEAD}{'extends: bundled' * of_program}".rstrip(), "tables:"]
    for name, group in _by_table(gaps.measured):
        measured = f"Figures of {name}, measured on {pack}" if of_program else f"Measured on {pack}"
        lines += [
            f"  {name or UNJUDGED.replace(' ', '-')}:",
            f"    title: {json.dumps(measured, ensure_ascii=False)}",
            "    entries:",
        ]
        for row in group:
            counted = f"{plural(row.count, 'figure')} of {plural(row.matches, 'match', 'matches')}"
            source = (
                f"reconcile validate --measure {pack}: {counted}, "
                f"the widest gap {row.widest:.4g}, 95 % within {row.percentile_95:.4g}"
            )
            bound, reason = f"abs: {Decimal(repr(row.suggested)):f}", ""
            if of_program and row.is_exact:
                bound, reason = "within: printed", "the same in every printed digit"
            lines += [
                f"      {row.metric}:",
                f"        {bound}",
                "        level: error",
                f'        reason: "{reason}"',
                f"        source: {json.dumps(source, ensure_ascii=False)}",
                f"        evidence: [{row.match}]",
            ]
    return "\n".join(lines) + "\n"


def _by_table(rows: Sequence[Measured]) -> Iterator[tuple[str | None, list[Measured]]]:
    """The measurements by tolerance table; those that no table judges come last."""
    ordered = sorted(rows, key=lambda row: (row.table is None, row.table or ""))
    return ((name, list(group)) for name, group in groupby(ordered, key=lambda row: row.table))


def _cells(row: Measured) -> tuple[str, ...]:
    """A row of the table."""
    return (
        row.metric,
        str(row.count),
        str(row.matches),
        f"{row.widest:.4g}",
        f"{row.percentile_95:.4g}",
        f"{row.match}, {row.player}" if row.widest else "-",
        "-" if row.tolerance is None else f"{row.tolerance:g}",
        "-" if row.ratio is None else f"{row.ratio:.3g}",
    )


MOST_CHANGED = 40
"""Most lines of a section; the rest is counted."""
HEADS = {
    "worse": "Figures that got worse",
    "gone": "Figures that are gone",
    "better": "Figures that got better",
    "new": "Figures that are new",
    "moved": "Figures that moved with the same verdict",
}


def changes_blocks(changes: Changes, *, fail_on: str = "error") -> Blocks:
    """What changed in a sentence, the versions, and the figures by kind of change."""
    kinds = [figure.change for figure in changes.figures]
    counts = [f"{kinds.count(kind)} {kind}" for kind in HEADS if kind in kinds]
    nothing = f"nothing changed in {plural(len(changes.new.figures), 'figure')}"
    words = ", ".join(counts) or nothing
    tone = OUTSIDE if changes.exit_code(fail_on=fail_on) else WITHIN
    yield Heading(Marked(f"{changes.new.name}: {words}.", tone))
    versions = [f"{each.tool}: {each.old} -> {each.new}" for each in changes.versions]
    if versions:
        yield Bullets(versions, "Other versions")
    for kind, head in HEADS.items():
        lines = [_line(figure) for figure in changes.figures if figure.change == kind]
        if lines:
            yield Bullets(lines[:MOST_CHANGED], head, more=max(0, len(lines) - MOST_CHANGED))


def _line(changed: ChangedFigure) -> str:
    """A figure, its verdicts where they differ, and its numbers with enough digits to see the
    difference."""
    name, _, share = changed.figure.partition("@")
    title = metric(name).title + (f", {SHARES[share]}" if share else "")
    ends = [figure for figure in (changed.old, changed.new) if figure]
    verdicts = list(dict.fromkeys(verdict_word(figure.verdict) for figure in ends))
    texts = [_numbers(figure, name, exact=False) for figure in ends]
    if len({*texts}) < len(ends):
        texts = [_numbers(figure, name, exact=True) for figure in ends]
    parts = [", ".join(filter(None, (changed.match, changed.player))) + f":  {title}"]
    if len(verdicts) > 1 or (len(ends) == 1 and ends[0].verdict != UNGATED):
        parts.append(" -> ".join(verdicts))
    return "  ".join([*parts, " -> ".join(dict.fromkeys(texts))])


def _numbers(figure: ResultFigure, name: str, *, exact: bool) -> str:
    sides = [side for side in (figure.left, figure.right) if side is not None]
    texts = [f"{side:.9g}" if exact else numbers.figure(name, side) for side in sides]
    return " against ".join(texts) or "unknown"


# -- pages -----------------------------------------------------------------------------------------

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


def match_blocks(match: MatchResult, parts: Sequence[Part], key: str = "") -> Blocks:
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


def _part(part: Part, pages: Mapping[int, str], key: str) -> Blocks:
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


def _row(part: Part, case: JudgedFigure) -> tuple[Words, ...]:
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


def _decisions(result: ListResult, key: str) -> Blocks:
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
