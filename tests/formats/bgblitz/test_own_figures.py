"""Real `.bgf` files: our figures are BGBlitz's own, record by record, game by game, and the
transcript is that of other files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.formats.bgblitz.container import open_bgf
from reconcile.gap.pairing import pair
from reconcile.match.board.play import count_legal_plays
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.scoring.dead_cubes import is_dead
from reconcile.scoring.statistics import Statistics, statistics
from tests.support.data import cases
from tests.support.loaded import loaded

FILES = cases("bgblitz/bgf/*.bgf", short=2)
SUMS = 2e-6
NOT_A_DECISION = -99.0
SIDES = ("green", "red")


def scored(path: Path) -> Statistics:
    return statistics(loaded(path))


def check(figures: dict[str, Any], own: dict[str, Any], *, in_match: bool) -> None:
    """The figures of one side against BGBlitz's totals, which do not part doubles from takes."""

    def cube(group: str) -> float:
        return float(figures[f"{group}.double"]) + float(figures[f"{group}.take"])

    assert (figures["decisions.checker"], cube("decisions")) == (
        own["checker"]["count"],
        own["cube"]["count"],
    )
    assert figures["equity_error.checker"] == pytest.approx(-own["checker"]["error_emg"], abs=SUMS)
    assert cube("equity_error") == pytest.approx(-own["cube"]["error_emg"], abs=SUMS)
    if in_match:
        assert figures["mwc_loss_percent.checker"] == pytest.approx(
            -100 * own["checker"]["error_mwc"], abs=100 * SUMS
        )
        assert cube("mwc_loss_percent") == pytest.approx(
            -100 * own["cube"]["error_mwc"], abs=100 * SUMS
        )


@pytest.mark.parametrize("path", FILES)
def test_totals_of_match_and_games_are_those_of_bgblitz(path: Path) -> None:
    own = json.loads(path.with_name(f"{path.name}-reported.json").read_text())
    computed = scored(path)
    for seat, side in enumerate(SIDES):
        check(computed.figures(seat), own["match"][side], in_match=bool(own["matchlen"]))
        for index, game in enumerate(own["games"]):
            check(computed.figures_at(seat, index), game[side], in_match=bool(own["matchlen"]))


@pytest.mark.parametrize("path", FILES)
def test_every_verdict_is_that_of_bgblitz(path: Path) -> None:
    """Each record has its own verdict: whether its play and its cube decision count, and what they
    lost."""
    root, _ = open_bgf(str(path), path.read_bytes())
    computed = scored(path).scored
    match = computed.match
    counted, error = computed.counted.tolist(), computed.error.tolist()
    plays = {
        (int(game), int(turn)): row
        for row, (game, turn) in enumerate(zip(match.plays.game, match.plays.turn, strict=True))
    }
    cubes: dict[tuple[int, int, bool], int] = {}
    for place, (game, turn, kind) in enumerate(
        zip(match.cubes.game, match.cubes.turn, match.cubes.kind, strict=True)
    ):
        cubes[int(game), int(turn), kind >= Kind.TAKE] = len(match.plays) + place
    visited = 0
    for game, turn, record in records_of(root):
        rolled = is_roll(record)
        verdict = {name: float(value) for name, value in (record["pr"] or {}).items()}
        wanted = [verdict.get(name, NOT_A_DECISION) for name in ("checkerError", "cubeError")]
        row: int | None = cubes.get((game, turn, not rolled and record["red"] in (2, 3)))
        if rolled and row is not None and match.cubes.kind[row - len(match.plays)] == Kind.DOUBLE:
            row = None  # the double had its own record
        if record["red"] in (4, 9) and not rolled:
            continue
        for at, value in zip((plays[game, turn] if rolled else None, row), wanted, strict=True):
            assert (at is not None and counted[at]) == (value > NOT_A_DECISION)
            if at is not None and counted[at]:
                assert error[at] == pytest.approx(-value, abs=1e-6)
            visited += 1
    assert visited > len(match.plays)


def is_roll(record: dict[str, Any]) -> bool:
    """Whether a record of the file is a roll, a dance included."""
    return bool(record["green"] != 7 or record["red"] == 5)


def records_of(root: dict[str, Any]) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Every record of a file with its game and turn."""
    for game, table in enumerate(root["games"]):
        turn = 1
        for record in table["moves"]:
            yield game, turn, record
            turn += is_roll(record)


@pytest.mark.parametrize("path", cases("bgblitz/bgf/*.bgf", short=1))
@pytest.mark.parametrize("kind", ["mat", "xg"])
def test_transcript_is_that_of_the_other_files(path: Path, kind: str) -> None:
    match, other = loaded(path), loaded(path.parent.parent / kind / f"{path.stem}.{kind}")
    pairing = pair(match, other)
    assert pairing.differences == ()
    for mine, theirs, each, two in (
        (match.plays, other.plays, *pairing.plays),
        (match.cubes, other.cubes, *pairing.cubes),
    ):
        assert len(each) == len(mine) == len(theirs)
        assert (mine.position[each] == theirs.position[two]).all()
        assert (mine.cube[each] == theirs.cube[two]).all()
        assert (mine.owner[each] == theirs.owner[two]).all()
    assert (match.plays.validity[pairing.plays[0]] == other.plays.validity[pairing.plays[1]]).all()
    for column in ("score", "crawford", "winner", "resigned"):
        assert (getattr(match.games, column) == getattr(other.games, column)).all(), column


def dead_turns(path: Path) -> set[tuple[int, int]]:
    """Turns whose cube the file marks as dead."""
    result = set()
    for game, turn, record in records_of(open_bgf(str(path), path.read_bytes())[0]):
        decision = (record["equity"] or {}).get("cubeDecision")
        if is_roll(record) and decision and decision["eqNoDouble"] == "-999.90000000":
            result.add((game, turn))
    return result


@pytest.mark.parametrize("path", FILES)
def test_turns_with_a_dead_cube_and_forced_plays_follow_from_the_rules_of_the_game(
    path: Path,
) -> None:
    match: Match = scored(path).scored.match
    cubes = match.cubes
    dead = is_dead(match) & (cubes.kind == Kind.NO_DOUBLE) & ~cubes.analysed
    assert set(
        zip(cubes.game[dead].tolist(), cubes.turn[dead].tolist(), strict=True)
    ) == dead_turns(path)
    rolls = zip(match.plays.position.tolist(), match.plays.dice.tolist(), strict=True)
    forced = [
        count_legal_plays(position, first, second, stop_after=2) <= 1
        for position, (first, second) in rolls
    ]
    assert (np.array(forced) == (match.plays.legal <= 1)).all()
