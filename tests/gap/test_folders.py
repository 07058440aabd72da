"""Two folders against each other: who pairs with whom, what is told of the rest, and what a gate makes of it."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from reconcile.adapters import load_match, read_match
from reconcile.cli import main
from reconcile.errors import NothingToCompare, UnknownName, UnreadableFile
from reconcile.files.bundled import bundled
from reconcile.files.output import legal_stem
from reconcile.gap.comparison import compare
from reconcile.gap.folders import FolderResult, compare_folders
from reconcile.gate.judged_figures import folder_parts
from reconcile.report.ci.markdown.folders import folder_markdown
from reconcile.report.html.folders import folder_pages
from reconcile.report.text.folders import folder_text, rows_of
from reconcile.results.comparison import folder_document
from reconcile.results.documents import dumps
from tests.support.blunderdb_writer import write as database
from tests.support.data import PROJECT
from tests.support.schemas import faults, validator

PACK = bundled("reference_matches")
NORA_XG = PACK / "demonstration" / "nora-lindqvist-tomas-beck.xg"
NORA = PACK / "demonstration" / "nora-lindqvist-tomas-beck.sgf"
ALICE = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
ANN = PACK / "gnubg-11pt-cube-rich" / "ann-ben-11pt-cube-rich.sgf"
SCHEMAS = PROJECT / "reconcile" / "schemas"
WITHIN, OUTSIDE, ERROR = 0, 1, 2
DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"COM{n}" for n in range(10)), *(f"LPT{n}" for n in range(10))}


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Two empty folders below the current one."""
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    return tmp_path / "one", tmp_path / "two"


def put(folder: Path, **files: Path) -> None:
    """Copies under other names; `__` in a name is a folder, the ending is the file's own."""
    for name, path in files.items():
        target = folder / (name.replace("__", "/") + path.suffix)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def judged(one: Path, two: Path, **options: Any) -> FolderResult:
    return compare_folders(str(one), str(two), **options)


def partners(result: FolderResult) -> dict[str, str]:
    return {pair.left: pair.right for pair in result.pairs}


def left_over(result: FolderResult) -> dict[str, str]:
    return {f"{one.side} {one.name}": one.why for one in result.leftovers}


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, arguments, prog_name="reconcile", catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


def without_game(path: Path, number: int) -> bytes:
    """An SGF collection that lacks a game."""
    games = re.split(rb"(?m)^(?=\(;FF)", path.read_bytes())
    kept = [game for game in games if f"[game:{number}]".encode() not in game]
    assert len(kept) == len(games) - 1
    return b"".join(kept)


# Who pairs with whom.


def test_files_are_paired_by_transcript_whatever_their_names(two: tuple[Path, Path]) -> None:
    put(two[0], alice=NORA_XG, sub__deep__x=ALICE, b=ANN)
    put(two[1], zz=NORA, alice=ANN, other__b=ALICE)
    result = judged(*two)
    assert partners(result) == {"alice.xg": "zz.sgf", "b.sgf": "alice.sgf", "sub/deep/x.sgf": "other/b.sgf"}
    assert result.leftovers == ()


def test_every_pair_is_judged_as_its_two_files_are(two: tuple[Path, Path]) -> None:
    put(two[0], a=NORA_XG, b=ALICE)
    put(two[1], c=NORA, d=ALICE)
    result = judged(*two)
    alone = compare(load_match(NORA_XG), load_match(NORA))
    assert result.pairs[0].comparison is not None
    assert result.pairs[0].comparison.figures == alone.figures
    assert [pair.verdict for pair in result.pairs] == ["outside", "within"]
    assert (result.verdict, result.exit_code()) == ("outside", OUTSIDE)


def test_missing_game_and_exchanged_seats_still_pair(two: tuple[Path, Path], data: Path) -> None:
    put(two[0], whole=data / "real" / "test.xg", money=ALICE)
    put(two[1], part=data / "damaged" / "one_game_missing.sgf")
    (two[1] / "alice.sgf").write_bytes(without_game(ALICE, 1))
    result = judged(*two)
    assert partners(result) == {"whole.xg": "part.sgf", "money.sgf": "alice.sgf"}
    for pair in result.pairs:
        assert pair.comparison is not None
        assert any(finding.code == "transcript-differs" for finding in pair.comparison.findings)
    (two[1] / "part.sgf").unlink()
    put(two[1], turned=data / "damaged" / "swapped_players.sgf")
    assert partners(judged(*two))["whole.xg"] == "turned.sgf"


