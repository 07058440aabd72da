"""What cannot be read does not stop the rest of a pack: everything else is judged, the exit code
is 2, the failing one is named first."""

import json
import re
import sys
from pathlib import Path

import pytest

from reconcile.errors import InvalidConfiguration, UnreadableFile
from reconcile.gap.verdict import WITHIN
from reconcile.gate.manifest import MANIFEST
from reconcile.gate.validate import measure, validate
from tests.gate.candidates.samples import of_matches
from tests.support.command_line import json_in, refused, run
from tests.support.long import long_but_first
from tests.support.packs import pack_of

SOUND, BROKEN = "gnubg-3pt-2ply", "gnubg-7pt-0ply"
SPOILT = {
    "licence": ('licence: "', 'licence: "" #', "match.yaml:5: licence: not filled in yet"),
    "absent": ("", None, "alice-bob-7pt-0ply.sgf"),
    "damaged": ("", None, "alice-bob-7pt-0ply.sgf: expected SHA-256"),
    "yaml": ("(?s).*", "a: [", "match.yaml:"),
    "id": ("id: .*", "id: other", "match.yaml:2: id: expected"),
    "table": ("table: .*", "table: no-such", "no-such"),
}
"""What is put for what in a manifest, and what is said of it."""


@pytest.fixture
def pack(tmp_path, monkeypatch):
    """A pack of two matches, one of which may be spoilt."""
    monkeypatch.chdir(tmp_path)
    return pack_of(tmp_path / "pack", SOUND, BROKEN)


def spoil(pack, how, name=BROKEN):
    manifest, (file,) = pack / name / MANIFEST, (pack / name).glob("*.sgf")
    old, new, _ = SPOILT[how]
    if new is not None:
        manifest.write_text(re.sub(old, new, manifest.read_text("utf-8"), count=1), "utf-8")
    elif how == "absent":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[:1000])


@pytest.mark.parametrize("how", long_but_first(SPOILT, 3))
def test_match_that_cannot_be_read_is_named_first_and_the_others_are_judged(pack, how):
    spoil(pack, how)
    words = SPOILT[how][2]
    done = run("validate", pack, "--json=o.json", "--markdown=o.md")
    lines = done.stdout.splitlines()
    assert done.exit_code == 2
    assert lines[0].startswith("pack: 1 failure, 36 of 36 figures within tolerance")
    assert (lines[2], lines[3].startswith(f"  {BROKEN}: ")) == ("Failed:", True)
    assert words in "".join(lines[3:5])
    assert str(pack) not in done.stdout
    assert SOUND not in "".join(lines[5:])  # a green match is no line
    assert f"error: {BROKEN}: " in done.stderr
    (error,) = json_in("o.json")["errors"]
    assert words in error
    written = Path("o.md").read_text("utf-8").splitlines()
    assert written[written.index("**Failed**") + 2].startswith(f"- {BROKEN}: ")


def test_nothing_hides_it_gaps_are_not_measured_on_a_part_and_without_the_rest_it_is_one_line(
    pack,
):
    spoil(pack, "damaged")
    assert run("validate", pack, "--exit-zero").exit_code == 2
    with pytest.raises(UnreadableFile, match="expected SHA-256"):
        measure(pack)
    for name in (SOUND, BROKEN):
        spoil(pack, "licence", name)
    assert refused("validate", pack).endswith("(and 1 more)")
    with pytest.raises(InvalidConfiguration, match="not filled in yet"):
        validate(pack)


FIGURES = json.dumps(of_matches({SOUND: {"Alice m26": {"decisions": 60}}}, program="prog"))


@pytest.mark.parametrize("names", [["bad.json", "sound.json", "absent.json"], ["."]])
def test_candidate_that_cannot_be_read_does_not_stop_the_others(pack, names):
    Path("sound.json").write_text(FIGURES)
    Path("bad.json").write_text("{")
    done = run("validate", pack, *(f"--candidate={name}" for name in names))
    assert done.exit_code == 2
    failed = [f"  candidate {name}" for name in ("bad.json", "absent.json")][: len(names)]
    lines = [line.split(":")[0] for line in done.stdout.splitlines()]
    assert lines[2 : 3 + len(failed)] == ["Failed", *failed]
    assert "73 of 73 figures within tolerance" in done.stdout
    assert "candidate prog" not in done.stderr
    alone = refused("validate", pack, "--candidate", "bad.json")
    assert "bad.json:1: expected JSON" in alone
    spoil(pack, "damaged")
    result = validate(pack, candidates=["sound.json"])
    judged = [
        figure for match in result.matches for own in match.candidates for figure in own.judged
    ]
    assert (result.exit_code(), [figure.verdict for figure in judged]) == (2, [WITHIN])


def test_program_that_crashes_on_one_match_is_named_first(pack):
    Path("p.py").write_text(
        f"import sys\nif sys.argv[1] == {BROKEN!r}: raise KeyError('turn 7')\nprint({FIGURES!r})\n"
    )
    command = f'"{sys.executable}" p.py {{match}}'
    done = run("validate", pack, "--candidate-command", command, "--exit-zero")
    lines = done.stdout.splitlines()
    why = "candidate prog: ended with exit code 1: KeyError: 'turn 7'"
    assert (done.exit_code, lines[3]) == (2, f"  {BROKEN}: {why}")
    assert not any(line.startswith("    not compared") for line in lines)
    assert "73 of 73 figures within tolerance" in lines[0]
    assert f"error: {BROKEN}: prog: ended with exit code 1" in done.stderr
