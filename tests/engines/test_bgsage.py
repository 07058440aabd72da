"""bgsage as a second opinion: what it says is what we keep, and its analysis pairs with gnuBG's
decision by decision."""

import dataclasses
import json
from importlib.metadata import PackageNotFoundError

import numpy as np
import pytest

from reconcile.engines import bgsage
from reconcile.engines.second_opinion import analysed, engines_asked
from reconcile.errors import EngineError, InvalidConfiguration
from reconcile.formats import load_match, read_match
from reconcile.match.columns import Kind, Validity
from reconcile.match.met import load_met
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.statistics import statistics
from tests.support.balance import compared, unbalanced
from tests.support.bgsage import needs_bgsage
from tests.support.command_line import run
from tests.support.gnubg import needs_gnubg
from tests.support.loaded import DEMONSTRATION
from tests.support.long import long_but_first
from tests.support.schemas import faults
from tests.support.small_files import EVENING

CROWDED = """\
; [Variation "Backgammon"]
; [Crawford "On"]

3 point match

 Game 1
 Ann : 2                          Ben : 0
  1) 31: 8/5 6/5                  64: 24/18 13/9
  2) 51: 13/8 6/5                 61: 13/7 8/7

 Game 2
 Ann : 2                          Ben : 1
  1)                              62: 24/18 13/11
  2) 64: 24/18 18/14*              Doubles => 2
  3)  Takes                       61: bar/24 13/7

"""
"""A Crawford game, and one after it with a double."""
DEAD = CROWDED.replace("Ben : 1", "Ben : 2")
"""A double that can win its player nothing more."""
HITS = """\
; [Jacoby "On"]

0 point match

 Game 1
 Ann : 0                          Ben : 0
  1) 31: 24/23 13/10              64: 24/18 13/9
  2) 55: 8/3(2) 6/1*(2)           61: Cannot Move
  3) 21: 13/10                    66: Cannot Move
"""
"""A session with hits and dances."""


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("RECONCILE_CACHE", str(folder))
    return folder


@pytest.fixture(scope="module")
def evening():
    return read_match("evening.mat", EVENING.encode())


@pytest.fixture(scope="module")
def opinion(evening):
    """What bgsage makes of it, asked once."""
    return by_bgsage(evening)


def by_bgsage(match, plies=1, **options):
    return bgsage.analyse(match, bgsage.find(), plies=plies, **options)


# -- what bgsage says


@needs_bgsage
def test_every_number_is_the_one_that_bgsage_gives_when_it_is_asked_itself(
    opinion,
):
    from bgsage import BgBotAnalyzer

    engine, match = BgBotAnalyzer(), opinion.match
    plays, cubes, score = match.plays, match.cubes, {"away1": 5, "away2": 5}
    own = engine.checker_play([0, *plays.position[0].tolist()[1:]], 3, 1, **score)
    assert plays.legal[0] == len(own.moves) == 16
    assert plays.best[0] == own.moves[0].equity
    listed = [(candidate.equity, candidate.probabilities) for candidate in match.candidates(0)]
    assert listed == [(move.equity, tuple(move.probs.to_list())) for move in own.moves]
    row = int(np.flatnonzero(cubes.kind == Kind.DOUBLE)[0])
    position = cubes.position[row].tolist()
    cube = engine.cube_action([-position[0], *position[1:]], **score, beaver=False)
    names = ("no_double", "double_take", "double_pass")
    values = [cube.equity_nd, cube.equity_dt, cube.equity_dp]
    assert [getattr(cubes, name)[row] for name in names] == values
    assert cubes.chances[row].tolist() == 2 * [cube.probs.to_list()]
    assert match.cube_unit == "emg"
    row = int(np.flatnonzero(cubes.position[:, 25] > 0)[0])  # on the bar
    cube = engine.cube_action(cubes.position[row].tolist(), away1=3, away2=5, beaver=False)
    assert cubes.no_double[row] == cube.equity_nd


@needs_bgsage
@pytest.mark.long
@pytest.mark.parametrize(("row", "roll", "doubles"), [(1, (6, 4), True), (0, (3, 1), False)])
def test_luck_is_the_best_play_of_the_roll_less_that_of_an_average_roll(
    opinion, row, roll, doubles
):
    """A game does not begin with a double."""
    from bgsage import BgBotAnalyzer

    board, engine = opinion.match.plays.position[row].tolist(), BgBotAnalyzer()
    best = {
        (left, right): engine.checker_play(board, left, right, away1=5, away2=5).moves[0].equity
        for left in range(1, 7)
        for right in range(1, 7)
        if doubles or left != right
    }
    luck = best[roll] - sum(best.values()) / len(best)
    assert opinion.match.plays.luck[row] == pytest.approx(luck, abs=1e-6)


