"""Turn a match that GNU Backgammon analysed and saved (.sgf) into what `reconcile.formats.xg.writer` writes.

A small reader of its own, so that the demonstration does not rest on the product's. It takes files as GNU
Backgammon 1.07 writes them: no variations, no set-up positions, evaluations (no rollouts), match play.

What differs between the two programs and is bridged here:

* gnuBG keeps cube equities as match winning chances; XG keeps them normalised to the cube (EMG).
* gnuBG lists every play; XG keeps ten and the played one.
* gnuBG gives a dance no evaluation; XG gives it one. It is taken from the opponent's next turn, and counts nowhere.
* Neither a dead cube nor one without access is analysed by gnuBG; both are written as "no access".
* gnuBG's n-ply is XG's (n+1)-ply, whose code is n.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from reconcile.formats.written import (
    Candidate,
    Cube,
    Double,
    Ending,
    Evaluation,
    Game,
    Move,
    Take,
    Termination,
    Turn,
    WrittenMatch,
)
from reconcile.match.board.play import Play
from reconcile.match.board.position import START, Counts, swap

KEPT = 10
"""XG keeps this many candidates, and the played one."""
OFF, BAR = 0, 25

Node = dict[str, list[str]]
Table = tuple[list[list[float]], list[float]]
"""WrittenMatch winning chances by away scores, counted from 0: before the Crawford game, and the trailer's after it."""

PROPERTY = re.compile(r"([A-Z]{1,2})((?:\s*\[(?:\\.|[^\]\\])*\])+)")
VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)


def nodes_of(tree: str) -> list[Node]:
    """The nodes of one game."""
    return [
        {name: VALUE.findall(values) for name, values in PROPERTY.findall(node)}
        for node in _split(tree, ";")
    ]


def _split(text: str, mark: str) -> Iterator[str]:
    """The parts of the text after each mark that stands outside brackets."""
    bare = re.sub(
        r"\[((?:\\.|[^\]\\])*)\]",
        lambda value: "[" + "_" * len(value[1]) + "]",
        text,
        flags=re.DOTALL,
    )
    starts = [index for index, char in enumerate(bare) if char == mark]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield text[start + 1 : end]


@dataclass(frozen=True, slots=True)
class Score:
    """The stakes of a game for the conversion of match winning chances; players are 0 and 1."""

    away: tuple[int, int]
    crawford: bool
    table: Table

    def chance(self, player: int, winner: int, points: int) -> float:
        """`player`'s match winning chance once `winner` has won `points`."""
        after = [self.away[side] - (points if side == winner else 0) for side in (0, 1)]
        if min(after) <= 0:
            return 1.0 if player == winner else 0.0
        before_crawford, after_crawford = self.table
        if not self.crawford and min(self.away) > 1:
            return before_crawford[after[player] - 1][after[1 - player] - 1]
        if after[player] == 1:
            return 1.0 - after_crawford[after[1 - player] - 1]
        return after_crawford[after[player] - 1]

    def equity(self, chance: float, player: int, cube: int) -> float:
        """A match winning chance as an equity: 1 is winning the cube, -1 losing it."""
        win, lose = self.chance(player, player, cube), self.chance(player, 1 - player, cube)
        return (2 * chance - win - lose) / (win - lose)


def match_from_sgf(text: str, table: Table) -> WrittenMatch:
    """The match an `.sgf` of GNU Backgammon holds, as XG would keep that analysis."""
    games = [nodes_of(tree) for tree in _split(text, "(")]
    root = games[0][0]
    length = int(_info(root)["length"])
    return WrittenMatch(
        players=(root["PW"][0].replace("_", " "), root["PB"][0].replace("_", " ")),
        length=length,
        games=tuple(_game(nodes, length, table) for nodes in games),
        date=datetime.fromisoformat(root["DT"][0]),
    )


def _info(root: Node) -> dict[str, str]:
    return dict(value.split(":", 1) for value in root["MI"])


def _game(nodes: list[Node], length: int, table: Table) -> Game:
    root, *played = nodes
    info = _info(root)
    points_won = (int(info["ws"]), int(info["bs"]))
    crawford = "CrawfordGame" in root["RU"][0]
    score = Score((length - points_won[0], length - points_won[1]), crawford, table)
    reader = _Reader(score)
    for node in played:
        reader.read(node)
    ending = _ending(root["RE"][0], reader)
    if ending.termination > 100 and reader.next_player != ending.winner - 1:
        reader.turns.append(Turn(3 - ending.winner, reader.position, reader.unused_cube()))
    return Game(tuple(_with_dances(reader.turns)), points_won, ending, crawford)


