"""Programs that count by known answers: the answers come back from totals alone, or what is said
not to be seen cannot be seen. Real ones follow the rules that are said to be theirs."""

import random
import sys
from dataclasses import replace
from functools import cache
from types import MappingProxyType

import pytest

from benchmarks import peers
from benchmarks.conformance import harness
from reconcile.gate.candidates.reading import CommandFailed
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, rule_set
from reconcile.scoring.figures import METRICS
from reconcile.suite.cases import FORMATS, PLAIN_CASE, table
from reconcile.suite.cases import every as every_case
from reconcile.suite.run import read_back, rules_yaml, run_suite, sentence
from tests.suite.counting import Counting, ran
from tests.support.gnubg import needs_gnubg
from tests.support.long import long_but_first

RATES = {"500/counted": "pr", "1000/counted": "error_rate_memg", "snowie": "snowie_memg"}
TWINS = {
    frozenset(("candidate-0", "counted-plays")): "Q06: where every play with a choice counts (Q01)",
    frozenset(("xg", "bgblitz")): "Q02: where every play counts (Q01)",
    frozenset(("stored", "candidate-0")): "Q06: no .sgf file has a stored error",
    frozenset(("stored", "candidate-0", "counted-plays")): "Q06: both of these",
    frozenset(("within-0.001-no", "no-unless-error")): "Q04: no .sgf file has a stored error",
    frozenset(("xg", "backgammondb")): "Q12: they differ in howlers, which are no figure",
    frozenset(
        ("gnubg-manual", "bgdb")
    ): "Q12: they differ at the border itself, to which no case comes",
    frozenset(("xg-spread", "gnubg", "blunderdb", "bgblitz")): "Q01: no .sgf case is about a "
    "play whose candidates hardly differ",
    frozenset(("stored", "candidate-0", "counted-plays", "max-candidate")): "Q06: the same",
}
"""Answers that give the same figures of any match of a format, and why."""


def few(rules):
    """The rate of these rules, decisions and equity lost: what most programs print."""
    return RATES[rules.answers["Q08"]], "decisions.counted", "equity_error.total"


def every(rules):
    """All figures, with the rate of these rules alone."""
    other_rates = {*RATES.values()} - {RATES[rules.answers["Q08"]]}
    return tuple(name for name in METRICS if name not in other_rates)


@cache
def cases_in(form):
    """The cases from which answers are read, and the one on which all rules agree."""
    cases = [case for case in every_case() if form in case.formats]
    return [case for case in cases if case.reads or case.id == PLAIN_CASE]


def plain_match(form):
    (case,) = (case for case in every_case() if case.id == PLAIN_CASE)
    return case.read(form)


def read_of(program, form="xg"):
    """The answers of such a program, read back from the cases from which answers are read."""
    return read_back(program.name, ran(program, cases_in(form), form=form).cases)


def check(probed, answers):
    """Every answer is right, and where there is none the right one is among the possible, of which
    all give the same figures."""
    for code, finding in probed.findings.items():
        assert finding.is_explained, code
        assert answers[code] in finding.possible, code
        is_clear = not finding.is_seen or finding.answer is not None
        assert is_clear or frozenset(finding.possible) in TWINS, code


def without_answer(probed):
    return {code for code, finding in probed.findings.items() if finding.answer is None}


def unseen_of_xg(answers):
    """The questions that a file of XG does not show of a program that prints few figures: all
    others are answered."""
    unseen = {"Q10", "Q11", "Q12", "Q14"}  # match winning chance, grades of errors, beavers
    unseen |= {"Q13"} if answers["Q08"] != "500/counted" else set()  # no PR to cap
    unseen |= {"Q09"} if answers["Q08"] == "snowie" else set()
    is_alike = answers["Q01"] in ("gnubg", "all-plies") and answers["Q06"] == "candidate-0"
    return unseen | ({"Q06"} if is_alike else set())


EACH = [(name, few, "xg") for name in RULE_SETS]
EACH += [("bgblitz", every, "sgf")]
REST = ((every, "xg"), (few, "sgf"), (every, "sgf"))
EACH += [(name, printed, form) for name in RULE_SETS for printed, form in REST]


@pytest.mark.parametrize(("name", "printed", "form"), long_but_first(dict.fromkeys(EACH), 5, 20))
def test_every_rule_set_is_recovered_from_its_own_totals(name, printed, form):
    rules = RULE_SETS[name]
    probed = read_of(Counting(rules, printed(rules)), form)
    check(probed, rules.for_match(plain_match(form))[0].answers)
    assert [near.name for near in probed.nearest] == [name]
    assert probed.differing(probed.nearest[0]) == []
    if (printed, form) == (few, "xg"):
        assert without_answer(probed) == unseen_of_xg(rules.answers)


DRAWN = [("xg", few, 2), ("xg", few, 6), ("sgf", every, 6)]
DRAWN += [(form, printed, 50) for form in FORMATS for printed in (few, every)]


