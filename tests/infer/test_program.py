"""One diagnosis of a program over all its matches: its fault by name, its rules whatever they are,
and nothing that is an accident."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.infer.program import Diagnosis, diagnose
from reconcile.infer.run import OWN
from reconcile.match.match import Match
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet, own_rules
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.data import cases, matching
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
    printed,
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


def diagnosed(pairs: Sequence[tuple[Match, Printed]]) -> Diagnosis:
    result = diagnose("prog", subjects(pairs))
    assert result is not None
    return result


@cache
def bundled_matches() -> tuple[Match, ...]:
    return tuple(map(loaded, BUNDLED))


def of_rules(
    rules: RuleSet, names: Sequence[str] = USUAL, matches: Sequence[Match] = ()
) -> list[tuple[Match, Printed]]:
    return [(match, under(match, rules, names)) for match in matches or bundled_matches()]


@pytest.mark.parametrize(
    "names",
    long_but_first(
        [pytest.param(USUAL, id="usual figures"), pytest.param(FEW, id="PR and decisions")]
    ),
)
@pytest.mark.parametrize(
    "mistake", long_but_first(sorted(BUGS, key=lambda mistake: mistake in ALIKE), 6)
)
def test_fault_of_a_program_is_named_first(mistake: str, names: Sequence[str]) -> None:
    code, bug = BUGS[mistake]
    if names == FEW and mistake in ("equity in thousandths", "fraction for percentage"):
        pytest.skip("it does not show in PR and decisions")
    result = diagnosed([(match, bug(match, names)) for match in matches_for(code)])
    assert result.faults[0].code == code
    assert result.faults[0].everywhere
    assert result.faults[0].explained >= result.best.number
    assert result.sentence.startswith(f"prog: {result.faults[0].brief}")
    assert result.best.rules == OWN
    assert result.against == ()


@pytest.mark.parametrize("code", long_but_first(["decision-missing", "decision-twice"]))
def test_decision_that_is_missing_is_shown(code: str) -> None:
    bug = next(bug for other, bug in BUGS.values() if other == code)
    match = loaded(MATCHES[0])
    scored = statistics(match).scored
    result = diagnosed([(match, bug(match, USUAL))])
    assert result.faults[0].code == code
    for seat in (0, 1):
        row = np.flatnonzero(scored.counted & (scored.player == seat) & (scored.error > 0.01))[2]
        places = result.faults[0].decisions
        (place,) = (
            place
            for place in places
            if (place.game, place.error) == (scored.game[row] + 1, scored.error[row])
        )
        assert place.kind == "play"
        assert place.turn == match.plays.turn[row]
        assert place.xgid.startswith("XGID=")


@pytest.mark.parametrize("path", cases("gnubg/m*_money_*.sgf", "bgblitz/xg/*.xg", short=2))
def test_money_session_scored_as_a_match_is_named(path: Path) -> None:
    match = loaded(path)
    if match.is_money:
        session = {
            seat: {**figures, "mwc_loss_percent.total": "12.34"}
            for seat, figures in under(match, own_rules(match), FEW).items()
        }
        result = diagnosed([(match, session)])
        assert result.faults[0].code == "money-as-match"


def test_fault_of_some_matches_is_named_with_them() -> None:
    swapped = BUGS["players swapped"][1]
    match, *rest = bundled_matches()
    pairs: list[tuple[Match, Printed]] = [
        (match, swapped(match, USUAL)),
        (rest[0], swapped(rest[0], USUAL)),
    ]
    pairs += [(other, under(other, own_rules(other), USUAL)) for other in rest[1:]]
    result = diagnosed(pairs)
    assert result.faults[0].code == "other-player"
    assert result.faults[0].matches == ("match-1", "match-2")
    assert f"in 2 of {len(pairs)} matches" in result.sentence


@pytest.mark.long
def test_accident_in_one_match_is_no_fault_of_the_program() -> None:
    match, *rest = bundled_matches()
    figures = under(match, RULE_SETS["xg"], ("pr",))
    figures[0]["pr"] = f"{float(figures[0]['pr']) + 0.03:.2f}"
    pairs = [(match, figures), *of_rules(RULE_SETS["xg"], ("pr",), rest)]
    result = diagnosed(pairs)
    assert result.faults == ()
    assert result.best.differences == ()
    assert result.best.rules == "xg"
    assert [mismatch.match for mismatch in result.against] == ["match-1"]
    assert f"PR {figures[0]['pr']}, by these rules PR" in result.against[0].sentence


@pytest.mark.parametrize(
    "names",
    long_but_first(
        [pytest.param(USUAL, id="usual figures"), pytest.param(FEW, id="PR and decisions")]
    ),
)
@pytest.mark.parametrize("name", RULE_SETS)
def test_program_that_counts_by_a_rule_set_is_diagnosed_as_that(
    name: str, names: Sequence[str]
) -> None:
    pairs = of_rules(RULE_SETS[name], names)
    result = diagnosed(pairs)
    assert result.faults == ()
    assert result.best.differences == ()
    assert (
        result.best.explained
        == result.best.number
        == sum(len(figures) for _, seats in pairs for figures in seats.values())
    )
    assert name in (result.best.rules, *result.best.also)
    for other in result.best.also:  # what is said to be the same is the same
        assert [seats for _, seats in of_rules(RULE_SETS[other], names)] == [
            seats for _, seats in pairs
        ]
    assert (result.sure == "open") == bool(result.best.also)


def test_count_of_every_rule_set_is_how_many_of_its_figures_are_the_given_ones() -> None:
    pairs = of_rules(RULE_SETS["gammonview"])
    result = diagnosed(pairs)
    for rule_set in some(rule_set for rule_set in result.rule_sets if rule_set.name != OWN):
        theirs = of_rules(RULE_SETS[rule_set.name])
        exact = agreeing(pairs, theirs)
        assert (
            exact <= rule_set.explained <= exact + 3
        )  # a last digit that was rounded up on one side only


@settings(max_examples=examples(12), deadline=None)
@given(
    name=st.sampled_from(sorted(RULE_SETS)),
    code=st.sampled_from(VARIED),
    pick=st.integers(0, 9),
    names=st.sampled_from([USUAL, FEW]),
)
def test_one_other_answer_is_found_where_it_moves_figures_and_never_invented(
    name: str, code: str, pick: int, names: Sequence[str]
) -> None:
    answers = list(QUESTIONS[code].answers)
    rules = RULE_SETS[name].switched(code, answers[pick % len(answers)])
    pairs = of_rules(rules, names)
    plain = of_rules(RULE_SETS[name], names)
    result = diagnosed(pairs)
    moved = [pair[1] != plain_pair[1] for pair, plain_pair in zip(pairs, plain, strict=True)]
    if not any(moved):
        assert result.best.differences == ()
        assert result.faults == ()
        assert name in (result.best.rules, *result.best.also)
    if sum(moved) > 1:
        assert (
            result.best.explained == result.best.number
            or result.faults[0].explained == result.best.number
        )
    if result.best.differences and result.best.rules != OWN:
        best = RULE_SETS[result.best.rules]
        for question, before, answer in (
            (difference.question, difference.answer_from, difference.answer_to)
            for difference in result.best.differences
        ):
            assert best.answers[question] == before
            best = best.switched(question, answer)
        assert agreeing(pairs, of_rules(best, names)) > agreeing(
            pairs, of_rules(RULE_SETS[result.best.rules], names)
        )


def agreeing(
    pairs: Sequence[tuple[Match, Printed]], other_pairs: Sequence[tuple[Match, Printed]]
) -> int:
    """How many printed figures are the same."""
    return sum(
        theirs[seat].get(name) == text
        for (_, ours), (_, theirs) in zip(pairs, other_pairs, strict=True)
        for seat, figures in ours.items()
        for name, text in figures.items()
    )


@pytest.mark.long
def test_two_other_answers_are_found() -> None:
    rules = RULE_SETS["xg"].switched("Q01", "all-plies").switched("Q02", "gnubg-manual")
    result = diagnosed(of_rules(rules))
    assert (result.best.explained, result.faults) == (result.best.number, ())
    best = RULE_SETS[result.best.rules]
    for question, answer in (
        (difference.question, difference.answer_to) for difference in result.best.differences
    ):
        best = best.switched(question, answer)
    assert agreeing(of_rules(best), of_rules(rules)) == result.best.number
    assert len(result.best.differences) == 2


def test_sentence_is_what_a_maintainer_came_for() -> None:
    result = diagnosed(of_rules(RULE_SETS["gammonview"]))
    explained, matches = result.best.number, len(BUNDLED)
    second = max(
        rule_set.explained for rule_set in result.rule_sets if rule_set.name != "gammonview"
    )
    assert result.sentence == (
        f"prog counts like rule set gammonview: {explained} of {explained} figures over {matches} "
        f"matches; no other known rules give more than {second}."
    )
    assert result.sure in ("certain", "likely")


def test_one_match_is_said_to_be_one_match() -> None:
    match = bundled_matches()[0]
    result = diagnosed(of_rules(RULE_SETS["gammonview"], FEW, [match]))
    assert "of one match" in result.sentence
    assert result.sure != "certain"
    assert "one match" in result.why or result.sure == "open"


@pytest.mark.long
def test_figures_of_nothing_are_of_no_known_rules() -> None:
    pairs = [
        (match, {seat: {"pr": f"{90 + seat}.12", "decisions.counted": "999"} for seat in (0, 1)})
        for match in bundled_matches()
    ]
    result = diagnosed(pairs)
    assert (result.best.explained, result.faults, result.best.differences, result.sure) == (
        0,
        (),
        (),
        "none",
    )
    assert result.sentence.startswith("prog counts like no known rules: none gives any of")
    assert len(result.against) == len(pairs)


@pytest.mark.long
def test_decision_against_the_rules_is_named() -> None:
    match, *rest = bundled_matches()
    scored = statistics(match, "xg").scored
    row = np.flatnonzero(scored.counted & (scored.player == 0) & (scored.error > 0.02))[0]
    counted, error = scored.counted.astype(float), np.array(scored.error, float)
    counted[row], error[row] = 0, 0
    names = ("pr", "decisions.counted", "equity_error.total")
    pairs: list[tuple[Match, Printed]] = [
        (match, of_scored(replace(scored, counted=counted, error=error), names))
    ]
    pairs += of_rules(RULE_SETS["xg"], names, rest)
    result = diagnosed(pairs)
    assert result.best.rules == "xg"
    (against,) = result.against or (None,)
    if result.faults:  # so many digits that it is no accident
        assert result.faults[0].code == "decision-missing"
    else:
        assert against is not None
        assert [(decision.counted, decision.turn) for decision in against.decisions] == [
            ("without", match.plays.turn[row])
        ]


def test_program_without_figures_has_no_diagnosis() -> None:
    assert diagnose("prog", []) is None
    assert diagnose("prog", subjects([(bundled_matches()[0], {0: {}})])) is None


def test_luck_alone_is_no_evidence_of_rules() -> None:
    match = bundled_matches()[0]
    ours = statistics(match)
    result = diagnosed(
        [(match, {seat: printed(ours.figures(seat), ("luck.equity",)) for seat in (0, 1)})]
    )
    assert (result.best.number, result.faults) == (0, ())


@pytest.mark.parametrize("rules", long_but_first(["gammonview", "xg", "backgammondb"]))
def test_rules_are_found_over_all_real_matches(rules: str, data: object) -> None:
    real = [loaded(path) for path in matching("real/*.xg", "bgblitz/xg/*.xg")]
    result = diagnosed(of_rules(RULE_SETS[rules], FEW, real))
    assert (result.best.rules, result.best.also, result.best.explained) == (
        rules,
        (),
        result.best.number,
    )


@pytest.mark.parametrize("names", [("pr", "errors.total"), ("decisions.take", "errors.total")])
@pytest.mark.parametrize("rules", ["gnubg", "blunderdb", "xg"])
def test_known_rules_that_give_every_figure_are_no_fault(
    names: tuple[str, ...], rules: str
) -> None:
    """Grades depend on no rule of counting: rules that give them too come first."""
    matches = [(match, under(match, RULE_SETS[rules], names)) for match in map(loaded, MATCHES)]
    for judged in (matches[:1], matches):
        diagnosis = diagnosed(judged)
        assert diagnosis.faults == ()
