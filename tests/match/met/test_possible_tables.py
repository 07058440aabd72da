"""Tables that no match can have are refused with their place, and those that people play by are
not."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import reconcile
from reconcile.match.met import load_met, met_names
from tests.match.met.table_files import CASES, table_xml
from tests.support.command_line import run
from tests.support.small_files import USUAL


def written(folder: Path, content: str) -> str:
    path = folder / "made.xml"
    path.write_text(content, "utf-8")
    return str(path)


@pytest.mark.parametrize("kind", CASES["read"])
def test_possible_table_is_read(kind: str, tmp_path: Path) -> None:
    assert load_met(written(tmp_path, table_xml(CASES["read"][kind]))).explicit_length in (1, 3, 4)


def listed(name: str) -> str:
    """The XML of one of our own tables."""
    tables = Path(reconcile.__file__).parent / "match" / "met" / "tables"
    file = json.loads((tables / f"{name}.json").read_text("utf-8"))
    rows, post = file["pre_crawford"], file["post_crawford"]
    if isinstance(rows, list):
        return table_xml({"length": len(rows), "pre": rows, "post": post})
    kinds = {player: {"type": table["type"]} for player, table in post.items()}
    return table_xml({"length": -1, "pre": rows["type"], "post": kinds})


@pytest.mark.parametrize("name", met_names())
def test_bundled_table_is_possible(name: str, tmp_path: Path) -> None:
    assert np.array_equal(load_met(written(tmp_path, listed(name))).listed, load_met(name).listed)


@pytest.mark.parametrize("kind", ["rows reversed", "all alike"])
def test_command_refuses_it_in_one_line_and_exits_with_2(kind: str, tmp_path: Path) -> None:
    (tmp_path / "ann.sgf").write_text(USUAL, "utf-8")
    result = run(
        "stats",
        str(tmp_path / "ann.sgf"),
        "--met",
        written(tmp_path, table_xml(CASES["refused"][kind])),
    )
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1


def test_score_at_which_nothing_is_at_stake_has_no_equity_and_no_warning() -> None:
    from reconcile.match.met.equity import equity_of

    even = np.array([0.999, 0.999], np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(equity_of(np.array([0.999, 0.5], np.float32), even, even)).all()
