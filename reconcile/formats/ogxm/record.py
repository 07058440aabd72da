"""The games of an OGXM document as a game record (SGF without an analysis), so that one reader
knows every rule of the game.

The codec's JSON counts points from White's side, where Black moves down: a step is a point and the
pips that it moves. White is seat 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, zip_longest

from reconcile.files.limits import MOST_DECISIONS, MOST_GAMES
from reconcile.formats.common import (
    HIGHEST_CUBE,
    Damaged,
    JsonObject,
    day_of_seconds,
    flag,
    integer,
    parts,
    shown,
    text,
)
from reconcile.formats.evaluated import Place, places
from reconcile.formats.gnubg import read
from reconcile.formats.gnubg import writer as gnubg
from reconcile.formats.ogxm.model import SITE, annotated, left_out
from reconcile.match.board.play import MOST_STEPS, carried_out, legal_play_meant
from reconcile.match.board.position import BAR, CHECKERS
from reconcile.match.columns import Plays, Validity
from reconcile.match.match import LONGEST_MATCH, Match, Note
from reconcile.match.values import grouped

BLACK, WHITE = 0, 1
"""The codec's `color` of an action."""
LAST_ROLL = 20
DICE = [*combinations_with_replacement(range(1, 7), 2)]
"""Of a roll."""
UNWON = 255
"""The winner of a game that was not finished."""
PRECISIONS = {"month": len("2026-11"), "year": len("2026")}
DOUBLE, TAKE, PASS = 21, 22, 23
RESIGNATIONS = (27, 28)
SET_POSITION = 31
"""A position set up by hand, after a roll whose play is illegal or without one."""
BEAVER, RACCOON = 32, 33
SET_CUBE = 36
SPECIAL = (*RESIGNATIONS, SET_POSITION, SET_CUBE)
WORDS = {
    DOUBLE: gnubg.DOUBLED,
    TAKE: gnubg.TAKEN,
    PASS: gnubg.PASSED,
    BEAVER: gnubg.DOUBLED,
    RACCOON: gnubg.DOUBLED,
}
SILENT = (24, 25, 26, 29, 30, 34)
"""A game or a match is over, forfeited or settled, or nothing was done; the result of the game says
the rest."""
VARIATIONS = {"backgammon": "", "nackgammon": "Nackgammon"}
LONGEST_NAME = 200
HIGHEST_DOUBLES = 10
HIGHEST_LIMIT = 2**16
COLOURS = ("white", "black")
OWNERS = {"white": "w", "black": "b", "centred": "c"}
"""Who has the cube, in the codec's words and in a game record."""
RESIGNED = ("resigned", 2)
"""In the codec's words and in GammonView's."""


@dataclass(frozen=True, slots=True)
class Action:
    """A roll, a cube action or a resignation of the document."""

    place: Place
    ref: int
    """Its number among all actions of the match, from 0."""
    action: int
    white: bool
    value: JsonObject

    @property
    def is_roll(self) -> bool:
        """Whether dice were rolled."""
        return self.action <= LAST_ROLL or (self.action == SET_POSITION and "d1" in self.value)


def actions(document: JsonObject) -> list[Action]:
    """Every roll, cube action, resignation and set position in order. Raises `Damaged` for one that
    is not known."""
    doings = []
    ref = 0
    for number, game in enumerate(parts(document, "games", MOST_GAMES), 1):
        turn, roller = 1, None
        for value in parts(game, "plies", MOST_DECISIONS):
            action = integer(value, "action_id", 0, 255)
            if action <= LAST_ROLL and DICE[action] != tuple(
                sorted(integer(value, die, 1, 6) for die in ("d1", "d2"))
            ):
                raise Damaged(f"game {number}, turn {turn}: action {action} is another roll")
            if action <= LAST_ROLL or action in WORDS or action in SPECIAL:
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


