"""A run as CI services show it: the checkout by whose files they name places, annotations and step
summary of GitHub Actions, a badge; and judged figures as JUnit XML, a case per figure and player.

An annotation and a test case can only point to files inside the checkout, by their paths relative
to it. GitHub shows ten annotations of a kind for each step, and drops a summary beyond one MiB.

The elements of JUnit XML are those that Jenkins' schema `junit-10.xsd` allows and that GitLab,
Azure and the viewers for GitHub read. Single cases have no properties there; a figure's numbers are
properties of its suite, named after the case, and are also in the case's output. Beyond that schema
a case has `file` and `line`, by which GitLab and the viewers for GitHub link it; Jenkins' own
reader ignores them. There is no time and no host: the same result gives the same bytes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Literal
from xml.etree import ElementTree as ET

from reconcile.document import Document, Key, Text, dumps
from reconcile.errors import At
from reconcile.files.yaml_file import lines_of
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE
from reconcile.gate.candidates.lists import decision_facts
from reconcile.gate.match_results import Cell, missing_lines, missing_words
from reconcile.gate.pack_results import JudgedFigure, PackResult, Part, Place
from reconcile.match.values import grouped
from reconcile.report.blocks import fitted
from reconcile.report.text.pack import line, steps
from reconcile.suite.cases import CRASHED, FAILED, UNSUPPORTED, SuiteRun
from reconcile.wording import plural, printable

ROOT_VARIABLES = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""Environment variables with the folder of the checkout, on GitHub and on GitLab; without one it is
the current folder."""


