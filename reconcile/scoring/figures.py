"""Every figure of a player: its name, unit, page (`figures.md`) and formula, in one list. A formula
that stands anywhere else is a mistake.

A formula takes sums over decisions and rolls: the plain numbers of a player in a match, or arrays
of any shape, for games, many matches, all combinations of answers. What is not known is NaN. To add
a figure, add it to the list.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from reconcile.files.bundled import read_pages
from reconcile.rules.rulesets import Q09, Q13, RuleSet
from reconcile.scoring.metric import ALL_CLASSES, Form, Metric
from reconcile.scoring.sums import (
    CLASSES,
    EXPECTED,
    MISSED,
    OF_BOTH,
    PLAY,
    WRONG_DOUBLE,
    WRONG_PASS,
    WRONG_TAKE,
    DecisionClass,
    Totals,
    added,
    all_or,
    by_class,
    complete,
    if_known,
)

PAGES: Final = read_pages(Path(__file__).with_name("figures.md"))
PR_FACTOR: Final = 500.0
"""PR is the equity lost per decision times this, in XG and every other program."""
MEMG_FACTOR: Final = 1000.0
"""gnuBG's rates are in thousandths."""
STEEPNESS: Final = 4.0
STEEPEST: Final = 700.0
"""Of XG's luck-based rating; damaged luck may be any number, and a larger power of e is none."""
ELO_SCALE: Final = 2000.0
ELO_PER_POINT: Final = 500.0
"""Difference in Elo for a point per game: 50 for every 0.1."""
CUBE_PARTS: Final = {
    "wrong_double": WRONG_DOUBLE,
    "missed_double": MISSED,
    "wrong_take": WRONG_TAKE,
    "wrong_pass": WRONG_PASS,
}
CAPPED: Final = "pr"
"""The figure that a program may show no higher than a cap (Q13)."""
Figures: TypeAlias = dict[str, float | int | None]
"""The figures of one player by name; unknown ones are `None`."""
Formula: TypeAlias = Callable[[Totals], Any]


def totals_of(
    sums: Mapping[str, Any],
    rules: RuleSet,
    their: Mapping[str, Any] | None = None,
    /,
    *,
    is_money: bool,
    one_point: Any,
    **result: Any,
) -> Totals:
    """Totals of a player from plain numbers, or of both from sums of shape (..., 2 seats) or (...,
    2 seats, classes).

    `their` are the sums of the opponent, by default those of the other seat; `one_point` says whose
    match is that long.
    """
    if their is None:
        their = {name: sums[name][..., ::-1] for name in OF_BOTH}
        sums = {**sums, **{name: by_class(sums[name]) for name in sums.keys() & BY_CLASS}}
    shown = {
        part: all_or(complete(sums[f"{part} analysed"], sums[expected]))
        for part, expected in EXPECTED.items()
    }
    shown["decisions"] = shown["checker"] & shown["cube"]
    shown["both"] = shown["luck"] & all_or(complete(their["luck analysed"], their["moves"]))
    if "doubtful" not in sums:  # the rules have no such grade
        sums = {**sums, "doubtful": [if_known(False, column) for column in sums["errors"]]}
    rates = {"scale": scale_of(rules, one_point), "cap": cap_of(rules)}
    return Totals(
        sums,
        shown,
        sums["moves"] + their["moves"],
        in_match=not is_money,
        their=their,
        **rates,
        **result,
    )


def scale_of(rules: RuleSet, one_point: Any) -> Any:
    """By which rates per decision are multiplied; NaN where a program rates moves alone."""
    return point_factor(rules, one_point) if rules.rates_decisions else math.nan


def point_factor(rules: RuleSet, one_point: Any) -> Any:
    """The factor of a one-point match (Q09), 1 of any other."""
    factor = rules.value(Q09)
    if isinstance(one_point, np.ndarray):
        return np.where(one_point, factor, 1.0)
    return factor if one_point else 1.0


def cap_of(rules: RuleSet) -> float:
    """The highest PR that the program displays (Q13): the cap is of what is shown, never of what is
    added up."""
    cap = rules.value(Q13)
    return math.inf if cap is None else cap


def capped(pr: float, rules: RuleSet) -> float:
    """A PR as the program displays it, of a match or of many."""
    return min(pr, cap_of(rules))


def uncapped_pr(of: Totals) -> Any:
    """PR without the cap of what is displayed."""
    return per(PR_FACTOR * of.scale, of.rated_lost, of.decisions)


def per(factor: Any, total: Any, number: Any) -> Any:
    """A rate: a factor times a sum per decision, move or roll; NaN where there is none."""
    return factor * total / if_known(number > 0, number)


def emg(memg: float) -> float:
    """A rate in thousandths as equity lost per decision."""
    return memg / MEMG_FACTOR


def luck_rating(result: Any, chance: Any) -> Any:
    """XG's luck-based rating (percent) of a match with this result (1 won, 0 lost), from the net
    luck in chances."""
    rated = _LOGISTIC(
        _odds(result, chance)
    )  # the power of e that NumPy takes depends on the processor
    return rated if isinstance(rated, float) else rated.astype(float)


