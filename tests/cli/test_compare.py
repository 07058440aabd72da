"""`reconcile compare`: exit codes by tolerance, and which results go to which stream."""

from pathlib import Path

import pytest

from reconcile.gap.walk import Walk
from tests.support.command_line import OUTSIDE, SGF, XG, json_of, run

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_one_player_can_be_chosen_by_the_name_in_the_file():
    for more, name in (([], "Tomas Beck"), (["--anonymise"], "Player 2")):
        document = json_of("compare", "--player", "tomas", XG, SGF, "--json", "-", *more)
        assert {figure["player"] for figure in document["figures"]} == {name}
        assert {bridge["player"] for bridge in document["bridge"]} == {name}


def test_rules_and_table_of_both_sides_can_be_named():
    words = "--left-rules gnubg --right-rules xg --met woolsey --json -"
    document = json_of("compare", XG, SGF, *words.split())
    assert [document[side]["rules"] for side in ("left", "right")] == ["gnubg", "xg"]
    assert [document[side]["met"] for side in ("left", "right")] == ["woolsey", "woolsey"]


@pytest.mark.long
def test_all_outputs_together_walk_no_bridge_twice(monkeypatch):
    walk, walked = Walk._bridge, []

    def noting(self, *place):
        bridge = walk(self, *place)
        walked.append((place, bridge))
        return bridge

    monkeypatch.setattr(Walk, "_bridge", noting)
    options = [
        "--html=a.html",
        "--json=a.json",
        "--markdown=a.md",
        "--junit=a.xml",
        "--ledger=a.csv",
    ]
    assert run("compare", XG, SGF, *options).exit_code == OUTSIDE
    assert len(list(Path().iterdir())) == len(options)
    places = {place for place, _ in walked}
    assert {game for _, _, game in places} > {None, 1}
    # One that was walked before is handed out again.
    assert len({id(bridge) for _, bridge in walked}) == len(places)
