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
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.errors import NothingToCompare
from reconcile.gap.verdict import INCOMPLETE, OUTSIDE, WITHIN
from reconcile.gate.candidates.claims import Unusable
from reconcile.gate.candidates.list_result import Border, ListResult, shared_borders
from reconcile.gate.candidates.listed import SLACK, Listed, listed_beside
from reconcile.gate.candidates.read import read_candidates, read_printed
from reconcile.infer.turning import filled
from reconcile.match.match import Match
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
from tests.support.command_line import run
from tests.support.data import PROJECT, cases
from tests.support.examples import examples
from tests.support.hand_made import match_of, plays
from tests.support.long import long_but_first
from tests.support.schemas import faults

ROWS = rows_of()
COSTLY = [at for at, row in enumerate(ROWS) if row["error"] > 0.02]


def changed(index: int, rows: Sequence[Row] = ROWS, **facts: Any) -> list[Row]:
    """The rows with one changed."""
    return [{**row, **facts} if at == index else row for at, row in enumerate(rows)]


# -- real matches under every rule set ------------------------------------------------------------

FILES = [pytest.param(path, id=path.parent.name) for path in sorted(PACK.glob("*/*.[sx]g*"))]
REAL = ("real/*.xg", "real/*.sgf", "gnubg/*.sgf", "bgblitz/bgf/*.bgf", "bgblitz/xg/*.xg")


def beside(match: Match, rules: str, content: Any) -> Listed:
    """A list beside a match by some rules."""
    text = content if isinstance(content, str) else json.dumps(content)
    ((claim),) = read_printed("list", text.encode()).claims
    seats = {name: seat for seat, name in enumerate(match.players)}
    return listed_beside(match, RULE_SETS[rules], claim, seats.get)


@pytest.mark.parametrize("path", [*long_but_first(FILES, 1), *cases(*REAL, short=0, most=3)])
def test_list_differs_just_where_the_rules_do_and_gives_their_figures(path: Path) -> None:
    match, names = loaded(path), list(RULE_SETS)
    for name, other in zip(names, [*names[1:], names[0]], strict=True):
        ours = statistics(match, name)
        for reference in (name, other):
            listed = beside(match, reference, decisions_content(ours, "json"))
            left, count = listed.left, len(listed.decisions)
            own = score(listed.match, RULE_SETS[name], left.met)
            off = np.abs(filled(own.error, count).astype(float) - filled(left.error, count))
            differs = filled(own.counted, count) != filled(left.counted, count)
            differs |= listed.decisions.analysed & (off > SLACK + listed.decisions.half)
            outcome = listed.fault[0], np.flatnonzero(listed.differs(left)).tolist()
            assert outcome == ("", np.flatnonzero(differs).tolist()), (name, reference)
            if reference == name:
                assert not differs.any()
                assert (listed.rows.decision >= 0).all()
                for entry in listed.figures():
                    right = ours.figures(int(entry.player))[entry.metric]
                    if None not in (entry.value, right):  # unknown where an analysis is incomplete
                        assert entry.value == pytest.approx(right, abs=1e-9)


SEATS = [{**row, "player": str(1 + (row["player"] == BOB))} for row in ROWS]
FORMS: dict[str, Any] = {
    "csv": table(ROWS),
    "csv with a mark and other line ends": "\ufeff" + table(ROWS).replace("\n", "\r\n"),
    "utf-16": table(ROWS).encode("utf-16"),
    "seats": table(SEATS),
    "losses as negative numbers": table([{**row, "error": -row["error"]} for row in ROWS]),
    "json": document(ROWS),
    "a json list": ROWS,
}


@pytest.mark.parametrize("form", long_but_first(FORMS, 5))
def test_every_form_says_the_same(form: str, tmp_path: Path) -> None:
    result, decisions = judged(tmp_path, FORMS[form])
    assert (decisions.differing, decisions.unpaired, decisions.fault) == ((), (), "")
    assert {figure.verdict for figure in only(result).figures} == {WITHIN}
    assert result.summary.stated == result.summary.given_judged == 22


# -- figures --------------------------------------------------------------------------------------


def test_bridge_of_every_figure_of_a_list_adds_up(tmp_path: Path) -> None:
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
        if bridge is not None and figure.gap is not None:
            ends = figure.left, figure.right
            assert (bridge.start, bridge.end) == pytest.approx(ends, abs=1e-9)
            assert sum(step.change for step in bridge.steps) == pytest.approx(figure.gap, abs=1e-9)
            checked += abs(figure.gap) > 0
    assert checked > 10