def luck_elo(result: Any, chance: Any, *, length: Any, games: Any, in_match: bool) -> Any:
    """Half the luck-based difference in Elo; in money play `result` and `chance` are points, won
    less lost, over all games."""
    if not in_match:
        return per(ELO_PER_POINT, result - chance, games) / 2
    return ELO_SCALE / np.sqrt(length) * _odds(result, chance) / math.log(10) / 2


def _odds(result: Any, chance: Any) -> Any:
    """The logarithm of the rating to 1 less the rating."""
    return STEEPNESS * (result - chance - 0.5)


_LOGISTIC: Final = np.frompyfunc(lambda odds: 100 / (1 + math.exp(min(-odds, STEEPEST))), 1, 1)


def _over(*kinds: int) -> Callable[[Sequence[Any]], Any]:
    """What adds up the columns of some classes or kinds of decision, of all without any."""
    if not kinds:
        return added
    picked = itemgetter(*kinds)
    return picked if len(kinds) == 1 else lambda columns: added(picked(columns))


def _sum(part: str, name: str, *kinds: int) -> Formula:
    """A sum by class or kind of decision, where the analysis it needs is known."""
    over = _over(*kinds)
    return lambda of: if_known(of.shown[part], over(of.sums[name]))


def _lucky(name: str) -> Formula:
    return lambda of: if_known(of.shown["luck"], of.sums[name])


def _percent(chance: Formula) -> Formula:
    """Chances in percentage points, of a match."""
    return lambda of: if_known(of.in_match, 100 * chance(of))


def _decided(figure: Metric) -> tuple[Metric, Formula]:
    """A figure made of decisions, a count, a sum of errors or a rate, with its formula."""
    classes, factor, over = figure.classes, figure.factor, _over(*figure.classes)
    part = figure.parts[0] if classes else "decisions"

    def rate(of: Totals) -> Any:
        if not classes:
            return per(factor * of.scale, of.rated_lost, of.decisions)
        return per(
            factor * of.scale,
            if_known(of.shown[part], over(of.sums["rated" if "rated" in of.sums else "error"])),
            over(of.sums["counted"]),
        )

    if figure.name == CAPPED:
        return figure, lambda of: np.minimum(rate(of), of.cap)
    if figure.form is Form.COUNT:
        return figure, _sum(part, "counted", *classes)
    if figure.form is Form.RATE:
        return figure, (lambda of: per(factor, of.lost, of.moves)) if figure.per_move else rate
    if figure.in_mwc:
        return figure, _percent(_sum(part, "loss", *classes))
    return figure, _sum(part, "error", *classes) if classes else lambda of: of.lost


def _graded(grade: str, part: str) -> Formula:
    kinds = [
        kind for group in ([_KINDS[part]] if part in _KINDS else _KINDS.values()) for kind in group
    ]
    return _sum("decisions" if part == "total" else _PARTS[part][0], grade, *kinds)


_PARTS: Final = {
    "total": ("checker", "cube"),
    "checker": ("checker",),
    "double": ("cube",),
    "take": ("cube",),
}
_TITLES: Final = {
    "total": ALL_CLASSES,
    "checker": "checker plays",
    "double": "doubles and no-doubles",
    "take": "takes and passes",
}
_CUBE_TITLES: Final = {
    "wrong_double": "doubles that were wrong",
    "missed_double": "doubles that were missed",
    "wrong_take": "takes that were wrong",
    "wrong_pass": "passes that were wrong",
}
_GRADE_WORDS: Final = {
    "errors": ("errors", "error", "an error"),
    "blunders": ("blunders", "blunder", "a blunder"),
    "doubtful": ("doubtful decisions", "doubtful decision", "doubtful"),
}
GRADES: Final = tuple(_GRADE_WORDS)
BY_CLASS: Final = {"counted", "error", "loss", "rated", *GRADES, "error of kind", "loss of kind"}
"""Sums that are by class of decision, or by kind."""
_KINDS: Final = {
    "checker": (PLAY,),
    "double": (MISSED, WRONG_DOUBLE),
    "take": (WRONG_TAKE, WRONG_PASS),
}
_CLASSES: Final[Mapping[str, tuple[DecisionClass, ...]]] = {
    "total": (),
    "counted": (),
    **{name: (DecisionClass(code),) for name, code in CLASSES.items()},
}


def _metric(
    name: str, unit: str, decimals: int, parts: tuple[str, ...], of: str = "", **more: Any
) -> Metric:
    """A figure with its page, or the page `of` its group, whose title is the noun unless there is
    another."""
    page = PAGES[of or name]
    return Metric(
        name,
        more.pop("noun", page.title),
        unit,
        decimals,
        parts,
        more.pop("page", page.page),
        **more,
    )


