"""The rules that give figures somebody saw as text, and a diagnosis of a program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from reconcile.files.wording import plural
from reconcile.formats.printed import Pasted
from reconcile.infer.investigation import Explanation, Investigation
from reconcile.infer.program import DecidingDecision, Diagnosis, Sure
from reconcile.infer.reported import Reported, fits_figure, printed
from reconcile.infer.run import OWN
from reconcile.match.tools import short_name
from reconcile.report.answer import answer, change_of, shows_reach, side_by_side
from reconcile.report.markdown import code, escape, table
from reconcile.report.text.statistics import shown
from reconcile.report.words import file_name, length_text
from reconcile.scoring.metrics import METRICS

COUNTED: Final[Mapping[str, str]] = {"without": "if it did not count", "twice": "if it counted twice", "with": "if it counted"}

SURE: Final[Mapping[Sure, str]] = {
    "certain": "certain",
    "likely": "likely, not certain",
    "open": "open",
    "none": "no rules give the figures",
}
"""How sure a diagnosis is, in words."""


def diagnosis_lines(diagnosis: Diagnosis) -> Iterator[str]:
    """Everything there is to say, the sentence first, a line each."""
    yield diagnosis.sentence
    yield from details(diagnosis)


def details(diagnosis: Diagnosis) -> Iterator[str]:
    """What comes after the sentence."""
    for fault in diagnosis.faults:
        yield f"{fault.sentence} [{fault.code}]"
        yield from (f"{place.match}, {place.player}: it may be {place}" for place in fault.decisions[1:])
    if not diagnosis.faults and diagnosis.best.given:
        yield f"How sure: {SURE[diagnosis.sure]}; {diagnosis.why}."
    if diagnosis.best.given:
        yield known_line(diagnosis)
    for one in diagnosis.against:
        yield f"Against it: {one.match} ({one.explained} of {one.given}): {one.sentence}"
        yield from (f"  {decision_line(decision)}" for decision in one.decisions)


def known_line(diagnosis: Diagnosis) -> str:
    """How many figures each known rule set gives: `Known rules: gammonview 28 of 36, backgammondb 20, xg 10`."""
    first, *others = [(("each reference's own" if one.name == OWN else one.name), one.explained, one.given) for one in diagnosis.rule_sets]
    shown = [f"{first[0]} {first[1]} of {first[2]}", *(f"{name} {explained}" for name, explained, _ in others)]
    return f"Figures that known rules give: {', '.join(shown)}"


def decision_line(one: DecidingDecision) -> str:
    """A decision that would account for the figures."""
    return f"game {one.game}, turn {one.turn} ({one.kind}, error {one.error:.3f}) {COUNTED[one.counted]}: {one.xgid or one.gnubg_id}"


SHOWN_EXPLANATIONS = 5
SHOWN_DECISIONS = 8
NAMED_FIGURES = 4
"""Most reported figures named in a line."""


def explanation_lines(explanation: Explanation, most: int) -> Iterator[str]:
    """One explanation: what differs, the figures it gives, and the first `most` decisions behind it."""
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
    for decision in explanation.decisions[:most]:
        yield f"    game {decision.game} turn {decision.turn} {decision.kind}: {change_of(decision)}  {decision.xgid}".rstrip()
    if len(explanation.decisions) > most:
        yield f"    {'and ' if most else ''}{plural(len(explanation.decisions) - most, 'decision' if not most else 'more decision')}"


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
    lines = [*answer(result), *(f"note: {note}" for note in notes), "", *_side_by_side(result), "", "Known rule sets:"]
    for rules in result.known:
        # Of many figures, those that do not fit are the most interesting.
        order = sorted(result.reported, key=lambda one: not rules.fits and fits_figure(rules.figures[one.metric], one))
        given = _gives(order, rules.figures) + (", ..." if len(order) > NAMED_FIGURES else "")
        lines.append(f"  {'yes' if rules.fits else 'no ':<4}{rules.name:<16}{given}")
    if result.others:
        lines += ["", f"Not searched for, as reported and in this file under {result.others_rules}:"]
        lines += [f"  {title:<44}{text:>10}{ours:>10}" for title, text, ours in other_figures(result)]
    if result.explanations:
        lines += ["", "Explanations, the most plausible first:"]
        for number, explanation in enumerate(result.explanations[:SHOWN_EXPLANATIONS], 1):
            first, *rest = explanation_lines(explanation, SHOWN_DECISIONS if number == 1 else 0)
            lines += [f"{number}. {first}", *(f"   {line}" for line in rest)]
        if len(result.explanations) > SHOWN_EXPLANATIONS:
            lines.append(f"and {len(result.explanations) - SHOWN_EXPLANATIONS} more (--json has up to 20)")
    elif shows_reach(result):
        lines += ["", "Closest:"]
        for number, explanation in enumerate(result.closest, 1):
            lines.append(f"{number}. {explanation.rules}: {_gives(result.reported, explanation.figures)}")
    lines += ["", f"{result.tried} combinations of answers tried. `reconcile explain CODE` has the page of a question."]
    return "\n".join(lines) + "\n"


def _gives(reported: Sequence[Reported], figures: Mapping[str, float | None]) -> str:
    """What rules give of the first reported figures."""
    return ", ".join(f"{METRICS[one.metric].title} {printed(one, figures[one.metric])}" for one in reported[:NAMED_FIGURES])


def _side_by_side(result: Investigation) -> Iterator[str]:
    """The figures as reported and by the tool's own rules; where no rules give them, also the nearest and how far counting reaches."""
    head = ("", "reported", f"{short_name(result.match.source.tool)}'s rules", "nearest", "counting reaches")
    rows = [head, *side_by_side(result)]
    shown = len(head) if shows_reach(result) else 3
    widths = [max(len(row[column]) for row in rows) for column in range(shown)]
    for row in rows:
        yield "  ".join(
            cell.ljust(width) if not index else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row[:shown], widths, strict=True))
        ).rstrip()


