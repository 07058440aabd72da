"""`reconcile explain`: what is told of every code, and which code a wrong one is near to."""

from __future__ import annotations

import re
from itertools import takewhile

import pytest

from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from tests.support.command_line import ERROR, WITHIN, run

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_explain_without_code_lists_and_with_code_prints_the_page() -> None:
    listed = run("explain")
    assert listed.exit_code == WITHIN
    for code in ("Q01", "Q14", "incomplete-analysis", "pr", "gnubg"):
        assert code in listed.stdout
        assert len(run("explain", code).stdout) > 20


@pytest.mark.parametrize(("wrong", "near"), [("snowie-er", "snowie_er"), ("incomplete-analyses", "incomplete-analysis"), ("Q99", "Q09")])
def test_unknown_code_gets_a_hint(wrong: str, near: str) -> None:
    assert near in run("explain", wrong).stderr


def test_rules_fit_a_terminal_of_80_columns_and_name_every_set() -> None:
    lines = run("explain", "--rules").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    for code in QUESTIONS:
        start = next(index for index, line in enumerate(lines) if line.startswith(code))
        rest = [line for line in lines[start + 1 :] if line]
        block = list(takewhile(lambda line: line.startswith("  "), rest))
        assert all(re.search(rf"\b{name}\b", " ".join(block)) for name in RULE_SETS)


def test_first_word_of_causes_leads_to_all_of_them() -> None:
    told = run("explain", "engine")
    assert told.exit_code == ERROR
    assert all(code in told.stderr for code in ("engine.other-best-move", "engine.error-size", "engine.level"))
