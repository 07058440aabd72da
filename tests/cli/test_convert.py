"""`reconcile convert` prints and saves the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import WITHIN, XG, run, strict

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_convert_writes_json_to_a_file_or_standard_output() -> None:
    result = run("convert", XG)
    assert result.exit_code == WITHIN
    assert strict(result.stdout)
    assert run("convert", XG, "-o", "match.json").exit_code == WITHIN
    assert Path("match.json").read_text("utf-8") == result.stdout
