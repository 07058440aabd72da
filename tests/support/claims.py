"""A claim that many tests make: a loop goes round at least once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Kind = TypeVar("Kind")


def some(values: Iterable[Kind]) -> list[Kind]:
    """The things in their order; fails where there are none."""
    listed = list(values)
    assert listed, "expected something to look at, found nothing"
    return listed