def test_two_analyses_of_one_match_pair_by_name(two: tuple[Path, Path], data: Path) -> None:
    real = data / "real"
    put(two[0], quick=real / "test_0ply.sgf", deep=real / "test_2ply.sgf", third=real / "test.xg")
    put(two[1], deep=real / "test.sgf", quick=real / "test.xg")
    result = judged(*two)
    assert partners(result) == {"deep.sgf": "deep.sgf", "quick.sgf": "quick.xg"}
    assert left_over(result) == {"left third.xg": "duplicate"}


def test_match_told_twice_is_compared_once_and_told(two: tuple[Path, Path]) -> None:
    put(two[0], a=NORA_XG, copy=NORA_XG, second=NORA)
    put(two[1], b=NORA)
    result = judged(*two)
    assert partners(result) == {"a.xg": "b.sgf"}
    assert [(one.name, one.why, one.reason) for one in result.leftovers] == [
        ("copy.xg", "duplicate", "the same file as a.xg"),
        ("second.sgf", "duplicate", "the same match as a.xg"),
    ]


def test_transcript_beside_its_analysis_is_no_duplicate(two: tuple[Path, Path], data: Path) -> None:
    real = data / "real"
    put(two[0], a=real / "test.xg", b=real / "test.mat")
    put(two[1], a=real / "test.mat", z=real / "test_2ply.sgf")
    result = judged(*two)
    assert partners(result) == {"a.xg": "z.sgf"}
    assert left_over(result) == {"left b.mat": "ignored", "right a.mat": "ignored"}
    assert result.exit_code(strict=True) == judged(two[0] / "a.xg", two[1] / "z.sgf").exit_code(strict=True)


def test_files_without_partner_are_told_and_fail_when_strict(two: tuple[Path, Path]) -> None:
    put(two[0], a=ALICE, lonely=ANN)
    put(two[1], b=ALICE, other=NORA)
    result = judged(*two)
    assert left_over(result) == {"left lonely.sgf": "alone", "right other.sgf": "alone"}
    assert result.leftovers[0].reason == "Ann - Ben, 11 points: no partner in two"
    assert (result.exit_code(), result.exit_code(strict=True)) == (WITHIN, OUTSIDE)


def test_pair_without_analysis_is_not_judged_and_hides_nothing(two: tuple[Path, Path], data: Path) -> None:
    put(two[0], a=ALICE, b=data / "real" / "test.xg")
    put(two[1], a=ALICE, b=data / "real" / "test.mat")
    result = judged(*two)
    assert [pair.verdict for pair in result.pairs] == ["within", "incomparable"]
    assert "analysed" in result.pairs[1].reason
    assert (result.exit_code(), result.exit_code(strict=True)) == (WITHIN, OUTSIDE)


def test_unreadable_file_hides_nothing_and_makes_the_code_2(two: tuple[Path, Path]) -> None:
    put(two[0], a=NORA_XG, b=ALICE)
    put(two[1], a=NORA, b=ALICE)
    (two[1] / "broken.xg").write_bytes(NORA_XG.read_bytes()[:5000])
    result = judged(*two)
    assert [pair.verdict for pair in result.pairs] == ["outside", "within"]
    assert left_over(result) == {"right broken.xg": "unreadable"}
    assert "broken" not in result.leftovers[0].reason
    assert result.exit_code() == ERROR
    assert result.trouble.startswith("one against two: 1 file could not be read: right broken.xg: ")


def test_other_files_of_a_folder_are_no_business_of_ours(two: tuple[Path, Path]) -> None:
    put(two[0], a=ALICE)
    put(two[1], a=ALICE)
    for name in ("README.md", "match.yaml", "notes.csv", ".hidden.xg.swp"):
        (two[0] / name).write_text("not a match")
    (two[0] / "notes.txt").write_text("remember to analyse the match of Bob")
    (two[0] / "empty.txt").write_text("")
    (two[0] / ".git").mkdir()
    (two[0] / ".git" / "a.xg").write_text("no match")
    result = judged(*two)
    assert left_over(result) == {"left notes.txt": "ignored", "left empty.txt": "ignored"}
    assert result.exit_code(strict=True) == WITHIN


