"""A new reference match: a manifest is all that files say, open where only people know."""

import shutil
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

from reconcile.formats import load_match
from reconcile.gap.verdict import WITHIN
from reconcile.gate.manifest import MANIFEST, load_pack
from reconcile.gate.validate import validate
from reconcile.scoring.statistics import statistics
from tests.support.command_line import PACK, refused, run
from tests.support.packs import respell

NORA = [PACK / "demonstration" / f"nora-lindqvist-tomas-beck.{form}" for form in ("xg", "sgf")]
ALICE = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
SAID = ("--licence", "MIT", "--provenance", "made for a test, here and today")
HOME = Path("reference_matches")
DONE = 0
pytestmark = pytest.mark.usefixtures("elsewhere")


def files(pack=HOME):
    """The files of every match of the pack, but for manifests."""
    return {
        folder.name: sorted(path.name for path in folder.iterdir() if path.name != MANIFEST)
        for folder in sorted(pack.iterdir())
    }


def contents(folder=HOME):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def filled(folder, figure=lambda player, name: "1"):
    """Fill in a manifest as a person would."""

    def fill(manifest):
        manifest |= {"licence": "MIT", "provenance": "made by tests, here and today"}
        for entry in manifest["reported"]:
            entry["source"] = "read by tests, here and today"
            for player, printed in entry["players"].items():
                entry["players"][player] = {name: figure(player, name) for name in printed}

    respell(folder, fill)


OF_TOOLS = {
    "xg": ("eXtreme Gammon", "file version 32", "3-ply, 1-ply"),
    "gnubg": ("GNU Backgammon", "1.07.001", "0-ply cubeful"),
}


def test_manifest_is_everything_that_files_tell():
    assert run("new-match", *NORA).exit_code == DONE
    home = HOME / "nora-lindqvist-tomas-beck-7pt"
    manifest = yaml.safe_load((home / MANIFEST).read_text("utf-8"))
    assert (manifest["id"], manifest["synthetic"]) == (home.name, True)
    assert manifest["title"] == "Nora Lindqvist - Tomas Beck, 7 points"
    assert manifest["pairs"] == [{"left": "xg", "right": "gnubg", "judged_by": None}]
    for path, (handle, file) in zip(NORA, manifest["files"].items(), strict=True):
        content = path.read_bytes()
        assert (home / file["name"]).read_bytes() == content
        assert (file["bytes"], file["sha256"]) == (len(content), sha256(content).hexdigest())
        assert (file["tool"], file["tool_version"], file["level"]) == OF_TOOLS[handle]
    for entry, name in zip(manifest["reported"], ("Nora Lindqvist", "Nora_Lindqvist"), strict=True):
        tool, figures = entry["file"], entry["players"][name]
        assert (entry["rules"], entry["table"]) == (tool, f"{tool}-reported")
        assert {*figures.values()} == {""}
        assert ("pr" in figures, "luck.equity" in figures) == (tool == "xg", tool == "gnubg")


def test_manifest_is_refused_until_people_have_filled_it_in_and_then_passes():
    run("new-match", ALICE, "-o", "mine")
    path = Path("mine", MANIFEST)
    for wanted, old, new in (
        ("licence: not filled in yet", 'licence: ""', "licence: MIT"),
        ("provenance: not filled in yet", 'provenance: ""', 'provenance: "made by tests, today"'),
        ("reported.0.source: not filled in yet", 'source: ""', 'source: "read by tests, today"'),
        ("decisions.counted: not filled in yet, expected the number as the tool shows it", "", ""),
    ):
        line = refused("validate", "mine")
        assert f"{path}:" in line
        assert wanted in line
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    match = load_match(ALICE)
    shown = {name: statistics(match).figures(seat) for seat, name in enumerate(match.players)}
    filled(path.parent, lambda player, name: f"{shown[player][name]:.7f}")
    (judged,) = validate("mine").matches
    assert [figure.verdict for figure in judged.figures] == [WITHIN] * 36


