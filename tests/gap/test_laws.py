"""What every comparison promises, on real, bundled and generated files: steps are the gap, the
ledger is the steps, rows are the gap as it is printed, and exchanged sides give the mirror image of
all."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reconcile.errors import NotTheSameMatch
from reconcile.formats import read_match
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.score import is_dead, with_dead_cubes
from tests.gap import rows
from tests.gap.mirror import unmirrored
from tests.support.balance import compared, unbalanced, walks
from tests.support.bridged_pairs import ANALYSIS_STEPS, read, real_pairs
from tests.support.claims import some
from tests.support.data import ONE_OF_EACH, cases, label, matching, skipped_if_empty
from tests.support.examples import examples
from tests.support.hand_made_levels import turned, two_opinions
from tests.support.loaded import DEMONSTRATION, beginning, loaded
from tests.support.long import long_but_first
from tests.support.strategies import SEEDS, matches, second_opinion
from tests.support.variants import variant

Rules = tuple[str | None, str | None]


def broken(left, right, rules=(None, None), *, games=True):
    """Every law that does not hold for these files from either side."""
    there, back = compared(left, right, *rules), compared(right, left, *rules[::-1])
    balance = [*unbalanced(there), *unbalanced(back)] if games else []
    return [*balance, *unmirrored(there, back, games=games), *shown_wrongly(there, back)]


def shown_wrongly(there, back):
    """Every law of rows that does not hold."""
    return [*rows.faults(there), *rows.faults(back), *rows.unmirrored(there, back)]


BGBLITZ = [
    (path, other)
    for path in matching("bgblitz/bgf/*")
    for other in matching(f"bgblitz/xg/{path.stem}*", f"bgblitz/mat/{path.stem}*")
]
FIRST, *REAL = real_pairs()
PAIRS = [
    pytest.param(left, right, id=f"{label(left)}{left.suffix}-{label(right)}{right.suffix}")
    for left, right in (*REAL[:1], *BGBLITZ[:1], FIRST, *REAL[1:], *BGBLITZ[1:])
]


@pytest.mark.parametrize(("left", "right"), skipped_if_empty(long_but_first(PAIRS, 2, 6), 2))
def test_files_of_a_match_keep_the_laws_from_either_side(left, right):
    assert broken(loaded(left), loaded(right)) == []


SIDES: list[Rules] = [
    (None, None),
    ("gnubg", "xg"),
    ("xg", "bgblitz"),
    ("blunderdb", "backgammondb"),
    ("gammonview", "snowie4"),
]


@pytest.mark.parametrize("rules", long_but_first([(sides,) for sides in SIDES]))
def test_demonstration_keeps_them_under_any_rules(rules):
    assert broken(beginning(".xg"), beginning(".sgf"), rules) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", long_but_first([8, 21, *range(5)], 1, 1))
def test_files_of_which_one_has_other_rolls_keep_them(seed):
    content = variant(DEMONSTRATION.with_suffix(".xg").read_bytes(), seed)
    left, right = read_match("left.xg", content), loaded(DEMONSTRATION.with_suffix(".sgf"))
    assert broken(left, right, games=False) == []


SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
NAMES = st.sampled_from(sorted(RULE_SETS))


@settings(max_examples=examples(12), suppress_health_check=SLOW)
@given(st.data())
def test_generated_pairs_keep_them(data):
    match = data.draw(matches())
    left, other = read(match), read(second_opinion(match, data.draw(SEEDS)))
    right = turned(other) if data.draw(st.booleans()) else other
    with suppress(NotTheSameMatch):
        assert broken(left, right, (data.draw(NAMES), data.draw(NAMES))) == []


CHANGES = st.floats(-3, 3, allow_nan=False).map(lambda change: round(change, 3))


@settings(max_examples=examples(40))
@given(st.lists(CHANGES, max_size=30), st.sampled_from([0.02, 0.1, 0.25]))
def test_rows_of_any_changes_keep_theirs(changes, error):
    left, right = two_opinions(*(max(change, -5 * error) for change in changes), error=error)
    there, back = compared(left, right, "xg", "gnubg"), compared(right, left, "gnubg", "xg")
    assert shown_wrongly(there, back) == []


# -- one file --------------------------------------------------------------------------------------


def only_rules(match, rules):
    """What an only file under two rule sets has besides steps of the rules."""
    comparison = compared(match, match, right_rules=rules)
    steps = {step for _, _, ledger in walks(comparison) for step in ledger["step"]}
    return [*unbalanced(comparison), *(steps & ANALYSIS_STEPS)]


def moved(match):
    """What moves between a file and itself."""
    return [
        bridge.metric
        for _, bridges, ledger in some(walks(compared(match, match)))
        for bridge in bridges
        if len(ledger) or any(step.change for step in bridge.steps)
    ]


@pytest.mark.parametrize("rules", long_but_first(sorted(RULE_SETS, key="gnubg".__ne__), 1, 5))
def test_one_file_under_two_rule_sets_differs_in_rule_steps_only(rules):
    assert only_rules(beginning(".xg"), rules) == moved(beginning(".xg")) == []


@pytest.mark.parametrize("path", cases(*ONE_OF_EACH, short=0, most=4))
def test_so_does_a_real_one_and_none_differs_from_itself(path):
    match, other = loaded(path), "gnubg" if path.suffix == ".xg" else "xg"
    assert only_rules(match, other) == moved(match) == []


# -- BGBlitz ---------------------------------------------------------------------------------------


def bgblitz(path):
    return loaded(path.parent.parent / "bgf" / f"{path.stem}.bgf")


def changes_of(comparison, metric):
    """By player the steps of a bridge."""
    bridges = (comparison.walk.bridge(metric, seat) for seat in (0, 1))
    return [{step.code: step.change for step in bridge.steps} for bridge in bridges]


@pytest.mark.parametrize("path", cases("bgblitz/xg/*.xg", short=1, most=2))
def test_what_bgblitz_alone_does_has_steps_of_its_own(path):
    """Every turn with a dead cube is in both files, so that no decision is left to coverage."""
    comparison = compared(loaded(path), bgblitz(path))
    assert comparison.paired[0] == comparison.paired[1]
    counted = changes_of(comparison, "decisions.counted")
    assert max(changes["Q15"] for changes in counted) <= 0 > min(each["Q15"] for each in counted)
    assert all(each["coverage-left"] == each["coverage-right"] == 0 for each in counted)
    # Where no cube was dead there is no such step, or an empty one for a player.
    dead = [changes.get("Q16", 0.0) for changes in changes_of(comparison, "decisions.double")]
    assert min(dead) >= 0
    assert sum(dead) > 0 or not is_dead(with_dead_cubes(loaded(path))).any()
