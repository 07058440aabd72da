"""Nodes that gnuBG reads and never writes: it makes something else of them than their properties say, or what is left to chance.

A file with such a node was damaged or edited, and its figures may differ from those that gnuBG shows. Each is noted, none is imitated.
"""

from __future__ import annotations

import math
import re
from typing import Final

from reconcile.adapters.gnubg import replay
from reconcile.adapters.gnubg.collection import Node, value

ACTIONS: Final = frozenset((b"W", b"B"))
SETTINGS: Final = frozenset((b"AE", b"AW", b"AB", b"CV", b"CP", b"DI"))
"""What sets the board, the cube or the dice; gnuBG writes each to a node of its own."""
NOT_IN_ROOT: Final = ACTIONS | SETTINGS - {b"CV"}
RESULT: Final = re.compile(rb"[BW]\+\d{1,6}R?")


def of_root(root: Node) -> list[str]:
    """What is odd about the root of a game."""
    found = []
    if not NOT_IN_ROOT.isdisjoint(root):
        found.append("a play, a cube action or a position in the root of the game, where gnuBG reads none")
    result = value(root, b"RE")
    if result[:1].upper() in (b"B", b"W") and not RESULT.fullmatch(result):
        found.append("a result that is not written as W+1 or B+2R")
    return found


def of_settings(node: Node) -> str:
    """What is odd about a node with one of `SETTINGS`; empty if nothing is."""
    if not ACTIONS.isdisjoint(node):
        return "the dice, the cube or the position set in the node of a play or cube action, which gnuBG may leave out"
    if b"DI" in node and (replay.is_set_up(node) or len(value(node, b"DI")) < 2):
        return "dice that are incomplete or set together with a position, of which gnuBG reads one or neither"
    return ""


def is_infinite(luck: bytes) -> bool:
    """Whether luck without a finite value is one that gnuBG adds up all the same; it writes `-inf` if it computed none."""
    return float(luck) == math.inf
