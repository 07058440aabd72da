"""Short `.sgf` files of gnuBG put together by hand from a root, plays and analyses, and what our
reader makes of them."""

from __future__ import annotations

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats.gnubg import read as read_sgf
from reconcile.formats.gnubg import writer
from reconcile.match.match import Match
from reconcile.scoring.statistics import Statistics, statistics

ANN, BEN = 0, 1
"""White is seat 0, Black seat 1."""


def root(
    number: int = 0,
    length: int = 5,
    score: tuple[int, int] = (0, 0),
    rules: str = "Crawford",
    more: str = "",
) -> str:
    """The beginning of a game up to its first move; the parenthesis is left open."""
    start = writer.root(number, length, score, ("Ann", "Ben"), [rules], program=writer.GNUBG)
    return f"({start}{more}"


def scored(play: str, equity: object, plies: str = "2C") -> str:
    """A candidate of a play with its equity."""
    return f"[{play} E ver 3 0.55 0.2 0.01 0.1 0.005 {equity} {plies} 0 1 0.000000 1]"


def cube(no_double: object, double_take: object) -> str:
    """The analysis of a cube decision."""
    chances = "0.5 0.1 0.0 0.1 0.0 0.0"
    return f"DA[E ver 3 2C 1 0.000000 1 {chances} {no_double} {chances} {double_take}]"


POINT, SPLIT = "hefe", "xufe"
ANN_31 = f"\n;W[31{POINT}]A[0]{scored(POINT, 0.25)}{scored(SPLIT, 0.125)}LU[0.1]GW[1]"
BEN_31 = f"\n;B[31qtst]A[1]{scored('adst', 0.5)}{scored('qtst', 0.375)}LU[-0.2]"
"""Each player's opening 31, analysed."""


def read(text: str | bytes) -> Match:
    """The match in a file of this text."""
    return read_sgf("ann.sgf", text if isinstance(text, bytes) else text.encode())


def score(text: str | bytes) -> Statistics:
    """Its statistics under gnuBG's rules."""
    return statistics(read(text), "gnubg")


def codes(match: Match) -> list[str]:
    """The codes of what the reader noted."""
    return [note.code for note in match.notes]


def refused(text: str | bytes) -> str:
    """The one line with which a file of this text is refused."""
    with pytest.raises(UnreadableFile) as caught:
        statistics(read(text))
    message = str(caught.value)
    assert message.startswith("ann.sgf: ")
    assert "\n" not in message
    return message
