"""Counts and lists in a sentence, and text from elsewhere in a form that only shows letters."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from typing import NamedTuple

NOTED = 5
"""Cases of one kind that are listed; the others are only counted."""
MINUS = "\N{MINUS SIGN}"


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 game`, `5 games`; `many` is the plural if it is not formed with an `s`."""
    return f"{count:,} {noun if count == 1 else many or f'{noun}s'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """`red`, `red and blue`, `red, blue and green`."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def either(words: Sequence[str]) -> str:
    """`red`, `red or blue`, `red, blue or green`."""
    return listed(words, "or")


def summary(cases: Sequence[str], most: int = NOTED) -> list[str]:
    """The first of some cases, and how many more there are."""
    return [*cases[:most], *([f"and {len(cases) - most} more"] if len(cases) > most else [])]


def some(words: Sequence[str], most: int = NOTED) -> str:
    """`red and blue`, or `red, blue and 3 more` where there are more of them than are named."""
    more = [f"{len(words) - most} more"] if len(words) > most else []
    return listed([*words[:most], *more])


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


_HIDDEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)
"""Control characters except tab and line feed, separators of lines, marks of direction, halves
of letters, which no encoding has."""


def printable(text: str) -> str:
    """The text with everything that is obeyed instead of shown as `\\uXXXX`; tabs and line feeds
    stay."""
    return _HIDDEN.sub(lambda mark: f"\\u{ord(mark[0]):04x}", text)


LONGEST_NAME = 100


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """` (did you mean xg?)` where a known name is like this one but for a letter or two, or
    capitals; else empty."""
    from difflib import get_close_matches  # imported here, since few runs need it

    spelled = {word.casefold(): word for word in names}
    near = get_close_matches(name.casefold()[:LONGEST_NAME], spelled, 1)
    return f" (did you mean {spelled[near[0]]}?)" if near else ""


def nearest(name: str, names: Iterable[str], otherwise: str) -> str:
    """Which names somebody may have meant, at most three, as a question; else other advice."""
    from difflib import get_close_matches  # imported here, since few runs need it

    near = get_close_matches(name[:LONGEST_NAME], names, 3)
    return f"did you mean {', '.join(near)}?" if near else otherwise


def one_line(text: str) -> str:
    """The same on one line."""
    return printable(text).replace("\n", "\\u000a").replace("\t", "\\u0009")


def harmless(text: str) -> str:
    """Text for a log that GitHub's runner cannot mistake for a command, at the start of a line
    or, in the old form, anywhere."""
    return re.sub(r"^(\s*):(?=:)", r"\1: ", printable(text), flags=re.MULTILINE).replace(
        "##[", "## ["
    )


def words_of(line: str, *, windows: bool = os.name == "nt") -> list[str]:
    """The words of a command line; no shell runs. Raises `ValueError` for an open quote.

    On Windows a backslash is a character of a path, and only double quotes enclose.
    """
    if not windows:
        return shlex.split(line)
    if line.count('"') % 2:
        raise ValueError("No closing quotation")
    return [word.replace('"', "") for word in re.findall(r'(?:[^\s"]|"[^"]*")+', line)]
