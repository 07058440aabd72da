"""`reconcile investigate`: a figure is explained or it is exit code 1."""

from __future__ import annotations

import pytest

from tests.support.command_line import OUTSIDE, WITHIN, XG, run, strict

pytestmark = pytest.mark.usefixtures("elsewhere")


@pytest.mark.parametrize(("reported", "code"), [("pr=7.16", WITHIN), ("decisions=105", WITHIN), ("pr=99.9", OUTSIDE)])
def test_figure_is_explained_or_it_is_exit_code_1(reported: str, code: int) -> None:
    result = run("investigate", XG, "--player", "nora", "--reported", reported)
    assert result.exit_code == code
    assert "Nora Lindqvist" in result.stdout


def test_investigation_on_standard_output_is_alone_there() -> None:
    result = run("investigate", XG, "--player", "nora", "--reported", "pr=7.09", "--reported", "decisions=105", "--json", "-")
    document = strict(result.stdout)
    first = document["explanations"][0]
    assert [difference["question"] for difference in first["differences"]] == ["Q01"]
    assert document["reported"] == {"pr": "7.09", "decisions": "105"}
    assert "Nora Lindqvist" in result.stderr
    assert run("investigate", XG, "--player", "nora", "--reported", "pr=7.09", "--quiet").output == ""
