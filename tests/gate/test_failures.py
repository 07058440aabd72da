"""What cannot be read does not stop the rest of a pack: everything else is judged, the exit code
is 2, the failing one is named first."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from reconcile.errors import InvalidConfiguration, UnreadableFile
from reconcile.gap.tolerances import load_tolerances
from reconcile.gap.verdict import WITHIN
from reconcile.gate.manifest import MANIFEST
from reconcile.gate.validate import match_results, validate
from tests.support.command_line import PACK, run
from tests.support.long import long_but_first
from tests.support.schemas import faults

SOUND, BROKEN = "gnubg-3pt-2ply", "gnubg-7pt-0ply"
FIGURES = 36


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack of two matches, one of which may be spoilt."""
    monkeypatch.chdir(tmp_path)
    for name in (SOUND, BROKEN):
        shutil.copytree(PACK / name, tmp_path / "pack" / name)
    return tmp_path / "pack"


def spoil(pack: Path, how: str, name: str = BROKEN) -> str:
    """Spoil a match; what is said of it."""
    manifest, file = pack / name / MANIFEST, next((pack / name).glob("*.sgf"))
    if how == "licence":
        manifest.write_text(
            manifest.read_text("utf-8").replace('licence: "', 'licence: "" #', 1), "utf-8"
        )
        return "match.yaml:5: licence: not filled in yet"
    if how == "yaml":
        manifest.write_text("a: [", "utf-8")
        return "match.yaml:"
    if how == "id":
        manifest.write_text(
            manifest.read_text("utf-8").replace(f"id: {name}", "id: other"), "utf-8"
        )
        return "match.yaml:2: id: expected"
    if how == "table":
        manifest.write_text(
            manifest.read_text("utf-8").replace("table: gnubg-reported", "table: no-such"), "utf-8"
        )
        return "no-such"
    if how == "absent":
        file.unlink()
        return f"{file.name}"
    file.write_bytes(file.read_bytes()[:1000])
    return f"{file.name}: expected SHA-256"


@pytest.mark.parametrize(
    "how", long_but_first(["licence", "absent", "damaged", "yaml", "id", "table"], 3)
)
def test_match_that_cannot_be_read_is_named_first_and_the_others_are_judged(
    pack: Path, how: str
) -> None:
    words = spoil(pack, how)
    done = run(
        "validate",
        pack,
        "--json",
        "o.json",
        "--markdown",
        "o.md",
        "--html",
        "pages",
        "--junit",
        "o.xml",
        "--badge",
        "b.json",
    )
    assert done.exit_code == 2
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"pack: 1 failure, {FIGURES} of {FIGURES} figures within tolerance")
    assert lines[2] == "Failed:"
    assert lines[3].startswith(f"  {BROKEN}: ")
    assert words in "".join(lines[3:5])
    assert str(pack) not in done.stdout
    assert lines[lines.index("Within:") + 1].startswith(f"  {SOUND}: ")
    assert f"error: {BROKEN}: " in done.stderr
    document = json.loads(Path("o.json").read_text("utf-8"))
    assert faults("validation", document) == []
    assert [words in error for error in document["errors"]] == [True]
    written = Path("o.md").read_text("utf-8").splitlines()
    assert written[written.index("**Failed**") + 2].startswith(f"- {BROKEN}: ")
    page = Path("pages", "index.html").read_text("utf-8")
    assert (BROKEN in page, "failed</span>" in page) == (True, True)
    assert json.loads(Path("b.json").read_text("utf-8"))["message"] == "1 failure"
    assert BROKEN in Path("o.xml").read_text("utf-8")


def test_exit_zero_does_not_hide_it_and_gaps_are_not_measured_on_a_part_of_the_pack(
    pack: Path,
) -> None:
    spoil(pack, "damaged")
    assert run("validate", pack, "--exit-zero").exit_code == 2
    with pytest.raises(UnreadableFile, match="expected SHA-256"):
        match_results(pack, load_tolerances())


def test_pack_of_which_nothing_can_be_read_is_one_line(pack: Path) -> None:
    spoil(pack, "licence")
    spoil(pack, "licence", SOUND)
    done = run("validate", pack)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.endswith("(and 1 more)\n")
    with pytest.raises(InvalidConfiguration, match="not filled in yet"):
        validate(pack)


def figures(name: str) -> str:
    match = {"match": name, "players": {"Alice m26": {"decisions": 60}}}
    return json.dumps({"schema_version": 1, "program": "prog", "matches": [match]})


def test_candidate_that_cannot_be_read_does_not_stop_the_others(pack: Path) -> None:
    Path("sound.json").write_text(figures(SOUND))
    Path("bad.json").write_text("{")
    done = run(
        "validate",
        pack,
        "--candidate",
        "bad.json",
        "--candidate",
        "sound.json",
        "--candidate",
        "absent.json",
    )
    assert done.exit_code == 2
    assert [line.split(":")[0] for line in done.stdout.splitlines()[2:5]] == [
        "Failed",
        "  candidate bad.json",
        "  candidate absent.json",
    ]
    assert f"{2 * FIGURES + 1} of {2 * FIGURES + 1} figures within tolerance" in done.stdout
    alone = run("validate", pack, "--candidate", "bad.json")
    assert (alone.exit_code, alone.stdout) == (2, "")
    assert "bad.json:1: expected JSON" in alone.stderr
    spoil(pack, "damaged")
    result = validate(pack, candidates=["sound.json"])
    assert result.exit_code() == 2
    assert [
        figure.verdict
        for match in result.matches
        for entry in match.candidates
        for figure in entry.judged
    ] == [WITHIN]


def test_folder_of_candidates_is_judged_but_for_the_one_that_is_damaged(pack: Path) -> None:
    Path("all").mkdir()
    Path("all", "sound.json").write_text(figures(SOUND))
    Path("all", "bad.sgf").write_text("(;FF[4]GM[6]")
    done = run("validate", pack, "--candidate", "all")
    assert done.exit_code == 2
    assert done.stdout.splitlines()[3].startswith("  candidate bad.sgf: ")
    assert "candidate prog" not in done.stderr


def test_program_that_crashes_on_one_match_is_named_first(pack: Path) -> None:
    Path("p.py").write_text(
        f"import sys\nif sys.argv[1] == {BROKEN!r}: raise KeyError('turn 7')\n"
        f"print({figures(SOUND)!r})\n"
    )
    command = f'"{sys.executable}" p.py {{match}}'
    done = run("validate", pack, "--candidate-command", command, "--exit-zero")
    assert done.exit_code == 2
    lines = done.stdout.splitlines()
    assert lines[3].startswith(f"  {BROKEN}: ")
    assert lines[4] == "    failed: candidate prog: ended with exit code 1: KeyError: 'turn 7'"
    assert not any(line.startswith("    not compared") for line in lines)
    assert f"{2 * FIGURES + 1} of {2 * FIGURES + 1} figures within tolerance" in lines[0]
    assert f"error: {BROKEN}: prog: ended with exit code 1" in done.stderr
