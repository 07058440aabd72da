"""The figures, each with the same name everywhere: in JSON, in tolerances and manifests, on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from types import MappingProxyType
from typing import Final

from reconcile.errors import UnknownName

MOST_SIMILAR: Final = 3
CLOSE: Final = 0.6
"""Least likeness of a name that somebody may have meant, see `difflib`."""
PR_FACTOR: Final = 500.0
"""PR is the equity lost per decision times this, in XG and every other program."""
MEMG_FACTOR: Final = 1000.0
"""gnuBG's rates are in thousandths."""


class DecisionClass(IntEnum):
    """The classes into which figures are split."""

    CHECKER = 0
    DOUBLE = 1
    TAKE = 2
    RESIGNATION = 3


class Form(Enum):
    """How a figure is composed."""

    ERROR = "sum of errors"
    COUNT = "number of decisions"
    RATE = "errors per decision"


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure of a player, for a match or a game."""

    name: str
    title: str
    unit: str
    decimals: int
    """Digits shown to people; comparisons never round."""
    parts: tuple[str, ...]
    """The analysis it is based on: `checker`, `cube`, `luck`; if that is incomplete, so is the figure."""
    page: str
    form: Form | None = None
    """`None` if it is not made of decisions, so that no bridge can be built for it."""
    classes: tuple[DecisionClass, ...] = ()
    """The classes of decisions it is made of; empty for all."""
    factor: float = 1.0
    per_move: bool = False
    """Whether a rate is divided by the moves of both players instead of the player's counted decisions."""
    in_mwc: bool = False
    """Whether it is in match winning chance, which money sessions do not have."""

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
        """The title inside a sentence, without a comma: `equity lost (checker plays)`."""
        name, _, part = self.title.partition(", ")
        name = name if name[:2].isupper() or name.startswith("Snowie") else name[0].lower() + name[1:]
        return f"{name} ({part})" if part and part != _TITLES["total"] else name

    @property
    def label(self) -> str:
        """The title with the unit, where the title does not name it."""
        return f"{self.title} ({self.unit})" if self.unit and self.unit not in self.title else self.title

    def shown(self, value: float | None) -> str:
        """A figure with the digits of this metric; a dash where it is unknown."""
        return "-" if value is None else f"{value:.{self.decimals}f}"


_CHECKER, _DOUBLE, _TAKE = (DecisionClass.CHECKER,), (DecisionClass.DOUBLE,), (DecisionClass.TAKE,)
_TITLES: Final = {"total": "all classes", "checker": "checker plays", "double": "doubles and no-doubles", "take": "takes and passes"}
_PARTS: Final = {"total": ("checker", "cube"), "checker": ("checker",), "double": ("cube",), "take": ("cube",)}
_CUBE_PARTS: Final = {
    "wrong_double": "doubles that were wrong",
    "missed_double": "doubles that were missed",
    "wrong_take": "takes that were wrong",
    "wrong_pass": "passes that were wrong",
}
_GRADES: Final = {
    "errors": ("Errors", "an error"),
    "blunders": ("Blunders", "a blunder"),
    "doubtful": ("Doubtful decisions", "doubtful; unknown where the rule set has no such grade"),
}
_CLASSES: Final = {"total": (), "counted": (), "checker": _CHECKER, "double": _DOUBLE, "take": _TAKE}


