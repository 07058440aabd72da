"""`--settle`: gnuBG rolls out the decisions in dispute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reconcile.cli.common import progress

if TYPE_CHECKING:
    from reconcile.gap.comparison import Comparison
    from reconcile.gap.settle import Dispute, Settlement


def settle(comparison: Comparison, most: int, trials: int, seconds: float, *, quiet: bool) -> Comparison:
    """A comparison with rollouts of the decisions in dispute that have most at stake."""
    from dataclasses import replace

    from reconcile.gap.settle import disputes

    walk = comparison.walk
    found = disputes(*walk.statistics, walk.pairing, walk.seats)
    return replace(comparison, settlement=rolled_out(found, most, trials, seconds, quiet=quiet))


def rolled_out(disputes: Sequence[Dispute], most: int, trials: int, seconds: float, *, quiet: bool) -> Settlement:
    """The first `most` disputes, rolled out by gnuBG within a number of seconds. Raises `EngineError`."""
    import os

    from reconcile.engines.gnubg import find
    from reconcile.engines.rollout import Question, can_be_rolled_out, roll_out
    from reconcile.files.bundled import cache_folder
    from reconcile.gap.settle import Settlement, with_rollout

    program = find()
    asked = [(one, Question(one.asked, one.plays)) for one in disputes]
    chosen = [(one, question) for one, question in asked if can_be_rolled_out(question)][:most]
    with progress(quiet=quiet) as show:
        values = roll_out(
            [question for _, question in chosen],
            program,
            trials=trials,
            timeout=seconds,
            jobs=os.cpu_count() or 1,
            cache=cache_folder(),
            progress=lambda done, total: show("rolling out", done, total),
        )
    decisions = [
        with_rollout(one, (value.equities, value.errors) if value else None) for (one, _), value in zip(chosen, values, strict=True)
    ]
    return Settlement(f"gnuBG {program.version}", trials, tuple(decisions))
