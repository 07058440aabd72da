"""`reconcile compare`: exit codes by tolerance, and which results go to which stream."""

from collections import Counter
from pathlib import Path

import pytest

from reconcile.gap.walk import Bridge, Walk
from tests.support.command_line import ERROR, OUTSIDE, SGF, WITHIN, XG, run, strict

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_gap_out_of_tolerance_is_exit_code_1_and_quiet_prints_nothing():
    assert "2 of 6 figures within tolerance" in run("compare", XG, SGF).stdout
    result = run("compare", XG, SGF, "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (OUTSIDE, "", "")
    assert run("compare", XG, XG).exit_code == WITHIN


def test_one_player_can_be_chosen_by_the_name_in_the_file():
    for more, name in (([], "Tomas Beck"), (["--anonymise"], "Player 2")):
        printed = run("compare", "--player", "tomas", XG, SGF, "--json", "-", *more).stdout
        document = strict(printed)
        assert {figure["player"] for figure in document["figures"]} == {name}
        assert {bridge["player"] for bridge in document["bridge"]} == {name}


def test_either_side_can_be_standard_input():
    for arguments, path in ((("-", SGF), XG), ((XG, "-"), SGF)):
        assert (
            run("compare", "--quiet", *arguments, stdin=Path(path).read_bytes()).exit_code
            == OUTSIDE
        )


def test_rules_and_table_of_both_sides_can_be_named():
    words = "--left-rules gnubg --right-rules xg --met woolsey --json -"
    document = strict(run("compare", XG, SGF, *words.split()).stdout)
    assert [document[side]["rules"] for side in ("left", "right")] == ["gnubg", "xg"]
    assert [document[side]["met"] for side in ("left", "right")] == ["woolsey", "woolsey"]


def test_transcript_without_analysis_cannot_be_compared(data):
    for path in (XG, str(data / "real" / "test.xg")):
        result = run("compare", path, str(data / "real" / "test.mat"))
        assert (result.exit_code, result.stdout) == (ERROR, "")


Walked = Counter[tuple[str, int, int | None]]


@pytest.fixture
def walked(monkeypatch):
    """How often each bridge was walked: by metric, seat and game."""
    counted: Walked = Counter()
    built: list[Bridge] = []
    walk = Walk._bridge

    def counting(self, name, owner, game):
        bridge = walk(self, name, owner, game)
        if not any(
            bridge is each for each in built
        ):  # one that was walked before is handed out again
            built.append(bridge)
            counted[name, owner, game] += 1
        return bridge

    monkeypatch.setattr(Walk, "_bridge", counting)
    return counted


@pytest.mark.long
def test_all_outputs_together_walk_no_bridge_twice(walked):
    outputs = ("html", "json", "markdown", "junit", "ledger")
    done = run(
        "compare",
        XG,
        SGF,
        *(
            word
            for name in outputs
            for word in (f"--{name}", f"gap.{'csv' if name == 'ledger' else name}")
        ),
    )
    assert done.exit_code == OUTSIDE
    assert len(list(Path().iterdir())) == len(outputs)
    assert {game for _, _, game in walked} > {None, 1}
    assert set(walked.values()) == {1}
