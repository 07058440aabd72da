"""Short `.sgf` files of gnuBG put together by hand from a root, plays and analyses, and what our
reader makes of them."""

from reconcile.formats.gnubg import read as read_sgf
from reconcile.formats.gnubg import writer

GNUBG = "GNU Backgammon:1.07.001"
ANN, BEN = 0, 1
"""White is seat 0, Black seat 1."""


def root(
    number=0,
    length=5,
    score=(0, 0),
    rules="Crawford",
    more="",
):
    """The beginning of a game up to its first move; the parenthesis is left open."""
    start = writer.root(number, length, score, ("Ann", "Ben"), [rules], program=GNUBG)
    return f"({start}{more}"


def scored(play, equity):
    """A candidate of a play with its equity."""
    return f"[{play} E ver 3 0.55 0.2 0.01 0.1 0.005 {equity} 2C 0 1 0.000000 1]"


def cube(no_double, double_take):
    """The analysis of a cube decision."""
    chances = "0.5 0.1 0.0 0.1 0.0 0.0"
    return f"DA[E ver 3 2C 1 0.000000 1 {chances} {no_double} {chances} {double_take}]"


POINT, SPLIT = "hefe", "xufe"
ANN_31 = f"\n;W[31{POINT}]A[0]{scored(POINT, 0.25)}{scored(SPLIT, 0.125)}LU[0.1]GW[1]"
BEN_31 = f"\n;B[31qtst]A[1]{scored('adst', 0.5)}{scored('qtst', 0.375)}LU[-0.2]"
"""Each player's opening 31, analysed."""


def read(text):
    """The match in a file of this text."""
    return read_sgf("ann.sgf", text if isinstance(text, bytes) else text.encode())


def codes(match):
    """The codes of what the reader noted."""
    return [note.code for note in match.notes]
