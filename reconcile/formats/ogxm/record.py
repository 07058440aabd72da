"""The games of an OGXM document as a game record (SGF without an analysis), so that one reader
knows every rule of the game.

The codec's JSON counts points from White's side, where Black moves down: a step is a point and the
pips that it moves. White is seat 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, Final

from reconcile.files.limits import MOST_DECISIONS, MOST_GAMES
from reconcile.formats.evaluated import Place, places
from reconcile.formats.gnubg import read
from reconcile.formats.gnubg import writer as gnubg
from reconcile.formats.values import (
    Damaged,
    day_of_seconds,
    flag,
    integer,
    part,
    parts,
    shown,
    text,
)
from reconcile.match.board.play import legal_plays
from reconcile.match.board.position import BAR
from reconcile.match.columns import Validity
from reconcile.match.match import LONGEST_MATCH, Match

BLACK, WHITE = 0, 1
"""The codec's `color` of an action."""
LAST_ROLL: Final = 20
DOUBLE, TAKE, PASS = 21, 22, 23
RESIGNATIONS: Final = (27, 28)
SET_POSITION: Final = 31
"""A position set up by hand, after a roll whose play is illegal or without one."""
BEAVER, RACCOON = 32, 33
WORDS: Final = {
    DOUBLE: gnubg.DOUBLED,
    TAKE: gnubg.TAKEN,
    PASS: gnubg.PASSED,
    BEAVER: gnubg.DOUBLED,
    RACCOON: gnubg.DOUBLED,
}
SILENT: Final = (24, 25, 26, 29, 30, 34)
"""A game or a match is over, forfeited or settled, or nothing was done; the result of the game says
the rest."""
VARIATIONS: Final = {"backgammon": "", "nackgammon": "Nackgammon"}
MOST_STEPS: Final = 4
MOST_CHECKERS: Final = 15
LONGEST_NAME: Final = 200
HIGHEST_DOUBLES: Final = 10


@dataclass(frozen=True, slots=True)
class Action:
    """A roll, a cube action or a resignation of the document."""

    place: Place
    ref: int
    """Its number among all actions of the match, from 0."""
    action: int
    white: bool
    value: dict[str, Any]

    @property
    def is_roll(self) -> bool:
        """Whether dice were rolled."""
        return self.action <= LAST_ROLL or (self.action == SET_POSITION and "d1" in self.value)


def actions(document: dict[str, Any]) -> list[Action]:
    """Every roll, cube action, resignation and set position in order. Raises `Damaged` for one that
    is not known."""
    doings = []
    ref = 0
    for number, game in enumerate(parts(document, "games", MOST_GAMES), 1):
        turn, roller = 1, None
        for value in parts(game, "plies", MOST_DECISIONS):
            action = integer(value, "action_id", 0, 255)
            if action <= LAST_ROLL or action in WORDS or action in (*RESIGNATIONS, SET_POSITION):
                white = integer(value, "color", BLACK, WHITE) == WHITE
                if action == SET_POSITION and roller is not None:  # its colour is not stated
                    white = not roller
                doings.append(Action((number, turn), ref, action, white, value))
                if doings[-1].is_roll:
                    turn, roller = turn + 1, white
            elif action not in SILENT:
                raise Damaged(f"game {number}, turn {turn}: action {action}, which is not known")
            ref += 1
    return doings


def transcript(path: str, document: dict[str, Any]) -> Match:
    """The match without an analysis. Raises `Damaged`, and `UnreadableFile` for games that cannot
    have been played.

    The format takes a roll without a play before a resignation as one that was not played, even
    where there was nothing to play. A turn has a no-double before such a roll as before any other.
    """
    doings = actions(document)
    match = read(path, _game_record(document, doings).encode("utf-8", "replace"))
    rolls = [action for action in doings if action.is_roll]
    unplayed = {action.place for action in rolls if flag(action.value, "unplayed_roll", False)}
    illegal = {action.place for action in rolls if action.action == SET_POSITION}
    plays, validity = match.plays, match.plays.validity.copy()
    for row, place in enumerate(places(match, plays)) if unplayed or illegal else ():
        if place in illegal:
            validity[row] = Validity.ILLEGAL.value
        elif place in unplayed and legal_plays(
            plays.position[row].tolist(), *plays.dice[row].tolist()
        ):
            validity[row] = Validity.UNPLAYED.value
    white, black = (
        text(document, name)[:LONGEST_NAME].strip() for name in ("player_white", "player_black")
    )
    rules = replace(match.rules, beavers=flag(document, "beavers", False))
    return replace(
        match,
        players=(white, black),
        plays=plays.replaced(validity=validity),
        rules=rules,
        date=day_of_seconds(document.get("timestamp")),
        round=_short(document, "round"),
        place=_short(document, "site"),
    )


def _short(document: dict[str, Any], key: str) -> str:
    """A text of a document; empty if it has none."""
    return text(document, key)[:LONGEST_NAME] if document.get(key) else ""


