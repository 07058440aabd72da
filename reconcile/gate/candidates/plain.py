"""The plain format: figures by match and player, in YAML or JSON, or as a table in CSV. Its schema is `figures.schema.json`.

    schema_version: 1
    program: "blunderDB"
    version: "0.38"
    matches:
      - match: test-unger-job            # id of the reference match; without it the players' names and `length` identify it
        analysis: xg                     # whose analysis the figures are based on; optional
        players:
          "Kévin Unger": {pr: 7.41, decisions: 122, mwc_loss_percent: null}

As CSV, one figure per line: `match,player,metric,figure`; `opponent`, `length`, `analysis`, `program` and `version` are optional columns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Final, Literal

from pydantic import Field, ValidationError, WithJsonSchema, field_validator, model_validator

from reconcile.errors import At, InvalidConfiguration
from reconcile.files.limits import LONGEST_NUMBER, PRINTED
from reconcile.files.model import Model
from reconcile.gate.candidates.claims import Claim, Stated, short, stated
from reconcile.match.match import LONGEST_MATCH
from reconcile.match.tools import ANALYSERS
from reconcile.scoring.metrics import ALIASES, METRICS

REQUIRED: Final = ("player", "metric", "figure")
COLUMNS: Final = ("match", *REQUIRED, "opponent", "length", "analysis", "program", "version")
MOST_ROWS: Final = 100_000
VERSIONED: Final = re.compile(r"(.*[^\s,])[\s,]+v?(\d[\w.+-]*)")
"""A program and its version in one text."""

LONGEST_NAME: Final = 200
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Figure = Annotated[str, WithJsonSchema({"type": "string", "enum": [*METRICS, *ALIASES]})]
Given = Annotated[
    object,
    WithJsonSchema(
        {
            "description": "As a number, as printed, or null if the program has none. Losses may have a minus sign.",
            "anyOf": [{"type": "number"}, {"type": "string", "pattern": PRINTED, "maxLength": LONGEST_NUMBER}, {"type": "null"}],
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
    analysis: Annotated[str | None, WithJsonSchema({"enum": [*ANALYSERS, None], "default": None})] = None
    """The tool whose analysis the figures are based on; without it the manifest determines the reference file."""
    players: dict[Name, dict[Figure, Given]] = Field(min_length=1, max_length=2)
    """Name of a player and that player's figures."""

    @field_validator("analysis")
    @classmethod
    def _known_program(cls, value: str | None) -> str | None:
        if value is not None and value not in ANALYSERS:
            raise ValueError(f"expected {' or '.join(ANALYSERS)}")
        return value

    @model_validator(mode="after")
    def _two_players(self) -> PlainMatch:
        if self.opponent is not None and len(self.players) > 1:
            raise ValueError("expected an opponent beside one player, found two players already")
        return self


class PlainFigures(Model):
    """What `reconcile validate --candidate` reads in YAML or JSON: figures of a program under test, by match and player."""

    schema_version: Literal[1]
    """Raised by one when the format changes."""
    program: Name | None = None
    """The program, which every output then names instead of the file. `blunderDB 0.38` is a name and a version."""
    version: Name | None = None
    """Its version."""
    matches: tuple[PlainMatch, ...] = Field(min_length=1)
    """Figures by match."""


def claims_of_tree(where: str, tree: object) -> tuple[Claim, ...]:
    """The claims of a JSON tree. Raises `InvalidConfiguration` with one line."""
    try:
        figures = PlainFigures.model_validate(tree)
    except ValidationError as error:
        from reconcile.files.yaml_file import complaint

        keys, message = complaint(error)
        raise InvalidConfiguration(f"{'.'.join(map(str, keys)) or 'the file'}: {message}; see docs/candidates.md", where) from None
    return claims_of(where, figures)


