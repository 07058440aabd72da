"""A program under test, run for every reference match: no shell, a time limit, bounded output."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from string import Formatter
from typing import Final

from reconcile.errors import InvalidConfiguration, ReconcileError, reason_of
from reconcile.files.limits import seconds
from reconcile.files.processes import Program, TooLate, TooMuch
from reconcile.wording import words_of

TIMEOUT: Final = 60.0
"""Default time limit for one run, in seconds."""
OPTION: Final = "--candidate-timeout"
MOST_OUTPUT: Final = 16 * 2**20
PLACEHOLDERS: Final = ("file", "match", "player", "player1", "player2", "length")
"""In braces: path and id of the reference match, a player's name (the program then runs once for
each of the two), the names of the first and the second player, points to win (0 for money)."""
SHELL_WORDS: Final = re.compile(r"\d?(?:[|&;<>]+)(?:&?\d)?|&&|\|\|")
"""Words that only a shell understands; a program would take them for arguments."""
INTERPRETER: Final = re.compile(
    r"((python|pypy|perl|ruby|lua|php)[\d.]*|node|deno|bun|(da|ba|z|k)?sh|pwsh|Rscript|java|dotnet"
    r"|env|uv)(\.exe)?",
    re.IGNORECASE,
)
"""Programs that run another one, which is the program under test."""
WITH_VALUE: Final = ("-X", "-W", "-cp", "-classpath", "--class-path")
"""Options of theirs whose value is a word of its own."""


class CommandFailed(ReconcileError):
    """The program under test gave no usable output; the message says why."""


class Unsupported(ReconcileError):
    """The program says that it does not support a match; the message says why."""


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
