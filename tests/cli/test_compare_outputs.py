"""What `compare` writes beside its reports: the ledger, the positions that matter, and everything
without names."""

import csv
import io
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from reconcile.document import dumps
from reconcile.gap.comparison import compare
from reconcile.gap.pairing import PLAYERS, anonymised
from reconcile.gap.walk import disagreements
from reconcile.match.board.position import from_xgid
from reconcile.match.match import Note
from reconcile.report.decision_files import ledger_content
from reconcile.results.comparison import comparison_document
from reconcile.rules.rulesets import QUESTIONS
from tests.support.balance import compared
from tests.support.command_line import OUTSIDE, PACK, SGF, XG, refused, run
from tests.support.gnubg_ids import from_gnubg_id
from tests.support.hand_made_levels import turned, two_opinions
from tests.support.several import bundled_sgf, bundled_xg

NAMES = re.compile(
    r"nora|lindqvist|tomas|beck|gnu backgammon against itself|demonstration match", re.IGNORECASE
)
OUTPUTS = {
    "--json": "result.json",
    "--html": "report.html",
    "--markdown": "report.md",
    "--ledger": "ledger.csv",
}
pytestmark = pytest.mark.usefixtures("elsewhere")


@pytest.fixture(scope="module")
def comparison():
    return compare(bundled_xg(), bundled_sgf())


@pytest.fixture(scope="module")
def nameless(tmp_path_factory):
    """What one run prints and writes."""
    folder = tmp_path_factory.mktemp("nameless")
    options = (word for option, name in OUTPUTS.items() for word in (option, str(folder / name)))
    done = run("compare", XG, SGF, "--anonymise", *options)
    assert done.exit_code == OUTSIDE
    read = {name: (folder / name).read_text("utf-8") for name in OUTPUTS.values()}
    return {**read, "stdout": done.stdout, "stderr": done.stderr.replace(str(folder), "")}


# -- the ledger


def test_parquet_without_pyarrow_is_refused_before_any_work(
    monkeypatch,
):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    line = refused("compare", XG, SGF, "--ledger", "ledger.PARQUET", "--json", "result.json")
    assert "pip install 'gammon-reconcile[corpus]'" in line
    assert not any(Path.cwd().iterdir())


def test_file_beside_itself_has_a_head_without_rows_and_no_position():
    same = compare(bundled_sgf(), bundled_sgf())
    assert (
        ledger_content(same, "x.csv")
        == "player,metric,step,cause,game,turn,kind,decider,change,xgid,gnubg_id\n"
    )
    assert str(ledger_content(same, "x.txt")).count("\n") == 1


def test_name_is_no_formula_of_a_spreadsheet_and_breaks_no_line():
    left, right = (
        replace(match, players=("=cmd()", "@\tB\n")) for match in (bundled_xg(), bundled_sgf())
    )
    built = compare(left, right)
    text = ledger_content(built, "-")
    assert isinstance(text, str)
    assert {row["player"] for row in csv.DictReader(io.StringIO(text))} == {
        "'=cmd()",
        "'@\\u0009B\\u000a",
    }
    listed = str(ledger_content(built, "x.txt", 50))
    assert {line.count("\t") for line in listed.splitlines()} == {4}


# -- positions


def test_positions_are_the_largest_disagreements_one_a_line(comparison):
    head, *lines = str(ledger_content(comparison, "x.txt")).splitlines()
    assert head.startswith("# ")
    assert len(lines) == 20
    changes = []
    for line in lines:
        change, xgid, gnubg_id, player, case = line.split("\t")
        changes.append(abs(float(change)))
        assert from_xgid(xgid).position == from_gnubg_id(gnubg_id).position
        assert player in ("Nora Lindqvist", "Tomas Beck")
        assert re.match(r"game \d+, turn \d+, [a-z-]+( \d-\d)?: [^;]+; XG .+$", case)
    assert changes == sorted(changes, reverse=True)


