"""Benchmark files by gnuBG's rollouts: what stands in them, that they are the same again, and that
a killed run goes on."""

from __future__ import annotations

import os
import subprocess
import sys
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
from reconcile.errors import NothingToCompare, ReconcileError
from reconcile.files.bundled import bundled
from reconcile.files.output import CannotWrite
from reconcile.formats import load_match
from reconcile.match.board.play import legal_plays
from reconcile.match.board.position import START
from tests.support.gnubg import processes_in
from tests.support.long import long_but_first
from tests.support.processes import wait_until

MATCH = str(bundled("reference_matches") / "demonstration" / "nora-lindqvist-tomas-beck.xg")
SGF = MATCH.replace(".xg", ".sgf")
QUICK = Settings(games=36, plies=0, moves=2, positions=1)
LATE = Settings(games=36, plies=0, moves=2, positions=3)


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> str:
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
def undisturbed(gnubg: Gnubg, short: str, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a run that nobody disturbed."""
    path = tmp_path_factory.mktemp("undisturbed") / "a.bm"
    make_benchmark(short, str(path), LATE)
    return path.read_bytes()


def test_rolls_are_those_with_a_choice_in_the_order_played() -> None:
    match = load_match(MATCH)
    rolls = rolls_of(match)
    assert len(set(rolls)) == len(rolls) > 20
    for roll in rolls:
        assert len(legal_plays(from_position_key(roll.key), *roll.dice)) > 1
    assert rolls_of(match, 5) == [rolls[index * len(rolls) // 5] for index in range(5)]
    assert rolls_of(match, 10**6) == rolls
    assert set(rolls) == set(rolls_of(load_match(SGF)))  # the same match from the other tool


def read(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text().splitlines()]


@pytest.mark.long
def test_file_is_what_sagnubg_would_write(gnubg: Gnubg, short: str, tmp_path: Path) -> None:
    path = tmp_path / "out" / "a.bm"
    asked = rolls_of(load_match(short))
    assert asked
    result = make_benchmark(short, str(path), Settings(games=36, plies=1, moves=3), jobs=2)
    assert result == (len(asked), 0)
    contents = Contents(str(path))
    lines = list(read_benchmark(str(path), contents))
    assert contents.kinds["m"] == len(asked)
    assert (contents.without_rollouts, contents.unordered, contents.without_plays) == (0, 0, 0)
    assert [Question(line.key, line.dice) for line in lines] == asked
    assert "nRollOutGames 36" in contents.settings[0]
    assert "rolloutLimit 3" in contents.settings[0]
    rollouts = {words[1]: " ".join(words[2:]) for words in read(path) if words[0] == "#R"}
    noted = path.read_text().count("# equity ")
    unlike = 0
    for line in lines:
        assert set(line.losses) <= set(result_keys(legal_plays(line.position, *line.dice)))
        assert 1 < len(line.losses) <= 4
        for key, loss in line.losses.items():
            win, gammon, backgammon, *lost = map(float, rollouts[key].split())
            equity = 2 * win - 1 + gammon + backgammon - sum(lost)
            unlike += abs(line.equity - loss + equity) > CLOSE
    assert unlike == noted


def test_equity_and_clamped_probabilities_that_differ_are_both_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    printed = "rollout of play {}\n{}Printing final results.\n 0.5 0.1 0.0 - 0.5 0.1 0.0 CL {}\n"

    def run(self: Gnubg, script: str, **_: object) -> str:
        return printed.format(0, "", "+0.012") + printed.format(1, "", "+0.00005")

    monkeypatch.setattr(Gnubg, "run", run)
    question = Question(position_key(START), (2, 4))
    lines = _rolled_out(Gnubg(Path("gnubg"), "1"), QUICK, 60, question).splitlines()
    assert [line.split()[0] for line in lines] == ["r", "#R", "#", "#R", "m"]
    assert lines[2] == "# equity 0.012000, of the probabilities 0.000000"
    assert lines[-1].split()[5::2] == ["-0.00005", "0.01195"]


@pytest.mark.parametrize(
    "left",
    long_but_first(
        ["half a block", "half a line", "half a head", "one line", "head", "nothing", "all"], 0, 3
    ),
)
def test_what_a_killed_run_left_is_continued(
    short: str, undisturbed: bytes, tmp_path: Path, left: str
) -> None:
    path = tmp_path / "a.bm"
    lines = undisturbed.splitlines(keepends=True)
    ends = [index + 1 for index, line in enumerate(lines) if line.startswith(b"m ")]
    standing = {
        "head": b"".join(lines[:2]),
        "half a head": lines[0][:20],
        "nothing": b"",
        "one line": b"".join(lines[: ends[0]]),
        "half a line": b"".join(lines[: ends[1]])[:-9],
        "half a block": b"".join(lines[: ends[0] + 2]),
        "all": undisturbed,
    }[left]
    path.write_bytes(standing)
    _, earlier = make_benchmark(short, str(path), LATE, jobs=3)
    assert path.read_bytes() == undisturbed
    assert earlier == standing.count(b"\nm ") - (left == "half a line")


@pytest.mark.long
def test_file_of_other_settings_is_left_alone(
    short: str, undisturbed: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "a.bm"
    path.write_bytes(undisturbed)
    for match, settings in (
        (short, replace(LATE, games=72)),
        (short, replace(LATE, seed=9)),
        (MATCH, LATE),
    ):
        with pytest.raises(CannotWrite, match="other settings"):
            make_benchmark(match, str(path), settings)
    path.write_bytes(b"my notes\n")
    with pytest.raises(CannotWrite):
        make_benchmark(short, str(path), LATE)
    assert path.read_bytes() == b"my notes\n"


@pytest.mark.long
def test_killed_run_leaves_whole_lines_and_no_gnubg(gnubg: Gnubg, tmp_path: Path) -> None:
    """kill -9 while a roll is worked on; the last of them is an opening."""
    (tmp_path / "b.sgf").write_text(
        "(;GM[6]MI[length:1][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]"
        ";PL[W]AE[a:y]AW[f][g][h][i]AB[b][x][x][w];W[21gefe];B[21wxbd];W[43hdif])"
        "(;GM[6]MI[length:1][game:1][ws:0][bs:0]PW[a]PB[b]RU[Crawford];W[31hfec])"
    )
    path = tmp_path / "a.bm"
    command = [sys.executable, "-m", "reconcile", "benchmark-make", str(tmp_path / "b.sgf")]
    command += ["-o", str(path), "--games", "144", "--plies", "0", "--moves", "2", "--jobs", "1"]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment)
    try:
        wait_until(lambda: (path.exists() and b"\nm " in path.read_bytes()) or process.poll())
    finally:
        process.kill()
        process.wait()
    standing = path.read_bytes()
    assert standing.endswith(b"\n")
    assert list(read_benchmark(str(path), Contents(str(path))))
    wait_until(lambda: not processes_in(tmp_path))


def test_match_without_a_choice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.sgf"
    path.write_text("(;GM[6]MI[length:1][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford])")
    with pytest.raises(ReconcileError) as raised:
        make_benchmark(str(path), str(tmp_path / "a.bm"), QUICK)
    assert isinstance(raised.value, NothingToCompare) or "game" in str(raised.value)
    assert not (tmp_path / "a.bm").exists()
