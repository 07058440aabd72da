"""Figures by player, in JSON (schema `figures`) or CSV with a line for each.

match,player,metric,figure
test-unger-job,Kévin Unger,pr,7.41
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import Field, WithJsonSchema, model_validator

from reconcile.errors import At, InvalidConfiguration
from reconcile.files.limits import LONGEST_NUMBER, MOST_CLAIMS, PRINTED
from reconcile.files.model import Model
from reconcile.gate.candidates.claims import Claim, Stated, short, stated
from reconcile.gate.candidates.interface import (
    LONGEST_NAME,
    PAGE,
    Analysis,
    CandidateText,
    Form,
    OfMatch,
    Player,
    blank_as,
    checked,
    grouped,
)
from reconcile.match.match import LONGEST_MATCH
from reconcile.match.tools import ANALYSERS
from reconcile.scoring.metrics import ALIASES, METRICS

VERSIONED: Final = re.compile(r"(.*[^\s,])[\s,]+v?(\d[\w.+-]*)")
"""A program and its version in one text."""
FIGURE_PAGE: Final = (
    "As a number, as printed, or null if the program has none. Losses may have a minus sign."
)


class FigureRow(OfMatch):
    """A line with a figure."""

    player: Player
    metric: str
    figure: Annotated[str | None, blank_as(None)]
    opponent: str = ""
    program: str = ""
    version: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """What rows of one match share: the two players only where no match is named."""
        pair = tuple(sorted(filter(None, (self.player, self.opponent))))
        is_named = self.match or len(pair) < 2
        return self.match, self.length, self.analysis, () if is_named else pair


Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
FigureName = Annotated[str, WithJsonSchema({"type": "string", "enum": [*METRICS, *ALIASES]})]
Figure = Annotated[
    object,
    WithJsonSchema(
        {
            "description": FIGURE_PAGE,
            "anyOf": [
                {"type": "number"},
                {"type": "string", "pattern": PRINTED, "maxLength": LONGEST_NUMBER},
                {"type": "null"},
            ],
        }
    ),
]
"""What `stated` reads."""


class PlainMatch(Model):
    """Figures of one match."""

    match: Name | None = None
    """Id of the reference match; without it the match is identified by the players' names."""
    opponent: Name | None = None
    """The other player, if only one player's figures are given."""
    length: int | None = Field(default=None, ge=1, le=LONGEST_MATCH)
    """Points to win."""
    analysis: Annotated[Analysis, WithJsonSchema({"enum": [*ANALYSERS, None]})] = ""
    """The tool whose analysis the figures are based on; by default that of the manifest."""
    players: dict[Name, dict[FigureName, Figure]] = Field(min_length=1, max_length=2)
    """Name of a player and that player's figures."""

    @model_validator(mode="after")
    def _two_players(self) -> PlainMatch:
        if self.opponent is not None and len(self.players) > 1:
            raise ValueError("expected an opponent beside one player, found two players already")
        return self


class PlainFigures(Model):
    """What `reconcile validate --candidate` reads in JSON: figures by match and player."""

    schema_version: Literal[1]
    """Raised by one when the format changes."""
    program: Name | None = None
    """The program, which every output then names instead of the file: `blunderDB 0.38`."""
    version: Name | None = None
    """Its version, if `program` does not have it."""
    matches: tuple[PlainMatch, ...] = Field(min_length=1, max_length=MOST_CLAIMS)
    """Figures by match."""


def _claims_of_tree(source: CandidateText) -> Iterator[Claim]:
    tree = checked(PlainFigures, At(source.where), source.tree, PAGE)
    program = program_of(tree.program, tree.version)
    for index, match in enumerate(tree.matches):
        key = f"matches.{index}"
        facts = [
            (At(source.where, key=f"{key}.players.{player}"), player, *figure)
            for player, figures in match.players.items()
            for figure in figures.items()
        ]
        names = [*match.players, match.opponent or ""]
        yield claim_of(At(source.where, key=key), match, names, program, figures=_stated(facts))


def _claims_of_table(source: CandidateText) -> Iterator[Claim]:
    """Its rows by match, or by the two players if no match is named."""
    rows = [(place, row) for _, place, row in source.rows(FigureRow)]
    for group in grouped(source.where, rows, lambda entry: entry[1].key):
        place, first = group[0]
        players = list(dict.fromkeys(row.player for _, row in group))
        if len(players) > 2:
            named = short(", ".join(players))
            wrong = f"expected one or two players of a match, found {len(players)}: {named}"
            raise InvalidConfiguration(f"{wrong}; add a column match, or a column opponent", place)
        names = [name for _, row in group for name in (row.player, row.opponent)]
        program = program_of(first.program[:LONGEST_NAME], first.version[:LONGEST_NAME])
        figures = _stated((at, row.player, row.metric, row.figure) for at, row in group)
        yield claim_of(place, first, names, program, figures=figures)


def program_of(*texts: str | None) -> tuple[str, str]:
    """A program and its version, apart, so that two versions can be compared."""
    name, version = (" ".join((text or "").split()) for text in texts)
    parts = None if version else VERSIONED.fullmatch(name)
    return (parts[1], parts[2]) if parts else (name, version)


def _stated(facts: Iterable[tuple[At, str, str, object]]) -> tuple[Stated, ...]:
    """The figures of a match; each fact is a place, a player, a figure's name and the figure."""
    figures: dict[tuple[str, str], Stated] = {}
    for at, player, name, value in facts:
        figure = stated(at, player, name, value)
        if (player, figure.metric) in figures:
            twice = f"{figure.metric} is given twice, perhaps once under its short name"
            raise InvalidConfiguration(f"{twice}; give each figure once", at)
        figures[player, figure.metric] = figure
    return tuple(figures.values())


def claim_of(
    place: At,
    about: OfMatch | PlainMatch,
    names: Sequence[str],
    program: tuple[str, str],
    **facts: Any,
) -> Claim:
    """A claim of a program about a match; `facts` are figures or decisions."""
    return Claim(
        where=place,
        match=about.match or "",
        players=tuple(filter(None, dict.fromkeys(names))),
        length=about.length or None,
        tool=ANALYSERS[about.analysis].name if about.analysis else None,
        program=program[0],
        version=program[1],
        **{"figures": (), **facts},
    )


def _is_tree(source: CandidateText) -> bool:
    return isinstance(source.tree, dict) and "decisions" not in source.tree


JSON: Final = Form("figures in JSON", _is_tree, _claims_of_tree)
CSV: Final = Form("figures in CSV", lambda source: "player" in source.header, _claims_of_table)
