"""A comparison of two files as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from reconcile.gap import verdict
from reconcile.gap.bounds import FailLevel
from reconcile.gap.pairing import MatchedBy
from reconcile.results.models.shared import Amount, Count, Finding, KindName, Players, Positive, Sha256, Text, Version
from reconcile.scoring.metrics import METRICS, SHORT

if TYPE_CHECKING:
    Metric = str
else:
    Metric = Literal[tuple(SHORT.get(name, name) for name in METRICS)]
Shared = Annotated[str, Field(pattern=r"^[a-z_]+(\.[a-z]+)?@(rules|engine|coverage|reporting)$")]


Ends = Annotated[list[float], Field(min_length=2, max_length=2)]


class Side(TypedDict):
    """One of the two files."""

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
    """The rule set of its figures."""
    met: Text
    """The match equity table."""
    level: str
    """Analysis levels in the tool's words, most frequent first."""
    players: Players
    """The names in this file, in the order of the left file's seats."""


class Figure(TypedDict):
    """One figure of one player on both sides."""

    metric: Metric | Shared
    """The name of a figure, or a share of its gap, for example `pr@engine`. A share has a gap but no left and right value."""
    player: str
    """The player, under the left file's name."""
    left: float | None
    """The left figure; null where unknown."""
    right: float | None
    """The right figure; null where unknown."""
    gap: float | None
    """Right minus left; null if a side is unknown. For a share, its part of the gap."""
    tolerance: Amount | None
    """How large the gap may be, in the unit of the figure; null for a figure without tolerance."""
    level: FailLevel | None
    """Whether a gap beyond the tolerance fails."""
    verdict: verdict.Verdict
    """The verdict on the gap, or on all of `gap_range`: `open` if only a part of it is within the tolerance. Incomplete figures are not
    judged."""
    coverage: str
    """What is missing, in words, if the figure is incomplete; otherwise empty."""
    known_gap: float | None
    """The signed part of the gap that is expected; the rest is judged. Null if none is known."""
    left_range: NotRequired[Ends]
    """Lowest and highest left figure where a rule of the left tool is not known and moves it; absent where none does."""
    right_range: NotRequired[Ends]
    """The same of the right figure."""
    gap_range: NotRequired[Ends]
    """Lowest and highest gap where a side has such a range. Two files that are counted by one tool's rules have its answers in common."""
    note: str
    """Anything special about this figure, in words: an override, a known gap; otherwise empty."""


class PlainFigure(TypedDict):
    """One figure of one player in a game; never judged."""

    metric: Metric
    """The name of a figure; totals have their short name."""
    player: str
    """The player, under the left file's name."""
    left: float | None
    """The left figure; null where unknown."""
    right: float | None
    """The right figure; null where unknown."""
    gap: float | None
    """Right minus left; null if a side is unknown."""


class Step(TypedDict):
    """One step of a bridge."""

    code: Annotated[str, Field(pattern="^(Q[0-9]{2}|reported-left|coverage-left|engine|listed|coverage-right|reported-right)$")]
    """A switched rule, or what else changed from left to right."""
    title: str
    """The step in words."""
    change: float
    """The change of the figure."""
    decisions: Count
    """How many decisions moved the figure in this step."""
    low: NotRequired[float]
    """Smallest change over the directions and the orders in which the steps can be taken, where that makes a difference."""
    high: NotRequired[float]
    """Largest change over them."""


Bridge = TypedDict(
    "Bridge",
    {
        "player": Annotated[str, Field(description="The player, under the left file's name.")],
        "metric": Annotated[Metric, Field(description="The name of a figure; totals have their short name.")],
        "from": Annotated[float | None, Field(description="Where it starts: the left figure.")],
        "to": Annotated[float | None, Field(description="Where it ends: the right figure.")],
        "steps": Annotated[list[Step], Field(description="The steps in order; codes are unique.")],
        "reason": NotRequired[Annotated[str | None, Field(description="Why there is no bridge, if there are no steps.")]],
    },
)
Bridge.__doc__ = "From the left figure to the right one in steps whose changes add up to the gap."


class Row(TypedDict):
    """What one decision contributes to one step of a bridge; the rows of a step add up to its change."""

    player: str
    """Whose figure it moves, under the left file's name."""
    metric: Metric
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
    xgid: str | None
    """The position for eXtreme Gammon; null if there is no ID."""
    gnubg_id: str | None
    """The position for GNU Backgammon; null if there is no ID."""


class Seen(TypedDict):
    """What a file says of a decision under its own rules."""

    error: Amount | None
    """Equity lost (EMG); null where the file has no analysis of it."""
    counted: bool
    """Whether it counts."""
    level: str | None
    """The level of its analysis in the tool's words; null where the file has none."""


class Decision(TypedDict):
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


