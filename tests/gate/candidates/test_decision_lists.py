"""A list of decisions: its figures judged, every row that differs named, nothing dropped."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pandas as pd
import pytest

from reconcile.errors import NothingToCompare
from reconcile.gap.verdict import OUTSIDE, WITHIN
from reconcile.gate.candidates.lists import SLACK, Border, ListResult, listed_beside, shared_borders
from reconcile.gate.candidates.reading import Unusable, read_printed
from reconcile.infer.investigation import columns_of
from reconcile.report.decision_files import decisions_content
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.score import score
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.samples import (
    DEMONSTRATION,
    PACK,
    RICH,
    ZERO_PLY,
    codes,
    document,
    evidence,
    file_of,
    judged,
    loaded,
    make_pack,
    named,
    only,
    outputs,
    rows_of,
    table,
    validate,
    where,
    written,
)
from tests.support.command_line import run
from tests.support.data import cases
from tests.support.hand_made import match_of, plays
from tests.support.long import long_but_first
from tests.support.tables import beside

ROWS = rows_of()
COSTLY = [at for at, row in enumerate(ROWS) if row["error"] > 0.02]
CASES = beside(__file__, "lists.yaml")


def changed(index, rows=ROWS, **facts):
    """The rows with one changed."""
    return [{**row, **facts} if at == index else row for at, row in enumerate(rows)]


# -- real matches under every rule set ------------------------------------------------------------

FILES = [pytest.param(path, id=path.parent.name) for path in sorted(PACK.glob("*/*.[sx]g*"))]
REAL = ("real/*.xg", "real/*.sgf", "gnubg/*.sgf", "bgblitz/bgf/*.bgf", "bgblitz/xg/*.xg")


@pytest.mark.parametrize("path", [*long_but_first(FILES, 1), *cases(*REAL, short=0, most=3)])
def test_list_differs_just_where_the_rules_do_and_gives_their_figures(path):
    match, names = loaded(path), list(RULE_SETS)
    seats = {name: seat for seat, name in enumerate(match.players)}
    for name, other in zip(names, [*names[1:], names[0]], strict=True):
        ours = statistics(match, name)
        ((claim),) = read_printed("list", decisions_content(ours, "json").encode()).claims
        for reference in (name, other):
            listed = listed_beside(match, RULE_SETS[reference], claim, seats.get)
            left = listed.left
            own = score(listed.match, RULE_SETS[name], left.met)
            off = np.subtract(*columns_of("error", own, left))
            differs = np.not_equal(*columns_of("counted", own, left))
            differs |= listed.decisions.analysed & (np.abs(off) > SLACK + listed.decisions.half)
            outcome = listed.fault[0], np.flatnonzero(listed.differs(left)).tolist()
            assert outcome == ("", np.flatnonzero(differs).tolist()), (name, reference)
            if reference == name:
                assert not differs.any()
                assert (listed.rows.decision >= 0).all()
                for entry in listed.figures():
                    right = ours.figures(int(entry.player))[entry.metric]
                    if None not in (entry.value, right):  # unknown where an analysis is incomplete
                        assert entry.value == pytest.approx(right, abs=1e-9)


# -- what a program does otherwise ----------------------------------------------------------------


def printed(case):
    """The list as a program of a case prints it."""
    scored, at = statistics(loaded(file_of(ZERO_PLY))).scored, COSTLY[0]
    costs = dict(zip(scored.error.astype(float).tolist(), scored.loss.tolist(), strict=True))
    loss = pd.Series([costs.get(row["error"], 0.0) for row in ROWS])
    frame = pd.DataFrame(ROWS)
    quiet = next(at for at, row in enumerate(ROWS) if not (row["counted"] or row["error"]))
    names = {"at": at, "loss": loss, "quiet": quiet}
    for column, expression in case.get("change", {}).items():
        frame[column] = frame.eval(expression, engine="python", local_dict=names)
    records = frame.query(case.get("query", "index >= 0"), local_dict=names)
    rows = [{**row, "counted": bool(row["counted"])} for row in records.to_dict("records")]
    rows += [{**ROWS[at], **case["add"]}] if "add" in case else []
    if "json" in case:
        return rows if case["json"] is None else document(rows, **case["json"])
    text = table(rows, case.get("digits", ""))
    forms = {"utf-16": text.encode("utf-16")}
    return forms.get(case.get("text", ""), "\ufeff" * ("text" in case) + text)


@pytest.mark.parametrize("name", long_but_first(CASES, 8, 20))
def test_list_shows_what_a_program_does_otherwise(name, tmp_path):
    case, row = CASES[name], ROWS[COSTLY[0]]
    result, decisions = judged(tmp_path, printed(case))
    candidate, fault, rows = only(result), case.get("fault", ""), case.get("rows", [])
    ways = case.get("ways", ["counted-by-reference"] * bool(fault))
    assert (bool(decisions.fault), fault in decisions.fault) == (bool(fault), True)
    first = decisions.differing[: len(ways)]
    assert [entry["what"] for entry in first] == ways
    assert named(decisions)[: len(ways)] == [where(row)] * len(ways)
    # What all errors have in common is said and not undone: the other errors differ too.
    assert {entry["what"] for entry in decisions.differing[len(ways) :]} == {"error"} - {
        "" if fault else "error"
    }
    assert all(words in evidence(result, code) for code, words in case.get("findings", {}).items())
    texts = [f"{entry.why}: {entry.text}" for entry in decisions.unpaired]
    assert [words in text for words, text in zip(rows, texts, strict=True)] == [True] * len(rows)
    assert result.summary.missing >= len([text for text in rows if "no-decision" in text])
    assert decisions.unlisted == case.get("unlisted", decisions.unlisted)
    gaps = {entry.metric: entry.gap for entry in candidate.figures if entry.player == row["player"]}
    assert gaps == gaps | case.get("gaps", {})
    verdicts = {entry.verdict for entry in candidate.figures}
    assert verdicts >= set(case.get("verdicts", [OUTSIDE if fault else WITHIN]))


@pytest.mark.parametrize("rules", [None, "xg"])
def test_what_the_decisions_move_adds_up_to_the_gap_of_pr(tmp_path, rules):
    rows = [
        {**row, "counted": row["counted"] != (at % 7 == 0), "error": row["error"] * (1 + at % 5)}
        for at, row in enumerate(rows_of(rules=rules))
    ]
    result, decisions = judged(tmp_path, table(rows))
    gaps = {entry.player: entry.gap for entry in only(result).figures if entry.metric == "pr"}
    moved = dict.fromkeys(gaps, 0.0)
    for entry in decisions.differing:
        assert entry["pr"] is not None
        moved[entry["player"]] += entry["pr"]
    assert len(gaps) == 2
    assert moved == pytest.approx(gaps, abs=1e-9)


def test_zeros_that_json_loses_are_digits_all_the_same(tmp_path):
    rows = [{**row, "error": round(row["error"], 2)} for row in ROWS]
    # 0.1 in a list of hundredths is 0.10, not anything from 0.05 to 0.15.
    short = next(at for at in COSTLY if abs(round(ROWS[at]["error"], 1) - ROWS[at]["error"]) > 0.01)
    noisy = next(at for at in COSTLY if at != short and ROWS[at]["error"] > 0.1)
    rows = changed(short, rows, error=round(ROWS[short]["error"], 1))
    rows = changed(noisy, rows, error=ROWS[noisy]["error"] + 0.0001)
    _, decisions = judged(tmp_path, document(rows))
    # A number with more digits than the others is held to them.
    assert sorted(named(decisions)) == sorted([where(ROWS[noisy]), where(ROWS[short])])


def test_kind_and_play_that_are_not_the_files_are_reported(tmp_path):
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


def test_decision_that_moves_pr_most_is_named_first(tmp_path):
    ann = ROWS[COSTLY[0]]["player"]
    facts = ("play", ann, True)
    spoilt = [at for at, r in enumerate(ROWS) if (r["kind"], r["player"], r["counted"]) == facts]
    first, second = (ROWS[at]["error"] for at in spoilt[2:4])
    rows = changed(spoilt[3], changed(spoilt[2], error=first + 0.1), error=second + 0.3)
    _, decisions = judged(tmp_path, table(rows))
    assert named(decisions) == [where(ROWS[at]) for at in (spoilt[3], spoilt[2])]
    moved = [entry["pr"] or 0.0 for entry in decisions.differing]
    assert moved[0] == pytest.approx(3 * moved[1])
    assert moved[1] > 0


def test_errors_in_points_are_named_where_the_cube_was_turned(tmp_path):
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    cube = {
        (int(match.games.number[game]), int(turn), match.players[player], of_cubes): int(value)
        for of_cubes, entry in enumerate((match.plays, match.cubes))
        for game, turn, player, value in zip(
            entry.game, entry.turn, entry.player, entry.cube, strict=True
        )
    }
    rows = rows_of(DEMONSTRATION, ending=".xg")
    for row in (row for row in rows if row["error"]):
        row["error"] *= cube[row["game"], row["turn"], row["player"], int(row["kind"] != "play")]
    _, decisions = judged(tmp_path, document(rows, analysis="xg"), DEMONSTRATION)
    assert "points, times the value of the cube" in decisions.fault


# -- rules and borders ----------------------------------------------------------------------------


def test_other_rule_set_is_recognised_and_its_questions_are_named(tmp_path):
    result, decisions = judged(tmp_path, table(rows_of(rules="xg")))
    assert decisions.rule_sets["xg"] == 0
    assert "from rule set xg (" in evidence(result, "candidate-rules")
    questions = {code for entry in decisions.differing for code in entry["questions"]}
    assert questions & {"Q01", "Q02", "Q03"}


def test_list_is_held_against_the_rules_that_the_manifest_declares(tmp_path):
    candidates = {"file": "gnubg", "rules": "ours.yaml"}
    files = {"one": {"gnubg": file_of(ZERO_PLY)}}
    pack = make_pack(tmp_path / "pack", files, candidates=candidates)
    text = "name: ours\nextends: xg\nanswers: {Q02: gnubg}\n"
    (pack / "one" / "ours.yaml").write_text(text, "utf-8")
    rows = rows_of(rules="xg")
    result, decisions = judged(tmp_path, table(rows), pack)
    assert only(result).rules == "ours"
    assert {code for entry in decisions.differing for code in entry["questions"]} == {"Q02"}
    assert "from rule set xg (Q02) none differs" in evidence(result, "candidate-rules")
    uncounted = next(
        at
        for at, row in enumerate(rows)
        if row["kind"] == "no-double" and not row["counted"] and row["turn"] > 9
    )
    result, _ = judged(tmp_path, table(changed(uncounted, rows, counted=True)), pack)
    assert "from rule set xg (Q02) 1 differ" in evidence(result, "candidate-decisions")


def test_border_of_the_program_is_found_between_two_decisions(tmp_path):
    wider = RULE_SETS["gnubg"].switched("Q02", "xg")
    text = decisions_content(statistics(loaded(file_of(ZERO_PLY)), wider), "csv")
    _, decisions = judged(tmp_path, text)
    (border,) = decisions.borders
    assert (border.question, border.counts < 0.2 < border.not_counts) == ("Q02", True)
    assert border.moved == len(decisions.differing) == 8
    assert all("doubling would have cost 0.1" in entry["sentence"] for entry in decisions.differing)


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
def test_line_of_several_lists(borders, shared):
    lists = [SimpleNamespace(borders=(Border("Q02", "it counts", *entry),)) for entry in borders]
    outcome = shared_borders(cast("list[ListResult]", lists))
    assert [(entry.counts, entry.not_counts, entry.moved) for entry in outcome] == shared


# -- addresses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turns", "game", "outcome"),
    [
        (range(1, 6), 1, "5 would with turns that count one player's turns only"),
        (range(0, 9, 2), 1, "5 would with a turn number too low by one"),
        (range(1, 10, 2), 0, r"rows of game n are our game n \+ 1;"),
        (range(2, 11, 2), 1, "5 would with the players exchanged"),
        (range(1, 10, 2), 500, "no row is about a decision"),
        ([1, 3, 5, 7, 9, 99], 1, [0, 2, 4, 6, 8, -1]),
        ([3, 1, 3], 1, [2, 0, 2]),
    ],
)
def test_rows_pair_by_their_numbers_and_another_numbering_is_named(turns, game, outcome):
    """Ann has the odd turns from 1 to 9, Ben the even ones from 2 to 10."""
    match = match_of(plays(10, turn=range(1, 11), player=[0, 1] * 5))
    row = {"game": 1, "turn": 1, "player": "Ann", "kind": "play", "counted": 1, "error": 0.0}
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
    ("first", "by", "words"), [(3, 1, "n - 1, for n from 4"), (2, -1, "n + 1")]
)
def test_games_that_are_others_of_the_match_are_named(first, by, words, tmp_path):
    """A program counts one more game from the third on, or loses the first and counts on."""
    rows = [
        {**row, "game": row["game"] + by * (row["game"] >= first)}
        for row in ROWS
        if by > 0 or row["game"] >= first
    ]
    with pytest.raises(NothingToCompare, match=re.escape(f"rows of game n are our game {words}")):
        judged(tmp_path, table(rows))


# -- outputs --------------------------------------------------------------------------------------


def test_outputs_name_the_decision_with_its_ids_and_count_those_that_a_page_has_not(
    tmp_path,
):
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
    assert address in page
    assert ("<svg" in page, "<b>prog</b>" in page, outcome["xgid"] in page) == (True, False, True)
    many = [{**row, "counted": not row["counted"]} for row in ROWS[:40]]
    path = written(tmp_path / "b.json", document([*many, *ROWS[40:]]))
    shown = outputs(ZERO_PLY, "--candidate", path)
    assert f"40 of {len(ROWS)} listed decisions differ" in shown[f"site/{ZERO_PLY.name}.html"]


def test_own_list_with_the_candidates_of_plays_is_one(tmp_path):
    words = ("stats", file_of(ZERO_PLY), "--decisions", "--format", "json", "--candidates")
    candidate = only(validate(ZERO_PLY, candidates=[written(tmp_path / "a", run(*words).stdout)]))
    assert candidate.decisions is not None
    assert codes(candidate) <= {"candidate-own-rules", "candidate-list"}
