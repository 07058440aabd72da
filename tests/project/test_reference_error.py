"""The table of one match by several references, typed on its page: every number is that of the
files, every sentence that of the table."""

import re
from statistics import fmean

import pytest

from reconcile.scoring.statistics import statistics
from tests.support.data import PROJECT, matching, skipped_if_empty
from tests.support.loaded import loaded

PAGE = (PROJECT / "docs" / "reference-error.md").read_text("utf-8")
COLUMNS = ("_0ply.sgf", "_2ply.sgf", ".xg")
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| `")]
TABLE = [[float(cell) for cell in row[1:]] for row in ROWS]
MATCHES = list(dict.fromkeys(row[0].split("`")[1].rstrip("…-") for row in ROWS))
FILES = [(name, path) for name in MATCHES for path in matching(f"real/{name}*.xg")]


@pytest.mark.parametrize(("name", "path"), skipped_if_empty(FILES, 2))
def test_every_pr_is_that_of_the_file_under_gnubg_s_rules(name, path):
    stem = str(path).removesuffix(".xg")
    columns = [statistics(loaded(stem + ending), "gnubg") for ending in COLUMNS]
    computed = [[f"{column.figures(seat)['pr']:.2f}" for column in columns] for seat in (0, 1)]
    assert computed == [row[1:] for row in ROWS if row[0].startswith(f"`{name}")]


def test_sentences_are_those_of_the_table():
    assert (len(ROWS), len(MATCHES)) == (8, 4)
    distances = [[abs(row[column] - row[2]) for row in TABLE] for column in (1, 0)]
    assert re.findall(r"(\d\.\d\d) to (\d\.\d\d), (\d\.\d\d) on average", PAGE) == [
        tuple(f"{size:.2f}" for size in (min(sizes), max(sizes), fmean(sizes)))
        for sizes in distances
    ]
    pairs = list(zip(TABLE[::2], TABLE[1::2], strict=True))
    better = [{first[column] < second[column] for column in range(3)} for first, second in pairs]
    assert [len(winners) for winners in better] == [2, 1, 1, 1]
    gaps = [abs(first - second) for first, second in zip(*pairs[0], strict=True)]
    assert (f"{min(gaps):.2f}", f"{max(gaps):.2f}") == ("0.02", "0.03")
    text = " ".join(PAGE.split())
    assert "In one match of four the other player is the better one" in text
