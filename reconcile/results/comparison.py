"""A comparison of two files as a JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, TypeVar

import numpy as np

from reconcile.document import LATER, LEFT_OUT, OR_NULL, SCHEMA_VERSION, Amount, Count, Document, Positive, Text, Version, within
from reconcile.gap.bridge import Bridge, SideOfDecision
from reconcile.gap.comparison import Comparison, Side
from reconcile.gap.contributions import Reader, ledger_columns
from reconcile.gap.explanation import Explanation
from reconcile.gap.naming import names_of
from reconcile.gap.pairing import MatchedBy, TranscriptDifference
from reconcile.gap.settle import Settled, Settlement, identifiers, sentence
from reconcile.gap.story import stories
from reconcile.gap.verdict import Figure, PairVerdict
from reconcile.gap.walk import LEADING, Walk
from reconcile.match.columns import KindName
from reconcile.scoring.findings import Finding
from reconcile.scoring.metrics import MetricName, short_metric


@dataclass(frozen=True, slots=True)
class PlainFigure(Document):
    """One figure of one player in a game; never judged."""

    metric: MetricName
    """The name of a figure; totals have their short name."""
    player: str
    """The player, under the left file's name."""
    left: float | None
    """The left figure; null where unknown."""
    right: float | None
    """The right figure; null where unknown."""
    gap: float | None
    """Right minus left; null if a side is unknown."""


@dataclass(frozen=True, slots=True)
class Row(Document):
    """What one decision contributes to one step of a bridge; the rows of a step add up to its change."""

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
class Seen(Document):
    """What a file says of a decision under its own rules."""

    error: Amount | None
    """Equity lost (EMG); null where the file has no analysis of it."""
    counted: bool
    """Whether it counts."""
    level: str | None
    """The level of its analysis in the tool's words; null where the file has none."""


@dataclass(frozen=True, slots=True)
class Decision(Document):
    """A decision that moves a PR, as the two files see it."""

    game: Positive
    """Number of the game, from 1."""
    turn: Positive
    """Number of the turn, from 1."""
    kind: KindName
    """What was decided."""
    player: str
    """Who decided, under the left file's name."""
    left: Seen | None
    """What the left file says of it; null for a resignation and where the file does not have it."""
    right: Seen | None
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


@dataclass(frozen=True, slots=True)
class Action(Document):
    """An action of a decision in dispute, with what a rollout found."""

    action: str
    """A play in notation, or a cube action."""
    equity: float | None
    """EMG at the cube before the decision, in the decider's view; null where the time was over before."""
    standard_error: Amount | None
    """Of the equity (EMG)."""
    wanted_by: tuple[Count, ...]
    """The sides that think it best: 0 left, 1 right."""


@dataclass(frozen=True, slots=True)
class SettledDecision(Document):
    """A decision in dispute that was rolled out."""

    game: int
    """Number of the game as in the left file."""
    turn: Positive
    """From 1 in each game, counting both players."""
    kind: KindName
    """What was done."""
    player: str
    """Who decides."""
    at_stake: Amount
    """The largest error charged for what was done less the smallest (EMG)."""
    xgid: str
    """The decision, for XG."""
    gnubg_id: str
    """The decision, for gnuBG."""
    actions: tuple[Action, ...]
    """What the sides want, each action once."""
    best: str | None
    """The action that is better by more than two standard errors of the difference; null where it is too close to call."""
    right: tuple[Count, ...]
    """The sides that want it, or where only the size of the error is in dispute those nearest to what was lost: 0 left, 1 right."""
    done: Annotated[str | None, LEFT_OUT] = None
    """What was done, where only the size of the error is in dispute; the next three are there with it."""
    loss: Annotated[float | None, LEFT_OUT] = None
    """What it loses by the rollout (EMG); negative if it is better than the other action."""
    loss_standard_error: Annotated[Amount | None, LEFT_OUT] = None
    """Of the loss."""
    charged: Annotated[tuple[float | None, ...] | None, LEFT_OUT] = None
    """By side the error that it charges; null where it does not say."""


