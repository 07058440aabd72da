"""Many new matches at once: files are put together by their rolls, manifests can be used at once,
and nothing stops the rest."""

from __future__ import annotations

import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

from reconcile.gate.manifest import MANIFEST, load_pack
from tests.support.command_line import PACK, run

DEMONSTRATION = PACK / "demonstration"
ALICE = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
ANN = PACK / "gnubg-11pt-cube-rich" / "ann-ben-11pt-cube-rich.sgf"
SAID = ("--licence", "MIT", "--provenance", "made for a test, here and today")
HOME = Path("reference_matches")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("src/deep", "src/.hidden"):
        Path(name).mkdir(parents=True)
    for path in (*DEMONSTRATION.glob("nora*"), ALICE):
        shutil.copy(path, "src")
    shutil.copy(ANN, "src/deep")


def names() -> dict[str, list[str]]:
    """The files of every match of the pack."""
    return {
        folder.name: sorted(path.name for path in folder.iterdir())
        for folder in sorted(HOME.iterdir())
    }


def test_every_match_of_a_folder_gets_its_manifest_which_judges_a_program_at_once() -> None:
    done = run("new-match", "src", *SAID)
    assert (done.exit_code, done.stderr) == (0, "")
    nora = ["match.yaml", "nora-lindqvist-tomas-beck.sgf", "nora-lindqvist-tomas-beck.xg"]
    assert names() == {
        "alice-m26-bob-m26-3pt": ["alice-bob-3pt-2ply.sgf", "match.yaml"],
        "ann-ben-11pt": ["ann-ben-11pt-cube-rich.sgf", "match.yaml"],
        "nora-lindqvist-tomas-beck-7pt": nora,
    }
    for _, manifest in load_pack(HOME):
        assert (manifest.licence, manifest.provenance, manifest.reported) == (SAID[1], SAID[3], ())
    text = yaml.safe_load((HOME / "nora-lindqvist-tomas-beck-7pt" / MANIFEST).read_text("utf-8"))
    assert (list(text["files"]), text["pairs"]) == (
        ["xg", "gnubg"],
        [{"left": "xg", "right": "gnubg", "judged_by": None}],
    )
    judged = run("validate", HOME, "--candidate", "src", "--candidate", "src/deep")
    assert judged.exit_code in (0, 1)
    assert "not compared" not in judged.stdout
    assert "--candidate-command" in done.stdout.splitlines()[-1]
    alone = run("validate", HOME)
    assert (alone.exit_code, "judge a program with --candidate-command" in alone.stderr) == (
        2,
        True,
    )


def test_what_cannot_be_read_is_a_line_and_does_not_stop_the_others() -> None:
    Path("src/bad.xg").write_bytes(next(DEMONSTRATION.glob("*.xg")).read_bytes()[:5000])
    Path("src/readme.txt").write_text("not a transcript")
    Path("src/x.db").write_bytes(b"SQLite format 3\0" + bytes(100))
    done = run("new-match", "src", "absent.sgf", *SAID)
    assert done.exit_code == 2
    assert [line.split(":")[:2] for line in done.stderr.splitlines()] == [
        ["reconcile", " src/bad.xg"],
        ["reconcile", " src/x.db"],
        ["reconcile", " absent.sgf"],
    ]
    assert len(names()) == 3
    assert "3 new matches, 3 left out, with the reason above" in done.stdout


def test_second_run_writes_only_what_is_new() -> None:
    run("new-match", "src", *SAID)
    before = {path: path.read_bytes() for path in HOME.rglob("*") if path.is_file()}
    again = run("new-match", "src", ".", *SAID)
    assert (again.exit_code, again.stdout) == (
        0,
        "nothing to write: reference_matches has these matches already\n",
    )
    shutil.copy(PACK / "gnubg-7pt-0ply" / "alice-bob-7pt-0ply.sgf", "src")
    assert run("new-match", "src", *SAID).stdout.count("wrote") == 2
    assert all(path.read_bytes() == content for path, content in before.items())


def test_second_file_of_a_match_that_is_there_is_reported() -> None:
    run("new-match", next(DEMONSTRATION.glob("*.xg")), "--pack", HOME, *SAID)
    done = run("new-match", "src", *SAID)
    assert done.exit_code == 2
    assert (
        "nora-lindqvist-tomas-beck.sgf: its match is in "
        "reference_matches/nora-lindqvist-tomas-beck-7pt already" in done.stderr
    )
    assert len(names()) == 3


