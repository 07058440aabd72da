"""Transcripts as we write them: read again they tell the same match, gnuBG replays the same
positions, and what is lost is told."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from reconcile.engines.gnubg import game_record, renamed, scratch
from reconcile.formats import load_match, read_match
from reconcile.formats.mat.writer import (
    CannotTranscribe,
    Transcript,
    differences,
    transcript,
)
from reconcile.match.columns import Kind
from tests.support import strategies
from tests.support.claims import some
from tests.support.command_line import refused, run
from tests.support.data import ONE_OF_EACH, cases, matching
from tests.support.examples import examples
from tests.support.gnubg import needs_gnubg, program
from tests.support.small_files import EVENING
from tests.support.small_transcripts import cube_rows, game_rows, results
from tests.support.tables import cases_of
from tests.support.xg_writer import write

SET_UP = "m59_7pt_setboard_cubeowned"
AUTOMATIC = "m09_money_jacoby_beaver_auto"
"""Its scores leave out what its automatic doubles brought, so no transcript can tell both."""

SESSION = """\
; [Variation "Backgammon"]
; [Jacoby "On"]
; [Beaver "On"]

0 point match

 Game 1
 Ann : 0                          Ben : 0
  1) 31: 8/5 6/5                  51: 24/23 13/8
  2)  Doubles => 2                 Beavers => 4
  3)  Raccoons => 8                Takes
  4) 51: 13/8 6/5                 64: 24/18 18/14
      Wins 16 points

 Game 2
 Ann : 32                         Ben : 0
  1)                              51: 24/23 13/8
  2) 31: 8/5 6/5                   Doubles => 2
  3)  Drops
                                  Wins 1 point
"""


def read(text):
    return read_match("evening.mat", text.encode())


def told(match):
    """What a transcript tells of a match: every roll, every cube action and every result."""
    acted = [row for row in cube_rows(match) if row[3] != Kind.NO_DOUBLE]
    return results(match), acted, [row[:-1] for row in game_rows(match)]


GAMMON_RESIGNED = """\
(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:0][game:0][ws:0][bs:0]PW[Ann]PB[Ben]CV[2]RE[W+8R]
;W[31hefe];B[double];W[take];B[43ybyb])
(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:0][game:1][ws:4][bs:0]PW[Ann]PB[Ben]RE[W+1R]
;W[31hefe])
"""
"""A gammon resigned at the cube of 4, half of it an automatic double; as gnuBG sometimes does, the
score leaves that out."""


def test_automatic_double_is_left_out_of_a_resigned_gammon_once():
    match = read_match("session.sgf", GAMMON_RESIGNED.encode())
    assert match.games.points.tolist() == [8, 1]
    assert re.findall(r"Wins (\d+)", transcript(match).text) == ["4", "1"]


def again(written):
    return read_match("again.mat", written.text.encode())


@pytest.mark.parametrize("text", [EVENING, SESSION], ids=["evening", "session"])
def test_our_dialect_is_written_as_it_was_read(text):
    written = transcript(read(text))
    assert written.changes == ()
    assert [line.rstrip() for line in written.text.split("\n")] == text.split("\n")


@settings(max_examples=examples(60))
@given(strategies.matches())
def test_any_match_reads_again_as_it_was_or_the_difference_is_told(
    written_match,
):
    match = read_match("made.xg", write(written_match))
    written = transcript(match)
    back = again(written)
    if written.changes:
        assert differences(match, back) == list(written.changes)
        return
    assert told(back) == told(match)
    assert told(again(transcript(back))) == told(back)


EVERY_WAY = cases("gnubg/m09*.sgf", "gnubg/m59*.sgf", "real/test.[mt]*", "real/test.xg")


@pytest.mark.parametrize(
    "path", [*EVERY_WAY, *cases(*ONE_OF_EACH, "gnubg-text/0-ply/*.sgf", short=0, most=8)]
)
def test_every_match_at_hand_reads_again_as_it_was(path):
    match = load_match(path)
    if path.stem == SET_UP:
        with pytest.raises(CannotTranscribe, match="game 1 begins with a position set up by hand"):
            transcript(match)
        return
    written = transcript(match)
    if path.stem == AUTOMATIC:
        assert [change.partition(":")[0] for change in written.changes] == [
            "game 1",
            "game 6",
            "game 7",
        ]
        return
    assert [change for change in written.changes if "the comment on" not in change] == []
    assert told(again(written)) == told(match)


@pytest.mark.parametrize(("names", "shown"), cases_of(__file__, "names"))
def test_names_that_no_line_of_scores_bears_are_changed_and_told(names, shown):
    written = transcript(replace(read(EVENING), players=names))
    assert again(written).players == shown
    assert len(written.changes) == sum(
        each != other for each, other in zip(names, shown, strict=True)
    )


def test_a_position_that_the_plays_do_not_lead_to_and_a_game_that_is_missing_are_told():
    match = read(EVENING)
    position = match.plays.position.copy()
    position[3] = position[1]
    changes = transcript(replace(match, plays=match.plays.replaced(position=position))).changes
    assert changes[0].startswith("game 1, turn 4: ")
    second = EVENING[: EVENING.index(" Game 2")]
    assert differences(read(EVENING), read(second)) == ["game 2 is missing"]


def gnubg_reads(files, command):
    """What gnuBG makes of files: each loaded or imported with a command, saved, and read by us."""
    with scratch() as folder:
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        jacoby = {name: "on" if 'Jacoby "On"' in text else "off" for name, text in files.items()}
        script = f"""
