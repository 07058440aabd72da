"""A reference pack as text, Markdown, and a folder of HTML pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from reconcile.errors import UnreadableFile
from reconcile.files.output import legal_stem
from reconcile.files.wording import plural
from reconcile.gap.comparison import INCOMPLETE, OUTSIDE, WITHIN, Figure
from reconcile.gate.judged_figures import Part, pack_cases, pack_parts
from reconcile.gate.pack_results import MatchResult, PackResult
from reconcile.report.text.judged import failure_line, line
from reconcile.report.text.statistics import shown
from reconcile.scoring.findings import ABOUT_TOLERANCES


def _verdict(match: MatchResult) -> str:
    figures = list(match.figures)
    if any(figure.verdict == OUTSIDE for figure in figures):
        return OUTSIDE if any(figure.verdict == OUTSIDE and figure.level == "error" for figure in figures) else "warned"
    if any(figure.verdict == WITHIN for figure in figures):
        return WITHIN
    return "not compared" if match.not_compared else "explained"


def _sentence(result: PackResult) -> str:
    summary = result.summary
    judged = summary["within"] + summary["outside"]
    parts = [f"{summary['within']} of {judged} figures within tolerance"]
    if summary["incomplete"]:
        parts.append(f"{summary['incomplete']} incomplete")
    if summary["not_compared"]:
        parts.append(f"{summary['not_compared']} not compared")
    return f"{result.name}: {', '.join(parts)}"


def _worst(match: MatchResult) -> str:
    figures = [figure for figure in match.figures if figure.unexplained is not None and figure.tolerance is not None]
    if not figures:
        return ""
    worst = max(figures, key=lambda figure: abs(figure.unexplained or 0) / (figure.tolerance or 1e-9))
    return f"{worst.title} of {worst.player} off by {shown(worst.metric, None if worst.gap is None else abs(worst.gap))}"


def _word(figure: Figure) -> str:
    return "warning" if figure.level == "warn" else OUTSIDE


def _failures(match: MatchResult) -> Iterator[Figure]:
    return (figure for figure in match.figures if figure.verdict == OUTSIDE)


def pack_text(result: PackResult) -> str:
    """The verdict of a pack, failures first."""
    lines = [_sentence(result)]
    for match in result.matches:
        lines.append(
            f"  {_verdict(match):<13}{match.manifest.id}{' (synthetic)' if match.manifest.synthetic else ''}: {match.manifest.title}"
        )
        lines += [f"    {_word(figure)}: {whose}{failure_line(figure)}" for whose, figure in _figures(match) if figure.verdict == OUTSIDE]
        lines += [f"    incomplete: {whose}{f.title}  {f.player}: {f.coverage}" for whose, f in _figures(match) if f.verdict == INCOMPLETE]
        lines += [f"    not judged by the table alone: {note}" for note in _notes(match)]
        lines += [f"    not compared: {reason}" for reason in match.not_compared]
        lines += [f"    {told}" for told in _told(match)]
        if any(match.figures):
            lines.append(f"    from: {match.manifest.provenance}")
    lines += [f"  not compared: {reason}" for reason in result.not_compared]
    lines += [f"  {severity}: {told}" for severity, told in _about_tolerances(result)]
    return "\n".join(lines) + "\n"


def _figures(match: MatchResult) -> Iterator[tuple[str, Figure]]:
    """The figures that gate, each behind the name of the candidate whose it is."""
    theirs = {id(figure): f"{candidate.suite}: " for candidate in match.candidates for figure in candidate.judged}
    yield from ((theirs.get(id(figure), ""), figure) for figure in match.figures)


def _notes(match: MatchResult) -> Iterator[str]:
    """The figures that an override or a known gap concerns, and which."""
    yield from (f"{whose}{figure.title}  {figure.player}: {figure.note}" for whose, figure in _figures(match) if figure.note)


def _about_tolerances(result: PackResult) -> Iterator[tuple[str, str]]:
    """Severity and words of what the pack shows of its tolerances."""
    for match in result.matches:
        for finding in match.findings:
            if finding.code in ABOUT_TOLERANCES:
                yield finding.severity, f"{match.manifest.id}: {finding.told}"
    yield from ((finding.severity, finding.told) for finding in result.findings)


def _told(match: MatchResult) -> Iterator[str]:
    """What is said of the candidates of a match, a line each; those with the same to say in one."""
    lines: dict[str, list[str]] = {}
    for candidate in match.candidates:
        for finding in candidate.findings:
            lines.setdefault(finding.told, []).append(candidate.suite)
    yield from (f"{', '.join(dict.fromkeys(suites))}: {line}" for line, suites in lines.items())


def pack_markdown(result: PackResult) -> str:
    """The same for a pull request."""
    from reconcile.report.ci.markdown import escape

    lines = [f"## {escape(_sentence(result))}", "", "| match | verdict | figures | worst |", "| --- | --- | ---: | --- |"]
    for match in result.matches:
        count = sum(1 for _ in match.figures)
        title = escape(match.manifest.title) + (" (synthetic)" if match.manifest.synthetic else "")
        lines.append(f"| {title} | {_verdict(match)} | {count} | {escape(_worst(match))} |")
    failures = [(match, *named) for match in result.matches for named in _figures(match) if named[1].verdict == OUTSIDE]
    lines += [
        "",
        *(f"- **{match.manifest.id}**: {_word(figure)}: {escape(whose + failure_line(figure))}" for match, whose, figure in failures),
    ]
    lines += [f"- {match.manifest.id}: not compared: {escape(reason)}" for match in result.matches for reason in match.not_compared]
    lines += [f"- not compared: {escape(reason)}" for reason in result.not_compared]
    lines += [f"- {match.manifest.id}: {escape(told)}" for match in result.matches for told in _told(match)]
    lines += [f"- {match.manifest.id}: not judged by the table alone: {escape(note)}" for match in result.matches for note in _notes(match)]
    lines += [f"- **{severity}**: {escape(told)}" for severity, told in _about_tolerances(result)]
    return "\n".join(lines).rstrip() + "\n"


Run = dict[str, int]
"""Id of a match -> figures out of tolerance, in one run."""


def read_run(path: str) -> Run:
    """An earlier result of `validate --json`. Raises `UnreadableFile`."""
    from reconcile.results.flat import read_result

    result = read_result(path)
    if result.kind != "validation":
        raise UnreadableFile(f"{path}: expected what `validate --json` wrote, found a {result.kind}; name such a file")
    run = dict.fromkeys((key[0] for key in result.figures), 0)
    for key, value in result.figures.items():
        run[key[0]] += value.verdict == OUTSIDE
    return run


def pack_pages(result: PackResult, folder: str, earlier: Sequence[Run] = ()) -> list[tuple[str, str]]:
    """Paths and contents: `index.html`, with the trend since earlier runs (oldest first), and a page per match, pair and candidate."""
    from reconcile.gap.walk import Walk
    from reconcile.report.html.match_page import match_page
    from reconcile.report.html.render import Failure, PackRow, pack_index, render, walked_page

    parts: dict[str, list[Part]] = {}
    for part in pack_parts(result):
        parts.setdefault(part.match, []).append(part)
    pages: dict[str, str] = {}
    rows = []
    for match in result.matches:
        # An id holds no dot, so that no page of a pair can be that of another match.
        names = [f"{legal_stem(match.manifest.id)}.pair-{number}.html" for number, _ in enumerate(match.pairs, start=1)]
        for name, pair in zip(names, match.pairs, strict=True):
            pages[name] = walked_page(Walk(pair.comparison), judged=pair.gates)
        candidates = {
            id(candidate.comparison): (f"{match.manifest.id}.candidate-{number}.html", candidate.comparison)
            for number, candidate in enumerate(match.candidates, start=1)
            if candidate.comparison is not None
        }
        for name, comparison in candidates.values():
            pages[name] = walked_page(Walk(comparison))
        named = {key: name for key, (name, _) in candidates.items()}
        page = match_page(match, parts.get(match.manifest.id, []), _verdict(match), _match_sentence(match), names, named)
        pages[_page_name(match.manifest.id)] = render("match.html.j2", page=page)
        rows.append(
            PackRow(
                id=match.manifest.id,
                title=match.manifest.title,
                verdict=_verdict(match),
                figures=sum(1 for _ in match.figures),
                worst=_worst(match),
                page=_page_name(match.manifest.id),
                notes=match.not_compared,
                pages=(*names, *named.values()),
                synthetic=match.manifest.synthetic,
                outside=(*(run.get(match.manifest.id) for run in earlier), sum(1 for _ in _failures(match))),
            )
        )
    failing = sorted(
        (case for case in pack_cases(result) if case.figure.verdict == OUTSIDE), key=lambda case: (not case.fails, -case.excess, case.id)
    )
    failures = [Failure(case.match, case.suite, line(case), _page_name(case.match), not case.fails) for case in failing]
    pages["index.html"] = pack_index(_sentence(result), rows, failures, result.not_compared, list(_about_tolerances(result)))
    return [(str(Path(folder) / name), content) for name, content in pages.items()]


def _page_name(match: str) -> str:
    return f"{legal_stem(match)}.html"


def _match_sentence(match: MatchResult) -> str:
    verdicts = [figure.verdict for figure in match.figures]
    parts = [f"{verdicts.count(WITHIN)} of {plural(verdicts.count(WITHIN) + verdicts.count(OUTSIDE), 'figure')} within tolerance"]
    if not verdicts:
        parts = ["No tolerance is applied to this match" if match.pairs else "No figure was compared"]
    if INCOMPLETE in verdicts:
        parts.append(f"{verdicts.count(INCOMPLETE)} incomplete and not judged")
    if match.not_compared:
        parts.append(f"{plural(len(match.not_compared), 'part')} not compared")
    return "; ".join(parts) + "."
