"""One decision of a match, rolled out by gnuBG: who is right, how far every analysis is from it, or that the games are too few to tell."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from reconcile.engines.gnubg import find
from reconcile.engines.rollout import Question, can_be_rolled_out, roll_out
from reconcile.errors import InvalidConfiguration
from reconcile.formats import read_match
from reconcile.gap.review import review
from reconcile.gap.settle import disputes, settlement, with_rollout
from reconcile.serve.offered import TRIALS
from reconcile.serve.tasks import Progress, Result, Task, named

LONGEST: Final = 3000.0
"""Seconds, less than a worker has."""


def rolled_out(task: Task, progress: Progress) -> Result:
    """The decision of `game`, `turn` and `kind`, as every file has it. Raises `InvalidConfiguration`, `EngineError`."""
    matches = [
        read_match(name, content, task.options.get("match", "")) for name, content in task.files
    ]
    several = review(*matches)
    aligned = several.aligned
    trials, place = (
        task.options.get("trials", "324"),
        [task.options.get(name, "")[:20] for name in ("game", "turn", "kind")],
    )
    if trials not in map(str, TRIALS):
        raise InvalidConfiguration(
            f"trials: expected {', '.join(map(str, TRIALS))}, found {trials[:20]!r}; choose one of them"
        )
    items = aligned.items
    known = zip(items.game.tolist(), items.turn.tolist(), map(str, items.kind_labels), strict=True)
    item = next((index for index, one in enumerate(known) if list(map(str, one)) == place), None)
    if item is None:
        raise InvalidConfiguration(
            f"expected a decision of the match, found game {place[0]!r}, turn {place[1]!r}, {place[2]!r}"
        )
    asked = next(disputes(aligned, [(item, float(aligned.at_stake[item]))], sizes=True), None)
    if (
        asked is None
        or len(asked.actions) < 2
        or not can_be_rolled_out(question := Question(asked.asked, asked.plays))
    ):
        raise InvalidConfiguration(
            "this decision cannot be rolled out: there is one choice, or the game ends with it; choose another"
        )

    def games(done: int, total: int, error: float) -> None:
        progress(
            f"games of the rollout{f'; standard error so far {error:.3f}' if error else ''}",
            done,
            total,
        )

    program = find()
    value = roll_out([question], program, trials=int(trials), timeout=LONGEST, games=games)[0]
    found = with_rollout(asked, (value.equities, value.errors) if value else None)
    title = f"Rollout of game {asked.game}, turn {asked.turn}: {asked.player}, {asked.kind}"
    made = Result(task, "rollout", title, "", aligned.match.players, named(aligned.match))
    return replace(
        made, rolled=settlement("gnuBG", program.version, int(trials), [found], several.labels)
    )
