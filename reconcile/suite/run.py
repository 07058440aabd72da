"""Runs the suite on a program: its figures of every case, judged by the rules that it claims, or by
those that give most of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Protocol, TypeAlias

from reconcile.errors import At, InvalidConfiguration, ReconcileError
from reconcile.files.names import fold
from reconcile.files.wording import one_line, plural
from reconcile.gate.candidates.claims import Stated, short, stated
from reconcile.gate.candidates.command import Command, CommandFailed, read_command, values_of
from reconcile.gate.candidates.harness import LONGEST_REASON, About, Harness, reason
from reconcile.gate.candidates.read import read_printed
from reconcile.infer.reported import Reported, fits_figure
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.suite.cases import Case, Expected, every
from reconcile.suite.synthetic import FORMATS

PASSED: Final = "passed"
FAILED: Final = "failed"
UNSUPPORTED: Final = "unsupported"
CRASHED: Final = "crashed"
MOST_CRASHES: Final = 10
"""After so many in a row a program is asked for nothing more."""
MOST_FIGURES: Final = 200
Progress: TypeAlias = Callable[[str, int, int], None]
Figures: TypeAlias = dict[str, dict[str, Reported]]
"""By player and name, as a program gives them."""
Question: TypeAlias = tuple[Case, Path]
"""A case and its file."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program says of a file."""

    figures: Figures = field(default_factory=dict)
    unsupported: str = ""
    """Why it cannot say anything; empty if it can."""
    crashed: str = ""
    """How it failed; empty if it did not."""
    about: About | None = None
    """What it says of itself beside its figures."""


class Asked(Protocol):
    """Anything that gives figures of files."""

    about: About

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Answer:
        """What it makes of the file of a case; `after` is what it will be asked next."""
        ...


class CaseHarness(Harness):
    """A program behind the protocol that is asked for cases; to be used in a `with` block."""

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Answer:
        """What it makes of the file of a case; never raises for what the program does. It gets the
        next question early."""
        following = None if after is None else (after[0].id, after[1])
        try:
            return _of_harness(self.answer(case.id, path, following), case)
        except ReconcileError as error:
            self.end()
            return Answer(crashed=one_line(str(error))[:LONGEST_REASON])


class CaseRuns:
    """A command that runs for every file."""

    def __init__(self, command: Command, timeout: float) -> None:
        self._command, self._timeout = command, timeout
        self.about = About(command.name)

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Answer:
        """What it prints of the file of a case; never raises for what the program does."""
        values = values_of(str(path), case.id, case.players, case.match.length)

        def run(player: str) -> bytes:
            return self._command.run({**values, "player": player}, self._timeout)

        each = case.players if self._command.per_player else case.players[:1]
        answer = answer_of(each, case, run, f"{self._command.name} ({path.name})")
        self.about = answer.about or self.about
        return answer


def answer_of(each: Sequence[str], case: Case, run: Callable[[str], bytes], name: str) -> Answer:
    """What a program prints of a case, run once for `each` player; never raises for what it
    does."""
    figures: Figures = {}
    about = None
    try:
        for player in each:
            candidate = read_printed(name, run(player))
            if len(candidate.claims) != 1:
                other = "a match" if candidate.matches else f"those of {len(candidate.claims)}"
                raise InvalidConfiguration(
                    f"expected the figures of one match, found {other}; make it print totals", name
                )
            claim = candidate.claims[0]
            about = About(claim.program, claim.version or "") if claim.program else about
            for figure in claim.figures:
                _put(figures, figure, case.players)
            names = [asking.player for asking in claim.figures if isinstance(asking.player, str)]
            if names and not figures:
                wanted, strangers = " and ".join(case.players), ", ".join(dict.fromkeys(names))
                raise InvalidConfiguration(
                    f"expected figures of {wanted}, found those of {strangers}; "
                    "name players as the file",
                    name,
                )
    except ReconcileError as error:
        return Answer(crashed=one_line(str(error))[:LONGEST_REASON])
    return Answer(figures, about=about)


def _put(figures: Figures, figure: Stated, players: tuple[str, str]) -> None:
    """Add a figure, if it is that of a player of the case and not unknown."""
    name = figure.player
    seat = name if isinstance(name, int) else _seat_of(name, players)
    if figure.value is not None and seat is not None:
        reported = Reported(figure.metric, figure.text, figure.value, figure.half)
        figures.setdefault(players[seat], {})[figure.metric] = reported


def _seat_of(name: str, players: tuple[str, str]) -> int | None:
    return next((seat for seat, own in enumerate(players) if fold(name) == fold(own)), None)


def _of_harness(answer: Mapping[str, Any], case: Case) -> Answer:
    """What a harness answers. Raises `InvalidConfiguration` for figures that are none."""
    if why := reason(answer, "unsupported"):
        return Answer(unsupported=why)
    if why := reason(answer, "error"):
        return Answer(crashed=why)
    players = answer.get("players")
    sides = players.values() if isinstance(players, dict) else [None]
    if not all(isinstance(side, dict) and len(side) <= MOST_FIGURES for side in sides):
        expected = 'expected "players", "unsupported" or "error" in the answer'
        raise InvalidConfiguration(f"{case.id}: {expected}, found {short(answer)}")
    figures: Figures = {}
    for player, side in (players or {}).items():
        seat = _seat_of(player, case.players)
        if seat is None:
            expected = f"expected {' and '.join(case.players)}, found {short(player)}"
            raise InvalidConfiguration(f"{case.id}: {expected}; name players as the file")
        for name, number in side.items():
            _put(figures, stated(At(case.id), seat, name, number), case.players)
    return Answer(figures)


