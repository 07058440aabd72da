"""Imports point one way, so that a stage can be read by itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from docs.making.architecture import BENCHMARK, LAYERS, PACKAGE
from tests.support.data import PROJECT
from tests.support.sources import trees

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FACES = ("__init__.py", "__main__.py")
"""The package's own two modules, which hand on names of every stage."""
MOST_AT_THE_TOP = 7
FILES = sorted(PACKAGE.rglob("*.py"))
MODULES = {
    path: ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
    for path in FILES
}
"""Every module by its name below `reconcile`; a folder's `__init__.py` has the name of the
folder."""
SOURCES = sorted(
    path
    for folder in ("benchmarks", "docs", "engine_benchmark", "reconcile", "tests")
    for path in (PROJECT / folder).rglob("*.py")
)
"""Every Python file of the project; the package that is tested may be installed elsewhere."""
OF_TESTS = re.compile(r"^\s*(?:from|import)\s+tests\b[^(\n]*(?:\([^)]*\))?", re.MULTILINE)
"""An import from the tests: quicker found than parsed."""


def layer(module: str) -> int:
    """The height of the folder or module of the top that holds a module; the package's face is
    above all of them."""
    (height,) = (
        [len(LAYERS)]
        if not module
        else [height for height, row in enumerate(LAYERS) if module.partition(".")[0] in row]
    )
    return height


def at_once(node: ast.AST) -> Iterator[ast.AST]:
    """What runs when a module is imported: nothing inside functions, and nothing for type checkers
    alone."""
    for inner in ast.iter_child_nodes(node):
        if not isinstance(inner, Function) and not (
            isinstance(inner, ast.If) and ast.unparse(inner.test) == "TYPE_CHECKING"
        ):
            yield inner
            yield from at_once(inner)


@cache
def imports(path: Path, late: bool = True) -> tuple[tuple[int, str], ...]:
    """Line and module of every import of this package in a file, `late` ones included; the
    package's face is `""`."""
    modules = set(MODULES.values())
    imported = []
    for node in ast.walk(trees()[path]) if late else at_once(trees()[path]):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            first, _, inside = name.partition(".")
            while first == "reconcile" and inside and inside not in modules:
                inside = inside.rpartition(".")[0]
            if first == "reconcile":
                imported.append((node.lineno, inside))
    return tuple(imported)


def test_every_folder_and_module_has_its_place_and_every_place_its_folder() -> None:
    there = {
        path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for path in FILES
        if path.relative_to(PACKAGE).parts[0] not in FACES
    }
    assert there == {name for row in LAYERS for name in row}


def test_few_modules_are_at_the_top() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= MOST_AT_THE_TOP


def test_module_imports_only_from_below_and_from_its_own_folder() -> None:
    upwards = [
        f"{mine}, line {line}: {module}"
        for path, mine in MODULES.items()
        if path.relative_to(PACKAGE).as_posix() not in FACES
        for line, module in imports(path)
        if module.partition(".")[0] != mine.partition(".")[0] and layer(module) >= layer(mine)
    ]
    assert upwards == []


def with_folders(module: str) -> set[str]:
    """A module and the folders around it, whose `__init__.py` run before it; that of the package
    imports none of it."""
    parts = module.split(".")
    return {".".join(parts[:count]) for count in range(1, len(parts) + 1)}


@pytest.mark.parametrize("late", [True, False], ids=["of all imports", "of those made at once"])
def test_no_circle_of_imports(late: bool) -> None:
    """So every module can be the first that is imported: those made at once also run the
    `__init__.py` of every folder on the way."""
    graph = {}
    for path in (path for path in FILES if path.name != "__main__.py"):
        named = {module for _, module in imports(path, late)}
        graph[MODULES[path]] = (
            named if late else set().union(*map(with_folders, named)) - with_folders(MODULES[path])
        ) - {MODULES[path]}
    assert sum(map(len, graph.values())) > len(graph)
    done: set[str] = set()

    def visit(module: str, above: tuple[str, ...]) -> None:
        assert module not in above, " -> ".join((*above, module))
        if module not in done:
            for below in sorted(graph[module]):
                visit(below, (*above, module))
            done.add(module)

    for module in sorted(graph):
        visit(module, ())


def test_the_benchmark_of_engines_is_loaded_by_its_commands_alone() -> None:
    named = [
        path.relative_to(PACKAGE).as_posix()
        for path in FILES
        if BENCHMARK.name in path.read_text("utf-8")
    ]
    assert named == ["cli/__init__.py", "cli/schemas.py", "report/explain.py"]
    assert f"import {BENCHMARK.name}" not in "".join(path.read_text("utf-8") for path in FILES)


def test_no_module_imports_a_test_module() -> None:
    """What several test modules share stands in a module of its own, named for what it holds."""
    imported = []
    for path in SOURCES:
        text = path.read_text("utf-8")
        if not any("test_" in statement for statement in OF_TESTS.findall(text)):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            imported += [
                f"{path.relative_to(PROJECT)}:{node.lineno}: {name}"
                for name in names
                if name.startswith("tests.")
                and any(part.startswith("test_") for part in name.split("."))
            ]
    assert imported == []
