"""Faults about figures: rates, luck, grades, moves, whose they are, and units."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from reconcile.infer.faults.steps import number, shown, times
from reconcile.infer.scorer import Both
from reconcile.match.columns import Validity
from reconcile.scoring.figures import Figures
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics

RATES: Final = ("pr", "checker_pr", "cube_pr")
PER_DECISION: Final = (*RATES, "error_rate_memg")
SNOWIE: Final = ("snowie_er", "snowie_memg")
MWC: Final = tuple(name for name in METRICS if "mwc" in name)
MWC_LOST: Final = tuple(name for name in MWC if name.startswith("mwc_loss"))
PARTS: Final = ("checker", "double", "take")


def rated(
    own: Figures, their: Figures, made: Statistics, seat: int, divided: Any
) -> Mapping[str, float]:
    """Rates per decision divided by another number."""
    counted, by = number(own, "decisions.counted"), divided(own, their, made, seat)
    return (
        {name: number(own, name) * counted / by for name in ("pr", "error_rate_memg")} if by else {}
    )


def divided(by: Any) -> Any:
    """The rates of all decisions, divided by another number."""
    return shown(lambda own, their, made, seat: rated(own, their, made, seat, by))


def _no_access(own: Figures, _: Figures, made: Statistics, seat: int) -> Mapping[str, float]:
    match = made.match
    rolls = match.plays
    barred = match.games.crawford[rolls.game] | (rolls.owner < 0) | (match.length == 1)
    more = int((barred & (rolls.player == seat) & (rolls.validity == Validity.VALID.value)).sum())
    counted, double = number(own, "decisions.counted"), number(own, "decisions.double")
    if not more:
        return {}
    rate = counted / (counted + more)
    cubes = double + number(own, "decisions.take")
    return {
        "decisions.counted": counted + more,
        "decisions.double": double + more,
        "pr": number(own, "pr") * rate,
        "error_rate_memg": number(own, "error_rate_memg") * rate,
        "cube_pr": number(own, "cube_pr") * cubes / (cubes + more),
    }


def _mean(
    own: Figures,
    _: Figures,
    made: Statistics,
    seat: int,
    of: Any = np.mean,
    names: Sequence[str] = (*PER_DECISION, *SNOWIE),
) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for name in names:
        values = [
            value
            for game in range(len(made.match.games))
            if (value := made.figures_at(seat, game)[name]) is not None
        ]
        if values:
            found[name] = float(of(values))
    return found


def _worst(own: Figures, their: Figures, made: Statistics, seat: int) -> Mapping[str, float]:
    return _mean(own, their, made, seat, np.max)


def _parts_of_all(own: Figures, *_: Any) -> Mapping[str, float]:
    counted = number(own, "decisions.counted")
    checker, cube = (
        number(own, "decisions.checker"),
        number(own, "decisions.double") + number(own, "decisions.take"),
    )
    return (
        {
            "checker_pr": number(own, "checker_pr") * checker / counted,
            "cube_pr": number(own, "cube_pr") * cube / counted,
        }
        if counted
        else {}
    )


def _cube_of_all(own: Figures, *_: Any) -> Mapping[str, float]:
    return {"cube_pr": _parts_of_all(own).get("cube_pr", 0.0)}


def _checker_of_all(own: Figures, *_: Any) -> Mapping[str, float]:
    return {"checker_pr": _parts_of_all(own).get("checker_pr", 0.0)}


def _moved(
    own: Figures, their: Figures, made: Statistics, seat: int, of: Any
) -> Mapping[str, float]:
    moves = number(own, "moves.total") + number(their, "moves.total")
    by = of(own, their, made, seat)
    return {name: number(own, name) * moves / by for name in SNOWIE} if by else {}


def snowie(by: Any) -> Any:
    """Snowie's rate divided by another number."""
    return shown(lambda own, their, made, seat: _moved(own, their, made, seat, by))


