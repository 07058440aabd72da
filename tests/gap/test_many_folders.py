"""Folders in any number: the analyses of every match are found by transcript and compared; what is left over is listed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from reconcile.errors import NothingToCompare, UnknownName
from reconcile.gap.folders import FolderResult, compare_folders
from reconcile.gap.review import review
from tests.support.folder_pairs import ALICE, ANN, ERROR, NORA, NORA_XG, WITHIN, put, run
from tests.support.loaded import loaded
from tests.support.schemas import faults


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path, Path]:
    """Three folders: one match twice, with a copy and a transcript; one match once."""
    monkeypatch.chdir(tmp_path)
    folders = tmp_path / "one", tmp_path / "two", tmp_path / "three"
    put(folders[0], a=NORA_XG, alone=ANN)
    put(folders[1], b=NORA, again=NORA_XG)
    put(folders[2], c=ALICE)
    return folders


def files(result: FolderResult) -> list[tuple[str, ...]]:
    return [one.files for one in result.matches]


def left(result: FolderResult) -> dict[str, str]:
    return {one.name: one.why for one in result.leftovers}


def test_analyses_of_a_match_are_found_in_folders_in_any_number_and_beside_them_and_compared_as_files(
    three: tuple[Path, ...],
) -> None:
    result = compare_folders(*(str(folder) for folder in three))
    assert files(result) == [("one/a.xg", "two/b.sgf")]
    assert left(result) == {
        "one/alone.sgf": "alone",
        "three/c.sgf": "alone",
        "two/again.xg": "duplicate",
    }
    many, alone = result.matches[0].review, review(loaded(NORA_XG), loaded(NORA))
    assert many is not None
    assert many.rates(0) == alone.rates(0)
    assert [one.item for one in many.disputes] == [one.item for one in alone.disputes]
    (found,) = files(compare_folders(str(three[0].parent)))
    assert sorted(path.rpartition("/")[2] for path in found) in (
        ["a.xg", "b.sgf"],
        ["again.xg", "b.sgf"],
    )
    assert files(compare_folders(str(three[0]), str(three[1] / "b.sgf"), str(three[2]))) == [
        ("one/a.xg", "b.sgf")
    ]


def test_transcripts_and_broken_files_are_left_over(three: tuple[Path, ...]) -> None:
    assert run("convert", str(NORA_XG), "-o", str(three[2] / "bare.mat")).exit_code == WITHIN
    (three[2] / "broken.sgf").write_bytes(b"(;FF[4]GM[6]MI[length:3][game:0]")
    result = compare_folders(*(str(folder) for folder in three))
    assert left(result)["three/bare.mat"] == "ignored"
    assert left(result)["three/broken.sgf"] == "unreadable"
    assert "three/broken.sgf" in result.trouble


def test_folders_without_a_match_and_players_without_one_are_refused(
    three: tuple[Path, ...],
) -> None:
    (three[0] / "empty").mkdir()
    with pytest.raises(NothingToCompare, match="found none that can be read"):
        compare_folders(str(three[0] / "empty"))
    with pytest.raises(UnknownName, match="no player 'nobody'"):
        compare_folders(*(str(folder) for folder in three), player="nobody")


def test_every_output_of_folders(three: tuple[Path, ...]) -> None:
    result = run(
        "compare",
        "one",
        "two",
        "three",
        "--json",
        "r.json",
        "--markdown",
        "r.md",
        "--html",
        "pages",
    )
    assert result.exit_code == WITHIN
    document = json.loads(Path("r.json").read_text("utf-8"))
    assert faults("many_folders", document) == []
    assert len(document["matches"]) == 1
    assert document["matches"][0]["analyses"]["sides"][1]["path"].endswith("b.sgf")
    index = Path("pages/index.html").read_text("utf-8")
    assert {path.name for path in Path("pages").iterdir()} == {
        "index.html",
        *re.findall(r'href="([^"#:,]+\.html)"', index),
    }
    for text in (result.stdout, Path("r.md").read_text("utf-8"), index):
        assert "1 match with several analyses" in text
        assert "Nora Lindqvist: PR 4.85 to 7.16 by 2 programs" in text


def test_nothing_with_several_analyses_is_exit_code_2(three: tuple[Path, ...]) -> None:
    result = run("compare", "three")
    assert result.exit_code == ERROR
    assert "no match with several analyses was found" in result.stderr
    assert run("compare", "one", "two", "three", "--strict").exit_code == ERROR
