"""What the pages of the documentation say of XG and gnuBG is what their measured tables show."""

from __future__ import annotations

import re

import pytest

from docs.making import public, published, tables, walked
from docs.making.pack import bundled
from docs.making.ratios import bundled_ratios
from tests.support.claims import some


def rows(markdown: str) -> list[list[str]]:
    """The cells of the first table in a text, its head left out."""
    lines = re.match(r"(?:\|.*\n?)+", markdown)
    assert lines is not None
    assert lines[0].count("\n") > 2
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in lines[0].splitlines()[2:]
    ]


def test_what_is_said_of_gnubg_s_close_cubes_is_shown() -> None:
    table = rows(published.window())
    assert all(printed == ours for _, printed, ours, _ in table)
    assert any(int(window) < int(ours) for _, _, ours, window in table)


def test_what_is_said_of_the_conversion_is_shown() -> None:
    for _, _, image, difference, printed in some(rows(published.conversion())):
        assert float(difference) == pytest.approx(float(printed), abs=1e-3)
        assert float(image) > 10 * float(printed)


def test_what_is_said_of_the_factor_is_shown() -> None:
    for *_, half, whole, printed in some(rows(published.factor())):
        assert float(whole) == pytest.approx(float(printed), abs=1e-2)
        assert float(half) == pytest.approx(float(whole) / 2, abs=1e-3)


def test_what_is_said_of_forced_moves_is_shown() -> None:
    for _, _, single, dances, forced, printed in some(rows(published.forced())):
        assert int(single) + int(dances) == int(forced)
        assert printed in ("–", forced)


def test_what_is_said_of_the_results_is_shown() -> None:
    assert {row[2] for row in rows(published.results())} == {"50.00", "−50.00"}


def test_what_is_said_of_gnubg_s_tables_is_shown() -> None:
    assert rows(tables.faults())[-1] == ["all 64 × 64 scores", "equal", "equal"]
    assert any(
        one != other
        for _, one, other in rows(tables.faults().partition("chances of `mec`:\n\n")[2])
    )


def test_worked_example_has_the_published_equities() -> None:
    assert rows(tables.example())[0][3:] == ["0.820398", "1.068610", "1.000000"]


def test_example_of_a_bridge_adds_up() -> None:
    assert rows(walked.balance())[-1] == ["equal to 1e-9", "yes"]


def test_ratio_of_gnubg_s_rate_to_snowie_s_is_that_of_the_denominators() -> None:
    ratios = bundled_ratios()
    assert len(ratios) == 2 * sum(one.match.source.format != "mat" for one in bundled())
    for one in ratios:
        assert one.to_snowie == pytest.approx(one.moves / one.decisions[0])


def test_later_candidates_with_higher_equities_exist() -> None:
    assert (
        sum(
            kept["later_candidate_higher"]
            for kept in public.kept().values()
            if kept["format"] == "xg"
        )
        > 0
    )
