"""What the library has beside the functions of one match: results as text, pooled figures, samples
and lists of names."""

import shutil

import pytest

import reconcile as lib
from tests.support.command_line import ERROR, run
from tests.support.gnubg import needs_gnubg
from tests.support.long import long_but_first


def twice(folder):
    """Two files of a small match."""
    each, two = (
        str(shutil.copy(lib.samples()["alice-bob-3pt-2ply.sgf"], folder / f"{name}.sgf"))
        for name in ("one", "two")
    )
    return each, two


@pytest.mark.parametrize("number", long_but_first(range(4), 1))
def test_results_are_written_as_the_command_line_writes_them(number, tmp_path):
    each, two = twice(tmp_path)
    left, right = lib.load_match(each), lib.load_match(two)
    make, line = (
        (lambda: lib.statistics(left, "xg", "g11"), "stats ONE --rules xg --met g11"),
        (lambda: lib.compare(left, right, right_rules="xg"), "compare ONE TWO --right-rules xg"),
        (lambda: lib.review(left, right, right), "compare ONE TWO TWO"),
        (
            lambda: lib.investigate(left, "Alice", {"pr": "31.7"}),
            "investigate ONE --player Alice --reported pr=31.7",
        ),
    )[number]
    html, written = tmp_path / "out.html", tmp_path / "out.json"
    words = [{"ONE": each, "TWO": two}.get(word, word) for word in line.split()]
    json = ("--format", "json", "-o") if words[0] == "stats" else ("--json",)
    assert run(*words, "--html", html).exit_code != ERROR
    assert run(*words, *json, written).exit_code != ERROR
    result = make()
    assert lib.to_html(result) == html.read_text("utf-8")
    assert lib.to_json(result) == written.read_text("utf-8")


@needs_gnubg
def test_a_match_is_written_and_analysed_as_by_the_commands(tmp_path, monkeypatch):
    monkeypatch.setenv("RECONCILE_CACHE", str(tmp_path))
    match = lib.load_match(twice(tmp_path)[0])
    lib.convert(match, tmp_path / "a.mat")
    assert run("convert", tmp_path / "one.sgf").stdout == (tmp_path / "a.mat").read_bytes().decode()
    assert lib.analyse(lib.load_match(tmp_path / "a.mat"), plies=0).source.tool == "GNU Backgammon"


def test_no_match_cannot_be_pooled():
    with pytest.raises(lib.ReconcileError, match="expected a list of Statistics, at least one"):
        lib.pool([])


def test_names_that_are_listed_are_those_that_are_taken():
    match = lib.load_match(next(iter(lib.samples().values())))
    assert all(lib.statistics(match, name).rules.name == name for name in lib.rule_sets())
    assert all(
        lib.statistics(match, met=name).scored.met.name == name for name in lib.equity_tables()
    )
    assert set(lib.metrics()) == set(lib.statistics(match).figures(0))
