"""What a candidate contains, before its reference matches are looked up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from reconcile.errors import At, InvalidConfiguration, ReconcileError, UnknownName
from reconcile.infer.reported import Reported, printed_figure
from reconcile.match.match import Match
from reconcile.scoring.figures import metric

if TYPE_CHECKING:
    import pandas as pd

LONGEST_SHOWN: Final = 60
Unit = Literal["equity", "mwc"]
"""Of the errors: equity (EMG), or match winning chance in percentage points."""
SEATS: Final = ("1", "2")
"""The first and the second player of a file, where a list gives no names."""


class Unusable(ReconcileError):
    """A claim that cannot be compared with a match; the text says why."""


class FilesAbsent(Unusable):
    """The files of its match are not here."""


class CommandFailed(ReconcileError):
    """The program under test gave no usable output; the message says why."""


class Unsupported(ReconcileError):
    """The program says that it does not support a match; the message says why."""


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

    @property
    def reported(self) -> Reported:
        """The same without its player."""
        return Reported(self.metric, self.text, self.value or 0.0, self.half)


@dataclass(frozen=True, slots=True)
class Claim:
    """Figures of one match, or the decisions from which they follow."""

    where: At
    """File, and place in it, for messages."""
    figures: tuple[Stated, ...] = ()
    match: str = ""
    """Id of the reference match; like what follows, empty where the candidate does not say."""
    players: tuple[str, ...] = ()
    length: int | None = None
    """Points to win."""
    tool: str | None = None
    """The tool whose analysis the figures are based on."""
    program: str = ""
    """The program that gives them, without its version."""
    version: str = ""
    rows: pd.DataFrame | None = field(default=None, repr=False, compare=False)
    """The decisions, if the program lists them: `line, game, turn, player, kind, counted, error,
    half, luck, luck_half, played`. Its figures then follow from them."""
    unit: Unit = "equity"
    """Of the errors of these decisions."""
    is_alone: bool = False
    """Whether a file without a name of its program has nothing else."""

    @property
    def subject(self) -> str:
        """What it says it is about."""
        return self.match or " - ".join(self.players)

    def about(self, reason: str) -> str:
        """A reason with its place, where its file has several."""
        return reason if self.is_alone else f"{self.where.short()}: {reason}"


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
        if value is None:
            return Stated(player, metric(name).name, "", None, 0.0)
        if isinstance(value, str) and "," in value:  # which `printed_figure` takes for a point
            expected = f"expected a number with a decimal point, found {short(value)}; correct it"
            raise InvalidConfiguration(f"{name}: {expected}")
        shown = printed_figure(name, value, "correct it, or write null for an unknown one")
    except UnknownName as error:
        raise InvalidConfiguration(f"{error}; correct the name", where) from None
    except InvalidConfiguration as error:
        raise InvalidConfiguration(error.reason, where) from None
    is_number = not isinstance(value, str)
    return Stated(player, shown.metric, shown.text, shown.value, shown.half, is_number)


def short(value: object) -> str:
    """What was found, shortened to fit on a line."""
    shown = repr(value[: 2 * LONGEST_SHOWN] if isinstance(value, str) else value)
    return shown if len(shown) <= LONGEST_SHOWN else shown[:LONGEST_SHOWN] + "..."
