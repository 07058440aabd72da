"""Scores of engines, gnuBG's check of our figures, and the rules that a program follows, as documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from pydantic import Field
from pydantic.config import JsonDict
from typing_extensions import TypedDict

from reconcile.benchmark.published import Verdict
from reconcile.document import with_keys
from reconcile.gap.bounds import Level
from reconcile.results.models.shared import Amount, Count, Finding, Positive, Sha256, Source, Text, Version
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS

Key = Annotated[str, Field(pattern="^[A-P]{20}$")]
Class = Literal["contact", "crashed", "race"]


class Bin(TypedDict):
    """A bin."""

    up_to: Amount | None
    """Largest loss in the bin, in points; null for the last bin."""
    lines: Count
    """Scored lines in the bin."""


class Tally(TypedDict):
    """Counts and averages over m lines."""

    lines: Count
    """m lines with listed plays."""
    scored: Count
    """How many of them have a legal choice."""
    interesting: Count
    """How many of the scored lines have listed plays that were not all rolled out to the same result."""
    average_loss: Amount | None
    """Over all scored lines, in thousandths of a point of cubeless money equity; null without any."""
    average_loss_interesting: Amount | None
    """The same over the interesting scored lines."""
    standard_error: Amount | None
    """Of `average_loss`; null with fewer than two lines."""
    errors: Count
    """Choices that lose."""
    n_out: Count
    """Legal choices outside the list, which are charged the last listed loss."""
    n_out_interesting: Count
    """How many of them are in interesting lines."""
    missing: Count
    """Lines without an answer."""
    illegal: Count
    """Lines whose answer is not a legal play."""
    distribution: Annotated[list[Bin], Field(min_length=2)]
    """Scored lines by loss, from none at all."""


_TOTAL: Final[JsonDict] = {"total": {"description": "All lines that were read.", "type": "integer", "minimum": 0}}
Lines = Annotated[dict[str, Positive], Field(json_schema_extra={"properties": _TOTAL, "required": ["total"]})]
CLASSES: Final = {"contact": "gnuBG's class contact.", "crashed": "gnuBG's class crashed.", "race": "gnuBG's race and bearoff classes."}
ACTIONS: Final = {"TG": "Too good to double.", "D/T": "Double, take.", "D/D": "Double, pass.", "ND": "No double."}
if TYPE_CHECKING:
    CubeActions: TypeAlias = Mapping[str, int]
    Classes: TypeAlias = Mapping[str, "Tally"]
else:
    CubeActions = with_keys("CubeActions", {name: (Count, text) for name, text in ACTIONS.items()}, "c lines by their action.", ACTIONS)
    Classes = with_keys(
        "Classes",
        {name: (Tally, text) for name, text in CLASSES.items()},
        "By class of the position before the roll; only classes that occur.",
        CLASSES,
    )


class BenchmarkFile(TypedDict):
    """A benchmark file."""

    path: str
    """As given."""
    sha256: Sha256 | None
    """SHA-256 of its bytes; null for standard input."""
    complete: bool
    """False if a limit left m lines out."""
    database: str | None
    """The published database that it is; null if none."""
    lines: Lines
    """Lines read, in total and by their first word."""
    settings: list[str]
    """Different `s` lines, in order."""
    without_plays: Count
    """m lines without a listed play."""
    without_rollouts: Count
    """m lines for which a rollout of a listed play is missing."""
    unordered: Count
    """m lines whose losses are not in ascending order."""
    interesting_cubes: Count
    """o lines whose cubeless equity is not a whole number."""
    cube_actions: CubeActions
    """c lines by their action."""
    classes: Classes
    """By class."""
    total: Tally
    """All its m lines."""


class PublishedScore(TypedDict):
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
    level: Level
    """The level of a score out of tolerance."""
    verdict: Verdict
    """Whether it is within tolerance."""


class ListedPlay(TypedDict):
    """A play."""

    key: Key
    """Position as 20 letters."""
    play: str | None
    """The play in the usual notation; null if no legal play leads there."""
    loss: Amount
    """Points lost against the best."""


class Choice(ListedPlay):
    """The engine's choice."""

    listed: bool
    """Whether it was rolled out."""


