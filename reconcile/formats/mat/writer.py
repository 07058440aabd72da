"""Writes a match as a transcript in gnuBG's own dialect of `.mat`, with every step and every hit.

A transcript contains rolls, plays, cube actions and results, and leaves the rest to the rules of
the game. Anything that it cannot express (a position set up by hand, a name with a colon, an
automatic double in the last game of a session) is reported: the written text is read again and
compared with the match.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise, permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from reconcile.errors import InvalidArgument, ReconcileError, expect
from reconcile.files.output import write
from reconcile.formats.common import cut_short
from reconcile.formats.interface import MAT
from reconcile.formats.mat import read
from reconcile.match.board.play import MOST_STEPS, OFF, Play, apply_play, single_steps
from reconcile.match.board.position import BAR, STARTS, Counts
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.match.turns import turn_text, turns_of
from reconcile.wording import Turn, plural, summary

VARIATIONS = {
    "backgammon": "Backgammon",
    "nackgammon": "NackGammon",
    "longgammon": "LongGammon",
    "hypergammon1": "HyperGammon (1)",
    "hypergammon2": "HyperGammon (2)",
    "hypergammon3": "HyperGammon (3)",
}
"""The variations as gnuBG reads them in the header."""
LONGEST_NAME = 80
UNKNOWN_ROLL = "00: ????"
LONGEST_HEADER = 200
LONGEST_COMMENT = 900
"""Letters of a line."""
COLUMN = 34
"""The first possible place of the right column. Every line is at least this long, since for a
shorter one gnuBG's import repeats the right cell of the line before."""
SIDES = ("left", "right")
"""The players by the columns of a transcript."""


class CannotTranscribe(ReconcileError):
    """A match begins with a position that a transcript cannot express."""


FOR_PEOPLE = (
    "`reconcile stats FILE --decisions --format json` lists its decisions; keep the file as it is"
)
"""What to do with a match that no other format can hold."""


class Event(NamedTuple):
    """An action of a player."""

    turn: int
    kind: Kind
    player: int
    row: int
    """Row of `plays` or `cubes`; -1 for the take of a beaver that follows only from playing on."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A written match."""

    text: str
    changes: tuple[str, ...]
    """The differences from the match, one line each."""


def transcript(match: Match) -> Transcript:
    """The match as the text of a `.mat` file. Raises `CannotTranscribe` if a game begins with a
    position set up by hand."""
    check_starts(match)
    names = tuple(_name(name, seat) for seat, name in enumerate(match.players))
    if names[0] == names[1]:
        names = (names[0], f"{names[1][: LONGEST_NAME - 2]} 2")
    text = "\n".join(_lines(match, (names[0], names[1])))
    changes = [
        f"player {match.players[seat]!r} is written {names[seat]!r}"
        for seat in (0, 1)
        if names[seat] != match.players[seat]
    ]
    name = f"{match.source.path} as a transcript"
    with MAT.reading(name):
        back = read(name, text.encode())
    return Transcript(text, (*changes, *differences(match, back), *lost_words(match, back)))


def check_starts(match: Match) -> None:
    """Raise `CannotTranscribe` unless every game begins with the opening position of its
    variation."""
    if match.rules.variation not in STARTS:
        raise CannotTranscribe(
            f"{match.source.path}: expected one of {', '.join(STARTS)}, found the variation "
            f"{match.rules.variation!r}"
        )
    for number, position in first_positions(match):
        if position != STARTS[match.rules.variation]:
            raise CannotTranscribe(
                f"{match.source.path}: game {number} begins with a position set up by hand, which "
                f"a transcript cannot express; {FOR_PEOPLE}"
            )


def first_positions(match: Match) -> Iterator[tuple[int, Counts]]:
    """The number of each game and its first position, in the view of its first player."""
    for index, number in enumerate(match.games.number.tolist()):
        first = [
            (int(table.turn[row]), tuple(table.position[row].tolist()))
            for table in (match.plays, match.cubes)
            for row in np.flatnonzero(table.game == index)[:1]
        ]
        if first:
            yield number, min(first)[1]


def events(match: Match) -> list[list[Event]]:
    """The events of every game, in order; a turn without a double is not an event."""
    games: list[list[tuple[int, int, int, Event]]] = [[] for _ in range(len(match.games))]
    plays, cubes = match.plays, match.cubes
    for row, (game, turn, player) in enumerate(
        zip(plays.game.tolist(), plays.turn.tolist(), plays.player.tolist(), strict=True)
    ):
        games[game].append((turn, 2, row, Event(turn, Kind.PLAY, player, row)))
    columns = cubes.game.tolist(), cubes.turn.tolist(), cubes.player.tolist(), cubes.kind.tolist()
    for row, (game, turn, player, kind) in enumerate(zip(*columns, strict=True)):
        if kind != Kind.NO_DOUBLE:
            games[game].append(
                (turn, int(kind != Kind.DOUBLE), row, Event(turn, Kind(kind), player, row))
            )
    return [list(_accepted([event for *_, event in sorted(game)])) for game in games]


