"""Faults about figures: rates, luck, grades, moves, whose they are, and units."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from reconcile.match.columns import Validity
from reconcile.scoring.figures import Figures
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics
from reconcile.suite.faults.counting import F
from reconcile.suite.faults.steps import made, number, shown, times
from reconcile.suite.scorer import Both, Fault

RATES: Final = ("pr", "checker_pr", "cube_pr")
PER_DECISION: Final = (*RATES, "error_rate_memg")
SNOWIE: Final = ("snowie_er", "snowie_memg")
MWC: Final = tuple(name for name in METRICS if "mwc" in name)
PARTS: Final = ("checker", "double", "take")


def G(code: str, sentence: str, of_figures: Any) -> Fault:  # noqa: N802 - reads as a table
    """A fault of figures."""
    return F(code, sentence, None, of_figures=of_figures)


def rated(own: Figures, their: Figures, made: Statistics, seat: int, divided: Any) -> Mapping[str, float]:
    """Rates per decision divided by another number."""
    counted, by = number(own, "decisions.counted"), divided(own, their, made, seat)
    return {name: number(own, name) * counted / by for name in ("pr", "error_rate_memg")} if by else {}


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


def _mean(own: Figures, _: Figures, made: Statistics, seat: int, of: Any = np.mean) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for name in (*PER_DECISION, *SNOWIE):
        values = [value for game in range(len(made.match.games)) if (value := made.figures_at(seat, game)[name]) is not None]
        if values:
            found[name] = float(of(values))
    return found


def _worst(own: Figures, their: Figures, made: Statistics, seat: int) -> Mapping[str, float]:
    return _mean(own, their, made, seat, np.max)


def _parts_of_all(own: Figures, *_: Any) -> Mapping[str, float]:
    counted = number(own, "decisions.counted")
    checker, cube = number(own, "decisions.checker"), number(own, "decisions.double") + number(own, "decisions.take")
    return (
        {"checker_pr": number(own, "checker_pr") * checker / counted, "cube_pr": number(own, "cube_pr") * cube / counted} if counted else {}
    )


def _cube_of_all(own: Figures, *_: Any) -> Mapping[str, float]:
    return {"cube_pr": _parts_of_all(own).get("cube_pr", 0.0)}


def _checker_of_all(own: Figures, *_: Any) -> Mapping[str, float]:
    return {"checker_pr": _parts_of_all(own).get("checker_pr", 0.0)}


def _moved(own: Figures, their: Figures, made: Statistics, seat: int, of: Any) -> Mapping[str, float]:
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
        return {"equity_error.total": total - less, **{name: number(own, name) * share for name in ("pr", "error_rate_memg", *SNOWIE)}}

    return shown(change)


def _without_in_total(part: str) -> Any:
    return shown(lambda own, *_: {"equity_error.total": number(own, "equity_error.total") - number(own, f"equity_error.{part}")})


def _rate_without_cube(own: Figures, *_: Any) -> Mapping[str, float]:
    total = number(own, "equity_error.total")
    share = number(own, "equity_error.checker") / total if total else 1.0
    return {name: number(own, name) * share for name in ("pr", "error_rate_memg")}


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
        {**both[seat], **{name: value for name, value in new.figures(seat).items() if not name.startswith(("luck", "moves", "snowie"))}}
        for seat in (0, 1)
    ]


def _pr_by(more: int) -> Any:
    """The PR alone, divided by some decisions more."""
    return shown(
        lambda own, their, made, seat: {
            "pr": rated(own, their, made, seat, lambda *_: number(own, "decisions.counted") + more).get("pr", number(own, "pr"))
        }
    )


def _exchanged(one: str, two: str, *, graded: bool = True) -> Any:
    groups = ("decisions", "equity_error", "mwc_loss_percent", *(("errors", "blunders", "doubtful") if graded else ()))
    names = [(f"{group}.{one}", f"{group}.{two}") for group in groups]
    return shown(lambda own, *_: {name: own[other] for pair in names for name, other in (pair, pair[::-1]) if own.get(other) is not None})


def _other(code: str, one: str, two: str) -> Any:
    """The other of two answers."""
    return lambda rules: rules.switched(code, two if rules.answers[code] == one else one)


SHOWN: Final = (
    G("players-swapped", "it gives each player the figures of the other", lambda both, made: both[::-1]),
    G(
        "players-by-name",
        "it orders the players by name, and their figures not",
        _swapped_if(lambda match: match.players[0] > match.players[1]),
    ),
    G(
        "order-of-play",
        "it takes the player who begins for the first player",
        _swapped_if(lambda match: int(match.plays.player[0]) == 1 if len(match.plays) else False),
    ),
    G("players-swapped-in-later-games", "in every game but the first it takes each player for the other", _later_games),
    G("one-players-figures-for-both", "it gives both players the figures of the first", lambda both, made: [both[0], both[0]]),
    G("second-players-figures-for-both", "it gives both players the figures of the second", lambda both, made: [both[1], both[1]]),
    *(
        G("rate-doubled" if factor == 2 else "rate-scaled", f"it multiplies the rate per decision by {factor:g}", times(factor, *RATES))
        for factor in (2.0, 0.5, 10.0, 0.1, 0.001, 1000.0)
    ),
    *(
        G("pr-scaled", f"it multiplies the PR by {factor:g}, and not those of plays and cube", times(factor, "pr"))
        for factor in (2.0, 0.5, 10.0, 0.1)
    ),
    G("rate-per-move", "it divides the rate by all moves of the player", divided(lambda own, *_: number(own, "moves.total"))),
    G(
        "rate-per-unforced-move",
        "it divides the rate by unforced moves of the player",
        divided(lambda own, *_: number(own, "moves.unforced")),
    ),
    G("rate-per-checker-play", "it divides the rate by checker plays", divided(lambda own, *_: number(own, "decisions.checker"))),
    G(
        "rate-of-both",
        "it divides the rate by the decisions of both players",
        divided(lambda own, their, *_: number(own, "decisions.counted") + number(their, "decisions.counted")),
    ),
    G("rate-one-more", "it divides the rate by one decision too many", divided(lambda own, *_: number(own, "decisions.counted") + 1)),
    G("rate-one-less", "it divides the rate by one decision too few", divided(lambda own, *_: number(own, "decisions.counted") - 1)),
    G("pr-one-more", "it divides the PR by one decision too many", _pr_by(1)),
    G("pr-one-less", "it divides the PR by one decision too few", _pr_by(-1)),
    G("takes-are-doubles", "it takes doubles for takes and takes for doubles, but in grades", _exchanged("double", "take", graded=False)),
    G("mean-of-games", "it takes the mean of the rates of the games for that of the match", shown(_mean)),
    G("worst-of-games", "it takes the highest rate of a game for that of the match", shown(_worst)),
    G(
        "worst-pr-of-games",
        "it takes the highest PR of a game for that of the match",
        shown(lambda own, their, made, seat: {"pr": _worst(own, their, made, seat).get("pr", 0.0)}),
    ),
    G(
        "mean-pr-of-games",
        "it takes the mean of the PRs of the games for that of the match",
        shown(lambda own, their, made, seat: {"pr": _mean(own, their, made, seat).get("pr", 0.0)}),
    ),
    G("part-rates-of-all", "it divides the rates of plays and of the cube by all decisions", shown(_parts_of_all)),
    G("cube-rate-of-all", "it divides the rate of the cube by all decisions", shown(_cube_of_all)),
    G("checker-rate-of-all", "it divides the rate of plays by all decisions", shown(_checker_of_all)),
    G("rate-without-cube", "its rate has no errors of the cube", shown(_rate_without_cube)),
    *(G("total-without-part", f"its total has no errors of the class {part}, nor do its rates", _without(part)) for part in PARTS),
    *(G("sum-without-part", f"its total has no errors of the class {part}", _without_in_total(part)) for part in PARTS),
    G("no-access-counted", "it counts a cube decision in turns without access to the cube", shown(_no_access)),
    F(
        "one-point-exchanged",
        "it scales the rates of one-point matches where its rules do not, or the other way round",
        None,
        of_rules=_other("Q09", "x1.5", "x1"),
    ),
    *(
        G(
            "one-point-scaled",
            f"it multiplies the rates of one-point matches by {factor:g}",
            made(
                lambda factor: shown(
                    lambda own, their, made, seat: {name: number(own, name) * factor for name in RATES} if made.match.length == 1 else {}
                ),
                factor,
            ),
        )
        for factor in (1.5, 2.0, 0.5, 2 / 3)
    ),
    F("cap-exchanged", "it caps the PR at 100 where its rules do not, or the other way round", None, of_rules=_other("Q13", "100", "none")),
    *(G("pr-capped", f"it caps the PR at {limit:g}", _cap(limit, "pr")) for limit in (30, 40, 50, 60, 75, 99, 100, 150, 200)),
    *(G("part-rates-capped", f"it caps all rates at {limit:g}", _cap(limit, *RATES)) for limit in (50, 100)),
    *(
        G(
            "pr-cut",
            f"it cuts the PR to {digits} digits",
            made(lambda digits: shown(lambda own, *_: {"pr": math.floor(number(own, "pr") * 10**digits + 1e-6) / 10**digits}), digits),
        )
        for digits in (0, 1)
    ),
    *(
        G(
            "pr-rounded",
            f"it rounds the PR to {digits} digits",
            made(lambda digits: shown(lambda own, *_: {"pr": round(number(own, "pr"), digits)}), digits),
        )
        for digits in (0, 1)
    ),
    G("snowie-own-moves", "it divides Snowie's rate by the moves of the player alone", snowie(lambda own, *_: number(own, "moves.total"))),
    G(
        "snowie-without-forced",
        "it divides Snowie's rate by unforced moves",
        snowie(lambda own, their, *_: number(own, "moves.unforced") + number(their, "moves.unforced")),
    ),
    G(
        "snowie-with-cubes",
        "it divides Snowie's rate by moves and cube decisions",
        snowie(lambda own, their, *_: sum(number(one, "moves.total") + number(one, "decisions.double") for one in (own, their))),
    ),
    G(
        "snowie-of-decisions",
        "it divides Snowie's rate by the decisions of both players",
        snowie(lambda own, their, *_: number(own, "decisions.counted") + number(their, "decisions.counted")),
    ),
    *(G("snowie-scaled", f"it multiplies Snowie's rate by {factor:g}", times(factor, *SNOWIE)) for factor in (2.0, 0.5)),
    G("mwc-fraction", "it gives shares of the winning chance as fractions", times(0.01, *MWC)),
    G(
        "mwc-loss-fraction",
        "it gives losses in winning chance as fractions",
        times(0.01, *(name for name in MWC if name.startswith("mwc_loss"))),
    ),
    G("mwc-none", "it gives no loss in winning chance, as in money play", times(0, *MWC)),
    G(
        "mwc-luck-fraction",
        "it gives luck in winning chance as a fraction",
        times(0.01, *(name for name in MWC if name.startswith("luck"))),
    ),
    G("mwc-doubled", "it gives twice the loss in winning chance", times(2, *(name for name in MWC if name.startswith("mwc_loss")))),
    G("mwc-halved", "it gives half the loss in winning chance", times(0.5, *(name for name in MWC if name.startswith("mwc_loss")))),
    G("takes-are-doubles", "it takes doubles for takes and takes for doubles", _exchanged("double", "take")),
    G("checker-are-doubles", "it takes checker plays for doubles and doubles for checker plays", _exchanged("double", "checker")),
    *(
        G(
            "thousandths",
            f"it gives equities lost times {factor:g}",
            times(factor, *(name for name in METRICS if name.startswith("equity_error"))),
        )
        for factor in (1000.0, 0.001, 100.0)
    ),
)
