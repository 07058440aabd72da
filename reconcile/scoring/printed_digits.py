"""What the printed digits of a file leave open: sums that are known within a bound, and decisions that hang on the last digit.

Only text exports print rounded equities; every other file keeps them whole, and nothing here concerns it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.columns import Bools, Kind
from reconcile.match import Match
from reconcile.scoring.figures import per
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.score import Scored, score
from reconcile.scoring.statistics import Statistics

MOST_NAMED: Final = 3


def is_printed(match: Match) -> bool:
    """Whether the equities of a file are printed ones."""
    return bool(match.plays.half.any() or match.cubes.half.any())


def undecided(scored: Scored) -> Bools:
    """Whether a row counts or not, as far as the printed digits show it."""
    if not is_printed(scored.match):
        return np.zeros(len(scored.counted), bool)
    others = [score(_moved(scored.match, sign), scored.rules, scored.met).counted for sign in (-1, 1)]
    differs: Bools = (others[0] != scored.counted) | (others[1] != scored.counted)
    return differs


def _moved(match: Match, sign: int) -> Match:
    """The match with every distance that decides what counts at one end of what the digits allow."""
    plays, cubes = match.plays, match.cubes
    answers = cubes.kind >= Kind.TAKE.value
    step = sign * cubes.half
    spread = np.maximum(plays.spread + sign * plays.half.max(initial=0.0), 0)
    moved: dict[str, Any] = {
        "no_double": np.where(answers, cubes.no_double, cubes.no_double + step),
        "double_take": np.where(answers, cubes.double_take + step, cubes.double_take),
    }
    return replace(match, plays=plays.replaced(spread=spread, highest=plays.highest), cubes=cubes.replaced(**moved))


def in_words(statistics: Statistics) -> Iterator[tuple[int, str]]:
    """By seat, how far the figures of a file with printed equities are known; nothing for any other file."""
    scored = statistics.scored
    match = scored.match
    if not is_printed(match):
        return
    plays, cubes = match.plays, match.cubes
    rows = len(plays) + len(cubes)
    wrong = np.concatenate((plays.analysed & plays.moved, scored.error[len(plays) : rows] != 0))
    half = np.where(wrong, np.concatenate((plays.half, cubes.half)), 0.0)
    hangs = undecided(scored)
    for seat, name in enumerate(match.names):
        own = scored.player == seat
        bound, lost, rate = float(half[own[:rows]].sum()), "equity_error.total", "pr"
        number = statistics.figures(seat)["decisions.counted"]
        words = f"{name}: {METRICS[lost].title.lower()} within {bound:.3f} EMG"
        if number:
            words += f", {METRICS[rate].title} within {float(per(METRICS[rate].factor, bound, number)):.2f} at worst"
        if (hangs & own).any():
            words += f"; {_places(match, np.flatnonzero(hangs & own))} or not by a digit that is not printed"
        yield seat, words


def _places(match: Match, rows: npt.NDArray[np.intp]) -> str:
    """`one decision counts (game 2 turn 13)`."""
    game, turn = (np.concatenate((getattr(match.plays, name), getattr(match.cubes, name))) for name in ("game", "turn"))
    named = ", ".join(f"game {match.games.number[game[row]]} turn {turn[row]}" for row in rows[:MOST_NAMED].tolist())
    more = f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
    return f"{'one decision counts' if len(rows) == 1 else f'{len(rows)} decisions count'} ({named}{more})"
