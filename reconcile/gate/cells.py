"""What a program under test owes: a cell for each figure of each player of each match, and what
came of it. Every cell is counted once; headline, lists, outputs and exit code are views of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from reconcile.document import Document, Text
from reconcile.scoring.figures import METRICS, MetricName, short_metric
from reconcile.wording import listed, plural

State = Literal["judged", "unsupported", "incomparable", "missing"]
JUDGED: Final = "judged"
UNSUPPORTED: Final = "unsupported"
INCOMPARABLE: Final = "incomparable"
MISSING: Final = "missing"
STATES: Final = (JUDGED, UNSUPPORTED, INCOMPARABLE, MISSING)
FEW: Final = 3
"""Figures that are named with their players."""
NO_REFERENCE: Final = "no reference has it"


@dataclass(frozen=True, slots=True)
class Missing(Document):
    """What a program does not give of a match, although the reference has it."""

    match: Text
    """Id of the match."""
    candidate: Text
    """Name of the file or program."""
    player: str | None
    """Whose figures; null for the whole match."""
    figure: MetricName | None
    """The figure; null for all of a player or match."""


@dataclass(frozen=True, slots=True)
class Unjudged(Document):
    """What the program under test gives and is not judged: a figure, or all that it says of a match
    or a name that the pack does not have."""

    match: str
    """Id of the match, or what the program says of one that the pack does not have."""
    candidate: Text
    """Name of the file or program."""
    part: str
    """The part of the match it is about; empty for all of it."""
    player: str | None
    """Whose figure it is; null for all of a match."""
    metric: MetricName | None
    """The name of the figure; null for all of a match."""
    given: float | None
    """Its value, in the unit of the metric; null for all of a match."""
    reason: Text
    """Why it is not judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A figure that a program owes or gives, and what came of it."""

    match: str
    program: str
    """What is given under the same name is of one program."""
    candidate: str
    """Its name, or the file, for people."""
    state: State
    part: str = ""
    player: str | None = None
    """`None` for all of a match."""
    figure: str | None = None
    """Full name; `None` for all of a player or match."""
    given: float | None = None
    reason: str = ""
    is_owed: bool = True
    """Whether the pack has it; otherwise it is missing there."""
    fails: bool = False
    """Whether it fails without `--strict` too: the pack declares that the program gives it."""
    is_failure: bool = False
    """Whether the program failed, which is said apart."""

    @property
    def is_unjudged(self) -> bool:
        """Whether it is given and not judged."""
        return self.state == INCOMPARABLE and self.given is not None

    @property
    def suite(self) -> str:
        """What was judged, in words."""
        return suite_of(self.candidate, self.part)

    @property
    def name(self) -> str | None:
        """The name of the figure in documents."""
        return self.figure and short_metric(self.figure)

    def __str__(self) -> str:
        return f"{self.name or 'figure'}{f' of {self.player}' * bool(self.player)}"


def suite_of(candidate: str, part: str) -> str:
    """What is judged of a candidate, in words that are the same for every version of it."""
    return f"candidate {candidate}{part and f' {part}'}"


# -- views ----------------------------------------------------------------------------------------


def always_given(cells: Sequence[Cell]) -> list[str]:
    """What a program gives of every player, if the reference has it."""
    lacking = {cell.figure for cell in cells if cell.state == MISSING}
    usual = {cell.figure for cell in cells if cell.given is not None} - lacking
    return [name for name in METRICS if name in usual]


def lacking(cells: Iterable[Cell]) -> Iterator[Cell]:
    """What is missing: where all of a player or match is, one cell without figure or player."""
    groups: dict[tuple[str, str, bool], list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.program, cell.match, cell.is_owed), []).append(cell)
    for group in groups.values():
        players = {cell.player for cell in group if cell.state != MISSING}
        if not players:
            yield _whole(group[0], player=None)
            continue
        without = set[str | None]()
        for cell in group:
            if cell.player in players:
                if cell.state == MISSING:
                    yield cell
            elif cell.player not in without:
                without.add(cell.player)
                yield _whole(cell, player=cell.player)


def unjudged(cells: Iterable[Cell]) -> Iterator[Unjudged]:
    """What programs give and is not judged, for documents."""
    for cell in cells:
        if not cell.is_owed or cell.is_unjudged:
            facts = cell.player, cell.name, cell.given, cell.reason
            yield Unjudged(cell.match, cell.candidate, cell.part, *facts)


def _whole(cell: Cell, player: str | None) -> Cell:
    return replace(cell, player=player, figure=None)


def by_match(cells: Iterable[Cell]) -> dict[tuple[str, str], list[Cell]]:
    """What is missing by match and candidate; what failed is said apart."""
    groups: dict[tuple[str, str], list[Cell]] = {}
    for cell in lacking(cells):
        if not cell.is_failure:
            groups.setdefault((cell.match, cell.candidate), []).append(cell)
    return groups


def missing_lines(cells: Iterable[Cell]) -> Iterator[str]:
    """A line for each match and candidate: `MATCH: prog gives no pr of Nora, no figure of Bo`."""
    for (match, candidate), group in by_match(cells).items():
        yield f"{match}: {missing_words(candidate, group)}"


def incomparable_lines(cells: Iterable[Cell]) -> Iterator[str]:
    """A line for each candidate and reason for which nothing can be said of figures."""
    groups: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        if cell.state == INCOMPARABLE:
            groups.setdefault((cell.candidate, cell.reason), []).append(cell)
    for (candidate, reason), group in groups.items():
        each = [cell.name or "" for cell in group]
        names = listed(list(dict.fromkeys(each if len(group) > FEW else map(str, group))))
        matches = plural(len({cell.match for cell in group}), "match", "matches")
        count = plural(len(group), "figure")
        yield f"{candidate}: {reason}: {names} ({count} of {matches})"


def missing_words(candidate: str, group: Sequence[Cell]) -> str:
    """The same of one match and candidate."""
    if not group[0].is_owed:
        return f"{candidate}: {'; '.join(dict.fromkeys(cell.reason for cell in group))}"
    players: dict[str | None, list[str]] = {}
    for cell in group:
        players.setdefault(cell.player, []).append(cell.name or "figure")
    parts = [
        f"{listed(figures)} of {player}" if player else "figure"
        for player, figures in players.items()
    ]
    why = f": {group[0].reason}" if group[0].reason else ""
    return f"{candidate} gives no {', no '.join(parts)}{why}"
