"""What runs in the page gives what the command line gives, without a browser: the same bytes, the
same refusals in a sentence.
"""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.support.data import PROJECT
from tests.web.web_page import DEMONSTRATION, OTHER, from_command
from web import inside

NOT_IN_A_BROWSER = ("lzma", "sqlite3", "deflate", "ssl", "multiprocessing")
"""What Pyodide's Python does not have, or what has no wheel for it."""
NOT_INSIDE = ("pandas", "pydantic", "rich", "deepdiff", "defusedxml", "platformdirs", "starlette")
"""What is not put into the page."""
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
    assert reply["sentence"] == "Nora Lindqvist: PR 7.16 by XG, 4.85 by gnuBG (−2.31)"
    assert reply["players"] == ["Nora Lindqvist", "Tomas Beck"]


def test_an_investigation_has_its_answer_as_its_sentence(files):
    fields = {"player": "Nora", "pr": " 7.16 ", "decisions": "", "paste": ""}
    reply = asked(kind="investigate", files=files, fields=fields)
    assert reply["sentence"].startswith(
        "Nora Lindqvist: PR 7.16 is exactly what XG's own rules give. "
    )
    assert "Which rules give the figures" in Path(reply["path"]).read_text("utf-8")


@pytest.mark.long
def test_files_of_several_matches_are_a_page_each_whatever_folder_or_zip_they_come_in(
    files, tmp_path
):
    Path("bad.xg").write_bytes(b"RGMH" + bytes(99))
    with zipfile.ZipFile("some.zip", "w") as archive:
        archive.write(OTHER, f"deep/er/{OTHER.name}")
        archive.write(files[1])
        archive.writestr("deep/.hidden", b"")
    reply = asked(kind="open", files=["bad.xg", files[0], "some.zip"])
    assert reply["sentence"].startswith("2 matches. bad.xg was left out: damaged XG file")
    with zipfile.ZipFile(reply["path"]) as saved:
        assert saved.namelist() == reply["pages"]
    written = {Path(".result/page.html", name).read_bytes() for name in reply["pages"]}
    pairs = {"two": DEMONSTRATION, "one": [OTHER]}
    assert written == {from_command(paths, tmp_path / name) for name, paths in pairs.items()}


def test_zip_of_one_match_is_that_match(files, tmp_path):
    with zipfile.ZipFile("both.zip", "w") as archive:
        for name in files:
            archive.write(name)
    reply = asked(kind="open", files=["both.zip"])
    assert reply["pages"] == []
    assert Path(reply["path"]).read_bytes() == from_command(DEMONSTRATION, tmp_path / "by-command")


def test_what_is_wrong_with_a_file_is_one_line_and_leaves_nothing_behind(files):
    Path("bad.xg").write_bytes(b"RGMH" + bytes(99))
    Path("bad.zip").write_bytes(b"PK\x03\x04broken")
    for name in ("bad.xg", "bad.zip"):
        reply = asked(kind="open", files=[name])
        assert reply["failed"]
        assert reply["sentence"].startswith(f"{name}: ")
        assert "\n" not in reply["sentence"]
    assert asked(kind="open", files=files)["sentence"].startswith("Nora Lindqvist: PR 7.16")


@pytest.mark.long
def test_pages_are_made_without_what_a_browser_lacks_and_what_it_cannot_read_is_said(
    files,
):
    Path("matches.db").write_bytes(b"SQLite format 3\0" + bytes(84))
    questions = [
        {"kind": "open", "files": files},
        {"kind": "investigate", "files": files[:1], "fields": {"player": "Nora", "pr": "7.23"}},
        {"kind": "open", "files": ["matches.db", files[0]]},
    ]
    missing = " ".join(NOT_IN_A_BROWSER + NOT_INSIDE)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, json.dumps(questions), missing],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(PROJECT), "RECONCILE_CACHE": str(Path.cwd() / ".cache")},
        timeout=120,
    )
    *pages, refused = json.loads(done.stdout)
    assert not any("failed" in page for page in pages)
    assert refused["failed"]
    assert "sqlite3" in refused["sentence"]
    assert f"reconcile compare matches.db {files[0]}" in refused["sentence"]
