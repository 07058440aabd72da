"""Figures and decisions as rows: the plain format in YAML, JSON and CSV, and lists of decisions in JSON and CSV.

The plain format has figures by match and player. Its schema is `figures`; as CSV it has one figure per line.

    schema_version: 1
    program: "blunderDB"
    version: "0.38"
    matches:
      - match: test-unger-job            # id of the reference match; without it the players' names and `length` identify it
        analysis: xg                     # whose analysis the figures are based on; optional
        players:
          "Kévin Unger": {pr: 7.41, decisions: 122, mwc_loss_percent: null}

A list of decisions has a row for each. Its schema is `decisions`; beside semicolons and tabs a number may have a decimal comma.

    game,turn,player,kind,counted,error
    1,2,Ann,no-double,1,0
    1,2,Ann,play,1,0.023
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, Literal, TypeVar, get_args

import numpy as np
from pydantic import Field, ValidationError, WithJsonSchema, model_validator

from reconcile.errors import At, InvalidConfiguration
from reconcile.files.limits import LONGEST_NUMBER, MOST_ROWS, PRINTED
from reconcile.files.model import Model
from reconcile.files.wording import plural
from reconcile.files.yaml_file import complaint
from reconcile.gate.candidates.cells import (
    LONGEST_NAME,
    Action,
    Printed,
    Turn,
    flag_of,
    kind_of,
    one_of,
    player_of,
    read_as,
    text_of,
    whole,
)
from reconcile.gate.candidates.claims import Claim, Stated, short, stated
from reconcile.gate.candidates.stated_rows import SEATS, WORDS, StatedRows, Unit
from reconcile.infer.reported import Number
from reconcile.match.columns import Floats
from reconcile.match.match import LONGEST_MATCH
from reconcile.match.tools import ANALYSERS
from reconcile.scoring.metrics import ALIASES, METRICS

VERSIONED: Final = re.compile(r"(.*[^\s,])[\s,]+v?(\d[\w.+-]*)")
"""A program and its version in one text."""
USUAL: Final = 0.9
"""Share of the errors that are printed with no more digits than the list as a whole: JSON loses zeros at the end, and a few numbers
have binary noise."""
ADDRESS: Final = ("game", "turn")
"""Columns that only a list of decisions has."""
DELIMITERS: Final = ",;\t"

Row = tuple[int, At, Mapping[str, object]]
"""A row: its line in the file or its number among the items, its place, and what it has."""


class OfMatch(Model):
    """What is said of the match that a row is about."""

    match: Annotated[str, read_as("the id of a reference match", text_of, "")] = ""
    """Id of the reference match."""
    length: Annotated[
        int, read_as(f"a whole number from 1 to {LONGEST_MATCH}", whole(LONGEST_MATCH), 0)
    ] = 0
    """Points to win; 0 if it is not said."""
    analysis: Annotated[str, one_of(ANALYSERS)] = ""
    """The tool whose analysis it is based on; empty if it is not said."""


class FigureRow(OfMatch):
    """A line with a figure."""

    player: Annotated[str, read_as("a name", player_of)]
    metric: str
    figure: str
    opponent: str = ""
    program: str = ""
    version: str = ""


class OfList(OfMatch):
    """What is said of all decisions of a match."""

    unit: Annotated[Unit, one_of(get_args(Unit), get_args(Unit)[0])] = get_args(Unit)[0]


class DecisionRow(OfList):
    """A line with a decision."""

    game: Turn
    turn: Turn
    player: Annotated[
        str, read_as("a name, or 1 or 2 for the first or second player of the file", player_of)
    ]
    kind: Annotated[
        tuple[int, int],
        read_as(
            f"one of {', '.join(WORDS)}, or a word for one listed in docs/candidates.md", kind_of
        ),
    ]
    """Slot of a turn and kind."""
    counted: Annotated[bool, read_as("1 or 0, true or false, yes or no", flag_of)]
    error: Printed
    best: Action = ""
    played: Action = ""
    luck: Printed = (np.nan, 0)


class DecisionTree(OfList):
    """A list of decisions in JSON."""

    schema_version: Literal[1]
    program: str | None = None
    decisions: list[dict[str, Any]] = Field(min_length=1)


Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Figure = Annotated[str, WithJsonSchema({"type": "string", "enum": [*METRICS, *ALIASES]})]
Given = Annotated[
    object,
    WithJsonSchema(
        {
            "description": "As a number, as printed, or null if the program has none. Losses may have a minus sign.",
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
    analysis: Annotated[
        str, one_of(ANALYSERS), WithJsonSchema({"enum": [*ANALYSERS, None], "default": None})
    ] = ""
    """The tool whose analysis the figures are based on; without it the manifest determines the reference file."""
    players: dict[Name, dict[Figure, Given]] = Field(min_length=1, max_length=2)
    """Name of a player and that player's figures."""

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