def _metrics() -> Iterator[Metric]:
    both, rate = ("checker", "cube"), Form.RATE
    page = "500 times the equity lost per counted decision; lower is better."
    yield Metric("pr", "PR", "", 2, both, page, rate, factor=PR_FACTOR)
    page = "500 times the equity lost in checker plays per counted play."
    yield Metric("checker_pr", "PR of checker plays", "", 2, ("checker",), page, rate, _CHECKER, PR_FACTOR)
    page = "500 times the equity lost at the cube per counted cube decision."
    yield Metric("cube_pr", "PR of cube decisions", "", 2, ("cube",), page, rate, _DOUBLE + _TAKE, PR_FACTOR)
    page = "1000 times the equity lost per counted decision; gnuBG's overall rate."
    yield Metric("error_rate_memg", "Error rate (mEMG)", "mEMG", 1, both, page, rate, factor=MEMG_FACTOR)
    page = (
        "500 times the equity lost per move of both players, forced moves included: half of Snowie's rate, the scale on which blunderDB "
        "prints it."
    )
    yield Metric("snowie_er", "Snowie error rate, halved", "", 2, both, page, rate, factor=PR_FACTOR, per_move=True)
    page = "1000 times the equity lost per move of both players: what gnuBG prints under this name, by the formula of Snowie 4."
    yield Metric("snowie_memg", "Snowie error rate", "mEMG", 1, both, page, rate, factor=MEMG_FACTOR, per_move=True)
    counts = {"counted": "Decisions", "checker": "Checker decisions", "double": "Double decisions", "take": "Takes and passes"}
    page = "Number of decisions that count under the rule set."
    for key, title in counts.items():
        parts = _PARTS["total" if key == "counted" else key]
        yield Metric(f"decisions.{key}", title, "", 0, parts, page, Form.COUNT, _CLASSES[key])
    for key, title in {"total": "Moves", "unforced": "Unforced moves", "forced": "Forced moves"}.items():
        yield Metric(f"moves.{key}", title, "", 0, (), "Number of rolls played; forced where at most one position can result.")
    for key, title in _TITLES.items():
        page = "Sum of the errors, each normalised to the cube of its decision."
        yield Metric(f"equity_error.{key}", f"Equity lost, {title}", "EMG", 3, _PARTS[key], page, Form.ERROR, _CLASSES[key])
    for key, title in _CUBE_PARTS.items():
        page = "Sum of the errors of these decisions; a beaver is a take."
        yield Metric(f"equity_error.{key}", f"Equity lost, {title}", "EMG", 3, ("cube",), page)
    for key, title in _TITLES.items():
        page = "Sum of the errors in match winning chance, percentage points; null in money play."
        yield Metric(f"mwc_loss_percent.{key}", f"MWC lost, {title}", "pp", 2, _PARTS[key], page, Form.ERROR, _CLASSES[key], in_mwc=True)
    for key, title in _CUBE_PARTS.items():
        page = "The same in match winning chance, percentage points; null in money play."
        yield Metric(f"mwc_loss_percent.{key}", f"MWC lost, {title}", "pp", 2, ("cube",), page, in_mwc=True)
    yield from _grades()
    page = "Sum of what the rolls gained; positive is lucky. A roll that was never played, before a resignation, is left out."
    yield Metric("luck.equity", "Luck", "EMG", 3, ("luck",), page)
    page = "Sum of what the rolls gained in match winning chance, percentage points; null in money play."
    yield Metric("luck.mwc_percent", "Luck in MWC", "pp", 2, ("luck",), page, in_mwc=True)
    yield from _net_luck()


def _grades() -> Iterator[Metric]:
    for grade, (title, words) in _GRADES.items():
        page = (
            f"Number of decisions whose error is at least {words}, by the borders of the rule set (Q12). Worse grades are included, "
            "as in XG's summary, where `31 (18)` means 31 errors, 18 of them blunders. Errors of resignations are not counted: "
            "XG's total is that of the three classes. The counts depend strongly on the analysis: on four sides of XG's own summaries XG "
            "has 66 errors and 31 blunders in plays, gnuBG at 0 plies 119 and 23 by the same borders."
        )
        for key, part in _TITLES.items():
            yield Metric(f"{grade}.{key}", f"{title}, {part}", "", 0, _PARTS[key], page)