def test_nothing_is_ever_overwritten_and_a_file_in_its_place_stays():
    Path("mine").mkdir()
    shutil.copy(NORA[1], "mine")
    assert run("new-match", f"mine/{NORA[1].name}", "-o", "mine").exit_code == DONE
    Path("other").mkdir()
    Path("other", NORA[1].name).write_text("mine")
    before = contents(Path())
    remedy = "exists already and is not overwritten; choose another folder with -o"
    for folder, name in (("mine", MANIFEST), ("other", NORA[1].name)):
        assert f"{folder}/{name}: {remedy}" in refused("new-match", NORA[1], "-o", folder)
    assert contents(Path()) == before
    Path("other", NORA[1].name).write_bytes(NORA[1].read_bytes() + b"\n")
    twice = refused("new-match", NORA[1], f"other/{NORA[1].name}", "-o", "twice")
    assert "two of the files have this name" in twice


def test_names_that_would_break_yaml_are_quoted():
    text = ALICE.read_text("utf-8")
    for old, new in (("Alice m26", 'Zoë "The \\\\ #1": {x}'), ("Bob m26", "- *b & !c")):
        text = text.replace(old, new)
    Path("odd.sgf").write_text(text, "utf-8")
    assert run("new-match", "odd.sgf", "-o", "odd").exit_code == DONE
    filled(Path("odd"))
    ((_, manifest),) = load_pack(Path("odd"))
    assert tuple(manifest.reported[0].players) == load_match("odd.sgf").players


def test_complete_manifest_judges_a_program_at_once():
    done = run("new-match", *NORA, *SAID)
    assert (done.exit_code, done.stderr) == (DONE, "")
    ((_, manifest),) = load_pack(HOME)
    assert (manifest.licence, manifest.provenance, manifest.reported) == (SAID[1], SAID[3], ())
    (pair,) = manifest.pairs
    assert (pair.left, pair.right, pair.judged_by) == ("xg", "gnubg", None)
    assert "--candidate-command" in done.stdout.splitlines()[-1]
    assert "not compared" not in run("validate", HOME, "--candidate", NORA[0]).stdout
    assert "judge a program with --candidate-command" in refused("validate", HOME)


REFUSED = {
    ".": "found what may have many",
    "x.zip": "found what may have many",
    "x.db": "found what may have many",
    "absent.sgf": "no such file",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_file_of_one_match_is_refused_in_a_line_and_nothing_is_written(name):
    Path("x.zip").write_bytes(b"PK")
    Path("x.db").write_bytes(b"SQLite format 3\0" + bytes(100))
    assert REFUSED[name] in refused("new-match", ALICE, name, *SAID)
    assert not HOME.exists()


def test_file_that_the_pack_has_is_refused_and_same_players_may_meet_twice():
    run("new-match", NORA[0], *SAID)
    before = contents()
    again = refused("new-match", NORA[1], NORA[0], *SAID)
    assert "is in reference_matches/nora-lindqvist-tomas-beck-7pt already" in again
    assert contents() == before
    games = ALICE.read_bytes().split(b"(;")
    Path("other.sgf").write_bytes(b"(;".join(games[:2]))  # its first game alone
    for path in (ALICE, "other.sgf"):
        assert run("new-match", path, *SAID).exit_code == DONE
    assert list(files().values())[:2] == [[ALICE.name], ["other.sgf"]]


def test_file_with_the_names_exchanged_is_refused():
    names = {"Alice m26": "X", "Bob m26": "Alice m26", "X": "Bob m26"}
    text = ALICE.read_text("utf-8")
    for old, new in names.items():
        text = text.replace(old, new)
    Path("swapped.sgf").write_text(text, "utf-8")
    line = refused("new-match", ALICE, "swapped.sgf", *SAID)
    assert "the players' names seem exchanged" in line


def test_transcript_belongs_to_its_match_and_is_compared_with_nothing():
    assert run("convert", ALICE, "-o", "alice.mat").exit_code == DONE
    assert run("new-match", "alice.mat", ALICE, *SAID).exit_code == DONE
    ((_, manifest),) = load_pack(HOME)
    assert [file.name for file in manifest.files.values()] == [ALICE.name, "alice.mat"]
    assert manifest.pairs == ()
    strict = ("--candidate-table", "printed", "--strict")
    assert run("validate", HOME, "--candidate", ALICE, *strict).exit_code == DONE