def _accepted(game: list[Event]) -> Iterator[Event]:
    """The events, with the take of a beaver added if it follows only from playing on."""
    for event, following in pairwise((*game, None)):
        assert event is not None
        yield event
        if event.kind is Kind.BEAVER and following is not None and following.kind is Kind.PLAY:
            yield Event(event.turn, Kind.TAKE, 1 - event.player, -1)


def steps(match: Match, row: int) -> Play:
    """The play of a row in single steps in a possible order, from the back first; an illegal play
    as in the file."""
    plays = match.plays
    play, position = plays.play[row], plays.position[row].tolist()
    if plays.validity[row] != Validity.VALID:
        return play
    first, second = plays.dice[row].tolist()
    play = single_steps(play, (first, second), position)
    if len(play) > MOST_STEPS:
        return plays.play[
            row
        ]  # legal only according to its file, with more orders than can be tried
    for order in chain((tuple(sorted(play, reverse=True)),), permutations(play)):
        try:
            apply_play(position, order)
        except ValueError:
            continue
        return order
    return play


def differences(match: Match, other: Match) -> list[str]:
    """The first differences from another file with the same seats: the rules, and each game's
    result and first differing turn."""
    changes = []
    if match.length != other.length:
        changes.append(
            f"a match of {match.length or 'no'} points reads as one of {other.length or 'no'} "
            "points"
        )
    for name in ("variation", "crawford", "jacoby", "cube"):
        here, there = getattr(match.rules, name), getattr(other.rules, name)
        if here != there:
            changes.append(f"rule {name}: {here} reads as {there}")
    numbers = other.games.number.tolist()
    here, there = turns_of(match), turns_of(other)
    differing = sorted(turn for turn in {*here, *there} if here.get(turn) != there.get(turn))
    for index, number in enumerate(match.games.number.tolist()):
        if number not in numbers:
            changes.append(f"game {number} is missing")
            continue
        for game, turn in [place for place in differing if place[0] == number][:1]:
            words = (turn_text(each, game, turn, match.names) for each in (match, other))
            changes.append(f"game {game}, turn {turn}: {' reads as '.join(words)}")
        results = _result(match, index), _result(other, numbers.index(number))
        if results[0] != results[1]:
            changes.append(f"game {number}: {results[0]} reads as {results[1]}")
    return summary(changes)


def lost_words(match: Match, other: Match) -> list[str]:
    """What is said about the match, about decisions and of rolls that nobody recorded, and is not
    or not so in another file of it."""
    rolls = unknown_rolls(match)
    missing = len(rolls) - len(unknown_rolls(other))
    lost = [f"{turn}: the unknown roll is lost" for turn in rolls if missing == len(rolls)]
    if 0 < missing < len(rolls):
        lost.append(f"{missing} of {len(rolls)} unknown rolls lost: {'; '.join(rolls)}")
    for name in ("event", "date", "round", "place", "comment"):
        here, there = getattr(match, name), getattr(other, name)
        if here and here != there:
            lost.append(
                f"the {name}, {cut_short(str(here), 60)!r}, is "
                f"{f'cut to {there!r}' if there else 'lost'}"
            )
    numbers, there = match.games.number.tolist(), "\n".join(other.comments.values())
    for (game, turn, kind), text in match.comments.items():
        if text not in there:
            where = Turn(numbers[game], turn)
            lost.append(
                f"the comment on {where} ({Kind(kind).label}) is lost: {cut_short(text, 60)!r}"
            )
    return summary(lost)


def unknown_rolls(match: Match) -> list[str]:
    """The turns whose dice are not recorded, as the notes have them: they have no row."""
    return [note.evidence for note in match.notes if note.code == "unknown-roll"]


def _result(match: Match, index: int) -> str:
    games = match.games
    winner, points, automatic = (
        int(games.winner[index]),
        int(games.points[index]),
        int(games.automatic_doubles[index]),
    )
    parts = [
        f"{plural(points, 'point')} for the {SIDES[winner]} player" if winner >= 0 else "no winner"
    ]
    parts.append(f"at {' : '.join(map(str, games.score[index].tolist()))}")
    parts += ["in the Crawford game"] * bool(games.crawford[index])
    parts += [f"after {plural(automatic, 'automatic double')}"] * bool(automatic)
    return " ".join(parts)


def _lines(match: Match, names: tuple[str, str]) -> Iterator[str]:
    yield from _headers(match)
    for line in match.comment.splitlines():
        yield f"; {line[:LONGEST_COMMENT]}"
    yield ""
    yield f"{match.length or 0} point match"
    for index, game in enumerate(events(match)):
        score = match.games.score[index].tolist()
        yield ""
        yield f" Game {int(match.games.number[index])}"
        yield f" {names[0]} : {score[0]}".ljust(COLUMN - 2) + f"  {names[1]} : {score[1]}"
        yield from _turn_lines(match, game)
        yield from _result_line(match, index)
    yield ""


