"""Files made to cost: every reader counts its work and refuses a file when it has had enough, long
before two seconds and 512 MB.

What is tested is the limits, in the reader's own units, and files that once broke the program.
"""

import re
import shlex

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import read_match
from reconcile.formats.xg import records as at
from reconcile.match.board.play import Effort, count_legal_plays, legal_play_meant
from reconcile.scoring.statistics import statistics
from tests.support.command_line import XG as DEMONSTRATION
from tests.support.command_line import run
from tests.support.data import ABSENT, FOLDER
from tests.support.small_files import CONTENT as XG
from tests.support.tables import beside
from tests.support.xg_tampering import records_of, sealed

ROOT = "(;FF[4]GM[6]MI[length:7][game:0][ws:0][bs:0]PW[Ann]PB[Ben]"
HOSTILE = FOLDER / "hostile"
RUNS = beside(__file__)
needs_hostile = pytest.mark.skipif(not HOSTILE.is_dir(), reason=ABSENT)
SPREAD = (0, *[1] * 15, *[0] * 10)
"""Fifteen checkers on fifteen points: 11 can be played in hundreds of ways."""


def test_play_that_leads_nowhere_is_looked_for_among_all_and_one_that_is_found_is_not():
    nowhere, somewhere = Effort(), Effort()
    assert legal_play_meant(SPREAD, 1, 1, ((15, 13),), nowhere)[0] is None
    steps = ((15, 14), (14, 13), (13, 12), (12, 11))
    play, legal = legal_play_meant(SPREAD, 1, 1, steps, somewhere)
    assert (play is not None, legal >= 2) == (True, True)
    assert 500 < nowhere.tried > 10 * somewhere.tried


def test_counting_to_two_takes_few_tries_wherever_the_checkers_stand():
    effort = Effort()
    assert count_legal_plays(SPREAD, 1, 1, effort=effort) == 2
    assert effort.tried < 10


def test_rolls_that_were_not_analysed_are_counted_up_to_a_limit(
    monkeypatch,
):
    match = read_match("plain.sgf", f"{ROOT};B[31hefe];W[42hdfd];B[31hefe])".encode())
    assert statistics(match).sums.games["unforced"].sum() == 3
    monkeypatch.setattr("reconcile.scoring.statistics.MOST_SEQUENCES", 3)
    with pytest.raises(
        UnreadableFile,
        match=r"plain.sgf: expected at most 3 ways to play all rolls that were not analysed",
    ):
        _ = statistics(match).sums


def test_records_that_inflate_to_more_than_a_match_are_refused(monkeypatch):
    head, *records = records_of(XG)
    move = next(record for record in records if record[8] == 3)
    bomb = sealed(XG, [head, records[0], *[move] * 9])
    monkeypatch.setattr(at, "LARGEST_MEMBER", 10 * at.RECORD_SIZE)
    with pytest.raises(UnreadableFile, match=r"inside the archive.*inflated"):
        read_match("bomb.xg", bomb)


@needs_hostile
@pytest.mark.parametrize(
    "row", [pytest.param(row, marks=[pytest.mark.long] * (len(row) > 4)) for row in RUNS]
)
def test_file_is_refused_in_one_line_or_handled(row, tmp_path, monkeypatch):
    name, command, code, words = row[:4]
    monkeypatch.chdir(tmp_path)
    fixture = FOLDER / "benchmark" / "format-fixture.bm"
    places = {"FILE": str(HOSTILE / name), "XG": DEMONSTRATION, "FIXTURE": str(fixture)}
    pattern = "|".join(places)
    done = run(*(re.sub(pattern, lambda m: places[m[0]], word) for word in shlex.split(command)))
    assert done.exit_code == code, done.stderr
    printed = done.stdout + done.stderr
    assert words in " ".join(printed.split())
    assert code != 2 or done.stderr.count("\n") == 1
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", printed)


@needs_hostile
def test_every_hostile_file_is_tried():
    assert {path.name for path in HOSTILE.iterdir()} - {"README.md"} <= {row[0] for row in RUNS}
