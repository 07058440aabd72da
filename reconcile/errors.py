"""Everything that can be wrong with a user's input; a bug is never one of these and keeps its
traceback.

A message says where, what was expected, what was found and what to do. The command line catches
`ReconcileError` in one place and exits with 2.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


def last_part(path: str) -> str:
    """The last part of a path, with the separators of any system."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


class At(NamedTuple):
    """Where something is wrong: a file, or what else has a name, a line of it, and a key or a
    row."""

    name: str = ""
    line: int | None = None
    key: str = ""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.name, self.line) if part not in ("", None))
        return ": ".join(filter(None, (place, self.key)))

    def under(self, key: str) -> At:
        """A place in it."""
        return self._replace(key=f"{self.key}: {key}" if self.key else key)

    def short(self, shown: str = "") -> str:
        """In words, with the last part of the name, which is left out where it is `shown`."""
        name = last_part(self.name)
        return str(self._replace(name="" if name == shown else name))


NOWHERE = At()
MOST_SHOWN = 60
"""Characters of a wrong argument that its message shows."""


class ReconcileError(Exception):
    """Something given to the program cannot be used; the text is one line for a person: where, if
    that is known, and the reason."""

    def __init__(self, reason: str, at: str | Path | At = "", line: int | None = None) -> None:
        super().__init__(reason, at, line)
        self.reason = reason
        self.at = at if isinstance(at, At) else At(str(at), line)

    def __str__(self) -> str:
        return self.named(self.at.name)

    def named(self, name: str) -> str:
        """The text with another name of the file."""
        return ": ".join(filter(None, (str(self.at._replace(name=name)), self.reason)))

    def apart_from(self, name: str) -> str:
        """The text without the name of the file, where it is this one."""
        return self.named("") if self.at[:2] == (name, None) else str(self)

    def below(self, *folders: str | Path) -> str:
        """The text with the name of the file as it is below the first of these folders that it is
        in."""
        inside = (self.at.name.removeprefix(f"{folder}{os.sep}") for folder in folders)
        return self.named(next((name for name in inside if name != self.at.name), self.at.name))

    def briefly(self) -> str:
        """The text with the last part of the file's name."""
        return self.named(last_part(self.at.name))


class UnreadableFile(ReconcileError):
    """A file is missing, damaged, truncated, hostile, or of another game or version."""


class NotTheSameMatch(ReconcileError):
    """Two files were to be compared, but they do not hold the same match."""

    def __init__(
        self, why: str, sides: Sequence[tuple[str, str]] = (), remedy: str = "", at: str = ""
    ) -> None:
        """`sides` are the two files, each with what it holds."""
        against = " against ".join(f"{path} ({holds})" for path, holds in sides)
        super().__init__(
            "; ".join(filter(None, (": ".join(filter(None, (why, against))), remedy))), at
        )
        self.args = (why, sides, remedy, at)
        self.why, self.sides, self.remedy = why, sides, remedy

    def briefly(self) -> str:
        """The text with the last parts of the files' names."""
        sides = [(last_part(path), holds) for path, holds in self.sides]
        return str(NotTheSameMatch(self.why, sides, self.remedy, last_part(self.at.name)))


class UnknownName(ReconcileError):
    """A rule set, match equity table, metric, player, tolerance table or code that does not
    exist."""


class InvalidArgument(ReconcileError):
    """A function of the library was given something that it cannot take."""

    def __init__(self, name: str, expected: str, value: object) -> None:
        shown = repr(value)
        if len(shown) > MOST_SHOWN:
            shown = f"{shown[:MOST_SHOWN]}..."
        super().__init__(f"{name}: expected {expected}, found {shown}")
        self.args = (name, expected, value)


def expect(name: str, value: object, kinds: type | tuple[type, ...], expected: str) -> None:
    """Refuse an argument of the library that is none of these kinds. Raises `InvalidArgument`."""
    if not isinstance(value, kinds):
        raise InvalidArgument(name, expected, value)


def expect_list(name: str, value: object, kinds: type | tuple[type, ...], expected: str) -> None:
    """Refuse an argument that is no list of these kinds; a text would be read letter by letter.
    Raises `InvalidArgument`."""
    if (
        not isinstance(value, Sequence)
        or isinstance(value, str | bytes)
        or not all(isinstance(item, kinds) for item in value)
    ):
        raise InvalidArgument(name, expected, value)


def expect_aliases(aliases: object) -> None:
    """Refuse aliases that are not lists of names. Raises `InvalidArgument`."""
    expected = "a list of names for each person, as [['Nora', 'N. Lindqvist']]"
    expect_list("aliases", aliases, Sequence, expected)
    for group in aliases if isinstance(aliases, Sequence) else ():
        expect_list("aliases", group, str, expected)


class MissingPackage(ReconcileError):
    """An input or output needs a package from an optional extra."""


class InvalidConfiguration(ReconcileError):
    """A tolerance file or manifest violates its schema."""


class NothingToCompare(ReconcileError):
    """No figure could be judged, so neither "within" nor "outside" would be true."""


class InvalidQuery(ReconcileError):
    """A question in SQL to a corpus is wrong, not permitted, or needs too much."""


class EngineError(ReconcileError):
    """A backgammon program is not installed, failed, or took too long."""


class Misplaced(ValueError):
    """A validator's error about a nested value, with the keys that lead to it."""

    def __init__(self, message: str, *keys: str | int) -> None:
        super().__init__(message)
        self.keys = keys


def reason_of(error: Exception) -> str:
    """What went wrong in the system's words, or else in the first line of the error's own, for the
    middle of a sentence."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return text.splitlines()[0][:200].lower()
