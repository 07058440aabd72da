"""A list of decisions: read in every spelling, its figures judged, every row that differs named, and nothing dropped in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.gap.verdict import INCOMPLETE, OUTSIDE, WITHIN
from reconcile.report.forms import in_form
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.judging import only
from tests.gate.candidates.lists import (
    document,
    evidence,
    judged,
    named,
    rows_of,
    table,
    where,
    wrong,
)
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    DEMONSTRATION,
    ZERO_PLY,
    file_of,
    loaded,
    make_pack,
)
from tests.support.examples import examples

ROWS = rows_of()


def test_every_figure_of_a_list_is_judged_and_its_bridge_adds_up(tmp_path: Path) -> None:
    result, _ = judged(tmp_path, table(ROWS))
    assert result.summary.stated == result.summary.given_judged == 22
    rows = [
        {**row, "counted": not row["counted"]} if index % 7 == 0 else row
        for index, row in enumerate(ROWS)
    ]
    rows = [
        {**row, "error": row["error"] * 1.5} if index % 5 == 0 else row
        for index, row in enumerate(rows)
    ]
    result, _ = judged(tmp_path, table(rows[3:] + rows[10:20] + [{**rows[0], "game": 99}]))
    candidate = only(result)
    assert candidate.comparison is not None
    bridges = {(one.player, one.metric): one for one in candidate.comparison.bridges}
    checked = 0
    for figure in candidate.figures:
        bridge = bridges.get((figure.player, figure.metric))
        if bridge is None or figure.gap is None:
            continue
        assert not bridge.reason
        assert (bridge.start, bridge.end) == pytest.approx((figure.left, figure.right), abs=1e-9)
        assert sum(step.change for step in bridge.steps) == pytest.approx(figure.gap, abs=1e-9)
        checked += abs(figure.gap) > 0
    assert checked > 10


def test_rounded_rows_move_sums_by_no_more_than_their_digits(tmp_path: Path) -> None:
    result, decisions = judged(
        tmp_path, table(ROWS, number=lambda value: f"{value:.2f}"), candidate_table="printed"
    )
    assert decisions.differing == ()
    assert {one.verdict for one in only(result).figures} == {WITHIN}
    assert any(one.gap for one in only(result).figures)
    assert "rounded, each by up to 0.005" in evidence(result, "candidate-list")


def test_zeros_that_json_loses_are_digits_all_the_same(tmp_path: Path) -> None:
    rows = [{**row, "error": round(row["error"], 2)} for row in ROWS]
    # 0.1 in a list of hundredths is 0.10, not anything from 0.05 to 0.15.
    short = next(
        index
        for index in wrong(ROWS, 0.1)
        if abs(round(ROWS[index]["error"], 1) - ROWS[index]["error"]) > 0.01
    )
    rows[short] = {**rows[short], "error": round(ROWS[short]["error"], 1)}
    noisy = next(index for index in wrong(ROWS, 0.1) if index != short)
    rows[noisy] = {**rows[noisy], "error": ROWS[noisy]["error"] + 0.0001}
    _, decisions = judged(tmp_path, document(rows), name="a.json")
    # A number with more digits than the others is held to them.
    assert sorted(named(decisions)) == sorted([where(ROWS[noisy]), where(ROWS[short])])


# -- one row changed: that decision is named, and no other ---------------------------------------------------------------


CHANGES = st.sampled_from(["drop", "double", "flip", "scale", "no error"])
Named = list[tuple[str, int | None, tuple[int, int, str, str]]]


@settings(max_examples=examples(8))
@given(st.integers(0, len(ROWS) - 1), CHANGES)
def test_changed_row_is_named_and_no_other(
    tmp_path_factory: pytest.TempPathFactory, index: int, change: str
) -> None:
    row, rows = ROWS[index], list(ROWS)
    matters = row["counted"] or row["error"] > 1e-6
    expected: Named = []
    if change == "drop":
        del rows[index]
        expected = [("no-row", None, where(row))] if matters else []
    elif change == "double":
        rows.append(row)
    elif change == "flip":
        rows[index] = {**row, "counted": not row["counted"]}
        expected = [
            ("counted-by-reference" if row["counted"] else "counted-by-list", index + 2, where(row))
        ]
    elif change == "scale":
        rows[index] = {**row, "error": row["error"] * 1.7 + 0.01}
        expected = [("error", index + 2, where(row))]
    else:
        rows[index] = {**row, "error": None}
        expected = [("no-error", index + 2, where(row))] if matters else []
    result, decisions = judged(tmp_path_factory.getbasetemp(), table(rows))
    assert [
        (one.way, one.row, at)
        for one, at in zip(decisions.differing, named(decisions), strict=True)
    ] == expected
    repeated = [(len(ROWS) + 2, "twice")] if change == "double" else []
    assert [(one.row, one.why) for one in decisions.unpaired] == repeated
    assert decisions.unlisted == (change == "drop" and not matters)
    assert decisions.fault == ""
    if change == "double":
        assert f"row {len(ROWS) + 2} repeats row {index + 2}" in evidence(result, "candidate-rows")
    if change == "no error" and row["counted"]:
        assert {
            one.verdict
            for one in only(result).figures
            if one.player == row["player"] and one.metric == "pr"
        } == {INCOMPLETE}


def test_row_about_no_decision_is_reported_and_in_the_sums(tmp_path: Path) -> None:
    extra = {**ROWS[0], "game": 77, "turn": 5, "counted": True, "error": 0.25}
    result, decisions = judged(tmp_path, table([*ROWS, extra]))
    (row,) = decisions.unpaired
    assert result.summary.not_compared == 1
    assert (row.why, row.text) == (
        "no-decision",
        f"game 77, turn 5, play, {extra['player']}: row {len(ROWS) + 2}, adds 1 decision and error 0.25",
    )
    ours = statistics(loaded(file_of(ZERO_PLY))).figures((ALICE, BOB).index(extra["player"]))
    given = {
        one.metric: (one.right or 0) - (ours[one.metric] or 0)
        for one in only(result).figures
        if one.player == extra["player"]
    }
    assert given["decisions.counted"] == given["decisions.checker"] == 1
    assert given["equity_error.total"] == pytest.approx(0.25, abs=1e-9)


def test_list_of_the_counted_decisions_of_one_player_is_enough(tmp_path: Path) -> None:
    rows = [row for row in ROWS if row["player"] == BOB and (row["counted"] or row["error"])]
    result, decisions = judged(tmp_path, table(rows))
    assert decisions.differing == ()
    assert {one.player for one in only(result).figures} == {BOB}
    assert f"no row of {ALICE}" in evidence(result, "candidate-list")
    assert f"{decisions.unlisted} decisions without a row" in evidence(result, "candidate-list")


# -- faults of all errors ----------------------------------------------------------------------------------------------


def mwc(share: float) -> list[float]:
    scored = statistics(loaded(file_of(ZERO_PLY))).scored
    costs: dict[float, float] = dict(
        zip(
            scored.error.astype(float).tolist(),
            (share * scored.loss.astype(float)).tolist(),
            strict=True,
        )
    )
    return [costs.get(row["error"], 0.0) for row in ROWS]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ([1000 * row["error"] for row in ROWS], "in thousandths of a point"),
        ([row["error"] / 1000 for row in ROWS], "divided by 1000"),
        ([500 * row["error"] for row in ROWS], "times 500"),
        ([2 * row["error"] for row in ROWS], "times 2"),
        ([1.25 * row["error"] for row in ROWS], "1.25 times the reference's"),
        ([row["error"] * (-1) ** index for index, row in enumerate(ROWS)], "wrong sign in places"),
        (mwc(100), "match winning chance in percentage points"),
        (mwc(1), "match winning chance from 0 to 1"),
    ],
)
def test_fault_of_all_errors_is_named_first_and_undone_for_the_decisions(
    tmp_path: Path, changed: list[float], words: str
) -> None:
    rows = [{**row, "error": error} for row, error in zip(ROWS, changed, strict=True)]
    flipped = wrong(ROWS)[0]
    rows[flipped]["counted"] = not rows[flipped]["counted"]
    result, decisions = judged(tmp_path, table(rows))
    assert words in decisions.fault
    assert only(result).findings[0].code == "candidate-unit"
    assert named(decisions) == [where(ROWS[flipped])]
    assert OUTSIDE in {one.verdict for one in only(result).figures}


def test_errors_in_points_are_named_where_the_cube_was_turned(tmp_path: Path) -> None:
    rows = rows_of(DEMONSTRATION, ending=".xg")
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    tables = [(match.plays, 0), (match.cubes, 1)]
    cube = {
        (int(match.games.number[game]), int(turn), match.players[player], which): int(value)
        for one, which in tables
        for game, turn, player, value in zip(one.game, one.turn, one.player, one.cube, strict=True)
    }
    for row in rows:
        if row["error"]:
            row["error"] *= cube[
                row["game"], row["turn"], row["player"], int(row["kind"] != "play")
            ]
    if len(set(cube.values())) == 1:
        pytest.skip("the cube was never turned")
    _, decisions = judged(tmp_path, document(rows, analysis="xg"), DEMONSTRATION, "a.json")
    assert "points, times the value of the cube" in decisions.fault


def test_list_in_match_winning_chance_is_compared_in_it(tmp_path: Path) -> None:
    rows = [{**row, "error": error} for row, error in zip(ROWS, mwc(100), strict=True)]
    result, decisions = judged(tmp_path, document(rows, unit="mwc"), name="a.json")
    assert (decisions.differing, decisions.fault) == ((), "")
    assert {one.metric.partition(".")[0] for one in only(result).figures} == {
        "decisions",
        "mwc_loss_percent",
    }


def test_other_rule_set_is_recognised_and_the_bridge_goes_through_its_questions(
    tmp_path: Path,
) -> None:
    result, decisions = judged(tmp_path, table(rows_of(rules="xg")))
    assert decisions.rule_sets["xg"] == 0
    assert decisions.differing
    assert "rule set xg gives all" in evidence(result, "candidate-rules")
    comparison = only(result).comparison
    assert comparison is not None
    assert {
        step.code: step.change for step in comparison.bridges[0].steps if step.change
    }.keys() <= {f"Q{number:02}" for number in range(1, 17)}
    assert {code for one in decisions.differing for code in one.questions} & {"Q01", "Q02", "Q03"}


def test_list_is_held_against_the_rules_that_the_manifest_declares(tmp_path: Path) -> None:
    pack = make_pack(
        tmp_path / "pack",
        {"one": {"gnubg": file_of(ZERO_PLY)}},
        candidates={"file": "gnubg", "rules": "ours.yaml"},
    )
    (pack / "one" / "ours.yaml").write_text(
        "name: ours\nextends: xg\nanswers: {Q02: gnubg}\n", "utf-8"
    )
    result, decisions = judged(tmp_path, table(rows_of(rules="xg")), pack)
    assert only(result).rules == "ours"
    assert {code for one in decisions.differing for code in one.questions} == {"Q02"}
    assert "rule set xg gives all" in evidence(result, "candidate-rules")
    rows = rows_of(rules="xg")
    index = next(
        index
        for index, row in enumerate(rows)
        if row["kind"] == "no-double" and not row["counted"] and row["turn"] > 9
    )
    rows[index] = {**rows[index], "counted": True}
    result, decisions = judged(tmp_path, table(rows), pack)
    assert "rule set xg comes closest: 1 differ" in evidence(result, "candidate-decisions")
    assert only(result).suite in in_form(result, "text")


def test_border_of_the_program_is_found_between_two_decisions(tmp_path: Path) -> None:
    scored = statistics(loaded(file_of(ZERO_PLY))).scored
    costs = (scored.view.no_double - scored.view.least).tolist()
    match = loaded(file_of(ZERO_PLY))
    cost = {
        (int(match.games.number[game]), int(turn), match.players[player]): value
        for game, turn, player, kind, value in zip(
            match.cubes.game,
            match.cubes.turn,
            match.cubes.player,
            match.cubes.kind,
            costs,
            strict=True,
        )
        if kind == 1
    }
    rows = [
        {**row, "counted": cost[row["game"], row["turn"], row["player"]] < 0.3}
        if row["kind"] == "no-double"
        else row
        for row in ROWS
    ]
    _, decisions = judged(tmp_path, table(rows))
    (border,) = decisions.borders
    assert border.question == "Q02"
    assert border.counts < 0.3 < border.not_counts
    assert border.moved == len(decisions.differing) >= 2
    for one in decisions.differing:  # gnuBG's line and this one
        assert 0.16 <= cost[one.game, one.turn, one.player] < 0.3
        assert (
            f"doubling would have cost {cost[one.game, one.turn, one.player]:.4f}" in one.sentence
        )


@pytest.mark.parametrize("larger", [0, 1])
def test_decision_that_moves_pr_most_is_named_first(tmp_path: Path, larger: int) -> None:
    plays = [
        index
        for index, row in enumerate(ROWS)
        if row["kind"] == "play" and row["player"] == ROWS[0]["player"] and row["counted"]
    ]
    spoilt = [plays[2], plays[5]]
    rows = [dict(row) for row in ROWS]
    for place, index in enumerate(spoilt):
        rows[index]["error"] += 0.3 if place == larger else 0.1
    _, decisions = judged(tmp_path, table(rows))
    assert named(decisions) == [where(ROWS[spoilt[larger]]), where(ROWS[spoilt[1 - larger]])]
    first, second = (one.pr for one in decisions.differing)
    assert first is not None
    assert second is not None
    assert first == pytest.approx(3 * second)
    assert second > 0
