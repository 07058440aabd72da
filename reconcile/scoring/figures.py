"""Every figure of a player: its name, unit, page and formula, in one list. A formula that stands anywhere else is a mistake.

A formula takes sums over decisions and rolls: the plain numbers of a player in a match, or arrays of any shape, for games, many matches,
all combinations of answers. What is not known is NaN. To add a figure, add it to the list.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, TypeAlias

import numpy as np

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
    if_known,
)

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
CUBE_PARTS: Final = {"wrong_double": WRONG_DOUBLE, "missed_double": MISSED, "wrong_take": WRONG_TAKE, "wrong_pass": WRONG_PASS}
CAPPED: Final = "pr"
"""The figure that a program may show no higher than a cap (Q13)."""
Figures: TypeAlias = dict[str, float | int | None]
"""The figures of one player by name; unknown ones are `None`."""
Formula: TypeAlias = Callable[[Totals], Any]


def totals_of(
    sums: Mapping[str, Any], rules: RuleSet, their: Mapping[str, Any] | None = None, /, *, is_money: bool, one_point: Any, **result: Any
) -> Totals:
    """Totals of a player from plain numbers, or of both from sums of shape (..., 2 seats) or (..., 2 seats, classes).

    `their` are the sums of the opponent, by default those of the other seat; `one_point` says whose match is that long.
    """
    if their is None:
        their = {name: sums[name][..., ::-1] for name in OF_BOTH}
        sums = {**sums, **{name: by_class(sums[name]) for name in sums.keys() & BY_CLASS}}
    analysed = {part: sums[f"{part} analysed"] for part in EXPECTED}
    known = {part: all_or((analysed[part] > 0) | (sums[EXPECTED[part]] == 0)) for part in ("checker", "cube")}
    known["any"] = all_or(analysed["checker"] + analysed["cube"] > 0)
    known["luck"] = all_or(analysed["luck"] > 0)
    known["both"] = known["luck"] & all_or(their["luck analysed"] > 0)
    if "doubtful" not in sums:  # the rules have no such grade
        sums = {**sums, "doubtful": [if_known(False, column) for column in sums["errors"]]}
    rates = {"scale": scale_of(rules, one_point), "cap": cap_of(rules)}
    return Totals(sums, known, sums["moves"] + their["moves"], in_match=not is_money, their=their, **rates, **result)


def scale_of(rules: RuleSet, one_point: Any) -> Any:
    """By which rates per decision are multiplied; NaN where a program rates moves alone."""
    return point_factor(rules, one_point) if rules.rates_decisions else math.nan


def point_factor(rules: RuleSet, one_point: Any) -> Any:
    """The factor of a one-point match (Q09), 1 of any other."""
    factor = rules.value(Q09)
    return np.where(one_point, factor, 1.0) if isinstance(one_point, np.ndarray) else factor if one_point else 1.0


def cap_of(rules: RuleSet) -> float:
    """The highest PR that the program displays (Q13): the cap is of what is shown, never of what is added up."""
    cap = rules.value(Q13)
    return math.inf if cap is None else cap


def capped(pr: float, rules: RuleSet) -> float:
    """A PR as the program displays it, of a match or of many."""
    return min(pr, cap_of(rules))


def per(factor: Any, total: Any, number: Any) -> Any:
    """A rate: a factor times a sum per decision, move or roll; NaN where there is none."""
    return factor * total / if_known(number > 0, number)


def emg(memg: float) -> float:
    """A rate in thousandths as equity lost per decision."""
    return memg / MEMG_FACTOR


def luck_rating(result: Any, chance: Any) -> Any:
    """XG's luck-based rating (percent) of a match with this result (1 won, 0 lost), from the net luck in chances."""
    rated = _LOGISTIC(_odds(result, chance))  # the power of e that NumPy takes depends on the processor
    return rated if isinstance(rated, float) else rated.astype(float)


def luck_elo(result: Any, chance: Any, *, length: Any, games: Any, in_match: bool) -> Any:
    """Half the luck-based difference in Elo; in money play `result` and `chance` are points, won less lost, over all games."""
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