@needs_bgsage
def test_its_table_is_the_one_that_the_document_names():
    from bgbot_cpp import get_met

    pre = load_met(bgsage.MET_NAME).pre
    away = range(bgsage.LONGEST_MATCH)
    assert all(get_met(i + 1, j + 1, False) == pre[i, j] for i in away for j in away)


@needs_bgsage
def test_dead_cubes_crawford_and_what_follows_it_are_asked_at_their_score():
    match = by_bgsage(read_match("crowded.mat", CROWDED.encode())).match
    assert match.games.crawford.tolist() == [True, False]
    assert match.plays.analysed.all()
    assert match.cubes.analysed.tolist() == match.cubes.expected.tolist()
    assert set(match.games.number[match.cubes.game].tolist()) == {2}, "no cube in the Crawford game"


@pytest.mark.long
@needs_bgsage
def test_an_illegal_play_and_a_roll_that_nobody_played_are_unknown_and_not_perfect(
    opinion,
):
    plays = opinion.match.plays
    illegal = int(np.flatnonzero(plays.validity == Validity.ILLEGAL)[0])
    assert (bool(plays.analysed[illegal]), bool(np.isnan(plays.played[illegal]))) == (False, True)
    assert not plays.analysed[plays.validity == Validity.UNPLAYED].any()
    assert opinion.changes == (
        "game 1, turn 4: a play that the dice do not allow, which bgsage cannot judge",
    )
    codes = [note.code for note in opinion.match.notes]
    assert codes.count("engine-changed") == codes.count("analysed-here") == 1


@needs_bgsage
@pytest.mark.long
def test_a_deeper_analysis_judges_the_play_made_as_deeply_as_the_best_one(evening):
    match = by_bgsage(evening, plies=2).match
    levels = {
        candidate.level
        for row in range(len(match.plays))
        for place, candidate in enumerate(match.candidates(row))
        if candidate.made or place == 0
    }
    assert levels == {"2-ply"}
    assert (match.levels[0].label, match.lookahead) == ("2-ply (gnuBG counts 1)", 1)


# -- beside gnuBG


@pytest.mark.long
@needs_bgsage
@needs_gnubg
@pytest.mark.parametrize("text", [CROWDED, DEAD, HITS], ids=["crowded", "dead", "hits"])
def test_analyses_by_both_pair_completely_and_their_bridges_close(text):
    match = read_match("match.mat", text.encode())
    assert (match.plays.validity == Validity.VALID).all()
    ours, theirs = (analysed(match, *engine).match for engine in (("bgsage", 1), ("gnubg", 0)))
    both = compared(theirs, ours)
    assert both.pairing.differences == ()
    assert both.paired == (len(ours.plays) + len(ours.cubes),) * 2
    assert unbalanced(both) == []
    assert np.array_equal(ours.cubes.analysed, theirs.cubes.analysed)
    for seat in (0, 1):
        mine, other = (statistics(side).completeness(seat) for side in (ours, theirs))
        assert mine == other
        assert mine["luck"].complete


@needs_bgsage
def test_a_comparison_counts_bgsage_by_the_rules_of_the_other_file(
    opinion,
):
    ours, xg = opinion.match, load_match(f"{DEMONSTRATION}.xg")
    pairs = ((ours,), (ours, xg), (xg, ours))
    assert [own_rules(*pair).name for pair in pairs] == ["gnubg", "xg", "xg"]
    sides = (compared(ours, ours, **rules).left for rules in ({}, {"left_rules": "xg"}))
    assert [side.rules for side in sides] == ["gnubg", "xg"]


# -- kept


@pytest.mark.long
@needs_bgsage
def test_what_is_written_is_the_analysis_to_the_last_digit_and_can_be_compared(opinion, tmp_path):
    source, target, folder = (tmp_path / name for name in ("evening.mat", "x.json", "made"))
    source.write_text(EVENING, encoding="utf-8")
    folder.mkdir()
    options = ("--engine", "bgsage", "--plies", 1)
    paths = (target, tmp_path / "x.sgf", folder)
    codes = [run("analyse", source, "-o", path, *options).exit_code for path in paths]
    assert codes == [0, 2, 0]
    assert target.read_bytes() == opinion.content
    back, document = load_match(target), json.loads(opinion.content)
    about = (back.source.tool, back.source.tool_version, back.levels[0].label, back.players)
    tool = ("Open Sage", f"bgsage {bgsage.find().version}")
    assert about == (*tool, "1-ply (gnuBG counts 0)", ("Ann", "Ben"))
    stated = (document["platform"], document["match_equity_table"])
    assert stated == (bgsage.find().platform, "Kazaross-XG2")
    assert faults("analysis", document) == []
    assert [path.name for path in folder.iterdir()] == ["evening_bgsage_1ply.analysis.json"]
    assert run("stats", folder).exit_code == 0, "found by its ending"


