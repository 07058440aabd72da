"""Cases about figures: rates and what they are divided by, match winning chance, luck, grades, caps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reconcile.formats.written import Ending, Termination, WrittenMatch
from reconcile.probe.contrasts import ANCHOR, SyntheticGame, cube, plays
from reconcile.suite.case import Case, answered, doubled, game, made_double, match, no_double, opened, owned, single
from reconcile.suite.cases.matches import LOSES, error

SCORES: Final = ((0, 0), (3, 0), (0, 3), (5, 5), (2, 5), (5, 2), (6, 0), (0, 6))
"""Of matches to 7."""
LENGTHS: Final = (2, 3, 5, 9, 11, 13, 17, 25)
BORDERS: Final = ("0.005", "0.02", "0.03", "0.04", "0.05", "0.06", "0.08", "0.1", "0.12", "0.16", "0.25")
"""Of the grades that programs are known to use."""


def FIGURES() -> Iterator[Case]:  # noqa: N802 - a list that is made when asked for
    """All of them."""
    yield from _rates()
    yield from _snowie()
    yield from _tables()
    yield from _chances()
    yield from _cube()
    yield from _caps()
    yield from _luck()
    yield from _grades()


def _rates() -> Iterator[Case]:
    yield Case("rate-of-decisions", "Q08", "a rate is divided by the counted decisions", "rate-per-checker-play", _mixed())
    two = match(game(error(0.3)), game(error(0.02, turns=4), (1, 0)))
    yield Case("rate-of-match", "Q08", "the rate of a match is no mean of the rates of its games", "mean-of-games", two)
    yield Case("rate-checker", "Q08", "the rate of checker plays is divided by checker plays", "part-rates-of-all", _mixed())
    yield Case("rate-cube", "Q08", "the rate of cube decisions is divided by cube decisions", "part-rates-of-all", no_double(0.5, 0.63))
    yield Case("rate-with-cube", "Q08", "a rate has the errors of the cube, too", "rate-without-cube", doubled(0.5, 0.37))
    yield Case("rate-factor", "Q08", "the factor of a rate", "rate-doubled", plays((0.0, 0.11, 0.2)))
    yield Case("rate-take", "Q08", "the rate of a player with a wrong take", "rate-without-cube", answered(0.6, 1.2))
    right = single(SyntheticGame().turn().turn(ANCHOR, 1).turn().turn())
    yield Case("rate-zero", "Q08", "the rate of a player without an error is 0", "right-plays-left-out", right)


def _mixed() -> WrittenMatch:
    """Errors, a roll that cannot be played, a missed double."""
    return SyntheticGame().danced().turn(dice=(6, 6), cube=cube(0.4, 0.55)).turn().match()


def _snowie() -> Iterator[Case]:
    yield Case(
        "snowie-both-players", "Q08", "Snowie's rate is divided by the moves of both players", "snowie-own-moves", plays((0.0, 0.05, 0.2))
    )
    danced = SyntheticGame().danced().turn(dice=(6, 6)).turn().match()
    yield Case("snowie-dance", "Q08", "a dance is a move of Snowie's rate", "snowie-without-forced", danced)
    odd = single(opened().turn((0.0, 0.1, 0.2), 1))
    yield Case("snowie-odd", "Q08", "a player who made one move more than the other", "snowie-own-moves", odd)
    yield Case("snowie-cube", "Q08", "cube decisions are no moves of Snowie's rate", "snowie-with-cubes", no_double(0.5, 0.6))
    long = match(game(error(0.3)), game(error(0.02, turns=3), (1, 0)))
    yield Case("snowie-of-match", "Q08", "Snowie's rate of a match of two games", "mean-of-games", long)


def _tables() -> Iterator[Case]:
    for number, score in enumerate(SCORES, 1):
        crawford = 6 in score
        line = error(0.35, cube_in_play=not crawford)
        made = match(game(line, score, crawford=crawford))
        yield Case(f"met-score-{number}", "Q11", f"an error at {score[0]} to {score[1]} in a match to 7", "table-of-jacobs", made)
    for length in LENGTHS:
        made = match(game(error(0.35)), length=length)
        yield Case(
            f"met-length-{length}",
            "Q11",
            f"an error at the start of a match to {length}",
            "table-of-rockwell" if length < 11 else "table-of-jacobs",
            made,
        )
    long = match(game(error(0.9, turns=3), (1, 2)), length=9)
    yield Case("met-large-errors", "Q11", "large errors at 1 to 2 in a match to 9", "table-of-g11", long)
    long = match(game(error(0.9, turns=3), (4, 1)), length=6)
    yield Case("met-large-errors-2", "Q11", "large errors at 4 to 1 in a match to 6", "table-of-woolsey", long)


def _chances() -> Iterator[Case]:
    yield Case("mwc-play", "Q11", "an error in match winning chance, in percent", "mwc-fraction", plays((0.0, 0.2, 0.3)))
    line = SyntheticGame().turn(ANCHOR, 2).turn(cube=made_double(0.6, 0.8)).turn((0.0, 0.2, 0.3), 1).turn()
    yield Case("mwc-play-at-2", "Q11", "the same with the cube at 2", "mwc-at-cube-1", line.match())
    line = owned(2).turn((0.0, 0.2, 0.3), 1).turn()
    yield Case("mwc-play-at-8", "Q11", "the same with the cube at 8", "mwc-at-cube-1", line.match(length=15))
    yield Case("mwc-double", "Q10", "a wrong double is weighed at the cube before it", "mwc-doubles-after", doubled(0.5, 0.3))
    yield Case("mwc-take", "Q10", "a wrong take is weighed at the cube before the double", "answers-at-doubled-cube", answered(0.6, 1.2))
    yield Case("mwc-missed", "Q11", "a missed double in match winning chance", "mwc-doubles-after", no_double(0.3, 0.53))
    second = match(game(error(0.2)), game(error(0.2), (3, 0), LOSES))
    yield Case("mwc-second-game", "Q11", "errors are weighed at the score of their game", "mwc-at-first-score", second)
    uneven = match(game(error(0.2), (1, 4)))
    yield Case("mwc-uneven", "Q11", "an error at 1 to 4", "mwc-at-0-0", uneven)
    two = opened().turn((0.0, 0.2, 0.3), 1).turn((0.0, 0.15, 0.3), 1).turn().match(score=(2, 4))
    yield Case("mwc-both", "Q11", "both players err at 2 to 4", "mwc-at-0-0", two)
    yield Case("mwc-gammon-save", "Q11", "an error of 1.2 in match winning chance", "mwc-fraction", plays((0.0, 1.2, 1.3)))


def _cube() -> Iterator[Case]:
    line = SyntheticGame().turn(ANCHOR, 2).turn(cube=made_double(0.6, 0.8)).turn((0.0, 0.1, 0.3), 1).turn()
    yield Case("cube-at-2", "Q06", "an error of 0.1 with the cube at 2 is an error of 0.1", "errors-times-cube", line.match())
    line = owned(2).turn((0.0, 0.1, 0.3), 1).turn()
    yield Case("cube-at-8", "Q06", "the same with the cube at 8", "errors-times-cube", line.match(length=15))
    line = SyntheticGame().turn(ANCHOR, 2).turn(cube=made_double(0.6, 1.1)).turn().turn()
    yield Case("cube-take-at-1", "Q06", "a wrong take that cost 0.1 is an error of 0.1", "answers-doubled", line.match())
    line = owned().turn(cube=made_double(0.5, 0.4)).turn()
    yield Case("cube-redouble", "Q06", "a wrong redouble is an error at the cube before it", "doubles-doubled", line.match())
    yield Case("cube-double", "Q06", "a wrong double is an error at the cube before it", "doubles-doubled", doubled(0.5, 0.35))


def _caps() -> Iterator[Case]:
    for number, costs in enumerate(((0.5,), (0.4, 0.4), (1.1,)), 1):
        made = plays(*((0.0, cost, 1.3) for cost in costs))
        yield Case(f"cap-pr-{number}", "Q13", "a PR above 100", "cap-exchanged", made)
    yield Case(
        "cap-checker",
        "Q13",
        "checker plays with a rate above 100, and cube decisions",
        "part-rates-capped",
        opened().turn((0.0, 0.9, 1.3), 1, cube=cube(0.5, 0.45)).turn().match(),
    )
    yield Case("cap-error", "Q06", "an error above 1 is charged in full", "errors-capped", plays((0.0, 1.25, 1.4)))
    yield Case("cap-below", "Q13", "a PR of 99 is below any cap", "rate-doubled", plays((0.0, 0.326, 0.5)))


def _luck() -> Iterator[Case]:
    def rolled(*luck: float, theirs: float = 0.0) -> WrittenMatch:
        line = SyntheticGame().turn(ANCHOR, 2).turn(ANCHOR, 1, luck=theirs)
        for one in luck:
            line.turn(luck=one).turn()
        return line.match()

    yield Case("luck-sum", "", "luck is added up with its sign", "luck-without-sign", rolled(0.12, -0.31))
    yield Case("luck-owner", "", "luck is that of the player who rolled", "luck-swapped", rolled(0.15, theirs=-0.08))
    yield Case("luck-sign", "", "positive luck is good", "luck-negative", rolled(0.27))
    for text in ("0.15", "0.19", "0.21", "0.29", "0.31", "0.5"):
        yield Case(
            f"luck-joker-{text}",
            "",
            f"a roll with a luck of {text}",
            "luck-swapped" if text == "0.5" else "jokers-moved",
            rolled(float(text)),
        )
    yield Case("luck-anti-joker", "", "a roll with a luck of \N{MINUS SIGN}0.4 is no joker", "jokers-of-both-signs", rolled(-0.4))
    yield Case("luck-none", "", "a roll without luck is not among those with luck", "luck-of-every-roll", rolled(0.0, 0.02))
    yield Case("luck-small", "", "a roll with a luck of 0.003", "small-luck-left-out", rolled(0.003, 0.004))
    line = SyntheticGame().turn(ANCHOR, 2).turn(cube=made_double(0.6, 0.8)).turn(luck=0.2).turn()
    yield Case("luck-at-2", "", "luck with the cube at 2 is not multiplied by it", "luck-times-cube", line.match())
    doublet = SyntheticGame().turn(ANCHOR, 2).turn(ANCHOR, 1).turn(dice=(3, 3), luck=0.14).turn().match()
    yield Case("luck-doublet", "", "the luck of a doublet is luck", "luck-without-doublets", doublet)
    yield Case("luck-net", "", "net luck is the difference of both players'", "luck-net-is-own", rolled(0.2, theirs=0.05))
    yield Case("luck-mwc", "", "luck in match winning chance, in percent", "mwc-fraction", rolled(0.2))
    won = rolled(0.2, theirs=0.05)
    yield Case("luck-rate", "", "luck per roll", "luck-rate-per-move", won)
    yield Case(
        "luck-decided",
        "",
        "luck of the loser of a match",
        "luck-swapped",
        match(
            game(SyntheticGame(cube_in_play=False).opened().turn(luck=0.3).turn(), (0, 0), Ending(2, 1, Termination.RESIGNED_SINGLE)),
            length=1,
        ),
    )


def _grades() -> Iterator[Case]:
    for text in BORDERS:
        for side, word in ((-0.001, "below"), (0.001, "above")):
            cost = round(float(text) + side, 4)
            yield Case(f"grade-{text}-{word}", "Q12", f"an error of {cost}", "grades-moved", plays((0.0, cost, 0.4)))
    yield Case("grade-cube", "Q12", "a missed double of 0.09", "grades-of-plays-only", no_double(0.3, 0.39))
    yield Case("grade-take", "Q12", "a wrong take of 0.3", "grades-of-plays-only", answered(0.6, 1.3))
    yield Case("grade-blunder-is-error", "Q12", "a blunder is an error, too", "blunders-are-no-errors", plays((0.0, 0.3, 0.4)))