class Checkout:
    """The folder that a job has checked out."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.root = Path(next(filter(None, map(environment.get, ROOT_VARIABLES)), ".")).resolve()
        self._lines = cache(lines_of)

    def where(self, place: Place | None) -> tuple[str, int] | None:
        """Relative path, with `/`, and line of a place in a manifest; `None` outside the
        checkout."""
        if place is None or (file := self.file(place.path)) is None:
            return None
        if place.line is not None:
            return file, place.line
        return file, self._lines(place.path)(place.keys)

    def file(self, path: str | Path) -> str | None:
        """The relative path, with `/`, of a file; `None` for what is no file inside the
        checkout."""
        try:
            resolved = Path(path).resolve()
            inside = resolved.is_relative_to(self.root) and resolved.is_file()
        except (OSError, ValueError):  # a name far too long, a null character
            return None
        return resolved.relative_to(self.root).as_posix() if inside else None

    def of(self, at: At) -> tuple[str, int] | None:
        """The place that an error is about; a file without a line counts as line 1."""
        file = self.file(at.name) if at.name else None
        return None if file is None else (file, max(at.line or 1, 1))


MOST = 10
SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"
SUMMARY_LIMIT = 2**20


def workflow_commands(
    parts: Iterable[Part],
    *,
    strict: bool = False,
    fail_on: str = "error",
    environment: Mapping[str, str],
) -> str:
    """The workflow commands, one per line: what failed to run, what is out of tolerance, then
    warnings, widest gap first.

    Those left out are counted.
    """
    parts, checkout = list(parts), Checkout(environment)
    cases = [case for part in parts for case in part.cases]
    absent = [part for part in parts if part.missing and not part.failed]
    listed = _entries(parts, absent, strict=strict, fail_on=fail_on)
    lines = [
        command(kind, text, title=f"{entry.match}: {title}", **_at(checkout.where(entry.place)))
        for kind, entry in listed[:MOST]
        for title, text in [_annotation(entry)]
    ]
    rest = [f"{len(listed) - MOST} more not shown here"] * (len(listed) > MOST)
    if not strict:
        incomplete = sum(case.figure.verdict == INCOMPLETE for case in cases)
        rest += [f"{plural(incomplete, 'figure')} incomplete and not judged"] if incomplete else []
        rest += [f"{plural(len(absent), 'part')} not compared"] if absent else []
    if rest:
        lines.append(
            command("notice", f"{', '.join(rest)}; see the step summary", title="reconcile")
        )
    return "".join(f"{text}\n" for text in lines)


def _entries(
    parts: Sequence[Part], absent: Sequence[Part], *, strict: bool, fail_on: str
) -> list[tuple[str, JudgedFigure | Part]]:
    """What is to be said, each as an error or a warning, in the order in which it matters."""
    cases = [case for part in parts for case in part.cases]
    failing = [case for case in cases if case.figure.failing(strict=strict, fail_on=fail_on)]
    warned = [
        case for case in cases if case.figure.verdict in (OUTSIDE, OPEN) and case not in failing
    ]
    return [
        *(("error", part) for part in _failures(parts)),
        *(("error", case) for case in _worst(failing)),
        *(("error", part) for part in absent if strict),
        *(
            ("error" if strict or any(cell.fails for cell in part.lacking) else "warning", part)
            for part in parts
            if part.fault or part.lacking or _unjudged(part)
        ),
        *(("warning", case) for case in _worst(warned)),
    ]


def error_command(message: str, at: At, environment: Mapping[str, str]) -> str:
    """The workflow command for an error that leaves no result, at the file and line that it is
    about."""
    return command("error", message, title="reconcile", **_at(Checkout(environment).of(at)))


def command(kind: str, message: str, **properties: str | int) -> str:
    """One workflow command, escaped as the runner reads it."""
    listed = ",".join(
        f"{name}={_message(str(value)).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in properties.items()
    )
    return f"::{kind} {listed}::{_message(message)}"


def step_summary(
    markdown: Callable[[], str], environment: Mapping[str, str]
) -> tuple[str, str] | None:
    """The file for the step summary and the text to append; `None` outside GitHub Actions."""
    path = environment.get(SUMMARY_VARIABLE)
    if not path:
        return None
    there = Path(path).stat().st_size if Path(path).is_file() else 0
    return path, fitted(f"{markdown()}\n", SUMMARY_LIMIT - there)


def _failures(parts: Iterable[Part]) -> Iterator[Part]:
    """What failed; what fails in many matches for one reason, as a program that crashes, leaves
    room for what else is wrong."""
    failed = (part for part in parts if part.failed)
    for first, *rest in grouped(failed, lambda part: (part.suite, part.missing)).values():
        also = f"\nAlso in {', '.join(part.match for part in rest)}." if rest else ""
        yield replace(first, missing=first.missing + also)


def _unjudged(part: Part) -> list[JudgedFigure]:
    return [case for case in part.cases if case.unjudged]


def _worst(cases: Iterable[JudgedFigure]) -> list[JudgedFigure]:
    return sorted(
        cases, key=lambda case: (case.figure.level != "error", -case.figure.excess, case.id)
    )


def _annotation(entry: JudgedFigure | Part) -> tuple[str, str]:
    """What is said of an entry: a title below its match, and a text."""
    if isinstance(entry, JudgedFigure):
        title = f"{entry.metric} of {entry.figure.player} {entry.figure.verdict}"
        return title, "\n".join((f"{entry.suite}: {line(entry)}", *steps(entry)))
    if entry.missing:
        return "not compared", f"{entry.suite}: {entry.missing}"
    if entry.lacking:
        number = plural(len(entry.lacking), "figure")
        return f"{number} missing", "\n".join(missing_lines(entry.lacking))
    if entry.fault:
        return f"a mistake of {entry.suite}", entry.fault
    lines = [f"{entry.suite}: {line(case)}" for case in _unjudged(entry)]
    return f"{plural(len(lines), 'given figure')} not judged", "\n".join(lines)


def _at(where: tuple[str, int] | None) -> dict[str, str | int]:
    """File and line as properties of a command."""
    return {} if where is None else {"file": where[0], "line": where[1]}


def _message(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\n", "%0A")


Color = Literal["brightgreen", "green", "yellow", "red"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge(Document):
    """What `reconcile validate --badge` writes: the verdict of a pack, for shields.io's endpoint
    badge."""

    version: Annotated[Literal[1], Key("schemaVersion")] = 1
    """Version of shields.io's format."""
    label: Literal["reconcile", "conformance"] = "reconcile"
    """The left text."""
    message: Text
    """The right text: how many figures are out of tolerance or within, and how many were not
    judged."""
    color: Color
    """Bright green if every figure was judged and is within tolerance, green if some were not
    judged, yellow with warnings, among them a mistake that the diagnosis of a program names, red
    out of tolerance."""
    is_error: Annotated[bool, Key("isError")]
    """Whether a figure of level `error` is out of tolerance."""


