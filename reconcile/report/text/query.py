"""The answer to a query: a table for people, comma-separated values, JSON."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from textwrap import wrap
from typing import Final

from reconcile.corpus.query import Answer
from reconcile.corpus.views import VIEWS
from reconcile.errors import InvalidQuery
from reconcile.report.blocks import Block, Table, beside
from reconcile.report.numbers import GAP, NARROW, WIDTH
from reconcile.report.text.statistics import NO_FIGURE, cell, comma_separated
from reconcile.wording import one_line

DECIMALS: Final = 4
"""Most of a number in a table; a query can round to fewer."""
NARROWEST: Final = 10
WHOLE: Final = ("xgid",)
"""Columns that are of no use when cut."""
CUT: Final = "…"
LARGEST_EXACT: Final = 2**53
"""Of the whole numbers that a `double` holds, and so a reader of JSON."""


def answer_blocks(answer: Answer, width: int | None = None) -> list[Block]:
    """One table, cut to `width` letters where some column of text is long."""
    columns, right = cells(answer)
    if width is not None:
        columns = _fitted(columns, right, width)
    head, *rows = zip(*columns, strict=True)
    return [Table(head, rows, right)]


def answer_csv(answer: Answer) -> str:
    """Comma-separated values; null is an empty field."""
    return comma_separated([map(cell, answer.columns), *(map(_field, row) for row in answer.rows)])


def answer_document(answer: Answer) -> list[dict[str, object]]:
    """A list of objects, one a row; numbers are text in a column where one is too large for
    JavaScript, as those of matches are.

    Raises `InvalidQuery` if two columns have one name.
    """
    twice = [name for name, count in Counter(answer.columns).items() if count > 1]
    if twice:
        raise InvalidQuery(f"expected one column {twice[0]!r}, found several; name them with `as`")
    large = {
        place
        for row in answer.rows
        for place, value in enumerate(row)
        if isinstance(value, int) and abs(value) > LARGEST_EXACT
    }
    rows = (
        [
            str(value_) if place in large and value_ is not None else _json(value_)
            for place, value_ in enumerate(row)
        ]
        for row in answer.rows
    )
    return [dict(zip(answer.columns, row, strict=True)) for row in rows]


def views_answer() -> Answer:
    """The views and their columns as rows."""
    return Answer(
        ("view", "column", "what it holds"),
        [
            (name, column, text)
            for name, view in VIEWS.items()
            for column, (_, text) in view.columns.items()
        ],
    )


def views_text(tables: Sequence[str]) -> str:
    """The same to be read, and the names of the tables."""
    lines = []
    for name, view in VIEWS.items():
        room = max(map(len, view.columns)) + len(GAP)
        lines += wrap(f"{name}: {view.row}", WIDTH)
        lines += [
            line
            for column, (_, words) in view.columns.items()
            for line in beside(GAP + column.ljust(room), words)
        ]
        lines.append("")
    lines += wrap(
        f"The tables themselves: {', '.join(tables)}. `describe NAME` lists the columns of a table "
        "or view with their types.",
        WIDTH,
    )
    return "\n".join(lines) + "\n"


def _field(value: object) -> object:
    """A field that no spreadsheet takes for a formula, which a negative number is not."""
    if value is None or isinstance(value, (int, float, Decimal)):
        return "" if value is None else _plain(value)
    return cell(_plain(value))


def cells(answer: Answer) -> tuple[list[list[str]], list[int]]:
    """Columns of text with their names, and which of them are numbers."""
    columns, right = [], []
    for index, name in enumerate(answer.columns):
        values = [row[index] for row in answer.rows]
        numbers = [value for value in values if value is not None]
        if numbers and all(
            isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
            for value in numbers
        ):
            right.append(index)
        decimals = _decimals([value for value in numbers if isinstance(value, float)])
        columns.append([one_line(name), *(_shown(value, decimals) for value in values)])
    return columns, right


def _decimals(values: Sequence[float]) -> int:
    """As few as show all values, at most `DECIMALS`."""
    return next(
        (
            count
            for count in range(DECIMALS)
            if all(round(value, count) == value for value in values)
        ),
        DECIMALS,
    )


def _shown(value: object, decimals: int) -> str:
    if value is None:
        return NO_FIGURE
    return (
        f"{round(value, decimals) + 0.0:.{decimals}f}"
        if isinstance(value, float)
        else one_line(str(_plain(value)))
    )


def _fitted(columns: Sequence[Sequence[str]], right: Sequence[int], width: int) -> list[list[str]]:
    """The columns with the longest texts cut, as far as it takes and helps."""
    widths = [max(map(len, column)) for column in columns]
    cut = [
        index
        for index, column in enumerate(columns)
        if index not in right and column[0] not in WHOLE
    ]
    while sum(widths) + len(NARROW) * (len(widths) - 1) > width:
        widest = max(cut, key=lambda index: widths[index], default=None)
        if widest is None or widths[widest] <= NARROWEST:
            break
        widths[widest] -= 1
    return [
        [_cut(text, most, is_path=column[0].endswith("file")) for text in column]
        for column, most in zip(columns, widths, strict=True)
    ]


def _cut(text: str, most: int, *, is_path: bool) -> str:
    """A text of at most so many letters; the end of a path says more than its beginning."""
    if len(text) <= most:
        return text
    return CUT + text[-(most - 1) :] if is_path else text[: most - 1] + CUT


def _plain(value: object) -> object:
    """A value of Python as DuckDB writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value)
    return value.isoformat(" ") if isinstance(value, datetime.datetime) else value


def _json(value: object) -> object:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (float, Decimal)):
        number = float(value)
        return number if abs(number) < float("inf") else None
    if isinstance(value, Mapping):
        return {str(key): _json(entry) for key, entry in value.items()}
    return [_json(entry) for entry in value] if isinstance(value, (list, tuple)) else str(value)
