"""Files with lists of decisions: every form is read, everything else refused with its line, and every output names what differs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.cli import main
from reconcile.errors import InvalidConfiguration, NothingToCompare
from reconcile.gate.candidates.differing import Differences, fault_of
from reconcile.gate.candidates.listed import Listed, listed_beside
from reconcile.gate.candidates.read import read_candidates, read_printed
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.judging import codes, only, refused, run, validate
from tests.gate.candidates.lists import (
    FIELDS,
    Row,
    document,
    evidence,
    judged,
    rows_of,
    table,
    where,
    wrong,
)
from tests.gate.candidates.samples import ALICE, BOB, PACK, RICH, ZERO_PLY, file_of, loaded, written
from tests.support.claims import some
from tests.support.data import PROJECT
from tests.support.examples import examples
from tests.support.schemas import faults

ROWS = rows_of()


def test_every_form_says_the_same(tmp_path: Path) -> None:
    spelled: dict[str, Any] = {
        "a.csv": table(ROWS),
        "d.csv": "\ufeff" + table(ROWS).replace("\n", "\r\n"),
        "f.csv": table(
            [
                {**row, "player": str(1 + loaded(file_of(ZERO_PLY)).players.index(row["player"]))}
                for row in ROWS
            ]
        ),
        "g.csv": table([{**row, "error": row["error"] and -row["error"]} for row in ROWS]),
        "h.json": document(ROWS),
        "i.json": ROWS,
        "j.csv": table(ROWS).encode("utf-16"),
    }
    match, ours = loaded(file_of(ZERO_PLY)), statistics(loaded(file_of(ZERO_PLY)))
    for name, content in some(spelled.items()):
        ((claim,),) = (one.claims for one in read_candidates([written(tmp_path / name, content)]))
        assert claim.rows is not None
        listed = listed_beside(match, ours.rules, claim.rows, {ALICE: 0, BOB: 1}.get)
        assert isinstance(listed, Listed)
        assert Differences(listed, fault_of(listed)).rows.tolist() == [], name
        assert (sorted(listed.at.tolist()), fault_of(listed).text) == ([*range(len(ROWS))], ""), (
            name
        )
        for figure in listed.figures():
            assert isinstance(figure.player, int)
            assert figure.value == pytest.approx(
                ours.figures(figure.player)[figure.metric], abs=1e-9
            )


# -- addresses ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            [{**row, "player": BOB if row["player"] == ALICE else ALICE} for row in ROWS],
            "the players exchanged",
        ),
        ([{**row, "game": 500} for row in ROWS], "no row is about a decision"),
        ([{**row, "player": "Cleo"} for row in ROWS], "no reference match has 'Cleo'"),
    ],
)
def test_other_numbering_is_named_and_nothing_is_judged(
    tmp_path: Path, rows: list[Row], words: str
) -> None:
    with pytest.raises(NothingToCompare, match=re.escape(words)):
        validate(ZERO_PLY, candidates=[written(tmp_path / "a.csv", table(rows))])


def test_match_of_the_command_line_is_used(tmp_path: Path) -> None:
    ((claim,),) = (
        one.claims
        for one in read_candidates([written(tmp_path / "b.csv", table(ROWS)) + f"#{ZERO_PLY.name}"])
    )
    assert claim.match == ZERO_PLY.name


def test_kind_and_play_that_are_not_the_files_are_reported(tmp_path: Path) -> None:
    rows = rows_of(RICH)
    play, double = (
        next(index for index, row in enumerate(rows) if row["kind"] == kind)
        for kind in ("play", "double")
    )
    rows[double]["kind"] = "no-double"
    rows[play]["played"] = "24/23"
    for row in rows[play + 1 :]:
        row["played"] = row["best"] = "no play, or what we cannot read"
    result, decisions = judged(tmp_path, document(rows), RICH, "a.json")
    assert decisions.differing == ()
    assert f"row {double + 1}: no-double" in evidence(result, "candidate-rows")
    assert f"1 row with another play than the file has: row {play + 1}: 24/23" in evidence(
        result, "candidate-rows"
    )


# -- bad input ---------------------------------------------------------------------------------------------------------

GOOD = "game,turn,player,kind,counted,error\n1,1,Ann,play,1,0.5\n"
SPOILT = {
    "no column": (
        "game,turn,player,kind,counted\n1,1,A,play,1\n",
        "a.csv:1: expected the columns game, turn, player, kind, counted, error",
    ),
    "other column": (
        "game,turn,player,kind,counted,error,eror\n1,1,A,play,1,0,0\n",
        "column 'eror'",
    ),
    "column twice": (
        "game,turn,player,kind,counted,error,error\n1,1,A,play,1,0,0\n",
        "named twice",
    ),
    "header alone": ("game,turn,player,kind,counted,error\n", "found only a header"),
    "short line": (GOOD + "1,2,Ann\n", "a.csv:3: expected 6 cells, found 3"),
    "game 0": (
        GOOD + "0,2,Ann,play,1,0\n",
        "a.csv:3: game: expected a whole number from 1 to 1000000 (the first is 1), found '0'",
    ),
    "turn": (GOOD + "1,2.5,Ann,play,1,0\n", "a.csv:3: turn: expected a whole number"),
    "endless turn": (GOOD + f"1,{'9' * 5000},Ann,play,1,0\n", "turn: expected a whole number"),
    "kind": (
        GOOD + "1,2,Ann,roll dice,1,0\n",
        "a.csv:3: kind: expected one of play, no-double, double",
    ),
    "counted": (
        GOOD + "1,2,Ann,play,maybe,0\n",
        "counted: expected 1 or 0, true or false, found 'maybe'",
    ),
    "comma": (GOOD + '1,2,Ann,play,1,"0,5"\n', "error: expected a number"),
    "word": (GOOD + "1,2,Ann,move,1,0\n", "kind: expected one of play, no-double, double"),
    "error": (
        GOOD + "1,2,Ann,play,1,small\n",
        "a.csv:3: error: expected a number as the program prints it, or nothing, found 'small'",
    ),
    "nan": (GOOD + "1,2,Ann,play,1,nan\n", "error: expected a number"),
    "infinite": (GOOD + "1,2,Ann,play,1,1e999\n", "error: expected a number"),
    "nobody": (GOOD + "1,2,,play,1,0\n", "player: expected a name, or 1 or 2"),
    "three players": (
        GOOD + "1,2,Bob,play,1,0\n1,3,Cleo,play,1,0\n",
        "a.csv:4: expected the decisions of two players, found a third, 'Cleo'",
    ),
    "unit": (
        GOOD.replace("error\n", "error,unit\n").replace("0.5", "0.5,points"),
        "unit: expected equity or mwc, found 'points'",
    ),
    "analysis": (
        GOOD.replace("error\n", "error,analysis\n").replace("0.5", "0.5,snowie"),
        "analysis: expected xg or gnubg",
    ),
    "open quote": (GOOD + '"1,2,Ann,play,1,0\n', "expected CSV"),
}


@pytest.mark.parametrize(("text", "words"), SPOILT.values(), ids=list(SPOILT))
def test_spoilt_table_is_refused_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    message = refused(written(tmp_path / "a.csv", text), InvalidConfiguration)
    assert words in message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema_version": 2}, "schema_version: expected 1, found 2"),
        ({"decisions": []}, "decisions: expected at least 1, found 0"),
        ({"decisions": [5]}, "decisions.0: expected a mapping, found 5"),
        ({"decisions": [{"game": 1}]}, "decisions, row 1: expected the keys"),
        ({"rows": 1}, "rows: no such key is known here"),
        ({"unit": "points"}, "unit: expected equity or mwc"),
        ({"length": 99}, "length: expected a whole number from 1 to 64"),
    ],
)
def test_spoilt_object_is_refused_by_reader_and_schema(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    tree = document(ROWS[:3]) | change
    assert words in refused(written(tmp_path / "a.json", tree), InvalidConfiguration)
    assert faults("decisions", tree)


def test_list_with_too_many_rows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reconcile.gate.candidates.decisions.MOST_ROWS", 5)
    monkeypatch.setattr("reconcile.gate.candidates.interface.MOST_ROWS", 5)
    assert "expected at most 5 rows" in refused(
        written(tmp_path / "a.json", document(ROWS)), InvalidConfiguration
    )
    assert "expected at most 5 lines" in refused(
        written(tmp_path / "a.csv", table(ROWS)), InvalidConfiguration
    )


@settings(max_examples=examples(40))
@given(
    st.text(st.sampled_from("game,turn;player\tkind counted\nerror10.-\"'ANDé\u202e"), max_size=200)
)
def test_any_text_below_the_header_is_read_or_refused_in_one_line(text: str) -> None:
    said = ""
    try:
        read_printed("a.csv", (",".join(FIELDS) + "\n" + text).encode())
    except InvalidConfiguration as error:
        said = str(error)
    assert "\n" not in said
    assert len(said) < 600


# -- outputs -----------------------------------------------------------------------------------------------------------


def test_outputs_name_the_decision_with_its_ids(tmp_path: Path) -> None:
    rows = [dict(row) for row in ROWS]
    index = wrong(ROWS)[0]
    rows[index]["counted"] = False
    given = written(tmp_path / "a.json", document(rows, program="<b>prog</b> \u202e7"))
    result = run(
        ZERO_PLY,
        "--candidate",
        given,
        "--html",
        "site",
        "--markdown",
        "a.md",
        "--junit",
        "a.xml",
        "--json",
        "a.json.out",
    )
    tree = json.loads((tmp_path / "a.json.out").read_text("utf-8"))
    assert faults("validation", tree) == []
    (found,) = tree["matches"][0]["candidates"][0]["decisions"]["differing"]
    row = rows[index]
    assert (found["game"], found["turn"], found["player"], found["kind"], found["row"]) == (
        *where(row),
        index + 1,
    )
    assert found["counted"] == [True, False]
    assert found["xgid"].startswith("XGID=")
    assert tree["decision_lists"][0]["differing"] == 1
    address = f"game {row['game']}, turn {row['turn']}, {row['kind']}, {row['player']}"
    for path in (tmp_path / "site").iterdir():
        assert "\u202e" not in path.read_text("utf-8") or "prog" not in path.name
    for text in (
        result.output,
        (tmp_path / "a.md").read_text("utf-8"),
        (tmp_path / "a.xml").read_text("utf-8"),
    ):
        assert address in text
        assert found["xgid"] in text
    page = (tmp_path / "site" / f"{ZERO_PLY.name}.html").read_text("utf-8")
    assert f"Game {row['game']}, turn {row['turn']}: {row['player']}" in page
    assert '<svg class="board' in page or "<svg" in page
    assert "<b>prog</b>" not in page
    assert found["xgid"] in page


def test_own_list_is_written_as_the_schema_says(tmp_path: Path) -> None:
    path = file_of(ZERO_PLY)
    for form in ("json", "csv"):
        out = tmp_path / f"own.{form}"
        assert (
            CliRunner()
            .invoke(main, ["stats", str(path), "--decisions", "--format", form, "-o", str(out)])
            .exit_code
            == 0
        )
        result = validate(ZERO_PLY, candidates=[str(out)])
        assert only(result).decisions is not None
        assert codes(only(result)) <= {"candidate-own-rules", "candidate-list"}
    assert faults("decisions", json.loads((tmp_path / "own.json").read_text("utf-8"))) == []
    assert CliRunner().invoke(main, ["stats", str(path), str(path), "--decisions"]).exit_code == 2


def test_example_of_the_documentation_is_right(tmp_path: Path) -> None:
    page = (PROJECT / "docs" / "decision-lists.md").read_text("utf-8")
    (text,) = (
        block
        for block in re.findall(r"```csv\n(.*?)```", page, re.DOTALL)
        if block.startswith("match,game")
    )
    result = validate(PACK, candidates=[written(tmp_path / "a.csv", text)])
    ((name, candidate),) = ((match.id, one) for match in result.matches for one in match.candidates)
    assert name == ZERO_PLY.name  # as its rows say
    assert candidate.decisions is not None
    assert candidate.decisions.unpaired == ()
    assert {one.way for one in candidate.decisions.differing} <= {"no-row"}
    assert len(read_candidates([str(tmp_path / "a.csv")])[0].claims) == 1