def _game_record(document: dict[str, Any], doings: list[Action]) -> str:
    """The games as SGF, its players under names that nothing has to escape."""
    length = integer(document, "match_length", 0, LONGEST_MATCH)
    variation = text(document, "variant") or "backgammon"
    if variation not in VARIATIONS:
        raise Damaged(f"the variation {variation[:40]!r} is not read")
    score = _starting_score(document)
    event = _short(document, "event")
    by_game: dict[int, list[Action]] = {}
    for action in doings:
        by_game.setdefault(action.place[0], []).append(action)
    games = []
    for number, game in enumerate(parts(document, "games", MOST_GAMES), 1):
        words = [
            VARIATIONS[variation],
            "Crawford" * flag(document, "crawford", True),
            "CrawfordGame" * flag(game, "is_crawford", False),
            "Jacoby" * (not length and flag(document, "jacoby", False)),
            "NoCube" * (document.get("cube_limit") == 1),
        ]
        doubles = integer(game, "auto_doubles", 0, HIGHEST_DOUBLES) if "auto_doubles" in game else 0
        winner = integer(game, "winner", 0, 255)  # unlike `color`, 0 is White
        before, result = score, None
        if winner < len(gnubg.COLOURS):
            points = integer(game, "points_won", 1, 2**20)
            resigned = any(ply.get("action_id") in RESIGNATIONS for ply in game["plies"][-2:])
            result = gnubg.result(winner, points, resigned=resigned)
            score = (score[0] + points * (winner == 0), score[1] + points * (winner == 1))
        root = gnubg.root(
            number - 1, length, before, ("White", "Black"), words,
            result=result, event=event * (number == 1), automatic_doubles=doubles,
        )  # fmt: skip
        start = "" if flag(game, "is_default_board", True) else _placed(game, "initial_board")
        games.append(gnubg.tree(root + start, _nodes(by_game.get(number, []))))
    return "".join(games)


def _starting_score(document: dict[str, Any]) -> tuple[int, int]:
    start = part(document, "score_start") if isinstance(document.get("score_start"), dict) else None
    if start is not None:
        return integer(start, "white", 0, 2**20), integer(start, "black", 0, 2**20)
    points = document.get("score_start", [0, 0])
    if (
        type(points) is not list
        or len(points) != 2
        or any(type(number) is not int or not 0 <= number < 2**20 for number in points)
    ):
        raise Damaged(f"expected score_start to be two numbers, found {shown(points)}")
    return points[0], points[1]


def _nodes(game: list[Action]) -> Iterator[str]:
    for action, following in zip_longest(game, game[1:]):
        if action.action in RESIGNATIONS:  # the result of the game says it
            continue
        seat = 1 - action.white
        if action.action in WORDS:
            yield gnubg.acted(seat, WORDS[action.action])
            accepted = following is None or following.action != RACCOON
            if action.action in (BEAVER, RACCOON) and accepted:  # by the roll that follows
                yield gnubg.acted(1 - seat, gnubg.TAKEN)
            continue
        is_set = action.action == SET_POSITION
        if action.is_roll:
            dice = integer(action.value, "d1", 1, 6), integer(action.value, "d2", 1, 6)
            play = () if is_set else steps(action.value, "moves", white=action.white)
            yield gnubg.rolled(seat, dice, play)
        if is_set:
            yield _placed(action.value, "set_position")


def _placed(value: dict[str, Any], key: str) -> str:
    """A node that places all checkers: counts by point from White's side, those of Black below 0,
    the bars at the ends."""
    counts = value.get(key)
    if (
        type(counts) is not list
        or len(counts) != BAR + 1
        or any(type(count) is not int or abs(count) > MOST_CHECKERS for count in counts)
    ):
        raise Damaged(
            f"expected {key} to be the checkers of {BAR + 1} places, found {shown(counts)}"
        )
    placed = ["", ""]
    for point, count in enumerate(counts):
        seat = int(count < 0)
        letter = gnubg.letters(seat, ((point if seat else BAR - point, 0),))[0]
        placed[seat] += f"[{letter}]" * abs(count)
    return ";AE[a:y]" + "".join(
        f"A{colour}{points}" for colour, points in zip(gnubg.COLOURS, placed, strict=True) if points
    )


def steps(value: dict[str, Any], key: str, *, white: bool) -> tuple[tuple[int, int], ...]:
    """A play as (from, to) pairs in the mover's own numbering, bar 25, off 0. Raises `Damaged`."""
    pairs = []
    for step in parts(value, key, MOST_STEPS):
        start, pips = integer(step, "from", 0, 25), integer(step, "pips", 1, 6)
        own = 25 - start if white else start
        if not own:
            raise Damaged(f"a checker that moves from {start}, where the player has none")
        pairs.append((own, max(own - pips, 0)))
    return tuple(pairs)
