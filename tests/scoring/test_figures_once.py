"""A figure's formula stands in `scoring/figures.py` and nowhere else, so that no copy of it can
drift."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from docs.making.architecture import LAYERS, PACKAGE
from reconcile.formats import load_match
from reconcile.scoring import figures
from reconcile.scoring.figures import FIGURES, totals_of
from reconcile.scoring.metrics import METRICS, by_player, figures_of
from reconcile.scoring.statistics import result_of, statistics
from tests.support.sources import trees

DEMONSTRATION = (
    Path(__file__).parents[2]
    / "reference_matches"
    / "demonstration"
    / "nora-lindqvist-tomas-beck.sgf"
)
HOME = Path(figures.__file__)
BELOW = frozenset(
    name
    for row in LAYERS[: next(height for height, row in enumerate(LAYERS) if "scoring" in row)]
    for name in row
)
"""What cannot know our figures: adapters read those that other programs print or store."""
OWN_ARITHMETIC = {
    "scoring/rates.py": "the interval of any rate, from moments",
    "engines/selfcheck.py": "how far gnuBG's own table may be off",
    "gap/walk.py": "what a bridge is made of, and how a rate is shared among decisions",
    "gate/candidates/differing.py": "by what factor a program's errors are off",
    "gate/candidates/listed.py": "how far a rate may be off by what the decisions of a list are",
    "report/html/browser.py": "the thousandths that a page is given",
    "report/html/decisions.py": "the thousandths that a page is given",
    "report/html/decision_list.py": "the thousandths that a page is given",
    "report/html/first_screen.py": "a border of size in the address of a choice",
    "report/html/curve.py": "the place of a decision on the axis",
    "infer/figure_changes.py": "mistakes of programs, which are formulas as well",
    "infer/transformations.py": "a figure in another unit",
    "scoring/gnubg_table.py": "gnuBG's table under its own names, in its order and precision",
}
FACTORS = {500, 1000, 2000}
CONSTANTS = {"PR_FACTOR", "MEMG_FACTOR", "STEEPNESS", "STEEPEST", "ELO_SCALE", "ELO_PER_POINT"}
NUMBERS = {"counted", "decisions", "moves", "unforced", "both", "rolls", "number"}
"""Words for what a rate is divided by."""


def formulas(tree: ast.Module) -> Iterator[str]:
    """What looks like a formula of a figure: a factor of one, or a division by a number of
    decisions, moves or rolls."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom | ast.Name | ast.Attribute):
            names = {each.name for each in getattr(node, "names", ())} | {
                getattr(node, "id", ""),
                getattr(node, "attr", ""),
            }
            yield from (f"line {node.lineno}: {name}" for name in names if name in CONSTANTS)
        if (
            not isinstance(node, ast.BinOp)
            or not isinstance(node.op, ast.Mult | ast.Div)
            or isinstance(node.right, ast.JoinedStr | ast.IfExp)
        ):
            continue  # a path is joined like a division
        sides = {ast.unparse(node.left), ast.unparse(node.right)}
        by = (
            set(re.findall(r"[a-z]+", ast.unparse(node.right)))
            if isinstance(node.op, ast.Div)
            else set()
        )
        has_factor = any(
            isinstance(side, ast.Constant) and side.value in FACTORS
            for side in (node.left, node.right)
        )
        if has_factor or by & NUMBERS or any(side.endswith(".factor") for side in sides):
            yield f"line {node.lineno}: {ast.unparse(node)}"


def test_no_formula_stands_elsewhere() -> None:
    result = {
        name: [*formulas(tree)]
        for path, tree in trees().items()
        if (name := path.relative_to(PACKAGE).as_posix())
        and path != HOME
        and name.partition("/")[0].removesuffix(".py") not in BELOW
    }
    assert {
        "corpus/rows.py",
        "infer/answer_grid.py",
        "scoring/pool.py",
        "scoring/statistics.py",
    } <= result.keys()
    assert {name for name, lines in result.items() if lines} - OWN_ARITHMETIC.keys() == set(), (
        result
    )
    assert OWN_ARITHMETIC.keys() == {name for name in OWN_ARITHMETIC if result[name]}, (
        "an exception that is no longer needed"
    )


@pytest.mark.parametrize(
    "source",
    [
        "pr = 500 * lost / counted",
        "pr = 500.0 * (lost / n)",
        "memg = lost * 1000 / n",
        "snowie = error.sum() / moves.sum()",
        "rate = f * total / np.where(decisions > 0, decisions, nan)",
        "rate = METRICS['pr'].factor * lost / n",
        "from reconcile.scoring.figures import PR_FACTOR",
        "pr = figures.PR_FACTOR",
        "elo = 2000 / math.sqrt(length) * odds",
        "luck = net / sums['rolls with luck']",
    ],
)
def test_formula_written_again_is_seen(source: str) -> None:
    assert [*formulas(ast.parse(source))]


def test_every_figure_has_one_formula_and_one_name() -> None:
    assert len(FIGURES) == len(METRICS) > 0
    assert [figure.name for figure, _ in FIGURES] == list(METRICS)


@pytest.mark.parametrize("rules", ["xg", "gnubg", "snowie4"])
def test_figures_of_many_owners_are_to_the_last_bit_those_of_each(rules: str) -> None:
    ours = statistics(load_match(str(DEMONSTRATION)), rules)
    games = len(ours.match.games)
    both_ways = {name: np.stack((table, table[::-1])) for name, table in ours.sums.games.items()}
    sums = totals_of(both_ways, ours.rules, is_money=False, one_point=np.zeros((2, games, 1), bool))
    result = figures_of(sums)
    assert games > 1
    for name, values in result.items():
        for seat in (0, 1):
            side = np.array([ours.figures_at(seat, game)[name] for game in range(games)], float)
            assert np.array_equal(
                values[:, :, seat], np.stack((side, side[::-1])), equal_nan=True
            ), name


@pytest.mark.parametrize("rules", ["xg", "gnubg", "snowie4"])
def test_figures_from_plain_numbers_are_to_the_last_bit_those_from_arrays(rules: str) -> None:
    ours = statistics(load_match(str(DEMONSTRATION)), rules)
    result = {name: np.array(value) for name, value in result_of(ours.match).items()}
    arrays = by_player(
        figures_of(
            totals_of(ours.sums.match, ours.rules, is_money=False, one_point=False, **result)
        )
    )
    assert [repr(ours.figures(seat)) for seat in (0, 1)] == [repr(side) for side in arrays]