def _headers(match: Match) -> Iterator[str]:
    rules = match.rules
    facts = {
        "Event": match.event,
        "Round": match.round,
        "Site": match.place,
        "EventDate": match.date.strftime("%Y.%m.%d") if match.date else "",
    }
    for key, fact in facts.items():
        text = "".join(letter for letter in fact if letter.isprintable() and letter not in '"[]')
        if text.strip():
            yield f'; [{key} "{text.strip()[:LONGEST_HEADER]}"]'
    yield f'; [Variation "{VARIATIONS[rules.variation]}"]'
    if match.is_money:
        yield f'; [Jacoby "{"On" if rules.jacoby else "Off"}"]'
        yield f'; [Beaver "{"On" if rules.beavers else "Off"}"]'
    else:
        yield f'; [Crawford "{"On" if rules.crawford else "Off"}"]'
    if not rules.cube:
        yield '; [CubeLimit "1"]'


def _turn_lines(match: Match, game: list[Event]) -> Iterator[str]:
    lines: list[list[str]] = []
    last, rolled = 1, 0
    # Automatic doubles are left out of the cube and of the result; XG's own files also leave them
    # out.
    turned = min((_cube(match, event) for event in game if event.row >= 0), default=1)
    for event in game:
        if event.row < 0:
            continue  # whoever plays on has accepted the beaver
        cells = [
            (event.player ^ (event.turn - missing) % 2, UNKNOWN_ROLL)
            for missing in range(rolled + 1, event.turn)
        ]
        for seat, text in (*cells, (event.player, _cell(match, event, turned))):
            if last >= seat:
                lines.append(["", ""])
            lines[-1][seat] = text
            last = seat
        rolled = event.turn - (event.kind is not Kind.PLAY)
    for number, (left, right) in enumerate(lines, 1):
        yield f"{number:3}) {left}".ljust(COLUMN - 2) + f"  {right}"


def _cube(match: Match, event: Event) -> int:
    table = match.plays if event.kind is Kind.PLAY else match.cubes
    return int(table.cube[event.row])


def _cell(match: Match, event: Event, turned: int) -> str:
    if event.kind is Kind.PLAY:
        return _roll(match, event.row)
    cube = _cube(match, event) // turned
    match event.kind:
        case Kind.DOUBLE:
            return f" Doubles => {2 * cube}"
        case Kind.BEAVER:
            raccoon = match.cubes.owner[event.row] < 0
            return f" {'Raccoons' if raccoon else 'Beavers'} => {4 * cube}"
        case Kind.TAKE:
            return " Takes"
        case _:
            return " Drops"


def _roll(match: Match, row: int) -> str:
    plays = match.plays
    first, second = plays.dice[row].tolist()
    dice = f"{first}{second}:"
    validity = int(plays.validity[row])
    if validity == Validity.UNPLAYED:
        return f"{dice} ????"
    play = steps(match, row)
    if not play:
        return dice if validity == Validity.VALID else f"{dice} Cannot Move"
    board = plays.position[row].tolist()
    words = []
    for start, end in play:
        hit = end != OFF and board[end] == -1
        words.append(f"{'bar' if start == BAR else start}/{end or 'off'}{'*' if hit else ''}")
        board[start] -= 1
        if end != OFF:
            board[end] = 1 if hit else board[end] + 1
    return f"{dice} {' '.join(words)}"


def _result_line(match: Match, index: int) -> Iterator[str]:
    games = match.games
    winner = int(games.winner[index])
    if winner < 0:
        return
    points = int(games.points[index]) >> int(
        games.automatic_doubles[index]
    )  # not in a transcript: only the next score shows them
    ends = match.length is not None and int(games.score[index, winner]) + points >= match.length
    indent = " " * (COLUMN if winner else 6)
    yield (
        f"{indent}Wins {points} point{'' if points == 1 else 's'}{' and the match' if ends else ''}"
    ).ljust(COLUMN)


def _name(name: str, seat: int) -> str:
    """The name in a form that is valid in a line of scores."""
    plain = " ".join(
        "".join(
            letter if letter.isprintable() else " " for letter in name.replace(":", " ")
        ).split()
    )
    return plain.lstrip(";# ")[:LONGEST_NAME].strip() or f"Player {seat + 1}"


def convert(match: Match, path: str | Path) -> tuple[str, ...]:
    """Write the transcript of a match (`.mat`); what it cannot express.

    Raises `InvalidArgument` for another ending, `CannotTranscribe`, and `CannotWrite`.
    """
    expect("match", match, Match, "a Match")
    if Path(path).suffix.lower() != ".mat":
        raise InvalidArgument("path", "a name ending in .mat", str(path))
    written = transcript(match)
    write(str(path), written.text)
    return written.changes
