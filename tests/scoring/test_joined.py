"""Matches that wait to be scored together keep their columns, not their files."""

import gc
import tracemalloc

import numpy as np
import pytest

from reconcile.formats import read_match
from reconcile.formats.xg.records import open_archive
from reconcile.match.columns import Cubes, Plays, Resignations
from reconcile.scoring.score import settled
from tests.support.archive import SGF, XG


def test_a_settled_match_has_every_column_and_first_candidate():
    content = XG.read_bytes()
    match, table = read_match(XG.name, content), settled(read_match(XG.name, content))
    for kind, name in ((Plays, "plays"), (Cubes, "cubes"), (Resignations, "resignations")):
        for column in kind.names():
            before, after = (getattr(getattr(each, name), column) for each in (match, table))
            np.testing.assert_array_equal(
                np.array(before, object), np.array(after, object), f"{name}.{column}"
            )
    rows = range(len(match.plays))
    assert [*map(table.first_candidate, rows)] == [*map(match.first_candidate, rows)]
    assert table.plays.replaced(cube=match.plays.cube * 2).luck is table.plays.luck


@pytest.mark.long
def test_a_settled_match_does_not_keep_the_records_of_its_file():
    content = XG.read_bytes()
    inflated = len(open_archive(content).read("temp.xg"))
    settled(read_match(XG.name, content))  # what is kept once for all matches
    tracemalloc.start()
    try:
        table = settled(read_match(XG.name, content))
        gc.collect()
        stays, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(table.plays) > 0
    assert stays < inflated / 2 < most


def test_a_match_whose_file_is_text_stays_as_it_is():
    match = read_match(SGF.name, SGF.read_bytes())
    assert settled(match) is match
