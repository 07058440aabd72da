"""The gap in sentences: how much is counting, how much is analysis, which decisions make it."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.adapters import load_match
from reconcile.gap.comparison import compare
from reconcile.gap.contributions import contributions_of
from reconcile.report.story import story


def story_of(left: Path, right: Path, player: str) -> str:
    comparison = compare(load_match(left), load_match(right))
    walk = comparison.walk
    bridge = walk.bridge("pr", walk.left.match.players.index(player))
    return " ".join(story(comparison, bridge, contributions_of(walk, [bridge]), ("XG", "gnuBG")))


@pytest.fixture
def charlot(data: Path) -> Path:
    return next(data.glob("real/charlot*2305.xg"))


def test_charlot2_counts_other_plays_and_no_doubles_and_is_analysed_otherwise(charlot: Path) -> None:
    text = story_of(charlot, charlot.with_name(charlot.stem + "_2ply.sgf"), "charlot2")
    assert "64 checker plays in XG and 66 in gnuBG" in text
    assert "13 doubles and no-doubles in XG and 11 in gnuBG count" in text
    assert "The analysis makes \N{MINUS SIGN}0.422: 10 decisions whose analyses differ, most of all game 4 turn 15" in text


def test_file_against_itself_has_no_story(charlot: Path) -> None:
    assert story_of(charlot, charlot, "charlot2") == ""


def test_counting_and_analysis_of_the_other_real_match(data: Path) -> None:
    text = story_of(data / "real/test.xg", data / "real/test_2ply.sgf", "Maxence Job")
    assert text.startswith("Counting makes +0.1")
    assert "The analysis makes \N{MINUS SIGN}0.732" in text