def test_rounded_rows_move_sums_by_no_more_than_their_digits(tmp_path: Path) -> None:
    result, decisions = judged(tmp_path, table(ROWS, ".2f"), candidate_table="printed")
    figures = only(result).figures
    assert (decisions.differing, {entry.verdict for entry in figures}) == ((), {WITHIN})
    assert any(entry.gap for entry in figures)
    assert "rounded, each by up to 0.005" in evidence(result, "candidate-list")


def test_zeros_that_json_loses_are_digits_all_the_same(tmp_path: Path) -> None:
    rows = [{**row, "error": round(row["error"], 2)} for row in ROWS]
    # 0.1 in a list of hundredths is 0.10, not anything from 0.05 to 0.15.
    short = next(at for at in COSTLY if abs(round(ROWS[at]["error"], 1) - ROWS[at]["error"]) > 0.01)
    noisy = next(at for at in COSTLY if at != short and ROWS[at]["error"] > 0.1)
    rows = changed(short, rows, error=round(ROWS[short]["error"], 1))
    rows = changed(noisy, rows, error=ROWS[noisy]["error"] + 0.0001)
    _, decisions = judged(tmp_path, document(rows))
    # A number with more digits than the others is held to them.
    assert sorted(named(decisions)) == sorted([where(ROWS[noisy]), where(ROWS[short])])


def test_list_of_the_counted_decisions_of_one_player_is_enough(tmp_path: Path) -> None:
    rows = [row for row in ROWS if row["player"] == BOB and (row["counted"] or row["error"])]
    result, decisions = judged(tmp_path, table(rows))
    assert decisions.differing == ()
    assert {entry.player for entry in only(result).figures} == {BOB}
    quiet = evidence(result, "candidate-list")
    assert f"no row of {ALICE}" in quiet
    assert f"{decisions.unlisted} decisions without a row" in quiet


# -- one row changed: that decision is named, and no other ----------------------------------------

CHANGES = ("drop", "double", "flip", "scale", "no error")


@settings(max_examples=examples(8))
@given(st.integers(0, len(ROWS) - 1), st.sampled_from(CHANGES))
def test_changed_row_is_named_and_no_other(
    tmp_path_factory: pytest.TempPathFactory, index: int, change: str
) -> None:
    row, line = ROWS[index], index + 2
    matters = row["counted"] or row["error"] > 1e-6
    flipped = "counted-by-reference" if row["counted"] else "counted-by-list"
    rows, expected = {
        "drop": ([*ROWS[:index], *ROWS[index + 1 :]], [("no-row", None)] * matters),
        "double": ([*ROWS, row], []),
        "flip": (changed(index, counted=not row["counted"]), [(flipped, line)]),
        "scale": (changed(index, error=row["error"] * 1.7 + 0.01), [("error", line)]),
        "no error": (changed(index, error=None), [("no-error", line)] * matters),
    }[change]
    result, decisions = judged(tmp_path_factory.getbasetemp(), table(rows))
    assert [(entry.way, entry.row) for entry in decisions.differing] == expected
    assert named(decisions) == [where(row)] * len(expected)
    repeated = [(len(ROWS) + 2, "twice")] if change == "double" else []
    assert [(entry.row, entry.why) for entry in decisions.unpaired] == repeated
    assert (decisions.unlisted, decisions.fault) == (change == "drop" and not matters, "")
    if repeated:
        assert f"row {len(ROWS) + 2} repeats row {line}" in evidence(result, "candidate-rows")
    if change == "no error" and row["counted"]:
        rates = [entry for entry in only(result).figures if entry.metric == "pr"]
        assert {e.verdict for e in rates if e.player == row["player"]} == {INCOMPLETE}


def test_row_about_no_decision_is_reported_and_in_the_sums(tmp_path: Path) -> None:
    extra = {**ROWS[0], "game": 77, "turn": 5, "counted": True, "error": 0.25}
    result, decisions = judged(tmp_path, table([*ROWS, extra]))
    (row,) = decisions.unpaired
    assert (result.summary.not_compared, row.why) == (1, "no-decision")
    place = f"game 77, turn 5, play, {extra['player']}: row {len(ROWS) + 2}"
    assert row.text == f"{place}, adds 1 decision and error 0.25"
    added = {
        entry.metric: entry.gap for entry in only(result).figures if entry.player == extra["player"]
    }
    assert added["decisions.counted"] == added["decisions.checker"] == 1
    assert added["equity_error.total"] == pytest.approx(0.25, abs=1e-6)


