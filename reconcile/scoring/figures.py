"""Every figure of a player: its name, unit and digits (`figures.csv`), its formula, and the figures
of a player or a match by name, the same everywhere: in JSON, in tolerances and manifests, on the
command line.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import numpy as np

from reconcile.errors import UnknownName
from reconcile.language import Number, joined, opening, say, word
from reconcile.rules.rulesets import Q09, Q13, RuleSet
from reconcile.scoring.sums import (
    EXPECTED,
    MISSED,
    OF_BOTH,
    PLAY,
    WRONG_DOUBLE,
    WRONG_PASS,
    WRONG_TAKE,
    DecisionClass,
    Numbers,
    Totals,
    added,
    all_or,
    by_class,
    complete,
    if_known,
)

ALL_CLASSES = "all classes"
"""The part of a figure that is about the whole play; sentences leave it out."""
MANY = 2
"""A number whose noun is the plural."""


class Form(Enum):
    """How a figure is composed."""

    ERROR = "sum of errors"
    COUNT = "number of decisions"
    RATE = "errors per decision"


@dataclass(frozen=True)
class Metric:
    """One figure of a player, for a match or a game: a row of `figures.csv`."""

    name: str
    noun: str
    """What it is called inside a sentence, without the part of the play that it is about; as it is
    in the catalogue, in English and of many."""
    part: str
    """The part of the play that it is about, in words, as it is in the catalogue."""
    unit: str
    decimals: int
    """Digits shown to people; comparisons never round."""
    parts: tuple[str, ...]
    """The analysis it is based on: `checker`, `cube`, `luck`; if that is incomplete, so is the
    figure."""
    page: str
    form: Form | None
    """`None` if it is not made of decisions, so that no bridge can be built for it."""
    classes: tuple[DecisionClass, ...]
    """The classes of decisions it is made of; empty for all."""
    factor: float
    per_move: bool
    """Whether a rate is divided by the moves of both players instead of the player's counted
    decisions."""

    @property
    def least_shown(self) -> float:
        """The smallest change that is reported: half a printed digit."""
        return float(0.5 * 10.0**-self.decimals)

    @property
    def in_mwc(self) -> bool:
        """Whether it is in match winning chance, which money sessions do not have."""
        return "percent" in self.name

    @cached_property
    def title(self) -> str:
        """Its heading: `Equity lost, checker plays`."""
        return joined(", ", opening(self._noun()), self._part)

    @property
    def is_signed(self) -> bool:
        """Whether it can be below 0; only luck can."""
        return self.parts == ("luck",)

    @property
    def is_whole(self) -> bool:
        """Whether it is a count."""
        return self.decimals == 0

    @property
    def words(self) -> str:
        """What it is called inside a sentence, without a comma: `equity lost (checker plays)`."""
        return self._with_part(self._noun())

    def in_words(self, text: str) -> str:
        """A value in words: `1 error (checker plays)`, `31 decisions`, `PR 7.16`."""
        if self.is_whole:
            noun = self._noun(1 if text == "1" else MANY)
            return joined(" ", Number(text), self._with_part(noun))
        return joined(" ", self.words, Number(text))

    def _noun(self, n: int = MANY) -> str:
        return word("figure", self.noun.replace(" ", "-"), n=n)

    @property
    def _part(self) -> str:
        return self.part and word("part", self.part.replace(" ", "-"))

    def _with_part(self, noun: str) -> str:
        if self.part in ("", ALL_CLASSES):
            return noun
        return say("figure.part", noun=noun, part=self._part)

    @cached_property
    def label(self) -> str:
        """The title with the unit, where the title does not name it."""
        with_unit = self.unit and self.unit not in self.title
        return joined("", self.title, " (", self.unit, ")") if with_unit else self.title

    def shown(self, value: float | None) -> str:
        """A figure with the digits of this metric; a dash where it is unknown."""
        return "-" if value is None else Number(f"{value:.{self.decimals}f}")


TABLE = Path(__file__).with_name("figures.csv")
PR_FACTOR = 500.0
"""PR is the equity lost per decision times this, in XG and every other program."""
MEMG_FACTOR = 1000.0
"""gnuBG's rates are in thousandths."""
STEEPNESS = 4.0
STEEPEST = 700.0
"""Of XG's luck-based rating; damaged luck may be any number, and a larger power of e is none."""
ELO_SCALE = 2000.0
ELO_PER_POINT = 500.0
"""Difference in Elo for a point per game: 50 for every 0.1."""
CUBE_PARTS = {
    "wrong_double": WRONG_DOUBLE,
    "missed_double": MISSED,
    "wrong_take": WRONG_TAKE,
    "wrong_pass": WRONG_PASS,
}
GRADES = ("errors", "blunders", "doubtful")
GRADED = {
    "total": (PLAY, MISSED, WRONG_DOUBLE, WRONG_TAKE, WRONG_PASS),
    "checker": (PLAY,),
    "double": (MISSED, WRONG_DOUBLE),
    "take": (WRONG_TAKE, WRONG_PASS),
}
"""Kinds of decision whose errors of a grade a figure counts."""
BY_CLASS = {"counted", "error", "loss", "rated", *GRADES, "error of kind", "loss of kind"}
"""Sums that are by class of decision, or by kind."""
CAPPED = "pr"
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
    # The power of e that NumPy takes depends on the processor.
    rated = _LOGISTIC(_odds(result, chance))
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