@dataclass(frozen=True, slots=True)
class Settlements(Document):
    """Rollouts of the decisions in dispute (`--settle`)."""

    program: str
    """Who rolled out, with its version."""
    trials: Positive
    """Games of each rollout."""
    sentence: str
    """Who is right how often."""
    decisions: tuple[SettledDecision, ...]
    """Most at stake first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonDocument(Document):
    """What `reconcile compare --json` writes: two files of one match, judged. Unknown is null, never 0."""

    schema_version: Version = SCHEMA_VERSION
    left: Side
    """The left file."""
    right: Side
    """The right file."""
    table: Text
    """Id of the tolerance table."""
    verdict: PairVerdict
    """`outside` if a figure of level `error` is out of tolerance, `incomparable` if none could be judged."""
    figures: Annotated[tuple[Figure, ...], within(min_length=1)]
    """Every figure of the chosen players."""
    bridge: Annotated[tuple[Bridge, ...] | None, LEFT_OUT] = None
    """The gap of every figure with a bridge, in steps; of a match of a pack, those steps that move it."""
    ledger: Annotated[tuple[Row, ...] | None, LEFT_OUT] = None
    """The same, split by decision; of a match of a pack, for PR."""
    games: tuple[Game, ...]
    """The same for every game of the left file, not judged; empty for a match of a pack."""
    transcript: Transcript
    """Whether the files record the same match."""
    decisions: Annotated[tuple[Decision, ...] | None, LEFT_OUT] = None
    """The decisions that move a PR; with the ledger."""
    explanation: Annotated[tuple[Explanation, ...], LATER] = ()
    """Why the figure of each player differs, as facts; results of version 0.2 do not have it."""
    story: tuple[str, ...]
    """Why the PRs differ, in sentences, in reading order."""
    findings: tuple[Finding, ...]
    """Findings about either file or the pair."""
    settled: Annotated[Settlements | None, LEFT_OUT] = None
    """What rollouts say of the decisions in dispute; only where they were asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateGap(Document):
    """How the figures of a reference become those of a program under test, which are beside it."""

    left: Side
    """The reference file."""
    right: Side
    """What the program gives."""
    bridge: tuple[Bridge, ...]
    """The gap of every figure with a bridge, in the steps that move it."""
    ledger: tuple[Row, ...]
    """The same for PR, split by decision."""
    transcript: Transcript
    """Whether both record the same match."""
    explanation: Annotated[tuple[Explanation, ...], LATER] = ()
    """Why the figure of each player differs, as facts; results of version 0.2 do not have it."""
    story: tuple[str, ...]
    """Why the PRs differ, in sentences, in reading order."""


Compared = TypeVar("Compared", bound=ComparisonDocument)


def comparison_document(comparison: Comparison) -> ComparisonDocument:
    """Two files of one match, compared, with the bridges and the ledger for the match and every game."""
    return compared(ComparisonDocument, comparison, ledgers=True)