def badge_text(result: PackResult) -> str:
    """The verdict of a pack for a badge."""
    return dumps(badge(result))


def badge(result: PackResult) -> Badge:
    """The verdict of a pack; bright green only if every figure was judged and is within tolerance,
    red where something failed."""
    summary = result.summary
    judged = summary.within + summary.outside + summary.open
    rest = summary.incomplete + summary.not_compared + len(result.unjudged)
    color: Color
    if result.failed:
        message, color = plural(len(result.failed), "failure"), "red"
    elif summary.outside:
        message, color = (
            f"{summary.outside} of {judged} out of tolerance",
            "red" if result.verdict == OUTSIDE else "yellow",
        )
    elif summary.open:
        message, color = f"{summary.open} of {judged} open", "yellow"
    elif result.faulty:
        message, color = f"a mistake is named, {judged} of {judged} within tolerance", "yellow"
    else:
        message, color = (
            f"{judged} of {judged} within tolerance",
            "green" if rest else "brightgreen",
        )
    if summary.missing and not result.failed:
        message += f", {summary.missing} missing"
        color = "red" if result.verdict == OUTSIDE else "yellow"
    if rest and not result.failed:
        message += f", {rest} not judged"
    return Badge(message=message, color=color, is_error=result.verdict == OUTSIDE)


def suite_badge(run: SuiteRun) -> Badge:
    """How many cases of the conformance suite a program passes: bright green only if all that it
    was judged by."""
    counts = Counter(case.verdict for case in run.cases)
    wrong, judged = counts["failed"] + counts["crashed"], len(run.cases) - counts["unsupported"]
    color: Color = "brightgreen"
    if wrong or counts["unsupported"]:
        color = "red" if wrong else "green"
    message = f"{counts['passed']} of {judged}"
    return Badge(label="conformance", message=message, color=color, is_error=bool(wrong))


NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow, not even escaped."""
COUNTS = ("tests", "failures", "errors", "skipped")


def junit(
    name: str,
    parts: Iterable[Part],
    *,
    strict: bool = False,
    fail_on: str = "error",
    environment: Mapping[str, str],
) -> bytes:
    """The document in UTF-8. A case fails when it makes the exit code 1; what makes it 2 is an
    error.

    Incomplete and unjudged figures and parts that were not compared are skipped with a reason; with
    `strict` they are errors."""
    checkout = Checkout(environment)
    suites = [
        _suite(part, number, checkout, strict=strict, fail_on=fail_on)
        for number, part in enumerate(parts)
    ]
    return _document(name, suites)


def suite_junit(run: SuiteRun) -> bytes:
    """A run of the conformance suite, a test case for each of its cases."""
    areas: dict[str, list[ET.Element]] = {}
    tags = {FAILED: "failure", CRASHED: "error", UNSUPPORTED: "skipped"}
    for result in run.cases:
        case = _element("testcase", name=result.id, classname=f"{run.program}.{result.area}")
        case.set("time", "0")
        if (tag := tags.get(result.verdict)) is not None:
            why = "; ".join(result.why()) or "a figure is missing that is given elsewhere"
            _add(case, tag, f"{result.about}: {why}", kind=result.verdict)
        areas.setdefault(result.area, []).append(case)
    suites = [
        _with_cases(_element("testsuite", name=area, id=str(number), time="0"), cases)
        for number, (area, cases) in enumerate(areas.items())
    ]
    return _document(f"{run.name} in the conformance suite", suites)


def _document(name: str, suites: Sequence[ET.Element]) -> bytes:
    root = _element("testsuites", name=name, time="0")
    for count in COUNTS[:3]:  # the schema allows no `skipped` here
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in suites)))
    root.extend(suites)
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _suite(
    part: Part, number: int, checkout: Checkout, *, strict: bool, fail_on: str
) -> ET.Element:
    cases = [_case(case, strict=strict, fail_on=fail_on) for case in part.cases]
    cases += [_lacking(missing, part, strict=strict) for missing in part.lacking]
    cases = cases or [_missing(part, strict=strict)]
    places = [case.place for case in part.cases] or [part.place] * len(cases)
    for place, case in zip(places, cases, strict=True):
        if (where := checkout.where(place)) is not None:
            case.set("file", _plain(where[0]))
            case.set("line", str(where[1]))
    suite = _element("testsuite", name=f"{part.match}: {part.suite}", id=str(number), time="0")
    facts = [*part.facts, *(decision_facts(part.decisions) if part.decisions else ())]
    facts += [fact for case in part.cases for fact in _facts(case)]
    if facts:
        ET.SubElement(suite, "properties").extend(
            _element("property", name=name, value=value) for name, value in facts
        )
    return _with_cases(suite, cases)


def _with_cases(suite: ET.Element, cases: Sequence[ET.Element]) -> ET.Element:
    outcomes = [child.tag for case in cases for child in case]
    for count, tag in zip(COUNTS[1:], ("failure", "error", "skipped"), strict=True):
        suite.set(count, str(outcomes.count(tag)))
    suite.set("tests", str(len(cases)))
    suite.extend(cases)
    return suite


def _facts(case: JudgedFigure) -> Iterator[tuple[str, str]]:
    figure = case.figure
    for name in ("left", "right", "gap", "known_gap", "tolerance", "level"):
        value = getattr(figure, name)
        if value is not None:
            yield f"{case.metric} {figure.player} {name}", str(value)
    for name in ("left_range", "right_range", "gap_range"):
        if (ends := getattr(figure, name)) is not None:
            yield f"{case.metric} {figure.player} {name}", f"{ends[0]} to {ends[1]}"


def _case(case: JudgedFigure, *, strict: bool, fail_on: str) -> ET.Element:
    figure = case.figure
    element = _element(
        "testcase", name=f"{figure.title} of {figure.player}", classname=_class(case), time="0"
    )
    message = line(case) if figure.verdict in (OUTSIDE, OPEN, INCOMPLETE) or case.unjudged else ""
    text = "\n".join((message, *steps(case)))
    if case.unjudged or figure.verdict == INCOMPLETE:
        _add(
            element,
            "error" if strict else "skipped",
            message,
            kind="unjudged" if case.unjudged else "incomplete",
        )
    elif figure.verdict == OPEN and strict:
        _add(element, "error", message, text, kind=OPEN)
    elif case.figure.failing(fail_on=fail_on):
        _add(element, "failure", message, text, kind=figure.verdict)
    elif message:
        _output(element, f"warning: {text}")
    _output(
        element,
        f"id={case.id}\n"
        + "\n".join(f"{name.rpartition(' ')[2]}={value}" for name, value in _facts(case)),
    )
    return element


def _lacking(missing: Cell, part: Part, *, strict: bool) -> ET.Element:
    """A case that fails for a figure that a program does not give."""
    element = _element("testcase", name=f"missing: {missing}", classname=_class(part), time="0")
    tag = "failure" if strict or missing.fails else "skipped"
    _add(element, tag, missing_words(missing.candidate, [missing]), kind="missing")
    return element


def _missing(part: Part, *, strict: bool) -> ET.Element:
    element = _element("testcase", name=part.suite, classname=_class(part), time="0")
    if part.fault:
        if strict:
            _add(element, "failure", part.fault, kind="fault")
        else:
            _output(element, f"warning: {part.fault}")
        return element
    kind = "failed" if part.failed else "not-compared"
    _add(
        element,
        "error" if strict or part.failed else "skipped",
        f"not compared: {part.missing or 'it has no figure'}",
        kind=kind,
    )
    return element


def _class(entry: JudgedFigure | Part) -> str:
    """Match and suite, separated by the only dot, since viewers turn dots into folders."""
    return f"{entry.match.replace('.', '_')}.{entry.suite.replace('.', '_')}"


def _add(case: ET.Element, tag: str, message: str, text: str = "", *, kind: str) -> None:
    element = _element(tag, message=message, type=kind)
    element.text = _plain(text or message)
    case.append(element)


def _output(case: ET.Element, text: str) -> None:
    """Add to the case's output; there is at most one such element."""
    element = case.find("system-out")
    if element is None:
        element = ET.SubElement(case, "system-out")
    element.text = f"{element.text}\n{_plain(text)}" if element.text else _plain(text)


def _element(tag: str, **attributes: str) -> ET.Element:
    return ET.Element(tag, {name: _plain(value) for name, value in attributes.items()})


def _plain(text: str) -> str:
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", printable(text))
