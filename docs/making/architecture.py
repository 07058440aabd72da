"""The folders of the program in the order of the processing, with what each is for."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

import engine_benchmark
import reconcile
from docs.making.markdown import code, table

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


def _module(name: str) -> Path:
    return PACKAGE / name / "__init__.py" if (PACKAGE / name).is_dir() else PACKAGE / f"{name}.py"


def _first(path: Path) -> str:
    """The first sentence of a module's docstring."""
    written = re.match(
        r'"""(.*?)"""', path.read_text("utf-8"), re.DOTALL
    )  # quicker than to parse all of it
    text = ast.literal_eval(written[0]) if written else ""
    return " ".join(text.partition("\n\n")[0].split())
