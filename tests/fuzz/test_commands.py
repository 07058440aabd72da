"""Commands at random, a few; `.ci/fresh` runs a thousand, and `python -m tests.fuzz.commands` as
many as there is time for."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

if sys.platform == "win32":
    pytest.skip("bounds memory as POSIX does", allow_module_level=True)

from tests.fuzz import commands, judge

pytestmark = pytest.mark.long


def test_commands_at_random_end_as_documented_and_change_no_input() -> None:
    findings = [commands.finding(number, Counter()) for number in range(8)]
    assert [(wrong, line) for wrong, line in findings if wrong] == []


def test_run_that_is_not_as_documented_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """First every code is taken for undocumented, then every output for an input."""
    words = ["convert", "short.mat", "-o", "empty.json"]
    monkeypatch.setattr(commands, "arguments", lambda random, files: (words, set()))
    assert commands.finding(0, Counter())[0] == "changed empty.json"
    monkeypatch.setattr(judge, "CODES", ())
    assert commands.finding(0, Counter())[0].startswith("code 0: ")
