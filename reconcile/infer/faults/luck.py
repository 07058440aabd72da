"""Faults about luck, grades and moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from reconcile.infer.faults.shown import PARTS
from reconcile.infer.faults.steps import number, plays, shown, swapped, times
from reconcile.match.columns import Validity
from reconcile.scoring.figures import Figures
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics

LUCK: Final = tuple(name for name in METRICS if name.startswith("luck."))


def _rolls(made: Statistics, seat: int) -> Any:
    plays = made.match.plays
    return plays.luck[(plays.player == seat) & (plays.luck == plays.luck)]


def _jokers(border: float, *, both: bool = False) -> Any:
    def change(own: Figures, _: Figures, made: Statistics, seat: int) -> Mapping[str, float]:
        luck = _rolls(made, seat)
        return {"luck.jokers": int(((np.abs(luck) if both else luck) >= border).sum())}

    return shown(change)


def _errors(
    made: Statistics, seat: int, border: float, part: str, *, exclusive: bool = False
) -> int:
    scored = made.scored
    rows = scored.player == seat
    if part != "total":
        rows &= scored.decision_class == PARTS.index(part)
    over = (
        scored.error.astype(float) > border + 1e-6
        if exclusive
        else scored.error.astype(float) >= border - 1e-6
    )
    return int((rows & over).sum())


def _graded(grade: str, border: float, *parts: str) -> Any:
    return shown(
        lambda own, their, made, seat: {
            f"{grade}.{part}": _errors(made, seat, border, part) for part in parts
        }
    )


def _plays_only(own: Figures, *_: Any) -> Mapping[str, float]:
    return {
        f"{grade}.{part}": number(own, f"{grade}.checker") if part == "total" else 0
        for grade in ("errors", "blunders", "doubtful")
        for part in ("total", "double", "take")
    }


def _exclusive(own: Figures, *_: Any) -> Mapping[str, float]:
    return {
        f"errors.{part}": number(own, f"errors.{part}") - number(own, f"blunders.{part}")
        for part in ("total", *PARTS)
    }


def _exclusive_doubtful(own: Figures, *_: Any) -> Mapping[str, float]:
    return {
        f"doubtful.{part}": number(own, f"doubtful.{part}") - number(own, f"errors.{part}")
        for part in ("total", *PARTS)
    }


def _moves(more: Any) -> Any:
    return shown(
        lambda own, their, made, seat: {
            "moves.total": number(own, "moves.total") + more(own, their, made, seat)
        }
    )


def _luck_without(keep: Any) -> Any:
    """Luck of other rolls is none."""
    return plays(luck=lambda rows: np.where(keep(rows), rows.luck, 0))


def _luck_of_all(made: Statistics, seat: int) -> float:
    return float(np.sum(_rolls(made, seat)))


LUCK_AND_GRADES: Final[Mapping[str, Any]] = {
    "forced-are-unforced": shown(
        lambda own, *_: {"moves.unforced": own["moves.total"], "moves.forced": 0}
    ),
    "unplayed-is-a-move": _moves(
        lambda own, their, made, seat: int(
            (
                (made.match.plays.player == seat)
                & (made.match.plays.validity == Validity.UNPLAYED.value)
            ).sum()
        )
    ),
    "move-more-a-game": _moves(lambda own, their, made, seat: len(made.match.games)),
    "move-less-a-game": _moves(lambda own, their, made, seat: -len(made.match.games)),
    "moves-without-forced": shown(lambda own, *_: {"moves.total": own["moves.unforced"]}),
    "luck-swapped": swapped(*LUCK),
    "luck-negative": times(
        -1,
        "luck.equity",
        "luck.mwc_percent",
        "luck.net_equity",
        "luck.net_mwc_percent",
        "luck.rate",
    ),
    "unplayed-luck-counted": shown(
        lambda own, their, made, seat: {"luck.equity": _luck_of_all(made, seat)}
    ),
    "jokers-of-both-signs": _jokers(0.2, both=True),
    "luck-of-every-roll": shown(
        lambda own, their, made, seat: {"luck.rolls": len(_rolls(made, seat))}
    ),
    "luck-is-net": (
        shown(
            lambda own, *_: {
                "luck.equity": own["luck.net_equity"],
                "luck.mwc_percent": own["luck.net_mwc_percent"],
            }
        ),
        shown(lambda own, *_: {"luck.equity": own["luck.net_equity"]}),
    ),
    "luck-net-is-own": shown(
        lambda own, *_: {
            "luck.net_equity": own["luck.equity"],
            "luck.net_mwc_percent": own["luck.mwc_percent"],
        }
    ),
    "luck-rate-per-move": shown(
        lambda own, their, *_: {
            "luck.rate": number(own, "luck.rate")
            * number(own, "moves.total")
            / max(number(own, "moves.total") + number(their, "moves.total"), 1)
        }
    ),
    "grades-of-plays-only": shown(_plays_only),
    "blunders-are-no-errors": shown(_exclusive),
    "errors-are-not-doubtful": shown(_exclusive_doubtful),
    "jokers-moved": _jokers,
    "errors-moved": lambda border: _graded("errors", border, "total", *PARTS),
    "blunders-moved": lambda border: _graded("blunders", border, "total", *PARTS),
    "doubtful-moved": lambda border: _graded("doubtful", border, "total", *PARTS),
    "total-errors-moved": lambda border: _graded("errors", border, "total"),
    "total-blunders-moved": lambda border: _graded("blunders", border, "total"),
}
"""By name what is done to the figures of both players, or what makes it of a number."""
MATCHES: Final[Mapping[str, Any]] = {
    "resignations-swapped": lambda match: replace(
        match, resignations=match.resignations.replaced(player=1 - match.resignations.player)
    ),
    "score-ignored": lambda match: replace(
        match, games=match.games.replaced(score=np.zeros_like(match.games.score))
    ),
    "luck-without-sign": plays(luck=lambda rows: np.abs(rows.luck)),
    "luck-good-only": _luck_without(lambda rows: rows.luck > 0),
    "luck-bad-only": _luck_without(lambda rows: rows.luck < 0),
    "luck-times-cube": plays(luck=lambda rows: rows.luck * rows.cube),
    "luck-without-first": _luck_without(lambda rows: rows.turn > 3),
    "luck-without-first-roll": _luck_without(lambda rows: rows.turn > 1),
    "luck-without-dances": _luck_without(lambda rows: rows.moved),
    "luck-of-first-game": _luck_without(lambda rows: rows.game == 0),
    "luck-without-forced": _luck_without(lambda rows: rows.legal > 1),
    "luck-without-doublets": _luck_without(lambda rows: rows.dice[:, 0] != rows.dice[:, 1]),
    "unplayed-luck-left-out": _luck_without(lambda rows: rows.validity != Validity.UNPLAYED.value),
    "luck-rounded": plays(luck=lambda rows: np.round(rows.luck.astype(float), 2)),
    "small-luck-left-out": lambda border: _luck_without(lambda rows: np.abs(rows.luck) >= border),
}
"""By name what is done to the match before it is scored, or what makes it of a number."""
