"""The parts of a game record as gnuBG saves it (SGF). Seat 0 is White."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_lowercase
from types import MappingProxyType

from reconcile.match.board.play import OFF, Play
from reconcile.match.board.position import BAR, Counts

COLOURS = ("W", "B")
"""By seat."""
DOUBLED = "double"
TAKEN = "take"
PASSED = "drop"


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


def set_up(board: Counts) -> str:
    """The properties that place all checkers by hand, of a position in seat 0's view."""
    points = f"y{ascii_lowercase[:BAR]}"  # either bar has the last letter
    placed = (
        "".join(f"[{point}]" * (sign * count) for point, count in zip(points, board, strict=True))
        for sign in (1, -1)
    )
    return "AE[a:y]" + "".join(
        f"A{colour}{letters}" for colour, letters in zip(COLOURS, placed, strict=True) if letters
    )


def escaped(text: str) -> str:
    """A text as a value."""
    plain = "".join(letter for letter in text if letter.isprintable() or letter == "\n")
    return re.sub(r"([\]\\])", r"\\\1", plain)