@pytest.mark.parametrize(("form", "printed", "number"), long_but_first(DRAWN, 1, 3))
def test_combinations_of_answers_that_no_program_has(form, printed, number):
    draw = random.Random(2026)
    for _ in range(number):
        answers = {code: draw.choice(names) for code, names in table()["answers"][form].items()}
        rules = replace(RULE_SETS["gnubg"], name="drawn", answers=MappingProxyType(answers))
        check(read_of(Counting(rules, printed(rules)), form), answers)


COUNTING = {"Q01", "Q02", "Q03", "Q04", "Q05", "Q15", "Q16"}


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("pr", COUNTING | {"Q06", "Q07", "Q08", "Q09", "Q13"}),
        ("decisions.counted", COUNTING),
        ("equity_error.total", {"Q07"}),
    ],
)
def test_one_figure_is_enough_for_what_it_depends_on(name, codes):
    rules = RULE_SETS["gammonview"].switched("Q07", "no")  # as it counts an `.xg`
    probed = read_of(Counting(rules, (name,)))
    for code, finding in probed.findings.items():
        assert finding.answer in (None, rules.answers[code]), code
    assert not without_answer(probed) & codes


def test_program_that_prints_several_rates_does_not_show_which_is_its_own():
    names = ("pr", "error_rate_memg", "snowie_memg", "decisions.counted")
    probed = read_of(Counting(RULE_SETS["gnubg"], names))
    rate = probed.findings["Q08"]
    assert (rate.answer, rate.possible) == (None, ("500/counted", "1000/counted"))
    assert rate.evidence == "it prints several rates"
    assert [near.name for near in probed.nearest] == ["gnubg"]


RULES = RULE_SETS["gammonview"]
SOUND = Counting(RULES, few(RULES))


def test_evidence_is_what_cases_show_and_the_sentence_says_from_what():
    probed = read_of(SOUND)
    shown = {code: finding.evidence for code, finding in probed.findings.items()}
    assert "count-flag-error (an error of 0.01 that XG marks as irrelevant)" in shown["Q01"]
    cases = [words.partition(" ")[0] for words in shown["Q02"].split("; ")]
    assert {"close-window-0.20004", "close-window-0.201"} < {*cases}
    assert shown["Q08"] == "it prints PR"
    assert sentence(probed) == (
        "prog counts like gammonview; 12 of 16 questions answered, Q10, Q11, Q12 and Q14 cannot be "
        "seen from its figures."
    )
    other = RULES.switched("Q07", "yes-without-decision")
    start = "prog counts like gammonview with other answers to Q07; "
    assert sentence(read_of(Counting(other, few(other)))).startswith(start)


def test_failure_on_one_match_leaves_its_question_open():
    def spoilt(name):
        if name.startswith("resign"):
            raise CommandFailed("ended with exit code 3: no\nway", "prog")

    findings = read_of(replace(SOUND, spoilt=spoilt)).findings
    assert findings["Q07"].answer is None
    assert findings["Q07"].evidence.startswith("it fails on the matches about it: ended")
    assert findings["Q02"].answer == "xg-rounded"


def test_run_without_a_case_about_a_question_says_nothing_of_what_the_program_prints():
    probed = read_back("prog", ran(SOUND, ()).cases)
    assert sentence(probed).endswith(" cannot be seen from the cases that were run.")
    reasons = {probed.findings[code].evidence for code in ("Q02", "Q08", "Q11")}
    assert reasons == {"no case about it was run"}


@pytest.mark.parametrize("name", long_but_first(RULE_SETS, 2))
def test_rule_file_gives_the_answers_back(name, tmp_path):
    start = RULE_SETS[name]
    rules = start.switched("Q07", "yes-without-decision" if start.answers["Q07"] == "no" else "no")
    probed = replace(read_of(Counting(rules, few(rules))), program="pröbe/1 \u202e::x")
    path = tmp_path / "rules.yaml"
    path.write_text(rules_yaml(probed), "utf-8")
    read = rule_set(str(path)).answers
    expected = rules.for_match(plain_match("xg"))[0].answers
    shown = QUESTIONS.keys() - {"Q11"}
    assert {code: read[code] for code in shown} == {code: expected[code] for code in shown}


# gammonview prints no grades, and no .xg shows a beaver; gnuBG has no equal candidates, stored
# errors, resignations, grades, PR.
UNSEEN = {"gammonview": {"Q12", "Q14"}, "gnubg": {"Q01", "Q06", "Q07", "Q12", "Q13"}}


@pytest.mark.long
@pytest.mark.parametrize("name", ["gammonview", pytest.param("gnubg", marks=needs_gnubg)])
def test_program_follows_its_rule_set(name):
    interpreter = peers.python() if name == "gammonview" else sys.executable
    asked = run_suite(harness=harness(interpreter, f"{name}_harness.py"))
    probed, answers = read_back(name, asked.cases), dict(RULE_SETS[name].answers)
    if name == "gammonview":
        answers["Q07"] = "no"  # as it counts an `.xg`
    assert [near.name for near in probed.nearest] == [name]
    for code, finding in probed.findings.items():
        assert finding.answer == (None if code in UNSEEN[name] else answers[code]), code
        assert not finding.evidence.startswith("it fails")
