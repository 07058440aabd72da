"""Two folders against each other: who pairs with whom, and what is told of the rest."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

import pytest

from reconcile.document import dumps
from reconcile.errors import NothingToCompare, UnknownName, UnreadableFile
from reconcile.formats import load_match
from reconcile.gap.comparison import compare
from reconcile.gate.judged_figures import folder_parts
from reconcile.results.review import folder_document
from tests.support.blunderdb_writer import write as database
from tests.support.claims import some
from tests.support.folder_pairs import (
    ALICE,
    ANN,
    ERROR,
    NORA,
    NORA_XG,
    OUTSIDE,
    WITHIN,
    judged,
    left_over,
    partners,
    put,
    run,
)


def without_game(path: Path, number: int) -> bytes:
    """An SGF collection that lacks a game."""
    games = re.split(rb"(?m)^(?=\(;FF)", path.read_bytes())
    kept = [game for game in games if f"[game:{number}]".encode() not in game]
    assert len(kept) == len(games) - 1
    return b"".join(kept)


def test_files_are_paired_by_transcript_whatever_their_names(two: tuple[Path, Path]) -> None:
    put(two[0], alice=NORA_XG, sub__deep__x=ALICE, b=ANN)
    put(two[1], zz=NORA, alice=ANN, other__b=ALICE)
    result = judged(*two)
    assert partners(result) == {
        "alice.xg": "zz.sgf",
        "b.sgf": "alice.sgf",
        "sub/deep/x.sgf": "other/b.sgf",
    }
    assert result.leftovers == ()


def test_every_pair_is_judged_as_its_two_files_are(two: tuple[Path, Path]) -> None:
    put(two[0], a=NORA_XG, b=ALICE)
    put(two[1], c=NORA, d=ALICE)
    result = judged(*two)
    alone = compare(load_match(NORA_XG), load_match(NORA))
    assert result.matches[0].comparison is not None
    assert result.matches[0].comparison.figures == alone.figures
    assert [pair.verdict for pair in result.matches] == ["outside", "within"]
    assert (result.verdict, result.exit_code()) == ("outside", OUTSIDE)


def test_missing_game_and_exchanged_seats_still_pair(two: tuple[Path, Path], data: Path) -> None:
    put(two[0], whole=data / "real" / "test.xg", money=ALICE)
    put(two[1], part=data / "damaged" / "one_game_missing.sgf")
    (two[1] / "alice.sgf").write_bytes(without_game(ALICE, 1))
    result = judged(*two)
    assert partners(result) == {"whole.xg": "part.sgf", "money.sgf": "alice.sgf"}
    for pair in result.matches:
        assert pair.comparison is not None
        assert any(finding.code == "transcript-differs" for finding in pair.comparison.findings)
    (two[1] / "part.sgf").unlink()
    put(two[1], turned=data / "damaged" / "swapped_players.sgf")
    assert partners(judged(*two))["whole.xg"] == "turned.sgf"


def test_two_analyses_of_one_match_pair_by_name(two: tuple[Path, Path], data: Path) -> None:
    real = data / "real"
    put(two[0], quick=real / "test_0ply.sgf", deep=real / "test_2ply.sgf", third=real / "test.xg")
    put(two[1], deep=real / "test.sgf", quick=real / "test.xg")
    result = judged(*two)
    assert partners(result) == {"deep.sgf": "deep.sgf", "quick.sgf": "quick.xg"}
    assert left_over(result) == {"left third.xg": "duplicate"}


def test_match_told_twice_is_compared_once_and_told(two: tuple[Path, Path]) -> None:
    put(two[0], a=NORA_XG, copy=NORA_XG, second=NORA)
    put(two[1], b=NORA)
    result = judged(*two)
    assert partners(result) == {"a.xg": "b.sgf"}
    assert [(one.name, one.why, one.reason) for one in result.leftovers] == [
        ("copy.xg", "duplicate", "the same file as a.xg"),
        ("second.sgf", "duplicate", "the same match as a.xg"),
    ]


def test_transcript_beside_its_analysis_is_no_duplicate(two: tuple[Path, Path], data: Path) -> None:
    real = data / "real"
    put(two[0], a=real / "test.xg", b=real / "test.mat")
    put(two[1], a=real / "test.mat", z=real / "test_2ply.sgf")
    result = judged(*two)
    assert partners(result) == {"a.xg": "z.sgf"}
    assert left_over(result) == {"left b.mat": "ignored", "right a.mat": "ignored"}
    assert result.exit_code(strict=True) == judged(two[0] / "a.xg", two[1] / "z.sgf").exit_code(
        strict=True
    )


def test_files_without_partner_are_told_and_fail_when_strict(two: tuple[Path, Path]) -> None:
    put(two[0], a=ALICE, lonely=ANN)
    put(two[1], b=ALICE, other=NORA)
    result = judged(*two)
    assert left_over(result) == {"left lonely.sgf": "alone", "right other.sgf": "alone"}
    assert result.leftovers[0].reason == "Ann - Ben, 11 points: no partner in two"
    assert (result.exit_code(), result.exit_code(strict=True)) == (WITHIN, OUTSIDE)


def test_unreadable_file_hides_nothing_and_makes_the_code_2(two: tuple[Path, Path]) -> None:
    put(two[0], a=NORA_XG, b=ALICE)
    put(two[1], a=NORA, b=ALICE)
    (two[1] / "broken.xg").write_bytes(NORA_XG.read_bytes()[:5000])
    result = judged(*two)
    assert [pair.verdict for pair in result.matches] == ["outside", "within"]
    assert left_over(result) == {"right broken.xg": "unreadable"}
    assert "broken" not in result.leftovers[0].reason
    assert result.exit_code() == ERROR
    assert result.trouble.startswith("one against two: 1 file could not be read: right broken.xg: ")


def test_other_files_of_a_folder_are_no_business_of_ours(two: tuple[Path, Path]) -> None:
    put(two[0], a=ALICE)
    put(two[1], a=ALICE)
    for name in ("README.md", "match.yaml", "notes.csv", ".hidden.xg.swp"):
        (two[0] / name).write_text("not a match")
    (two[0] / "notes.txt").write_text("remember to analyse the match of Bob")
    (two[0] / "empty.txt").write_text("")
    (two[0] / ".git").mkdir()
    (two[0] / ".git" / "a.xg").write_text("no match")
    result = judged(*two)
    assert left_over(result) == {"left notes.txt": "ignored", "left empty.txt": "ignored"}
    assert result.exit_code(strict=True) == WITHIN


def test_same_dice_with_names_exchanged_contradict_each_other(two: tuple[Path, Path]) -> None:
    text = ALICE.read_bytes()
    white, black = (re.search(rb"%s\[([^\]]*)\]" % key, text) for key in (b"PW", b"PB"))
    assert white is not None
    assert black is not None
    turned = text.replace(b"PW[" + white[1] + b"]", b"PW[#]").replace(
        b"PB[" + black[1] + b"]", b"PB[" + white[1] + b"]"
    )
    (two[0] / "a.sgf").write_bytes(text)
    (two[1] / "a.sgf").write_bytes(turned.replace(b"PW[#]", b"PW[" + black[1] + b"]"))
    put(two[0], b=ANN)
    put(two[1], b=ANN)
    result = judged(*two)
    assert [(pair.verdict, pair.failed) for pair in result.matches] == [
        ("incomparable", True),
        ("within", False),
    ]
    assert result.exit_code() == ERROR
    assert "exchanged" in result.trouble


def test_archive_is_a_folder(two: tuple[Path, Path]) -> None:
    put(two[0], a=ALICE, b=ANN)
    with zipfile.ZipFile(two[1] / "all.zip", "w") as archive:
        archive.write(ANN, "x/one.sgf")
        archive.write(ALICE, "two.sgf")
    result = judged(two[0], two[1] / "all.zip")
    assert partners(result) == {"a.sgf": "all.zip!two.sgf", "b.sgf": "all.zip!x/one.sgf"}
    assert run("compare", str(two[0]), str(two[1] / "all.zip")).exit_code == WITHIN


def test_database_is_a_folder(two: tuple[Path, Path]) -> None:
    put(two[0], b=ANN, a=ALICE)
    database(two[1] / "matches.db", [load_match(ALICE), load_match(ANN)])
    result = judged(two[0], two[1] / "matches.db")
    assert partners(result) == {"a.sgf": "matches.db#1", "b.sgf": "matches.db#2"}
    assert len(result.judged) == 2
    assert partners(judged(two[1], two[0])) == {"matches.db#1": "a.sgf", "matches.db#2": "b.sgf"}
    shutil.copyfile(two[1] / "matches.db", "copy.db")
    assert run("compare", "copy.db", str(two[1] / "matches.db")).stdout.startswith(
        "copy.db against matches.db: 2 of 2 pairs"
    )


def test_single_file_finds_its_partner_in_a_folder(two: tuple[Path, Path]) -> None:
    put(two[0], a=NORA_XG)
    put(two[1], b=NORA, c=ALICE)
    assert partners(judged(two[0] / "a.xg", two[1])) == {"a.xg": "b.sgf"}


def test_same_folder_on_both_sides_agrees_with_itself_and_folders_of_one_name_are_told_apart(
    two: tuple[Path, Path],
) -> None:
    put(two[0], a=NORA_XG, b=ALICE)
    result = judged(two[0], two[0])
    assert partners(result) == {name: name for name in ("a.xg", "b.sgf")}
    assert result.folders == ("one (left)", "one (right)")
    for pair in some(result.matches):
        assert pair.comparison is not None
        assert {figure.gap for figure in pair.comparison.judged} == {0.0}
    for folder in two:
        put(folder, out__a=ALICE)
    assert judged(two[0] / "out", two[1] / "out").folders == ("one/out", "two/out")


def test_player_chooses_the_matches_he_plays_in(two: tuple[Path, Path]) -> None:
    put(two[0], a=ANN, b=NORA)
    put(two[1], a=ANN, b=NORA)
    result = judged(*two, player="ann")
    assert partners(result) == {"a.sgf": "a.sgf"}
    assert {part.figure.player for one in folder_parts(result) for part in one.cases} == {"Ann"}
    assert result.leftovers == ()
    with pytest.raises(UnknownName, match="no player 'Zoe' in any match"):
        judged(*two, player="Zoe")


def test_folder_without_a_match_is_refused(two: tuple[Path, Path]) -> None:
    put(two[0], a=ALICE)
    with pytest.raises(NothingToCompare, match=r"two: expected matches .* found none"):
        judged(*two)
    with pytest.raises(UnreadableFile):
        judged(two[0], two[1] / "absent")


def test_nothing_in_common_is_told_with_code_2(two: tuple[Path, Path]) -> None:
    put(two[0], a=ALICE)
    put(two[1], a=ANN)
    result = run("compare", "one", "two")
    assert result.exit_code == ERROR
    assert "no partner  left | a.sgf" in result.stdout
    assert (
        result.stderr
        == "reconcile: one against two: no file of one folder has a partner in the other\n"
    )


def test_unknown_names_are_one_error_and_not_one_for_every_pair(two: tuple[Path, Path]) -> None:
    put(two[0], a=ALICE)
    put(two[1], a=ALICE)
    for option in (("--left-rules", "none"), ("--table", "none"), ("--met", "none")):
        result = run("compare", "one", "two", *option)
        assert (result.exit_code, result.stdout) == (ERROR, "")
        assert len(result.stderr.splitlines()) == 1


def test_result_does_not_depend_on_the_order_of_a_listing(
    two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(two[0], b=ALICE, sub__c=ANN, d=ANN)
    put(two[1], e=ALICE, sub__f=ANN)
    before = dumps(folder_document(judged(*two)))
    listed = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda path: reversed(list(listed(path))))
    assert dumps(folder_document(judged(*two))) == before


def test_pair_without_an_analysis_is_not_judged_nor_a_failure_and_hides_nothing(
    two: tuple[Path, Path],
) -> None:
    for folder in two:
        assert run("convert", str(NORA), "-o", str(folder / "b.mat")).exit_code == 0
    result = judged(*two)
    assert [(pair.verdict, pair.failed) for pair in result.matches] == [("incomparable", False)]
    assert "no pair of files could be judged" in result.trouble
    assert "could not be compared" not in result.trouble
    for folder in two:
        put(folder, a=ALICE)
    result = judged(*two)
    assert [pair.verdict for pair in result.matches] == ["within", "incomparable"]
    assert "analysed" in result.matches[1].reason
    assert (result.exit_code(), result.exit_code(strict=True)) == (WITHIN, OUTSIDE)
