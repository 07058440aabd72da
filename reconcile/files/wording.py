"""Counts and lists in a sentence, and text from elsewhere in a form that only shows letters."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, Self

NOTED: Final = 5
"""Cases of one kind that are listed; the others are only counted."""
MINUS: Final = "\N{MINUS SIGN}"


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 game`, `5 games`; `many` is the plural if it is not formed with an `s`."""
    return f"{count:,} {noun if count == 1 else many or f'{noun}s'}"


def listed(words: Sequence[str]) -> str:
    """`one`, `one and two`, `one, two and three`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def either(words: Sequence[str]) -> str:
    """`one`, `one or two`, `one, two or three`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def summary(cases: Sequence[str], most: int = NOTED) -> list[str]:
    """The first of some cases, and how many more there are."""
    more = [f"and {len(cases) - most} more"] if len(cases) > most else []
    return [*cases[:most], *more]


def some(words: Sequence[str], most: int = NOTED) -> str:
    """`one and two`, or `one, two and 3 more` where there are more of them than are named."""
    return (
        listed(words)
        if len(words) <= most
        else listed([*words[:most], f"{len(words) - most} more"])
    )


def signed(number: float, decimals: int = 2) -> str:
    """`+0.46`, with a minus sign where it is negative."""
    return f"{MINUS if number < 0 else '+'}{abs(number):.{decimals}f}"


def capital(text: str) -> str:
    """The text with a capital letter first, unless its first word has one inside: gnuBG."""
    return text[:1].upper() + text[1:] if text.partition(" ")[0].islower() else text


class Turn(NamedTuple):
    """Where a decision is, in words `game 3, turn 17`."""

    game: int
    turn: int

    def __str__(self) -> str:
        return f"game {self.game}, turn {self.turn}"


class Sentence(str):
    """Words that keep the turns they name as data: a page links them, and nobody looks for them
    in the text."""

    pieces: tuple[str | Turn, ...]

    def __new__(cls, *pieces: str | Turn) -> Self:
        """The pieces one after the other; sentences among them are taken apart."""
        text = super().__new__(cls, "".join(map(str, pieces)))
        text.pieces = tuple(
            part
            for piece in pieces
            for part in (piece.pieces if isinstance(piece, Sentence) else (piece,))
            if part
        )
        return text

    def opening(self) -> Self:
        """The same with a capital letter first."""
        first, *rest = self.pieces
        return type(self)(capital(str(first)), *rest)

    @classmethod
    def listed(cls, words: Sequence[str | Turn]) -> Self:
        """The same as `listed`."""
        between = ["", *[", "] * (len(words) - 2), " and "]
        return cls(*(piece for pair in zip(between, words, strict=False) for piece in pair))


_HIDDEN: Final = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)
"""Control characters except tab and line feed, separators of lines, marks of direction, halves
of letters, which no encoding has."""


def printable(text: str) -> str:
    """The text with everything that is obeyed instead of shown as `\\uXXXX`; tabs and line feeds
    stay."""
    return _HIDDEN.sub(_escaped, text)


LONGEST_NAME: Final = 100


def meant(name: str, names: Iterable[str]) -> str:
    """` (did you mean xg?)` where a known name is like this one but for a letter or two, or
    capitals; else empty."""
    from difflib import get_close_matches  # imported here, since few runs need it

    spelled = {word.casefold(): word for word in names}
    near = get_close_matches(name.casefold()[:LONGEST_NAME], spelled, 1)
    return f" (did you mean {spelled[near[0]]}?)" if near else ""


def one_line(text: str) -> str:
    """The same on one line."""
    return printable(text).replace("\n", "\\u000a").replace("\t", "\\u0009")


def harmless(text: str) -> str:
    """Text for a log that GitHub's runner cannot mistake for a command, at the start of a line
    or, in the old form, anywhere."""
    return re.sub(r"^(\s*):(?=:)", r"\1: ", printable(text), flags=re.MULTILINE).replace(
        "##[", "## ["
    )


def _escaped(mark: re.Match[str]) -> str:
    return f"\\u{ord(mark[0]):04x}"


def fewer(message: str, most: int = 12) -> str:
    """A message that lists values in quotes, with no more than the first of many."""
    values = re.findall(r"'[^']*'", message)
    if len(values) <= most:
        return message
    head, tail = (
        message[: message.index(values[most])],
        message[message.rindex(values[-1]) + len(values[-1]) :],
    )
    return f"{head}or one of {len(values) - most} others{tail}"


def words_of(line: str, *, windows: bool = os.name == "nt") -> list[str]:
    """The words of a command line; no shell runs. Raises `ValueError` for an open quote.

    On Windows a backslash is a character of a path, and only double quotes enclose.
    """
    if not windows:
        return shlex.split(line)
    if line.count('"') % 2:
        raise ValueError("No closing quotation")
    return [word.replace('"', "") for word in re.findall(r'(?:[^\s"]|"[^"]*")+', line)]