@dataclass(frozen=True, eq=False)
class Asking:
    """A case that a program was asked for."""

    case: Case
    form: str
    """The format of its file; empty where the program reads none that the case has."""
    answer: Answer

    def expected(self, rules: str) -> Expected:
        """The figures under a known rule set of the file that it was given."""
        return self.case.under(rules, self.form)

    def stated(self) -> Iterator[tuple[str, str, Reported]]:
        """Player, name and figure."""
        for player, figures in self.answer.figures.items():
            for name, figure in figures.items():
                yield player, name, figure

    def fits(self, rules: str) -> bool:
        """Whether every figure that the program gives is expected, and right."""
        expected = self.expected(rules)
        return all(
            fits_figure(expected[player].get(name), figure)
            for player, name, figure in self.stated()
        )

    def status(self, rules: str) -> str:
        """What came of it."""
        if self.answer.crashed:
            return CRASHED
        if self.answer.unsupported or not self.answer.figures:
            return UNSUPPORTED
        expected = self.expected(rules)
        right = [
            fits_figure(expected[player][name], figure)
            for player, name, figure in self.stated()
            if name in expected[player]
        ]
        if not right:
            return UNSUPPORTED
        return PASSED if all(right) else FAILED


@dataclass(frozen=True, eq=False)
class Ran:
    """A program that was asked for all cases."""

    program: str
    version: str
    claimed: str | None
    """The rule set that it claims to follow."""
    asked: tuple[Asking, ...]

    @cached_property
    def rules(self) -> RuleSet:
        """The rules by which it is judged: those that it claims, otherwise those that fewest cases
        contradict.

        A figure that the rules do not have contradicts them too: nothing would be wrong by Snowie's
        rules, which have no PR.
        """
        if self.claimed is not None:
            return RULE_SETS[self.claimed]
        against = {
            name: sum(not asking.fits(name) for asking in self.answered) for name in RULE_SETS
        }
        return RULE_SETS[min(against, key=lambda name: against[name])]

    @property
    def answered(self) -> tuple[Asking, ...]:
        """The cases of which it gave figures."""
        return tuple(asking for asking in self.asked if asking.answer.figures)

    @cached_property
    def statuses(self) -> Mapping[str, str]:
        """By id, what came of each case."""
        return {asking.case.id: asking.status(self.rules.name) for asking in self.asked}

    @property
    def failed(self) -> tuple[Asking, ...]:
        """The cases with a wrong figure."""
        return tuple(asking for asking in self.asked if self.statuses[asking.case.id] == FAILED)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many cases have each status."""
        return Counter(self.statuses.values())


def _differs(asking: Asking) -> bool:
    """Whether no known rule set gives the figures of a case."""
    return all(asking.status(name) == FAILED for name in RULE_SETS)


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
    progress: Progress | None = None,
    hopeless: int | None = None,
) -> Ran:
    """Ask a program for the figures of every case: one behind the protocol of a harness, or a
    command that is run for every file.

    With `hopeless` it is asked for no more once so many cases, the first, all differ from every
    known rule set.

    Raises `InvalidConfiguration` for what is no command, format or case, and `CommandFailed` for a
    harness that cannot be started.
    """
    cases = chosen(only)
    answered: list[Asking] = []
    with _opened(harness, command, form, timeout) as (asked, reads, folder):
        for asking in ask_all(asked, cases, reads, folder):
            answered.append(asking)
            if progress is not None:
                progress("running", len(answered), len(cases))
            if len(answered) == hopeless and all(map(_differs, answered)):
                break
        about = asked.about
    if all(asking.answer.crashed for asking in answered):
        none = f"gave no figures of any of {plural(len(answered), 'case')}"
        raise CommandFailed(f"{none}: {answered[0].answer.crashed}", about.program)
    return Ran(about.program, about.version, about.rules, tuple(answered))


@contextmanager
def _opened(
    harness: str | None, command: str | None, form: str | None, timeout: float
) -> Iterator[tuple[Asked, tuple[str, ...], Path]]:
    """A program, the formats that it is given, and an empty folder for its files."""
    if form not in (None, *FORMATS):
        expected = f"expected a format, one of {', '.join(FORMATS)}"
        raise InvalidConfiguration(f"{expected}, found {form!r}")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="reconcile-suite-")))
        if harness is None:
            runs = CaseRuns(replace(read_command(command or ""), option="--timeout"), timeout)
            yield runs, (form or FORMATS[0],), folder
        else:
            asked = stack.enter_context(CaseHarness(harness, timeout))
            yield asked, _formats_of(asked.about, form), folder


def _formats_of(about: About, form: str | None) -> tuple[str, ...]:
    """The formats that a program is given, the first that it reads before others."""
    reads = tuple(name for name in about.formats if name in FORMATS and form in (None, name))
    if not reads:
        expected = f"expected that it reads {form or ' or '.join(FORMATS)}"
        listed = ", ".join(about.formats) or "none"
        raise InvalidConfiguration(f"{about.program}: {expected}, found {listed}")
    return reads


def ask_all(
    asked: Asked, cases: Iterable[Case], reads: Sequence[str], folder: Path
) -> Iterator[Asking]:
    """What a program that reads these formats says of every case, in a file in the folder."""
    crashes = 0
    for question, after in pairwise(chain(_placed(asked.about, cases, reads, folder), (None,))):
        assert question is not None
        case, path = question
        if path is None:
            answer = Answer(unsupported=f"no .{' or .'.join(reads)} file can show it")
        elif crashes >= MOST_CRASHES:
            answer = Answer(crashed=f"not asked: it crashed on {MOST_CRASHES} cases in a row")
        else:
            following = (after[0], after[1]) if after and after[1] else None
            answer = asked.ask(case, path, following)
            path.unlink(missing_ok=True)
            crashes = crashes + 1 if answer.crashed else 0
        yield Asking(case, path.suffix[1:] if path else "", answer)


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
