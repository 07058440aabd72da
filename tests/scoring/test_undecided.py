"""Dead cubes under BGBlitz's rules in the file of another program: the figures are ranges, and a
finding says why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reconcile.match.match import Match
from reconcile.match.tools import BGBLITZ, XG
from reconcile.scoring.dead_cubes import with_dead_cubes
from reconcile.scoring.findings import findings_of
from reconcile.scoring.open_rules import gap_range, is_printed, open_range
from reconcile.scoring.statistics import statistics
from tests.support.hand_made import match_of, plays

ROLLS = 4
"""Of the leader, who owns the cube; each lost 0.1 and counts."""


def led(
    tool: str = XG.name,
    *,
    owner: int = 1,
    score: tuple[int, int] = (6, 3),
    crawford: bool = False,
    length: int = 7,
) -> Match:
    """Ann leads 6-3 to 7 after the Crawford game and owns the cube at 2; her rolls are turns 2 to
    5."""
    turns: dict[str, Any] = {
        "turn": list(range(2, 2 + ROLLS)),
        "cube": [2] * ROLLS,
        "owner": [owner] * ROLLS,
        "level": [-1] * ROLLS,
    }
    match = match_of(plays(ROLLS, **turns), length=length, tool=tool)
    games = match.games.replaced(score=np.array([score]), crawford=np.array([crawford]))
    return replace(match, games=games)


def ranges(match: Match, rules: str = "bgblitz") -> dict[str, tuple[float, float]]:
    return dict(open_range(statistics(match, rules)).figures[0])


def test_figures_of_a_leader_who_owns_the_cube_go_from_none_of_the_dead_cubes_to_all() -> None:
    """4 plays lost 0.4 together: over 8 decisions a PR of 25, over the 4 plays alone one of 50."""
    match = led()
    assert statistics(match, "bgblitz").figures(0)["pr"] == pytest.approx(25)
    result = ranges(match)
    assert result["decisions.counted"] == (4, 8)
    assert result["decisions.double"] == (0, 4)
    assert result["pr"] == pytest.approx((25, 50))
    assert "equity_error.total" not in result
    assert "checker_pr" not in result
    assert open_range(statistics(match, "bgblitz")).by_player == (("Q16",), ())


@pytest.mark.parametrize(
    "match",
    [
        led(BGBLITZ.name),
        led(owner=0),
        led(score=(5, 3)),
        led(crawford=True),
        led(length=9),
    ],
    ids=[
        "own file",
        "cube in the middle",
        "before the Crawford game",
        "Crawford game",
        "cube is alive",
    ],
)
def test_dead_cubes_that_every_file_shows_leave_no_range(match: Match) -> None:
    assert ranges(match) == {}
    assert not [
        finding
        for finding in findings_of(statistics(match, "bgblitz"))
        if finding.code == "dead-cubes"
    ]


def test_finding_says_how_many_turns_and_between_which_figures() -> None:
    (finding,) = [
        item for item in findings_of(statistics(led(), "bgblitz")) if item.code == "dead-cubes"
    ]
    assert (finding.severity, finding.player) == ("warning", "Ann")
    assert finding.evidence == (
        "PR of Ann is 25.00 to 50.00: which of 4 turns with an owned, dead cube after the "
        "Crawford game BGBlitz counts is not in this file"
    )


def gaps(left: Match, right: Match, name: str) -> tuple[float, float] | None:
    return gap_range(statistics(left, "bgblitz"), statistics(right, "bgblitz"), (0, 0), name)


def dearer(tool: str = XG.name) -> Match:
    """Another analysis of the same rolls, by which each lost 0.2."""
    match = led(tool)
    other = match.plays.replaced(stored_error=np.full(ROLLS, 0.2), played=np.full(ROLLS, 0.3))
    return replace(match, plays=other, source=replace(match.source, digest="another file"))


def test_file_against_itself_has_no_gap_whatever_its_dead_cubes_are() -> None:
    assert gaps(led(), led(), "pr") == (0, 0)
    assert gaps(led(), led(), "decisions.counted") == (0, 0)


def test_two_files_of_one_match_share_the_dead_cubes_that_neither_shows() -> None:
    """None of them count, and 25 stands against 50 over 4 plays twice as dear, or all do: never all
    here and none there."""
    assert gaps(led(), dearer(), "decisions.counted") == (0, 0)
    assert gaps(led(), dearer(), "pr") == pytest.approx((25, 50))
    assert gaps(dearer(), led(), "pr") == pytest.approx((-50, -25))


def test_file_that_shows_its_dead_cubes_shares_nothing() -> None:
    assert gaps(led(), dearer(BGBLITZ.name), "decisions.double") == (0, 4)


def test_turns_with_a_dead_cube_make_no_file_one_of_printed_digits() -> None:
    assert not is_printed(with_dead_cubes(led()))


def test_files_that_lack_different_dead_cubes_share_none() -> None:
    """One file has the value of one of the four: what is open of it is not what is open of the
    other."""
    full = with_dead_cubes(led())
    values = {
        "analysed": [True, False, False, False],
        "no_double": [0.9] + [np.nan] * 3,
        "double_take": [0.1] + [np.nan] * 3,
    }
    part = replace(
        full, cubes=full.cubes.replaced(**{name: np.array(of) for name, of in values.items()})
    )
    result = gaps(led(), part, "decisions.double")
    assert result is not None
    assert result[0] < -1
