"""Positions copied out of XG, in any of its languages, are judged where they were played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reconcile.errors import NothingToCompare
from reconcile.gap.verdict import OUTSIDE, WITHIN
from reconcile.gate.candidates.judgement import CandidateResult
from reconcile.gate.candidates.read import read_candidates
from reconcile.gate.judged_figures import pack_cases
from reconcile.match.board.identifiers import xgid
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.scoring.decision_table import situation_of
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.judging import only, refused, told, validate
from tests.gate.candidates.samples import (
    DEMONSTRATION,
    file_of,
    loaded,
    mistakes,
    play_text,
    written,
)
from tests.support.data import cases


def cube_text(match: Match, row: int, no_double: float, take: float, drop: float) -> str:
    """A cube decision of a match in the form in which XG copies it, with these equities for the player on roll."""
    situation = situation_of(match, len(match.plays) + row)
    assert situation is not None
    values = zip(("No double", "Double/Take", "Double/Pass"), (no_double, take, drop), strict=True)
    lines = "".join(f"       {word}:     {value:+.3f} (-0.1)\n" for word, value in values)
    cubeless = "Cubeless Equities: No Double=+0.1, Double=+0.2"
    return f"{xgid(situation)}\nX on roll, cube action\n\n{cubeless}\n\nCubeful Equities:\n{lines}\nBest Cube action: -\n"


@pytest.mark.parametrize("path", cases("xg-text/*_EN.txt"))
def test_position_reads_alike_in_four_languages(path: Path) -> None:
    read = [
        read_candidates([str(path.with_name(path.name.replace("_EN", f"_{language}")))])[0]
        for language in ("EN", "DE", "FR", "JP")
    ]
    (english,) = read[0].positions
    for other in read[1:]:
        (position,) = other.positions
        assert position.situation == english.situation
        assert position.plays == english.plays
        if english.cube is not None and position.cube is not None:
            assert position.cube == pytest.approx(english.cube, abs=0.003), (
                "analysed twice by XG Roller++"
            )
    assert bool(english.plays) != (english.cube is not None)


@pytest.mark.parametrize("path", cases("xg-text/*_EN.txt"))
def test_position_of_no_reference_match_is_told(path: Path) -> None:
    assert "no available reference match has it" in refused(str(path), NothingToCompare)


def test_identifier_in_a_line_too_long_is_none(tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_text(
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:"
        + "1" * 40
        + ":0:0:0:7:10\n\n    1. XG Roller+   24/21 6/5    eq:-0.100\n"
    )
    assert "expected an XGID of a decision, found one in a line" in refused(str(file))


def test_position_is_judged_where_it_was_played(tmp_path: Path) -> None:
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    rows = mistakes(match)
    assert len(rows) == 6
    result = validate(
        DEMONSTRATION,
        candidates=[
            written(tmp_path / "p.txt", "\n\n".join(play_text(match, row) for row in rows))
        ],
    )
    found = told(result, "demonstration")
    errors = statistics(match).scored.error
    assert [one.figures[0].left for one in found] == pytest.approx(
        [float(errors[row]) for row in rows]
    )
    assert [one.figures[0].right for one in found] == pytest.approx(
        [float(errors[row]) for row in rows], abs=0.001
    )
    assert {one.verdict for each in found for one in each.figures} == {WITHIN}
    places = [
        f"game {match.games.number[match.plays.game[row]]}, turn {match.plays.turn[row]}, play"
        for row in rows
    ]
    assert [one.part for one in found] == places
    spoilt = validate(
        DEMONSTRATION,
        candidates=[written(tmp_path / "p.txt", play_text(match, rows[0], shift=-0.01))],
    )
    assert [one.verdict for one in only(spoilt).figures] == [OUTSIDE]
    assert len({case.id for case in pack_cases(result)}) == 6


def test_cube_position_is_judged_by_the_action_that_was_taken(tmp_path: Path) -> None:
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    scored = statistics(match).scored
    plays = len(match.plays)
    rows = [
        row
        for row in range(len(match.cubes))
        if match.cubes.kind[row] in (Kind.NO_DOUBLE, Kind.DOUBLE) and scored.counted[plays + row]
    ]
    view = scored.view
    texts = [
        cube_text(
            match,
            row,
            float(view.no_double[row]),
            float(view.double_take[row]),
            float(view.double_pass[row]),
        )
        for row in rows
    ]
    result = validate(DEMONSTRATION, candidates=[written(tmp_path / "p.txt", "\n".join(texts))])
    found = told(result, "demonstration")
    assert len(found) == len(rows) > 3
    assert {one.verdict for each in found for one in each.figures} == {WITHIN}
    assert [each.findings for each in found if each.findings] == []


@pytest.mark.parametrize(
    ("take", "lost"),
    [(1.15, {Kind.TAKE: 0.15, Kind.PASS: 0.0}), (0.85, {Kind.TAKE: 0.0, Kind.PASS: 0.15})],
)
def test_response_costs_what_the_doubler_gains_by_it(
    take: float, lost: dict[Kind, float], tmp_path: Path
) -> None:
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    rows = [row for row in range(len(match.cubes)) if match.cubes.kind[row] in lost]
    result = validate(
        DEMONSTRATION,
        candidates=[
            written(
                tmp_path / "p.txt", "\n".join(cube_text(match, row, 0.7, take, 1.0) for row in rows)
            )
        ],
    )
    found = told(result, "demonstration")
    kinds = [Kind(int(match.cubes.kind[row])) for row in rows]
    assert set(kinds) == set(lost)
    assert [one.figures[0].right for one in found] == pytest.approx([lost[kind] for kind in kinds])


def test_position_is_found_whichever_die_is_named_first(tmp_path: Path) -> None:
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    row = next(
        row for row in mistakes(match) if match.plays.dice[row][0] != match.plays.dice[row][1]
    )
    first, second = match.plays.dice[row]
    text = play_text(match, row)
    turned = text.replace(f":{first}{second}:", f":{second}{first}:")
    assert turned != text
    result = only(validate(DEMONSTRATION, candidates=[written(tmp_path / "p.txt", turned)]))
    assert result.figures[0].verdict == WITHIN


def test_other_best_equity_is_a_finding_beyond_the_tolerance_of_the_error(tmp_path: Path) -> None:
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    row = mistakes(match)[0]

    def judged(by: float) -> CandidateResult:
        """Every play is worth as much more, so that no error is another."""
        raised = re.sub(
            r"eq:(\S+)", lambda found: f"eq:{float(found[1]) + by:+.3f}", play_text(match, row)
        )
        return only(validate(DEMONSTRATION, candidates=[written(tmp_path / "p.txt", raised)]))

    tolerance = judged(0).figures[0].tolerance
    assert tolerance is not None
    assert [one.code for one in judged(0.5 * tolerance).findings] == []
    for by in (1.5 * tolerance, -1.5 * tolerance):
        assert judged(by).figures[0].verdict == WITHIN
        assert [one.code for one in judged(by).findings] == ["candidate-best-differs"]
