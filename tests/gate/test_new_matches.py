"""New reference matches: a manifest is all that files say, open where only people know; files are
put together by their rolls, and nothing stops the rest."""

import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

from reconcile.formats import load_match
from reconcile.gap.verdict import WITHIN
from reconcile.gate.manifest import MANIFEST, load_pack
from reconcile.gate.validate import validate
from reconcile.scoring.statistics import statistics
from tests.support.command_line import PACK, run

NORA = [PACK / "demonstration" / f"nora-lindqvist-tomas-beck.{form}" for form in ("xg", "sgf")]
ALICE = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
ANN = PACK / "gnubg-11pt-cube-rich" / "ann-ben-11pt-cube-rich.sgf"
SAID = ("--licence", "MIT", "--provenance", "made for a test, here and today")
HOME = Path("reference_matches")
DONE, WRONG = 0, 2


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("src/deep", "src/.hidden"):
        Path(name).mkdir(parents=True)
    for path in (*NORA, ALICE):
        shutil.copy(path, "src")
    shutil.copy(ANN, "src/deep")


def files(pack=HOME):
    """The files of every match of the pack, but for manifests."""
    return {
        folder.name: sorted(path.name for path in folder.iterdir() if path.name != MANIFEST)
        for folder in sorted(pack.iterdir())
    }


def contents(folder=HOME):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def filled(manifest, figure=lambda player, name: "1"):
    """Fill in a manifest as a person would."""
    text = yaml.safe_load(manifest.read_text("utf-8"))
    text |= {"licence": "MIT", "provenance": "made by tests, here and today"}
    for entry in text["reported"]:
        entry["source"] = "read by tests, here and today"
        for player, printed in entry["players"].items():
            entry["players"][player] = {name: figure(player, name) for name in printed}
    manifest.write_text(yaml.safe_dump(text, allow_unicode=True, sort_keys=False), "utf-8")


def test_manifest_is_everything_that_files_tell():
    assert run("new-match", *NORA).exit_code == DONE
    home = HOME / "nora-lindqvist-tomas-beck-7pt"
    expected = Path(__file__).with_name("new_match.yaml").read_text("utf-8")
    assert (home / MANIFEST).read_text("utf-8") == expected
    assert [(home / path.name).read_bytes() for path in NORA] == [
        path.read_bytes() for path in NORA
    ]


def test_manifest_is_refused_until_people_have_filled_it_in_and_then_passes():
    run("new-match", ALICE, "-o", "mine")
    path = Path("mine", MANIFEST)
    for wanted, old, new in (
        ("licence: not filled in yet", 'licence: ""', "licence: MIT"),
        ("provenance: not filled in yet", 'provenance: ""', 'provenance: "made by tests, today"'),
        ("reported.0.source: not filled in yet", 'source: ""', 'source: "read by tests, today"'),
        ("decisions.counted: not filled in yet, expected the number as the tool shows it", "", ""),
    ):
        result = run("validate", "mine")
        assert (result.exit_code, f"{path}:" in result.stderr) == (WRONG, True)
        assert wanted in result.stderr
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    match = load_match(ALICE)
    shown = {name: statistics(match).figures(seat) for seat, name in enumerate(match.players)}
    filled(path, lambda player, name: f"{shown[player][name]:.7f}")
    (judged,) = validate("mine").matches
    assert [figure.verdict for figure in judged.figures] == [WITHIN] * 36


def test_nothing_is_ever_overwritten_and_a_file_in_its_place_stays():
    Path("mine").mkdir()
    shutil.copy(NORA[1], "mine")
    assert run("new-match", f"mine/{NORA[1].name}", "-o", "mine").exit_code == DONE
    Path("other").mkdir()
    Path("other", NORA[1].name).write_text("mine")
    before = contents(Path())
    again, other = (run("new-match", NORA[1], "-o", folder) for folder in ("mine", "other"))
    remedy = "exists already and is not overwritten; choose another folder with -o"
    assert f"mine/match.yaml: {remedy}" in again.stderr
    assert f"other/{NORA[1].name}: {remedy}" in other.stderr
    assert (again.exit_code, other.exit_code, contents(Path())) == (WRONG, WRONG, before)
    Path("other", NORA[1].name).write_bytes(NORA[1].read_bytes() + b"\n")
    twice = run("new-match", NORA[1], f"other/{NORA[1].name}", "-o", "twice")
    assert (twice.exit_code, "two of the files have this name" in twice.stderr) == (WRONG, True)


def test_names_that_would_break_yaml_are_quoted():
    text = ALICE.read_text("utf-8")
    for old, new in (("Alice m26", 'Zoë "The \\\\ #1": {x}'), ("Bob m26", "- *b & !c")):
        text = text.replace(old, new)
    Path("odd.sgf").write_text(text, "utf-8")
    assert run("new-match", "odd.sgf", "-o", "odd").exit_code == DONE
    filled(Path("odd", MANIFEST))
    ((_, manifest),) = load_pack(Path("odd"))
    assert tuple(manifest.reported[0].players) == load_match("odd.sgf").players


# Many at once


