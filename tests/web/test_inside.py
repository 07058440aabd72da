"""What runs in the page gives what the command line gives, without a browser: the same bytes, the
same refusals in a sentence.
"""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from reconcile.formats import load_match
from reconcile.scoring.statistics import statistics
from tests.support.command_line import run
from tests.support.sage import needs_sage
from tests.support.small_files import EVENING
from tests.web.web_page import DEMONSTRATION, OTHER, from_command
from web import inside
from web.build import program

NOT_IN_A_BROWSER = ("lzma", "sqlite3", "deflate", "ssl", "multiprocessing")
"""What Pyodide's Python does not have, or what has no wheel for it."""
NOT_INSIDE = (
    *("pandas", "pydantic", "rich", "deepdiff", "defusedxml", "platformdirs"),
    *("wasmtime", "bgsage"),
)
"""What is not put into the page, or is not Python there."""
WITHOUT = """
import json, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in sys.argv[2].split():
            raise ModuleNotFoundError(f'No module named {name!r}', name=name)

sys.meta_path.insert(0, Missing())
from web import inside
questions = json.loads(sys.argv[1])
print(json.dumps([json.loads(inside.answer(json.dumps(question))) for question in questions]))
"""


def convert(path):
    """The transcript of a file, beside it; its name."""
    assert run("convert", path, "-o", "match.mat").exit_code == 0
    return "match.mat"


def asked(**question):
    reply: dict[str, Any] = json.loads(inside.answer(json.dumps(question)))
    return reply


@pytest.fixture
def files(elsewhere):
    for path in DEMONSTRATION:
        shutil.copyfile(path, path.name)
    return [path.name for path in DEMONSTRATION]


def test_two_files_give_the_page_of_the_command_and_its_first_sentence(files, tmp_path):
    reply = asked(kind="open", files=files)
    assert Path(reply["path"]).read_bytes() == from_command(DEMONSTRATION, tmp_path / "by-command")
    assert reply["sentence"] == "Nora Lindqvist: PR 7.16 by XG, 4.85 by gnuBG, gap −2.31"
    assert reply["players"] == ["Nora Lindqvist", "Tomas Beck"]


def test_an_investigation_has_its_answer_as_its_sentence(files):
    fields = {"player": "Nora", "pr": " 7.16 ", "decisions": "", "paste": ""}
    reply = asked(kind="investigate", files=files, fields=fields)
    assert reply["sentence"].startswith("Nora Lindqvist: XG's own rules give PR 7.16 exactly. ")
    assert "Which rules give the figures" in Path(reply["path"]).read_text("utf-8")


def test_the_errors_of_a_player_are_practised_on_the_page_of_the_command(files, tmp_path):
    page = tmp_path / "practice.html"
    assert run("exercises", *files, "--player", "Nora", "--html", page).exit_code == 0
    reply = asked(kind="practise", files=files, fields={"player": "Nora Lindqvist"})
    assert Path(reply["path"]).read_bytes() == page.read_bytes()
    assert re.match(r"Nora Lindqvist: \d+ exercises from 1 match\.$", reply["sentence"])
    several = asked(kind="open", files=[*files, str(OTHER)])
    assert "Nora Lindqvist" in several["players"]
    nobody = asked(kind="practise", files=files, fields={"player": "Nobody"})
    assert nobody["failed"]


@needs_sage
def test_a_transcript_is_analysed_as_by_the_command_and_an_analysis_gets_a_second_one(
    files, tmp_path, monkeypatch
):
    transcript = convert(files[0])
    plain = asked(kind="open", files=[transcript])
    assert (plain["unanalysed"], plain["count"], plain["level"]) == (True, 1, "")
    first = asked(kind="open", files=[transcript], plies=1)
    assert (first["first"], first["unanalysed"], first["count"]) == (True, False, 1)
    assert first["level"] == "1-ply"
    assert re.match(r"Nora Lindqvist: PR \d+\.\d\d by Open Sage, ", first["sentence"])
    monkeypatch.setenv("RECONCILE_CACHE", str(tmp_path / "cache"))
    done = run("stats", transcript, "--analyse", "sage:1", "--format", "json")
    reply = asked(kind="open", files=[transcript], plies=1, form="json")
    assert Path(reply["path"]).read_text("utf-8") == done.stdout
    pair = asked(kind="open", files=files[:1], plies=1)
    assert pair["count"] == 2
    assert re.match(r"Nora Lindqvist: PR 7.16 by XG, \d+\.\d\d by Open Sage, ", pair["sentence"])


