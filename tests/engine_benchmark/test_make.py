"""Benchmark files by gnuBG's rollouts: what stands in them, that they are the same again, and that
a killed run goes on."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine_benchmark.engines import Question
from engine_benchmark.keys import from_position_key, position_key, result_keys
from engine_benchmark.make import (
    CLOSE,
    Settings,
    _rolled_out,
    make_benchmark,
    rolls_of,
)
from engine_benchmark.reader import Contents, read_benchmark
from reconcile.engines.gnubg import Gnubg
from reconcile.errors import ReconcileError
from reconcile.files.output import CannotWrite
from reconcile.formats import load_match
from reconcile.match.board.play import legal_plays
from reconcile.match.board.position import START
from tests.support.command_line import SGF
from tests.support.command_line import XG as MATCH
from tests.support.gnubg import needs_gnubg
from tests.support.long import long_but_first

QUICK = Settings(games=36, plies=0, moves=2, positions=1)
LATE = Settings(games=36, plies=0, moves=2, positions=3)


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """A game of a few rolls near its end, so that rollouts take no time."""
    text = (
        "(;GM[6]MI[length:1][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]"
        ";PL[W]AE[a:y]AW[a][a][b][c][d]AB[x][x][w][v][u]"
        ";W[21dbcb];B[21uwvw];W[21baba])"
    )
    path = tmp_path_factory.mktemp("short") / "short.sgf"
    path.write_text(text)
    return str(path)


@pytest.fixture(scope="module")
def undisturbed(short, tmp_path_factory):
    """The file of a run that nobody disturbed."""
    path = tmp_path_factory.mktemp("undisturbed") / "a.bm"
    make_benchmark(short, str(path), LATE)
    return path.read_bytes()


def test_rolls_are_those_with_a_choice_in_the_order_played():
    rolls = rolls_of(load_match(MATCH))
    assert len(set(rolls)) == len(rolls) > 20
    assert all(len(legal_plays(from_position_key(key), *dice)) > 1 for key, dice in rolls)
    assert rolls_of(load_match(MATCH), 5) == [rolls[index * len(rolls) // 5] for index in range(5)]
    assert set(rolls) == set(rolls_of(load_match(SGF), 10**6))  # the same match by another tool


@pytest.mark.long
@needs_gnubg
def test_file_is_what_sagnubg_would_write(short, tmp_path):
    path = tmp_path / "out" / "a.bm"
    asked = rolls_of(load_match(short))
    result = make_benchmark(short, str(path), Settings(games=36, plies=1, moves=3), jobs=2)
    assert result == (len(asked), 0)
    contents = Contents(str(path))
    lines = list(read_benchmark(str(path), contents))
    assert [Question(line.key, line.dice) for line in lines] == asked
    assert (contents.without_rollouts, contents.unordered, contents.without_plays) == (0, 0, 0)
    assert "rolloutLimit 3 nRollOutGames 36" in contents.settings[0]
    texts = path.read_text().splitlines()
    rollouts = {key: numbers for kind, key, *numbers in map(str.split, texts) if kind == "#R"}
    unlike = 0
    for line in lines:
        assert set(line.losses) <= set(result_keys(legal_plays(line.position, *line.dice)))
        assert 1 < len(line.losses) <= 4
        for key, loss in line.losses.items():
            win, gammon, backgammon, *lost = map(float, rollouts[key])
            equity = 2 * win - 1 + gammon + backgammon - sum(lost)
            unlike += abs(line.equity - loss + equity) > CLOSE
    assert unlike == sum(text.startswith("# equity ") for text in texts)


def test_equity_and_clamped_probabilities_that_differ_are_both_written(
    monkeypatch,
):
    printed = "rollout of play {}\n{}Printing final results.\n 0.5 0.1 0.0 - 0.5 0.1 0.0 CL {}\n"

    def run(self, script, **_):
        return printed.format(0, "", "+0.012") + printed.format(1, "", "+0.00005")

    monkeypatch.setattr(Gnubg, "run", run)
    question = Question(position_key(START), (2, 4))
    lines = _rolled_out(Gnubg(Path("gnubg"), "1"), QUICK, 60, question).splitlines()
    assert [line.split()[0] for line in lines] == ["r", "#R", "#", "#R", "m"]
    assert lines[2] == "# equity 0.012000, of the probabilities 0.000000"
    assert lines[-1].split()[5::2] == ["-0.00005", "0.01195"]


LEFT = ["half a block", "half a line", "half a head", "one line", "head", "nothing", "all"]


@needs_gnubg
@pytest.mark.parametrize("left", long_but_first(LEFT, 0, 3))
def test_what_a_killed_run_left_is_continued(short, undisturbed, tmp_path, left):
    path = tmp_path / "a.bm"
    lines = undisturbed.splitlines(keepends=True)
    first, second, *_ = (at + 1 for at, line in enumerate(lines) if line.startswith(b"m "))
    standing = {
        "head": b"".join(lines[:2]),
        "half a head": lines[0][:20],
        "nothing": b"",
        "one line": b"".join(lines[:first]),
        "half a line": b"".join(lines[:second])[:-9],
        "half a block": b"".join(lines[: first + 2]),
        "all": undisturbed,
    }[left]
    path.write_bytes(standing)
    _, earlier = make_benchmark(short, str(path), LATE, jobs=3)
    assert path.read_bytes() == undisturbed
    assert earlier == standing.count(b"\nm ") - (left == "half a line")


@pytest.mark.long
@needs_gnubg
def test_file_of_other_settings_is_left_alone(short, undisturbed, tmp_path):
    path = tmp_path / "a.bm"
    for standing, match, settings in (
        (undisturbed, short, replace(LATE, games=72)),
        (undisturbed, short, replace(LATE, seed=9)),
        (undisturbed, MATCH, LATE),
        (b"my notes\n", short, LATE),
    ):
        path.write_bytes(standing)
        with pytest.raises(CannotWrite, match="other settings"):
            make_benchmark(match, str(path), settings)
        assert path.read_bytes() == standing


def test_match_without_a_choice_is_refused(tmp_path):
    path = tmp_path / "empty.sgf"
    path.write_text("(;GM[6]MI[length:1][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford])")
    with pytest.raises(ReconcileError, match=r"game|choice"):
        make_benchmark(str(path), str(tmp_path / "a.bm"), QUICK)
    assert not (tmp_path / "a.bm").exists()
