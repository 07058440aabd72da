"""The rows of a match while it is read, one tuple a decision, and the columns made of them: what
every reader does alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np

from reconcile.match.columns import WIDTHS, Bools, Games, Ints, Resignations, unscored_resignations
from reconcile.match.match import Note
from reconcile.wording import NOTED, summary

NOBODY: Final = -1
"""Where a seat is expected."""
NAN: Final = float("nan")

Row = tuple[Any, ...]
Kinds = Mapping[str, type[np.generic] | None]
"""The values of a row in order: the name of the column, and the kind of its numbers; `None` for
what stays as it is."""

PLAY: Final[Kinds] = {
    **dict.fromkeys(("game", "turn", "player"), np.int64),
    **dict.fromkeys(("first", "second"), None),
    **dict.fromkeys(("cube", "owner", "validity", "legal"), np.int64),
    "moved": np.bool_,
}
"""The beginning of every row of a roll; `first` and `second` are the dice. What a format knows of
the roll follows."""
CUBE: Final[Kinds] = {
    **dict.fromkeys(("game", "turn", "player", "kind", "cube", "owner"), np.int64),
    **dict.fromkeys(("access", "recount_access", "answers_beaver", "expected"), np.bool_),
}
"""The beginning of every row of a cube action or an answer."""
LATE: Final = frozenset(("position", "level", "luck_mark"))
"""Columns that take long to make or that few figures need."""


@dataclass(slots=True, kw_only=True)
class Rows:
    """The rows of a match while its games are read."""

    plays: list[Row] = field(default_factory=list)
    actions: list[Row] = field(default_factory=list)
    responses: list[Row] = field(default_factory=list)
    levels: dict[Any, int] = field(default_factory=dict)
    """Level as the file has it -> its index."""
    comments: dict[tuple[int, int, int], str] = field(default_factory=dict)
    """As in `Match`."""
    remarks: list[str] = field(default_factory=list)
    """What is written about the match."""
    odd: dict[str, list[str]] = field(default_factory=dict)
    """Code of a note -> what was found, in words."""

    def level(self, written: Any) -> int:
        """Index of a level, created on first use."""
        return self.levels.setdefault(written, len(self.levels))

    def note(self, code: str, case: str) -> None:
        """Keep something odd."""
        self.odd.setdefault(code, []).append(case)

    def notes(self, *codes: str) -> Iterator[Note]:
        """Notes of what was found, the first few of each code."""
        return (Note(code, case) for code in codes for case in summary(self.odd.get(code, [])))

    def play_columns(self, **more: type[np.generic] | None) -> dict[str, Any]:
        """The columns of rolls; `more` is what follows `PLAY` in a row."""
        columns = typed(self.plays, {**PLAY, **more})
        dice = columns.pop("first"), columns.pop("second")
        columns["dice"] = lambda: np.array(dice, np.int64).T.reshape(-1, 2)
        return columns

    def cube_columns(self, **more: type[np.generic] | None) -> dict[str, Any]:
        """The columns of cube actions and the answers; `more` is what follows `CUBE` in a row."""
        return typed(self.actions + self.responses, {**CUBE, **more})


def side(owner: int, seat: int) -> int:
    """The owner of the cube in a seat's view: 1 this player, 0 nobody, -1 the opponent."""
    if owner == NOBODY:
        return 0
    return 1 if owner == seat else -1


def typed(rows: list[Row], kinds: Kinds) -> dict[str, Any]:
    """The columns of rows; those that few figures need are made when they are first used."""
    columns: dict[str, Any] = {}
    by_column = zip(*rows, strict=True) if rows else [()] * len(kinds)
    for (name, kind), values in zip(kinds.items(), by_column, strict=True):
        if kind is None:
            columns[name] = values
        elif name in LATE:
            columns[name] = partial(_late, values, kind, name)
        else:
            columns[name] = column(values, kind)
    return columns


def _late(values: Sequence[Any], kind: type[np.generic], name: str) -> Any:
    return (
        np.array(values, kind).reshape(-1, *WIDTHS[name])
        if name in WIDTHS
        else column(values, kind)
    )


def column(values: Sequence[Any], kind: type[np.generic]) -> Any:
    """Numbers as an array; takes half the time of `np.array`, which first checks the type of
    each."""
    return np.fromiter(values, kind, len(values))


def in_analysed_games(game: Ints, evaluated: Bools) -> Bools:
    """Whether the game of each play has an evaluated one.

    A play without a choice needs no evaluation: it counts as analysed if its game was.
    """
    analysed = np.zeros(int(game.max(initial=NOBODY)) + 1, bool)
    analysed[game[evaluated]] = True
    of_play: Bools = analysed[game]
    return of_play


def ended(games: Sequence[Any], length: int | None) -> tuple[Games, Resignations, bool]:
    """The games of a match, of which each has its last `cube` and attributes with the names of the
    columns, made on first use; the resignations without errors, and whether the match has its
    winner."""

    def maker_of(name: str) -> Callable[[], Any]:
        return lambda: np.array([getattr(game, name) for game in games])

    columns, last = Games(len(games), {name: maker_of(name) for name in Games.names()}), games[-1]
    return (
        columns,
        unscored_resignations(columns, lambda game: int(games[game].cube)),
        last.winner != NOBODY
        and (length is None or last.score[last.winner] + last.points >= length),
    )


def missing_games(numbers: Iterable[int], of: str, where: str) -> list[Note]:
    """A note with the first games before the last that are missing, given the numbers (from 0) of
    those that are not."""
    present = {number for number in numbers if number >= 0}
    total = max(present, default=NOBODY) + 1
    left = total - len(present)
    if not left:
        return []
    named = [
        str(number + 1)
        for number in range(min(total, len(present) + NOTED))
        if number not in present
    ][:NOTED]
    more = f" and {left - len(named)} more" if left > len(named) else ""
    return [
        Note("games-missing", f"game {', '.join(named)}{more} of {of}{total} not in the {where}")
    ]
