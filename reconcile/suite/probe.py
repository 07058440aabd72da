"""Probes a program: asks it for the cases from which answers are read, reads its answers back, and looks for its borders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from reconcile.errors import InvalidConfiguration
from reconcile.files.wording import plural
from reconcile.gate.candidates.command import CommandFailed
from reconcile.gate.candidates.harness import OPTION
from reconcile.suite.answers import Given, ReadBack, read_back, read_cases
from reconcile.suite.borders import SERIES, Border, Series, border
from reconcile.suite.cases import PLAIN, Case
from reconcile.suite.harness import Asked
from reconcile.suite.run import Asking, Progress, Ran, asking, opened
from reconcile.suite.synthetic import STUDIED, XG, content_of

MOST_FAILURES: Final = 5
"""A program that fails on more matches than this is not probed further."""


@dataclass(frozen=True)
class Probed(ReadBack):
    """What a program was found to do."""

    borders: tuple[Border, ...] = ()


def probe(
    *,
    harness: str | None = None,
    command: str | None = None,
    form: str = XG,
    timeout: float = 60.0,
    borders: bool = True,
    progress: Progress | None = None,
) -> Probed:
    """Which rules a program follows, one behind the protocol of a harness or a command that is run for every synthetic match.

    Without `borders` the numbers at which its figures change are not looked for, which takes most of the runs.

    Raises `InvalidConfiguration` for what is no command or format, `CommandFailed` and `InvalidConfiguration` for a program that gives no
    figures of an ordinary match.
    """
    with opened(harness, command, form, timeout, OPTION) as (asked, reads, folder):
        return probed(
            asked, reads[0], folder, looked_for=SERIES if borders else (), progress=progress
        )


def probed(
    asked: Asked,
    form: str,
    folder: Path,
    *,
    looked_for: Sequence[Series] = SERIES,
    progress: Progress | None = None,
) -> Probed:
    """The same of anything that gives figures of files in a folder; `looked_for` are the borders."""
    cases = [one.case for one in read_cases(form).values()]
    total = len(cases) + len(looked_for)
    seen: list[Asking] = []
    for one in asking(asked, cases, (form,), folder):
        seen.append(one)
        if len(seen) == 1:
            _is_ordinary(asked.about.program, one)
        failures = [one.answer.crashed for one in seen if one.answer.crashed]
        if len(failures) > MOST_FAILURES:
            raise CommandFailed(
                f"gave no figures of {plural(len(failures), 'case')}: {failures[-1]}",
                asked.about.program,
            )
        if progress is not None:
            progress("probing", len(seen), total)
    found = read_back(Ran(asked.about.program, "", None, tuple(seen)))
    borders = []
    for number, series in enumerate(looked_for, 1):
        try:
            at = border(series, partial(_measured, asked, series, form, folder), found.names)
        except CommandFailed as error:
            at = Border(series.key, series.title, series.question, None, None, error.reason)
        borders += [at] if at else []
        if progress is not None:
            progress("probing", len(seen) + number, total)
    return Probed(
        found.program, form, found.names, found.other, found.seen, found.findings, tuple(borders)
    )


def _is_ordinary(program: str, plain: Asking) -> None:
    """Raise where a program gives no right figure of the case on which all rules agree."""
    if plain.answer.crashed:
        raise CommandFailed(
            f"gave no figures of an ordinary match: {plain.answer.crashed}", program
        )
    given = plain.answer.found.get(STUDIED, {})
    if not given:
        players = ", ".join(plain.answer.found) or plain.answer.unsupported or "nobody"
        raise InvalidConfiguration(
            f"{program}: expected figures of {STUDIED!r}, found those of {players}; name players as the file"
        )
    found = read_back(Ran(program, "", None, (plain,)))
    if not set(found.names) & set(read_cases(plain.form)[PLAIN].figures):
        instead = (
            f"{name} {text} where {'no figure' if value is None else f'{value:g}'} is right"
            for name, text, value in found.other[:3]
        )
        shown = ", ".join(instead) or "none that depends on rules"
        raise InvalidConfiguration(
            f"{program}: expected the figures of a match with {plural(2, 'error')} on which all rules agree, found {shown}; "
            "correct the program's figures or their names first (reconcile validate names the fault)"
        )


def _measured(asked: Asked, series: Series, form: str, folder: Path, number: float) -> Given:
    """The figures of a match of a series. Raises `CommandFailed` where there are none."""
    case = Case(
        f"{series.key}-{number:g}", series.question, series.title, "", partial(series.match, number)
    )
    path = folder / f"{case.id}.{form}"
    path.write_bytes(content_of(case.match, form))
    answer = asked.ask(case, path)
    path.unlink(missing_ok=True)
    if answer.crashed:
        raise CommandFailed(answer.crashed, asked.about.program)
    return answer.found.get(STUDIED, {})
