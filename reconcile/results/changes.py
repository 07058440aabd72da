"""What changed between two results of one command, as `reconcile diff --json` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeAlias

from reconcile.document import HIDDEN, SCHEMA_VERSION, Count, Document, Key, Version, with_keys
from reconcile.gap.bounds import BoundLevel
from reconcile.gap.verdict import UNGATED, PairVerdict, Verdict

Change = Literal["worse", "waived", "better", "new", "gone", "moved", "bound"]
Place: TypeAlias = tuple[str, ...]
"""Where something is in a result: match, what was judged in it, player, metric."""
Figure: TypeAlias = Mapping[str, Any]
"""A figure in one result by `FIELDS`."""
FIELDS: Final[Mapping[str, tuple[object, str]]] = {
    "left": (float | None, "Left, or the tool's figure; for statistics, the figure."),
    "right": (float | None, "Right, or ours."),
    "gap": (float | None, "Right minus left."),
    "tolerance": (float | None, "The tolerance; null if nothing judges it."),
    "level": (BoundLevel | None, "Level of the tolerance."),
    "verdict": (Verdict, "The verdict."),
}
NO_FIGURE: Final[Figure] = {**dict.fromkeys(FIELDS), "verdict": UNGATED}
Value = Key(kind=with_keys("Value", FIELDS, "A figure in one result.") | None)


@dataclass(frozen=True, slots=True)
class Result(Document):
    """One of the two results."""

    name: str
    """The pack, or the files."""
    verdict: PairVerdict | None
    """Its verdict; null for statistics."""
    figures: Annotated[Mapping[Place, Figure], Key(by=len, kind=Count)]
    """Its number of figures."""
    facts: Annotated[Mapping[Place, str], HIDDEN]
    """Its texts."""
    kind: Annotated[object, HIDDEN] = None
    """The type of the document that it is."""


@dataclass(frozen=True, slots=True)
class ChangedFigure(Document):
    """A figure that changed."""

    where: Place
    """The match, what was judged in it and the player, as far as the result has them."""
    metric: str
    """The figure's name, or a share of its gap, for example `pr@engine`."""
    change: Change
    """`worse`, `better`: the verdict is; `waived`: it is better, and the gap as wide as before;
    `bound`: only the tolerance is another."""
    worse: bool
    """Whether it makes the exit code 1."""
    old: Annotated[Figure | None, Value]
    """Before; null if it is new."""
    new: Annotated[Figure | None, Value]
    """Now; null if it is gone."""
    fails_at: Annotated[BoundLevel | None, HIDDEN]
    """The level of a figure that got worse, is new and outside, or is gone and was within."""

    def fails(self, fail_on: str = "error") -> bool:
        """Whether it makes the exit code 1; with `warn` also by a bound of level warn."""
        return self.fails_at in ("error", fail_on)


@dataclass(frozen=True, slots=True)
class ChangedFact(Document):
    """A finding, a source, a diagnosis or a part that was not compared: new, gone or changed."""

    where: Place
    """The match, what was judged in it, and what it is."""
    old: str | None
    """Before; null if it is new."""
    new: str | None
    """Now; null if it is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes(Document):
    """What `reconcile diff --json` writes: what changed between two results of one command."""

    schema_version: Version = SCHEMA_VERSION
    old: Result
    """The old one."""
    new: Result
    """The new one."""
    worse: bool
    """Whether a verdict got worse at level `error`: the exit code is 1."""
    figures: tuple[ChangedFigure, ...]
    """Figures that changed, those first that make the exit code 1."""
    facts: tuple[ChangedFact, ...]
    """Everything else that changed; of a part that is new or gone the figures say enough."""

    def exit_code(self, *, fail_on: str = "error") -> int:
        """1 when a verdict got worse, otherwise 0."""
        return int(any(figure.fails(fail_on) for figure in self.figures))
