"""A folder of matches: which files are of one match, what is said of the rest, and what is written,
whatever files and players are called."""

import json
import re
import zipfile
from operator import itemgetter
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.document import dumps
from reconcile.errors import NothingToCompare, UnknownName, UnreadableFile
from reconcile.files.output import legal_stem
from reconcile.formats import load_match, read_match
from reconcile.formats.mat.writer import transcript
from reconcile.gap.folders import compare_folder
from reconcile.gap.review import review
from reconcile.report.text.comparison import page_names
from reconcile.results.comparison import folder_document
from tests.support.blunderdb_writer import write as database
from tests.support.command_line import (
    ERROR,
    OUTSIDE,
    PACK,
    SGF,
    WITHIN,
    XG,
    json_in,
    process,
    refused,
    run,
)
from tests.support.loaded import loaded
from tests.support.long import long_but_first
from tests.support.schemas import faults
from tests.support.tables import cases_of

NORA_XG, NORA = Path(XG), Path(SGF)
ALICE = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
ANN = PACK / "gnubg-11pt-cube-rich" / "ann-ben-11pt-cube-rich.sgf"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder below the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one").mkdir()
    return tmp_path / "one"


def put(folder, **files):
    """Copies under other names; the ending is the file's own."""
    for name, path in files.items():
        (folder / f"{name}{path.suffix}").write_bytes(path.read_bytes())


def found(result):
    """The files of every match, without the folder's name."""
    return [[name.partition("/")[2] for name in match.files] for match in result.matches]


# -- which files are of one match ------------------------------------------------------------------

FILES = {"nora.xg": NORA_XG, "nora.sgf": NORA, "alice.sgf": ALICE, "ann.sgf": ANN}


def content(source, data):
    """A bundled file, the first bytes of one, its transcript, a real one, or the text itself."""
    name, _, size = source.partition(" ")
    if name in FILES:
        return FILES[name].read_bytes()[: int(size) if size else None]
    if source == "nora.mat":
        return transcript(load_match(NORA)).text.encode()
    return (data / source).read_bytes() if source.startswith("real/") else source.encode()


@pytest.mark.parametrize("case", cases_of(__file__, "matches"), ids=itemgetter("claim"))
def test_files_of_a_folder(case, folder, request):
    is_real = any(source.startswith("real/") for source in case["files"].values())
    data = request.getfixturevalue("data") if is_real else Path()
    for name, source in case["files"].items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content(source, data))
    result = compare_folder(str(folder), **case.get("options", {}))
    assert found(result) == case["matches"]
    left = {file.name.partition("/")[2]: file.why for file in result.leftovers}
    assert left == case.get("left", {})
    reasons = [file.reason for file in result.leftovers]
    assert case.get("reasons", reasons) == reasons
    assert case.get("code", WITHIN) == result.exit_code() == result.exit_code(strict=True)
    assert result.trouble.startswith(case.get("trouble", ""))


def test_file_without_a_game_is_still_of_the_match(folder, data):
    put(folder, full=data / "real" / "test.xg", part=data / "damaged" / "one_game_missing.sgf")
    result = compare_folder(str(folder))
    assert found(result) == [["full.xg", "part.sgf"]]
    assert result.matches[0].review is not None
    assert not result.matches[0].review.files.same_transcript


def test_archive_and_database_are_folders(folder):
    archive, base = folder / "all.zip", folder / "matches.db"
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.write(NORA_XG, "x/one.xg")
        zipped.write(NORA, "two.sgf")
    (match,) = compare_folder(str(archive)).matches
    assert {name.partition("!")[2] for name in match.files} == {"x/one.xg", "two.sgf"}
    database(base, [load_match(NORA_XG), load_match(NORA)])
    (match,) = compare_folder(str(base)).matches
    assert match.files == ("matches.db#1", "matches.db#2")
    assert run("compare", str(base)).stdout.startswith("1 match with several analyses")


def test_result_does_not_depend_on_the_order_of_a_listing(folder, monkeypatch):
    put(folder, b=NORA, d=ANN, e=NORA_XG)
    before = dumps(folder_document(compare_folder(str(folder))))
    listed = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda path: reversed(list(listed(path))))
    assert dumps(folder_document(compare_folder(str(folder)))) == before


# -- what is not compared --------------------------------------------------------------------------


def renamed(path, change):
    """An SGF file with other players."""

    def name(field):
        return f"{field[1]}[{change(field[2])}]"

    return re.sub(r"(P[WB])\[([^\]]*)\]", name, path.read_text("utf-8")).encode()


def test_same_dice_with_names_exchanged_contradict_each_other(folder):
    put(folder, a=ALICE, b=NORA_XG, c=NORA)
    here, there = load_match(ALICE).players
    turned = renamed(ALICE, lambda name: there if name == here else here)
    (folder / "d.sgf").write_bytes(turned)
    result = compare_folder(str(folder))
    assert [match.review is None for match in result.matches] == [True, False]
    assert result.exit_code() == ERROR
    assert "exchanged" in result.matches[0].reason
    assert result.trouble.startswith("one: 1 of 2 matches could not be compared: ")


def test_folder_without_a_match_or_the_player_is_refused(folder):
    with pytest.raises(NothingToCompare, match=r"one: expected matches .* found none"):
        compare_folder("one")
    with pytest.raises(UnreadableFile):
        compare_folder("absent")
    put(folder, a=NORA, b=NORA_XG)
    with pytest.raises(UnknownName, match="no player 'Zoe' in any match"):
        compare_folder("one", player="Zoe")


