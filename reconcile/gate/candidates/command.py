"""A program under test, run for every reference match: no shell, a time limit, bounded output."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from reconcile.errors import InvalidConfiguration, ReconcileError, reason_of
from reconcile.files.inputs import note
from reconcile.files.limits import seconds
from reconcile.files.processes import Program, TooLate, TooMuch
from reconcile.files.wording import words_of

TIMEOUT: Final = 60.0
"""Default time limit for one run, in seconds."""
MOST_OUTPUT: Final = 16 * 2**20
PLACEHOLDERS: Final = {
    "file": "path of the reference file",
    "match": "id of the reference match",
    "player": "a player's name: the program runs once for each of the two",
    "player1": "name of the file's first player",
    "player2": "name of the file's second player",
    "length": "points to win, 0 for money",
}
PLACEHOLDER: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
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


def values_of(file: str, match: str, players: Sequence[str], length: int | None) -> dict[str, str]:
    """What the placeholders stand for in a match, but for `player`."""
    first, second = players
    names = {"player1": first, "player2": second}
    return {"file": file, "match": match, **names, "length": str(length or 0)}


class CommandFailed(ReconcileError):
    """The program under test gave no usable output; the message says why."""


class Unsupported(ReconcileError):
    """The program says that it does not support a match; the message says why."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, split, with its placeholders."""

    words: tuple[str, ...]
    option: str = "--candidate-timeout"
    """The option that allows it more time."""

    @property
    def name(self) -> str:
        """The program's name, without its folder: of a script its own, not the interpreter's."""
        return next(map(_file_name, _script(self.words)), _file_name(self.words[0]))

    @property
    def per_player(self) -> bool:
        """Whether it runs once per player."""
        return "player" in _placeholders(self.words)

    def filled(self, values: Mapping[str, str]) -> list[str]:
        """The words with their placeholders filled in; a value never splits a word.

        Each may name a file that the program reads, which no output of this run may replace. Raises
        `CommandFailed` for a name that the program would mistake for an option.
        """

        def value(match: re.Match[str]) -> str:
            return match[0][0] if match[1] is None else values[match[1]]

        words = [PLACEHOLDER.sub(value, word) for word in self.words]
        for template, word in zip(self.words, words, strict=True):
            wrong = ""
            if word.startswith("-") and not template.startswith("-"):
                shown = f"{word[:60]!r}, which the program would mistake for an option"
                wrong = f"expected a name, found {shown}"
            elif "\0" in word:
                wrong = "a name with a zero byte cannot be passed to a program"
            if wrong:
                raise CommandFailed(f"{template}: {wrong}", self.name)
            note(word)
        return words

    def run(self, values: Mapping[str, str], timeout: float = TIMEOUT) -> bytes:
        """What the program prints. Raises `CommandFailed`; `InvalidConfiguration` for no time."""
        words = self.filled(values)
        limit = seconds(timeout, self.option)
        try:
            with Program(words, most=MOST_OUTPUT) as program:
                program.allow(limit)
                printed = b"".join(program.output())
        except (OSError, ValueError) as error:
            why = f"cannot be started: {reason_of(error)}; check the command"
            raise CommandFailed(why, self.name) from None
        except TooLate:
            why = f"not finished after {limit:g} seconds; allow more with {self.option}"
            raise CommandFailed(why, self.name) from None
        except TooMuch:
            why = f"expected at most {MOST_OUTPUT >> 20} MB of output, found more"
            raise CommandFailed(why, self.name) from None
        complaint = last_line(program.complaint)
        if program.code:
            raise CommandFailed(ending(program.code, complaint), self.name)
        if not printed.strip():
            reported = f", but reported: {complaint}" if complaint else ""
            raise CommandFailed(f"printed nothing{reported}", self.name)
        return printed


def ending(code: int, complaint: str) -> str:
    """How a program ended, and the last thing that it reported."""
    ended = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return f"{ended}: {complaint}" if complaint else f"{ended} and gave no reason"


def last_line(complaint: bytes) -> str:
    """The last line of what a program reported, printable."""
    lines = (line for line in complaint.decode("utf-8", "replace").splitlines() if line.strip())
    words = " ".join(([*lines] or [""])[-1].split())
    return "".join(letter if letter.isprintable() else "?" for letter in words)[:200]


def read_command(line: str) -> Command:
    """Split a command line as the system does, and check it. Raises `InvalidConfiguration`."""
    try:
        words = words_of(line)
    except ValueError as error:
        raise _wrong(f"{str(error).lower()} in {line[:80]!r}; correct the quotes") from None
    if not words:
        example = "write e.g. 'prog stats {file} --json'"
        raise _wrong(f"expected a program, found nothing; {example}")
    for word in filter(SHELL_WORDS.fullmatch, words):
        only = "only has a meaning in a shell, and the command runs without one"
        raise _wrong(f"{word!r} {only}; put the line into a script")
    names = _placeholders(words)
    for name in names:
        if name not in PLACEHOLDERS:
            expected = ", ".join(f"{{{placeholder}}}" for placeholder in PLACEHOLDERS)
            shown = f"{{{name}}}"[:60]
            rest = f"expected one of {expected}; a literal brace is written {{{{"
            raise _wrong(f"unknown placeholder {shown}, {rest}")
    if not names:
        raise _wrong(
            "expected {file} or another placeholder, or the program would print the same for every "
            "match; give its output as a candidate instead"
        )
    return Command(tuple(words))


def _wrong(reason: str) -> InvalidConfiguration:
    return InvalidConfiguration(f"candidate command: {reason}")


def _placeholders(words: Sequence[str]) -> list[str]:
    """The names in braces, but for literal braces."""
    matches = (match for word in words for match in PLACEHOLDER.finditer(word))
    return [match[1] for match in matches if match[1] is not None]


def _script(words: Sequence[str]) -> Iterator[str]:
    """The script or the module that an interpreter is asked to run, first; nothing without one."""
    if not INTERPRETER.fullmatch(_file_name(words[0])):
        return
    for before, word in pairwise(words):
        if word in ("-c", "-e") or PLACEHOLDER.search(word):  # the program is in the line itself
            return
        is_option = word.startswith("-") or before in WITH_VALUE
        if not (is_option or word in ("run", "exec") or INTERPRETER.fullmatch(_file_name(word))):
            yield word


def _file_name(path: str) -> str:
    return Path(path).name or path
