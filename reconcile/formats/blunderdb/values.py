"""Single values of a database, which can have anything in any column: checked, with their place in
any error message.

Cube actions and kinds of move are free text before schema 2.31, a number for each text since. The
texts were written by importers over many years, in several spellings and two languages; a number
means one exact text.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from reconcile.formats.blunderdb.database import CODED_ACTIONS, Database
from reconcile.formats.values import cut_short
from reconcile.match.board.position import PLACES, Counts, checked
from reconcile.match.columns import Kind

LABELS: Final = Path(__file__).with_name("labels.txt").read_text("utf-8").splitlines()
"""The text of every fixed number, which is its index; numbers from 1000 on are in the table
`action_label`."""
PLAIN_NO_DOUBLES: Final = ("", "No Double", "NoDouble")
"""The spellings that blunderDB's own statistics treat as no double; any other text counts as an
action."""

_SPOKEN: Final = {
    Kind.BEAVER: ("beaver",),
    Kind.TAKE: ("take", "prendre"),
    Kind.PASS: ("pass", "drop", "reject", "refuser"),
}
"""A response, and the words in a label that mean it."""


def cube_action(label: str) -> tuple[Kind, Kind | None] | None:
    """The action that a label names, and the response if the same label includes it; `None` for an
    unknown label.

    >>> cube_action("Double / Prendre")
    (<Kind.DOUBLE: 2>, <Kind.TAKE: 3>)
    """
    plain = "".join(filter(str.isalpha, label.casefold()))
    if plain in ("", "nd", "tg") or plain.startswith(("nodouble", "noredouble", "toogood")):
        return Kind.NO_DOUBLE, None
    answer = next(
        (kind for kind, words in _SPOKEN.items() if any(word in plain for word in words)), None
    )
    if plain.startswith(("double", "redouble")):
        return Kind.DOUBLE, answer
    if plain in ("dt", "dp"):
        return (Kind.TAKE if plain == "dt" else Kind.PASS), None
    return None if answer is None else (answer, None)


HIGHEST_CUBE: Final = 12
"""Exponent of the largest cube, 4096."""
MILLIPOINTS: Final = 1000
MOST_MILLIPOINTS: Final = 1_000_000
"""An error or luck of 1000 is impossible; XG writes it for a play that it did not score."""
HIGHEST_ID: Final = 2**63 - 1
MOST_LABELS: Final = 1000
BOARD_BYTES: Final = 28
"""26 places and the checkers borne off by either side."""


class Values:
    """Reads values of one database. Every reader raises `UnreadableFile` with `what` it
    expected."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.coded: dict[Any, str] = dict(enumerate(LABELS))
        if database.has("action_label", "label") and database.has("action_label", "code"):
            rows = database.ask(
                "SELECT code, label FROM action_label", (), MOST_LABELS, "labels of actions"
            )
            self.coded |= {code: str(text) for code, text in rows}

    def integer(self, value: Any, subject: str, low: int, high: int) -> int:
        """A whole number within its bounds."""
        if type(value) is not int or not low <= value <= high:
            raise self.database.bad(f"a number from {low} to {high} for {subject}", shown(value))
        return value

    def optional(self, value: Any, subject: str, low: int, high: int, absent: int) -> int:
        """The same, with a default for NULL."""
        return absent if value is None else self.integer(value, subject, low, high)

    def identifier(self, value: Any, subject: str) -> int:
        """The id of a row."""
        return self.integer(value, f"the id of {subject}", 1, HIGHEST_ID)

    def millipoints(self, value: Any, subject: str, low: int = 0) -> float:
        """An equity in EMG."""
        return self.integer(value, subject, low, MOST_MILLIPOINTS - 1) / MILLIPOINTS

    def text(self, value: Any, subject: str) -> str:
        """A text; NULL becomes the empty text."""
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.database.bad(f"a text for {subject}", shown(value))
        return value

    def label(self, value: Any, subject: str) -> str:
        """The text of an action: a text before schema 2.31, since then a number, or a text left by
        the migration."""
        if not isinstance(value, int):
            return self.text(value, subject)
        if self.database.version < CODED_ACTIONS or value not in self.coded:
            raise self.database.bad(f"a known code for {subject}", shown(value))
        return self.coded[value]

    def cube(self, exponent: Any, owner: Any, on_roll: Any, subject: str) -> tuple[int, int] | None:
        """Value and owner (1 the player on roll, 0 nobody, -1 the opponent) of the cube."""
        if exponent is None or owner is None:
            return None
        value = 1 << self.integer(exponent, f"the cube of {subject}", 0, HIGHEST_CUBE)
        holder = self.integer(owner, f"the owner of the cube of {subject}", -1, 1)
        if holder < 0:
            return value, 0
        return value, 1 if holder == (on_roll or 0) else -1

    def board(self, state: Any, on_roll: Any, subject: str) -> Counts | None:
        """A position in the view of the player on roll; `None` for the form of schemas before 2,
        which contains more than the board.

        blunderDB counts the first player's checkers as negative, on points numbered from that
        player's side.
        """
        try:
            if isinstance(state, bytes) and len(state) == BOARD_BYTES:
                numbers = [byte - 256 if byte > 127 else byte for byte in state]
            elif isinstance(state, str) and state.startswith("["):
                numbers = json.loads(state)
            else:
                return None
            if len(numbers) != BOARD_BYTES or not all(type(number) is int for number in numbers):
                raise ValueError(f"{BOARD_BYTES} whole numbers expected")
            places = numbers[:PLACES]
            return checked(places[::-1] if on_roll else [-number for number in places])
        except (ValueError, RecursionError) as error:
            raise self.database.bad(f"a board for {subject}", str(error)[:80]) from None


def shown(value: Any) -> str:
    """A value for a message."""
    return cut_short(repr(value), 40)
