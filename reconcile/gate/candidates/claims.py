"""What a candidate contains, before its reference matches are looked up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from reconcile.errors import At, InvalidConfiguration, UnknownName
from reconcile.infer.reported import printed_number
from reconcile.match.columns import Bools, Floats, Ints, Kind
from reconcile.match.match import Match
from reconcile.scoring.metrics import metric

LONGEST_SHOWN: Final = 60
Unit = Literal["equity", "mwc"]
"""Of the errors: equity (EMG), or match winning chance in percentage points."""
SLOTS: Final = {Kind.DOUBLE: Kind.NO_DOUBLE, Kind.PASS: Kind.TAKE}
"""Two actions between which a player decides once in a turn, as one slot of it, named after the
second. Every other kind is a slot of its own: also a beaver, which may be answered by a double."""
SLOT_OF: Final = np.array([SLOTS.get(kind, kind).value for kind in Kind])
"""By kind."""
SEATS: Final = ("1", "2")
"""The first and the second player of a file, where a list gives no names."""


@dataclass(frozen=True, slots=True)
class Stated:
    """One figure as a candidate gives it."""

    player: str | int
    """A name, or a seat (0 or 1) where the figure follows from listed decisions."""
    metric: str
    """Full name."""
    text: str
    """As printed; empty where the program has none."""
    value: float | None
    half: float
    """Half of the last printed digit; 0 for a count."""
    is_number: bool = False
    """Whether it is given as a number, which loses zeros at its end."""


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
    """As the list names players: a name, or 1 or 2 for the file's first or second player."""
    kind: Ints
    """A `Kind`."""
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

    @property
    def slot(self) -> Ints:
        """The slot of its turn that each row is about."""
        return SLOT_OF[self.kind]

    def place(self, row: int) -> str:
        """Where a row is, for a message."""
        return f"row {int(self.line[row])}"


@dataclass(frozen=True, slots=True)
class Claim:
    """Figures of one match, or the decisions from which they follow."""

    where: At
    """File, and place in it, for messages."""
    figures: tuple[Stated, ...]
    match: str | None = None
    """Id of the reference match, if the candidate names it."""
    players: tuple[str, ...] = ()
    """The players, as far as the candidate names them."""
    length: int | None = None
    """Points to win; `None` where the candidate does not say."""
    tool: str | None = None
    """The tool whose analysis the figures are based on, if the candidate names it."""
    rows: StatedRows | None = field(default=None, repr=False)
    """The decisions, if the program lists them; its figures then follow from them."""
    program: str = ""
    """The program that gives them, without its version; empty if it does not say."""
    version: str = ""
    """Its version; empty if it does not say."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Everything one source contains."""

    name: str
    """The program's, if its output names it, otherwise the file's or the command's."""
    sha256: str = ""
    claims: tuple[Claim, ...] = ()
    matches: tuple[Match, ...] = field(default=(), repr=False)
    about: str = ""
    """Id of the reference match that all of it is about, if the user named one."""


def stated(where: At, player: str | int, name: str, value: object) -> Stated:
    """A figure from a number, a printed number, or `None`; `where` is for messages.

    Raises `InvalidConfiguration` for an unknown metric, no finite number, a broken count.
    """
    try:
        figure = metric(name)
    except UnknownName as error:
        raise InvalidConfiguration(f"{error}; correct the name", where) from None
    if value is None:
        return Stated(player, figure.name, "", None, 0.0)
    text, number = printed_number(value)
    wrong = ""
    if number is None or (isinstance(value, str) and "," in value):
        wrong = "a number as the program prints it, or null"
    elif figure.is_whole and not number[0].is_integer():
        wrong = "a whole number"
    elif figure.is_whole and number[0] < 0:
        wrong = "0 or more"
    if wrong or number is None:
        message = f"{name}: expected {wrong}, found {short(value)}; correct it"
        raise InvalidConfiguration(message, where)
    # Programs print losses as negative numbers; ours are positive, and only luck has a sign.
    size = number[0] if figure.is_signed else abs(number[0])
    half = 0.0 if figure.is_whole else 0.5 * 10.0 ** -number[1]
    return Stated(player, figure.name, text, size, half, not isinstance(value, str))


def short(value: object) -> str:
    """What was found, shortened to fit on a line."""
    shown = repr(value[: 2 * LONGEST_SHOWN] if isinstance(value, str) else value)
    return shown if len(shown) <= LONGEST_SHOWN else shown[:LONGEST_SHOWN] + "..."
