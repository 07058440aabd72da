"""What failing cases share is said before they are listed: area, figure, what their matches have,
and from which border on a program is right."""

import pytest

from reconcile.gate.candidates.program import About
from reconcile.rules.rulesets import RULE_SETS
from reconcile.suite.cases import chosen, shared
from tests.suite import counting
from tests.suite.counting import Counting

NAMES = ("pr", "decisions.counted", "decisions.double", "moves.total", "luck.equity")
XG = RULE_SETS["xg"]


def other_luck(figures, _):
    """Luck with the other sign."""
    luck = figures.get("luck.equity")
    return figures | ({"luck.equity": str(-float(luck))} if luck else {})


def of_matches(figures, length):
    """No decision right in money play."""
    return figures | {"decisions.counted": str(int(figures["decisions.counted"]) + (length == "0"))}


def ran(program, *prefixes, claimed="xg", declared=()):
    cases = [case for prefix in prefixes for case in chosen(prefix)]
    return counting.ran(program, cases, About(program="prog", figures=declared, rules=claimed))


def said(program, *prefixes):
    return " ".join(shared(ran(program, *prefixes)))


@pytest.mark.parametrize(
    ("program", "areas", "sentences"),
    [
        (
            Counting(XG.switched("Q02", "gnubg"), NAMES),
            ("close-window", "count", "take"),
            [
                "cases: double decisions. Wrong because of that: PR and decisions.",
                "Right in every case: moves.",
                "decisions −1, first player, in 4 of",
                "double decisions −1, first player, in 4 of",
                "All of them have a no-double near a double",
                "close-window: 0.05 to 0.159 pass, 0.161 to 0.199 fail, 0.20004 to 0.5 pass.",
            ],
        ),
        (
            Counting(XG, NAMES, changed=other_luck),
            ("luck", "forced", "close"),
            [
                "Wrong in each of",
                "luck.",
                "Off alike: only luck about -1 times, in all 19 matches.",
                "All of them have luck, and no other case has it.",
            ],
        ),
        (
            Counting(XG, NAMES, changed=of_matches),
            ("money", "jacoby", "pass"),
            [
                "5 of 5 of money and 5 of 5 of jacoby",
                "Off alike: only decisions +1, in 10 of",
                "All of them have money play, and no other case has it.",
            ],
        ),
    ],
)
def test_a_fault_is_placed_by_what_its_cases_share(program, areas, sentences):
    text = said(program, *areas)
    assert [words for words in sentences if words not in text] == [], text


def test_a_program_that_is_right_shares_no_fault():
    assert said(Counting(XG, NAMES), "close-window") == ""


@pytest.mark.parametrize(
    ("rules", "named"), [(XG, True), (XG.switched("Q02", "gnubg").switched("Q03", "all"), False)]
)
def test_rules_are_named_only_where_they_give_every_figure(rules, named):
    document = ran(Counting(rules, NAMES), "close", "losing", claimed=None)
    assert bool(document.judged_by) == named


def without_some(figures, length):
    """It is not said how many moves there are in a match to one point."""
    return {name: text for name, text in figures.items() if (name, length) != ("moves.total", "1")}


@pytest.mark.parametrize(
    ("declared", "verdict"), [((), "passed"), (("pr", "moves.total"), "failed")]
)
def test_a_figure_given_in_other_cases_is_missing_and_fails_where_it_is_declared(declared, verdict):
    program = Counting(XG, NAMES, changed=without_some)
    document = ran(program, "onepoint", "money", declared=declared)
    cases = {case.id: case.verdict for case in document.cases}
    assert {cases[entry.match] for entry in document.missing} == {verdict}
    assert {entry.figure for entry in document.missing} == {"moves.total"}
    assert {name for name in cases if name.startswith("money")}.isdisjoint(
        entry.match for entry in document.missing
    )


@pytest.mark.parametrize(("names", "verdict"), [(NAMES[:-1], "failed"), (NAMES, "passed")])
def test_a_program_that_gives_no_luck_anywhere_fails_the_cases_about_luck(names, verdict):
    document = ran(Counting(XG, names), "luck-s", "pass-r")
    assert not any(": ." in sentence for sentence in shared(document))
    verdicts = {case.id: case.verdict for case in document.cases}
    assert verdicts.pop("pass-right") == "passed"  # nobody rolled
    assert {*verdicts.values()} == {verdict}
    reasons = {case.reason for case in document.cases if case.verdict == "failed"}
    assert all("no luck.equity of Synthetic Ann" in reason for reason in reasons)


def per_1000(figures, _):
    return figures | {"pr": figures["error_rate_memg"]}


def test_a_transformation_of_all_figures_is_named_and_nothing_else_is():
    program = Counting(XG, (*NAMES, "error_rate_memg"), changed=per_1000)
    (rate,) = ran(program, "luck", claimed=None).diagnosis
    other = ran(Counting(XG.switched("Q02", "gnubg"), NAMES), "close").diagnosis
    assert (rate.transformation, other[0].transformation) == ("per-1000", "")
