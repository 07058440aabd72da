"""Databases that the tests of the reader share; each is written once."""

from pathlib import Path

import pytest

from tests.formats.club_databases import source
from tests.support import blunderdb_writer as writer


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("databases")


@pytest.fixture(scope="session")
def stored(folder):
    """A database of one match in a schema, made once."""
    built: dict[tuple[str, str], Path] = {}

    def of(path, schema=writer.PER_MOVE):
        if (path, schema) not in built:
            built[path, schema] = writer.write(folder / f"{len(built)}.db", [source(path)], schema)
        return built[path, schema]

    return of
