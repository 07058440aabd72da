"""The module of Open Sage against the package that it is built from, in a browser's JavaScript
too, and on positions that nobody plays."""

import json
import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.engines import sage as module
from reconcile.engines.sage import Sage
from reconcile.errors import EngineError, MissingPackage
from reconcile.match.board.position import Situation
from reconcile.match.met import load_met
from reconcile.match.met.equity import chances_after
from tests.match.board.boards import positions
from tests.support.data import PROJECT
from tests.support.examples import examples
from tests.support.long import long_but_first
from tests.support.sage import drawn, needs_sage, sage

CLOSE = 1e-5
"""The package multiplies and adds in one step of single precision, the module in two."""
STEPS = 8 * 2.0**-23
"""Single precision has steps of 2**-23 where a chance of winning the match is doubled to make an
equity of it; at 1 and 25 away a whole point of equity is worth a chance of 0.003."""
OWNERS = {1: "player", 0: "centered", -1: "opponent"}


def of_package(asked):
    """A situation as the package's own Python has it."""
    return {
        "board": [-asked.position[0], *asked.position[1:]],
        "cube_value": asked.cube,
        "cube_owner": OWNERS[asked.owner],
        **dict(zip(("away1", "away2"), asked.away or (0, 0), strict=True)),
        "is_crawford": asked.crawford,
        "jacoby": asked.jacoby,
        "beaver": False,
    }


def close(asked):
    """By how much an equity may differ."""
    if asked.away is None:
        return CLOSE
    power = asked.cube.bit_length()
    met = load_met("Kazaross-XG2")
    win, lose = chances_after(met, *asked.away, asked.crawford, power)[0, :2, power - 1]
    return max(CLOSE, STEPS / float(win - lose))


def apart_in_plays(engine, question, plies):
    """How far the plays are from those of the package, in what they may differ by."""
    asked, dice, after = question
    looked = sage().plays(asked, dice, plies, after)
    found = engine.checker_play(die1=dice[0], die2=dice[1], **of_package(asked)).moves
    theirs = {
        (-move.board[0], *move.board[1:]): (move.equity, move.probs.to_list()) for move in found
    }
    assert {tuple(result) for result in looked.results.tolist()} == theirs.keys()
    most = 0.0
    for at in np.flatnonzero(looked.plies == plies):
        equity, chances = theirs[tuple(looked.results[at].tolist())]
        by_chances = np.abs(looked.chances[at] - chances).max() / CLOSE
        most = max(most, abs(looked.equities[at] - equity) / close(asked), by_chances)
    return most


def apart_in_cube(engine, question, plies):
    """The same of a cube action."""
    asked, _, _ = question
    found = engine.cube_action(**of_package(asked))
    ours = sage().cube(asked, plies)
    equities = ours[:3] - [found.equity_nd, found.equity_dt, found.equity_dp]
    chances = ours[3:] - found.probs.to_list()
    return max(np.abs(equities).max() / close(asked), np.abs(chances).max() / CLOSE)