def _sum(known: str, name: str, *kinds: int) -> Formula:
    """A sum by class or kind of decision, where the analysis it needs is known."""
    over = _over(*kinds)
    return lambda of: if_known(of.known[known], over(of.sums[name]))


def _lucky(name: str) -> Formula:
    return lambda of: if_known(of.known["luck"], of.sums[name])


def _percent(chance: Formula) -> Formula:
    """Chances in percentage points, of a match."""
    return lambda of: if_known(of.in_match, 100 * chance(of))


def _decided(figure: Metric) -> tuple[Metric, Formula]:
    """A figure made of decisions, a count, a sum of errors or a rate, with its formula."""
    classes, factor, over = figure.classes, figure.factor, _over(*figure.classes)
    known = figure.parts[0] if classes else "any"

    def rate(of: Totals) -> Any:
        if not classes:
            return per(factor * of.scale, of.rated_lost, of.decisions)
        return per(factor * of.scale, over(of.sums["rated" if "rated" in of.sums else "error"]), over(of.sums["counted"]))

    if figure.name == CAPPED:
        return figure, lambda of: np.minimum(rate(of), of.cap)
    if figure.form is Form.COUNT:
        return figure, (lambda of: over(of.sums["counted"])) if classes else lambda of: of.decisions
    if figure.form is Form.RATE:
        return figure, (lambda of: per(factor, of.lost, of.moves)) if figure.per_move else rate
    if figure.in_mwc:
        return figure, _percent(_sum(known, "loss", *classes))
    return figure, _sum(known, "error", *classes) if classes else lambda of: of.lost


def _graded(grade: str, part: str) -> Formula:
    kinds = [kind for one in ([_KINDS[part]] if part in _KINDS else _KINDS.values()) for kind in one]
    return _sum("any" if part == "total" else _PARTS[part][0], grade, *kinds)


_PARTS: Final = {"total": ("checker", "cube"), "checker": ("checker",), "double": ("cube",), "take": ("cube",)}
_TITLES: Final = {"total": ALL_CLASSES, "checker": "checker plays", "double": "doubles and no-doubles", "take": "takes and passes"}
_CUBE_TITLES: Final = {
    "wrong_double": "doubles that were wrong",
    "missed_double": "doubles that were missed",
    "wrong_take": "takes that were wrong",
    "wrong_pass": "passes that were wrong",
}
_GRADE_WORDS: Final = {
    "errors": ("errors", "error", "an error"),
    "blunders": ("blunders", "blunder", "a blunder"),
    "doubtful": ("doubtful decisions", "doubtful decision", "doubtful; unknown where the rule set has no such grade"),
}
GRADES: Final = tuple(_GRADE_WORDS)
BY_CLASS: Final = {"counted", "error", "loss", "rated", *GRADES, "error of kind", "loss of kind"}
"""Sums that are by class of decision, or by kind."""
_KINDS: Final = {"checker": (PLAY,), "double": (MISSED, WRONG_DOUBLE), "take": (WRONG_TAKE, WRONG_PASS)}
_CLASSES: Final[Mapping[str, tuple[DecisionClass, ...]]] = {
    "total": (),
    "counted": (),
    **{name: (DecisionClass(code),) for name, code in CLASSES.items()},
}


