"""The synthetic matches of the suite: how their games grow, how they are described as data, and how they become files.

A game grows turn by turn: its plays are legal, its equities are whatever is wanted. The player under study is the first, `STUDIED`; the
other makes ordinary decisions that count under all rules.

As data (`match_of`) a match has `turns`, which are names of `LINES` and mappings with what `SyntheticGame.turn` takes, and instead of a
`cube`

- `no_double`: a turn without a double, by the equities of not doubling and of a double that is taken; empty where it is not analysed
- `double`: a double by the same, and its `answer`, `take` unless named (`pass`, `beaver`)
- `no_access`: the player has no cube to turn

`times` and `turns` repeat a few. `no_roll` ends the game on the cube, `not_analysed` leaves the play without candidates. A game may have
`score`, `crawford`, `cube_in_play`, `dead`, `starts` (who begins) and `ending` (winner, points and kind, then what resigning and accepting
lost), `null` for a game that was broken off; a match of several `games` has a list of these. The rest is what `WrittenMatch` takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from reconcile.formats import read_match
from reconcile.formats.gnubg import writer as sgf
from reconcile.formats.written import (
    Candidate,
    Cube,
    Double,
    Ending,
    Game,
    Move,
    Take,
    Termination,
    Turn,
    WrittenMatch,
    level_equity,
)
from reconcile.formats.xg import writer as xg
from reconcile.match.board.play import Play, carried_out, legal_plays
from reconcile.match.board.position import START, Counts, swap
from reconcile.match.met import DEFAULT_MET, load_met
from reconcile.match.met.equity import chance_of, stakes

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
DICE: Final = (
    (3, 1),
    (4, 2),
    (6, 1),
    (5, 2),
    (4, 1),
    (3, 2),
    (6, 4),
    (5, 1),
    (2, 1),
    (5, 3),
    (6, 2),
    (4, 3),
    (6, 3),
    (5, 4),
)
"""Rolled in turn."""


def cube(no_double: float, double_take: float, **other: Any) -> Cube:
    """A turn without a double, by its equities; `double` and `take` make it a double."""
    return Cube(
        **{
            "double": Double.NO,
            "no_double": level_equity(no_double),
            "double_take": level_equity(double_take),
            **other,
        }
    )


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
        listed = [(one.play, one.result) for one in _legal(self.position, *rolled)] or [
            ((), self.position)
        ]
        if play is not None:
            chosen = (play, carried_out(self.position, play))
            listed = [one for one in listed if one[1] != chosen[1]]
            listed.insert(made, chosen)
        candidates = tuple(
            Candidate(steps, result, level_equity(BEST - cost))
            for (steps, result), cost in zip(listed, costs, strict=False)
        )
        if cube is None:
            cube = (
                FAR
                if self.turns and self.owner in (0, self.player) and self.player != self.dead
                else Cube()
            )
        self.turns.append(
            Turn(self.player, self.position, cube, Move(rolled, candidates, made, **move))
        )
        if cube.take in (Take.TAKE, Take.BEAVER):
            self.owner = 3 - self.player
            self.value *= 4 if cube.take is Take.BEAVER else 2
        self.position = swap(candidates[made].position)
        self.player = 3 - self.player
        return self

    def opened(self) -> SyntheticGame:
        """The first turn of both players: the studied player loses 0.07."""
        return self.turn(ANCHOR, 2).turn(ANCHOR, 1)

    def match(
        self,
        *,
        length: int | None = LENGTH,
        score: tuple[int, int] = (0, 0),
        ending: Ending | None = None,
        **said: Any,
    ) -> WrittenMatch:
        """The match of this game alone; by default the other player resigns, which is not analysed."""
        resigned = ending or Ending(1, self.value, Termination.RESIGNED_SINGLE)
        return WrittenMatch(
            (STUDIED, OTHER),
            length,
            (Game(tuple(self.turns), score, resigned),),
            event=EVENT,
            **said,
        )


LINES: Final[Mapping[str, Sequence[Mapping[str, Any]]]] = {
    "turn": [{}],
    "first": [{"costs": ANCHOR, "made": 2}],
    "reply": [{"costs": ANCHOR, "made": 1}],
    "opened": [{"costs": ANCHOR, "made": 2}, {"costs": ANCHOR, "made": 1}],
    "danced": [
        {"costs": ANCHOR, "made": 2, "dice": (4, 1), "play": ((13, 9), (6, 5))},
        {"costs": ANCHOR, "made": 1, "dice": (4, 3), "play": ((24, 20), (24, 21))},
    ],
    "entered": [
        {"costs": ANCHOR, "made": 2, "dice": (6, 1), "play": ((13, 7), (24, 23))},
        {"costs": ANCHOR, "made": 1, "dice": (6, 6), "play": ((24, 18), (24, 18), (13, 7), (7, 1))},
    ],
    "doubled": [{"double": (0.6, 0.8)}],
    "owned": [{"costs": ANCHOR, "made": 2}, {"double": (0.6, 0.8)}, {}],
}
"""Turns that many matches have. After `danced` the studied player is on the bar and a 66 cannot be played; after `entered` two are on it
and a 41 enters both in the only way; after `owned` the studied player owns a cube of 2."""


def match_of(
    games: Sequence[Mapping[str, Any]] = (),
    length: int | None = LENGTH,
    players: Sequence[str] = (STUDIED, OTHER),
    jacoby: bool = False,
    beaver: bool = False,
    **game: Any,
) -> WrittenMatch:
    """A match that is described as data, by its games or by what there is to say of the only one."""
    first, second = players
    made = tuple(_game(**one) for one in games or [game])
    return WrittenMatch((first, second), length, made, event=EVENT, jacoby=jacoby, beaver=beaver)


def _game(
    turns: Sequence[str | Mapping[str, Any]],
    score: Sequence[int] = (0, 0),
    ending: Sequence[Any] | None = (),
    crawford: bool = False,
    starts: int = 1,
    **begun: Any,
) -> Game:
    line = SyntheticGame(**begun)
    line.player = starts
    for turn in _each(turns):
        _add(line, **turn)
    ended = Ending(1, line.value, Termination.RESIGNED_SINGLE)
    if ending:
        winner, points, kind, *errors = ending
        ended = Ending(winner, points, Termination[kind.upper()], *errors)
    return Game(
        tuple(line.turns),
        (score[0], score[1]),
        None if ending is None else ended,
        crawford=crawford,
    )


def _each(turns: Sequence[str | Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Turn by turn."""
    for one in turns:
        if isinstance(one, str):
            yield from LINES[one]
        else:
            for _ in range(one.get("times", 1)):
                yield from _each(one["turns"]) if "times" in one else (one,)


