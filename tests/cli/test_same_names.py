"""Two players with one name: each can be named by seat, and nothing puts the two together."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from reconcile.formats import load_match
from reconcile.scoring.statistics import statistics
from tests.support.command_line import csv_of, json_of, run
from tests.support.loaded import DEMONSTRATION

ORIGINAL = Path(f"{DEMONSTRATION}.sgf")
FIRST, SECOND = "same#1", "Same#2"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The match of the demonstration, whose players are both called Same."""
    text = re.sub(
        rb"PB\[[^]]*\]", b"PB[Same]", re.sub(rb"PW\[[^]]*\]", b"PW[same]", ORIGINAL.read_bytes())
    )
    path = tmp_path_factory.mktemp("same") / "same.sgf"
    path.write_bytes(text)
    return path


def own_pr(seat):
    pr = statistics(load_match(ORIGINAL)).figures(seat)["pr"]
    assert pr is not None
    return pr


def test_name_of_both_is_refused_with_the_names_that_tell_them_apart(file):
    for words in (
        ("compare", file, file, "--player", "Same"),
        ("investigate", file, "--player", "same", "--reported", "pr=5"),
    ):
        result = run(*words)
        assert result.exit_code == 2
        assert f"there are '{FIRST}' and '{SECOND}'" in result.stderr


def test_a_seat_can_be_chosen_by_its_number(file):
    for name, seat in ((FIRST, 0), ("SAME#2", 1)):
        figures = json_of("compare", file, file, "--player", name, "--json", "-")["figures"]
        assert {each["player"] for each in figures} == {(FIRST, SECOND)[seat]}
        assert [each["left"] for each in figures if each["metric"] == "pr"] == [own_pr(seat)]
    words = ("--player", SECOND, "--reported", f"pr={own_pr(1):.4f}", "--json", "-")
    actual = json_of("investigate", file, *words)
    assert actual["player"] == SECOND
    assert actual["explanations"][0]["differences"] == []


@pytest.mark.long
def test_ledger_bridge_and_figures_tell_the_seats_apart(file):
    actual, original = (
        json_of(
            "compare", path, path, "--left-rules", "gnubg", "--right-rules", "xg", "--json", "-"
        )
        for path in (file, ORIGINAL)
    )
    names = dict(zip(load_match(ORIGINAL).players, (FIRST, SECOND), strict=True))
    for part, keys in (
        ("ledger", ("player", "decider")),
        ("bridge", ("player",)),
        ("figures", ("player",)),
    ):
        assert original[part]
        assert [[row[key] for key in keys] for row in actual[part]] == [
            [names[row[key]] for key in keys] for row in original[part]
        ]
    assert actual["left"]["players"] == [FIRST, SECOND]


def test_pool_rows_and_columns_have_the_seats_and_the_document_of_a_file_its_names(file):
    rates = [(FIRST, own_pr(0)), (SECOND, own_pr(1))]
    pooled = json_of("stats", file, "--pool", "--format", "json")["players"]
    assert [(each["name"], each["pr"]) for each in pooled] == rates
    assert [(row["player"], float(row["pr"])) for row in csv_of("stats", file)] == rates
    assert re.search(rf"Match +{FIRST} +{SECOND}\n", run("stats", file).stdout)
    assert list(statistics(load_match(file)).to_frame().columns) == [FIRST, SECOND]
    alone = json_of("stats", file, "--format", "json")["players"]
    assert [each["name"] for each in alone] == ["same", "Same"]


def test_players_with_two_names_are_called_as_the_file_calls_them():
    match = load_match(ORIGINAL)
    assert match.names == match.players
    assert replace(match, players=("Ann", "Ann B")).names == ("Ann", "Ann B")
