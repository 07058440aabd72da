"""Databases of blunderDB that hold bundled matches, as they were written or changed afterwards, and
what our reader says of them."""

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import load_match
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from tests.support import blunderdb_writer as writer

SEVEN = "reference_matches/gnubg-7pt-0ply/alice-bob-7pt-0ply.sgf"
THREE = "reference_matches/gnubg-3pt-2ply/alice-bob-3pt-2ply.sgf"
RICH = "reference_matches/gnubg-11pt-cube-rich/ann-ben-11pt-cube-rich.sgf"
DEMONSTRATION = "reference_matches/demonstration/nora-lindqvist-tomas-beck"


@cache
def source(path):
    """The match in a file, read once."""
    return load_match(path)


@cache
def _content(schema, paths):
    with TemporaryDirectory() as folder:
        return writer.write(
            Path(folder) / "sound.db", [source(path) for path in paths], schema
        ).read_bytes()


def changed(
    tmp_path,
    *statements,
    schema=writer.PER_MOVE,
    paths=(THREE,),
):
    """A database that was changed after it was written."""
    path = tmp_path / "changed.db"
    path.write_bytes(_content(schema, paths))
    with closing(sqlite3.connect(path)) as connection:
        for statement in ("PRAGMA synchronous = OFF", "PRAGMA journal_mode = MEMORY", *statements):
            connection.execute(statement)
        connection.commit()
    return path


def codes(path, rules=None):
    """The codes of what is found about a database, with the evidence."""
    return {
        finding.code: finding.evidence
        for finding in findings_of(statistics(load_match(path), rules))
    }


def refusal(path):
    """The one line with which a database is refused."""
    with pytest.raises(UnreadableFile) as caught:
        load_match(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def counted(scored, seat):
    """How many decisions of a seat count, and what they cost."""
    counts = scored.scored
    own = (counts.player == seat) & counts.counted
    return int(own.sum()), float(counts.error[own].sum())
