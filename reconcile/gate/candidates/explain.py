"""The bridge from a reference to the figures of a program under test: how a maintainer understands a gap.

A program that gives only totals does not show its decisions. But the reference file's decisions, counted under the rules by which the
program counts all its matches, show which decisions make up the gap; the rest, between that figure and the candidate's, is the last
step, reporting.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from reconcile.diagnosis.faults import Fault
from reconcile.diagnosis.figure_table import BOTH, COLUMN, MATCH, figure_table
from reconcile.diagnosis.reported import EXPLORED, Reported, fits_figure
from reconcile.errors import ReconcileError
from reconcile.gap.comparison import TOTALS, Comparison, Side, compare
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import OUTSIDE, UNGATED, Figure
from reconcile.gate.candidates.claims import Candidate, Stated
from reconcile.match import Match
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.figures import Form
from reconcile.scoring.findings import Finding, Severity, new_finding
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics, statistics
from reconcile.scoring.sums import CLASSES

Kept = Sequence[tuple[int | None, Stated]]
"""Seat (`None` for both players) and figure."""


def both_players(ours: Statistics, metric: str) -> float | None:
    """A figure over both players: sums, and rates of sums; unknown where that of either is."""
    figure = METRICS[metric]
    is_sum = figure.form is not Form.RATE or figure.per_move  # a Snowie rate is already divided by the moves of both
    classes = [name for name, code in CLASSES.items() if code in figure.classes] or ["total"]
    names = [metric] if is_sum else [f"equity_error.{name}" for name in classes]
    values = [ours.figures(seat)[name] for seat in (0, 1) for name in names]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    value = float(sum(known)) if is_sum else float(figure_table(ours, games=False)[BOTH, MATCH, COLUMN[metric]])
    return None if value != value else value


@dataclass(frozen=True, slots=True)
class Explained:
    """Figures of one match as a program under test gives them, and what is needed to explain their gaps."""

    candidate: Candidate
    match: Match
    rules: RuleSet
    """Of the figures on the left."""
    table: str
    kept: Kept
    figures: Sequence[Figure]
    reported: Sequence[bool]

    def of_seats(self, metrics: Container[str]) -> dict[int, list[Reported]]:
        """The given figures among some metrics, by seat."""
        found: dict[int, list[Reported]] = {}
        for seat, one in self.kept:
            if one.metric in metrics and one.value is not None:
                found.setdefault(BOTH if seat is None else seat, []).append(Reported(one.metric, one.text, one.value, one.half))
        return found

    def under(self, rules: RuleSet, fault: Fault | None, tolerances: Tolerances) -> tuple[Comparison | None, tuple[Finding, ...]]:
        """The comparison whose bridges lead through rules to the given figures, and the finding about them.

        `rules` are those by which the program counts all its matches; `fault` is its mistake, where it shows in this match.
        """
        wanted = [(seat, one) for seats in (self.of_seats(EXPLORED),) for seat, ones in seats.items() for one in ones]
        if not wanted:
            return None, ()
        ours = statistics(self.match, rules)
        values = [both_players(ours, one.metric) if seat == BOTH else ours.figures(seat)[one.metric] for seat, one in wanted]
        fits = sum(fits_figure(value, one) for value, (_, one) in zip(values, wanted, strict=True))
        about = (self._finding(rules, fits, len(wanted), fault),)
        if all(seat is None for seat, _ in self.kept):
            return None, about
        try:
            comparison = compare(self.match, self.match, tolerances, table=self.table, left_rules=self.rules, right_rules=rules)
        except ReconcileError:  # an unanalysed file has no bridge
            return None, about
        return _towards(comparison, self.candidate, rules.name, self.figures, self.reported, about), about

    def _finding(self, rules: RuleSet, fits: int, of: int, fault: Fault | None) -> Finding:
        differing = self.rules.differing(rules)
        share = _of_rules(fits, of)
        if fault is not None:
            return new_finding("candidate-fault", fault.brief)
        if fits < of:
            given = f"with {share}" if fits else f"and gives {share}"
            severity: Severity | None = None if any(figure.verdict == OUTSIDE for figure in self.figures) else "info"
            return new_finding(
                "candidate-unexplained", f"{_words(rules)} comes closest over all matches: here it is {given}", severity=severity
            )
        if not differing:
            return new_finding("candidate-own-rules", f"rule set {self.rules.name} gives {share}")
        return new_finding(
            "candidate-rules", f"{_words(rules)} gives {share}, which differ from {self.rules.name} in {', '.join(differing)}"
        )


def _words(rules: RuleSet) -> str:
    """A rule set by its name, and where it was changed the answers that were."""
    base = RULE_SETS.get(rules.name, rules)
    changed = [f"{code} {rules.answers[code]}" for code in base.differing(rules)]
    return f"rule set {rules.name}" + (f" with {' and '.join(changed)}" if changed else "")


def _of_rules(fits: int, of: int) -> str:
    if of == 1:
        return ("the" if fits else "not the") + " one figure that depends on the rules"
    return f"{'all' if fits == of else fits or 'none of'}{'' if fits in (0, of) else ' of'} {of} figures that depend on the rules"


def _towards(
    comparison: Comparison,
    candidate: Candidate,
    rules: str,
    figures: Sequence[Figure],
    reported: Sequence[bool],
    about: tuple[Finding, ...],
) -> Comparison:
    """The comparison of a file with itself under two rule sets, ending at the candidate figures on the right."""
    given = {(figure.player, figure.metric): figure for figure in figures}
    ends = {
        key: (figure.left if was_reported else None, figure.right)
        for (key, figure), was_reported in zip(given.items(), reported, strict=True)
    }
    side = Side(
        path=candidate.name,
        sha256=candidate.sha256,
        format=TOTALS,
        tool=candidate.name,
        tool_version=None,
        rules=rules,
        met=comparison.right.met,
        level="only figures, no decisions",
        players=comparison.left.players,
    )
    every = tuple(
        given.get((figure.player, figure.metric), replace(figure, right=None, gap=None, tolerance=None, level=None, verdict=UNGATED))
        for figure in comparison.figures
    )
    own = tuple(finding for finding in comparison.findings if finding.side == "left")
    return replace(
        comparison,
        right=side,
        figures=every,
        by_game=(),
        paired=(0, comparison.paired[1]),
        shares=(),
        findings=(*about, *own),
        walk=comparison.walk.towards(ends, totals_alone=True),
    )
