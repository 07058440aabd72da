"""Programs that count by known answers: the answers come back from totals alone, or what is said
not to be seen cannot be seen."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from reconcile.gate.candidates.command import CommandFailed
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet, rule_set
from reconcile.suite.answers import (
    ReadBack,
    evidence,
    outcome,
    read_back,
    read_cases,
    rules_yaml,
    sentence,
    supported,
)
from reconcile.suite.cases import PLAIN_CASE
from reconcile.suite.run import Ran
from reconcile.suite.synthetic import FORMATS
from tests.suite.probed_programs import Counting, every, few, read_of, rules_of
from tests.support.long import long_but_first

TWINS = {
    frozenset(("candidate-0", "counted-plays")): "Q06: where every play with a choice counts (Q01)",
    frozenset(("xg", "bgblitz")): "Q02: where every play counts (Q01)",
    frozenset(("stored", "candidate-0")): "Q06: no .sgf file has a stored error",
    frozenset(("stored", "candidate-0", "counted-plays")): "Q06: both of these",
    frozenset(("within-0.001-no", "no-unless-error")): "Q04: no .sgf file has a stored error",
    frozenset(("xg", "backgammondb")): "Q12: they differ in howlers, which are no figure",
}
"""Answers that give the same figures of any match of a format, and why."""
Names = Callable[[RuleSet], tuple[str, ...]]


def effective(rules: RuleSet, form: str) -> dict[str, str]:
    """The answers that rules have for the files of a format."""
    return dict(rules.for_match(read_cases(form)[PLAIN_CASE].match)[0].answers)


def sound(probed: ReadBack, answers: dict[str, str]) -> None:
    """Every answer is right, and where there is none the right one is among the possible, of which
    all give the same figures."""
    for code, finding in probed.findings.items():
        assert finding.unexplained == (), code
        assert answers[code] in finding.possible, code
        if finding.answer is None and not finding.unseen:
            assert frozenset(finding.possible) in TWINS, (code, finding.possible)


def answers_of(probed: ReadBack) -> dict[str, str | None]:
    return {finding.question: finding.answer for finding in probed.answered}


def unseen_of_xg(rules: RuleSet) -> set[str]:
    """The questions that a file of XG does not show of a program that prints few figures: all
    others are answered."""
    answers = rules.answers
    unseen = {"Q10", "Q11", "Q12", "Q14"}  # match winning chance, grades of errors, beavers
    unseen |= {"Q13"} if answers["Q08"] != "500/counted" else set()  # no PR to cap
    unseen |= {"Q09"} if answers["Q08"] == "snowie" else set()
    is_alike = answers["Q01"] in ("gnubg", "all-plies") and answers["Q06"] == "candidate-0"
    return unseen | ({"Q06"} if is_alike else set())


EACH: list[tuple[str, Names, str]] = [(name, few, "xg") for name in RULE_SETS]
EACH += [("bgblitz", every, "sgf")]
REST = ((every, "xg"), (few, "sgf"), (every, "sgf"))
EACH += [(name, printed, form) for name in RULE_SETS for printed, form in REST]


@pytest.mark.parametrize(("name", "printed", "form"), long_but_first(dict.fromkeys(EACH), 5, 20))
def test_every_rule_set_is_recovered_from_its_own_totals(
    name: str, printed: Names, form: str
) -> None:
    rules = RULE_SETS[name]
    probed = read_of(Counting(rules, printed(rules)), form)
    sound(probed, effective(rules, form))
    assert probed.equally_near == (rules.name,)
    assert probed.differing(probed.nearest) == ()
    if (printed, form) == (few, "xg"):
        assert {finding.question for finding in probed.open} == unseen_of_xg(rules)


DRAWN: list[tuple[str, Names, int]] = [("xg", few, 2), ("xg", few, 6), ("sgf", every, 6)]
DRAWN += [(form, printed, 50) for form in FORMATS for printed in (few, every)]


@pytest.mark.parametrize(("form", "printed", "number"), long_but_first(DRAWN, 1, 3))
def test_combinations_of_answers_that_no_program_has(
    form: str, printed: Names, number: int
) -> None:
    draw = random.Random(2026)
    for _ in range(number):
        answers = {code: draw.choice(names) for code, names in supported(form).items()}
        rules = rules_of(answers)
        sound(read_of(Counting(rules, printed(rules)), form), answers)


COUNTING = {"Q01", "Q02", "Q03", "Q04", "Q05", "Q15", "Q16"}


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("pr", COUNTING | {"Q06", "Q07", "Q08", "Q09", "Q13"}),
        ("decisions.counted", COUNTING),
        ("equity_error.total", {"Q07"}),
    ],
)
def test_one_figure_is_enough_for_what_it_depends_on(name: str, codes: set[str]) -> None:
    rules = RULE_SETS["gammonview"].switched("Q07", "no")  # as it counts an `.xg`
    answered = answers_of(read_of(Counting(rules, (name,))))
    assert answered == {code: rules.answers[code] for code in answered}
    assert answered.keys() >= codes


def test_program_that_prints_several_rates_does_not_show_which_is_its_own() -> None:
    names = ("pr", "error_rate_memg", "snowie_memg", "decisions.counted")
    probed = read_of(Counting(RULE_SETS["gnubg"], names))
    rate = probed.findings["Q08"]
    assert (rate.answer, rate.possible) == (None, ("500/counted", "1000/counted"))
    assert rate.unseen == "it prints several rates"
    assert probed.equally_near == ("gnubg",)


RULES = RULE_SETS["gammonview"]
SOUND = Counting(RULES, few(RULES))


def test_what_a_case_shows_is_said_of_it() -> None:
    outcomes = {reading.file.case.id: outcome(reading) for reading in read_of(SOUND).readings}
    assert outcomes["count-flag-error"] == "an error of 0.01 that XG marks as irrelevant counts"
    assert outcomes["dance-not-counted"] == "a roll that cannot be played does not count"
    assert outcomes["take-right"] == "a right take counts"


def test_failure_on_one_match_leaves_its_question_open() -> None:
    def change(name: str, text: bytes) -> bytes:
        if name.startswith("resign"):
            raise CommandFailed("ended with exit code 3: no\nway", "prog")
        return text

    result = read_of(replace(SOUND, change=change))
    assert result.findings["Q07"].answer is None
    assert evidence(result.findings["Q07"]).startswith("it fails on the matches about it: prog: ")
    assert result.findings["Q02"].answer == "xg-rounded"


def test_sentence_says_which_questions_and_from_what() -> None:
    assert sentence(read_of(SOUND)) == (
        "prog counts like gammonview; 12 of 16 questions answered, Q10, Q11, Q12 and Q14 cannot be "
        "seen from PR, decisions and equity lost alone."
    )
    other = RULES.switched("Q07", "yes-without-decision")
    assert sentence(read_of(Counting(other, few(other)))).startswith(
        "prog counts like gammonview with other answers to Q07; "
    )


def test_run_without_a_case_about_a_question_says_nothing_of_what_the_program_prints() -> None:
    result = read_back(Ran("prog", "", None, ()))
    assert sentence(result).endswith(" cannot be seen from the cases that were run.")
    reasons = {evidence(result.findings[code]) for code in ("Q02", "Q08", "Q11")}
    assert reasons == {"no case about it was run"}


@pytest.mark.parametrize("name", long_but_first(RULE_SETS, 2))
def test_rule_file_gives_the_answers_back(name: str, tmp_path: Path) -> None:
    start = RULE_SETS[name]
    rules = start.switched("Q07", "yes-without-decision" if start.answers["Q07"] == "no" else "no")
    result = replace(read_of(Counting(rules, few(rules))), program="pröbe/1 \u202e::x")
    path = tmp_path / "rules.yaml"
    path.write_text(rules_yaml(result), "utf-8")
    read, expected = rule_set(str(path)).answers, effective(rules, "xg")
    shown = QUESTIONS.keys() - {"Q11"}
    assert {code: read[code] for code in shown} == {code: expected[code] for code in shown}