@pytest.mark.long
@needs_bgsage
def test_an_analysis_is_kept_by_transcript_version_platform_and_plies(evening, cache):
    first, again = (by_bgsage(evening, cache=cache) for _ in range(2))
    assert (first.from_cache, again.from_cache) == (False, True)
    assert first.content == again.content == by_bgsage(evening, threads=2).content
    elsewhere = dataclasses.replace(bgsage.find(), platform="another processor")
    assert not bgsage.analyse(evening, elsewhere, plies=1, cache=cache).from_cache
    for path in cache.glob("*/*.json"):
        path.write_bytes(path.read_bytes()[:500])
    mended = by_bgsage(evening, cache=cache)
    assert (mended.from_cache, mended.content) == (False, first.content)


# -- what goes wrong


def test_without_the_extra_it_is_one_line_with_the_command(tmp_path, monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(bgsage, "version", missing)
    path = tmp_path / "evening.mat"
    path.write_text(EVENING, encoding="utf-8")
    target = tmp_path / "x.json"
    for words in (
        ("analyse", path, "-o", target, "--engine", "bgsage"),
        ("compare", path, "--analyse", "bgsage:1"),
    ):
        ran = run(*words)
        assert (ran.exit_code, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
        assert "pip install 'gammon-reconcile[bgsage]'" in ran.stderr


FAILURES = [
    ("import os; os.abort()", "ended early"),
    ("raise SystemExit('no networks')", "ended early.*no networks"),
    ("print('hello')", "bgsage failed"),
    ("import time; time.sleep(60)", "not finished after 0.5 seconds"),
    ('print(\'{"moves": [], "luck": NaN}\'); print(\'{"done": true}\')', "bgsage.*answer"),
]


@pytest.mark.parametrize(("script", "message"), long_but_first(FAILURES))
def test_an_engine_that_fails_is_one_line(evening, script, message, tmp_path, monkeypatch):
    worker = tmp_path / "worker.py"
    worker.write_text(script, encoding="utf-8")
    monkeypatch.setattr(bgsage, "WORKER", worker)
    timeout = 0.5 if "sleep" in script else 600.0
    with pytest.raises(EngineError, match=message) as caught:
        bgsage.analyse(evening, bgsage.Bgsage("1", "here"), plies=1, timeout=timeout)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variation": "hypergammon3"}, "does not know hypergammon3"),
        ({"cube": False}, "only play with a cube"),
    ],
)
def test_a_game_that_the_engine_does_not_know_is_refused(evening, change, message):
    match = dataclasses.replace(evening, rules=dataclasses.replace(evening.rules, **change))
    with pytest.raises(EngineError, match=message):
        bgsage.analyse(match, bgsage.Bgsage("1", "here"), plies=1)


def test_engines_are_asked_for_by_name_and_plies():
    assert engines_asked("2") == (("gnubg", 2),)
    assert engines_asked("gnubg:0,bgsage:1") == (("gnubg", 0), ("bgsage", 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((text, "expected plies or ENGINE:PLIES") for text in ("", "xg:3", "gnubg:", "٣")),
        ("bgsage:0", "expected 1 to 4 plies, found 0"),
        ("gnubg:5", "expected 0 to 4 plies, found 5"),
        ("2,gnubg:2", "twice"),
    ],
)
def test_engines_that_cannot_be_asked(text, message):
    with pytest.raises(InvalidConfiguration, match=message):
        engines_asked(text)


@pytest.mark.long
@needs_bgsage
@needs_gnubg
def test_two_engines_are_compared_with_each_other(evening, tmp_path):
    path, target = tmp_path / "evening.mat", tmp_path / "result.json"
    path.write_text(EVENING, encoding="utf-8")
    engines = "gnubg:0,bgsage:1"
    assert run("compare", path, "--analyse", engines, "--json", target).exit_code in (0, 1)
    result = json.loads(target.read_text("utf-8"))
    assert [result[side]["tool"] for side in ("left", "right")] == ["GNU Backgammon", "Open Sage"]
    assert run("compare", path, "--analyse", f"{engines},gnubg:1", "--json", target).exit_code == 0
    assert len(json.loads(target.read_text("utf-8"))["sides"]) == 3
