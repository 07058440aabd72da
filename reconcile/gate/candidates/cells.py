"""What may be in a cell of a list, or under a key of a document: how each is read, and what is expected instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final

import numpy as np
from pydantic import PlainValidator

from reconcile.gate.candidates.stated_rows import meaning
from reconcile.infer.reported import Number, printed_number

LONGEST_NAME: Final = 200
LARGEST_NUMBER: Final = 10**6
"""Larger than any number of a game or a turn."""
FLAGS: Final = {
    **dict.fromkeys(("1", "true", "yes", "y", "t", "x"), True),
    **dict.fromkeys(("0", "false", "no", "n", "f", ""), False),
}
"""Words for whether a decision counts, without case."""


def read_as(what: str, read: Callable[[Any], object], absent: object = None) -> PlainValidator:
    """A value that `read` makes something of, or what is `absent`; `None` is what it can make nothing of."""

    def check(given: object) -> object:
        found = absent if absent is not None and given in (None, "") else read(given)
        if found is None:
            raise ValueError(f"expected {what}")
        return found

    return PlainValidator(check)


def whole(most: int) -> Callable[[object], int | None]:
    """Reads a whole number from 1 to `most`, as a number or as text."""

    def read(given: object) -> int | None:
        text = (
            str(given).strip()
            if isinstance(given, (int, str)) and not isinstance(given, bool)
            else ""
        )
        number = (
            int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(most)) else 0
        )
        return number if 1 <= number <= most else None

    return read


def one_of(names: Iterable[str], absent: str = "") -> PlainValidator:
    """One of some names, in any case."""
    known = tuple(names)
    return read_as(
        " or ".join(known),
        lambda given: given.lower() if isinstance(given, str) and given.lower() in known else None,
        absent,
    )


def text_of(given: object) -> str | None:
    """A text that is not too long, without the blanks around it."""
    return given.strip() if isinstance(given, str) and len(given) <= LONGEST_NAME else None


def player_of(given: object) -> str | None:
    """The name of a player, or the number of the seat."""
    name = str(given) if type(given) is int and given in (1, 2) else given
    return name if isinstance(name, str) and name.strip() and len(name) <= LONGEST_NAME else None


def number_of(given: object) -> Number | None:
    """A number with its decimals, as it is printed."""
    return printed_number(given)[1]


def kind_of(given: object) -> tuple[int, int] | None:
    """The slot of a turn and the kind of a decision that a word means."""
    return meaning(given) if isinstance(given, str) and len(given) <= LONGEST_NAME else None


def flag_of(given: object) -> bool | None:
    """Whether it is so, in one of the words of `FLAGS`."""
    return FLAGS.get(str(given).strip().lower()) if isinstance(given, (bool, int, str)) else None


Turn = Annotated[
    int,
    read_as(f"a whole number from 1 to {LARGEST_NUMBER} (the first is 1)", whole(LARGEST_NUMBER)),
]
Printed = Annotated[
    Number, read_as("a number as the program prints it, or nothing", number_of, (np.nan, 0))
]
Action = Annotated[str, read_as("an action as text", text_of, "")]