def _add(
    line: SyntheticGame,
    costs: Sequence[float] = PLAIN,
    made: int = 0,
    dice: Sequence[int] | None = None,
    play: Sequence[Sequence[int]] | None = None,
    *,
    no_double: Sequence[float] | None = None,
    double: Sequence[float] | None = None,
    answer: str = "take",
    no_access: bool = False,
    no_roll: bool = False,
    not_analysed: bool = False,
    **move: Any,
) -> None:
    """Add a turn that is described as data."""
    action: Cube | None = Cube() if no_access else None
    if no_double is not None:
        action = cube(*no_double) if no_double else Cube(Double.NO)
    if double is not None:
        action = replace(
            cube(*double) if double else Cube(), double=Double.YES, take=Take[answer.upper()]
        )
    rolled = (dice[0], dice[1]) if dice else None
    line.turn(
        tuple(costs),
        made,
        cube=action,
        dice=rolled,
        play=None if play is None else tuple((one[0], one[1]) for one in play),
        **move,
    )
    last = line.turns[-1]
    if no_roll:
        line.turns[-1] = replace(last, move=None)
    elif not_analysed and last.move is not None:
        played = last.move.candidates[made]
        line.turns[-1] = replace(
            last,
            move=replace(
                last.move, candidates=(), played=None, play=played.play, after=played.position
            ),
        )


XG: Final = "xg"
SGF: Final = "sgf"
FORMATS: Final = (XG, SGF)
HIGHEST_CUBE: Final = 64
DIGITS: Final = 9
"""Of a match winning chance in a file."""


def content_of(made: WrittenMatch, form: str) -> bytes:
    """The bytes of a synthetic match in a format; the same every time."""
    return sgf.write(_in_chances(made)) if form == SGF else xg.write(made)


def _in_chances(made: WrittenMatch) -> WrittenMatch:
    """The same with its cube decisions in match winning chance, as gnuBG stores them; as it is for money play."""
    if made.length is None:
        return made
    blank = read_match("probe.xg", xg.write(made))
    at_stake = stakes(blank, load_met(DEFAULT_MET), HIGHEST_CUBE)

    def chance(equity: float, game: int, player: int, value: int) -> float:
        win, lose = at_stake.of(np.array([game]), np.array([player - 1]), np.array([value]))
        return float(chance_of(np.array([equity]), win, lose)[0])

    games = []
    for number, game in enumerate(made.games):
        turns, value = [], 1
        for turn in game.turns:
            cube, seat = turn.cube, turn.player
            if cube.no_double is not None and cube.double_take is not None:
                no_double, double_take = (
                    replace(one, equity=round(chance(one.equity, number, seat, value), DIGITS))
                    for one in (cube.no_double, cube.double_take)
                )
                cube = replace(cube, no_double=no_double, double_take=double_take)
            turns.append(replace(turn, cube=cube))
            value *= 2 if cube.take == Take.TAKE else 1
        games.append(replace(game, turns=tuple(turns)))
    return replace(made, games=tuple(games))
