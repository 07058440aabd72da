"""What a program under test owes: a cell for each figure of each player of each match, and what
came of it. Every cell is counted once; headline, lists, outputs and exit code are views of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from reconcile.document import Document, Text
from reconcile.gap.verdict import DECIDED, UNGATED, Figure
from reconcile.scoring.metrics import METRICS, MetricName, short_metric
from reconcile.wording import listed, plural

if TYPE_CHECKING:
    from reconcile.gate.candidates.references import Reference
    from reconcile.gate.match_results import CandidateResult, NotCompared

State = Literal["judged", "unsupported", "incomparable", "missing"]
JUDGED: Final = "judged"
UNSUPPORTED: Final = "unsupported"
INCOMPARABLE: Final = "incomparable"
MISSING: Final = "missing"


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
    def name(self) -> str | None:
        """The name of the figure in documents."""
        return self.figure and short_metric(self.figure)

    def __str__(self) -> str:
        return f"{self.name or 'figure'}{f' of {self.player}' * bool(self.player)}"


def cells_of(
    references: Sequence[Reference],
    results: Sequence[CandidateResult],
    refused: Sequence[NotCompared],
) -> Iterator[Cell]:
    """The cells of every program, match by match; last what is missing in the pack."""
    programs = [result.of for result in results] + [part.of for part in refused]
    for program in dict.fromkeys(programs):
        own = [result for result in results if result.of == program]
        apart = [part for part in refused if part.of == program]
        yield from _of_program(program, references, own, apart)


def _of_program(
    program: str,
    references: Sequence[Reference],
    results: Sequence[CandidateResult],
    refused: Sequence[NotCompared],
) -> Iterator[Cell]:
    usual = {
        figure.metric
        for result in results
        if result.expected is not None
        for figure in result.stated
        if not figure.share
    }
    names = [result.candidate for result in results] + [part.candidate for part in refused]
    label = ", ".join(dict.fromkeys(names))
    here, said = {result.match for result in results}, set[str]()
    for reference in references:
        owed = reference.candidates.figures or usual
        if reference.id in here:
            own = [result for result in results if result.match == reference.id]
            yield from _given(program, reference, owed, own)
        elif any(handle in reference.available for handle in reference.handles()):
            reasons = [part for part in refused if part.match == reference.id]
            said.add(reference.id)
            yield from _absent(program, reference, owed, label, reasons)
    declared = any(reference.candidates.figures for reference in references)
    for part in refused:
        if part.is_wrong and part.match not in said:
            yield Cell(
                match=part.match or part.about,
                program=program,
                candidate=part.candidate,
                state=MISSING,
                reason=part.why,
                is_owed=False,
                fails=declared,
            )


def _given(
    program: str,
    reference: Reference,
    owed: Collection[str],
    results: Sequence[CandidateResult],
) -> Iterator[Cell]:
    """The cells of a match of which a program gives something."""
    declared, given = reference.candidates.figures, set[tuple[str, str]]()
    has: dict[str, frozenset[str]] = {}
    for result in results:
        has |= result.expected or {}
        for figure in result.totals:
            is_declared = figure.metric in declared
            state, reason = _state(figure, is_declared=is_declared)
            if state is None:
                continue
            given.add((figure.player, figure.metric))
            # That a table bounds nothing is not the program's fault.
            is_wrong = figure.verdict == UNGATED and figure.tolerance is not None
            yield Cell(
                match=reference.id,
                program=program,
                candidate=result.candidate,
                state=state,
                part=result.part,
                player=figure.player,
                figure=figure.metric,
                given=figure.right,
                reason=reason,
                fails=is_declared and (state == MISSING or is_wrong),
            )
    for player, figures in has.items():
        for name in METRICS:
            if name in owed and name in figures and (player, name) not in given:
                yield Cell(
                    match=reference.id,
                    program=program,
                    candidate=results[0].candidate,
                    state=MISSING,
                    player=player,
                    figure=name,
                    fails=bool(declared),
                )


def _state(figure: Figure, *, is_declared: bool) -> tuple[State | None, str]:
    """What came of a figure of which a program says something, and why; `None` of one that nobody
    has, or that nobody asks for."""
    if figure.verdict in DECIDED:
        return JUDGED, ""
    if figure.right is None:
        if is_declared and figure.left is not None:
            return MISSING, ""
        is_asked = figure.verdict != UNGATED
        return (INCOMPARABLE, figure.coverage) if is_asked else (None, "")
    return INCOMPARABLE, figure.note or figure.coverage or "no reference has it"


def _absent(
    program: str,
    reference: Reference,
    owed: Collection[str],
    label: str,
    reasons: Sequence[NotCompared],
) -> Iterator[Cell]:
    """The cells of a match of which a program gives nothing, for a reason or without one."""
    part = reasons[0] if reasons else None
    is_unsupported = part is not None and part.is_unsupported
    figures: list[str | None] = [
        name
        for name in METRICS
        if name in owed and not (METRICS[name].in_mwc and reference.length is None)
    ]
    for player in reference.players if figures else (None,):
        for name in figures or [None]:
            yield Cell(
                match=reference.id,
                program=program,
                candidate=part.candidate if part else label,
                state=UNSUPPORTED if is_unsupported else MISSING,
                player=player,
                figure=name,
                reason=part.why if part else "",
                fails=bool(reference.candidates.figures) and not is_unsupported,
                is_failure=part is not None and part.is_failure,
            )


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
        whole = set[str | None]()
        for cell in group:
            if cell.player in players:
                if cell.state == MISSING:
                    yield cell
            elif cell.player not in whole:
                whole.add(cell.player)
                yield _whole(cell, player=cell.player)


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
    """A line for each candidate and reason for which figures that it gives are not judged."""
    groups: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        if cell.state == INCOMPARABLE and cell.given is not None:
            groups.setdefault((cell.candidate, cell.reason), []).append(cell)
    for (candidate, reason), group in groups.items():
        names = listed(list(dict.fromkeys(cell.name or "" for cell in group)))
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
