"""A comparison of two files, a match with several analyses, and folders of matches as JSON
documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypeVar

import numpy as np

from reconcile.document import (
    FIRST,
    LEFT_OUT,
    OR_NULL,
    SCHEMA_VERSION,
    Amount,
    Count,
    Document,
    Ends,
    Positive,
    Row,
    Text,
    Version,
    rows_of,
    with_keys,
    within,
)
from reconcile.gap.aligned import Aligned, NoVote
from reconcile.gap.comparison import Comparison, FileFacts, facts_of
from reconcile.gap.explanation import ExplainedGap, explanations, notes
from reconcile.gap.folders import FileLeftOver, FolderResult
from reconcile.gap.pairing import MatchedBy
from reconcile.gap.review import Outlier, Review, review_notes, review_rows
from reconcile.gap.rows import IDS, PLACE, story
from reconcile.gap.verdict import Figure, PairVerdict, PlainFigure
from reconcile.gap.walk import Bridge, Walk
from reconcile.scoring.figures import LEADING, MetricName, short_metric, short_names
from reconcile.scoring.findings import Finding

VERDICT = {
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
            **IDS,
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


Values = Mapping[MetricName, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisDocument(FileFacts):
    """One of the analyses."""

    label: Annotated[Text, FIRST]
    """What the sentences call it; different for every side."""
    figures: Mapping[str, Values]
    """By player, every figure; null where unknown."""
    findings: tuple[Finding, ...]
    """Findings about the file."""
    range: Annotated[Mapping[str, Mapping[MetricName, Ends]] | None, LEFT_OUT] = None
    """By player, lowest and highest figure where a rule of the tool is not known and moves it;
    absent where none does."""
    missing: Annotated[Mapping[str, str] | None, LEFT_OUT] = None
    """By player, what is not analysed, in words. Such a side takes no part in the search for an
    outlier."""
    no_vote: Annotated[NoVote | None, LEFT_OUT] = None
    """Why it is not held against the others: `copy` of another file, or `same-program`, of which a
    deeper analysis is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDocument(ComparisonDocument):
    """Two of the sides, as `reconcile compare` compares two files: without ledger, and with the
    bridges of the match alone."""

    left: Count  # type: ignore[assignment]
    """Index of the left side, from 0."""
    right: Count  # type: ignore[assignment]
    """Index of the right side."""


OF_DECISION = {
    **PLACE,
    "player": (str, "Who decided."),
    "at_stake": (Amount, "The largest error that a side charges less the smallest (EMG)."),
}
"""What is said of a decision beside the sides."""
OF_SIDES = {
    "best": (str | None, "The action it thinks best; null where it does not say."),
    **VERDICT,
}
"""What one of several sides says of a decision."""
if TYPE_CHECKING:
    DecisionColumns: TypeAlias = Mapping[str, Sequence[object]]
    DisputedDecision: TypeAlias = Row
else:
    DisputedDecision = with_keys(
        "DisputedDecision",
        {
            **OF_DECISION,
            "played": (str, "What was done."),
            "majority": (
                str | None,
                "The action that most sides think best; null where none says, or where two have as "
                "many votes.",
            ),
            "dispute": (
                Literal["choice", "size"],
                "`choice` where no action is the best one for all sides; `size` where they agree.",
            ),
            "verdicts": (
                tuple[with_keys("Verdict", OF_SIDES, "What one side says of a decision."), ...],
                "Of every side, in order.",
            ),
            **IDS,
        },
        "A decision with the verdicts of all sides.",
    )
    DecisionColumns = with_keys(
        "DecisionColumns",
        {
            **{name: (Sequence[kind], text) for name, (kind, text) in OF_DECISION.items()},
            **{
                name: (Sequence[Sequence[kind]], f"By side: {text}")
                for name, (kind, text) in OF_SIDES.items()
            },
        },
        "Every decision that the reference file has, as columns: lists of equal length, and by "
        "side a list of that length.",
    )


