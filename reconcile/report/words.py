"""The words of a report that more than one output needs: names of files, steps, kinds and verdicts;
and the one sentence that every output begins with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reconcile.errors import last_part
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import (
    DECIDED,
    INCOMPARABLE,
    INCOMPLETE,
    OPEN,
    OUTSIDE,
    UNGATED,
    WITHIN,
    Figure,
)
from reconcile.gap.walk import Bridge
from reconcile.match.columns import Kind
from reconcile.report import numbers
from reconcile.report.numbers import beyond_known, gap_and_bound, gap_between, gap_shown
from reconcile.scoring.figures import METRICS
from reconcile.wording import MINUS, one_line, plural

STEPS: dict[str, tuple[str, str]] = {
    "reported-left": ("reporting", "left"),
    "coverage-left": ("coverage", "left"),
    "engine": ("analysis", ""),
    "coverage-right": ("coverage", "right"),
    "reported-right": ("reporting", "right"),
}
"""The steps that are no rules: name and side."""

KINDS = {kind: kind.noun for kind in Kind} | {
    Kind.PLAY: "checker play",
    Kind.NO_DOUBLE: "no double",
}
"""What reports call the kinds of decision."""
WHY_OPEN = "since a rule is not known"
"""Why a figure is a range and its verdict open."""
NOT_PLAYED = "not played, the game had ended"
"""What was done with a roll that the game did not wait for."""


def file_name(path: str) -> str:
    """The last part of a path, with the separators of any system, so that no report shows a user's
    folders."""
    return one_line(last_part(path) or path)


def match_title(comparison: Comparison) -> str:
    """Who played, under the left file's names."""
    first, second = comparison.left.players
    return f"{first} \N{EN DASH} {second}"


def length_text(length: int | None) -> str:
    """How long the match was."""
    return "money session" if length is None else f"{length}-point match"


def step_name(code: str) -> str:
    """A step's short name: the question's code for a rule."""
    return ", ".join(filter(None, STEPS[code])) if code in STEPS else code


def step_label(code: str) -> str:
    """The same where there is little room, with a letter for the side."""
    name, side = STEPS.get(code, (code, ""))
    return f"{name} {side[:1].upper()}".rstrip()


def bridge_of(comparison: Comparison, figure: Figure) -> Bridge | None:
    """The bridge of a figure, where there is one."""
    return next(
        (
            bridge
            for bridge in comparison.bridges
            if (bridge.player, bridge.metric) == (figure.player, figure.metric)
        ),
        None,
    )


def verdict_word(verdict: str) -> str:
    """The word for the verdict of a figure: its own, but for one that nothing judges."""
    return "not judged" if verdict == UNGATED else verdict


def verdict_words(figure: Figure, word: str) -> str:
    """The word for a figure's verdict with what it leaves out: `within, known gap +0.05`."""
    return (
        word
        if figure.known_gap is None
        else f"{word}, known gap {numbers.change(figure.metric, figure.known_gap)}"
    )


def judgement(figure: Figure) -> tuple[str, str]:
    """A verdict as pages show it: the name of its badge (`warned` for a gap that is a warning only)
    and its words."""
    if figure.verdict == OUTSIDE and figure.level == "warn":
        return "warned", verdict_words(figure, "outside (warning)")
    if figure.verdict == OPEN:
        return "warned", verdict_words(figure, OPEN)
    return figure.verdict, verdict_words(figure, verdict_word(figure.verdict))


LABELS = {
    WITHIN: "Within tolerance",
    "warned": "Within tolerance, with warnings",
    OUTSIDE: "Out of tolerance",
    INCOMPARABLE: "Not judged",
}
EXPLAINED = "Explained, not judged"
ORDER = (OUTSIDE, OPEN, INCOMPLETE)
"""Verdicts of figures as every output lists them, before all others."""


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
    """How bad a gap is, for sorting: errors before warnings, then the gap in multiples of its
    bound."""
    return figure.level == "error", figure.excess, abs(figure.unexplained or 0.0)


def in_order(figures: Sequence[Figure]) -> list[Figure]:
    """Judged figures as every output lists them: out of tolerance, open, incomplete, then the
    others; the widest gap first."""
    place = {verdict: at for at, verdict in enumerate(ORDER)}
    worst_first = sorted(figures, key=severity, reverse=True)
    return sorted(worst_first, key=lambda figure: place.get(figure.verdict, len(ORDER)))


def with_verdict(comparison: Comparison, verdict: str) -> list[Figure]:
    """The judged figures with a verdict, worst first; incomplete ones in the order of figures."""
    figures = [figure for figure in comparison.judged if figure.verdict == verdict]
    return figures if verdict == INCOMPLETE else in_order(figures)


def _gap_and_bound(figure: Figure) -> tuple[str, str]:
    """The size of a gap beyond what is known of it, and its bound."""
    if figure.known_gap is None:
        gap, bound = gap_shown(figure)
    else:
        size = abs(figure.unexplained or 0.0)
        gap, bound = gap_and_bound(figure.metric, size, figure.tolerance)
    return gap.lstrip(f"+{MINUS}"), bound


