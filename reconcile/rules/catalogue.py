"""What a question and an answer are, and how each answer of each program is known.

A question is a point on which programs differ. An answer is a small pure function over columns, or
a value; its docstring or text is its page, with its source. What is known is the table in
`programs/`, one file for each rule set, one row for each question.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from reconcile.match.match import Match
from reconcile.wording import listed

FOLDER = Path(__file__).with_name("programs")


class Status(Enum):
    """How an answer is known, from the strongest to the weakest."""

    PROBED = "probed", "the program was run on matches made to tell the answers apart"
    VERIFIED = (
        "verified",
        "figures that the program itself showed come out with this answer and not with the next",
    )
    SOURCE_CODE = "source-code", "read in the program's source code"
    DOCUMENTED = "documented", "stated by the program's author, in its manual or on its pages"
    ATTESTED = "attested", "stated by somebody else"
    INFERRED = "inferred", "follows from what is stated, but is not stated"
    ASSUMED = "assumed", "taken for granted without evidence"
    UNKNOWN = "unknown", "nobody outside the program knows, or the source was not found"
    NOT_APPLICABLE = "not-applicable", "the program shows nothing that depends on it"

    words: str
    """What the status means."""

    def __new__(cls, value: str, words: str = "") -> Status:
        """A status by its name in files."""
        status = object.__new__(cls)
        status._value_, status.words = value, words
        return status

    @property
    def needs_source(self) -> bool:
        """Whether it holds only with a source that names the program and its version."""
        return self in (Status.PROBED, Status.VERIFIED, Status.SOURCE_CODE, Status.DOCUMENTED)


@dataclass(frozen=True, slots=True)
class Cell:
    """How a program answers one question, and how that is known."""

    answer: str | None
    """The name of the program's answer; `None` where it is unknown or the question does not
    arise."""
    status: Status | None
    """`None` where a file of rules gives its evidence as a sentence only."""
    used: str
    """The answer of the rule set, which is the program's own where that is known."""
    source: str | None = None
    """Where it was found: an address, or a file with its version or commit."""
    quote: str | None = None
    """A few words or figures of it."""
    date: str | None = None
    """The day on which somebody looked it up."""
    separates: str | None = None
    """The file or the case that tells this answer from the next."""
    open: bool = False
    """Whether more than one answer is still possible, or none is known."""
    possible: tuple[str, ...] = ()
    """Every answer that the program may use, ours among them, where figures are shown as a range
    over them."""
    settled_by: str = ""
    """What would settle it."""

    @property
    def status_words(self) -> str:
        """The status as pages name it: `source code`."""
        return self.status.value.replace("-", " ") if self.status else "declared"


def known_program(name: str) -> tuple[dict[str, Any], Mapping[str, Cell]]:
    """The program of a rule set that comes with this one, by the fields of `RuleSet`, and the row
    of each question."""
    program = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    cells = {code: _cell(row) for code, row in program.pop("cells").items()}
    return program, cells


def _cell(row: dict[str, Any]) -> Cell:
    status = Status(row["status"])
    usual = {"used": row["answer"], "open": status is Status.UNKNOWN}
    own = {"status": status, "possible": tuple(row.get("possible", ()))}
    return Cell(**usual | row | own)


def standing(basis: str, cells: Mapping[str, Cell]) -> str:
    """How far a rule set is known: what it rests on, and every answer that does not rest on the
    program itself."""
    weak = [
        f"{listed(codes)} {status.value}"
        for status, codes in by_status(cells)
        if status.value and not status.needs_source
    ]
    return "; ".join(filter(None, (basis, ", ".join(weak))))


def by_status(cells: Mapping[str, Cell]) -> Iterator[tuple[Status, list[str]]]:
    """The questions of each status that a rule set has, the strongest first; those that do not
    arise are left out."""
    for status in Status:
        codes = [code for code, cell in cells.items() if cell.status is status]
        if codes and status is not Status.NOT_APPLICABLE:
            yield status, codes


Value = TypeVar("Value")
"""What answers a question: a function over columns or a constant."""


class Effect(Enum):
    """What another answer to a question changes."""

    DECISIONS = "which decisions count, or what they cost"
    RATE = "a rate, but no decision"
    TABLE = "what an equity is worth in match winning chance"
    NAMES = "how figures are named or graded, but no figure"


def _always(_match: Match) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Answer(Generic[Value]):
    """One way to answer a question."""

    name: str
    value: Value
    page: str
    status: Status | None = None
    """How it is known that somebody counts so, for an answer that no rule set gives; of the others
    the table in `programs/` says it."""
    source: str = ""
    """Who counts so, or who says so, likewise."""
    applies: Callable[[Match], bool] = _always
    """Whether the file has what this answer needs."""
    fallback: str = ""
    """The answer used instead if it does not."""


@dataclass(frozen=True, slots=True)
class Question(Generic[Value]):
    """One point on which programs differ."""

    code: str
    page: str
    """Its first line is the title."""
    effect: Effect = Effect.DECISIONS
    matters: Callable[[Match], bool] = _always
    """Whether another answer can change any figure of a match, by its nature."""
    answers: dict[str, Answer[Value]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "page", self.page or self.code)  # `python -OO` drops docstrings

    @property
    def title(self) -> str:
        """The question in one line."""
        return self.page.partition("\n")[0]

    @property
    def is_varied(self) -> bool:
        """Whether another answer can change the PR of a file whose match equity table is given."""
        return self.effect in (Effect.DECISIONS, Effect.RATE)

    def answer(self, name: str, **more: Any) -> Callable[[Value], Value]:
        """Register a function over columns as an answer; its docstring is the page, `more` are
        fields of `Answer`."""

        def register(function: Value) -> Value:
            self.constant(name, function, page=function.__doc__ or "", **more)
            return function

        return register

    def constant(self, name: str, value: Value, *, page: str, **more: Any) -> None:
        """Register a value as an answer; `more` are fields of `Answer`."""
        self.answers[name] = Answer(name, value, page, **more)


def has_equities(match: Match) -> bool:
    """Whether the analysed cube decisions have their equities; a database may store only the
    errors."""
    cubes = match.cubes
    return bool(np.count_nonzero(cubes.no_double == cubes.no_double)) or not cubes.analysed.any()


def has_candidates(match: Match) -> bool:
    """Whether the analysed plays have the equities of their candidates."""
    plays = match.plays
    return bool(np.count_nonzero(plays.best == plays.best)) or not plays.analysed.any()


def has_marks(match: Match) -> bool:
    """Whether the file marks which no-doubles count."""
    return bool(np.count_nonzero(match.cubes.flag >= 0))
