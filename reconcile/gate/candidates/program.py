"""A program under test: a command that is run for every match, without a shell, or a harness that
is started once and answers line by line; each with a time limit and bounded output.

The protocol of a harness: one JSON object a line over standard input and output. `{"cmd": "start",
"protocol": 1}`, then for every file `{"cmd": "match", "id", "format", "path"}`, at the end `{"cmd":
"stop"}`; docs/suite.md has the answers.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue
from string import Formatter
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, ConfigDict, ValidationError

from reconcile.engines.analysis import keep, key_of, place_of, read
from reconcile.errors import InvalidConfiguration, ReconcileError, reason_of
from reconcile.files.bundled import cache_folder
from reconcile.files.limits import seconds
from reconcile.files.model import Model
from reconcile.files.output import CannotWrite
from reconcile.files.processes import Program, TooLate, TooMuch
from reconcile.files.yaml_file import complaint
from reconcile.gate.candidates.judge import Reference
from reconcile.gate.candidates.reading import (
    Candidate,
    CommandFailed,
    Unsupported,
    read_printed,
    short,
)
from reconcile.gate.manifest import rules_known
from reconcile.gate.match_results import NotCompared, not_used
from reconcile.rules.rulesets import is_rule_file
from reconcile.scoring.figures import short_metric
from reconcile.version import __version__
from reconcile.wording import listed, one_line, summary, words_of

TIMEOUT = 60.0
"""Default time limit for one run, in seconds."""
OPTION = "--candidate-timeout"
MOST_OUTPUT = 16 * 2**20
PLACEHOLDERS = ("file", "match", "player", "player1", "player2", "length")
"""In braces: path and id of the reference match, a player's name (the program then runs once for
each of the two), the names of the first and the second player, points to win (0 for money)."""
SHELL_WORDS = re.compile(r"\d?(?:[|&;<>]+)(?:&?\d)?|&&|\|\|")
"""Words that only a shell understands; a program would take them for arguments."""
INTERPRETER = re.compile(
    r"((python|pypy|perl|ruby|lua|php)[\d.]*|node|deno|bun|(da|ba|z|k)?sh|pwsh|Rscript|java|dotnet"
    r"|env|uv)(\.exe)?",
    re.IGNORECASE,
)
"""Programs that run another one, which is the program under test."""
WITH_VALUE = ("-X", "-W", "-cp", "-classpath", "--class-path")
"""Options of theirs whose value is a word of its own."""


@contextmanager
def watched(name: str, limit: float, option: str) -> Iterator[None]:
    """A program that runs in the block; what goes wrong with it is raised as `CommandFailed`.
    `option` allows more seconds than `limit`."""
    try:
        yield
        return
    except (OSError, ValueError) as error:
        why = f"cannot be started: {reason_of(error)}; check the command"
    except TooLate:
        why = f"no answer after {limit:g} seconds; allow more with {option}"
    except TooMuch:
        why = f"expected at most {MOST_OUTPUT >> 20} MB of output, and no endless line, found more"
    raise CommandFailed(why, name) from None


def ending(program: Program) -> str:
    """How a program ended, and the last thing that it reported."""
    code, complaint = program.code or 0, last_line(program.complaint)
    ended = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return f"{ended}: {complaint}" if complaint else f"{ended} and gave no reason"


def last_line(complaint: bytes) -> str:
    """The last line of what a program reported, printable."""
    lines = list(filter(str.strip, complaint.decode("utf-8", "replace").splitlines())) or [""]
    words = " ".join(lines[-1].split())
    return "".join(letter if letter.isprintable() else "?" for letter in words)[:200]


def program_words(line: str, subject: str, example: str) -> list[str]:
    """The words of a command line, split as the system does. Raises `InvalidConfiguration`."""
    try:
        words = words_of(line)
        wrong = f"expected a program, found nothing; write e.g. {example}"
    except ValueError as error:
        words, wrong = [], f"{str(error).lower()} in {line[:80]!r}; correct the quotes"
    if not words:
        raise InvalidConfiguration(f"{subject}: {wrong}")
    return words


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, split, with its placeholders."""

    words: tuple[str, ...]
    option: str = OPTION
    """The option that allows it more time."""

    @property
    def name(self) -> str:
        """The program's name, without its folder: of a script its own, not the interpreter's."""
        return _file_name(next(_script(self.words), self.words[0]))

    @property
    def placeholders(self) -> list[str]:
        """What stands in braces, a format with its name, which makes it another name. Raises
        `ValueError` for a brace without the other."""
        parts = (part for word in self.words for part in Formatter().parse(word))
        return [
            name + f"!{conversion}" * bool(conversion) + f":{form}" * bool(form)
            for _, name, form, conversion in parts
            if name is not None
        ]

    @property
    def per_player(self) -> bool:
        """Whether it runs once per player."""
        return "player" in self.placeholders

    def filled(self, values: Mapping[str, str]) -> list[str]:
        """The words with their placeholders filled in; a value never splits a word.

        Raises `CommandFailed` for a name that the program would mistake for an option.
        """
        words = [template.format(**values) for template in self.words]
        for template, word in zip(self.words, words, strict=True):
            wrong = "a name with a zero byte cannot be passed to a program" * ("\0" in word)
            if word.startswith("-") and not template.startswith("-"):
                wrong = f"expected a name, found {word[:60]!r}, which the program would mistake "
                wrong += "for an option"
            if wrong:
                raise CommandFailed(f"{template}: {wrong}", self.name)
        return words

    def run(self, values: Mapping[str, str], timeout: float = TIMEOUT) -> bytes:
        """What the program prints. Raises `CommandFailed`; `InvalidConfiguration` for no time."""
        words, limit = self.filled(values), seconds(timeout, self.option)
        with (
            watched(self.name, limit, self.option),
            Program(words, most=MOST_OUTPUT) as program,
        ):
            program.allow(limit)
            printed = b"".join(program.output())
        if program.code:
            raise CommandFailed(ending(program), self.name)
        if not printed.strip():
            complaint = last_line(program.complaint)
            reported = f", but reported: {complaint}" if complaint else ""
            raise CommandFailed(f"printed nothing{reported}", self.name)
        return printed


