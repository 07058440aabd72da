"""Open Sage as a second opinion: what it says is what we keep, and its analysis pairs with gnuBG's
decision by decision."""

import dataclasses
import json

import numpy as np
import pytest

from reconcile.engines import sage as sage_analysis
from reconcile.engines.second_opinion import analysed, engines_asked
from reconcile.errors import EngineError, InvalidConfiguration
from reconcile.formats import load_match, read_match
from reconcile.match.columns import Kind, Validity
from reconcile.match.met import load_met
from reconcile.scoring.statistics import statistics
from tests.support.balance import compared, unbalanced
from tests.support.command_line import run
from tests.support.gnubg import needs_gnubg
from tests.support.sage import needs_sage, sage
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
    """What Open Sage makes of it, asked once."""
    return by_sage(evening)


def by_sage(match, plies=1, **options):
    return sage_analysis.analyse(match, sage(), plies=plies, **options)


# -- what it says


@needs_sage
def test_what_is_kept_is_what_the_engine_says(opinion):
    """The doubled position, one on the bar, and every play of the first roll."""
    match, engine = opinion.match, sage()
    plays, cubes = match.plays, match.cubes
    for is_asked in (cubes.kind == Kind.DOUBLE, cubes.position[:, 25] > 0):
        row = int(np.flatnonzero(is_asked)[0])
        found = engine.cube(match.decision(len(plays) + row).situation, 1).tolist()
        values = [cubes.no_double[row], cubes.double_take[row], cubes.double_pass[row]]
        assert values == found[:3]
        assert cubes.chances[row].tolist() == 2 * [found[3:]]
    position = plays.position[0].tolist()
    looked = engine.plays(match.decision(0).situation, (3, 1), 1, position)
    assert plays.legal[0] == len(looked.equities) == 16
    assert plays.best[0] == looked.equities.max()
    listed = {candidate.equity: candidate.probabilities for candidate in match.candidates(0)}
    said = zip(looked.equities.tolist(), map(tuple, looked.chances.tolist()), strict=True)
    assert listed == dict(said)
    assert match.cube_unit == "emg"


@needs_sage
def test_its_table_is_the_one_that_the_document_names():
    from bgbot_cpp import get_met

    pre = load_met(sage_analysis.MET_NAME).pre
    away = range(sage_analysis.LONGEST_MATCH)
    assert all(get_met(i + 1, j + 1, False) == pre[i, j] for i in away for j in away)


@needs_sage
def test_dead_cubes_crawford_and_what_follows_it_are_asked_at_their_score():
    match = by_sage(read_match("crowded.mat", CROWDED.encode())).match
    assert match.games.crawford.tolist() == [True, False]
    assert match.plays.analysed.all()
    assert match.cubes.analysed.tolist() == match.cubes.expected.tolist()
    assert set(match.games.number[match.cubes.game].tolist()) == {2}, "no cube in the Crawford game"


@pytest.mark.long
@needs_sage
def test_an_illegal_play_and_a_roll_that_nobody_played_are_unknown_and_not_perfect(
    opinion,
):
    plays = opinion.match.plays
    illegal = int(np.flatnonzero(plays.validity == Validity.ILLEGAL)[0])
    assert (bool(plays.analysed[illegal]), bool(np.isnan(plays.played[illegal]))) == (False, True)
    assert not plays.analysed[plays.validity == Validity.UNPLAYED].any()
    assert opinion.changes == (
        "game 1, turn 4: a play that the dice do not allow, which Open Sage cannot judge",
    )
    codes = [note.code for note in opinion.match.notes]
    assert codes.count("engine-changed") == codes.count("analysed-here") == 1


@needs_sage
@pytest.mark.long
def test_a_deeper_analysis_judges_the_play_made_as_deeply_as_the_best_one(evening):
    match = by_sage(evening, plies=2).match
    levels = {
        candidate.level
        for row in range(len(match.plays))
        for place, candidate in enumerate(match.candidates(row))
        if candidate.made or place == 0
    }
    assert levels == {"2-ply"}
    assert (match.levels[0].label, match.lookahead) == ("2-ply", 1)


# -- beside gnuBG


