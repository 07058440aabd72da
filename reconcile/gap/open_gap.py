"""The gap of a figure as a range, where what is not known of a tool or not in a file moves it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from reconcile.scoring.not_shown import is_printed, unseen
from reconcile.scoring.open_rules import Answers, Range, known_values, open_range
from reconcile.scoring.statistics import Statistics


def gap_range(
    left: Statistics, right: Statistics, seats: tuple[int, int], name: str
) -> Range | None:
    """The lowest and the highest gap of a figure whose answers are not known on a side; `None`
    where none is open, or a side unknown.

    Two files under the same rules are counted by one tool: whatever its answers are, they are the
    same for both. So are the dead cubes that neither file shows: either both have them all, or both
    have none.
    """
    sides: list[list[tuple[Answers, Range]]] = []
    is_open = False
    for statistics, seat in zip((left, right), seats, strict=True):
        undecided, value = open_range(statistics), statistics.figures(seat)[name]
        if value is None:
            return None
        options: list[tuple[Answers, Range]] = [({}, (value, value))]
        if name in undecided.figures[seat]:
            is_open = True
            spans = [(each[0], known_values([each], seat, name)) for each in undecided.possible]
            options = [(answers, (ends[0], ends[-1])) for answers, ends in spans if ends]
        sides.append(options)
    if not is_open:
        return None
    one_tool = _asked(left) == _asked(right)
    together = one_tool and _same_unknown(left, right)
    gaps: list[float] = []
    for (answers, here), (theirs, there) in product(*sides):
        if not one_tool or {**answers, **theirs} == {**theirs, **answers}:
            # What is not known of both moves them together, from end to end.
            other_way = here if together else here[::-1]
            gaps += [there[end] - other_way[end] for end in (0, 1)]
    return min(gaps), max(gaps)


def _asked(statistics: Statistics) -> tuple[str, str, Mapping[str, tuple[str, ...]]]:
    """Whose rules count a file, whatever answers it can support."""
    rules = statistics.rules
    return rules.name, rules.file, rules.alternatives


def _same_unknown(left: Statistics, right: Statistics) -> bool:
    """Whether two files under the same rules leave the same open: the same dead cubes, and printed
    digits only where they are one file."""
    printed = is_printed(left.match) or is_printed(right.match)
    return unseen(left.scored) == unseen(right.scored) and (
        not printed or left.match.source.sha256 == right.match.source.sha256
    )
