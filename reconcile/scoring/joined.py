"""Several matches as one table of decisions, so that a rule set scores all of them in one pass.

What a decision costs depends on its row, on the points both players need and on the table, never on
another match. So matches may be scored together if whatever the rules ask of a file as a whole has
the same answer for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any, Final, TypeVar

import numpy as np

from reconcile.match.columns import Cubes, Games, Plays, Resignations
from reconcile.match.match import LONGEST_MATCH, Candidate, Match, no_candidates
from reconcile.rules.rulesets import QUESTIONS, RuleSet

FLOATS: Final = (
    ("best", "stored_error", "luck"),
    ("no_double", "double_take", "double_pass", "stored_error"),
)
"""Columns of plays and of cubes in the tool's own precision, which a column of another would
change."""

INFLATED: Final = frozenset({"xg"})
"""Formats whose files are inflated to records of a fixed size, ten times what scoring uses of
them."""

Table = TypeVar("Table", Plays, Cubes, Resignations, Games)


def groups(matches: Sequence[Match], rules: Iterable[RuleSet]) -> list[list[int]]:
    """Which matches may be joined, by their place in the list, in the order of the first of each
    group."""
    asked = tuple(dict.fromkeys(applies for each in rules for applies in _asked_of_a_file(each)))
    numbers: dict[object, list[int]] = {}
    for number, match in enumerate(matches):
        numbers.setdefault(_alike(match, number, asked), []).append(number)
    return list(numbers.values())


def _asked_of_a_file(rules: RuleSet) -> Iterator[Callable[[Match], bool]]:
    """Whether a file has what the answers of a rule set need, and those that are used in their
    place."""
    for code, name in rules.answers.items():
        answer = QUESTIONS[code].answers[name]
        while answer.fallback:
            yield answer.applies
            answer = QUESTIONS[code].answers[answer.fallback]


def _alike(match: Match, number: int, asked: Sequence[Callable[[Match], bool]]) -> object:
    """What joined matches have in common: all that scoring asks of a file and not of a row."""
    if match.known_chances is not None:  # a match equity table of its own
        return number
    plays, cubes = match.plays, match.cubes
    return (
        match.is_money,
        match.cube_unit,
        match.source.tool,
        match.rules.cube,
        *(applies(match) for applies in asked),
        *(
            bool(np.count_nonzero(table.stored_error == table.stored_error))
            for table in (plays, cubes)
        ),
        *(
            getattr(table, name).dtype.char
            for table, names in zip((plays, cubes), FLOATS, strict=True)
            for name in names
        ),
    )


def settled(match: Match) -> Match:
    """The match with every column made and without its file, candidates and the chances of cube
    decisions, if its file needs far more memory than its columns.

    Else a match that waits to be joined would keep the memory of its file from the next one.
    """
    if match.source.format not in INFLATED:
        return match
    source = replace(match.source, content=b"")
    columns = {name: getattr(match.cubes, name) for name in Cubes.names()}
    cubes = Cubes(len(match.cubes), columns)
    return copy(replace(match, source=source, candidates=no_candidates, cubes=cubes))


def joined(matches: Sequence[Match]) -> Match:
    """Alike matches as one: rows in the order of the matches, games numbered on, every score
    shifted to one length.

    Its players, notes and levels are those of the first match; a row's `level` means nothing.
    """
    if len(matches) == 1:
        return matches[0]
    first = matches[0]
    starts = [0, *accumulate(len(match.games) for match in matches)]
    games = _stacked(Games, [match.games for match in matches])
    if not first.is_money:
        shifts = np.repeat(
            [LONGEST_MATCH - (match.length or 0) for match in matches], np.diff(starts)
        )
        games = games.replaced(score=games.score + shifts[:, np.newaxis])
    rows = [0, *accumulate(len(match.plays) for match in matches)]

    def candidates(row: int) -> tuple[Candidate, ...]:
        number = int(np.searchsorted(rows, row, "right")) - 1
        return matches[number].candidates(row - rows[number])

    return replace(
        first,
        length=None if first.is_money else LONGEST_MATCH,
        games=games,
        plays=_stacked(Plays, [match.plays for match in matches], starts),
        cubes=_stacked(Cubes, [match.cubes for match in matches], starts),
        resignations=_stacked(Resignations, [match.resignations for match in matches], starts),
        candidates=candidates,
    )


def _stacked(
    kind: type[Table], tables: Sequence[Table], starts: Sequence[int] | None = None
) -> Table:
    """Tables below each other; `starts` has the first game of each."""

    def column(name: str) -> Any:
        values = [getattr(table, name) for table in tables]
        if name == "game" and starts is not None:
            values = [value + start for value, start in zip(values, starts, strict=False)]
        return np.concatenate(values)

    columns: dict[str, Callable[[], Any]] = {
        name: partial(column, name) for name in kind.names() if name != "play"
    }
    if kind is Plays:
        columns["reach"] = partial(column, "reach")
        of_plays: Sequence[Any] = tables
        columns["play"] = lambda: [play for table in of_plays for play in table.play]
    return kind(sum(map(len, tables)), columns)
