"""Writes a match made of plain values with its analysis as gnuBG saves it (SGF).

    write(match) -> bytes

Of the plain values of `written` a file of gnuBG keeps the plays, the scores of the alternatives,
the luck and the cube. What `no_double` and `double_take` hold is written as it is, whatever its
unit.
"""

from reconcile.formats.gnubg.writer import (
    DOUBLED,
    PASSED,
    TAKEN,
    acted,
    letters,
    result,
    rolled,
    root,
    tree,
)
from tests.support.small_sgf import GNUBG
from tests.support.written import Double, Take

CHANCES = "0.500000 0.100000 0.010000 0.100000 0.010000"
RESIGNED = 100


def write(match):
    """The bytes of an `.sgf` file."""
    games = []
    for number, game in enumerate(match.games):
        ending = game.ending
        head = root(
            number,
            match.length,
            game.score,
            match.players,
            [
                "Crawford" * (match.length is not None),
                "CrawfordGame" * game.crawford,
                "Jacoby" * match.jacoby,
            ],
            result=result(ending.winner - 1, ending.points, resigned=ending.termination >= RESIGNED)
            if ending
            else None,
            event=match.event,
            program=GNUBG,
        )
        games.append(tree(head, (f"\n{node}" for turn in game.turns for node in _turn(turn))))
    return "".join(games).encode()


def _turn(turn):
    seat, cube = turn.player - 1, turn.cube
    analysis = ""
    if cube.no_double is not None and cube.double_take is not None:
        values = (
            f"{CHANCES} 0.000000 {value.equity!r}" for value in (cube.no_double, cube.double_take)
        )
        analysis = f"DA[E ver 3 2C 1 0.000000 1 {' '.join(values)}]"
    if cube.double == Double.YES:
        yield acted(seat, DOUBLED) + analysis
        if cube.take == Take.BEAVER:  # a double while one is pending; the doubler takes it
            yield acted(1 - seat, DOUBLED)
            yield acted(seat, TAKEN)
        else:
            yield acted(1 - seat, TAKEN if cube.take == Take.TAKE else PASSED) + analysis
        analysis = ""
    if turn.move is not None:
        yield _move(seat, turn.move, analysis)


def _move(seat, move, analysis):
    if not move.was_played:
        return rolled(seat, move.dice, None)
    played = move.candidates[move.played].play if move.played is not None else move.play
    listed = [
        f"[{letters(seat, candidate.play)} E ver 3 {CHANCES} {candidate.evaluation.equity!r} 2C 0 "
        "1 0.000000 1]"
        for candidate in move.candidates
        if candidate.play
    ]
    alternatives = (
        f"A[{len(listed) if move.played is None else move.played}]{''.join(listed)}"
        if listed
        else ""
    )
    return f"{rolled(seat, move.dice, played or ())}{analysis}{alternatives}LU[{move.luck!r}]"
