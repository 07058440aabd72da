"""What most readers do alike: the rows of a match, collected decision by decision, and the columns made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from reconcile.columns import Bools, Games, Ints
from reconcile.files.wording import NOTED
from reconcile.match import Note

NOBODY: Final = -1
"""Where a seat is expected."""
NAN: Final = float("nan")

Row = tuple[Any, ...]


@dataclass(slots=True)
class Rows:
    """The rows of a match while its games are read, a tuple per row in the order that its reader gives the columns."""

    plays: list[Row] = field(default_factory=list)
    actions: list[Row] = field(default_factory=list)
    responses: list[Row] = field(default_factory=list)
    levels: dict[Any, int] = field(default_factory=dict)
    """Level as the file has it -> its index."""

    def level(self, written: Any) -> int:
        """Index of a level, created on first use."""
        return self.levels.setdefault(written, len(self.levels))


def side(owner: int, seat: int) -> int:
    """The owner of the cube in a seat's view: 1 this player, 0 nobody, -1 the opponent."""
    return 0 if owner == NOBODY else 1 if owner == seat else -1


def by_name(names: Sequence[str], rows: list[Row]) -> dict[str, Sequence[Any]]:
    """The values of rows by column; rows may have more values than there are names."""
    return dict(zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=False))


def column(values: Sequence[Any], kind: type[np.generic]) -> Any:
    """Numbers as an array; takes half the time of `np.array`, which first checks the type of each."""
    return np.fromiter(values, kind, len(values))


def columns(given: dict[str, Sequence[Any]], kind: type[np.generic], *names: str) -> dict[str, Any]:
    """Columns of one kind of number."""
    return {name: column(given[name], kind) for name in names}


def in_analysed_games(game: Ints, evaluated: Bools) -> Bools:
    """Whether the game of each play has an evaluated one.

    A play without a choice needs no evaluation: it counts as analysed if its game was.
    """
    analysed = np.zeros(int(game.max(initial=NOBODY)) + 1, bool)
    analysed[game[evaluated]] = True
    found: Bools = analysed[game]
    return found


def game_columns(games: Sequence[Any], **others: Callable[[Any], Any]) -> Games:
    """The attributes of games that have the names of columns, or what `others` make of a game; on first use, since most are not needed."""

    def made(name: str) -> Callable[[], Any]:
        value = others.get(name)
        return lambda: np.array([value(game) if value else getattr(game, name) for game in games])

    return Games(len(games), {name: made(name) for name in Games.names()})


def is_complete(length: int | None, score: Sequence[int], winner: int, points: int) -> bool:
    """Whether a match has its winner, given its last game: the score before it, who won it and what."""
    return winner != NOBODY and (length is None or score[winner] + points >= length)


def missing_games(numbers: Iterable[int], of: str, where: str) -> list[Note]:
    """A note with the first games before the last that are missing, given the numbers (from 0) of those that are not."""
    present = {number for number in numbers if number >= 0}
    total = max(present, default=NOBODY) + 1
    left = total - len(present)
    if not left:
        return []
    named = [str(number + 1) for number in range(min(total, len(present) + NOTED)) if number not in present][:NOTED]
    more = f" and {left - len(named)} more" if left > len(named) else ""
    return [Note("games-missing", f"game {', '.join(named)}{more} of {of}{total} not in the {where}")]
