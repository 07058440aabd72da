"""An OGXM document read: values by hand, what leaves its unit open is left out, and nothing damaged
gets further than one line."""

from __future__ import annotations

import math
import random
import struct
import zlib
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import analyses_in, load_match, ogxm, read_match
from reconcile.formats.ogxm import codec
from reconcile.gap.pairing import pair
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.match.met import load_met
from reconcile.scoring.statistics import statistics
from tests.support.data import FOLDER
from tests.support.loaded import DEMONSTRATION
from tests.support.ogxm import analyses, encode, needs_ogxm, small

pytestmark = needs_ogxm
GAMMONVIEW, RESIGNED = (
    Path(__file__).with_name(f"{name}.gvab") for name in ("demonstration", "resigned")
)
NEAR = 2e-5
"""Six decimals of a match winning chance as an equity, at 0 : 0 of a match to five."""


def test_values_become_equities_of_the_player_to_act() -> None:
    match = read_match("small.ogxm", encode(small()))
    plays, cubes = match.plays, match.cubes
    assert (match.players, match.length, match.source.tool, match.source.format) == (
        ("Ann", "Ben"),
        5,
        "eXtreme Gammon",
        "ogxm",
    )
    assert plays.player.tolist() == [0]
    assert sorted(plays.dice[0].tolist()) == [1, 3]
    for column, expected in (
        (plays.best, 0.5),
        (plays.played, 0.5),
        (plays.spread, 0.5),
        (plays.luck, 0.1),
    ):
        assert column.tolist() == pytest.approx([expected], abs=NEAR)
    assert cubes.kind.tolist() == [Kind.DOUBLE, Kind.PASS]
    assert cubes.player.tolist() == [1, 0]
    assert match.cube_unit == "emg"
    assert cubes.no_double.tolist() == pytest.approx([0, 0], abs=NEAR)
    assert cubes.double_take.tolist() == pytest.approx([-1, -0.99987], abs=NEAR)
    assert cubes.double_pass.tolist() == pytest.approx([1, 1], abs=NEAR)
    assert [candidate.play for candidate in match.candidates(0)] == [
        ((8, 5), (6, 5)),
        ((24, 21), (24, 23)),
    ]
    assert match.games.winner.tolist() == [1]
    assert "ogxm-values" in [note.code for note in match.notes]


@pytest.mark.parametrize(
    "pieces",
    [
        ("1:pr=;frame=0:0.5:0.1,1:0.6:0.2",),
        ("1:pr=;fra", "me=0:0.5:0.", *[""] * 8, "1,1:0.", "6:0.2"),
    ],
)
def test_frames_of_gammonview_are_white_s_and_hold_until_the_next(pieces: tuple[str, ...]) -> None:
    document = small()
    info = document["analysis_info"]
    info["met_id"] = "bgblitz"
    key = f"x-gammonview-analysis/{info['analysis_id']}"
    listed = [
        {"key": f"{key}~{at}" if at else key, "ref": 0, "scope": "match", "value": piece}
        for at, piece in enumerate(pieces)
        if piece
    ]
    document["annotations"] = sorted(listed, key=lambda one: str(one["key"]))
    match = read_match("small.ogxm", encode(document))
    assert match.plays.best.tolist() == pytest.approx([0.3866], abs=NEAR)
    assert match.cubes.double_pass[0] == pytest.approx(
        (0.57732 - 0.4) / 0.2, abs=NEAR
    )  # Ben doubles, so his middle is 0.4


def test_money_is_in_equity_and_a_document_without_an_analysis_is_a_transcript() -> None:
    document = small(match_length=0, crawford=False)
    document["analysis_info"] |= {"currency": "cubeful", "met_id": ""}
    match = read_match("small.ogxm", encode(document))
    assert match.is_money
    assert match.plays.best.tolist() == pytest.approx([0.53866], abs=1e-9)
    document = small()
    del document["analysis_info"]
    for value in document["games"][0]["plies"]:
        value.pop("analysis", None)
    match = read_match("bare.ogxm", encode(document))
    assert not match.plays.analysed.any()
    assert not match.cubes.analysed.any()


def test_each_analysis_has_an_address(tmp_path: Path) -> None:
    path = tmp_path / "two.ogxm"
    path.write_bytes(encode(analyses(2)))
    addresses = analyses_in(str(path))
    assert addresses == (f"{path}#1", f"{path}#2")
    assert [load_match(each).plays.best[0] for each in addresses] == pytest.approx(
        [0.5, 0.4], abs=NEAR
    )
    for wrong in (str(path), f"{path}#3", f"{path}#x", f"{path}#0"):
        with pytest.raises(UnreadableFile, match="expected the number of one of its 2 analyses"):
            load_match(wrong)


