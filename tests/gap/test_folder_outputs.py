"""What a comparison of two folders writes, with an exit code that fits, whatever its files and players are called."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath
from xml.etree import ElementTree as ET

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from reconcile.document import dumps
from reconcile.files.output import legal_stem
from reconcile.formats import read_match
from reconcile.report.forms import in_form
from reconcile.report.text.folders import page_names, rows_of
from reconcile.results.review import folder_document
from tests.support.data import PROJECT
from tests.support.folder_pairs import ANN, ERROR, NORA, NORA_XG, OUTSIDE, WITHIN, judged, put, run
from tests.support.long import long_but_first
from tests.support.schemas import faults, validator


def test_document_fits_its_schema(everything: tuple[Path, Path]) -> None:
    document = json.loads(dumps(folder_document(judged(*everything))))
    check = validator("folders")
    assert faults("folders", document) == []
    assert document["summary"] == {
        "pairs": 2, "within": 1, "outside": 1, "open": 0, "incomparable": 0, "alone": 1, "duplicate": 1, "ignored": 1, "unreadable": 1,
    }  # fmt: skip
    for part in (
        document,
        document["pairs"][0],
        document["not_compared"][0],
        document["summary"],
        document["pairs"][0]["comparison"],
    ):
        part["surprise"] = 1
        assert not check.is_valid(document)
        del part["surprise"]
    for key in list(document):
        assert not check.is_valid(
            {other: value for other, value in document.items() if other != key}
        )


def test_all_outputs_of_one_run(everything: tuple[Path, Path]) -> None:
    result = run(
        "compare", "one", "two", "--json", "out/r.json", "--markdown", "out/r.md", "--junit", "out/r.xml", "--html", "out/pages"
    )  # fmt: skip
    assert result.exit_code == ERROR
    document = json.loads(Path("out/r.json").read_text("utf-8"))
    assert document["verdict"] == "outside"
    cases = ET.fromstring(Path("out/r.xml").read_bytes()).findall(".//testcase")
    assert sum(case.find("failure") is not None for case in cases) == sum(
        figure["verdict"] == "outside"
        for pair in document["pairs"]
        for figure in pair["comparison"]["figures"]
    )
    assert [
        sum(case.find(kind) is not None for case in cases) for kind in ("skipped", "error")
    ] == [2, 1]
    index = Path("out/pages/index.html").read_text("utf-8")
    linked = re.findall(r'href="([^"#:,]+\.html)"', index)
    assert sorted(linked) == sorted(
        path.name for path in Path("out/pages").iterdir() if path.name != "index.html"
    )
    assert len(linked) == 2
    for name in ("copy.sgf", "alone.sgf", "broken.sgf", "notes.txt"):
        assert f"<code>{name}</code>" in index
        assert name in result.stdout
    assert "one/a" not in index
    assert str(everything[0].parent) not in index


def test_json_to_standard_output_leaves_the_summary_to_standard_error(
    everything: tuple[Path, Path],
) -> None:
    result = run("compare", "one", "two", "--json", "-")
    assert json.loads(result.stdout)["pairs"]
    assert "1 of 2 pairs within tolerance" in result.stderr


def test_quiet_says_only_why_it_could_not(everything: tuple[Path, Path]) -> None:
    result = run("compare", "one", "two", "--quiet")
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert result.stderr.startswith(
        "reconcile: one against two: 1 file could not be read: left broken.sgf: "
    )
    (everything[0] / "broken.sgf").unlink()
    result = run("compare", "one", "two", "--quiet")
    assert (result.exit_code, result.output) == (OUTSIDE, "")


def test_options_of_two_files_are_refused_with_a_reason(everything: tuple[Path, Path]) -> None:
    for option in (
        ["--ledger", "l.csv"],
        ["--anonymise"],
        ["--html", "-"],
    ):
        result = run("compare", "one", "two", *option)
        assert (result.exit_code, result.stdout) == (ERROR, "")
        assert option[0] in result.stderr


def test_warnings_fail_where_asked(two: tuple[Path, Path]) -> None:
    put(two[0], a=NORA_XG)
    put(two[1], a=NORA)
    entry = {"abs": 0.0, "level": "warn", "reason": "r", "source": "s"}
    Path("t.yaml").write_text(
        yaml.safe_dump(
            {
                "schema_version": 1,
                "tables": {"documented": {"title": "t", "entries": {"pr": entry}}},
            }
        )
    )
    asked = ["compare", "one", "two", "--tolerances", "t.yaml"]
    result = run(*asked)
    assert result.exit_code == WITHIN
    assert "warning  a.xg | a.sgf" in result.stdout
    assert run(*asked, "--fail-on", "warn").exit_code == OUTSIDE


def test_what_fails_stands_first(everything: tuple[Path, Path]) -> None:
    put(everything[0], A__within=NORA)
    result = judged(*everything)
    assert [row.word for row in rows_of(result)] == sorted(
        (row.word for row in rows_of(result)),
        key=["failed", "outside", "warned", "incomparable", "within"].index,
    )
    text = in_form(result, "text")
    assert text.index("outside") < text.index("within  ")
    assert in_form(result, "markdown").startswith("### ❌")


# -- names that a system or a console cannot show ----------------------------------------------------------------------


DEVICES = {
    "CON",
    "PRN",
    "AUX",
    "NUL",
    *(f"COM{n}" for n in range(10)),
    *(f"LPT{n}" for n in range(10)),
}


@given(st.text(max_size=30))
def test_file_names_we_write_are_legal_everywhere(text: str) -> None:
    stem = legal_stem(text)
    assert re.fullmatch(r"[a-z0-9_-]+", stem)
    assert stem.upper() not in DEVICES
    assert legal_stem(stem) == stem


NAMES = [
    "con",
    "CON",
    "nul.v2",
    "aux",
    "index",
    "lpt1",
    "a:b",
    "x. ",
    "..",
    "C:\\Users\\x",
    "A b",
    "a-b",
    "A_B",
    "a/b",
]


def test_pages_of_files_with_odd_or_like_names_have_legal_names_of_their_own() -> None:
    names = [*page_names([f"{name}.sgf" for name in NAMES]), "index.html"]
    assert len({page.casefold() for page in names}) == len(NAMES) + 1
    for page in names:
        assert PureWindowsPath(page).name == PurePosixPath(page).name == page
        assert page.partition(".")[0].upper() not in DEVICES
        assert not set(page) & set('<>:"/\\|?*')


def renamed(path: Path, change: Callable[[str], str]) -> bytes:
    """An SGF file with other players."""
    return re.sub(
        r"(P[WB])\[([^\]]*)\]",
        lambda found: f"{found[1]}[{change(found[2])}]",
        path.read_text("utf-8"),
    ).encode()


@pytest.mark.long
@pytest.mark.parametrize("encoding", long_but_first(["ascii", "cp1252"], 1, 1))
def test_console_that_cannot_show_a_name_still_shows_the_rest(
    two: tuple[Path, Path], encoding: str
) -> None:
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
        done = subprocess.run(
            [sys.executable, "-m", "reconcile", *command],
            capture_output=True,
            env=environment,
            timeout=120,
        )
        assert b"Traceback" not in done.stderr, (
            name,
            done.stderr.decode("utf-8", "replace")[-400:],
        )
        assert done.returncode == OUTSIDE, name
        if name == "json":
            assert (
                "黒田.sgf"
                in json.loads(io.BytesIO(done.stdout).read().decode("utf-8"))["pairs"][0]["left"]
            )
        else:
            assert "differs by" in done.stdout.decode(encoding, "replace")
