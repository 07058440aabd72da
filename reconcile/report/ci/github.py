"""A run as GitHub Actions shows it: annotations, worst first, and the step summary.

GitHub shows ten annotations of a kind for each step, and drops a summary beyond one MiB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from reconcile.files.wording import plural, printable
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE
from reconcile.gate.judged_figures import JudgedFigure, Part
from reconcile.report.ci.checkout import Checkout
from reconcile.report.ci.markdown.table import fitted
from reconcile.report.text.pack import line, steps

MOST: Final = 10
SUMMARY_VARIABLE: Final = "GITHUB_STEP_SUMMARY"
SUMMARY_LIMIT: Final = 2**20


def workflow_commands(parts: Iterable[Part], *, strict: bool = False, fail_on: str = "error", environment: Mapping[str, str]) -> str:
    """The workflow commands, one per line: what failed to run, what is out of tolerance, then warnings, widest gap first.

    Those left out are counted.
    """
    parts, checkout = list(parts), Checkout(environment)
    cases = [case for part in parts for case in part.cases]
    failing = [case for case in cases if case.figure.failing(strict=strict, fail_on=fail_on)]
    warned = [case for case in cases if case.figure.verdict in (OUTSIDE, OPEN) and case not in failing]
    absent = [part for part in parts if part.missing and not part.failed]
    listed: list[tuple[str, JudgedFigure | Part]] = [("error", part) for part in _failures(parts)]
    listed += [("error", case) for case in _worst(failing)]
    listed += [("error", part) for part in absent] if strict else []
    listed += [("error" if strict else "warning", part) for part in parts if _unjudged(part)]
    listed += [("warning", case) for case in _worst(warned)]
    lines = [_annotation(kind, one, checkout) for kind, one in listed[:MOST]]
    rest = []
    if len(listed) > MOST:
        rest.append(f"{len(listed) - MOST} more not shown here")
    if not strict:
        incomplete = sum(case.figure.verdict == INCOMPLETE for case in cases)
        rest += [f"{plural(incomplete, 'figure')} incomplete and not judged"] if incomplete else []
        rest += [f"{plural(len(absent), 'part')} not compared"] if absent else []
    if rest:
        lines.append(command("notice", f"{', '.join(rest)}; see the step summary", title="reconcile"))
    return "".join(f"{text}\n" for text in lines)


def error_command(message: str, environment: Mapping[str, str]) -> str:
    """The workflow command for an error that leaves no result, at the file and line that its message begins with."""
    return command("error", message, title="reconcile", **_at(Checkout(environment).named_in(message)))


def command(kind: str, message: str, **properties: str | int) -> str:
    """One workflow command, escaped as the runner reads it."""
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{kind} {listed}::{_message(message)}"


def step_summary(markdown: Callable[[], str], environment: Mapping[str, str]) -> tuple[str, str] | None:
    """The file for the step summary and the text to append; `None` outside GitHub Actions."""
    path = environment.get(SUMMARY_VARIABLE)
    if not path:
        return None
    there = Path(path).stat().st_size if Path(path).is_file() else 0
    return path, fitted(f"{markdown()}\n", SUMMARY_LIMIT - there)


def _failures(parts: Iterable[Part]) -> Iterator[Part]:
    """What failed; what fails in many matches for one reason, as a program that crashes, leaves room for what else is wrong."""
    alike: dict[tuple[str, str], list[Part]] = {}
    for part in parts:
        if part.failed:
            alike.setdefault((part.suite, part.missing), []).append(part)
    for first, *others in alike.values():
        yield replace(first, missing=f"{first.missing}\nAlso in {', '.join(one.match for one in others)}.") if others else first


def _unjudged(part: Part) -> list[JudgedFigure]:
    return [case for case in part.cases if case.unjudged]


def _worst(cases: Iterable[JudgedFigure]) -> list[JudgedFigure]:
    return sorted(cases, key=lambda case: (case.figure.level != "error", -case.figure.excess, case.id))


def _annotation(kind: str, one: JudgedFigure | Part, checkout: Checkout) -> str:
    where = _at(checkout.where(one.place))
    if isinstance(one, Part):
        if one.missing:
            return command(kind, f"{one.suite}: {one.missing}", title=f"{one.match}: not compared", **where)
        unjudged = _unjudged(one)
        text = "\n".join(f"{one.suite}: {line(case)}" for case in unjudged)
        return command(kind, text, title=f"{one.match}: {plural(len(unjudged), 'given figure')} not judged", **where)
    text = "\n".join((f"{one.suite}: {line(one)}", *steps(one)))
    return command(kind, text, title=f"{one.match}: {one.metric} of {one.figure.player} {one.figure.verdict}", **where)


def _at(where: tuple[str, int] | None) -> dict[str, str | int]:
    """File and line as properties of a command."""
    return {} if where is None else {"file": where[0], "line": where[1]}


def _message(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
