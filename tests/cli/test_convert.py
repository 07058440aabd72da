"""`reconcile convert` prints and saves the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import ERROR, WITHIN, XG, run, strict

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_convert_writes_json_to_a_file_or_standard_output() -> None:
    result = run("convert", XG)
    assert result.exit_code == WITHIN
    assert strict(result.stdout)
    assert run("convert", XG, "-o", "match.json").exit_code == WITHIN
    assert Path("match.json").read_text("utf-8") == result.stdout


def test_result_that_is_not_read_back_is_named_as_one() -> None:
    run("convert", XG, "-o", "match.json")
    run("stats", XG, "--format", "json", "-o", "stats.json")
    for name in ("match.json", "stats.json"):
        refused = run("stats", name)
        assert refused.exit_code == ERROR
        assert refused.stderr.startswith(f"reconcile: {name}: expected a match, found a result of reconcile, which is not read back")


def test_match_that_no_other_format_holds_is_not_promised_to_come_back() -> None:
    set_up = "(;FF[4]GM[6]CA[UTF-8]PW[Ann]PB[Ben]MI[length:3][game:0][ws:0][bs:0];AE[a:x]AW[f][f][h]AB[s][s];PL[W];W[31ab])"
    Path("set-up.sgf").write_text(set_up, "utf-8")
    for ending in ("mat", "ogxm"):
        refused = run("convert", "set-up.sgf", "-o", f"out.{ending}")
        assert refused.exit_code == ERROR
        assert "write it as .json, which has every decision but is not read back" in refused.stderr
