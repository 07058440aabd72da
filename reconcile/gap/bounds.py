"""Bounds of gaps: those of a table, those of one match or player, and gaps that are known; what
judges figures.

A file of them is checked when it is read (`tolerance_file.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Literal, TypeVar

from reconcile.document import Amount, Text
from reconcile.errors import expect
from reconcile.match.names import fold
from reconcile.scoring.figures import ALIASES, METRICS, metric

BUNDLED = "tolerances.yaml"
"""The file that comes with the program."""
ROUNDING = 1e-9
"""Slack for binary fractions: 9.28 and 9.285 are 0.005 apart whatever their floats say."""

FailLevel = Literal["error", "warn"]
"""How bad a gap beyond a bound is."""
BoundLevel = Literal[FailLevel, "off"]


CHECKED = {"extra": "forbid", "allow_inf_nan": False}
"""How pydantic reads what people write."""


@dataclass(frozen=True, kw_only=True)
class Bound:
    """How far one figure may be off, and how bad it is beyond: one of `abs`, `rel` and `within` is
    given."""

    __pydantic_config__: ClassVar = CHECKED

    abs: Amount | None = None
    """In the unit of the figure."""
    rel: Amount | None = None
    """As a share of the left figure."""
    within: Literal["printed"] | None = None
    """`printed` allows half of the last digit with which the figure was given; a count, and what
    was computed here, must be exact."""
    level: BoundLevel
    """`error` fails a comparison, `warn` does so on request, `off` judges nothing."""
    reason: Text
    """Why so far, in words."""

    def bound(self, left: float, half: float = 0.0) -> float:
        """The bound in the unit of the figure; `half` is half of the last printed digit, 0 for an
        exact figure."""
        if self.within is not None:
            return half
        return self.abs if self.abs is not None else (self.rel or 0.0) * abs(left)

    def __str__(self) -> str:
        if self.within is not None:
            return "half of the last printed digit allowed"
        if self.abs is not None:
            return f"{self.abs:g} allowed"
        return f"{100 * (self.rel or 0.0):g} % of the left figure allowed"


@dataclass(frozen=True, kw_only=True)
class Tolerance(Bound):
    """A bound for every match and player, with where it comes from."""

    source: Text
    """Where the bound is written, or who measured it."""
    evidence: tuple[str, ...] = ()
    """Ids of reference matches."""
    measured: str | None = None
    """What was measured, in words."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """The tolerances of one kind of comparison."""

    title: str
    """What is compared, in words."""
    entries: Mapping[str, Tolerance]
    """By the full name of the figure, or of a share of its gap (`pr@engine`)."""

    def of(self, name: str) -> Tolerance | None:
        """The tolerance of a metric or of a share of its gap, `None` where it has none.

        Raises `UnknownName`.
        """
        expect("name", name, str, "the name of a metric, or of a share of its gap, as pr@engine")
        figure, at, share = name.partition("@")
        return self.entries.get(f"{metric(figure).name}{at}{share}")


def by_full_name(entries: Mapping[str, Tolerance]) -> dict[str, Tolerance]:
    """Entries of a table as people write them, by the full names of figures and of shares of their
    gaps.

    `luck.*` is every figure whose name begins so and that has no entry of its own; a longer
    beginning comes before a shorter one.
    """
    full: dict[str, Tolerance] = {}
    beginnings = sorted((name for name in entries if name.endswith("*")), key=len)
    for name in dict.fromkeys([*beginnings, *entries]):
        plain, at, share = name.partition("@")
        if name.endswith("*"):
            names = [metric for metric in METRICS if metric.startswith(name[:-1])]
        else:
            names = [ALIASES.get(plain, plain) + at + share]
        full |= dict.fromkeys(names, entries[name])
    return full


@dataclass(frozen=True, kw_only=True)
class Special:
    """What holds for one match, one player or both, of one table, up to and including a day."""

    __pydantic_config__: ClassVar = CHECKED

    table: str
    """Id of the table it belongs to."""
    match: Text | None = None
    """Id of a match of the pack."""
    player: Text | None = None
    """As the left file of a pair names them; without case and accents."""
    metric: str
    """The full name of the figure, or of a share of its gap; of an override also the beginning of
    names and `*`."""
    until: date
    """The last day on which it holds."""
    reason: Text
    """Why, in words."""

    def holds(self, today: date) -> bool:
        """Whether the day has not passed."""
        return today <= self.until

    def concerns(self, name: str, player: str) -> bool:
        """Whether it is about this figure of this player; `luck.*` is about every figure that
        begins so, and about no share of a gap."""
        start, wild, _ = self.metric.partition("*")
        is_meant = name.startswith(start) and "@" not in name if wild else name == self.metric
        return is_meant and (self.player is None or fold(self.player) == fold(player))

    @property
    def key(self) -> tuple[str, ...]:
        """What can be given once only."""
        return self.table, self.match or "", fold(self.player or ""), self.metric

    @property
    def whose(self) -> str:
        """`pr of Nora in charlot`."""
        player, match = (
            f" of {self.player}" * bool(self.player),
            f" in {self.match}" * bool(self.match),
        )
        return f"{self.metric}{player}{match}"


Particular = TypeVar("Particular", bound=Special)


@dataclass(frozen=True, kw_only=True)
class Override(Special, Bound):
    """Another bound than the table's."""


