"""Lists of decisions, a row for each, in CSV or JSON (schema `decisions`).

match,game,turn,player,kind,counted,error
gnubg-7pt-0ply,1,2,Ann,no-double,1,0
gnubg-7pt-0ply,1,2,Ann,play,1,0.023
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import BeforeValidator, Field, PlainValidator

from reconcile.errors import At, InvalidConfiguration
from reconcile.files.limits import MOST_ROWS
from reconcile.gate.candidates.claims import SEATS, Claim, Unit, short
from reconcile.gate.candidates.interface import (
    CandidateText,
    Form,
    OfMatch,
    Player,
    Words,
    blank_as,
    claim_of,
)
from reconcile.infer.reported import Number, printed_number
from reconcile.match.columns import Floats, Kind, KindName
from reconcile.wording import plural

KINDS: Final = {kind.label: kind.value for kind in Kind}
LARGEST_NUMBER: Final = 10**6
"""Larger than any number of a game or a turn."""
USUAL: Final = 0.9
"""Share of the errors that are printed with no more digits than the list as a whole: JSON loses
zeros at the end, and a few numbers have binary noise."""
ADDRESS: Final = frozenset({"game", "turn"})
"""Columns that only a list of decisions has."""
SHARED: Final = ("match", "length", "analysis", "unit")
"""What holds for all decisions of a match."""


def _printed(cell: object) -> Number:
    """A number with its decimals, as it is printed; NaN for an empty cell."""
    if cell in (None, ""):
        return np.nan, 0
    number = None if isinstance(cell, str) and "," in cell else printed_number(cell)[1]
    if number is None:
        raise ValueError("expected a number as the program prints it, or nothing")
    return number


def _text(cell: object) -> object:
    """A number as text, which may be of any length."""
    return int(cell) if isinstance(cell, str) and cell.isdecimal() and len(cell) < 9 else cell


Turn = Annotated[int, Field(ge=1, le=LARGEST_NUMBER, strict=True), BeforeValidator(_text)]
Printed = Annotated[Number, PlainValidator(_printed)]


class OfList(OfMatch):
    """What holds for all decisions of a match."""

    unit: Annotated[Unit, blank_as("equity")] = "equity"


class DecisionRow(OfList):
    """A line with a decision."""

    game: Turn
    turn: Turn
    player: Player
    kind: KindName
    counted: Annotated[bool, blank_as(False)]
    error: Printed
    best: Words = ""
    played: Words = ""
    luck: Printed = (np.nan, 0)


class TreeRow(DecisionRow):
    """A decision in JSON, which may have the plays that its tool considered."""

    candidates: Any = None
    """Not judged."""


class DecisionTree(OfList):
    """A list of decisions in JSON."""

    schema_version: Literal[1]
    program: str | None = None
    decisions: Annotated[list[TreeRow], Field(min_length=1, max_length=MOST_ROWS)]


def _is_tree(source: CandidateText) -> bool:
    """Whether a JSON tree is a list of decisions, alone or in an object."""
    tree = source.tree
    if isinstance(tree, list):
        return bool(tree) and isinstance(tree[0], dict) and set(tree[0]) >= ADDRESS
    return isinstance(tree, dict) and "decisions" in tree and "source" not in tree


def _claims_of_tree(source: CandidateText) -> Iterator[Claim]:
    tree = source.tree
    values = tree if isinstance(tree, dict) else {"schema_version": 1, "decisions": tree}
    list_: DecisionTree = source.checked(DecisionTree, values)
    shared = list_.model_dump(include=set(SHARED))
    rows = [
        (
            At(source.where, key=f"decisions.{index}"),
            index + 1,
            row.model_copy(update={key: shared[key] for key in {*SHARED} - row.model_fields_set}),
        )
        for index, row in enumerate(list_.decisions)
    ]
    yield from _claims(source, rows, list_.program or "")


def _claims_of_table(source: CandidateText) -> Iterator[Claim]:
    rows = [(place, place.line or 0, row) for place, row in source.rows(DecisionRow)]
    yield from _claims(source, rows)


def _claims(
    source: CandidateText, rows: Sequence[tuple[At, int, DecisionRow]], program: str = ""
) -> Iterator[Claim]:
    """A claim for each match; a row is its place, its line or number, and what it has."""
    import pandas as pd

    shared = attrgetter(*SHARED)
    for group in source.grouped(rows, lambda entry: shared(entry[2])):
        players = list(dict.fromkeys(row.player for _, _, row in group))
        if len(players) > 2:
            place = next(at for at, _, row in group if row.player == players[2])
            third = f"expected the decisions of two players, found a third, {short(players[2])}"
            remedy = "name the match of each row in a column or key `match`"
            raise InvalidConfiguration(f"{third}; {remedy}; correct it", place)
        first = group[0][2]
        table = pd.DataFrame([{"line": line, **dict(row)} for _, line, row in group])
        table["kind"] = table["kind"].map(KINDS)
        for name, half in (("error", "half"), ("luck", "luck_half")):
            table[name], table[half] = _column(table[name].tolist())
        key = f"{plural(len(group), 'decision')} of {first.match}" if first.match else ""
        names = [name for name in players if name not in SEATS]
        about = At(source.where, key=key), first, names, program
        yield claim_of(*about, rows=table, unit=first.unit)


def _column(numbers: Sequence[Number]) -> tuple[Floats, Floats]:
    """Numbers, and half of the last printed digit of each; the shorter ones have lost zeros."""
    values, digits = (np.array(column) for column in zip(*numbers, strict=True))
    shown = digits[(values == values) & (values != 0)]
    usual = np.quantile(shown, USUAL, method="higher") if len(shown) else digits.max()
    return values.astype(float), 0.5 * 10.0 ** -np.maximum(digits, usual).astype(float)


JSON: Final = Form(_is_tree, _claims_of_tree)
CSV: Final = Form(lambda source: set(source.header) >= ADDRESS, _claims_of_table)
