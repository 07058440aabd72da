"""An investigation in words: which rules give the figures, which known programs do, and which decisions it turns on."""

from __future__ import annotations

from collections.abc import Iterator

from reconcile.investigation import Explanation, Investigation
from reconcile.metrics import METRICS
from reconcile.report.table import shown
from reconcile.rules.rulesets import RULE_SETS

SHOWN_EXPLANATIONS = 5
SHOWN_DECISIONS = 8


def headline(result: Investigation) -> str:
    """The finding in a sentence."""
    figures = ", ".join(f"{METRICS[one.metric].title} {one.text}" for one in result.reported)
    who = f"{result.player}: {figures}"
    if not result.explanations:
        return f"{who}: none of {result.tried} combinations of rules gives these figures"
    first = result.explanations[0]
    title = RULE_SETS[first.nearest].title
    if not first.differences:
        return f"{who}: exactly what {title} counts (rule set {first.nearest})"
    changes = " and ".join(f"{one.question} {one.answer_to} instead of {one.answer_from}" for one in first.differences)
    return f"{who}: {title} with {changes}"


def explanation_lines(explanation: Explanation) -> Iterator[str]:
    """One explanation: what differs, the figures it gives, and the decisions behind it."""
    if explanation.differences:
        yield f"rule set {explanation.nearest} with"
        for one in explanation.differences:
            yield f"  {one.question} {one.title} {one.answer_from} -> {one.answer_to}"
    else:
        yield f"rule set {explanation.nearest}, nothing changed"
    figures = [
        f"{METRICS[name].title} {shown(name, explanation.figures[name])}" for name in ("pr", "decisions.counted", "equity_error.total")
    ]
    yield f"  gives {', '.join(figures)}" + (f"; so do the rules of {', '.join(explanation.also)}" if explanation.also else "")
    for decision in explanation.decisions[:SHOWN_DECISIONS]:
        counted = {(True, False): "no longer counts", (False, True): "counts now"}.get((decision.counted_from, decision.counted_to))
        change = counted or f"error {decision.error_from:.4f} -> {decision.error_to:.4f}"
        yield f"    game {decision.game} turn {decision.turn} {decision.kind}: {change}  {decision.xgid}".rstrip()
    if len(explanation.decisions) > SHOWN_DECISIONS:
        yield f"    and {len(explanation.decisions) - SHOWN_DECISIONS} more decisions"


def investigation_text(result: Investigation) -> str:
    """The whole investigation as plain text."""
    lines = [headline(result), "", "Known rule sets:"]
    names = [one.metric for one in result.reported]
    for name, fits, figures in result.known:
        given = ", ".join(f"{METRICS[key].title} {shown(key, figures[key])}" for key in names)
        lines.append(f"  {'yes' if fits else 'no ':<4}{name:<16}{given}")
    found = result.explanations or result.closest
    lines += ["", "Explanations, fewest differences first:" if result.explanations else "What comes closest:"]
    for number, explanation in enumerate(found[:SHOWN_EXPLANATIONS], 1):
        first, *rest = explanation_lines(explanation)
        lines.append(f"{number}. {first}")
        lines += [f"   {line}" for line in rest]
    if len(found) > SHOWN_EXPLANATIONS:
        lines.append(f"and {len(found) - SHOWN_EXPLANATIONS} more (--json has up to 20)")
    lines += ["", f"{result.tried} combinations of answers tried. `reconcile explain CODE` has the page of a question."]
    return "\n".join(lines) + "\n"
