"""Cards of the decisions on which an explanation turns: the board, what the file says, what the rules change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from reconcile.columns import Kind
from reconcile.diagnosis.investigation import Explanation, Investigation, Turning
from reconcile.gap.bridge import Contribution, SideOfDecision
from reconcile.gap.contributions import TOOL_WORDS, situation_of
from reconcile.match import Decision, Match
from reconcile.met import Met
from reconcile.report.html.board import Arrows, board_svg
from reconcile.report.html.decisions import CHECKERS, Line, Opinion, lines_of, opinion_of
from reconcile.report.text.investigation import change_of
from reconcile.report.words import away_text, what_was_done
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.score import Scored, score

MOST_BOARDS: Final = 8


@dataclass(frozen=True, slots=True)
class DecisionCard:
    """A decision on which the first explanation turns."""

    rank: str
    title: str
    done: str
    score: str
    change: str
    codes: tuple[str, ...]
    board: str
    lines: tuple[Line, ...]
    opinion: Opinion | None
    xgid: str
    gnubg_id: str


def turning_cards(result: Investigation, first: Explanation, met: Met) -> tuple[DecisionCard, ...]:
    """A card for each of the first decisions on which an explanation turns."""
    base = RULE_SETS[first.nearest].for_match(result.match)[0]
    before = score(result.match, base, met)
    alone = {one.question: score(result.match, base.switched(one.question, one.answer_to), met) for one in first.differences}
    return tuple(_card(str(rank), turning, before, alone) for rank, turning in enumerate(first.decisions[:MOST_BOARDS], start=1))


def _card(rank: str, turning: Turning, before: Scored, alone: dict[str, Scored]) -> DecisionCard:
    match, row = before.match, turning.row
    side = _side(before, row)
    player = side.decision.player if side else match.players[int(match.resignations.player[row - len(match.plays) - len(match.cubes)])]
    touched = tuple(code for code, scored in alone.items() if _differs(before, scored, row))
    board, done, where = "", turning.kind, ""
    lines: tuple[Line, ...] = ()
    if side is not None:
        board, lines = _board(rank, match, side, turning)
        done, where = what_was_done(side.decision), away_text(side.decision.away)
    tool = TOOL_WORDS.get(match.source.tool, match.source.tool)
    return DecisionCard(
        rank=rank,
        title=f"Game {turning.game}, turn {turning.turn}: {player}",
        done=done,
        score=where,
        change=change_of(turning),
        codes=touched or tuple(alone),
        board=board,
        lines=lines,
        opinion=opinion_of("left", tool, side) if side else None,
        xgid=turning.xgid,
        gnubg_id=turning.gnubg_id,
    )


def _differs(before: Scored, after: Scored, row: int) -> bool:
    if row >= min(len(before.error), len(after.error)):
        return len(before.error) != len(after.error)
    return any(getattr(before, name)[row] != getattr(after, name)[row] for name in ("counted", "error", "loss"))


def _side(scored: Scored, row: int) -> SideOfDecision | None:
    """What the file says of a row; `None` for a resignation."""
    match = scored.match
    plays = len(match.plays)
    if row >= plays + len(match.cubes):
        return None
    is_play = row < plays
    table: Any = match.plays if is_play else match.cubes
    index = row if is_play else row - plays
    analysed, level = bool(table.analysed[index]), int(table.level[index])
    equities: dict[str, float | None] = {}
    if analysed and not is_play:
        equities = {name: float(getattr(scored.view, name)[index]) for name in ("no_double", "double_take", "double_pass")}
    return SideOfDecision(
        decision=match.play_decision(index) if is_play else match.cube_decision(index),
        counted=bool(scored.counted[row]),
        error=float(scored.error[row]) if analysed else None,
        level=match.levels[level].label if 0 <= level < len(match.levels) else "",
        **equities,
    )


def _board(rank: str, match: Match, side: SideOfDecision, turning: Turning) -> tuple[str, tuple[Line, ...]]:
    decision: Decision = side.decision
    tool = TOOL_WORDS.get(match.source.tool, match.source.tool)
    drawn = lines_of(Contribution(decision.player, "pr", "", "", "", 0.0, "", side, None, turning.xgid, turning.gnubg_id), (tool, tool))
    try:
        situation = situation_of(match, turning.row)
    except ValueError:
        situation = None
    opponent = next((name for name in match.players if name != decision.player), "")
    picture = board_svg(
        decision.position,
        dice=decision.dice,
        cube=decision.cube,
        owner=situation.owner if situation else 0,
        offered=decision.kind in (Kind.TAKE, Kind.PASS, Kind.BEAVER),
        away=decision.away,
        names=(decision.player, opponent),
        arrows=[Arrows(line.style, play) for line, play in drawn],
        checkers=CHECKERS.get(match.rules.variation, 15),
        key=f"board-{rank}",
        name=f"{decision.player} to decide in game {turning.game}, turn {turning.turn}: {what_was_done(decision)}",
    )
    return picture, tuple(line for line, _ in drawn)
