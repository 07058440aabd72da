"""Write match equity tables in gnuBG's XML form, right and wrong."""

from __future__ import annotations

from collections.abc import Sequence

Rows = Sequence[Sequence[object]]


def explicit_pre(rows: Rows) -> str:
    return f'<pre-crawford-table type="explicit">{"".join(map(_row, rows))}</pre-crawford-table>'


def explicit_post(figures: Sequence[object], player: str = "both") -> str:
    return f'<post-crawford-table type="explicit" player="{player}">{_row(figures)}</post-crawford-table>'


def parametric_pre(kind: str) -> str:
    return f'<pre-crawford-table type="{kind}"><parameters/></pre-crawford-table>'


def parametric_post(kind: str, player: str = "both", /, **parameters: object) -> str:
    inner = "".join(f'<parameter name="{name.replace("_", "-")}">{value}</parameter>' for name, value in parameters.items())
    return f'<post-crawford-table type="{kind}" player="{player}"><parameters>{inner}</parameters></post-crawford-table>'


def table_xml(length: object, *tables: str, head: str = "") -> str:
    info = f"<info><name>Made here</name><description>for a test</description><length>{length}</length></info>"
    return f'<?xml version="1.0"?>\n{head}<met>\n{info}\n{"".join(tables)}\n</met>\n'


def _row(figures: Sequence[object]) -> str:
    return "<row>" + "".join(f"<me>{figure}</me>" for figure in figures) + "</row>"


THREE_POINTS: Rows = ((0.5, 0.68, 0.75), (0.32, 0.5, 0.6), (0.25, 0.4, 0.5))
POST: Sequence[float] = (0.5, 0.48, 0.3)
GOOD = table_xml(3, explicit_pre(THREE_POINTS), explicit_post(POST))
