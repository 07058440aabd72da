"""Makes the cells of programs under test: what each owes and gives of every match."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from reconcile.gap.verdict import DECIDED, UNGATED, Figure
from reconcile.gate.candidates.references import Reference
from reconcile.gate.cells import (
    INCOMPARABLE,
    JUDGED,
    MISSING,
    NO_REFERENCE,
    UNSUPPORTED,
    Cell,
    State,
)
from reconcile.gate.match_results import CandidateResult, NotCompared
from reconcile.scoring.metrics import METRICS


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
    here, absent = {result.match for result in results}, set[str]()
    for reference in references:
        owed = reference.candidates.figures or usual | reference.always
        if reference.id in here:
            own = [result for result in results if result.match == reference.id]
            yield from _given(program, reference, owed, own)
        elif any(handle in reference.available for handle in reference.handles()):
            reasons = [part for part in refused if part.match == reference.id]
            absent.add(reference.id)
            yield from _absent(program, reference, owed, label, reasons)
    declared = any(reference.candidates.figures for reference in references)
    for part in refused:
        if part.is_wrong and part.match not in absent:
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
    demanded, named = reference.demanded, set[tuple[str, str]]()
    has: dict[str, frozenset[str]] = {}
    for result in results:
        has |= result.expected or {}
        for figure in result.totals:
            is_declared = figure.metric in demanded & has.get(figure.player, demanded)
            state, reason = _state(figure, is_declared=is_declared)
            if state is None:
                continue
            named.add((figure.player, figure.metric))
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
    empty = Cell(
        match=reference.id,
        program=program,
        candidate=results[0].candidate,
        state=MISSING,
    )
    yield from (
        replace(empty, player=player, figure=name, fails=name in demanded)
        for player, figures in has.items()
        for name in METRICS
        if name in owed and name in figures and (player, name) not in named
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
    return INCOMPARABLE, figure.note or figure.coverage or NO_REFERENCE


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
    demanded, known = reference.demanded, reference.known
    figures: list[str | None] = [
        name
        for name in METRICS
        if name in owed and not (METRICS[name].in_mwc and reference.length is None)
    ]
    for player in reference.players if figures else (None,):
        for name in figures or [None]:
            if name and name not in known.get(player or "", {name}):
                continue
            yield Cell(
                match=reference.id,
                program=program,
                candidate=part.candidate if part else label,
                state=UNSUPPORTED if is_unsupported else MISSING,
                player=player,
                figure=name,
                reason=part.why if part else "",
                fails=bool(demanded & {name} if name else demanded) and not is_unsupported,
                is_failure=part is not None and part.is_failure,
            )
