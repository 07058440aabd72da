"""Cards of the decisions on which an explanation turns: the board, what the file says, which answers change it."""

from __future__ import annotations

from typing import Final

from reconcile.diagnosis.investigation import Explanation, Investigation
from reconcile.diagnosis.turning import Turning
from reconcile.gap.contributions import side_of_decision
from reconcile.met import Met
from reconcile.report.html.decisions import Card, card_of
from reconcile.report.words import tool
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.dead_cubes import with_dead_cubes
from reconcile.scoring.score import Scored, score

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
