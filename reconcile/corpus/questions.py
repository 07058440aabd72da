"""Questions to an archive by name (`questions.yaml`), and their answers: what a report, a player's
page and `corpus-query` ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from reconcile.corpus.assembly import Corpus
from reconcile.corpus.query import MEMORY, THREADS, Answer, answered, opened
from reconcile.files.yaml_file import read_tree
from reconcile.match.aliases import NO_ALIASES, Aliases


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question to an archive, and how its answer is shown."""

    title: str
    sql: str
    about: str = ""
    """What the documentation says of it."""
    sentences: tuple[str, ...] = ()
    """What a row says, with its values in braces; one with a value that is unknown is left out."""
    said: int = 1
    """So many rows say them."""
    form: str = "table"
    """`sentences` alone, or a table with a picture: `points` of the columns `drawn`, `course` or
    `scores`."""
    drawn: tuple[str, ...] = ()


_LISTED: Final = read_tree(Path(__file__).with_name("questions.yaml"))
QUESTIONS: Final[Mapping[str, Question]] = {
    name: Question(**question) for name, question in _LISTED["questions"].items()
}
REPORT: Final[tuple[str, ...]] = tuple(_LISTED["report"])
"""What a report asks, the headline first."""
RECIPES: Final[tuple[str, ...]] = tuple(_LISTED["recipes"])
STUDIES: Final[tuple[str, ...]] = tuple(_LISTED["studies"])
"""What the documentation shows: questions of players, and longer ones."""
PLAYER: Final[tuple[str, ...]] = tuple(_LISTED["player"])
"""What a player's page asks."""


class Study(NamedTuple):
    """The answers to some questions."""

    answers: Mapping[str, Answer]
    """By the name of the question, in order."""


def study(corpus: Corpus, aliases: Aliases, names: Iterable[str] = REPORT) -> Study:
    """Ask an archive what these questions ask. Raises `MissingPackage`, and `InvalidConfiguration`
    for tables that are not a corpus's."""
    with opened(corpus, aliases, threads=THREADS, memory=MEMORY) as database:
        return Study({name: answered(database, QUESTIONS[name].sql) for name in names})


def usual_pairs(corpus: Corpus) -> list[dict[str, Any]]:
    """The sizes of the gaps by pair of tools and levels, in the form of the program's own table
    (`gap/usual_gaps.json`). Raises as `study` does."""
    answer = study(corpus, NO_ALIASES, ["usual"]).answers["usual"]
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
