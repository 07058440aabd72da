"""Runs the suite on a program: its figures of every case, judged by the rules that it claims, or by
those that fewest of its figures are against."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Protocol, TypeAlias

from reconcile.errors import InvalidConfiguration, ReconcileError
from reconcile.gate.candidates.claims import short
from reconcile.gate.candidates.command import (
    Command,
    CommandFailed,
    Unsupported,
    read_command,
    values_of,
)
from reconcile.gate.candidates.harness import LONGEST_REASON, About, Harness, reason
from reconcile.gate.candidates.read import read_printed
from reconcile.infer.program import closest
from reconcile.infer.reported import Reported, fits_figure
from reconcile.match.names import fold
from reconcile.rules.rulesets import RULE_SETS, RuleSet, rule_set
from reconcile.suite.cases import Case, every
from reconcile.suite.synthetic import FORMATS
from reconcile.wording import one_line, plural

PASSED: Final = "passed"
FAILED: Final = "failed"
UNSUPPORTED: Final = "unsupported"
CRASHED: Final = "crashed"
MOST_CRASHES: Final = 10
"""After so many in a row a program is asked for nothing more."""
Progress: TypeAlias = Callable[[str, int, int], None]
Figures: TypeAlias = dict[str, dict[str, Reported]]
"""By player and name, as a program gives them."""
Question: TypeAlias = tuple[Case, Path]
"""A case and its file."""


class Program(Protocol):
    """Anything that gives figures of files."""

    about: About

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Figures:
        """Its figures of the file of a case; `after` is what it will be asked next. Raises
        `Unsupported` for a reason of its own, `ReconcileError` where it fails."""
        ...


class CaseHarness(Harness):
    """A program behind the protocol that is asked for cases; to be used in a `with` block."""

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Figures:
        """What it answers; it gets the next question early."""
        answer = self.answer(case.id, path, after and (after[0].id, after[1]))
        for key, error in (("unsupported", Unsupported), ("error", ReconcileError)):
            if why := reason(answer, key):
                raise error(why)
        if "players" not in answer:
            expected = 'expected "players", "unsupported" or "error" in the answer'
            raise InvalidConfiguration(f"{case.id}: {expected}, found {short(answer)}")
        if answer["players"] == {}:
            return {}
        plain = {"schema_version": 1, "matches": [{"players": answer["players"]}]}
        return figures_of(case, json.dumps(plain).encode(), case.id)[0]


class CaseRuns:
    """A command that runs for every file."""

    def __init__(self, command: Command, timeout: float) -> None:
        self._command, self._timeout = command, timeout
        self.about = About(command.name)

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Figures:
        """What it prints, run once, or for each player."""
        values = values_of(str(path), case.id, case.players, case.match.length)
        name, figures = f"{self._command.name} ({path.name})", Figures()
        for player in case.players if self._command.per_player else case.players[:1]:
            content = self._command.run({**values, "player": player}, self._timeout)
            printed, about = figures_of(case, content, name)
            self.about = about or self.about
            for own, shown in printed.items():
                figures.setdefault(own, {}).update(shown)
        return figures


def figures_of(case: Case, content: bytes, name: str) -> tuple[Figures, About | None]:
    """The figures of a case that a program prints, and what it says of itself. Raises
    `InvalidConfiguration` for others."""
    candidate = read_printed(name, content)
    if len(candidate.claims) != 1:
        other = "a match" if candidate.matches else f"those of {len(candidate.claims)}"
        expected = f"expected the figures of one match, found {other}"
        raise InvalidConfiguration(f"{expected}; make it print totals", name)
    (claim,) = candidate.claims
    figures: Figures = {}
    seats = {fold(player): player for player in case.players}
    for figure in claim.figures:
        player = figure.player
        own = case.players[player] if isinstance(player, int) else seats.get(fold(player))
        if own is None:
            expected = f"expected figures of {' and '.join(case.players)}, found {short(player)}"
            raise InvalidConfiguration(f"{expected}; name players as the file", name)
        if figure.value is not None:
            shown = Reported(figure.metric, figure.text, figure.value, figure.half)
            figures.setdefault(own, {})[figure.metric] = shown
    return figures, About(claim.program, claim.version) if claim.program else None


@dataclass(frozen=True, eq=False)
class Asking:
    """A case that a program was asked for, and what it says of it."""

    case: Case
    form: str
    """The format of its file; empty where the program reads none that the case has."""
    figures: Figures = field(default_factory=dict)
    unsupported: str = ""
    """Why it cannot say anything; empty if it can."""
    crashed: str = ""
    """How it failed; empty if it did not."""

    def judged(self, rules: str) -> Iterator[tuple[str, Reported, float | None]]:
        """Player, figure, and what it is under a rule set of the file that was given; `None` where
        the rules have no such figure."""
        for player, figures in self.figures.items():
            expected = self.case.under(rules, self.form)[player]
            for name, figure in figures.items():
                yield player, figure, expected.get(name)

    def status(self, rules: str) -> str:
        """What came of it, by the figures that the rules have."""
        if self.crashed:
            return CRASHED
        judged = [entry for entry in self.judged(rules) if entry[2] is not None]
        if not judged:
            return UNSUPPORTED
        is_right = all(fits_figure(expected, figure) for _, figure, expected in judged)
        return PASSED if is_right else FAILED


@dataclass(frozen=True, eq=False)
class Ran:
    """A program that was asked for all cases."""

    about: About
    """What it says of itself."""
    asked: tuple[Asking, ...]

    @cached_property
    def equals(self) -> tuple[str, ...]:
        """The rules that it claims, otherwise the known ones that it follows most likely."""
        if self.about.rules:
            return (self.about.rules,)
        judged = {}
        for name in RULE_SETS:
            each = chain.from_iterable(asking.judged(name) for asking in self.answered)
            judged[name] = [
                (figure.metric, None if expected is None else fits_figure(expected, figure))
                for _, figure, expected in each
            ]
        return closest(judged) or (next(iter(RULE_SETS)),)

    @property
    def rules(self) -> RuleSet:
        """The rules by which it is judged: the first of these."""
        return rule_set(self.equals[0])

    @property
    def rules_name(self) -> str:
        """What these rules are called for a case: a name, or the path of the file."""
        return self.about.rules or self.rules.name

    @property
    def answered(self) -> tuple[Asking, ...]:
        """The cases of which it gave figures."""
        return tuple(asking for asking in self.asked if asking.figures)

    @cached_property
    def statuses(self) -> Mapping[str, str]:
        """By id, what came of each case."""
        return {asking.case.id: asking.status(self.rules_name) for asking in self.asked}

    @property
    def failed(self) -> tuple[Asking, ...]:
        """The cases with a wrong figure."""
        return tuple(asking for asking in self.asked if self.statuses[asking.case.id] == FAILED)


def chosen(prefix: str = "") -> tuple[Case, ...]:
    """The cases whose ids begin so. Raises `InvalidConfiguration` where none does."""
    cases = tuple(case for case in every() if case.id.startswith(prefix))
    if not cases:
        areas = ", ".join(dict.fromkeys(case.area for case in every()))
        expected = f"expected the beginning of an id of a case, found {prefix[:60]!r}"
        raise InvalidConfiguration(f"{expected}; they begin with {areas}")
    return cases


def run(
    *,
    harness: str | None = None,
    command: str | None = None,
    form: str | None = None,
    only: str = "",
    timeout: float = 60.0,
    progress: Progress = lambda task, done, total: None,
) -> Ran:
    """Ask a program for the figures of every case: one behind the protocol of a harness, or a
    command that is run for every file.

    Raises `InvalidConfiguration` for what is no command, format or case, and `CommandFailed` for a
    harness that cannot be started.
    """
    cases = chosen(only)
    asked: list[Asking] = []
    with _opened(harness, command, form, timeout) as (program, reads):
        for asking in ask_all(program, cases, reads):
            asked.append(asking)
            progress("running", len(asked), len(cases))
        about = program.about
    if all(asking.crashed for asking in asked):
        none = f"gave no figures of any of {plural(len(asked), 'case')}"
        raise CommandFailed(f"{none}: {asked[0].crashed}", about.program)
    return Ran(about, tuple(asked))


@contextmanager
def _opened(
    harness: str | None, command: str | None, form: str | None, timeout: float
) -> Iterator[tuple[Program, tuple[str, ...]]]:
    """A program, and the formats that it is given, the first that it reads before others."""
    if harness is None:
        allowed = replace(read_command(command or ""), option="--timeout")
        yield CaseRuns(allowed, timeout), (form or FORMATS[0],)
        return
    with CaseHarness(harness, timeout) as program:
        about = program.about
        reads = tuple(name for name in about.formats if name in FORMATS and form in (None, name))
        if not reads:
            expected = f"expected that it reads {form or ' or '.join(FORMATS)}"
            formats = ", ".join(about.formats) or "none"
            raise InvalidConfiguration(f"{about.program}: {expected}, found {formats}")
        yield program, reads


def ask_all(program: Program, cases: Iterable[Case], reads: Sequence[str]) -> Iterator[Asking]:
    """What a program that reads these formats says of every case, by its file in an empty folder;
    never raises for what the program does."""
    crashes = 0
    with TemporaryDirectory(prefix="reconcile-suite-") as folder:
        placed = _placed(program.about, cases, reads, Path(folder))
        for (case, path), after in pairwise(chain(placed, ((None, None),))):
            assert case is not None
            if path is None:
                yield Asking(case, "", unsupported=f"no .{' or .'.join(reads)} file can show it")
                continue
            form, figures, unsupported = path.suffix[1:], Figures(), ""
            crashed = f"not asked: it crashed on {MOST_CRASHES} cases in a row"
            if crashes < MOST_CRASHES:
                crashed = ""
                try:
                    following = (after[0], after[1]) if after[0] and after[1] else None
                    figures = program.ask(case, path, following)
                except Unsupported as error:
                    unsupported = error.reason
                except ReconcileError as error:
                    crashed = one_line(str(error))[:LONGEST_REASON]
            path.unlink(missing_ok=True)
            crashes = crashes + 1 if crashed else 0
            yield Asking(case, form, figures, unsupported, crashed)


def _placed(
    about: About, cases: Iterable[Case], reads: Sequence[str], folder: Path
) -> Iterator[tuple[Case, Path | None]]:
    """Every case with the one file that a program reads, if any, written when it is asked for."""
    for case in cases:
        form = next((name for name in reads if name in case.formats), "")
        path = folder / f"{case.id}.{form}"
        if form:
            path.write_bytes(case.content(form))
            if about.rules:  # while the program works on the case before
                case.under(about.rules, form)
        yield case, path if form else None