def _without(part: str) -> Any:
    """The total, and the rates of it, without a class."""

    def change(own: Figures, *_: Any) -> Mapping[str, float]:
        total, less = number(own, "equity_error.total"), number(own, f"equity_error.{part}")
        share = (total - less) / total if total else 1.0
        return {
            "equity_error.total": total - less,
            **{name: number(own, name) * share for name in ("pr", "error_rate_memg", *SNOWIE)},
        }

    return shown(change)


def _without_in_total(part: str) -> Any:
    return shown(
        lambda own, *_: {
            "equity_error.total": number(own, "equity_error.total")
            - number(own, f"equity_error.{part}")
        }
    )


def _rate_without_cube(own: Figures, *_: Any) -> Mapping[str, float]:
    total = number(own, "equity_error.total")
    share = number(own, "equity_error.checker") / total if total else 1.0
    return {name: number(own, name) * share for name in ("pr", "error_rate_memg")}


def _resignations_counted(
    own: Figures, _: Figures, made: Statistics, seat: int
) -> Mapping[str, float]:
    """Every resignation is a decision, without an error."""
    more = int((made.match.resignations.player == seat).sum())
    counted = number(own, "decisions.counted")
    rate = counted / (counted + more) if counted + more else 1.0
    return {
        "decisions.counted": counted + more,
        **{name: number(own, name) * rate for name in ("pr", "error_rate_memg")},
    }


def _cap(limit: float, *names: str) -> Any:
    return shown(lambda own, *_: {name: min(number(own, name), limit) for name in names})


def _swapped_if(condition: Any) -> Any:
    return lambda both, made: both[::-1] if condition(made.match) else both


def _later_games(both: Both, made: Statistics) -> Both:
    """In every game but the first the players are the other way round: the sums, and what is made of them."""
    scored = made.scored
    other = replace(scored, player=np.where(scored.game > 0, 1 - scored.player, scored.player))
    new = Statistics(other)
    return [
        {
            **both[seat],
            **{
                name: value
                for name, value in new.figures(seat).items()
                if not name.startswith(("luck", "moves", "snowie"))
            },
        }
        for seat in (0, 1)
    ]


def _pr_by(more: int) -> Any:
    """The PR alone, divided by some decisions more."""
    return shown(
        lambda own, their, made, seat: {
            "pr": rated(
                own, their, made, seat, lambda *_: number(own, "decisions.counted") + more
            ).get("pr", number(own, "pr"))
        }
    )


def _exchanged(one: str, two: str, *, graded: bool = True) -> Any:
    groups = (
        "decisions",
        "equity_error",
        "mwc_loss_percent",
        *(("errors", "blunders", "doubtful") if graded else ()),
    )
    names = [(f"{group}.{one}", f"{group}.{two}") for group in groups]
    return shown(
        lambda own, *_: {
            name: own[other]
            for pair in names
            for name, other in (pair, pair[::-1])
            if own.get(other) is not None
        }
    )


def _one_point_scaled(factor: float) -> Any:
    return shown(
        lambda own, their, made, seat: (
            {name: number(own, name) * factor for name in RATES} if made.match.length == 1 else {}
        )
    )


