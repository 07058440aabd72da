"""Runs the suite on a program: its figures of every case, judged by the rules that it claims, or by
those that give most of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Protocol, TypeAlias

from reconcile.errors import At, InvalidConfiguration, ReconcileError
from reconcile.gate.candidates.claims import Stated, short, stated
from reconcile.gate.candidates.command import Command, CommandFailed, read_command, values_of
from reconcile.gate.candidates.harness import LONGEST_REASON, About, Harness, reason
from reconcile.gate.candidates.read import read_printed
from reconcile.infer.reported import Reported, fits_figure
from reconcile.match.names import fold
from reconcile.rules.rulesets import RULE_SETS, RuleSet, rule_set
from reconcile.suite.cases import Case, Expected, every
from reconcile.suite.synthetic import FORMATS
from reconcile.wording import one_line, plural

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


class Asked(Protocol):
    """Anything that gives figures of files."""

    about: About

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Answer:
        """What it makes of the file of a case; `after` is what it will be asked next. Raises
        `ReconcileError` where it fails."""
        ...


class CaseHarness(Harness):
    """A program behind the protocol that is asked for cases; to be used in a `with` block."""

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Answer:
        """What it answers. It gets the next question early, and is started again after what is no
        answer."""
        following = None if after is None else (after[0].id, after[1])
        try:
            return self._read(self.answer(case.id, path, following), case)
        except ReconcileError:
            self.end()
            raise

    @staticmethod
    def _read(answer: Mapping[str, Any], case: Case) -> Answer:
        unsupported, crashed = reason(answer, "unsupported"), reason(answer, "error")
        if unsupported or crashed:
            return Answer(unsupported=unsupported, crashed="" if unsupported else crashed)
        players = answer.get("players")
        sides = players.values() if isinstance(players, dict) else [None]
        if not all(isinstance(side, dict) and len(side) <= MOST_FIGURES for side in sides):
            expected = 'expected "players", "unsupported" or "error" in the answer'
            raise InvalidConfiguration(f"{case.id}: {expected}, found {short(answer)}")
        figures: Figures = {}
        for player, side in (players or {}).items():
            if _seat_of(player, case.players) is None:
                expected = f"expected {' and '.join(case.players)}, found {short(player)}"
                raise InvalidConfiguration(f"{case.id}: {expected}; name players as the file")
            for name, number in side.items():
                _put(figures, stated(At(case.id), player, name, number), case.players)
        return Answer(figures)


class CaseRuns:
    """A command that runs for every file."""

    def __init__(self, command: Command, timeout: float) -> None:
        self._command, self._timeout = command, timeout
        self.about = About(command.name)

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Answer:
        """What it prints, run once, or for each player."""
        values = values_of(str(path), case.id, case.players, case.match.length)
        name, figures = f"{self._command.name} ({path.name})", Figures()
        for player in case.players if self._command.per_player else case.players[:1]:
            content = self._command.run({**values, "player": player}, self._timeout)
            self.about = add_printed(figures, case, content, name) or self.about
        return Answer(figures)


def add_printed(figures: Figures, case: Case, content: bytes, name: str) -> About | None:
    """Add the figures of a case that a program prints; what it says of itself. Raises
    `InvalidConfiguration` for others."""
    candidate = read_printed(name, content)
    if len(candidate.claims) != 1:
        other = "a match" if candidate.matches else f"those of {len(candidate.claims)}"
        raise InvalidConfiguration(
            f"expected the figures of one match, found {other}; make it print totals", name
        )
    (claim,) = candidate.claims
    for figure in claim.figures:
        _put(figures, figure, case.players)
    names = [asking.player for asking in claim.figures if isinstance(asking.player, str)]
    if names and not figures:
        wanted, strangers = " and ".join(case.players), ", ".join(dict.fromkeys(names))
        raise InvalidConfiguration(
            f"expected figures of {wanted}, found those of {strangers}; name players as the file",
            name,
        )
    return About(claim.program, claim.version or "") if claim.program else None


def _put(figures: Figures, figure: Stated, players: tuple[str, str]) -> None:
    """Add a figure, if it is that of a player of the case and not unknown."""
    name = figure.player
    seat = name if isinstance(name, int) else _seat_of(name, players)
    if figure.value is not None and seat is not None:
        reported = Reported(figure.metric, figure.text, figure.value, figure.half)
        figures.setdefault(players[seat], {})[figure.metric] = reported


def _seat_of(name: str, players: tuple[str, str]) -> int | None:
    return next((seat for seat, own in enumerate(players) if fold(name) == fold(own)), None)


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

    def judged(self, rules: str) -> list[bool | None]:
        """Whether each figure is right; `None` where rules have no such figure."""
        expected = self.expected(rules)
        return [
            fits_figure(expected[player][name], figure) if name in expected[player] else None
            for player, name, figure in self.stated()
        ]

    def status(self, rules: str) -> str:
        """What came of it."""
        if self.answer.crashed:
            return CRASHED
        if self.answer.unsupported or not self.answer.figures:
            return UNSUPPORTED
        right = [is_right for is_right in self.judged(rules) if is_right is not None]
        if not right:
            return UNSUPPORTED
        return PASSED if all(right) else FAILED

    @property
    def differs(self) -> bool:
        """Whether no known rule set gives the figures."""
        return all(self.status(name) == FAILED for name in RULE_SETS)


@dataclass(frozen=True, eq=False)
class Ran:
    """A program that was asked for all cases."""

    program: str
    version: str
    claimed: str | None
    """The rule set that it claims to follow, by name or as a file."""
    asked: tuple[Asking, ...]

    @cached_property
    def rules(self) -> RuleSet:
        """The rules by which it is judged: those that it claims, otherwise those that fewest cases
        contradict.

        A figure that the rules do not have contradicts them too: nothing would be wrong by Snowie's
        rules, which have no PR.
        """

        def against(name: str) -> int:
            return sum(not all(asking.judged(name)) for asking in self.answered)

        return rule_set(self.claimed or min(RULE_SETS, key=against))

    @property
    def rules_name(self) -> str:
        """What these rules are called for a case: a name, or the path of the file."""
        return self.claimed or self.rules.name

    @property
    def answered(self) -> tuple[Asking, ...]:
        """The cases of which it gave figures."""
        return tuple(asking for asking in self.asked if asking.answer.figures)

    @cached_property
    def statuses(self) -> Mapping[str, str]:
        """By id, what came of each case."""
        return {asking.case.id: asking.status(self.rules_name) for asking in self.asked}

    @property
    def failed(self) -> tuple[Asking, ...]:
        """The cases with a wrong figure."""
        return tuple(asking for asking in self.asked if self.statuses[asking.case.id] == FAILED)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many cases have each status."""
        return Counter(self.statuses.values())


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
    pack: Path | None = None,
) -> Ran:
    """Ask a program for the figures of every case: one behind the protocol of a harness, or a
    command that is run for every file.

    With `hopeless` it is asked for no more once so many cases, the first, all differ from every
    known rule set. A file of rules that it claims may also be in the folder of a `pack`.

    Raises `InvalidConfiguration` for what is no command, format or case, and `CommandFailed` for a
    harness that cannot be started.
    """
    cases = chosen(only)
    answered: list[Asking] = []
    with _opened(harness, command, form, timeout, pack) as (asked, reads):
        for asking in ask_all(asked, cases, reads):
            answered.append(asking)
            if progress is not None:
                progress("running", len(answered), len(cases))
            if len(answered) == hopeless and all(earlier.differs for earlier in answered):
                break
        about = asked.about
    if all(asking.answer.crashed for asking in answered):
        none = f"gave no figures of any of {plural(len(answered), 'case')}"
        raise CommandFailed(f"{none}: {answered[0].answer.crashed}", about.program)
    return Ran(about.program, about.version, about.rules, tuple(answered))


