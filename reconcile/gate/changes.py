"""What changed between two results written by this program: figures, verdicts, findings, tolerances, tools."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from reconcile.document import HIDDEN, LATER, SCHEMA_VERSION, Count, Document, Positive, Version
from reconcile.errors import NothingToCompare
from reconcile.gap.bounds import ROUNDING, Level
from reconcile.gate.flat import KINDS, VERDICTS, Kind, Names, Result, Value

RANK: Final = {verdict: rank for rank, verdict in enumerate(VERDICTS)}
Change = Literal["worse", "better", "waived", "new", "gone", "moved"]


@dataclass(frozen=True, slots=True)
class Changed(Document):
    """What is new, gone or changed."""

    match: str
    """Id of the match, or name of the file; empty for a comparison."""
    judged: str
    """What was judged in it: `reported xg`, the two files of a pair, a game; empty for a comparison."""


@dataclass(frozen=True, slots=True)
class ChangedFigure(Changed):
    """A figure that changed."""

    player: str
    """The player."""
    metric: str
    """The figure's name, or a share of its gap, for example `pr@engine`."""
    change: Change
    """`worse` and `better` refer to the verdict; `waived` is a better one only because more is allowed, or nothing judges it any more."""
    worse: bool
    """Whether it makes the exit code 1."""
    old: Value | None
    """Before; null if it is new."""
    new: Value | None
    """Now; null if it is gone."""
    fails_at: Annotated[Level | None, HIDDEN]
    """The level of a figure that got worse, is new and out of tolerance, or is gone and was within tolerance."""

    @property
    def names(self) -> Names:
        """What both results call it."""
        return self.match, self.judged, self.player, self.metric

    @property
    def moved(self) -> bool:
        """Whether one of its numbers changed; if not, only its tolerance did."""
        old, new = self.old, self.new
        return (
            old is None
            or new is None
            or any(
                differ(getattr(old, name), getattr(new, name)) for name in ("left", "right", "gap")
            )
        )

    def fails(self, *, fail_on: str = "error") -> bool:
        """Whether it makes the exit code 1; with `fail_on="warn"` also by a bound of level warn."""
        return self.fails_at in ("error", fail_on)

    @property
    def size(self) -> float:
        """How far it moved, in multiples of its tolerance if it has one."""
        if self.old is None or self.new is None:
            return math.inf
        sides = (self.old.left, self.new.left), (self.old.right, self.new.right)
        moves = [abs(new - old) for old, new in sides if old is not None and new is not None]
        return max(moves, default=math.inf) / (self.new.tolerance or self.old.tolerance or 1.0)


@dataclass(frozen=True, slots=True)
class Bound(Document):
    """A tolerance."""

    tolerance: float | None
    """In the unit of the figure; null for none."""
    level: Level | None
    """Level; null for none."""


@dataclass(frozen=True, slots=True)
class ChangedBound(Document):
    """A changed tolerance."""

    metric: str
    """The figure."""
    old: Bound
    """Before."""
    new: Bound
    """Now."""
    figures: Positive
    """Number of figures."""


@dataclass(frozen=True, slots=True)
class ChangedPart(Changed):
    """A part that was not compared."""

    old: str | None
    """Before; null if it is new."""
    new: str | None
    """Now; null if it is gone."""


@dataclass(frozen=True, slots=True)
class ChangedFinding(Changed):
    """A finding."""

    side: str
    """`left`, `right`, or empty for the pair."""
    code: str
    """Its code; `reconcile explain CODE` prints its page."""
    old: str | None
    """Before; null if it is new."""
    new: str | None
    """Now; null if it is gone."""


@dataclass(frozen=True, slots=True)
class ChangedSource(Changed):
    """Something that the figures depend on."""

    side: str
    """`left`, `right`, or empty."""
    what: Literal["tool", "version", "rules", "met", "table", "file", "level", "sha256", "outlier"]
    """What it is."""
    old: str | None
    """Before; null if it is new."""
    new: str | None
    """Now; null if it is gone."""


