"""OGXM on the command line: a document of several analyses is several sides, and the analyses of a comparison become one document."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from reconcile.formats.ogxm import codec
from reconcile.formats.xg.writer import write
from reconcile.suite.synthetic import SyntheticGame
from tests.support.command_line import ERROR, OUTSIDE, SGF, WITHIN, run, strict
from tests.support.data import PROJECT
from tests.support.ogxm import checked, needs_ogxm

pytestmark = [pytest.mark.usefixtures("elsewhere"), needs_ogxm]
SAMPLE = PROJECT / "docs" / "samples" / "nora-lindqvist-tomas-beck-1ply.sgf"
ONE, TWO = "one.sgf", "two.sgf"


@pytest.fixture(autouse=True)
def _two_analyses(elsewhere: None) -> None:
    """Of the first game of one match."""
    if not SAMPLE.is_file():
        pytest.skip("the sample matches are part of the documentation of a checkout")
    for name, path in ((ONE, Path(SGF)), (TWO, SAMPLE)):
        content = path.read_bytes()
        Path(name).write_bytes(content[: content.index(b"\n(;")])


@pytest.mark.long
def test_analyses_of_a_comparison_become_one_document_and_sides_again() -> None:
    assert (
        run("compare", ONE, TWO, ONE, "--ogxm", "all.ogxm", "--json", "files.json").exit_code
        == WITHIN
    )
    checked(Path("all.ogxm").read_bytes())
    assert run("compare", "all.ogxm", "--json", "document.json").exit_code == WITHIN
    files, document = (
        strict(Path(f"{name}.json").read_text("utf-8")) for name in ("files", "document")
    )
    assert [side["path"] for side in document["sides"]] == [
        "all.ogxm#1",
        "all.ogxm#2",
        "all.ogxm#3",
    ]
    for name in ("figures", "rules", "tool", "level"):
        assert [side[name] for side in document["sides"]] == [side[name] for side in files["sides"]]
    assert document["consensus"] == files["consensus"]
    assert [one["verdicts"] for one in document["disputes"]] == [
        one["verdicts"] for one in files["disputes"]
    ]
    assert "given before" not in " ".join(document["story"])


@pytest.mark.long
def test_two_analyses_are_one_document_and_judged_like_two_files() -> None:
    files = run("compare", ONE, TWO, "--ogxm", "two.ogxm", "--json", "files.json")
    document = run("compare", "two.ogxm", "--json", "document.json")
    assert files.exit_code == document.exit_code == OUTSIDE
    one, two = (strict(Path(f"{name}.json").read_text("utf-8")) for name in ("files", "document"))
    assert [one[name] for name in ("figures", "bridge", "verdict")] == [
        two[name] for name in ("figures", "bridge", "verdict")
    ]
    beside = run("compare", "two.ogxm", TWO, "--json", "-")
    assert [side["path"] for side in strict(beside.stdout)["sides"]] == [
        "two.ogxm#1",
        "two.ogxm#2",
        TWO,
    ]
    assert run("convert", "two.ogxm#2", "-o", "second.ogxm").exit_code == WITHIN
    assert run("compare", "second.ogxm", TWO).exit_code == WITHIN
    several = run("stats", "two.ogxm")
    assert several.exit_code == ERROR
    assert several.stderr.splitlines()[-1].startswith(
        "reconcile: two.ogxm: expected the number of one of its 2 analyses, as two.ogxm#1"
    )


def test_folders_have_no_document() -> None:
    Path("left").mkdir()
    result = run("compare", "left", "left", "--ogxm", "all.ogxm")
    assert result.exit_code == ERROR
    assert "--ogxm is for" in result.stderr


@pytest.mark.long
def test_document_of_one_analysis_is_the_file_and_a_damaged_one_is_one_line() -> None:
    assert run("convert", ONE, "-o", "one.ogxm").exit_code == WITHIN
    ours, files = (
        strict(run("stats", path, "--format", "json").stdout) for path in ("one.ogxm", ONE)
    )
    ours, files = (one[0] if isinstance(one, list) else one for one in (ours, files))
    assert ours["players"] == files["players"]
    Path("cut.ogxm").write_bytes(Path("one.ogxm").read_bytes()[:-100])
    for command in (("stats", "cut.ogxm"), ("compare", "cut.ogxm", ONE), ("convert", "cut.ogxm")):
        result = run(*command)
        assert result.exit_code == ERROR
        assert len(result.stderr.splitlines()) == 1
        assert "damaged OGXM document" in result.stderr


def test_without_the_package_the_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_name: str) -> str:
        raise PackageNotFoundError

    monkeypatch.setattr(codec, "version", missing)
    for command in (
        ("convert", ONE, "-o", "one.ogxm"),
        ("compare", ONE, TWO, "--ogxm", "two.ogxm"),
    ):
        result = run(*command)
        assert result.exit_code == ERROR
        assert "pip install 'gammon-reconcile[ogxm]'" in result.stderr
        assert not Path(command[-1]).exists()


def test_play_that_the_dice_do_not_allow_takes_no_output_down() -> None:
    game = (
        SyntheticGame()
        .opened()
        .turn((0.0, 0.1, 0.07), 2, dice=(4, 2), play=((24, 14), (13, 2)), invalid=2)
        .turn()
        .match()
    )
    Path("illegal.xg").write_bytes(write(game))
    result = run(
        "compare",
        "illegal.xg",
        "illegal.xg",
        "--ogxm",
        "all.ogxm",
        "--json",
        "all.json",
        "--html",
        "all.html",
    )
    assert result.exit_code == WITHIN
    assert "--ogxm: game 1, turn 3: " in result.stderr
    assert all(Path(f"all.{ending}").stat().st_size for ending in ("ogxm", "json", "html"))
