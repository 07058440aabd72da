"""The synthetic matches of a probe: each has one decision, or a few of a kind, on which rules differ.

A game grows turn by turn: its plays are legal, its equities are whatever a contrast needs. The player under study is the first, `STUDIED`;
the other makes ordinary decisions that count under all rules. Every match begins with an error of 0.07 of the studied player that counts
under all rules, so that a rate always has something to divide by. Then comes what the match is about. `Contrast.about` names every
question whose answer can change its figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from reconcile.formats.written import Candidate, Cube, Double, Ending, Game, Move, Take, Termination, Turn, WrittenMatch, level_equity
from reconcile.match.board.play import Play, carried_out, legal_plays
from reconcile.match.board.position import START, Counts, swap
from reconcile.scoring.metrics import METRICS

STUDIED: Final = "Synthetic Ann"
OTHER: Final = "Synthetic Ben"
EVENT: Final = "Synthetic match"
LENGTH: Final = 7
BEST: Final = 0.25
"""Equity of the best candidate of every play."""
PLAIN: Final = (0.0, 0.1, 0.2)
"""What the candidates of an ordinary play cost: it counts under all rules."""
ANCHOR: Final = (0.0, 0.05, 0.07, 0.3)
"""The same of the first play of both players; the studied player makes the third, an error of 0.07."""
DICE: Final = ((3, 1), (4, 2), (6, 1), (5, 2), (4, 1), (3, 2), (6, 4), (5, 1), (2, 1), (5, 3), (6, 2), (4, 3), (6, 3), (5, 4))
"""Rolled in turn."""


def cube(no_double: float, double_take: float, **other: Any) -> Cube:
    """A turn without a double, by its equities; `double` and `take` make it a double."""
    return Cube(**{"double": Double.NO, "no_double": level_equity(no_double), "double_take": level_equity(double_take), **other})


FAR: Final = cube(0.3, -0.5)
"""A turn on which nobody would double: it counts under no rules."""


_legal = lru_cache(maxsize=1000)(legal_plays)
"""Nearly all of these games begin alike."""


class SyntheticGame:
    """A game that grows turn by turn."""

    def __init__(self, *, cube_in_play: bool = True, dead: int = 0) -> None:
        """An empty game; to the player `dead`, 1 or 2, the cube is worth nothing."""
        self.turns: list[Turn] = []
        self.position: Counts = START
        self.player = 1
        self.owner = 0 if cube_in_play else -1
        self.dead = dead
        self.value = 1

    def turn(
        self,
        costs: tuple[float, ...] = PLAIN,
        made: int = 0,
        *,
        cube: Cube | None = None,
        dice: tuple[int, int] | None = None,
        play: Play | None = None,
        **move: Any,
    ) -> SyntheticGame:
        """Add a turn of the player on roll.

        `costs` are what the candidates lose against the first, `made` is the one played; `play` makes the played candidate this one,
        legal or not. More costs than legal plays are left out. Without a cube it is one far from a double where the player has access.
        """
        rolled = dice or DICE[len(self.turns) % len(DICE)]
        listed = [(one.play, one.result) for one in _legal(self.position, *rolled)] or [((), self.position)]
        if play is not None:
            chosen = (play, carried_out(self.position, play))
            listed = [one for one in listed if one[1] != chosen[1]]
            listed.insert(made, chosen)
        candidates = tuple(
            Candidate(steps, result, level_equity(BEST - cost)) for (steps, result), cost in zip(listed, costs, strict=False)
        )
        if cube is None:
            cube = FAR if self.turns and self.owner in (0, self.player) and self.player != self.dead else Cube()
        self.turns.append(Turn(self.player, self.position, cube, Move(rolled, candidates, made, **move)))
        if cube.take in (Take.TAKE, Take.BEAVER):
            self.owner = 3 - self.player
            self.value *= 4 if cube.take is Take.BEAVER else 2
        self.position = swap(candidates[made].position)
        self.player = 3 - self.player
        return self

    def opened(self) -> SyntheticGame:
        """The first turn of both players: the studied player loses 0.07."""
        return self.turn(ANCHOR, 2).turn(ANCHOR, 1)

    def danced(self) -> SyntheticGame:
        """The same, after which the studied player is on the bar and a 66 cannot be played."""
        self.turn(ANCHOR, 2, dice=(4, 1), play=((13, 9), (6, 5)))
        return self.turn(ANCHOR, 1, dice=(4, 3), play=((24, 20), (24, 21)))

    def match(
        self, *, length: int | None = LENGTH, score: tuple[int, int] = (0, 0), ending: Ending | None = None, **said: Any
    ) -> WrittenMatch:
        """The match of this game alone; by default the other player resigns, which is not analysed."""
        resigned = ending or Ending(1, self.value, Termination.RESIGNED_SINGLE)
        return WrittenMatch((STUDIED, OTHER), length, (Game(tuple(self.turns), score, resigned),), event=EVENT, **said)


XG: Final = "xg"
SGF: Final = "sgf"
FORMATS: Final = (XG, SGF)
EQUITY: Final = tuple(
    name for name, one in METRICS.items() if name.startswith(("decisions.", "equity_error.")) or (one.factor != 1 and not one.in_mwc)
)
"""Figures of decisions, errors and rates, by which most questions are answered."""
CHANCE: Final = tuple(name for name in METRICS if name.startswith("mwc_loss_percent."))
GRADES: Final = tuple(name for name in METRICS if name.startswith(("errors.", "blunders.", "doubtful.")))
NOUNS: Final = {EQUITY: "decisions, errors or rates", CHANCE: "losses in match winning chance", GRADES: "numbers of errors and blunders"}
LOST: Final = Cube(Double.YES, Take.TAKE)
"""A double that was taken and is not analysed."""
ROUNDED: Final = 8
"""Errors whose roundings add up to a digit that programs print."""
BORDERS: Final = (0.005, 0.02, 0.03, 0.05, 0.06, 0.08, 0.1, 0.12, 0.25)
"""Of the grades that programs are known to use."""
ILLEGAL: Final = ((13, 8), (6, 5))
"""Not what a 42 allows."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A synthetic match on which rules differ."""

    key: str
    """Names its file."""
    title: str
    """What it has, in words: `a no-double that costs 0.161`."""
    about: tuple[str, ...]
    """Every question whose answer can change its figures."""
    match: WrittenMatch
    plural: bool = False
    """Whether the title names several decisions."""
    figures: tuple[str, ...] = EQUITY
    """The metrics that are read; no other question than those in `about` can change them."""
    formats: tuple[str, ...] = FORMATS
    """The formats that can hold it."""