def _net_luck() -> Iterator[Metric]:
    luck = ("luck",)
    page = "The player's luck less the opponent's, as XG prints it; the opponent's figure is the same with the other sign."
    yield Metric("luck.net_equity", "Net luck", "EMG", 3, luck, page)
    page = "The same in match winning chance, percentage points; null in money play."
    yield Metric("luck.net_mwc_percent", "Net luck in MWC", "pp", 2, luck, page, in_mwc=True)
    page = (
        "Number of rolls that gained at least 0.20 EMG: XG's jokers as far as can be inferred. On the six sides of XG's own summaries, all "
        "of one owner, XG counts 180, and gnuBG's luck at 0 plies gives 182 (a border of 0.18 gives 202, of 0.22 160, of 0.30 101). XG may "
        "have a setting for it: in 2016 P. Ellis called 0.300 a common border. Single rolls differ with the analysis."
    )
    yield Metric("luck.jokers", "Jokers", "", 0, luck, page)
    page = (
        "Number of rolls with luck, at least 0.0001 EMG either way: dances and rolls of a decided game have none. Near XG's `Rolls`, not "
        "exact: with gnuBG's luck at 0 plies it is XG's number on 3 of 6 sides and 2, 2 and 4 off on the others, always in decided "
        "positions where XG keeps tiny chances."
    )
    yield Metric("luck.rolls", "Lucky and unlucky rolls", "", 0, luck, page)
    page = (
        "Net luck per roll of both players that had luck, as XG prints it beside the word for luck (six of six sides). The borders of XG's "
        "words are unknown: 0.0009 is insignificant, 0.0116 and 0.0139 are quite lucky."
    )
    yield Metric("luck.rate", "Luck rate", "EMG", 4, luck, page)
    page = (
        "XG's luck-based rating of a finished match: with v the result (1 won, 0 lost) less the net luck in match winning chance, "
        "1 / (1 + exp(4 (0.5 - v))). The two players' ratings sum to 100. Null for a game, an unfinished match, money play, and where the "
        "luck of a roll is unknown. Source: XG's author on bgonline.org, 31 July 2010, post 73964; six of six sides follow it. In his "
        "words there is 'no mathematical reasoning for choosing that formula other than my intuition'. For money XG shows a figure for "
        "each game and for the session, points less luck over 0.100 times 50."
    )
    yield Metric("luck.rating_percent", "Luck-based rating", "%", 2, luck, page, in_mwc=True)
    page = (
        "Half of XG's luck-based difference in Elo, the player's side positive: with v the luck-based rating and n the points of the match "
        "the difference is 2000 / sqrt(n) * log10(v / (1 - v)); in money play 500 times the points per game, less the net luck in points "
        "per game (no such session with XG's own figures is at hand). XG prints it added to the middle of the players' Elo. The "
        "difference fits on six of six sides; the middle was 100.5 above that of the transcripts in three of three matches, unexplained, "
        "so a printed Elo is compared as its distance from the middle of both. Source: as `luck.rating_percent`."
    )
    yield Metric("luck.elo", "Luck-based Elo, from the middle", "", 1, luck, page)


METRICS: Final[Mapping[str, Metric]] = MappingProxyType({metric.name: metric for metric in _metrics()})
ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "decisions": "decisions.counted",
        "moves": "moves.total",
        "equity_error": "equity_error.total",
        "mwc_loss_percent": "mwc_loss_percent.total",
        "luck": "luck.equity",
    }
)


BRIDGED: Final = tuple(name for name, metric in METRICS.items() if metric.form is not None)
"""Figures a bridge can be built for."""
SHORT: Final[Mapping[str, str]] = MappingProxyType({ALIASES[name]: name for name in ("decisions", "equity_error", "mwc_loss_percent")})
"""Documents of comparisons use the short names of totals."""


def named(metrics: Iterable[str]) -> str:
    """Names of metrics for a message, each group once: `pr, decisions.counted|checker`."""
    groups: dict[str, list[str]] = {}
    for name in metrics:
        group, dot, key = name.partition(".")
        groups.setdefault(group + dot, []).append(key)
    return ", ".join(group + "|".join(keys) for group, keys in groups.items())


def metric(name: str) -> Metric:
    """A metric by its name or short name. Raises `UnknownName`."""
    known = METRICS.get(ALIASES.get(name, name))
    if known is None:
        near = similar(name)
        hint = f"did you mean {' or '.join(near)}? Expected" if near else "expected"
        raise UnknownName(f"no metric {name!r}; {hint} one of {named(METRICS)} or a short name: {', '.join(ALIASES)}")
    return known


def similar(name: str) -> list[str]:
    """Names of metrics that somebody may have meant: one that differs in a letter or two, or whose name or title has the word."""
    from difflib import get_close_matches  # imported here, since few runs need it

    wanted = name.casefold().strip()
    names = [*ALIASES, *METRICS]
    near = [one for one in names if one == wanted] or get_close_matches(wanted, names, MOST_SIMILAR, CLOSE)
    if not near and wanted:
        near = [one for one in names if wanted in f"{one} {METRICS[ALIASES.get(one, one)].title}".casefold()]
    return near[:MOST_SIMILAR]
