"""The cases of the suite: each a match of a few turns of two synthetic players that isolates one
edge, with its figures under every rule set.

The bundled folder `conformance` has a table, `cases.json`, and the files of the matches. Both are
written from a recipe that is among the tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from reconcile.errors import InvalidConfiguration
from reconcile.files.bundled import bundled
from reconcile.formats import load_match
from reconcile.infer.program import MatchFigures
from reconcile.match.match import Match
from reconcile.match.values import once
from reconcile.rules.rulesets import rule_set

FORMATS = ("xg", "sgf")
STUDIED = 0
"""The seat of the player whose figures answer the questions of a case."""
PLAIN_CASE = "count-two-errors"
"""The case on which all rules agree: it shows which figures of a program mean what they are
called."""
Expected: TypeAlias = Mapping[str, Mapping[str, float]]
"""Figures by player and name."""
Values: TypeAlias = float | Sequence[float | None] | None
"""A figure under several rules; a number where it is the same under all."""


@cache
def table() -> Mapping[str, Any]:
    """The bundled table."""
    tree: Mapping[str, Any] = json.loads((bundled("conformance") / "cases.json").read_bytes())
    return tree


@dataclass(frozen=True, eq=False)
class Case:
    """A match of a few turns that isolates one edge."""

    id: str
    """`AREA-EDGE[-NUMBER]`, for ever."""
    question: str | None
    """Code of the question that it belongs to."""
    about: str
    """What it tests."""
    players: tuple[str, str]
    length: int | None
    """Points to win; `None` for money."""
    facts: tuple[str, ...]
    """What its match has that most of them lack: `a take`."""
    figures: Mapping[str, Sequence[Sequence[Values]]]
    """By format and seat, every figure under the known rule sets; its figures are the same in each
    format, as far as a file stores what rules need."""
    reads: tuple[str, ...] = ()
    """Every question whose answer can change the studied player's figures, where answers are read
    from it."""
    given: Mapping[str, Mapping[str, Values]] = field(default_factory=dict)
    """By format and name, the figures under every combination of these answers."""

    @property
    def area(self) -> str:
        """The first word of its id."""
        return self.id.partition("-")[0]

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats that can hold it."""
        return tuple(self.figures)

    def path(self, form: str) -> Path:
        """Its file in a format."""
        return bundled("conformance") / "cases" / f"{self.id}.{form}"

    @once
    def read(self, form: str) -> Match:
        """Its file in a format, as our readers read it."""
        return load_match(self.path(form))

    @once
    def under(self, rules: str, form: str = "") -> Expected:
        """The figures under a rule set, by name or as a file: those that all its files have, or the
        one in a format."""
        each = [
            self.record(name).by_seat(rule_set(rules))
            for name in ((form,) if form else self.formats)
        ]
        return {
            player: {
                name: value
                for name, value in each[0][seat].items()
                if value is not None and all(both[seat].get(name) is not None for both in each)
            }
            for seat, player in enumerate(self.players)
        }

    @once
    def record(self, form: str) -> MatchFigures:
        """The figures of a file under rule sets: those of a known one are looked up."""
        names = table()["rules"]
        columns = np.array(
            [
                [[value_at(value, column) for value in own] for own in self.figures[form]]
                for column in range(len(names))
            ],
            float,
        )
        figures = dict(zip(names, columns, strict=True))
        return MatchFigures.of_tables(partial(self.read, form), figures)

    def combinations(self, form: str) -> Iterator[tuple[Mapping[str, str], Mapping[str, Any]]]:
        """Every combination of answers to the questions that are read from it, with the studied
        player's figures."""
        supported = table()["answers"][form]
        each = product(*(supported[code] for code in self.reads))
        for row, answers in enumerate(each):
            figures = {name: value_at(value, row) for name, value in self.given[form].items()}
            yield dict(zip(self.reads, answers, strict=True)), figures


def value_at(values: Values, column: int) -> float | None:
    """A figure under one of several rules."""
    return values[column] if isinstance(values, Sequence) else values


@cache
def every() -> tuple[Case, ...]:
    """All cases, area by area."""
    return tuple(
        Case(**entry | {name: tuple(entry.get(name, ())) for name in ("players", "facts", "reads")})
        for entry in table()["cases"]
    )


@cache
def by_id() -> Mapping[str, Case]:
    """All cases by id."""
    return {case.id: case for case in every()}


def areas() -> tuple[str, ...]:
    """First words of ids, in the order of the index."""
    return tuple(dict.fromkeys(case.area for case in every()))


def chosen(prefix: str = "") -> tuple[Case, ...]:
    """The cases whose ids begin so. Raises `InvalidConfiguration` where none does."""
    cases = tuple(case for case in every() if case.id.startswith(prefix))
    if not cases:
        expected = f"expected the beginning of an id of a case, found {prefix[:60]!r}"
        raise InvalidConfiguration(f"{expected}; they begin with {', '.join(areas())}")
    return cases
