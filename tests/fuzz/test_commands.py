"""Commands at random, a few; `.ci/fresh` runs a thousand, and `python -m tests.fuzz.commands` as
many as there is time for."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

from tests.fuzz import commands

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="bounds memory as POSIX does"),
]


def test_commands_at_random_end_as_documented_and_change_no_input() -> None:
    findings = [commands.finding(number, Counter()) for number in range(8)]
    assert [(wrong, line) for wrong, line in findings if wrong] == []


def test_run_that_is_not_as_documented_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "CODES", ())
    assert all("code " in commands.finding(number, Counter())[0] for number in (0, 1))


def test_file_that_a_command_changed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here every output is taken for an input."""
    monkeypatch.setattr(
        commands,
        "arguments",
        lambda random, files: (["convert", "short.mat", "-o", "empty.json"], set()),
    )
    wrong, _ = commands.finding(0, Counter())
    assert wrong == "changed empty.json"
