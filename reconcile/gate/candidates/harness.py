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
    """A program behind the protocol, for a `with` block; after an exit it is started again.

    Another process starts one of its own when it asks. For the matches of a pack it is used as a
    `Command` is: what it answers is put into the form in which a command prints figures.
    """

    per_player: Final = False

    def __init__(
        self,
        line: str,
        timeout: float,
        option: str = "--timeout",
        folders: Sequence[Path] = (),
        about: About | None = None,
    ) -> None:
        """Start it, unless what it says of itself is known; `option` is what allows it more time. A
        file of rules that it claims to follow is in the current folder or one of the `folders`.

        Raises `InvalidConfiguration` for no command, `CommandFailed` without an answer to `start`.
        """
        self._arguments = line, timeout, option, folders
        self._words = program_words(line, "--harness", "'python harness.py'")
        self._file = Path(self._words[0]).name or self._words[0]
        self._limit, self._option = seconds(timeout, option), option
        self._program: Program | None = None
        self._questions: SimpleQueue[bytes | None] = SimpleQueue()
        self._lines: Iterator[bytes] = iter(())
        self.about = about or self._start()

    def __reduce__(self) -> tuple[Callable[..., Harness], tuple[Any, ...]]:
        return _of_this_process, (*self._arguments, self.about)

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

    @property
    def name(self) -> str:
        """What the program calls itself."""
        return self.about.program

    def run(self, values: Mapping[str, str], _timeout: float) -> bytes:
        """Its figures of a match in the plain form. Raises `CommandFailed`, `Unsupported`."""
        answer = self.answer(values["match"], Path(values["file"]))
        for key, error in (("unsupported", Unsupported), ("error", CommandFailed)):
            if why := reason(answer, key):
                raise error(why, self.name)
        program = {"program": self.name, "version": self.about.version or None}
        matches = [{"players": answer.get("players")}]
        return json.dumps({"schema_version": 1, **program, "matches": matches}).encode()

    def answer(self, name: str, path: Path) -> dict[str, Any]:
        """What it says of a file, named by an id. Raises `CommandFailed`."""
        try:
            if self._program is None:
                self._start()
            place = {"format": path.suffix[1:], "path": str(path.absolute())}
            self._ask({"cmd": "match", "id": name, **place})
            answer = self._next_answer()
            self._expect(answer.get("id") == name, f'an answer with "id": {name!r}', answer, "id")
        except ReconcileError:
            self.end()
            raise
        return answer

    def end(self) -> None:
        """End the program; it is started again for the next question."""
        self._questions.put(None)
        if self._program is not None:
            self._program.__exit__()
            self._program = None

    def _start(self) -> About:
        self._questions = SimpleQueue()
        with watched(self._file, self._limit, self._option):
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
            raise CommandFailed(f"expected {expected}, found {short(answer.get(key))}", self._file)

    def _next_answer(self) -> dict[str, Any]:
        """The next JSON object on a line, in time. Raises `CommandFailed`."""
        assert self._program is not None
        self._program.allow(self._limit)
        with watched(self._file, self._limit, self._option):
            line = next(filter(bytes.strip, self._lines), b"")
        if not line:
            raise CommandFailed(ending(self._program), self._file)
        with suppress(ValueError, RecursionError):
            answer = json.loads(line)
            if isinstance(answer, dict):
                return answer
        why = f"expected one JSON object on a line, found {line[:60].decode('utf-8', 'replace')!r}"
        raise CommandFailed(f"{why}; print everything else to standard error", self._file)

    def _about(self, answer: Mapping[str, Any]) -> About:
        """Raises `CommandFailed` for an answer to `start` that is none."""
        rules = answer.get("rules")
        is_file = isinstance(rules, str) and is_rule_file(rules)
        sets = f'one of {", ".join(RULE_SETS)}, a file of rules (.yaml) or null as "rules"'
        self._expect(answer.get("protocol") == PROTOCOL, '"protocol": 1', answer, "protocol")
        self._expect(is_file or rules in (None, *RULE_SETS), sets, answer, "rules")
        names = {key: answer.get(key, []) for key in ("formats", "figures")}
        for key, values in names.items():
            is_list = isinstance(values, list) and all(isinstance(name, str) for name in values)
            self._expect(is_list, f'a list of names as "{key}"', answer, key)
        if is_file:
            places = (folder / str(rules) for folder in (Path(), *self._arguments[-1]))
            rules = next((str(place) for place in places if place.is_file()), rules)
        program, version = (reason(answer, key).strip() for key in ("program", "version"))
        formats, figures = map(tuple, names.values())
        return About(program or self._file, version, formats, figures, rules)


@cache
def _of_this_process(*arguments: Any) -> Harness:
    return Harness(*arguments)


def reason(answer: Mapping[str, Any], key: str) -> str:
    """A text under a key of the protocol in a line, as why an answer has no figures; empty without
    one."""
    return one_line(str(answer.get(key) or ""))[:LONGEST_REASON]
