"""What nobody outside a tool knows is a range: the figures under every answer that fits what is
known."""

import gc
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from weakref import ref

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from reconcile.formats import load_match
from reconcile.gap.verdict import gap_range
from reconcile.match.columns import Kind
from reconcile.match.tools import BGBLITZ, XG
from reconcile.results.statistics import statistics_document
from reconcile.rules.rulesets import rule_set
from reconcile.scoring.figures import METRICS
from reconcile.scoring.findings import digits_in_words, findings_of
from reconcile.scoring.open_rules import extremes, is_printed, known_values, open_range, undecided
from reconcile.scoring.score import with_dead_cubes
from reconcile.scoring.statistics import statistics
from tests.support.bridged_pairs import read
from tests.support.claims import some
from tests.support.examples import examples
from tests.support.hand_made import match_of, plays
from tests.support.loaded import DEMONSTRATION, loaded
from tests.support.strategies import matches


def test_the_match_that_depends_on_the_losing_side_and_the_number_that_decides(data):
    scored = statistics(loaded(data / "real/match_with_comment.xg"))
    undecided = open_range(scored)
    low, high = undecided.figures[0]["pr"]
    assert (round(low, 3), round(high, 3)) == (6.508, 6.749)
    assert undecided.by_player == (("Q03",), ())
    assert known_values(undecided.possible, 0, "decisions.double") == [10, 12, 13]
    assert undecided.figures[1] == {}
    (finding,) = [item for item in findings_of(scored) if item.code == "open-rule"]
    assert (finding.player, finding.severity) == ("Nicolas HARMAND", "warning")
    assert finding.evidence == (
        "PR of Nicolas HARMAND is 6.51 to 6.75: which no-doubles of the losing side XG counts is "
        "not known. "
        "XG's window decides it by its double decisions: 10, 12 or 13"
    )


def test_match_in_which_no_open_rule_matters_has_no_range_and_gnubg_has_no_open_rule(
    data,
):
    scored = statistics(loaded(data / "real/test.xg"))
    assert open_range(scored).by_player == ((), ())
    assert not any(finding.code == "open-rule" for finding in findings_of(scored))
    assert open_range(statistics(loaded(Path(f"{DEMONSTRATION}.sgf")))).figures == ({}, {})


def test_range_does_not_keep_its_match_in_memory():
    """A ring is found late: a pack of hundreds of matches took most of a gigabyte."""
    scored = statistics(loaded(Path(f"{DEMONSTRATION}.xg")))
    assert open_range(scored).possible
    stays = ref(scored)
    gc.disable()
    try:
        del scored
        assert stays() is None
    finally:
        gc.enable()


