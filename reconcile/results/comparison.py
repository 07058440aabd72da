"""A comparison of two files as a JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, TypeVar

import numpy as np

from reconcile.document import (
    LEFT_OUT,
    OR_NULL,
    SCHEMA_VERSION,
    Count,
    Document,
    Positive,
    Text,
    Version,
    within,
)
from reconcile.gap.bridge import Bridge, SideOfDecision
from reconcile.gap.comparison import Comparison
from reconcile.gap.contributions import ledger_columns, sides_of
from reconcile.gap.explanation import ExplainedGap, explanations, notes
from reconcile.gap.paired_decisions import Placed
from reconcile.gap.pairing import MatchedBy, TranscriptDifference
from reconcile.gap.reviewed_files import FileFacts
from reconcile.gap.verdict import Figure, PairVerdict, PlainFigure
from reconcile.gap.walk import Walk
from reconcile.match.columns import KindName
from reconcile.scoring.findings import Finding
from reconcile.scoring.metrics import LEADING, MetricName, short_metric


@dataclass(frozen=True, slots=True)
class Row(Document):
    """What one decision contributes to one step of a bridge; the rows of a step add up to its
    change."""

    player: str
    """Whose figure it moves, under the left file's name."""
    metric: MetricName
    """The name of a figure; totals have their short name."""
    step: str
    """The step's code."""
    cause: Text
    """Finer than the step: `rule.Q02`, `engine.other-best`, ..."""
    game: Positive
    """Number of the game, from 1."""
    turn: Positive
    """Number of the turn, from 1."""
    kind: KindName
    """What was decided."""
    decider: str
    """Who decided, under the left file's name."""
    change: float
    """The change of the figure."""
    xgid: Annotated[str, OR_NULL]
    """The position for eXtreme Gammon; null if there is no ID."""
    gnubg_id: Annotated[str, OR_NULL]
    """The position for GNU Backgammon; null if there is no ID."""


@dataclass(frozen=True, slots=True)
class Decision(Placed):
    """A decision that moves a PR, as the two files see it."""

    player: str
    """Who decided, under the left file's name."""
    left: SideOfDecision | None
    """What the left file says of it; null for a resignation and where the file does not have it."""
    right: SideOfDecision | None
    """The same of the right file."""


