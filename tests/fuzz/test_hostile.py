"""Files made to cost: every reader counts its work and refuses a file when it has had enough, long before two seconds and 512 MB.

What is tested is the limits, in the reader's own units; how long the worst files take is measured by `python -m benchmarks.hostile`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reconcile.adapters import read_match
from reconcile.adapters.gnubg import collection, game
from reconcile.adapters.mat import lines
from reconcile.adapters.mat.game import MOST_SEQUENCES
from reconcile.adapters.xg.container import LARGEST_MEMBER
from reconcile.board.play import Effort, count_legal_plays, legal_play_meant
from reconcile.errors import UnreadableFile
from reconcile.scoring.statistics import statistics
from tests.support import xg_layout as at
from tests.support.small_files import CONTENT as XG
from tests.support.xg_tampering import records_of, sealed

ROOT = "(;FF[4]GM[6]MI[length:7][game:0][ws:0][bs:0]PW[Ann]PB[Ben]"
PLAY = ";B[31hefe]"
ELSEWHERE = "[abcd E ver 3 .5 .1 0 .1 0 .01 2C 0 1]"
SPREAD = (0, *[1] * 15, *[0] * 10)
"""Fifteen checkers on fifteen points: 11 can be played in hundreds of ways."""

REFUSED: dict[str, tuple[Callable[[], str], str]] = {
    "nodes": (lambda: ROOT + ";" * (collection.MOST_NODES + 1) + ")", "at most 15000 nodes"),
    "nodes over many games": (
        lambda: "".join(f"(;GM[6]MI[length:7][game:{number}]" + PLAY * 9 + ")" for number in range(collection.MOST_NODES // 10 + 1)),
        "at most 15000 nodes",
    ),
    "parentheses": (lambda: ROOT + "(;" * 2000 + ")", "at most 1000 nested variations"),
    "subtrees": (lambda: ROOT + "(;)" * (collection.MOST_WORDS // 3 + 1) + ")", "at most 500000 words"),
    "words": (lambda: ROOT + ") " * (collection.MOST_WORDS + 1), "at most 500000 words"),
    "properties": (lambda: ROOT + "A[]" * (collection.MOST_PROPERTIES + 1) + ")", "at most 500000 properties"),
    "brackets": (lambda: ROOT + "]" * (collection.MOST_PROPERTIES + 1) + ")", "at most 500000 properties"),
    "escaped brackets": (lambda: ROOT + "C[" + "\\]" * (collection.MOST_PROPERTIES + 1) + "])", "at most 500000 properties"),
    "alternatives that are not the play": (
        lambda: ROOT + (PLAY + "A[0]" + ELSEWHERE * 1000) * (game.MOST_LOCATED // 1000 + 1) + ")",
        "found 50000 alternatives that lead elsewhere",
    ),
    "positions set up by hand": (lambda: ROOT + ";AE[a:y]AW[a][b]" * (game.MOST_SET_UP + 1) + ")", "at most 2000 positions set up by hand"),
    "games": (lambda: "(;GM[6]MI[length:7])" * (collection.MOST_GAMES + 1), "at most 10000 games"),
    "lines": (lambda: " 7 point match\n Game 1\n Ann : 0   Ben : 0\n" + "q\n" * lines.MOST_LINES, "at most 50000 lines"),
    "rolls": (lambda: " 7 point match\n Game 1\n Ann : 0   Ben : 0\n" + "1) 31: 31:\n" * lines.MOST_CELLS, "at most 10000 rolls"),
}


@pytest.mark.parametrize(("text", "limit"), REFUSED.values(), ids=REFUSED.keys())
def test_file_beyond_a_limit_is_refused_by_name(text: Callable[[], str], limit: str) -> None:
    with pytest.raises(UnreadableFile, match=limit) as refused:
        read_match("hostile", text().encode())
    assert len(str(refused.value)) < 300


LARGE: dict[str, Callable[[], str]] = {
    "value": lambda: ROOT + ";C[" + "x" * 10**7 + "])",
    "name": lambda: ROOT.replace("Ann", "\\]" * 200_000) + ")",
    "blanks before a number": lambda: ROOT + ";CV[" + " " * 10**7 + "])",
    "letters of a play": lambda: ROOT + ";B[31" + "ab" * 10**6 + "]A[0]" + ELSEWHERE + ")",
    "values of one property": lambda: ROOT + ";AE" + "[a:y]" * 10**6 + ")",
    "capitals of a name": lambda: ROOT + ";" + "A" * 10**7 + "[])",
    "values of MI": lambda: "(;GM[6]MI[length:7]" + "[ws:1]" * 10**6 + ")",
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE.keys())
def test_what_is_large_and_says_nothing_is_passed_over(text: Callable[[], str]) -> None:
    match = read_match("large", text().encode())
    assert (match.length, len(match.games)) == (7, 1)


def test_play_that_leads_nowhere_is_looked_for_among_all_and_one_that_is_found_is_not() -> None:
    nowhere, found = Effort(), Effort()
    assert legal_play_meant(SPREAD, 1, 1, ((15, 13),), nowhere)[0] is None
    meant, legal = legal_play_meant(SPREAD, 1, 1, ((15, 14), (14, 13), (13, 12), (12, 11)), found)
    assert meant is not None
    assert legal >= 2
    assert found.tried * 10 < nowhere.tried
    assert nowhere.tried > 500


def test_counting_to_two_takes_few_tries_wherever_the_checkers_stand() -> None:
    effort = Effort()
    assert count_legal_plays(SPREAD, 1, 1, effort=effort) == 2
    assert effort.tried < 10


def test_rolls_that_were_not_analysed_are_counted_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    match = read_match("plain.sgf", (ROOT + PLAY + ";W[42hdfd]" + PLAY + ")").encode())
    assert statistics(match).moves[1].sum() == 3
    monkeypatch.setattr("reconcile.scoring.statistics.MOST_SEQUENCES", 3)
    with pytest.raises(UnreadableFile, match=r"plain.sgf: expected at most 3 ways to play all rolls that were not analysed"):
        _ = statistics(match).moves


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
        read_match("bomb.xg", sealed(XG, [head, records[0], *[move] * (LARGEST_MEMBER // at.RECORD_SIZE + 1)]))
