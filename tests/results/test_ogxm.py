"""Analyses written as one OGXM document: read back they give every figure of the files, and the codec has no complaint."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from reconcile.errors import UnreadableFile
from reconcile.files.bundled import bundled
from reconcile.formats import load_match, read_match
from reconcile.formats.mat.writer import CannotTranscribe
from reconcile.formats.ogxm import read_all
from reconcile.formats.ogxm.analysis import kept_json, unpacked
from reconcile.formats.values import Damaged
from reconcile.formats.xg.writer import write
from reconcile.gap.pairing import pair
from reconcile.match.columns import Cubes, Kind, Validity
from reconcile.match.match import Match
from reconcile.results.ogxm import ogxm_document
from reconcile.scoring.statistics import statistics
from reconcile.suite.synthetic import SyntheticGame
from tests.support.claims import some
from tests.support.data import FOLDER, cases, label, matching, skipped_if_empty
from tests.support.loaded import DEMONSTRATION, loaded
from tests.support.long import long_but_first
from tests.support.ogxm import checked, decode, encode, needs_ogxm

pytestmark = needs_ogxm
NEAR = 3e-5
"""What six decimals of a match winning chance come to as an equity, where a game is worth a twentieth of the match."""


def files_of(path: Path) -> list[Path]:
    """The analyses of one match that lie beside an .xg."""
    others = [path.with_name(f"{path.stem}_{plies}ply.sgf") for plies in (0, 2)]
    return [
        path,
        *(
            other
            for other in (*others, FOLDER / "bgblitz" / "bgf" / f"{path.stem}.bgf")
            if other.exists()
        ),
    ]


REAL = skipped_if_empty(
    [
        pytest.param(files_of(path), id=label(path))
        for path in matching("real/*.xg", "bgblitz/xg/*.xg")
    ]
)


BOTH = [DEMONSTRATION.with_suffix(ending) for ending in (".sgf", ".xg")]
SMALL = bundled("reference_matches") / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
FIRST = pytest.param([SMALL], id="one analysis"), pytest.param(BOTH, id="demonstration")


@cache
def written(*files: Path) -> bytes:
    """The document of the analyses in some files."""
    return ogxm_document([loaded(path) for path in files]).content


@cache
def _decoded() -> str:
    return json.dumps(decode(written(SMALL)))


def small_document() -> dict[str, Any]:
    """The codec's JSON of a small document, to be changed."""
    document: dict[str, Any] = json.loads(_decoded())
    return document


def assert_same_figures(match: Match, back: Match) -> None:
    seats = pair(match, back).seats
    one, two = statistics(match), statistics(back)
    for seat in (0, 1):
        here, there = one.figures(seat), two.figures(seats[seat])
        assert here.keys() == there.keys()
        for name, value in here.items():
            assert value == there[name] or (value != value and there[name] != there[name]), name
    assert (back.source.tool, back.source.tool_version) == (
        match.source.tool,
        match.source.tool_version,
    )


@pytest.mark.long
@pytest.mark.parametrize("files", long_but_first([*FIRST, *REAL], 1, 2))
def test_every_figure_comes_back(files: list[Path]) -> None:
    checked(written(*files))
    read = [one() for one in read_all("all.ogxm", written(*files))]
    assert len(read) == len(files)
    assert [one.source.tool for one in read] == [loaded(path).source.tool for path in files]
    for path, back in zip(files, read, strict=True):
        assert_same_figures(loaded(path), back)


@pytest.mark.parametrize("files", long_but_first([*FIRST, *REAL], 0, 2))
def test_document_itself_has_the_values_to_six_decimals(files: list[Path]) -> None:
    """What another program reads: the same values, without what is kept beside them."""
    matches = [loaded(path) for path in files]
    document = decode(written(*files))
    said = [
        one
        for game in document["games"]
        for ply in game["plies"]
        for one in ply.get("analyses", [ply.get("analysis", {})])
    ]
    equities = [one["equity"] for analysis in said for one in analysis.get("alternatives", [])]
    assert len(equities) > 1000
    assert all(math.isfinite(one) and 0 <= one <= 1 for one in equities)
    del document["annotations"]
    for match, make in some(zip(matches, read_all("plain.ogxm", encode(document)), strict=True)):
        if match.known_chances is not None:
            with pytest.raises(UnreadableFile, match="expected the match equity table"):
                make()
            continue
        back = make()
        pairing = pair(match, back)
        plays, cubes = pairing.plays, pairing.cubes
        assert len(plays[0]) >= len(match.plays) - 3
        for name in ("best", "played", "luck"):
            here, there = (
                getattr(one.plays, name)[rows].astype(float)
                for one, rows in zip((match, back), plays, strict=True)
            )
            known = ~np.isnan(here) & (back.plays.validity[plays[1]] == 0)
            assert np.nanmax(np.abs(here - there)[known], initial=0) < NEAR, name
        if match.cube_unit == "emg":
            for name in ("no_double", "double_take", "double_pass"):
                here, there = (
                    getattr(one.cubes, name)[rows].astype(float)
                    for one, rows in zip((match, back), cubes, strict=True)
                )
                assert np.array_equal(np.isnan(here), np.isnan(there)), name
                assert np.nanmax(np.abs(here - there), initial=0) < NEAR, name


