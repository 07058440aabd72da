"""The answer to a query: a table for people with chosen columns as points on one axis,
comma-separated values, JSON."""

from __future__ import annotations

import datetime
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from textwrap import wrap
from typing import Final

from reconcile.corpus.query import Answer
from reconcile.corpus.views import VIEWS
from reconcile.errors import InvalidQuery
from reconcile.report.blocks import Block, Heading, Picture, Sentences, Table, Title, beside
from reconcile.report.html.charts import Point, points
from reconcile.report.numbers import GAP, NARROW, WIDTH
from reconcile.report.text.statistics import NO_FIGURE, cell, comma_separated
from reconcile.wording import listed, one_line

DECIMALS: Final = 4
"""Most of a number in a table; a query can round to fewer."""
NARROWEST: Final = 10
WHOLE: Final = ("xgid",)
"""Columns that are of no use when cut."""
CUT: Final = "…"
DRAWN: Final = 60
"""Rows of the picture."""
LISTED: Final = 2000
"""Rows of the table of a document."""
SERIES: Final = 3
"""Columns that are told apart by the shape of their marks."""
LONGEST_LABEL: Final = 48
LETTER: Final = 8.8
"""Width of one, of labels, as large as they are on a phone."""
ACROSS: Final = 360.0
"""Width of the axis."""
LARGEST_EXACT: Final = 2**53
"""Of the whole numbers that a `double` holds, and so a reader of JSON."""


def answer_blocks(
    answer: Answer, width: int | None = None, *, sql: str = "", drawn: Sequence[str] = ()
) -> Iterator[Block]:
    """One table, cut to `width` letters where some column of text is long; for a document also
    these columns drawn, a row of points for each row, and the question.

    Raises `InvalidQuery` if one is no column of numbers, or there are more than can be told apart.
    """
    columns, right = cells(answer)
    if sql:
        yield from _drawn(answer, columns, right, drawn)
    if width is not None:
        columns = _fitted(columns, right, width)
    head, *rows = zip(*columns, strict=True)
    most = LISTED if sql else None
    yield Table(head, rows[:most], right)
    if sql:
        if len(rows) > LISTED:
            few = f"The first {LISTED} of {len(rows)} rows; `--format csv` gives all."
            yield Sentences([few])
        yield Heading("The question")
        yield Sentences([sql.strip()], wrapped=False)


def _drawn(
    answer: Answer, columns: Sequence[Sequence[str]], right: Sequence[int], drawn: Sequence[str]
) -> Iterator[Block]:
    names = [column[0] for column in columns]
    wrong = [name for name in drawn if names.count(name) != 1 or names.index(name) not in right]
    if wrong or not 1 <= len(drawn) <= SERIES:
        numbers = listed([names[place] for place in right]) or "none"
        raise InvalidQuery(
            f"expected 1 to {SERIES} columns of numbers to draw, of {numbers}; "
            f"found {listed(wrong or drawn) or 'none'}"
        )
    places = [names.index(name) for name in drawn]
    by = names[: min(places)]
    name = (listed(drawn) + (f" by {listed(by)}" if by else "")).replace("_", " ")
    yield Title(name)
    rows = list(zip(*(column[1 : DRAWN + 1] for column in columns), strict=True))
    labels = [" · ".join(row[: min(places)]) for row in rows]
    shown = [columns[place] for place in places]
    series = list(zip(drawn, places, strict=True))
    if any(_number(row[place]) is not None for row in answer.rows[:DRAWN] for place in places):
        few = f"The first {DRAWN} rows are drawn." if len(answer.rows) > DRAWN else ""
        yield Picture(name, partial(_chart, answer, labels, series, shown), few)
    else:
        yield Sentences(["Nothing to draw: no number is known."])


def _chart(
    answer: Answer,
    labels: Sequence[str],
    series: Sequence[tuple[str, int]],
    shown: Sequence[Sequence[str]],
) -> str:
    """The points; a value that is unknown has none."""
    names = [
        label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 14]}… {label[-12:]}"
        for label in labels
    ]
    rows = []
    for index, name in enumerate(names):
        inside = [
            Point(value, f"{name}: {title} {shown[shape][index + 1]}", shape=shape)
            for shape, (title, place) in enumerate(series)
            if (value := _number(answer.rows[index][place])) is not None
        ]
        rows.append((name, inside))
    start = 24.0 + LETTER * max(map(len, names))
    legend = [title for title, _ in series]
    summary = "Each row of the picture is a row of the table, each mark a number in it."
    return points(
        rows,
        "answer-chart",
        listed(legend),
        summary,
        labels=start,
        right=start + ACROSS,
        legend=legend,
    )


def _number(value: object) -> float | None:
    """A number, or nothing for null and what is infinite or no number."""
    number = float(value) if isinstance(value, (int, float, Decimal)) else math.nan
    return number if math.isfinite(number) else None


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
