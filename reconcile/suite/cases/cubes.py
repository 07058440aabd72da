"""Cases about the cube: which turns without a double count, doubles and their answers, and what each of them cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from reconcile.formats.written import Cube, Double, Ending, Take, Termination, WrittenMatch
from reconcile.probe.contrasts import ANCHOR, FAR, SGF, XG, SyntheticGame, cube, turn
from reconcile.suite.case import Case, answered, doubled, drop_move, made_double, no_double, opened, owned

MINUS: Final = "\N{MINUS SIGN}"
LOST: Final = Cube(Double.YES, Take.TAKE)
"""A double that was taken and is not analysed."""


def CUBES() -> Iterator[Case]:  # noqa: N802 - a list that is made when asked for
    """All of them."""
    yield from _close()
    yield from _redoubles()
    yield from _missed()
    yield from _borders()
    yield from _dead()
    yield from _doubles()
    yield from _answers()
    yield from _beavers()
    yield from _not_analysed()


def _close() -> Iterator[Case]:
    for text in (
        "0.05",
        "0.1",
        "0.149",
        "0.151",
        "0.159",
        "0.161",
        "0.179",
        "0.181",
        "0.199",
        "0.20004",
        "0.201",
        "0.249",
        "0.251",
        "0.31",
        "0.5",
    ):
        case = no_double(0.5, 0.5 - float(text))
        yield Case(f"close-window-{text}", "Q02", f"a no-double that would have cost {text} to double", "window-moved", case)
    yield Case("close-none", "Q02", "turns on which nobody would double are no decisions", "all-no-doubles-counted", turn(cube=FAR))
    yield Case(
        "close-theirs",
        "Q02",
        "a close no-double of the other player",
        "right-no-doubles-left-out",
        opened().turn().turn(cube=cube(0.5, 0.45)).match(),
    )
    danced = SyntheticGame().danced().turn(dice=(6, 6), cube=cube(0.5, 0.45)).turn().match()
    yield Case("close-before-a-dance", "Q02", "a close no-double before a roll that cannot be played", "no-doubles-with-plays", danced)
    before = opened().turn(costs=(0.0,) * 4, cube=cube(0.5, 0.45)).turn().match()
    yield Case(
        "close-before-equal-plays", "Q02", "a close no-double before a play without a choice", "no-doubles-with-plays", before, (XG,)
    )
    two = opened().turn(cube=cube(0.5, 0.45)).turn().turn(cube=cube(0.5, 0.42)).turn().match()
    yield Case("close-two", "Q02", "two close no-doubles in a game are two decisions", "one-no-double-a-game", two)
    passed = no_double(0.9, 1.2)
    yield Case("close-missed-pass", "Q02", "a missed double that would have been passed costs up to 1", "passes-ignored", passed)


def _redoubles() -> Iterator[Case]:
    for text in ("0.05", "0.159", "0.161", "0.179", "0.19", "0.199", "0.201", "0.25"):
        line = owned().turn(cube=cube(0.5, 0.5 - float(text))).turn()
        yield Case(
            f"redouble-window-{text}",
            "Q02",
            f"a no-redouble that would have cost {text}",
            "redouble-window-moved",
            line.match(ending=Ending(1, 2, Termination.RESIGNED_SINGLE)),
        )
    line = owned().turn(cube=cube(0.5, 0.45)).turn()
    yield Case("redouble-right", "Q02", "a close no-redouble is a decision", "no-redoubles-left-out", line.match())
    line = owned().turn(cube=cube(0.5, 0.6)).turn()
    yield Case("redouble-missed", "Q02", "a missed redouble that costs 0.1", "no-redoubles-left-out", line.match())
    line = owned().turn(cube=made_double(0.5, 0.4)).turn()
    yield Case("redouble-wrong", "Q06", "a wrong redouble that costs 0.1", "errors-times-cube", line.match())
    line = owned()
    line.turn(cube=made_double(0.5, 0.7)).turn()
    yield Case("redouble-made", "Q15", "a right redouble is a decision", "redoubles-left-out", line.match())
    yield Case("redouble-no-access", "Q02", "without access to the cube there is nothing to decide", "no-access-counted", _no_access())


def _no_access() -> WrittenMatch:
    """A turn of a player whose double was taken."""
    line = opened().turn(cube=made_double(0.5, 0.7)).turn()
    return line.turn().turn().match()


def _missed() -> Iterator[Case]:
    for text in ("0.02", "0.1", "0.17", "0.24", "0.3"):
        case = no_double(0.3, 0.3 + float(text))
        yield Case(
            f"close-missed-{text}",
            "Q02",
            f"a missed double that costs {text} counts",
            "missed-doubles-left-out" if float(text) < 0.15 else "either-side",
            case,
        )
    for text in ("0.03", "0.1", "0.17", "0.3"):
        case = no_double(1.0 + float(text), 1.6)
        yield Case(f"toogood-{text}", "Q02", f"a no-double that is too good by {text}", "too-good-exchanged", case)
    yield Case("toogood-doubled", "Q06", "a double in a position that is too good", "wrong-doubles-forgiven", doubled(1.15, 1.6, Take.PASS))
    yield Case(
        "toogood-double-take", "Q02", "not doubling at 1.2 where the double is a take at 0.9", "too-good-exchanged", no_double(1.2, 0.9)
    )


def _borders() -> Iterator[Case]:
    for text in ("0.01", "0.3", "0.49", "0.51", "0.7", "0.89", "0.91", "1.2"):
        equity = -float(text)
        yield Case(
            f"losing-{text}",
            "Q03",
            f"a close no-double at an equity of {MINUS}{text}",
            "losing-side-moved",
            no_double(equity, equity - 0.05),
        )
    yield Case("losing-missed-1.1", "Q03", f"a missed double at an equity of {MINUS}1.1", "losing-side-missed", no_double(-1.1, -0.95))
    yield Case("losing-missed-0.3", "Q03", f"a missed double at an equity of {MINUS}0.3", "losing-side-missed", no_double(-0.3, -0.2))
    yield Case("losing-split", "Q03", f"no double at {MINUS}0.85, double at {MINUS}0.95", "losing-side-either", no_double(-0.85, -0.95))
    yield Case(
        "losing-double-right",
        "Q04",
        f"a right double at an equity of {MINUS}1.1",
        "doubles-that-change-nothing-left-out",
        doubled(-1.1, -0.95),
    )
    for text in ("0", "0.0005", "0.0012", "0.003"):
        yield Case(
            f"optional-right-{text}",
            "Q04",
            f"a no-double where doubling would cost {text}",
            "optional-left-out",
            no_double(0.5, 0.5 - float(text)),
        )
    for text in ("0.0004", "0.0012", "0.003"):
        yield Case(
            f"optional-missed-{text}", "Q04", f"a missed double that costs {text}", "optional-left-out", no_double(0.5, 0.5 + float(text))
        )
    yield Case("optional-double", "Q04", "a double that changes 0.0005", "doubles-that-change-nothing-left-out", doubled(0.5, 0.5005))
    yield Case("optional-double-wrong", "Q04", "a double that costs 0.0004", "doubles-that-change-nothing-left-out", doubled(0.5, 0.4996))
    yield Case("optional-take", "Q04", "a take that changes 0.0005", "doubles-that-change-nothing-left-out", answered(0.6, 0.9995))
    yield Case(
        "optional-pass", "Q04", "a pass that changes 0.0005", "doubles-that-change-nothing-left-out", answered(0.6, 1.0005, Take.PASS)
    )


def _dead() -> Iterator[Case]:
    at_match_point = SyntheticGame(cube_in_play=False).opened().turn().turn().match(length=5, score=(4, 2))
    yield Case(
        "dead-match-point", "Q16", "turns of a player who needs one point are no cube decisions", "dead-cubes-counted", at_match_point
    )
    line = owned(2)
    line.turn(cube=Cube()).turn()
    yield Case("dead-owned", "Q16", "a cube of 8 in a match to 7 is dead for its owner", "dead-cubes-counted", line.match())
    line = owned()
    line.turn(cube=Cube()).turn()
    yield Case(
        "dead-owned-2-away",
        "Q16",
        "a cube of 2 is dead for an owner who needs two points",
        "dead-cubes-counted",
        line.match(length=5, score=(3, 1)),
    )
    line = owned().turn(cube=cube(0.5, 0.45)).turn()
    yield Case(
        "dead-alive-3-away",
        "Q02",
        "the same cube is alive for an owner who needs three",
        "no-redoubles-left-out",
        line.match(length=5, score=(2, 1)),
    )


def _doubles() -> Iterator[Case]:
    yield Case("take-right", "Q15", "a right take is a decision", "right-answers-left-out", answered(0.6, 0.7))
    yield Case("take-wrong", "Q06", "a wrong take that cost 0.2", "answers-left-out", answered(0.6, 1.2))
    yield Case("take-wrong-0.05", "Q06", "a wrong take that cost 0.05", "answers-left-out", answered(0.6, 1.05))
    yield Case("take-owner", "Q06", "a wrong take is the taker's error, not the doubler's", "answers-charged-to-doubler", doubled(0.6, 1.2))
    yield Case("take-double-right", "Q15", "a right double that is taken is a decision", "right-doubles-left-out", doubled(0.5, 0.7))
    yield Case("take-double-wrong", "Q06", "a wrong double that cost 0.13", "doubles-charged-to-opponent", doubled(0.5, 0.37))
    yield Case("take-double-early", "Q06", "a double that cost 0.4", "doubles-charged-to-opponent", doubled(0.2, -0.2))
    yield Case(
        "take-too-good", "Q06", "a double that should not have been made, taken though it is a pass", "passes-ignored", doubled(1.1, 1.3)
    )
    yield Case("pass-right", "Q15", "a right pass is a decision", "right-answers-left-out", answered(0.8, 1.2, Take.PASS))
    yield Case("pass-wrong", "Q06", "a wrong pass that cost 0.3", "wrong-passes-forgiven", answered(0.5, 0.7, Take.PASS))
    yield Case("pass-wrong-0.04", "Q06", "a wrong pass that cost 0.04", "wrong-passes-forgiven", answered(0.5, 0.96, Take.PASS))
    yield Case(
        "pass-owner",
        "Q06",
        "a wrong pass is the error of the player who passes",
        "answers-charged-to-doubler",
        doubled(0.5, 0.7, Take.PASS),
    )
    yield Case(
        "pass-double-right", "Q15", "a right double that is passed is a decision", "right-doubles-left-out", doubled(0.8, 1.2, Take.PASS)
    )
    yield Case("pass-double-wrong", "Q06", "a double that cost 0.2, passed", "doubles-charged-to-opponent", doubled(0.5, 0.3, Take.PASS))


def _answers() -> Iterator[Case]:
    for value, times in ((2, 1), (4, 2)):
        line = SyntheticGame().turn(ANCHOR, 2)
        for _ in range(times - 1):
            line.turn(cube=made_double(0.6, 0.8)).turn(cube=made_double(0.6, 0.8))
        line.turn(cube=made_double(0.6, 1.15)).turn().turn()
        yield Case(
            f"take-wrong-at-{value * times if times > 1 else value}",
            "Q10",
            f"a wrong take that cost 0.15, of a cube that becomes {2 ** (2 * times - 1)}",
            "answers-at-doubled-cube",
            line.match(length=11),
        )
    line = owned().turn(cube=made_double(0.6, 1.15)).turn()
    yield Case("take-redouble", "Q10", "a wrong take of a redouble to 4", "answers-at-doubled-cube", line.match(length=11))
    for value in (1, 2, 4):
        line = SyntheticGame().turn(ANCHOR, 2)
        for _ in range({1: 0, 2: 1, 4: 2}[value]):
            line.turn(cube=made_double(0.6, 0.8))
        line.turn(cube=made_double(0.5, 0.8, Take.PASS))
        drop_move(line)
        winner = line.turns[-1].player
        yield Case(
            f"pass-wrong-at-{value}",
            "Q06",
            f"a wrong pass that cost 0.2 with the cube at {value}",
            "wrong-passes-forgiven",
            line.match(length=11, ending=Ending(winner, value, Termination.PASS)),
        )


def _beavers() -> Iterator[Case]:
    made = SyntheticGame().opened().turn(cube=cube(0.5, 0.7, double=Double.YES, take=Take.BEAVER)).turn().turn(cube=cube(0.5, 0.6)).turn()
    yield Case(
        "beaver-missed-after",
        "Q14",
        "a missed double of a player whose double was beavered",
        "beavers-recounted",
        made.match(length=None, beaver=True),
        (SGF,),
    )
    made = SyntheticGame().opened().turn(cube=cube(0.5, -0.1, double=Double.YES, take=Take.BEAVER)).turn().turn()
    yield Case(
        "beaver-right", "Q14", "a double that is beavered rightly", "beavers-recounted", made.match(length=None, beaver=True), (SGF,)
    )
    made = SyntheticGame().opened().turn(cube=cube(0.5, -0.1, double=Double.YES, take=Take.BEAVER)).turn(cube=cube(0.5, 0.6)).turn()
    yield Case(
        "beaver-owner",
        "Q14",
        "a missed double of the player who beavered",
        "beavers-recounted",
        made.match(length=None, beaver=True),
        (SGF,),
    )


def _not_analysed() -> Iterator[Case]:
    yield Case(
        "notanalysed-cube", "Q05", "a turn without a double that is not analysed", "not-analysed-counted", turn(cube=Cube(Double.NO))
    )
    yield Case("notanalysed-double", "Q05", "a double that is not analysed", "not-analysed-counted", turn(cube=LOST))
    taken = SyntheticGame().turn(ANCHOR, 2).turn(cube=LOST).turn().turn().match()
    yield Case("notanalysed-take", "Q05", "a take of a double that is not analysed", "not-analysed-counted", taken)
    yield Case(
        "notanalysed-play", "Q05", "a play that is not analysed is no decision without error", "plays-not-analysed-counted", _bare(1)
    )
    yield Case("notanalysed-plays", "Q05", "two plays that are not analysed", "plays-not-analysed-counted", _bare(2))


def _bare(times: int) -> WrittenMatch:
    """Plays without candidates."""
    line = opened()
    for _ in range(times):
        line.turn()
        last = line.turns[-1]
        assert last.move is not None
        made = last.move.candidates[0]
        bare = replace(last.move, candidates=(), played=None, play=made.play, after=made.position)
        line.turns[-1] = replace(last, move=bare)
        line.turn()
    return line.match()
