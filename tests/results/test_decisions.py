"""The plays that a tool considered are written as the file has them, read here from its text or its
bytes."""

import json
import re
import struct
from pathlib import Path

import pytest

from reconcile.formats.xg.records import open_archive
from tests.support import data as real
from tests.support.command_line import SGF, XG, run
from tests.support.schemas import faults
from tests.support.small_bgf import first_game, game, match
from tests.support.small_bgf import written as bgf

LISTED = re.compile(r"A\[(\d+)\]((?:\s*\[[a-z]* E [^\]]*\])+)")
LIST = ("--decisions", "--format", "json", "--candidates")
CHANCES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


def of_gnubg(path):
    """Of every play with a list: the play made, and of each candidate chances and equity."""
    for made, plays in LISTED.findall(path.read_text("utf-8", errors="replace")):
        rows = [play.split() for play in re.findall(r"\[([^\]]*)\]", plays)]
        yield int(made), [[*map(float, row[row.index("E") + 3 :][:6])] for row in rows]


def of_xg(path):
    """The same of the records of an `.xg`, by the offsets of docs/formats/xg-records.md."""
    blob = open_archive(path.read_bytes()).read("temp.xg")
    for at in range(0, len(blob), 2560):
        record = blob[at : at + 2560]
        (count,) = struct.unpack_from("<i", record, 188)
        if record[8] != 3 or not count:
            continue
        after = record[35:61]
        made = [record[192 + 26 * n : 218 + 26 * n] == after for n in range(count)]
        rows = [struct.unpack_from("<7f", record, 1408 + 28 * n) for n in range(count)]
        chances = [[row[at] for at in (3, 4, 5, 1, 0, 6)] for row in rows]
        yield made.index(True) if any(made) else None, chances


def written(path):
    """The same as the command writes it."""
    document = json.loads(run("stats", str(path), *LIST).stdout)
    assert faults("decisions", document) == []
    for row in document["decisions"]:
        assert ("candidates" in row) == (row["kind"] == "play")
        if listed := row.get("candidates"):
            made = [number for number, each in enumerate(listed) if each["made"]]
            assert len(made) <= 1
            numbers = [
                [*(each["chances"][name] for name in CHANCES), each["equity"]] for each in listed
            ]
            yield made[0] if made else None, numbers


@pytest.mark.parametrize("path", [Path(SGF), *real.cases("gnubg/m1[345]*.sgf", short=1)])
def test_candidates_of_gnubg_are_those_of_its_text(path):
    assert [*written(path)] == [*of_gnubg(path)]


@pytest.mark.parametrize("path", [Path(XG), *real.cases("real/*.xg", "bgblitz/xg/*.xg", short=1)])
def test_candidates_of_xg_are_those_of_its_records(path):
    assert [*written(path)] == [*of_xg(path)]


def test_candidates_of_bgblitz_are_those_of_its_list_with_the_play_made(tmp_path):
    path = tmp_path / "a.bgf"
    path.write_bytes(bgf(match(game(first_game()))))
    lists = [(made, [row[-1] for row in rows]) for made, rows in written(path)]
    assert [(made, [round(equity, 6) for equity in equities]) for made, equities in lists] == [
        (0, [0.2, 0.1]),
        (1, [0.15, 0.13]),
        (1, [0.3, 0.3]),
    ]
