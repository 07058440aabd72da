"""What a bridge promises: its steps are the gap, its ledger is its steps, on real, bundled and generated matches."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reconcile.adapters import load_match, read_match
from reconcile.errors import NotTheSameMatch, UnknownName
from reconcile.files.bundled import bundled
from reconcile.gap.causes import CAUSES, RULE_CAUSES
from reconcile.gap.comparison import Comparison
from reconcile.gap.states import Form, State, contributions
from reconcile.gap.walk import ORDERS, Walk, bridges_of
from reconcile.match import Match
from reconcile.report.explain import page, table_of_contents
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.scoring.metrics import BRIDGED, SHORT
from tests.support import xg_match as xg
from tests.support.balance import CLOSES, compared, gap_of, unbalanced, walks
from tests.support.data import ONE_OF_EACH, cases, label, matching, skipped_if_empty
from tests.support.strategies import matches, second_opinions
from tests.support.xg_writer import write

DEMONSTRATION = bundled("reference_matches") / "demonstration" / "nora-lindqvist-tomas-beck"
STEPS = {"reported-left", *QUESTIONS, "coverage-left", "engine", "coverage-right", "reported-right"}
ANALYSIS_STEPS = {"coverage-left", "engine", "coverage-right"}


@cache
def loaded(path: Path) -> Match:
    return load_match(path)


def real_pairs() -> list[tuple[Path, Path]]:
    """Every two files of one real match, every other pair the other way round."""
    pairs = [(Path(f"{DEMONSTRATION}.xg"), Path(f"{DEMONSTRATION}.sgf"))]
    for left in matching("real/*.xg"):
        others = [left.with_name(f"{left.stem}{ending}") for ending in ("_2ply.sgf", "_0ply.sgf", ".sgf", ".mat")]
        deep, shallow, played, transcript = others
        pairs += [(left, other) for other in others if other.is_file()]
        pairs += [(one, two) for one, two in ((deep, shallow), (deep, played), (transcript, deep)) if one.is_file() and two.is_file()]
    return [(two, one) if number % 2 else (one, two) for number, (one, two) in enumerate(pairs)]


PAIRS = [pytest.param(one, two, id=f"{label(one)}{one.suffix}-{label(two)}{two.suffix}") for one, two in real_pairs()]
SINGLE = [pytest.param(path, id=path.name) for path in (Path(f"{DEMONSTRATION}.xg"), Path(f"{DEMONSTRATION}.sgf"))]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_steps_add_up_to_every_gap_and_the_ledger_to_every_step(left: Path, right: Path) -> None:
    assert unbalanced(compared(loaded(left), loaded(right))) == []


@pytest.mark.parametrize(("left", "right"), PAIRS[::4])
def test_swapping_the_sides_exchanges_the_ends_and_negates_the_gap(left: Path, right: Path) -> None:
    assert ends_swapped(*(compared(loaded(one), loaded(two)) for one, two in ((left, right), (right, left))))


def ends_swapped(there: Comparison, back: Comparison) -> bool:
    """Whether the bridges of two comparisons are those of one with its sides swapped."""
    one, two = Walk(there), Walk(back)
    common = set(one.left.match.games.number.tolist()) & set(two.left.match.games.number.tolist())
    for game in (None, *sorted(common)):
        for seat in (0, 1):
            for name in BRIDGED:
                here = one.bridge(name, seat, game)
                other = two.bridge(name, there.pairing.seats[seat], game)
                gaps = gap_of(here), gap_of(other)
                if (here.start, here.end) != (other.end, other.start) or gaps[0] != (None if gaps[1] is None else -gaps[1]):
                    return False
    return True


@pytest.mark.parametrize("path", SINGLE + cases(*ONE_OF_EACH))
def test_identical_files_have_bridges_of_zero_and_an_empty_ledger(path: Path) -> None:
    match = loaded(path)
    for _, bridges, ledger in walks(compared(match, match)):
        assert len(ledger) == 0
        assert {step.change for bridge in bridges for step in bridge.steps} <= {0.0}


@pytest.mark.parametrize(("ending", "rules"), [*(("xg", rules) for rules in sorted(RULE_SETS)), ("sgf", "xg")])
def test_one_file_under_two_rule_sets_differs_in_rule_steps_only(ending: str, rules: str) -> None:
    one_file_under(loaded(Path(f"{DEMONSTRATION}.{ending}")), rules)


@pytest.mark.parametrize("path", cases(*ONE_OF_EACH))
def test_one_real_file_under_two_rule_sets_differs_in_rule_steps_only(path: Path) -> None:
    one_file_under(loaded(path), "gnubg" if path.suffix == ".xg" else "xg")


def one_file_under(match: Match, rules: str) -> None:
    comparison = compared(match, match, right_rules=rules)
    walked = list(walks(comparison))
    assert unbalanced(comparison, walked) == []
    for _, _, ledger in walked:
        assert not set(ledger["step"]) & ANALYSIS_STEPS


def test_another_match_equity_table_on_one_side_is_a_step_of_its_own() -> None:
    sgf, written = loaded(Path(f"{DEMONSTRATION}.sgf")), loaded(Path(f"{DEMONSTRATION}.xg"))
    for left, right in ((sgf, sgf), (written, sgf), (sgf, written)):
        comparison = compared(left, right, met=("Kazaross-XG2", "zadeh"))
        assert unbalanced(comparison) == []
        walk = Walk(comparison)
        bridge = walk.bridge("mwc_loss_percent", 0)
        (step,) = (step for step in bridge.steps if step.code == "Q11")
        assert step.change != 0
        assert step.title.endswith("Kazaross-XG2 -> zadeh")
        ledger = walk.ledger([bridge])
        assert set(ledger["cause"][ledger["step"] == "Q11"]) == {"conversion.met"}


def test_table_from_a_file_on_both_sides_is_one_table(tmp_path: Path) -> None:
    table = tmp_path / "even.xml"
    table.write_text(EVEN_TABLE, "utf-8")
    match = loaded(Path(f"{DEMONSTRATION}.sgf"))
    assert Walk(compared(match, match, met=str(table))).questions == ()


EVEN_TABLE = """<?xml version="1.0"?>
<met><info><name>Even</name><description>d</description><length>2</length></info>
<pre-crawford-table type="explicit">
<row><me>0.5</me><me>0.7</me></row><row><me>0.3</me><me>0.5</me></row></pre-crawford-table>
<post-crawford-table player="both" type="explicit"><row><me>0.5</me><me>0.48</me></row></post-crawford-table></met>
"""


def test_two_tables_are_told_before_any_figure() -> None:
    match = loaded(Path(f"{DEMONSTRATION}.sgf"))
    findings = {finding.code: finding for finding in compared(match, match, met=("Kazaross-XG2", "zadeh")).findings}
    assert findings["met-differs"].evidence == "left Kazaross-XG2, right zadeh"


# -- generated matches -----------------------------------------------------------------------------------------------------

GENERATED = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def read(match: xg.Match) -> Match:
    return read_match("generated.xg", write(match))


@GENERATED
@given(st.data())
def test_generated_pairs_balance_in_both_directions(data: st.DataObject) -> None:
    match = data.draw(matches())
    left, right = read(match), read(data.draw(second_opinions(match)))
    rules = data.draw(st.sampled_from(sorted(RULE_SETS)))
    try:
        there = compared(left, right, right_rules=rules)
        back = compared(right, left, left_rules=rules)
    except NotTheSameMatch:
        return
    assert unbalanced(there) == []
    assert unbalanced(back) == []
    assert ends_swapped(there, back)


@GENERATED
@given(matches(), st.sampled_from(sorted(RULE_SETS)))
def test_generated_file_under_two_rule_sets_differs_in_rule_steps_only(match: xg.Match, rules: str) -> None:
    if any(game.turns for game in match.games):
        one_file_under(read(match), rules)


@GENERATED
@given(matches())
def test_generated_file_against_itself_has_an_empty_ledger(match: xg.Match) -> None:
    if any(turn.move for game in match.games for turn in game.turns):
        for _, _, ledger in walks(compared(read(match), read(match))):
            assert len(ledger) == 0


# -- the arithmetic --------------------------------------------------------------------------------------------------------

NUMBERS = st.sampled_from([0.0, 0.0, 0.1, 0.25, 1.0, 7.5])
COUNTS = st.sampled_from([0.0, 1.0])


@given(
    st.lists(st.tuples(NUMBERS, COUNTS, NUMBERS, COUNTS), min_size=1, max_size=8),
    st.sampled_from([500.0, 750.0, 1000.0]),
    st.sampled_from([500.0, 1000.0]),
    st.sampled_from([100.0, np.inf]),
    st.sampled_from([100.0, np.inf]),
    st.sampled_from(list(Form)),
)
def test_contributions_are_the_change_of_a_figure_exactly(
    rows: list[tuple[float, ...]], factor: float, other: float, cap: float, other_cap: float, form: Form
) -> None:
    e0, n0, e1, n1 = np.array(rows).T
    before, after = (
        State(form, error, count, np.array([f]), np.array([c]))
        for error, count, f, c in ((e0, n0, factor, cap), (e1, n1, other, other_cap))
    )
    if before.defined.all() and after.defined.all():
        change = (after.figure() - before.figure()).item()
        assert contributions(before, after).sum() == pytest.approx(change, abs=CLOSES * max(1, abs(change)))


def test_rate_is_split_as_documented() -> None:
    before = State(Form.RATE, np.array([0.3, 0.1]), np.array([1.0, 1.0]), np.array([500.0]), np.array([np.inf]))
    after = State(Form.RATE, np.array([0.3, 0.0]), np.array([1.0, 0.0]), np.array([500.0]), np.array([np.inf]))
    # f (de (1/N + 1/N')/2 - dn (E + E')/(2 N N')), with E 0.4 -> 0.3 and N 2 -> 1
    assert contributions(before, after).tolist() == pytest.approx([0, 500 * (-0.1 * 0.75 + 0.7 / 4)])


def test_capped_rate_is_shared_in_proportion_to_the_errors() -> None:
    before = State(Form.RATE, np.array([0.3, 0.1]), np.array([1.0, 1.0]), np.array([500.0]), np.array([50.0]))
    after = State(Form.RATE, np.array([0.3, 0.1]), np.array([1.0, 1.0]), np.array([500.0]), np.array([np.inf]))
    assert before.figure().item() == 50
    assert contributions(before, after).tolist() == pytest.approx([50 * 0.75, 50 * 0.25])


def made_up(*turns: xg.Turn) -> Match:
    return read(xg.Match(("Ann", "Ben"), 3, (xg.Game(turns, (0, 0), None),), ended=False))


BEST = xg.Candidate(((8, 5), (6, 5)), xg.START, xg.level_equity(0.5))
WORST = xg.Candidate(((24, 20),), tuple(reversed(xg.START)), xg.level_equity(-0.5))


def test_last_roll_that_nobody_played_has_its_partner_in_the_same_file() -> None:
    played = xg.Turn(1, xg.START, move=xg.Move((3, 1), (BEST, WORST), played=1))
    judged = xg.Turn(2, xg.START, move=xg.Move((4, 2), (BEST, WORST), played=0, error=-0.25, was_played=False))
    match = made_up(played, judged)
    comparison = compared(match, match, right_rules="gnubg")
    assert comparison.paired[0] == comparison.paired[1]
    assert unbalanced(comparison) == []
    assert not set(Walk(comparison).ledger(bridges_of(Walk(comparison)))["step"]) & ANALYSIS_STEPS


def test_cube_of_a_game_without_a_roll_has_its_partner_in_the_same_file() -> None:
    passed = xg.Cube(xg.Double.YES, xg.Take.PASS, xg.level_equity(0.5), xg.level_equity(0.75))
    match = made_up(xg.Turn(1, xg.START, passed))
    assert compared(match, match).paired == (2, 2)


def test_share_of_a_capped_figure_changes_without_a_cause_of_its_own() -> None:
    blunder = xg.Turn(1, xg.START, move=xg.Move((3, 1), (BEST, WORST), played=1))
    other = xg.Turn(2, xg.START, move=xg.Move((4, 2), (BEST, WORST), played=1))
    worse = xg.Move((3, 1), (BEST, replace(WORST, evaluation=xg.level_equity(-1.5))), played=1)
    left, right = made_up(blunder, other, blunder), made_up(blunder, other, replace(blunder, move=worse))
    comparison = compared(left, right)
    assert unbalanced(comparison) == []
    walk = Walk(comparison)
    bridge = walk.bridge("pr", 0)
    assert (bridge.start, bridge.end) == (100, 100)
    causes = dict(zip(*(walk.ledger([bridge])[name].tolist() for name in ("turn", "cause")), strict=True))
    assert causes == {1: "conversion.cap", 3: "engine.error-size"}


# -- orders, codes and reasons ---------------------------------------------------------------------------------------------


def demonstration(order: str = "documented") -> Walk:
    return Walk(compared(loaded(Path(f"{DEMONSTRATION}.xg")), loaded(Path(f"{DEMONSTRATION}.sgf"))), order)


def test_orders_share_everything_but_the_split_among_the_rules() -> None:
    documented, shapley = (bridges_of(demonstration(order)) for order in ORDERS)
    for one, two in zip(documented, shapley, strict=True):
        assert [step.code for step in one.steps] == [step.code for step in two.steps]
        for step, other in zip(one.steps, two.steps, strict=True):
            if not step.code.startswith("Q"):
                assert step == other
            assert (step.low, step.high) == (other.low, other.high)


def test_shapley_does_not_depend_on_the_order_of_the_questions() -> None:
    walk, turned = demonstration("shapley"), demonstration("shapley")
    turned.questions = tuple(reversed(turned.questions))
    for name in BRIDGED:
        one, two = ({step.code: step.change for step in which.bridge(name, 0).steps} for which in (walk, turned))
        assert one == pytest.approx(two)


def test_step_that_other_orders_change_shows_their_range() -> None:
    spans = [step for bridge in bridges_of(demonstration()) for step in bridge.steps if step.low is not None and step.high is not None]
    assert spans
    assert all(step.code.startswith("Q") and step.low < step.high for step in spans)  # type: ignore[operator]


def test_unknown_order_is_refused() -> None:
    with pytest.raises(UnknownName, match="documented, shapley"):
        demonstration("random")


def test_steps_have_the_codes_of_the_contract_in_its_order() -> None:
    order = ["reported-left", *QUESTIONS, "coverage-left", "engine", "coverage-right", "reported-right"]
    for bridge in bridges_of(demonstration()):
        codes = [step.code for step in bridge.steps]
        assert set(codes) <= STEPS
        assert codes == [code for code in order if code in codes]


def test_unknown_figure_has_a_reason_and_no_bridge() -> None:
    first = load_match(f"{DEMONSTRATION}.sgf")
    money = [xg.Turn(1, xg.START, move=xg.Move((3, 1), (), None, ((8, 5),), xg.START))]
    empty = read(xg.Match(("A", "B"), 1, (xg.Game(tuple(money), (0, 0), None),), ended=False))
    bridge = Walk(compared(empty, empty)).bridge("pr", 0)
    assert (bridge.start, bridge.steps, bridge.reason) == (None, (), "PR is unknown on the left")
    assert Walk(compared(first, first)).bridge("pr", 0).reason == ""


def test_totals_go_by_short_or_full_name() -> None:
    walk = demonstration()
    for full, short in SHORT.items():
        assert walk.bridge(full, 0) == walk.bridge(short, 0)


def test_one_player_alone_has_bridges_of_his_own() -> None:
    from reconcile.gap.comparison import compare

    comparison = compare(loaded(Path(f"{DEMONSTRATION}.xg")), loaded(Path(f"{DEMONSTRATION}.sgf")), player="Tomas Beck")
    assert {bridge.player for bridge in bridges_of(Walk(comparison))} == {"Tomas Beck"}


# -- causes ----------------------------------------------------------------------------------------------------------------


def test_every_cause_has_a_page_and_stands_in_the_table_of_contents() -> None:
    contents = table_of_contents()
    for code, cause in CAUSES.items():
        text = page(code)
        assert text.startswith(f"{code}: {cause.title}")
        assert len(text) > len(code) + len(cause.title) + 40
        assert f"  {code} " in contents


def test_every_question_that_changes_figures_has_a_cause() -> None:
    assert set(RULE_CAUSES) == set(QUESTIONS) - {"Q08", "Q12"}
    assert set(RULE_CAUSES.values()) <= set(CAUSES)


@pytest.mark.parametrize(("left", "right"), skipped_if_empty([pytest.param(*pair, id=label(pair[0])) for pair in real_pairs()[1:2]], 2))
def test_engine_contributions_have_finer_causes(left: Path, right: Path) -> None:
    walk = Walk(compared(loaded(left), loaded(right)))
    ledger = walk.ledger(bridges_of(walk))
    causes = set(ledger["cause"][ledger["step"] == "engine"])
    assert {"engine.other-best-move", "engine.error-size", "engine.other-cube-verdict"} <= causes


def test_deeper_look_of_the_same_tool_is_a_cause_of_its_own(data: Path) -> None:
    deep, shallow = (loaded(data / "real" / f"test_{plies}ply.sgf") for plies in (2, 0))
    comparison = compared(deep, shallow)
    walk = Walk(comparison)
    assert "engine.level" in set(walk.ledger(bridges_of(walk))["cause"])
    findings = {finding.code: finding.evidence for finding in comparison.findings}
    assert findings["levels-differ"] == "GNU Backgammon, most plays: left 2-ply cubeful, right 0-ply cubeful"


def test_turn_that_one_file_lacks_is_a_coverage_cause() -> None:
    games = Path(f"{DEMONSTRATION}.sgf").read_text("utf-8").split("(;FF[4]")[1:]
    without = read_match("without.sgf", "".join("(;FF[4]" + game for index, game in enumerate(games) if index != 2).encode())
    comparison = compared(loaded(Path(f"{DEMONSTRATION}.xg")), without)
    assert unbalanced(comparison) == []
    ledger = Walk(comparison).ledger(bridges_of(Walk(comparison)))
    third = ledger[(ledger["game"] == 3) & (ledger["step"] == "coverage-left")]
    assert len(third)
    assert set(third["cause"]) == {"coverage.transcript"}
