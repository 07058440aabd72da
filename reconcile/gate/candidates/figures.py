"""Figures by player, in JSON (schema `figures`) or CSV with a line for each.

match,player,metric,figure
test-unger-job,Kévin Unger,pr,7.41
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Final, Literal

from pydantic import Field, WithJsonSchema, model_validator

from reconcile.errors import At, InvalidConfiguration
from reconcile.files.limits import LONGEST_NUMBER, MOST_CLAIMS, PRINTED
from reconcile.files.model import Model
from reconcile.gate.candidates.claims import Claim, Stated, short, stated
from reconcile.gate.candidates.interface import (
    LONGEST_NAME,
    Analysis,
    CandidateText,
    Form,
    OfMatch,
    Player,
    blank_as,
    claim_of,
)
from reconcile.match.match import LONGEST_MATCH
from reconcile.match.tools import ANALYSERS
from reconcile.scoring.metrics import ALIASES, METRICS

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
    analysis: Annotated[Analysis, WithJsonSchema({"enum": [*ANALYSERS, None]})] = None
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
    tree: PlainFigures = source.checked(PlainFigures, source.tree)
    for index, match in enumerate(tree.matches):
        place = At(source.where, key=f"matches.{index}")
        figures = _stated(
            (place._replace(key=f"{place.key}.players.{player}"), player, *figure)
            for player, printed in match.players.items()
            for figure in printed.items()
        )
        names, program = (*match.players, match.opponent or ""), (tree.program, tree.version)
        yield claim_of(place, match, names, *(text or "" for text in program), figures=figures)


def _claims_of_table(source: CandidateText) -> Iterator[Claim]:
    """Its rows by match, or by the two players if no match is named."""
    rows: list[tuple[At, FigureRow]] = source.rows(FigureRow)
    for group in source.grouped(rows, lambda entry: entry[1].key):
        place, first = group[0]
        players = list(dict.fromkeys(row.player for _, row in group))
        if len(players) > 2:
            named = short(", ".join(players))
            wrong = f"expected one or two players of a match, found {len(players)}: {named}"
            raise InvalidConfiguration(f"{wrong}; add a column match, or a column opponent", place)
        names = [name for _, row in group for name in (row.player, row.opponent)]
        figures = _stated((at, row.player, row.metric, row.figure) for at, row in group)
        yield claim_of(place, first, names, first.program, first.version, figures=figures)


def _stated(facts: Iterable[tuple[At, str, str, object]]) -> tuple[Stated, ...]:
    """The figures of a match; each fact is a place, a player, a figure's name and the figure."""
    figures: dict[tuple[str | int, str], Stated] = {}
    for at, player, name, value in facts:
        figure = stated(at, player, name, value)
        if figures.setdefault((figure.player, figure.metric), figure) is not figure:
            twice = f"{figure.metric} is given twice, perhaps once under its short name"
            raise InvalidConfiguration(f"{twice}; give each figure once", at)
    return tuple(figures.values())


def _is_tree(source: CandidateText) -> bool:
    return isinstance(source.tree, dict) and "decisions" not in source.tree


JSON: Final = Form(_is_tree, _claims_of_tree)
CSV: Final = Form(lambda source: "player" in source.header, _claims_of_table)