def values_of(file: str, match: str, players: Sequence[str], length: int | None) -> dict[str, str]:
    """What the placeholders stand for in a match, but for `player`."""
    names = dict(zip(("player1", "player2"), players, strict=False))
    return {"file": file, "match": match, **names, "length": str(length or 0)}


def read_command(line: str) -> Command:
    """Split a command line as the system does, and check it. Raises `InvalidConfiguration`."""
    subject = "candidate command"
    command, wrong = Command(tuple(program_words(line, subject, "'prog stats {file} --json'"))), ""
    try:
        names = command.placeholders
    except ValueError as error:
        names, wrong = [], f"{str(error).lower()}; a literal brace is written {{{{"
    for word in filter(SHELL_WORDS.fullmatch, command.words):
        wrong = f"{word!r} only has a meaning in a shell, and the command runs without one; put "
        wrong += "the line into a script"
    for name in names:
        if name not in PLACEHOLDERS:
            expected = ", ".join(f"{{{placeholder}}}" for placeholder in PLACEHOLDERS)
            shown = f"{{{name}}}"[:60]
            wrong = f"unknown placeholder {shown}, expected one of {expected}; a literal brace is "
            wrong += "written {{"
    if not (wrong or names):
        wrong = "expected {file} or another placeholder, or the program would print the same for "
        wrong += "every match; give its output as a candidate instead"
    if wrong:
        raise InvalidConfiguration(f"{subject}: {wrong}")
    return command


def _script(words: Sequence[str]) -> Iterator[str]:
    """The script or the module that an interpreter is asked to run, first; nothing without one."""
    if not INTERPRETER.fullmatch(_file_name(words[0])):
        return
    for before, word in pairwise(words):
        if word in ("-c", "-e") or "{" in word:  # the program is in the line itself
            return
        is_option = word.startswith("-") or before in WITH_VALUE
        if not (is_option or word in ("run", "exec") or INTERPRETER.fullmatch(_file_name(word))):
            yield word