def _figures() -> Iterator[tuple[Metric, Formula]]:
    both, rate = ("checker", "cube"), Form.RATE
    page = "500 times the equity lost per counted decision; lower is better."
    yield _decided(Metric("pr", "PR", "", 2, parts=both, page=page, form=rate, factor=PR_FACTOR))
    page = "500 times the equity lost in checker plays per counted play."
    plays = _CLASSES["checker"]
    yield _decided(
        Metric("checker_pr", "PR of checker plays", "", 2, parts=("checker",), page=page, form=rate, classes=plays, factor=PR_FACTOR)
    )
    page = "500 times the equity lost at the cube per counted cube decision."
    cube = _CLASSES["double"] + _CLASSES["take"]
    yield _decided(Metric("cube_pr", "PR of cube decisions", "", 2, parts=("cube",), page=page, form=rate, classes=cube, factor=PR_FACTOR))
    page = "1000 times the equity lost per counted decision; gnuBG's overall rate."
    yield _decided(Metric("error_rate_memg", "error rate (mEMG)", "mEMG", 1, parts=both, page=page, form=rate, factor=MEMG_FACTOR))
    page = (
        "500 times the equity lost per move of both players, forced moves included: half of Snowie's rate, the scale on which blunderDB "
        "prints it."
    )
    yield _decided(
        Metric("snowie_er", "Snowie error rate", "", 2, part="halved", parts=both, page=page, form=rate, factor=PR_FACTOR, per_move=True)
    )
    page = "1000 times the equity lost per move of both players: what gnuBG prints under this name, by the formula of Snowie 4."
    yield _decided(
        Metric("snowie_memg", "Snowie error rate", "mEMG", 1, parts=both, page=page, form=rate, factor=MEMG_FACTOR, per_move=True)
    )
    counts = {
        "counted": ("decisions", "decision"),
        "checker": ("checker decisions", "checker decision"),
        "double": ("double decisions", "double decision"),
        "take": ("takes and passes", "take or pass"),
    }
    page = "Number of decisions that count under the rule set."
    for key, (noun, one) in counts.items():
        parts = _PARTS["total" if key == "counted" else key]
        yield _decided(Metric(f"decisions.{key}", noun, "", 0, parts, page, Form.COUNT, _CLASSES[key], one=one))
    page = "Number of rolls played; forced where at most one position can result."
    yield Metric("moves.total", "moves", "", 0, (), page, one="move"), lambda of: of.sums["moves"]
    yield Metric("moves.unforced", "unforced moves", "", 0, (), page, one="unforced move"), lambda of: of.sums["unforced"]
    yield Metric("moves.forced", "forced moves", "", 0, (), page, one="forced move"), lambda of: of.sums["moves"] - of.sums["unforced"]
    for key, part in _TITLES.items():
        page, name = "Sum of the errors, each normalised to the cube of its decision.", f"equity_error.{key}"
        yield _decided(
            Metric(name, "equity lost", "EMG", 3, parts=_PARTS[key], page=page, form=Form.ERROR, classes=_CLASSES[key], part=part)
        )
    for key, part in _CUBE_TITLES.items():
        page = "Sum of the errors of these decisions; a beaver is a take."
        yield (
            Metric(f"equity_error.{key}", "equity lost", "EMG", 3, ("cube",), page, part=part),
            _sum("cube", "error of kind", CUBE_PARTS[key]),
        )
    for key, part in _TITLES.items():
        page, name = "Sum of the errors in match winning chance, percentage points; null in money play.", f"mwc_loss_percent.{key}"
        yield _decided(
            Metric(name, "MWC lost", "pp", 2, parts=_PARTS[key], page=page, form=Form.ERROR, classes=_CLASSES[key], in_mwc=True, part=part)
        )
    for key, part in _CUBE_TITLES.items():
        page, name = "The same in match winning chance, percentage points; null in money play.", f"mwc_loss_percent.{key}"
        yield (
            Metric(name, "MWC lost", "pp", 2, ("cube",), page, in_mwc=True, part=part),
            _percent(_sum("cube", "loss of kind", CUBE_PARTS[key])),
        )
    for grade, (noun, one, words) in _GRADE_WORDS.items():
        page = (
            f"Number of decisions whose error is at least {words}, by the borders of the rule set (Q12). Worse grades are included, "
            "as in XG's summary, where `31 (18)` means 31 errors, 18 of them blunders. Errors of resignations are not counted: "
            "XG's total is that of the three classes. The counts depend strongly on the analysis: on four sides of XG's own summaries XG "
            "has 66 errors and 31 blunders in plays, gnuBG at 0 plies 119 and 23 by the same borders."
        )
        for key, part in _TITLES.items():
            yield Metric(f"{grade}.{key}", noun, "", 0, _PARTS[key], page, part=part, one=one), _graded(grade, key)
    luck = ("luck",)
    page = "Sum of what the rolls gained; positive is lucky. A roll that was never played, before a resignation, is left out."
    yield Metric("luck.equity", "luck", "EMG", 3, luck, page), _lucky("luck")
    page = "Sum of what the rolls gained in match winning chance, percentage points; null in money play."
    yield Metric("luck.mwc_percent", "luck in MWC", "pp", 2, luck, page, in_mwc=True), _percent(_lucky("chance"))
    page = "The player's luck less the opponent's, as XG prints it; the opponent's figure is the same with the other sign."
    yield Metric("luck.net_equity", "net luck", "EMG", 3, luck, page), lambda of: of.net("luck")
    page = "The same in match winning chance, percentage points; null in money play."
    yield Metric("luck.net_mwc_percent", "net luck in MWC", "pp", 2, luck, page, in_mwc=True), _percent(lambda of: of.net("chance"))
    page = (
        "Number of rolls that gained at least 0.20 EMG: XG's jokers as far as can be inferred. On the six sides of XG's own summaries, all "
        "of one owner, XG counts 180, and gnuBG's luck at 0 plies gives 182 (a border of 0.18 gives 202, of 0.22 160, of 0.30 101). XG may "
        "have a setting for it: in 2016 P. Ellis called 0.300 a common border. Single rolls differ with the analysis."
    )
    yield Metric("luck.jokers", "jokers", "", 0, luck, page, one="joker"), _lucky("jokers")
    page = (
        "Number of rolls with luck, at least 0.0001 EMG either way: dances and rolls of a decided game have none. Near XG's `Rolls`, not "
        "exact: with gnuBG's luck at 0 plies it is XG's number on 3 of 6 sides and 2, 2 and 4 off on the others, always in decided "
        "positions where XG keeps tiny chances."
    )
    yield Metric("luck.rolls", "lucky and unlucky rolls", "", 0, luck, page, one="lucky or unlucky roll"), _lucky("rolls with luck")
    page = (
        "Net luck per roll of both players that had luck, as XG prints it beside the word for luck (six of six sides). The borders of XG's "
        "words are unknown: 0.0009 is insignificant, 0.0116 and 0.0139 are quite lucky."
    )
    yield (
        Metric("luck.rate", "luck rate", "EMG", 4, luck, page),
        lambda of: per(1.0, of.net("luck"), of.sums["rolls with luck"] + of.their["rolls with luck"]),
    )
    page = (
        "XG's luck-based rating of a finished match: with v the result (1 won, 0 lost) less the net luck in match winning chance, "
        "1 / (1 + exp(4 (0.5 - v))). The two players' ratings sum to 100. Null for a game, an unfinished match, money play, and where the "
        "luck of a roll is unknown. Source: XG's author on bgonline.org, 31 July 2010, post 73964; six of six sides follow it. In his "
        "words there is 'no mathematical reasoning for choosing that formula other than my intuition'. For money XG shows a figure for "
        "each game and for the session, points less luck over 0.100 times 50."
    )
    yield (
        Metric("luck.rating_percent", "luck-based rating", "%", 2, luck, page, in_mwc=True),
        lambda of: luck_rating(of.result if of.in_match else math.nan, of.settled),
    )
    page = (
        "Half of XG's luck-based difference in Elo, the player's side positive: with v the luck-based rating and n the points of the match "
        "the difference is 2000 / sqrt(n) * log10(v / (1 - v)); in money play 500 times the points per game, less the net luck in points "
        "per game (no such session with XG's own figures is at hand). XG prints it added to the middle of the players' Elo. The "
        "difference fits on six of six sides; the middle was 100.5 above that of the transcripts in three of three matches, unexplained, "
        "so a printed Elo is compared as its distance from the middle of both. Source: as `luck.rating_percent`."
    )
    yield (
        Metric("luck.elo", "luck-based Elo", "", 1, luck, page, part="from the middle"),
        lambda of: luck_elo(of.result, of.settled, length=of.length, games=of.games, in_match=of.in_match),
    )


FIGURES: Final = tuple(_figures())
"""Every figure with its formula, in the order of tables."""
