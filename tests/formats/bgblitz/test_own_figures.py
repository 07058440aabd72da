"""Real `.bgf` files: our figures are BGBlitz's own, record by record, game by game, and the
transcript is that of other files."""

import json

import pytest

from reconcile.formats.bgblitz.container import open_bgf
from reconcile.gap.pairing import pair
from reconcile.match.columns import Kind
from reconcile.scoring.statistics import statistics
from tests.support.data import cases
from tests.support.loaded import loaded
from tests.support.small_transcripts import cube_rows, results

FILES = cases("bgblitz/bgf/*.bgf", short=2)
SUMS = 2e-6
NOT_A_DECISION = -99.0
SIDES = ("green", "red")


def scored(path):
    return statistics(loaded(path))


PARTS = {"checker": ["checker"], "cube": ["double", "take"]}
"""BGBlitz's totals, which do not part doubles from takes, by our figures."""
MEASURES = (
    ("decisions", "count", 1, 0.0),
    ("equity_error", "error_emg", -1, SUMS),
    ("mwc_loss_percent", "error_mwc", -100, 100 * SUMS),
)


@pytest.mark.parametrize("path", FILES)
def test_totals_of_match_and_games_are_those_of_bgblitz(path):
    own = json.loads(path.with_name(f"{path.name}-reported.json").read_text())
    computed = scored(path)
    for seat, side in enumerate(SIDES):
        tables = [(computed.figures(seat), own["match"][side])]
        for index, game in enumerate(own["games"]):
            tables.append((computed.figures_at(seat, index), game[side]))
        for figures, printed in tables:
            for part, names in PARTS.items():
                for measure, key, factor, room in MEASURES[: 3 if own["matchlen"] else 2]:
                    ours = sum(figures[f"{measure}.{name}"] or 0 for name in names)
                    assert ours == pytest.approx(factor * printed[part][key], abs=room), measure


@pytest.mark.parametrize("path", FILES)
def test_every_verdict_is_that_of_bgblitz(path):
    """Each record has its own verdict: whether its play and its cube decision count, and what they
    lost."""
    root, _ = open_bgf(path.read_bytes())
    computed = scored(path).scored
    match, counted, error = computed.match, computed.counted.tolist(), computed.error.tolist()
    plays = {place: row for row, place in enumerate(places_of(match.plays))}
    kinds = match.cubes.kind.tolist()
    cubes = {
        (*place, kind >= Kind.TAKE): row
        for row, (place, kind) in enumerate(zip(places_of(match.cubes), kinds, strict=True))
    }
    visited = 0
    for game, turn, record in records_of(root):
        rolled, action = is_roll(record), record["red"]
        if action in (4, 9) and not rolled:
            continue
        row = cubes.get((game, turn, not rolled and action in (2, 3)))
        if rolled and row is not None and kinds[row] == Kind.DOUBLE:
            row = None  # the double had its own record
        rows = {
            "checkerError": plays[game, turn] if rolled else None,
            "cubeError": None if row is None else len(match.plays) + row,
        }
        for name, at in rows.items():
            value = float((record["pr"] or {}).get(name, NOT_A_DECISION))
            assert (at is not None and counted[at]) == (value > NOT_A_DECISION)
            if at is not None and counted[at]:
                assert error[at] == pytest.approx(-value, abs=1e-6)
            visited += 1
    assert visited > len(match.plays)


def places_of(table):
    return list(zip(table.game.tolist(), table.turn.tolist(), strict=True))


def is_roll(record):
    """Whether a record of the file is a roll, a dance included."""
    return bool(record["green"] != 7 or record["red"] == 5)


def records_of(root):
    """Every record of a file with its game and turn."""
    for game, table in enumerate(root["games"]):
        turn = 1
        for record in table["moves"]:
            yield game, turn, record
            turn += is_roll(record)


@pytest.mark.parametrize("path", cases("bgblitz/bgf/*.bgf", short=1))
@pytest.mark.parametrize("kind", ["mat", "xg"])
def test_transcript_is_that_of_the_other_files(path, kind):
    match, other = loaded(path), loaded(path.parent.parent / kind / f"{path.stem}.{kind}")
    assert pair(match, other).differences == ()
    assert (results(match), cube_rows(match)) == (results(other), cube_rows(other))
    assert (match.plays.validity == other.plays.validity).all()
    for column in ("score", "crawford", "winner", "resigned"):
        assert (getattr(match.games, column) == getattr(other.games, column)).all(), column
