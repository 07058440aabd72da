"""Figures over many matches: sums over sums, names put together, intervals that tell how little is
known."""

from dataclasses import replace
from operator import itemgetter
from pathlib import Path

import pytest

from reconcile.errors import InvalidConfiguration
from reconcile.formats import load_match
from reconcile.match.match import Level
from reconcile.match.names import NO_ALIASES, Aliases, load_aliases
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.pool import match_intervals, pool
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.data import cases
from tests.support.hand_made import match_from, ruled
from tests.support.loaded import loaded
from tests.support.tables import cases_of

PACK = Path(__file__).parents[2] / "reference_matches"
FIVE_GAMES = PACK / "gnubg-11pt-cube-rich" / "ann-ben-11pt-cube-rich.sgf"
SEVEN = PACK / "gnubg-7pt-0ply" / "alice-bob-7pt-0ply.sgf"
THREE = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
DEMONSTRATION = PACK / "demonstration" / "nora-lindqvist-tomas-beck.xg"
NOBODY = Aliases(schema_version=1, players={})


def scored(*paths):
    return [statistics(load_match(path)) for path in paths]


def of(pooled, name):
    return next(person for person in pooled if person.name == name)


def check_pool_of_one(match, rules):
    first = statistics(match, rules)
    pooled, undecided = pool([first], NOBODY), open_range(first)
    for seat, name in enumerate(match.players):
        figures = of(pooled, name)
        assert figures.figures == first.figures(seat)
        assert figures.ranges == undecided.figures[seat]
        assert figures.open_rules == undecided.by_player[seat]
        assert figures.completeness == first.completeness(seat)


@pytest.mark.parametrize(
    "path",
    [SEVEN, THREE, DEMONSTRATION, *cases("bgblitz/bgf/*.bgf", "real/*.xg", "gnubg/*.sgf", short=3)],
)
def test_pool_of_one_match_has_exactly_the_figures_of_the_match(path):
    for rules in some(RULE_SETS):
        check_pool_of_one(loaded(path), rules)


def test_rates_are_sums_over_sums_and_no_means():
    together = Aliases(schema_version=1, players={"Alice": ("Alice m04", "Alice m26")})
    files = scored(SEVEN, THREE)
    alice = of(pool(files, together), "Alice")
    parts = [side.figures(0) for side in files]
    lost = sum(part["equity_error.total"] or 0 for part in parts)
    decisions = sum(part["decisions.counted"] or 0 for part in parts)
    assert (alice.matches, alice.games) == (2, sum(len(side.match.games) for side in files))
    assert alice.figures["pr"] == pytest.approx(500 * lost / decisions)
    assert alice.figures["pr"] != pytest.approx(sum(part["pr"] or 0 for part in parts) / 2)


def test_different_rule_sets_are_never_put_together():
    files = [statistics(load_match(SEVEN), rules) for rules in ("gnubg", "blunderdb")]
    assert [(person.name, person.rules, person.matches) for person in pool(files, NOBODY)] == [
        (name, rules, 1) for name in ("Alice m04", "Bob m04") for rules in ("blunderdb", "gnubg")
    ]


def test_name_variant_of_two_people_is_refused(tmp_path):
    file = tmp_path / "names.yaml"
    file.write_text('schema_version: 1\nplayers:\n  Ann: ["A."]\n  Abe: ["a."]\n', "utf-8")
    with pytest.raises(InvalidConfiguration, match=r"names.yaml:2: players: .*belongs to both"):
        load_aliases(str(file))


def test_single_match_has_the_interval_of_a_pool_of_it_which_holds_the_rate_every_time():
    (match,) = scored(FIVE_GAMES)
    for seat, name in some(enumerate(match.match.players)):
        pooled, again = (of(pool(each, NOBODY), name) for each in ([match], scored(FIVE_GAMES)))
        assert match_intervals(match, seat) == pooled.intervals == again.intervals
        low, high = pooled.intervals["pr"]
        assert low < (match.figures(seat)["pr"] or 0) < high


def test_rate_that_a_program_does_not_have_has_no_interval():
    assert set(match_intervals(statistics(load_match(FIVE_GAMES), "snowie4"), 0)) == {"snowie_er"}


@pytest.mark.parametrize("case", cases_of(__file__, "pools"), ids=itemgetter("claim"))
def test_pool_of_matches_made_by_hand(case):
    levels = (Level("2-ply", 2.0),)
    matches = [replace(match_from(each), levels=levels) for each in case["matches"]]
    for rules, parts in some(case["rules"].items()):
        files = [statistics(match, ruled(rules)) for match in matches * case.get("times", 1)]
        ann, *_ = pool(files, NO_ALIASES)
        for part, expected in some(parts.items()):
            actual = getattr(ann, part)
            for name, value in expected.items() if isinstance(expected, dict) else ():
                near = value if value is None else pytest.approx(value)
                assert actual.get(name) == near, (rules, name)
            if not isinstance(expected, dict):
                assert actual == (tuple(expected) if isinstance(expected, list) else expected)