@pytest.mark.long
@needs_sage
@needs_gnubg
@pytest.mark.parametrize("text", [CROWDED, DEAD, HITS], ids=["crowded", "dead", "hits"])
def test_analyses_by_both_pair_completely_and_their_bridges_close(text):
    match = read_match("match.mat", text.encode())
    assert (match.plays.validity == Validity.VALID).all()
    ours, theirs = (analysed(match, *engine).match for engine in (("sage", 1), ("gnubg", 0)))
    both = compared(theirs, ours)
    assert both.pairing.differences == ()
    assert both.paired == (len(ours.plays) + len(ours.cubes),) * 2
    assert unbalanced(both) == []
    assert np.array_equal(ours.cubes.analysed, theirs.cubes.analysed)
    for seat in (0, 1):
        mine, other = (statistics(side).completeness(seat) for side in (ours, theirs))
        assert mine == other
        assert mine["luck"].complete


# -- kept


@pytest.mark.long
@needs_sage
def test_what_is_written_is_the_analysis_to_the_last_digit_and_can_be_compared(opinion, tmp_path):
    source, target, folder = (tmp_path / name for name in ("evening.mat", "x.json", "made"))
    source.write_text(EVENING, encoding="utf-8")
    folder.mkdir()
    options = ("--engine", "sage", "--plies", 1)
    paths = (target, tmp_path / "x.sgf", folder)
    codes = [run("analyse", source, "-o", path, *options).exit_code for path in paths]
    assert codes == [0, 2, 0]
    assert target.read_bytes() == opinion.content
    back, document = load_match(target), json.loads(opinion.content)
    about = (back.source.tool, back.source.tool_version, back.levels[0].label, back.players)
    tool = ("Open Sage", f"bgsage {sage().version}")
    assert about == (*tool, "1-ply", ("Ann", "Ben"))
    stated = (document["platform"], document["match_equity_table"])
    assert stated == ("WebAssembly", "Kazaross-XG2")
    assert faults("analysis", document) == []
    assert [path.name for path in folder.iterdir()] == ["evening_sage_1ply.analysis.json"]
    assert run("stats", folder).exit_code == 0, "found by its ending"


@needs_sage
def test_an_analysis_is_kept_by_transcript_version_and_plies(evening, cache):
    first, again = (by_sage(evening, cache=cache) for _ in range(2))
    assert (first.from_cache, again.from_cache) == (False, True)
    assert first.content == again.content
    assert not by_sage(evening, plies=2, cache=cache).from_cache
    for path in cache.glob("*/*.json"):
        path.write_bytes(path.read_bytes()[:500])
    mended = by_sage(evening, cache=cache)
    assert (mended.from_cache, mended.content) == (False, first.content)


# -- what goes wrong


@needs_sage
def test_a_match_that_takes_too_long_is_one_line_with_its_name(evening):
    with pytest.raises(
        EngineError, match=r"^evening\.mat: Open Sage did not finish in 0\.01 s"
    ) as it:
        by_sage(evening, plies=4, timeout=0.01)
    assert "\n" not in str(it.value)


@needs_sage
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
        by_sage(match)


def test_engines_are_asked_for_by_name_and_plies():
    assert engines_asked("gnubg:0,sage:1") == (("gnubg", 0), ("sage", 1))


@needs_gnubg
def test_plies_alone_are_those_of_gnubg_where_it_is_found():
    assert engines_asked("2") == (("gnubg", 2),)
    with pytest.raises(InvalidConfiguration, match="twice"):
        engines_asked("2,gnubg:2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((text, "expected plies or ENGINE:PLIES") for text in ("", "xg:3", "gnubg:", "٣")),
        ("sage:0", "expected 1 to 4 plies, found 0"),
        ("gnubg:5", "expected 0 to 4 plies, found 5"),
        ("gnubg:2,gnubg:2", "twice"),
    ],
)
def test_engines_that_cannot_be_asked(text, message):
    with pytest.raises(InvalidConfiguration, match=message):
        engines_asked(text)


@pytest.mark.long
@needs_sage
@needs_gnubg
def test_two_engines_are_compared_with_each_other(evening, tmp_path):
    path, target = tmp_path / "evening.mat", tmp_path / "result.json"
    path.write_text(EVENING, encoding="utf-8")
    engines = "gnubg:0,sage:1"
    assert run("compare", path, "--analyse", engines, "--json", target).exit_code in (0, 1)
    result = json.loads(target.read_text("utf-8"))
    assert [result[side]["tool"] for side in ("left", "right")] == ["GNU Backgammon", "Open Sage"]
    assert run("compare", path, "--analyse", f"{engines},gnubg:1", "--json", target).exit_code == 0
    assert len(json.loads(target.read_text("utf-8"))["sides"]) == 3
