"""Faults about luck, grades and moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from reconcile.match.columns import Validity
from reconcile.scoring.figures import Figures
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics
from reconcile.suite.faults.counting import F
from reconcile.suite.faults.shown import PARTS, G
from reconcile.suite.faults.steps import made, number, plays, shown, swapped, times

LUCK: Final = tuple(name for name in METRICS if name.startswith("luck."))
JOKERS: Final = (0.1, 0.15, 0.17, 0.2, 0.25, 0.3, 0.4)
GRADED: Final = (0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.12, 0.16, 0.2, 0.25)


def _rolls(made: Statistics, seat: int) -> Any:
    plays = made.match.plays
    return plays.luck[(plays.player == seat) & (plays.luck == plays.luck)]


def _jokers(border: float, *, both: bool = False) -> Any:
    def change(own: Figures, _: Figures, made: Statistics, seat: int) -> Mapping[str, float]:
        luck = _rolls(made, seat)
        return {"luck.jokers": int(((np.abs(luck) if both else luck) >= border).sum())}

    return shown(change)


def _errors(made: Statistics, seat: int, border: float, part: str, *, exclusive: bool = False) -> int:
    scored = made.scored
    rows = scored.player == seat
    if part != "total":
        rows &= scored.decision_class == PARTS.index(part)
    over = scored.error.astype(float) > border + 1e-6 if exclusive else scored.error.astype(float) >= border - 1e-6
    return int((rows & over).sum())


def _graded(grade: str, border: float, *parts: str) -> Any:
    return shown(lambda own, their, made, seat: {f"{grade}.{part}": _errors(made, seat, border, part) for part in parts})


def _plays_only(own: Figures, *_: Any) -> Mapping[str, float]:
    return {
        f"{grade}.{part}": number(own, f"{grade}.checker") if part == "total" else 0
        for grade in ("errors", "blunders", "doubtful")
        for part in ("total", "double", "take")
    }


def _exclusive(own: Figures, *_: Any) -> Mapping[str, float]:
    return {f"errors.{part}": number(own, f"errors.{part}") - number(own, f"blunders.{part}") for part in ("total", *PARTS)}


def _exclusive_doubtful(own: Figures, *_: Any) -> Mapping[str, float]:
    return {f"doubtful.{part}": number(own, f"doubtful.{part}") - number(own, f"errors.{part}") for part in ("total", *PARTS)}


def _moves(more: Any) -> Any:
    return shown(lambda own, their, made, seat: {"moves.total": number(own, "moves.total") + more(own, their, made, seat)})


def _luck_without(keep: Any) -> Any:
    """Luck of other rolls is none."""
    return plays(luck=lambda rows: np.where(keep(rows), rows.luck, 0))


def _luck_of_all(made: Statistics, seat: int) -> float:
    return float(np.sum(_rolls(made, seat)))


LUCK_AND_GRADES: Final = (
    G(
        "forced-are-unforced",
        "it takes forced moves for unforced ones",
        shown(lambda own, *_: {"moves.unforced": own["moves.total"], "moves.forced": 0}),
    ),
    G(
        "unplayed-is-a-move",
        "it takes a roll that was never played for a move",
        _moves(
            lambda own, their, made, seat: int(
                ((made.match.plays.player == seat) & (made.match.plays.validity == Validity.UNPLAYED.value)).sum()
            )
        ),
    ),
    G("move-more-a-game", "it counts a move too many in every game", _moves(lambda own, their, made, seat: len(made.match.games))),
    G("move-less-a-game", "it counts a move too few in every game", _moves(lambda own, their, made, seat: -len(made.match.games))),
    G("moves-without-forced", "it counts unforced moves only", shown(lambda own, *_: {"moves.total": own["moves.unforced"]})),
    G("luck-swapped", "it gives each player the luck of the other", swapped(*LUCK)),
    G(
        "luck-negative",
        "its luck has the wrong sign",
        times(-1, "luck.equity", "luck.mwc_percent", "luck.net_equity", "luck.net_mwc_percent", "luck.rate"),
    ),
    F("luck-without-sign", "it adds up luck without its sign", None, of_match=plays(luck=lambda rows: np.abs(rows.luck))),
    F("luck-good-only", "it adds up good luck only", None, of_match=_luck_without(lambda rows: rows.luck > 0)),
    F("luck-bad-only", "it adds up bad luck only", None, of_match=_luck_without(lambda rows: rows.luck < 0)),
    F("luck-times-cube", "it multiplies luck by the cube", None, of_match=plays(luck=lambda rows: rows.luck * rows.cube)),
    F(
        "luck-without-first",
        "it leaves out the luck of the first roll of both players",
        None,
        of_match=_luck_without(lambda rows: rows.turn > 3),
    ),
    F("luck-without-first-roll", "it leaves out the luck of the first roll", None, of_match=_luck_without(lambda rows: rows.turn > 1)),
    F(
        "luck-without-dances",
        "it leaves out the luck of rolls that cannot be played",
        None,
        of_match=_luck_without(lambda rows: rows.moved),
    ),
    F("luck-of-first-game", "it adds up the luck of the first game only", None, of_match=_luck_without(lambda rows: rows.game == 0)),
    F("luck-without-forced", "it leaves out the luck of forced plays", None, of_match=_luck_without(lambda rows: rows.legal > 1)),
    F(
        "luck-without-doublets",
        "it leaves out the luck of doublets",
        None,
        of_match=_luck_without(lambda rows: rows.dice[:, 0] != rows.dice[:, 1]),
    ),
    F(
        "unplayed-luck-counted",
        "it counts the luck of a roll that was never played",
        None,
        of_match=None,
        of_figures=shown(lambda own, their, made, seat: {"luck.equity": _luck_of_all(made, seat)}),
    ),
    F(
        "unplayed-luck-left-out",
        "it leaves out the luck of a roll that was never played",
        None,
        of_match=_luck_without(lambda rows: rows.validity != Validity.UNPLAYED.value),
    ),
    *(
        F(
            "small-luck-left-out",
            f"it leaves out luck below {border:g}",
            None,
            of_match=made(lambda border: _luck_without(lambda rows: np.abs(rows.luck) >= border), border),
        )
        for border in (0.001, 0.01, 0.05)
    ),
    F(
        "luck-rounded",
        "it rounds luck to the hundredth before it adds it up",
        None,
        of_match=plays(luck=lambda rows: np.round(rows.luck.astype(float), 2)),
    ),
    *(G("jokers-moved", f"it takes a roll with a luck of {border:g} for a joker", _jokers(border)) for border in JOKERS),
    G("jokers-of-both-signs", "it takes bad rolls for jokers, too", _jokers(0.2, both=True)),
    G(
        "luck-of-every-roll",
        "it counts rolls without luck among those with luck",
        shown(lambda own, their, made, seat: {"luck.rolls": len(_rolls(made, seat))}),
    ),
    G(
        "luck-net-is-own",
        "its net luck is that of the player alone",
        shown(lambda own, *_: {"luck.net_equity": own["luck.equity"], "luck.net_mwc_percent": own["luck.mwc_percent"]}),
    ),
    G(
        "luck-rate-per-move",
        "it divides luck by the moves of both players",
        shown(
            lambda own, their, *_: {
                "luck.rate": number(own, "luck.rate")
                * number(own, "moves.total")
                / max(number(own, "moves.total") + number(their, "moves.total"), 1)
            }
        ),
    ),
    *(
        G(
            "grades-moved",
            f"it takes errors from {border:g} for {grade if grade != 'doubtful' else 'doubtful'}",
            _graded(grade, border, "total", *PARTS),
        )
        for grade in ("errors", "blunders", "doubtful")
        for border in GRADED
    ),
    *(
        G("total-grades-moved", f"in its total it takes errors from {border:g} for {grade}", _graded(grade, border, "total"))
        for grade in ("errors", "blunders")
        for border in GRADED
    ),
    G("grades-of-plays-only", "it grades plays only", shown(_plays_only)),
    G("blunders-are-no-errors", "its errors are those without blunders", shown(_exclusive)),
    G("errors-are-not-doubtful", "its doubtful decisions are those without errors", shown(_exclusive_doubtful)),
)