def turn(**turn: Any) -> WrittenMatch:
    """The opening errors, one turn of the studied player, and one of the other."""
    return SyntheticGame().opened().turn(**turn).turn().match()


def plays(*costs: tuple[float, ...], made: int = 1, **move: Any) -> WrittenMatch:
    """The opening errors, and a play of the studied player for each of `costs`."""
    line = SyntheticGame().opened()
    for one in costs:
        line.turn(one, made, **move).turn()
    return line.match()


def _close(key: str, title: str, no_double: float, double_take: float, *about: str) -> Contrast:
    """A turn without a double, by its equities."""
    return Contrast(key, title, about, turn(cube=cube(no_double, double_take)))


def _doubled(no_double: float, double_take: float, take: Take) -> WrittenMatch:
    """A double of the studied player and its answer; after a pass the game is over."""
    made = cube(no_double, double_take, double=Double.YES, take=take)
    return SyntheticGame().opened().turn(cube=made).turn().match()


def _answered(double_take: float) -> WrittenMatch:
    """A double of the opponent that the studied player takes."""
    line = SyntheticGame().turn(ANCHOR, 2).turn(cube=cube(0.6, double_take, double=Double.YES, take=Take.TAKE))
    return line.turn().turn().match()


def _checker_plays() -> Iterator[Contrast]:
    flagged = "Q01", "Q06"
    yield Contrast("dance", "a roll that cannot be played", ("Q01",), SyntheticGame().danced().turn(dice=(6, 6)).turn().match())
    yield Contrast("equal-plays", "a play whose candidates are all equal", ("Q01",), turn(costs=(0.0,) * 4))
    every = SyntheticGame().opened().turn((0.0, 0.0002, 0.0004, *(0.0,) * 28), dice=(6, 5)).turn().match()
    yield Contrast("all-equal-to-0.001", "a play whose legal plays are all listed and differ by 0.0004", ("Q01",), every)
    yield Contrast("spread-0.0008", "a play whose candidates differ by 0.0008", ("Q01",), turn(costs=(0.0, 0.0004, 0.0008)))
    yield Contrast("spread-0.0012", "a play whose candidates differ by 0.0012", ("Q01",), turn(costs=(0.0, 0.0006, 0.0012)))
    illegal = SyntheticGame().opened().turn((0.0, 0.1, 0.07), 2, dice=(4, 2), play=ILLEGAL, invalid=2).turn().match()
    yield Contrast("illegal", "an illegal play that lost 0.07", flagged, illegal, formats=(XG,))
    marked = plays(*((0.0, 0.01, 0.2),) * 3, irrelevant=True)
    yield Contrast("flagged", "plays that XG marks as irrelevant and that lost 0.01", flagged, marked, True, formats=(XG,))
    small = plays(*((0.0, 0.0008),) * ROUNDED)
    yield Contrast("small-errors", "plays whose two candidates differ by 0.0008, the second played", flagged, small, True)


