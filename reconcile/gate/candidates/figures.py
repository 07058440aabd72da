"""Figures by player, in JSON (schema `figures`) or CSV with a line for each.

match,player,metric,figure
test-unger-job,Kévin Unger,pr,7.41
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Final, Literal

from pydantic import Field, WithJsonSchema, model_validator

from reconcile.errors import At, InvalidConfiguration
from reconcile.files.limits import LONGEST_NUMBER, MOST_CLAIMS, PRINTED
from reconcile.files.model import Model
from reconcile.gate.candidates.claims import Claim, Stated, short, stated
from reconcile.gate.candidates.interface import (
    LONGEST_NAME,
    Form,
    OfMatch,
    Text,
    check_names,
    checked,
    one_of,
    player_of,
    read_as,
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

    player: Annotated[str, read_as("a name", player_of)]
    metric: str
    figure: str
    opponent: str = ""
    program: str = ""
    version: str = ""


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
Analysis = WithJsonSchema({"enum": [*ANALYSERS, None]})


class PlainMatch(Model):
    """Figures of one match."""

    match: Name | None = None
    """Id of the reference match; without it the match is identified by the players' names."""
    opponent: Name | None = None
    """The other player, if only one player's figures are given."""
    length: int | None = Field(default=None, ge=1, le=LONGEST_MATCH)
    """Points to win."""
    analysis: Annotated[str, one_of(ANALYSERS, ""), Analysis] = ""
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
    matches: tuple[PlainMatch, ...] = Field(min_length=1)
    """Figures by match."""


def _claims_of_tree(source: Text) -> tuple[Claim, ...]:
    matches = source.tree.get("matches")
    if isinstance(matches, list):
        _check_number(source.where, len(matches))
    tree = checked(PlainFigures, At(source.where), source.tree, "see docs/candidates.md")
    program = _program(tree.program, tree.version)
    claims = []
    for index, match in enumerate(tree.matches):
        key = f"matches.{index}"
        facts = [
            (At(source.where, key=f"{key}.players.{player}"), player, *figure)
            for player, figures in match.players.items()
            for figure in figures.items()
        ]
        names = [*match.players, *([match.opponent] if match.opponent else [])]
        about = OfMatch.model_construct(
            match=match.match or "", length=match.length or 0, analysis=match.analysis
        )
        claims.append(claim_of(At(source.where, key=key), about, names, program, facts))
    return tuple(claims)


def _claims_of_table(source: Text) -> tuple[Claim, ...]:
    """Its rows by match, or by the two players if no match is named."""
    check_names(FigureRow, At(source.where, 1), "column", source.header)
    groups: dict[tuple[object, ...], list[tuple[At, FigureRow]]] = {}
    for _, place, cells in source.rows():
        row = checked(FigureRow, place, cells, "correct the line")
        names = sorted(filter(None, (row.player, row.opponent)))
        pair = tuple(names) if len(names) > 1 and not row.match else ()
        groups.setdefault((row.match, row.length, row.analysis, pair), []).append((place, row))
    _check_number(source.where, len(groups))
    return tuple(map(_claim_of_rows, groups.values()))


def _claim_of_rows(rows: Sequence[tuple[At, FigureRow]]) -> Claim:
    place, first = rows[0]
    players = list(dict.fromkeys(row.player for _, row in rows))
    if len(players) > 2:
        named = short(", ".join(players))
        raise InvalidConfiguration(
            f"expected one or two players of a match, found {len(players)}: {named}; "
            "add a column match, or a column opponent",
            place,
        )
    facts = [(at, row.player, row.metric, row.figure or None) for at, row in rows]
    names = [name for _, row in rows for name in (row.player, row.opponent) if name]
    program = _program(first.program[:LONGEST_NAME], first.version[:LONGEST_NAME])
    return claim_of(place, first, list(dict.fromkeys(names)), program, facts)


def _check_number(where: str, count: int) -> None:
    if count > MOST_CLAIMS:
        most = f"expected figures of at most {MOST_CLAIMS} matches, found {count}; split the file"
        raise InvalidConfiguration(most, where)


def _program(*texts: str | None) -> tuple[str, str]:
    """The program and its version, apart, so that two versions can be compared."""
    name, version = (" ".join((text or "").split()) for text in texts)
    parts = None if version else VERSIONED.fullmatch(name)
    return (parts[1], parts[2]) if parts else (name, version)


def claim_of(
    place: At,
    about: OfMatch,
    players: Sequence[str],
    program: tuple[str, str],
    facts: Iterable[tuple[At, str, str, object]] = (),
) -> Claim:
    """The figures of a match; each fact is a place, a player, a figure's name and the figure."""
    figures: dict[tuple[str, str], Stated] = {}
    for at, player, name, value in facts:
        figure = stated(at, player, name, value)
        if (player, figure.metric) in figures:
            twice = f"{figure.metric} is given twice, perhaps once under its short name"
            raise InvalidConfiguration(f"{twice}; give each figure once", at)
        figures[player, figure.metric] = figure
    return Claim(
        where=place,
        figures=tuple(figures.values()),
        match=about.match or None,
        players=tuple(players),
        length=about.length or None,
        tool=ANALYSERS[about.analysis].name if about.analysis else None,
        program=program[0],
        version=program[1],
    )


def _is_tree(source: Text) -> bool:
    return isinstance(source.tree, dict) and "decisions" not in source.tree


JSON: Final = Form("figures in JSON", _is_tree, _claims_of_tree)
CSV: Final = Form("figures in CSV", lambda source: "player" in source.header, _claims_of_table)