@dataclass(frozen=True, slots=True)
class Transcript(Document):
    """Whether the files record the same match."""

    same: bool
    """Whether all games, rolls, plays and cube actions agree."""
    players_matched_by: MatchedBy
    """How the players were matched."""
    decisions: Count
    """Decisions of the longer file."""
    paired: Count
    """Decisions found on both sides."""
    differences: tuple[TranscriptDifference, ...]
    """Their differences, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Document):
    """One game."""

    game: Count
    """Number of the game in the left file."""
    figures: tuple[PlainFigure, ...]
    """Its figures."""
    bridge: Annotated[tuple[Bridge, ...] | None, LEFT_OUT] = None
    """The gap of every figure with a bridge, in steps."""
    ledger: Annotated[tuple[Row, ...] | None, LEFT_OUT] = None
    """The same, split by decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonDocument(Document):
    """What `reconcile compare --json` writes: two files of one match, judged. Unknown is null,
    never 0."""

    schema_version: Version = SCHEMA_VERSION
    left: FileFacts
    """The left file."""
    right: FileFacts
    """The right file."""
    table: Text
    """Id of the tolerance table."""
    verdict: PairVerdict
    """`outside` if a figure of level `error` is out of tolerance, `incomparable` if none could be
    judged."""
    figures: Annotated[tuple[Figure, ...], within(min_length=1)]
    """Every figure of the chosen players."""
    bridge: Annotated[tuple[Bridge, ...] | None, LEFT_OUT] = None
    """The gap of every figure with a bridge, in steps; of a match of a pack, those steps that move
    it."""
    ledger: Annotated[tuple[Row, ...] | None, LEFT_OUT] = None
    """The same, split by decision; of a match of a pack, for PR."""
    games: tuple[Game, ...]
    """The same for every game of the left file, not judged; empty for a match of a pack."""
    transcript: Transcript
    """Whether the files record the same match."""
    decisions: Annotated[tuple[Decision, ...] | None, LEFT_OUT] = None
    """The decisions that move a PR; with the ledger."""
    explanation: tuple[ExplainedGap, ...]
    """Why the figure of each player differs, as rows that add up to the gap."""
    story: tuple[str, ...]
    """The same and notes as strings: headline, rows, notes."""
    findings: tuple[Finding, ...]
    """Findings about either file or the pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateGap(Document):
    """How the figures of a reference become those of a program under test, which are beside it."""

    left: FileFacts
    """The reference file."""
    right: FileFacts
    """What the program gives."""
    bridge: tuple[Bridge, ...]
    """The gap of every figure with a bridge, in the steps that move it."""
    ledger: tuple[Row, ...]
    """The same for PR, split by decision."""
    transcript: Transcript
    """Whether both record the same match."""
    explanation: tuple[ExplainedGap, ...]
    """Why the figure of each player differs, as rows that add up to the gap."""
    story: tuple[str, ...]
    """The same and notes as strings: headline, rows, notes."""


Compared = TypeVar("Compared", bound=ComparisonDocument)


def comparison_document(comparison: Comparison) -> ComparisonDocument:
    """Two files of one match, compared, with the bridges and the ledger for the match and every
    game."""
    return compared(ComparisonDocument, comparison, ledgers=True)


def compared(
    kind: type[Compared], comparison: Comparison, *, ledgers: bool = False, **more: Any
) -> Compared:
    """A comparison with `more` keys than it has of its own; with `ledgers` also the bridges and
    ledgers, of the match and of its games."""
    explained, walk = explanations(comparison), comparison.walk
    keys: dict[str, Any] = {
        "left": comparison.left,
        "right": comparison.right,
        "table": comparison.table,
        "verdict": comparison.verdict,
        "figures": (*comparison.figures, *comparison.shares),
        "games": tuple(
            Game(game=number, figures=figures, **_gap(walk, number) if ledgers else {})
            for number, figures in comparison.by_game
        ),
        "transcript": Transcript(
            same=not comparison.pairing.differences,
            players_matched_by=comparison.pairing.matched_by,
            decisions=comparison.paired[1],
            paired=comparison.paired[0],
            differences=comparison.pairing.differences,
        ),
        "decisions": moving_decisions(walk) if ledgers else None,
        "explanation": explained,
        "story": (
            *(words for each in explained for words in each.shown().story()),
            *notes(comparison),
        ),
        "findings": comparison.findings,
    }
    return kind(**keys | (_gap(walk) if ledgers else {}) | more)


def briefly(kind: type[Compared], comparison: Comparison, **more: Any) -> Compared:
    """The same for one of many matches: the steps that move a figure, the decisions that move a PR,
    and nothing by game.

    The rest is what `comparison_document` has, and follows from the two files.
    """
    walk = comparison.walk
    bridges = tuple(
        moved for bridge in walk.bridges() if (moved := bridge.moving()).steps or moved.reason
    )
    ledger_of_pr = ledger(walk, [bridge for bridge in bridges if bridge.metric == LEADING])
    return compared(
        kind, comparison, **{"bridge": bridges, "ledger": ledger_of_pr, "games": ()} | more
    )


def candidate_gap(comparison: Comparison, left: str) -> CandidateGap:
    """A reference and what a program gives, compared; `left` names the reference file."""
    document = briefly(ComparisonDocument, comparison, left=replace(comparison.left, path=left))
    return CandidateGap(
        **{field.name: getattr(document, field.name) for field in fields(CandidateGap)}
    )


def _gap(walk: Walk, game: int | None = None) -> dict[str, tuple[Any, ...]]:
    """Bridges and ledger of a match or a game."""
    bridges = walk.bridges(game=game)
    return {"bridge": bridges, "ledger": ledger(walk, bridges)}


def ledger(walk: Walk, bridges: Sequence[Bridge]) -> tuple[Row, ...]:
    """What every decision adds to these bridges."""
    columns = ledger_columns(walk, bridges)
    columns["metric"] = list(map(short_metric, columns["metric"]))
    return tuple(map(Row, *columns.values()))


def moving_decisions(walk: Walk) -> tuple[Decision, ...]:
    """The decisions that move a PR, with what either file says of them."""
    items = walk.items
    moving: set[int] = set()
    for seat in walk.seats:
        for vector in walk.bridge(LEADING, seat).contributions.values():
            moving.update(np.flatnonzero(vector).tolist())
    names = walk.left.match.names
    return tuple(
        Decision(*items.place(item), names[int(items.player[item])], *sides_of(walk, item))
        for item in sorted(moving)
    )