@dataclass(frozen=True, kw_only=True)
class KnownGap(Special):
    """A gap that is expected: it is taken off before the rest is judged."""

    gap: float
    """Signed, right minus left, in the unit of the figure."""
    cause: str
    """The code of a cause: `rule.Q02`, `engine.other-best-move`..."""
    evidence: tuple[str, ...] = ()
    """Where it can be looked at: ids of matches, games and turns, addresses of issues."""

    def gone(self, gap: float, bound: float) -> bool:
        """Whether the figure agrees without it, and better than with it."""
        return abs(gap) <= bound + ROUNDING and abs(gap) < abs(gap - self.gap)

    def __str__(self) -> str:
        return f"{self.gap:+g} ({self.cause})"


@dataclass(frozen=True, slots=True)
class Gate:
    """What judges the figures of one match: a table, and what holds there in particular."""

    table: Table
    overrides: tuple[Override, ...] = ()
    """For this table and match, whether or not their day has passed; the most particular first."""
    known_gaps: tuple[KnownGap, ...] = ()
    today: date = date.min

    def of(self, name: str, player: str) -> Bound | None:
        """The bound of a player's figure, `None` where the table has none."""
        bound = self.table.of(name)
        return bound and (_first(self.overrides, name, player, self.today) or bound)

    def known_gap(self, name: str, player: str) -> KnownGap | None:
        """The gap that is expected of a player's figure."""
        return _first(self.known_gaps, name, player, self.today)

    @property
    def expired(self) -> Iterator[Override | KnownGap]:
        """What no longer holds."""
        entries: tuple[Override | KnownGap, ...] = (*self.overrides, *self.known_gaps)
        return (entry for entry in entries if not entry.holds(self.today))


def _first(entries: Iterable[Particular], name: str, player: str, today: date) -> Particular | None:
    here = (entry for entry in entries if entry.concerns(name, player) and entry.holds(today))
    return next(here, None)


def particular(
    entries: Iterable[Particular], table: str, match: str | None
) -> tuple[Particular, ...]:
    """The entries of a table that may concern a match, the most particular first."""

    def breadth(entry: Particular) -> tuple[bool, bool, bool, int]:
        name = entry.metric
        return entry.match is None, entry.player is None, "*" in name, -len(name)

    here = (entry for entry in entries if entry.table == table and entry.match in (None, match))
    return tuple(sorted(here, key=breadth))
