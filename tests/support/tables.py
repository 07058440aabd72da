"""Tables of cases in a YAML file beside their tests: `verdict.yaml` beside `test_verdict.py` has a
list of rows for each test."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml


@cache
def _tables(path: Path) -> dict[str, list[Any]]:
    tables: dict[str, list[Any]] = yaml.safe_load(path.read_text("utf-8"))
    return tables


def cases_of(test: str, table: str) -> list[Any]:
    """The rows of a table; `test` is the file that asks. A sequence within a row is a tuple."""
    path = Path(test)
    return [
        tuple(map(_frozen, row)) if isinstance(row, list) else row
        for row in _tables(path.with_name(f"{path.stem.removeprefix('test_')}.yaml"))[table]
    ]


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
