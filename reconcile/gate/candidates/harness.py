"""A program that is started once and answers for every match, line by line.

The protocol: one JSON object a line over standard input and output. `{"cmd": "start", "protocol":
1}`, then for every file `{"cmd": "match", "id", "format", "path"}`, at the end `{"cmd": "stop"}`;
docs/suite.md has the answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, Self

from reconcile.errors import ReconcileError
from reconcile.files.limits import seconds
from reconcile.files.processes import Program, TooLate, TooMuch
from reconcile.gate.candidates.claims import short
from reconcile.gate.candidates.command import (
    OPTION,
    CommandFailed,
    Unsupported,
    ending,
    program_words,
    watched,
)
from reconcile.rules.rulesets import RULE_SETS, is_rule_file
from reconcile.wording import one_line

PROTOCOL: Final = 1
LONGEST_REASON: Final = 200
LONGEST_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class About:
    """What a program says of itself."""

    program: str
    version: str = ""
    formats: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    """The figures that it gives; empty for whatever it returns."""
    rules: str | None = None
    """The rule set that it claims to follow, by name or as a file of rules."""


class Harness:
    """A program behind the protocol, for a `with` block; after an exit it is started again."""

    def __init__(
        self,
        line: str,
        timeout: float,
        option: str = "--timeout",
        folders: Sequence[Path] = (),
    ) -> None:
        """Start it; `option` is what allows it more time. A file of rules that it claims to follow
        is in the current folder or one of the `folders`.

        Raises `InvalidConfiguration` for no command, `CommandFailed` without an answer to `start`.
        """
        self._words = program_words(line, "--harness", "'python harness.py'")
        self.name = Path(self._words[0]).name or self._words[0]
        self._limit, self._option = seconds(timeout, option), option
        self._folders = (Path(), *folders)
        self._program: Program | None = None
        self._questions: SimpleQueue[bytes | None] = SimpleQueue()
        self._lines: Iterator[bytes] = iter(())
        self._asked: set[str] = set()
        """Ids of the files about which this run of the program was asked and has not answered."""
        self.about = self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if self._program is not None and kind is None:
            self._ask({"cmd": "stop"})
            self._questions.put(None)
            self._program.allow(self._limit)
            with suppress(TooLate, TooMuch):
                list(self._lines)
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
            self._expect(answer.get("id") == name, f'an answer with "id": {name!r}', answer, "id")
            self._asked.discard(name)
        except ReconcileError:
            self.end()
            raise
        return answer

    def _start(self) -> About:
        self._questions = SimpleQueue()
        self._asked.clear()
        with watched(self.name, self._limit, self._option, ""):
            self._program = Program(self._words, questions=iter(self._questions.get, None))
        self._lines = self._program.lines()
        try:
            self._ask({"cmd": "start", "protocol": PROTOCOL})
            return self._about(self._next_answer())
        except ReconcileError:
            self.end()
            raise

    def _ask(self, question: Mapping[str, object]) -> None:
        self._questions.put(json.dumps(question, ensure_ascii=False).encode() + b"\n")

    def _expect(self, is_so: bool, expected: str, answer: Mapping[str, Any], key: str) -> None:
        """Raise `CommandFailed` for the value under a key of an answer."""
        if not is_so:
            raise CommandFailed(f"expected {expected}, found {short(answer.get(key))}", self.name)

    def _next_answer(self) -> dict[str, Any]:
        """The next JSON object on a line, in time. Raises `CommandFailed`."""
        assert self._program is not None
        self._program.allow(self._limit)
        excess = "expected short lines, found one without an end"
        with watched(self.name, self._limit, self._option, excess):
            line = next(filter(bytes.strip, self._lines), b"")
        if not line:
            raise CommandFailed(ending(self._program), self.name)
        with suppress(ValueError, RecursionError):
            answer = json.loads(line)
            if isinstance(answer, dict):
                return answer
        why = f"expected one JSON object on a line, found {line[:60].decode('utf-8', 'replace')!r}"
        raise CommandFailed(f"{why}; print everything else to standard error", self.name)

    def _about(self, answer: Mapping[str, Any]) -> About:
        """Raises `CommandFailed` for an answer to `start` that is none."""
        start = "in the answer to start"
        is_this = answer.get("protocol") == PROTOCOL
        self._expect(is_this, f'"protocol": {PROTOCOL} {start}', answer, "protocol")
        for key in ("formats", "figures"):
            names = answer.get(key, [])
            is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
            self._expect(is_list, f'a list of names as "{key}" {start}', answer, key)
        rules = answer.get("rules")
        names = f'one of {", ".join(RULE_SETS)}, a file of rules (.yaml) or null as "rules"'
        is_file = isinstance(rules, str) and is_rule_file(rules)
        self._expect(is_file or rules in (None, *RULE_SETS), names, answer, "rules")
        if is_file:
            places = (folder / str(rules) for folder in self._folders)
            rules = next((str(place) for place in places if place.is_file()), rules)
        program, version = (
            one_line(str(answer.get(key) or ""))[:LONGEST_NAME].strip()
            for key in ("program", "version")
        )
        formats, figures = (tuple(answer.get(key, ())) for key in ("formats", "figures"))
        return About(program or self.name, version, formats, figures, rules)

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

    It is used as a `Command` is: what it answers is put into the form in which a command prints
    figures. It is for a `with` block.
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
        for key, error in (("unsupported", Unsupported), ("error", CommandFailed)):
            if why := reason(answer, key):
                raise error(why, self.name)
        program = {"program": self._about.program, "version": self._about.version or None}
        matches = [{"players": answer.get("players")}]
        return json.dumps({"schema_version": 1, **program, "matches": matches}).encode()

    def _started(self) -> Harness:
        self._harness = self._harness or Harness(self._line, self._timeout, OPTION)
        return self._harness


@cache
def _of_this_process(line: str, timeout: float, about: About) -> HarnessCommand:
    return HarnessCommand(line, timeout, about)
