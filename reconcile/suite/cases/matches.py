"""Cases about matches: scores and the Crawford rule, money play, resignations, the last game and unfinished ones, players and colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from reconcile.formats.written import Cube, Ending, Game, Take, Termination, WrittenMatch
from reconcile.probe.contrasts import ANCHOR, SGF, XG, SyntheticGame, cube, plays
from reconcile.suite.case import RESIGNED, Case, answered, doubled, game, made_double, match, no_double, opened, single

LOSES: Final = Ending(2, 1, Termination.RESIGNED_SINGLE)
WRONG: Final = (0.0, 0.08, 0.2)
"""What the candidates of a play cost, of which the second is made."""


def MATCHES() -> Iterator[Case]:  # noqa: N802 - a list that is made when asked for
    """All of them."""
    yield from _crawford()
    yield from _post_crawford()
    yield from _one_point()
    yield from _money()
    yield from _resigned()
    yield from _games()
    yield from _players()


def error(cost: float = 0.08, *, cube_in_play: bool = True, turns: int = 1) -> SyntheticGame:
    """A game in which the studied player makes so many errors after the opening."""
    line = SyntheticGame(cube_in_play=cube_in_play).opened()
    for _ in range(turns):
        line.turn((0.0, cost, 1.9), 1).turn()
    return line


def decided(*, double: Cube, cube_in_play: bool = True) -> SyntheticGame:
    """A game with one cube decision of the studied player."""
    return SyntheticGame(cube_in_play=cube_in_play).opened().turn(cube=double).turn()


def _crawford() -> Iterator[Case]:
    for away, score in ((2, (4, 3)), (3, (4, 2)), (5, (4, 0))):
        made = match(game(error(cube_in_play=False), score, crawford=True), length=5)
        yield Case(
            f"crawford-{away}-away", "Q11", f"an error in the Crawford game, the other player {away} away", "crawford-played-as-post", made
        )
    trailing = match(game(error(cube_in_play=False), (2, 4), LOSES, crawford=True), length=5)
    yield Case("crawford-trailing", "Q11", "an error of the trailer in the Crawford game", "crawford-played-as-post", trailing)
    yield Case(
        "crawford-no-cube",
        "Q16",
        "in the Crawford game nobody has a cube decision",
        "no-access-counted",
        match(game(error(cube_in_play=False, turns=2), (2, 4), LOSES, crawford=True), length=5),
    )
    yield Case(
        "crawford-plays-count",
        "Q01",
        "plays of the Crawford game count",
        "crawford-game-left-out",
        match(game(error(cube_in_play=False, turns=2), (4, 1), crawford=True), length=5),
    )
    both = match(game(error(), (3, 2)), game(error(0.11, cube_in_play=False), (4, 2), crawford=True), length=5)
    yield Case("crawford-after-a-game", "Q11", "an error before the Crawford game and one in it", "crawford-game-left-out", both)
    luck = SyntheticGame(cube_in_play=False).turn(ANCHOR, 2, luck=0.2).turn(ANCHOR, 1, luck=-0.1).turn(luck=0.3).turn()
    yield Case(
        "crawford-luck",
        "Q11",
        "luck in the Crawford game, in match winning chance",
        "crawford-played-as-post",
        match(game(luck, (4, 2), crawford=True), length=5),
    )


def _post_crawford() -> Iterator[Case]:
    for text, double_take in (("first", 0.55), ("missed", 0.72)):
        line = SyntheticGame(dead=2).opened().turn(cube=cube(0.5, double_take)).turn()
        what = f"a missed double that costs {double_take - 0.5:.2f}"
        yield Case(f"postcrawford-cube-{text}", "Q02", f"after the Crawford game, {what}", "post-crawford-cubes-left-out", _after(line))
    for text, form in (("free", XG), ("free-chance", SGF)):
        line = SyntheticGame(dead=2).opened().turn(cube=cube(0.5, 0.5)).turn()
        what = "after the Crawford game, no double where doubling changes nothing"
        yield Case(f"postcrawford-cube-{text}", "Q04", what, "optional-left-out", _after(line), (form,))
    made = SyntheticGame(dead=2).opened().turn(cube=made_double(0.5, 0.62)).turn()
    yield Case("postcrawford-double", "Q15", "a right double after the Crawford game", "post-crawford-cubes-left-out", _after(made))
    made = SyntheticGame(dead=2).opened().turn(cube=made_double(0.5, 0.38)).turn()
    yield Case("postcrawford-double-wrong", "Q06", "a wrong double after the Crawford game", "post-crawford-cubes-left-out", _after(made))
    for away in (2, 3, 4, 5):
        plain = SyntheticGame(dead=2).opened().turn(WRONG, 1, cube=cube(0.5, 0.45)).turn()
        yield Case(
            f"postcrawford-{away}-away",
            "Q11",
            f"an error of a player {away} away after the Crawford game",
            "crawford-ignored-in-table",
            _after(plain, away),
        )
    dead = SyntheticGame(cube_in_play=False).opened().turn().turn((0.0, 0.14, 0.3), 1)
    yield Case(
        "postcrawford-leader",
        "Q16",
        "the leader has no cube decision after the Crawford game",
        "dead-cubes-counted",
        match(game(dead, (4, 2)), length=5),
    )
    drop = answered(0.5, 0.965, Take.PASS, length=5, score=(2, 4))
    yield Case("postcrawford-free-drop", "Q10", "a free drop that costs 0.035, after the Crawford game", "wrong-passes-forgiven", drop)
    second = match(
        game(error(cube_in_play=False), (1, 4), RESIGNED, crawford=True),
        game(SyntheticGame(dead=2).opened().turn(cube=cube(0.5, 0.61)).turn(), (2, 4), RESIGNED),
        game(SyntheticGame(dead=2).opened().turn(cube=cube(0.5, 0.64)).turn(), (3, 4), LOSES),
        length=5,
    )
    yield Case(
        "postcrawford-second",
        "Q11",
        "missed doubles in the first and in the second game after the Crawford game",
        "post-crawford-cubes-left-out",
        second,
    )


def _after(line: SyntheticGame, away: int = 3) -> WrittenMatch:
    """A game after the Crawford game of a match to 5, in which the studied player trails."""
    return match(game(line, (5 - away, 4), LOSES), length=5)


def _one_point() -> Iterator[Case]:
    for number, cost in enumerate((0.05, 0.2), 1):
        made = match(game(error(cost, cube_in_play=False)), length=1)
        yield Case(f"onepoint-error-{number}", "Q09", f"an error of {cost} in a match to one point", "one-point-exchanged", made)
    yield Case(
        "onepoint-no-cube",
        "Q16",
        "in a match to one point nobody has a cube decision",
        "no-access-counted",
        match(game(error(cube_in_play=False, turns=2)), length=1),
    )
    luck = SyntheticGame(cube_in_play=False).turn(ANCHOR, 2, luck=0.25).turn(ANCHOR, 1, luck=0.1).turn().turn()
    yield Case("onepoint-luck", "Q11", "luck in a match to one point, in match winning chance", "mwc-fraction", match(game(luck), length=1))


def _money() -> Iterator[Case]:
    yield Case("money-error", "Q11", "in money play there is no match winning chance", "thousandths", match(game(error()), length=None))
    yield Case("money-cube", "Q02", "a close no-double in money play", "right-no-doubles-left-out", no_double(0.5, 0.45, length=None))
    line = SyntheticGame().turn(ANCHOR, 2).turn(cube=made_double(0.6, 0.8)).turn((0.0, 0.1, 0.3), 1).turn()
    yield Case("money-at-2", "Q06", "an error of 0.1 with the cube at 2 is an error of 0.1", "errors-times-cube", line.match(length=None))
    two = match(game(error(), (0, 0)), game(error(0.12), (1, 0), LOSES), length=None)
    yield Case("money-two-games", "Q08", "a session of two games", "last-game-left-out", two)
    luck = SyntheticGame().turn(ANCHOR, 2, luck=0.2).turn(ANCHOR, 1, luck=0.1).turn().turn()
    yield Case("money-luck", "Q11", "luck in money play is not in percent of a match", "luck-swapped", match(game(luck), length=None))
    wrong = no_double(1.15, 1.6, length=None, jacoby=True)
    yield Case("jacoby-too-good", "Q02", "too good to double, which the Jacoby rule makes rare", "too-good-exchanged", wrong)
    yield Case(
        "jacoby-double",
        "Q15",
        "a right double under the Jacoby rule",
        "right-doubles-left-out",
        doubled(0.5, 0.7, length=None, jacoby=True),
    )
    yield Case(
        "jacoby-missed", "Q02", "a missed double of 0.3 under the Jacoby rule", "either-side", no_double(0.3, 0.6, length=None, jacoby=True)
    )
    yield Case(
        "jacoby-close",
        "Q02",
        "a close no-double under the Jacoby rule",
        "right-no-doubles-left-out",
        no_double(0.4, 0.33, length=None, jacoby=True),
    )
    yield Case(
        "jacoby-error",
        "Q06",
        "an error in money play under the Jacoby rule",
        "thousandths",
        match(game(error()), length=None, jacoby=True),
    )


def _resigned() -> Iterator[Case]:
    for text, value in (("0.2", -0.2), ("0.03", -0.03)):
        ending = Ending(2, 1, Termination.RESIGNED_SINGLE, resign_error=value, take_resign_error=0.0)
        yield Case(
            f"resign-{text}",
            "Q07",
            f"a resignation that lost {text}",
            "resignations-exchanged",
            opened().turn().turn().match(ending=ending),
            (XG,),
        )
    ending = Ending(1, 1, Termination.RESIGNED_SINGLE, resign_error=0.0, take_resign_error=-0.25)
    yield Case(
        "resign-accepted",
        "Q07",
        "accepting a resignation that should have been refused",
        "resignations-exchanged",
        opened().turn().turn().match(ending=ending),
        (XG,),
    )
    ending = Ending(2, 2, Termination.RESIGNED_GAMMON, resign_error=-0.4, take_resign_error=0.0)
    yield Case(
        "resign-gammon",
        "Q07",
        "resigning a gammon that lost 0.4",
        "resignations-exchanged",
        opened().turn().turn().match(ending=ending),
        (XG,),
    )
    ending = Ending(1, 1, Termination.RESIGNED_SINGLE, resign_error=-0.15, take_resign_error=0.0)
    yield Case(
        "resign-theirs",
        "Q07",
        "a resignation of the other player",
        "resignations-exchanged",
        opened().turn().turn().match(ending=ending),
        (XG,),
    )
    ending = Ending(2, 2, Termination.RESIGNED_GAMMON)
    yield Case(
        "resign-not-judged",
        "Q07",
        "a gammon resigned and not judged changes nothing",
        "last-play-left-out",
        opened().turn().turn((0.0, 0.1, 0.2), 1).match(ending=ending),
    )


def _games() -> Iterator[Case]:
    two = match(game(error(0.06)), game(error(0.12), (1, 0), LOSES))
    yield Case("lastgame-counts", "Q08", "an error in the last game counts", "last-game-left-out", two)
    three = match(game(error(0.06)), game(error(0.12), (1, 0), LOSES), game(error(0.2), (1, 1)))
    yield Case("lastgame-of-three", "Q08", "the last of three games", "last-game-left-out", three)
    five = match(*(game(error(0.06 + 0.03 * place), (place, 0), RESIGNED if place < 4 else None) for place in range(5)))
    yield Case("lastgame-of-five", "Q08", "every one of five games counts", "later-games-left-out", five)
    lucky = match(*(game(_lucky(0.2 - 0.15 * place), (place, 0)) for place in range(2)))
    yield Case("lastgame-luck", "Q08", "luck in the second of two games", "luck-of-first-game", lucky)
    cubes = match(game(error(0.06)), game(decided(double=cube(0.5, 0.6)), (1, 0), LOSES))
    yield Case("lastgame-cube", "Q02", "a missed double in the last game", "last-game-left-out", cubes)
    one = match(game(error(0.3)), game(error(0.02), (1, 0)))
    yield Case("lastgame-first", "Q08", "an error in the first of two games", "first-game-left-out", one)
    begun = match(game(error(0.06)), game(error(0.12), (1, 0), None))
    yield Case("unfinished-game", "Q08", "a game that was broken off counts", "unfinished-left-out", begun)
    alone = match(game(error(0.12), (0, 0), None))
    yield Case("unfinished-only", "Q08", "a match with one game that was broken off", "unfinished-left-out", alone)
    cubes = match(game(error(0.06)), game(decided(double=cube(0.5, 0.6)), (1, 0), None))
    yield Case("unfinished-cube", "Q02", "a missed double in a game that was broken off", "unfinished-left-out", cubes)
    yield Case(
        "unfinished-match",
        "Q08",
        "a match that nobody has won yet",
        "first-game-left-out",
        match(game(error(0.3)), game(error(0.02), (1, 0))),
    )
    luck = SyntheticGame().turn(ANCHOR, 2, luck=0.2).turn(ANCHOR, 1, luck=0.1).turn(luck=0.15).turn()
    yield Case("unfinished-luck", "Q08", "luck in a game that was broken off", "unfinished-left-out", match(game(luck, (0, 0), None)))


def _lucky(luck: float) -> SyntheticGame:
    return SyntheticGame().turn(ANCHOR, 2, luck=luck).turn(ANCHOR, 1, luck=0.1).turn(luck=luck / 2).turn()


def _players() -> Iterator[Case]:
    uneven = opened().turn((0.0, 0.2, 0.3), 1).turn((0.0, 0.03, 0.2), 1).turn().turn().turn((0.0, 0.11, 0.2), 1)
    yield Case("order-first", "", "each player has that player's errors", "players-swapped", uneven.match())
    yield Case("order-names", "", "players are not ordered by name", "players-by-name", _named(uneven, ("Synthetic Zoe", "Synthetic Ann")))
    yield Case("order-second-starts", "", "the second player of the file begins", "order-of-play", _second_starts())
    both = match(game(error(0.06)), _second_game((1, 0)))
    yield Case("order-changes", "", "the second game is begun by the other player", "players-swapped-in-later-games", both)
    yield Case(
        "order-error-last",
        "",
        "an error of the player who plays last",
        "players-swapped",
        single(opened().turn().turn((0.0, 0.31, 0.4), 1)),
    )
    yield Case(
        "colour-cube",
        "Q02",
        "a cube decision of the second player",
        "second-players-cubes-left-out",
        opened().turn().turn(cube=cube(0.5, 0.6)).match(),
    )
    yield Case("colour-double", "Q15", "a double of the second player", "second-players-cubes-left-out", answered(0.5, 0.7))
    yield Case(
        "colour-luck",
        "",
        "luck of the second player",
        "luck-swapped",
        SyntheticGame().turn(ANCHOR, 2, luck=0.04).turn(ANCHOR, 1, luck=0.33).turn().turn().match(),
    )
    yield Case("colour-score", "Q11", "an error at an uneven score, the first player behind", "mwc-at-0-0", match(game(error(0.2), (0, 5))))
    yield Case(
        "colour-score-2", "Q11", "an error at an uneven score, the first player ahead", "mwc-at-0-0", match(game(error(0.2), (5, 0)))
    )
    yield Case(
        "colour-both", "", "both players err, at the same time in the same way", "one-players-figures-for-both", plays((0.0, 0.05, 0.2))
    )


def _named(line: SyntheticGame, players: tuple[str, str]) -> WrittenMatch:
    return replace(line.match(), players=players)


def _second_starts() -> WrittenMatch:
    line = SyntheticGame()
    line.player = 2
    line.opened().turn((0.0, 0.17, 0.3), 1).turn()
    return line.match()


def _second_game(score: tuple[int, int]) -> Game:
    line = SyntheticGame()
    line.player = 2
    line.opened().turn((0.0, 0.17, 0.3), 1).turn((0.0, 0.04, 0.3), 1)
    return game(line, score, LOSES)
