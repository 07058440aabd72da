"""Figures of printed equities: bounds that hold against the whole equities of the same analysis,
and decisions left open as a range."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reconcile.formats import load_match
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.results.statistics import statistics_document
from reconcile.scoring.findings import findings_of
from reconcile.scoring.open_rules import extremes, is_printed, open_range, undecided
from reconcile.scoring.open_words import digits_in_words
from reconcile.scoring.statistics import statistics

FOLDER = Path(__file__).parents[1] / "formats" / "gnubg_text"


@pytest.fixture(scope="module")
def text() -> Match:
    return load_match(FOLDER / "evening.txt")


def with_a_close_call(match: Match) -> Match:
    """The same where the first turn without a double lies at the border of a close one, so that its
    last digit decides."""
    cubes = match.cubes
    row = int(np.flatnonzero((cubes.kind == Kind.NO_DOUBLE) & cubes.analysed)[0])
    no_double, double_take = cubes.no_double.copy(), cubes.double_take.copy()
    no_double[row], double_take[row] = 0.5, 0.3401
    return replace(match, cubes=cubes.replaced(no_double=no_double, double_take=double_take))


def test_only_printed_equities_leave_anything_open(text: Match) -> None:
    match = load_match(FOLDER / "evening.sgf")
    assert is_printed(text)
    assert not is_printed(match)
    assert list(digits_in_words(statistics(match))) == []
    assert extremes(statistics(match).scored) == ()
    assert "printed-digits" not in [finding.code for finding in findings_of(statistics(match))]


def test_sums_lie_within_the_stated_bound_of_the_whole_equities(text: Match) -> None:
    first, second = statistics(text), statistics(load_match(FOLDER / "evening.sgf"))
    for seat, words in digits_in_words(first):
        bound = float(words.partition(" within ")[2].partition(" EMG")[0])
        assert 0 < bound < 0.01
        lost = [each.figures(seat)["equity_error.total"] for each in (first, second)]
        assert lost[0] == pytest.approx(lost[1], abs=bound + 0.0005)
    assert [
        finding.severity for finding in findings_of(first) if finding.code == "printed-digits"
    ] == ["info", "info"]


def test_a_decision_at_the_border_is_a_range(text: Match) -> None:
    scored = statistics(with_a_close_call(text))
    assert int(undecided(scored.scored).sum()) == 1
    seat = int(scored.scored.player[undecided(scored.scored)][0])
    ranges = open_range(scored).figures
    low, high = ranges[seat]["decisions.double"]
    assert (high - low, ranges[1 - seat]) == (1, {})
    assert scored.figures(seat)["decisions.double"] in (low, high)
    assert ranges[seat]["pr"][0] < ranges[seat]["pr"][1]
    (words,) = [words for each, words in digits_in_words(scored) if each == seat]
    assert "one decision counts (game 1 turn 2) or not by a digit that is not printed" in words


def test_no_rule_is_called_open_where_only_a_digit_is(text: Match) -> None:
    scored = statistics(with_a_close_call(text))
    assert open_range(scored).codes == ()
    assert "open-rule" not in [finding.code for finding in findings_of(scored)]
    players = statistics_document(scored).players
    assert [player.open_rules for player in players if player.range is not None] == [()]
