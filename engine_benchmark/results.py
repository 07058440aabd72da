"""The score of an engine on benchmark files: the documents that the outputs are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

import numpy as np
import pandas as pd

from engine_benchmark.keys import CLASSES
from engine_benchmark.reader import Contents
from reconcile.document import (
    SCHEMA_VERSION,
    Amount,
    Count,
    Document,
    Key,
    Positive,
    Text,
    Version,
    with_keys,
    within,
)
from reconcile.gap.bounds import BoundLevel
from reconcile.scoring.findings import Finding

SCALE = 1000
"""Average losses are given in thousandths of a point, as published."""
ANSWERED = 0.9
"""Share of the lines that an engine must answer with a legal play: the score of fewer is none."""
BORDERS = (0.0, 0.005, 0.010, 0.020, 0.040, 0.080, 0.160, 0.320)
"""Upper ends of the bins of losses, in points; the first is for no loss at all."""
WORST = 20
"""The costliest lines that are kept in full."""
NOT_JUDGED: Final = "not judged"
Judgement: TypeAlias = Literal["within", "outside", "not compared", "not judged"]
PositionKey = Annotated[str, within(pattern="^[A-P]{20}$")]
Die = Annotated[int, within(ge=1, le=6)]


@dataclass(frozen=True, slots=True)
class Bin(Document):
    """A bin."""

    up_to: Amount | None
    """Largest loss in the bin, in points; null for the last bin."""
    lines: Count
    """Scored lines in the bin."""


@dataclass(frozen=True, slots=True)
class Tally(Document):
    """Counts and averages over m lines."""

    lines: Count = 0
    """m lines with listed plays."""
    scored: Count = 0
    """How many of them have a legal choice."""
    interesting: Count = 0
    """How many of the scored lines have listed plays that were not all rolled out to the same
    result."""
    average_loss: Amount | None = None
    """Over all scored lines, in thousandths of a point of cubeless money equity; null where fewer
    than nine in ten are scored."""
    average_loss_interesting: Amount | None = None
    """The same over the interesting scored lines."""
    standard_error: Amount | None = None
    """Of `average_loss`; null with fewer than two lines."""
    errors: Count = 0
    """Choices that lose."""
    n_out: Count = 0
    """Legal choices outside the list, which are charged the last listed loss."""
    n_out_interesting: Count = 0
    """How many of them are in interesting lines."""
    missing: Count = 0
    """Lines without an answer."""
    illegal: Count = 0
    """Lines whose answer is not a legal play."""
    distribution: Annotated[tuple[Bin, ...], within(min_length=2)] = ()
    """Scored lines by loss, from none at all."""

    @property
    def is_answered(self) -> bool:
        """Whether enough lines have a legal choice for an average."""
        return 0 < self.scored >= ANSWERED * self.lines


def tally(lines: pd.DataFrame) -> Tally:
    """Counts and averages of m lines, a row each: `loss` in points and NaN where no legal play was
    named, whether the rollouts are `interesting`, the choice `listed`, the question `answered`."""
    scored = lines[lines.loss.notna()]
    interesting, outside = scored[scored.interesting], scored[~scored.listed]
    enough = 0 < len(scored) >= ANSWERED * len(lines)
    bins = np.bincount(np.searchsorted(BORDERS, scored.loss), minlength=len(BORDERS) + 1)

    def scaled(average: Any) -> float | None:
        return SCALE * float(average) if enough and average == average else None

    return Tally(
        lines=len(lines),
        scored=len(scored),
        interesting=len(interesting),
        average_loss=scaled(scored.loss.mean()),
        average_loss_interesting=scaled(interesting.loss.mean()),
        standard_error=scaled(scored.loss.sem()),
        errors=int((scored.loss > 0).sum()),
        n_out=len(outside),
        n_out_interesting=int(outside.interesting.sum()),
        missing=int((~lines.answered).sum()),
        illegal=int(lines.answered.sum()) - len(scored),
        distribution=tuple(map(Bin, (*BORDERS, None), bins.tolist())),
    )


if TYPE_CHECKING:
    ByClass: TypeAlias = Mapping[str, Tally]
else:
    ByClass = with_keys(
        "Classes",
        {
            "contact": (Tally, "gnuBG's class contact."),
            "crashed": (Tally, "gnuBG's class crashed."),
            "race": (Tally, "gnuBG's race and bearoff classes."),
        },
        "By class of the position before the roll; only classes that occur.",
        CLASSES,
    )


@dataclass(frozen=True, slots=True)
class ListedPlay(Document):
    """A play."""

    key: PositionKey
    """The position after it, as 20 letters."""
    play: str | None
    """The play in the usual notation; null if no legal play leads there."""
    loss: Amount
    """Points lost against the best."""

    @property
    def name(self) -> str:
        """The play; the key where there is none."""
        return self.key if self.play is None else self.play


@dataclass(frozen=True, slots=True)
class Choice(ListedPlay):
    """The engine's choice."""

    listed: bool
    """Whether it was rolled out."""


