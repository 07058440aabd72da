"""The cases of the suite (`cases.yaml`): each a match of a few turns of two synthetic players that isolates one edge."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from reconcile.files.kept import made_of
from reconcile.files.yaml_file import read_tree
from reconcile.formats.written import WrittenMatch
from reconcile.probe.synthetic import FORMATS, match_of

AREAS: Final = (
    "count", "forced", "equal", "dance", "unplayed", "first", "illegal", "close", "redouble", "toogood", "dead", "optional", "losing",
    "take", "pass", "beaver", "crawford", "postcrawford", "onepoint", "money", "jacoby", "resign", "lastgame", "unfinished", "rate",
    "met", "mwc",
    "cube", "size", "sign", "round", "cap", "luck", "order", "colour", "grade", "snowie", "notanalysed",
)  # fmt: skip
"""First words of ids, in the order of the index."""


@dataclass(frozen=True, slots=True)
class Case:
    """A match of a few turns that isolates one edge."""

    id: str
    """`AREA-EDGE[-NUMBER]`, for ever."""
    question: str
    """Code of the question that it belongs to; empty for none."""
    sentence: str
    """What it tests."""
    edge: str
    """Code of the fault that changes its figures: the edge that it isolates."""
    match: WrittenMatch
    formats: tuple[str, ...] = FORMATS
    """The formats that can hold it; its figures are the same in each."""

    @property
    def area(self) -> str:
        """The first word of its id."""
        return self.id.partition("-")[0]


@cache
def every() -> tuple[Case, ...]:
    """All cases, area by area."""
    return tuple(_case(name, **one) for name, one in made_of(Path(__file__).with_name("cases.yaml"), read_tree).items())


def _case(name: str, tests: str, edge: str, question: str = "", formats: tuple[str, ...] = FORMATS, **match: Any) -> Case:
    return Case(name, question, tests, edge, match_of(**match), tuple(formats))