@pytest.mark.parametrize(
    "words",
    [
        "--left-rules xg",
        "--table documented",
        "--met none",
        "--ledger l.csv",
        "--anonymise",
        "--html -",
    ],
)
def test_unknown_names_and_options_of_files_are_one_error(folder, words):
    put(folder, a=NORA, b=NORA_XG)
    refused("compare", "one", *words.split())


@pytest.mark.parametrize("beside", ["two", "one/a.sgf", "all.zip", "one two"])
def test_folder_beside_anything_else_is_one_line_that_names_the_ways(folder, beside):
    put(folder, a=NORA)
    Path("two").mkdir()
    put(Path("two"), b=NORA_XG)
    with zipfile.ZipFile("all.zip", "w") as zipped:
        zipped.write(NORA)
    line = refused("compare", *beside.split(), "one")
    for way in ("into one folder", "`reconcile new-match`", "`reconcile validate --candidate`"):
        assert way in line


# -- outputs ---------------------------------------------------------------------------------------


def page_of_links(folder):
    """The index of the pages in a folder, which links to each of the others."""
    index = Path(folder, "index.html").read_text("utf-8")
    linked = re.findall(r'href="([^"#:,]+\.html)"', index)
    assert sorted([*linked, "index.html"]) == sorted(path.name for path in Path(folder).iterdir())
    return index


def test_every_output_of_a_folder(folder):
    put(folder, a=NORA_XG, b=NORA, copy=NORA, alone=ANN)
    (folder / "broken.sgf").write_bytes(b"(;FF[4]GM[6]MI[length:3][game:0]")
    (folder / "notes.txt").write_text("nothing")
    result = run("compare", "one", "--json", "r.json", "--markdown", "r.md", "--html", "pages")
    assert result.exit_code == ERROR
    document: Any = json_in("r.json")
    assert faults("many_folders", document) == []
    (match,) = document["matches"]
    disputed = review(loaded(NORA_XG), loaded(NORA)).disputed
    assert len(match["analyses"]["disputes"]) == len(disputed)
    for text in (result.stdout, Path("r.md").read_text("utf-8"), page_of_links("pages")):
        for words in (
            "1 match with several analyses",
            "Nora Lindqvist: PR 4.85 to 7.16 by 2 analyses (",
            "gnuBG 4.85",
            "XG 7.16",
            *(f"one/{name}" for name in ("copy.sgf", "alone.sgf", "broken.sgf", "notes.txt")),
        ):
            assert words in text
        assert str(folder.parent) not in text


def test_json_leaves_the_summary_to_standard_error_and_quiet_says_only_why_it_could_not(folder):
    put(folder, a=NORA_XG, b=NORA, c=ANN)
    result = run("compare", "one", "--json", "-")
    assert (result.exit_code, len(json.loads(result.stdout)["matches"])) == (WITHIN, 1)
    assert "1 match with several analyses" in result.stderr
    (folder / "broken.sgf").write_bytes(b"(;FF[4]GM[6]MI[length:3][game:0]")
    line = refused("compare", "one", "--quiet")
    assert line.startswith("reconcile: one: 1 file could not be read: one/broken.sgf: ")
    (folder / "broken.sgf").unlink()
    result = run("compare", "one", "--quiet")
    assert (result.exit_code, result.output) == (WITHIN, "")


# -- names that a system or a console cannot show --------------------------------------------------

PORTS = (f"{port}{number}" for port in ("COM", "LPT") for number in range(10))
DEVICES = {"CON", "PRN", "AUX", "NUL", *PORTS}
NAMES = ("con", "CON", "nul.v2", "aux", "index", "lpt1", "a:b", "x. ", "..", "C:\\Users\\x", "A b")
ALIKE = ("a-b", "A_B", "a/b")


@given(st.text(max_size=30))
def test_file_names_we_write_are_legal_everywhere(text):
    stem = legal_stem(text)
    assert re.fullmatch(r"[a-z0-9_-]+", stem)
    assert stem.upper() not in DEVICES
    assert legal_stem(stem) == stem


def test_pages_of_files_with_odd_or_like_names_have_legal_names_of_their_own():
    names = [*NAMES, *ALIKE]
    pages = [*page_names([f"{name}.sgf" for name in names]), "index.html"]
    assert len({page.casefold() for page in pages}) == len(names) + 1
    for page in pages:
        assert PureWindowsPath(page).name == PurePosixPath(page).name == page
        assert page.partition(".")[0].upper() not in DEVICES
        assert not set(page) & set('<>:"/\\|?*')


@pytest.mark.long
@pytest.mark.parametrize("encoding", long_but_first(["ascii", "cp1252"], 1, 1))
def test_console_that_cannot_show_a_name_still_shows_the_rest(folder, encoding):
    odd = renamed(NORA, lambda name: f"{name[:4]} 黒田 Łukasz \N{MINUS SIGN}")
    assert "黒田" in read_match("x.sgf", odd).players[0]
    (folder / "黒田.sgf").write_bytes(odd)
    put(folder, a=NORA_XG, b=ANN)
    console = {"PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    for words, code, shown in (
        ("one", WITHIN, "1 match with several analyses"),
        ("one/黒田.sgf one/a.xg", OUTSIDE, "differs by"),
        ("one --json -", WITHIN, "黒田.sgf"),
    ):
        done = process("compare", *words.split(), **console)
        assert (done.returncode, b"Traceback" in done.stderr) == (code, False), words
        assert shown in done.stdout.decode("utf-8" if "--json" in words else encoding, "replace")
