"""One diagnosis of a program over all its matches: its fault by name, its rules whatever they are,
and nothing that is an accident."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.infer.program import diagnose
from reconcile.infer.run import OWN
from reconcile.match.match import Match
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, own_rules
from reconcile.scoring.statistics import statistics
from tests.support.data import cases
from tests.support.examples import examples
from tests.support.faulty import (
    BUGS,
    FEW,
    MATCHES,
    PACK,
    USUAL,
    Printed,
    matches_for,
    of_scored,
    subjects,
    under,
)
from tests.support.loaded import loaded
from tests.support.long import long_but_first

BUNDLED = sorted((*PACK.glob("*/*.xg"), *PACK.glob("*/*.sgf")))
ALIKE = (
    "PR halved",
    "equity in thousandths",
    "fraction for percentage",
    "errors rounded to hundredths",
    "one decision twice",
)
"""Faults that are named as others are."""
VARIED = [code for code, question in QUESTIONS.items() if question.is_varied]
NAMES = [pytest.param(USUAL, id="usual figures"), pytest.param(FEW, id="PR and decisions")]
Pairs = list[tuple[Match, Printed]]


def diagnosed(pairs):
    result = diagnose("prog", subjects(pairs))
    assert result is not None
    return result


@cache
def bundled_matches():
    return tuple(map(loaded, BUNDLED))


def of_rules(rules, names=USUAL, matches=()):
    return [(match, under(match, rules, names)) for match in matches or bundled_matches()]


@pytest.mark.parametrize("names", long_but_first(NAMES))
@pytest.mark.parametrize(
    "mistake", long_but_first(sorted(BUGS, key=lambda mistake: mistake in ALIKE), 6)
)
def test_fault_of_a_program_is_named_first(mistake, names):
    code, bug = BUGS[mistake]
    if names == FEW and mistake in ("equity in thousandths", "fraction for percentage"):
        pytest.skip("it does not show in PR and decisions")
    result = diagnosed([(match, bug(match, names)) for match in matches_for(code)])
    assert result.faults[0].code == code
    assert result.faults[0].everywhere
    assert result.faults[0].explained >= result.best.number
    assert result.sentence.startswith(f"prog: {result.faults[0].brief}")
    assert (result.best.rules, result.against) == (OWN, ())


@pytest.mark.parametrize("mistake", long_but_first(["one decision missing", "one decision twice"]))
def test_decision_that_is_missing_is_shown(mistake):
    code, bug = BUGS[mistake]
    match = loaded(MATCHES[0])
    scored = statistics(match).scored
    (fault,) = diagnosed([(match, bug(match, USUAL))]).faults
    assert fault.code == code
    for seat in (0, 1):
        row = np.flatnonzero(scored.counted & (scored.player == seat) & (scored.error > 0.01))[2]
        wanted = scored.game[row] + 1, "play", match.plays.turn[row]
        places = [place for place in fault.decisions if place.error == scored.error[row]]
        assert [(place.game, place.kind, place.turn) for place in places] == [wanted]
        assert places[0].xgid.startswith("XGID=")


@pytest.mark.parametrize("path", cases("gnubg/m*_money_*.sgf", "bgblitz/xg/*.xg", short=2))
def test_money_session_scored_as_a_match_is_named(path):
    match = loaded(path)
    if match.is_money:
        ours = under(match, own_rules(match), FEW)
        session = {
            seat: {**figures, "mwc_loss_percent.total": "12.34"} for seat, figures in ours.items()
        }
        assert diagnosed([(match, session)]).faults[0].code == "money-as-match"


def test_fault_of_some_matches_is_named_with_them():
    swapped = BUGS["players swapped"][1]
    pairs = [
        (match, swapped(match, USUAL) if place < 2 else under(match, own_rules(match), USUAL))
        for place, match in enumerate(bundled_matches())
    ]
    result = diagnosed(pairs)
    assert result.faults[0].code == "other-player"
    assert result.faults[0].matches == ("match-1", "match-2")
    assert f"in 2 of {len(pairs)} matches" in result.sentence


@pytest.mark.long
def test_accident_in_one_match_is_no_fault_of_the_program():
    match, *rest = bundled_matches()
    figures = under(match, RULE_SETS["xg"], ("pr",))
    figures[0]["pr"] = f"{float(figures[0]['pr']) + 0.03:.2f}"
    result = diagnosed([(match, figures), *of_rules(RULE_SETS["xg"], ("pr",), rest)])
    assert (result.faults, result.best.differences, result.best.rules) == ((), (), "xg")
    (against,) = result.against
    assert against.match == "match-1"
    assert f"PR {figures[0]['pr']}, by these rules PR" in against.sentence


def test_another_analysis_explains_the_figures_that_it_gives_and_no_others():
    """Decisions and luck are those of the file, what was lost is a tenth more."""
    right = ("decisions.counted", "decisions.checker", "luck.equity")
    wrong = {"equity_error.total": 1.0373, "equity_error.checker": 1.0571, "pr": 401.7}
    pairs: Pairs = []
    for match in bundled_matches():
        shown = under(match, own_rules(match), right)
        for seat, figures in shown.items():
            lost = statistics(match).figures(seat)["equity_error.total"] or 0.0
            figures |= {name: f"{times * lost:.3f}" for name, times in wrong.items()}
        pairs.append((match, shown))
    (fault,) = diagnosed(pairs).faults
    number = sum(name in right for _, both in pairs for own in both.values() for name in own)
    assert (fault.code, fault.explained) == ("level", number)


@pytest.mark.parametrize("names", long_but_first(NAMES))
@pytest.mark.parametrize("name", RULE_SETS)
def test_program_that_counts_by_a_rule_set_is_diagnosed_as_that(name, names):
    pairs = of_rules(RULE_SETS[name], names)
    result = diagnosed(pairs)
    assert (result.faults, result.best.differences) == ((), ())
    number = sum(len(figures) for _, seats in pairs for figures in seats.values())
    assert result.best.explained == result.best.number == number
    assert name in (result.best.rules, *result.best.also)
    for other in result.best.also:  # what is said to be the same is the same
        assert of_rules(RULE_SETS[other], names) == pairs
    assert (result.sure == "open") == bool(result.best.also)


def agreeing(pairs, rules):
    """How many printed figures are those of rules."""
    theirs = [under(match, rules, USUAL) for match, _ in pairs]
    return sum(
        own[seat].get(name) == text
        for own, (_, both) in zip(theirs, pairs, strict=True)
        for seat, figures in both.items()
        for name, text in figures.items()
    )


def test_count_of_every_rule_set_is_how_many_of_its_figures_are_the_given_ones():
    pairs = of_rules(RULE_SETS["gammonview"])
    result = diagnosed(pairs)
    counts = {each.name: each.explained for each in result.rule_sets if each.name != OWN}
    for name, number in counts.items():
        exact = agreeing(pairs, RULE_SETS[name])
        assert exact <= number <= exact + 3  # a last digit may be rounded up on one side only
    number = counts.pop("gammonview")
    assert result.sentence == (
        f"prog counts like rule set gammonview: {number} of {number} figures over "
        f"{len(BUNDLED)} matches; no other known rules give more than {max(counts.values())}."
    )
    assert result.sure in ("certain", "likely")


@settings(max_examples=examples(12), deadline=None)
@given(
    name=st.sampled_from(sorted(RULE_SETS)),
    code=st.sampled_from(VARIED),
    pick=st.integers(0, 9),
    names=st.sampled_from([USUAL, FEW]),
)
def test_one_other_answer_is_found_where_it_moves_figures_and_never_invented(
    name, code, pick, names
):
    answers = list(QUESTIONS[code].answers)
    pairs = of_rules(RULE_SETS[name].switched(code, answers[pick % len(answers)]), names)
    plain = of_rules(RULE_SETS[name], names)
    result = diagnosed(pairs)
    moved = sum(pair != other for pair, other in zip(pairs, plain, strict=True))
    if not moved:
        assert (result.best.differences, result.faults) == ((), ())
        assert name in (result.best.rules, *result.best.also)
    if moved > 1:
        explained = [result.best.explained, *(fault.explained for fault in result.faults[:1])]
        assert result.best.number in explained


@pytest.mark.long
def test_two_other_answers_are_found():
    rules = RULE_SETS["xg"].switched("Q01", "all-plies").switched("Q02", "gnubg-manual")
    result = diagnosed(of_rules(rules))
    assert (result.best.explained, result.faults) == (result.best.number, ())
    assert len(result.best.differences) == 2
    best = result.best.under(RULE_SETS["xg"])
    assert agreeing(of_rules(rules), best) == result.best.number


def test_one_match_is_said_to_be_one_match():
    result = diagnosed(of_rules(RULE_SETS["gammonview"], FEW, bundled_matches()[:1]))
    assert "of one match" in result.sentence
    assert result.sure != "certain"
    assert "one match" in result.why or result.sure == "open"


@pytest.mark.long
def test_figures_of_nothing_are_of_no_known_rules():
    nothing = {seat: {"pr": f"{90 + seat}.12", "decisions.counted": "999"} for seat in (0, 1)}
    result = diagnosed([(match, nothing) for match in bundled_matches()])
    best = result.best
    assert (best.explained, result.faults, best.differences, result.sure) == (0, (), (), "none")
    assert result.sentence.startswith("prog counts like no known rules: none gives any of")
    assert len(result.against) == len(BUNDLED)


@pytest.mark.long
def test_decision_against_the_rules_is_named():
    match, *rest = bundled_matches()
    scored = statistics(match, "xg").scored
    row = np.flatnonzero(scored.counted & (scored.player == 0) & (scored.error > 0.02))[0]
    left = np.arange(len(scored.error)) != row
    without = replace(scored, counted=scored.counted & left, error=scored.error * left)
    pairs = [(match, of_scored(without, USUAL[:3])), *of_rules(RULE_SETS["xg"], USUAL[:3], rest)]
    result = diagnosed(pairs)
    assert result.best.rules == "xg"
    if result.faults:  # so many digits that it is no accident
        assert result.faults[0].code == "decision-missing"
    else:
        (against,) = result.against
        places = [(decision.counted, decision.turn) for decision in against.decisions]
        assert places == [("without", match.plays.turn[row])]


def test_no_figures_have_no_diagnosis_and_luck_alone_no_rules():
    match = bundled_matches()[0]
    assert diagnose("prog", []) is None
    assert diagnose("prog", subjects([(match, {0: {}})])) is None
    result = diagnosed([(match, under(match, own_rules(match), ("luck.equity",)))])
    assert (result.best.number, result.faults) == (0, ())


@pytest.mark.parametrize("names", [("pr", "errors.total"), ("decisions.take", "errors.total")])
@pytest.mark.parametrize("rules", ["gnubg", "blunderdb", "xg"])
def test_known_rules_that_give_every_figure_are_no_fault(names, rules):
    """Grades depend on no rule of counting: rules that give them too come first."""
    matches = of_rules(RULE_SETS[rules], names, list(map(loaded, MATCHES)))
    for judged in (matches[:1], matches):
        assert diagnosed(judged).faults == ()
