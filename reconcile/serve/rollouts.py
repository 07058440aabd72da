"""One decision of a match, rolled out by gnuBG, as it is shown beside what the analyses say of
it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from reconcile.engines.gnubg import find
from reconcile.engines.rollout import Question, Rolled, can_be_rolled_out, other_table, roll_out
from reconcile.errors import InvalidConfiguration
from reconcile.gap.bridge import SideOfDecision
from reconcile.gap.contributions import side_of_decision
from reconcile.gap.review import Review, review
from reconcile.gap.settle import CLOSE, Dispute, disputes, with_rollout
from reconcile.match.match import Candidate
from reconcile.report.html.decisions import card_of
from reconcile.report.html.render import render
from reconcile.serve.work import Progress, Result, Task, facts

LONGEST: Final = 3000.0
"""Seconds, less than a worker has."""
TRIALS: Final = {36: "36 games, a look", 324: "324 games, minutes", 1296: "1296 games, longer"}
ANCHORS: Final = {"play": "", "no-double": "c", "double": "c"}
"""How the address of a decision in a page ends, by its kind."""


def place_of(options: Mapping[str, str]) -> tuple[str, str]:
    """The decision that is asked for, and its address in a page."""
    game, turn, kind = (options.get(name, "")[:20] for name in ("game", "turn", "kind"))
    return f"{game} {turn} {kind}", f"#g{game}t{turn}{ANCHORS.get(kind, 'r')}"


def rolled_out(task: Task, progress: Progress) -> Result:
    """The decision of `game`, `turn` and `kind`, as every file has it.

    Raises `InvalidConfiguration`, `EngineError`.
    """
    trials, several = task.options.get("trials", "324"), review(*task.matches())
    if trials not in map(str, TRIALS):
        raise InvalidConfiguration(
            f"trials: expected {', '.join(map(str, TRIALS))}, found {trials[:20]!r}; "
            "choose one of them"
        )
    aligned, place = several.aligned, place_of(task.options)[0]
    items = aligned.items
    rows = zip(items.game.tolist(), items.turn.tolist(), items.kind_labels, strict=True)
    places = [f"{game} {turn} {kind}" for game, turn, kind in rows]
    if place not in places:
        raise InvalidConfiguration(f"expected a decision of the match, found {place!r}")
    item = places.index(place)
    asked = next(disputes(aligned, [item], sizes=True), None)
    question = asked and Question(asked.asked, asked.plays)
    if asked is None or not question or len(asked.actions) < 2 or not can_be_rolled_out(question):
        raise InvalidConfiguration(
            "this decision cannot be rolled out: there is one choice, or the game ends with it; "
            "choose another"
        )

    def games(done: int, total: int, error: float) -> None:
        so_far = f"; standard error so far {error:.3f}" if error else ""
        progress(f"games of the rollout{so_far}", done, total)

    program = find()
    rolled = roll_out([question], program, trials=int(trials), timeout=LONGEST, games=games)[0]
    words = f"gnuBG {program.version}, {trials} games of each action with the same dice, 0-ply"
    content = shown(several, item, asked, rolled, words, task.option("met"))
    title = f"Rollout of game {asked.game}, turn {asked.turn}: {asked.player}, {asked.kind}"
    return Result(task, "rollout", title, content, facts(aligned.match))


def shown(
    several: Review, item: int, asked: Dispute, rolled: Rolled | None, words: str, met: str | None
) -> str:
    """The decision with its board, and the rollout beside the analyses in their view and sign."""
    settled = with_rollout(asked, (rolled.equities, rolled.errors) if rolled else None)
    rows = several.aligned.rows[:, item].tolist()
    sides = [
        (label, side_of_decision(side.scored, row) if row >= 0 else None)
        for label, side, row in zip(several.labels, several.analyses, rows, strict=True)
    ]
    if rolled:
        first = next(side for _, side in sides if side is not None)
        sides.append(("rollout", _as_analysis(first, asked, rolled, settled.loss)))
    errors = [
        f"{action.action}: standard error {action.standard_error:.3f}"
        for action in settled.actions
        if action.standard_error is not None
    ]
    ids, place = (settled.xgid, settled.gnubg_id), (asked.game, asked.turn)
    return render(
        "serve/rollout.html.j2",
        card=card_of(0, (*place, asked.player), asked.kind, sides, several.aligned.match, ids),
        place=(*place, asked.kind),
        verdict=settled.verdict(several.labels),
        lines=[*errors, *settled.distances(several.labels)],
        words=words,
        close=CLOSE,
        table=other_table(met),
        rolled=rolled,
    )


def _as_analysis(
    first: SideOfDecision, asked: Dispute, rolled: Rolled, loss: float | None
) -> SideOfDecision:
    """A rollout as one more analysis of a decision; its equities are in the view of the player on
    roll, as those of the analyses are."""
    error = None if loss is None else max(loss, 0.0)
    bare = replace(first, level="", error=error)
    if not asked.plays:
        bare = replace(bare, no_double=rolled.equities[0], double_take=rolled.equities[1])
        return replace(bare, decision=replace(first.decision, chances=()), double_pass=1.0)
    values_of = sorted(zip(rolled.equities, range(len(asked.plays)), strict=True), reverse=True)
    candidates = tuple(
        Candidate(asked.plays[number], equity, "", made=number == asked.done)
        for equity, number in values_of
    )
    return replace(bare, decision=replace(first.decision, candidates=candidates))