Costly = TypedDict(
    "Costly",
    {
        "path": Annotated[str, Field(description="Its file.")],
        "line": Annotated[Positive, Field(description="Number of the line in the file.")],
        "key": Annotated[Key, Field(description="Position as 20 letters.")],
        "dice": Annotated[list[Annotated[int, Field(ge=1, le=6)]], Field(min_length=2, max_length=2, description="The roll.")],
        "class": Annotated[Class, Field(description="gnuBG's class of the position.")],
        "xgid": Annotated[str, Field(description="The same for XG.")],
        "gnubg_id": Annotated[str, Field(description="The same for gnuBG.")],
        "equity": Annotated[float, Field(description="The mover's cubeless money equity after the best play.")],
        "choice": Annotated[Choice, Field(description="The engine's choice.")],
        "listed": Annotated[list[ListedPlay], Field(min_length=1, description="The plays rolled out, in the order of the file.")],
    },
)
Costly.__doc__ = "A costly choice."


class Benchmark(TypedDict):
    """What `reconcile benchmark --json` writes: an engine's score on gnuBG's benchmark databases."""

    schema_version: Version
    engine: Text
    """Name, version and settings of the engine."""
    table: str | None
    """The table of published scores used for judging; null if none."""
    verdict: Literal["within", "outside", "not judged"]
    """`outside` if a score of level `error` is out of tolerance."""
    files: Annotated[list[BenchmarkFile], Field(min_length=1)]
    """The files, in the order given."""
    classes: Classes
    """All files together."""
    total: Tally
    """All files together."""
    published: list[PublishedScore]
    """Every published score."""
    worst: Annotated[list[Costly], Field(max_length=20)]
    """The costliest choices, costliest first."""
    findings: list[Finding]
    """The findings."""


class CheckedFigure(TypedDict):
    """One figure of gnuBG's table."""

    game: int | None
    """The game's number; null for the match."""
    player: str
    """The name in the file."""
    name: Text
    """gnuBG's name, nested parts joined by `/`; equity in EMG, chances and results as fractions."""
    gnubg: float | None
    """gnuBG's number; null if its table has no such figure."""
    ours: float | None
    """Our number; null if our table has no such figure."""
    agrees: bool
    """Whether counters are equal, or sums are equal to float32 precision."""


class CheckedFile(TypedDict):
    """A file."""

    source: Source
    """The file, as in the document of `reconcile stats`."""
    verdict: Literal["within", "outside"]
    """Verdict for this file."""
    figures: list[CheckedFigure]
    """Every figure of the match, then of every game, for both players."""


class Engine(TypedDict):
    """The program used."""

    name: Literal["gnubg"]
    """Always `gnubg`."""
    version: Text
    """As printed by the program."""


class SelfCheck(TypedDict):
    """What `reconcile selfcheck --json` writes: every figure of gnuBG's own statistics beside ours."""

    schema_version: Version
    verdict: Literal["within", "outside"]
    """`within` if every figure of every file agrees."""
    engine: Engine
    """The program used."""
    known_faults: list[str]
    """Peculiarities of gnuBG's interface that are handled, in words."""
    files: Annotated[list[CheckedFile], Field(min_length=1)]
    """One entry per file, in the order given."""


if TYPE_CHECKING:
    Answers = dict[str, "Answer"]
    RuleSetName = str
else:
    RuleSetName = Literal[tuple(RULE_SETS)]


class Answer(TypedDict):
    """What was found for a question."""

    answer: str | None
    """Name of the answer; null where it cannot be said."""
    possible: list[Text]
    """Every answer that gives the program's figures."""
    evidence: Text
    """How it is known, or why it cannot be said."""


class Border(TypedDict):
    """The number at which the program's figures change."""

    title: Text
    """What the number is."""
    question: Annotated[str, Field(pattern="^Q[0-9]{2}$", description="The question that it is about.")]
    low: float | None
    """The last number with the figures of the low end; null where there is no border."""
    high: float | None
    """The first number with the figures of the high end; null where there is no border."""
    note: str
    """Why there is no border; empty where there is one."""


if not TYPE_CHECKING:
    Answers = with_keys("Answers", {code: (Answer, one.title) for code, one in QUESTIONS.items()}, "Every question by its code.")


class Probe(TypedDict):
    """What `reconcile probe --json` writes: the answers of a program, read back from its figures of synthetic matches."""

    schema_version: Version
    program: Text
    """Its name."""
    format: Literal["xg", "sgf"]
    """Format of the synthetic matches."""
    sentence: Text
    """The result in words."""
    figures: Annotated[list[Text], Field(min_length=1)]
    """The figures that it gives and that were used."""
    other_figures: list[Text]
    """Figures that mean something else than their names say; they were not used."""
    answers: Answers
    """By question."""
    borders: dict[str, Border]
    """Numbers at which its figures change."""
    nearest: RuleSetName
    """The known rule set with the fewest other answers."""
    equally_near: list[RuleSetName]
    """Every rule set as near as that one, itself among them."""
    differing: list[Text]
    """The questions to which the program has another answer than `nearest`."""
