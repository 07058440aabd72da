"""Several analyses of one match, and folders of matches, as documents."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from reconcile import tools
from reconcile.columns import KindName
from reconcile.gap import folder_pairs, verdict
from reconcile.gap.consensus import NoVote
from reconcile.results.models.comparison import Comparison, Ends, Metric, Settlement
from reconcile.results.models.shared import Amount, Count, Finding, Players, Positive, Sha256, Text, Version

Values = dict[Metric, float | None]


class ManySide(TypedDict):
    """One of the analyses."""

    label: Text
    """What the sentences call it; different for every side."""
    path: str
    """As given; `-` for standard input."""
    sha256: Sha256 | None
    """SHA-256 of its bytes; null in an anonymised comparison."""
    format: Text
    """Format found in its content."""
    tool: Text
    """The program that wrote it."""
    tool_version: str | None
    """As stated in the file; null if the format does not say."""
    rules: Text
    """The rule set of its figures: its tool's own."""
    met: Text
    """The match equity table."""
    level: str
    """Analysis levels in the tool's words, most frequent first."""
    players: Players
    """The names in this file, in the order of `players` of the document."""
    figures: dict[str, Values]
    """By player, every figure; null where unknown."""
    range: NotRequired[dict[str, dict[Metric, Ends]]]
    """By player, lowest and highest figure where a rule of the tool is not known and moves it; absent where none does."""
    missing: NotRequired[dict[str, str]]
    """By player, what is not analysed, in words. Such a side takes no part in the search for an outlier."""
    findings: list[Finding]
    """Findings about the file."""


class ManyPair(Comparison):
    """Two of the sides, as `reconcile compare` compares two files: without ledger, and with the bridges of the match alone."""

    left: Count  # type: ignore[misc]
    """Index of the left side, from 0."""
    right: Count  # type: ignore[misc]
    """Index of the right side."""


class Deciding(TypedDict):
    """The decision that makes most of an outlier's gap."""

    game: Positive
    """Number of the game, from 1."""
    turn: Positive
    """Number of the turn, from 1."""
    kind: KindName
    """What was decided."""
    change: float
    """How much it moves the PR from side `against` to the outlier."""
    against: Count
    """The side nearest to the median of the others."""


class Outlier(TypedDict):
    """The analysis whose PR is furthest from the median of the others: by more than 0.10, and by more than 0.10 further than any other."""

    side: Count
    """Its index, from 0."""
    pr_from_median: float
    """Its PR less the median of the others'."""
    range: NotRequired[Ends]
    """The same with every PR anywhere in its range; absent where no open rule moves one."""
    median: Ends
    """The median of the others' PRs; twice one number where no open rule moves it."""
    decisions: Count
    """Decisions of the player on which no other analysis thinks best what this one does."""
    largest: Deciding | None
    """The decision that makes most of it; null where there is none."""


class SideVerdict(TypedDict):
    """What one side says of a decision."""

    side: Count
    """Its index, from 0."""
    best: Text | None
    """The action it thinks best; null where it does not say."""
    error: Amount | None
    """Equity lost (EMG) by what was done, under the side's own rules; null where not evaluated."""
    level: Text | None
    """How deep it looked, in the tool's words; null where unknown."""
    counted: bool
    """Whether the decision counts under the side's own rules."""


class Dispute(TypedDict):
    """A decision with the verdicts of all sides."""

    game: Positive
    """Number of the game, from 1."""
    turn: Positive
    """Number of the turn, from 1."""
    kind: KindName
    """What was decided."""
    player: str
    """Who decided."""
    played: str
    """What was done."""
    at_stake: Amount
    """The largest error that a side charges less the smallest (EMG)."""
    majority: Text | None
    """The action that most sides think best; null where none says, or where two have as many votes."""
    dispute: Literal["choice", "size"]
    """`choice` where no action is the best one for all sides; `size` where they agree on it."""
    verdicts: list[SideVerdict]
    """Of every side, in order."""
    xgid: str | None
    """The position for eXtreme Gammon; null if there is no ID."""
    gnubg_id: str | None
    """The position for GNU Backgammon; null if there is no ID."""


class Decisions(TypedDict):
    """Every decision that the reference file has, as columns: lists of equal length, and by side a list of that length."""

    game: list[Positive]
    """Number of the game, from 1."""
    turn: list[Positive]
    """Number of the turn, from 1."""
    kind: list[KindName]
    """What was decided."""
    player: list[str]
    """Who decided."""
    at_stake: list[Amount]
    """The largest error that a side charges less the smallest (EMG)."""
    best: list[list[str | None]]
    """By side the action it thinks best; null where it does not say."""
    error: list[list[float | None]]
    """By side the equity lost (EMG); null where not evaluated."""
    level: list[list[str | None]]
    """By side how deep it looked; null where unknown."""
    counted: list[list[bool]]
    """By side whether it counts."""


class Joint(TypedDict):
    """Whether the files record the same match."""

    same: bool
    """Whether all games, rolls, plays and cube actions agree."""
    reference: Count
    """Index of the side whose decisions and names these are: that with most decisions."""
    decisions: Count
    """Decisions of that side."""
    in_all: Count
    """Decisions that every side has."""


