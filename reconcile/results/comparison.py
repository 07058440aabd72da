"""A comparison of two files as a JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, TypeVar

import numpy as np

from reconcile.document import (
    LEFT_OUT,
    SCHEMA_VERSION,
    Amount,
    Count,
    Document,
    Row,
    Text,
    Version,
    rows_of,
    with_keys,
    within,
)
from reconcile.gap.aligned import Aligned
from reconcile.gap.comparison import Comparison, FileFacts
from reconcile.gap.explanation import ExplainedGap, explanations, notes
from reconcile.gap.pairing import MatchedBy
from reconcile.gap.rows import PLACE, story
from reconcile.gap.verdict import Figure, PairVerdict, PlainFigure
from reconcile.gap.walk import Bridge, Walk
from reconcile.scoring.figures import LEADING, MetricName, short_metric
from reconcile.scoring.findings import Finding

VERDICT: Final = {
    "error": (
        Amount | None,
        "Equity lost (EMG) by what was done, under the side's own rules; null where not evaluated.",
    ),
    "level": (str | None, "How deep it looked, in the tool's words; null where unknown."),
    "counted": (bool, "Whether it counts under the side's own rules."),
}
"""What a side says of a decision."""
if TYPE_CHECKING:
    LedgerRow: TypeAlias = Row
    MovingDecision: TypeAlias = Row
    TranscriptDifference: TypeAlias = Row
else:
    TranscriptDifference = with_keys(
        "TranscriptDifference",
        {
            "game": (Count, "Number of the game in the left file."),
            "turn": (Count, "Number of the turn; 0 for a whole game."),
            "what": (str, "What differs."),
            "left": (str, "What the left file has."),
            "right": (str, "What the right file has."),
        },
        "One place where the transcripts differ.",
    )
    LedgerRow = with_keys(
        "Row",
        {
            "player": (str, "Whose figure it moves, under the left file's name."),
            "metric": (MetricName, "The name of a figure; totals have their short name."),
            "step": (str, "The step's code."),
            "cause": (Text, "Finer than the step: `rule.Q02`, `engine.other-best`, ..."),
            **PLACE,
            "decider": (str, "Who decided, under the left file's name."),
            "change": (float, "The change of the figure."),
            "xgid": (str | None, "The position for eXtreme Gammon; null if there is no ID."),
            "gnubg_id": (str | None, "The position for GNU Backgammon; null if there is no ID."),
        },
        "What one decision contributes to one step of a bridge; the rows of a step add up to its "
        "change.",
    )
    SideOfDecision = with_keys(
        "SideOfDecision", VERDICT, "What a file says of a decision under its own rules."
    )
    MovingDecision = with_keys(
        "Decision",
        {
            **PLACE,
            "player": (str, "Who decided, under the left file's name."),
            "left": (
                SideOfDecision | None,
                "What the left file says of it; null for a resignation and where the file does not "
                "have it.",
            ),
            "right": (SideOfDecision | None, "The same of the right file."),
        },
        "A decision that moves a PR, as the two files see it.",
    )


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
    ledger: Annotated[tuple[LedgerRow, ...] | None, LEFT_OUT] = None
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
    ledger: Annotated[tuple[LedgerRow, ...] | None, LEFT_OUT] = None
    """The same, split by decision; of a match of a pack, for PR."""
    games: tuple[Game, ...]
    """The same for every game of the left file, not judged; empty for a match of a pack."""
    transcript: Transcript
    """Whether the files record the same match."""
    decisions: Annotated[tuple[MovingDecision, ...] | None, LEFT_OUT] = None
    """The decisions that move a PR; with the ledger."""
    explanation: tuple[ExplainedGap, ...]
    """Why the figure of each player differs, as rows that add up to the gap."""
    story: tuple[str, ...]
    """The same and notes as strings: headline, rows, notes."""
    findings: tuple[Finding, ...]
    """Findings about either file or the pair."""


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
        "story": story([each.shown() for each in explained], notes(comparison)),
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


def _gap(walk: Walk, game: int | None = None) -> dict[str, tuple[Any, ...]]:
    """Bridges and ledger of a match or a game."""
    bridges = walk.bridges(game=game)
    return {"bridge": bridges, "ledger": ledger(walk, bridges)}


def ledger(walk: Walk, bridges: Sequence[Bridge]) -> tuple[Row, ...]:
    """What every decision adds to these bridges."""
    columns: dict[str, Any] = {**walk.ledger_columns(bridges)}
    del columns["decision"]
    columns["metric"] = list(map(short_metric, columns["metric"]))
    for name in ("xgid", "gnubg_id"):
        columns[name] = [text or None for text in columns[name]]
    return rows_of(columns)


def moving_decisions(walk: Walk) -> tuple[Row, ...]:
    """The decisions that move a PR, with what either file says of them."""
    decisions = walk.aligned
    moving: set[int] = set()
    for seat in walk.seats:
        for vector in walk.bridge(LEADING, seat).contributions.values():
            moving.update(np.flatnonzero(vector).tolist())
    rows = sorted(moving)
    left, right = (_verdicts(decisions, side, rows) for side in (0, 1))
    return rows_of({**decisions.places(rows), "left": left, "right": right})


def _verdicts(aligned: Aligned, side: int, rows: Sequence[int]) -> list[Row | None]:
    """What a side says of these decisions."""
    verdicts = rows_of(aligned.verdicts(side, rows))
    decided = aligned.decided[side, rows]
    return [row if has else None for row, has in zip(verdicts, decided, strict=True)]
