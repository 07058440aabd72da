"""One decision of a match, rolled out by gnuBG, as it is shown beside what the analyses say of
it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from reconcile.engines.gnubg import find
from reconcile.engines.rollout import Question, Rolled, can_be_rolled_out, other_table, roll_out
from reconcile.errors import InvalidConfiguration
from reconcile.formats import read_match
from reconcile.gap.bridge import SideOfDecision
from reconcile.gap.contributions import side_of_decision
from reconcile.gap.review import Review, review
from reconcile.gap.settle import (
    CLOSE,
    Dispute,
    SettledDecision,
    disputes,
    with_rollout,
)
from reconcile.match.match import Candidate
from reconcile.report.html.decisions import card_of
from reconcile.report.html.render import render
from reconcile.serve.offered import TRIALS
from reconcile.serve.tasks import Progress, Result, Task, result_of

LONGEST: Final = 3000.0
"""Seconds, less than a worker has."""
PLACE: Final = ("game", "turn", "kind")


def rolled_out(task: Task, progress: Progress) -> Result:
    """The decision of `game`, `turn` and `kind`, as every file has it.

    Raises `InvalidConfiguration`, `EngineError`.
    """
    options = task.options
    several = review(*(read_match(*file, options.get("match", "")) for file in task.files))
    trials = options.get("trials", "324")
    if trials not in map(str, TRIALS):
        raise InvalidConfiguration(
            f"trials: expected {', '.join(map(str, TRIALS))}, found {trials[:20]!r}; "
            "choose one of them"
        )
    item = _item(several, [options.get(name, "")[:20] for name in PLACE])
    aligned = several.aligned
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
    content = shown(several, item, asked, rolled, words, options.get("met") or None)
    title = f"Rollout of game {asked.game}, turn {asked.turn}: {asked.player}, {asked.kind}"
    return result_of(task, "rollout", title, content, aligned.match)


def _item(several: Review, place: list[str]) -> int:
    """The number of the decision at a place."""
    items = several.aligned.items
    places = zip(items.game.tolist(), items.turn.tolist(), map(str, items.kind_labels), strict=True)
    for item, here in enumerate(places):
        if [*map(str, here)] == place:
            return item
    game, turn, kind = place
    raise InvalidConfiguration(
        f"expected a decision of the match, found game {game!r}, turn {turn!r}, {kind!r}"
    )


def shown(
    several: Review, item: int, asked: Dispute, rolled: Rolled | None, words: str, met: str | None
) -> str:
    """The decision with its board, and the rollout beside the analyses in their view and sign."""
    settled = with_rollout(asked, (rolled.equities, rolled.errors) if rolled else None)
    sides = [
        (label, side_of_decision(side.scored, row) if row >= 0 else None)
        for label, side, row in zip(
            several.labels,
            several.analyses,
            several.aligned.rows[:, item].tolist(),
            strict=True,
        )
    ]
    first = next(side for _, side in sides if side is not None)
    if rolled:
        sides.append(("rollout", _as_analysis(first, asked, rolled, settled.loss)))
    place = asked.game, asked.turn, asked.player
    ids = settled.xgid, settled.gnubg_id
    card = card_of(0, place, asked.kind, sides, several.aligned.match, ids)
    return render(
        "serve/rollout.html.j2",
        card=card,
        place=(asked.game, asked.turn, asked.kind),
        verdict=settled.verdict(several.labels),
        lines=[*_errors(settled), *settled.distances(several.labels)],
        words=words,
        close=CLOSE,
        table=other_table(met),
        rolled=rolled,
    )


def _errors(settled: SettledDecision) -> list[str]:
    return [
        f"{action.action}: standard error {action.standard_error:.3f}"
        for action in settled.actions
        if action.standard_error is not None
    ]


def _as_analysis(
    first: SideOfDecision, asked: Dispute, rolled: Rolled, loss: float | None
) -> SideOfDecision:
    """A rollout as one more analysis of a decision; its equities are in the view of the player on
    roll, as those of the analyses are."""
    error = None if loss is None else max(loss, 0.0)
    if not asked.plays:
        first = replace(first, no_double=rolled.equities[0], double_take=rolled.equities[1])
        bare = replace(first.decision, chances=())
        return replace(first, level="", error=error, decision=bare, double_pass=1.0)
    candidates = [
        Candidate(play, equity, "", made=number == asked.done)
        for number, (play, equity) in enumerate(zip(asked.plays, rolled.equities, strict=True))
    ]
    candidates.sort(key=lambda candidate: -(candidate.equity or 0.0))
    decision = replace(first.decision, candidates=tuple(candidates))
    return replace(first, level="", error=error, decision=decision)