def _ending(result: str, reader: _Reader) -> Ending:
    winner = 1 if result[0] == "W" else 2
    resigned = result.endswith("R")
    points = int(result[2:].rstrip("R"))
    if resigned:
        return Ending(winner, points, 100 + points // reader.cube, 0.0, 0.0)
    passed = bool(reader.turns) and reader.turns[-1].move is None
    return Ending(winner, points, Termination.PASS if passed else points // reader.cube)


class _Reader:
    """Replays a game node by node."""

    def __init__(self, score: Score) -> None:
        self.score = score
        self.position: Counts = START
        self.next_player = -1
        self.cube = 1
        self.owner: int | None = None
        self.double: Cube | None = None
        self.turns: list[Turn] = []

    def read(self, node: Node) -> None:
        """A double, an answer, or a roll and its play."""
        player = 0 if "W" in node else 1
        action = node["W" if player == 0 else "B"][0]
        if action == "double":
            self.double = self._cube(node, player, Double.YES)
        elif action in ("take", "drop"):
            self._answer(player, taken=action == "take")
        else:
            self._roll(node, player, action)

    def unused_cube(self) -> Cube:
        """The cube record of a turn on which the other had resigned before the roll."""
        has_access = self.owner in (None, self.next_player) and not self.score.crawford
        return Cube(Double.ENDED_BEFORE if has_access else Double.NO_ACCESS)

    def _answer(self, player: int, *, taken: bool) -> None:
        if self.double is None:
            raise ValueError("an answer without a double")
        self.double = replace(self.double, take=Take.TAKE if taken else Take.PASS)
        if taken:
            self.cube *= 2
            self.owner = player
        else:
            self.turns.append(Turn(2 - player, self.position, self.double))

    def _roll(self, node: Node, player: int, action: str) -> None:
        cube = self.double or self._cube(node, player, Double.NO)
        move = _move(node, player, action, self.position)
        self.turns.append(Turn(player + 1, self.position, cube, move))
        self.position = swap(_after(self.position, _play(action[2:], player)))
        self.next_player, self.double = 1 - player, None

    def _cube(self, node: Node, player: int, double: Double) -> Cube:
        if "DA" not in node:
            return Cube()
        words = node["DA"][0].split()
        numbers = [float(word) for word in words[7:21]]
        no_double, double_take = (
            _evaluation(block, self.score.equity(block[6], player, self.cube))
            for block in (numbers[:7], numbers[7:])
        )
        return Cube(double, no_double=no_double, double_take=double_take, level=_plies(words[3]))


def _move(node: Node, player: int, action: str, before: Counts) -> Move:
    dice = (int(action[0]), int(action[1]))
    luck = float(node["LU"][0]) if "LU" in node else 0.0
    if "A" not in node:
        return Move(
            dice, (Candidate((), before, _evaluation([0.5, 0, 0, 0, 0], 0.0), 0),), luck=luck
        )
    candidates = [_candidate(alternative, player, before) for alternative in node["A"][1:]]
    after = _after(before, _play(action[2:], player))
    played = next(
        index for index, candidate in enumerate(candidates) if candidate.position == after
    )
    kept = candidates[:KEPT] + ([candidates[played]] if played >= KEPT else [])
    best = candidates[0].evaluation.equity
    return Move(dice, tuple(kept), min(played, KEPT), luck=luck, equity_before_roll=best - luck)


def _candidate(alternative: str, player: int, before: Counts) -> Candidate:
    words = alternative.split()
    play = _play(words[0], player)
    equity = float(words[9])
    return Candidate(
        play,
        _after(before, play),
        _evaluation([float(word) for word in words[4:9]], equity),
        _plies(words[10]),
    )


def _plies(word: str) -> int:
    """`2C`: two plies, cubeful."""
    return int(word.rstrip("C"))


def _evaluation(chances: list[float], equity: float) -> Evaluation:
    """From gnuBG's five: win, gammon win, backgammon win, gammon loss, backgammon loss."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances[:5]
    return Evaluation(
        lose_backgammon, lose_gammon, 1 - win, win, win_gammon, win_backgammon, equity
    )


def _seen_by_the_other(seen: Evaluation) -> Evaluation:
    return Evaluation(
        seen.win_backgammon,
        seen.win_gammon,
        seen.win,
        seen.lose,
        seen.lose_gammon,
        seen.lose_backgammon,
        -seen.equity,
    )


def _play(letters: str, player: int) -> Play:
    points = [_point(letter, player) for letter in letters]
    return tuple(zip(points[::2], points[1::2], strict=True))


def _point(letter: str, player: int) -> int:
    if letter == "y":
        return BAR
    if letter == "z":
        return OFF
    return ord(letter) - ord("a") + 1 if player == 0 else ord("x") - ord(letter) + 1


def _after(before: Counts, play: Play) -> Counts:
    """The position after a play, still seen by the player who made it."""
    counts = list(before)
    for source, target in play:
        counts[source] -= 1
        if target == OFF:
            continue
        if counts[target] == -1:
            counts[target] = 0
            counts[0] -= 1
        counts[target] += 1
    return tuple(counts)


def _with_dances(turns: list[Turn]) -> list[Turn]:
    """The same turns, each dance evaluated by what is known of the opponent's chances before his next roll."""
    known: list[Turn] = []
    for turn in reversed(turns):
        known.append(
            _evaluated(turn, known[-1])
            if known and turn.move and not turn.move.candidates[0].play
            else turn
        )
    return known[::-1]


def _evaluated(turn: Turn, following: Turn) -> Turn:
    seen, level = _before_roll(following)
    if turn.move is None or seen is None:
        return turn
    evaluation = _seen_by_the_other(seen)
    candidate = replace(turn.move.candidates[0], evaluation=evaluation, level=level)
    return replace(
        turn,
        move=replace(
            turn.move,
            candidates=(candidate,),
            equity_before_roll=evaluation.equity - turn.move.luck,
        ),
    )


def _before_roll(turn: Turn) -> tuple[Evaluation | None, int]:
    """The roller's chances before the roll: the cube analysis, or else the best play's with the luck taken off its equity."""
    if turn.cube.no_double is not None:
        return turn.cube.no_double, turn.cube.level
    if turn.move is None:
        return None, 0
    best = turn.move.candidates[0]
    return replace(best.evaluation, equity=turn.move.equity_before_roll), best.level
