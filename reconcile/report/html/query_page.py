"""The answer to a query as a page: chosen columns of numbers as points on one axis, and the
table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from reconcile.corpus.query import Answer
from reconcile.errors import InvalidQuery
from reconcile.report.html.charts import Point, points
from reconcile.report.html.render import render
from reconcile.report.text.query import cells
from reconcile.wording import listed

DRAWN: Final = 60
"""Rows of the picture."""
LISTED: Final = 2000
"""Rows of the table."""
SERIES: Final = 3
"""Columns that are told apart by the shape of their marks."""
LONGEST_LABEL: Final = 48
LETTER: Final = 8.8
"""Width of one, of labels, as large as they are on a phone."""
ACROSS: Final = 360.0
"""Width of the axis."""


def query_page(answer: Answer, sql: str, drawn: Sequence[str]) -> str:
    """The answer as one HTML file with these columns drawn, a row of points for each row.

    Raises `InvalidQuery` if one is no column of numbers, or there are more than can be told apart.
    """
    columns, right = cells(answer)
    names = [column[0] for column in columns]
    wrong = [name for name in drawn if names.count(name) != 1 or names.index(name) not in right]
    if wrong or not 1 <= len(drawn) <= SERIES:
        numbers = listed([names[place] for place in right]) or "none"
        raise InvalidQuery(
            f"expected 1 to {SERIES} columns of numbers to draw, of {numbers}; "
            f"found {listed(wrong or drawn) or 'none'}"
        )
    places = [names.index(name) for name in drawn]
    labels = [
        " · ".join(row[: min(places)])
        for row in zip(*(column[1 : DRAWN + 1] for column in columns), strict=True)
    ]
    by = names[: min(places)]
    return render(
        "query.html.j2",
        heading=(listed(drawn) + (f" by {listed(by)}" if by else "")).replace("_", " "),
        chart=_chart(
            answer,
            labels,
            list(zip(drawn, places, strict=True)),
            [columns[place] for place in places],
        ),
        names=names,
        right=right,
        rows=list(zip(*(column[1 : LISTED + 1] for column in columns), strict=True)),
        count=len(answer.rows),
        drawn=DRAWN,
        sql=sql.strip(),
    )


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
    if not any(inside for _, inside in rows):
        return ""
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