def transcript(path: str, document: JsonObject) -> Match:
    """The match without an analysis. Raises `Damaged`."""
    doings = actions(document)
    match = read(path, _game_record(document, doings).encode("utf-8", "replace"))
    limit = integer(document, "cube_limit", 0, HIGHEST_LIMIT, 0)
    if limit > 1 and (match.cubes.cube >= limit).any():
        raise Damaged(f"the cube reaches its limit of {limit}; a cube that is dead so is not read")
    date = day_of_seconds(document.get("timestamp"))
    letters = PRECISIONS.get(text(document, "date_precision"))
    unread = [*left_out(document), *_contradictions(document, match)]
    if date and letters:
        unread.append(f"the date, of which only {date.isoformat()[:letters]} is known")
    site = next((value.partition(":")[2] for _, value in annotated(document, SITE)), "")
    return replace(
        match,
        players=_players(document),
        plays=_judged(match, doings),
        rules=replace(
            match.rules, beavers=flag(document, "beavers", flag(document, "raccoons", False))
        ),
        date=None if letters else date,
        round=_short(document, "round"),
        place=_short(document, "site") or site[:LONGEST_NAME],
        notes=(*match.notes, *([Note("ogxm-left-out", ", ".join(unread))] if unread else [])),
    )


def _contradictions(document: JsonObject, match: Match) -> Iterator[str]:
    """What a document says of results and rules, and its games do not give."""
    final = [document.get(f"{colour}_score") for colour in COLOURS]
    most = match.length or sum(match.final_score)
    if None not in final and final != [min(points, most) for points in match.final_score]:
        yield f"a final score of {final[0]}-{final[1]}, which the games do not give"
    columns = match.games.winner, match.games.points, match.away
    rows = zip(document["games"], *(column.tolist() for column in columns), strict=True)
    for number, (game, winner, points, away) in enumerate(rows, 1):
        stated = game["winner"], game.get("points_won", 0)
        capped = min(points, away[winner]) if match.length else points  # as some writers do
        if stated not in ((winner, points), (winner, capped)) and (stated[0], winner) != (
            UNWON,
            -1,
        ):
            yield f"a result of game {number}, which its plays do not give"
    if match.length and flag(document, "jacoby", False):
        yield "jacoby, which is for money"


def _players(document: JsonObject) -> tuple[str, str]:
    """The names; a player without one is called as in a database."""
    white, black = (
        text(document, f"player_{colour}")[:LONGEST_NAME].strip() or f"Player {seat}"
        for seat, colour in enumerate(COLOURS, 1)
    )
    return white, black


def _judged(match: Match, doings: list[Action]) -> Plays:
    """The plays with the number of legal ones, each known to be one of these or not.

    The format takes a roll without a play before a resignation as one that was not played, even
    where there was nothing to play. A turn has a no-double before such a roll as before any other.
    """
    plays, illegal, waiting = match.plays, set(), set()
    for action, following in zip_longest(doings, doings[1:]):
        if action.action == SET_POSITION:
            illegal.add(action.place)
        elif action.is_roll and flag(
            action.value,
            "unplayed_roll",
            following is not None
            and following.action in RESIGNATIONS
            and not action.value.get("moves"),
        ):
            waiting.add(action.place)
    validity, legal = plays.validity.copy(), plays.legal.copy()
    rows = zip(plays.position.tolist(), plays.dice.tolist(), plays.play, strict=True)
    for row, (place, (position, (first, second), play)) in enumerate(
        zip(places(match, plays), rows, strict=True)
    ):
        possible, legal[row] = legal_play_meant(position, first, second, play)
        is_possible = possible is not None and possible.result == carried_out(position, play)
        if place in waiting and legal[row]:
            validity[row] = Validity.UNPLAYED.value
        elif place in illegal or not (is_possible or (not legal[row] and not play)):
            validity[row] = Validity.ILLEGAL.value
    return plays.replaced(validity=validity, legal=legal)


def _short(document: JsonObject, key: str) -> str:
    """A text or a number of a document as text; empty if it has none."""
    value = document.get(key)
    return str(value) if type(value) is int else text(document, key)[:LONGEST_NAME]


