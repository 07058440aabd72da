"""The library as users meet it: its names, for people and for type checkers, and what importing it
costs."""

import subprocess
import sys

import pytest

import reconcile
from reconcile import errors
from tests.support.claims import some
from tests.support.command_line import SGF, XG
from tests.support.data import PROJECT

FUNCTIONS = """load_match statistics review compare investigate validate load_tolerances to_html
to_json pool samples metrics rule_sets equity_tables open_archive analyse build_archive
convert run_suite"""
TYPES = """Archive Match Statistics Review Comparison Investigation PackResult Tolerances
DecisionTable Figure Finding Met Pooled RuleSet"""
HEAVY = """pandas deepdiff jinja2 rich pydantic yaml click hypothesis duckdb pyarrow pooch dask
platformdirs"""
ERRORS = {
    name
    for name, each in vars(errors).items()
    if isinstance(each, type) and issubclass(each, errors.ReconcileError)
}


def imported_after(code):
    """The top modules that a fresh interpreter holds after running some code."""
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(' '.join(sys.modules))"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return {name.partition(".")[0] for name in ran.stdout.split()}


def test_public_names_are_listed_before_they_are_used():
    code = "import reconcile; assert set(dir(reconcile)) == set(reconcile.__all__); print()"
    assert "numpy" not in imported_after(code)
    assert set(dir(reconcile)) == {*FUNCTIONS.split(), *TYPES.split()} | ERRORS | {"__version__"}


def test_every_public_name_is_there_and_says_what_it_is():
    for name in some({*FUNCTIONS.split(), *TYPES.split()} | ERRORS):
        assert getattr(reconcile, name).__name__ == name
        assert getattr(reconcile, name).__doc__, name


def test_misspelt_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'reconcile' has no attribute 'comparee'"):
        getattr(reconcile, "comparee")  # noqa: B009  # a type checker refuses the other spelling


def test_nothing_heavy_is_imported_to_name_tolerances_and_to_load_and_score_a_match():
    files = f"map(reconcile.load_match, ({XG!r}, {SGF!r}))"
    scored = f"[GnubgTable(reconcile.statistics(match)).table(0) for match in {files}]"
    names = "import reconcile; reconcile.Tolerances, reconcile.load_tolerances"
    code = f"{names}; from reconcile.scoring.gnubg_table import GnubgTable; {scored}"
    assert imported_after(code) & {*HEAVY.split()} == set()
