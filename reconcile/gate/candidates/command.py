"""A program under test, run for every reference match: no shell, a time limit, bounded output, killed with everything it started."""

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
    r"((python|pypy|perl|ruby|lua|php)[\d.]*|node|deno|bun|(da|ba|z|k)?sh|pwsh|Rscript|java|dotnet|env|uv)(\.exe)?",
    re.IGNORECASE,
)
"""Programs that run another one, which is the program under test."""
WITH_VALUE: Final = ("-X", "-W", "-cp", "-classpath", "--class-path")
"""Options of theirs whose value is a word of its own."""


def values_of(file: str, match: str, players: Sequence[str], length: int | None) -> dict[str, str]:
    """What the placeholders stand for in a match, but for `player`."""
    return {
        "file": file,
        "match": match,
        "player1": players[0],
        "player2": players[1],
        "length": str(length or 0),
    }


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
        """The program's name, without its folder: of a script its own and not that of the interpreter."""
        return next(map(_file_name, _script(self.words)), _file_name(self.words[0]))

    @property
    def per_player(self) -> bool:
        """Whether it runs once per player."""
        return any(
            found[1] == "player" for word in self.words for found in PLACEHOLDER.finditer(word)
        )

    def filled(self, values: Mapping[str, str]) -> list[str]:
        """The words with their placeholders filled in; a value never splits a word or gets expanded.

        Each may name a file that the program reads, which no output of this run may replace.
        Raises `CommandFailed` for a name that the program would mistake for an option.
        """
        words = [
            PLACEHOLDER.sub(
                lambda found: found[0][0] if found[1] is None else values[found[1]], word
            )
            for word in self.words
        ]
        for template, word in zip(self.words, words, strict=True):
            if word.startswith("-") and not template.startswith("-"):
                raise CommandFailed(
                    f"{template}: expected a name, found {word[:60]!r}, which the program would mistake for an option",
                    self.name,
                )
            if "\0" in word:
                raise CommandFailed(
                    f"{template}: a name with a zero byte cannot be passed to a program", self.name
                )
            note(word)
        return words

    def run(self, values: Mapping[str, str], timeout: float = TIMEOUT) -> bytes:
        """What the program prints to standard output. Raises `CommandFailed` in one line, `InvalidConfiguration` for what is no time."""
        words = self.filled(values)
        limit = seconds(timeout, self.option)
        try:
            with Program(words, most=MOST_OUTPUT) as program:
                program.allow(limit)
                printed = b"".join(program.output())
        except (OSError, ValueError) as error:
            raise CommandFailed(
                f"cannot be started: {reason_of(error)}; check the command", self.name
            ) from None
        except TooLate:
            raise CommandFailed(
                f"not finished after {limit:g} seconds; allow more with {self.option}",
                self.name,
            ) from None
        except TooMuch:
            raise CommandFailed(
                f"expected at most {MOST_OUTPUT >> 20} MB of output, found more", self.name
            ) from None
        said = _last_line(program.complaint)
        if code := program.code:
            ended = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
            raise CommandFailed(
                f"{ended}{f': {said}' if said else ' and gave no reason'}", self.name
            )
        if not printed.strip():
            raise CommandFailed(
                f"printed nothing{f', but reported: {said}' if said else ''}", self.name
            )
        return printed


def read_command(line: str) -> Command:
    """Split a command line as the system does, and check it. Raises `InvalidConfiguration`."""
    try:
        words = words_of(line)
    except ValueError as error:
        raise InvalidConfiguration(
            f"candidate command: {str(error).lower()} in {line[:80]!r}; correct the quotes"
        ) from None
    if not words:
        raise InvalidConfiguration(
            "candidate command: expected a program, found nothing; write e.g. 'prog stats {file} --json'"
        )
    for word in words:
        if SHELL_WORDS.fullmatch(word):
            raise InvalidConfiguration(
                f"candidate command: {word!r} only has a meaning in a shell, and the command runs without one; put the line into a script"
            )
        for found in PLACEHOLDER.finditer(word):
            if found[1] is not None and found[1] not in PLACEHOLDERS:
                known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
                raise InvalidConfiguration(
                    f"candidate command: unknown placeholder {found[0][:60]}, expected one of {known}; a literal brace is written {{{{"
                )
    if not any(found[1] is not None for word in words for found in PLACEHOLDER.finditer(word)):
        raise InvalidConfiguration(
            "candidate command: expected {file} or another placeholder, or the program would print the same for every match; "
            "give its output as a candidate instead"
        )
    return Command(tuple(words))


def _script(words: Sequence[str]) -> Iterator[str]:
    """The script or the module that an interpreter is asked to run, first; nothing if the first word is the program itself."""
    if not INTERPRETER.fullmatch(_file_name(words[0])):
        return
    for before, word in pairwise(words):
        if word in ("-c", "-e") or PLACEHOLDER.search(word):  # the program is in the line itself
            return
        if not (
            word.startswith("-")
            or before in WITH_VALUE
            or word in ("run", "exec")
            or INTERPRETER.fullmatch(_file_name(word))
        ):
            yield word


def _file_name(path: str) -> str:
    return Path(path).name or path


def _last_line(complaint: bytes) -> str:
    lines: Iterator[str] = (
        line for line in reversed(complaint.decode("utf-8", "replace").splitlines()) if line.strip()
    )
    words = " ".join(next(lines, "").split())
    return "".join(c if c.isprintable() else "?" for c in words)[:200]