def test_kind_and_play_that_are_not_the_files_are_reported(tmp_path: Path) -> None:
    rows = rows_of(RICH)
    kinds = [row["kind"] for row in rows]
    play, double = kinds.index("play"), kinds.index("double")
    rows[double]["kind"] = "no-double"
    rows[play]["played"] = "24/23"
    for row in rows[play + 1 :]:
        row["played"] = row["best"] = "no play, or what we cannot read"
    result, decisions = judged(tmp_path, document(rows), RICH)
    words = evidence(result, "candidate-rows")
    assert decisions.differing == ()
    assert f"row {double + 1}: no-double" in words
    assert f"1 row with another play than the file has: row {play + 1}: 24/23" in words


@pytest.mark.parametrize("larger", [0, 1])
def test_decision_that_moves_pr_most_is_named_first(tmp_path: Path, larger: int) -> None:
    spoilt = [
        at
        for at, row in enumerate(ROWS)
        if (row["kind"], row["player"], row["counted"]) == ("play", ALICE, True)
    ][2:4]
    rows = ROWS
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


ERRORS = [row["error"] for row in ROWS]
UNITS: dict[str, list[float]] = {
    "in thousandths of a point": [1000 * error for error in ERRORS],
    "match winning chance in percentage points": mwc(100),
    "wrong sign in places": [error * (-1) ** at for at, error in enumerate(ERRORS)],
    "1.25 times the reference's": [1.25 * error for error in ERRORS],
    "divided by 1000": [error / 1000 for error in ERRORS],
    "times 500": [500 * error for error in ERRORS],
    "times 2": [2 * error for error in ERRORS],
    "match winning chance from 0 to 1": mwc(1),
}


@pytest.mark.parametrize("words", long_but_first(UNITS, 4))
def test_fault_of_all_errors_is_named_first_and_undone_for_the_decisions(
    tmp_path: Path, words: str
) -> None:
    rows = [{**row, "error": error} for row, error in zip(ROWS, UNITS[words], strict=True)]
    flipped = COSTLY[0]
    rows = changed(flipped, rows, counted=not rows[flipped]["counted"])
    result, decisions = judged(tmp_path, table(rows))
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
    for row in (row for row in rows if row["error"]):
        row["error"] *= cube[row["game"], row["turn"], row["player"], int(row["kind"] != "play")]
    _, decisions = judged(tmp_path, document(rows, analysis="xg"), DEMONSTRATION)
    assert "points, times the value of the cube" in decisions.fault


def test_list_in_match_winning_chance_is_compared_in_it(tmp_path: Path) -> None:
    rows = [{**row, "error": error} for row, error in zip(ROWS, mwc(100), strict=True)]
    result, decisions = judged(tmp_path, document(rows, unit="mwc"))
    assert (decisions.differing, decisions.fault) == ((), "")
    groups = {entry.metric.partition(".")[0] for entry in only(result).figures}
    assert groups == {"decisions", "mwc_loss_percent"}


# -- rules and borders ----------------------------------------------------------------------------


def test_other_rule_set_is_recognised_and_the_bridge_goes_through_its_questions(
    tmp_path: Path,
) -> None:
    result, decisions = judged(tmp_path, table(rows_of(rules="xg")))
    assert decisions.rule_sets["xg"] == 0
    assert "from rule set xg (" in evidence(result, "candidate-rules")
    comparison = only(result).comparison
    assert comparison is not None
    steps = {step.code for step in comparison.bridges[0].steps if step.change}
    assert steps <= {f"Q{number:02}" for number in range(1, 17)}
    questions = {code for entry in decisions.differing for code in entry.questions}
    assert questions & {"Q01", "Q02", "Q03"}


def test_list_is_held_against_the_rules_that_the_manifest_declares(tmp_path: Path) -> None:
    candidates = {"file": "gnubg", "rules": "ours.yaml"}
    files = {"one": {"gnubg": file_of(ZERO_PLY)}}
    pack = make_pack(tmp_path / "pack", files, candidates=candidates)
    text = "name: ours\nextends: xg\nanswers: {Q02: gnubg}\n"
    (pack / "one" / "ours.yaml").write_text(text, "utf-8")
    rows = rows_of(rules="xg")
    result, decisions = judged(tmp_path, table(rows), pack)
    assert only(result).rules == "ours"
    assert {code for entry in decisions.differing for code in entry.questions} == {"Q02"}
    assert "from rule set xg (Q02) none differs" in evidence(result, "candidate-rules")
    uncounted = next(
        at
        for at, row in enumerate(rows)
        if row["kind"] == "no-double" and not row["counted"] and row["turn"] > 9
    )
    result, _ = judged(tmp_path, table(changed(uncounted, rows, counted=True)), pack)
    assert "from rule set xg (Q02) 1 differ" in evidence(result, "candidate-decisions")


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
    assert (border.question, border.counts < 0.3 < border.not_counts) == ("Q02", True)
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


