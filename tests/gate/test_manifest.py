"""Manifests: what is wrong is told with file, line and key; what may be refreshed is, and nothing
else."""

import shutil
from hashlib import sha256

import pytest

from reconcile.errors import InvalidConfiguration
from reconcile.gate.manifest import MANIFEST, plain_name
from reconcile.gate.validate import validate
from tests.gate.candidates.samples import cases
from tests.support import packs
from tests.support.command_line import ERROR as REFUSED
from tests.support.command_line import OUTSIDE as FAILED
from tests.support.command_line import PACK, run
from tests.support.command_line import WITHIN as PASSED

DEMONSTRATION = PACK / "demonstration"
XG = DEMONSTRATION / "nora-lindqvist-tomas-beck.xg"
MATCH = "gnubg-3pt-2ply"
pytestmark = pytest.mark.usefixtures("elsewhere")


@pytest.fixture
def manifest(tmp_path):
    """The manifest of a pack of one match that may be spoilt."""
    return packs.pack_of(tmp_path / "pack", MATCH) / MATCH / MANIFEST


def respell(manifest, old, new):
    """Change the manifest as a text; the line that was changed."""
    text = manifest.read_text("utf-8")
    assert old in text, old
    manifest.write_text(text.replace(old, new, 1), "utf-8")
    return text[: text.index(old)].count("\n") + 1


def refused(manifest):
    with pytest.raises(InvalidConfiguration) as caught:
        validate(manifest.parent.parent)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"{manifest}:"), message
    return message.removeprefix(f"{manifest}:")


SPOILT = {
    **cases("manifests"),
    **cases("parents of keys"),
    "figure of a million digits": (
        'snowie_memg: "',
        f'snowie_memg: "{"9" * 100_000}" #',
        "expected a number as printed",
    ),
}


@pytest.mark.parametrize("spoilt", SPOILT)
def test_fault_is_told_with_file_line_and_key(manifest, spoilt):
    old, new, words = SPOILT[spoilt]
    line = respell(manifest, old, new) + new.count("\n")
    message = refused(manifest)
    assert words in message
    # What lacks a key, or names what is not there, has the line of what holds it.
    assert message.startswith(f"{line}: ") == (spoilt not in cases("parents of keys"))
    assert len(message) < 1000


NAMES = [*cases("names"), "match\0.sgf"]
SOUND = (
    "match.sgf",
    "Squire-Jørgensen 7 point.xg",
    "конец.mat",
    "a.b.c",
    "nullable.sgf",
    "日本.sgf",
)


@pytest.mark.parametrize("name", NAMES)
def test_name_that_is_no_plain_file_on_every_system_is_refused_in_printable_words(manifest, name):
    packs.respell(manifest.parent, lambda tree: tree["files"]["gnubg"].update(name=name))
    message = refused(manifest)
    assert "expected a plain file name inside the pack" in message
    assert message.isprintable()


def test_name_of_a_file_may_be_in_any_script():
    assert [plain_name(name) for name in SOUND] == [*SOUND]


def test_link_to_a_folder_out_of_the_pack_is_refused(manifest, tmp_path):
    (file,) = manifest.parent.glob("*.sgf")
    (tmp_path / "outside").mkdir()
    shutil.move(file, tmp_path / "outside" / file.name)
    file.symlink_to(tmp_path / "outside" / file.name)
    with pytest.raises(
        InvalidConfiguration,
        match="expected a file inside the pack, found a link out of it; put the file itself there",
    ):
        validate(manifest.parent.parent)


def test_bomb_of_braces_and_a_huge_manifest_are_refused(manifest):
    manifest.write_text("a: " + "{b: " * 3000)
    assert "correct the file" in refused(manifest)
    manifest.write_bytes(b"x" * (256 * 2**10 + 1))
    assert "expected at most 256 KB, found more; is it the right file?" in refused(manifest)


# `validate --update`


def test_update_corrects_size_and_digest_and_nothing_else(manifest):
    respell(manifest, "reported:\n", "# as the window shows them\nreported:\n")
    manifest.write_bytes(b"# by hand\r\n" + manifest.read_bytes())
    before, old = manifest.read_bytes(), validate(manifest.parent)
    (file,) = manifest.parent.glob("*.sgf")
    changes = []
    for content in (file.read_bytes(), file.read_bytes() + b"\n"):  # still the same match
        file.write_bytes(content)
        changes.append((str(len(content)), f'"{sha256(content).hexdigest()}"'))
    assert run("validate", manifest.parent).exit_code == REFUSED
    result = run("validate", manifest.parent, "--update")
    assert result.exit_code == FAILED, "a run that corrects its own manifest must not pass"
    wanted = before.decode()
    for name, was, now in zip(("bytes", "sha256"), *changes, strict=True):
        wanted = wanted.replace(was, now)
        assert f"updated {manifest}: files.gnubg.{name}: {was} -> {now}\n" in result.stderr
    assert manifest.read_bytes() == wanted.encode()
    again = run("validate", manifest.parent, "--update")
    assert (again.exit_code, again.stderr) == (PASSED, "")
    new = validate(manifest.parent)
    assert new.matches[0].reported[0].figures == old.matches[0].reported[0].figures


def test_update_never_touches_a_reported_figure_nor_files_of_others_nor_takes_what_is_no_match(
    manifest,
):
    respell(manifest, 'snowie_memg: "', 'snowie_memg: "9')
    public = packs.pack_of(manifest.parent.parent, "charlot") / "charlot"
    (public / "charlot1-charlot2_7p_2025-11-08-2305.xg").write_bytes(XG.read_bytes())
    before = {path: path.read_bytes() for path in (manifest, public / MANIFEST)}
    assert run("validate", public.parent, "--update").exit_code == FAILED
    assert {path: path.read_bytes() for path in before} == before
    (file,) = manifest.parent.glob("*.sgf")
    file.write_bytes(b"something else")
    assert run("validate", manifest.parent, "--update").exit_code == REFUSED
    assert manifest.read_bytes() == before[manifest]
