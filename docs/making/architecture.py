"""The folders of the program in the order of the processing, with what each is for."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

import engine_benchmark
import reconcile
from docs.making.markdown import code, table
from reconcile.corpus.rows import OF_DECISIONS
from reconcile.results.decisions import COLUMNS as LISTED
from reconcile.scoring.decisions import COLUMNS

PACKAGE: Final = Path(reconcile.__file__).parent
BENCHMARK: Final = Path(engine_benchmark.__file__).parent
"""The package beside it, which imports it and is not imported."""
LAYERS: Final[tuple[tuple[str, ...], ...]] = (
    ("errors", "notebook", "version", "wording", "document"),
    ("files", "language"),
    ("match",),
    ("formats", "rules"),
    ("scoring",),
    ("gap", "engines"),
    ("infer",),
    ("results",),
    ("gate", "corpus"),
    ("suite",),
    ("report",),
    ("exercises",),
    ("cli", "pytest_plugin"),
)
"""The folders and the modules beside them, from the ground up: each imports from those above it in
this list and from itself."""

SHOWING: Final = ("gap", "results", "corpus", "report", "exercises", "cli")
"""Those that read the table of decisions for what is shown."""
ASKS: Final = re.compile(
    r"\b(?:stated|column|coded|texts|decision_table|in_order|decisions_of|decisions)\("
)
"""How a module asks for a column, or for the table."""
TABLE: Final = "scoring/decisions.py"
LISTS: Final = {"results/decisions.py": LISTED, "corpus/rows.py": OF_DECISIONS}
"""Modules that name columns in a list."""


def layers() -> str:
    """Every layer and its purpose."""
    rows = [
        (
            str(number),
            code(f"{name}/" if (PACKAGE / name).is_dir() else f"{name}.py"),
            _first(_module(name)),
        )
        for number, row in enumerate(LAYERS, start=1)
        for name in row
    ]
    return table(["layer", "where", "what it is for"], rows)


def columns() -> str:
    """Every column of the table of decisions: where it is made, and which modules read it."""
    sources = {
        path.relative_to(PACKAGE).as_posix(): text
        for folder in SHOWING
        for path in sorted((PACKAGE / folder).rglob("*.py"))
        if ASKS.search(text := path.read_text("utf-8"))
    }
    table_of = (PACKAGE / TABLE).read_text("utf-8")
    rows = []
    for name in COLUMNS:
        made = TABLE if f'"{name}": ' in table_of else "match/facts.py"
        asked = re.compile(rf"""["']{name}["']|aligned\.{name}\b""")
        readers = [
            path
            for path, text in sources.items()
            if asked.search(text) or name in LISTS.get(path, ())
        ]
        rows.append((code(name), code(made), ", ".join(map(code, readers))))
    return table(["column", "made in", "read in"], rows)


def _module(name: str) -> Path:
    return PACKAGE / name / "__init__.py" if (PACKAGE / name).is_dir() else PACKAGE / f"{name}.py"


def _first(path: Path) -> str:
    """The first sentence of a module's docstring."""
    written = re.match(
        r'"""(.*?)"""', path.read_text("utf-8"), re.DOTALL
    )  # quicker than to parse all of it
    text = ast.literal_eval(written[0]) if written else ""
    return " ".join(text.partition("\n\n")[0].split())
