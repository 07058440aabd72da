"""The shares of a gap are those of its bridge, and each can be bounded by itself."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from reconcile.cli import main
from reconcile.files.bundled import bundled
from reconcile.formats import load_match
from reconcile.gap.bridge import SHARES
from reconcile.gap.comparison import compare
from reconcile.gap.tolerances import load_tolerances
from reconcile.gap.verdict import INCOMPLETE, OUTSIDE, WITHIN
from reconcile.report.html.render import comparison_page
from tests.support.claims import some
from tests.support.loaded import beginning
from tests.support.tolerance_files import TABLES

DEMONSTRATION = bundled("reference_matches") / "demonstration"
FILES = [str(DEMONSTRATION / f"nora-lindqvist-tomas-beck.{ending}") for ending in ("xg", "sgf")]


def shared(written: Path, **bounds: float) -> str:
    """A file that bounds PR amply and shares of it as told."""
    rows = {"pr": 100.0} | {f"pr@{share}": bound for share, bound in bounds.items()}
    lines = [
        f'      {name}: {{abs: {bound}, level: error, reason: "r", source: "s"}}\n'
        for name, bound in rows.items()
    ]
    written.write_text(TABLES[: TABLES.index("      pr:")] + "".join(lines))
    return str(written)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="reconcile", catch_exceptions=False)


def test_shares_of_a_gap_are_those_of_its_bridge_and_add_up(written: Path) -> None:
    bounds = load_tolerances(shared(written, rules=100, engine=100, coverage=100, reporting=100))
    result = compare(load_match(FILES[0]), load_match(FILES[1]), bounds)
    walk = result.walk
    for seat, player in some(enumerate(result.left.players)):
        own = {part.share: part for part in result.shares if part.player == player}
        assert set(own) == set(SHARES)
        steps = walk.bridge("pr", seat).steps
        assert own["engine"].gap == next(step.change for step in steps if step.code == "engine")
        assert own["rules"].gap == pytest.approx(
            sum(step.change for step in steps if step.code.startswith("Q")), abs=1e-12
        )
        assert own["coverage"].gap == pytest.approx(
            sum(step.change for step in steps if step.code.startswith("coverage")), abs=1e-12
        )
        whole = next(one for one in result.figures if (one.metric, one.player) == ("pr", player))
        assert sum(part.gap or 0.0 for part in own.values()) == pytest.approx(whole.gap, abs=1e-9)
        assert {part.verdict for part in own.values()} == {WITHIN}
    page = comparison_page(compare(beginning(".xg"), beginning(".sgf"), bounds), ())
    assert "Shares of a gap" in page
    assert "PR, analysis" in page


@pytest.mark.long
def test_too_tight_share_fails_the_gate_while_the_figure_passes(
    written: Path, tmp_path: Path
) -> None:
    left, right = map(load_match, FILES)
    for bounds in ({"engine": 100}, {"reporting": 0}):
        assert compare(left, right, load_tolerances(shared(written, **bounds))).exit_code() == 0
    outputs = {name: tmp_path / f"out.{name}" for name in ("json", "markdown")}
    told = [argument for name, path in outputs.items() for argument in (f"--{name}", str(path))]
    result = run("compare", *FILES, "--tolerances", shared(written, engine=0.01), *told)
    assert result.exit_code == 1
    figures = {
        (one["metric"], one["player"]): one
        for one in json.loads(outputs["json"].read_text())["figures"]
    }
    whole, part = (figures[name, "Nora Lindqvist"] for name in ("pr", "pr@engine"))
    assert (whole["verdict"], part["verdict"], part["left"], part["right"], part["tolerance"]) == (
        WITHIN,
        OUTSIDE,
        None,
        None,
        0.01,
    )
    line = next(line for line in result.stdout.splitlines() if line.startswith("PR, analysis"))
    assert re.fullmatch(
        r"PR, analysis +(Nora Lindqvist|Tomas Beck) +- +- +[+-]\d\.\d\d +0\.01 +outside", line
    )
    assert "PR, analysis" in outputs["markdown"].read_text()


def test_share_of_an_incomplete_figure_is_incomplete(written: Path) -> None:
    path = shared(written, engine=100)
    left = load_match(FILES[0])
    cubes = left.cubes.replaced(analysed=np.zeros_like(left.cubes.analysed))
    result = compare(replace(left, cubes=cubes), load_match(FILES[1]), load_tolerances(path))
    assert {part.verdict for part in result.shares} == {INCOMPLETE}
    assert all("cube decisions" in part.coverage for part in result.shares)


def test_share_alone_in_a_table_is_judged(written: Path) -> None:
    text = Path(shared(written, engine=0.01)).read_text()
    written.write_text(
        "".join(line for line in text.splitlines(keepends=True) if "pr:" not in line)
    )
    assert run("compare", *FILES, "--tolerances", str(written)).exit_code == 1


def test_exceptions_of_a_player_hold_in_a_plain_comparison(written: Path) -> None:
    plain = shared(written, engine=100)
    text = Path(plain).read_text().replace("pr: {abs: 100.0", "pr: {abs: 0.001")
    written.write_text(text)
    assert run("compare", *FILES, "--tolerances", str(written), "--player", "Nora").exit_code == 1
    exception = 'overrides:\n  - {table: documented, player: nora lindqvist, metric: pr, abs: 50, level: error, until: 9999-12-31, reason: "why"}\n'
    written.write_text(text + exception)
    result = run("compare", *FILES, "--tolerances", str(written), "--player", "Nora")
    assert result.exit_code == 0
    assert "PR of Nora Lindqvist: override until 9999-12-31: why" in result.stdout
    written.write_text(text + exception.replace("9999-12-31", "2001-01-01"))
    result = run("compare", *FILES, "--tolerances", str(written), "--player", "Nora")
    assert result.exit_code == 1
    assert (
        "warning: An override has expired: pr of nora lindqvist: 50 allowed, held until 2001-01-01: why"
        in result.stdout
    )
