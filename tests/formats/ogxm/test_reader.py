"""An OGXM document read: values by hand, what leaves its unit open is refused, and nothing damaged gets further than one line."""

from __future__ import annotations

import math
import random
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import analyses_in, load_match, read_match
from reconcile.formats.ogxm import codec
from reconcile.gap.pairing import pair
from reconcile.match.columns import Kind
from reconcile.match.match import Match
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
    assert [one.play for one in match.candidates(0)] == [((8, 5), (6, 5)), ((24, 21), (24, 23))]
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
    assert [load_match(one).plays.best[0] for one in addresses] == pytest.approx(
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
    """Ann resigns at once after her first play, at a cube of 1, by a document with this analysis of it."""
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
    """`resigned.gvab` was written by GammonView 3.1.0 (`write_gvab`): resigning at a cube of 2 costs Ann 0.5."""
    match = load_match(RESIGNED)
    assert match.resignations.cube.tolist() == [2, 2]
    assert match.resignations.stored_error.tolist() == pytest.approx([0.5, 0], abs=NEAR)


def test_document_of_gammonview_has_the_values_of_its_source() -> None:
    """`demonstration.gvab` is what GammonView 3.1.0 makes of the bundled .xg (`convert_xg`, `write_gvab`); it rounds equities to 0.0001."""
    ours, source = load_match(GAMMONVIEW), load_match(DEMONSTRATION.with_suffix(".xg"))
    pairing = pair(source, ours)
    assert pairing.differences == ()
    assert (ours.source.tool, len(pairing.plays[0]), len(pairing.cubes[0])) == (
        "eXtreme Gammon",
        len(source.plays),
        len(source.cubes),
    )
    for table, (left, right), names in (
        ("plays", pairing.plays, ("best", "played", "luck")),
        ("cubes", pairing.cubes, ("no_double", "double_take", "double_pass")),
    ):
        for name in names:
            one, two = (
                getattr(getattr(source, table), name)[left],
                getattr(getattr(ours, table), name)[right],
            )
            known = ~np.isnan(one)
            assert np.abs(one - two)[known].max() < 0.00006, name
            assert np.isnan(two[known]).sum() == 0, name
