"""Write match equity tables in gnuBG's XML form, right and wrong."""

from __future__ import annotations

from collections.abc import Sequence

Rows = Sequence[Sequence[object]]


def explicit_pre(rows: Rows) -> str:
    return f'<pre-crawford-table type="explicit">{"".join(map(_row, rows))}</pre-crawford-table>'


def explicit_post(figures: Sequence[object], player: str = "both") -> str:
    return (
        '<post-crawford-table type="explicit" '
        f'player="{player}">{_row(figures)}</post-crawford-table>'
    )


def parametric_pre(kind: str) -> str:
    return f'<pre-crawford-table type="{kind}"><parameters/></pre-crawford-table>'


def parametric_post(kind: str, player: str = "both", /, **parameters: object) -> str:
    inner = "".join(
        f'<parameter name="{name.replace("_", "-")}">{value}</parameter>'
        for name, value in parameters.items()
    )
    return (
        f'<post-crawford-table type="{kind}" '
        f'player="{player}"><parameters>{inner}</parameters></post-crawford-table>'
    )


def table_xml(length: object, *tables: str, head: str = "") -> str:
    info = (
        "<info><name>Made here</name><description>for a "
        f"test</description><length>{length}</length></info>"
    )
    return f'<?xml version="1.0"?>\n{head}<met>\n{info}\n{"".join(tables)}\n</met>\n'


def _row(figures: Sequence[object]) -> str:
    return "<row>" + "".join(f"<me>{figure}</me>" for figure in figures) + "</row>"


THREE_POINTS: Rows = ((0.5, 0.68, 0.75), (0.32, 0.5, 0.6), (0.25, 0.4, 0.5))
POST: Sequence[float] = (0.5, 0.48, 0.3)
GOOD = table_xml(3, explicit_pre(THREE_POINTS), explicit_post(POST))


FLAT: Rows = [[0.5] * 3] * 3
UPSIDE_DOWN: Rows = THREE_POINTS[::-1]


def explicit(rows: Rows = THREE_POINTS, *post: str) -> str:
    return table_xml(len(rows), explicit_pre(rows), *(post or (explicit_post(POST),)))


def three_points(*chances: float) -> Rows:
    """A table of three points with these chances above its diagonal."""
    one_two, one_three, two_three = chances
    return [
        [0.5, one_two, one_three],
        [1 - one_two, 0.5, two_three],
        [1 - one_three, 1 - two_three, 0.5],
    ]


IMPOSSIBLE = {
    "rows reversed": (
        explicit(UPSIDE_DOWN),
        r"pre-Crawford table: row 2, figure 1: expected a chance not higher than 0.25, .* found "
        r"0.32;",
    ),
    "columns reversed": (
        explicit([row[::-1] for row in THREE_POINTS]),
        r"row 2, figure 3: expected a chance not higher|row 1, figure 2",
    ),
    "all alike": (
        explicit(FLAT, explicit_post([0.5, 0.5, 0.5])),
        r"row 2, figure 2: expected the player to have more after winning",
    ),
    "a better chance a point further": (
        explicit([[0.5, 0.68, 0.66], [0.32, 0.5, 0.6], [0.34, 0.4, 0.5]]),
        "row 3, figure 1",
    ),
    "the opponent closer and worse off": (
        explicit([[0.5, 0.68, 0.67], [0.32, 0.5, 0.6], [0.3, 0.4, 0.5]]),
        "row 1, figure 3: .* not lower",
    ),
    "sums of more than 1": (
        explicit([[0.5, 0.70, 0.75], [0.32, 0.5, 0.6], [0.25, 0.4, 0.5]]),
        r"row 1, figure 2: expected 0.68, since",
    ),
    "an even score that is not even": (
        explicit([[0.55, 0.68, 0.75], [0.32, 0.5, 0.6], [0.25, 0.4, 0.5]]),
        "row 1, figure 1: expected 0.45",
    ),
    "trailers reversed": (
        explicit(THREE_POINTS, explicit_post(POST[::-1])),
        "post-Crawford table both: figure 2: .* not higher than 0.3",
    ),
    "a trailer without a chance": (
        explicit(THREE_POINTS, explicit_post([0.5, 0.0])),
        "post-Crawford table: expected chances between 0 and 1",
    ),
    "trailers' even score": (
        explicit(THREE_POINTS, explicit_post([0.6, 0.4])),
        "post-Crawford table: figure 1: .* found 1.2",
    ),
    "one player's trailers": (
        explicit(THREE_POINTS, explicit_post(POST, "0"), explicit_post([0.5, 0.51], "1")),
        "post-Crawford table 1: figure 2: expected a chance not higher than 0.5",
    ),
    "unequal players' even score": (
        explicit(THREE_POINTS, explicit_post([0.6, 0.4], "0"), explicit_post(POST, "1")),
        "found 1.1;",
    ),
    "a free drop of everything": (
        table_xml(-1, parametric_pre("zadeh"), parametric_post("zadeh", free_drop_2_away=1)),
        r"post-Crawford table: expected chances between 0 and 1 at every score, found -0.5",
    ),
}
