"""A broken manifest, tolerance or file is told in one line and hides no other item."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.pytest_plugin.runs import FIGURES, REPORTED, add_pair, plain, respell, run

BROKEN = {
    "schema_version: 1\nid: x\nsurprise: 1\n": "match.yaml",
    "a: *b": "aliases are not allowed",
    "!!python/object:os.system x": "tags are not allowed",
    "[": "match.yaml",
}


def test_broken_manifest_is_one_line_and_hides_no_other(
    pytester: pytest.Pytester, pack: Path
) -> None:
    for number, content in enumerate(BROKEN):
        (pack / f"a-broken-{number}").mkdir()
        (pack / f"a-broken-{number}" / "match.yaml").write_text(content)
    result = run(pytester, "--reconcile", "pack", "--continue-on-collection-errors")
    result.assert_outcomes(passed=FIGURES, errors=len(BROKEN))
    for number, told in enumerate(BROKEN.values()):
        result.stdout.fnmatch_lines(
            [f"*ERROR collecting pack/a-broken-{number}/match.yaml*", f"*{told}*"]
        )
    plain(result)


def test_figure_without_tolerance_unknown_table_and_bad_tolerances_are_collection_errors(
    pytester: pytest.Pytester, pack: Path
) -> None:
    respell(pack / REPORTED, lambda manifest: manifest["reported"][0].update(table="documented"))
    assert "has no tolerance for it" in plain(run(pytester, "--reconcile", "pack"))
    respell(pack / REPORTED, lambda manifest: manifest["reported"][0].update(table="none"))
    result = run(pytester, "--reconcile", "pack")
    result.assert_outcomes(errors=1)
    assert "no table of tolerances 'none'" in plain(result)
    (pytester.path / "t.yaml").write_text("tables: [")
    result = run(pytester, "--reconcile", "pack", "--reconcile-tolerances", "t.yaml")
    result.assert_outcomes(errors=1)
    assert "t.yaml" in plain(result)


def test_changed_file_fails_every_figure_of_its_match_with_one_line(
    pytester: pytest.Pytester, pack: Path
) -> None:
    add_pair(pack)
    (file,) = (pack / REPORTED).glob("*.sgf")
    file.write_bytes(file.read_bytes() + b" ")
    result = run(pytester, "--reconcile", "pack", "-k", f"{REPORTED} or snowie_er")
    result.assert_outcomes(
        failed=FIGURES + len(re.findall("FAILED .*snowie_er", result.stdout.str())),
        passed=result.parseoutcomes().get("passed", 0),
        deselected=4,
    )
    assert "expected SHA-256" in plain(result)