@pytest.mark.parametrize("seats", [(0,), (1,), (0, 1)])
def test_positions_of_a_player_without_pr_move_that_of_checker_plays(
    seats,
):
    """As where an analysis lacks the cube; the first line says which rate moves, and whose."""
    left, right = bundled_xg(), bundled_sgf()
    analysed = right.cubes.analysed & ~np.isin(right.cubes.player, seats)
    part = compare(left, replace(right, cubes=right.cubes.replaced(analysed=analysed)))
    head, *lines = str(ledger_content(part, "x.txt", 100000)).splitlines()
    titles = ["PR of checker plays" if seat in seats else "PR" for seat in (0, 1)]
    names = dict(zip(left.players, titles, strict=True))
    each = [f"{title} ({name})" for name, title in names.items()]
    wanted = sorted(each) if len(set(titles)) > 1 else titles[:1]
    assert head.split("\t")[0] == f"# change of {', '.join(wanted)}"
    places = {name: [line.split("\t") for line in lines if f"\t{name}\t" in line] for name in names}
    for seat, of_player in enumerate(places.values()):
        bridge = part.walk.bridge("checker_pr" if seat in seats else "pr", seat)
        total = sum(float(change) for change, *_ in of_player)
        assert total == pytest.approx(sum(step.change for step in bridge.steps), abs=0.01)
        cubes = [case for *_, case in of_player if ", play " not in case]
        assert bool(cubes) == (seat not in seats)


def test_most_says_how_many_positions(comparison):
    every = disagreements(comparison.walk, 100000)
    assert len(every) > 20
    counts = [str(ledger_content(comparison, "x.txt", most)).count("\n") for most in (1, 100000)]
    assert counts == [2, 1 + len(every)]
    assert run("compare", XG, SGF, "--ledger", "p.txt", "--most", "7", "--quiet").stdout == ""
    assert len(Path("p.txt").read_text("utf-8").splitlines()) == 8


# -- without names


def test_no_output_names_a_player_an_event_or_a_file(nameless):
    for name, text in nameless.items():
        assert NAMES.search(text) is None
        assert name not in OUTPUTS.values() or "Player 1" in text
    assert "ynthetic" in nameless["report.html"]  # what the file is may be said


def test_anonymised_figures_are_the_same_and_the_digest_is_null(comparison, nameless):
    item = json.loads(dumps(comparison_document(comparison)))
    other = json.loads(nameless["result.json"])
    assert [side["sha256"] for side in (other["left"], other["right"])] == [None, None]
    assert [side["path"] for side in (other["left"], other["right"])] == ["left.xg", "right.sgf"]

    def numbers(document):
        figures = [
            (figure["metric"], figure["left"], figure["right"], figure["verdict"])
            for figure in document["figures"]
        ]
        return figures + [(row["change"], row["xgid"]) for row in document["ledger"]]

    assert numbers(item) == numbers(other)


def test_players_are_renamed_by_the_seats_of_the_left_file():
    left, right = two_opinions(0.3)
    right = turned(right)
    item, two = anonymised(left, right)
    assert (item.players, two.players) == (PLAYERS, PLAYERS[::-1])
    assert compared(item, two).pairing.seats == compared(left, right).pairing.seats == (1, 0)


def test_names_disappear_from_events_and_notes_and_no_name_is_looked_for_in_what_stands_for_it():
    match = replace(
        bundled_xg(),
        players=("Al", "P"),
        notes=(Note("damaged-value", f"{XG}: Al moved, P did not"),),
    )
    item, _ = anonymised(match, match)
    assert item.notes[0].evidence == "left: Player 1 moved, Player 2 did not"
    assert item.event == "Synthetic"
    assert NAMES.search(dumps(comparison_document(compare(item, item)))) is None


def test_files_given_twice_are_named_without_their_names():
    message = run("compare", XG, XG, "--anonymise").stderr
    assert "left.xg and right.xg are one file, byte for byte" in message
    assert NAMES.search(message) is None


def test_pages_of_rules_name_no_player_of_a_public_match():
    """They say which matches taught a rule; one of these may be the match that is compared."""
    manifests = [yaml.safe_load(path.read_text("utf-8")) for path in PACK.glob("*/match.yaml")]
    reported = [
        name
        for item in manifests
        for entry in item.get("reported") or []
        for name in entry["players"]
    ]
    names = {*re.findall(r"[^\W\d_]{4,}", " ".join(map(str, reported))), "HARMAND", "Jørgensen"}
    assert {"Unger", "Maxence"} < names
    for question in QUESTIONS:
        assert not names & {*re.findall(r"[^\W\d_]{4,}", QUESTIONS[question].page)}