def test_same_players_may_meet_twice_and_a_copy_is_left_out() -> None:
    text = ALICE.read_bytes()
    shutil.copy(ALICE, "src/copy.sgf")
    games = text.split(b"(;")
    Path("src/other.sgf").write_bytes(b"(;".join(games[:2]))  # its first game alone
    done = run("new-match", "src/alice-bob-3pt-2ply.sgf", "src/copy.sgf", "src/other.sgf", *SAID)
    assert done.exit_code == 0, done.stderr
    assert all(len(files) == 2 or "other.sgf" in files for files in names().values())
    assert not any(
        "copy.sgf" in files and "alice-bob-3pt-2ply.sgf" in files for files in names().values()
    )


def test_file_with_the_names_exchanged_is_left_out_of_its_match() -> None:
    text = (
        ALICE.read_text("utf-8")
        .replace("Alice m26", "X")
        .replace("Bob m26", "Alice m26")
        .replace("X", "Bob m26")
    )
    Path("src/swapped.sgf").write_text(text, "utf-8")
    done = run("new-match", ALICE, "src/swapped.sgf", *SAID)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "the players' names seem exchanged" in done.stderr
    assert names() == {"alice-m26-bob-m26-3pt": ["alice-bob-3pt-2ply.sgf", "match.yaml"]}
    assert run("validate", HOME, "--candidate", ALICE).exit_code == 0


def test_transcript_belongs_to_its_match_and_is_compared_with_nothing() -> None:
    assert run("convert", ALICE, "-o", "src/alice.mat").exit_code == 0
    assert run("new-match", "src/alice.mat", ALICE, *SAID).exit_code == 0
    text = yaml.safe_load((HOME / "alice-m26-bob-m26-3pt" / MANIFEST).read_text("utf-8"))
    assert ([file["name"] for file in text["files"].values()], text["pairs"]) == (
        [ALICE.name, "alice.mat"],
        [],
    )
    assert (
        run(
            "validate", HOME, "--candidate", ALICE, "--candidate-table", "printed", "--strict"
        ).exit_code
        == 0
    )


def test_without_licence_and_provenance_a_single_match_asks_for_figures_and_several_do_not() -> (
    None
):
    run("new-match", "src/deep", "--pack", "one")
    assert 'error_rate_memg: ""' in Path("one/ann-ben-11pt/match.yaml").read_text("utf-8")
    done = run("new-match", "src", "--licence", "MIT")
    assert 'licence: "MIT"\n' in (HOME / "ann-ben-11pt" / MANIFEST).read_text("utf-8")
    assert 'provenance: ""\n' in (HOME / "ann-ben-11pt" / MANIFEST).read_text("utf-8")
    assert "reported: []" in (HOME / "ann-ben-11pt" / MANIFEST).read_text("utf-8")
    assert done.stdout.splitlines()[-1].startswith(
        "Now fill in the empty fields, then run: reconcile validate reference_matches"
    )


def test_provenance_too_short_is_refused_before_anything_is_written() -> None:
    done = run("new-match", "src", "--licence", "MIT", "--provenance", "me")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert not HOME.exists()


def test_archive_is_read_like_a_folder_wherever_it_is_named() -> None:
    with zipfile.ZipFile("a.zip", "w") as archive:
        archive.write(ANN, "deep/ann.sgf")
    with tarfile.open("b.tar.gz", "w:gz") as archive_b:
        archive_b.add(ALICE, "alice.sgf")
    assert run("new-match", "a.zip", "b.tar.gz", *SAID).exit_code == 0
    assert (HOME / "ann-ben-11pt" / "ann.sgf").read_bytes() == ANN.read_bytes()
    assert (HOME / "alice-m26-bob-m26-3pt" / "alice.sgf").read_bytes() == ALICE.read_bytes()
    (HOME / "other").mkdir()
    (HOME / "other" / ANN.name).write_bytes(ANN.read_bytes() + b"\n")
    refused = run("new-match", ANN, HOME / "other" / ANN.name, *SAID, "-o", "mine")
    assert (refused.exit_code, "two of the files have this name" in refused.stderr) == (2, True)
    refused = run("new-match", "a.zip", "-o", "mine")
    assert (refused.exit_code, "found a folder or an archive" in refused.stderr) == (2, True)