@dataclass(frozen=True, slots=True)
class ChangeSummary(Document):
    """Number of figures by kind of change."""

    worse: Count
    """Figures with a worse verdict than before."""
    better: Count
    """Figures with a better verdict than before."""
    new: Count
    """Figures only in the new result."""
    gone: Count
    """Figures only in the old result."""
    moved: Count
    """Figures with a different number and the same verdict."""
    waived: Annotated[Count, LATER] = 0
    """Figures with a better verdict only because more is allowed: a wider bound, a known gap, or no bound; absent in older results."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes(Document):
    """What `reconcile diff --json` writes: what changed between two results of one command."""

    schema_version: Version = SCHEMA_VERSION
    kind: Kind
    """The kind of both results."""
    old: Result
    """The old one."""
    new: Result
    """The new one."""
    worse: bool
    """Whether a verdict got worse at level `error`: the exit code is 1."""
    summary: ChangeSummary
    """Number of figures by kind of change."""
    figures: tuple[ChangedFigure, ...]
    """Figures that changed: first those that make the exit code 1, then by size of the change."""
    tolerances: tuple[ChangedBound, ...]
    """Tolerances that changed."""
    findings: tuple[ChangedFinding, ...]
    """Findings that are new, gone or changed."""
    not_compared: tuple[ChangedPart, ...]
    """Parts that were or are not compared."""
    sources: tuple[ChangedSource, ...]
    """Tools, rules, match equity tables, tolerance tables, analysis levels and files that changed."""

    def exit_code(self, *, fail_on: str = "error") -> int:
        """1 when a verdict got worse, otherwise 0."""
        return int(any(figure.fails(fail_on=fail_on) for figure in self.figures))


ORDER: Final[tuple[Change, ...]] = ("worse", "waived", "better", "new", "gone", "moved")


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
        raise NothingToCompare(
            f"{old.name} and {new.name} have no figure in common; name two results for the same matches and players"
        )
    keys = sorted(
        key
        for key in old.figures.keys() | new.figures.keys()
        if not _same(old.figures.get(key), new.figures.get(key))
    )
    allowed, kept = Counter[tuple[str, Bound, Bound]](), []
    for one in (_changed(key, old.figures.get(key), new.figures.get(key)) for key in keys):
        if one.old is not None and one.new is not None and _bound_changed(one.old, one.new):
            allowed[
                one.metric,
                Bound(one.old.tolerance, one.old.level),
                Bound(one.new.tolerance, one.new.level),
            ] += 1
        if one.change != "moved" or one.moved:
            kept.append(one)
    both = {key[:2] for key in old.figures} & {key[:2] for key in new.figures}
    kept.sort(key=lambda one: (not one.worse, ORDER.index(one.change), -one.size, one.names))
    counts = Counter(one.change for one in kept)
    said = [
        {key: f"{title}: {evidence}" for key, (title, evidence) in result.findings.items()}
        for result in (old, new)
    ]
    return Changes(
        kind=new.kind,
        old=old,
        new=new,
        worse=any(one.worse for one in kept),
        summary=ChangeSummary(**{name: counts[name] for name in ORDER}),
        figures=tuple(kept),
        tolerances=tuple(
            ChangedBound(*bounds, count) for bounds, count in sorted(allowed.items(), key=repr)
        ),
        findings=tuple(ChangedFinding(*one) for one in _texts(*said) if one[:2] in both),
        sources=tuple(
            ChangedSource(*one) for one in _texts(old.sources, new.sources) if one[:2] in both
        ),
        not_compared=tuple(ChangedPart(*one) for one in _texts(old.absent, new.absent)),
    )


def _changed(names: Names, old: Value | None, new: Value | None) -> ChangedFigure:
    """A figure before and now: by its verdict `worse`, `better` or `waived`, `new`, `gone`, or `moved` with the same verdict."""
    change: Change = "new" if old is None else "gone"
    fails, bad = (
        new is not None and new.verdict == "outside" if old is None else old.verdict == "within",
        old,
    )
    if new is not None and old is not None:
        before, after = RANK[old.verdict], RANK[new.verdict]
        change = (
            "worse"
            if after > before
            else "moved"
            if after == before
            else "waived"
            if _waived(old, new)
            else "better"
        )
        fails = after > before
    if new is not None and new.verdict == "outside":
        bad = new
    level = bad.level if fails and bad is not None else None
    return ChangedFigure(*names, change, level == "error", old, new, level)


def _waived(old: Value, new: Value) -> bool:
    """Whether a gap that was too wide still is by what was allowed then."""
    allowed = old.tolerance if new.tolerance is None or _bound_changed(old, new) else new.tolerance
    was_too_wide = RANK[old.verdict] >= RANK["open"]
    return (
        was_too_wide
        and new.gap is not None
        and allowed is not None
        and abs(new.gap) > allowed + ROUNDING
    )


def _bound_changed(old: Value, new: Value) -> bool:
    """Whether the tolerance changed; a bound that is a share of the figure changes with the figure."""
    if old.level != new.level or (old.tolerance is None) != (new.tolerance is None):
        return True
    if not differ(old.tolerance, new.tolerance) or old.tolerance is None or new.tolerance is None:
        return False
    return not (
        old.left
        and new.left
        and math.isclose(old.tolerance / abs(old.left), new.tolerance / abs(new.left), rel_tol=1e-9)
    )


def _same(old: Value | None, new: Value | None) -> bool:
    """Whether two values are equal; numbers may differ by rounding."""
    if old is None or new is None or (old.level, old.verdict) != (new.level, new.verdict):
        return False
    return not any(
        differ(getattr(old, name), getattr(new, name))
        for name in ("left", "right", "gap", "tolerance")
    )


def _texts(old: Mapping[Any, str], new: Mapping[Any, str]) -> list[Any]:
    """The names of texts that are new, gone or changed, each with the old and the new one."""
    keys = sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))
    return [(*key, old.get(key), new.get(key)) for key in keys]
