"""The program's own modules, parsed once for all tests that read them."""

import ast
from functools import cache

from tests.support.data import PROJECT

PACKAGE = PROJECT / "reconcile"


@cache
def trees():
    """Every module, in the order of the paths."""
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