def _figures() -> Iterator[tuple[Metric, Formula]]:
    both, rate = ("checker", "cube"), Form.RATE
    plays, cube = _CLASSES["checker"], _CLASSES["double"] + _CLASSES["take"]
    yield _decided(_metric("pr", "", 2, both, form=rate, factor=PR_FACTOR))
    yield _decided(
        _metric("checker_pr", "", 2, ("checker",), form=rate, classes=plays, factor=PR_FACTOR)
    )
    yield _decided(_metric("cube_pr", "", 2, ("cube",), form=rate, classes=cube, factor=PR_FACTOR))
    yield _decided(_metric("error_rate_memg", "mEMG", 1, both, form=rate, factor=MEMG_FACTOR))
    yield _decided(
        _metric("snowie_er", "", 2, both, part="halved", form=rate, factor=PR_FACTOR, per_move=True)
    )
    yield _decided(
        _metric("snowie_memg", "mEMG", 1, both, form=rate, factor=MEMG_FACTOR, per_move=True)
    )
    yield from _counts()
    yield from _sums()
    yield from _grades()
    yield from _luck_figures()


def _counts() -> Iterator[tuple[Metric, Formula]]:
    """How many decisions count, and how many moves there are."""
    counts = {
        "counted": ("decisions", "decision"),
        "checker": ("checker decisions", "checker decision"),
        "double": ("double decisions", "double decision"),
        "take": ("takes and passes", "take or pass"),
    }
    for key, (noun, singular) in counts.items():
        parts = _PARTS["total" if key == "counted" else key]
        yield _decided(
            _metric(
                f"decisions.{key}",
                "",
                0,
                parts,
                "decisions",
                form=Form.COUNT,
                classes=_CLASSES[key],
                noun=noun,
                singular=singular,
            )
        )
    yield _metric("moves.total", "", 0, (), "moves", singular="move"), lambda of: of.sums["moves"]
    yield (
        _metric(
            "moves.unforced", "", 0, (), "moves", noun="unforced moves", singular="unforced move"
        ),
        lambda of: of.sums["unforced"],
    )
    forced = _metric(
        "moves.forced", "", 0, (), "moves", noun="forced moves", singular="forced move"
    )
    yield forced, lambda of: of.sums["moves"] - of.sums["unforced"]


def _sums() -> Iterator[tuple[Metric, Formula]]:
    """What errors cost, in equity and in match winning chance."""
    for name, unit, digits, column in (
        ("equity_error", "EMG", 3, "error of kind"),
        ("mwc_loss_percent", "pp", 2, "loss of kind"),
    ):
        in_mwc = unit == "pp"
        for key, part in _TITLES.items():
            more: dict[str, Any] = {
                "form": Form.ERROR,
                "classes": _CLASSES[key],
                "part": part,
                "in_mwc": in_mwc,
            }
            yield _decided(_metric(f"{name}.{key}", unit, digits, _PARTS[key], name, **more))
        for key, part in _CUBE_TITLES.items():
            formula = _sum("cube", column, CUBE_PARTS[key])
            of_kind = _metric(
                f"{name}.{key}", unit, digits, ("cube",), f"{name}.cube", part=part, in_mwc=in_mwc
            )
            yield of_kind, _percent(formula) if in_mwc else formula


def _grades() -> Iterator[tuple[Metric, Formula]]:
    """How many errors of each grade there are."""
    for grade, (noun, singular, words) in _GRADE_WORDS.items():
        page = PAGES["grades"].page.format(words=words)
        for key, part in _TITLES.items():
            yield (
                _metric(
                    f"{grade}.{key}",
                    "",
                    0,
                    _PARTS[key],
                    "grades",
                    part=part,
                    noun=noun,
                    singular=singular,
                    page=page,
                ),
                _graded(grade, key),
            )


def _luck_figures() -> Iterator[tuple[Metric, Formula]]:
    """What the dice gave."""
    luck = ("luck",)
    yield _metric("luck.equity", "EMG", 3, luck), _lucky("luck")
    yield _metric("luck.mwc_percent", "pp", 2, luck, in_mwc=True), _percent(_lucky("chance"))
    yield _metric("luck.net_equity", "EMG", 3, luck), lambda of: of.net("luck")
    yield (
        _metric("luck.net_mwc_percent", "pp", 2, luck, in_mwc=True),
        _percent(lambda of: of.net("chance")),
    )
    yield _metric("luck.jokers", "", 0, luck, singular="joker"), _lucky("jokers")
    yield (
        _metric("luck.rolls", "", 0, luck, singular="lucky or unlucky roll"),
        _lucky("rolls with luck"),
    )
    yield (
        _metric("luck.rate", "EMG", 4, luck),
        lambda of: per(
            1.0, of.net("luck"), of.sums["rolls with luck"] + of.their["rolls with luck"]
        ),
    )
    yield (
        _metric("luck.rating_percent", "%", 2, luck, in_mwc=True),
        lambda of: luck_rating(of.result if of.in_match else math.nan, of.settled),
    )
    yield (
        _metric("luck.elo", "", 1, luck, part="from the middle"),
        lambda of: luck_elo(
            of.result, of.settled, length=of.length, games=of.games, in_match=of.in_match
        ),
    )


FIGURES: Final = tuple(_figures())
"""Every figure with its formula, in the order of tables."""
