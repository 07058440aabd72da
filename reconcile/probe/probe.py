"""Probes a program: asks it for the figures of every contrast, and reads its answers and borders back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from reconcile.errors import InvalidConfiguration, ReconcileError
from reconcile.files.wording import one_line, plural
from reconcile.gate.candidates.command import read_command
from reconcile.probe.contrasts import SERIES, Series
from reconcile.probe.inference import (
    AnsweredContrast,
    Ask,
    Border,
    ContrastFile,
    Finding,
    Given,
    asking,
    border,
    contrast_files,
    fits_one,
    given_of,
    infer,
    plain_file,
    see,
    supported,
)
from reconcile.probe.synthetic import FORMATS, LENGTH, XG, content_of
from reconcile.rules.rulesets import RULE_SETS, RuleSet

MOST_FAILURES: Final = 5
"""A program that fails on more matches than this is not probed further."""
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Probed:
    """What a program was found to do."""

    program: str
    form: str
    names: tuple[str, ...]
    """The figures that it gives and that mean what they are called."""
    other: tuple[tuple[str, str, float | None], ...]
    """The figures that mean something else, as its text and ours of the plain match."""
    findings: Mapping[str, Finding]
    borders: tuple[Border, ...]
    seen: tuple[AnsweredContrast, ...]

    @property
    def answered(self) -> tuple[Finding, ...]:
        """The questions with an answer."""
        return tuple(one for one in self.findings.values() if one.answer is not None)

    @property
    def open(self) -> tuple[Finding, ...]:
        """The questions without."""
        return tuple(one for one in self.findings.values() if one.answer is None)

    @property
    def nearest(self) -> RuleSet:
        """The known rule set with the fewest other answers, as far as a file of the format supports it."""
        return min(_known(self.form), key=lambda rules: len(self.differing(rules)))

    @property
    def equally_near(self) -> tuple[str, ...]:
        """The known rule sets that are as near."""
        least = len(self.differing(self.nearest))
        return tuple(rules.name for rules in _known(self.form) if len(self.differing(rules)) == least)

    def differing(self, rules: RuleSet) -> tuple[Finding, ...]:
        """The questions to which the program cannot have the answer of a rule set."""
        return tuple(one for one in self.findings.values() if not one.unseen and rules.answers[one.question] not in one.possible)

    @property
    def failures(self) -> tuple[AnsweredContrast, ...]:
        """The contrasts for which it gave no figures."""
        return tuple(one for one in self.seen if one.failure)


def _known(form: str) -> list[RuleSet]:
    match = plain_file(form).match
    return [rules.for_match(match)[0] for rules in RULE_SETS.values()]


def probe(command: str, *, form: str = XG, timeout: float = 60.0, borders: bool = True, progress: Progress | None = None) -> Probed:
    """Which rules a program follows; `command` as for `validate`, run once for every synthetic match.

    Without `borders` the numbers at which its figures change are not looked for, which takes most of the runs.

    Raises `InvalidConfiguration` for what is no command or format, `CommandFailed` and `InvalidConfiguration` for a program that gives no
    figures of an ordinary match.
    """
    if form not in FORMATS:
        raise InvalidConfiguration(f"expected a format, one of {', '.join(FORMATS)}, found {form!r}")
    read = read_command(command)
    with TemporaryDirectory(prefix="reconcile-probe-") as folder:
        return probed(
            read.name,
            asking(read, timeout, Path(folder)),
            form,
            per_player=read.per_player,
            progress=progress,
            looked_for=SERIES if borders else (),
        )


def probed(
    program: str, ask: Ask, form: str, *, per_player: bool = False, progress: Progress | None = None, looked_for: Sequence[Series] = SERIES
) -> Probed:
    """The same of anything that gives figures; `looked_for` are the borders."""
    every = contrast_files(form)
    total = len(every) + len(looked_for) + 1
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress("probing", done, total)

    def given(file: ContrastFile) -> Given:
        name = f"{file.contrast.key}.{form}"
        return given_of(ask(name, file.content, file.contrast.match.length or 0), per_player=per_player)

    def measured(series: Series, number: float) -> Given:
        name = f"{series.key}-{number:g}.{form}"
        return given_of(ask(name, content_of(series.match(number), form), LENGTH), per_player=per_player)

    names, other = _trusted(program, plain_file(form), given(plain_file(form)))
    step()
    seen = []
    for file in every:
        try:
            seen.append(see(file, given(file), names))
        except ReconcileError as error:
            seen.append(AnsweredContrast(file, {}, frozenset(), one_line(str(error))))
            if sum(bool(one.failure) for one in seen) > MOST_FAILURES:
                raise
        step()
    findings = infer(seen, supported(form), names)
    borders = []
    for series in looked_for:
        try:
            found = border(series, partial(measured, series), names)
        except ReconcileError as error:
            found = Border(series.key, series.title, series.question, None, None, one_line(str(error)))
        borders += [found] if found else []
        step()
    return Probed(
        program=program, form=form, names=tuple(sorted(names)), other=other, findings=findings, borders=tuple(borders), seen=tuple(seen)
    )


def _trusted(program: str, file: ContrastFile, given: Given) -> tuple[frozenset[str], tuple[tuple[str, str, float | None], ...]]:
    """The figures that mean what they are called, and the others. Raises `InvalidConfiguration` where none does.

    A figure that the plain match does not have (grades of errors, which depend on rules) is taken at its word.
    """
    ours = file.predicted[()]
    known = {name: one for name, one in given.items() if name in ours}
    right = {name for name, one in known.items() if fits_one(ours[name], one)}
    wrong = tuple((name, one.text, ours[name]) for name, one in known.items() if name not in right)
    if not right:
        given_instead = (
            f"{name} {text} where {'no figure' if value is None else f'{value:g}'} is right" for name, text, value in wrong[:3]
        )
        shown = ", ".join(given_instead) or "none that depends on rules"
        raise InvalidConfiguration(
            f"{program}: expected the figures of a match with {plural(2, 'error')} on which all rules agree, found {shown}; "
            "correct the program's figures or their names first (reconcile validate names the fault)"
        )
    return frozenset(right | {name for name in given if name not in ours}), wrong
