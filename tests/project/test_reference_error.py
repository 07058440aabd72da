"""The table of one match by several references, typed on its page: every number is that of the
files, every sentence that of the table."""

from __future__ import annotations

import re
from typing import Final

import pytest

from reconcile.scoring.statistics import statistics
from tests.support.data import PROJECT, matching, skipped_if_empty
from tests.support.loaded import loaded

PAGE: Final = (PROJECT / "docs" / "reference-error.md").read_text("utf-8")
COLUMNS: Final = ("_0ply.sgf", "_2ply.sgf", ".xg")
ROWS: Final = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("| `")
]
TABLE: Final = [[float(cell) for cell in row[1:]] for row in ROWS]
MATCHES: Final = list(
    dict.fromkeys(row[0].partition("`")[2].partition("`")[0].rstrip("…-") for row in ROWS)
)
FILES: Final = [(name, path) for name in MATCHES for path in matching(f"real/{name}*.xg")]


@pytest.mark.parametrize(
    ("name", "path"), skipped_if_empty([pytest.param(*one, id=one[0]) for one in FILES], 2)
)
def test_every_pr_is_that_of_the_file_under_gnubg_s_rules(name: str, path: str) -> None:
    stem = str(path).removesuffix(".xg")
    columns = [statistics(loaded(stem + ending), "gnubg") for ending in COLUMNS]
    computed = [[f"{column.figures(seat)['pr']:.2f}" for column in columns] for seat in (0, 1)]
    assert computed == [row[1:] for row in ROWS if row[0].startswith(f"`{name}")]


def test_table_has_both_players_of_four_matches() -> None:
    assert (len(ROWS), len(MATCHES)) == (8, 4)


def test_distances_of_the_sentences_are_those_of_the_table() -> None:
    said = re.findall(r"(\d\.\d\d) to (\d\.\d\d), (\d\.\d\d) on average", PAGE)
    deep, shallow = ([abs(row[column] - row[2]) for row in TABLE] for column in (1, 0))
    assert said == [
        (f"{min(one):.2f}", f"{max(one):.2f}", f"{sum(one) / len(one):.2f}")
        for one in (deep, shallow)
    ]


def test_players_change_places_in_the_matches_that_are_named() -> None:
    pairs = [TABLE[at : at + 2] for at in range(0, len(TABLE), 2)]
    better = [{one[column] < two[column] for column in range(3)} for one, two in pairs]
    assert [len(found) for found in better] == [2, 1, 1, 1]
    assert (
        "In one match of four the other player is the better one (`charlot1`, `charlot2`: "
        "gnuBG against XG, by 0.02 to 0.03 PR)" in " ".join(PAGE.split())
    )
    gaps = [abs(one - two) for one, two in zip(*pairs[0], strict=True)]
    assert (f"{min(gaps):.2f}", f"{max(gaps):.2f}") == ("0.02", "0.03")


def test_sentence_about_depth_is_that_of_the_study() -> None:
    study = (PROJECT / "docs" / "study-of-plies.md").read_text("utf-8")
    for said in ("0.79 in the median", "by more than 2.08", "116 of 158", "79 matches"):
        assert said in " ".join(PAGE.split())
        assert said in " ".join(study.split())
