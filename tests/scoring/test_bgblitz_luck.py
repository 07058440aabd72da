"""BGBlitz's own luck, result minus skill: that of its files, and by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reconcile.formats import read_match
from reconcile.scoring.luck import BgblitzLuck, result_minus_skill
from reconcile.scoring.statistics import statistics
from tests.support.data import cases
from tests.support.loaded import loaded
from tests.support.small_bgf import first_game, game, match, written

RED = 1


@pytest.mark.parametrize("path", cases("bgblitz/bgf/*.bgf"))
def test_luck_of_every_game_is_that_in_the_file(path: Path) -> None:
    own = json.loads(path.with_name(f"{path.name}-reported.json").read_text())
    computed = statistics(loaded(path))
    compared = 0
    for index, item in enumerate(own["games"]):
        luck = result_minus_skill(computed, RED, index)
        if luck.plain is not None:
            assert luck.plain == pytest.approx(item["luck"]["plain"], abs=2e-6)
            assert luck.weighted == pytest.approx(item["luck"]["weighted"], abs=2e-5)
            compared += 1
    assert compared  # a gammon can lead to a score that no evaluation shows
    total = result_minus_skill(computed, RED)
    if total.plain is not None:
        assert total.plain == pytest.approx(own["match"]["luck"]["plain"], abs=2e-6)


def test_luck_is_the_result_without_the_errors() -> None:
    """Red won two points of three: from 0.5 to 0.8. Red's errors cost 0.002, green's 0.05 (see
    `small_bgf`)."""
    computed = statistics(read_match("small.bgf", written(match())))
    luck = result_minus_skill(computed, RED)
    assert luck.plain == pytest.approx(0.3 + 0.002 - 0.05, abs=1e-6)
    assert luck.weighted == pytest.approx((0.3 + 0.002 - 0.05) / 0.1, abs=1e-5)
    assert luck.plain is not None
    assert luck.weighted is not None
    assert result_minus_skill(computed, 0, 0) == BgblitzLuck(-luck.plain, -luck.weighted)
    assert computed.figures(1)["luck.equity"] == pytest.approx(
        0.1
    )  # of the one roll, which is another thing


def test_points_take_the_place_of_chances_in_money_play() -> None:
    session = read_match(
        "small.bgf", written(match(game(first_game(money=True), wonPoints=2), length=0))
    )
    assert result_minus_skill(statistics(session), RED).plain == pytest.approx(2 + 0.02 - 0.3)
    broken = match(
        game([*first_game(money=True)[:7], first_game()[-1]], wonPoints=0), length=0, finalRed=6
    )
    assert result_minus_skill(
        statistics(read_match("small.bgf", written(broken))), RED
    ).plain == pytest.approx(0.02 - 0.3)
