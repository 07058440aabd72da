"""The map names only what is there: every function of the way from the bytes to the page, every
file it sends a newcomer to."""

from __future__ import annotations

import ast
import re

from docs.making.architecture import PACKAGE
from tests.support.claims import some
from tests.support.data import PROJECT

MAP = re.sub(
    r"<!-- part .*?<!-- /part -->",
    "",
    (PROJECT / "docs" / "architecture.md").read_text("utf-8"),
    flags=re.DOTALL,
)
NAMED = re.findall(r"`([\w/]+\.py)`: ((?:`\w+`(?:, )?)+)", MAP)
PATHS = sorted(set(re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.(?:py|md))`", MAP)) - {"docs.generate"})


def test_functions_on_the_way_are_defined_where_the_map_says() -> None:
    for path, names in some(NAMED):
        body = ast.parse((PACKAGE / path).read_text("utf-8")).body
        defined = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        if path.endswith("__init__.py"):
            defined |= {
                alias.name
                for node in body
                if isinstance(node, ast.ImportFrom)
                for alias in node.names
            }
        assert set(re.findall(r"\w+", names)) <= defined, path


def test_files_the_map_names_are_there() -> None:
    there = [
        path
        for path in some(PATHS)
        if any((folder / path).is_file() for folder in (PACKAGE, PROJECT))
        or list(PACKAGE.rglob(path))
    ]
    assert there == PATHS
