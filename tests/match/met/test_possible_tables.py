"""Tables that no match can have are refused with their place, and those that people play by are not."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import reconcile
from reconcile.errors import UnreadableFile
from reconcile.match.met import load_met, met_names
from tests.match.met.table_files import POST, THREE_POINTS, Rows, explicit_post, explicit_pre, parametric_post, parametric_pre, table_xml
from tests.support.command_line import run
from tests.support.small_files import USUAL

FLAT: Rows = [[0.5] * 3] * 3
UPSIDE_DOWN: Rows = THREE_POINTS[::-1]
FALLING_ONLY = "expected a chance not"


def explicit(rows: Rows = THREE_POINTS, *post: str) -> str:
    return table_xml(len(rows), explicit_pre(rows), *(post or (explicit_post(POST),)))


def three_points(*chances: float) -> Rows:
    """A table of three points with these chances above its diagonal."""
    one_two, one_three, two_three = chances
    return [[0.5, one_two, one_three], [1 - one_two, 0.5, two_three], [1 - one_three, 1 - two_three, 0.5]]


def written(folder: Path, content: str) -> str:
    path = folder / "made.xml"
    path.write_text(content, "utf-8")
    return str(path)


IMPOSSIBLE = {
    "rows reversed": (
        explicit(UPSIDE_DOWN),
        r"pre-Crawford table: row 2, figure 1: expected a chance not higher than 0.25, .* found 0.32;",
    ),
    "columns reversed": (explicit([row[::-1] for row in THREE_POINTS]), r"row 2, figure 3: expected a chance not higher|row 1, figure 2"),
    "all alike": (explicit(FLAT, explicit_post([0.5, 0.5, 0.5])), r"row 2, figure 2: expected the player to have more after winning"),
    "a better chance a point further": (explicit([[0.5, 0.68, 0.66], [0.32, 0.5, 0.6], [0.34, 0.4, 0.5]]), "row 3, figure 1"),
    "the opponent closer and worse off": (
        explicit([[0.5, 0.68, 0.67], [0.32, 0.5, 0.6], [0.3, 0.4, 0.5]]),
        "row 1, figure 3: .* not lower",
    ),
    "sums of more than 1": (explicit([[0.5, 0.70, 0.75], [0.32, 0.5, 0.6], [0.25, 0.4, 0.5]]), r"row 1, figure 2: expected 0.68, since"),
    "an even score that is not even": (
        explicit([[0.55, 0.68, 0.75], [0.32, 0.5, 0.6], [0.25, 0.4, 0.5]]),
        "row 1, figure 1: expected 0.45",
    ),
    "trailers reversed": (explicit(THREE_POINTS, explicit_post(POST[::-1])), "post-Crawford table both: figure 2: .* not higher than 0.3"),
    "a trailer without a chance": (
        explicit(THREE_POINTS, explicit_post([0.5, 0.0])),
        "post-Crawford table: expected chances between 0 and 1",
    ),
    "trailers' even score": (explicit(THREE_POINTS, explicit_post([0.6, 0.4])), "post-Crawford table: figure 1: .* found 1.2"),
    "one player's trailers": (
        explicit(THREE_POINTS, explicit_post(POST, "0"), explicit_post([0.5, 0.51], "1")),
        "post-Crawford table 1: figure 2: expected a chance not higher than 0.5",
    ),
    "unequal players' even score": (explicit(THREE_POINTS, explicit_post([0.6, 0.4], "0"), explicit_post(POST, "1")), "found 1.1;"),
    "a free drop of everything": (
        table_xml(-1, parametric_pre("zadeh"), parametric_post("zadeh", free_drop_2_away=1)),
        r"post-Crawford table: expected chances between 0 and 1 at every score, found -0.5",
    ),
}


POSSIBLE = {
    "rounded to tenths of a percent": explicit([[0.5, 0.682, 0.75], [0.32, 0.5, 0.6], [0.25, 0.4, 0.5]]),
    "equal neighbours": explicit(three_points(0.68, 0.68, 0.6)),
    "unequal players": explicit(
        [[0.6, 0.7, 0.8], [0.4, 0.6, 0.7], [0.3, 0.5, 0.6]], explicit_post([0.52, 0.5], "0"), explicit_post([0.48, 0.46], "1")
    ),
    "a decided match": explicit(three_points(0.996, 0.999, 0.995)),
    "a match decided at all scores but even ones": explicit(
        [[0.5 if a == b else 0.999 if a < b else 0.001 for b in range(4)] for a in range(4)]
    ),
    "one point": table_xml(1, explicit_pre([[0.5]]), explicit_post([])),
}


@pytest.mark.parametrize("kind", POSSIBLE)
def test_possible_table_is_read(kind: str, tmp_path: Path) -> None:
    assert load_met(written(tmp_path, POSSIBLE[kind])).explicit_length in (1, 3, 4)


def listed(name: str) -> str:
    """The XML of one of our own tables."""
    file = json.loads((Path(reconcile.__file__).parent / "match" / "met" / "tables" / f"{name}.json").read_text("utf-8"))
    rows, post = file["pre_crawford"], file["post_crawford"]
    if isinstance(rows, dict):
        trailers = [parametric_post(str(table["type"]), player) for player, table in post.items()]
        return table_xml(-1, parametric_pre(str(rows["type"])), *trailers)
    return table_xml(len(rows), explicit_pre(rows), *(explicit_post(figures, player) for player, figures in post.items()))


@pytest.mark.parametrize("name", met_names())
def test_bundled_table_is_possible(name: str, tmp_path: Path) -> None:
    assert np.array_equal(load_met(written(tmp_path, listed(name))).listed, load_met(name).listed)


@pytest.mark.parametrize("name", ["jac050", "ortega", "woolsey"])
def test_shipped_table_upside_down_is_not(name: str, tmp_path: Path) -> None:
    file = json.loads((Path(reconcile.__file__).parent / "match" / "met" / "tables" / f"{name}.json").read_text("utf-8"))
    rows: Sequence[Sequence[float]] = file["pre_crawford"][::-1]
    with pytest.raises(UnreadableFile, match=FALLING_ONLY):
        load_met(written(tmp_path, table_xml(len(rows), explicit_pre(rows), explicit_post([*POST, *[0.2] * len(rows)]))))


@pytest.mark.parametrize("kind", ["rows reversed", "all alike"])
def test_command_refuses_it_in_one_line_and_exits_with_2(kind: str, tmp_path: Path) -> None:
    (tmp_path / "ann.sgf").write_text(USUAL, "utf-8")
    result = run("stats", str(tmp_path / "ann.sgf"), "--met", written(tmp_path, IMPOSSIBLE[kind][0]))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1


def test_score_at_which_nothing_is_at_stake_has_no_equity_and_no_warning() -> None:
    from reconcile.match.met.equity import equity_of

    even = np.array([0.999, 0.999], np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(equity_of(np.array([0.999, 0.5], np.float32), even, even)).all()
