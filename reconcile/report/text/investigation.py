"""An investigation in words: which rules give the figures, which known programs do, and which decisions it turns on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reconcile.adapters.printed import Pasted
from reconcile.diagnosis.investigation import Explanation, Investigation, Turning
from reconcile.diagnosis.reported import fits_figure
from reconcile.report.text.statistics import shown
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.metrics import METRICS

SHOWN_EXPLANATIONS = 5
SHOWN_DECISIONS = 8
NAMED_FIGURES = 4
"""Most reported figures named in a line."""
NOTHING = 1e-9
"""Smallest difference of equities shown."""


def headline(result: Investigation) -> str:
    """The finding in a sentence."""
    figures = ", ".join(f"{METRICS[one.metric].title} {one.text}" for one in result.reported[:NAMED_FIGURES])
    more = len(result.reported) - NAMED_FIGURES
    figures += f" and {more} more figure{'s' if more > 1 else ''}" if more > 0 else ""
    who = f"{result.player}{'' if result.game is None else f' in game {result.game}'}: {figures}"
    if not result.explanations:
        return f"{who}: none of {result.tried} combinations of rules gives these figures"
    first = result.explanations[0]
    title = RULE_SETS[first.nearest].title
    if not first.differences:
        return f"{who}: exactly the count of {title} (rule set {first.nearest})"
    same = ", ".join(RULE_SETS[name].title for name in first.also)
    changes = " and ".join(f"{one.question} {one.answer_to} instead of {one.answer_from}" for one in first.differences)
    return f"{who}: {title} with {changes}" + (f"; {same} would give the same" if same else "")


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
        yield f"    game {decision.game} turn {decision.turn} {decision.kind}: {change_of(decision)}  {decision.xgid}".rstrip()
    if len(explanation.decisions) > SHOWN_DECISIONS:
        yield f"    and {len(explanation.decisions) - SHOWN_DECISIONS} more decisions"


def change_of(decision: Turning) -> str:
    """What the differences do to a decision: whether it counts, how much it loses."""
    words = []
    if decision.counted_from != decision.counted_to:
        words.append("counts now" if decision.counted_to else "no longer counts")
    before, after = decision.error_from, decision.error_to
    if abs(after - before) > NOTHING:
        decimals = next((digits for digits in (3, 4, 5) if f"{before:.{digits}f}" != f"{after:.{digits}f}"), 6)
        words.append(f"error {before:.{decimals}f} -> {after:.{decimals}f}")
    if not words and decision.mwc_from is not None and decision.mwc_to is not None:
        words.append(f"MWC lost {decision.mwc_from:.3f} -> {decision.mwc_to:.3f} %")
    return ", ".join(words)


def paste_notes(pasted: Pasted, players: tuple[str, str]) -> tuple[str, ...]:
    """Notes on figures that were read from pasted text."""
    figures = sum(map(len, pasted.columns))
    lines = "line with a number was" if pasted.ignored == 1 else "lines with numbers were"
    read = "1 figure was" if figures == 1 else f"{figures} figures were"
    notes = [f"{read} read from the pasted text of {pasted.program}; {pasted.ignored} other {lines} not used."]
    if not pasted.players and len(pasted.columns) > 1:
        notes.append(f"Its columns have no names: the first is assumed to be {players[0]}, the second {players[1]}.")
    return (*notes, *(f"{note}." for note in pasted.notes))


def other_figures(result: Investigation) -> tuple[tuple[str, str, str], ...]:
    """The reported figures that were not searched for: title, as reported, and the file's."""
    return tuple((METRICS[one.metric].label, one.text, shown(one.metric, ours)) for one, ours in result.others)


def investigation_text(result: Investigation, *, notes: Sequence[str] = ()) -> str:
    """The whole investigation as plain text; `notes` are remarks on where the figures come from."""
    lines = [headline(result), *(f"note: {note}" for note in notes), "", "Known rule sets:"]
    for name, fits, figures in result.known:
        # Of many figures, those that do not fit are the most interesting.
        named = sorted(result.reported, key=lambda one: fits_figure(figures[one.metric], one)) if not fits else result.reported
        given = ", ".join(f"{METRICS[one.metric].title} {shown(one.metric, figures[one.metric])}" for one in named[:NAMED_FIGURES])
        lines.append(f"  {'yes' if fits else 'no ':<4}{name:<16}{given}{', ...' if len(named) > NAMED_FIGURES else ''}")
    if result.others:
        lines += ["", f"Not searched for, as reported and in this file under {result.others_rules}:"]
        lines += [f"  {title:<44}{text:>10}{ours:>10}" for title, text, ours in other_figures(result)]
    found = result.explanations or result.closest
    lines += ["", "Explanations, fewest differences first:" if result.explanations else "Closest:"]
    for number, explanation in enumerate(found[:SHOWN_EXPLANATIONS], 1):
        first, *rest = explanation_lines(explanation)
        if not result.explanations:
            first += f" (off by {explanation.off / 2:.1f} digits)"
        lines.append(f"{number}. {first}")
        lines += [f"   {line}" for line in rest]
    if len(found) > SHOWN_EXPLANATIONS:
        lines.append(f"and {len(found) - SHOWN_EXPLANATIONS} more (--json has up to 20)")
    lines += ["", f"{result.tried} combinations of answers tried. `reconcile explain CODE` has the page of a question."]
    return "\n".join(lines) + "\n"
