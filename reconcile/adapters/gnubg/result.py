"""Who won a game and how many points: as its root says, unless its nodes say otherwise."""

from __future__ import annotations

from reconcile.adapters.gnubg import replay
from reconcile.adapters.gnubg.collection import Node, value
from reconcile.adapters.gnubg.root import Root


def find_result(root: Root, nodes: list[Node], board: replay.Board | None, cube: int, *, centred: bool) -> None:
    """Correct the result of a root as gnuBG does, given the last board and the last cube."""
    root.cube = cube
    if root.resigned:
        root.points = cube * min(max(root.points // cube, 1), 3)
    last = next((node for node in reversed(nodes) if b"W" in node or b"B" in node), {})
    for key, seat in ((b"W", 0), (b"B", 1)):
        if value(last, key) == b"drop":
            root.winner, root.points, root.resigned = 1 - seat, cube, False
            return
    for seat in (0, 1):
        if board is not None and not any(board[seat]):
            level = 1 if root.rules.jacoby and not root.length and centred else gammon_level(board[1 - seat], root)
            root.winner, root.points, root.resigned = seat, cube * level, False


def gammon_level(loser: bytearray, root: Root) -> int:
    """1 for a single game, 2 for a gammon, 3 for a backgammon."""
    if sum(loser) < sum(replay.STARTS[root.rules.variation].values()):
        return 1
    return 3 if any(loser[18:]) else 2
