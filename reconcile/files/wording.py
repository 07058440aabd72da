"""Counts and lists in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

NOTED: Final = 5
"""Cases of one kind that are listed; the others are only counted."""


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
    return listed(words) if len(words) <= most else listed([*words[:most], f"{len(words) - most} more"])
