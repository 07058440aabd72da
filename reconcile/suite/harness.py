"""Programs that are asked for the figures of cases: one started once that answers line by line, or a command that runs for every file.

The protocol: one JSON object a line over standard input and output. `{"cmd": "start", "protocol": 1}`, then for every file
`{"cmd": "match", "id", "format", "path"}`, at the end `{"cmd": "stop"}`; docs/suite.md has the answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeAlias

from reconcile.errors import At, InvalidConfiguration, ReconcileError, reason_of
from reconcile.files.names import fold
from reconcile.files.processes import OUTPUT, Program, TooLate, seconds, words_of
from reconcile.files.wording import one_line
from reconcile.gate.candidates.claims import BOTH, Stated, of_player, short, stated
from reconcile.gate.candidates.command import Command, CommandFailed
from reconcile.gate.candidates.read import read_printed
from reconcile.infer.reported import Reported
from reconcile.rules.rulesets import RULE_SETS
from reconcile.suite.case import Case
from reconcile.suite.content import Found

PROTOCOL: Final = 1
LONGEST_LINE: Final = 2**20
MOST_FIGURES: Final = 200
LONGEST_REASON: Final = 200
LONGEST_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program says of a file."""

    found: Found = field(default_factory=dict)
    unsupported: str = ""
    """Why it cannot say anything; empty if it can."""
    crashed: str = ""
    """How it failed; empty if it did not."""


@dataclass(frozen=True, slots=True)
class About:
    """What a program says of itself."""

    program: str
    version: str = ""
    formats: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    """The figures that it gives; empty for whatever it returns."""
    rules: str | None = None
    """The rule set that it claims to follow."""


Question: TypeAlias = tuple[Case, Path]
"""A case and its file."""


class Asked(Protocol):
    """Anything that gives figures of files."""

    about: About

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Answer:
        """What it makes of the file of a case; `after` is what it will be asked next."""
        ...


class Harness:
    """A program behind the protocol; to be used in a `with` block. After an exit or a time limit it is started again."""

    def __init__(self, line: str, timeout: float) -> None:
        """Start it. Raises `InvalidConfiguration` for what is no command, `CommandFailed` for a program that does not answer `start`."""
        try:
            self._words = words_of(line)
        except ValueError as error:
            raise InvalidConfiguration(f"--harness: {str(error).lower()} in {line[:80]!r}; correct the quotes") from None
        if not self._words:
            raise InvalidConfiguration("--harness: expected a program, found nothing; write e.g. 'python harness.py'")
        self._name = Path(self._words[0]).name or self._words[0]
        self._limit = seconds(timeout, "--timeout")
        self._program: Program | None = None
        self._questions: SimpleQueue[bytes | None] = SimpleQueue()
        self._lines: Iterator[tuple[int, bytes]] = iter(())
        self._complaint = ""
        self._put: set[str] = set()
        """The cases that this run of the program was asked for."""
        self.about = self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._program is not None and kind is None:
            self._questions.put(b'{"cmd": "stop"}\n')
            self._questions.put(None)
            self._program.allow(self._limit)
            try:
                for _ in self._lines:
                    pass
            except (TooLate, OSError):
                pass
        self._end()

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Answer:
        """What it makes of the file of a case; never raises for what the program does. It gets the next question early."""
        try:
            if self._program is None:
                self._start()
            for asked, place in ((case, path), *((after,) if after else ())):
                if asked.id not in self._put:
                    self._put.add(asked.id)
                    self._ask({"cmd": "match", "id": asked.id, "format": place.suffix[1:], "path": str(place.absolute())})
            said = self._said()
            if said.get("id") != case.id:
                raise CommandFailed(f'expected an answer with "id": {case.id!r}, found {short(said.get("id"))}', self._name)
            return _answer(said, case)
        except ReconcileError as error:
            self._end()
            return Answer(crashed=one_line(str(error))[:LONGEST_REASON])

    def _start(self) -> About:
        self._questions = SimpleQueue()
        self._put.clear()
        try:
            self._program = Program(self._words, questions=iter(self._questions.get, None))
        except (OSError, ValueError) as error:
            raise CommandFailed(f"cannot be started: {reason_of(error)}; check the command", self._name) from None
        self._lines = self._program.lines(LONGEST_LINE)
        try:
            self._ask({"cmd": "start", "protocol": PROTOCOL})
            return _about(self._said(), self._name)
        except ReconcileError:
            self._end()
            raise

    def _ask(self, question: Mapping[str, object]) -> None:
        self._questions.put(json.dumps(question, ensure_ascii=False).encode() + b"\n")

    def _said(self) -> dict[str, Any]:
        """The next answer. Raises `CommandFailed` for anything but one JSON object on a line, in time."""
        assert self._program is not None
        self._program.allow(self._limit)
        try:
            for stream, line in self._lines:
                if stream != OUTPUT:
                    self._complaint = line.decode("utf-8", "replace").strip() or self._complaint
                elif line.strip():
                    return _object(line, self._name)
        except TooLate:
            raise CommandFailed(f"no answer after {self._limit:g} seconds; allow more with --timeout", self._name) from None
        except OSError as error:
            raise CommandFailed(f"cannot be started: {reason_of(error)}; check the command", self._name) from None
        code = self._program.code
        ended = "was ended" if code is None else f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        raise CommandFailed(
            f"{ended}{f': {one_line(self._complaint)[:LONGEST_REASON]}' if self._complaint else ' and gave no reason'}", self._name
        )

    def _end(self) -> None:
        self._questions.put(None)
        if self._program is not None:
            self._program.__exit__()
            self._program = None


