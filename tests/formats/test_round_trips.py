"""Whole matches at random, written by the tests' own writers and read by the product: every value
arrives in its column."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import HealthCheck, given, settings

from reconcile.formats import read_match
from reconcile.formats.gnubg import writer as sgf_writer
from reconcile.formats.written import Cube, Double, Game, Move, Take, Turn, WrittenMatch
from reconcile.formats.xg import writer as xg_writer
from reconcile.match.columns import UNKNOWN_COUNT, Kind, Validity
from reconcile.match.match import Match
from tests.support.examples import examples
from tests.support.strategies import matches

WHOLE = settings(
    max_examples=examples(40),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
RESIGNED = 100
NAN = float("nan")
KINDS = {Double.NO: Kind.NO_DOUBLE, Double.YES: Kind.DOUBLE}


def single(number: float) -> float:
    """As the files keep it."""
    return float(np.float32(number))


def turns(match: WrittenMatch) -> Iterator[tuple[int, int, int, Turn]]:
    """Every turn with the index of its game, its number in it, and the cube at its start."""
    for index, game in enumerate(match.games):
        number, cube = 1, 1
        for turn in game.turns:
            yield index, number, cube, turn
            number += turn.move is not None
            cube *= 2 if turn.cube.double == Double.YES else 1


def games_of(match: WrittenMatch) -> list[tuple[object, ...]]:
    def row(number: int, game: Game) -> tuple[object, ...]:
        assert game.ending is not None
        return (
            number,
            game.score,
            game.crawford,
            game.ending.winner - 1,
            game.ending.points,
            game.ending.termination >= RESIGNED,
        )

    return [row(number, game) for number, game in enumerate(match.games, 1)]


def games_read(read: Match) -> list[tuple[object, ...]]:
    games = read.games
    columns = (
        games.number,
        games.score,
        games.crawford,
        games.winner,
        games.points,
        games.resigned,
    )
    return [
        (number, tuple(score), *rest)
        for number, score, *rest in zip(*(column.tolist() for column in columns), strict=True)
    ]


def plays_read(read: Match) -> list[tuple[object, ...]]:
    plays = read.plays
    columns = (
        plays.game,
        plays.turn,
        plays.player,
        plays.dice,
        plays.position,
        plays.validity,
        plays.legal,
        plays.best,
        plays.played,
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        (*row[:3], tuple(row[3]), tuple(row[4]), *row[5:7], str(row[7]), str(row[8]))
        for row in rows
    ]


def steps_read(read: Match) -> list[tuple[tuple[int, int], ...]]:
    """The plays made, step by step."""
    return [
        play
        for play, validity in zip(read.plays.play, read.plays.validity, strict=True)
        if validity != Validity.UNPLAYED
    ]


def steps_of(match: WrittenMatch) -> list[tuple[tuple[int, int], ...]]:
    moves = [
        turn.move for *_, turn in turns(match) if turn.move is not None and turn.move.was_played
    ]
    return [
        (move.candidates[move.played].play if move.played is not None else move.play) or ()
        for move in moves
    ]


def cubes_read(read: Match) -> list[tuple[object, ...]]:
    cubes = read.cubes
    columns = (
        cubes.game,
        cubes.turn,
        cubes.player,
        cubes.kind,
        cubes.cube,
        cubes.no_double,
        cubes.double_take,
    )
    return sorted(
        (*row[:5], str(row[5]), str(row[6]))
        for row in zip(*(column.tolist() for column in columns), strict=True)
    )


def evaluated(move: Move) -> tuple[int, str, str]:
    """Number of the candidates, equity of the first, equity of the play made."""
    stays = move.candidates
    if not stays:
        return UNKNOWN_COUNT, str(NAN), str(NAN)
    built = NAN if move.played is None else single(stays[move.played].evaluation.equity)
    return len(stays), str(single(stays[0].evaluation.equity)), str(built)


def answers(cube: Cube) -> list[tuple[int, Kind]]:
    """Who does what with the cube, 0 for the player on roll."""
    action = [(0, KINDS[Double(cube.double)])] if cube.double in KINDS else []
    return action + (
        [(1, Kind.TAKE if cube.take == Take.TAKE else Kind.PASS)]
        if cube.double == Double.YES
        else []
    )


def cubes_of(match: WrittenMatch, *, with_the_play: bool = False) -> list[tuple[object, ...]]:
    """The cube actions and answers; `with_the_play` without the no-double before a roll that was
    not played."""
    rows = []
    for index, number, cube, turn in turns(match):
        if (
            with_the_play
            and turn.cube.double == Double.NO
            and not (turn.move and turn.move.was_played)
        ):
            continue
        values = (turn.cube.no_double, turn.cube.double_take)
        texts = [str(NAN if value is None else single(value.equity)) for value in values]
        rows += [
            (index, number, (turn.player - 1) ^ other, int(kind), cube, *texts)
            for other, kind in answers(turn.cube)
        ]
    return sorted(rows)


@WHOLE
@given(matches())
def test_match_written_as_xg_is_read_as_it_was(match: WrittenMatch) -> None:
    def row(index: int, number: int, turn: Turn, move: Move) -> tuple[object, ...]:
        validity = (
            Validity.UNPLAYED
            if not move.was_played
            else Validity.ILLEGAL
            if move.invalid
            else Validity.VALID
        )
        return (
            index,
            number,
            turn.player - 1,
            move.dice,
            turn.position,
            int(validity),
            *evaluated(move),
        )

    read = read_match("written.xg", xg_writer.write(match))
    assert (read.players, read.length, read.rules.jacoby, read.event) == (
        match.players,
        match.length,
        match.jacoby,
        match.event,
    )
    assert games_read(read) == games_of(match)
    written = [
        row(index, number, turn, turn.move)
        for index, number, _, turn in turns(match)
        if turn.move is not None
    ]
    assert [each[:7] for each in plays_read(read)] == [each[:7] for each in written]
    assert [each for each in plays_read(read) if each[5] != Validity.UNPLAYED] == [
        each for each in written if each[5] != Validity.UNPLAYED
    ]
    assert cubes_read(read) == cubes_of(match)
    assert steps_read(read) == steps_of(match)


@WHOLE
@given(matches())
def test_match_written_as_gnubg_is_read_as_it_was(match: WrittenMatch) -> None:
    def row(index: int, number: int, turn: Turn, move: Move) -> tuple[object, ...]:
        if not move.was_played:
            validity, lines = Validity.UNPLAYED, evaluated(Move(move.dice))
        elif not any(each.play for each in move.candidates) and not move.play:
            validity, lines = Validity.VALID, (0, str(NAN), str(NAN))  # gnuBG evaluates no dance
        else:
            validity, lines = Validity.VALID, evaluated(move)
        return (index, number, turn.player - 1, move.dice, turn.position, int(validity), *lines)

    read = read_match("written.sgf", sgf_writer.write(match))
    assert (read.players, read.length, read.rules.jacoby) == (
        match.players,
        match.length,
        match.jacoby,
    )
    dead = (
        "the analysis of a dead cube, which gnuBG counts"  # told of what is read as it was written
    )
    assert [
        each
        for each in read.notes
        if each.code in ("damaged-value", "illegal-play") and dead not in each.evidence
    ] == []
    assert games_read(read) == games_of(match)
    played = [
        (index, number, turn, turn.move)
        for index, number, _, turn in turns(match)
        if turn.move is not None
    ]
    assert plays_read(read) == [row(*each) for each in played]
    assert steps_read(read) == steps_of(match)
    assert [str(luck) for luck in read.plays.luck.tolist()] == [
        str(single(move.luck) if move.was_played else NAN) for *_, move in played
    ]
    # A no-double that is not analysed is a row where the cube could be turned, which the file does
    # not tell; one that is stands with the play after it.
    lines = [each for each in cubes_read(read) if each[3] != Kind.NO_DOUBLE or each[5] != "nan"]
    assert lines == [
        each
        for each in cubes_of(match, with_the_play=True)
        if each[3] != Kind.NO_DOUBLE or each[5] != "nan"
    ]