Kind = TypeVar("Kind", bound=Model)


def checked(kind: type[Kind], place: At, given: object, remedy: str = "correct it") -> Kind:
    """A row or a tree as the model has it. Raises `InvalidConfiguration` with its place, what was expected and what was found."""
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        keys, message = complaint(error)
        raise InvalidConfiguration(
            f"{'.'.join(map(str, keys)) or 'the file'}: {message}; {remedy}", place
        ) from None


def check_names(
    kind: type[Model],
    place: At,
    noun: str,
    given: Iterable[str],
    without: Iterable[str] = (),
    more: str = "",
) -> None:
    """Raise `InvalidConfiguration` unless the columns or keys of a row are those of the model, without some."""
    fields = {name: field for name, field in kind.model_fields.items() if name not in without}
    required = [name for name, field in fields.items() if field.is_required()]
    names = list(given)
    missing, unknown = (
        [name for name in required if name not in names],
        [name for name in names if name not in fields],
    )
    if missing or unknown:
        optional = ", ".join(name for name in fields if name not in required)
        found = f"no {missing[0]!r}" if missing else f"{noun} {short(unknown[0])}"
        raise InvalidConfiguration(
            f"expected the {noun}s {', '.join(required)} and optionally {optional}{more}, found {found}; see docs/candidates.md",
            place,
        )


# Figures


def claims_of_tree(where: str, tree: object) -> tuple[Claim, ...]:
    """The claims of a JSON tree. Raises `InvalidConfiguration` with one line."""
    return claims_of(where, checked(PlainFigures, At(where), tree, "see docs/candidates.md"))


def claims_of(where: str, figures: PlainFigures) -> tuple[Claim, ...]:
    """The claims of a validated file. Raises `InvalidConfiguration` with one line."""
    program = _named(figures.program, figures.version)
    found = []
    for index, match in enumerate(figures.matches):
        key = f"matches.{index}"
        places = {player: At(where, key=f"{key}.players.{player}") for player in match.players}
        facts = [
            (places[player], player, *one)
            for player, printed in match.players.items()
            for one in printed.items()
        ]
        names = [*match.players, *([match.opponent] if match.opponent else [])]
        found.append(
            _claim(
                At(where, key=key), facts, names, match.match, match.length, match.analysis, program
            )
        )
    return tuple(found)


def claims_of_figures(where: str, given: Sequence[Row]) -> tuple[Claim, ...]:
    """The claims of a CSV table: its rows by match, or by the two players if no match is named. Raises `InvalidConfiguration`."""
    check_names(
        FigureRow, At(where, 1), "column", given[0][2], more=", or blunderDB's table of players"
    )
    grouped: dict[tuple[object, ...], list[tuple[At, FigureRow]]] = {}
    for _, place, cells in given:
        row = checked(FigureRow, place, cells, "correct the line")
        names = sorted(filter(None, (row.player, row.opponent)))
        pair = tuple(names) if len(names) > 1 and not row.match else ()
        grouped.setdefault((row.match, row.length, row.analysis, pair), []).append((place, row))
    found = []
    for rows in grouped.values():
        place, first = rows[0]
        facts = [(at, row.player, row.metric, row.figure or None) for at, row in rows]
        players = list(dict.fromkeys(row.player for _, row in rows))
        if len(players) > 2:
            raise InvalidConfiguration(
                f"expected one or two players of a match, found {len(players)}: {short(', '.join(players))}; "
                "add a column match, or a column opponent",
                place,
            )
        names = list(
            dict.fromkeys(name for _, row in rows for name in (row.player, row.opponent) if name)
        )
        program = _named(first.program[:LONGEST_NAME], first.version[:LONGEST_NAME])
        found.append(
            _claim(place, facts, names, first.match, first.length, first.analysis, program)
        )
    return tuple(found)


def _named(*given: str | None) -> tuple[str, str]:
    """The program and its version, apart, so that the figures of two versions can be compared with each other."""
    name, version = (" ".join((text or "").split()) for text in given)
    found = None if version else VERSIONED.fullmatch(name)
    return (found[1], found[2]) if found else (name, version)


def _claim(
    place: At,
    facts: Iterable[tuple[At, str, str, object]],
    players: Sequence[str],
    match: str | None,
    length: int | None,
    analysis: str | None,
    program: tuple[str, str],
) -> Claim:
    """The figures of a match; each fact is a place, a player, a figure's name and the figure."""
    figures: dict[str, dict[str, Stated]] = {}
    for at, player, name, given in facts:
        one, known = stated(at, player, name, given), figures.setdefault(player, {})
        if one.metric in known:
            raise InvalidConfiguration(
                f"{one.metric} is given twice, perhaps once under its short name; give each figure once",
                at,
            )
        known[one.metric] = one
    return Claim(
        where=place,
        figures=tuple(one for part in figures.values() for one in part.values()),
        match=match or None,
        players=tuple(players),
        length=length or None,
        tool=ANALYSERS[analysis].name if analysis else None,
        kind="figures",
        program=program[0],
        version=program[1],
    )