@dataclass(frozen=True, slots=True)
class Costly(Document):
    """A costly choice."""

    path: str
    """Its file."""
    line: Positive
    """Number of the line in the file."""
    key: PositionKey
    """Position as 20 letters."""
    dice: tuple[Die, Die]
    """The roll."""
    group: Annotated[str, Key("class", kind=Literal["contact", "crashed", "race"])]
    """gnuBG's class of the position."""
    xgid: str
    """The same for XG."""
    gnubg_id: str
    """The same for gnuBG."""
    equity: float
    """The mover's cubeless money equity after the best play."""
    choice: Choice
    """The engine's choice."""
    listed: Annotated[tuple[ListedPlay, ...], within(min_length=1)]
    """The plays rolled out, in the order of the file."""


@dataclass(slots=True)
class FileScore(Contents):
    """A benchmark file."""

    by_class: Annotated[ByClass, Key("classes")] = field(default_factory=dict)
    """By class."""
    total: Tally = field(default_factory=Tally)
    """All its m lines."""


@dataclass(frozen=True, slots=True)
class Reference(Document):
    """A published score."""

    table: str
    """Id of its table."""
    title: str
    """The engine."""
    source: str
    """Where it was published."""
    database: str
    """The database it is for."""
    published: Amount
    """Average loss over all lines, in thousandths of a point."""
    path: str | None
    """The scored file that is the database; null if there is none."""
    measured: Amount | None
    """The score on that file."""
    allowed: Amount | None
    """How far apart they may be; null if the table does not judge."""
    level: BoundLevel
    """The level of a score out of tolerance."""
    verdict: Judgement
    """Whether it is within tolerance."""

    @property
    def is_judged(self) -> bool:
        """Whether a tolerance was applied."""
        return self.verdict in ("within", "outside")


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(Document):
    """What `reconcile benchmark --json` writes: an engine's score on gnuBG's benchmark
    databases."""

    schema_version: Version = SCHEMA_VERSION
    engine: Text
    """Name, version and settings of the engine."""
    table: str | None = None
    """The table of published scores used for judging; null if none."""
    verdict: Literal["within", "outside", "not judged"] = "not judged"
    """`outside` if a score of level `error` is out of tolerance, or fewer than nine in ten lines
    were answered with a legal play."""
    files: Annotated[tuple[FileScore, ...], within(min_length=1)]
    """The files, in the order given."""
    by_class: Annotated[ByClass, Key("classes")]
    """All files together."""
    total: Tally
    """All files together."""
    published: tuple[Reference, ...] = ()
    """Every published score."""
    worst: Annotated[tuple[Costly, ...], within(max_length=WORST)]
    """The costliest choices, costliest first."""
    findings: tuple[Finding, ...] = ()
    """The findings."""