@contextmanager
def _opened(
    harness: str | None, command: str | None, form: str | None, timeout: float, pack: Path | None
) -> Iterator[tuple[Asked, tuple[str, ...]]]:
    """A program, and the formats that it is given, the first that it reads before others."""
    if form not in (None, *FORMATS):
        expected = f"expected a format, one of {', '.join(FORMATS)}"
        raise InvalidConfiguration(f"{expected}, found {form!r}")
    if harness is None:
        allowed = replace(read_command(command or ""), option="--timeout")
        yield CaseRuns(allowed, timeout), (form or FORMATS[0],)
        return
    with CaseHarness(harness, timeout, folders=(pack,) if pack else ()) as asked:
        about = asked.about
        reads = tuple(name for name in about.formats if name in FORMATS and form in (None, name))
        if not reads:
            expected = f"expected that it reads {form or ' or '.join(FORMATS)}"
            formats = ", ".join(about.formats) or "none"
            raise InvalidConfiguration(f"{about.program}: {expected}, found {formats}")
        yield asked, reads


def ask_all(asked: Asked, cases: Iterable[Case], reads: Sequence[str]) -> Iterator[Asking]:
    """What a program that reads these formats says of every case, by its file in an empty folder;
    never raises for what the program does."""
    crashes = 0
    with TemporaryDirectory(prefix="reconcile-suite-") as folder:
        placed = _placed(asked.about, cases, reads, Path(folder))
        for question, after in pairwise(chain(placed, (None,))):
            assert question is not None
            case, path = question
            if path is None:
                answer = Answer(unsupported=f"no .{' or .'.join(reads)} file can show it")
            elif crashes >= MOST_CRASHES:
                answer = Answer(crashed=f"not asked: it crashed on {MOST_CRASHES} cases in a row")
            else:
                try:
                    following = (after[0], after[1]) if after and after[1] else None
                    answer = asked.ask(case, path, following)
                except ReconcileError as error:
                    answer = Answer(crashed=one_line(str(error))[:LONGEST_REASON])
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