@needs_sage
@pytest.mark.parametrize("plies", [1, pytest.param(2, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(
    ("count", "apart"),
    long_but_first(
        [(20, apart_in_plays), (10, apart_in_cube), (200, apart_in_plays), (100, apart_in_cube)], 2
    ),
)
def test_plays_and_cubes_are_those_of_the_package_it_is_built_from(plies, count, apart):
    from bgsage import BgBotAnalyzer

    engine = BgBotAnalyzer(eval_level=f"{plies}ply", parallel_threads=1)
    by = [apart(engine, question, plies) for question in drawn(count, seed=plies)]
    assert [(index, distance) for index, distance in enumerate(by) if distance > 1] == []


@needs_sage
def test_luck_is_the_best_play_of_the_roll_less_that_of_an_average_roll():
    """A game does not begin with a double."""
    for is_first, (asked, dice, after) in zip((False, True), drawn(2, seed=5), strict=True):
        dice = (3, 1) if is_first else dice
        best = {
            (one, other): sage().plays(asked, (one, other), 1, after).equities.max()
            for one in range(1, 7)
            for other in range(1, 7)
            if not is_first or one != other
        }
        luck = best[dice] - sum(best.values()) / len(best)
        assert sage().luck(asked, dice, is_first=is_first) == pytest.approx(luck, abs=1e-12)


@needs_sage
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_javascript_engine_gives_the_same_bits():
    questions = [
        *(("plays", 2, question) for question in drawn(20, seed=3)),
        *(("cube", 2, question) for question in drawn(10, seed=4)),
    ]
    files = [str(module.assets() / name) for name in module.WEIGHTS]
    asked = [
        [kind, module.words(each[0], plies, each[1], each[2])] for kind, plies, each in questions
    ]
    done = subprocess.run(
        ["node", str(PROJECT / "tests" / "engines" / "sage.mjs"), str(module.MODULE), *files],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    for answer, (kind, plies, (asked_for, dice, after)) in zip(
        json.loads(done.stdout), questions, strict=True
    ):
        ours = (
            sage().plays(asked_for, dice, plies, after).equities
            if kind == "plays"
            else sage().cube(asked_for, plies)
        )
        assert np.array_equal(answer, ours)


@needs_sage
@settings(max_examples=examples(25))
@given(positions(), st.tuples(st.integers(1, 6), st.integers(1, 6)), st.sampled_from([1, 1, 2]))
def test_no_position_breaks_the_engine_off(position, dice, plies):
    for asked in (
        Situation(position),
        Situation(position, cube=4, owner=-1, length=25, score=(24, 0)),
    ):
        values = [
            sage().plays(asked, dice, plies, position).equities,
            sage().cube(asked, plies),
            [sage().luck(asked, dice, is_first=False)],
        ]
        assert np.isfinite(np.concatenate(values)).all()


@needs_sage
@pytest.mark.parametrize(
    "asked",
    [
        Situation((0,) * 26),
        Situation((0,) * 25 + (16,)),
        Situation((-1,) + (0,) * 24 + (1,), cube=3),
    ],
)
def test_an_impossible_question_is_one_line(asked):
    with pytest.raises(EngineError, match=r"cannot be asked for this position: Situation\(.*\)$"):
        sage().cube(asked, 1)


@needs_sage
def test_time_and_memory_of_a_question_are_bounded(monkeypatch):
    engine = Sage()
    position = drawn(1, seed=1)[0][0].position
    with engine.within(0.01), pytest.raises(EngineError, match=r"not finish in 0\.01 seconds"):
        engine.plays(Situation(position), (1, 1), 4, position)
    monkeypatch.setattr(module, "MOST_MEMORY", 20 * 2**20)
    with pytest.raises(EngineError, match="Open Sage"):
        Sage().cube(Situation(position), 1)


def test_without_its_packages_it_is_one_line_with_the_command(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(MissingPackage, match=r"wasmtime.*pip install 'gammon-reconcile\[engine\]'"):
        Sage()
    monkeypatch.setattr(module, "find_spec", lambda name: name == "wasmtime" or None)
    with pytest.raises(MissingPackage, match="RECONCILE_WEIGHTS"):
        Sage()


@needs_sage
def test_networks_of_an_unpacked_wheel_are_found_and_others_are_refused(monkeypatch, tmp_path):
    asked, assets = Situation(drawn(1, seed=1)[0][0].position), module.assets()
    monkeypatch.setenv("RECONCILE_WEIGHTS", str(assets.parents[1]))
    assert np.array_equal(Sage().cube(asked, 1), sage().cube(asked, 1))
    shutil.copytree(assets, tmp_path / "bgsage" / "_assets")
    monkeypatch.setenv("RECONCILE_WEIGHTS", str(tmp_path))
    (tmp_path / "bgsage" / "_assets" / module.WEIGHTS[3]).write_bytes(bytes(100))
    with pytest.raises(EngineError, match=r"expected the networks of bgsage 2\.0\.20260907, found"):
        Sage().cube(asked, 1)
    (tmp_path / "bgsage" / "_assets" / module.WEIGHTS[3]).unlink()
    with pytest.raises(EngineError, match=r"expected the networks of bgsage .*, found none"):
        Sage().cube(asked, 1)
