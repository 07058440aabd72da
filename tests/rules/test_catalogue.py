"""Every question and answer has its page and source, and every rule set answers every question."""

from __future__ import annotations

import pytest

from reconcile.errors import UnknownName
from reconcile.rules import QUESTIONS, RULE_SETS, own_rules, rule_set
from tests.support.claims import some
from tests.support.hand_made import match_of, plays


def test_questions_are_numbered_in_order() -> None:
    assert list(QUESTIONS) == [f"Q{number:02}" for number in range(1, len(QUESTIONS) + 1)]


def test_every_rule_set_answers_every_question_and_every_question_and_answer_has_its_page() -> None:
    for name, rules in some(RULE_SETS.items()):
        assert (rules.name, list(rules.answers)) == (name, list(QUESTIONS))
        assert rules.title
        assert [rules.answer(code).name for code in QUESTIONS] == list(rules.answers.values())
    for code, question in some(QUESTIONS.items()):
        assert question.title.endswith("?")
        assert question.page.startswith(question.title)
        assert question.page.partition("\n\n")[2].strip()
        assert question.answers
        for name, answer in question.answers.items():
            assert answer.name == name
            assert answer.page.strip()
            # It has evidence of its own where no rule set has any.
            used = any(rules.answers[code] == name for rules in RULE_SETS.values())
            assert (answer.status is None, answer.source == "") == (used, used)
            assert not answer.fallback or answer.fallback in question.answers


def test_rule_sets_differ_in_more_than_their_names() -> None:
    answers = [tuple(rules.answers.values()) for rules in RULE_SETS.values()]
    assert len(set(answers)) == len(answers)


def test_file_without_the_flag_falls_back_to_the_spread_and_says_so() -> None:
    rules, replaced = rule_set("xg").for_match(match_of(plays(flag=[-1])))
    assert rules.answers["Q01"] == "xg-spread"
    assert replaced == (("Q01", "xg-flag", "xg-spread"),)
    assert rule_set("xg").for_match(match_of(plays())) == (rule_set("xg"), ())


def test_own_rules_are_those_of_the_tool_that_wrote_the_file() -> None:
    names = [
        own_rules(match_of(tool=tool)).name
        for tool in ("eXtreme Gammon", "GNU Backgammon", "a site")
    ]
    assert names == ["xg", "gnubg", "gnubg"]


def test_unknown_rule_set_or_answer_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(UnknownName, match="xg"):
        rule_set("xgg")
    with pytest.raises(UnknownName, match="nd-positive"):
        rule_set("xg").switched("Q03", "positive")
