"""A program that is started once and answers for every match, line by line.

The protocol: one JSON object a line over standard input and output. `{"cmd": "start", "protocol":
1}`, then for every file `{"cmd": "match", "id", "format", "path"}`, at the end `{"cmd": "stop"}`;
docs/suite.md has the answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, Self

from reconcile.errors import InvalidConfiguration, ReconcileError, reason_of
from reconcile.files.limits import seconds
from reconcile.files.processes import Program, TooLate, TooMuch
from reconcile.files.wording import one_line, words_of
from reconcile.gate.candidates.claims import short
from reconcile.gate.candidates.command import CommandFailed, Unsupported, ending, last_line
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
    """A program behind the protocol, for a `with` block; after an exit it is started again."""

    def __init__(self, line: str, timeout: float, option: str = "--timeout") -> None:
        """Start it; `option` is what allows it more time.

        Raises `InvalidConfiguration` for no command, `CommandFailed` without an answer to `start`.
        """
        try:
            self._words = words_of(line)
            wrong = "" if self._words else "expected a program, found nothing"
            remedy = "write e.g. 'python harness.py'"
        except ValueError as error:
            wrong, remedy = f"{str(error).lower()} in {line[:80]!r}", "correct the quotes"
        if wrong:
            raise InvalidConfiguration(f"--harness: {wrong}; {remedy}")
        self.name = Path(self._words[0]).name or self._words[0]
        self._limit, self._option = seconds(timeout, option), option
        self._program: Program | None = None
        self._questions: SimpleQueue[bytes | None] = SimpleQueue()
        self._lines: Iterator[bytes] = iter(())
        self._asked: set[str] = set()
        """The files that this run of the program was asked for and has not answered for."""
        self.about = self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if self._program is not None and kind is None:
            self._ask({"cmd": "stop"})
            self._questions.put(None)
            self._program.allow(self._limit)
            with suppress(TooLate, TooMuch):
                for _ in self._lines:
                    pass
        self.end()

    def answer(
        self, name: str, path: Path, after: tuple[str, Path] | None = None
    ) -> dict[str, Any]:
        """What it says of a file, named by an id. Raises `CommandFailed`.

        `after` is what it will be asked next, and gets early.
        """
        try:
            if self._program is None:
                self._start()
            for id_, file in ((name, path), *((after,) if after else ())):
                if id_ not in self._asked:
                    self._asked.add(id_)
                    place = {"format": file.suffix[1:], "path": str(file.absolute())}
                    self._ask({"cmd": "match", "id": id_, **place})
            answer = self._next_answer()
            if answer.get("id") != name:
                raise self._unexpected(f'an answer with "id": {name!r}', answer.get("id"))
            self._asked.discard(name)
        except ReconcileError:
            self.end()
            raise
        return answer

    def _start(self) -> About:
        self._questions = SimpleQueue()
        self._asked.clear()
        try:
            self._program = Program(self._words, questions=iter(self._questions.get, None))
        except (OSError, ValueError) as error:
            why = f"cannot be started: {reason_of(error)}; check the command"
            raise CommandFailed(why, self.name) from None
        self._lines = self._program.lines()
        try:
            self._ask({"cmd": "start", "protocol": PROTOCOL})
            return self._about(self._next_answer())
        except ReconcileError:
            self.end()
            raise

    def _ask(self, question: Mapping[str, object]) -> None:
        self._questions.put(json.dumps(question, ensure_ascii=False).encode() + b"\n")

    def _unexpected(self, expected: str, value: object) -> CommandFailed:
        return CommandFailed(f"expected {expected}, found {short(value)}", self.name)

    def _next_answer(self) -> dict[str, Any]:
        """The next JSON object on a line, in time. Raises `CommandFailed`."""
        assert self._program is not None
        self._program.allow(self._limit)
        try:
            for line in filter(bytes.strip, self._lines):
                return _object(line, self.name)
        except TooLate:
            why = f"no answer after {self._limit:g} seconds; allow more with {self._option}"
            raise CommandFailed(why, self.name) from None
        except TooMuch:
            why = "expected short lines, found one without an end"
            raise CommandFailed(why, self.name) from None
        complaint = last_line(self._program.complaint)
        raise CommandFailed(ending(self._program.code or 0, complaint), self.name)

    def _about(self, answer: Mapping[str, Any]) -> About:
        """Raises `CommandFailed` for an answer to `start` that is none."""
        to_start = "in the answer to start"
        if answer.get("protocol") != PROTOCOL:
            raise self._unexpected(f'"protocol": {PROTOCOL} {to_start}', answer.get("protocol"))
        lists = [answer.get(key, []) for key in ("formats", "figures")]
        for key, names in zip(("formats", "figures"), lists, strict=True):
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise self._unexpected(f'a list of names as "{key}" {to_start}', names)
        rules = answer.get("rules")
        if rules is not None and rules not in RULE_SETS:
            raise self._unexpected(f'one of {", ".join(RULE_SETS)} or null as "rules"', rules)
        texts = (one_line(str(answer.get(key) or "")) for key in ("program", "version"))
        program, version = (text[:LONGEST_NAME].strip() for text in texts)
        return About(program or self.name, version, tuple(lists[0]), tuple(lists[1]), rules)

    def end(self) -> None:
        """End the program; it is started again for the next question."""
        self._questions.put(None)
        if self._program is not None:
            self._program.__exit__()
            self._program = None


def reason(answer: Mapping[str, Any], key: str) -> str:
    """Why an answer has no figures, under a key of the protocol, in a line; empty without one."""
    return one_line(str(answer.get(key) or ""))[:LONGEST_REASON]


class HarnessCommand:
    """The same for the matches of a pack, started once in every process that asks.

    It has the form of a command, and what it says that of what a command prints. It is to be used
    in a `with` block.
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
        answer = self._started().answer(values["match"], Path(values["file"]))
        if why := reason(answer, "unsupported"):
            raise Unsupported(why, self.name)
        if why := reason(answer, "error"):
            raise CommandFailed(why, self.name)
        program = {"program": self._about.program, "version": self._about.version or None}
        matches = [{"players": answer.get("players")}]
        return json.dumps({"schema_version": 1, **program, "matches": matches}).encode()

    def _started(self) -> Harness:
        if self._harness is None:
            self._harness = Harness(self._line, self._timeout, OPTION)
        return self._harness


@cache
def _of_this_process(line: str, timeout: float, about: About) -> HarnessCommand:
    return HarnessCommand(line, timeout, about)


def _object(line: bytes, name: str) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        shown = line[:60].decode("utf-8", "replace").strip()
        why = f"expected one JSON object on a line, found {shown!r}"
        raise CommandFailed(f"{why}; print everything else to standard error", name)
    return answer