MOST_DECISIONS: Final = 5


def investigation_markdown(result: Investigation, command: str = "") -> str:
    """The answer, the figures side by side, and the decisions it turns on; `command` is what reproduces it."""
    match, tool = result.match, short_name(result.match.source.tool)
    title = escape(f"{match.players[0]} \N{EN DASH} {match.players[1]}, {length_text(match.length)}")
    first, *more = answer(result)
    parts = [f"**{escape(first)}**", escape(" ".join(more)), _reported_figures(result, tool), _turning(result)]
    parts.append(f"{title}, {code(file_name(match.source.path))}")
    if command:
        parts.append(code(command))
    return "\n\n".join(part for part in parts if part) + "\n"


def _reported_figures(result: Investigation, tool: str) -> str:
    rows = [tuple(map(escape, row)) for row in side_by_side(result)]
    head = ["Figure", "Reported", f"{escape(tool)}'s rules", "Nearest of any rules", "Counting alone reaches"]
    if not shows_reach(result):
        head, rows = head[:3], [row[:3] for row in rows]
    return table(head, rows, right=(1, 2, 3))


def _turning(result: Investigation) -> str:
    """The decisions that the likeliest explanation counts otherwise."""
    if not result.explanations or not result.explanations[0].decisions or any(one.code != "sign" for one in result.checks):
        return ""
    first = result.explanations[0]
    decisions = first.decisions
    lines = [
        f"- game {one.game}, turn {one.turn}, {one.kind}: {escape(change_of(one))}" + (f" {code(one.xgid)}" if one.xgid else "")
        for one in decisions[:MOST_DECISIONS]
    ]
    lines += [f"- and {len(decisions) - MOST_DECISIONS} more"] if len(decisions) > MOST_DECISIONS else []
    return f"What is counted or weighed differently than by rule set {code(first.nearest)}:\n\n" + "\n".join(lines)
