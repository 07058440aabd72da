"""Imports point one way, so that a stage can be read by itself; and the map of the program names
only what there is."""

import ast
import re
from functools import cache

import pytest

from tests.support.claims import some
from tests.support.data import PROJECT
from tests.support.sources import PACKAGE, trees

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FACES = ("__init__.py", "__main__.py")
"""The package's own two modules, which hand on names of every stage."""
MOST_AT_THE_TOP = 8
FILES = sorted(PACKAGE.rglob("*.py"))
MODULES = {
    path: ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
    for path in FILES
}
"""Every module by its name below `reconcile`; a folder's `__init__.py` has the name of the
folder."""
ROOMS = ("benchmarks", "docs", "engine_benchmark", "reconcile", "tests")
MAP = (PROJECT / "docs" / "architecture.md").read_text("utf-8")
LAYERS = {
    name: int(height)
    for height, name in re.findall(r"^\| (\d+) \| `(\w+)(?:/|\.py)` \|", MAP, re.MULTILINE)
}
"""The height of every folder, and of the modules beside them: each imports from those below it and
from itself."""
BENCHMARK = "engine_benchmark"
"""The package beside it, which imports it and is not imported."""


def layer(module):
    """The height of the folder or module of the top that holds a module; the package's face is
    above all of them."""
    return LAYERS[module.partition(".")[0]] if module else len(LAYERS)


def at_once(node):
    """What runs when a module is imported: nothing inside functions, and nothing for type checkers
    alone."""
    for inner in ast.iter_child_nodes(node):
        checked = isinstance(inner, ast.If) and ast.unparse(inner.test) == "TYPE_CHECKING"
        if not isinstance(inner, Function) and not checked:
            yield inner
            yield from at_once(inner)


def imported(nodes):
    """Line and full name of everything that is imported."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


@cache
def imports(path, late=True):
    """Line and module of every import of this package in a file, `late` ones included; the
    package's face is `""`."""
    modules, tree = set(MODULES.values()), trees()[path]
    lines = []
    for line, name in imported(iter(ast.walk(tree)) if late else at_once(tree)):
        first, _, inside = name.partition(".")
        while inside and inside not in modules:
            inside = inside.rpartition(".")[0]
        if first == "reconcile":
            lines.append((line, inside))
    return tuple(lines)


def test_every_folder_and_module_has_its_place_and_every_place_its_folder():
    tops = {path.relative_to(PACKAGE).parts[0] for path in FILES} - {*FACES}
    assert {top.removesuffix(".py") for top in tops} == LAYERS.keys()
    assert len(list(PACKAGE.glob("*.py"))) <= MOST_AT_THE_TOP


def test_module_imports_only_from_below_and_from_its_own_folder():
    upwards = [
        f"{own}, line {line}: {module}"
        for path, own in MODULES.items()
        if path.relative_to(PACKAGE).as_posix() not in FACES
        for line, module in imports(path)
        if module.partition(".")[0] != own.partition(".")[0] and layer(module) >= layer(own)
    ]
    assert upwards == []


def with_folders(module):
    """A module and the folders around it, whose `__init__.py` run before it; that of the package
    imports none of it."""
    parts = module.split(".")
    return {".".join(parts[:count]) for count in range(1, len(parts) + 1)}


@pytest.mark.parametrize("late", [True, False], ids=["of all imports", "of those made at once"])
def test_no_circle_of_imports(late):
    """So every module can be the first that is imported: those made at once also run the
    `__init__.py` of every folder on the way."""
    graph = {}
    for path, own in MODULES.items():
        named = {module for _, module in imports(path, late)}
        if not late:
            named = set().union(*map(with_folders, named)) - with_folders(own)
        if path.name != "__main__.py":
            graph[own] = named - {own}
    assert sum(map(len, graph.values())) > len(graph)
    done: set[str] = set()

    def visit(module, above):
        assert module not in above, " -> ".join((*above, module))
        if module not in done:
            for below in sorted(graph[module]):
                visit(below, (*above, module))
            done.add(module)

    for module in sorted(graph):
        visit(module, ())


def test_the_benchmark_of_engines_is_loaded_by_its_commands_alone():
    texts = {path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8") for path in FILES}
    named = [name for name, text in texts.items() if BENCHMARK in text]
    assert named == ["cli/__init__.py", "cli/schemas.py", "report/explain.py"]
    assert f"import {BENCHMARK}" not in "".join(texts.values())


def test_no_module_imports_a_test_module():
    """What several test modules share is in a module of its own, named for what it holds."""
    suspect = re.compile(r"^\s*(?:from|import)\s+tests\b[^(\n]*(?:\([^)]*)?\btest_", re.MULTILINE)
    paths = [path for room in ROOMS for path in (PROJECT / room).rglob("*.py")]
    assert [
        f"{path.relative_to(PROJECT)}:{line}: {name}"
        for path in paths
        if suspect.search(text_of(path))
        for line, name in imported(iter(ast.walk(ast.parse(text_of(path)))))
        if name.startswith("tests.") and ".test_" in name
    ] == []


def text_of(path):
    return path.read_text("utf-8")


def test_functions_on_the_way_are_defined_where_the_map_states():
    for path, names in some(re.findall(r"`([\w/]+\.py)`: ((?:`\w+`(?:, )?)+)", MAP)):
        body = ast.parse(text_of(PACKAGE / path)).body
        defined = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        if path.endswith("__init__.py"):
            defined |= {name.rpartition(".")[2] for _, name in imported(iter(body))}
        assert set(re.findall(r"\w+", names)) <= defined, path


OUTPUTS = re.findall(r"^\| (.+) \| (.+) \| (`.+\.py`) \|$", MAP.partition("| chosen in |")[2], re.M)
"""What an output is, the columns that it shows, and the files that name them."""


@pytest.mark.parametrize(("shown", "files"), [each[1:] for each in some(OUTPUTS)])
def test_files_of_an_output_name_the_columns_that_the_map_says_it_shows(shown, files):
    text = " ".join(text_of(PACKAGE / path) for path in re.findall(r"`([^`]+)`", files))
    columns = {*re.findall(r"`(\w+)`", shown)}
    assert columns or shown == "every column"
    assert columns - {*re.findall(r"\w+", text)} == set()


def test_files_that_the_map_names_exist():
    named = set(re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.(?:py|md))`", MAP))
    places = (PACKAGE, PROJECT)
    assert [
        path
        for path in some(named)
        if not any((place / path).is_file() for place in places) and not list(PACKAGE.rglob(path))
    ] == []
