"""Whole matches at random, written by the product's writers and read by its readers: every value
arrives in its column."""

import numpy as np
from hypothesis import HealthCheck, given, settings

from reconcile.formats import read_match
from reconcile.match.columns import UNKNOWN_COUNT, Kind, Validity
from tests.support import xg_writer
from tests.support.examples import examples
from tests.support.strategies import matches
from tests.support.written import Double, Move, Take

MANY = settings(
    max_examples=examples(40),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
RESIGNED = 100
NAN = float("nan")
KINDS = {Double.NO: Kind.NO_DOUBLE, Double.YES: Kind.DOUBLE}
Row = tuple[object, ...]


def single(number):
    """As the files keep it, in words, so that two unknown numbers are equal."""
    return str(float(np.float32(NAN if number is None else number)))


def rows(table, names):
    """The rows of some columns, single values as plain ones, vectors as tuples, floats in words."""

    def plain(value):
        if isinstance(value, list):
            return tuple(value)
        return str(value) if isinstance(value, float) else value

    columns = [map(plain, getattr(table, name).tolist()) for name in names.split()]
    return list(zip(*columns, strict=True))


def turns(match):
    """Every turn with the index of its game, its number in it, and the cube at its start."""
    for index, game in enumerate(match.games):
        number, cube = 1, 1
        for turn in game.turns:
            yield index, number, cube, turn
            number += turn.move is not None
            cube *= 2 if turn.cube.double == Double.YES else 1


def evaluated(move):
    """Number of the candidates, equity of the first, equity of the play made."""
    candidates = move.candidates
    if not candidates:
        return UNKNOWN_COUNT, str(NAN), str(NAN)
    was_played = None if move.played is None else candidates[move.played].evaluation.equity
    return len(candidates), single(candidates[0].evaluation.equity), single(was_played)


def validity_of(move):
    if not move.was_played:
        return Validity.UNPLAYED
    return Validity.ILLEGAL if move.invalid else Validity.VALID


def actions(cube):
    """Who does what with the cube, 0 for the player on roll."""
    if cube.double in KINDS:
        yield 0, KINDS[Double(cube.double)]
    if cube.double == Double.YES:
        yield 1, Kind.TAKE if cube.take == Take.TAKE else Kind.PASS


def cubes_written(match):
    for index, number, cube, turn in turns(match):
        no_double, double_take = turn.cube.no_double, turn.cube.double_take
        values = [single(value.equity if value else None) for value in (no_double, double_take)]
        for other, kind in actions(turn.cube):
            yield index, number, (turn.player - 1) ^ other, int(kind), cube, *values


def assert_same(match, read):
    """What both formats keep alike: head, games, rolls, and the steps of every play that was made.
    Returns the places of the rolls."""
    head = match.players, match.length, match.jacoby
    assert (read.players, read.length, read.rules.jacoby) == head
    endings = [(game, game.ending) for game in match.games if game.ending]
    assert rows(read.games, "number score crawford winner points resigned") == [
        (number, game.score, game.crawford, end.winner - 1, end.points, end.termination >= RESIGNED)
        for number, (game, end) in enumerate(endings, 1)
    ]
    rolls: list[tuple[Row, Move]] = [
        ((index, number, turn.player - 1, turn.move.dice, turn.position), turn.move)
        for index, number, _, turn in turns(match)
        if turn.move is not None
    ]
    assert rows(read.plays, "game turn player dice position") == [place for place, _ in rolls]
    for (_, move), play in zip(rolls, read.plays.play, strict=True):
        if move.was_played:
            played = move.play if move.played is None else move.candidates[move.played].play
            assert play == (played or ())
    return rolls


CUBES = "game turn player kind cube no_double double_take"


@MANY
@given(matches())
def test_match_written_as_xg_is_read_as_it_was(match):
    read = read_match("written.xg", xg_writer.write(match))
    moves = [move for _, move in assert_same(match, read)]
    assert read.event == match.event
    assert read.plays.validity.tolist() == [*map(validity_of, moves)]
    values = zip(moves, rows(read.plays, "legal best played"), strict=True)
    for move, value in values:
        assert not move.was_played or value == evaluated(move)
    assert sorted(rows(read.cubes, CUBES)) == sorted(cubes_written(match))
