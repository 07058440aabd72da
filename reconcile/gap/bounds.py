"""Bounds of gaps as people write them in a file of tolerances: those of a table, those of one match or player, and gaps that are known.

What an entry may say is checked when it is made, so whatever exists is valid.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, TypeVar

from pydantic import Field, field_validator, model_validator

from reconcile.files.names import fold
from reconcile.files.yaml_file import Misplaced, Model
from reconcile.gap.bridge import SHARES
from reconcile.gap.causes import CAUSES
from reconcile.scoring.metrics import ALIASES, BRIDGED, METRICS, metric, named

ROUNDING: Final = 1e-9
"""Slack for binary fractions: 9.28 and 9.285 are 0.005 apart whatever their floats say."""

FailLevel = Literal["error", "warn"]
"""How bad a gap beyond a bound is."""
Level = Literal[FailLevel, "off"]


def _full_name(name: str) -> str:
    """`decisions@rules` -> `decisions.counted@rules`. Raises `ValueError` for what is no figure or cannot be bounded in part."""
    plain, at, share = name.partition("@")
    if ALIASES.get(plain, plain) not in METRICS:
        raise ValueError(f"unknown metric {plain!r}, expected one of {named(METRICS)} or {', '.join(ALIASES)}")
    if at and share not in SHARES:
        raise ValueError(f"unknown share {share!r} of {plain}, expected one of {', '.join(SHARES)}")
    full = metric(plain).name
    if at and full not in BRIDGED:
        raise ValueError(f"{plain} has no bridge whose shares could be bounded; bound it as a whole, or a share of {', '.join(BRIDGED)}")
    return full + at + share


def _number(value: object) -> object:
    """The value, unless it is `true` or `false`, which would be 1 or 0."""
    if isinstance(value, bool):
        raise ValueError("expected a number")
    return value


class Bound(Model):
    """How far one figure may be off, and how bad it is beyond: one of `abs`, `rel` and `within` is given."""

    abs: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """In the unit of the figure."""
    rel: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """As a share of the left figure."""
    within: Literal["printed"] | None = None
    """`printed` allows half of the last digit with which the figure was given; a count, and what was computed here, must be exact."""
    level: Level
    """`error` fails a comparison, `warn` does so on request, `off` judges nothing."""
    reason: str = Field(min_length=1)
    """Why so far, in words."""

    _are_numbers = field_validator("abs", "rel", mode="before")(_number)

    @model_validator(mode="after")
    def _one_bound(self) -> Bound:
        if [self.abs, self.rel, self.within].count(None) != 2:
            raise ValueError("expected one of abs, rel and within")
        return self

    def bound(self, left: float, half: float = 0.0) -> float:
        """The bound in the unit of the figure; `half` is half of the last printed digit, 0 for an exact figure."""
        if self.within is not None:
            return half
        return self.abs if self.abs is not None else (self.rel or 0.0) * abs(left)


class Tolerance(Bound):
    """A bound for every match and player, with where it comes from."""

    source: str = Field(min_length=1)
    """Where the bound is written, or who measured it."""
    evidence: tuple[str, ...] = ()
    """Ids of reference matches."""
    measured: str | None = None
    """What was measured, in words."""


class Table(Model):
    """The tolerances of one kind of comparison."""

    title: str = Field(min_length=1)
    """What is compared, in words."""
    entries: dict[str, Tolerance] = Field(min_length=1)
    """By the full name of the figure, or of a share of its gap (`pr@engine`).

    Written, `luck.*` is every figure whose name begins so and that has no entry of its own; a longer beginning comes before a shorter one.
    """

    @field_validator("entries")
    @classmethod
    def _known_metrics(cls, entries: Mapping[str, Tolerance]) -> dict[str, Tolerance]:
        own: dict[str, Tolerance] = {}
        full: dict[str, Tolerance] = {}
        for name in sorted((name for name in entries if name.endswith("*")), key=len):
            begun = [metric for metric in METRICS if metric.startswith(name[:-1])]
            if not begun:
                raise Misplaced(f"no metric begins with {name[:-1]!r}, expected one of {named(METRICS)}", name)
            full |= dict.fromkeys(begun, entries[name])
        for name, tolerance in entries.items():
            if name.endswith("*"):
                continue
            try:
                key = _full_name(name)
            except ValueError as error:
                raise Misplaced(str(error), name) from None
            if key in own:
                raise Misplaced(f"{key} is bounded twice", name)
            if tolerance.within is not None and "@" in key:
                raise Misplaced("nobody prints a share of a gap; bound it by abs or rel", name)
            own[key] = tolerance
        return full | own

    def of(self, name: str) -> Tolerance | None:
        """The tolerance of a metric, `None` where it has none."""
        return self.entries.get(name)


class Special(Model):
    """What holds for one match, one player or both, of one table, up to and including a day."""

    table: str
    """Id of the table it belongs to."""
    match: str | None = Field(default=None, min_length=1)
    """Id of a match of the pack."""
    player: str | None = Field(default=None, min_length=1)
    """As the left file of a pair names them; without case and accents."""
    metric: str
    """The full name of the figure, or of a share of its gap."""
    until: date
    """The last day on which it holds."""
    reason: str = Field(min_length=1)
    """Why, in words."""

    _full_metric = field_validator("metric")(_full_name)

    @field_validator("until", mode="before")
    @classmethod
    def _day(cls, value: object) -> date:
        if isinstance(value, date):
            return value
        if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            raise ValueError("expected a day as YYYY-MM-DD")
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise ValueError("expected a day that exists, as YYYY-MM-DD") from None

    @model_validator(mode="after")
    def _somebodys(self) -> Special:
        if self.match is None and self.player is None:
            raise ValueError("expected a match, a player or both; a bound for everybody belongs into the table")
        return self

    def holds(self, today: date) -> bool:
        """Whether the day has not passed."""
        return today <= self.until

    def concerns(self, name: str, player: str) -> bool:
        """Whether it is about this figure of this player."""
        return self.metric == name and (self.player is None or fold(self.player) == fold(player))

    @property
    def key(self) -> tuple[str, ...]:
        """What can be given once only."""
        return self.table, self.match or "", fold(self.player or ""), self.metric

    @property
    def whose(self) -> str:
        """`pr of Nora in charlot`."""
        return self.metric + (f" of {self.player}" if self.player else "") + (f" in {self.match}" if self.match else "")


Particular = TypeVar("Particular", bound=Special)


class Override(Special, Bound):
    """Another bound than the table's."""


