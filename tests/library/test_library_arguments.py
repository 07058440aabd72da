"""Wrong arguments of the library are refused at the door, by an error that says what is
expected."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import reconcile
from reconcile import ReconcileError
from reconcile.match.met import load_met
from reconcile.rules.rulesets import rule_set
from tests.support.command_line import PACK
from tests.support.several import bundled_sgf, bundled_xg
from tests.support.tables import cases_of

lib: Any = reconcile
"""The library, for whoever has no type checker."""
TABLE = {"name": "ours", "pre_crawford": [[0.5, 0.68], [0.32, 0.5]], "post_crawford": [0.5, 0.48]}
ODD: dict[str, Any] = {
    "nothing": None,
    "a number": 3,
    "below 0": -1,
    "a part": 2.5,
    "truth": True,
    "a word": "nobody",
    "bytes": b"x",
    "a list": [1],
    "a mapping": {"a": 1},
    "an empty tuple": (),
    "an object": object(),
    "a path": Path("somewhere"),
    "a function": len,
}


def short():
    """A small match, which is compared with itself."""
    return lib.load_match(lib.samples()["alice-bob-3pt-2ply.sgf"])


def function(name):
    """A function of the library, or a method of what it returns."""
    more: dict[str, Callable[[], Any]] = {
        "decision": lambda: bundled_xg().decision,
        "figure_of": lambda: lambda name: lib.statistics(bundled_xg()).figures(0)[name],
        "figures": lambda: lib.statistics(bundled_xg()).figures,
        "completeness": lambda: lib.statistics(bundled_xg()).completeness,
        "investigated_game": lambda: (
            lambda number: lib.investigate(bundled_xg(), "Nora", {"pr": "7"}, game=number)
        ),
        "validated_candidates": lambda: lambda paths: lib.validate(PACK, candidates=paths),
        "review": lambda: lambda left, right, **rules: lib.review(left, right, **rules),
        "tolerance": lambda: lib.load_tolerances().table("documented").of,
        "tolerance_table": lambda: lib.load_tolerances().table,
        "load_met": lambda: load_met,
        "changed_table": lambda: lambda change: load_met(TABLE | change),
        "rule_set": lambda: rule_set,
    }
    public: Callable[..., Any] = more.get(name, partial(getattr, lib, name))()
    return public


@pytest.mark.parametrize(("name", "arguments", "words"), cases_of(__file__, "refused"))
def test_wrong_argument_is_refused_with_what_is_expected(name, arguments, words):
    with pytest.raises(ReconcileError) as refused:
        function(name)(*(bundled_xg() if value == "XG" else value for value in arguments))
    assert words in str(refused.value)


@pytest.mark.parametrize(("name", "argument", "right"), cases_of(__file__, "odd"))
def test_every_odd_value_of_an_argument_is_refused(name, argument, right):
    usual: dict[str, dict[str, Any]] = {
        "compare": {"left": short(), "right": short()},
        "investigate": {"match": bundled_xg(), "player": "Nora", "reported": {"pr": "7"}},
        "review": {"left": bundled_xg(), "right": bundled_sgf()},
        "validate": {"pack": PACK / "demonstration"},
    }
    assert {*right} < ODD.keys()
    for odd in ODD.keys() - {*right}:
        with pytest.raises(ReconcileError):
            function(name)(**(usual.get(name, {}) | {argument: ODD[odd]}))


def test_analysis_of_a_review_is_named_by_its_index():
    reviewed: Any = lib.review(bundled_xg(), bundled_sgf())
    assert reviewed.walk(0, -1) == reviewed.walk(0, 1)
    for odd in (None, 2, -3, 1.0, True, "0", [0]):
        for method in (reviewed.walk, reviewed.pair):
            with pytest.raises(ReconcileError, match="analysis: expected the index of an analysis"):
                method(0, odd)


def test_paths_are_accepted_where_names_of_files_are(tmp_path):
    rules = tmp_path / "ours.yaml"
    rules.write_text("schema_version: 1\nname: ours\nextends: gnubg\nanswers: {}\n")
    assert rule_set(rules).answers == rule_set("gnubg").answers
    with pytest.raises(ReconcileError, match=r"none\.xml"):
        load_met(tmp_path / "none.xml")


def test_game_is_named_by_its_number():
    result, plays = reconcile.statistics(bundled_sgf()), bundled_sgf().plays
    frame: Any = result.to_frame(per_game=True)
    for number in (1, 3, 5):
        assert result.figures(0, game=number)["pr"] == frame.loc[(number, "pr")].iloc[0]
    own = (plays.game == 4) & (plays.player == 1) & (plays.validity == 0)
    assert result.completeness(1, game=5)["checker"].expected == sum(own)


def test_rules_and_tables_are_made_from_mappings():
    mine = rule_set({"name": "mine", "extends": "xg", "answers": {"Q09": "x1"}})
    assert (mine.name, mine.answers) == ("mine", {**rule_set("xg").answers, "Q09": "x1"})
    even = load_met(TABLE)
    assert float(even.chance(1, 2, False)) == pytest.approx(0.68)
    assert float(even.chance(2, 1, True)) == pytest.approx(0.48)
    result = reconcile.statistics(bundled_xg(), {"extends": "xg"})
    assert result.figures(0) == reconcile.statistics(bundled_xg(), "xg").figures(0)
