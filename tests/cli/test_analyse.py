"""`reconcile analyse`: what gnuBG makes of the real matches, against what it made of them when the
statistics beside them were saved."""

import json
import os

import numpy as np
import pytest

from reconcile.engines.analysis import analyse
from reconcile.formats import load_match
from reconcile.match.columns import Validity
from reconcile.scoring.gnubg_table import GnubgTable
from reconcile.scoring.statistics import statistics
from tests.oracles.selfcheck import leaves_of
from tests.support.command_line import json_in, refused, run
from tests.support.data import cases
from tests.support.gnubg import needs_gnubg, program
from tests.support.small_files import EVENING

SAME_PROCESSOR = 1e-3
OTHER_PROCESSOR = 1e-4
"""A roll: gnuBG's neural nets use the processor's approximate reciprocal, which makers of
processors round differently: equities differ by 1e-4 in the mean and a few 1e-3 at most, so sums
differ with the number of rolls."""
SHORTEST = "charlot1-charlot2_7p_2025-11-08-2305"

pytestmark = needs_gnubg


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("RECONCILE_CACHE", str(folder))
    return folder


@pytest.fixture
def evening(tmp_path):
    path = tmp_path / "evening.mat"
    path.write_text(EVENING, encoding="utf-8")
    return path


def slack(ours, theirs):
    """1e-3, where this processor evaluates the first plays to the same digits; else what processors
    differ by."""
    rows = slice(0, 8)
    if np.array_equal(ours.plays.best[rows], theirs.plays.best[rows], equal_nan=True):
        return SAME_PROCESSOR
    return OTHER_PROCESSOR * len(theirs.plays)


def same_statistics(path, saved, plies):
    built = analyse(load_match(path), program(), plies=plies, threads=os.cpu_count() or 1)
    assert built.changes == ()
    line = json.loads(saved.with_name(f"{saved.stem}.stats.json").read_text("utf-8"))
    allowed = slack(built.match, load_match(saved))
    table = GnubgTable(statistics(built.match, "gnubg"))
    games = len(built.match.games)
    for game in (*([None] if games == len(line["games"]) else []), *range(games)):
        part = line["stats"] if game is None else line["games"][game]["stats"]
        for seat, key in enumerate("XO"):
            ours = dict(leaves_of(table.table(seat, game)))
            for name, number in leaves_of(part[key]):
                if seat and name.startswith("dice/marked-rolls"):
                    continue  # the first player's, by a fault of gnuBG's Python interface
                if isinstance(number, int):
                    assert ours[name] == number, (game, key, name)
                elif "fibs" not in name:
                    assert ours[name] == pytest.approx(number, abs=allowed), (game, key, name)
    assert built.match.players == load_match(path).players


@pytest.mark.parametrize("path", cases("real/*.xg", short=0, most=2))
def test_counts_and_sums_are_those_of_the_statistics_beside_the_file(path):
    same_statistics(path, path.with_name(f"{path.stem}_0ply.sgf"), 0)


def test_an_illegal_play_and_a_roll_that_nobody_played_go_through_and_are_told_game_by_game(
    evening,
):
    done = []
    built = analyse(
        load_match(evening), program(), plies=0, progress=lambda *games: done.append(games)
    )
    assert done == [(0, 2), (1, 2), (2, 2)]
    assert built.changes == (
        "game 1, turn 4: a play that the dice do not allow; gnuBG replays it as a play without "
        "error",
    )
    assert built.match.plays.validity.tolist()[4] == Validity.UNPLAYED
    assert [note.code for note in built.match.notes] == ["analysed-here", "engine-changed"]
    assert f"gnuBG {program().version} at 0 plies" in built.match.notes[0].evidence
    assert built.match.plays.analysed.any()


@pytest.mark.long
def test_number_of_threads_does_not_change_a_byte(evening):
    match = load_match(evening)
    assert (
        len({analyse(match, program(), plies=1, threads=threads).content for threads in (1, 2, 3)})
        == 1
    )


@pytest.mark.long
def test_an_analysis_is_kept_by_its_plies(evening, cache):
    match = load_match(evening)
    first = analyse(match, program(), plies=0, cache=cache)
    again = analyse(match, program(), plies=0, cache=cache)
    assert (first.from_cache, again.from_cache, again.content) == (False, True, first.content)
    assert not analyse(match, program(), plies=1, cache=cache).from_cache
    assert not analyse(match, program(), plies=0).from_cache


@pytest.mark.long
def test_several_matches_side_by_side_are_those_made_one_by_one(evening, tmp_path):
    files = [evening, tmp_path / "other.mat"]
    files[1].write_text(EVENING.replace("31: 8/5 6/5", "42: 8/4 6/4"), encoding="utf-8")
    at_once, one_by_one = tmp_path / "at-once", tmp_path / "one-by-one"
    broken = tmp_path / "broken.sgf"
    broken.write_text("(;GM[6", encoding="utf-8")
    ran = run("analyse", *files, broken, "-o", at_once, "--plies", "0", "--jobs", "2", "--no-cache")
    assert ran.exit_code == 2, "a file that cannot be read is told, the others are analysed"
    assert "broken.sgf" in ran.stderr
    assert run("analyse", *files, "-o", one_by_one, "--plies", "0", "--no-cache").exit_code == 0
    built = {path.name: path.read_bytes() for path in at_once.iterdir()}
    assert sorted(built) == sorted(f"{path.stem}_0ply.sgf" for path in files)
    assert built == {path.name: path.read_bytes() for path in one_by_one.iterdir()}
    assert len(set(built.values())) == 2


@pytest.mark.long
def test_time_limit_is_one_line_and_no_file(evening, tmp_path):
    out = tmp_path / "out.sgf"
    line = refused("analyse", evening, "-o", out, "--plies", "4", "--timeout", "0.3")
    assert "not finished after 0.3 seconds" in line
    assert not out.exists()


@pytest.mark.long
@pytest.mark.parametrize("path", cases(f"real/{SHORTEST}.xg"))
def test_compare_analyses_the_other_side_and_names_who_did(path, tmp_path):
    target, page = tmp_path / "result.json", tmp_path / "page.html"
    ran = run("compare", path, "--analyse", "0", "--json", target, "--html", page)
    assert ran.exit_code == 1
    how = f"analysed by gnuBG {program().version} at 0 plies"
    assert how in ran.stdout
    result = json_in(target)
    assert how in result["right"]["path"]
    assert [
        finding["evidence"] for finding in result["findings"] if finding["code"] == "analysed-here"
    ] == [how]
    assert how in page.read_text("utf-8")
    assert f"reconcile compare {path.name} --analyse gnubg:0 " in page.read_text("utf-8")
    assert run("compare", path).exit_code == 2
    assert run("compare", path, path, "--analyse", "0").exit_code == 0, (
        "three analyses, of which nothing is judged"
    )
