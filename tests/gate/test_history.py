"""The trend of a pack: what earlier runs found, beside what this one does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from reconcile.cli import main
from reconcile.cli.common import ERROR, WITHIN
from tests.report.markup import Page


def validate(*options: str) -> Result:
    return CliRunner().invoke(main, ["validate", *options])


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "old.json"
    assert validate("--json", str(path)).exit_code == WITHIN
    document = json.loads(path.read_text("utf-8"))
    match = next(match for match in document["matches"] if match["id"] == "gnubg-7pt-0ply")
    for figure in match["reported"][0]["figures"][:2]:
        figure["verdict"] = "outside"
    document["matches"] = [match for match in document["matches"] if match["id"] != "gnubg-3pt-2ply"]
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_index_shows_the_trend_of_every_match(earlier: Path, tmp_path: Path) -> None:
    assert validate("--html", str(tmp_path), "--history", str(earlier)).exit_code == WITHIN
    page = Page((tmp_path / "index.html").read_text("utf-8"))
    rows = {row.children[0].text: row.children[4].text for row in page.by_id("matches").all("tbody")[0].children}
    assert next(text for name, text in rows.items() if "gnubg-7pt-0ply" in name) == "2 → 0"
    assert next(text for name, text in rows.items() if "gnubg-3pt-2ply" in name) == "– → 0"


def test_index_without_history_has_no_trend(tmp_path: Path) -> None:
    assert validate("--html", str(tmp_path)).exit_code == WITHIN
    assert "run by run" not in (tmp_path / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema_version": 2, "matches": []}', '{"schema_version": 1, "matches": [1]}', "[" * 100_000]
)
def test_something_else_as_history_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(text, "utf-8")
    result = validate("--history", str(path))
    assert result.exit_code == ERROR
    assert "validate --json" in result.stderr
    assert result.stdout == ""
