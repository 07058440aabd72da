"""Commands at random, a few; `.ci/fresh` runs a thousand, and `python -m tests.fuzz.commands` as
many as there is time for."""

from collections import Counter

import pytest

from tests.fuzz import commands

pytestmark = pytest.mark.long


def test_commands_at_random_end_as_documented_and_change_no_input():
    findings = [commands.finding(number, Counter()) for number in range(8)]
    assert [(wrong, line) for wrong, line in findings if wrong] == []
