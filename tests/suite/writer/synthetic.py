"""The synthetic matches of the suite: how their games grow from data, and how they become files.

A game grows turn by turn: its plays are legal, its equities are whatever is wanted. The player
under study is the first, `STUDIED`; the other makes ordinary decisions that count under all rules.

A match is a line of words: ` / ` is between games, `; ` between turns, `, ` within a turn, and
`3 (...)` is three times the same. A turn may begin with the name of a line in `synthetic.yaml`,
which it has besides; the only turn of a game is between the lines `opened` and `turn`. It has

- `costs`: what the candidates lose (EMG) against the first, and `equal`: so many more lose nothing;
  more of them than legal plays are left out
- `choice`: which of them is played; `play` makes it this one, legal or not; `dice`
- `lost`: what the second, which is played, and the rest (1.9 unless named) lose, in place of both
- `no_double`: a turn without a double, by the equities of not doubling and of a double that is
  taken; empty where it is not analysed
- `double`: a double by the same, and its `answer`, `take` unless named: `pass`, which ends the
  game, or `beaver`
- `no_access`: the player has no cube to turn; without any of these the cube is far from a double
- `not_analysed`, a play without candidates, and fields of `Move`

Beside turns a game may have `score`, `crawford`, `dead` (the player to whom the cube is worth
nothing), `starts` (who begins), `winner`, to whom the other resigns, or `ending` (winner, points
and kind, then what resigning and accepting lost), `unfinished` for a game that was broken off; and
a match `length` or `money`, `players`, `jacoby` and `beaver`.
"""

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import yaml

