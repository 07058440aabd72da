"""Judged figures as JUnit XML, a case per figure and player.

The elements are those that Jenkins' schema `junit-10.xsd` allows and that GitLab, Azure and the
viewers for GitHub read. Single cases have no properties there; a figure's numbers are properties of
its suite, named after the case, and are also in the case's output. Beyond that schema a case has
`file` and `line`, by which GitLab and the viewers for GitHub link it; Jenkins' own reader ignores
them. There is no time and no host: the same result gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from xml.etree import ElementTree as ET

from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE
from reconcile.gate.candidates.lists import decision_facts
from reconcile.gate.match_results import Cell, missing_words
from reconcile.gate.pack_results import JudgedFigure, Part
from reconcile.report.ci.github import Checkout
from reconcile.report.text.pack import line, steps
from reconcile.suite.documents import CRASHED, FAILED, UNSUPPORTED, SuiteRun
from reconcile.wording import printable

NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow, not even escaped."""
COUNTS: Final = ("tests", "failures", "errors", "skipped")


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