@dataclass(frozen=True, slots=True)
class Joint(Document):
    """Whether the files record the same match."""

    same: bool
    """Whether all games, rolls, plays and cube actions agree."""
    reference: Count
    """Index of the side whose decisions and names these are: that with most decisions."""
    decisions: Count
    """Decisions of that side."""
    in_all: Count
    """Decisions that every side has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewDocument(Document):
    """What `reconcile compare --json` writes for more than two files: several analyses of one match
    side by side. Unknown is null."""

    schema_version: Version = SCHEMA_VERSION
    players: tuple[str, str]
    """The names of the players; those of the file with most decisions."""
    length: Positive | None
    """Points to win; null for a money session."""
    sides: Annotated[tuple[AnalysisDocument, ...], within(min_length=2)]
    """The analyses, in the order given."""
    pairs: tuple[PairDocument, ...]
    """Every two of them, compared."""
    outlier: Mapping[str, Outlier | None]
    """By player, the analysis that is far from the others; null where none is."""
    disputes: tuple[DisputedDecision, ...]
    """Decisions on which no action is the best one for all sides, or of which the errors charged
    are 0.020 or more apart; most at stake first."""
    agreed_errors: tuple[DisputedDecision, ...]
    """Decisions that every side calls an error by the border of its own rules, largest first by the
    side that charges least."""
    decisions: DecisionColumns
    """What every side says of every decision."""
    transcript: Joint
    """Whether the files record the same match."""
    story: tuple[str, ...]
    """What the analyses say of the players, as strings: headlines, rows, notes."""


def review_document(review: Review) -> ReviewDocument:
    """All that was found, with every pair and every decision."""
    names, aligned = review.names, review.aligned
    return ReviewDocument(
        players=names,
        length=review.match.length,
        sides=tuple(_analysis(review, side) for side in range(len(review.analyses))),
        pairs=tuple(_pair(review, left, right) for left, right in review.indices),
        outlier=review.outlier,
        disputes=review.disputes,
        agreed_errors=review.agreed_errors,
        decisions=_decisions(review),
        transcript=Joint(
            review.files.same_transcript, aligned.reference, len(aligned), aligned.in_all
        ),
        story=story(review_rows(review), review_notes(review)),
    )


def _analysis(review: Review, side: int) -> AnalysisDocument:
    statistics = review.analyses[side]
    by_name = {review.names[seat]: seat for seat in review.seats}
    moved = {name: short_names(review.ranges[side][seat]) for name, seat in by_name.items()}
    return AnalysisDocument(
        **facts_of(
            statistics, review.matches[side].names, (review.seat(side, 0), review.seat(side, 1))
        ),
        label=review.labels[side],
        figures={
            name: short_names(review.figures_of(side, seat)) for name, seat in by_name.items()
        },
        findings=review.findings(side),
        range=moved if any(moved.values()) else None,
        no_vote=review.aligned.without_vote.get(side, (None,))[0],
        missing={
            name: words for name, seat in by_name.items() if (words := review.missing(side, seat))
        }
        or None,
    )


def _pair(review: Review, left: int, right: int) -> PairDocument:
    pair = review.pair(left, right)
    return compared(PairDocument, pair, left=left, right=right, bridge=pair.bridges)


def _decisions(review: Review) -> DecisionColumns:
    aligned = review.aligned
    sides, rows = range(len(review.analyses)), range(len(aligned))
    verdicts = [aligned.verdicts(side, rows) for side in sides]
    return {
        **{name: column.tolist() for name, column in aligned.places(slice(None)).items()},
        "at_stake": aligned.at_stake.tolist(),
        "best": [[aligned.best(side, row) or None for row in rows] for side in sides],
        **{name: [columns[name] for columns in verdicts] for name in VERDICT},
    }


@dataclass(frozen=True, slots=True)
class MatchDocument(Document):
    """The files of one match."""

    files: Annotated[tuple[Text, ...], within(min_length=2)]
    """Their names, each with its folder; for a match in a database `FILE.db#ID`."""
    players: tuple[str, str]
    """The first file's names."""
    reason: Annotated[Text, OR_NULL]
    """Why the files could not be compared; null if they were."""
    analyses: ReviewDocument | None
    """What `reconcile compare` finds in these files; null if they could not be compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManyFoldersDocument(Document):
    """What `reconcile compare --json` writes for a folder: all analyses of each match, found and
    compared."""

    schema_version: Version = SCHEMA_VERSION
    folders: tuple[Text, ...]
    """Its name."""
    outliers: Mapping[str, Positive]
    """By analysis, for how many players of all matches it is the outlier."""
    matches: tuple[MatchDocument, ...]
    """Every match with several analyses, by the first file's name."""
    not_compared: tuple[FileLeftOver, ...]
    """Every other file, by name."""


def folder_document(result: FolderResult) -> ManyFoldersDocument:
    """Every match with several analyses, and the other files."""
    matches = tuple(
        MatchDocument(
            match.files,
            match.players,
            match.reason,
            None if match.review is None else review_document(match.review),
        )
        for match in result.matches
    )
    return ManyFoldersDocument(
        folders=(result.folder,),
        outliers=result.outliers,
        matches=matches,
        not_compared=result.leftovers,
    )
