"""What a gate finds in a list of decisions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from reconcile.results.models.shared import Count, KindName, Positive, Text


class ListedDifference(TypedDict):
    """A decision that the list and the reference count or weigh differently."""

    what: Literal["counted-by-list", "counted-by-reference", "error", "no-error", "no-row"]
    """Which side alone counts it; or both agree and the error differs, or the list has no error or no row for it."""
    row: Positive | None
    """Line or number of its row; null without one."""
    game: Positive
    """Number of the game, from 1."""
    turn: Positive
    """Number of the turn in its game, from 1."""
    player: Text
    """Who decides."""
    kind: KindName
    """The kind of decision."""
    counted: Annotated[list[bool], Field(min_length=2, max_length=2)]
    """Whether it counts in the reference, and in the list."""
    error: Annotated[list[float | None], Field(min_length=2, max_length=2)]
    """In the reference and in the list, in the list's unit and, after a fault of unit was found, brought to ours."""
    pr: float | None
    """By how much it moves the player's PR; null if there is no bridge."""
    questions: list[str]
    """Questions of which another answer alone gives what the list has."""
    agreeing: list[str]
    """Known rule sets that count and weigh it as the list does."""
    sentence: Text
    """The same in words."""
    xgid: str | None
    """As XG takes it; null where there is no such ID."""
    gnubg_id: str | None
    """gnuBG's `Position ID:Match ID`."""


class UnpairedRow(TypedDict):
    """A row that is about no decision of the reference, or repeats one."""

    row: Positive
    """Its line or number."""
    why: Literal["no-decision", "twice"]
    """Whether the reference has no such decision, or an earlier row is about it."""
    text: Text
    """Its address and what it adds, in words."""


class CountingBorder(TypedDict):
    """A line that a program seems to draw between decisions that count and decisions that do not."""

    question: Text
    """The question that is about such a line."""
    measure: Text
    """What is measured, in words."""
    counts: float
    """The value of the decision that counts and is nearest to the line (EMG)."""
    not_counts: float
    """The same of one that does not count."""
    moved: Positive
    """How many decisions the reference has on the other side."""


class ListedDecisions(TypedDict):
    """A list of decisions, compared row by row."""

    rows: Count
    """Rows of the list."""
    paired: Count
    """Decisions of the reference with a row."""
    unlisted: Count
    """Decisions without a row that the reference does not count and that cost nothing there; others are among `differing`."""
    unit: Literal["equity", "mwc"]
    """The unit of its errors."""
    fault: str
    """What is wrong with all errors alike, in words; empty if nothing is."""
    differing: list[ListedDifference]
    """Decisions that differ, those that move PR most first."""
    unpaired: list[UnpairedRow]
    """Rows that are about no decision, and repeated ones."""
    borders: list[CountingBorder]
    """Lines that the program seems to draw, one at most for a question."""
    rule_sets: dict[str, Count]
    """By known rule set, how many decisions differ from the list."""


class PooledLists(TypedDict):
    """The lists of one program over all matches of a run, held against one rule set."""

    candidate: Text
    """Name of the file or program."""
    rules: str
    """The rule set."""
    matches: Positive
    """How many lists."""
    rows: Count
    """Rows of all lists."""
    paired: Count
    """Decisions of the references with a row."""
    differing: Count
    """Decisions that differ."""
    rule_sets: dict[str, Count]
    """By known rule set, how many decisions differ from the lists, the fewest first."""
    sentences: Annotated[list[Text], Field(min_length=1)]
    """What the lists show, in words."""