class Runs:
    """A command that runs for every file."""

    def __init__(self, command: Command, timeout: float) -> None:
        self._command, self._timeout = command, timeout
        self.about = About(command.name)

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Answer:
        """What it prints of the file of a case; never raises for what the program does."""
        players = case.match.players
        values = {"file": str(path), "match": case.id, "player1": players[0], "player2": players[1], "length": str(case.match.length or 0)}
        found: dict[str, dict[str, Reported]] = {}
        try:
            for player in players if self._command.per_player else players[:1]:
                printed = self._command.run({**values, "player": player}, self._timeout)
                candidate = read_printed(f"{self._command.name} ({path.name})", printed)
                if len(candidate.claims) != 1:
                    raise InvalidConfiguration(f"expected the figures of one match, found those of {len(candidate.claims)}", candidate.name)
                claim = of_player(candidate.claims[0], player) if self._command.per_player else candidate.claims[0]
                if claim.program:
                    self.about = About(claim.program, claim.version or "")
                for one in claim.figures:
                    _put(found, one, players)
        except ReconcileError as error:
            return Answer(crashed=one_line(str(error))[:LONGEST_REASON])
        return Answer(found)


def _put(found: dict[str, dict[str, Reported]], one: Stated, players: tuple[str, str]) -> None:
    """Add a figure, if it is that of a player of the case and not unknown."""
    if one.value is None or one.player == BOTH:
        return
    player = players[one.player] if isinstance(one.player, int) else next((name for name in players if fold(name) == fold(one.player)), "")
    if player:
        found.setdefault(player, {})[one.metric] = Reported(one.metric, one.text, one.value, one.half)


def _object(line: bytes, name: str) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        shown = line[:60].decode("utf-8", "replace").strip()
        raise CommandFailed(f"expected one JSON object on a line, found {shown!r}; print everything else to standard error", name)
    return said


def _about(said: Mapping[str, Any], name: str) -> About:
    """Raises `CommandFailed` for an answer to `start` that is none."""
    if said.get("protocol") != PROTOCOL:
        raise CommandFailed(f'expected "protocol": {PROTOCOL} in the answer to start, found {short(said.get("protocol"))}', name)
    for key in ("formats", "figures"):
        if not isinstance(said.get(key, []), list) or not all(isinstance(one, str) for one in said.get(key, [])):
            raise CommandFailed(f'expected a list of names as "{key}" in the answer to start, found {short(said[key])}', name)
    rules = said.get("rules")
    if rules is not None and rules not in RULE_SETS:
        raise CommandFailed(f'expected one of {", ".join(RULE_SETS)} or null as "rules", found {short(rules)}', name)
    program, version = (one_line(str(said.get(key) or ""))[:LONGEST_NAME].strip() for key in ("program", "version"))
    return About(program or name, version, tuple(said.get("formats", [])), tuple(said.get("figures", [])), rules)


def _answer(said: Mapping[str, Any], case: Case) -> Answer:
    """Raises `InvalidConfiguration` for figures that are none."""
    for key in ("unsupported", "error"):
        if said.get(key):
            reason = one_line(str(said[key]))[:LONGEST_REASON]
            return Answer(unsupported=reason) if key == "unsupported" else Answer(crashed=reason)
    players = said.get("players")
    if not isinstance(players, dict) or not all(isinstance(one, dict) and len(one) <= MOST_FIGURES for one in players.values()):
        raise InvalidConfiguration(f'{case.id}: expected "players", "unsupported" or "error" in the answer, found {short(said)}')
    found: dict[str, dict[str, Reported]] = {}
    where = At(case.id)
    for player, printed in players.items():
        seat = next((place for place, name in enumerate(case.match.players) if fold(player) == fold(name)), None)
        if seat is None:
            raise InvalidConfiguration(
                f"{case.id}: expected {' and '.join(case.match.players)}, found {short(player)}; name players as the file"
            )
        for name, figure in printed.items():
            _put(found, stated(where, seat, name, figure), case.match.players)
    return Answer(found)