def test_same_dice_with_names_exchanged_contradict_each_other(two: tuple[Path, Path]) -> None:
    text = ALICE.read_bytes()
    white, black = (re.search(rb"%s\[([^\]]*)\]" % key, text) for key in (b"PW", b"PB"))
    assert white is not None
    assert black is not None
    turned = text.replace(b"PW[" + white[1] + b"]", b"PW[#]").replace(b"PB[" + black[1] + b"]", b"PB[" + white[1] + b"]")
    (two[0] / "a.sgf").write_bytes(text)
    (two[1] / "a.sgf").write_bytes(turned.replace(b"PW[#]", b"PW[" + black[1] + b"]"))
    put(two[0], b=ANN)
    put(two[1], b=ANN)
    result = judged(*two)
    assert [(pair.verdict, pair.failed) for pair in result.pairs] == [("incomparable", True), ("within", False)]
    assert result.exit_code() == ERROR
    assert "exchanged" in result.trouble


def test_archive_is_a_folder(two: tuple[Path, Path]) -> None:
    put(two[0], a=ALICE, b=ANN)
    with zipfile.ZipFile(two[1] / "all.zip", "w") as archive:
        archive.write(ANN, "x/one.sgf")
        archive.write(ALICE, "two.sgf")
    result = judged(two[0], two[1] / "all.zip")
    assert partners(result) == {"a.sgf": "all.zip!two.sgf", "b.sgf": "all.zip!x/one.sgf"}
    assert run("compare", str(two[0]), str(two[1] / "all.zip")).exit_code == WITHIN


def test_database_is_a_folder(two: tuple[Path, Path]) -> None:
    put(two[0], b=ANN, a=ALICE)
    database(two[1] / "matches.db", [load_match(ALICE), load_match(ANN)])
    result = judged(two[0], two[1] / "matches.db")
    assert partners(result) == {"a.sgf": "matches.db#1", "b.sgf": "matches.db#2"}
    assert len(result.judged) == 2
    assert partners(judged(two[1], two[0])) == {"matches.db#1": "a.sgf", "matches.db#2": "b.sgf"}
    shutil.copyfile(two[1] / "matches.db", "copy.db")
    assert run("compare", "copy.db", str(two[1] / "matches.db")).stdout.startswith("copy.db against matches.db: 2 of 2 pairs")


def test_single_file_finds_its_partner_in_a_folder(two: tuple[Path, Path]) -> None:
    put(two[0], a=NORA_XG)
    put(two[1], b=NORA, c=ALICE)
    assert partners(judged(two[0] / "a.xg", two[1])) == {"a.xg": "b.sgf"}


def test_same_folder_on_both_sides_agrees_with_itself(two: tuple[Path, Path]) -> None:
    put(two[0], a=NORA_XG, b=ALICE, c=ANN)
    result = judged(two[0], two[0])
    assert partners(result) == {name: name for name in ("a.xg", "b.sgf", "c.sgf")}
    assert (result.left, result.right) == ("one (left)", "one (right)")
    for pair in result.pairs:
        assert pair.comparison is not None
        assert {figure.gap for figure in pair.comparison.judged} == {0.0}


def test_folders_of_one_name_are_told_apart(two: tuple[Path, Path]) -> None:
    put(two[0], out__a=ALICE)
    put(two[1], out__a=ALICE)
    result = judged(two[0] / "out", two[1] / "out")
    assert (result.left, result.right) == ("one/out", "two/out")


def test_player_chooses_the_matches_he_plays_in(two: tuple[Path, Path]) -> None:
    put(two[0], a=ANN, b=NORA)
    put(two[1], a=ANN, b=NORA)
    result = judged(*two, player="ann")
    assert partners(result) == {"a.sgf": "a.sgf"}
    assert {part.figure.player for one in folder_parts(result) for part in one.cases} == {"Ann"}
    assert result.leftovers == ()
    with pytest.raises(UnknownName, match="no player 'Zoe' in any match"):
        judged(*two, player="Zoe")


def test_folder_without_a_match_is_refused(two: tuple[Path, Path]) -> None:
    put(two[0], a=ALICE)
    with pytest.raises(NothingToCompare, match=r"two: expected matches .* found none"):
        judged(*two)
    with pytest.raises(UnreadableFile):
        judged(two[0], two[1] / "absent")


def test_nothing_in_common_is_told_with_code_2(two: tuple[Path, Path]) -> None:
    put(two[0], a=ALICE)
    put(two[1], a=ANN)
    result = run("compare", "one", "two")
    assert result.exit_code == ERROR
    assert "no partner  left: a.sgf" in result.stdout
    assert result.stderr == "reconcile: one against two: no file of one folder has a partner in the other\n"


