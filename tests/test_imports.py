"""Imports point one way, so that a stage can be read without the later ones; and starting up costs no more than it must."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "reconcile"
LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors", "names"),
    ("position", "play", "identifiers"),
    ("match", "met"),
    ("situation", "equity", "fingerprint"),
    ("adapters", "rules"),
    ("scoring",),
    ("metrics", "figures"),
    ("gnubg_table",),
    ("bands",),
    ("findings",),
    ("pairing", "transcript"),
    ("bundled", "yaml_file", "output", "cache", "processes"),
    ("engines",),
    ("aliases", "manifest"),
    ("pack_files", "fetching"),
    ("pool", "anonymise"),
    ("items", "causes"),
    ("bridge",),
    ("tolerances",),
    ("benchmark",),
    ("judging",),
    ("attribution", "states"),
    ("walk",),
    ("comparison", "contributions", "disagreements"),
    ("combinations", "investigation", "measurement", "skeleton", "reference", "candidates", "results"),
    ("convert", "explain", "changes", "documents", "cases", "corpus", "folders", "planned"),
    ("report", "ledger_file"),
    ("cli", "pytest_plugin"),
)
"""Modules and folders from the ground up: each may import from those below it and from its own row."""
HEAVY = (
    "pandas",
    "deepdiff",
    "jinja2",
    "rich",
    "pydantic",
    "yaml",
    "click",
    "hypothesis",
    "duckdb",
    "pyarrow",
    "pooch",
    "dask",
    "platformdirs",
)


def layer(module: str) -> int | None:
    """The height of a module below `reconcile`; None for one that has no fixed place."""
    return next((height for height, row in enumerate(LAYERS) if module in row), None)


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and top module below `reconcile` of every import in a file, those inside functions included."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: relative import"
            names = [f"{node.module}.{alias.name}" if node.module == "reconcile" else str(node.module) for alias in node.names]
        else:
            continue
        for name in names:
            first, _, rest = name.partition(".")
            if first == "reconcile" and rest:
                yield node.lineno, rest.partition(".")[0]


FILES = sorted(PACKAGE.rglob("*.py"))


def home(path: Path) -> str:
    inside = path.relative_to(PACKAGE)
    return inside.parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", [path for path in FILES if layer(home(path)) is not None], ids=lambda path: str(path.relative_to(PACKAGE)))
def test_module_imports_only_from_below(path: Path) -> None:
    mine = layer(home(path))
    assert mine is not None
    upwards = [
        f"line {line}: {module}"
        for line, module in imports(path)
        if module != home(path) and (height := layer(module)) is not None and height > mine
    ]
    assert upwards == []


def test_no_circle_of_imports_whatever_the_layer() -> None:
    graph: dict[str, set[str]] = {}
    for path in FILES:
        if path != PACKAGE / "__init__.py":
            graph.setdefault(home(path), set()).update(module for _, module in imports(path) if module != home(path))
    done: set[str] = set()

    def visit(module: str, above: tuple[str, ...]) -> None:
        assert module not in above, " -> ".join((*above, module))
        if module not in done:
            for below in sorted(graph.get(module, ())):
                visit(below, (*above, module))
            done.add(module)

    for module in sorted(graph):
        visit(module, ())


def test_every_layer_exists() -> None:
    missing = [name for row in LAYERS for name in row if not (PACKAGE / f"{name}.py").exists() and not (PACKAGE / name).is_dir()]
    assert missing == []


@pytest.mark.parametrize(
    "modules",
    ["reconcile.figures", "reconcile.adapters", "reconcile.adapters.xg", "reconcile.adapters.gnubg", "reconcile.gnubg_table"],
)
def test_loading_and_scoring_import_nothing_heavy(modules: str) -> None:
    found = imported_after(f"import {modules}")
    assert sorted(found & set(HEAVY)) == []


def test_scoring_a_file_imports_nothing_heavy_either() -> None:
    made = "(;GM[6]MI[length:5][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford];W[31hefe];B[66])"
    found = imported_after(
        "from reconcile.adapters import read_match; from reconcile.figures import statistics;"
        f"statistics(read_match('made.sgf', {made!r}.encode())).figures(0)"
    )
    assert sorted(found & set(HEAVY)) == []


def imported_after(code: str) -> set[str]:
    """The top modules that a fresh interpreter holds after running some code."""
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(' '.join(sys.modules))"],
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return {name.partition(".")[0] for name in ran.stdout.split()}
