"""The cases of the suite (`cases.yaml`): each a match of a few turns of two synthetic players that
isolates one edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, TypeAlias

from reconcile.files.yaml_file import read_tree
from reconcile.formats import read_match
from reconcile.formats.written import WrittenMatch
from reconcile.match.match import Match
from reconcile.match.values import once
from reconcile.rules.rulesets import rule_set
from reconcile.scoring.statistics import statistics
from reconcile.suite.synthetic import FORMATS, OTHER, STUDIED, content_of, match_of

ENTRIES: Final = read_tree(Path(__file__).with_name("cases.yaml"))
AREAS: Final = tuple(dict.fromkeys(name.partition("-")[0] for name in ENTRIES))
"""First words of ids, in the order of the index."""
PLAIN_CASE: Final = "count-two-errors"
"""The case on which all rules agree: it shows which figures of a program mean what they are
called."""
Expected: TypeAlias = Mapping[str, Mapping[str, float]]
"""Figures by player and name."""


@dataclass(frozen=True)
class Case:
    """A match of a few turns that isolates one edge."""

    id: str
    """`AREA-EDGE[-NUMBER]`, for ever."""
    question: str
    """Code of the question that it belongs to; empty for none."""
    sentence: str
    """What it tests."""
    described: Mapping[str, Any] = field(repr=False, compare=False)
    """Its match, as `match_of` takes it."""
    formats: tuple[str, ...] = FORMATS
    """The formats that can hold it; its figures are the same in each."""
    reads: tuple[str, ...] = ()
    """Every question whose answer can change the studied player's figures, where answers are read
    from it."""
    read_in: tuple[str, ...] = ()
    """The formats from which answers are read, where these are more: of one rule the figures need
    not be the same in each."""
    has: str = ""
    """What it has, in words of which can be said that it counts: `a no-double that costs 0.161`."""
    players: tuple[str, str] = (STUDIED, OTHER)

    @cached_property
    def match(self) -> WrittenMatch:
        """Its turns."""
        return match_of(**self.described)

    def content(self, form: str) -> bytes:
        """The bytes of its file in a format; the same every time."""
        return content_of(self.match, form)

    @once
    def read(self, form: str) -> Match:
        """Its file in a format, as our readers read it."""
        return read_match(f"{self.id}.{form}", self.content(form))

    @once
    def under(self, rules: str, form: str = "") -> Expected:
        """The figures under a rule set, by name or as a file: those that all its files have, or the
        one in a format."""
        forms = (form,) if form else self.formats
        scored = [statistics(self.read(name), rule_set(rules)) for name in forms]
        each = [[ours.figures(seat) for seat in (0, 1)] for ours in scored]
        return {
            player: {
                name: value
                for name, value in each[0][seat].items()
                if value is not None and all(both[seat][name] is not None for both in each)
            }
            for seat, player in enumerate(self.players)
        }

    @property
    def area(self) -> str:
        """The first word of its id."""
        return self.id.partition("-")[0]

    @property
    def is_single(self) -> bool:
        """Whether it has one decision."""
        return self.has.startswith(("a ", "an "))


@cache
def every() -> tuple[Case, ...]:
    """All cases, area by area."""
    return tuple(_case(name, **entry) for name, entry in ENTRIES.items())


def _case(
    name: str,
    tests: str,
    question: str = "",
    formats: Sequence[str] = FORMATS,
    reads: Sequence[str] = (),
    read_in: Sequence[str] = (),
    shows: str = "",
    **match: Any,
) -> Case:
    first, second = match.get("players", (STUDIED, OTHER))
    forms, read = (tuple(names) for names in (formats, read_in or formats))
    has = shows or tests
    return Case(name, question, tests, match, forms, tuple(reads), read, has, (first, second))
