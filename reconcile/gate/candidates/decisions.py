"""Lists of decisions, a row for each, in CSV or JSON (schema `decisions`).

match,game,turn,player,kind,counted,error
gnubg-7pt-0ply,1,2,Ann,no-double,1,0
gnubg-7pt-0ply,1,2,Ann,play,1,0.023
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, Literal, get_args

import numpy as np
from pydantic import Field

from reconcile.errors import At, InvalidConfiguration
from reconcile.files.limits import MOST_CLAIMS, MOST_ROWS
from reconcile.files.wording import plural
from reconcile.gate.candidates.claims import SEATS, Claim, StatedRows, Unit, short
from reconcile.gate.candidates.figures import claim_of
from reconcile.gate.candidates.interface import (
    LONGEST_NAME,
    Form,
    OfMatch,
    Row,
    Text,
    check_names,
    checked,
    one_of,
    player_of,
    read_as,
    text_of,
    whole_number,
)
from reconcile.infer.reported import Number, printed_number
from reconcile.match.columns import Floats, Kind

KINDS: Final = {kind.label: kind.value for kind in Kind}
FLAGS: Final = {"1": True, "true": True, "0": False, "false": False, "": False}
LARGEST_NUMBER: Final = 10**6
"""Larger than any number of a game or a turn."""
USUAL: Final = 0.9
"""Share of the errors that are printed with no more digits than the list as a whole: JSON loses
zeros at the end, and a few numbers have binary noise."""
ADDRESS: Final = frozenset({"game", "turn"})
"""Columns that only a list of decisions has."""


def _number(cell: object) -> Number | None:
    """A number with its decimals, as it is printed."""
    return None if isinstance(cell, str) and "," in cell else printed_number(cell)[1]


def _flag(cell: object) -> bool | None:
    return FLAGS.get(str(cell).strip().lower()) if isinstance(cell, (bool, int, str)) else None


def _kind(cell: object) -> int | None:
    return KINDS.get(cell) if isinstance(cell, str) else None


class OfList(OfMatch):
    """What holds for all decisions of a match."""

    unit: Annotated[Unit, one_of(get_args(Unit), "equity")] = "equity"


FROM_ONE: Final = f"a whole number from 1 to {LARGEST_NUMBER} (the first is 1)"
Turn = Annotated[int, read_as(FROM_ONE, whole_number(LARGEST_NUMBER))]
AS_PRINTED: Final = "a number as the program prints it, or nothing"
Printed = Annotated[Number, read_as(AS_PRINTED, _number, (np.nan, 0))]
Action = Annotated[str, read_as("an action as text", text_of, "")]
NAMED: Final = "a name, or 1 or 2 for the first or second player of the file"


class DecisionRow(OfList):
    """A line with a decision."""

    game: Turn
    turn: Turn
    player: Annotated[str, read_as(NAMED, player_of)]
    kind: Annotated[int, read_as(f"one of {', '.join(KINDS)}", _kind)]
    counted: Annotated[bool, read_as("1 or 0, true or false", _flag)]
    error: Printed
    best: Action = ""
    played: Action = ""
    luck: Printed = (np.nan, 0)


class DecisionTree(OfList):
    """A list of decisions in JSON."""

    schema_version: Literal[1]
    program: str | None = None
    decisions: list[dict[str, Any]] = Field(min_length=1)


def _is_tree(source: Text) -> bool:
    """Whether a JSON tree is a list of decisions, alone or in an object."""
    tree = source.tree
    if isinstance(tree, list):
        return bool(tree) and isinstance(tree[0], dict) and set(tree[0]) >= ADDRESS
    return isinstance(tree, dict) and "decisions" in tree and "source" not in tree


def _claims_of_tree(source: Text) -> tuple[Claim, ...]:
    tree = source.tree
    tree = tree if isinstance(tree, dict) else {"schema_version": 1, "decisions": tree}
    document = checked(DecisionTree, At(source.where), tree, "see docs/candidates.md")
    if (count := len(document.decisions)) > MOST_ROWS:
        most = f"expected at most {MOST_ROWS} rows, found {count}; split the file"
        raise InvalidConfiguration(most, source.where)
    shared = {name: tree[name] for name in OfList.model_fields if name in tree}
    rows = []
    for number, item in enumerate(document.decisions, 1):
        place = At(source.where, key=f"decisions, row {number}")
        check_names(DecisionRow, place, "key", list(item), ("length", "analysis", "unit"))
        match = item.get("match") or document.match
        rows.append((number, place, {**shared, **item, "match": match}))
    return _claims(source.where, rows, (document.program or "")[:LONGEST_NAME])


def _claims_of_table(source: Text) -> tuple[Claim, ...]:
    check_names(DecisionRow, At(source.where, 1), "column", source.header)
    return _claims(source.where, source.rows())


def _claims(where: str, rows: Iterable[Row], program: str = "") -> tuple[Claim, ...]:
    """A claim for each match."""
    groups: dict[tuple[object, ...], list[tuple[int, At, DecisionRow]]] = {}
    for number, place, cells in rows:
        row = checked(DecisionRow, place, cells)
        key = row.match, row.length, row.analysis, row.unit
        groups.setdefault(key, []).append((number, place, row))
    if (count := len(groups)) > MOST_CLAIMS:
        most = f"expected decisions of at most {MOST_CLAIMS} matches, found {count}; split the file"
        raise InvalidConfiguration(most, where)
    return tuple(_claim(where, group, program) for group in groups.values())


def _claim(where: str, group: Sequence[tuple[int, At, DecisionRow]], program: str) -> Claim:
    names: dict[str, int] = {}
    for _, place, row in group:
        if names.setdefault(row.player, len(names)) > 1:
            raise InvalidConfiguration(
                f"expected the decisions of two players, found a third, {short(row.player)}; "
                "name the match of each row in a column or key `match`; correct it",
                place,
            )
    rows = [row for _, _, row in group]
    first = rows[0]
    columns = {
        name: np.array([getattr(row, name) for row in rows])
        for name in ("game", "turn", "kind", "counted")
    }
    (error, half), (luck, luck_half) = (
        _column([getattr(row, name) for row in rows]) for name in ("error", "luck")
    )
    listed = StatedRows(
        line=np.array([number for number, _, _ in group]),
        player=np.array([names[row.player] for row in rows]),
        names=tuple(names),
        error=error,
        half=half,
        luck=luck,
        luck_half=luck_half,
        played=tuple(row.played for row in rows),
        unit=first.unit,
        program=program,
        **columns,
    )
    key = f"{plural(len(rows), 'decision')} of {first.match}" if first.match else ""
    players = [name for name in names if name not in SEATS]
    return replace(claim_of(At(where, key=key), first, players, ("", "")), rows=listed)


def _column(numbers: Sequence[Number]) -> tuple[Floats, Floats]:
    """Numbers, and half of the last printed digit of each; the shorter ones have lost zeros."""
    values = np.array([value for value, _ in numbers])
    digits = np.array([count for _, count in numbers])
    shown = digits[(values == values) & (values != 0)]
    usual = digits.max(initial=0)
    if len(shown):
        usual = np.quantile(shown, USUAL, method="higher")
    return values, 0.5 * 10.0 ** -np.maximum(digits, usual).astype(float)


JSON: Final = Form("decisions in JSON", _is_tree, _claims_of_tree)
CSV: Final = Form(
    "decisions in CSV", lambda source: set(source.header) >= ADDRESS, _claims_of_table
)
