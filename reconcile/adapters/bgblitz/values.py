"""Single values of a decoded `.bgf`, checked: anything may be anywhere in a damaged file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

GREEN, RED = 0, 1
"""Seats of the two players."""
SEATS: Final = {-1: GREEN, 1: RED}
"""Seat by BGBlitz's number of a player."""
NOBODY: Final = -1
ABSENT: Final = -900.0
"""Numbers below are marks: -999 for no such value, -999.9 for no cube."""
LARGEST_CUBE: Final = 2**12
LARGEST: Final = 1000.0
"""No equity, chance or luck is larger, not even a backgammon at a high cube."""
NUMBERS: Final = re.compile(r"(?:-?[0-9]{1,9}\.[0-9]{1,20},)*")
"""Numbers with a decimal point, each followed by a comma."""

Floats = npt.NDArray[np.float64]


class Damaged(Exception):
    """Something a match cannot contain; the text says what was expected and found."""


def whole(table: dict[str, Any], key: str, lowest: int, highest: int) -> int:
    """A whole number of an object. Raises `Damaged` if it is missing, something else or out of bounds."""
    value = table.get(key)
    if type(value) is not int or not lowest <= value <= highest:
        raise Damaged(f"expected {key} from {lowest} to {highest}, found {shown(value)}")
    return value


def flag(table: dict[str, Any], key: str, default: bool) -> bool:
    """A yes or no of an object; `default` if it is missing. Raises `Damaged`."""
    value = table.get(key, default)
    if type(value) is not bool:
        raise Damaged(f"expected {key} to be true or false, found {shown(value)}")
    return value


def text(table: dict[str, Any], key: str) -> str:
    """A text of an object, empty if it is missing or null. Raises `Damaged`."""
    value = table.get(key)
    if value is None:
        return ""
    if type(value) is not str or len(value) > 1000:
        raise Damaged(f"expected {key} to be a text of at most 1000 letters, found {shown(value)}")
    return value


def parts(table: dict[str, Any], key: str, most: int) -> list[dict[str, Any]]:
    """A list of objects. Raises `Damaged`."""
    value = table.get(key)
    if type(value) is not list or len(value) > most or any(type(one) is not dict for one in value):
        raise Damaged(f"expected {key} to be a list of at most {most} objects, found {shown(value)}")
    return value


def part(table: dict[str, Any], key: str) -> dict[str, Any] | None:
    """An object inside another; `None` if it is missing or null. Raises `Damaged`."""
    value = table.get(key)
    if value is not None and type(value) is not dict:
        raise Damaged(f"expected {key} to be an object, found {shown(value)}")
    return value


def shown(value: object) -> str:
    """A value in a message."""
    return (
        "none" if value is None else f"{type(value).__name__} {str(value)[:30]!r}" if not isinstance(value, (list, dict)) else "other parts"
    )


def numbers(raw: Sequence[Any]) -> Floats:
    """Numbers as BGBlitz writes them, texts with a decimal point, as an array; NaN where it marks a value as absent.

    A missing value (`None`) is NaN as well. Raises `Damaged` for anything else.
    """
    try:
        joined = ",".join(raw)
        if raw and not NUMBERS.fullmatch(joined + ","):
            raise ValueError
        found: Floats = np.fromiter(map(float, raw), np.float64, len(raw))
    except (TypeError, ValueError):
        found = np.array([_number(one) for one in raw], np.float64)
    found[found < ABSENT] = np.nan
    if np.count_nonzero(np.abs(found) > LARGEST):
        raise Damaged(f"expected numbers up to {LARGEST:.0f}, found {np.nanmax(np.abs(found)):.0f}")
    return found


def _number(value: Any) -> float:
    """One number; NaN for a missing one."""
    if value is None:
        return float("nan")
    if type(value) in (int, float) and abs(value) <= LARGEST:
        return float(value)
    if type(value) is not str or not NUMBERS.fullmatch(value + ",") or "," in value:
        raise Damaged(f"expected a number with a decimal point, found {shown(value)}")
    return float(value)
