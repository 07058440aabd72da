"""Pairs of analyses of small matches, made from a seed so that everything that a sentence may trip over is frequent in them.

Both analyses are of one match that is played by the rules: hops in another order, illegal plays, rolls that nobody played, leaders
after the Crawford game, decisions that cancel each other, players of one name, files in which a part has no analysis, and errors that
lie exactly on the border of a grade.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random

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
from reconcile.match.board.play import Play, legal_plays
from reconcile.match.board.position import START, Counts, borne_off, swap
from reconcile.match.match import Match as Analysis
from tests.support.strategies import seats_swapped

BORDERS = (0.005, 0.02, 0.03, 0.05, 0.06, 0.08, 0.1, 0.12)
ERRORS = (*[0.0] * 30, 0.0004, 0.0006, 0.004, 0.0195, 0.0205, 0.0796, 0.25, 0.31, 1.2, *BORDERS)
CUBES = (-1.2, -0.9, -0.4, 0.0, 0.1, 0.45, 0.7, 0.95, 1.0, 1.05, 1.4)
GAINS = (-1.1, -0.3, -0.2, -0.16, -0.15, -0.08, -0.02, 0.0, 0.02, 0.03, 0.08, 0.12, 0.2, 0.8)
NAMES = (("Ann", "Ben"),) * 12 + (
    ("Same", "Same"),
    ("Jack and Jill", "O'Neil {x}"),
    ("Ann 7.79", "Ben, game 2"),
    ("XG", "gnuBG"),
    ("Zoë Müller", "Żółw"),
)
TOOLS = ("eXtreme Gammon", "GNU Backgammon", "GNU Backgammon", "BGBlitz", "sgf", "sgf", "sgf")
"""Who is said to have made the right file: the name of a program, or a real `.sgf` of gnuBG."""


@dataclass(frozen=True)
class Pair:
    """Two analyses of one match, and the seed that makes them again."""

    seed: int
    left: Analysis
    right: Analysis

    def __str__(self) -> str:
        return f"generated pair {self.seed}"


@lru_cache(maxsize=50_000)
def plays_of(position: Counts, dice: tuple[int, int]) -> tuple[tuple[Play, Counts], ...]:
    """The first few plays of a roll and where they lead."""
    return tuple((found.play, found.result) for found in legal_plays(position, *dice)[:4]) or (
        ((), position),
    )


@dataclass
class _Maker:
    """One match while it is made, with what each file is to say of it."""

    draw: Random
    sides: tuple[list[Game], list[Game]] = field(default_factory=lambda: ([], []))
    style: str = "other"
    length: int | None = None
    """Of the match; `None` is money."""
    gaps: bool = False
    """Whether single decisions have no analysis."""

    def chance(self, percent: float) -> bool:
        return self.draw.random() * 100 < percent

    def errors(self) -> tuple[float, float]:
        """What the two files charge for the same thing."""
        one = self.draw.choice(ERRORS)
        if self.style == "same" or self.chance(40):
            return one, one
        if self.style == "cancelling":
            return self.draw.choice(((0.0, 0.25), (0.25, 0.0), (0.0, 0.12), (0.12, 0.0)))
        return one, self.draw.choice(ERRORS)

    def candidates(
        self, position: Counts, dice: tuple[int, int], played: int
    ) -> tuple[tuple[Candidate, ...], ...]:
        """The lists of both files, each with its own best play first."""
        plays = plays_of(position, dice)
        lists = []
        base, level = self.draw.choice(CUBES), self.draw.choice((2, 2, 2, 1000))
        for error in self.errors():
            values = [base - 0.01 - error - abs(self.draw.choice(ERRORS)) for _ in plays]
            values[played] = base - error
            if error:
                values[
                    self.draw.choice(
                        [one for one in range(len(plays)) if one != played] or [played]
                    )
                ] = base
            found = [
                Candidate(play, after, level_equity(value), level)
                for (play, after), value in zip(plays, values, strict=True)
            ]
            lists.append(tuple(sorted(found, key=lambda one: -one.evaluation.equity)))
        return tuple(lists)

    def move(self, position: Counts) -> tuple[tuple[Move, Move], Counts]:
        """A roll and what became of it."""
        dice = (self.draw.randint(1, 6), self.draw.randint(1, 6))
        plays = plays_of(position, dice)
        played = self.draw.choice((0, 0, *range(len(plays))))
        play, after = plays[played]
        lists = self.candidates(position, dice, played)
        luck = self.draw.choice((0.0, 0.25, -0.4))
        moves = []
        for side, found in enumerate(lists):
            index = [one.position for one in found].index(after)
            move = Move(dice, found, index, luck=luck)
            if side and self.chance(15) and len(play) > 1 and play[0] != play[1]:
                hops = (*play[:-2], play[-1], play[-2])
                move = replace(
                    move,
                    candidates=tuple(
                        replace(one, play=hops) if one.position == after else one for one in found
                    ),
                )
            if self.gaps and self.chance(8):
                move = Move(dice, (), None, play, after, luck=luck)
            moves.append(move)
        if self.chance(2):
            moves = [replace(move, invalid=2) for move in moves]
        return (moves[0], moves[1]), after

    def cube(self) -> tuple[Cube, Cube]:
        """A cube action with access, and the answer."""
        double = Double.YES if self.chance(15) else Double.NO
        answer = (
            self.draw.choice((Take.TAKE, Take.TAKE, Take.PASS))
            if double == Double.YES
            else Take.NOT_ASKED
        )
        no_double, gain = self.draw.choice(CUBES), self.draw.choice(GAINS)
        cubes = []
        for _ in range(2):
            cubes.append(
                Cube(double, answer, level_equity(no_double), level_equity(no_double + gain))
            )
            if self.style != "same" and self.chance(60):
                no_double, gain = self.draw.choice(CUBES), self.draw.choice(GAINS)
        if self.gaps and self.chance(8):
            cubes[self.draw.randint(0, 1)] = Cube(double, answer)
        return cubes[0], cubes[1]

    def game(self, score: tuple[int, int], crawford: bool) -> None:
        """A game in both files."""
        turns: tuple[list[Turn], list[Turn]] = ([], [])
        player, position, owner, value, passed = self.draw.choice((1, 2)), START, 0, 1, 0
        for number in range(self.draw.randint(1, 10)):
            access = (
                number > 0
                and owner in (0, player)
                and self.length != 1
                and not crawford
                and value < 8
            )
            cubes = self.cube() if access else (Cube(), Cube())
            if cubes[0].take == Take.PASS:
                for side in (0, 1):
                    turns[side].append(Turn(player, position, cubes[side]))
                passed = player
                break
            if cubes[0].double == Double.YES:
                owner, value = 3 - player, value * 2
            moves, after = self.move(position)
            for side in (0, 1):
                turns[side].append(Turn(player, position, cubes[side], moves[side]))
            if borne_off(after)[0] == 15:
                break
            player, position = 3 - player, swap(after)
        if not passed and self.chance(10):
            for told in turns:
                move = told[-1].move
                if move is not None:
                    told[-1] = replace(told[-1], move=replace(move, was_played=False))
        if len(turns[1]) > 2 and self.chance(3):
            del turns[1][self.draw.randint(0, len(turns[1]) - 1)]
        ending = (
            Ending(passed, value, Termination.PASS)
            if passed
            else Ending(self.draw.choice((1, 2)), value, Termination.SINGLE)
        )
        for side in (0, 1):
            self.sides[side].append(Game(tuple(turns[side]), score, ending, crawford))

    def match(self) -> tuple[WrittenMatch, WrittenMatch]:
        """A few games in both files."""
        draw = self.draw
        self.length = draw.choice((1, 2, 3, 5, 5, 7, None))
        self.style = draw.choice(("same", "other", "other", "other", "cancelling"))
        self.gaps = self.chance(12)
        length = self.length
        score, crawford_played = (0, 0), False
        if (
            length and length > 1 and self.chance(35)
        ):  # after the Crawford game, so that the leader's cube is dead
            score, crawford_played = (
                draw.choice(((length - 1, 0), (0, length - 1), (length - 1, max(0, length - 2)))),
                True,
            )
        for _ in range(draw.randint(1, 3)):
            crawford = (
                length is not None
                and length > 1
                and not crawford_played
                and max(score) == length - 1
            )
            self.game(score, crawford)
            crawford_played |= crawford
            ending = self.sides[0][-1].ending
            assert ending is not None
            score = (
                score[0] + ending.points * (ending.winner == 1),
                score[1] + ending.points * (ending.winner == 2),
            )
            if length is not None and max(score) >= length:
                break
        names = draw.choice(NAMES)
        made = [
            WrittenMatch(names, length, tuple(games), jacoby=length is None, event="generated")
            for games in self.sides
        ]
        return made[0], made[1]


def one_sided(match: WrittenMatch, draw: Random) -> WrittenMatch:
    """The same where a part has no analysis: the plays or the cubes of everyone, or of one player."""
    plays, players = draw.random() < 0.5, draw.choice(((1, 2), (1,), (2,)))

    def bare(turn: Turn) -> Turn:
        if turn.player not in players:
            return turn
        if not plays:
            return replace(turn, cube=replace(turn.cube, no_double=None, double_take=None))
        if turn.move is None or turn.move.played is None:
            return turn
        made = turn.move.candidates[turn.move.played]
        return replace(
            turn,
            move=replace(
                turn.move, candidates=(), played=None, play=made.play, after=made.position
            ),
        )

    return replace(
        match,
        games=tuple(replace(game, turns=tuple(map(bare, game.turns))) for game in match.games),
    )


def as_gnubg_keeps_it(match: WrittenMatch) -> WrittenMatch:
    """The same with the equities of the cube as chances of winning the match."""
    if match.length is None:
        return match

    def chance(turn: Turn) -> Turn:
        cube = turn.cube
        if cube.no_double is None or cube.double_take is None:
            return turn
        values = [
            level_equity(round(0.5 + 0.1 * one.equity, 6))
            for one in (cube.no_double, cube.double_take)
        ]
        return replace(turn, cube=replace(cube, no_double=values[0], double_take=values[1]))

    return replace(
        match,
        games=tuple(replace(game, turns=tuple(map(chance, game.turns))) for game in match.games),
    )


def _read(match: WrittenMatch, tool: str, name: str) -> Analysis:
    if tool == "sgf":
        return read_match(f"{name}.sgf", sgf.write(as_gnubg_keeps_it(match)))
    found = read_match(f"{name}.xg", xg.write(match))
    return replace(found, source=replace(found.source, tool=tool))


def generated(seed: int) -> Pair:
    """The pair of a seed."""
    draw = Random(seed)
    left, right = _Maker(draw).match()
    tools = draw.choice(("eXtreme Gammon", "eXtreme Gammon", "sgf")), draw.choice(TOOLS)
    if draw.random() < 0.1:
        right = one_sided(right, draw)
    if draw.random() < 0.1 and left.players[0] != left.players[1]:
        right = seats_swapped(right)
    return Pair(seed, _read(left, tools[0], "left"), _read(right, tools[1], "right"))


def third(pair: Pair) -> list[Analysis]:
    """The pair and a third analysis of the match: the left one with other errors, said to be by another program."""
    draw = Random(~pair.seed)
    left = pair.left
    error = left.plays.stored_error.copy()
    error[:: draw.choice((1, 2, 3))] *= draw.choice((0.5, 1.0, 3.0))
    tool = draw.choice(("eXtreme Gammon", "GNU Backgammon", "BGBlitz"))
    other = replace(
        left,
        source=replace(left.source, tool=tool, path="third.xg"),
        plays=left.plays.replaced(stored_error=error),
    )
    return [pair.left, pair.right, other]


def seeds(count: int, seed: int) -> range:
    """The seeds of so many pairs, the same ones for the same seed."""
    return range(seed * 1_000_003, seed * 1_000_003 + count)
