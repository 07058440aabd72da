"""Match equity tables in gnuBG's XML form, right and wrong."""

from collections.abc import Sequence
from typing import Any

from tests.support.tables import beside

CASES: dict[str, dict[str, Any]] = beside(__file__, "tables.yaml")
GOOD_TABLE = CASES["read"]["good"]


def table_xml(case):
    """The table of a case; what is not given is as in the good one."""
    if "xml" in case:
        return str(case["xml"])
    table = {**GOOD_TABLE, **case}
    rows, post = table["pre"], table["post"]
    tables = [_table("pre", rows) if isinstance(rows, str) else _table("pre", "explicit", rows)]
    for player, figures in post.items():
        is_listed = isinstance(figures, Sequence)
        kind = "explicit" if is_listed else figures["type"]
        tables.append(_table("post", kind, [figures] if is_listed else figures, player))
    info = (
        "<info><name>Made here</name><description>for a "
        f"test</description><length>{table['length']}</length></info>"
    )
    head = table.get("head", "")
    text = f'<?xml version="1.0"?>\n{head}<met>\n{info}\n{"".join(tables)}\n</met>\n'
    return text.replace(*case["instead"]) if "instead" in case else text


def _table(game, kind, content=(), player=""):
    if kind == "explicit":
        inner = "".join(
            "<row>" + "".join(f"<me>{figure}</me>" for figure in row) + "</row>" for row in content
        )
    else:
        parameters = dict(content)
        parameters.pop("type", None)
        inner = "".join(
            f'<parameter name="{name}">{value}</parameter>' for name, value in parameters.items()
        )
        inner = f"<parameters>{inner}</parameters>"
    whose = f' player="{player}"' if player else ""
    return f'<{game}-crawford-table type="{kind}"{whose}>{inner}</{game}-crawford-table>'


GOOD = table_xml({})
