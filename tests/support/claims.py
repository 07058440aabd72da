"""Claims that many tests make: a loop goes round at least once, and what cannot be read is refused
in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from reconcile.errors import ReconcileError

Kind = TypeVar("Kind")


def some(values: Iterable[Kind]) -> list[Kind]:
    """The things in their order; fails where there are none."""
    listed = list(values)
    assert listed, "expected something to look at, found nothing"
    return listed


def done_or_refused(work: Callable[[], object], refusal: type[Exception] = ReconcileError) -> None:
    """Fails where something comes of it that is neither a result nor a refusal of one line."""
    refused = ""
    try:
        work()
    except refusal as error:
        refused = str(error)
    assert "\n" not in refused