_LOGISTIC = np.frompyfunc(lambda odds: 100 / (1 + math.exp(min(-odds, STEEPEST))), 1, 1)


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


OTHERS: Mapping[str, Formula] = {
    "moves.total": lambda of: of.sums["moves"],
    "moves.unforced": lambda of: of.sums["unforced"],
    "moves.forced": lambda of: of.sums["moves"] - of.sums["unforced"],
    "luck.equity": _lucky("luck"),
    "luck.mwc_percent": _lucky("chance"),
    "luck.net_equity": lambda of: of.net("luck"),
    "luck.net_mwc_percent": lambda of: of.net("chance"),
    "luck.jokers": _lucky("jokers"),
    "luck.rolls": _lucky("rolls with luck"),
    "luck.rate": lambda of: per(
        1.0, of.net("luck"), of.sums["rolls with luck"] + of.their["rolls with luck"]
    ),
    "luck.rating_percent": lambda of: luck_rating(
        of.result if of.in_match else math.nan, of.settled
    ),
    "luck.elo": lambda of: luck_elo(
        of.result, of.settled, length=of.length, games=of.games, in_match=of.in_match
    ),
}
"""Formulas of the figures that are not made of decisions, by name."""


def _formula(figure: Metric) -> Formula:
    """The formula of a figure, by its form and classes, or else by its name."""
    group, _, key = figure.name.partition(".")
    part = figure.parts[0] if len(figure.parts) == 1 else "decisions"
    if figure.form is Form.RATE:
        return _rate(figure, part)
    if figure.form is Form.COUNT:
        return _sum(part, "counted", *figure.classes)
    if group in GRADES:
        return _sum(part, group, *GRADED[key])
    column = "loss" if figure.in_mwc else "error"
    if figure.form is Form.ERROR:
        formula = _sum(part, column, *figure.classes)
    elif key in CUBE_PARTS:
        formula = _sum(part, f"{column} of kind", CUBE_PARTS[key])
    else:
        formula = OTHERS[figure.name]
    if figure.unit == "pp":
        return lambda of: if_known(of.in_match, 100 * formula(of))
    return formula


def _rate(figure: Metric, part: str) -> Formula:
    factor, over = figure.factor, _over(*figure.classes)

    def of_classes(of: Totals) -> Any:
        lost = over(of.sums["rated" if "rated" in of.sums else "error"])
        return per(factor * of.scale, if_known(of.shown[part], lost), over(of.sums["counted"]))

    if figure.per_move:
        return lambda of: per(factor, of.lost, of.moves)
    if figure.name == CAPPED:
        return lambda of: np.minimum(uncapped_pr(of), of.cap)
    if figure.classes:
        return of_classes
    return lambda of: per(factor * of.scale, of.rated_lost, of.decisions)


def _figures() -> Iterator[tuple[Metric, Formula]]:
    """The rows of the table; one without a page has that of the row above."""
    page = ""
    with TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            page = row["page"] or page
            fields: dict[str, Any] = {
                **row,
                "decimals": int(row["decimals"]),
                "parts": tuple(row["parts"].split()),
                "page": page,
                "form": Form(row["form"]) if row["form"] else None,
                "classes": tuple(DecisionClass[name.upper()] for name in row["classes"].split()),
                "factor": float(row["factor"] or 1),
                "per_move": bool(row["per_move"]),
            }
            figure = Metric(**fields)
            yield figure, _formula(figure)


