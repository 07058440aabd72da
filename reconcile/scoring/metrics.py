"""The figures by name, the same everywhere: in JSON, in tolerances and manifests, on the command
line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

import numpy as np

from reconcile.errors import UnknownName
from reconcile.scoring.figures import FIGURES, Figures
from reconcile.scoring.metric import Metric
from reconcile.scoring.sums import Numbers, Totals

LEADING: Final = "pr"
"""The figure whose decisions a report shows one by one."""
CHECKER: Final = "checker_pr"
"""The figure in its place where it is unknown, as without the analysis of the cube."""
MOST_SIMILAR: Final = 3
CLOSE: Final = 0.6
"""Least likeness of a name that somebody may have meant, see `difflib`."""
METRICS: Final[Mapping[str, Metric]] = MappingProxyType(
    {figure.name: figure for figure, _ in FIGURES}
)
_FORMULAS: Final = {figure.name: formula for figure, formula in FIGURES}
FIRST: Final = frozenset(
    name
    for name, figure in METRICS.items()
    if figure.form or name.startswith("moves.") or name in ("luck.equity", "luck.mwc_percent")
)
"""The figures that documents list first."""
_KINDS: Final = {
    name: int if METRICS[name].is_whole else float
    for name in sorted(METRICS, key=lambda name: name not in FIRST)
}
"""The kind of number of every figure in the order of documents."""
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
SHORT: Final[Mapping[str, str]] = MappingProxyType(
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