class Voters(TypedDict):
    """Who has a vote in the consensus of a player."""

    sides: list[Count]
    """Indices of the sides that have one."""
    pr: list[float | None]
    """What each of them gives as the player's PR by the rules of the consensus; null where unknown."""
    without: list[WithoutVote]
    """The other sides."""


class WithoutVote(TypedDict):
    """An analysis that has no vote."""

    side: Count
    """Its index, from 0."""
    why: NoVote
    """`outlier`, `shallow`, or `same-program`: another analysis by the same program has its vote."""


class Many(TypedDict):
    """What `reconcile compare --json` writes for more than two files: several analyses of one match side by side. Unknown is null."""

    schema_version: Version
    players: Players
    """The names of the players; those of the file with most decisions."""
    length: Positive | None
    """Points to win; null for a money session."""
    sides: Annotated[list[ManySide], Field(min_length=2)]
    """The analyses, in the order given."""
    pairs: list[ManyPair]
    """Every two of them, compared."""
    outlier: dict[str, Outlier | None]
    """By player, the analysis that is far from the others; null where none is."""
    disputes: list[Dispute]
    """Decisions on which no action is the best one for all sides, or of which the errors charged are 0.020 or more apart; most at stake
    first."""
    agreed_errors: list[Dispute]
    """Decisions that every side calls an error by the border of its own rules, largest first by the side that charges least."""
    consensus: dict[str, Values]
    """By player the figures of the consensus, which is ours and no tool's: every decision as the majority judges it."""
    consensus_rules: Text
    """The rule set that counts the consensus."""
    voters: dict[str, Voters]
    """By player, who has a vote in the consensus: each program one, its deepest analysis; an outlier and a shallow analysis none."""
    decisions: Decisions
    """What every side says of every decision."""
    transcript: Joint
    """Whether the files record the same match."""
    story: list[str]
    """What the analyses say of the players, in sentences, in reading order."""
    settled: NotRequired[Settlement]
    """Rollouts of the decisions in dispute (`--settle`)."""


class Together(TypedDict):
    """The files of one match."""

    files: Annotated[list[Text], Field(min_length=2)]
    """Their names, each with its folder; for a match in a database `FILE.db#ID`."""
    players: Players
    """The first file's names."""
    reason: Text | None
    """Why the files could not be compared; null if they were."""
    analyses: Many | None
    """What `reconcile compare` finds in these files; null if they could not be compared."""


class Left(TypedDict):
    """A file that was not compared."""

    file: Text
    """Its name, with its folder."""
    why: folder_pairs.Why
    """`alone` without another analysis of its match, `duplicate` of another file, `ignored` if it has no analysis, `unreadable`."""
    reason: Text
    """The same in words."""


class ManyFolders(TypedDict):
    """What `reconcile compare --json` writes for one folder, or more than two: all analyses of each match, found and compared."""

    schema_version: Version
    folders: list[Text]
    """Their names."""
    outliers: dict[str, Positive]
    """By analysis, for how many players of all matches it is the outlier."""
    matches: list[Together]
    """Every match with several analyses, by the first file's name."""
    not_compared: list[Left]
    """Every other file, by name."""


class FolderSummary(TypedDict):
    """Pairs by verdict, and files that were not compared by reason."""

    pairs: Count
    """Files of one match, found in both folders."""
    within: Count
    """Pairs within tolerance."""
    outside: Count
    """Pairs with a figure of level `error` out of tolerance."""
    open: NotRequired[Count]
    """Those of the pairs within tolerance that have a figure whose range reaches across its bound."""
    incomparable: Count
    """Pairs that could not be judged."""
    alone: Count
    """Files without a partner."""
    duplicate: Count
    """Files with the same match as another file in the same folder."""
    ignored: Count
    """Texts without a match, and transcripts without analysis beside an analysis of the same match."""
    unreadable: Count
    """Files that could not be read."""


class FolderPair(TypedDict):
    """Two files of one match."""

    left: Text
    """Name of the left file below its folder; for a match in a database `FILE.db#ID`."""
    right: Text
    """The same for the right file."""
    players: Players
    """The left file's names."""
    verdict: verdict.PairVerdict
    """`incomparable` if no figure could be judged."""
    reason: Text | None
    """Why the files could not be compared; null if they were."""
    comparison: Comparison | None
    """The result of `reconcile compare` for the two files, without ledger; null if they could not be compared."""


class File(TypedDict):
    """A file that was not compared."""

    side: tools.Side
    """The folder it is in."""
    file: Text
    """Its name below the folder."""
    why: folder_pairs.Why
    """`alone` without a partner, `duplicate` if its match is in the folder twice, `ignored` if it has nothing to compare, `unreadable`."""
    reason: Text
    """The same in words."""


class Folders(TypedDict):
    """What `reconcile compare DIR DIR --json` writes: the files of two folders, paired and judged."""

    schema_version: Version
    left: Text
    """Name of the left folder."""
    right: Text
    """Name of the right folder."""
    table: Text
    """Id of the tolerance table."""
    verdict: verdict.PairVerdict
    """`outside` if a pair is, `incomparable` if none could be judged."""
    summary: FolderSummary
    """Pairs by verdict, and files that were not compared by reason."""
    pairs: list[FolderPair]
    """Every pair, by the left files' names."""
    not_compared: list[File]
    """Every file without a pair, the left folder's first, by name."""
