"""The program's own modules, parsed once for all tests that read them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from docs.making.architecture import PACKAGE


@cache
def trees() -> dict[Path, ast.Module]:
    """Every module, in the order of the paths."""
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