def claims_of(where: str, figures: PlainFigures) -> tuple[Claim, ...]:
    """The claims of a validated file. Raises `InvalidConfiguration` with one line."""
    program, version = _named(figures.program, figures.version)
    claims = (_claim(where, index, match) for index, match in enumerate(figures.matches))
    return tuple(replace(claim, program=program, version=version) for claim in claims)


def _named(*given: str | None) -> tuple[str, str]:
    """The program and its version, apart, so that the figures of two versions can be compared with each other."""
    name, version = (" ".join((text or "").split()) for text in given)
    found = None if version else VERSIONED.fullmatch(name)
    return (found[1], found[2]) if found else (name, version)


def _claim(where: str, index: int, match: PlainMatch) -> Claim:
    place = At(where, key=f"matches.{index}")
    found = []
    for player, printed in match.players.items():
        at = At(where, key=f"matches.{index}.players.{player}")
        one = [stated(at, player, name, figure) for name, figure in printed.items()]
        _once(at, one)
        found += one
    return Claim(
        where=place,
        figures=tuple(found),
        match=match.match,
        players=(*match.players, *([match.opponent] if match.opponent else [])),
        length=match.length,
        tool=ANALYSERS[match.analysis].name if match.analysis else None,
        kind="figures",
    )


def _once(where: At, figures: Sequence[Stated]) -> None:
    names = [figure.metric for figure in figures]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise InvalidConfiguration(f"{twice} is given twice, perhaps once under its short name; give each figure once", where)


def claims_of_rows(where: str, rows: Sequence[Mapping[str, str]]) -> tuple[Claim, ...]:
    """The claims of a CSV table: its rows by match, or by the two players if no match is named. Raises `InvalidConfiguration`."""
    grouped: dict[tuple[str, ...], list[tuple[int, Mapping[str, str]]]] = {}
    for line, row in enumerate(rows, 2):
        names = sorted(filter(None, (row["player"], row.get("opponent", ""))))
        if not row["player"]:
            raise InvalidConfiguration("player: expected a name, found nothing; correct the line", where, line)
        key = (row.get("match", ""), row.get("length", ""), row.get("analysis", "").lower())
        grouped.setdefault((*key, *((names if len(names) > 1 else []) if not row.get("match") else [])), []).append((line, row))
    return tuple(_row_claim(where, key, lines) for key, lines in grouped.items())


def _row_claim(where: str, key: tuple[str, ...], lines: Sequence[tuple[int, Mapping[str, str]]]) -> Claim:
    match, length, analysis, *_ = key
    place = At(where, lines[0][0])
    if length and not (length.isascii() and length.isdigit() and 1 <= int(length[:6]) <= LONGEST_MATCH):
        raise InvalidConfiguration(f"length: expected points from 1 to {LONGEST_MATCH}, found {short(length)}; correct the line", place)
    if analysis and analysis not in ANALYSERS:
        raise InvalidConfiguration(f"analysis: expected {' or '.join(ANALYSERS)}, found {short(analysis)}; correct the line", place)
    figures: dict[str, list[Stated]] = {}
    for line, row in lines:
        one = stated(At(where, line), row["player"], row["metric"], row["figure"] or None)
        figures.setdefault(row["player"], []).append(one)
        _once(At(where, line), figures[row["player"]])
    program, version = _named(*(lines[0][1].get(name, "")[:LONGEST_NAME] for name in ("program", "version")))
    names = dict.fromkeys(name for _, row in lines for name in (row["player"], row.get("opponent", "")) if name)
    if len(figures) > 2:
        raise InvalidConfiguration(
            f"expected one or two players of a match, found {len(figures)}: {short(', '.join(figures))}; "
            "add a column match, or a column opponent",
            place,
        )
    return Claim(
        where=place,
        figures=tuple(figure for part in figures.values() for figure in part),
        match=match or None,
        players=tuple(names),
        length=int(length) if length else None,
        tool=ANALYSERS[analysis].name if analysis else None,
        kind="figures",
        program=program,
        version=version,
    )
