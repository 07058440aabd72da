"""A match with several analyses, and folders of matches, as JSON documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

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
    with_keys,
    within,
)
from reconcile.gap.aligned import NoVote
from reconcile.gap.comparison import FileFacts, facts_of
from reconcile.gap.folders import FileLeftOver, FolderResult
from reconcile.gap.review import Outlier, Review, review_notes, review_rows
from reconcile.gap.rows import PLACE, story
from reconcile.results.comparison import VERDICT, ComparisonDocument, compared
from reconcile.scoring.figures import MetricName, short_names
from reconcile.scoring.findings import Finding

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


OF_SIDES: Final = {
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
            **PLACE,
            "player": (str, "Who decided."),
            "played": (str, "What was done."),
            "at_stake": (
                Amount,
                "The largest error that a side charges less the smallest (EMG).",
            ),
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
            "xgid": (str | None, "The position for eXtreme Gammon; null if there is no ID."),
            "gnubg_id": (str | None, "The position for GNU Backgammon; null if there is no ID."),
        },
        "A decision with the verdicts of all sides.",
    )
    DecisionColumns = with_keys(
        "DecisionColumns",
        {
            **{name: (Sequence[kind], text) for name, (kind, text) in PLACE.items()},
            "player": (Sequence[str], "Who decided."),
            "at_stake": (
                Sequence[Amount],
                "The largest error that a side charges less the smallest (EMG).",
            ),
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
