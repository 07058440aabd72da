"""Wrong arguments of the library are refused at the door, by an error that says what is
expected."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import reconcile
from reconcile import ReconcileError
from reconcile.match.met import load_met
from reconcile.rules.rulesets import rule_set
from tests.support.several import bundled_sgf, bundled_xg

HERE = Path("somewhere")
PROJECT = Path(__file__).parents[2]
NORA = "Nora Lindqvist"
lib: Any = reconcile
"""The library, for whoever has no type checker."""
WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "file that is none": (
        lambda: lib.load_match(None),
        "path: expected a path, bytes, or a stream opened for reading bytes",
    ),
    "statistics of a path": (
        lambda: lib.statistics("a.xg"),
        "match: expected a match, as load_match returns it, found 'a.xg'",
    ),
    "rules by number": (
        lambda: lib.statistics(bundled_xg(), 4),
        "rules: expected the name of a rule set, the path of a .yaml file",
    ),
    "rules by a folder": (
        lambda: lib.statistics(bundled_xg(), HERE),
        "no rule set 'somewhere', expected one of",
    ),
    "table by number": (
        lambda: lib.statistics(bundled_xg(), met=5),
        "met: expected the name of a match equity table, or the path",
    ),
    "no figures": (
        lambda: lib.investigate(bundled_xg(), NORA, ()),
        "reported: expected figures by metric, as {'pr': '7.16'}",
    ),
    "seat by name": (
        lambda: lib.statistics(bundled_xg()).figures("Nora"),
        "seat: expected 0 for Nora Lindqvist or 1 for Tomas Beck",
    ),
    "seat by truth": (
        lambda: lib.statistics(bundled_xg()).completeness(True),
        "seat: expected 0 for ",
    ),
    "game before the first": (
        lambda: lib.statistics(bundled_xg()).figures(0, game=-1),
        "no game -1, expected one of 1, 2, 3, 4, 5",
    ),
    "player by seat": (
        lambda: lib.investigate(bundled_xg(), 0, {"pr": "7"}),
        "player: expected the name of a player, found 0",
    ),
    "game investigated": (
        lambda: lib.investigate(bundled_xg(), "Nora", {"pr": "7"}, game=0),
        "no game 0, expected one of 1, 2",
    ),
    "candidates as text": (
        lambda: lib.validate(HERE, candidates="./"),
        "candidates: expected a list of paths, found './'",
    ),
    "pack by number": (lambda: lib.validate(3), "pack: expected the path of a folder, found 3"),
    "tolerances by name": (
        lambda: lib.validate(HERE, "documented"),
        "tolerances: expected tolerances, as load_tolerances",
    ),
    "tolerances by number": (
        lambda: lib.load_tolerances(3),
        "path: expected the path of a file, found 3",
    ),
    "tolerance by short name": (
        lambda: lib.load_tolerances().table("documented").of("PR"),
        "no metric 'PR'; did you mean pr",
    ),
}


TABLE = {"name": "ours", "pre_crawford": [[0.5, 0.68], [0.32, 0.5]], "post_crawford": [0.5, 0.48]}
WRONG |= {
    "table without figures": (
        lambda: load_met({"name": "ours"}),
        "met: expected a name and the tables pre_crawford and post_crawford",
    ),
    "table of words": (
        lambda: load_met({**TABLE, "post_crawford": ["a", "b"]}),
        "met: post_crawford: expected a row of 1 to 64 chances",
    ),
    "table of another size": (
        lambda: load_met({**TABLE, "post_crawford": [0.5]}),
        "as many rows and columns of pre_crawford as figures",
    ),
    "table nobody has": (
        lambda: load_met({**TABLE, "pre_crawford": [[0.5, 0.9], [0.32, 0.5]]}),
        "since the opponent has",
    ),
    "rules of no answers": (
        lambda: rule_set({"answers": {}}),
        "rules: answers: expected an answer to every question, or `extends`",
    ),
    "rules of unknown answers": (
        lambda: rule_set({"extends": "xg", "answers": {"Q04": "maybe"}}),
        "rules: answers: Q04: ",
    ),
    "rules of other keys": (lambda: rule_set({"extend": "xg"}), "rules: extend"),
}


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
    "a path": HERE,
    "a function": len,
}
PACK = PROJECT / "reference_matches" / "demonstration"
CALLS: dict[str, tuple[Callable[[Any], Any], set[str]]] = {
    "compare left": (lambda odd: lib.compare(odd, bundled_sgf()), set()),
    "compare right": (lambda odd: lib.compare(bundled_xg(), odd), set()),
    "compare aliases": (lambda odd: compared(aliases=odd), {"an empty tuple"}),
    "compare left_rules": (lambda odd: compared(left_rules=odd), {"nothing"}),
    "compare match": (lambda odd: compared(match=odd), {"nothing", "a word"}),
    "compare met": (lambda odd: compared(met=odd), {"nothing"}),
    "compare need_verdict": (lambda odd: compared(need_verdict=odd), {"truth"}),
    "compare player": (lambda odd: compared(player=odd), {"nothing"}),
    "compare table": (lambda odd: compared(table=odd), set()),
    "compare today": (lambda odd: compared(today=odd), {"nothing"}),
    "compare tolerances": (lambda odd: compared(tolerances=odd), {"nothing"}),
    "compare usual": (lambda odd: compared(usual=odd), {"nothing", "a list", "an empty tuple"}),
    "investigate figures": (
        lambda odd: lib.investigate(bundled_xg(), NORA, odd),
        {"an empty tuple"},
    ),
    "investigate match": (lambda odd: lib.investigate(odd, NORA, {"pr": "7"}), set()),
    "investigate program": (
        lambda odd: lib.investigate(bundled_xg(), NORA, {"pr": "7"}, program=odd),
        {"nothing"},
    ),
    "load_match": (lambda odd: lib.load_match(odd), set()),
    "open_archive": (lambda odd: lib.open_archive(odd), set()),
    "review": (lambda odd: lib.review(odd), set()),
    "review of two": (lambda odd: lib.review(bundled_xg(), odd), set()),
    "review rules": (lambda odd: lib.review(bundled_xg(), bundled_sgf(), rules=odd), {"nothing"}),
    "tolerance of": (lambda odd: lib.load_tolerances().table("documented").of(odd), set()),
    "tolerances of": (lambda odd: lib.load_tolerances().table(odd), set()),
    "validate aliases": (lambda odd: lib.validate(PACK, aliases=odd), {"an empty tuple"}),
    "validate candidates": (lambda odd: lib.validate(PACK, candidates=odd), {"an empty tuple"}),
    "validate command": (lambda odd: lib.validate(PACK, command=odd), {"nothing", "a word"}),
    "validate pack": (lambda odd: lib.validate(odd), {"nothing"}),
    "validate progress": (lambda odd: lib.validate(PACK, progress=odd), {"a function"}),
    "validate today": (lambda odd: lib.validate(PACK, today=odd), {"nothing"}),
}
"""By argument a call with it, and the odd values that are right for it."""


@cache
def short() -> Any:
    """A small match, which is compared with itself."""
    return lib.load_match(lib.samples()["alice-bob-3pt-2ply.sgf"])


def compared(**options: Any) -> Any:
    return lib.compare(short(), short(), **options)


@pytest.mark.parametrize("name", CALLS)
def test_every_odd_value_of_an_argument_is_refused(name: str) -> None:
    call, right = CALLS[name]
    assert right < ODD.keys()
    for odd in ODD.keys() - right:
        with pytest.raises(ReconcileError):
            call(ODD[odd])


def test_analysis_of_a_review_is_named_by_its_index() -> None:
    reviewed: Any = lib.review(bundled_xg(), bundled_sgf())
    assert reviewed.walk(0, -1) == reviewed.walk(0, 1)
    for odd in (None, 2, -3, 1.0, True, "0", [0]):
        for method in (reviewed.walk, reviewed.pair):
            with pytest.raises(
                ReconcileError, match="analysis: expected the index of an analysis, 0 to 1, found"
            ):
                method(0, odd)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_argument_is_refused_with_what_is_expected(name: str) -> None:
    call, words = WRONG[name]
    with pytest.raises(ReconcileError) as refused:
        call()
    assert words in str(refused.value)


def test_paths_are_accepted_where_names_of_files_are(tmp_path: Path) -> None:
    rules = tmp_path / "ours.yaml"
    rules.write_text("schema_version: 1\nname: ours\nextends: gnubg\nanswers: {}\n")
    assert rule_set(rules).answers == rule_set("gnubg").answers
    with pytest.raises(ReconcileError, match=r"none\.xml"):
        load_met(tmp_path / "none.xml")


def test_game_is_named_by_its_number() -> None:
    result = reconcile.statistics(bundled_sgf())
    frame: Any = result.to_frame(per_game=True)
    for number in (1, 3, 5):
        assert result.figures(0, game=number)["pr"] == frame.loc[(number, "pr")].iloc[0]
    assert result.completeness(1, game=5)["checker"].expected == sum(
        (bundled_sgf().plays.game == 4)
        & (bundled_sgf().plays.player == 1)
        & (bundled_sgf().plays.validity == 0)
    )


def test_rules_and_tables_are_made_from_mappings() -> None:
    mine = rule_set({"name": "mine", "extends": "xg", "answers": {"Q09": "x1"}})
    assert (mine.name, mine.answers) == ("mine", {**rule_set("xg").answers, "Q09": "x1"})
    even = load_met(TABLE)
    assert float(even.chance(1, 2, False)) == pytest.approx(0.68)
    assert float(even.chance(2, 1, True)) == pytest.approx(0.48)
    result = reconcile.statistics(bundled_xg(), {"extends": "xg"})
    assert result.figures(0) == reconcile.statistics(bundled_xg(), "xg").figures(0)