def _no_doubles() -> Iterator[Contrast]:
    for text in ("0.159", "0.161", "0.199", "0.201", "0.249", "0.251"):
        yield _close(f"costs-{text}", f"a no-double that costs {text}", 0.5, 0.5 - float(text), "Q02")
    yield _close("costs-0.20004", "a no-double that costs 0.20004", 0.5, 0.29996, "Q02")
    yield _close("missed-0.3", "a missed double that costs 0.3", 0.3, 0.6, "Q02")
    yield _close("too-good-0.3", "a no-double that is too good by 0.3", 1.3, 1.6, "Q02")
    danced = SyntheticGame().danced().turn(dice=(6, 6), cube=cube(0.5, 0.45)).turn().match()
    yield Contrast("before-a-dance", "a right no-double before a roll that cannot be played", ("Q01", "Q02"), danced)
    for text in ("0.01", "0.49", "0.51", "0.89", "0.91"):
        equity = -float(text)
        yield _close(f"losing-{text}", f"a close no-double at an equity of \N{MINUS SIGN}{text}", equity, equity - 0.05, "Q03")
    yield _close("losing-missed", "a missed double at an equity of \N{MINUS SIGN}1.1", -1.1, -0.95, "Q03")
    yield _close("optional-right", "a no-double where doubling costs 0.0005", 0.5, 0.4995, "Q04")
    yield _close("optional-missed", "a missed double that costs 0.0005", 0.5, 0.5005, "Q04", "Q06")
    yield _close("optional-0.0012", "a no-double where doubling costs 0.0012", 0.5, 0.4988, "Q04")


def _cube_actions() -> Iterator[Contrast]:
    yield Contrast("double-right", "a right double", ("Q15",), _doubled(0.5, 0.7, Take.TAKE))
    yield Contrast("double-free", "a double that changes less than 0.001", ("Q04", "Q06"), _doubled(0.5, 0.4995, Take.TAKE))
    yield Contrast("double-lost", "a right double at an equity of \N{MINUS SIGN}1.1", ("Q04", "Q15"), _doubled(-1.1, -0.95, Take.TAKE))
    yield Contrast("take-right", "a right take", ("Q15",), _answered(0.7))
    yield Contrast("take-free", "a take that changes less than 0.001", ("Q04", "Q15"), _answered(0.9995))
    dead = SyntheticGame(cube_in_play=False).opened().turn().turn().match(length=5, score=(4, 2))
    yield Contrast("dead-cube", "a turn with a dead cube", ("Q16",), dead)
    taken = SyntheticGame().opened().turn(cube=cube(0.5, 0.7, double=Double.YES, take=Take.BEAVER)).turn().turn(cube=cube(0.5, 0.6)).turn()
    beaver = taken.match(length=None, beaver=True)
    yield Contrast("beaver", "a double that is beavered", ("Q14", "Q15"), beaver, formats=(SGF,))