def test_unknown_names_are_one_error_and_not_one_for_every_pair(two: tuple[Path, Path]) -> None:
    put(two[0], a=ALICE)
    put(two[1], a=ALICE)
    for option in (("--left-rules", "none"), ("--table", "none"), ("--met", "none")):
        result = run("compare", "one", "two", *option)
        assert (result.exit_code, result.stdout) == (ERROR, "")
        assert len(result.stderr.splitlines()) == 1


def test_result_does_not_depend_on_the_order_of_a_listing(two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    put(two[0], a=NORA_XG, b=ALICE, sub__c=ANN, d=ANN)
    put(two[1], e=ALICE, f=ANN, sub__g=NORA)
    before = dumps(folder_document(judged(*two)))
    listed = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda path: reversed(list(listed(path))))
    assert dumps(folder_document(judged(*two))) == before


# What is written.


@pytest.fixture
def everything(two: tuple[Path, Path]) -> tuple[Path, Path]:
    """Folders with every kind of pair and of file left over."""
    put(two[0], a=NORA_XG, b=ALICE, copy=ALICE, alone=ANN)
    put(two[1], c=NORA, d=ALICE)
    (two[0] / "broken.sgf").write_bytes(b"(;FF[4]GM[6]MI[length:3][game:0]")
    (two[1] / "notes.txt").write_text("nothing")
    return two


def test_document_fits_its_schema(everything: tuple[Path, Path]) -> None:
    document = json.loads(dumps(folder_document(judged(*everything))))
    check = validator("folders")
    assert faults("folders", document) == []
    assert document["summary"] == {
        "pairs": 2, "within": 1, "outside": 1, "incomparable": 0, "alone": 1, "duplicate": 1, "ignored": 1, "unreadable": 1,
    }  # fmt: skip
    for part in (document, document["pairs"][0], document["not_compared"][0], document["summary"], document["pairs"][0]["comparison"]):
        part["surprise"] = 1
        assert not check.is_valid(document)
        del part["surprise"]
    for key in list(document):
        assert not check.is_valid({other: value for other, value in document.items() if other != key})


def test_document_has_the_bridges_of_the_pair(everything: tuple[Path, Path]) -> None:
    pair = folder_document(judged(*everything))["pairs"][0]["comparison"]
    bridges = [bridge for bridge in pair["bridge"] if bridge["metric"] == "pr"]
    assert len(bridges) == 2
    for bridge in bridges:
        assert sum(step["change"] for step in bridge["steps"]) == pytest.approx(bridge["to"] - bridge["from"], abs=1e-9)
    assert "ledger" not in pair


def test_all_outputs_of_one_run(everything: tuple[Path, Path]) -> None:
    result = run(
        "compare", "one", "two", "--json", "out/r.json", "--markdown", "out/r.md", "--junit", "out/r.xml", "--html", "out/pages"
    )  # fmt: skip
    assert result.exit_code == ERROR
    document = json.loads(Path("out/r.json").read_text("utf-8"))
    assert document["verdict"] == "outside"
    cases = ET.fromstring(Path("out/r.xml").read_bytes()).findall(".//testcase")
    assert sum(case.find("failure") is not None for case in cases) == sum(
        figure["verdict"] == "outside" for pair in document["pairs"] for figure in pair["comparison"]["figures"]
    )
    assert sum(case.find("skipped") is not None for case in cases) == 3
    index = Path("out/pages/index.html").read_text("utf-8")
    linked = re.findall(r'href="([^"#:,]+\.html)"', index)
    assert sorted(linked) == sorted(path.name for path in Path("out/pages").iterdir() if path.name != "index.html")
    assert len(linked) == 2
    for name in ("copy.sgf", "alone.sgf", "broken.sgf", "notes.txt"):
        assert f"<code>{name}</code>" in index
        assert name in result.stdout
    assert "one/a" not in index
    assert str(everything[0].parent) not in index


def test_json_to_standard_output_leaves_the_summary_to_standard_error(everything: tuple[Path, Path]) -> None:
    result = run("compare", "one", "two", "--json", "-")
    assert json.loads(result.stdout)["pairs"]
    assert "1 of 2 pairs within tolerance" in result.stderr


def test_quiet_says_only_why_it_could_not(everything: tuple[Path, Path]) -> None:
    result = run("compare", "one", "two", "--quiet")
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert result.stderr.startswith("reconcile: one against two: 1 file could not be read: left broken.sgf: ")
    (everything[0] / "broken.sgf").unlink()
    result = run("compare", "one", "two", "--quiet")
    assert (result.exit_code, result.output) == (OUTSIDE, "")


