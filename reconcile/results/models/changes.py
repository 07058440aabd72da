"""What changed between two results of one command, as a document."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from reconcile.gap.bounds import Level
from reconcile.gap.verdict import PairVerdict, Verdict
from reconcile.results.models.shared import Count, Positive, Version

MatchId = Annotated[str, Field(description="Id of the match, or name of the file; empty for a comparison.")]
Judged = Annotated[str, Field(description="What was judged in it: `reported xg`, the two files of a pair, a game; empty for a comparison.")]
Before = Annotated[str | None, Field(description="Before; null if it is new.")]
Now = Annotated[str | None, Field(description="Now; null if it is gone.")]
Kind = Literal["validation", "comparison", "folders", "several", "statistics"]
Change = Literal["worse", "better", "new", "gone", "moved"]


class Result(TypedDict):
    """One of the two results."""

    name: str
    """The pack, or the files."""
    verdict: PairVerdict | None
    """Its verdict; null for statistics."""
    figures: Count
    """Its number of figures."""


class ChangeSummary(TypedDict):
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


class Value(TypedDict):
    """A figure in one result."""

    left: float | None
    """Left, or the tool's figure; for statistics, the figure."""
    right: float | None
    """Right, or ours."""
    gap: float | None
    """Right minus left."""
    tolerance: float | None
    """The tolerance; null if nothing judges it."""
    level: Level | None
    """Level of the tolerance."""
    verdict: Verdict
    """The verdict."""
    steps: dict[str, float]
    """Its bridge, step code to change; empty if the result has none."""


class ChangedFigure(TypedDict):
    """A figure that changed."""

    match: MatchId
    judged: Judged
    player: str
    """The player."""
    metric: str
    """The figure's name, or a share of its gap, for example `pr@engine`."""
    change: Change
    """`worse` and `better` refer to the verdict."""
    worse: bool
    """Whether it makes the exit code 1."""
    old: Value | None
    """Before; null if it is new."""
    new: Value | None
    """Now; null if it is gone."""


class Bound(TypedDict):
    """A tolerance."""

    tolerance: float | None
    """In the unit of the figure; null for none."""
    level: Level | None
    """Level; null for none."""


class ChangedBound(TypedDict):
    """A changed tolerance."""

    metric: str
    """The figure."""
    old: Bound
    """Before."""
    new: Bound
    """Now."""
    figures: Positive
    """Number of figures."""


class ChangedPart(TypedDict):
    """A part that was not compared."""

    match: MatchId
    judged: Judged
    old: Before
    new: Now


class ChangedFinding(ChangedPart):
    """A finding."""

    side: str
    """`left`, `right`, or empty for the pair."""
    code: str
    """Its code; `reconcile explain CODE` prints its page."""


class ChangedSource(ChangedPart):
    """Something that the figures depend on."""

    side: str
    """`left`, `right`, or empty."""
    what: Literal["tool", "version", "rules", "met", "table", "file", "level", "sha256", "outlier"]
    """What it is."""


class Changes(TypedDict):
    """What `reconcile diff --json` writes: what changed between two results of one command."""

    schema_version: Version
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
    figures: list[ChangedFigure]
    """Figures that changed: first those that make the exit code 1, then by size of the change."""
    tolerances: list[ChangedBound]
    """Tolerances that changed."""
    findings: list[ChangedFinding]
    """Findings that are new, gone or changed."""
    not_compared: list[ChangedPart]
    """Parts that were or are not compared."""
    sources: list[ChangedSource]
    """Tools, rules, match equity tables, tolerance tables, analysis levels and files that changed."""