def _file_name(path: str) -> str:
    return Path(path).name or path


# -- a harness ------------------------------------------------------------------------------------

LONGEST_REASON = 200


Words = Annotated[str, BeforeValidator(lambda value: brief(value).strip())]


class About(Model):
    """What a program says of itself."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    protocol: Literal[1] = 1
    program: Words = ""
    version: Words = ""
    formats: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    """The figures that it gives; empty for whatever it returns."""
    rules: Annotated[str, AfterValidator(rules_known)] | None = None
    """The rule set that it claims to follow, by name or as a file of rules."""


class Harness:
    """A program behind the protocol, for a `with` block; after an exit it is started again.

    Another process starts one of its own when it asks. For the matches of a pack it is used as a
    `Command` is: what it answers is put into the form in which a command prints figures.
    """

    per_player = False

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
        name, path = values["match"], Path(values["file"])
        try:
            if self._program is None:
                self._start()
            place = {"format": path.suffix[1:], "path": str(path.absolute())}
            self._ask({"cmd": "match", "id": name, **place})
            answer = self._next_answer()
            if answer.get("id") != name:
                raise self._unlike(f'an answer with "id": {name!r}', short(answer.get("id")))
        except ReconcileError:
            self.end()
            raise
        for key, error in (("unsupported", Unsupported), ("error", CommandFailed)):
            if why := brief(answer.get(key)):
                raise error(why, self.name)
        program = {"program": self.name, "version": self.about.version or None}
        matches = [{"players": answer.get("players")}]
        return json.dumps({"schema_version": 1, **program, "matches": matches}).encode()

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
            self._ask({"cmd": "start", "protocol": 1})
            return self._about(self._next_answer())
        except ReconcileError:
            self.end()
            raise

    def _ask(self, question: Mapping[str, object]) -> None:
        self._questions.put(json.dumps(question, ensure_ascii=False).encode() + b"\n")

    def _unlike(self, expected: str, actual: str) -> CommandFailed:
        """That it answers something else."""
        return CommandFailed(f"expected {expected}, found {actual}", self._file)

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
        actual = (
            f"{line[:60].decode('utf-8', 'replace')!r}; print everything else to standard error"
        )
        raise self._unlike("one JSON object on a line", actual)

    def _about(self, answer: Mapping[str, Any]) -> About:
        """Raises `CommandFailed` for an answer to `start` that is none."""
        try:
            about = About.model_validate({"protocol": None, **answer})
        except ValidationError as error:
            keys, message = complaint(error)
            raise CommandFailed(f"{'.'.join(map(str, keys))}: {message}", self._file) from None
        rules = about.rules
        if rules and is_rule_file(rules):
            places = (folder / rules for folder in (Path(), *self._arguments[-1]))
            rules = next((str(place) for place in places if place.is_file()), rules)
        return about.model_copy(update={"program": about.program or self._file, "rules": rules})


@cache
def _of_this_process(*arguments: Any) -> Harness:
    return Harness(*arguments)


@contextmanager
def started(
    command: str | None, harness: str | None, timeout: float, option: str = OPTION
) -> Iterator[Command | Harness | None]:
    """The program under test, if there is one; a harness ends with the block. `option` allows it
    more time. Raises `InvalidConfiguration`, `CommandFailed`."""
    if command is not None:
        yield replace(read_command(command), option=option)
    elif harness is not None:
        with Harness(harness, timeout, option) as program:
            yield program
    else:
        yield None


def brief(text: object) -> str:
    """A text of the protocol on one line; empty without one."""
    return one_line(str(text or ""))[:LONGEST_REASON]


# -- runs -----------------------------------------------------------------------------------------

SHOWN = 3
"""Figures that are named where more changed."""
MOST_CRASHES = 10
"""After so many in a row a program is asked for nothing more."""
NOT_ASKED = f"not asked: it failed {MOST_CRASHES} times in a row"


@dataclass(frozen=True, slots=True)
class Runs:
    """How a program is run for a match."""

    command: Command | Harness
    timeout: float = TIMEOUT
    repeat: int = 1
    """How often, at most: it must give the same figures each time."""
    cached: bool = False
    """Whether output is stored, and taken again for the same program and the same file."""

    def outputs(
        self, reference: Reference, *, is_given_up: bool = False
    ) -> Iterator[Candidate | NotCompared]:
        """Run it for one match, or for each of its players: what it gives, or why it does not."""
        name = self.command.name
        files = [file for key in reference.handles() if (file := reference.available.get(key))]
        if not files:
            yield not_used(name, reference.lacking, reference.id, is_absent=True)
            return
        if is_given_up:
            yield not_used(name, NOT_ASKED, reference.id, failure=NOT_ASKED)
            return
        file = files[0]
        path = str(Path(file.path).resolve())
        values = values_of(path, reference.id, file.players, file.length)
        for player in file.players if self.command.per_player else ("",):
            try:
                candidate, changed = self._printed({**values, "player": player})
            except Unsupported as error:
                why = f"does not support it: {error.reason}"
                yield not_used(name, why, reference.id, is_unsupported=True)
            except ReconcileError as error:
                why = error.apart_from(name)
                yield not_used(name, why, reference.id, failure=why)
            else:
                if changed:
                    why = f"changes from run to run: {changed}"
                    yield not_used(candidate.name, why, reference.id, failure=why)
                yield candidate

    def inputs(self, references: Iterable[Reference]) -> list[str]:
        """What the words of a command line name that is filled in for every match."""
        words = self.command.words if isinstance(self.command, Command) else ()
        return [word.replace("{match}", each.id) for each in references for word in words]

    def _printed(self, values: Mapping[str, str]) -> tuple[Candidate, str]:
        """What the first run gives, and how another differs from it. Raises `ReconcileError`."""
        key = self._key(values) if self.cached else ""
        place = place_of(cache_folder() if key else None, "runs", key)
        stored = read(place, key)
        printed = self.command.run(values, self.timeout) if stored is None else stored
        candidate = read_printed(self.command.name, printed)
        if stored is None:
            with suppress(CannotWrite):  # then it is run again next time
                keep(place, key, printed)
        for _ in range(1, self.repeat):
            again = self.command.run(values, self.timeout)
            if again != printed:
                changed = _changed(candidate, read_printed(self.command.name, again))
                if changed:
                    return candidate, listed(summary(changed, SHOWN))
        return candidate, ""

    def _key(self, values: Mapping[str, str]) -> str:
        """What names the output: the content of each file in the command line, and other words."""
        assert isinstance(self.command, Command)
        first, *words = self.command.filled(values)
        facts = [__version__]
        for word in (shutil.which(first) or first, *words):
            with suppress(OSError, ValueError):
                word = f"{Path(word).name} {sha256(Path(word).read_bytes()).hexdigest()}"
            facts.append(word)
        return key_of(facts, "")


def crashes_after(before: int, outcomes: Iterable[object]) -> int:
    """The number of crashes in a row after what came of one more match."""
    parts = [each if isinstance(each, NotCompared) else None for each in outcomes]
    if all(part is not None and part.is_absent for part in parts):
        return before
    return before + 1 if all(part is not None and part.is_failure for part in parts) else 0


def _changed(*runs: Candidate) -> list[str]:
    """The figures that two runs give differently, as `PR of Nora 3.1, then 3.2`."""
    before, after = (
        {
            (index, figure.player, figure.metric): figure.text or "nothing"
            for index, claim in enumerate(candidate.claims)
            for figure in claim.figures
        }
        for candidate in runs
    )
    changed = []
    for key in before | after:
        old, new = before.get(key, "nothing"), after.get(key, "nothing")
        if old != new:
            changed.append(f"{short_metric(key[2])} of {key[1]} {old}, then {new}")
    return changed if before or after else ["what it prints of its decisions"]