def test_changed_bytes_are_one_line_even_with_a_right_checksum() -> None:
    content = encode(small())
    (checksum,) = struct.unpack("<I", content[-8:-4])
    (end,) = (size for size in range(len(content)) if zlib.crc32(content[:size]) == checksum)
    chance = random.Random(3)
    lines = []
    for _ in range(2):
        changed = bytearray(content)
        changed[chance.randrange(16, end)] = chance.randrange(256)
        changed[-8:-4] = struct.pack("<I", zlib.crc32(bytes(changed[:end])))
        try:
            read_match("changed.ogxm", bytes(changed))
        except UnreadableFile as error:
            lines.append(str(error))
    assert lines
    assert not any("\n" in line for line in lines)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "damaged OGXM document"),
        ("sys.stdout.buffer.write(b'[')", "damaged OGXM document"),
        ("sys.exit(1)", "damaged OGXM document"),
        ("time.sleep(60)", "has not finished"),
    ],
)
def test_fault_of_the_codec_ends_no_more_than_its_process(
    fault: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text(f"import os, signal, sys, time\n{fault}\n", "utf-8")
    monkeypatch.setattr(codec, "WORKER", worker)
    monkeypatch.setattr(codec, "SECONDS", 0.5 if "sleep" in fault else codec.SECONDS)
    with pytest.raises(UnreadableFile, match=said):
        codec.decoded(str(worker), b"OGXM" + fault.encode())


def test_last_roll_without_a_play_was_not_played() -> None:
    document = small()
    game = document["games"][0]
    game["plies"] = [
        {
            "action_id": 20,
            "color": 1,
            "d1": 6,
            "d2": 6,
            "moves": [{"from": 1, "pips": 6}, {"from": 1, "pips": 6}]
            + [{"from": 12, "pips": 6}] * 2,
        },
        {
            "action_id": 9,
            "color": 0,
            "d1": 2,
            "d2": 5,
            "moves": [{"from": 24, "pips": 2}, {"from": 13, "pips": 5}],
        },
        {"action_id": 5, "color": 1, "d1": 1, "d2": 6, "moves": []},
        {"action_id": 27, "color": 1, "resign_value": "single"},
    ]
    match = read_match("last.ogxm", encode(document))
    assert match.plays.validity.tolist() == [
        0,
        0,
        2,
    ]  # a roll that was not played, since 6-1 can be played
    assert np.flatnonzero(match.games.resigned).tolist() == [0]


def resigned(**analysis: float) -> Match:
    """Ann resigns at once after her first play, at a cube of 1, by a document with this analysis of
    it."""
    document = small()
    game = document["games"][0]
    game["plies"][1:] = [
        {
            "action_id": 27,
            "color": 1,
            "resign_value": "single",
            **({"analysis": analysis} if analysis else {}),
        }
    ]
    return read_match("resigned.ogxm", encode(document))


@pytest.mark.parametrize(
    ("analysis", "lost"),
    [
        ({"resign_error": 0.007732, "take_resign_error": -0.007732}, [0.1, 0.0]),
        ({"resign_error": -0.007732, "take_resign_error": 0.007732}, [0.0, 0.1]),
        ({"resign_error": -0.007732}, [0.0, 0.1]),
        ({"take_resign_error": -0.007732}, [0.1, 0.0]),
        ({"resign_error": 0.0}, [0.0, 0.0]),
        ({}, [math.nan, math.nan]),
    ],
)
def test_errors_of_resigning_and_accepting_become_equities(
    analysis: dict[str, float], lost: list[float]
) -> None:
    ends = resigned(**analysis).resignations
    assert ends.kind.tolist() == [Kind.RESIGN, Kind.ACCEPT_RESIGN]
    assert ends.player.tolist() == [0, 1]
    assert ends.stored_error.tolist() == pytest.approx(lost, abs=NEAR, nan_ok=True)


def test_error_of_resigning_is_weighed_at_the_cube_of_the_end() -> None:
    """`resigned.gvab` was written by GammonView 3.1.0 (`write_gvab`): resigning at a cube of 2
    costs Ann 0.5."""
    match = load_match(RESIGNED)
    assert match.resignations.cube.tolist() == [2, 2]
    assert match.resignations.stored_error.tolist() == pytest.approx([0.5, 0], abs=NEAR)


def test_document_of_gammonview_has_the_values_of_its_source() -> None:
    """`demonstration.gvab` is what GammonView 3.1.0 makes of the bundled .xg (`convert_xg`,
    `write_gvab`); it rounds equities to 0.0001."""
    ours, source = load_match(GAMMONVIEW), load_match(DEMONSTRATION.with_suffix(".xg"))
    pairing = pair(source, ours)
    assert pairing.differences == ()
    assert (ours.source.tool, len(pairing.plays[0]), len(pairing.cubes[0])) == (
        "GammonView",
        len(source.plays),
        len(source.cubes),
    )
    for table, (left, right), names in (
        ("plays", pairing.plays, ("best", "played", "luck")),
        ("cubes", pairing.cubes, ("no_double", "double_take", "double_pass")),
    ):
        for name in names:
            source_values, our_values = (
                getattr(getattr(source, table), name)[left],
                getattr(getattr(ours, table), name)[right],
            )
            present = ~np.isnan(source_values)
            assert np.abs(source_values - our_values)[present].max() < 0.00006, name
            assert np.isnan(our_values[present]).sum() == 0, name


def read_json(document: dict[str, Any]) -> Match:
    """The match of a document as the codec gives it, whether or not the codec would take it."""
    with patch.object(ogxm, "decoded", lambda path, content: document):
        return ogxm.read("small.ogxm", b"")


@pytest.mark.parametrize(
    ("named", "given", "table"),
    [
        ("kazaross-xg2", None, "Kazaross-XG2"),
        ("Kazaross XG2", "woolsey", "Kazaross-XG2"),
        ("rockwell-kazaross", None, "Rockwell-Kazaross"),
        ("ROCKWELL_KAZAROSS", None, "Rockwell-Kazaross"),
        ("woolsey", None, "woolsey"),
        ("mec26", None, "mec26"),
        ("our-own", "woolsey", "woolsey"),
        ("", "jacobs", "jacobs"),
    ],
)
def test_table_is_the_one_named_or_else_the_one_given(
    named: str, given: str | None, table: str
) -> None:
    document = small()
    document["analysis_info"]["met_id"] = named
    match = read_match("small.ogxm", encode(document), met=given)
    win, lose = load_met(table).chance(4, 5, False), load_met(table).chance(5, 4, False)
    assert match.plays.best.tolist() == pytest.approx(
        [(0.53866 - 0.5) * 2 / (win - lose)], abs=NEAR
    )
    assert (f"equities by {table}" in match.notes[0].evidence) == (table != "Kazaross-XG2")


@pytest.mark.parametrize("money", [True, False])
@pytest.mark.parametrize("unit", ["", "cubeless", "cubeless_match", "the other"])
def test_values_in_another_unit_are_left_out(unit: str, money: bool) -> None:
    expected, other = ("cubeful", "cubeful_match") if money else ("cubeful_match", "cubeful")
    document = small(match_length=0, crawford=False) if money else small()
    document["analysis_info"]["currency"] = other if unit == "the other" else unit
    document["games"][0]["plies"][1]["analysis"]["currency"] = expected
    match = read_json(document)
    assert not match.plays.analysed.any()
    assert match.cubes.analysed.tolist() == [True, True]  # the pass has the values of the double
    (evidence,) = [note.evidence for note in match.notes if note.code == "ogxm-units"]
    words = {"": "no stated unit", "the other": other}.get(unit, unit)
    assert evidence == f"2 in {words}, expected {expected}"


OPENING = [0, 2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0]
"""White's checkers above 0, as White counts from the far side; each bar is on the side where that
player enters."""
BOTH_ON_THE_BAR = [1, 1, *OPENING[2:24], -1, -1]


def test_game_that_begins_from_a_position_set_up_is_read() -> None:
    document = small()
    document["games"][0] |= {"is_default_board": False, "initial_board": BOTH_ON_THE_BAR}
    document["games"][0]["plies"][0]["moves"] = [{"from": 0, "pips": 3}, {"from": 1, "pips": 1}]
    match = read_json(document)
    first, last = match.plays.position[0].tolist(), match.cubes.position[0].tolist()
    assert first == BOTH_ON_THE_BAR[::-1]
    assert (last[0], last[2], last[3], last[25]) == (0, -1, -1, 1)  # Ben's view
    assert match.plays.best.tolist() == pytest.approx([0.5], abs=NEAR)


@pytest.mark.parametrize("dice", [{}, {"d1": 2, "d2": 6, "illegal": True}])
def test_position_set_in_a_game_is_the_board_and_a_play_before_it_unknown(
    dice: dict[str, Any],
) -> None:
    document = small()
    plies = document["games"][0]["plies"]
    plies.insert(1, {"action_id": 31, "color": 0, "set_position": OPENING, **dice})
    match = read_json(document)
    assert match.plays.validity.tolist() == [Validity.VALID, Validity.ILLEGAL][: 1 + bool(dice)]
    assert match.plays.player.tolist() == [0, 1][: 1 + bool(dice)]  # its colour is not stated
    assert match.cubes.position[0].tolist()[6] == 5
    assert match.plays.analysed.tolist() == [True, False][: 1 + bool(dice)]


@pytest.mark.parametrize(
    ("key", "wrong"), [("set_position", [0] * 25), ("set_position", [16] + [0] * 25), ("x", None)]
)
def test_position_that_cannot_be_is_refused(key: str, wrong: object) -> None:
    document = small()
    document["games"][0]["plies"][1] = {"action_id": 31, "color": 0, key: wrong}
    with pytest.raises(UnreadableFile, match="set_position to be the checkers of 26 places"):
        read_json(document)


def test_unknown_action_is_refused_and_one_without_meaning_left_out() -> None:
    document = small()
    plies = document["games"][0]["plies"]
    plies[1:3] = [{"action_id": action} for action in (30, 29, 34)]
    assert len(read_json(document).plays) == 1
    plies.append({"action_id": 77})
    with pytest.raises(UnreadableFile, match="game 1, turn 2: action 77, which is not known"):
        read_json(document)


def test_raccoon_doubles_what_a_beaver_doubled() -> None:
    document = small(match_length=0, crawford=False, beavers=True)
    document["analysis_info"]["currency"] = "cubeful"
    roll = {"action_id": 2, "color": 0, "d1": 1, "d2": 3, "moves": []}
    plies = document["games"][0]["plies"]
    plies[1:3] = [
        {"action_id": action, "color": color} for action, color in ((21, 0), (32, 1), (33, 0))
    ] + [roll]
    assert read_json(document).plays.cube.tolist() == [1, 8]
    del plies[3]
    assert read_json(document).plays.cube.tolist() == [1, 4]


@pytest.mark.parametrize("model", ["xg", "bgblitz", "gv-bgsage/2.0", "another"])
def test_what_gammonview_keeps_counts_by_its_rules_whoever_evaluated(model: str) -> None:
    document = small()
    info = document["analysis_info"]
    info["model_id"] = model
    without = read_json(document)
    assert without.source.tool != "GammonView"
    key = f"x-gammonview-analysis/{info['analysis_id']}"
    document["annotations"] = [{"key": key, "ref": 0, "scope": "match", "value": "1:pr="}]
    match = read_json(document)
    assert (match.source.tool, match.source.tool_version) == ("GammonView", model)
    assert statistics(match).rules.name == "gammonview"
    document["annotations"][0]["key"] = "x-gammonview-analysis/of-another"
    assert read_json(document).source == without.source


@pytest.mark.parametrize(
    ("name", "decisions", "mwc_lost"),
    [
        ("ogxm/match.ogxm", (45, 46), (3.9028, 4.6730)),
        ("ogxm/set-up.ogxm", (30, 29), (2.3789, 2.6880)),
        ("ogxm/resign.ogxm", (3, 4), (0, 0)),
        ("gvab/MYdvw1qGuyaRUH__.fast.gvab", (46, 54), (8.1191, 6.5933)),
        ("gvab/5nqfGw9bWG3deTaU.fast.gvab", (120, 131), (17.7594, 16.7049)),
    ],
)
def test_field_documents_have_the_totals_of_their_programs(
    name: str, decisions: tuple[int, int], mwc_lost: tuple[float, float]
) -> None:
    """MWC lost by HedgeHog's documents' own losses, summed; decisions, and MWC of its own, by
    GammonView.

    GammonView counts one more in the last, an illegal play that it keeps in a form of its own.
    """
    path = FOLDER / "field" / name
    if not path.is_file():
        pytest.skip("no folder of field documents")
    met = "Rockwell-Kazaross" if name.startswith("ogxm") else None
    match = load_match(path)
    by_gammonview = statistics(match, "gammonview")
    own = statistics(match, met=met)
    for seat in (0, 1):
        assert by_gammonview.figures(seat)["decisions.counted"] == decisions[seat]
        lost = own.figures(seat)["mwc_loss_percent.total"]
        assert lost == pytest.approx(mwc_lost[seat], abs=0.0009)
