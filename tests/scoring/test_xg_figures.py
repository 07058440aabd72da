"""XG's own figures, read off its statistics window, and those an independent prototype computed,
against ours."""

import json

import pytest

from reconcile.scoring.statistics import nested
from tests.support.data import label, matching, skipped_if_empty
from tests.support.reported import WINDOW, match_file, scored


def figures_of(path, name, variant="xg"):
    computed = scored(path, variant)
    return computed.figures(computed.match.players.index(name))


def reported():
    cases = []
    for path in matching("real/*.xg-reported.json"):
        for name, window in json.loads(path.read_text("utf-8"))["xg"].items():
            cases += [
                pytest.param(
                    match_file(path), name, *figure, id=f"{label(path)}-{name}-{figure[0]}"
                )
                for figure in window.items()
            ]
    return skipped_if_empty(cases, 4)


def computed():
    cases = []
    for path in matching("real/*.xg-computed.json"):
        players = json.loads(path.read_text("utf-8"))["players"]
        cases += [
            pytest.param(match_file(path), player, id=f"{label(path)}-{player['name']}")
            for player in players
        ]
    return skipped_if_empty(cases, 2)


@pytest.mark.parametrize(("path", "name", "figure", "printed"), reported())
def test_figure_rounds_to_the_digits_xg_prints(path, name, figure, printed):
    metric, decimals = WINDOW[figure]
    value = figures_of(path, name)[metric]
    assert value is not None
    assert round(value, decimals) == printed


@pytest.mark.parametrize(("path", "player"), computed())
def test_decisions_sums_and_rates_are_those_of_the_prototype_under_either_losing_clause(
    path, player
):
    ours = nested(figures_of(path, player["name"]))
    assert ours["decisions"] == player["decisions"]
    for group in ("equity_error", "mwc_loss_percent"):
        assert {key: ours[group][key] for key in player[group]} == pytest.approx(
            player[group], rel=1e-6, abs=1e-12
        )
    assert ours["pr"] == pytest.approx(player["pr"], rel=1e-9)
    assert figures_of(path, player["name"], "nd-positive")["pr"] == pytest.approx(
        player["pr_losing_side_nd_positive"], rel=1e-9
    )
    # Moves are all rolls but those that were not played.
    match = scored(path).match
    mine = match.plays.player == match.players.index(player["name"])
    assert int(mine.sum()) == player["plies"]
    assert ours["moves"]["total"] == player["plies"] - int(
        (mine & (match.plays.validity == 2)).sum()
    )
    assert int((mine & ~match.plays.analysed).sum()) == player["unscored"]


@pytest.mark.parametrize(
    ("name", "first", "highest"), [("charlot1", 0.070, 0.190), ("charlot2", 0.058, 0.240)]
)
def test_best_is_the_first_candidate_and_not_the_highest(data, name, first, highest):
    (path,) = data.glob("real/charlot1*.xg")
    stored, maximum = (
        figures_of(path, name, variant)["equity_error.checker"]
        for variant in ("xg", "max-candidate")
    )
    assert stored is not None
    assert maximum is not None
    assert (round(stored, 3), round(maximum, 3)) == (first, highest)
