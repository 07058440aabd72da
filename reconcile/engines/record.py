"""A match as a game record that gnuBG can load: SGF without an analysis.

A transcript (`.mat`) is not enough: gnuBG's import of one supports no automatic doubles, no match without the Crawford rule and
no position set up by hand, stops at an impossible play, and plays a forced last roll that was never played. A record states all
of this, and gnuBG replays its plays without checking them.

Players are named `PLAYERS`, which gnuBG can handle; `renamed` restores the real names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from reconcile.adapters.mat.game import STARTS
from reconcile.adapters.mat.writer import Event, events, steps
from reconcile.board.play import carried_out
from reconcile.board.position import BAR, Counts, swap
from reconcile.columns import Kind, Validity
from reconcile.errors import EngineError
from reconcile.match import Match

PLAYERS: Final = ("seat-0", "seat-1")
VARIATIONS: Final = {
    "backgammon": "",
    "nackgammon": "Nackgammon",
    "hypergammon1": "Hypergammon1",
    "hypergammon2": "Hypergammon2",
    "hypergammon3": "Hypergammon3",
}
"""gnuBG's names in `RU`."""
COLOURS: Final = ("W", "B")
BAR_LETTER, OFF_LETTER = "y", "z"
LONGEST_EVENT: Final = 200


def game_record(match: Match) -> str:
    """The match as SGF. Raises `EngineError` for a variation that gnuBG does not support."""
    if match.rules.variation not in VARIATIONS:
        raise EngineError(f"{match.source.path}: gnuBG does not support the variation {match.rules.variation!r}")
    games = events(match)
    return "".join(f"({''.join(_nodes(match, index, game))})\n" for index, game in enumerate(games))


def renamed(record: bytes, players: tuple[str, str]) -> bytes:
    """A record that gnuBG saved, with the players' own names."""
    for seat, name in enumerate(players):
        placeholder = f"P{COLOURS[seat]}[{PLAYERS[seat]}]".encode()
        record = record.replace(placeholder, f"P{COLOURS[seat]}[{_escaped(name)}]".encode())
    return record


def _nodes(match: Match, index: int, game: list[Event]) -> Iterator[str]:
    yield _root(match, index)
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
                yield f";PL[W]{_set_up(here)}{cube}"
                board = here
        first = False
        if event.kind is not Kind.PLAY:
            words = {Kind.TAKE: "take", Kind.PASS: "drop"}
            yield f";{COLOURS[event.player]}[{words.get(event.kind, 'double')}]"
            continue
        dice = "".join(map(str, plays.dice[event.row].tolist()))
        if plays.validity[event.row] == Validity.UNPLAYED:
            yield f";PL[{COLOURS[event.player]}]DI[{dice}]"
            continue
        made = steps(match, event.row)
        letters = "".join(_letter(place, event.player) for step in made for place in step)
        yield f";{COLOURS[event.player]}[{dice}{letters}]"
        after = carried_out(position, made)
        board = after if event.player == 0 else swap(after)


def _root(match: Match, index: int) -> str:
    games, rules = match.games, match.rules
    white, black = games.score[index].tolist()
    words = [VARIATIONS[rules.variation]]
    words += ["Crawford"] * (rules.crawford and not match.is_money) + ["CrawfordGame"] * bool(games.crawford[index])
    words += ["Jacoby"] * (rules.jacoby and match.is_money) + ["NoCube"] * (not rules.cube)
    automatic = int(games.automatic_doubles[index])
    winner = int(games.winner[index])
    return "".join(
        (
            ";FF[4]GM[6]CA[UTF-8]",
            f"MI[length:{match.length or 0}][game:{int(games.number[index]) - 1}][ws:{white}][bs:{black}]",
            f"PW[{PLAYERS[0]}]PB[{PLAYERS[1]}]",
            f"EV[{_escaped(match.event[:LONGEST_EVENT])}]" if match.event and index == 0 else "",
            f"RU[{':'.join(filter(None, words))}]",
            f"CV[{1 << automatic}]" if automatic else "",
            f"RE[{COLOURS[winner]}+{int(games.points[index])}{'R' if games.resigned[index] else ''}]" if winner >= 0 else "",
        )
    )


def _cube(match: Match, index: int, event: Event) -> str:
    """The cube of a game that begins with a turned cube, as in a position set up by hand."""
    table = match.plays if event.kind is Kind.PLAY else match.cubes
    value, owner = int(table.cube[event.row]), int(table.owner[event.row])
    if not owner:
        return "" if value in (1, 1 << int(match.games.automatic_doubles[index])) else f"CV[{value}]CP[c]"
    on_roll = event.player if event.kind is Kind.PLAY or event.kind <= Kind.DOUBLE else 1 - event.player
    return f"CV[{value}]CP[{'wb'[on_roll if owner > 0 else 1 - on_roll]}]"


def _set_up(board: Counts) -> str:
    """Checkers set up by hand, in White's letters for both players."""
    white = [chr(ord("a") + place - 1) * count for place, count in enumerate(board) if 0 < place <= BAR and count > 0]
    black = [BAR_LETTER if place == 0 else chr(ord("a") + place - 1) for place, count in enumerate(board) for _ in range(-count)]
    sides = (("AW", "".join(white)), ("AB", "".join(black)))
    return "AE[a:y]" + "".join(name + "".join(f"[{letter}]" for letter in letters) for name, letters in sides if letters)


def _letter(place: int, seat: int) -> str:
    if place in (0, BAR):
        return BAR_LETTER if place else OFF_LETTER
    return chr(ord("a") + (place - 1 if seat == 0 else 24 - place))


def _escaped(text: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", "".join(letter for letter in text if letter.isprintable()))
