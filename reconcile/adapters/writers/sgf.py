"""Writes a match as gnuBG saves it: the counterpart of the reader, and independent of it.

    write(match) -> bytes

Takes the plain values of `match`, of which a file of gnuBG keeps the plays, the scores of the alternatives, the luck and the cube. What
`no_double` and `double_take` hold is written as it is, whatever its unit.
"""

from __future__ import annotations

from collections.abc import Iterator

from reconcile.adapters.writers.match import Double, Ending, Game, Match, Move, Play, Take, Turn

BAR, OFF = 25, 0
COLOURS = {1: "W", 2: "B"}
CHANCES = "0.500000 0.100000 0.010000 0.100000 0.010000"
RESIGNED = 100


def write(match: Match) -> bytes:
    """The bytes of an `.sgf` file."""
    return "".join(f"({''.join(_nodes(match, number, game))})\n" for number, game in enumerate(match.games)).encode()


def letters(player: int, play: Play) -> str:
    """A play as gnuBG spells it: both players' points from White's side of the board."""

    def letter(point: int) -> str:
        if point in (BAR, OFF):
            return "y" if point == BAR else "z"
        return chr(ord("a") + point - 1) if player == 1 else chr(ord("x") - point + 1)

    return "".join(letter(point) for step in play for point in step)


def _nodes(match: Match, number: int, game: Game) -> Iterator[str]:
    white, black = match.players
    rules = ["Crawford" * (match.length is not None), "CrawfordGame" * game.crawford, "Jacoby" * match.jacoby]
    yield (
        f";FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[length:{match.length or 0}][game:{number}]"
        f"[ws:{game.score[0]}][bs:{game.score[1]}]"
        f"PW[{white}]PB[{black}]{f'EV[{match.event}]' if match.event else ''}RU[{':'.join(filter(None, rules))}]{_result(game.ending)}"
    )
    for turn in game.turns:
        yield from _turn(turn)


def _result(ending: Ending | None) -> str:
    if ending is None:
        return ""
    return f"RE[{COLOURS[ending.winner]}+{ending.points}{'R' * (ending.termination >= RESIGNED)}]"


def _turn(turn: Turn) -> Iterator[str]:
    colour, cube = COLOURS[turn.player], turn.cube
    analysis = ""
    if cube.no_double is not None and cube.double_take is not None:
        values = (f"{CHANCES} 0.000000 {value.equity!r}" for value in (cube.no_double, cube.double_take))
        analysis = f"DA[E ver 3 2C 1 0.000000 1 {' '.join(values)}]"
    if cube.double == Double.YES:
        yield f"\n;{colour}[double]{analysis}"
        if cube.take == Take.BEAVER:  # a double while one is pending; the doubler takes it
            yield f"\n;{COLOURS[3 - turn.player]}[double]\n;{colour}[take]"
        else:
            yield f"\n;{COLOURS[3 - turn.player]}[{'take' if cube.take == Take.TAKE else 'drop'}]{analysis}"
        analysis = ""
    if turn.move is not None:
        yield _move(turn.player, turn.move, analysis)


def _move(player: int, move: Move, analysis: str) -> str:
    dice = f"{move.dice[0]}{move.dice[1]}"
    if not move.was_played:
        return f"\n;PL[{COLOURS[player]}]DI[{dice}]"
    made = move.candidates[move.played].play if move.played is not None else move.play
    listed = [
        f"[{letters(player, one.play)} E ver 3 {CHANCES} {one.evaluation.equity!r} 2C 0 1 0.000000 1]"
        for one in move.candidates
        if one.play
    ]
    alternatives = f"A[{len(listed) if move.played is None else move.played}]{''.join(listed)}" if listed else ""
    return f"\n;{COLOURS[player]}[{dice}{letters(player, made or ())}]{analysis}{alternatives}LU[{move.luck!r}]"
