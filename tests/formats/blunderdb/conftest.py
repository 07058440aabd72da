"""Databases that the tests of the reader share; each is written once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import blunderdb_writer as writer
from tests.support.club_databases import source


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("databases")


@pytest.fixture(scope="session")
def stored(folder: Path) -> Callable[[str, str], Path]:
    """A database of one match in a schema, made once."""
    built: dict[tuple[str, str], Path] = {}

    def of(path: str, schema: str = writer.PER_MOVE) -> Path:
        if (path, schema) not in built:
            built[path, schema] = writer.write(folder / f"{len(built)}.db", [source(path)], schema)
        return built[path, schema]

    return of
