"""Figures over many matches: sums over sums, names put together, intervals that tell how little is
known."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.errors import InvalidConfiguration
from reconcile.files.aliases import Aliases, load_aliases
from reconcile.formats import load_match
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.pool import Pooled, match_intervals, pool
from reconcile.scoring.statistics import Statistics, statistics
from tests.support.claims import some
from tests.support.data import cases
from tests.support.loaded import loaded

PACK = Path(__file__).parents[2] / "reference_matches"
SEVEN = PACK / "gnubg-7pt-0ply" / "alice-bob-7pt-0ply.sgf"
THREE = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
DEMONSTRATION = PACK / "demonstration" / "nora-lindqvist-tomas-beck.xg"
NOBODY = Aliases(schema_version=1, players={})


def scored(*paths: Path) -> list[Statistics]:
    return [statistics(load_match(path)) for path in paths]


def of(pooled: tuple[Pooled, ...], name: str) -> Pooled:
    return next(person for person in pooled if person.name == name)


def check_pool_of_one(match: Match, rules: str) -> None:
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
def test_pool_of_one_match_has_exactly_the_figures_of_the_match(path: Path) -> None:
    for rules in some(RULE_SETS):
        check_pool_of_one(loaded(path), rules)


def test_rates_are_sums_over_sums_and_no_means() -> None:
    together = Aliases(schema_version=1, players={"Alice": ("Alice m04", "Alice m26")})
    files = scored(SEVEN, THREE)
    alice = of(pool(files, together), "Alice")
    parts = [side.figures(0) for side in files]
    lost = sum(part["equity_error.total"] or 0 for part in parts)
    decisions = sum(part["decisions.counted"] or 0 for part in parts)
    assert (alice.matches, alice.games) == (2, sum(len(side.match.games) for side in files))
    assert alice.figures["pr"] == pytest.approx(500 * lost / decisions)
    assert alice.figures["pr"] != pytest.approx(sum(part["pr"] or 0 for part in parts) / 2)


def test_different_rule_sets_are_never_put_together() -> None:
    files = [statistics(load_match(SEVEN), rules) for rules in ("gnubg", "blunderdb")]
    assert [(person.name, person.rules, person.matches) for person in pool(files, NOBODY)] == [
        ("Alice m04", "blunderdb", 1),
        ("Alice m04", "gnubg", 1),
        ("Bob m04", "blunderdb", 1),
        ("Bob m04", "gnubg", 1),
    ]


def test_name_variant_of_two_people_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "names.yaml"
    file.write_text('schema_version: 1\nplayers:\n  Ann: ["A."]\n  Abe: ["a."]\n', "utf-8")
    with pytest.raises(InvalidConfiguration, match=r"names.yaml:2: players: .*belongs to both"):
        load_aliases(str(file))


def test_single_match_has_the_interval_of_a_pool_of_it_which_holds_the_rate_every_time() -> None:
    (match,) = scored(SEVEN)
    for seat, name in some(enumerate(match.match.players)):
        pooled = of(pool([match], NOBODY), name)
        assert (
            match_intervals(match, seat)
            == pooled.intervals
            == of(pool(scored(SEVEN), NOBODY), name).intervals
        )
        assert pooled.resampled == "games"
        low, high = pooled.intervals["pr"]
        assert low < (match.figures(seat)["pr"] or 0) < high


def test_rate_that_a_program_does_not_have_has_no_interval() -> None:
    assert "snowie_er" in match_intervals(statistics(load_match(SEVEN), "snowie4"), 0)
    assert not {"pr", "error_rate_memg"} & set(
        match_intervals(statistics(load_match(SEVEN), "snowie4"), 0)
    )