class KnownGap(Special):
    """A gap that is expected: it is taken off before the rest is judged."""

    gap: float = Field(allow_inf_nan=False)
    """Signed, right minus left, in the unit of the figure."""
    cause: str
    """The code of a cause: `rule.Q02`, `engine.other-best-move`..."""
    evidence: tuple[str, ...] = ()
    """Where it can be looked at: ids of matches, games and turns, addresses of issues."""

    _is_number = field_validator("gap", mode="before")(_number)

    @field_validator("gap")
    @classmethod
    def _signed(cls, gap: float) -> float:
        if not gap:
            raise ValueError("expected the signed gap, right minus left; without a gap there is nothing to know")
        return gap

    @field_validator("cause")
    @classmethod
    def _known_cause(cls, cause: str) -> str:
        if cause not in CAUSES:
            raise ValueError(f"unknown cause, expected one of {', '.join(CAUSES)}")
        return cause

    def gone(self, gap: float, bound: float) -> bool:
        """Whether the figure agrees without it, and better than with it."""
        return abs(gap) <= bound + ROUNDING and abs(gap) < abs(gap - self.gap)


@dataclass(frozen=True, slots=True)
class Gate:
    """What judges the figures of one match: a table, and what holds there in particular."""

    table: Table
    overrides: tuple[Override, ...] = ()
    """For this table and match, whether or not their day has passed; the most particular first."""
    known_gaps: tuple[KnownGap, ...] = ()
    today: date = date.min

    def of(self, name: str, player: str) -> Bound | None:
        """The bound of a player's figure, `None` where it has none."""
        return _first(self.overrides, name, player, self.today) or self.table.of(name)

    def known_gap(self, name: str, player: str) -> KnownGap | None:
        """The gap that is expected of a player's figure."""
        return _first(self.known_gaps, name, player, self.today)

    @property
    def expired(self) -> Iterator[Override | KnownGap]:
        """What no longer holds."""
        entries: tuple[Override | KnownGap, ...] = (*self.overrides, *self.known_gaps)
        return (entry for entry in entries if not entry.holds(self.today))


def _first(entries: Iterable[Particular], name: str, player: str, today: date) -> Particular | None:
    return next((entry for entry in entries if entry.concerns(name, player) and entry.holds(today)), None)


def particular(entries: Iterable[Particular], table: str, match: str | None) -> tuple[Particular, ...]:
    """The entries of a table that may concern a match, the most particular first."""
    here = [entry for entry in entries if entry.table == table and entry.match in (None, match)]
    return tuple(sorted(here, key=lambda entry: (entry.match is None, entry.player is None)))
