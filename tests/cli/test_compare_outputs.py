"""What `compare` writes beside its reports: the ledger, the positions that matter, and everything without names."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from reconcile.cli import main
from reconcile.document import dumps
from reconcile.files.bundled import bundled
from reconcile.files.output import write
from reconcile.formats import load_match, read_match
from reconcile.formats import written as xg
from reconcile.formats.xg.writer import write as xg_bytes
from reconcile.gap.comparison import compare
from reconcile.gap.contributions import disagreements
from reconcile.gap.pairing import PLAYERS, anonymised
from reconcile.gap.walk import Walk
from reconcile.match.board.identifiers import from_xgid
from reconcile.match.board.position import START
from reconcile.match.match import Match, Note
from reconcile.report.ledger_file import ledger_content, ledger_frame, positions
from reconcile.results.comparison import comparison_document
from tests.support.balance import compared
from tests.support.gnubg_ids import from_gnubg_id
from tests.support.strategies import seats_swapped

DEMONSTRATION = bundled("reference_matches") / "demonstration" / "nora-lindqvist-tomas-beck"
XG, SGF = f"{DEMONSTRATION}.xg", f"{DEMONSTRATION}.sgf"
NAMES = re.compile(r"nora|lindqvist|tomas|beck|gnu backgammon against itself|demonstration match", re.IGNORECASE)
OUTSIDE, ERROR = 1, 2
pytestmark = pytest.mark.usefixtures("elsewhere")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["compare", XG, SGF, *arguments], prog_name="reconcile", catch_exceptions=False)


@pytest.fixture(scope="module")
def walk() -> Walk:
    return compare(load_match(XG), load_match(SGF)).walk


# -- the ledger ------------------------------------------------------------------------------------------------------------


def test_ledger_in_csv_adds_up_to_every_step_of_the_bridge() -> None:
    assert run("--ledger", "ledger.csv", "--json", "result.json", "--quiet").exit_code == OUTSIDE
    result = json.loads(Path("result.json").read_text("utf-8"))
    sums: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    with Path("ledger.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            sums[row["player"], row["metric"], row["step"]].append(float(row["change"]))
    for bridge in result["bridge"]:
        for step in bridge["steps"]:
            parts = math.fsum(sums[bridge["player"], bridge["metric"], step["code"]])
            assert parts == pytest.approx(step["change"], abs=1e-9)


def test_ledger_on_standard_output_is_csv_and_nothing_else() -> None:
    result = run("--ledger", "-")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert len(rows) > 100
    assert set(rows[0]) == {"player", "metric", "step", "cause", "game", "turn", "kind", "decider", "change", "xgid", "gnubg_id"}
    assert all(row["change"] for row in rows)


def test_ledger_in_parquet_holds_the_same_as_in_csv() -> None:
    pytest.importorskip("pyarrow")
    import pandas as pd

    comparison = compare(load_match(XG), load_match(SGF))
    frame = ledger_frame(comparison.walk)
    content = ledger_content(comparison, "ledger.PARQUET")
    assert isinstance(content, bytes)
    write("ledger.parquet", content)
    pd.testing.assert_frame_equal(pd.read_parquet("ledger.parquet"), frame, check_dtype=False)


def test_parquet_without_pyarrow_is_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = run("--ledger", "ledger.parquet", "--json", "result.json")
    assert result.exit_code == ERROR
    assert "pip install 'gammon-reconcile[corpus]'" in result.stderr
    assert not any(Path.cwd().iterdir())


@pytest.mark.parametrize("name", ["ledger", "ledger.tsv", "ledger.csv.gz"])
def test_ledger_of_another_ending_is_refused(name: str) -> None:
    result = run("--ledger", name)
    assert result.exit_code == ERROR
    assert ".csv, .parquet or .txt" in result.stderr
    assert not any(Path.cwd().iterdir())


def test_ledger_of_identical_files_is_a_head_without_rows() -> None:
    match = load_match(SGF)
    text = ledger_content(compare(match, match), "x.csv")
    assert text == "player,metric,step,cause,game,turn,kind,decider,change,xgid,gnubg_id\n"


def test_no_spreadsheet_takes_a_name_for_a_formula() -> None:
    left, right = (replace(match, players=("=cmd()", "@two")) for match in (load_match(XG), load_match(SGF)))
    text = ledger_content(compare(left, right), "-")
    assert isinstance(text, str)
    assert {row["player"] for row in csv.DictReader(io.StringIO(text))} == {"'=cmd()", "'@two"}


# -- positions -------------------------------------------------------------------------------------------------------------


def test_positions_are_the_largest_disagreements_one_a_line() -> None:
    assert run("--ledger", "positions.txt", "--quiet").exit_code == OUTSIDE
    head, *lines = Path("positions.txt").read_text("utf-8").splitlines()
    assert head.startswith("# ")
    assert len(lines) == 20
    changes = []
    for line in lines:
        change, xgid, gnubg_id, player, what = line.split("\t")
        changes.append(abs(float(change)))
        assert from_xgid(xgid).position == from_gnubg_id(gnubg_id).position
        assert player in ("Nora Lindqvist", "Tomas Beck")
        assert re.match(r"game \d+, turn \d+, [a-z-]+( \d-\d)?: .+\.$", what)
    assert changes == sorted(changes, reverse=True)


@pytest.mark.parametrize("most", [1, 7, 100000])
def test_most_says_how_many_positions(most: int, walk: Walk) -> None:
    lines = run("--positions", "-", "--most", str(most)).stdout.splitlines()
    every = disagreements(walk, 100000)
    assert len(lines) == 1 + min(most, len(every))


def test_positions_together_are_the_gap(walk: Walk) -> None:
    assert len(walk.bridges(("pr",))) == 2
    for bridge in walk.bridges(("pr",)):
        moved = [one.change for one in disagreements(walk, 100000) if one.largest.player == bridge.player]
        assert bridge.start is not None
        assert bridge.end is not None
        assert math.fsum(moved) == pytest.approx(bridge.end - bridge.start, abs=1e-9)


def test_positions_of_identical_files_are_none() -> None:
    match = load_match(SGF)
    assert positions(compare(match, match), 20).count("\n") == 1


def test_fewer_than_one_position_is_refused() -> None:
    assert run("--positions", "-", "--most", "0").exit_code == ERROR


def test_name_with_a_tab_does_not_break_a_line() -> None:
    left, right = (replace(match, players=("A\tB\nC", "D")) for match in (load_match(XG), load_match(SGF)))
    lines = positions(compare(left, right), 50).splitlines()
    assert {line.count("\t") for line in lines} == {4}


# -- without names ---------------------------------------------------------------------------------------------------------

OUTPUTS = ("result.json", "report.html", "report.md", "ledger.csv", "positions.txt")


def test_no_output_names_a_player_an_event_or_a_file() -> None:
    options = ("--json", "--html", "--markdown", "--ledger", "--positions")
    arguments = [word for option, path in zip(options, OUTPUTS, strict=True) for word in (option, path)]
    named, nameless = run(*arguments), None
    assert all(NAMES.search(Path(path).read_text("utf-8")) for path in OUTPUTS)
    nameless = run("--anonymise", *arguments)
    assert nameless.exit_code == named.exit_code == OUTSIDE
    for text in (nameless.stdout, nameless.stderr, *(Path(path).read_text("utf-8") for path in OUTPUTS)):
        assert NAMES.search(text) is None
    for path in OUTPUTS:
        assert "Player 1" in Path(path).read_text("utf-8")


def test_anonymised_figures_are_the_same_and_the_digest_is_null() -> None:
    plain, nameless = (json.loads(run("--json", "-", *more).stdout) for more in ([], ["--anonymise"]))
    assert [side["sha256"] for side in (nameless["left"], nameless["right"])] == [None, None]
    assert [side["path"] for side in (nameless["left"], nameless["right"])] == ["left.xg", "right.sgf"]

    def numbers(document: Any) -> list[tuple[Any, ...]]:
        return [(figure["metric"], figure["left"], figure["right"], figure["verdict"]) for figure in document["figures"]]

    assert numbers(plain) == numbers(nameless)
    assert [row["change"] for row in plain["ledger"]] == [row["change"] for row in nameless["ledger"]]
    assert [row["xgid"] for row in plain["ledger"]] == [row["xgid"] for row in nameless["ledger"]]


def test_player_is_chosen_by_his_own_name() -> None:
    document = json.loads(run("--json", "-", "--anonymise", "--player", "Tomas").stdout)
    assert {figure["player"] for figure in document["figures"]} == {"Player 2"}


def test_anonymised_synthetic_file_still_says_so() -> None:
    left, right = anonymised(load_match(XG), load_match(SGF))
    assert (left.event, right.event) == ("Synthetic", "")
    run("--anonymise", "--html", "report.html")
    assert "ynthetic" in Path("report.html").read_text("utf-8")


def test_players_are_renamed_by_the_seats_of_the_left_file() -> None:
    cube = xg.Turn(1, START, move=xg.Move((3, 1), (), None, ((8, 5), (6, 5)), START))
    match = xg.WrittenMatch(("Ann Ash", "Ben Box"), 3, (xg.Game((cube,), (0, 0), None),), ended=False)
    left, right = read_match("l.xg", xg_bytes(match)), read_match("r.xg", xg_bytes(seats_swapped(match)))
    one, two = anonymised(left, right)
    assert (one.players, two.players) == (PLAYERS, PLAYERS[::-1])
    assert compared(one, two).pairing.seats == compared(left, right).pairing.seats == (1, 0)


def test_names_disappear_from_notes_as_well() -> None:
    def noted(match: Match) -> Match:
        return replace(match, notes=(Note("damaged-value", f"{match.source.path}: {match.players[0]} moved, {match.players[1]} did not"),))

    one, two = anonymised(noted(load_match(XG)), noted(load_match(SGF)))
    for match in (one, two):
        assert NAMES.search(match.notes[0].evidence) is None
    assert NAMES.search(dumps(comparison_document(compare(one, two)))) is None


def test_name_is_not_looked_for_in_what_stands_for_another() -> None:
    match = replace(load_match(XG), players=("Al", "P"), notes=(Note("damaged-value", "game 3: Al moved, P did not"),))
    one, _ = anonymised(match, match)
    assert one.notes[0].evidence == "game 3: Player 1 moved, Player 2 did not"


# -- standard output -----------------------------------------------------------------------------------------------------


def test_only_one_output_can_be_standard_output() -> None:
    assert run("--ledger", "-", "--positions", "-").exit_code == ERROR
    assert run("--ledger", "-", "--json", "-").exit_code == ERROR


def test_positions_that_cannot_be_written_leave_standard_output_empty() -> None:
    result = run("--positions", "/proc/none/positions.txt", "--json", "-")
    assert (result.exit_code, result.stdout) == (ERROR, "")
