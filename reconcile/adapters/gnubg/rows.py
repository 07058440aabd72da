"""The rows of a match while its games are read: a tuple per row, in the order of the columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from reconcile.adapters.gnubg import analysis
from reconcile.match import Level

CUBE_COLUMNS: Final = (
    "game", "turn", "player", "kind", "cube", "owner", "access", "recount_access", "answers_beaver", "expected", "analysed",
    "no_double", "double_take", "level",
)  # fmt: skip


PLAY_COLUMNS: Final = (
    "game", "turn", "player", "first", "second", "cube", "owner", "validity", "legal", "moved", "best", "played", "luck", "luck_mark",
    "level",
)  # fmt: skip


def side(owner: int, seat: int) -> int:
    """The owner of the cube (-1 nobody) in a seat's view: 1 this player, 0 nobody, -1 the opponent."""
    return 0 if owner < 0 else 1 if owner == seat else -1


@dataclass(slots=True)
class Rows:
    """The rows of a match while they are collected, a tuple per row in the order of `PLAY_COLUMNS` or `CUBE_COLUMNS`."""

    plays: list[tuple[Any, ...]] = field(default_factory=list)
    actions: list[tuple[Any, ...]] = field(default_factory=list)
    responses: list[tuple[Any, ...]] = field(default_factory=list)
    play_nodes: list[int] = field(default_factory=list)
    """Index of the node of every row of `plays` in its game."""
    action_nodes: list[int] = field(default_factory=list)
    response_nodes: list[int] = field(default_factory=list)
    located: int = 0
    """Number of alternatives that were played on the board to see where they lead."""
    set_up: int = 0
    """Number of positions set up by hand that were replayed."""
    levels: dict[bytes, int] = field(default_factory=dict)
    """Analysis depth as written -> index of its level."""
    damaged: dict[str, int] = field(default_factory=dict)
    """What could not be read, and how often."""

    def level(self, depth: bytes) -> int:
        """Index of a level, created on first use."""
        return self.levels.setdefault(depth, len(self.levels))

    def level_table(self) -> tuple[Level, ...]:
        """The levels by index."""
        return tuple(map(analysis.level, self.levels))