def _differs(figure: Figure, gap: str) -> str:
    """`PR of Nora differs by 0.31`, in the unit of the figure."""
    return " ".join(filter(None, (title(figure), "differs by", gap, METRICS[figure.metric].unit)))


def differs(figure: Figure) -> str:
    """`PR of Nora differs by 0.31 (allowed 0.10)`."""
    gap, bound = _gap_and_bound(figure)
    warning = ", a warning only" if figure.level == "warn" else ""
    return f"{_differs(figure, gap)} (allowed {bound}{warning}{beyond_known(figure)})"


def may_differ(figure: Figure) -> str:
    """`PR of Nora differs by +0.03 to +0.27 (allowed 0.10), since a rule is not known`."""
    _, bound = gap_and_bound(figure.metric, None, figure.tolerance)
    apart = _differs(figure, gap_between(figure.metric, figure.unexplained_range))
    return f"{apart} (allowed {bound}{beyond_known(figure)}), since a rule is not known"


def verdict_of(comparison: Comparison) -> Verdict:
    """The verdict of a comparison."""
    word: str = comparison.verdict
    if word == INCOMPARABLE:
        return Verdict(word, LABELS[word], _cannot(comparison), word)
    bad, either, missing = (with_verdict(comparison, verdict) for verdict in ORDER)
    noted = bool(bad) and not comparison.is_alarm
    sentence = _sentence(comparison, bad, either, missing, noted=noted)
    if either:
        sentence += f"; {len(either)} open: {may_differ(either[0])}"
    if missing:
        sentence += f"; {len(missing)} incomplete and not judged ({_missing(missing[0])})"
    if word == WITHIN and (bad or either):
        word = "warned"
    alike = comparison.left.tool == comparison.right.tool
    label = f"Two {'analyses' if alike else 'engines'}" if noted else LABELS[word]
    return Verdict(word, label, f"{sentence}.", "noted" if noted else word)


def _sentence(
    comparison: Comparison,
    bad: Sequence[Figure],
    either: Sequence[Figure],
    missing: Sequence[Figure],
    *,
    noted: bool,
) -> str:
    """How many figures are within tolerance, and the worst gap, or the one nearest to its bound."""
    decided = [figure for figure in comparison.judged if figure.verdict in DECIDED]
    total = len(decided) + len(missing)
    number = plural(total, "figure")
    within = f"{total - len(missing) - len(bad) - len(either)} of {number} within tolerance"
    if noted:
        gap, bound = _gap_and_bound(bad[0])
        meant_for = f"the {comparison.table} {bound} is for one analysis that is read twice"
        return f"{_differs(bad[0], gap)}; {meant_for}. {within}"
    if bad:
        lead = "; " if len(bad) == 1 else f". Worst of the {len(bad)} outside: "
        return f"{within}{lead}{differs(bad[0])}"
    if missing or either:
        return within
    sentence = (
        f"All {number} within tolerance" if total > 1 else "The judged figure is within tolerance"
    )
    top = max(decided, key=severity, default=None)
    if top is None or not top.unexplained:
        return sentence
    gap, bound = _gap_and_bound(top)
    nearest = f"nearest to its bound is {title(top)} with a gap of {gap} (allowed {bound})"
    return f"{sentence}; {nearest}"


def explained(comparison: Comparison) -> Verdict:
    """The sentence shown instead of a verdict for a pair that is only explained."""
    gaps = ", ".join(map(_rate_differs, _rates(comparison))) or "No PR is known on both sides"
    sentence = f"No tolerance is applied to this pair. {gaps}."
    return Verdict("explained", EXPLAINED, sentence, "explained")


def differs_most(comparison: Comparison) -> str:
    """`PR of Nora differs by 2.31`: the player whose two PRs are furthest apart; empty where no PR
    is known on both sides."""
    most = max(_rates(comparison), key=lambda figure: abs(figure.gap or 0.0), default=None)
    return "" if most is None else _rate_differs(most)


def _rates(comparison: Comparison) -> list[Figure]:
    """The PRs that both sides know."""
    figures = (figure for figure in comparison.figures if figure.metric == "pr")
    return [figure for figure in figures if figure.gap is not None]


def _rate_differs(figure: Figure) -> str:
    return f"{title(figure)} differs by {gap_shown(figure)[0].lstrip(f'+{MINUS}')}"


def _cannot(comparison: Comparison) -> str:
    for figure in with_verdict(comparison, INCOMPLETE):
        why = f"{title(figure)} rests on an incomplete analysis ({_missing(figure)})"
        return f"{why}."
    return f"The table {comparison.table} names no figure that both sides have."


def _missing(figure: Figure) -> str:
    return f"{figure.coverage} analysed" if figure.coverage else "unknown on one side"
