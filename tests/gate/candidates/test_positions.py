"""Positions copied out of XG, in any of its languages, are judged where they were played."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.board.identifiers import xgid
from reconcile.columns import Kind
from reconcile.errors import NothingToCompare
from reconcile.gap.contributions import situation_of
from reconcile.gap.verdict import OUTSIDE, WITHIN
from reconcile.gate.candidates.read import read_candidates
from reconcile.gate.judged_figures import pack_cases
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.judging import only, refused, told, validate
from tests.gate.candidates.samples import DEMONSTRATION, file_of, loaded, mistakes, play_text, written
from tests.support.data import cases


@pytest.mark.parametrize("path", cases("xg-text/*_EN.txt"))
def test_position_reads_alike_in_four_languages(path: Path) -> None:
    read = [read_candidates([str(path.with_name(path.name.replace("_EN", f"_{language}")))])[0] for language in ("EN", "DE", "FR", "JP")]
    (english,) = read[0].positions
    for other in read[1:]:
        (position,) = other.positions
        assert position.situation == english.situation
        assert position.plays == english.plays
        if english.cube is not None and position.cube is not None:
            assert position.cube == pytest.approx(english.cube, abs=0.003), "analysed twice by XG Roller++"
    assert bool(english.plays) != (english.cube is not None)


@pytest.mark.parametrize("path", cases("xg-text/*_EN.txt"))
def test_position_of_no_reference_match_is_told(path: Path) -> None:
    assert "no available reference match has it" in refused(str(path), NothingToCompare)


def test_identifier_in_a_line_too_long_is_none(tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text("XGID=-b----E-C---eE---c-e----B-:0:0:1:" + "1" * 40 + ":0:0:0:7:10\n\n    1. XG Roller+   24/21 6/5    eq:-0.100\n")
    assert "expected an XGID of a decision, found one in a line" in refused(str(file))


def test_position_is_judged_where_it_was_played(tmp_path: Path) -> None:
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    rows = mistakes(match)
    assert len(rows) == 6
    result = validate(DEMONSTRATION, candidates=[written(tmp_path / "p.txt", "\n\n".join(play_text(match, row) for row in rows))])
    found = told(result, "demonstration")
    errors = statistics(match).scored.error
    assert [one.figures[0].left for one in found] == pytest.approx([float(errors[row]) for row in rows])
    assert [one.figures[0].right for one in found] == pytest.approx([float(errors[row]) for row in rows], abs=0.001)
    assert {one.verdict for each in found for one in each.figures} == {WITHIN}
    places = [f"game {match.games.number[match.plays.game[row]]}, turn {match.plays.turn[row]}, play" for row in rows]
    assert [one.part for one in found] == places
    spoilt = validate(DEMONSTRATION, candidates=[written(tmp_path / "p.txt", play_text(match, rows[0], shift=-0.01))])
    assert [one.verdict for one in only(spoilt).figures] == [OUTSIDE]
    assert len({case.id for case in pack_cases(result)}) == 6


def test_cube_position_is_judged_by_the_action_that_was_taken(tmp_path: Path) -> None:
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    scored = statistics(match).scored
    plays = len(match.plays)
    rows = [
        row for row in range(len(match.cubes)) if match.cubes.kind[row] in (Kind.NO_DOUBLE, Kind.DOUBLE) and scored.counted[plays + row]
    ]
    texts = []
    for row in rows:
        situation = situation_of(match, plays + row)
        assert situation is not None
        view = scored.view
        lines = "".join(
            f"       {word}:     {value[row]:+.3f} (-0.1)\n"
            for word, value in (("No double", view.no_double), ("Double/Take", view.double_take), ("Double/Pass", view.double_pass))
        )
        cubeless = "Cubeless Equities: No Double=+0.1, Double=+0.2"
        texts.append(f"{xgid(situation)}\nX on roll, cube action\n\n{cubeless}\n\nCubeful Equities:\n{lines}\nBest Cube action: -\n")
    result = validate(DEMONSTRATION, candidates=[written(tmp_path / "p.txt", "\n".join(texts))])
    found = told(result, "demonstration")
    assert len(found) == len(rows) > 3
    assert {one.verdict for each in found for one in each.figures} == {WITHIN}
    assert [each.findings for each in found if each.findings] == []
