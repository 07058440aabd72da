"""Every cell of the matrix: which program answers which question how, how that is known, and
what nobody outside knows."""

from datetime import date

import pytest

from reconcile.errors import UnknownName
from reconcile.report.explain import page
from reconcile.rules.catalogue import Cell, Status, standing
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, givers, own_rules, rule_set
from tests.support.claims import some
from tests.support.command_line import run
from tests.support.hand_made import match_of, plays


def test_rules_prints_every_cell_and_marks_the_open_ones():
    table, _, _ = run("explain", "--rules").stdout.partition("\n? nobody outside knows")
    cells: dict[tuple[str, str], str] = {}
    code = answer = ""
    for line in table.splitlines():
        if line[:3] in QUESTIONS:
            code = line[:3]
            continue
        first, _, sets = line.strip().partition("  ")
        # A long list of rule sets goes on in the next line.
        answer, sets = (first, sets) if sets else (answer, first)
        cells |= {
            (code, name): answer for name in sets.replace(" ?", "?").replace(",", " ").split()
        }
    assert cells == {
        (code, name + "?" * (code in rules.open)): answer
        for name, rules in RULE_SETS.items()
        for code, answer in rules.answers.items()
    }


def test_page_of_a_rule_set_tells_every_cell_and_what_is_open():
    for rules in some(RULE_SETS.values()):
        first, *lines = page(rules.name).splitlines()
        assert first == f"{rules.name}: {rules.title}"
        text = " ".join(" ".join(lines).split())
        for code, question in QUESTIONS.items():
            is_open = " ?" * (code in rules.open)
            assert f"{code} {question.title} {rules.answers[code]}{is_open}" in text, rules.name


def test_every_rule_set_answers_every_question_and_every_question_and_answer_has_its_page():
    for name, rules in some(RULE_SETS.items()):
        assert (rules.name, list(rules.answers)) == (name, list(QUESTIONS))
        assert rules.title
    for code, question in some(QUESTIONS.items()):
        assert question.title.endswith("?")
        assert question.answers
        for name, answer in question.answers.items():
            assert answer.name == name
            # It has evidence of its own where no rule set has any.
            used = bool(givers(code, name))
            assert (answer.status is None, answer.source == "") == (used, used)
            assert not answer.fallback or answer.fallback in question.answers


def test_file_without_the_flag_falls_back_to_the_spread_and_says_so():
    rules, replaced = rule_set("xg").for_match(match_of(plays(flag=[-1])))
    assert rules.answers["Q01"] == "xg-spread"
    assert replaced == (("Q01", "xg-flag", "xg-spread"),)
    assert rule_set("xg").for_match(match_of(plays())) == (rule_set("xg"), ())


def test_own_rules_are_those_of_the_tool_that_wrote_the_file():
    for tool, rules in (("eXtreme Gammon", "xg"), ("GNU Backgammon", "gnubg"), ("a site", "gnubg")):
        assert own_rules(match_of(tool=tool)).name == rules


def test_unknown_rule_set_or_answer_is_an_error_that_lists_the_known():
    with pytest.raises(UnknownName, match="xg"):
        rule_set("xgg")
    with pytest.raises(UnknownName, match="nd-positive"):
        rule_set("xg").switched("Q03", "positive")


EVERY = [
    (rules, code, cell) for rules in RULE_SETS.values() for code, cell in rules.evidence.items()
]


def test_no_answer_has_a_status_beyond_its_source_and_an_unknown_one_names_what_is_used():
    for rules, code, cell in some(EVERY):
        where = f"{rules.name}-{code}"
        if cell.status in (Status.PROBED, Status.VERIFIED, Status.SOURCE_CODE, Status.DOCUMENTED):
            assert {rules.program in cell.source, rules.version in cell.source} == {True}, where
        assert cell.source or not (cell.status and cell.status.needs_source), where
        assert (cell.answer is None) == (cell.status in (Status.UNKNOWN, Status.NOT_APPLICABLE)), (
            where
        )
        assert cell.answer in (None, cell.used), where
        assert rules.answers[code] == cell.used, where
        assert cell.open or cell.status is not Status.UNKNOWN, where
        assert cell.answer or cell.open or not cell.settled_by, where
        assert cell.quote, f"{where}: the few words that it rests on, or why it is not known"
        assert date.fromisoformat(cell.date or "") >= date(2026, 1, 1), where
        assert cell.separates or not (cell.status and cell.status.needs_source), where


def test_alternatives_hold_the_answer_and_are_answers_of_the_question():
    several = [(rules, code, cell) for rules, code, cell in EVERY if cell.possible]
    places = [(rules.name, code) for rules, code, _ in several]
    assert places == [("xg", "Q03"), ("xg", "Q07"), ("xg", "Q09")]
    for _, code, cell in several:
        assert {cell.used} <= {*cell.possible} <= {*QUESTIONS[code].answers}


def test_rule_set_says_how_far_it_is_known_by_what_is_known_least():
    assert RULE_SETS["xg"].standing == (
        "verified on the windows of two matches and six sides of pasted summaries; Q03, Q07, Q09 "
        "and Q13 attested, Q14 unknown"
    )
    probed, attested = Cell("a", Status.PROBED, "a"), Cell("a", Status.ATTESTED, "a")
    none = Cell(None, Status.NOT_APPLICABLE, "a")
    cells = {"Q01": probed, "Q13": none}
    assert standing("probed", cells) == "probed"
    cells["Q02"] = attested
    assert standing("probed", cells) == "probed; Q02 attested"
