"""A match as a game record that gnuBG can load: SGF without an analysis.

A transcript (`.mat`) is not enough: gnuBG's import of one supports no automatic doubles, no match
without the Crawford rule and no position set up by hand, stops at an impossible play, and plays a
forced last roll that was never played. A record states all of this, and gnuBG replays its plays
without checking them.

Players are named `PLAYERS`, which gnuBG can handle; `renamed` restores the real names.
"""

from __future__ import annotations

from collections.abc import Iterator

from reconcile.errors import EngineError
from reconcile.formats.gnubg.writer import (
    DOUBLED,
    PASSED,
    TAKEN,
    acted,
    escaped,
    name_of,
    result,
    rolled,
    root,
    set_up,
    tree,
)
from reconcile.formats.mat.writer import Event, events, steps
from reconcile.match.board.play import carried_out
from reconcile.match.board.position import STARTS, Counts, swap
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match

PLAYERS = ("seat-0", "seat-1")
VARIATIONS = {
    "backgammon": "",
    "nackgammon": "Nackgammon",
    "hypergammon1": "Hypergammon1",
    "hypergammon2": "Hypergammon2",
    "hypergammon3": "Hypergammon3",
}
"""gnuBG's names in `RU`."""
LONGEST_EVENT = 200


def game_record(match: Match) -> str:
    """The match as SGF. Raises `EngineError` for a variation that gnuBG does not support."""
    if match.rules.variation not in VARIATIONS:
        raise EngineError(
            f"gnuBG does not support the variation {match.rules.variation!r}", match.source.path
        )
    games = events(match)
    return "".join(
        tree(_root(match, index), _nodes(match, index, game)) for index, game in enumerate(games)
    )


def renamed(record: bytes, players: tuple[str, str]) -> bytes:
    """A record that gnuBG saved, with the players' own names."""
    for seat, name in enumerate(players):
        record = record.replace(name_of(seat, PLAYERS[seat]).encode(), name_of(seat, name).encode())
    return record


def _nodes(match: Match, index: int, game: list[Event]) -> Iterator[str]:
    plays = match.plays
    board = STARTS[match.rules.variation]
    """In seat 0's view."""
    first = True
    for event in game:
        if event.row >= 0:
            table = plays if event.kind is Kind.PLAY else match.cubes
            position: Counts = tuple(table.position[event.row].tolist())
            here = position if event.player == 0 else swap(position)
            cube = _cube(match, index, event) if first else ""
            if here != board or cube:
                yield f";PL[W]{set_up(here)}{cube}"
                board = here
        first, remark = False, _remark(match, index, event) if event.row >= 0 else ""
        if event.kind is not Kind.PLAY:
            words = {Kind.TAKE: TAKEN, Kind.PASS: PASSED}
            yield acted(event.player, words.get(event.kind, DOUBLED)) + remark
            continue
        dice = plays.dice[event.row].tolist()
        if plays.validity[event.row] == Validity.UNPLAYED:
            yield rolled(event.player, dice, None) + remark
            continue
        taken_steps = steps(match, event.row)
        yield rolled(event.player, dice, taken_steps) + remark
        after = carried_out(position, taken_steps)
        board = after if event.player == 0 else swap(after)


def _root(match: Match, index: int) -> str:
    games, rules = match.games, match.rules
    words = [VARIATIONS[rules.variation]]
    words += ["Crawford"] * (rules.crawford and not match.is_money) + ["CrawfordGame"] * bool(
        games.crawford[index]
    )
    words += ["Jacoby"] * (rules.jacoby and match.is_money) + ["NoCube"] * (not rules.cube)
    winner = int(games.winner[index])
    return root(
        int(games.number[index]) - 1,
        match.length,
        games.score[index].tolist(),
        PLAYERS,
        words,
        result=result(winner, int(games.points[index]), resigned=bool(games.resigned[index]))
        if winner >= 0
        else None,
        facts=_facts(match) if index == 0 else {},
        automatic_doubles=int(games.automatic_doubles[index]),
    )


def _facts(match: Match) -> dict[str, str]:
    """What the first root says of the match, by property."""
    return {
        "EV": match.event[:LONGEST_EVENT],
        "RO": match.round[:LONGEST_EVENT],
        "PC": match.place[:LONGEST_EVENT],
        "DT": match.date.isoformat() if match.date else "",
        "GC": match.comment,
    }


def _remark(match: Match, index: int, event: Event) -> str:
    """What was written about an event, for its node. That of a turn without a double is in the
    node of its play."""
    kinds = (Kind.NO_DOUBLE, Kind.PLAY) if event.kind is Kind.PLAY else (event.kind,)
    texts = [match.comments.get((index, event.turn, kind), "") for kind in kinds]
    text = "\n".join(filter(None, texts))
    return f"C[{escaped(text)}]" if text else ""


def _cube(match: Match, index: int, event: Event) -> str:
    """The cube of a game that begins with a turned cube, as in a position set up by hand."""
    table = match.plays if event.kind is Kind.PLAY else match.cubes
    value, owner = int(table.cube[event.row]), int(table.owner[event.row])
    if not owner:
        return (
            ""
            if value in (1, 1 << int(match.games.automatic_doubles[index]))
            else f"CV[{value}]CP[c]"
        )
    on_roll = (
        event.player if event.kind is Kind.PLAY or event.kind <= Kind.DOUBLE else 1 - event.player
    )
    return f"CV[{value}]CP[{'wb'[on_roll if owner > 0 else 1 - on_roll]}]"