for player in (0, 1):
    gnubg.command("set player %d human" % player)
for name, jacoby in {json.dumps(jacoby)}.items():
    gnubg.command("set jacoby " + jacoby)
    gnubg.command("{command} " + name)
    gnubg.command("save match " + name + ".saved")
"""
        program().run(script, folder=folder, timeout=120)
        return {name: read_match(name, (folder / f"{name}.saved").read_bytes()) for name in files}


IMPORTED = re.compile("automatic double|rule (crawford|cube): False reads")
"""What gnuBG's import (1.07) does not know: automatic doubles, and matches without the cube or the
Crawford rule."""


@pytest.mark.long
@needs_gnubg
@pytest.mark.parametrize("command", ["import mat", "load match"])
def test_gnubg_replays_the_same_positions_from_our_transcripts_and_records(data, command):
    paths = matching("real/*.xg", "real/*.mat", "gnubg/*.sgf")
    matches = {path.name: load_match(path) for path in paths if path.stem != SET_UP}
    write_text = game_record
    if command == "import mat":
        write_text = lambda match: transcript(match).text  # noqa: E731
    else:
        matches |= {"evening": read(EVENING), "session": read(SESSION)}
    texts = {name: write_text(match) for name, match in matches.items()}
    read_by_gnubg = gnubg_reads(texts, command)
    for name, match in some(matches.items()):
        changes = differences(match, read_by_gnubg[name])
        if command == "import mat":
            changes = [change for change in changes if not IMPORTED.search(change)]
        assert changes == [], name


def test_names_are_put_back_into_a_record_whatever_they_hold():
    names = ("A] :[B x", "Kévin-Øystein Åkesson")
    record = renamed(game_record(read(EVENING)).encode(), names)
    assert read_match("named.sgf", record).players == names
    assert differences(replace(read(EVENING), players=names), read_match("named.sgf", record)) == []


def test_convert_writes_a_transcript_and_tells_what_it_cannot(tmp_path):
    source = tmp_path / "evening.mat"
    source.write_text(SESSION.replace("Game 2", "Game 3"), encoding="utf-8")
    target = tmp_path / "out.mat"
    ran = run("convert", source, "-o", target)
    assert ran.exit_code == 0
    assert again(Transcript(target.read_text("utf-8"), ())).games.number.tolist() == [1, 3]
    line = refused("convert", source, "-o", tmp_path / "out.txt")
    assert "expected a name ending in .mat" in line