@pytest.mark.parametrize(
    ("turns", "game", "outcome"),
    [
        (range(1, 6), 1, "5 would with turns that count one player's turns only"),
        (range(0, 9, 2), 1, "5 would with a turn number too low by one"),
        (range(1, 10, 2), 0, "5 would with a game number too low by one"),
        (range(2, 11, 2), 1, "5 would with the players exchanged"),
        ([1, 3, 5, 7, 9, 99], 1, [0, 2, 4, 6, 8, -1]),
        ([3, 1, 3], 1, [2, 0, 2]),
    ],
)
def test_rows_pair_by_their_numbers_and_another_numbering_is_named(
    turns: Sequence[int], game: int, outcome: str | list[int]
) -> None:
    """Ann has the odd turns from 1 to 9, Ben the even ones from 2 to 10."""
    match = match_of(plays(10, turn=range(1, 11), player=[0, 1] * 5))
    row = {"game": 1, "turn": 1, "player": "Ann", "kind": "play", "counted": 1, "error": 0}
    (claim,) = read_printed("a.csv", table([row] * len(turns)).encode()).claims
    assert claim.rows is not None
    claim = replace(claim, rows=claim.rows.assign(turn=list(turns), game=game))
    beside = match, RULE_SETS["xg"], claim, {"Ann": 0, "Ben": 1}.get
    if isinstance(outcome, str):
        with pytest.raises(Unusable, match=outcome):
            listed_beside(*beside)
        return
    listed = listed_beside(*beside)
    assert listed.rows.decision.tolist() == outcome
    assert listed.rows.repeated.sum() == len(outcome) - len(set(outcome))


@pytest.mark.parametrize(
    ("facts", "words"),
    [({"game": 500}, "no row is about a decision"), ({"player": "Cleo"}, "no reference match has")],
)
def test_list_of_another_match_is_not_judged(
    tmp_path: Path, facts: dict[str, Any], words: str
) -> None:
    with pytest.raises(NothingToCompare, match=re.escape(words)):
        judged(tmp_path, table([{**row, **facts} for row in ROWS]))


# -- outputs --------------------------------------------------------------------------------------


def test_outputs_name_the_decision_with_its_ids(tmp_path: Path) -> None:
    index = COSTLY[0]
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
    assert ("<svg" in page, "<b>prog</b>" in page, outcome["xgid"] in page) == (True, False, True)


@pytest.mark.parametrize("form", ["json", "csv"])
def test_own_list_is_written_as_the_schema_says(tmp_path: Path, form: str) -> None:
    path, out = str(file_of(ZERO_PLY)), tmp_path / f"own.{form}"
    words = ["stats", path, "--decisions", "--format", form, "-o", str(out)]
    assert run(*words).exit_code == 0
    candidate = only(validate(ZERO_PLY, candidates=[str(out)]))
    assert candidate.decisions is not None
    assert codes(candidate) <= {"candidate-own-rules", "candidate-list"}
    if form == "json":
        assert faults("decisions", json.loads(out.read_text("utf-8"))) == []


def test_example_of_the_documentation_is_right(tmp_path: Path) -> None:
    page = (PROJECT / "docs" / "decision-lists.md").read_text("utf-8")
    blocks = re.findall(r"```csv\n(.*?)```", page, re.DOTALL)
    (text,) = (block for block in blocks if block.startswith("match,game"))
    result, decisions = judged(tmp_path, text, PACK)
    assert [match.id for match in result.matches if match.candidates] == [ZERO_PLY.name]
    assert decisions.unpaired == ()
    assert {entry.way for entry in decisions.differing} <= {"no-row"}
    ((claim,),) = (
        entry.claims for entry in read_candidates([f"{tmp_path / 'list'}#{ZERO_PLY.name}"])
    )
    assert claim.match == ZERO_PLY.name


def test_page_says_how_many_decisions_it_does_not_show(tmp_path: Path) -> None:
    rows = [{**row, "counted": not row["counted"]} for row in ROWS[:40]]
    path = written(tmp_path / "a.json", document([*rows, *ROWS[40:]]))
    shown = outputs(ZERO_PLY, "--candidate", path)
    assert "have 30 more decisions." in shown[f"site/{ZERO_PLY.name}.html"]