def _rest() -> Iterator[Contrast]:
    yield Contrast("no-analysis", "a cube decision that is not analysed", ("Q05",), turn(cube=Cube(Double.NO)))
    yield Contrast("no-analysis-double", "a double that is not analysed", ("Q05",), turn(cube=LOST))
    taken = SyntheticGame().turn(ANCHOR, 2).turn(cube=LOST).turn().turn().match()
    yield Contrast("no-analysis-take", "a take of a double that is not analysed", ("Q05",), taken)
    unplayed = SyntheticGame().opened().turn(was_played=False).match(ending=Ending(2, 1, Termination.RESIGNED_SINGLE))
    yield Contrast("unplayed", "a roll that was never played", ("Q05",), unplayed, formats=(XG,))
    stored = turn(costs=(0.0, 0.05, -0.04), made=1, error=-0.03)
    yield Contrast("three-errors", "a play with a stored error of 0.03, 0.05 below the first and 0.09 below the highest", ("Q06",), stored)
    rounded = plays(*((0.0, 0.02004, 0.1),) * ROUNDED)
    yield Contrast("rounded-errors", "plays that lost 0.02004 each", ("Q06",), rounded, True)
    yield Contrast("half-errors", "plays that lost 0.0204 each", ("Q06",), plays(*((0.0, 0.0204, 0.1),) * ROUNDED), True)
    resigned = Ending(2, 1, Termination.RESIGNED_SINGLE, resign_error=-0.2, take_resign_error=0.0)
    line = SyntheticGame().opened().turn().turn()
    yield Contrast("resignation", "a resignation that lost 0.2", ("Q07",), line.match(ending=resigned), formats=(XG,))
    one = SyntheticGame(cube_in_play=False).opened().turn().turn().match(length=1)
    yield Contrast("one-point", "a match to one point", ("Q09", "Q16"), one)
    yield Contrast("cap", "a match with a PR above 100", ("Q13",), turn(costs=(0.0, 0.5, 0.6), made=1))
    yield Contrast("wrong-take", "a wrong take that lost 0.2", ("Q10",), _answered(1.2), figures=CHANCE)
    graded = tuple((0.0, round(border + side, 4), 0.4) for border in BORDERS for side in (-0.001, 0.001))
    for half, costs in (("low", graded[: len(graded) // 2]), ("high", graded[len(graded) // 2 :])):
        sizes = f"{costs[0][1]:g} to {costs[-1][1]:g}"
        yield Contrast(f"grades-{half}", f"errors of {sizes}", ("Q12",), plays(*costs), True, figures=GRADES)


@cache
def plain() -> Contrast:
    """The match on which all rules agree: it shows which figures of a program mean what they are called."""
    return Contrast("plain", "two errors on which all rules agree", (), plays((0.0, 0.05, 0.2)), True, figures=(*EQUITY, *CHANCE))


@cache
def contrasts(form: str) -> tuple[Contrast, ...]:
    """All contrasts that a format can hold, without the plain one."""
    every = (*_checker_plays(), *_no_doubles(), *_cube_actions(), *_rest())
    return tuple(one for one in every if form in one.formats)


@dataclass(frozen=True, slots=True)
class Series:
    """Matches that differ in one number only, to find the border at which a program changes its figures."""

    key: str
    title: str
    """What the number is, in words."""
    question: str
    low: float
    high: float
    step: float
    """How far apart the closest two matches are."""
    match: Callable[[float], WrittenMatch]
    figures: tuple[str, ...] = EQUITY

    @property
    def steps(self) -> int:
        """From the low to the high end."""
        return round((self.high - self.low) / self.step)

    def at(self, step: int) -> float:
        """The number in the middle of a step: a border at a round number is never hit."""
        return round(self.low + (step + 0.5) * self.step, 6)


def _no_double(equity: float, cost: float) -> WrittenMatch:
    return turn(cube=cube(equity, equity - cost))


def _grade(name: str) -> Series:
    title = f"the error from which a decision is among the {name if name != 'doubtful' else 'doubtful ones'}"
    return Series(name, title, "Q12", 0.001, high=0.301, step=1e-4, match=lambda x: plays((0.0, x, 0.9)), figures=(f"{name}.total",))


SERIES: Final = (
    Series(
        "close-no-double",
        "what a double may cost for the no-double to count",
        "Q02",
        0.01,
        high=0.51,
        step=1e-5,
        match=lambda x: _no_double(0.5, x),
    ),
    Series(
        "losing-side",
        "the equity above which a losing side's no-double counts",
        "Q03",
        -1.2,
        high=0.1,
        step=1e-4,
        match=lambda x: _no_double(x, 0.05),
    ),
    Series(
        "made-double",
        "what a made double must change to count",
        "Q04",
        0.0,
        high=0.003,
        step=1e-5,
        match=lambda x: _doubled(0.5, 0.5 + x, Take.TAKE),
    ),
    Series(
        "optional-double",
        "what doubling must change for a no-double to count",
        "Q04",
        0.0,
        high=0.003,
        step=1e-5,
        match=lambda x: _no_double(0.5, x),
    ),
    Series(
        "spread",
        "how far candidates must differ for the play to count",
        "Q01",
        0.0,
        high=0.003,
        step=1e-5,
        match=lambda x: turn(costs=(0.0, x)),
    ),
    *(_grade(name) for name in ("doubtful", "errors", "blunders")),
)
"""The borders that a probe looks for."""