from reconcile.files.yaml_file import read_tree
from reconcile.formats import read_match
from reconcile.match.board.play import carried_out, legal_plays
from reconcile.match.board.position import START, swap
from reconcile.match.met import DEFAULT_MET, load_met
from reconcile.match.met.equity import chance_of, stakes
from tests.suite.writer import sgf_writer as sgf
from tests.support import xg_writer as xg
from tests.support.written import (
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

STUDIED = "Synthetic Ann"
EVENT = "Synthetic match"
LENGTH = 7
BEST_EQUITY = 0.25
"""Equity of the best candidate of every play."""
PLAIN_COSTS = (0.0, 0.1, 0.2)
"""What the candidates of an ordinary play cost: it counts under all rules."""
FAR = 1.9
"""What the candidates lose that nobody would play."""
DATA = read_tree(Path(__file__).with_name("synthetic.yaml"))
DICE = [tuple(map(int, roll)) for roll in DATA["dice"].split()]
LINES = DATA["lines"]


def _cube(no_double, double_take):
    """A turn without a double, by its equities."""
    return Cube(Double.NO, no_double=level_equity(no_double), double_take=level_equity(double_take))


FAR_CUBE = _cube(0.3, -0.5)
"""A turn on which nobody would double: it counts under no rules."""
_legal = lru_cache(maxsize=1000)(legal_plays)
"""Nearly all of these games begin alike."""


ACTIONS = ("no_double", "double", "answer", "no_access")


def _action(
    *,
    has_access,
    no_double=None,
    double=None,
    answer="take",
    no_access=False,
):
    """What is done with the cube before the roll."""
    if double is not None:
        equities = _cube(*double) if double else Cube()
        return replace(equities, double=Double.YES, take=Take[answer.upper()])
    if no_double is not None:
        return _cube(*no_double) if no_double else Cube(Double.NO)
    return FAR_CUBE if has_access and not no_access else Cube()


def _roll(
    position,
    dice,
    costs=None,
    choice=0,
    play=(),
    *,
    lost=(),
    equal=0,
    not_analysed=False,
    **rest,
):
    """A roll with what is played, and the position after it."""
    if lost:
        costs, choice = (0.0, lost[0], *(lost[1:] or [FAR])), 1
    if costs is None:
        costs = () if equal else PLAIN_COSTS
    first, second = dice
    plays = [(legal.play, legal.result) for legal in _legal(position, first, second)]
    plays = plays or [((), position)]
    if play:
        result = carried_out(position, play)
        plays = [other for other in plays if other[1] != result]
        plays.insert(choice, (play, result))
    candidates = tuple(
        Candidate(steps, result, level_equity(BEST_EQUITY - cost))
        for (steps, result), cost in zip(plays, [*costs, *[0.0] * equal], strict=False)
    )
    played, roll = candidates[choice], Move((first, second), candidates, choice, **rest)
    after = played.position
    if not_analysed:
        roll = replace(roll, candidates=(), played=None, play=played.play, after=after)
    return roll, after


OF_MATCH = frozenset(["length", "money", "players", "jacoby", "beaver", "only", "reads"])
OF_GAME = frozenset(["score", "crawford", "dead", "starts", "winner", "ending", "unfinished"])
SEVERAL = frozenset(
    [
        "players",
        "only",
        "reads",
        "score",
        "ending",
        "costs",
        "play",
        "dice",
        "lost",
        "no_double",
        "double",
    ]
)
"""What has any number of values."""
REPEATED = re.compile(r"(\d+) \((.*?)\)")


def parsed(text):
    """What there is to say of a match and, as `games`, of each of its games."""
    repeated = REPEATED.sub(lambda part: "; ".join([part[2]] * int(part[1])), text)
    games = [game.split("; ") for game in repeated.split(" / ")]
    return _facts(games[0], OF_MATCH) | {"games": [_parsed_game(parts) for parts in games]}


def _parsed_game(parts):
    turns = [part for part in parts if part.split()[0] not in OF_MATCH | OF_GAME]
    return {**_facts(parts, OF_GAME), "turns": turns}


def _facts(parts, names):
    return _said(", ".join(part for part in parts if part.split()[0] in names))


def _said(text):
    """By name, the values of `name value value, name, name value`."""
    said = {}
    for name, *words in map(str.split, filter(None, text.split(", "))):
        values = tuple(_value(word) for word in words)
        said[name] = values if name in SEVERAL else values[0] if values else True
    return said


def _value(word):
    return tuple(map(int, word.split("/"))) if "/" in word else yaml.safe_load(word)


def match_of(games, length=LENGTH, money=False, players=("Ann", "Ben"), **rules):
    """A match of games as they are parsed."""
    length = None if money else length
    rows = tuple(_game(length, **game) for game in games)
    first, second = (f"Synthetic {name}" for name in players)
    return WrittenMatch((first, second), length, rows, event=EVENT, **rules)


def _game(
    length,
    turns,
    score=(0, 0),
    winner=1,
    ending=(),
    crawford=False,
    starts=1,
    dead=0,
    unfinished=False,
):
    """A game; by default the other player resigns at its end, which is not analysed."""
    rows: list[Turn] = []
    position, player, value, owner = START, starts, 1, -1 if crawford or length == 1 else 0
    for described in _each(turns if len(turns) > 1 else ("opened", *turns, "turn")):
        rest = {"dice": DICE[len(rows) % len(DICE)], **described}
        action = {name: rest.pop(name) for name in ACTIONS if name in described}
        has_access = bool(rows) and owner in (0, player) and player != dead
        cube, (roll, after) = _action(has_access=has_access, **action), _roll(position, **rest)
        rows.append(Turn(player, position, cube, None if cube.take is Take.PASS else roll))
        if cube.take in (Take.TAKE, Take.BEAVER):
            owner, value = 3 - player, value * (4 if cube.take is Take.BEAVER else 2)
        position, player = swap(after), 3 - player
    ended = Ending(winner, value, Termination.RESIGNED_SINGLE)
    if rows[-1].cube.take is Take.PASS:
        ended = Ending(rows[-1].player, value, Termination.PASS)
    if ending:
        winner, points, kind, *errors = ending
        ended = Ending(winner, points, Termination[kind.upper()], *errors)
    result = None if unfinished else ended
    return Game(tuple(rows), (score[0], score[1]), result, crawford=crawford)


def _each(turns):
    """Turn by turn."""
    for turn in turns:
        line, _, rest = turn.partition(", ")
        if line in LINES:
            *before, last = _each(LINES[line].split("; "))
            yield from before
            yield last | _said(rest)
        else:
            yield _said(turn)


XG = "xg"
SGF = "sgf"
FORMATS = (XG, SGF)
HIGHEST_CUBE = 64
DIGITS = 9
"""Of a match winning chance in a file."""


def content_of(match, form):
    """The bytes of a synthetic match in a format; the same every time."""
    return sgf.write(_in_chances(match)) if form == SGF else xg.write(match)


def _in_chances(match):
    """The same with its cube decisions in match winning chance, as gnuBG stores them; as it is for
    money play."""
    if match.length is None:
        return match
    at_stake = stakes(read_match("case.xg", xg.write(match)), load_met(DEFAULT_MET), HIGHEST_CUBE)
    games = []
    for number, game in enumerate(match.games):
        turns, value = [], 1
        for turn in game.turns:
            cube = turn.cube
            if cube.no_double is not None and cube.double_take is not None:
                place = np.array([number]), np.array([turn.player - 1]), np.array([value])
                levels = cube.no_double, cube.double_take
                chances = chance_of(
                    np.array([level.equity for level in levels]), *at_stake.of(*place)
                )
                no_double, double_take = (
                    replace(level, equity=round(chance, DIGITS))
                    for level, chance in zip(levels, chances.tolist(), strict=True)
                )
                cube = replace(cube, no_double=no_double, double_take=double_take)
            turns.append(replace(turn, cube=cube))
            value *= 2 if cube.take == Take.TAKE else 1
        games.append(replace(game, turns=tuple(turns)))
    return replace(match, games=tuple(games))