# Decisions


def delimiter_of(text: str) -> str:
    """What separates the cells of a list of decisions; empty if the text is none, by the names in its first line."""
    head = next((line for line in text.lstrip("\ufeff").splitlines() if line.strip()), "")[:4096]
    for mark in DELIMITERS:
        try:
            cells = [cell.strip().lower() for cell in next(csv.reader([head], delimiter=mark), [])]
        except csv.Error:
            continue
        if set(ADDRESS) <= set(cells):
            return mark
    return ""


def is_decision_list(tree: object) -> bool:
    """Whether a JSON tree is a list of decisions, alone or in an object."""
    if isinstance(tree, dict):
        return "decisions" in tree and "source" not in tree
    return (
        isinstance(tree, list)
        and bool(tree)
        and isinstance(tree[0], dict)
        and set(ADDRESS) <= set(tree[0])
    )


def claims_of_decisions(where: str, given: Sequence[Row]) -> tuple[Claim, ...]:
    """The claims of a table, one for each match. Raises `InvalidConfiguration` with one line."""
    check_names(DecisionRow, At(where, 1), "column", given[0][2])
    return _listed(where, given)


def claims_of_decision_tree(where: str, tree: Any) -> tuple[Claim, ...]:
    """The claims of a JSON tree. Raises `InvalidConfiguration` with one line."""
    tree = tree if isinstance(tree, dict) else {"schema_version": 1, "decisions": tree}
    given = checked(DecisionTree, At(where), tree, "see docs/candidates.md")
    if len(given.decisions) > MOST_ROWS:
        raise InvalidConfiguration(
            f"expected at most {MOST_ROWS} rows, found {len(given.decisions)}; split the file",
            where,
        )
    shared = {name: tree[name] for name in OfList.model_fields if name in tree}
    rows = []
    for number, item in enumerate(given.decisions, 1):
        place = At(where, key=f"decisions, row {number}")
        check_names(DecisionRow, place, "key", item, without=("length", "analysis", "unit"))
        rows.append((number, place, {**shared, **item, "match": item.get("match") or given.match}))
    return _listed(where, rows, (given.program or "")[:LONGEST_NAME])


def _listed(where: str, given: Iterable[Row], program: str = "") -> tuple[Claim, ...]:
    grouped: dict[tuple[object, ...], list[tuple[int, At, DecisionRow]]] = {}
    for number, place, cells in given:
        row = checked(DecisionRow, place, cells)
        grouped.setdefault((row.match, row.length, row.analysis, row.unit), []).append(
            (number, place, row)
        )
    return tuple(_list_claim(where, rows, program) for rows in grouped.values())


def _list_claim(where: str, given: Sequence[tuple[int, At, DecisionRow]], program: str) -> Claim:
    names: dict[str, int] = {}
    for _, place, row in given:
        if names.setdefault(row.player, len(names)) > 1:
            raise InvalidConfiguration(
                f"expected the decisions of two players, found a third, {short(row.player)}; "
                "name the match of each row in a column or key `match`; correct it",
                place,
            )
    rows = [row for _, _, row in given]
    first = rows[0]
    stated_rows = StatedRows(
        line=np.array([number for number, _, _ in given]),
        game=np.array([row.game for row in rows]),
        turn=np.array([row.turn for row in rows]),
        player=np.array([names[row.player] for row in rows]),
        names=tuple(names),
        slot=np.array([row.kind[0] for row in rows]),
        kind=np.array([row.kind[1] for row in rows]),
        counted=np.array([row.counted for row in rows]),
        error=np.array([row.error[0] for row in rows]),
        half=_halves([row.error for row in rows]),
        luck=np.array([row.luck[0] for row in rows]),
        luck_half=_halves([row.luck for row in rows]),
        played=tuple(row.played for row in rows),
        unit=first.unit,
        program=program,
    )
    place = At(
        where, key=f"{plural(len(rows), 'decision')} of {first.match}" if first.match else ""
    )
    players = [name for name in names if name not in SEATS]
    return replace(
        _claim(place, (), players, first.match, first.length, first.analysis, ("", "")),
        rows=stated_rows,
    )


def _halves(numbers: Sequence[Number]) -> Floats:
    """Half of the last printed digit of every number; those that are shorter than most have lost zeros at their end."""
    values, digits = (
        np.array([value for value, _ in numbers]),
        np.array([count for _, count in numbers]),
    )
    shown = digits[(values == values) & (values != 0)]
    usual = np.quantile(shown, USUAL, method="higher") if len(shown) else digits.max(initial=0)
    halves: Floats = 0.5 * 10.0 ** -np.maximum(digits, usual).astype(float)
    return halves
