"""The program's own modules, parsed once for all tests that read them."""

import ast
from functools import cache

from docs.making.architecture import PACKAGE


@cache
def trees():
    """Every module, in the order of the paths."""
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
