"""Folders against each other, two or any other number: which files are of one match, what is said
of the rest, and what is written, whatever files and players are called."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from operator import itemgetter
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.document import dumps
from reconcile.errors import NothingToCompare, UnknownName, UnreadableFile
from reconcile.files.output import legal_stem
from reconcile.formats import load_match, read_match
from reconcile.gap.comparison import compare
from reconcile.gap.folders import compare_folders
from reconcile.gap.review import review
from reconcile.report.forms import in_form
from reconcile.report.text.folders import page_names, rows_of
from reconcile.results.review import folder_document
from tests.support.blunderdb_writer import write as database
from tests.support.command_line import ERROR, OUTSIDE, WITHIN, run
from tests.support.data import PROJECT
from tests.support.folder_pairs import (
    ALICE,
    ANN,
    NORA,
    NORA_XG,
    judged,
    not_compared,
    partners,
    put,
)
from tests.support.loaded import loaded
from tests.support.long import long_but_first
from tests.support.schemas import faults
from tests.support.tables import cases_of
from tests.support.tolerance_files import GOOD

Two = tuple[Path, Path]


def files_of(result):
    return [match.files for match in result.matches]


# -- which files are of one match ------------------------------------------------------------------

FILES = {"nora.xg": NORA_XG, "nora.sgf": NORA, "alice.sgf": ALICE, "ann.sgf": ANN}


def content(source, data):
    """A bundled file, the first bytes of one, a real one, or the text itself."""
    name, _, size = source.partition(" ")
    if name in FILES:
        return FILES[name].read_bytes()[: int(size) if size else None]
    return (data / source).read_bytes() if source.startswith("real/") else source.encode()


@pytest.mark.parametrize("case", cases_of(__file__, "pairs"), ids=itemgetter("claim"))
def test_files_of_two_folders(case, two, request):
    folders = [(folder, case[folder.name]) for folder in two]
    is_real = any(source.startswith("real/") for _, files in folders for source in files.values())
    data = request.getfixturevalue("data") if is_real else Path()
    for folder, files in folders:
        for name, source in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content(source, data))
    result = judged(*two, **case.get("options", {}))
    assert partners(result) == case["pairs"]
    assert not_compared(result) == case.get("left", {})
    assert [file.reason for file in result.leftovers] == case.get(
        "reasons", [file.reason for file in result.leftovers]
    )
    for pair, verdict in zip(result.matches, case.get("verdicts", ()), strict="verdicts" in case):
        assert pair.verdict == verdict
    codes = [result.exit_code(), result.exit_code(strict=True)]
    assert case.get("codes", codes) == codes
    assert result.trouble.startswith(case.get("trouble", ""))


def without_game(path, number):
    """An SGF collection that lacks a game."""
    games = re.split(rb"(?m)^(?=\(;FF)", path.read_bytes())
    left = [game for game in games if f"[game:{number}]".encode() not in game]
    assert len(left) == len(games) - 1
    return b"".join(left)


def test_missing_game_and_exchanged_seats_still_pair(two, data):
    put(two[0], full=data / "real" / "test.xg", money=ALICE)
    put(two[1], part=data / "damaged" / "one_game_missing.sgf")
    (two[1] / "alice.sgf").write_bytes(without_game(ALICE, 1))
    result = judged(*two)
    assert partners(result) == {"full.xg": "part.sgf", "money.sgf": "alice.sgf"}
    for pair in result.matches:
        assert pair.comparison is not None
        assert "transcript-differs" in {finding.code for finding in pair.comparison.findings}
    (two[1] / "part.sgf").unlink()
    put(two[1], turned=data / "damaged" / "swapped_players.sgf")
    assert partners(judged(*two))["full.xg"] == "turned.sgf"


def test_archive_and_database_are_folders(two):
    put(two[0], a=ALICE, b=ANN)
    archive, base = two[1] / "all.zip", two[1] / "matches.db"
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.write(ANN, "x/one.sgf")
        zipped.write(ALICE, "two.sgf")
    expected = {"a.sgf": "all.zip!two.sgf", "b.sgf": "all.zip!x/one.sgf"}
    assert partners(judged(two[0], archive)) == expected
    database(base, [load_match(ALICE), load_match(ANN)])
    expected = {"matches.db#1": "a.sgf", "matches.db#2": "b.sgf"}
    assert partners(judged(base, two[0])) == expected
    shutil.copyfile(base, "copy.db")
    text = run("compare", "copy.db", str(base)).stdout
    assert text.startswith("copy.db against matches.db: 2 of 2 pairs")


def test_pair_is_judged_as_its_two_files_are_and_a_single_file_finds_its_partner(two):
    put(two[0], a=NORA_XG)
    put(two[1], b=ALICE, c=NORA)
    for left in (two[0], two[0] / "a.xg"):
        (pair,) = judged(left, two[1]).matches
        assert pair.files == ("a.xg", "c.sgf")
        assert pair.comparison is not None
        assert pair.comparison.figures == compare(load_match(NORA_XG), load_match(NORA)).figures
    with pytest.raises(UnknownName, match="no player 'Zoe' in any match"):
        judged(*two, player="Zoe")


def test_same_folder_agrees_with_itself_and_folders_of_one_name_are_told_apart(two):
    put(two[0], a=NORA_XG)
    result = judged(two[0], two[0])
    assert result.folders == ("one (left)", "one (right)")
    (pair,) = result.matches
    assert pair.comparison is not None
    assert {figure.gap for figure in pair.comparison.judged} == {0.0}
    for folder in two:
        put(folder, out__a=ALICE)
    assert judged(two[0] / "out", two[1] / "out").folders == ("one/out", "two/out")


def test_result_does_not_depend_on_the_order_of_a_listing(two, monkeypatch):
    put(two[0], b=ALICE, sub__c=ANN, d=ANN)
    put(two[1], e=ALICE, sub__f=ANN)
    before = dumps(folder_document(judged(*two)))
    listed = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda path: reversed(list(listed(path))))
    assert dumps(folder_document(judged(*two))) == before


# -- what is not compared --------------------------------------------------------------------------


def renamed(path, change):
    """An SGF file with other players."""

    def name(field):
        return f"{field[1]}[{change(field[2])}]"

    return re.sub(r"(P[WB])\[([^\]]*)\]", name, path.read_text("utf-8")).encode()


def test_same_dice_with_names_exchanged_contradict_each_other(two):
    put(two[0], a=ALICE, b=ANN)
    put(two[1], b=ANN)
    here, there = load_match(ALICE).players
    turned = renamed(ALICE, lambda name: there if name == here else here)
    (two[1] / "a.sgf").write_bytes(turned)
    result = judged(*two)
    assert [pair.failed for pair in result.matches] == [True, False]
    assert (result.matches[0].verdict, result.exit_code()) == ("incomparable", ERROR)
    assert "exchanged" in result.trouble


def test_pair_without_an_analysis_is_not_judged_nor_a_failure_and_hides_nothing(two):
    for folder in two:
        assert run("convert", str(NORA), "-o", str(folder / "b.mat")).exit_code == 0
    result = judged(*two)
    assert [(pair.verdict, pair.failed) for pair in result.matches] == [("incomparable", False)]
    assert "no pair of files could be judged" in result.trouble
    assert "could not be compared" not in result.trouble
    for folder in two:
        put(folder, a=ALICE)
    result = judged(*two)
    assert [pair.verdict for pair in result.matches] == ["within", "incomparable"]
    assert "analysed" in result.matches[1].reason
    assert (result.exit_code(), result.exit_code(strict=True)) == (WITHIN, OUTSIDE)


def test_folder_without_a_match_or_with_nothing_in_common_is_refused(two):
    put(two[0], a=ALICE)
    with pytest.raises(NothingToCompare, match=r"two: expected matches .* found none"):
        judged(*two)
    with pytest.raises(UnreadableFile):
        judged(two[0], two[1] / "absent")
    put(two[1], a=ANN)
    result = run("compare", "one", "two")
    assert result.exit_code == ERROR
    assert "no partner  left | a.sgf" in result.stdout
    why = "no file of one folder has a partner in the other"
    assert result.stderr == f"reconcile: one against two: {why}\n"


@pytest.mark.parametrize(
    "words",
    ["--left-rules none", "--table none", "--met none", "--ledger l.csv", "--anonymise"],
)
def test_unknown_names_and_options_of_two_files_are_one_error(two, words):
    for folder in two:
        put(folder, a=ALICE)
    result = run("compare", "one", "two", *words.split())
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert words.split()[0] in result.stderr or len(result.stderr.splitlines()) == 1


# -- outputs of two folders ------------------------------------------------------------------------


def page_of_links(folder):
    """The index of the pages in a folder, which links to each of the others."""
    index = Path(folder, "index.html").read_text("utf-8")
    linked = re.findall(r'href="([^"#:,]+\.html)"', index)
    assert sorted([*linked, "index.html"]) == sorted(path.name for path in Path(folder).iterdir())
    return index


def test_all_outputs_of_one_run(everything):
    outputs = ("--json", "out/r.json", "--junit", "out/r.xml", "--html", "out/pages")
    result = run("compare", "one", "two", *outputs)
    assert result.exit_code == ERROR
    document = json.loads(Path("out/r.json").read_text("utf-8"))
    assert (faults("folders", document), document["verdict"]) == ([], "outside")
    counts = {"pairs": 2, "open": 0, "incomparable": 0}
    kinds = ("within", "outside", "alone", "duplicate", "ignored", "unreadable")
    assert document["summary"] == counts | dict.fromkeys(kinds, 1)
    cases = ET.fromstring(Path("out/r.xml").read_bytes()).findall(".//testcase")
    figures = [figure for pair in document["pairs"] for figure in pair["comparison"]["figures"]]
    outside = sum(figure["verdict"] == "outside" for figure in figures)
    for kind, number in (("failure", outside), ("skipped", 2), ("error", 1)):
        assert sum(case.find(kind) is not None for case in cases) == number
    index = page_of_links("out/pages")
    for name in ("copy.sgf", "alone.sgf", "broken.sgf", "notes.txt"):
        assert f"<code>{name}</code>" in index
        assert name in result.stdout
    assert "one/a" not in index
    assert str(everything[0].parent) not in index


def test_json_leaves_the_summary_to_standard_error_and_quiet_says_only_why_it_could_not(
    everything,
):
    result = run("compare", "one", "two", "--json", "-")
    assert json.loads(result.stdout)["pairs"]
    assert "1 of 2 pairs within tolerance" in result.stderr
    result = run("compare", "one", "two", "--quiet")
    assert (result.exit_code, result.stdout) == (ERROR, "")
    why = "1 file could not be read: left broken.sgf: "
    assert result.stderr.startswith(f"reconcile: one against two: {why}")
    (everything[0] / "broken.sgf").unlink()
    result = run("compare", "one", "two", "--quiet")
    assert (result.exit_code, result.output) == (OUTSIDE, "")


def test_warnings_fail_where_asked(two):
    put(two[0], a=NORA_XG)
    put(two[1], a=NORA)
    Path("t.yaml").write_text(GOOD.replace("one:", "documented:").replace("error", "warn"))
    words = ("compare", "one", "two", "--tolerances", "t.yaml")
    result = run(*words)
    assert result.exit_code == WITHIN
    assert "warning  a.xg | a.sgf" in result.stdout
    assert run(*words, "--fail-on", "warn").exit_code == OUTSIDE


def test_what_fails_stands_first(everything):
    put(everything[0], A__within=NORA)
    result = judged(*everything)
    assert [row.word for row in rows_of(result)] == ["outside", "within"]
    text = in_form(result, "text")
    assert text.index("outside") < text.index("within  ")
    assert in_form(result, "markdown").startswith("### ❌")


# -- any other number of folders -------------------------------------------------------------------


@pytest.fixture
def three(two):
    """Three folders: one match twice, with a copy and a transcript; one match once."""
    put(two[0], a=NORA_XG, alone=ANN)
    put(two[1], b=NORA, again=NORA_XG)
    put(Path("three"), c=ALICE)
    assert run("convert", str(NORA_XG), "-o", "three/bare.mat").exit_code == WITHIN
    return [str(Path(name).resolve()) for name in ("one", "two", "three")]


def test_analyses_of_a_match_are_found_in_any_number_of_folders_and_compared_as_files(
    three,
):
    result = compare_folders(*three)
    assert files_of(result) == [("one/a.xg", "two/b.sgf")]
    assert {file.name: file.why for file in result.leftovers} == {
        "one/alone.sgf": "alone",
        "three/c.sgf": "alone",
        "two/again.xg": "duplicate",
        "three/bare.mat": "ignored",
    }
    many, alone = result.matches[0].review, review(loaded(NORA_XG), loaded(NORA))
    assert many is not None
    assert [each.item for each in many.disputes] == [each.item for each in alone.disputes]
    ((first, second),) = files_of(compare_folders(str(Path())))
    assert {Path(first).name, Path(second).name} in ({"a.xg", "b.sgf"}, {"again.xg", "b.sgf"})
    beside = compare_folders(three[0], str(Path("two", "b.sgf")), three[2])
    assert files_of(beside) == [("one/a.xg", "b.sgf")]
    Path("three", "broken.sgf").write_bytes(b"(;FF[4]GM[6]MI[length:3][game:0]")
    assert "three/broken.sgf" in compare_folders(*three).trouble
    with pytest.raises(UnknownName, match="no player 'nobody'"):
        compare_folders(*three, player="nobody")
    Path("empty").mkdir()
    with pytest.raises(NothingToCompare, match="found none that can be read"):
        compare_folders("empty")


def test_every_output_of_several_folders(three):
    outputs = ("--json", "r.json", "--markdown", "r.md", "--html", "pages")
    result = run("compare", "one", "two", "three", *outputs)
    assert result.exit_code == WITHIN
    document: Any = json.loads(Path("r.json").read_text("utf-8"))
    assert faults("many_folders", document) == []
    (match,) = document["matches"]
    assert match["analyses"]["sides"][1]["path"].endswith("b.sgf")
    for text in (result.stdout, Path("r.md").read_text("utf-8"), page_of_links("pages")):
        for words in (
            "1 match with several analyses",
            "Nora Lindqvist: PR 4.85 to 7.16 by 2 programs, no outlier (",
            "gnuBG 4.85",
            "XG 7.16",
        ):
            assert words in text
    result = run("compare", "three")
    assert result.exit_code == ERROR
    assert "no match with several analyses was found" in result.stderr


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
def test_console_that_cannot_show_a_name_still_shows_the_rest(two, encoding):
    odd = renamed(NORA, lambda name: f"{name[:4]} 黒田 Łukasz \N{MINUS SIGN}")
    assert "黒田" in read_match("x.sgf", odd).players[0]
    (two[0] / "黒田.sgf").write_bytes(odd)
    put(two[1], a=NORA_XG, b=ANN)
    path = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": encoding}
    environment.pop("PYTHONUTF8", None)
    for words in ("one two", "one/黒田.sgf two/a.xg", "one two --json -"):
        command = [sys.executable, "-m", "reconcile", "compare", *words.split()]
        done = subprocess.run(command, capture_output=True, env=environment, timeout=120)
        assert b"Traceback" not in done.stderr, done.stderr.decode("utf-8", "replace")[-400:]
        assert done.returncode == OUTSIDE, words
        if "--json" in words:
            assert json.loads(done.stdout.decode("utf-8"))["pairs"][0]["left"] == "黒田.sgf"
        else:
            assert "differs by" in done.stdout.decode(encoding, "replace")