@settings(
    max_examples=examples(5),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(matches())
def test_every_combination_of_answers_lies_within_the_range(match):
    """A figure without a range moves by less than half a printed digit."""
    read_back, rules = read(match), rule_set("xg")
    own = statistics(read_back, "xg")
    for answers in some(product(*rules.alternatives.values())):
        other = rules
        for code, answer in zip(rules.alternatives, answers, strict=True):
            other = other.switched(code, answer)
        figures = statistics(read_back, other)
        for seat, ranges in enumerate(open_range(own).figures):
            for metric, value in some(figures.figures(seat).items()):
                here = own.figures(seat)[metric]
                if value is not None and here is not None:
                    unseen = 0.5 * 10.0 ** -METRICS[metric].decimals
                    low, high = ranges.get(metric, (here - unseen, here + unseen))
                    assert low - 1e-9 <= value <= high + 1e-9


ROLLS = 4
"""Of the leader, who owns the cube; each lost 0.1 and counts."""


def led(
    tool=XG.name,
    *,
    owner=1,
    score=(6, 3),
    crawford=False,
    length=7,
):
    """Ann leads 6-3 to 7 after the Crawford game and owns the cube at 2; her rolls are turns 2 to
    5."""
    turns: dict[str, Any] = {
        "turn": list(range(2, 2 + ROLLS)),
        "cube": [2] * ROLLS,
        "owner": [owner] * ROLLS,
        "level": [-1] * ROLLS,
    }
    match = match_of(plays(ROLLS, **turns), length=length, tool=tool)
    games = match.games.replaced(score=np.array([score]), crawford=np.array([crawford]))
    return replace(match, games=games)


def ranges(match, rules="bgblitz"):
    return dict(open_range(statistics(match, rules)).figures[0])


def test_figures_of_a_leader_who_owns_the_cube_go_from_none_of_the_dead_cubes_to_all():
    """4 plays lost 0.4 together: over 8 decisions a PR of 25, over the 4 plays alone one of 50."""
    match = led()
    assert statistics(match, "bgblitz").figures(0)["pr"] == pytest.approx(25)
    result = ranges(match)
    assert result["decisions.counted"] == (4, 8)
    assert result["decisions.double"] == (0, 4)
    assert result["pr"] == pytest.approx((25, 50))
    assert "equity_error.total" not in result
    assert "checker_pr" not in result
    assert open_range(statistics(match, "bgblitz")).by_player == (("Q16",), ())


@pytest.mark.parametrize(
    "facts",
    [
        {"tool": BGBLITZ.name},  # its own file shows what counts
        {"owner": 0},
        {"score": (5, 3)},  # before the Crawford game
        {"crawford": True},
        {"length": 9},  # the cube is alive
    ],
    ids=str,
)
def test_dead_cubes_that_every_file_shows_leave_no_range(facts):
    match = led(**facts)
    assert ranges(match) == {}
    codes = {finding.code for finding in findings_of(statistics(match, "bgblitz"))}
    assert "dead-cubes" not in codes


def test_finding_says_how_many_turns_and_between_which_figures():
    findings = findings_of(statistics(led(), "bgblitz"))
    (finding,) = (each for each in findings if each.code == "dead-cubes")
    assert (finding.severity, finding.player) == ("warning", "Ann")
    assert finding.evidence == (
        "PR of Ann is 25.00 to 50.00: which of 4 turns with an owned, dead cube after the "
        "Crawford game BGBlitz counts is not in this file"
    )


def gaps(left, right, name):
    return gap_range(statistics(left, "bgblitz"), statistics(right, "bgblitz"), (0, 0), name)


def dearer(tool=XG.name):
    """Another analysis of the same rolls, by which each lost 0.2."""
    match = led(tool)
    other = match.plays.replaced(stored_error=np.full(ROLLS, 0.2), played=np.full(ROLLS, 0.3))
    return replace(match, plays=other, source=replace(match.source, digest="another file"))


def test_two_files_of_one_match_share_the_dead_cubes_that_neither_shows():
    """None of them count, and 25 stands against 50 over 4 plays twice as dear, or all do: never all
    here and none there."""
    assert gaps(led(), dearer(), "decisions.counted") == (0, 0)
    assert gaps(led(), dearer(), "pr") == pytest.approx((25, 50))
    assert gaps(dearer(), led(), "pr") == pytest.approx((-50, -25))


def test_file_that_shows_its_dead_cubes_shares_nothing():
    assert gaps(led(), dearer(BGBLITZ.name), "decisions.double") == (0, 4)


def test_turns_with_a_dead_cube_make_no_file_one_of_printed_digits():
    assert not is_printed(with_dead_cubes(led()))


def test_files_that_lack_different_dead_cubes_share_none():
    """One file has the value of one of the four: what is open of it is not what is open of the
    other."""
    full, unknown = with_dead_cubes(led()), [np.nan] * 3
    values: dict[str, list[Any]] = {
        "analysed": [True, False, False, False],
        "no_double": [0.9, *unknown],
        "double_take": [0.1, *unknown],
    }
    columns = {name: np.array(column) for name, column in values.items()}
    part = replace(full, cubes=full.cubes.replaced(**columns))
    result = gaps(led(), part, "decisions.double")
    assert result is not None
    assert result[0] < -1


FOLDER = Path(__file__).parents[1] / "formats" / "gnubg_text"


@pytest.fixture(scope="module")
def text():
    return load_match(FOLDER / "evening.txt")


def with_a_close_call(match):
    """The same where the first turn without a double lies at the border of a close one, so that its
    last digit decides."""
    cubes = match.cubes
    row = int(np.flatnonzero((cubes.kind == Kind.NO_DOUBLE) & cubes.analysed)[0])
    no_double, double_take = cubes.no_double.copy(), cubes.double_take.copy()
    no_double[row], double_take[row] = 0.5, 0.3401
    return replace(match, cubes=cubes.replaced(no_double=no_double, double_take=double_take))


def test_only_printed_equities_leave_anything_open(text):
    match = load_match(FOLDER / "evening.sgf")
    assert is_printed(text)
    assert not is_printed(match)
    assert list(digits_in_words(statistics(match))) == []
    assert extremes(statistics(match).scored) == ()
    assert "printed-digits" not in [finding.code for finding in findings_of(statistics(match))]


def test_sums_lie_within_the_stated_bound_of_the_whole_equities(text):
    first, second = statistics(text), statistics(load_match(FOLDER / "evening.sgf"))
    for seat, words in digits_in_words(first):
        bound = float(words.partition(" within ")[2].partition(" EMG")[0])
        assert 0 < bound < 0.01
        lost = [each.figures(seat)["equity_error.total"] for each in (first, second)]
        assert lost[0] == pytest.approx(lost[1], abs=bound + 0.0005)
    assert [
        finding.severity for finding in findings_of(first) if finding.code == "printed-digits"
    ] == ["info", "info"]


def test_a_decision_at_the_border_is_a_range(text):
    scored = statistics(with_a_close_call(text))
    assert int(undecided(scored.scored).sum()) == 1
    seat = int(scored.scored.player[undecided(scored.scored)][0])
    ranges = open_range(scored).figures
    low, high = ranges[seat]["decisions.double"]
    assert (high - low, ranges[1 - seat]) == (1, {})
    assert scored.figures(seat)["decisions.double"] in (low, high)
    assert ranges[seat]["pr"][0] < ranges[seat]["pr"][1]
    (words,) = [words for each, words in digits_in_words(scored) if each == seat]
    assert "one decision counts or not by a digit that is not printed: game 1, turn 2 (" in words


def test_no_rule_is_called_open_where_only_a_digit_is(text):
    scored = statistics(with_a_close_call(text))
    assert open_range(scored).by_player == ((), ())
    assert "open-rule" not in [finding.code for finding in findings_of(scored)]
    players = statistics_document(scored).players
    assert [player.open_rules for player in players if player.range is not None] == [()]