def _game_record(document: JsonObject, doings: list[Action]) -> str:
    """The games as SGF, its players under names that nothing has to escape."""
    length = integer(document, "match_length", 0, LONGEST_MATCH)
    variation = text(document, "variant") or "backgammon"
    if variation not in VARIATIONS:
        raise Damaged(f"the variation {variation[:40]!r} is not read")
    score = [integer(document, f"{colour}_score_start", 0, 2**20, 0) for colour in COLOURS]
    by_rule = flag(document, "crawford", True)
    due = by_rule and length > 1 and not flag(document, "crawford_played_before_start", False)
    by_game = grouped(doings, lambda action: action.place[0])
    games = []
    for number, game in enumerate(parts(document, "games", MOST_GAMES), 1):
        crawford = due and length - max(score) == 1
        due = due and not crawford
        if length != 1 and flag(game, "is_crawford", crawford) != crawford:
            raise Damaged(f"game {number}: is_crawford is not what the score makes of it")
        words = [
            VARIATIONS[variation],
            "Crawford" * by_rule,
            "CrawfordGame" * crawford,
            "Jacoby" * (not length and flag(document, "jacoby", False)),
            "NoCube" * (document.get("cube_limit") == 1),
        ]
        head = gnubg.root(
            number - 1, length, tuple(score), ("White", "Black"), words,
            result=_result(game, score), event=_short(document, "event") * (number == 1),
            automatic_doubles=integer(game, "auto_doubles", 0, HIGHEST_DOUBLES, 0),
        )  # fmt: skip
        games.append(gnubg.tree(head + _start(game), _nodes(by_game.get(number, []))))
    return "".join(games)


def _result(game: JsonObject, score: list[int]) -> str | None:
    """The result of a game, which is added to the score; `None` if it has none."""
    winner = integer(game, "winner", 0, UNWON)  # unlike `color`, 0 is White
    if winner >= len(score):
        return None
    points = integer(game, "points_won", 1, 2**20)
    score[winner] += points
    resigned = game.get("termination") in RESIGNED or any(
        ply.get("action_id") in RESIGNATIONS for ply in game["plies"][-2:]
    )
    return gnubg.result(winner, points, resigned=resigned)


def _start(game: JsonObject) -> str:
    """The nodes of a game that begins at another position or with another cube."""
    is_usual = flag(game, "is_default_board", "initial_board" not in game)
    start = "" if is_usual else _placed(game, "initial_board")
    if {"initial_cube_value", "initial_cube_owner"} & game.keys():
        value = integer(game, "initial_cube_value", 1, HIGHEST_CUBE, 1)
        start += _cube(game, "initial_cube_owner", value << game.get("auto_doubles", 0))
    return start


def _cube(value: JsonObject, key: str, cube: int) -> str:
    """A node that sets the cube, and who has it by this key."""
    owner = text(value, key) or "centred"
    if cube & (cube - 1) or cube > HIGHEST_CUBE or owner not in OWNERS:
        raise Damaged(f"a cube of {cube} whose {key} is {owner[:40]!r}")
    return f";CV[{cube}]CP[{OWNERS[owner]}]"


def _nodes(game: list[Action]) -> Iterator[str]:
    for action, following in zip_longest(game, game[1:]):
        if action.action in RESIGNATIONS:  # the result of the game says it
            continue
        seat = 1 - action.white
        if action.action == SET_CUBE:
            yield _cube(
                action.value, "cube_owner", integer(action.value, "cube_value", 1, HIGHEST_CUBE)
            )
            continue
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


def _placed(value: JsonObject, key: str) -> str:
    """A node that places all checkers: counts by point from White's side, those of Black below 0,
    the bars at the ends."""
    counts = value.get(key)
    if (
        type(counts) is not list
        or len(counts) != BAR + 1
        or any(type(count) is not int or abs(count) > CHECKERS for count in counts)
        or counts[0] < 0
        or counts[-1] > 0
    ):
        raise Damaged(
            f"expected {key} to be the checkers of {BAR + 1} places, found {shown(counts)}"
        )
    return f";{gnubg.set_up(tuple(counts[::-1]))}"


def steps(value: JsonObject, key: str, *, white: bool) -> tuple[tuple[int, int], ...]:
    """A play as (from, to) pairs in the mover's own numbering, bar 25, off 0. Raises `Damaged`."""
    pairs = []
    for step in parts(value, key, MOST_STEPS):
        start, pips = integer(step, "from", 0, 25), integer(step, "pips", 1, 6)
        own = 25 - start if white else start
        if not own:
            raise Damaged(f"a checker that moves from {start}, where the player has none")
        pairs.append((own, max(own - pips, 0)))
    return tuple(pairs)
