"""Run the notebook's cells and store what each shows.

python -m docs.making.notebook
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "first-steps.ipynb"

DRAWN = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}
"""By kind of picture who makes it."""


def executed() -> dict[str, Any]:
    """The notebook with the results of its cells; each cell ends with an expression."""
    book: dict[str, Any] = json.loads(NOTEBOOK.read_text("utf-8"))
    names: dict[str, Any] = {}
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        *statements, last = ast.parse("".join(cell["source"])).body
        assert isinstance(last, ast.Expr)
        exec(compile(ast.Module(statements, []), "cell", "exec"), names)  # noqa: S102
        result = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307
        drawn = {
            kind: getattr(result, name)() for kind, name in DRAWN.items() if hasattr(result, name)
        }
        shown = drawn | {"text/plain": repr(result)}
        cell["execution_count"] = number
        cell["outputs"] = [
            {
                "data": {kind: text.splitlines(keepends=True) for kind, text in shown.items()},
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        ]
    return book


if __name__ == "__main__":
    text = json.dumps(executed(), indent=1, ensure_ascii=False)
    NOTEBOOK.write_text(text + "\n", encoding="utf-8", newline="\n")
