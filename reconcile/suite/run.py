"""Runs the suite on a program: its figures of every case, judged by the rules that it claims, or by
those that fewest of its figures are against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from reconcile.errors import InvalidConfiguration, ReconcileError
from reconcile.gate.candidates.claims import Claim, short
from reconcile.gate.candidates.command import (
    Command,
    CommandFailed,
    Unsupported,
    read_command,
    values_of,
)
from reconcile.gate.candidates.harness import LONGEST_REASON, About, Harness
from reconcile.gate.candidates.read import read_candidates, read_printed
from reconcile.gate.candidates.runs import MOST_CRASHES, NOT_ASKED
from reconcile.gate.cells import INCOMPARABLE, JUDGED, MISSING, NO_REFERENCE, Cell, State
from reconcile.gate.cells import UNSUPPORTED as NOT_SUPPORTED
from reconcile.infer.groups import Compared, Group, groups_of
from reconcile.infer.program import Run, Subject
from reconcile.infer.reported import Reported, fits_figure
from reconcile.match.names import fold
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.metrics import ALIASES, METRICS, metric
from reconcile.suite.cases import FORMATS, Case, Expected, chosen, every
from reconcile.wording import one_line, plural

PASSED: Final = "passed"
FAILED: Final = "failed"
UNSUPPORTED: Final = "unsupported"
CRASHED: Final = "crashed"
GIVEN: Final = (JUDGED, INCOMPARABLE)
NAMES: Final = {*METRICS, *ALIASES}
LUCK: Final = "luck.equity"
"""What a program that declares nothing owes also where it gives no luck at all: in the cases about
luck every other figure of it is right."""
Progress: TypeAlias = Callable[[str, int, int], None]
Program: TypeAlias = Command | Harness
Figures: TypeAlias = Mapping[str, Mapping[str, Reported]]
"""By player and name, as a program gives them."""


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
    about: About | None = None
    """What a program that is run for every file says of itself."""

    @property
    def by_seat(self) -> tuple[tuple[int, Reported], ...]:
        """Its figures by seat."""
        return tuple(
            (self.case.players.index(player), figure)
            for player, figures in self.figures.items()
            for figure in figures.values()
        )

    def judged(self, rules: str) -> Iterator[tuple[str, Reported, float | None]]:
        """Player, figure, and what it is under a rule set of the file that was given; `None` where
        the rules have no such figure."""
        for player, figures in self.figures.items():
            expected = self.case.under(rules, self.form)[player]
            for name, figure in figures.items():
                yield player, figure, expected.get(name)

    def states(self, rules: str, owed: Set[str]) -> Iterator[tuple[str, str, State]]:
        """Player, name and state under a rule set of every figure that is owed or given."""
        for player, expected in self.case.under(rules, self.form).items():
            given = self.figures.get(player, {})
            for name in METRICS:
                if name in given:
                    yield player, name, JUDGED if name in expected else INCOMPARABLE
                elif name in owed and name in expected and not _is_of_nothing(name, expected):
                    yield player, name, NOT_SUPPORTED if self.unsupported else MISSING

    def under_answers(self) -> Mapping[str, Mapping[str, Mapping[str, float]]]:
        """By answer to the question of the case, player and name, the given figures that it
        changes, where all known rule sets with this answer agree."""
        each: dict[str, list[Expected]] = {}
        question = self.case.question
        for name, rules in RULE_SETS.items() if self.form else ():
            if question:
                under = self.case.under(name, self.form)
                each.setdefault(rules.answers[question], []).append(under)
        answers: dict[str, dict[str, dict[str, float]]] = {}
        for player, figures in self.figures.items():
            for name in figures:
                agreed = {
                    answer: {under[player].get(name) for under in those}
                    for answer, those in each.items()
                }
                is_changed = len(set[float | None]().union(*agreed.values())) > 1
                for answer, values in agreed.items() if is_changed else ():
                    if len(values) == 1 and (value := values.pop()) is not None:
                        answers.setdefault(answer, {}).setdefault(player, {})[name] = value
        return answers

    def verdict(self, rules: str) -> str:
        """What came of it under a rule set."""
        if self.crashed:
            return CRASHED
        fits = [
            fits_figure(expected, figure)
            for _, figure, expected in self.judged(rules)
            if expected is not None
        ]
        if self.unsupported or not fits:
            return UNSUPPORTED
        return PASSED if all(fits) else FAILED


@dataclass(frozen=True, eq=False)
class Ran:
    """A program that was asked for all cases."""

    about: About
    """What it says of itself."""
    asked: tuple[Asking, ...]

    @cached_property
    def program(self) -> Run:
        """Its figures beside the known rule sets."""
        own = next(iter(RULE_SETS.values()))
        return Run(
            [
                Subject(asking.case.id, own, asking.case.record(asking.form), asking.by_seat)
                for asking in self.asked
                if asking.figures
            ]
        )

    @cached_property
    def equals(self) -> tuple[str, ...]:
        """The rules that it claims, otherwise the known ones that it follows most likely."""
        if self.about.rules:
            return (self.about.rules,)
        if not self.program.subjects:
            return (next(iter(RULE_SETS)),)
        if self.program.transformed:
            return (self.program.transformed[0],)
        return self.program.equals or (next(iter(RULE_SETS)),)

    @property
    def rules(self) -> str:
        """The rules by which it is judged, the first of these: a name, or the path of a file."""
        return self.equals[0]

    @property
    def groups(self) -> tuple[Group, ...]:
        """What is off, by figure and player, with what its cases share."""
        compared = [
            Compared(
                asking.case.id,
                asking.case.players.index(player),
                figure,
                value,
                not fits_figure(value, figure),
            )
            for asking in self.asked
            for player, figure, value in asking.judged(self.rules)
            if value is not None
        ]
        causes: dict[str, str] = {}
        if self.program.subjects and self.program.transformed:
            _, way, scope = self.program.transformed
            causes = dict.fromkeys(map(str, self.program.names[scope]), way.code)
        return tuple(groups_of(compared, causes))

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """What it owes: every figure that it declares or gives anywhere, of every player of every
        case whose rules have it; and what became of that."""
        declared = {metric(name).name for name in self.about.figures if name in NAMES}
        given = (figures for asking in self.asked for figures in asking.figures.values())
        owed = declared or set().union(*given)
        if not declared and not any(name.startswith("luck.") for name in owed):
            owed.add(LUCK)
        return tuple(
            Cell(
                match=asking.case.id,
                program=self.about.program,
                candidate=self.about.program,
                state=state,
                player=player,
                figure=name,
                given=asking.figures[player][name].value if state in GIVEN else None,
                reason=NO_REFERENCE
                if state == INCOMPARABLE
                else asking.unsupported + asking.crashed,
                fails=state == MISSING and (bool(declared) or name == LUCK),
                is_failure=bool(asking.crashed),
            )
            for asking in self.asked
            for player, name, state in asking.states(self.rules, owed)
        )

    @cached_property
    def verdicts(self) -> Mapping[str, str]:
        """By id, what came of each case: one in which a declared figure is missing has failed."""
        verdicts = {asking.case.id: asking.verdict(self.rules) for asking in self.asked}
        lacking = {cell.match for cell in self.cells if cell.fails and not cell.is_failure}
        return verdicts | dict.fromkeys(lacking, FAILED)


def run(
    *,
    harness: str | None = None,
    command: str | None = None,
    files: Sequence[str] | None = None,
    form: str | None = None,
    only: str = "",
    timeout: float = 60.0,
    progress: Progress = lambda task, done, total: None,
) -> Ran:
    """Ask a program for the figures of every case: one behind the protocol of a harness, a command
    that is run for every file, or files that it wrote.

    Raises `InvalidConfiguration` for what is no command, format or case, and `CommandFailed` for a
    harness that cannot be started.
    """
    cases = chosen(only)
    if files is not None:
        return _of_files(files, cases, form or FORMATS[0])
    asked: list[Asking] = []
    with _opened(harness, command, timeout) as program:
        about = program.about if isinstance(program, Harness) else About(program.name)
        for asking in ask_all(program, cases, _formats(about, form), timeout):
            asked.append(asking)
            about = (harness is None and asking.about) or about
            progress("running", len(asked), len(cases))
    if all(asking.crashed for asking in asked):
        none = f"gave no figures of any of {plural(len(asked), 'case')}"
        raise CommandFailed(f"{none}: {asked[0].crashed}", about.program)
    return Ran(about, tuple(asked))


def _of_files(files: Sequence[str], cases: Iterable[Case], form: str) -> Ran:
    """What files say of the cases that they name. Raises `ReconcileError`."""
    claims: dict[str, Claim] = {}
    ids = {case.id for case in every()}
    for claim in chain.from_iterable(candidate.claims for candidate in read_candidates(files)):
        if claim.match not in ids or claim.match in claims:
            actual = f"{short(claim.match)}{' twice' * (claim.match in claims)}"
            expected = f"expected figures of a case, each once, found those of {actual}"
            raise InvalidConfiguration(f"{expected}; `suite list` has the ids", claim.where)
        claims[claim.match] = claim
    asked = []
    for case in cases:
        own, of_case = form if form in case.formats else case.formats[0], claims.get(case.id)
        figures = _figures(case, of_case, str(of_case.where)) if of_case else {}
        asked.append(Asking(case, own, figures, about=_about(of_case) if of_case else None))
    about = next((asking.about for asking in asked if asking.about), None)
    return Ran(about or About(Path(files[0]).name), tuple(asked))


@contextmanager
def _opened(
    harness: str | None, command: str | None, timeout: float
) -> Iterator[Command | Harness]:
    """A program, until the block ends."""
    if harness is None:
        yield replace(read_command(command or ""), option="--timeout")
        return
    with Harness(harness, timeout) as program:
        yield program


def _formats(about: About, form: str | None) -> tuple[str, ...]:
    """The formats that a program is given, the first that it reads before others. Raises
    `InvalidConfiguration`."""
    if not about.formats:
        return (form or FORMATS[0],)
    reads = tuple(name for name in about.formats if name in FORMATS and form in (None, name))
    if not reads:
        expected = f"expected that it reads {form or ' or '.join(FORMATS)}"
        formats = ", ".join(about.formats)
        raise InvalidConfiguration(f"{about.program}: {expected}, found {formats}")
    return reads


def ask_all(
    program: Program, cases: Iterable[Case], reads: tuple[str, ...], timeout: float = 60.0
) -> Iterator[Asking]:
    """What a program that reads these formats says of every case; never raises for what the program
    does."""
    crashes = 0
    for case in cases:
        form = next((name for name in reads if name in case.formats), "")
        if not form:
            yield Asking(case, "", unsupported=f"no .{' or .'.join(reads)} file can show it")
            continue
        if crashes == MOST_CRASHES:
            yield Asking(case, form, crashed=NOT_ASKED)
            continue
        asking = _asked(program, case, form, timeout)
        crashes = crashes + 1 if asking.crashed else 0
        yield asking


def _asked(program: Program, case: Case, form: str, timeout: float) -> Asking:
    """What a program says of a case: it runs once, or for each player."""
    path = case.path(form)
    values = values_of(str(path), case.id, case.players, case.length)
    name, about = f"{program.name} ({path.name})", None
    figures: dict[str, dict[str, Reported]] = {}
    try:
        for player in case.players if program.per_player else case.players[:1]:
            content = program.run({**values, "player": player}, timeout)
            printed, about = figures_of(case, content, name)
            for own, shown in printed.items():
                figures.setdefault(own, {}).update(shown)
    except Unsupported as error:
        return Asking(case, form, unsupported=error.reason)
    except ReconcileError as error:
        return Asking(case, form, crashed=one_line(str(error))[:LONGEST_REASON])
    return Asking(case, form, figures, about=about)


def figures_of(case: Case, content: bytes, name: str) -> tuple[Figures, About | None]:
    """The figures of a case that a program prints, and what it says of itself. Raises
    `InvalidConfiguration` for others."""
    candidate = read_printed(name, content)
    if len(candidate.claims) != 1:
        other = "a match" if candidate.matches else f"those of {len(candidate.claims)}"
        expected = f"expected the figures of one match, found {other}"
        raise InvalidConfiguration(f"{expected}; make it print totals", name)
    (claim,) = candidate.claims
    return _figures(case, claim, name), _about(claim)


def _figures(case: Case, claim: Claim, name: str) -> Figures:
    """What is given of a case. Raises `InvalidConfiguration` for another player."""
    figures: dict[str, dict[str, Reported]] = {}
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
    return figures


def _is_of_nothing(name: str, expected: Mapping[str, float]) -> bool:
    """Whether a figure is the luck of a player who never rolled."""
    return name.startswith("luck.") and not expected.get("luck.rolls")


def _about(claim: Claim) -> About | None:
    """What a program says of itself."""
    return About(claim.program, claim.version) if claim.program else None
