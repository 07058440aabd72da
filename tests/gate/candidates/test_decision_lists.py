"""A list of decisions: its figures judged, every row that differs named, nothing dropped."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.cli import main
from reconcile.errors import NothingToCompare
from reconcile.gap.verdict import INCOMPLETE, OUTSIDE, WITHIN
from reconcile.gate.candidates.differing import Border, Differences, fault_of
from reconcile.gate.candidates.list_result import ListResult, shared_borders
from reconcile.gate.candidates.listed import SLACK, Listed, listed_beside
from reconcile.gate.candidates.read import read_candidates, read_printed
from reconcile.infer.turning import filled
from reconcile.match.match import Match
from reconcile.report.forms import in_form
from reconcile.report.text.decisions import decisions_content
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.score import score
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.judging import codes, only, outputs, validate
from tests.gate.candidates.lists import (
    Row,
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
    PACK,
    RICH,
    ZERO_PLY,
    file_of,
    loaded,
    make_pack,
    written,
)
from tests.support.claims import some
from tests.support.data import PROJECT, cases
from tests.support.examples import examples
from tests.support.hand_made import match_of, plays
from tests.support.long import long_but_first
from tests.support.schemas import faults

ROWS = rows_of()


def changed(index: int, rows: Sequence[Row] = ROWS, **facts: Any) -> list[Row]:
    """The rows with one changed."""
    return [{**row, **facts} if at == index else row for at, row in enumerate(rows)]


# -- real matches under every rule set ------------------------------------------------------------

FILES = [pytest.param(path, id=path.parent.name) for path in sorted(PACK.glob("*/*.[sx]g*"))]
REAL = ("real/*.xg", "real/*.sgf", "gnubg/*.sgf", "bgblitz/bgf/*.bgf", "bgblitz/xg/*.xg")
MATCHES = [*long_but_first(FILES, 1), *cases(*REAL, short=0, most=3)]


def listed_under(match: Match, rules: str, reference: str) -> Listed:
    """A list by some rules beside the match by others."""
    scored = statistics(match, rules)
    forms = ("json", "csv") if rules == "xg" else ("json",)
    texts = [decisions_content(scored, form).encode() for form in forms]
    ((rows,), *again) = (
        [entry.rows for entry in read_printed("own", text).claims] for text in texts
    )
    assert rows is not None
    for ((table_rows,),) in [(entry,) for entry in again]:  # the table says the same
        assert table_rows is not None
        assert np.array_equal(table_rows.error, rows.error, equal_nan=True)
        assert np.array_equal(table_rows.counted, rows.counted)
    seats = {name: seat for seat, name in enumerate(match.players)}
    listed = listed_beside(match, RULE_SETS[reference], rows, seats.get)
    assert isinstance(listed, Listed)
    return listed


@pytest.mark.parametrize("path", MATCHES)
def test_list_under_the_rules_of_its_reference_pairs_wholly_and_differs_in_nothing(
    path: Path,
) -> None:
    match = loaded(path)
    for name in RULE_SETS:
        listed = listed_under(match, name, name)
        assert (listed.at >= 0).all()
        assert not listed.repeated.any()
        assert listed.misnamed.tolist() == []
        fault = fault_of(listed)
        differences = Differences(listed, fault)
        assert (fault.text, differences.rows.tolist(), differences.counts[name]) == ("", [], 0)
        ours = statistics(match, name)
        for entry in listed.figures():
            assert isinstance(entry.player, int)
            left = ours.figures(entry.player)[entry.metric] or 0
            assert entry.value is None or entry.value == pytest.approx(left, abs=1e-9), (
                name,
                entry,
            )


@pytest.mark.parametrize("path", MATCHES)
def test_list_under_other_rules_differs_just_where_the_rules_do(path: Path) -> None:
    match, names = loaded(path), list(RULE_SETS)
    for name, reference in zip(names, [*names[1:], names[0]], strict=True):
        listed = listed_under(match, name, reference)
        fault, left, count = fault_of(listed), listed.left, len(listed.mine)
        own = score(listed.match, RULE_SETS[name], left.met)
        counted = filled(own.counted, count) != filled(left.counted, count)
        off = np.abs(filled(own.error, count).astype(float) - filled(left.error, count))
        differs = counted | (listed.analysed & (off > SLACK + listed.half))
        rows = Differences(listed, fault).rows.tolist()
        assert (fault.text, rows) == ("", np.flatnonzero(differs).tolist()), (name, reference)


def test_every_form_says_the_same(tmp_path: Path) -> None:
    match, ours = loaded(file_of(ZERO_PLY)), statistics(loaded(file_of(ZERO_PLY)))
    seats = [{**row, "player": str(1 + (row["player"] == BOB))} for row in ROWS]
    forms: dict[str, Any] = {
        "a.csv": table(ROWS),
        "d.csv": "\ufeff" + table(ROWS).replace("\n", "\r\n"),
        "f.csv": table(seats),
        "g.csv": table([{**row, "error": row["error"] and -row["error"]} for row in ROWS]),
        "h.json": document(ROWS),
        "i.json": ROWS,
        "j.csv": table(ROWS).encode("utf-16"),
    }
    for name, content in some(forms.items()):
        ((claim,),) = (
            entry.claims for entry in read_candidates([written(tmp_path / name, content)])
        )
        assert claim.rows is not None
        listed = listed_beside(match, ours.rules, claim.rows, {ALICE: 0, BOB: 1}.get)
        assert isinstance(listed, Listed)
        fault = fault_of(listed)
        assert (Differences(listed, fault).rows.tolist(), fault.text) == ([], ""), name
        assert sorted(listed.at.tolist()) == [*range(len(ROWS))], name
        for figure in listed.figures():
            right = ours.figures(int(figure.player))[figure.metric]
            assert figure.value == pytest.approx(right, abs=1e-9)
    ((claim,),) = (
        entry.claims for entry in read_candidates([f"{tmp_path / 'a.csv'}#{ZERO_PLY.name}"])
    )
    assert claim.match == ZERO_PLY.name


# -- figures --------------------------------------------------------------------------------------


def test_every_figure_of_a_list_is_judged_and_its_bridge_adds_up(tmp_path: Path) -> None:
    result, _ = judged(tmp_path, table(ROWS))
    assert result.summary.stated == result.summary.given_judged == 22
    rows = [
        {**row, "counted": row["counted"] != (at % 7 == 0), "error": row["error"] * (1 + at % 5)}
        for at, row in enumerate(ROWS)
    ]
    result, _ = judged(tmp_path, table(rows[3:] + rows[10:20] + [{**rows[0], "game": 99}]))
    candidate = only(result)
    assert candidate.comparison is not None
    bridges = {(entry.player, entry.metric): entry for entry in candidate.comparison.bridges}
    checked = 0
    for figure in candidate.figures:
        bridge = bridges.get((figure.player, figure.metric))
        if bridge is None or figure.gap is None:
            continue
        ends = figure.left, figure.right
        assert not bridge.reason
        assert (bridge.start, bridge.end) == pytest.approx(ends, abs=1e-9)
        assert sum(step.change for step in bridge.steps) == pytest.approx(figure.gap, abs=1e-9)
        checked += abs(figure.gap) > 0
    assert checked > 10


def test_rounded_rows_move_sums_by_no_more_than_their_digits(tmp_path: Path) -> None:
    rounded = table(ROWS, number=lambda value: f"{value:.2f}")
    result, decisions = judged(tmp_path, rounded, candidate_table="printed")
    assert decisions.differing == ()
    assert {entry.verdict for entry in only(result).figures} == {WITHIN}
    assert any(entry.gap for entry in only(result).figures)
    assert "rounded, each by up to 0.005" in evidence(result, "candidate-list")


def test_zeros_that_json_loses_are_digits_all_the_same(tmp_path: Path) -> None:
    rows = [{**row, "error": round(row["error"], 2)} for row in ROWS]
    costly = wrong(ROWS, 0.1)
    # 0.1 in a list of hundredths is 0.10, not anything from 0.05 to 0.15.
    short = next(at for at in costly if abs(round(ROWS[at]["error"], 1) - ROWS[at]["error"]) > 0.01)
    noisy = next(at for at in costly if at != short)
    rows = changed(short, rows, error=round(ROWS[short]["error"], 1))
    rows = changed(noisy, rows, error=ROWS[noisy]["error"] + 0.0001)
    _, decisions = judged(tmp_path, document(rows), name="a.json")
    # A number with more digits than the others is held to them.
    assert sorted(named(decisions)) == sorted([where(ROWS[noisy]), where(ROWS[short])])


def test_list_of_the_counted_decisions_of_one_player_is_enough(tmp_path: Path) -> None:
    rows = [row for row in ROWS if row["player"] == BOB and (row["counted"] or row["error"])]
    result, decisions = judged(tmp_path, table(rows))
    assert decisions.differing == ()
    assert {entry.player for entry in only(result).figures} == {BOB}
    assert f"no row of {ALICE}" in evidence(result, "candidate-list")
    assert f"{decisions.unlisted} decisions without a row" in evidence(result, "candidate-list")


# -- one row changed: that decision is named, and no other ----------------------------------------

Named = list[tuple[str, int | None, tuple[int, int, str, str]]]


@settings(max_examples=examples(8))
@given(
    st.integers(0, len(ROWS) - 1), st.sampled_from(["drop", "double", "flip", "scale", "no error"])
)
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
        rows = changed(index, counted=not row["counted"])
        way = "counted-by-reference" if row["counted"] else "counted-by-list"
        expected = [(way, index + 2, where(row))]
    elif change == "scale":
        rows = changed(index, error=row["error"] * 1.7 + 0.01)
        expected = [("error", index + 2, where(row))]
    else:
        rows = changed(index, error=None)
        expected = [("no-error", index + 2, where(row))] if matters else []
    result, decisions = judged(tmp_path_factory.getbasetemp(), table(rows))
    ways = [(entry.way, entry.row) for entry in decisions.differing]
    at = named(decisions)
    assert [(*way, place) for way, place in zip(ways, at, strict=True)] == expected
    repeated = [(len(ROWS) + 2, "twice")] if change == "double" else []
    assert [(entry.row, entry.why) for entry in decisions.unpaired] == repeated
    assert (decisions.unlisted, decisions.fault) == (change == "drop" and not matters, "")
    if change == "double":
        assert f"row {len(ROWS) + 2} repeats row {index + 2}" in evidence(result, "candidate-rows")
    if change == "no error" and row["counted"]:
        figures = [entry for entry in only(result).figures if entry.metric == "pr"]
        verdicts = {entry.verdict for entry in figures if entry.player == row["player"]}
        assert verdicts == {INCOMPLETE}


def test_row_about_no_decision_is_reported_and_in_the_sums(tmp_path: Path) -> None:
    extra = {**ROWS[0], "game": 77, "turn": 5, "counted": True, "error": 0.25}
    result, decisions = judged(tmp_path, table([*ROWS, extra]))
    (row,) = decisions.unpaired
    assert (result.summary.not_compared, row.why) == (1, "no-decision")
    place = f"game 77, turn 5, play, {extra['player']}: row {len(ROWS) + 2}"
    assert row.text == f"{place}, adds 1 decision and error 0.25"
    ours = statistics(loaded(file_of(ZERO_PLY))).figures((ALICE, BOB).index(extra["player"]))
    added = {
        entry.metric: (entry.right or 0) - (ours[entry.metric] or 0)
        for entry in only(result).figures
        if entry.player == extra["player"]
    }
    assert added["decisions.counted"] == added["decisions.checker"] == 1
    assert added["equity_error.total"] == pytest.approx(0.25, abs=1e-9)


def test_kind_and_play_that_are_not_the_files_are_reported(tmp_path: Path) -> None:
    rows = rows_of(RICH)
    kinds = [row["kind"] for row in rows]
    play, double = kinds.index("play"), kinds.index("double")
    rows[double]["kind"] = "no-double"
    rows[play]["played"] = "24/23"
    for row in rows[play + 1 :]:
        row["played"] = row["best"] = "no play, or what we cannot read"
    result, decisions = judged(tmp_path, document(rows), RICH, "a.json")
    words = evidence(result, "candidate-rows")
    assert decisions.differing == ()
    assert f"row {double + 1}: no-double" in words
    assert f"1 row with another play than the file has: row {play + 1}: 24/23" in words


@pytest.mark.parametrize("larger", [0, 1])
def test_decision_that_moves_pr_most_is_named_first(tmp_path: Path, larger: int) -> None:
    player = ROWS[0]["player"]
    plays_of = [
        at
        for at, row in enumerate(ROWS)
        if row["kind"] == "play" and row["player"] == player and row["counted"]
    ]
    spoilt, rows = [plays_of[2], plays_of[5]], ROWS
    for place, at in enumerate(spoilt):
        rows = changed(at, rows, error=rows[at]["error"] + (0.3 if place == larger else 0.1))
    _, decisions = judged(tmp_path, table(rows))
    assert named(decisions) == [where(ROWS[spoilt[larger]]), where(ROWS[spoilt[1 - larger]])]
    first, second = (entry.pr or 0.0 for entry in decisions.differing)
    assert first == pytest.approx(3 * second)
    assert second > 0


# -- faults of all errors -------------------------------------------------------------------------


def mwc(share: float) -> list[float]:
    scored = statistics(loaded(file_of(ZERO_PLY))).scored
    losses = (share * scored.loss.astype(float)).tolist()
    costs = dict(zip(scored.error.astype(float).tolist(), losses, strict=True))
    return [costs.get(row["error"], 0.0) for row in ROWS]


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        ([1000 * row["error"] for row in ROWS], "in thousandths of a point"),
        ([row["error"] / 1000 for row in ROWS], "divided by 1000"),
        ([500 * row["error"] for row in ROWS], "times 500"),
        ([2 * row["error"] for row in ROWS], "times 2"),
        ([1.25 * row["error"] for row in ROWS], "1.25 times the reference's"),
        ([row["error"] * (-1) ** at for at, row in enumerate(ROWS)], "wrong sign in places"),
        (mwc(100), "match winning chance in percentage points"),
        (mwc(1), "match winning chance from 0 to 1"),
    ],
)
def test_fault_of_all_errors_is_named_first_and_undone_for_the_decisions(
    tmp_path: Path, errors: list[float], words: str
) -> None:
    flipped = wrong(ROWS)[0]
    rows = [{**row, "error": error} for row, error in zip(ROWS, errors, strict=True)]
    result, decisions = judged(
        tmp_path, table(changed(flipped, rows, counted=not rows[flipped]["counted"]))
    )
    assert words in decisions.fault
    assert only(result).findings[0].code == "candidate-unit"
    assert named(decisions) == [where(ROWS[flipped])]
    assert OUTSIDE in {entry.verdict for entry in only(result).figures}


def test_errors_in_points_are_named_where_the_cube_was_turned(tmp_path: Path) -> None:
    rows = rows_of(DEMONSTRATION, ending=".xg")
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    cube = {
        (int(match.games.number[game]), int(turn), match.players[player], of_cubes): int(value)
        for of_cubes, entry in enumerate((match.plays, match.cubes))
        for game, turn, player, value in zip(
            entry.game, entry.turn, entry.player, entry.cube, strict=True
        )
    }
    assert len(set(cube.values())) > 1
    for row in (row for row in rows if row["error"]):
        key = row["game"], row["turn"], row["player"], int(row["kind"] != "play")
        row["error"] *= cube[key]
    _, decisions = judged(tmp_path, document(rows, analysis="xg"), DEMONSTRATION, "a.json")
    assert "points, times the value of the cube" in decisions.fault


def test_list_in_match_winning_chance_is_compared_in_it(tmp_path: Path) -> None:
    rows = [{**row, "error": error} for row, error in zip(ROWS, mwc(100), strict=True)]
    result, decisions = judged(tmp_path, document(rows, unit="mwc"), name="a.json")
    assert (decisions.differing, decisions.fault) == ((), "")
    groups = {entry.metric.partition(".")[0] for entry in only(result).figures}
    assert groups == {"decisions", "mwc_loss_percent"}


# -- rules and borders ----------------------------------------------------------------------------


def test_other_rule_set_is_recognised_and_the_bridge_goes_through_its_questions(
    tmp_path: Path,
) -> None:
    result, decisions = judged(tmp_path, table(rows_of(rules="xg")))
    assert (decisions.rule_sets["xg"], bool(decisions.differing)) == (0, True)
    assert "rule set xg gives all" in evidence(result, "candidate-rules")
    comparison = only(result).comparison
    assert comparison is not None
    steps = {step.code for step in comparison.bridges[0].steps if step.change}
    assert steps <= {f"Q{number:02}" for number in range(1, 17)}
    assert {code for entry in decisions.differing for code in entry.questions} & {
        "Q01",
        "Q02",
        "Q03",
    }


def test_list_is_held_against_the_rules_that_the_manifest_declares(tmp_path: Path) -> None:
    settings_ = {"file": "gnubg", "rules": "ours.yaml"}
    files = {"one": {"gnubg": file_of(ZERO_PLY)}}
    pack = make_pack(tmp_path / "pack", files, candidates=settings_)
    text = "name: ours\nextends: xg\nanswers: {Q02: gnubg}\n"
    (pack / "one" / "ours.yaml").write_text(text, "utf-8")
    rows = rows_of(rules="xg")
    result, decisions = judged(tmp_path, table(rows), pack)
    assert only(result).rules == "ours"
    assert {code for entry in decisions.differing for code in entry.questions} == {"Q02"}
    assert "rule set xg gives all" in evidence(result, "candidate-rules")
    uncounted = next(
        at
        for at, row in enumerate(rows)
        if row["kind"] == "no-double" and not row["counted"] and row["turn"] > 9
    )
    result, decisions = judged(tmp_path, table(changed(uncounted, rows, counted=True)), pack)
    assert "rule set xg comes closest: 1 differ" in evidence(result, "candidate-decisions")
    assert only(result).suite in in_form(result, "text")


def test_border_of_the_program_is_found_between_two_decisions(tmp_path: Path) -> None:
    match = loaded(file_of(ZERO_PLY))
    view, cubes = statistics(match).scored.view, match.cubes
    costs = (view.no_double - view.least).tolist()
    cost = {
        (int(match.games.number[game]), int(turn), match.players[player]): value
        for game, turn, player, kind, value in zip(
            cubes.game, cubes.turn, cubes.player, cubes.kind, costs, strict=True
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
    for entry in decisions.differing:  # gnuBG's line and this one
        value = cost[entry.game, entry.turn, entry.player]
        assert 0.16 <= value < 0.3
        assert f"doubling would have cost {value:.4f}" in entry.sentence


Line = tuple[float, float, int]


@pytest.mark.parametrize(
    ("borders", "shared"),
    [
        ([(0.28, 0.35, 2), (0.25, 0.31, 1)], [(0.28, 0.31, 3)]),  # as narrow as they make it
        ([(0.5, 0.2, 2), (0.4, 0.1, 1)], [(0.4, 0.2, 3)]),
        ([(0.28, 0.35, 2), (0.4, 0.5, 2)], []),  # they contradict each other
        ([(0.5, 0.2, 2), (0.15, 0.1, 2)], []),
        ([(0.28, 0.35, 1)], []),  # one decision is no line
        ([(0.28, 0.35, 1), (0.28, 0.35, 1)], [(0.28, 0.35, 2)]),
    ],
)
def test_line_of_several_lists(borders: list[Line], shared: list[Line]) -> None:
    lists = [SimpleNamespace(borders=(Border("Q02", "it counts", *entry),)) for entry in borders]
    outcome = shared_borders(cast("list[ListResult]", lists))
    assert [(entry.counts, entry.not_counts, entry.moved) for entry in outcome] == shared


# -- addresses ------------------------------------------------------------------------------------


def beside(match: Match, turns: Sequence[int], game: int = 1) -> Listed | str:
    """Plays of the first player in these turns, beside the decisions of a match."""
    row = {"game": 1, "turn": 1, "player": "Ann", "kind": "play", "counted": 1, "error": 0}
    ((claim,),) = (read_printed("a.csv", table([row] * len(turns)).encode()).claims,)
    assert claim.rows is not None
    games = np.full(len(turns), game)
    stated = replace(claim.rows, turn=np.array(turns), game=games)
    return listed_beside(match, RULE_SETS["xg"], stated, {"Ann": 0, "Ben": 1}.get)


def test_list_that_pairs_as_it_is_numbered_is_not_numbered_otherwise() -> None:
    """Only Ann has turns: numbering her own would pair as many; one row is about no decision."""
    listed = beside(match_of(plays(10, turn=range(1, 11))), [*range(1, 10), 99])
    assert isinstance(listed, Listed)
    assert listed.at.tolist() == [*range(9), -1]


@pytest.mark.parametrize(
    ("turns", "game", "words"),
    [
        (range(1, 6), 1, "turns that count one player's turns only"),
        (range(0, 9, 2), 1, "a turn number too low by one"),
        (range(1, 10, 2), 0, "a game number too low by one"),
        (range(2, 11, 2), 1, "the players exchanged"),
    ],
)
def test_list_that_pairs_in_another_numbering_is_told_which(
    turns: Sequence[int], game: int, words: str
) -> None:
    """Ann has the odd turns from 1 to 9, Ben the even ones from 2 to 10."""
    match = match_of(plays(10, turn=range(1, 11), player=[0, 1] * 5))
    listed = beside(match, turns, game)
    assert isinstance(listed, str)
    assert f"5 would with {words}" in listed


def test_of_two_rows_about_a_decision_the_first_is_taken() -> None:
    listed = beside(match_of(plays(3, turn=[1, 3, 5])), [3, 1, 3])
    assert isinstance(listed, Listed)
    assert listed.row_of.tolist() == [1, 0, -1]
    assert listed.repeated.tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("facts", "words"),
    [({"game": 500}, "no row is about a decision"), ({"player": "Cleo"}, "no reference match has")],
)
def test_list_of_another_match_is_not_judged(
    tmp_path: Path, facts: dict[str, Any], words: str
) -> None:
    rows = [{**row, **facts} for row in ROWS]
    with pytest.raises(NothingToCompare, match=re.escape(words)):
        validate(ZERO_PLY, candidates=[written(tmp_path / "a.csv", table(rows))])


# -- outputs --------------------------------------------------------------------------------------


def test_outputs_name_the_decision_with_its_ids(tmp_path: Path) -> None:
    index = wrong(ROWS)[0]
    row = ROWS[index]
    rows = document(changed(index, counted=False), program="<b>prog</b> \u202e7")
    shown = outputs(ZERO_PLY, "--candidate", written(tmp_path / "a.json", rows))
    tree = shown.document
    (outcome,) = tree["matches"][0]["candidates"][0]["decisions"]["differing"]
    keys = ("game", "turn", "player", "kind", "row")
    assert tuple(outcome[key] for key in keys) == (*where(row), index + 1)
    assert (outcome["counted"], outcome["xgid"][:5]) == ([True, False], "XGID=")
    assert tree["decision_lists"][0]["differing"] == 1
    address = f"game {row['game']}, turn {row['turn']}, {row['kind']}, {row['player']}"
    for text in (shown.result.output, shown["result.md"], shown["junit.xml"]):
        assert address in text
        assert outcome["xgid"] in text
    page = shown[f"site/{ZERO_PLY.name}.html"]
    assert f"Game {row['game']}, turn {row['turn']}: {row['player']}" in page
    assert "<svg" in page
    assert "<b>prog</b>" not in page
    assert outcome["xgid"] in page


def test_own_list_is_written_as_the_schema_says(tmp_path: Path) -> None:
    path = str(file_of(ZERO_PLY))
    for form in ("json", "csv"):
        out = str(tmp_path / f"own.{form}")
        words = ["stats", path, "--decisions", "--format", form, "-o", out]
        assert CliRunner().invoke(main, words).exit_code == 0
        candidate = only(validate(ZERO_PLY, candidates=[out]))
        assert candidate.decisions is not None
        assert codes(candidate) <= {"candidate-own-rules", "candidate-list"}
    assert faults("decisions", json.loads((tmp_path / "own.json").read_text("utf-8"))) == []
    assert CliRunner().invoke(main, ["stats", path, path, "--decisions"]).exit_code == 2


def test_example_of_the_documentation_is_right(tmp_path: Path) -> None:
    page = (PROJECT / "docs" / "decision-lists.md").read_text("utf-8")
    blocks = re.findall(r"```csv\n(.*?)```", page, re.DOTALL)
    (text,) = (block for block in blocks if block.startswith("match,game"))
    result = validate(PACK, candidates=[written(tmp_path / "a.csv", text)])
    ((name, candidate),) = (
        (match.id, entry) for match in result.matches for entry in match.candidates
    )
    assert name == ZERO_PLY.name  # as its rows say
    assert candidate.decisions is not None
    assert candidate.decisions.unpaired == ()
    assert {entry.way for entry in candidate.decisions.differing} <= {"no-row"}
    assert len(read_candidates([str(tmp_path / "a.csv")])[0].claims) == 1
