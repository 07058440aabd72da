"""What a program gives of one player or match, or is declared to give, and lacks elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, NamedTuple

from reconcile.document import HIDDEN, Document, Text
from reconcile.scoring.metrics import METRICS, MetricName, short_metric
from reconcile.wording import listed

if TYPE_CHECKING:
    from reconcile.gate.candidates.references import Reference
    from reconcile.gate.match_results import CandidateResult


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
    declared: Annotated[bool, HIDDEN] = False
    """Whether the pack declares that the program gives it: then it fails without `--strict` too."""

    def __str__(self) -> str:
        whose = f" of {self.player}" if self.player else ""
        return f"{self.figure or 'figure'}{whose}"


class GivenFigure(NamedTuple):
    """A figure that a program gives of a player of a match, or could; JSON can have it."""

    match: str
    candidate: str
    program: str
    """What is given under the same name is of one program."""
    player: str
    figure: str
    is_given: bool | None
    """`None` where the program says that it has none."""
    is_expected: bool
    """Whether the reference has it."""
    is_declared: bool | None
    """Whether the pack says that the program gives it; `None` where it says nothing."""


def given_by(reference: Reference, results: Iterable[CandidateResult]) -> Iterator[GivenFigure]:
    """What every program gives of a match of which it shows totals or decisions of its own."""
    programs: dict[str, list[CandidateResult]] = {}
    for result in results:
        if result.expected is not None:
            programs.setdefault(result.of, []).append(result)
    declared = reference.candidates.figures
    for program, (first, *more) in programs.items():
        figures: dict[tuple[str, str], bool | None] = {}
        for result in (first, *more):
            for figure in result.figures:
                if not figure.share:
                    figures[figure.player, figure.metric] = None if figure.right is None else True
        for player, has in (first.expected or {}).items():
            for name in METRICS:
                is_given = figures.get((player, name), False)
                if is_given is not False or name in has:
                    is_declared = name in declared if declared else None
                    facts = player, name, is_given, name in has, is_declared
                    yield GivenFigure(reference.id, first.candidate, program, *facts)


def missing_between(figures: Sequence[GivenFigure]) -> Iterator[Missing]:
    """What is missing, player by player."""
    usual = {(row.program, row.figure) for row in figures if row.is_given}
    players: dict[tuple[str, str, str], list[GivenFigure]] = {}
    for row in figures:
        players.setdefault((row.match, row.program, row.player), []).append(row)
    for (match, _, player), rows in players.items():
        lacking, has_any = [], False
        for row in rows:
            # A null says that the program has no such figure: missing only where it was declared.
            is_here = row.is_given or (row.is_given is None and row.is_declared is None)
            has_any = has_any or is_here
            wanted = row.is_declared
            if wanted is None:
                wanted = (row.program, row.figure) in usual
            if wanted and row.is_expected and not is_here:
                lacking.append(short_metric(row.figure))
        is_declared = rows[0].is_declared is not None
        for name in lacking if has_any else [None] * bool(lacking):
            yield Missing(match, rows[0].candidate, player, name, is_declared)


def always_given(figures: Sequence[GivenFigure]) -> list[str]:
    """What a program gives of every player, if the reference has it."""
    usual = {row.figure for row in figures if row.is_given}
    usual -= {row.figure for row in figures if row.is_expected and not row.is_given}
    return [name for name in METRICS if name in usual]


def by_candidate(missing: Iterable[Missing]) -> dict[tuple[str, str], list[Missing]]:
    """What is missing by match and candidate."""
    groups: dict[tuple[str, str], list[Missing]] = {}
    for lack in missing:
        groups.setdefault((lack.match, lack.candidate), []).append(lack)
    return groups


def missing_lines(missing: Iterable[Missing]) -> Iterator[str]:
    """A line for each match and candidate: `MATCH: prog gives no pr of Nora, no figure of Bo`."""
    for (match, candidate), lacking in by_candidate(missing).items():
        players: dict[str | None, list[str]] = {}
        for lack in lacking:
            players.setdefault(lack.player, []).append(lack.figure or "figure")
        parts = [
            f"{listed(figures)} of {player}" if player else "figure"
            for player, figures in players.items()
        ]
        yield f"{match}: {candidate} gives no {', no '.join(parts)}"
