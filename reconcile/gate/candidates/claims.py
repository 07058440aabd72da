"""What a candidate contains, before its reference matches are looked up."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from reconcile.errors import At, InvalidConfiguration, UnknownName
from reconcile.gate.candidates.stated_rows import StatedRows
from reconcile.infer.reported import printed_number
from reconcile.match.board.identifiers import Situation
from reconcile.match.match import Match
from reconcile.scoring.metrics import METRICS, metric

LONGEST_SHOWN: Final = 60
Kind = Literal["figures", "export", "listing"]
BOTH: Final = "both players"
"""The player of a figure that a program sums over both players."""


@dataclass(frozen=True, slots=True)
class Stated:
    """One figure as a candidate gives it."""

    player: str | int
    """A name, a seat (0 or 1) where there is no name, or `BOTH`."""
    metric: str
    """Full name."""
    text: str
    """As printed; empty where the program has none."""
    value: float | None
    half: float
    """Half of the last printed digit; 0 for a count."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Figures of one match."""

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
    of: Match | None = field(default=None, repr=False)
    """The match with its decisions, if the same source has them."""
    kind: Kind = "listing"
    """`figures` in the plain format, `export` of the tool that analysed, `listing` of blunderDB's kind."""
    notes: tuple[str, ...] = ()
    """What a printed text does not say, or says in contradiction to itself."""
    rows: StatedRows | None = field(default=None, repr=False)
    """The decisions, if the program lists them; its figures then follow from them."""
    refused: str = ""
    """Why these figures cannot be compared with a single match; empty if they can."""
    program: str = ""
    """The program that gives them, without its version; empty if it does not say."""
    version: str = ""
    """Its version; empty if it does not say."""


@dataclass(frozen=True, slots=True)
class StatedPosition:
    """One decision as a program shows it, without the play that was made."""

    where: At
    situation: Situation
    plays: tuple[tuple[str, float], ...]
    """Plays in notation with their equities (EMG, mover's view), in XG's order: the first is its best; empty for a cube decision."""
    cube: tuple[float, float, float] | None
    """No double, double/take, double/pass (EMG, the view of the player on roll)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Everything one source contains."""

    name: str
    """The program's, if its output names it, otherwise that of the file or the command, without a folder."""
    sha256: str = ""
    claims: tuple[Claim, ...] = ()
    positions: tuple[StatedPosition, ...] = ()
    matches: tuple[Match, ...] = field(default=(), repr=False)
    about: str = ""
    """Id of the reference match that all of it is about, if the user named one."""


def stated(where: At, player: str | int, name: str, given: object) -> Stated:
    """A figure from a number, a printed number, or `None`; `where` only names the place in messages.

    Raises `InvalidConfiguration` for an unknown metric, a value that is not a finite number, and a count that is not a whole number.
    """
    try:
        known = metric(name)
    except UnknownName as error:
        raise InvalidConfiguration(f"{error}; correct the name", where) from None
    if given is None:
        return Stated(player, known.name, "", None, 0.0)
    text, number = printed_number(given)
    if number is None:
        raise InvalidConfiguration(
            f"{name}: expected a number as the program prints it, or null, found {short(given)}; correct it",
            where,
        )
    value, decimals = number
    is_count = known.is_whole
    if is_count and (value < 0 or not value.is_integer()):
        raise InvalidConfiguration(
            f"{name}: expected a whole number, found {short(given)}; correct it", where
        )
    # Programs print losses as negative numbers; ours are positive, and only luck has a sign.
    return Stated(
        player,
        known.name,
        text,
        value if known.is_signed else abs(value),
        0.0 if is_count else 0.5 * 10.0**-decimals,
    )


def short(found: object) -> str:
    """What was found, shortened to fit on a line."""
    shown = repr(found[: 2 * LONGEST_SHOWN] if isinstance(found, str) else found)
    return shown if len(shown) <= LONGEST_SHOWN else shown[:LONGEST_SHOWN] + "..."


def of_player(claim: Claim, player: str) -> Claim:
    """A claim that is known to be about one player only: sums over both players become that player's figures.

    A Snowie error rate is left out, because the number of moves it was divided by is then unknown.
    """
    figures = tuple(
        replace(figure, player=player) if figure.player == BOTH else figure
        for figure in claim.figures
        if figure.player != BOTH or not METRICS[figure.metric].per_move
    )
    return replace(
        claim,
        figures=figures,
        players=claim.players if player in claim.players else (player, *claim.players)[:2],
    )
