"""A corpus as it lies in its folder: its tables as rows, its files as bytes, and the rules that it is made under."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from reconcile.corpus.assembly import MANIFEST
from tests.support.archive import XG
from tests.support.variants import variant

RULES = ("xg", "gnubg", "bgblitz")


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a table, those of a match in the order of the matches."""
    listed = json.loads((folder / MANIFEST).read_text("utf-8"))["tables"][name]
    rows = [
        row
        for path in listed
        for row in pq.read_table(folder / path, partitioning=None).to_pylist()
    ]
    if name in ("matches", "files"):
        return rows
    place = {row["match"]: number for number, row in enumerate(table(folder, "matches"))}
    return sorted(rows, key=lambda row: place[row["match"]])


def content(folder: Path) -> dict[str, bytes]:
    """The bytes of every file by its name."""
    paths = sorted(
        path for path in folder.rglob("*") if path.is_file() and ".parts" not in path.parts
    )
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def every_row(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of every table."""
    return {
        name: table(folder, name)
        for name in json.loads((folder / MANIFEST).read_text("utf-8"))["tables"]
    }


def copies(folder: Path, number: int) -> list[Path]:
    """So many different matches in a folder."""
    folder.mkdir()
    made = [folder / f"m{seed:03}x.xg" for seed in range(number)]
    for seed, path in enumerate(made):
        path.write_bytes(variant(XG.read_bytes(), seed))
    return made
