"""Which match and which player a candidate speaks of: found by any usual spelling, told where unknown, never guessed at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reconcile.errors import NothingToCompare
from reconcile.gap.verdict import WITHIN
from reconcile.gate.candidates.missing import Missing
from reconcile.gate.judged_figures import pack_parts
from tests.gate.candidates.judging import only, refused, run, validate
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    RICH,
    ZERO_PLY,
    file_of,
    make_pack,
    own,
    plain,
    written,
)

pytestmark = pytest.mark.usefixtures("undiagnosed")


@pytest.fixture
def namesakes(tmp_path: Path) -> Path:
    """Two matches of the same players: the same transcript analysed twice stands for it."""
    return make_pack(
        tmp_path / "two",
        {"first": {"gnubg": file_of(ZERO_PLY)}, "second": {"gnubg": file_of(ZERO_PLY)}},
    )


def test_players_are_found_in_either_order_and_without_case_and_accents(
    tmp_path: Path, two: Path
) -> None:
    for names in ((ALICE, BOB), (BOB, ALICE), ("ALICE_M04", "bob  M04"), ("Àlice m04", "Bob")):
        figures = {
            name: own(file_of(ZERO_PLY), 0 if name[0] in "AÀ" else 1, metrics=("snowie_er",))
            for name in names
        }
        result = validate(
            two, candidates=[written(tmp_path / "a.json", plain({"players": figures}))]
        )
        assert [one.verdict for one in only(result).figures] == [WITHIN, WITHIN]
        assert {match.id for match in result.matches if match.candidates} == {ZERO_PLY.name}


def test_beginning_of_two_players_names_is_neither(tmp_path: Path) -> None:
    alike = tmp_path / "alike.sgf"
    alike.write_text(file_of(ZERO_PLY).read_text("utf-8").replace(BOB, "Alice m05"), "utf-8")
    pack = make_pack(tmp_path / "pack", {"alike": {"gnubg": alike}})
    given = written(tmp_path / "a.json", plain({"players": {"Alice m0": {"snowie_er": 1}}}))
    assert "no reference match has 'Alice m0'" in refused(given, NothingToCompare, pack)
    whole = validate(
        pack,
        candidates=[
            written(tmp_path / "a.json", plain({"players": {"Alice m05": {"snowie_er": 1}}}))
        ],
    )
    assert [one.player for one in only(whole).figures] == ["Alice m05"]


def test_alias_finds_a_player(tmp_path: Path) -> None:
    given = written(
        tmp_path / "a.json", plain({"players": {"Wonderland": own(file_of(ZERO_PLY), 0)}})
    )
    assert "no reference match has 'Wonderland'" in refused(given, NothingToCompare)
    aliases = written(
        tmp_path / "aliases.yaml", 'schema_version: 1\nplayers: {"Alice m04": [Wonderland]}\n'
    )
    assert run(ZERO_PLY, "--candidate", given, "--aliases", aliases).exit_code == 0


@pytest.mark.parametrize(
    ("match", "said"),
    [
        (
            {"match": "nowhere", "players": {ALICE: {"pr": 1}}},
            "no reference match 'nowhere', expected one of gnubg-7pt-0ply",
        ),
        ({"match": "../secret", "players": {ALICE: {"pr": 1}}}, "no reference match '../secret'"),
        (
            {"match": ZERO_PLY.name, "players": {"Cleo": {"pr": 1}}},
            "no player 'Cleo' in this match, expected 'Alice m04', 'Bob m04'",
        ),
        (
            {"players": {ALICE: {"pr": 1}}, "length": 9},
            "no reference match has 'Alice m04', 9 points",
        ),
        (
            {"players": {ALICE: {"pr": 1}, "Cleo": {"pr": 1}}},
            "no reference match has 'Alice m04' and 'Cleo'",
        ),
        (
            {"players": {"'; DROP TABLE match; --": {"pr": 1}}},
            'no reference match has "\'; DROP TABLE match; --"',
        ),
    ],
    ids=[
        "unknown id",
        "a path",
        "unknown player",
        "other length",
        "other opponent",
        "SQL in a name",
    ],
)
def test_candidate_of_no_reference_match_is_told(
    tmp_path: Path, match: dict[str, Any], said: str
) -> None:
    assert said in refused(written(tmp_path / "a.json", plain(match)), NothingToCompare)


def test_candidate_that_fits_two_matches_is_told_and_not_guessed_at(
    tmp_path: Path, namesakes: Path
) -> None:
    given = written(tmp_path / "a.json", plain({"players": {ALICE: own(file_of(ZERO_PLY), 0)}}))
    assert "fits 2 reference matches (first, second)" in refused(given, NothingToCompare, namesakes)
    result = validate(namesakes, candidates=[f"{given}#second"])
    assert [match.id for match in result.matches if match.candidates] == ["second"]


def test_part_that_fits_no_match_is_not_compared_and_fails_with_strict(tmp_path: Path) -> None:
    matches = [{"players": {name: own(file_of(ZERO_PLY), 0)}} for name in (ALICE, "Cleo")]
    result = validate(ZERO_PLY, candidates=[written(tmp_path / "a.json", plain(*matches))])
    (reason,) = map(str, result.not_compared)
    assert reason.startswith("candidate a.json: a.json: matches.1: no reference match has 'Cleo'")
    assert result.summary.not_compared == 1
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)
    assert [part.missing for part in pack_parts(result) if part.missing] == [
        reason.removeprefix("candidate a.json: ")
    ]


def test_match_that_no_candidate_speaks_of_is_missing(tmp_path: Path, two: Path) -> None:
    given = written(tmp_path / "a.json", plain({"players": {ALICE: own(file_of(ZERO_PLY), 0)}}))
    result = validate(two, candidates=[given])
    assert Missing(RICH.name, "a.json", None, None) in result.missing
    assert all(not match.not_compared for match in result.matches)
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)


def test_one_player_under_two_names_is_told(tmp_path: Path) -> None:
    players = {ALICE: {"snowie_er": 1}, "alice_m04": {"snowie_er": 2}}
    given = written(tmp_path / "a.json", plain({"match": ZERO_PLY.name, "players": players}))
    assert "'Alice m04' and 'alice_m04' are both 'Alice m04'" in refused(given, NothingToCompare)
