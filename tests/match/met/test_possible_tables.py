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
from tests.match.met.table_files import (
    IMPOSSIBLE,
    explicit,
    explicit_post,
    explicit_pre,
    parametric_post,
    parametric_pre,
    table_xml,
    three_points,
)
from tests.support.command_line import run
from tests.support.small_files import USUAL

FALLING_ONLY = "expected a chance not"


def written(folder: Path, content: str) -> str:
    path = folder / "made.xml"
    path.write_text(content, "utf-8")
    return str(path)


POSSIBLE = {
    "rounded to tenths of a percent": explicit(
        [[0.5, 0.682, 0.75], [0.32, 0.5, 0.6], [0.25, 0.4, 0.5]]
    ),
    "equal neighbours": explicit(three_points(0.68, 0.68, 0.6)),
    "unequal players": explicit(
        [[0.6, 0.7, 0.8], [0.4, 0.6, 0.7], [0.3, 0.5, 0.6]],
        explicit_post([0.52, 0.5], "0"),
        explicit_post([0.48, 0.46], "1"),
    ),
    "a decided match": explicit(three_points(0.996, 0.999, 0.995)),
    "a match decided at all scores but even ones": explicit(
        [[(0.001, 0.5, 0.999)[(a <= b) + (a < b)] for b in range(4)] for a in range(4)]
    ),
    "one point": table_xml(1, explicit_pre([[0.5]]), explicit_post([])),
}


@pytest.mark.parametrize("kind", POSSIBLE)
def test_possible_table_is_read(kind: str, tmp_path: Path) -> None:
    assert load_met(written(tmp_path, POSSIBLE[kind])).explicit_length in (1, 3, 4)


def listed(name: str) -> str:
    """The XML of one of our own tables."""
    file = json.loads(
        (Path(reconcile.__file__).parent / "match" / "met" / "tables" / f"{name}.json").read_text(
            "utf-8"
        )
    )
    rows, post = file["pre_crawford"], file["post_crawford"]
    if isinstance(rows, dict):
        trailers = [parametric_post(str(table["type"]), player) for player, table in post.items()]
        return table_xml(-1, parametric_pre(str(rows["type"])), *trailers)
    return table_xml(
        len(rows),
        explicit_pre(rows),
        *(explicit_post(figures, player) for player, figures in post.items()),
    )


@pytest.mark.parametrize("name", met_names())
def test_bundled_table_is_possible(name: str, tmp_path: Path) -> None:
    assert np.array_equal(load_met(written(tmp_path, listed(name))).listed, load_met(name).listed)


@pytest.mark.parametrize("kind", ["rows reversed", "all alike"])
def test_command_refuses_it_in_one_line_and_exits_with_2(kind: str, tmp_path: Path) -> None:
    (tmp_path / "ann.sgf").write_text(USUAL, "utf-8")
    result = run(
        "stats", str(tmp_path / "ann.sgf"), "--met", written(tmp_path, IMPOSSIBLE[kind][0])
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
