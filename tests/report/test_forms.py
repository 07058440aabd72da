"""Every form of every result has a function that makes it, and a type that exists."""

import ast
from importlib import import_module

from reconcile.report.forms import WRITERS
from tests.support.sources import PACKAGE


def test_every_row_names_a_result_and_functions_of_the_package():
    for forms in WRITERS.values():
        for name in forms.values():
            module, _, function = name.rpartition(".")
            assert callable(getattr(import_module(f"reconcile.{module}"), function)), name
    classes = {
        node.name
        for path in PACKAGE.rglob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
    }
    assert set(WRITERS) <= classes
