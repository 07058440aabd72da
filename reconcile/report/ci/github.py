"""A run as CI services show it: the checkout by whose files they name places, annotations and step
summary of GitHub Actions, a badge.

An annotation and a test case can only point to files inside the checkout, by their paths relative
to it. GitHub shows ten annotations of a kind for each step, and drops a summary beyond one MiB."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Final, Literal

from reconcile.document import Document, Key, Text, dumps
from reconcile.errors import At
from reconcile.files.yaml_file import lines_of
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE
from reconcile.gate.match_results import missing_lines
from reconcile.gate.pack_results import JudgedFigure, PackResult, Part, Place
from reconcile.match.values import grouped
from reconcile.report.markdown import fitted
from reconcile.report.text.pack import line, steps
from reconcile.suite.documents import SuiteRun
from reconcile.wording import plural, printable

ROOT_VARIABLES: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
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


MOST: Final = 10
SUMMARY_VARIABLE: Final = "GITHUB_STEP_SUMMARY"
SUMMARY_LIMIT: Final = 2**20


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
    color: Literal["brightgreen", "green", "yellow", "red"]
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
    color: Literal["brightgreen", "green", "yellow", "red"]
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
    color: Literal["brightgreen", "green", "red"] = "brightgreen"
    if wrong or counts["unsupported"]:
        color = "red" if wrong else "green"
    message = f"{counts['passed']} of {judged}"
    return Badge(label="conformance", message=message, color=color, is_error=bool(wrong))
