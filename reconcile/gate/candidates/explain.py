"""Which rules give the candidate figures, and the bridge from the reference to them: how a maintainer understands a gap.

A program that gives only totals does not show its decisions. But the reference file's decisions, counted under the closest rule set, show
which decisions make up the gap; the rest, between that figure and the candidate's, is the last step, reporting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from reconcile.diagnosis.investigation import Investigation, investigate
from reconcile.diagnosis.reported import EXPLORED, Reported, fits_figure
from reconcile.errors import ReconcileError
from reconcile.gap.comparison import TOTALS, Comparison, Side, compare
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import OUTSIDE, UNGATED, Figure
from reconcile.gate.candidates.claims import Candidate, Stated
from reconcile.match import Match
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.scoring.finding_pages import Severity
from reconcile.scoring.findings import Finding, found
from reconcile.scoring.metrics import MEMG_FACTOR, METRICS, PR_FACTOR
from reconcile.scoring.statistics import Statistics, statistics

FAR: Final = 1e6
MOST_DIFFERENCES: Final = 4
"""A combination that differs from a known rule set in more points than this explains nothing."""

Kept = Sequence[tuple[int | None, Stated]]
"""Seat (`None` for both players) and figure."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The rule set that comes closest to some figures."""

    rules: RuleSet
    fits: int
    of: int

    @property
    def exact(self) -> bool:
        """Whether it gives all the figures."""
        return self.fits == self.of


def both_players(ours: Statistics, metric: str) -> float | None:
    """A figure over both players: sums, and rates of sums."""
    one, two = (ours.figures(seat) for seat in (0, 1))

    def total(name: str) -> float | None:
        values = one[name], two[name]
        return None if None in values else float(sum(value for value in values if value is not None))

    parts = {
        "pr": ("equity_error.total", "decisions.counted", PR_FACTOR),
        "error_rate_memg": ("equity_error.total", "decisions.counted", MEMG_FACTOR),
        "checker_pr": ("equity_error.checker", "decisions.checker", PR_FACTOR),
    }
    if metric in parts:
        error, count, factor = parts[metric]
        lost, decisions = total(error), total(count)
        return None if lost is None or not decisions else factor * lost / decisions
    if metric == "cube_pr":
        sums = [total(f"equity_error.{name}") for name in ("double", "take")]
        decisions = sum(total(f"decisions.{name}") or 0 for name in ("double", "take"))
        return None if None in sums or not decisions else PR_FACTOR * sum(value or 0 for value in sums) / decisions
    return total(metric)  # a Snowie rate is already divided by the moves of both


def nearest(match: Match, kept: Kept, first: RuleSet) -> Nearest | None:
    """The known rule set that gives the most figures and comes closest in the rest; `first` wins a tie."""
    wanted = [(seat, one) for seat, one in kept if one.metric in EXPLORED and one.value is not None]
    if not wanted:
        return None
    ranked = []
    for position, rules in enumerate([first, *(rules for rules in RULE_SETS.values() if rules.name != first.name)]):
        ours = statistics(match, rules)
        fits, off = 0, 0.0
        for seat, one in wanted:
            value = both_players(ours, one.metric) if seat is None else ours.figures(seat)[one.metric]
            if fits_figure(value, _as_reported(one)):
                fits += 1
            else:
                digit = 10.0 ** -METRICS[one.metric].decimals
                off = max(off, FAR if value is None or one.value is None else min(abs(value - one.value) / digit, FAR))
        ranked.append((-fits, off, position, rules))
    fits, _, _, rules = min(ranked, key=lambda one: one[:3])
    return Nearest(rules, -fits, len(wanted))


def _as_reported(one: Stated) -> Reported:
    return Reported(one.metric, one.text, one.value or 0.0, one.half)


def explained(
    candidate: Candidate,
    match: Match | None,
    rules: RuleSet,
    table: str,
    kept: Kept,
    figures: Sequence[Figure],
    reported: Sequence[bool],
    tolerances: Tolerances,
) -> tuple[Comparison | None, tuple[Finding, ...]]:
    """The comparison whose bridges lead to the candidate figures, and the sentence that names the closest rules."""
    closest = nearest(match, kept, rules) if match else None
    if match is None or closest is None:
        return None, ()
    about = _sentence(match, rules, closest, kept, figures)
    try:
        comparison = compare(match, match, tolerances, table=table, left_rules=rules, right_rules=closest.rules)
    except ReconcileError:  # an unanalysed file has no bridge
        return None, about
    if all(seat is None for seat, _ in kept):
        return None, about
    return _towards(comparison, candidate, closest.rules.name, figures, reported, about), about


def _sentence(match: Match, rules: RuleSet, closest: Nearest, kept: Kept, figures: Sequence[Figure]) -> tuple[Finding, ...]:
    share = _of_rules(closest.of if closest.exact else closest.fits, closest.of)
    if closest.exact:
        code = "candidate-own-rules" if closest.rules == rules else "candidate-rules"
        differing = "" if closest.rules == rules else f", which differ from {rules.name} in {_differing(rules, closest.rules)}"
        return (found(code, f"rule set {closest.rules.name} gives {share}{differing}"),)
    combination = _combination(match, kept) if any(figure.verdict == OUTSIDE for figure in figures) else ""
    if combination:
        return (found("candidate-rules", f"{combination} gives {_of_rules(closest.of, closest.of)}"),)
    given = f"with {share}" if closest.fits else f"and gives {share}"
    severity: Severity | None = None if any(figure.verdict == OUTSIDE for figure in figures) else "info"
    return (found("candidate-unexplained", f"rule set {closest.rules.name} comes closest: it gives {given}", severity=severity),)


def _of_rules(fits: int, of: int) -> str:
    if of == 1:
        return ("the" if fits else "not the") + " one figure that depends on the rules"
    return f"{'all' if fits == of else fits or 'none of'}{'' if fits in (0, of) else ' of'} {of} figures that depend on the rules"


def _differing(one: RuleSet, other: RuleSet) -> str:
    return ", ".join(one.differing(other)) or "nothing"


def _combination(match: Match, kept: Kept) -> str:
    """A combination of answers, of no known program, that gives all figures of every player, in words; empty if there is none."""
    shared: dict[tuple[str, tuple[tuple[str, str], ...]], str] | None = None
    for seat in sorted({seat for seat, _ in kept if seat is not None}):
        wanted = tuple(_as_reported(one) for other, one in kept if other == seat and one.metric in EXPLORED and one.value is not None)
        if not wanted:
            continue
        try:
            result: Investigation = investigate(match, match.players[seat], wanted)
        except ReconcileError:
            return ""
        fitting = {
            (one.nearest, tuple((d.question, d.answer_to) for d in one.differences)): ", ".join(
                f"{d.question} {d.answer_to}" for d in one.differences
            )
            for one in result.explanations
            if len(one.differences) <= MOST_DIFFERENCES
        }
        shared = fitting if shared is None else {key: words for key, words in shared.items() if key in fitting}
    if not shared:
        return ""
    (base, _), words = next(iter(shared.items()))
    return f"rule set {base}" + (f" with {words}" if words else "")


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
