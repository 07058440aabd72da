"""Writes games as gnuBG saves them (SGF): a match made of plain values with its analysis, and the
parts of any record.

    write(match) -> bytes

Of the plain values of `written` a file of gnuBG keeps the plays, the scores of the alternatives,
the luck and the cube. What `no_double` and `double_take` hold is written as it is, whatever its
unit. Seat 0 is White.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from reconcile.formats.written import Double, Move, Take, Turn, WrittenMatch
from reconcile.match.board.play import OFF, Play
from reconcile.match.board.position import BAR

COLOURS: Final = ("W", "B")
"""By seat."""
GNUBG: Final = "GNU Backgammon:1.07.001"
DOUBLED: Final = "double"
TAKEN: Final = "take"
PASSED: Final = "drop"
CHANCES: Final = "0.500000 0.100000 0.010000 0.100000 0.010000"
RESIGNED: Final = 100


def write(match: WrittenMatch) -> bytes:
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


def tree(head: str, nodes: Iterable[str]) -> str:
    """One game."""
    return f"({head}{''.join(nodes)})\n"


def root(
    number: int,
    length: int | None,
    score: Sequence[int],
    players: Sequence[str],
    rules: Iterable[str],
    *,
    result: str | None = None,
    event: str = "",
    automatic_doubles: int = 0,
    program: str = "",
    facts: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The first node of a game; `number` counts from 0, empty `rules` and `facts` (by property) are
    left out."""
    return "".join(
        (
            f";FF[4]GM[6]CA[UTF-8]{f'AP[{program}]' if program else ''}",
            f"MI[length:{length or 0}][game:{number}][ws:{score[0]}][bs:{score[1]}]",
            *(name_of(seat, player) for seat, player in enumerate(players)),
            *(f"{key}[{escaped(text)}]" for key, text in {"EV": event, **facts}.items() if text),
            f"RU[{':'.join(filter(None, rules))}]",
            f"CV[{1 << automatic_doubles}]" if automatic_doubles else "",
            f"RE[{result}]" if result else "",
        )
    )


def name_of(seat: int, name: str) -> str:
    """The property with a player's name."""
    return f"P{COLOURS[seat]}[{escaped(name)}]"


def result(winner: int, points: int, *, resigned: bool) -> str:
    """The result of a game, for its root."""
    return f"{COLOURS[winner]}+{points}{'R' * resigned}"


def acted(seat: int, word: str) -> str:
    """A cube action."""
    return f";{COLOURS[seat]}[{word}]"


def rolled(seat: int, dice: Iterable[int], play: Play | None) -> str:
    """A roll with its play, in single steps; `None` for one that was not played."""
    letter, numbers = COLOURS[seat], "".join(map(str, dice))
    return (
        f";PL[{letter}]DI[{numbers}]"
        if play is None
        else f";{letter}[{numbers}{letters(seat, play)}]"
    )


def letters(seat: int, play: Play) -> str:
    """A play as gnuBG spells it: both players' points from White's side of the board."""

    def letter(point: int) -> str:
        if point in (BAR, OFF):
            return "y" if point == BAR else "z"
        return chr(ord("a") + (point - 1 if seat == 0 else BAR - 1 - point))

    return "".join(letter(point) for step in play for point in step)


def escaped(text: str) -> str:
    """A text as a value."""
    plain = "".join(letter for letter in text if letter.isprintable() or letter == "\n")
    return re.sub(r"([\]\\])", r"\\\1", plain)


def _turn(turn: Turn) -> Iterator[str]:
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


def _move(seat: int, move: Move, analysis: str) -> str:
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
