"""Files made to cost: those beyond a limit of the readers, and those that are large and say
nothing."""

from __future__ import annotations

from collections.abc import Callable

from reconcile.formats.gnubg import collection, game
from reconcile.formats.mat import lines

ROOT = "(;FF[4]GM[6]MI[length:7][game:0][ws:0][bs:0]PW[Ann]PB[Ben]"
PLAY = ";B[31hefe]"
ELSEWHERE = "[abcd E ver 3 .5 .1 0 .1 0 .01 2C 0 1]"

REFUSED: dict[str, tuple[Callable[[], str], str]] = {
    "nodes": (lambda: ROOT + ";" * (collection.MOST_NODES + 1) + ")", "at most 15000 nodes"),
    "nodes over many games": (
        lambda: "".join(
            f"(;GM[6]MI[length:7][game:{number}]" + PLAY * 9 + ")"
            for number in range(collection.MOST_NODES // 10 + 1)
        ),
        "at most 15000 nodes",
    ),
    "parentheses": (lambda: ROOT + "(;" * 2000 + ")", "at most 1000 nested variations"),
    "subtrees": (
        lambda: ROOT + "(;)" * (collection.MOST_WORDS // 3 + 1) + ")",
        "at most 500000 words",
    ),
    "words": (lambda: ROOT + ") " * (collection.MOST_WORDS + 1), "at most 500000 words"),
    "properties": (
        lambda: ROOT + "A[]" * (collection.MOST_PROPERTIES + 1) + ")",
        "at most 500000 properties",
    ),
    "brackets": (
        lambda: ROOT + "]" * (collection.MOST_PROPERTIES + 1) + ")",
        "at most 500000 properties",
    ),
    "escaped brackets": (
        lambda: ROOT + "C[" + "\\]" * (collection.MOST_PROPERTIES + 1) + "])",
        "at most 500000 properties",
    ),
    "alternatives that are not the play": (
        lambda: ROOT + (PLAY + "A[0]" + ELSEWHERE * 1000) * (game.MOST_LOCATED // 1000 + 1) + ")",
        "found 100000 others before them",
    ),
    "positions set up by hand": (
        lambda: ROOT + ";AE[a:y]AW[a][b]" * (game.MOST_SET_UP + 1) + ")",
        "at most 2000 positions set up by hand",
    ),
    "values that are never closed": (
        lambda: "(;GM[6]" + "A[" * 2_500_000,
        "the last value has no closing bracket",
    ),
    "blanks behind a property": (
        lambda: "(;GM[6]A" + " " * 5_000_000,
        "game 1 has no closing parenthesis",
    ),
    "backslashes": (
        lambda: "(;GM[6]A[" + "\\" * 5_000_000,
        "the last value has no closing bracket",
    ),
    "empty values": (lambda: "(;GM[6]A" + "[]" * 2_500_000, "game 1 has no closing parenthesis"),
    "games": (lambda: "(;GM[6]MI[length:7])" * (collection.MOST_GAMES + 1), "at most 10000 games"),
    "lines": (
        lambda: " 7 point match\n Game 1\n Ann : 0   Ben : 0\n" + "q\n" * lines.MOST_LINES,
        "at most 50000 lines",
    ),
    "rolls": (
        lambda: " 7 point match\n Game 1\n Ann : 0   Ben : 0\n" + "1) 31: 31:\n" * lines.MOST_CELLS,
        "at most 10000 rolls",
    ),
}
"""Files beyond a limit, and what is said of it."""

LARGE: dict[str, Callable[[], str]] = {
    "value": lambda: ROOT + ";C[" + "x" * 10**7 + "])",
    "name": lambda: ROOT.replace("Ann", "\\]" * 200_000) + ")",
    "blanks before a number": lambda: ROOT + ";CV[" + " " * 10**7 + "])",
    "letters of a play": lambda: ROOT + ";B[31" + "ab" * 10**6 + "]A[0]" + ELSEWHERE + ")",
    "values of one property": lambda: ROOT + ";AE" + "[a:y]" * 10**6 + ")",
    "capitals of a name": lambda: ROOT + ";" + "A" * 10**7 + "[])",
    "brackets in a value": lambda: ROOT + ";C[" + "[" * 5_000_000 + "])",
    "alternatives": lambda: ROOT + PLAY + "A[0]" + ELSEWHERE * 40_000 + ")",
    "values of MI": lambda: "(;GM[6]MI[length:7]" + "[ws:1]" * 10**6 + ")",
}
"""Files that are read whole, since what is large in them is passed over."""
