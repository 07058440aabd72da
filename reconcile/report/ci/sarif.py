"""Judged figures as SARIF 2.1.0, the format of code scanning: a result for each figure out of tolerance, at its line of the manifest.

A rule is a code that has a page (`reconcile explain CODE`): the figure, or the finding that says why nothing was judged. What could not
be compared is a notification of the run, and where it makes the run fail also a result, since GitHub shows nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final
from urllib.parse import quote

from reconcile.files.wording import printable
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE
from reconcile.gate.judged_figures import JudgedFigure, Part
from reconcile.report.ci.checkout import Checkout
from reconcile.report.explain import page
from reconcile.report.text.pack import line, steps
from reconcile.report.verdict import differs, may_differ, title
from reconcile.results.documents import dumps
from reconcile.scoring.finding_pages import FINDINGS
from reconcile.version import __version__

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT: Final = "%SRCROOT%"
"""The name by which code scanning knows the folder of the checkout."""
PAGES_VARIABLE: Final = "RECONCILE_PAGES"
"""Environment variable with the address of this documentation, to which the rules link."""
NOT_COMPARED, UNJUDGED, INCOMPLETE_CODE = "not-compared", "candidate-unjudged", "incomplete-analysis"
LONGEST: Final = 1000
"""Characters of a description; GitHub takes 1,024."""
Json = dict[str, Any]


def sarif(parts: Iterable[Part], *, strict: bool = False, fail_on: str = "error", environment: Mapping[str, str]) -> str:
    """The document. The level of a result is `error` if it makes the exit code 1 or 2; what else was not judged is a `note`."""
    parts, checkout = list(parts), Checkout(environment)
    results = [one for part in parts for one in _results(part, checkout, strict=strict, fail_on=fail_on)]
    notifications = [_notification(part, checkout, strict=strict) for part in parts if part.missing]
    codes = sorted({one["ruleId"] for one in results} | ({NOT_COMPARED} if notifications else set()))
    for one in results:
        one["ruleIndex"] = codes.index(one["ruleId"])
    driver = {
        "name": "reconcile",
        "semanticVersion": __version__,
        "rules": [_rule(code, environment.get(PAGES_VARIABLE, "")) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [
            {"executionSuccessful": not any(part.failed for part in parts), "toolExecutionNotifications": notifications},
        ],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _results(part: Part, checkout: Checkout, *, strict: bool, fail_on: str) -> Iterator[Json]:
    if part.missing and (part.failed or strict):
        yield _result(NOT_COMPARED, "error", _absence(part), part, "::".join((part.match, part.suite)), checkout)
    for case in part.cases:
        figure, whose = case.figure, f" in {case.match}, {case.suite}."
        if case.unjudged or figure.verdict == INCOMPLETE:
            code, level = UNJUDGED if case.unjudged else INCOMPLETE_CODE, "error" if strict else "warning" if case.unjudged else "note"
            yield _result(code, level, f"{title(figure)} is not judged{whose}\n{line(case)}", case, case.id, checkout)
        elif figure.verdict in (OUTSIDE, OPEN):
            level = "error" if figure.failing(strict=strict, fail_on=fail_on) else "warning"
            text = "\n".join((f"{(may_differ if figure.verdict == OPEN else differs)(figure)}{whose}", line(case), *steps(case)))
            yield _result(figure.metric, level, text, case, case.id, checkout)


def _result(code: str, level: str, text: str, one: JudgedFigure | Part, name: str, checkout: Checkout) -> Json:
    """One result; `name` is the same from run to run, wherever the line moves."""
    location = _location(one, checkout) | {"logicalLocations": [{"fullyQualifiedName": printable(name)}]}
    return {
        "ruleId": code,
        "ruleIndex": 0,
        "level": level,
        "message": {"text": _text(text)},
        "locations": [location],
        "partialFingerprints": {"reconcile/v1": sha256(f"{code} {name}".encode("utf-8", "surrogatepass")).hexdigest()},
    }


def _notification(part: Part, checkout: Checkout, *, strict: bool) -> Json:
    notification: Json = {
        "descriptor": {"id": NOT_COMPARED},
        "level": "error" if part.failed or strict else "note",
        "message": {"text": _text(_absence(part))},
    }
    where = _location(part, checkout)
    return notification | ({"locations": [where]} if where else {})


def _absence(part: Part) -> str:
    return f"Not compared in {part.match}: {part.suite}: {part.missing}"


def _location(one: JudgedFigure | Part, checkout: Checkout) -> Json:
    """The line of the manifest; of two files that are no pack the left one; empty outside the checkout."""
    where = checkout.where(one.place)
    if where is None and isinstance(one, JudgedFigure) and one.place is None and one.comparison is not None:
        file = checkout.file(one.comparison.left.path)
        where = None if file is None else (file, 1)
    if where is None:
        return {}
    file, number = where
    address = {"uri": quote(file.encode("utf-8", "surrogateescape")), "uriBaseId": ROOT}
    return {"physicalLocation": {"artifactLocation": address, "region": {"startLine": number}}}


def _rule(code: str, site: str) -> Json:
    """A rule with its whole page, and where that is on the site; without a site its address only names it."""
    text = page(code)
    head, *paragraphs = text.split("\n\n")
    file = "findings" if code in FINDINGS else "figures"
    return {
        "id": code,
        "shortDescription": {"text": head.partition(": ")[2]},
        "fullDescription": {"text": " ".join(paragraphs[0].split())[:LONGEST]},
        "helpUri": f"{site.rstrip('/')}/{file}.html#{code}" if site else f"urn:x-reconcile:page:{code}",
        "help": {"text": text},
    }


def _text(text: str) -> str:
    """Text in which nothing is a link or a placeholder."""
    return printable(text).replace("](", "] (").replace("{", "{{").replace("}", "}}")