SHOWN: Final[Mapping[str, Any]] = {
    "players-swapped": lambda both, made: both[::-1],
    "players-by-name": _swapped_if(lambda match: match.players[0] > match.players[1]),
    "order-of-play": _swapped_if(
        lambda match: int(match.plays.player[0]) == 1 if len(match.plays) else False
    ),
    "players-swapped-in-later-games": _later_games,
    "one-players-figures-for-both": lambda both, made: [both[0], both[0]],
    "second-players-figures-for-both": lambda both, made: [both[1], both[1]],
    "rate-per-move": divided(lambda own, *_: number(own, "moves.total")),
    "rate-per-unforced-move": divided(lambda own, *_: number(own, "moves.unforced")),
    "rate-per-checker-play": divided(lambda own, *_: number(own, "decisions.checker")),
    "rate-of-both": divided(
        lambda own, their, *_: number(own, "decisions.counted") + number(their, "decisions.counted")
    ),
    "rate-one-more": divided(lambda own, *_: number(own, "decisions.counted") + 1),
    "rate-one-less": divided(lambda own, *_: number(own, "decisions.counted") - 1),
    "pr-one-more": _pr_by(1),
    "pr-one-less": _pr_by(-1),
    "takes-are-doubles-but-in-grades": _exchanged("double", "take", graded=False),
    "mean-of-games": shown(_mean),
    "worst-of-games": shown(_worst),
    "worst-pr-of-games": shown(
        lambda own, their, made, seat: {"pr": _worst(own, their, made, seat).get("pr", 0.0)}
    ),
    "mean-pr-of-games": (
        shown(lambda own, their, made, seat: {"pr": _mean(own, their, made, seat).get("pr", 0.0)}),
        shown(partial(_mean, names=RATES)),
    ),
    "mean-of-parts": shown(
        lambda own, *_: {"pr": (number(own, "checker_pr") + number(own, "cube_pr")) / 2}
    ),
    "answers-among-doubles": shown(
        lambda own, *_: {
            f"{group}.{part}": value
            for group in ("decisions", "equity_error", "mwc_loss_percent")
            for part, value in (
                ("double", number(own, f"{group}.double") + number(own, f"{group}.take")),
                ("take", 0),
            )
        }
    ),
    "doubles-among-checker": shown(
        lambda own, *_: {
            f"{group}.{part}": value
            for group in ("decisions", "equity_error", "mwc_loss_percent")
            for part, value in (
                ("checker", number(own, f"{group}.checker") + number(own, f"{group}.double")),
                ("double", 0),
            )
        }
    ),
    "resignations-counted": shown(_resignations_counted),
    "part-rates-of-all": shown(_parts_of_all),
    "cube-rate-of-all": shown(_cube_of_all),
    "checker-rate-of-all": shown(_checker_of_all),
    "rate-without-cube": shown(_rate_without_cube),
    "no-access-counted": shown(_no_access),
    "snowie-own-moves": snowie(lambda own, *_: number(own, "moves.total")),
    "snowie-without-forced": snowie(
        lambda own, their, *_: number(own, "moves.unforced") + number(their, "moves.unforced")
    ),
    "snowie-with-cubes": snowie(
        lambda own, their, *_: sum(
            number(one, "moves.total") + number(one, "decisions.double") for one in (own, their)
        )
    ),
    "snowie-of-decisions": snowie(
        lambda own, their, *_: number(own, "decisions.counted") + number(their, "decisions.counted")
    ),
    "mwc-fraction": times(0.01, *MWC),
    "mwc-loss-fraction": times(0.01, *MWC_LOST),
    "mwc-none": times(0, *MWC),
    "mwc-luck-fraction": times(0.01, *(name for name in MWC if name.startswith("luck"))),
    "mwc-doubled": times(2, *MWC_LOST),
    "mwc-halved": times(0.5, *MWC_LOST),
    "takes-are-doubles": _exchanged("double", "take"),
    "checker-are-doubles": _exchanged("double", "checker"),
    "rate-doubled": lambda factor: times(factor, *RATES),
    "rate-scaled": lambda factor: times(factor, *RATES),
    "pr-scaled": lambda factor: times(factor, "pr"),
    "total-without-part": _without,
    "sum-without-part": _without_in_total,
    "one-point-scaled": _one_point_scaled,
    "pr-capped": lambda limit: _cap(limit, "pr"),
    "part-rates-capped": lambda limit: _cap(limit, *RATES),
    "pr-cut": lambda digits: shown(
        lambda own, *_: {"pr": math.floor(number(own, "pr") * 10**digits + 1e-6) / 10**digits}
    ),
    "pr-rounded": lambda digits: shown(lambda own, *_: {"pr": round(number(own, "pr"), digits)}),
    "snowie-scaled": lambda factor: times(factor, *SNOWIE),
    "thousandths": lambda factor: times(
        factor, *(name for name in METRICS if name.startswith("equity_error"))
    ),
}
"""By name what is done to the figures of both players, or what makes it of a number or a part."""