def test_options_of_two_files_are_refused_with_a_reason(everything: tuple[Path, Path]) -> None:
    for option in (["--ledger", "l.csv"], ["--positions", "p.txt"], ["--anonymise"], ["--html", "-"]):
        result = run("compare", "one", "two", *option)
        assert (result.exit_code, result.stdout) == (ERROR, "")
        assert option[0] in result.stderr


def test_warnings_fail_where_asked(two: tuple[Path, Path]) -> None:
    put(two[0], a=NORA_XG)
    put(two[1], a=NORA)
    entry = {"abs": 0.0, "level": "warn", "reason": "r", "source": "s"}
    Path("t.yaml").write_text(yaml.safe_dump({"schema_version": 1, "tables": {"documented": {"title": "t", "entries": {"pr": entry}}}}))
    asked = ["compare", "one", "two", "--tolerances", "t.yaml"]
    result = run(*asked)
    assert result.exit_code == WITHIN
    assert "warning  a.xg | a.sgf" in result.stdout
    assert run(*asked, "--fail-on", "warn").exit_code == OUTSIDE


def test_what_fails_stands_first(everything: tuple[Path, Path]) -> None:
    put(everything[0], A__within=NORA)
    result = judged(*everything)
    assert [row.word for row in rows_of(result)] == sorted(
        (row.word for row in rows_of(result)), key=["failed", "outside", "warned", "incomparable", "within"].index
    )
    text = folder_text(result)
    assert text.index("outside") < text.index("within  ")
    assert folder_markdown(result).startswith("### ❌")


# Windows.


@given(st.text(max_size=30))
def test_file_names_we_write_are_legal_everywhere(text: str) -> None:
    stem = legal_stem(text)
    assert re.fullmatch(r"[a-z0-9_-]+", stem)
    assert stem.upper() not in DEVICES
    assert legal_stem(stem) == stem


@pytest.mark.parametrize("name", ["con", "CON", "nul.v2", "aux", "index", "lpt1", "a:b", "x. ", "..", "C:\\Users\\x"])
def test_pages_of_files_with_odd_names(two: tuple[Path, Path], name: str) -> None:
    shutil.copyfile(ALICE, two[0] / f"{name}.sgf")
    put(two[1], a=ALICE)
    names = [PurePosixPath(path).name for path, _ in folder_pages(judged(*two), "pages")]
    assert len({page.casefold() for page in names}) == 2
    for page in names:
        assert PureWindowsPath(page).name == page
        assert page.partition(".")[0].upper() not in DEVICES
        assert not set(page) & set('<>:"/\\|?*')


def test_pages_of_like_names_do_not_overwrite_each_other(two: tuple[Path, Path]) -> None:
    for folder in two:
        for name, path in {"A b.sgf": ALICE, "a-b.sgf": ANN, "A_B.xg": NORA_XG, "a/b.sgf": NORA}.items():
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(path, folder / name)
    pages = [path.casefold() for path, _ in folder_pages(judged(*two), "pages")]
    assert len(set(pages)) == len(pages) == 5


def renamed(path: Path, change: Callable[[str], str]) -> bytes:
    """An SGF file with other players."""
    return re.sub(r"(P[WB])\[([^\]]*)\]", lambda found: f"{found[1]}[{change(found[2])}]", path.read_text("utf-8")).encode()


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_console_that_cannot_show_a_name_still_shows_the_rest(two: tuple[Path, Path], encoding: str) -> None:
    odd = renamed(NORA, lambda name: f"{name[:4]} 黒田 Łukasz \N{MINUS SIGN}")
    assert "黒田" in read_match("x.sgf", odd).players[0]
    (two[0] / "黒田.sgf").write_bytes(odd)
    put(two[1], a=NORA_XG, b=ANN)
    path = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": encoding}
    environment.pop("PYTHONUTF8", None)
    commands = {
        "text": ["compare", "one", "two"],
        "files": ["compare", str(Path("one", "黒田.sgf")), str(Path("two", "a.xg"))],
        "json": ["compare", "one", "two", "--json", "-"],
    }
    for name, command in commands.items():
        done = subprocess.run([sys.executable, "-m", "reconcile", *command], capture_output=True, env=environment, timeout=120)
        assert b"Traceback" not in done.stderr, (name, done.stderr.decode("utf-8", "replace")[-400:])
        assert done.returncode == OUTSIDE, name
        if name == "json":
            assert "黒田.sgf" in json.loads(io.BytesIO(done.stdout).read().decode("utf-8"))["pairs"][0]["left"]
        else:
            assert "differs by" in done.stdout.decode(encoding, "replace")