@pytest.mark.long
def test_document_changed_by_another_program_is_refused() -> None:
    document = small_document()
    ply = next(
        one
        for one in document["games"][0]["plies"]
        if len(one.get("analysis", {}).get("alternatives", ())) > 1
    )
    for one in (
        *ply["analysis"]["alternatives"],
        *ply.get("analyses", [{}])[0].get("alternatives", ()),
    ):
        one["equity"] -= 0.01
    with pytest.raises(UnreadableFile, match="another program has changed it"):
        read_match("changed.ogxm", encode(document))


def test_kept_part_that_is_cut_is_refused() -> None:
    document = small_document()
    del document["annotations"][1:]
    with pytest.raises(UnreadableFile, match="what reconcile keeps of an analysis"):
        read_match("cut.ogxm", encode(document))


ILLEGAL: Final = """ 5 point match

 Game 1
 Ann : 0                          Ben : 0
  1) 31: {play}                       42: 8/4 6/4
  2) 65: 24/18 18/13                      53: 8/3 6/3
      Wins 1 point

 Game 2
 Ann : 1                          Ben : 0
  1) 31: 8/5 6/5                       42: 8/4 6/4
      Wins 1 point
"""
"""The first play is no play of a 3-1 where it is not `8/5 6/5`."""


@pytest.mark.parametrize(("play", "plays", "told"), [("8/4 6/5", 6, 0), ("13/2 8/2", 2, 1)])
def test_play_that_the_dice_do_not_allow_comes_back_or_is_reported(
    play: str, plays: int, told: int
) -> None:
    match = read_match("illegal.mat", ILLEGAL.format(play=play).encode())
    assert match.plays.validity[0] == Validity.ILLEGAL.value
    written = ogxm_document([match])
    back = read_all("illegal.ogxm", written.content)[0]()
    assert (len(back.plays), len(written.changes)) == (plays, told)
    assert all("game 1, turn 1: " in change for change in written.changes)
    assert back.games.winner.tolist() == match.games.winner.tolist()
    if plays == len(match.plays):
        assert back.plays.validity.tolist() == match.plays.validity.tolist()
        assert back.plays.position.tolist() == match.plays.position.tolist()


def test_names_come_back_whatever_is_in_them() -> None:
    names = ("A\\B]", "Nicola\\\\ Harmand de la Tour d'Auvergne\\")
    match = replace(
        read_match("legal.mat", ILLEGAL.format(play="8/5 6/5").encode()),
        players=names,
        event="E\\v]",
    )
    back = read_all("names.ogxm", ogxm_document([match]).content)[0]()
    assert (back.players, back.event) == (names, match.event)
    assert back.plays.validity.tolist() == [Validity.VALID.value] * 6


@pytest.mark.long
def test_no_double_before_a_roll_that_was_not_played_comes_back_where_the_analysis_has_it() -> None:
    xg = read_match(
        "unplayed.xg", write(SyntheticGame().opened().turn().turn(was_played=False).match())
    )
    assert (xg.plays.validity[-1], xg.cubes.kind[-1], xg.cubes.turn[-1]) == (
        Validity.UNPLAYED.value,
        Kind.NO_DOUBLE,
        xg.plays.turn[-1],
    )
    assert xg.cubes.analysed[-1]
    columns = {name: getattr(xg.cubes, name)[:-1] for name in Cubes.names()}
    without = replace(xg, cubes=Cubes(len(xg.cubes) - 1, columns))  # as gnuBG has the same match
    for match in (xg, without):
        back = read_all("unplayed.ogxm", ogxm_document([match]).content)[0]()
        assert back.cubes.turn.tolist() == match.cubes.turn.tolist()
        assert back.cubes.analysed.tolist() == match.cubes.analysed.tolist()
        assert back.plays.validity.tolist() == match.plays.validity.tolist()
        assert_same_figures(match, back)


def test_match_with_a_position_set_up_is_refused() -> None:
    path = next(iter(matching("gnubg/m59*.sgf")), None)
    if path is None:
        pytest.skip("no folder of real matches")
    with pytest.raises(CannotTranscribe, match="a position set up by hand"):
        ogxm_document([load_match(path)])


@pytest.mark.parametrize("path", cases("gnubg/m09*.sgf", "gnubg/m49*.sgf", short=0, most=1))
def test_money_with_beavers_and_automatic_doubles_comes_back(path: Path) -> None:
    checked(written(path))
    assert_same_figures(loaded(path), read_match("money.ogxm", written(path)))


def test_kept_columns_of_another_length_are_refused() -> None:
    match, document = loaded(SMALL), small_document()
    letters = kept_json(document, document["analysis_info"]["analysis_id"])
    rows = {name: len(getattr(match, name)) for name in ("plays", "cubes", "resignations")}
    assert len(unpacked(letters, rows).plays["best"]) == rows["plays"]
    for table in rows:
        for wrong in (rows[table] + 1, rows[table] + 1000):
            with pytest.raises(Damaged, match=f"with {wrong} rows"):
                unpacked(letters, {**rows, table: wrong})
