"""What changed between two results written by this program: figures, verdicts, findings, tolerances, tools."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar, cast

from reconcile.errors import NothingToCompare
from reconcile.gap.bounds import ROUNDING, Level
from reconcile.results.flat import KINDS, VERDICTS, Key, Result, Value

if TYPE_CHECKING:
    from reconcile.results.models.changes import Change, ChangeSummary

Bound = tuple[float | None, Level | None]
"""Tolerance and level."""
Where = TypeVar("Where", bound=tuple[str, ...])
RANK: Final = {verdict: rank for rank, verdict in enumerate(VERDICTS)}


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A figure that changed."""

    key: Key
    old: Value | None
    new: Value | None

    @property
    def change(self) -> Change:
        """`worse` or `better` by its verdict, `new`, `gone`, or `moved` with the same verdict."""
        if self.old is None:
            return "new"
        if self.new is None:
            return "gone"
        before, after = RANK[self.old.verdict], RANK[self.new.verdict]
        return "worse" if after > before else "better" if after < before else "moved"

    @property
    def moved(self) -> bool:
        """Whether one of its numbers changed; if not, only its tolerance did."""
        old, new = self.old, self.new
        return old is None or new is None or any(differ(getattr(old, name), getattr(new, name)) for name in ("left", "right", "gap"))

    def fails(self, *, fail_on: str = "error") -> bool:
        """Whether the verdict got worse: a worse verdict, a new figure out of tolerance, or a figure within tolerance that is gone."""
        bad = self.new if self.new is not None and self.new.verdict == "outside" else self.old
        if bad is None or bad.level not in (("error", "warn") if fail_on == "warn" else ("error",)):
            return False
        if self.old is None:
            return self.new is not None and self.new.verdict == "outside"
        return self.change == "worse" or (self.new is None and self.old.verdict == "within")

    @property
    def size(self) -> float:
        """How far it moved, in multiples of its tolerance if it has one."""
        if self.old is None or self.new is None:
            return math.inf
        sides = (self.old.left, self.new.left), (self.old.right, self.new.right)
        moves = [abs(new - old) for old, new in sides if old is not None and new is not None]
        return max(moves, default=math.inf) / (self.new.tolerance or self.old.tolerance or 1.0)


@dataclass(frozen=True, slots=True)
class Allowed:
    """The tolerance of a figure, before and now, and how many figures it applies to."""

    metric: str
    old: Bound
    new: Bound
    figures: int


@dataclass(frozen=True, slots=True)
class TextChange:
    """A text that is new, gone or changed: a finding, a tool, a part that was not compared."""

    where: tuple[str, ...]
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything that changed."""

    old: Result
    new: Result
    figures: tuple[FigureChange, ...]
    """Worse first, then better, new, gone, moved; the largest move first."""
    tolerances: tuple[Allowed, ...]
    findings: tuple[TextChange, ...]
    """`where` is match, what was judged, side, code; like the sources, only for what both results have."""
    sources: tuple[TextChange, ...]
    absent: tuple[TextChange, ...]

    def exit_code(self, *, fail_on: str = "error") -> int:
        """1 when a verdict got worse, otherwise 0."""
        return int(any(figure.fails(fail_on=fail_on) for figure in self.figures))

    @property
    def summary(self) -> ChangeSummary:
        """The number of figures by kind of change."""
        counts = Counter(figure.change for figure in self.figures)
        return cast("ChangeSummary", {name: counts[name] for name in ORDER})


ORDER: Final[tuple[Change, ...]] = ("worse", "better", "new", "gone", "moved")


def differ(old: float | None, new: float | None) -> bool:
    """Whether two values differ by more than rounding."""
    return old is not new and (old is None or new is None or abs(old - new) > ROUNDING)


def changes(old: Result, new: Result) -> Changes:
    """What changed from one result to another of the same kind.

    Raises `NothingToCompare` if the kinds differ, or the results have no figure in common.
    """
    if old.kind != new.kind:
        raise NothingToCompare(
            f"expected two results of one command, found one of {KINDS[old.kind]} and one of {KINDS[new.kind]}; name two of one kind"
        )
    if not old.figures.keys() & new.figures.keys():
        raise NothingToCompare(f"{old.name} and {new.name} have no figure in common; name two results for the same matches and players")
    keys = sorted(key for key in old.figures.keys() | new.figures.keys() if not _same(old.figures.get(key), new.figures.get(key)))
    figures = [FigureChange(key, old.figures.get(key), new.figures.get(key)) for key in keys]
    allowed, kept = Counter[tuple[str, Bound, Bound]](), []
    for one in figures:
        if one.old is not None and one.new is not None and _bound_changed(one.old, one.new):
            allowed[one.key[3], (one.old.tolerance, one.old.level), (one.new.tolerance, one.new.level)] += 1
        if one.change != "moved" or one.moved:
            kept.append(one)
    both = {key[:2] for key in old.figures} & {key[:2] for key in new.figures}
    order = {name: index for index, name in enumerate(ORDER)}
    kept.sort(key=lambda one: (not one.fails(), order[one.change], -one.size, one.key))
    said = [{key: f"{title}: {evidence}" for key, (title, evidence) in result.findings.items()} for result in (old, new)]
    return Changes(
        old=old,
        new=new,
        figures=tuple(kept),
        tolerances=tuple(Allowed(metric, before, now, count) for (metric, before, now), count in sorted(allowed.items(), key=repr)),
        findings=tuple(one for one in _text_changes(*said) if one.where[:2] in both),
        sources=tuple(one for one in _text_changes(old.sources, new.sources) if one.where[:2] in both),
        absent=_text_changes(old.absent, new.absent),
    )


def _bound_changed(old: Value, new: Value) -> bool:
    """Whether the tolerance changed; a bound that is a share of the figure changes with the figure."""
    if old.level != new.level or (old.tolerance is None) != (new.tolerance is None):
        return True
    if not differ(old.tolerance, new.tolerance) or old.tolerance is None or new.tolerance is None:
        return False
    return not (old.left and new.left and math.isclose(old.tolerance / abs(old.left), new.tolerance / abs(new.left), rel_tol=1e-9))


def _same(old: Value | None, new: Value | None) -> bool:
    """Whether two values are equal; numbers may differ by rounding."""
    if old is None or new is None or (old.level, old.verdict) != (new.level, new.verdict):
        return False
    return not any(differ(getattr(old, name), getattr(new, name)) for name in ("left", "right", "gap", "tolerance"))


def _text_changes(old: Mapping[Where, str], new: Mapping[Where, str]) -> tuple[TextChange, ...]:
    keys = sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))
    return tuple(TextChange(key, old.get(key), new.get(key)) for key in keys)
