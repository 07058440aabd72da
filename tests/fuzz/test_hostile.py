"""Files made to cost: every reader counts its work and refuses a file when it has had enough, long
before two seconds and 512 MB.

What is tested is the limits, in the reader's own units.
"""

from __future__ import annotations

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import read_match
from reconcile.formats.gnubg import collection
from reconcile.formats.mat import lines
from reconcile.formats.mat.game import MOST_SEQUENCES
from reconcile.formats.xg import records as at
from reconcile.formats.xg.container import LARGEST_MEMBER
from reconcile.match.board.play import Effort, count_legal_plays, legal_play_meant
from reconcile.scoring.statistics import statistics
from tests.support.small_files import CONTENT as XG
from tests.support.xg_tampering import records_of, sealed

ROOT = "(;FF[4]GM[6]MI[length:7][game:0][ws:0][bs:0]PW[Ann]PB[Ben]"
SPREAD = (0, *[1] * 15, *[0] * 10)
"""Fifteen checkers on fifteen points: 11 can be played in hundreds of ways."""


def test_play_that_leads_nowhere_is_looked_for_among_all_and_one_that_is_found_is_not() -> None:
    nowhere, somewhere = Effort(), Effort()
    assert legal_play_meant(SPREAD, 1, 1, ((15, 13),), nowhere)[0] is None
    play, legal = legal_play_meant(
        SPREAD, 1, 1, ((15, 14), (14, 13), (13, 12), (12, 11)), somewhere
    )
    assert play is not None
    assert legal >= 2
    assert somewhere.tried * 10 < nowhere.tried
    assert nowhere.tried > 500


def test_counting_to_two_takes_few_tries_wherever_the_checkers_stand() -> None:
    effort = Effort()
    assert count_legal_plays(SPREAD, 1, 1, effort=effort) == 2
    assert effort.tried < 10


def test_rolls_that_were_not_analysed_are_counted_up_to_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = read_match("plain.sgf", f"{ROOT};B[31hefe];W[42hdfd];B[31hefe])".encode())
    assert statistics(match).sums.games["unforced"].sum() == 3
    monkeypatch.setattr("reconcile.scoring.statistics.MOST_SEQUENCES", 3)
    with pytest.raises(
        UnreadableFile,
        match=r"plain.sgf: expected at most 3 ways to play all rolls that were not analysed",
    ):
        _ = statistics(match).sums


def test_longest_match_is_far_from_the_limits() -> None:
    # 25 points: 49 games of 60 rolls at most, tried some ten ways each.
    rolls = 49 * 60
    assert min(collection.MOST_NODES, lines.MOST_CELLS) > 3 * rolls
    assert 3 * 10 * rolls < MOST_SEQUENCES
    assert 3 * at.RECORD_SIZE * 2 * rolls < LARGEST_MEMBER


def test_records_that_inflate_to_more_than_a_match_are_refused() -> None:
    head, *records = records_of(XG)
    move = next(record for record in records if record[8] == 3)
    with pytest.raises(UnreadableFile, match=r"inside the archive.*inflated"):
        read_match(
            "bomb.xg",
            sealed(XG, [head, records[0], *[move] * (LARGEST_MEMBER // at.RECORD_SIZE + 1)]),
        )
