"""A match as an `.xg` file records it, in plain values that can be written down.

Positions, plays and evaluations are in the view of the player on roll. The writers turn what a file
keeps in another view, and derive what follows from the rest (away scores, the cube, errors, flags)
unless a value is given for it.
"""

from dataclasses import astuple, dataclass
from enum import IntEnum

from reconcile.match.board.play import Play
from reconcile.match.board.position import Counts

UNSCORED = -1000.0
"""What an error field holds where XG has not judged."""


class Double(IntEnum):
    """The roller's cube action."""

    NO_ACCESS = -2
    ENDED_BEFORE = -1  # access, but the game was resigned there
    NO = 0
    YES = 1


class Take(IntEnum):
    """The answer to a double."""

    NOT_ASKED = -1
    PASS = 0
    TAKE = 1
    BEAVER = 2


class Verdict(IntEnum):
    """FlagDouble: what XG holds right, or why it holds nothing."""

    NOT_ANALYSED = -100
    TOO_GOOD = -1
    NO_DOUBLE = 0
    DOUBLE_TAKE = 1
    DOUBLE_PASS = 2
    OPPONENT_ONE_AWAY = 3  # also every position of the Crawford game


class Termination(IntEnum):
    """How a game ended; XG adds 100 for a resignation and 1000 for a settlement."""

    PASS = 0
    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3
    RESIGNED_SINGLE = 101
    RESIGNED_GAMMON = 102
    RESIGNED_BACKGAMMON = 103


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Seven floats in the file's order; the gammon figures are cumulative, the equity is cubeful
    and normalised (EMG)."""

    lose_backgammon: float
    lose_gammon: float
    lose: float
    win: float
    win_gammon: float
    win_backgammon: float
    equity: float

    def floats(self):
        """The seven floats, in the file's order."""
        return astuple(self)

    def cubeless_floats(self):
        """The same with a cubeless equity in last place, as a cube record keeps its chances (the
        score left aside)."""
        wins = self.win + self.win_gammon + self.win_backgammon
        return (*self.floats()[:6], wins - self.lose - self.lose_gammon - self.lose_backgammon)


def level_equity(equity):
    """An evaluation of which only the equity matters; the chances are those of an even race."""
    return Evaluation(0.0, 0.0, 0.5, 0.5, 0.0, 0.0, equity)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play XG kept, with the position it leads to (the roller's side) and its evaluation."""

    play: Play
    position: Counts
    evaluation: Evaluation
    level: int = 2
    """XG's code: 0-6 are 1-ply to 7-ply, 1000-1002 XG Roller to Roller++, 100 a rollout, 998 and
    999 the book."""


@dataclass(frozen=True, slots=True)
class Cube:
    """A cube record: what the roller did, what the other answered, what XG thought. The default is
    no access."""

    double: int = Double.NO_ACCESS
    take: int = Take.NOT_ASKED
    no_double: Evaluation | None = None
    double_take: Evaluation | None = None
    double_pass: float = 1.0
    level: int = 2
    error: float | None = None
    """ErrCube, >= 0; derived when None."""
    take_error: float | None = None
    """ErrTake, <= 0; derived when None."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move record: a roll and, unless the game ended there, a play."""

    dice: tuple[int, int]
    candidates: tuple[Candidate, ...] = ()
    """In XG's order of preference: the first is the best whatever the equities say."""
    played: int | None = 0
    """Which candidate was played; None when it is not among them (then give `play` and `after`)."""
    play: Play | None = None
    after: Counts | None = None
    error: float | None = None
    """ErrMove, <= 0; derived when None."""
    luck: float = 0.0
    irrelevant: bool | None = None
    """True when the play does not count as a decision; derived when None."""
    invalid: int = 0
    """InvalidM: 1 error, 2 an illegal play as transcribed."""
    was_played: bool = True
    """False for the last roll before a resignation."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's turn: always a cube record, then a move record unless the game ended on the
    cube."""

    player: int
    """1 or 2."""
    position: Counts
    cube: Cube = Cube()
    move: Move | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """A game footer."""

    winner: int
    points: int
    termination: int = Termination.SINGLE
    resign_error: float = UNSCORED
    take_resign_error: float = UNSCORED


@dataclass(frozen=True, slots=True)
class Game:
    """One game; without an ending it is unfinished."""

    turns: tuple[Turn, ...]
    score: tuple[int, int]
    """Points won before the game, not away scores."""
    ending: Ending | None
    crawford: bool = False


@dataclass(frozen=True, slots=True)
class WrittenMatch:
    """A whole file."""

    players: tuple[str, str]
    length: int | None
    """None for money play."""
    games: tuple[Game, ...]
    event: str = ""
    jacoby: bool = False
    beaver: bool = False
    version: int = 32
    """Fields younger than this version stay zero."""
    ended: bool = True
    """Whether to write the match footer."""
