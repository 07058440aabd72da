"""What a program gives of one player or match, or is declared to give, and lacks elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

from reconcile.document import HIDDEN, Document, Text
from reconcile.files.wording import listed
from reconcile.scoring.metrics import METRICS, MetricName, short_metric

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


@dataclass(frozen=True, slots=True)
class Given:
    """What a program gives of a match, and what it could."""

    match: str
    candidate: str
    program: tuple[str, str]
    """Those with the same pair are of one program."""
    figures: Mapping[str, Sequence[str]]
    """By player, the figures that it gives."""
    unknown: Mapping[str, Sequence[str]]
    """By player, the figures that it says it has not."""
    expected: Mapping[str, Sequence[str]]
    """By player of the match, the figures that the reference has."""
    declared: Sequence[str] = ()
    """What the pack says that it gives."""

    def as_dict(self) -> dict[str, Any]:
        """As data that can be written as JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Given:
        """The same again."""
        return cls(**{**data, "program": tuple(data["program"])})


def given_by(reference: Reference, results: Iterable[CandidateResult]) -> Iterator[Given]:
    """What every program gives of a match of which it shows totals or decisions of its own."""
    parts: dict[tuple[str, str], list[CandidateResult]] = {}
    for result in results:
        if result.expected is not None:
            parts.setdefault(result.of, []).append(result)
    for program, own in parts.items():
        figures: dict[str, list[str]] = {}
        unknown: dict[str, list[str]] = {}
        for figure in (figure for result in own for figure in result.figures if not figure.share):
            kind = unknown if figure.right is None else figures
            kind.setdefault(figure.player, []).append(figure.metric)
        expected = {name: sorted(has) for name, has in (own[0].expected or {}).items()}
        declared = reference.candidates.figures
        yield Given(reference.id, own[0].candidate, program, figures, unknown, expected, declared)


def missing_between(parts: Sequence[Given]) -> Iterator[Missing]:
    """What is missing, match by match."""
    programs: dict[tuple[str, str], set[str]] = {}
    for part in parts:
        programs.setdefault(part.program, set()).update(*part.figures.values())
    for part in parts:
        required = part.declared or programs[part.program]
        for player, has in part.expected.items():
            wanted = [name for name in METRICS if name in has and name in required]
            # A null says that the program has no such figure: missing only where it was declared.
            present = {*part.figures.get(player, ())}
            present |= set() if part.declared else {*part.unknown.get(player, ())}
            lacking = [short_metric(name) for name in wanted if name not in present]
            for name in lacking if present else [None] * bool(wanted):
                yield Missing(part.match, part.candidate, player, name, bool(part.declared))


def grouped(missing: Iterable[Missing]) -> dict[tuple[str, str], list[Missing]]:
    """What is missing by match and candidate."""
    groups: dict[tuple[str, str], list[Missing]] = {}
    for lack in missing:
        groups.setdefault((lack.match, lack.candidate), []).append(lack)
    return groups


def missing_lines(missing: Iterable[Missing]) -> Iterator[str]:
    """A line for each match and candidate: `MATCH: prog gives no pr of Nora, no figure of Bo`."""
    for (match, candidate), lacking in grouped(missing).items():
        players: dict[str | None, list[str]] = {}
        for lack in lacking:
            players.setdefault(lack.player, []).append(lack.figure or "figure")
        parts = [
            f"{listed(figures)} of {player}" if player else "figure"
            for player, figures in players.items()
        ]
        yield f"{match}: {candidate} gives no {', no '.join(parts)}"
