"""The library as users meet it: its names, for people and for type checkers, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import reconcile
from reconcile import errors
from tests.support.data import PROJECT
from tests.support.interpreter import imported_after

FUNCTIONS = {"load_match", "statistics", "review", "compare", "investigate", "validate", "load_tolerances"}
FUNCTIONS |= {"to_html", "to_json", "pool", "samples", "metrics", "rule_sets", "equity_tables", "open_archive"}
TYPES = {"Archive", "Match", "Statistics", "Review", "Comparison", "Investigation", "PackResult", "Tolerances"}
TYPES |= {"DecisionTable", "Figure", "Finding", "Met", "Pooled", "RuleSet"}
ERRORS = {name for name, one in vars(errors).items() if isinstance(one, type) and issubclass(one, errors.ReconcileError)}
FILE = "reference_matches/demonstration/nora-lindqvist-tomas-beck.xg"


def test_public_names_are_listed_before_they_are_used() -> None:
    code = "import reconcile; assert set(dir(reconcile)) == set(reconcile.__all__), dir(reconcile); print()"
    assert "numpy" not in imported_after(code)
    assert set(dir(reconcile)) == FUNCTIONS | TYPES | ERRORS | {"__version__"}


@pytest.mark.parametrize("name", sorted(FUNCTIONS | TYPES | ERRORS))
def test_every_public_name_is_there_and_says_what_it_is(name: str) -> None:
    assert getattr(reconcile, name).__name__ == name
    assert getattr(reconcile, name).__doc__


def test_misspelt_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'reconcile' has no attribute 'comparee'"):
        getattr(reconcile, "comparee")  # noqa: B009  # a type checker refuses the other spelling


@pytest.mark.long
def test_type_checker_knows_every_name_and_refuses_a_misspelt_one(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    use = tmp_path / "use.py"
    names = sorted(FUNCTIONS | TYPES)
    use.write_text("import reconcile\n" + "".join(f"reveal_type(reconcile.{name})\n" for name in names) + "reconcile.comparee\n")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file=",
            "--follow-imports=silent",
            "--cache-dir",
            str(tmp_path / "cache"),
            str(use),
        ],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    *revealed, wrong, _ = done.stdout.splitlines()
    assert f'use.py:{len(names) + 2}: error: Module has no attribute "comparee"' in wrong, done.stdout
    assert len(revealed) == len(names)
    assert [line for line in revealed if '"Any"' in line or "note: Revealed type is" not in line] == []


def test_importing_loading_and_scoring_import_neither_pydantic_nor_pandas() -> None:
    for code in ("import reconcile", f"import reconcile; reconcile.statistics(reconcile.load_match({FILE!r})).figures(0)"):
        assert imported_after(code) & {"pydantic", "pandas", "yaml"} == set(), code


def test_tolerances_are_named_without_pydantic() -> None:
    assert "pydantic" not in imported_after("import reconcile; reconcile.Tolerances, reconcile.load_tolerances")
