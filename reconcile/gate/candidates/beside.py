"""A claim beside the file of a reference match: which figures it gives of whom, what the reference has, and the verdict on each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reconcile.errors import ReconcileError
from reconcile.files.names import fold
from reconcile.files.wording import plural
from reconcile.gap.bounds import Gate
from reconcile.gap.bridge import SHARES
from reconcile.gap.verdict import (
    UNGATED,
    Figure,
    gate_findings,
    judged,
    judged_share,
)
from reconcile.gate.candidates.claims import Claim, Stated
from reconcile.gate.candidates.judgement import Reference
from reconcile.gate.candidates.listed import Listed
from reconcile.gate.manifest import Reported
from reconcile.gate.measure import half_a_digit, half_of_tool
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.metrics import METRICS, short_metric
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.statistics import Statistics, lacking

LOST_ZERO: Final = 10.0
NO_DECISIONS: Final = "no bridge, because the candidate gives only totals, no decisions"


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

    def stated(
        self, seat_of: Callable[[Sequence[str], str], int | None]
    ) -> list[tuple[int, Stated]]:
        """The figures of the claim with the seats of their players. Raises `Unusable`."""
        figures: list[tuple[int, Stated]] = []
        owners: dict[int, str | int] = {}
        given = self.claim.figures if self.listed is None else self.listed.figures()
        for figure in given:
            name = figure.player
            seat = name if isinstance(name, int) else seat_of(self.players, name)
            if seat is None:
                expected = ", ".join(map(repr, self.players))
                raise Unusable(
                    f"no player {name!r} in this match, expected {expected}"
                    if self.players
                    else self.reference.lacking
                )
            if owners.setdefault(seat, name) != name:
                raise Unusable(
                    f"{owners[seat]!r} and {name!r} are both {self.players[seat]!r}; give each player's figures once"
                )
            figures.append((seat, figure))
        if not figures:
            raise Unusable("it gives no figure")
        return figures

    def judged(self, seat: int, stated: Stated) -> tuple[Figure, bool]:
        """A figure with its verdict, and whether its left side was reported by the tool."""
        printed = self.printed(seat, stated.metric)
        left = float(printed) if printed is not None else self._computed(seat).get(stated.metric)
        ends = gaps = None
        if printed is None and stated.value is not None and self.ours is not None:
            ends = open_range(self.ours).figures[seat].get(stated.metric)
            gaps = (stated.value - ends[1], stated.value - ends[0]) if ends else None
        name = self.players[seat]
        figure = Figure(stated.metric, name, left, stated.value, left_range=ends, gap_range=gaps)
        missing = "missing in the candidate" if stated.value is None else ""
        if printed is None and self.ours is not None:
            unanalysed = lacking(self.ours.completeness(seat), METRICS[stated.metric].parts)
            missing = "; ".join(f"left: {words}" for words in unanalysed) or missing
        half = min(stated.half, self._demanded(stated.metric))
        half = max(half, half_of_tool(printed) if printed is not None else 0.0)
        figure = judged(figure, self.gate, missing, half)
        if figure.tolerance is None:
            bound = self.gate.of(figure.metric, figure.player)
            why = "no bound" if bound is None else "the level off"
            figure = replace(figure, note=f"table {self.table} has {why} for {figure.metric}")
        return figure, printed is not None

    def printed(self, seat: int, metric: str) -> str | None:
        """A figure, as printed, that the tool reported, in the first entry of the manifest that has it."""
        for entry in self.reported:
            for name, figures in entry.players.items():
                by_seat = entry.by_seat and name in ("1", "2")
                is_players = (
                    int(name) - 1 == seat if by_seat else fold(name) == fold(self.players[seat])
                )
                if is_players and metric in figures:
                    return figures[metric]
        return None

    def _demanded(self, metric: str) -> float:
        """Half of the last digit that the pack demands of a figure; without end where it demands none."""
        chosen = self.reference.manifest.candidates
        digits = chosen.digits.get(metric) if chosen else None
        return math.inf if digits is None else 0.5 * 10.0**-digits

    def _computed(self, seat: int) -> Mapping[str, float | int | None]:
        return {} if self.ours is None else self.ours.figures(seat)

    @property
    def expected(self) -> Mapping[str, frozenset[str]]:
        """By player, the figures that the reference has: what a candidate may lack."""
        return {
            name: frozenset(
                metric
                for metric in METRICS
                if self._computed(seat).get(metric) is not None
                or self.printed(seat, metric) is not None
            )
            for seat, name in enumerate(self.players)
        }

    def shares(self, figures: Sequence[Figure]) -> Iterator[Figure]:
        """The shares of gaps that the table bounds, which totals do not show."""
        for figure in figures:
            for share in SHARES:
                if self.gate.table.of(f"{figure.metric}@{share}") is not None:
                    yield judged_share(figure, share, None, self.gate, NO_DECISIONS)

    def findings(
        self, figures: Sequence[Figure], stated: Sequence[tuple[int, Stated]]
    ) -> Iterator[Finding]:
        """What is to be said of the figures beside their verdicts."""
        given = [figure for figure in figures if figure.right is not None]
        unjudged = [figure.metric for figure in given if figure.verdict == UNGATED]
        if unjudged:
            named = ", ".join(dict.fromkeys(unjudged))
            count = f"{len(unjudged)} of {plural(len(given), 'given figure')}"
            yield new_finding("candidate-unjudged", f"{count}, table {self.table}: {named}")
        if coarse := list(self._coarse(stated)):
            yield new_finding("candidate-digits", "; ".join(coarse))
        yield from gate_findings(figures, self.gate)

    def _coarse(self, stated: Sequence[tuple[int, Stated]]) -> Iterator[str]:
        """The figures that are given with fewer digits than the reference prints, or than such figures usually have."""
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
            # A number of JSON loses a zero at its end one time in ten, and two one time in a hundred.
            if figure.half > (LOST_ZERO if figure.is_number else 1.0) * usual * (1 + 1e-9):
                decimals = round(-math.log10(2 * usual))
                name = f"{short_metric(figure.metric)} of {self.players[seat]}"
                yield f"{name} as {figure.text}, where {0:.{decimals}f} is usual"
