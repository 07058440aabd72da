"""The page of an investigation, with the decisions on which its explanations turn; and the rates of a file in a sentence."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

from reconcile.gap.contributions import side_of_decision
from reconcile.infer.investigation import Explanation, Investigation
from reconcile.infer.reported import apart, printed
from reconcile.infer.turning import Turning
from reconcile.match.met import Met
from reconcile.report.answer import answer, change_of, shows_reach, side_by_side, verdict_of
from reconcile.report.html.decisions import Card, card_of
from reconcile.report.html.figures import rules_changed
from reconcile.report.html.render import render
from reconcile.report.numbers import figure
from reconcile.report.text.investigation import investigation_markdown, other_figures
from reconcile.report.text.statistics import shown
from reconcile.report.words import file_name, tool
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.dead_cubes import with_dead_cubes
from reconcile.scoring.findings import SYNTHETIC
from reconcile.scoring.metrics import short_metric
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.score import Scored, score
from reconcile.scoring.statistics import Statistics, table_of

NOT_KNOWN: Final = "no known PR"


def headline(statistics: Statistics) -> str:
    """What a player looks for: both rates in one sentence."""
    match = statistics.match
    rates = [statistics.figures(seat)["pr"] for seat in (0, 1)]
    if rates == [None, None]:
        return f"{match.players[0]} – {match.players[1]}: the file has no analysis, so there is no PR."
    one, two = (NOT_KNOWN if rate is None else f"a PR of {shown_rate(statistics, seat)}" for seat, rate in enumerate(rates))
    return f"{match.names[0]} has {one}, {match.names[1]} {two}."


def shown_rate(statistics: Statistics, seat: int) -> str:
    """A player's PR, as a range where an open rule moves it."""
    return shown("pr", statistics.figures(seat)["pr"], open_range(statistics).figures[seat].get("pr"))


MOST_BOARDS: Final = 8


def turning_cards(result: Investigation, first: Explanation, met: Met) -> list[tuple[Card, Turning, list[str]]]:
    """A card for each of the first decisions on which an explanation turns, with the questions whose answers touch it."""
    match = with_dead_cubes(result.match)  # rows are counted so
    base = own_rules(match).for_match(match)[0]
    before = score(match, base, met)
    alone = {one.question: score(match, base.switched(one.question, one.answer_to), met) for one in first.own_differences}
    resigned = len(match.plays) + len(match.cubes)
    found = []
    for rank, turning in enumerate(first.decisions[:MOST_BOARDS], start=1):
        row = turning.row
        side = side_of_decision(before, row)
        player = side.decision.player if side else match.names[int(match.resignations.player[row - resigned])]
        sides = [(tool(match.source), side)]
        card = card_of(rank, (turning.game, turning.turn, player), turning.kind, sides, match, (turning.xgid, turning.gnubg_id))
        touched = [code for code, scored in alone.items() if _differs(before, scored, row)]
        found.append((card, turning, touched or list(alone)))
    return found


def _differs(before: Scored, after: Scored, row: int) -> bool:
    if row >= min(len(before.error), len(after.error)):
        return len(before.error) != len(after.error)
    return any(getattr(before, name)[row] != getattr(after, name)[row] for name in ("counted", "error", "loss"))


ALWAYS_SHOWN: Final = ("pr", "decisions.counted")


def investigation_page(result: Investigation, *, notes: Sequence[str] = (), command: str = "") -> str:
    """The page of an investigation as HTML; `notes` are remarks on where the figures come from, `command` is what reproduces it."""
    base = own_rules(result.match)
    met = table_of(result.match, base, result.met)
    nearest = result.explanations or result.closest
    first, *more = answer(result)
    command = command or command_of(result)
    return render(
        "investigation.html.j2",
        result=result,
        verdict=verdict_of(result),
        sentence=first,
        more=more,
        figures=side_by_side(result),
        reach=shows_reach(result),
        markdown=investigation_markdown(result, command),
        synthetic=result.match.event if result.match.event.startswith(SYNTHETIC) else "",
        notes=notes,
        met=met.name,
        explanations=nearest,
        gives=lambda one: _gives(result, one),
        change_of=change_of,
        apart=apart,
        printed=printed,
        others=other_figures(result),
        cards=turning_cards(result, nearest[0], met) if nearest else [],
        most=MOST_BOARDS,
        rules=list(rules_changed(nearest)),
        command=command,
    )


def _gives(result: Investigation, explanation: Explanation) -> list[tuple[str, str]]:
    """The reported figures, with their digits, and those that are always shown, by an explanation."""
    figures = {one.metric: printed(one, explanation.figures[one.metric]) for one in result.reported}
    return list((figures | {name: figure(name, explanation.figures[name]) for name in ALWAYS_SHOWN if name not in figures}).items())


def command_of(result: Investigation, paste: str | None = None, typed: Sequence[str] = ()) -> str:
    """The command that makes the page again: with every figure, or with the pasted text and what was typed besides."""
    words = ["reconcile", "investigate", file_name(result.match.source.path), "--player", result.player]
    if paste is not None:
        words += ["--paste", file_name(paste)]
    figures = [f"{short_metric(one.metric)}={one.text}" for one in result.reported]
    for text in figures if paste is None else typed:
        words += ["--reported", text]
    if result.game is not None:
        words += ["--game", str(result.game)]
    if result.met is not None:
        words += ["--met", file_name(result.met)]
    return shlex.join([*words, "--html", "report.html"])
