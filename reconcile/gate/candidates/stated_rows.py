"""What a list of decisions says, row by row, and the words in which it may name a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

import numpy as np

from reconcile.match.columns import Bools, Floats, Ints, Kind

Unit = Literal["equity", "mwc"]
"""Of the errors: equity (EMG), or match winning chance in percentage points."""
SLOTS: Final = {Kind.DOUBLE: Kind.NO_DOUBLE, Kind.PASS: Kind.TAKE}
"""Two actions between which a player decides once in a turn, as one slot of it, named after the second. Every other kind is a slot of its
own: also a beaver, which may be answered by a double that has to be taken."""
SLOT_OF: Final = np.array([SLOTS.get(kind, kind).value for kind in Kind])
"""By kind."""
WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        Kind.PLAY.label: (
            "move",
            "checker",
            "checker play",
            "checkerplay",
            "chequer",
            "chequer play",
            "roll",
        ),
        Kind.NO_DOUBLE.label: ("nodouble", "nd", "no redouble", "roll on"),
        Kind.DOUBLE.label: ("redouble", "d", "initial double"),
        Kind.TAKE.label: ("accept", "t", "double take"),
        Kind.PASS.label: ("drop", "reject", "p", "double pass"),
        Kind.BEAVER.label: ("beaver take",),
        Kind.RESIGN.label: ("resignation",),
        Kind.ACCEPT_RESIGN.label: ("accepted resignation",),
        "cube": ("cube action", "cube decision", "double decision"),
        "response": ("cube response", "take decision", "take or pass"),
    }
)
"""Words for the kind of a decision and what else is read as each, without case, with blanks, hyphens and underscores alike.

`cube` is whatever the player on roll did with the cube, `response` whatever the answer to a double was."""
SEATS: Final = ("1", "2")
"""The first and the second player of a file, where a list gives no names."""
UNSAID: Final = -1
"""The kind of a row that says `cube` or `response` and leaves it to the file which."""


def folded_word(text: str) -> str:
    """A word in the form used for comparing."""
    return " ".join(text.casefold().replace("-", " ").replace("_", " ").split())


_NAMES: Final = [
    *((kind.label, kind, kind.value) for kind in Kind),
    ("cube", Kind.DOUBLE, UNSAID),
    ("response", Kind.PASS, UNSAID),
]
_MEANT: Final = {
    folded_word(word): (int(SLOT_OF[one]), kind)
    for name, one, kind in _NAMES
    for word in (name, *WORDS[name])
}


@lru_cache(maxsize=1024)
def meaning(word: str) -> tuple[int, int] | None:
    """Slot of a turn and kind (`UNSAID` if the word leaves it open); `None` for an unknown word."""
    return _MEANT.get(folded_word(word))


@dataclass(frozen=True, eq=False)
class StatedRows:
    """Columns of equal length, one entry per row of the list."""

    line: Ints
    """Line of the file, or number of the item, from 1."""
    game: Ints
    turn: Ints
    player: Ints
    """Index into `names`."""
    names: tuple[str, ...]
    """Players as the list names them: a name, or 1 or 2 for the file's first or second player."""
    slot: Ints
    kind: Ints
    """A `Kind`, or `UNSAID`."""
    counted: Bools
    error: Floats
    """As given, in `unit`; NaN if the list does not say."""
    half: Floats
    """Half of the last printed digit of each error."""
    luck: Floats
    """Equity (EMG) gained by the roll; NaN if the list does not say."""
    luck_half: Floats
    played: tuple[str, ...]
    """The action made, in the program's words; empty where it does not say."""
    unit: Unit = "equity"
    program: str = ""
    """The program and its version, if the list names it."""

    def __len__(self) -> int:
        return len(self.line)

    def place(self, row: int) -> str:
        """Where a row is, for a message."""
        return f"row {int(self.line[row])}"