def test_every_match_of_a_folder_gets_its_manifest_which_judges_a_program_at_once():
    done = run("new-match", "src", *SAID)
    assert (done.exit_code, done.stderr) == (DONE, "")
    assert files() == {
        "alice-m26-bob-m26-3pt": [ALICE.name],
        "ann-ben-11pt": [ANN.name],
        "nora-lindqvist-tomas-beck-7pt": [NORA[1].name, NORA[0].name],
    }
    for _, manifest in load_pack(HOME):
        assert (manifest.licence, manifest.provenance, manifest.reported) == (SAID[1], SAID[3], ())
    (pair,) = manifest.pairs
    assert (pair.left, pair.right, pair.judged_by) == ("xg", "gnubg", None)
    judged = run("validate", HOME, "--candidate", "src", "--candidate", "src/deep")
    assert (judged.exit_code, "not compared" in judged.stdout) in ((0, False), (1, False))
    assert "--candidate-command" in done.stdout.splitlines()[-1]
    alone = run("validate", HOME)
    assert alone.exit_code == WRONG
    assert "judge a program with --candidate-command" in alone.stderr


def test_what_cannot_be_read_is_a_line_and_does_not_stop_the_others():
    Path("src/bad.xg").write_bytes(NORA[0].read_bytes()[:5000])
    Path("src/readme.txt").write_text("not a transcript")
    Path("src/x.db").write_bytes(b"SQLite format 3\0" + bytes(100))
    shutil.copy("src/x.db", "y.db")
    done = run("new-match", "src", "absent.sgf", "y.db", *SAID)
    assert (done.exit_code, len(files())) == (WRONG, 3)
    named = [line.split(":")[1].strip() for line in done.stderr.splitlines()]
    assert named == ["src/bad.xg", "src/x.db", "absent.sgf", "y.db"]
    assert done.stderr.count("expected one match, found a database") == 2
    assert "3 new matches, 4 left out, with the reason above" in done.stdout


def test_second_run_writes_only_what_is_new_and_reports_a_second_file_of_a_match():
    run("new-match", NORA[0], ALICE, *SAID)
    before = contents()
    again = run("new-match", ALICE, NORA[0], *SAID)
    nothing = "nothing to write: reference_matches has these matches already\n"
    assert (again.exit_code, again.stdout) == (DONE, nothing)
    more = run("new-match", "src", *SAID)
    assert (more.exit_code, more.stdout.count("wrote"), len(files())) == (WRONG, 2, 3)
    home = "reference_matches/nora-lindqvist-tomas-beck-7pt already"
    assert f"nora-lindqvist-tomas-beck.sgf: its match is in {home}" in more.stderr
    assert contents().items() >= before.items()


def test_same_players_may_meet_twice_and_a_copy_is_left_out():
    shutil.copy(ALICE, "src/copy.sgf")
    games = ALICE.read_bytes().split(b"(;")
    Path("src/other.sgf").write_bytes(b"(;".join(games[:2]))  # its first game alone
    paths = (f"src/{ALICE.name}", "src/copy.sgf", "src/other.sgf")
    assert run("new-match", *paths, *SAID).exit_code == DONE
    assert list(files().values()) == [[ALICE.name], ["other.sgf"]]


def test_file_with_the_names_exchanged_is_left_out_of_its_match():
    names = {"Alice m26": "X", "Bob m26": "Alice m26", "X": "Bob m26"}
    text = ALICE.read_text("utf-8")
    for old, new in names.items():
        text = text.replace(old, new)
    Path("src/swapped.sgf").write_text(text, "utf-8")
    done = run("new-match", ALICE, "src/swapped.sgf", *SAID)
    assert (done.exit_code, done.stderr.count("\n")) == (WRONG, 1)
    assert "the players' names seem exchanged" in done.stderr
    assert files() == {"alice-m26-bob-m26-3pt": [ALICE.name]}


def test_transcript_belongs_to_its_match_and_is_compared_with_nothing():
    assert run("convert", ALICE, "-o", "src/alice.mat").exit_code == DONE
    assert run("new-match", "src/alice.mat", ALICE, *SAID).exit_code == DONE
    ((_, manifest),) = load_pack(HOME)
    assert [file.name for file in manifest.files.values()] == [ALICE.name, "alice.mat"]
    assert manifest.pairs == ()
    strict = ("--candidate-table", "printed", "--strict")
    assert run("validate", HOME, "--candidate", ALICE, *strict).exit_code == DONE


def test_archive_is_read_like_a_folder_wherever_it_is_named():
    Path("zips").mkdir()
    with zipfile.ZipFile("zips/a.zip", "w") as packed, tarfile.open("b.tar.gz", "w:gz") as tar:
        packed.write(ANN, "deep/ann.sgf")
        tar.add(ALICE, "alice.sgf")
    for pack, path in ((HOME, "zips"), (Path("named"), "zips/a.zip")):
        assert run("new-match", path, "b.tar.gz", *SAID, "--pack", pack).exit_code == DONE
        assert (pack / "ann-ben-11pt" / "ann.sgf").read_bytes() == ANN.read_bytes()
        assert (pack / "alice-m26-bob-m26-3pt" / "alice.sgf").read_bytes() == ALICE.read_bytes()


def test_without_licence_and_provenance_a_single_match_asks_for_figures_and_several_do_not():
    run("new-match", "src/deep", "--pack", "single")
    single = Path("single/ann-ben-11pt", MANIFEST).read_text("utf-8")
    done = run("new-match", "src", "--licence", "MIT")
    several = (HOME / "ann-ben-11pt" / MANIFEST).read_text("utf-8")
    assert 'error_rate_memg: ""' in single
    lines = ('licence: "MIT"', 'provenance: ""', "reported: []")
    assert all(f"{line}\n" in several for line in lines)
    remedy = "Now fill in the empty fields, then run: reconcile validate reference_matches"
    assert done.stdout.splitlines()[-1].startswith(remedy)
