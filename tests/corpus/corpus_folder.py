"""A corpus as it lies in its folder: its tables as rows, its files as bytes, and the rules that it is made under."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

RULES = ("xg", "gnubg", "bgblitz")


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a table."""
    rows: list[dict[str, Any]] = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return rows


def content(folder: Path) -> dict[str, bytes]:
    """The bytes of every file by its name."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
