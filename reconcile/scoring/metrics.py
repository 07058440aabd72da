"""The figures, each under one name everywhere: in JSON, in tolerances and manifests, on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from reconcile.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure of a player, for a match or a game."""

    name: str
    title: str
    unit: str
    decimals: int
    """Digits shown to people; comparisons never round."""
    parts: tuple[str, ...]
    """Which analysis it rests on: `checker`, `cube`, `luck`; an incomplete one makes the figure incomplete."""
    page: str

    @property
    def label(self) -> str:
        """The title with the unit, where the title does not name it."""
        return f"{self.title} ({self.unit})" if self.unit and self.unit not in self.title else self.title

    def shown(self, value: float | None) -> str:
        """A figure with the digits of this metric; a dash where it is unknown."""
        return "-" if value is None else f"{value:.{self.decimals}f}"


_CLASSES: Final = {"total": "all classes", "checker": "checker plays", "double": "doubles and no-doubles", "take": "takes and passes"}
_PARTS: Final = {"total": ("checker", "cube"), "checker": ("checker",), "double": ("cube",), "take": ("cube",)}


def _metrics() -> list[Metric]:
    both = ("checker", "cube")
    found = [
        Metric("pr", "PR", "", 2, both, "500 times the equity lost per counted decision; lower is better."),
        Metric("checker_pr", "PR of checker plays", "", 2, ("checker",), "500 times the equity lost in checker plays per counted play."),
        Metric("cube_pr", "PR of cube decisions", "", 2, ("cube",), "500 times the equity lost at the cube per counted cube decision."),
        Metric(
            "error_rate_memg",
            "Error rate (mEMG)",
            "mEMG",
            1,
            both,
            "1000 times the equity lost per counted decision; gnuBG's overall rate.",
        ),
        Metric("snowie_er", "Snowie error rate", "", 2, both, "500 times the equity lost per move of both players, forced moves included."),
        Metric("snowie_memg", "Snowie error rate (mEMG)", "mEMG", 1, both, "The same on gnuBG's scale: 1000 times."),
    ]
    for key, title in {
        "counted": "Decisions",
        "checker": "Checker decisions",
        "double": "Double decisions",
        "take": "Takes and passes",
    }.items():
        parts = _PARTS["total" if key == "counted" else key]
        found.append(Metric(f"decisions.{key}", title, "", 0, parts, "Number of decisions that count under the rule set."))
    for key, title in {"total": "Moves", "unforced": "Unforced moves", "forced": "Forced moves"}.items():
        found.append(Metric(f"moves.{key}", title, "", 0, (), "Number of rolls played; forced where at most one position can result."))
    for key, title in _CLASSES.items():
        found.append(
            Metric(f"equity_error.{key}", f"Equity lost, {title}", "EMG", 3, _PARTS[key], "Sum of the errors at the cube of each decision.")
        )
    for key, title in _CLASSES.items():
        page = "Sum of the errors in match winning chance, percentage points; null in money play."
        found.append(Metric(f"mwc_loss_percent.{key}", f"MWC lost, {title}", "pp", 2, _PARTS[key], page))
    found.append(Metric("luck.equity", "Luck", "EMG", 3, ("luck",), "Sum of what the rolls gained; positive is lucky."))
    page = "Sum of what the rolls gained in match winning chance, percentage points; null in money play."
    found.append(Metric("luck.mwc_percent", "Luck in MWC", "pp", 2, ("luck",), page))
    return found


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


BRIDGED: Final = (
    "pr",
    "checker_pr",
    "cube_pr",
    "error_rate_memg",
    "snowie_er",
    "snowie_memg",
    "decisions.counted",
    "decisions.checker",
    "decisions.double",
    "decisions.take",
    "equity_error.total",
    "equity_error.checker",
    "equity_error.double",
    "equity_error.take",
    "mwc_loss_percent.total",
    "mwc_loss_percent.checker",
    "mwc_loss_percent.double",
    "mwc_loss_percent.take",
)
"""Figures a bridge can be built for."""
SHORT: Final[Mapping[str, str]] = MappingProxyType({ALIASES[name]: name for name in ("decisions", "equity_error", "mwc_loss_percent")})
"""Totals go by their short name in the documents of comparisons."""


def metric(name: str) -> Metric:
    """A metric by its name or short name. Raises `UnknownName`."""
    known = METRICS.get(ALIASES.get(name, name))
    if known is None:
        raise UnknownName(f"no metric {name!r}; there are {', '.join(METRICS)} and for short {', '.join(ALIASES)}")
    return known