FIGURES = tuple(_figures())
"""Every figure with its formula, in the order of tables."""


LEADING = "pr"
"""The figure whose decisions a report shows one by one."""
CHECKER = "checker_pr"
"""The figure in its place where it is unknown, as without the analysis of the cube."""
MOST_SIMILAR = 3
CLOSE = 0.6
"""Least likeness of a name that somebody may have meant, see `difflib`."""
METRICS: Mapping[str, Metric] = MappingProxyType({figure.name: figure for figure, _ in FIGURES})
_FORMULAS = {figure.name: formula for figure, formula in FIGURES}
FIRST = frozenset(
    name
    for name, figure in METRICS.items()
    if figure.form or name.startswith("moves.") or name in ("luck.equity", "luck.mwc_percent")
)
"""The figures that documents list first."""
_KINDS = {
    name: int if METRICS[name].is_whole else float
    for name in sorted(METRICS, key=lambda name: name not in FIRST)
}
"""The kind of number of every figure in the order of documents."""
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "decisions": "decisions.counted",
        "moves": "moves.total",
        "equity_error": "equity_error.total",
        "mwc_loss_percent": "mwc_loss_percent.total",
        "luck": "luck.equity",
    }
)


BRIDGED = tuple(name for name, metric in METRICS.items() if metric.form is not None)
"""Figures a bridge can be built for."""
SHORT: Mapping[str, str] = MappingProxyType(
    {ALIASES[name]: name for name in ("decisions", "equity_error", "mwc_loss_percent")}
)
"""Documents of comparisons use the short names of totals."""
if TYPE_CHECKING:
    MetricName: TypeAlias = str
else:
    MetricName = Literal[tuple(SHORT.get(name, name) for name in METRICS)]
Value = TypeVar("Value")


def short_metric(name: str) -> str:
    """A figure or a share of it by the name that documents use; totals have their short name."""
    plain, at, share = name.partition("@")
    return SHORT.get(plain, plain) + at + share


def short_names(figures: Mapping[str, Value]) -> dict[str, Value]:
    """What is known of figures by these names."""
    return {short_metric(name): value for name, value in figures.items()}


def metric(name: str) -> Metric:
    """A metric by its name or short name. Raises `UnknownName`."""
    figure = METRICS.get(ALIASES.get(name, name))
    if figure is None:
        near = similar(name)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        raise UnknownName(f"no metric {name!r}; {hint}`reconcile explain` lists every figure")
    return figure


def similar(name: str) -> list[str]:
    """Names of metrics that somebody may have meant: one that differs in a letter or two, or whose
    name or title has the word."""
    from difflib import get_close_matches  # imported here, since few runs need it

    wanted = name.casefold().strip()
    names = [*ALIASES, *METRICS]
    near = [name for name in names if name == wanted] or get_close_matches(
        wanted, names, MOST_SIMILAR, CLOSE
    )
    if not near and wanted:
        near = [
            name
            for name in names
            if wanted in f"{name} {METRICS[ALIASES.get(name, name)].title}".casefold()
        ]
    return near[:MOST_SIMILAR]


def figures_of(of: Totals, names: Iterable[str] = METRICS) -> dict[str, Numbers]:
    """Figures by name, NaN where they are unknown, from totals that are arrays."""
    with np.errstate(invalid="ignore", over="ignore"):  # luck of a damaged file may be infinite
        return {name: _FORMULAS[name](of) for name in names}


def by_player(figures: Mapping[str, Numbers]) -> list[Figures]:
    """All figures with one axis, of players or of a player's games, as numbers of each in the order
    of documents."""
    rows = np.array([figures[name] for name in _KINDS], np.float64).T.tolist()
    return [
        {
            name: None if value != value else kind(value)
            for value, (name, kind) in zip(row, _KINDS.items(), strict=True)
        }
        for row in rows
    ]


def of_player(of: Totals) -> Figures:
    """The same from totals that are numbers of one player."""
    with np.errstate(invalid="ignore", over="ignore"):
        return {
            name: None if (value := _FORMULAS[name](of)) != value else kind(value)
            for name, kind in _KINDS.items()
        }


def metrics() -> Mapping[str, str]:
    """What every figure is called, by its name in `Statistics.figures`."""
    return {name: each.label for name, each in METRICS.items()}
