"""What a comparison of two folders writes: document, pages, tables and the summary, with an exit code that fits."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from reconcile.document import document as as_document
from reconcile.document import dumps
from reconcile.report.forms import in_form
from reconcile.report.text.folders import rows_of
from reconcile.results.review import folder_document
from tests.support.folder_pairs import ERROR, NORA, NORA_XG, OUTSIDE, WITHIN, judged, put, run
from tests.support.schemas import faults, validator


def test_document_fits_its_schema(everything: tuple[Path, Path]) -> None:
    document = json.loads(dumps(folder_document(judged(*everything))))
    check = validator("folders")
    assert faults("folders", document) == []
    assert document["summary"] == {
        "pairs": 2, "within": 1, "outside": 1, "open": 0, "incomparable": 0, "alone": 1, "duplicate": 1, "ignored": 1, "unreadable": 1,
    }  # fmt: skip
    for part in (document, document["pairs"][0], document["not_compared"][0], document["summary"], document["pairs"][0]["comparison"]):
        part["surprise"] = 1
        assert not check.is_valid(document)
        del part["surprise"]
    for key in list(document):
        assert not check.is_valid({other: value for other, value in document.items() if other != key})


def test_document_has_the_bridges_of_the_pair(everything: tuple[Path, Path]) -> None:
    pair: Any = as_document(folder_document(judged(*everything)))["pairs"][0]["comparison"]
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
    assert [sum(case.find(kind) is not None for case in cases) for kind in ("skipped", "error")] == [2, 1]
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
    text = in_form(result, "text")
    assert text.index("outside") < text.index("within  ")
    assert in_form(result, "markdown").startswith("### ❌")
