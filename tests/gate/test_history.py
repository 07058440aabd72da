"""The trend of a pack: what earlier runs found, beside what this one does."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.report.markup import Page
from tests.support.command_line import ERROR, PACK, WITHIN, run


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("pack")
    for name in ("gnubg-7pt-0ply", "gnubg-3pt-2ply"):
        shutil.copytree(PACK / name, folder / name)
    return str(folder)


@pytest.fixture(scope="module")
def earlier(pack: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "old.json"
    assert run("validate", pack, "--json", str(path)).exit_code == WITHIN
    document = json.loads(path.read_text("utf-8"))
    match = next(match for match in document["matches"] if match["id"] == "gnubg-7pt-0ply")
    for figure in match["reported"][0]["figures"][:2]:
        figure["verdict"] = "outside"
    document["matches"] = [
        match for match in document["matches"] if match["id"] != "gnubg-3pt-2ply"
    ]
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_index_shows_the_trend_of_every_match(pack: str, earlier: Path, tmp_path: Path) -> None:
    assert (
        run("validate", pack, "--html", str(tmp_path), "--history", str(earlier)).exit_code
        == WITHIN
    )
    page = Page((tmp_path / "index.html").read_text("utf-8"))
    rows = {
        row.children[0].text: row.children[4].text
        for row in page.by_id("matches").all("tbody")[0].children
    }
    assert next(text for name, text in rows.items() if "gnubg-7pt-0ply" in name) == "2 → 0"
    assert next(text for name, text in rows.items() if "gnubg-3pt-2ply" in name) == "– → 0"


def test_index_without_history_has_no_trend(pack: str, tmp_path: Path) -> None:
    assert run("validate", pack, "--html", str(tmp_path)).exit_code == WITHIN
    assert "run by run" not in (tmp_path / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema_version": 2, "matches": []}',
        '{"schema_version": 1, "matches": [1]}',
        "[" * 100_000,
    ],
)
def test_something_else_as_history_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(text, "utf-8")
    result = run("validate", "--history", str(path))
    assert result.exit_code == ERROR
    assert "validate --json" in result.stderr
    assert result.stdout == ""
