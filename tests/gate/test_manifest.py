"""Manifests: what is wrong is told with file, line and key; what may be refreshed is, and nothing
else; what a skeleton leaves open."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

from reconcile.errors import InvalidConfiguration
from reconcile.formats import load_match
from reconcile.gap.verdict import WITHIN
from reconcile.gate.manifest import MANIFEST, Manifest, load_pack, plain_name
from reconcile.gate.validate import validate
from reconcile.scoring.statistics import statistics
from tests.gate.cases import cases
from tests.support.command_line import ERROR as REFUSED
from tests.support.command_line import OUTSIDE as FAILED
from tests.support.command_line import PACK, run
from tests.support.command_line import WITHIN as PASSED

DEMONSTRATION = PACK / "demonstration"
XG = DEMONSTRATION / "nora-lindqvist-tomas-beck.xg"
SGF = DEMONSTRATION / "nora-lindqvist-tomas-beck.sgf"
MATCH = PACK / "gnubg-3pt-2ply"
pytestmark = pytest.mark.usefixtures("elsewhere")


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """The manifest of a pack of one match that may be spoilt."""
    shutil.copytree(MATCH, tmp_path / "pack" / MATCH.name)
    return tmp_path / "pack" / MATCH.name / MANIFEST


def respell(manifest: Path, old: str, new: str) -> int:
    """Change the manifest as a text; the line that was changed."""
    text = manifest.read_text("utf-8")
    assert old in text, old
    manifest.write_text(text.replace(old, new, 1), "utf-8")
    return text[: text.index(old)].count("\n") + 1


def refused(manifest: Path) -> str:
    with pytest.raises(InvalidConfiguration) as caught:
        validate(manifest.parent.parent)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"{manifest}:"), message
    return message.removeprefix(f"{manifest}:")


SPOILT: dict[str, tuple[str, str, str]] = {
    **cases("manifests"),
    **cases("parents of keys"),
    "figure of a million digits": (
        'snowie_memg: "',
        f'snowie_memg: "{"9" * 100_000}" #',
        "expected a number as printed",
    ),
}


@pytest.mark.parametrize("spoilt", SPOILT)
def test_fault_is_told_with_file_line_and_key(manifest: Path, spoilt: str) -> None:
    old, new, words = SPOILT[spoilt]
    line = respell(manifest, old, new) + new.count("\n")
    message = refused(manifest)
    assert words in message
    # What lacks a key, or names what is not there, has the line of what holds it.
    assert message.startswith(f"{line}: ") == (spoilt not in cases("parents of keys"))
    assert len(message) < 1000


def test_two_files_of_one_name_are_refused(manifest: Path) -> None:
    text = manifest.read_text("utf-8")
    entry = text[text.index("  gnubg:\n") : text.index("reported:")]
    manifest.write_text(
        text.replace(
            "reported:",
            entry.replace("  gnubg:", "  again:").replace("alice", "ALICE") + "reported:",
            1,
        ),
        "utf-8",
    )
    assert "is the name of two files" in refused(manifest)


NAMES: dict[str, str] = {
    **cases("names"),
    "null": "match\0.sgf",
}


@pytest.mark.parametrize("name", NAMES)
def test_name_that_is_no_plain_file_on_every_system_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="expected a plain file name inside the pack"):
        plain_name(NAMES[name])


@pytest.mark.parametrize("name", ["folder above", "line break", "written from the right", "null"])
def test_such_a_name_in_a_manifest_is_refused_in_printable_words(manifest: Path, name: str) -> None:
    changed = yaml.safe_load(manifest.read_text("utf-8"))
    changed["files"]["gnubg"]["name"] = NAMES[name]
    manifest.write_text(yaml.safe_dump(changed, allow_unicode=True, sort_keys=False), "utf-8")
    message = refused(manifest)
    assert message.isprintable()


@pytest.mark.parametrize(
    "name",
    ["match.sgf", "Squire-Jørgensen 7 point.xg", "конец.mat", "a.b.c", "nullable.sgf", "日本.sgf"],
)
def test_name_of_a_file_may_be_in_any_script(name: str) -> None:
    assert plain_name(name) == name


def test_link_to_a_folder_out_of_the_pack_is_refused(manifest: Path, tmp_path: Path) -> None:
    (file,) = manifest.parent.glob("*.sgf")
    (tmp_path / "outside").mkdir()
    shutil.move(file, tmp_path / "outside" / file.name)
    file.symlink_to(tmp_path / "outside" / file.name)
    with pytest.raises(
        InvalidConfiguration,
        match="expected a file inside the pack, found a link out of it; put the file itself there",
    ):
        validate(manifest.parent.parent)


def test_bomb_of_braces_and_a_huge_manifest_are_refused(manifest: Path) -> None:
    manifest.write_text("a: " + "{b: " * 3000)
    assert "correct the file" in refused(manifest)
    manifest.write_bytes(b"x" * (256 * 2**10 + 1))
    assert "expected at most 256 KB, found more; is it the right file?" in refused(manifest)


# `validate --update`


def changed_file(manifest: Path) -> bytes:
    """Another content of the bundled file that is still the same match."""
    (file,) = manifest.parent.glob("*.sgf")
    file.write_bytes(file.read_bytes() + b"\n")
    return file.read_bytes()


def test_update_corrects_size_and_digest_and_nothing_else(manifest: Path) -> None:
    manifest.write_bytes(
        b"# by hand\r\n"
        + manifest.read_bytes().replace(b"reported:\n", b"# as the window shows them\nreported:\n")
    )
    before = manifest.read_bytes()
    old = validate(manifest.parent)
    content = changed_file(manifest)
    assert run("validate", manifest.parent).exit_code == REFUSED
    result = run("validate", manifest.parent, "--update")
    assert result.exit_code == FAILED, "a run that corrects its own manifest must not pass"
    wanted = before.replace(str(len(content) - 1).encode(), str(len(content)).encode())
    wanted = wanted.replace(
        sha256(content[:-1]).hexdigest().encode(), sha256(content).hexdigest().encode()
    )
    assert manifest.read_bytes() == wanted
    lines = [line for line in result.stderr.splitlines() if line.startswith("updated ")]
    assert (
        lines[0] == f"updated {manifest}: files.gnubg.bytes: {len(content) - 1} -> {len(content)}"
    )
    assert lines[1].startswith(f"updated {manifest}: files.gnubg.sha256: ")
    again = run("validate", manifest.parent, "--update")
    assert (again.exit_code, again.stderr) == (PASSED, "")
    assert (
        validate(manifest.parent).matches[0].reported[0].figures
        == old.matches[0].reported[0].figures
    )


def test_update_never_touches_a_reported_figure_that_is_off_and_refuses_what_is_no_match_any_more(
    manifest: Path,
) -> None:
    respell(manifest, 'snowie_memg: "', 'snowie_memg: "9')
    before = manifest.read_bytes()
    assert run("validate", manifest.parent, "--update").exit_code == FAILED
    assert manifest.read_bytes() == before
    (file,) = manifest.parent.glob("*.sgf")
    file.write_bytes(b"something else")
    assert run("validate", manifest.parent, "--update").exit_code == REFUSED
    assert manifest.read_bytes() == before


def test_update_leaves_files_of_others_alone(tmp_path: Path) -> None:
    shutil.copytree(PACK / "charlot", tmp_path / "pack" / "charlot")
    shutil.copytree(MATCH, tmp_path / "pack" / MATCH.name)
    path = tmp_path / "pack" / "charlot" / MANIFEST
    (path.parent / "charlot1-charlot2_7p_2025-11-08-2305.xg").write_bytes(XG.read_bytes())
    before = path.read_bytes()
    assert run("validate", tmp_path / "pack", "--update").exit_code == PASSED
    assert path.read_bytes() == before


# `new-match`


def filled(manifest: Path, figures: Callable[[str, str, str], str]) -> None:
    """Fill in a skeleton as a person would; `figures` gives what is printed by handle, player and
    metric."""
    text = yaml.safe_load(manifest.read_text("utf-8"))
    text |= {"licence": "MIT", "provenance": "made by tests, here and today"}
    for entry in text["reported"]:
        entry["source"] = "read by tests, here and today"
        for player, printed in entry["players"].items():
            for name in printed:
                printed[name] = figures(entry["file"], player, name)
    manifest.write_text(yaml.safe_dump(text, allow_unicode=True, sort_keys=False), "utf-8")


def test_new_match_is_everything_that_files_tell(tmp_path: Path) -> None:
    result = run("new-match", XG, SGF)
    assert result.exit_code == PASSED
    home = tmp_path / "reference_matches" / "nora-lindqvist-tomas-beck-7pt"
    assert sorted(path.name for path in home.iterdir()) == [MANIFEST, SGF.name, XG.name]
    assert (home / XG.name).read_bytes() == XG.read_bytes()
    text = yaml.safe_load((home / MANIFEST).read_text("utf-8"))
    assert list(text["files"]) == ["xg", "gnubg"]
    for handle, path in (("xg", XG), ("gnubg", SGF)):
        file = text["files"][handle]
        assert (file["name"], file["bytes"], file["sha256"]) == (
            path.name,
            path.stat().st_size,
            sha256(path.read_bytes()).hexdigest(),
        )
        assert (file["bundled"], file["url"]) == (True, None)
    assert text["files"]["gnubg"]["tool_version"] == "1.07.001"
    assert text["synthetic"] is True
    assert [(entry["rules"], list(entry["players"])) for entry in text["reported"]] == [
        ("xg", ["Nora Lindqvist", "Tomas Beck"]),
        ("gnubg", ["Nora_Lindqvist", "Tomas_Beck"]),
    ]
    assert {
        figure
        for entry in text["reported"]
        for player in entry["players"].values()
        for figure in player.values()
    } == {""}
    assert "TODO" not in (home / MANIFEST).read_text("utf-8")


def test_skeleton_is_refused_until_people_have_filled_it_in(tmp_path: Path) -> None:
    run("new-match", SGF, "-o", tmp_path / "one")
    path = tmp_path / "one" / MANIFEST
    for wanted, old, new in (
        ("licence: not filled in yet", 'licence: ""', "licence: MIT"),
        ("provenance: not filled in yet", 'provenance: ""', 'provenance: "made by tests, today"'),
        ("reported.0.source: not filled in yet", 'source: ""', 'source: "read by tests, today"'),
        ("decisions.counted: not filled in yet, expected the number as the tool shows it", "", ""),
    ):
        result = run("validate", path.parent)
        assert result.exit_code == REFUSED
        assert f"{path}:" in result.stderr
        assert wanted in result.stderr
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")


def test_filled_skeleton_is_a_pack_that_passes(tmp_path: Path) -> None:
    match = load_match(MATCH / "alice-bob-3pt-2ply.sgf")
    run("new-match", match.source.path, "-o", "mine")
    figures = [statistics(match).figures(seat) for seat in (0, 1)]
    filled(
        Path("mine", MANIFEST),
        lambda _, player, name: f"{figures[match.players.index(player)][name]:.7f}",
    )
    result = validate(tmp_path / "mine")
    assert {figure.verdict for figure in result.matches[0].figures} == {WITHIN}
    assert len(list(result.matches[0].figures)) == 36


def test_nothing_is_ever_overwritten(tmp_path: Path) -> None:
    run("new-match", XG, "-o", "mine")
    before = {path: path.read_bytes() for path in Path("mine").iterdir()}
    result = run("new-match", SGF, "-o", "mine")
    assert result.exit_code == REFUSED
    assert (
        "mine/match.yaml: exists already and is not overwritten; choose another folder with -o"
        in result.stderr
    )
    Path("other").mkdir()
    Path("other", SGF.name).write_text("mine")
    assert run("new-match", SGF, "-o", "other").exit_code == REFUSED
    assert Path("other", SGF.name).read_text() == "mine"
    assert not Path("other", MANIFEST).exists()
    assert {path: path.read_bytes() for path in Path("mine").iterdir()} == before


def test_file_that_lies_in_the_folder_already_stays_there(tmp_path: Path) -> None:
    Path("mine").mkdir()
    shutil.copy(SGF, "mine")
    assert run("new-match", f"mine/{SGF.name}", "-o", "mine").exit_code == PASSED
    ((_, manifest),) = load_pack_filled(Path("mine"))
    assert manifest.files["gnubg"].name == SGF.name


def load_pack_filled(folder: Path) -> list[tuple[Path, Manifest]]:
    filled(folder / MANIFEST, lambda *_: "1")
    return load_pack(folder)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([XG, MATCH / "alice-bob-3pt-2ply.sgf", "-o", "mine"], "not the same match"),
        (["-"], "expected the names of files, found -"),
        (["absent.xg"], "no such file"),
        ([DEMONSTRATION / MANIFEST], "expected an XG match"),
        (
            [XG, "-o", "My Match"],
            "expected a folder named in small letters, digits and -, found 'My Match'",
        ),
    ],
)
def test_files_that_make_no_match_are_refused_in_one_line(
    arguments: list[str | Path], words: str
) -> None:
    result = run("new-match", *arguments)
    assert result.exit_code == REFUSED
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""
    assert not Path("reference_matches").exists()
    assert not Path("mine").exists()


def test_names_that_would_break_yaml_are_quoted(tmp_path: Path) -> None:
    text = MATCH.joinpath("alice-bob-3pt-2ply.sgf").read_text("utf-8")
    names = {"Alice m26": 'Zoë "The \\\\ #1": {x}', "Bob m26": "- *b & !c"}
    for old, new in names.items():
        text = text.replace(old, new)
    Path("odd.sgf").write_text(text, "utf-8")
    assert run("new-match", "odd.sgf", "-o", "odd").exit_code == PASSED
    ((_, manifest),) = load_pack_filled(Path("odd"))
    assert tuple(manifest.reported[0].players) == load_match("odd.sgf").players
