"""A claim beside a reference match: which figures it gives of whom, and the verdict on each."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reconcile.errors import ReconcileError
from reconcile.files.names import fold
from reconcile.files.wording import plural
from reconcile.gap.bounds import Gate
from reconcile.gap.bridge import SHARES
from reconcile.gap.verdict import UNGATED, Figure, gate_findings, judged, judged_share
from reconcile.gate.candidates.claims import Claim, Stated
from reconcile.gate.candidates.listed import Listed
from reconcile.gate.candidates.references import Names, Reference
from reconcile.gate.kept import Again
from reconcile.gate.manifest import Reported, half_a_digit, half_of_tool
from reconcile.infer.reported import Reported as Seen
from reconcile.infer.run import Known
from reconcile.match.match import Match
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.metrics import METRICS, short_metric
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.statistics import Statistics, lacking

LOST_ZERO: Final = 10.0
NO_DECISIONS: Final = "no bridge, because the candidate gives only totals, no decisions"
StatedBySeat = Sequence[tuple[int, Stated]]
"""Seat and figure."""


class Unusable(ReconcileError):
    """A claim that cannot be compared with a match; the text says why."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A claim and what it is compared with."""

    claim: Claim
    reference: Reference
    handle: str
    """Of the file."""
    rules: RuleSet
    """Of the figures on the left that are ours."""
    table: str
    gate: Gate
    players: Sequence[str]
    """As the file names them, or the reported figures; empty where there is neither."""
    ours: Statistics | None
    """`None` where the file is not available: then only reported figures are on the left."""
    reported: Sequence[Reported]
    """The tool's own figures of this file under these rules."""
    listed: Listed | None
    """The decisions of the claim, if it lists them."""

    def stated(self, names: Names) -> StatedBySeat:
        """The figures of the claim with the seats of their players. Raises `Unusable`."""
        figures: list[tuple[int, Stated]] = []
        owners: dict[int, str | int] = {}
        for figure in self.claim.figures if self.listed is None else self.listed.figures():
            owner = figure.player
            seat = owner if isinstance(owner, int) else names.seat(self.players, owner)
            if seat is None:
                players = ", ".join(map(repr, self.players))
                why = f"no player {owner!r} in this match, expected {players}"
                raise Unusable(why if players else self.reference.lacking)
            if owners.setdefault(seat, owner) != owner:
                raise Unusable(
                    f"{owners[seat]!r} and {owner!r} are both {self.players[seat]!r}; "
                    "give each player's figures once"
                )
            figures.append((seat, figure))
        if not figures:
            raise Unusable("it gives no figure")
        return figures

    def judged(self, seat: int, stated: Stated) -> tuple[Figure, bool]:
        """A figure with its verdict, and whether its left side was reported by the tool."""
        printed, name = self.printed(seat, stated.metric), self.players[seat]
        figure = Figure(stated.metric, name, None, stated.value)
        missing = "missing in the candidate" if stated.value is None else ""
        half = min(stated.half, self._demanded(stated.metric))
        if printed is not None:
            figure = replace(figure, left=float(printed))
            half = max(half, half_of_tool(printed))
        elif self.ours is not None:
            ends = open_range(self.ours).figures[seat].get(stated.metric)
            if ends and stated.value is not None:
                gaps = stated.value - ends[1], stated.value - ends[0]
                figure = replace(figure, left_range=ends, gap_range=gaps)
            figure = replace(figure, left=self.ours.figures(seat).get(stated.metric))
            unanalysed = lacking(self.ours.completeness(seat), METRICS[stated.metric].parts)
            missing = "; ".join(f"left: {words}" for words in unanalysed) or missing
        figure = judged(figure, self.gate, missing, half)
        if figure.tolerance is None:
            bound = self.gate.of(figure.metric, name)
            why = "no bound" if bound is None else "the level off"
            figure = replace(figure, note=f"table {self.table} has {why} for {figure.metric}")
        return figure, printed is not None

    def printed(self, seat: int, metric: str) -> str | None:
        """A figure that the tool reported, as printed, if any."""
        for entry in self.reported:
            for name, figures in entry.players.items():
                owner = fold(name) == fold(self.players[seat])
                if entry.by_seat and name in ("1", "2"):
                    owner = int(name) - 1 == seat
                if owner and metric in figures:
                    return figures[metric]
        return None

    def _demanded(self, metric: str) -> float:
        """Half of the last digit that the pack demands of a figure; without end without one."""
        digits = self.reference.candidates.digits.get(metric)
        return math.inf if digits is None else 0.5 * 10.0**-digits

    @property
    def expected(self) -> Mapping[str, frozenset[str]]:
        """By player, the figures that the reference has: what a candidate may lack."""
        ours = [self.ours.figures(seat) if self.ours else {} for seat in (0, 1)]
        return {
            name: frozenset(
                metric
                for metric in METRICS
                if ours[seat].get(metric) is not None or self.printed(seat, metric) is not None
            )
            for seat, name in enumerate(self.players)
        }

    def shares(self, figures: Sequence[Figure]) -> Iterator[Figure]:
        """The shares of gaps that the table bounds, which totals do not show."""
        for figure in figures:
            for share in SHARES:
                if self.gate.table.of(f"{figure.metric}@{share}") is not None:
                    yield judged_share(figure, share, None, self.gate, NO_DECISIONS)

    def findings(self, figures: Sequence[Figure], stated: StatedBySeat) -> Iterator[Finding]:
        """What is to be said of the figures beside their verdicts."""
        count = sum(figure.right is not None for figure in figures)
        unjudged = [
            figure.metric
            for figure in figures
            if figure.right is not None and figure.verdict == UNGATED
        ]
        if unjudged:
            named = ", ".join(dict.fromkeys(unjudged))
            words = f"{len(unjudged)} of {plural(count, 'given figure')}"
            yield new_finding("candidate-unjudged", f"{words}, table {self.table}: {named}")
        if coarse := list(self._coarse(stated)):
            more = f"; {len(coarse) - 1} more" if len(coarse) > 1 else ""
            yield new_finding("candidate-digits", coarse[0] + more)
        yield from gate_findings(figures, self.gate)

    def _coarse(self, stated: StatedBySeat) -> Iterator[str]:
        """The figures with fewer digits than the reference prints, or than are usual."""
        for seat, figure in stated:
            metric = METRICS[figure.metric]
            bound = self.gate.of(figure.metric, self.players[seat])
            if figure.value is None or not figure.text or metric.is_whole:
                continue
            if bound is None or bound.within is None:
                continue
            printed = self.printed(seat, figure.metric)
            usual = 0.5 * 10.0**-metric.decimals if printed is None else half_a_digit(printed)
            usual = min(usual, self._demanded(figure.metric))
            # A number of JSON loses a zero at its end one time in ten, two one time in a hundred.
            if figure.half > (LOST_ZERO if figure.is_number else 1.0) * usual * (1 + 1e-9):
                decimals = round(-math.log10(2 * usual))
                name = f"{short_metric(figure.metric)} of {self.players[seat]}"
                yield f"{name} as {figure.text}, where {0:.{decimals}f} is usual"


@dataclass(frozen=True, slots=True)
class Explained:
    """What is needed to explain the figures that a program gives of one match."""

    match: Again[Match]
    under_rules: Known
    """The same without candidates and content, which no figure needs."""
    sha256: str
    """Of what the program gave."""
    players: Sequence[str]
    rules: RuleSet
    """Of the figures on the left."""
    stated: StatedBySeat

    def by_seat(self, metrics: Container[str]) -> dict[int, list[Seen]]:
        """The given figures among some metrics, by seat."""
        seats: dict[int, list[Seen]] = {}
        for seat, figure in self.stated:
            if figure.metric in metrics and figure.value is not None:
                shown = Seen(figure.metric, figure.text, figure.value, figure.half)
                seats.setdefault(seat, []).append(shown)
        return seats
