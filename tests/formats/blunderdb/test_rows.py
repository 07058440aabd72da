"""The moves of a database become plays and cube decisions, also where rows, answers or positions
are missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reconcile.formats import load_match
from reconcile.formats.blunderdb.values import LABELS, cube_action
from reconcile.gap.pairing import pair
from reconcile.match.columns import Kind
from reconcile.scoring.statistics import statistics
from tests.support import blunderdb_writer as writer
from tests.support.club_databases import DEMONSTRATION, SEVEN, changed, codes, source
from tests.support.data import cases
from tests.support.long import long_but_first


def test_no_double_without_a_row_is_not_analysed_and_the_answer_follows_from_the_double_s_label(
    folder: Path,
) -> None:
    """As blunderDB's import of a gnuBG file leaves it."""
    match = source("reference_matches/gnubg-11pt-cube-rich/ann-ben-11pt-cube-rich.sgf")
    path = writer.write(folder / "as-gnubg.db", [match], as_gnubg=True)
    database = load_match(path)
    paired = pair(match, database)
    actions = match.cubes.kind != Kind.NO_DOUBLE
    assert len(paired.cubes[0]) == len(match.cubes)
    assert (database.cubes.kind[paired.cubes[1]] == match.cubes.kind[paired.cubes[0]]).all()
    assert (
        database.cubes.analysed.sum()
        == (match.cubes.analysed & (match.cubes.kind == Kind.DOUBLE)).sum()
    )
    assert np.isnan(database.cubes.stored_error[~database.cubes.analysed]).all()
    evidence = codes(path)
    assert f"{(~actions).sum()} no-doubles" in evidence["cube-rows-missing"]
    assert "incomplete-analysis" in evidence


def test_plain_no_double_has_its_error_and_one_without_analysis_is_unknown_not_0(
    tmp_path: Path,
) -> None:
    path = changed(tmp_path, "UPDATE move SET decision_error_mp = NULL WHERE cube_action = 3")
    cubes = load_match(path).cubes
    plain = cubes.kind == Kind.NO_DOUBLE
    assert plain.any()
    assert not cubes.analysed[plain].any()
    assert cubes.expected[plain].all()
    match = statistics(load_match(path)).completeness(0)["cube"]
    assert match.analysed < match.expected


def test_double_is_taken_where_play_goes_on(tmp_path: Path) -> None:
    path = changed(
        tmp_path,
        "DELETE FROM move WHERE cube_action IN (9, 10)",
        paths=("reference_matches/gnubg-11pt-cube-rich/ann-ben-11pt-cube-rich.sgf",),
    )
    match = source("reference_matches/gnubg-11pt-cube-rich/ann-ben-11pt-cube-rich.sgf")
    kinds = load_match(path).cubes.kind
    for kind in (Kind.TAKE, Kind.PASS):
        assert (kinds == kind).sum() == (match.cubes.kind == kind).sum() > 0


@pytest.mark.parametrize("label", [8, 14])
@pytest.mark.parametrize("path", cases("gnubg/*_beaver_cuberich.sgf"))
def test_beaver_that_has_no_row_shows_in_the_cube_of_the_next_play(
    tmp_path: Path, path: Path, label: int
) -> None:
    """blunderDB's import of an .xg labels a double that was beavered as passed."""
    file = source(str(path))
    stored = load_match(
        changed(
            tmp_path,
            f"UPDATE move SET cube_action = {label} WHERE cube_action = 8",
            paths=(str(path),),
        )
    )
    for table in ("game", "turn", "player", "kind", "cube", "owner"):
        assert (getattr(stored.cubes, table) == getattr(file.cubes, table))[
            file.cubes.kind != Kind.TAKE
        ].all()
    assert (stored.plays.cube == file.plays.cube).all()
    assert (stored.cubes.kind == Kind.BEAVER).any()


@pytest.mark.parametrize("path", long_but_first([f"{DEMONSTRATION}.xg", SEVEN]))
def test_plays_alone_lead_to_the_same_positions_where_the_stored_ones_are_gone(
    tmp_path: Path, path: str
) -> None:
    match = load_match(writer.write(tmp_path / "whole.db", [source(path)]))
    bare = load_match(changed(tmp_path, "UPDATE move SET position_id = NULL", paths=(path,)))
    assert (bare.plays.position == match.plays.position).all()
    assert not bare.plays.analysed.any()
    assert "not-analysed" in codes(tmp_path / "changed.db")


LABELLED: dict[str, tuple[Kind, Kind | None]] = {
    "No Double|No redouble|No Double, Take|Too good to redouble, pass|TG|": (Kind.NO_DOUBLE, None),
    "Double|Redouble": (Kind.DOUBLE, None),
    "Double, Take|Double / Prendre": (Kind.DOUBLE, Kind.TAKE),
    "Double / Refuser|Double / Reject|Redouble, pass": (Kind.DOUBLE, Kind.PASS),
    "Double/Beaver": (Kind.DOUBLE, Kind.BEAVER),
    "Take": (Kind.TAKE, None),
    "Drop": (Kind.PASS, None),
    "Beaver": (Kind.BEAVER, None),
}


def test_label_of_a_cube_action_says_what_was_done() -> None:
    for labels, kinds in LABELLED.items():
        assert {cube_action(label) for label in labels.split("|")} == {kinds}
    assert cube_action("Unknown(D=2,T=1)") is None


def test_every_fixed_label_of_an_action_is_understood() -> None:
    assert all(cube_action(label) for label in LABELS if label not in ("checker", "cube"))
    assert len(LABELS) == len(set(LABELS)) == 42
