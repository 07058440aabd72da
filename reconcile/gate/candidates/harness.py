"""A program that is started once and answers for every match, line by line.

The protocol: one JSON object a line over standard input and output. `{"cmd": "start", "protocol": 1}`, then for every file
`{"cmd": "match", "id", "format", "path"}`, at the end `{"cmd": "stop"}`; docs/suite.md has the answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Final, Self

from reconcile.errors import InvalidConfiguration, ReconcileError, reason_of
from reconcile.files.limits import seconds
from reconcile.files.processes import Program, TooLate, TooMuch
from reconcile.files.wording import one_line, words_of
from reconcile.gate.candidates.claims import short
from reconcile.gate.candidates.command import CommandFailed, Unsupported
from reconcile.rules.rulesets import RULE_SETS

PROTOCOL: Final = 1
LONGEST_REASON: Final = 200
LONGEST_NAME: Final = 200
OPTION: Final = "--candidate-timeout"


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


class Harness:
    """A program behind the protocol; to be used in a `with` block. After an exit or a time limit it is started again."""

    def __init__(self, line: str, timeout: float, option: str = "--timeout") -> None:
        """Start it; `option` is what allows it more time.

        Raises `InvalidConfiguration` for what is no command, `CommandFailed` for a program that does not answer `start`.
        """
        try:
            self._words = words_of(line)
        except ValueError as error:
            raise InvalidConfiguration(
                f"--harness: {str(error).lower()} in {line[:80]!r}; correct the quotes"
            ) from None
        if not self._words:
            raise InvalidConfiguration(
                "--harness: expected a program, found nothing; write e.g. 'python harness.py'"
            )
        self.name = Path(self._words[0]).name or self._words[0]
        self._limit, self._option = seconds(timeout, option), option
        self._program: Program | None = None
        self._questions: SimpleQueue[bytes | None] = SimpleQueue()
        self._lines: Iterator[bytes] = iter(())
        self._put: set[str] = set()
        """The files that this run of the program was asked for and has not answered for."""
        self.about = self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._program is not None and kind is None:
            self._questions.put(b'{"cmd": "stop"}\n')
            self._questions.put(None)
            self._program.allow(self._limit)
            try:
                for _ in self._lines:
                    pass
            except (TooLate, TooMuch):
                pass
        self.end()

    def answer(
        self, name: str, path: Path, after: tuple[str, Path] | None = None
    ) -> dict[str, Any]:
        """What it says of a file, named by an id; `after` is what it will be asked next, and gets early. Raises `CommandFailed`."""
        try:
            if self._program is None:
                self._start()
            for asked, place in ((name, path), *((after,) if after else ())):
                if asked not in self._put:
                    self._put.add(asked)
                    self._ask(
                        {
                            "cmd": "match",
                            "id": asked,
                            "format": place.suffix[1:],
                            "path": str(place.absolute()),
                        }
                    )
            said = self._said()
            if said.get("id") != name:
                raise CommandFailed(
                    f'expected an answer with "id": {name!r}, found {short(said.get("id"))}',
                    self.name,
                )
            self._put.discard(name)
        except ReconcileError:
            self.end()
            raise
        return said

    def _start(self) -> About:
        self._questions = SimpleQueue()
        self._put.clear()
        try:
            self._program = Program(self._words, questions=iter(self._questions.get, None))
        except (OSError, ValueError) as error:
            raise CommandFailed(
                f"cannot be started: {reason_of(error)}; check the command", self.name
            ) from None
        self._lines = self._program.lines()
        try:
            self._ask({"cmd": "start", "protocol": PROTOCOL})
            return _about(self._said(), self.name)
        except ReconcileError:
            self.end()
            raise

    def _ask(self, question: Mapping[str, object]) -> None:
        self._questions.put(json.dumps(question, ensure_ascii=False).encode() + b"\n")

    def _said(self) -> dict[str, Any]:
        """The next answer. Raises `CommandFailed` for anything but one JSON object on a line, in time."""
        assert self._program is not None
        self._program.allow(self._limit)
        try:
            for line in self._lines:
                if line.strip():
                    return _object(line, self.name)
        except TooLate:
            raise CommandFailed(
                f"no answer after {self._limit:g} seconds; allow more with {self._option}",
                self.name,
            ) from None
        except TooMuch:
            raise CommandFailed(
                "expected short lines, found one without an end", self.name
            ) from None
        code = self._program.code or 0
        ended = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        lines = self._program.complaint.decode("utf-8", "replace").strip().splitlines()
        reason = f": {one_line(lines[-1])[:LONGEST_REASON]}" if lines else " and gave no reason"
        raise CommandFailed(f"{ended}{reason}", self.name)

    def end(self) -> None:
        """End the program; it is started again for the next question."""
        self._questions.put(None)
        if self._program is not None:
            self._program.__exit__()
            self._program = None


def reason(said: Mapping[str, Any], key: str) -> str:
    """Why an answer has no figures, under a key of the protocol, in a line; empty if it does not say so."""
    return one_line(str(said.get(key) or ""))[:LONGEST_REASON]


class HarnessCommand:
    """The same for the matches of a pack, started once in every process that asks; to be used in a `with` block.

    It has the form of a command, and what it says that of what a command prints.
    """

    per_player: Final = False

    def __init__(self, line: str, timeout: float, about: About | None = None) -> None:
        """Start it, unless what it says of itself is known. Raises as `Harness` does."""
        self._line, self._timeout = line, timeout
        self._harness = None if about else Harness(line, timeout, OPTION)
        self._about = about or self._started().about
        self.name = self._about.program

    def __reduce__(self) -> tuple[Callable[..., HarnessCommand], tuple[str, float, About]]:
        return _of_this_process, (self._line, self._timeout, self._about)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        if self._harness is not None:
            self._harness.__exit__(*error)

    def run(self, values: Mapping[str, str], _timeout: float) -> bytes:
        """Its figures of a match in the plain form. Raises `CommandFailed`."""
        said = self._started().answer(values["match"], Path(values["file"]))
        if why := reason(said, "unsupported"):
            raise Unsupported(why, self.name)
        if why := reason(said, "error"):
            raise CommandFailed(why, self.name)
        claim = {
            "schema_version": 1,
            "program": self._about.program,
            "version": self._about.version or None,
        }
        return json.dumps({**claim, "matches": [{"players": said.get("players")}]}).encode()

    def _started(self) -> Harness:
        if self._harness is None:
            self._harness = Harness(self._line, self._timeout, OPTION)
        return self._harness


@cache
def _of_this_process(line: str, timeout: float, about: About) -> HarnessCommand:
    return HarnessCommand(line, timeout, about)


def _object(line: bytes, name: str) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        shown = line[:60].decode("utf-8", "replace").strip()
        raise CommandFailed(
            f"expected one JSON object on a line, found {shown!r}; print everything else to standard error",
            name,
        )
    return said


def _about(said: Mapping[str, Any], name: str) -> About:
    """Raises `CommandFailed` for an answer to `start` that is none."""
    if said.get("protocol") != PROTOCOL:
        raise CommandFailed(
            f'expected "protocol": {PROTOCOL} in the answer to start, found {short(said.get("protocol"))}',
            name,
        )
    for key in ("formats", "figures"):
        if not isinstance(said.get(key, []), list) or not all(
            isinstance(one, str) for one in said.get(key, [])
        ):
            raise CommandFailed(
                f'expected a list of names as "{key}" in the answer to start, found {short(said[key])}',
                name,
            )
    rules = said.get("rules")
    if rules is not None and rules not in RULE_SETS:
        raise CommandFailed(
            f'expected one of {", ".join(RULE_SETS)} or null as "rules", found {short(rules)}', name
        )
    program, version = (
        one_line(str(said.get(key) or ""))[:LONGEST_NAME].strip() for key in ("program", "version")
    )
    return About(
        program or name,
        version,
        tuple(said.get("formats", [])),
        tuple(said.get("figures", [])),
        rules,
    )