@needs_sage
def test_looking_deeper_says_whether_it_was_wrong_by_how_much_and_what_each_analysis_said(files):
    every = statistics(load_match(files[0])).decisions().to_frame()
    worst = every[every.kind == "play"].sort_values("error").iloc[-1]
    decision = f"g{worst.game}t{worst.turn}"
    reply = asked(kind="deeper", files=files, decision=decision, plies=2, shown=1)
    head = f"{worst.player}, game {worst.game}, turn {worst.turn}, {worst.dice}: {worst.played}"
    assert reply["sentence"].startswith(head)
    assert reply["sentence"].endswith(", by Open Sage at 2-ply")
    xg = f"wrong by {worst.error:.3f}, best is {worst.best}"
    assert [row[0].partition(",")[0] for row in reply["rows"]] == [
        "eXtreme Gammon",
        "GNU Backgammon",
        "Open Sage",
    ]
    assert reply["rows"][0][1] == xg
    for wrong in ("g99t1", "nonsense"):
        reply = asked(kind="deeper", files=files, decision=wrong, plies=2)
        assert reply["failed"]
        assert "\n" not in reply["sentence"]


def test_files_of_several_matches_are_a_table_their_sum_and_a_page_each_when_asked(files, tmp_path):
    Path("bad.xg").write_bytes(b"RGMH" + bytes(99))
    with zipfile.ZipFile("some.zip", "w") as archive:
        archive.write(OTHER, f"deep/er/{OTHER.name}")
        archive.write(files[1])
        archive.writestr("deep/.hidden", b"")
    names = ["bad.xg", files[0], "some.zip"]
    reply = asked(kind="open", files=names)
    assert reply["sentence"].startswith("2 matches. bad.xg was left out: damaged XG file")
    assert [row[0] for row in reply["matches"]] == [
        "Nora Lindqvist – Tomas Beck, 7-point match",
        "Alice m26 – Bob m26, 3-point match",
    ]
    assert reply["matches"][0][2].startswith("eXtreme Gammon: PR 7.16, PR 7.74; GNU Backgammon: ")
    assert "Nora Lindqvist" in reply["sum"]
    pairs = {"two": DEMONSTRATION, "one": [OTHER]}
    pages = [from_command(paths, tmp_path / name) for name, paths in pairs.items()]
    with zipfile.ZipFile("both.zip", "w") as archive:
        for path in files:
            archive.write(path)
    reply = asked(kind="open", files=["both.zip"])
    assert Path(reply["path"]).read_bytes() == pages[0]
    for part, page in enumerate(pages):
        reply = asked(kind="open", files=names, part=part)
        assert Path(reply["path"]).read_bytes() == page
    with zipfile.ZipFile(asked(kind="open", files=names, every=True)["path"]) as saved:
        assert [saved.read(name) for name in saved.namelist()] == pages


def test_what_is_wrong_with_a_file_is_one_line_and_leaves_nothing_behind(files):
    Path("bad.xg").write_bytes(b"RGMH" + bytes(99))
    Path("bad.zip").write_bytes(b"PK\x03\x04broken")
    for name in ("bad.xg", "bad.zip"):
        reply = asked(kind="open", files=[name])
        assert reply["failed"]
        assert reply["sentence"].startswith(f"{name}: ")
        assert "\n" not in reply["sentence"]
    assert asked(kind="open", files=files)["sentence"].startswith("Nora Lindqvist: PR 7.16")