class Difference(TypedDict):
    """One place where the transcripts differ."""

    game: Count
    """Number of the game in the left file."""
    turn: Count
    """Number of the turn; 0 for a whole game."""
    what: str
    """What differs."""
    left: str
    """What the left file has."""
    right: str
    """What the right file has."""


class Transcript(TypedDict):
    """Whether the files record the same match."""

    same: bool
    """Whether all games, rolls, plays and cube actions agree."""
    players_matched_by: MatchedBy
    """How the players were matched."""
    decisions: Count
    """Decisions of the longer file."""
    paired: Count
    """Decisions found on both sides."""
    differences: list[Difference]
    """Their differences, in order."""


class Gap(TypedDict, total=False):
    """The gaps of a match or a game, taken apart."""

    bridge: list[Bridge]
    """The gap of every figure with a bridge, in steps."""
    ledger: list[Row]
    """The same, split by decision."""


class Game(Gap):
    """One game."""

    game: Count
    """Number of the game in the left file."""
    figures: list[PlainFigure]
    """Its figures."""


class Action(TypedDict):
    """An action of a decision in dispute, with what a rollout found."""

    action: str
    """A play in notation, or a cube action."""
    equity: float | None
    """EMG at the cube before the decision, in the decider's view; null where the time was over before."""
    standard_error: Amount | None
    """Of the equity (EMG)."""
    wanted_by: list[Count]
    """The sides that think it best: 0 left, 1 right."""


class SettledDecision(TypedDict):
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
    actions: list[Action]
    """What the sides want, each action once."""
    best: str | None
    """The action that is better by more than two standard errors of the difference; null where it is too close to call."""
    right: list[Count]
    """The sides that want it: 0 left, 1 right."""


class Settlement(TypedDict):
    """Rollouts of the decisions in dispute (`--settle`)."""

    program: str
    """Who rolled out, with its version."""
    trials: Positive
    """Games of each rollout."""
    sentence: str
    """Who is right how often."""
    decisions: list[SettledDecision]
    """Most at stake first."""


PartCause = Literal["rules", "coverage", "reporting", "decisions", "rest"]
Cause = Literal[PartCause, "none", "incomplete"]


class PlacedChange(TypedDict):
    """What one decision adds to a gap."""

    game: int
    """Number of the game as in the left file."""
    turn: Positive
    """From 1 in each game, counting both players."""
    kind: KindName
    """What was done."""
    change: float
    """In the unit of the metric: what the rows of the ledger for it add up to in this part."""


class ExplainedPart(TypedDict):
    """A part of a gap."""

    cause: PartCause
    """Its code; `reconcile explain CODE` prints the page."""
    change: float
    """In the unit of the metric."""
    count: Count
    """Decisions that make it."""
    decisions: list[PlacedChange]
    """These, the largest first; none of `rest`, of which only the number is told."""


Explanation = TypedDict(
    "Explanation",
    {
        "player": Annotated[str, Field(description="As the left file has the name.")],
        "metric": Annotated[str, Field(description="`pr`, or `checker_pr` where a PR is unknown and this figure is not.")],
        "cause": Annotated[
            Cause,
            Field(
                description="What the sentences begin with: the largest that makes the gap; `none` without a gap, "
                "`incomplete` where the PRs do not compare."
            ),
        ],
        "from": Annotated[float | None, Field(description="The left figure.")],
        "to": Annotated[float | None, Field(description="The right figure.")],
        "parts": Annotated[list[ExplainedPart], Field(description="They add up to the gap; none where a figure is unknown.")],
        "sentences": Annotated[list[str], Field(description="The same in words, as in `story`.")],
    },
)
"""Why a figure of a player differs."""


class Comparison(Gap):
    """What `reconcile compare --json` writes: two files of one match, judged. Unknown is null, never 0."""

    schema_version: Version
    left: Side
    """The left file."""
    right: Side
    """The right file."""
    table: Text
    """Id of the tolerance table."""
    verdict: verdict.PairVerdict
    """`outside` if a figure of level `error` is out of tolerance, `incomparable` if none could be judged."""
    figures: Annotated[list[Figure], Field(min_length=1)]
    """Every figure of the chosen players."""
    games: list[Game]
    """The same for every game of the left file, not judged."""
    transcript: Transcript
    """Whether the files record the same match."""
    decisions: NotRequired[list[Decision]]
    """The decisions that move a PR; with the ledger."""
    explanation: NotRequired[list[Explanation]]
    """Why the figure of each player differs, as facts; results of version 0.2 do not have it."""
    story: list[str]
    """Why the PRs differ, in sentences, in reading order."""
    settled: NotRequired[Settlement]
    """What rollouts say of the decisions in dispute; only where they were asked for."""
    findings: list[Finding]
    """Findings about either file or the pair."""