def compared(kind: type[Compared], comparison: Comparison, *, ledgers: bool = False, **more: Any) -> Compared:
    """A comparison with `more` keys than it has of its own; with `ledgers` also the bridges and ledgers, of the match and of its games."""
    told, walk, settlement = stories(comparison), comparison.walk, comparison.settlement
    known: dict[str, Any] = {
        "left": comparison.left,
        "right": comparison.right,
        "table": comparison.table,
        "verdict": comparison.verdict,
        "figures": (*comparison.figures, *comparison.shares),
        "games": tuple(
            Game(game=number, figures=tuple(map(_plain, figures)), **_gap(walk, number) if ledgers else {})
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
        "explanation": tuple(one.explanation for one in told if one.explanation),
        "story": tuple(sentence for one in told for sentence in one.sentences),
        "findings": comparison.findings,
        "settled": None if settlement is None else settlements(settlement, names_of(comparison)),
    }
    return kind(**known | (_gap(walk) if ledgers else {}) | more)


def briefly(kind: type[Compared], comparison: Comparison, **more: Any) -> Compared:
    """The same for one of many matches: the steps that move a figure, the decisions that move a PR, and nothing by game.

    The rest is what `comparison_document` has, and follows from the two files.
    """
    walk = comparison.walk
    bridges = tuple(moved for bridge in walk.bridges() if (moved := bridge.moving()).steps or moved.reason)
    ledger_of_pr = ledger(walk, [bridge for bridge in bridges if bridge.metric == LEADING])
    return compared(kind, comparison, **{"bridge": bridges, "ledger": ledger_of_pr, "games": ()} | more)


def candidate_gap(comparison: Comparison, left: str) -> CandidateGap:
    """A reference and what a program gives, compared; `left` names the reference file."""
    whole = briefly(ComparisonDocument, comparison, left=replace(comparison.left, path=left))
    return CandidateGap(**{field.name: getattr(whole, field.name) for field in fields(CandidateGap)})


def _gap(walk: Walk, game: int | None = None) -> dict[str, tuple[Any, ...]]:
    """Bridges and ledger of a match or a game."""
    bridges = walk.bridges(game=game)
    return {"bridge": bridges, "ledger": ledger(walk, bridges)}


def ledger(walk: Walk, bridges: Sequence[Bridge]) -> tuple[Row, ...]:
    """What every decision adds to these bridges."""
    columns = ledger_columns(walk, bridges)
    columns["metric"] = list(map(short_metric, columns["metric"]))
    return tuple(map(Row, *columns.values()))


def _plain(figure: Figure) -> PlainFigure:
    return PlainFigure(short_metric(figure.name), figure.player, figure.left, figure.right, figure.gap)


def moving_decisions(walk: Walk) -> tuple[Decision, ...]:
    """The decisions that move a PR, with what either file says of them."""
    items, reader = walk.items, Reader(walk)
    moving: set[int] = set()
    for seat in walk.seats:
        for _, vector in walk.bridge(LEADING, seat).contributions:
            moving.update(np.flatnonzero(vector).tolist())
    return tuple(
        Decision(
            game=int(items.game[item]),
            turn=int(items.turn[item]),
            kind=str(items.kind_labels[item]),
            player=walk.left.match.names[int(items.player[item])],
            left=_seen(reader.side(item, 0)),
            right=_seen(reader.side(item, 1)),
        )
        for item in sorted(moving)
    )


def _seen(side: SideOfDecision | None) -> Seen | None:
    return None if side is None else Seen(side.error, side.counted, side.level or None)


def settlements(settlement: Settlement, names: Sequence[str]) -> Settlements:
    """What rollouts say of the decisions in dispute, by the names of the sides."""
    decisions = tuple(map(_settled, settlement.decisions))
    return Settlements(f"{settlement.program} {settlement.version}", settlement.trials, sentence(settlement, names), decisions)


def _settled(one: Settled) -> SettledDecision:
    asked = one.dispute
    xgid, gnubg_id = identifiers(asked)
    loss, error = one.loss or (None, None)
    known: Sequence[Any] = [*zip(one.equities, one.errors, strict=True)] or [(None, None)] * len(asked.actions)
    actions = (
        Action(action, equity, error, tuple(side for side, at in enumerate(asked.wanted) if at == i))
        for i, (action, (equity, error)) in enumerate(zip(asked.actions, known, strict=True))
    )
    return SettledDecision(
        game=asked.game,
        turn=asked.turn,
        kind=asked.kind,
        player=asked.player,
        at_stake=asked.at_stake,
        xgid=xgid,
        gnubg_id=gnubg_id,
        actions=tuple(actions),
        best=None if one.best is None else asked.actions[one.best],
        right=one.right,
        done=None if asked.done is None else asked.actions[asked.done],
        loss=loss,
        loss_standard_error=error,
        charged=asked.charged or None,
    )
