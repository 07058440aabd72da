"""The games of an OGXM document as a game record (SGF without an analysis), so that one reader knows every rule of the game.

The codec's JSON counts points from White's side, where Black moves down: a step is a point and the pips that it moves. White is seat 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from reconcile.files.limits import MOST_DECISIONS, MOST_GAMES
from reconcile.formats.evaluated import Place, places
from reconcile.formats.gnubg import read
from reconcile.formats.gnubg import writer as gnubg
from reconcile.formats.values import Damaged, flag, part, parts, shown, text, whole
from reconcile.match.board.play import legal_plays
from reconcile.match.columns import Validity
from reconcile.match.match import LONGEST_MATCH, Match

BLACK, WHITE = 0, 1
"""The codec's `color` of an action."""
LAST_ROLL: Final = 20
DOUBLE, TAKE, PASS = 21, 22, 23
ENDS: Final = (24, 25, 26)
"""A game or a match is over; the result of the game says how."""
RESIGNATIONS: Final = (27, 28)
BEAVER: Final = 32
WORDS: Final = {DOUBLE: gnubg.DOUBLED, TAKE: gnubg.TAKEN, PASS: gnubg.PASSED, BEAVER: gnubg.DOUBLED}
ACTIONS: Final = {
    29: "a forfeit",
    30: "a null action",
    31: "a position set up by hand, or an illegal play",
    33: "a raccoon",
    34: "a settlement",
}
VARIATIONS: Final = {"backgammon": "", "nackgammon": "Nackgammon"}
MOST_STEPS: Final = 4
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


def actions(document: dict[str, Any]) -> list[Action]:
    """Every roll, cube action and resignation in order. Raises `Damaged` for one that a game record cannot express."""
    found = []
    ref = 0
    for number, game in enumerate(parts(document, "games", MOST_GAMES), 1):
        if flag(game, "is_default_board", True) is False:
            raise Damaged(f"game {number} begins with a position set up by hand, which is not read")
        turn = 1
        for value in parts(game, "plies", MOST_DECISIONS):
            action = whole(value, "action_id", 0, 255)
            if action <= LAST_ROLL or action in WORDS or action in RESIGNATIONS:
                white = whole(value, "color", BLACK, WHITE) == WHITE
                found.append(Action((number, turn), ref, action, white, value))
                turn += action <= LAST_ROLL
            elif action not in ENDS:
                raise Damaged(
                    f"game {number}, turn {turn}: {ACTIONS.get(action, f'action {action}')}, which is not read"
                )
            ref += 1
    return found


def transcript(path: str, document: dict[str, Any]) -> Match:
    """The match without an analysis. Raises `Damaged`, and `UnreadableFile` for games that cannot have been played.

    The format takes a roll without a play before a resignation as one that was not played, even where there was nothing to play.
    A turn has a no-double before such a roll as before any other.
    """
    doings = actions(document)
    match = read(path, _game_record(document, doings).encode("utf-8", "replace"))
    unplayed = {
        one.place
        for one in doings
        if one.action <= LAST_ROLL and flag(one.value, "unplayed_roll", False)
    }
    plays, validity = match.plays, match.plays.validity.copy()
    for row, place in enumerate(places(match, plays)) if unplayed else ():
        if place in unplayed and legal_plays(
            plays.position[row].tolist(), *plays.dice[row].tolist()
        ):
            validity[row] = Validity.UNPLAYED.value
    white, black = (
        text(document, name)[:LONGEST_NAME].strip() for name in ("player_white", "player_black")
    )
    rules = replace(match.rules, beavers=flag(document, "beavers", False))
    return replace(
        match, players=(white, black), plays=plays.replaced(validity=validity), rules=rules
    )


def _game_record(document: dict[str, Any], doings: list[Action]) -> str:
    """The games as SGF, its players under names that nothing has to escape."""
    length = whole(document, "match_length", 0, LONGEST_MATCH)
    variation = text(document, "variant") or "backgammon"
    if variation not in VARIATIONS:
        raise Damaged(f"the variation {variation[:40]!r} is not read")
    score = _starting_score(document)
    event = text(document, "event")[:LONGEST_NAME] if document.get("event") else ""
    by_game: dict[int, list[Action]] = {}
    for action in doings:
        by_game.setdefault(action.place[0], []).append(action)
    games = []
    for number, game in enumerate(parts(document, "games", MOST_GAMES), 1):
        words = [VARIATIONS[variation], "Crawford" * flag(document, "crawford", True)]
        words += [
            "CrawfordGame" * flag(game, "is_crawford", False),
            "Jacoby" * (not length and flag(document, "jacoby", False)),
        ]
        words += ["NoCube" * (document.get("cube_limit") == 1)]
        doubles = whole(game, "auto_doubles", 0, HIGHEST_DOUBLES) if "auto_doubles" in game else 0
        winner = whole(game, "winner", 0, 255)  # unlike `color`, 0 is White
        before, result = score, None
        if winner < len(gnubg.COLOURS):
            points = whole(game, "points_won", 1, 2**20)
            result = gnubg.result(
                winner,
                points,
                resigned=any(one.get("action_id") in RESIGNATIONS for one in game["plies"][-2:]),
            )
            score = (score[0] + points * (winner == 0), score[1] + points * (winner == 1))
        root = gnubg.root(
            number - 1,
            length,
            before,
            ("White", "Black"),
            words,
            result=result,
            event=event * (number == 1),
            automatic_doubles=doubles,
        )
        games.append(gnubg.tree(root, _nodes(by_game.get(number, []))))
    return "".join(games)


def _starting_score(document: dict[str, Any]) -> tuple[int, int]:
    start = part(document, "score_start") if isinstance(document.get("score_start"), dict) else None
    if start is not None:
        return whole(start, "white", 0, 2**20), whole(start, "black", 0, 2**20)
    given = document.get("score_start", [0, 0])
    if (
        type(given) is not list
        or len(given) != 2
        or any(type(one) is not int or not 0 <= one < 2**20 for one in given)
    ):
        raise Damaged(f"expected score_start to be two numbers, found {shown(given)}")
    return given[0], given[1]


def _nodes(game: list[Action]) -> Iterator[str]:
    for action in game:
        if action.action in RESIGNATIONS:  # the result of the game says it
            continue
        seat = 1 - action.white
        if action.action in WORDS:
            yield gnubg.acted(seat, WORDS[action.action])
            if action.action == BEAVER:  # only a roll follows, which accepts it
                yield gnubg.acted(1 - seat, gnubg.TAKEN)
            continue
        dice = whole(action.value, "d1", 1, 6), whole(action.value, "d2", 1, 6)
        yield gnubg.rolled(seat, dice, steps(action.value, "moves", white=action.white))


def steps(value: dict[str, Any], key: str, *, white: bool) -> tuple[tuple[int, int], ...]:
    """A play as (from, to) pairs in the mover's own numbering, bar 25, off 0. Raises `Damaged`."""
    found = []
    for one in parts(value, key, MOST_STEPS):
        start, pips = whole(one, "from", 0, 25), whole(one, "pips", 1, 6)
        own = 25 - start if white else start
        if not own:
            raise Damaged(f"a checker that moves from {start}, where the player has none")
        found.append((own, max(own - pips, 0)))
    return tuple(found)
