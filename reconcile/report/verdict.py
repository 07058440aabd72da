"""The one sentence that every output begins with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reconcile.files.wording import MINUS, plural
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import DECIDED, INCOMPARABLE, INCOMPLETE, OPEN, OUTSIDE, WITHIN, Figure
from reconcile.report.numbers import change, gap_and_bound, gap_between, gap_shown
from reconcile.scoring.metrics import METRICS

LABELS: Final = {
    WITHIN: "Within tolerance",
    "warned": "Within tolerance, with warnings",
    OUTSIDE: "Out of tolerance",
    INCOMPARABLE: "Not judged",
}
EXPLAINED: Final = "Explained, not judged"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict as a word, a label and a sentence."""

    word: str
    """`within`, `warned`, `outside`, `incomparable` or `explained`."""
    label: str
    sentence: str
    tone: str
    """How it looks: as its word, or `noted` where a gap beyond a tolerance is no alarm."""


def title(figure: Figure) -> str:
    """`PR of Nora`."""
    return f"{figure.title} of {figure.player}"


def severity(figure: Figure) -> tuple[bool, float, float]:
    """How bad a gap is, for sorting: errors before warnings, then the gap in multiples of its bound."""
    return figure.level == "error", figure.excess, abs(figure.unexplained or 0.0)


def failures(comparison: Comparison) -> tuple[Figure, ...]:
    """The figures out of tolerance, worst first."""
    return tuple(
        sorted((f for f in comparison.judged if f.verdict == OUTSIDE), key=severity, reverse=True)
    )


def undecided(comparison: Comparison) -> tuple[Figure, ...]:
    """The figures whose range reaches across the bound, worst first."""
    return tuple(
        sorted((f for f in comparison.judged if f.verdict == OPEN), key=severity, reverse=True)
    )


def incomplete(comparison: Comparison) -> tuple[Figure, ...]:
    """The figures that have a tolerance but are based on an incomplete analysis."""
    return tuple(figure for figure in comparison.judged if figure.verdict == INCOMPLETE)


def in_order(figures: Sequence[Figure]) -> list[Figure]:
    """Judged figures as every output lists them: out of tolerance, open, incomplete, then the others; the widest gap first."""
    order = {OUTSIDE: 0, OPEN: 1, INCOMPLETE: 2}
    return sorted(
        figures,
        key=lambda figure: (order.get(figure.verdict, 3), *[-key for key in severity(figure)]),
    )


def worst(comparison: Comparison) -> Figure | None:
    """The judged figure that uses up most of its tolerance."""
    judged = [figure for figure in comparison.judged if figure.verdict in DECIDED]
    return max(judged, key=severity, default=None)


def differs(figure: Figure) -> str:
    """`PR of Nora differs by 0.31 (allowed 0.10)`."""
    gap, bound = _beyond_known(figure)
    unit = METRICS[figure.metric].unit
    warning = ", a warning only" if figure.level == "warn" else ""
    if figure.known_gap is not None:
        warning += f" beyond the known gap {change(figure.metric, figure.known_gap)}"
    return f"{title(figure)} differs by {gap.lstrip('+')}{f' {unit}' if unit else ''} (allowed {bound}{warning})"


def _beyond_known(figure: Figure) -> tuple[str, str]:
    """The size of a gap beyond what is known of it, and its bound."""
    if figure.known_gap is None:
        gap, bound = gap_shown(figure)
        return gap.lstrip(f"+{MINUS}"), bound
    return gap_and_bound(figure.metric, abs(figure.unexplained or 0.0), figure.tolerance)


def may_differ(figure: Figure) -> str:
    """`PR of Nora differs by +0.03 to +0.27 (allowed 0.10), since a rule is not known`."""
    _, bound = gap_and_bound(figure.metric, None, figure.tolerance)
    unit = METRICS[figure.metric].unit
    gaps = gap_between(figure.metric, figure.unexplained_range)
    known = (
        ""
        if figure.known_gap is None
        else f" beyond the known gap {change(figure.metric, figure.known_gap)}"
    )
    return f"{title(figure)} differs by {gaps}{f' {unit}' if unit else ''} (allowed {bound}{known}), since a rule is not known"


