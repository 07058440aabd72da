"""The map names only what is there: every function of the way from the bytes to the page, every file it sends a newcomer to."""

from __future__ import annotations

import ast
import re

import pytest

from docs.making.architecture import PACKAGE
from tests.support.data import PROJECT

MAP = re.sub(r"<!-- part .*?<!-- /part -->", "", (PROJECT / "docs" / "architecture.md").read_text("utf-8"), flags=re.DOTALL)
NAMED = re.findall(r"`([\w/]+\.py)`: ((?:`\w+`(?:, )?)+)", MAP)
PATHS = sorted(set(re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.(?:py|md))`", MAP)) - {"docs.generate"})


@pytest.mark.parametrize(("path", "names"), NAMED)
def test_function_on_the_way_is_defined_where_the_map_says(path: str, names: str) -> None:
    defined = {
        node.name for node in ast.parse((PACKAGE / path).read_text("utf-8")).body if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    faces = {
        alias.name
        for node in ast.parse((PACKAGE / path).read_text("utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert set(re.findall(r"\w+", names)) <= (defined | faces if path.endswith("__init__.py") else defined)


@pytest.mark.parametrize("path", PATHS)
def test_file_the_map_names_is_there(path: str) -> None:
    assert any((folder / path).is_file() for folder in (PACKAGE, PROJECT)) or list(PACKAGE.rglob(path))