MESSAGES: list[tuple[dict[str, Any], str]] = [
    ({"files": ["nora.xg", "nora.sgf"]}, "^Nora Lindqvist: PR 7.16 by XG, 4.85 by gnuBG"),
    ({"files": ["nora.xg"]}, "^Nora Lindqvist: PR 7.16 by XG, "),
    ({"files": ["one.mat", "another.mat"]}, "another.mat was left out|differ"),
    ({"files": ["nora.sgf", "changed.sgf"]}, "^Nora_Lindqvist: PR 4.85 by left gnuBG"),
    ({"files": ["nora.xg", "one.mat"]}, r"^2 matches\.$"),
    ({"files": ["bad.xg"]}, "^bad.xg: damaged XG file"),
    ({"files": ["bad.zip"]}, "^bad.zip: expected a zip file"),
    ({"files": ["matches.db", "nora.xg"]}, "since it has no sqlite3; .*compare matches.db nora.xg"),
    ({"files": ["nora.xg"], "fields": {"rules": "no"}}, "^no rule set 'no', expected one of xg"),
    ({"files": ["nora.xg"], "fields": {"met": "no"}}, "'no'.*expected"),
    ({"files": ["nora.xg"], "fields": {"met": "woolsey"}}, "are by the table woolsey"),
    ({"files": ["nora.xg", "nora.sgf"], "fields": {"table": "no"}}, "expected one of documented"),
    ({"files": ["nora.xg", "nora.sgf"], "fields": {"player": "Zoe"}}, "Zoe"),
    (
        {"kind": "investigate", "files": ["nora.xg"], "fields": {"player": "Nora", "pr": "7.16"}},
        "7.16",
    ),
    ({"kind": "investigate", "files": ["nora.xg"], "fields": {}}, "^expected a figure"),
    (
        {"kind": "investigate", "files": ["nora.xg"], "fields": {"pr": "7"}},
        "^expected a figure, .* and the player",
    ),
    ({"kind": "investigate", "files": ["nora.xg"], "fields": {"player": "Zoe", "pr": "7"}}, "Zoe"),
    ({"kind": "investigate", "files": ["nora.xg"], "fields": {"paste": "nothing"}}, "pasted text"),
    ({"kind": "deeper", "files": ["nora.xg"], "decision": "g1t1", "plies": 3}, "wasmtime"),
]
"""Questions, and what the answer says."""


@pytest.mark.long
def test_every_kind_of_answer_is_given_with_the_modules_of_the_page_alone(files, tmp_path):
    for name, path in zip(("nora.xg", "nora.sgf"), DEMONSTRATION, strict=True):
        shutil.copyfile(path, name)
    text = Path("nora.sgf").read_text("utf-8")
    changed = re.sub(r";W\[(\d\d)[a-y]{4}\]", lambda play: f";W[{play[1]}yyyy]", text, count=1)
    Path("changed.sgf").write_text(changed, "utf-8")
    Path("one.mat").write_text(EVENING, "utf-8")
    Path("another.mat").write_text(EVENING.replace("8/5 6/5", "24/21 6/5"), "utf-8")
    Path("bad.xg").write_bytes(b"RGMH" + bytes(99))
    Path("bad.zip").write_bytes(b"PK\x03\x04broken")
    Path("matches.db").write_bytes(b"SQLite format 3\0" + bytes(84))
    inside_page = tmp_path / "inside"
    with zipfile.ZipFile(BytesIO(program())) as archive:
        archive.extractall(inside_page)
    missing = " ".join(NOT_IN_A_BROWSER + NOT_INSIDE)
    questions = [{"kind": "open"} | question for question, _ in MESSAGES]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, json.dumps(questions), missing],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(inside_page), "RECONCILE_CACHE": str(Path.cwd() / ".cache")},
        timeout=240,
    )
    for answer, (question, expected) in zip(json.loads(done.stdout), MESSAGES, strict=True):
        assert "this is a bug" not in answer["sentence"], (question, answer)
        assert re.search(expected, answer["sentence"]), (question, answer["sentence"])
        assert "\n" not in answer["sentence"]


def test_page_is_in_the_language_of_the_browser_and_the_other_forms_in_english(files):
    page = asked(kind="open", files=files[:1], language="de")
    assert '<html lang="de">' in Path(page["path"]).read_text("utf-8")
    assert "Entscheidungen" in page["sentence"]
    other = asked(kind="open", files=files[:1], language="de", form="md")
    assert "Entscheidung" not in Path(other["path"]).read_text("utf-8")
