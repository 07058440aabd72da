"""A judged pack of reference matches as text, and the gaps measured on one as text and as a draft of tolerance tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Final

from reconcile.files.wording import plural
from reconcile.gap.bridge import DECISIONS
from reconcile.gap.comparison import TOTALS, Comparison
from reconcile.gap.explanation import explanations
from reconcile.gap.notes import story
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE, WITHIN, Figure
from reconcile.gate.candidates.missing import missing_lines
from reconcile.gate.judged_figures import JudgedFigure, Part, comparison_part, pack_parts
from reconcile.gate.match_results import CandidateResult, MatchResult, PairResult
from reconcile.gate.measure import Measured
from reconcile.gate.pack_results import PackResult
from reconcile.report import numbers
from reconcile.report.blocks import Block, Bullets, Folded, Heading, Item, Table, Toned
from reconcile.report.numbers import aligned
from reconcile.report.text.comparison import bullets, walk_line
from reconcile.report.text.decisions import list_sentences
from reconcile.report.text.investigation import details
from reconcile.report.text.statistics import shown
from reconcile.report.verdict import differs_most
from reconcile.report.words import WHY_OPEN, bridge_of, file_name, step_name
from reconcile.scoring.findings import ABOUT_TOLERANCES


def part_of(comparison: Comparison) -> Part:
    """The judged figures of two files outside any pack, named after the files and their tools."""
    files = [file_name(side.path) for side in (comparison.left, comparison.right)]
    return comparison_part(comparison, " against ".join(files), " against ".join(comparison.labels))


def parts_of(comparison: Comparison) -> list[Part]:
    """The same as a list of one part."""
    return [part_of(comparison)]


def line(case: JudgedFigure) -> str:
    """What is to be said of a figure that is not within its tolerance, in one line."""
    figure = case.figure
    start = f"{figure.title}  {figure.player}"
    if figure.verdict == INCOMPLETE:
        return f"{start}  not judged: {figure.coverage or 'unknown on one side'}"
    if case.unjudged:
        return numbers.ascii_minus(
            f"{start}  given {numbers.figure(figure.metric, figure.right)}, not judged: {figure.note}"
        )
    return numbers.ascii_minus(failure_line(figure, case.comparison))


def failure_line(figure: Figure, comparison: Comparison | None) -> str:
    """Two files have a gap, and what is allowed; of a list of figures the reference's is expected and the program's found."""
    start, open_ = f"{figure.title}  {figure.player}", figure.verdict == OPEN
    why = f", {WHY_OPEN}" if open_ else ""
    listed = comparison is None or comparison.right.format in (TOTALS, DECISIONS)
    if listed and not figure.share and figure.left is not None and figure.right is not None:
        left, right = (
            numbers.both_sides(figure) if open_ else (f"{figure.left:g}", f"{figure.right:.6g}")
        )
        gap = (
            numbers.gap_between(figure.metric, figure.gap_range or (0.0, 0.0))
            if open_
            else numbers.significant(figure.gap or 0.0, 4, "+")
        )
        known = (
            ""
            if figure.known_gap is None
            else f", known {numbers.significant(figure.known_gap, 4, '+')}"
        )
        return f"{start}  expected {left} within {figure.tolerance:g}, found {right} (gap {gap}{known}{why})"
    gap, bound = numbers.gap_shown(figure)
    if open_ and figure.gap_range:
        gap = numbers.gap_between(figure.metric, figure.gap_range)
    known = (
        ""
        if figure.known_gap is None
        else f" beyond the known gap {numbers.change(figure.metric, figure.known_gap)}"
    )
    if figure.share or comparison is None:
        return f"{start}  {gap} of the gap, allowed {bound}{known}{why}"
    sides = zip(comparison.labels, numbers.both_sides(figure), strict=True)
    return f"{start}  gap {gap}, allowed {bound}{known}{why}  ({', '.join(f'{name} {value}' for name, value in sides)})"


def steps(case: JudgedFigure) -> Iterator[str]:
    """Why a PR differs in a headline and its first rows; then the bridge from the left to the right figure, one line per step."""
    if case.comparison is None or case.figure.verdict not in (OUTSIDE, OPEN):
        return
    yield from map(numbers.ascii_minus, _first_rows(case.comparison, case.figure))
    bridge = bridge_of(case.comparison, case.figure)
    if bridge is None:
        return
    if not bridge.steps:
        yield f"no bridge: {bridge.reason}"
        return
    left, right = case.comparison.labels
    metric = case.figure.metric
    rows = [(left, numbers.figure(metric, bridge.start), "", "")]
    rows += [
        (
            step_name(step.code),
            numbers.change(metric, step.change),
            plural(step.decisions, "decision"),
            step.title,
        )
        for step in bridge.steps
        if step.change
    ]
    rows.append((right, numbers.figure(metric, bridge.end), "", ""))
    yield from (numbers.ascii_minus(row) for row in aligned(rows, right=(1,)))


def _first_rows(comparison: Comparison, figure: Figure) -> Iterator[str]:
    """The headline of a player and the largest rows; nothing of a figure that is not explained."""
    for explanation in explanations(comparison):
        if (explanation.player, explanation.metric) == (figure.player, figure.metric):
            rows = explanation.shown()
            yield rows.headline
            yield from (f"  {line}" for line in rows.lines[:FIRST_ROWS])


FIRST_ROWS: Final = 2
"""Rows in the message of a figure."""
ORDER: Final = ("failed", OUTSIDE, "warned", "explained", WITHIN, "listed", "not compared")
"""Verdicts of matches as a reader wants them: what is to be looked at before what is well, what is missing last."""


TITLES: Final = {"listed": "Listed, with a tool's figures and without its file"}
"""Of the matches of a verdict, where it says more than its word."""
MOST_DECISIONS: Final = 5
"""Decisions of one list that are printed."""
SAID_ONCE: Final = ("candidate-own-rules", "candidate-rules", "candidate-fault")
"""Findings that repeat what the diagnosis of the program says of all matches."""


def match_verdict(match: MatchResult) -> str:
    """The verdict of a match: `failed`, `outside`, `warned`, `within`, `not compared`, `explained` or `listed`."""
    if match.failures:
        return "failed"
    figures = list(match.figures)
    if any(figure.failing(fail_on="warn") for figure in figures):
        return OUTSIDE if any(figure.failing() for figure in figures) else "warned"
    if any(figure.verdict == OPEN for figure in figures):
        return "warned"
    if any(figure.verdict == WITHIN for figure in figures):
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
    are, them = ("is", "it") if count == 1 else ("are", "them")
    return f"{plural(count, 'public match', 'public matches')} {are} not here; `reconcile fetch` downloads {them}"


def pack_sentence(result: PackResult) -> str:
    """The verdict of a pack in a sentence."""
    summary = result.summary
    judged = summary.within + summary.outside + summary.open
    parts = [plural(len(result.failed), "failure")] if result.failed else []
    parts.append(f"{summary.within} of {judged} figures within tolerance")
    if summary.unjudged:
        parts.append(f"{summary.given_judged} of {summary.stated} given figures judged")
    if summary.open:
        parts.append(f"{summary.open} open")
    if result.faulty:
        parts.append(f"{plural(len(result.faulty), 'program')} with a mistake")
    if summary.missing:
        parts.append(f"{summary.missing} missing")
    if summary.given_alone:
        parts.append(f"{plural(summary.given_alone, 'given figure')} that no reference has")
    if summary.incomplete:
        parts.append(f"{summary.incomplete} incomplete")
    away = sum(len(match.not_compared) for match in result.matches if match.nothing_here)
    if summary.not_compared > away:
        parts.append(f"{plural(summary.not_compared - away, 'part')} not compared")
    return f"{result.name}: {', '.join(parts)}"


def worst_of(match: MatchResult) -> str:
    """The figure of a match that is furthest off, relative to its tolerance; empty if none has a bound."""
    figures = [
        figure
        for figure in match.figures
        if figure.unexplained is not None and figure.tolerance is not None
    ]
    if not figures:
        return next(
            filter(None, (differs_most(pair.comparison) for pair in match.pairs if not pair.gates)),
            "",
        )
    worst = max(
        figures, key=lambda figure: abs(figure.unexplained or 0) / (figure.tolerance or 1e-9)
    )
    return f"{worst.title} of {worst.player} off by {shown(worst.metric, None if worst.gap is None else abs(worst.gap))}"


def failure_word(figure: Figure) -> str:
    """The word for a figure out of tolerance, or of which that is open."""
    return OPEN if figure.verdict == OPEN else "warning" if figure.level == "warn" else OUTSIDE


def pack_blocks(result: PackResult) -> Iterator[Block]:
    """The verdict of a pack, what failed first; then the matches by their verdicts, and in a document all of them in a table."""
    yield Heading(Toned(pack_sentence(result), OUTSIDE if result.failed else result.verdict))
    verdicts = {
        verdict: list(matches) for verdict, matches in groupby(in_order(result), key=match_verdict)
    }
    failed = [Item(str(one)) for one in result.failures]
    yield from bullets("Failed", [*failed, *map(_match_item, verdicts.pop("failed", ()))])
    yield from bullets("Missing", list(missing_lines(result.missing)))
    yield from bullets("", list(list_sentences(result)))
    yield from bullets("", [Item(one.sentence, list(details(one))) for one in result.diagnoses])
    for verdict, matches in verdicts.items():
        yield Bullets(
            list(map(_match_item, matches)),
            TITLES.get(verdict, verdict.capitalize()),
            wrapped=verdict == "explained",
        )
    yield from bullets("", list(filter(None, [away_line(result)])))
    yield from bullets(
        "Not compared with any match",
        [str(reason) for reason in result.not_compared if not reason.is_failure],
    )
    for match in result.matches:
        for one in match.candidates:
            yield from _differing(match, one)
    yield from bullets(
        "Tolerances to look at",
        [Item(text, lead=Toned(severity, severity)) for severity, text in about_tolerances(result)],
    )
    rows = [
        (one.title, match_verdict(one), str(sum(1 for _ in one.figures)), worst_of(one))
        for one in in_order(result)
    ]
    yield Folded(
        "Every match", Table(("Match", "Verdict", "Figures", "Worst figure"), rows, right=(2,))
    )


def _match_item(match: MatchResult) -> Item:
    """What there is to say of a match."""
    lines = list(_failure_lines(match))
    lines += [
        f"incomplete: {whose}{one.title}  {one.player}: {one.coverage}"
        for whose, one in figures_of(match)
        if one.verdict == INCOMPLETE
    ]
    if match_verdict(match) == "explained":
        lines += [words for pair in match.pairs for words in story(pair.comparison)]
    lines += [f"judged with an exception: {note}" for note in notes_of(match)]
    if not match.nothing_here:
        lines += [
            f"{'failed' if reason.is_failure else 'not compared'}: {reason}"
            for reason in match.not_compared
        ]
    lines += candidate_lines(match)
    if any(match.figures):
        lines.append(f"from: {match.provenance}")
    return Item(f"{match.id}{' (synthetic)' if match.synthetic else ''}: {match.title}", lines)


def match_lines(result: PackResult) -> Iterator[str]:
    """What there is to say of a pack of one match: figures that are not within, each with its steps, and what else was not judged."""
    for part in pack_parts(result):
        for case in part.cases:
            if case.unjudged or case.figure.verdict in (OUTSIDE, OPEN, INCOMPLETE):
                yield f"{part.suite}: {line(case)}"
                yield from (f"  {step}" for step in steps(case))
        if part.missing:
            yield f"{part.suite}: not compared: {part.missing}"
    yield from missing_lines(result.missing)
    if result.faulty or any(
        figure.failing() for match in result.matches for figure in match.figures
    ):
        yield from (one.sentence for one in result.diagnoses)


def _failure_lines(match: MatchResult) -> Iterator[str]:
    """The figures out of tolerance, and those of which that is open, each with its bridge in one line."""
    for whose, figure in sorted(figures_of(match), key=lambda named: named[1].verdict == OPEN):
        if figure.verdict in (OUTSIDE, OPEN):
            comparison = comparison_of(match, figure)
            yield f"{failure_word(figure)}: {whose}{failure_line(figure, comparison)}"
            yield from filter(None, [walk_line(comparison, figure)])


def _differing(match: MatchResult, candidate: CandidateResult) -> Iterator[Block]:
    """The decisions of a list that differ, those first that move PR most."""
    if candidate.decisions is not None and (found := candidate.decisions.differing):
        moved = ["" if one.pr is None else f", PR {numbers.change('pr', one.pr)}" for one in found]
        items = [
            f"{one.address}: {one.sentence}{pr}  {one.xgid}".rstrip()
            for one, pr in zip(found, moved, strict=True)
        ]
        yield Bullets(
            items, f"{match.id}: decisions of {candidate.suite} that differ", most=MOST_DECISIONS
        )


def comparison_of(match: MatchResult, figure: Figure) -> Comparison | None:
    """The comparison that a figure is from, if it is of two files."""
    compared: list[PairResult | CandidateResult] = [
        *(pair for pair in match.pairs if pair.gates),
        *match.candidates,
    ]
    return next(
        (one.comparison for one in compared if any(figure is other for other in one.judged)), None
    )


def figures_of(match: MatchResult) -> Iterator[tuple[str, Figure]]:
    """The figures that count for the verdict, each preceded by the name of its candidate."""
    theirs = {
        id(figure): f"{candidate.title}: "
        for candidate in match.candidates
        for figure in candidate.judged
    }
    yield from ((theirs.get(id(figure), ""), figure) for figure in match.figures)


def notes_of(match: MatchResult) -> Iterator[str]:
    """The figures with an override or a known gap, and which."""
    yield from (
        f"{whose}{figure.title}  {figure.player}: {figure.note}"
        for whose, figure in figures_of(match)
        if figure.note
    )


def about_tolerances(result: PackResult) -> Iterator[tuple[str, str]]:
    """Severity and text of the findings about tolerances."""
    for match in result.matches:
        for finding in match.findings:
            if finding.code in ABOUT_TOLERANCES:
                yield finding.severity, f"{match.id}: {finding.text}"
    yield from ((finding.severity, finding.text) for finding in result.findings)


def candidate_lines(match: MatchResult) -> Iterator[str]:
    """The findings about the candidates of a match, one line each; candidates with the same finding share a line.

    Where the rules of a program's diagnosis give its figures here too, there is nothing to say once more.
    """
    lines: dict[str, list[str]] = {}
    for candidate in match.candidates:
        for finding in candidate.findings:
            if candidate.program and finding.code in SAID_ONCE:
                continue
            lines.setdefault(finding.text, []).append(candidate.title)
    yield from (f"{', '.join(dict.fromkeys(suites))}: {line}" for line, suites in lines.items())


GAPS_HEAD = (
    "Figure",
    "n",
    "matches",
    "widest gap",
    "95 % within",
    "where",
    "allowed",
    "times the widest",
)
NUMBERS = (1, 2, 3, 4, 6, 7)
UNJUDGED = "not judged"


def measurement_blocks(rows: Sequence[Measured]) -> Iterator[Block]:
    """A table for each tolerance table."""
    for name, group in by_table(rows):
        yield Table(GAPS_HEAD, list(map(_cells, group)), NUMBERS, name or UNJUDGED, indent=2)


def measurement_yaml(rows: Sequence[Measured], pack: str, *, of_program: bool = False) -> str:
    """Tolerance tables with the tightest bounds that would have passed; the reasons are left for people to write.

    The file is rejected until they are filled in, since the reason for a bound cannot be measured. Of a program (`of_program`), a figure
    that never differs in a printed digit needs no other reason.
    """
    lines = [
        "# The tightest bounds within which everything measured would have passed, rounded up to two digits. Add some margin,",
        "# and give the `reason` why the figures may differ: the file is rejected until every reason is filled in.",
        "schema_version: 1",
        *(["extends: bundled"] if of_program else []),
        "tables:",
    ]
    for name, group in by_table(rows):
        title = f"Figures of {name}, measured on {pack}" if of_program else f"Measured on {pack}"
        lines += [
            f"  {name or UNJUDGED.replace(' ', '-')}:",
            f'    title: "{_quoted(title)}"',
            "    entries:",
        ]
        for row in group:
            counted = f"{plural(row.count, 'figure')} of {plural(row.matches, 'match', 'matches')}"
            source = f"reconcile validate --measure {pack}: {counted}, the widest gap {row.widest:.4g}, 95 % within {row.percentile_95:.4g}"
            is_exact = of_program and row.is_exact
            lines += [
                f"      {row.metric}:",
                "        within: printed"
                if is_exact
                else f"        abs: {Decimal(repr(row.suggested)):f}",
                "        level: error",
                '        reason: "the same in every printed digit"'
                if is_exact
                else '        reason: ""',
                f'        source: "{_quoted(source)}"',
                f"        evidence: [{row.match}]",
            ]
    return "\n".join(lines) + "\n"


def by_table(rows: Sequence[Measured]) -> Iterator[tuple[str | None, list[Measured]]]:
    """The measurements by tolerance table; those that no table judges come last."""
    ordered = sorted(rows, key=lambda row: (row.table is None, row.table or ""))
    return ((name, list(group)) for name, group in groupby(ordered, key=lambda row: row.table))


def _cells(row: Measured) -> tuple[str, ...]:
    """A row of the table."""
    where = f"{row.match}, {row.player}" if row.widest else "-"
    allowed = "-" if row.tolerance is None else f"{row.tolerance:g}"
    ratio = "-" if row.ratio is None else f"{row.ratio:.3g}"
    return (
        row.metric,
        str(row.count),
        str(row.matches),
        f"{row.widest:.4g}",
        f"{row.percentile_95:.4g}",
        where,
        allowed,
        ratio,
    )


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