def verdict_of(comparison: Comparison) -> Verdict:
    """The verdict of a comparison."""
    word: str = comparison.verdict
    if word == INCOMPARABLE:
        return Verdict(word, LABELS[word], _cannot(comparison), word)
    bad, missing, either = failures(comparison), incomplete(comparison), undecided(comparison)
    total = sum(figure.verdict in DECIDED for figure in comparison.judged) + len(missing)
    inside = total - len(missing) - len(bad) - len(either)
    if noted := bool(bad) and not comparison.is_alarm:
        sentence = (
            f"{_beyond(comparison, bad[0])}. {inside} of {plural(total, 'figure')} within tolerance"
        )
    elif bad:
        lead = "; " if len(bad) == 1 else f". Worst of the {len(bad)} outside: "
        sentence = f"{inside} of {plural(total, 'figure')} within tolerance{lead}{differs(bad[0])}"
    elif missing or either:
        sentence = f"{inside} of {plural(total, 'figure')} within tolerance"
    else:
        sentence = (
            f"All {plural(total, 'figure')} within tolerance"
            if total > 1
            else "The judged figure is within tolerance"
        )
        top = worst(comparison)
        if top is not None and top.unexplained:
            gap, bound = _beyond_known(top)
            sentence += f"; nearest to its bound is {title(top)} with a gap of {gap.lstrip('+')} (allowed {bound})"
    if either:
        sentence += f"; {len(either)} open: {may_differ(either[0])}"
    if missing:
        sentence += f"; {len(missing)} incomplete and not judged ({_missing(missing[0])})"
    if word == WITHIN and (bad or either):
        word = "warned"
    return Verdict(
        word,
        _kind(comparison).capitalize() if noted else LABELS[word],
        sentence + ".",
        "noted" if noted else word,
    )


def _kind(comparison: Comparison) -> str:
    """What two files are that are no readings of one analysis."""
    return "two analyses" if comparison.left.tool == comparison.right.tool else "two engines"


def _beyond(comparison: Comparison, figure: Figure) -> str:
    """A gap between two analyses, and what the bound is meant for that it exceeds."""
    gap, bound = _beyond_known(figure)
    unit = METRICS[figure.metric].unit
    beyond = f"{title(figure)} differs by {gap.lstrip('+')}{f' {unit}' if unit else ''}"
    return f"{beyond}; the {comparison.table} {bound} is for two readings of one analysis"


def explained(comparison: Comparison) -> Verdict:
    """The sentence shown instead of a verdict for a pair that is only explained."""
    rates = [
        figure for figure in comparison.figures if figure.metric == "pr" and figure.gap is not None
    ]
    gaps = ", ".join(map(_differs_by, rates)) or "No PR is known on both sides"
    return Verdict(
        "explained", EXPLAINED, f"No tolerance is applied to this pair. {gaps}.", "explained"
    )


def differs_most(comparison: Comparison) -> str:
    """`PR of Nora differs by 2.31`: the player whose two PRs are furthest apart; empty where no PR is known on both sides."""
    rates = [
        figure for figure in comparison.figures if figure.metric == "pr" and figure.gap is not None
    ]
    most = max(rates, key=lambda figure: abs(figure.gap or 0.0), default=None)
    return "" if most is None else _differs_by(most)


def _differs_by(figure: Figure) -> str:
    return f"{title(figure)} differs by {gap_shown(figure)[0].lstrip(f'+{MINUS}')}"


def _cannot(comparison: Comparison) -> str:
    missing = incomplete(comparison)
    if not missing:
        return (
            f"Cannot be judged: the table {comparison.table} names no figure that both sides have."
        )
    first = missing[0]
    return f"Cannot be judged: {title(first)} rests on an incomplete analysis ({_missing(first)})."


def _missing(figure: Figure) -> str:
    return f"{figure.coverage} analysed" if figure.coverage else "unknown on one side"
