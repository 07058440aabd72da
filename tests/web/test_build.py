"""The build of the page: what goes in is pinned, the same bytes come out, and the page runs and
fetches only what it must.
"""

import base64
import gzip
import hashlib
import json
import re
import zipfile
from io import BytesIO

import pytest

from tests.web.web_page import built
from web import build as making

PARTS = [
    making.Part(name, gzip.compress(name.encode(), mtime=0)) for name in ("worker.js", "numpy.whl")
]


def policy(page):
    meta = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert meta
    return {name: rest for name, *rest in (part.split() for part in meta[1].split(";"))}


def test_what_is_not_there_or_has_another_digest_ends_the_build_in_a_line(tmp_path, capsys):
    asked = [
        "-o",
        str(tmp_path / "page.html"),
        "--pyodide",
        str(tmp_path),
        "--numpy",
        str(tmp_path / "pyodide.js"),
    ]
    for words in ("cannot be read", "web.build: pyodide-lock.json: expected the SHA-256 "):
        assert making.main(asked) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert words in line
        assert not (tmp_path / "page.html").exists()
        for name in making.PINNED:
            (tmp_path / name).write_bytes(b"something else")


def test_the_page_has_what_checks_ask_for():
    page = making.whole_page(PARTS)
    assert re.search(r'<input id="files" type="file" name="files" multiple', page)
    assert re.search(r'<a id="save" href="#" download>', page)
    assert page.count('id="sentence"') == 1


def test_one_file_asks_nobody_and_runs_only_the_scripts_in_it():
    page = making.whole_page(PARTS)
    rules = policy(page)
    assert rules["connect-src"] == ["'none'"]
    assert rules["default-src"] == ["'none'"]
    assert "'unsafe-inline'" not in rules["script-src"]
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) >= 2
    for script in scripts:
        assert (
            f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
            in rules["script-src"]
        )
    assert not re.search(r'(?:src|href)="(?:https?:)?//(?!pypi\.org|pyodide\.org)', page)


def test_a_folder_asks_only_its_own_server_and_names_its_files_by_their_digests():
    files = making.split_page(PARTS)
    page = str(files["index.html"])
    assert policy(page)["connect-src"] == ["'self'"]
    listed = re.search(r'id="parts">(.*?)</script>', page)
    assert listed
    parts = json.loads(listed[1])
    assert [part["name"] for part in parts] == ["worker.js", "numpy.whl"]
    for part, expected in zip(parts, PARTS, strict=True):
        assert files[part["at"]] == expected.content
        assert hashlib.sha256(expected.content).hexdigest()[:12] in part["at"]


def test_the_program_is_packed_the_same_every_time_and_is_complete():
    packed = making.program()
    assert packed == making.program()
    names = zipfile.ZipFile(BytesIO(packed)).namelist()
    assert {
        "reconcile/cli/__init__.py",
        "web/inside.py",
        "click/__init__.py",
        "yaml/__init__.py",
    } <= {*names}
    assert "reconcile/data/tolerances.yaml" in names
    assert "reconcile/engines/sage.wasm" in names
    assert packed.count(b"Mozilla Public License Version 2.0") == 1
    assert not [name for name in names if "__pycache__" in name or name.endswith(".so")]


def test_the_page_says_what_the_engine_is_where_its_source_is_and_under_which_licence():
    page = making.whole_page(PARTS)
    assert "the engine and networks of Open Sage 2.0.20260907 (MPL-2.0" in page
    assert "https://pypi.org/project/bgsage/2.0.20260907/#files" in page
    for words in ("Mozilla Public License Version 2.0", "Rich Felker", "wasi-libc"):
        assert words in page


def test_networks_are_held_against_their_digest(monkeypatch, tmp_path):
    monkeypatch.setenv("RECONCILE_WEIGHTS", str(tmp_path))
    with pytest.raises(making.CannotBuild, match=r"expected the networks of bgsage 2.0.20260907"):
        making.networks()


def test_other_versions_than_the_locked_ones_are_a_warning(monkeypatch, tmp_path):
    lock = tmp_path / "lock.txt"
    lock.write_text("click==0.1 \\\n    --hash=sha256:00\n", "utf-8")
    monkeypatch.setattr(making, "LOCKED", lock)
    (warning,) = making.other_versions()
    assert warning.startswith("warning: expected click 0.1, as .ci/lock.txt has it, found ")


@pytest.mark.long
def test_one_file_is_small_enough(tmp_path_factory):
    page = (built(tmp_path_factory.getbasetemp()) / "reconcile.html").read_bytes()
    assert len(page) <= 26 * 2**20
