"""Cases about checker plays: which count as decisions, what an error is, how large, and how it is added up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from reconcile.formats.written import Ending, Termination, WrittenMatch
from reconcile.probe.contrasts import ANCHOR, ILLEGAL, PLAIN, XG, SyntheticGame, plays, turn
from reconcile.suite.case import Case, opened, single

SPREADS: Final = ("0.00005", "0.00015", "0.0004", "0.0008", "0.0012", "0.003", "0.007", "0.015")
ROUNDED: Final = 8
"""Errors whose roundings add up to a printed digit."""
UNPLAYED: Final = Ending(2, 1, Termination.RESIGNED_SINGLE)


def CHECKERS() -> Iterator[Case]:  # noqa: N802 - a list that is made when asked for
    """All of them."""
    yield from _count()
    yield from _without_choice()
    yield from _strange()
    yield from _sizes()
    yield from _rounding()


def _count() -> Iterator[Case]:
    yield Case("count-two-errors", "Q01", "two errors, which all rules count", "errors-left-out", plays((0.0, 0.05, 0.2)))
    yield Case("count-right-play", "Q01", "a right play with a choice counts", "right-plays-left-out", turn())
    for text in SPREADS:
        spread = float(text)
        wrong = f"a play whose candidates differ by {text}"
        yield Case(f"count-spread-{text}", "Q01", wrong, "small-spreads-left-out", turn(costs=(0.0, spread / 2, spread)), (XG,))
    yield Case("count-two-candidates", "Q01", "a play with two candidates", "two-candidates-left-out", turn(costs=(0.0, 0.1)))
    yield Case(
        "count-one-candidate",
        "Q01",
        "a play of which one candidate is listed, among many legal ones",
        "right-plays-left-out",
        turn(costs=(0.0,)),
        (XG,),
    )
    marked = plays((0.0, 0.01, 0.2), irrelevant=True)
    yield Case("count-flag-error", "Q01", "an error of 0.01 that XG marks as irrelevant", "flag-ignored", marked, (XG,))
    yield Case("count-flag-right", "Q01", "a right play that XG marks as irrelevant", "flag-ignored", turn(irrelevant=True), (XG,))
    unmarked = turn(costs=(0.0, 0.0, 0.0), irrelevant=False)
    yield Case("count-flag-equal", "Q01", "equal candidates that XG does not mark as irrelevant", "flag-ignored", unmarked, (XG,))
    yield Case("count-doublet", "Q01", "a doublet is a play as any other", "doublets-left-out", turn(dice=(3, 3)))
    yield Case(
        "count-doublet-error", "Q01", "an error with a doublet", "doublets-left-out", turn(costs=(0.0, 0.06, 0.1), made=1, dice=(2, 2))
    )
    line = SyntheticGame().danced()
    yield Case(
        "count-from-the-bar", "Q01", "a choice of how to enter from the bar", "bar-plays-left-out", single(line.turn(dice=(5, 3)).turn())
    )
    yield Case("count-large-error", "Q01", "an error of 0.9 is a decision as any other", "large-errors-left-out", plays((0.0, 0.9, 1.0)))


def _without_choice() -> Iterator[Case]:
    danced = SyntheticGame().danced().turn(dice=(6, 6)).turn().match()
    yield Case("dance-not-counted", "Q01", "a roll that cannot be played is no decision", "dances-counted", danced)
    twice = SyntheticGame().danced().turn(dice=(6, 6)).turn().turn(dice=(6, 6)).turn().match()
    yield Case("dance-twice", "Q01", "two dances in a row are no decisions", "dances-counted", twice)
    lucky = SyntheticGame().danced().turn(dice=(6, 6), luck=-0.31).turn().match()
    yield Case("dance-luck", "Q01", "the bad luck of a dance is luck", "luck-without-dances", lucky)
    yield Case("forced-only", "Q01", "a forced play is no decision", "forced-counted", _one_way(1))
    yield Case("forced-two", "Q01", "two forced plays are no decisions", "forced-counted", _one_way(2))
    yield Case("forced-luck", "Q01", "the luck of a forced play is luck", "luck-without-forced", _one_way(1, luck=0.17))
    yield Case("forced-moves", "Q08", "a forced play is a move, but not an unforced one", "forced-are-unforced", _one_way(1))
    for number in (2, 4, 8):
        yield Case(
            f"equal-{number}",
            "Q01",
            f"a play whose {number} candidates are all equal",
            "equal-plays-exchanged",
            turn(costs=(0.0,) * number),
            (XG,),
        )
    every = opened().turn((0.0,) * 31, dice=(6, 5)).turn().match()
    yield Case("equal-all-listed", "Q01", "equal plays, all legal ones listed", "equal-plays-exchanged", every, (XG,))
    near = opened().turn((0.0, 0.0002, 0.0004, *(0.0,) * 28), dice=(6, 5)).turn().match()
    yield Case("equal-to-0.001", "Q01", "all legal plays listed, which differ by 0.0004", "equal-to-0.001-exchanged", near, (XG,))
    second = turn(costs=(0.0, 0.0, 0.1), made=1)
    yield Case("equal-second", "Q01", "the second of two equal best plays is right", "second-is-wrong", second)


def _one_way(times: int, **move: Any) -> WrittenMatch:
    """The studied player has two checkers on the bar, and a 41 enters both in the only way; then perhaps a third."""
    line = SyntheticGame().turn(ANCHOR, 2, dice=(6, 1), play=((13, 7), (24, 23)))
    line.turn(ANCHOR, 1, dice=(6, 6), play=((24, 18), (24, 18), (13, 7), (7, 1)))
    line.turn(dice=(4, 1), **move).turn()
    return line.turn(dice=(6, 6), **move).turn().match() if times > 1 else line.match()


def _strange() -> Iterator[Case]:
    yield Case(
        "first-roll",
        "Q01",
        "the first play of a game counts",
        "first-play-left-out",
        single(SyntheticGame().turn((0.0, 0.04, 0.2), 1).turn()),
    )
    yield Case(
        "first-error",
        "Q01",
        "an error in the first play of a game is charged",
        "first-play-left-out",
        single(SyntheticGame().turn((0.0, 0.3, 0.4), 1).turn()),
    )
    yield Case(
        "first-reply",
        "Q01",
        "the reply to the first play counts",
        "reply-left-out",
        single(SyntheticGame().turn(ANCHOR, 2).turn((0.0, 0.11, 0.2), 1)),
    )
    yield Case(
        "first-luck",
        "Q01",
        "the luck of the first roll is luck",
        "luck-without-first",
        single(SyntheticGame().turn(ANCHOR, 2, luck=0.12).turn().turn().turn()),
    )
    yield Case("first-last-play", "Q01", "the last play of a game counts", "last-play-left-out", single(opened().turn((0.0, 0.13, 0.2), 1)))
    for cost in ("0.07", "0.5"):
        wrong = opened().turn((0.0, 0.1, float(cost)), 2, dice=(4, 2), play=ILLEGAL, invalid=2).turn().match()
        yield Case(f"illegal-{cost}", "Q01", f"an illegal play that lost {cost}", "illegal-exchanged", wrong, (XG,))
    right = opened().turn((0.0, 0.1, 0.2), 0, dice=(4, 2), play=ILLEGAL, invalid=2).turn().match()
    yield Case("illegal-right", "Q01", "an illegal play that was the best of the list", "illegal-exchanged", right, (XG,))
    theirs = opened().turn().turn((0.0, 0.1, 0.2), 2, dice=(4, 2), play=ILLEGAL, invalid=2).match()
    yield Case("illegal-theirs", "Q01", "an illegal play of the other player", "illegal-exchanged", theirs, (XG,))
    only = single(opened().turn(was_played=False), ending=UNPLAYED)
    yield Case("unplayed-roll", "Q05", "a roll that was never played is no decision", "unplayed-counted", only, (XG,))
    lucky = single(opened().turn(was_played=False, luck=-0.4), ending=UNPLAYED)
    yield Case("unplayed-luck", "Q05", "the luck of a roll that was never played is none", "unplayed-counted", lucky, (XG,))
    moved = single(opened().turn().turn().turn(was_played=False), ending=UNPLAYED)
    yield Case("unplayed-moves", "Q08", "a roll that was never played is no move", "unplayed-is-a-move", moved, (XG,))
    theirs = single(opened().turn().turn(was_played=False, luck=0.25))
    yield Case("unplayed-theirs", "Q05", "the same of the other player", "unplayed-counted", theirs, (XG,))


def _sizes() -> Iterator[Case]:
    for cost in ("0.001", "0.004", "0.009", "0.018", "0.03", "0.06", "0.2", "1.4"):
        made = plays((0.0, float(cost), 1.9))
        yield Case(
            f"size-{cost}",
            "Q06",
            f"an error of {cost} is charged in full",
            "small-errors-forgiven" if float(cost) < 0.05 else "errors-rounded-to-1" if float(cost) < 0.1 else "large-errors-cut",
            made,
        )
    stored = turn(costs=(0.0, 0.05, 0.12), made=1, error=-0.03)
    yield Case("size-stored", "Q06", "a stored error of 0.03 where the candidates say 0.05", "stored-exchanged", stored, (XG,))
    higher = turn(costs=(0.0, 0.05, -0.04), made=1)
    yield Case(
        "size-highest", "Q06", "the first candidate is the best, though a later one shows a higher equity", "highest-is-best", higher
    )
    both = turn(costs=(0.0, 0.05, -0.04), made=1, error=-0.03)
    yield Case(
        "size-three",
        "Q06",
        "a stored error of 0.03, 0.05 below the first candidate, 0.09 below the highest",
        "stored-exchanged",
        both,
        (XG,),
    )
    yield Case(
        "size-worst",
        "Q06",
        "the worst of three candidates: the error is against the first",
        "error-against-second",
        plays((0.0, 0.05, 0.16), made=2),
    )
    yield Case(
        "size-second", "Q06", "the second candidate: the error is against the first", "error-against-second", plays((0.0, 0.05, 0.16))
    )
    yield Case(
        "sign-higher",
        "Q06",
        "the play made shows a higher equity than the first candidate",
        "negative-exchanged",
        turn(costs=(0.0, 0.05, -0.04), made=2),
        (XG,),
    )
    yield Case(
        "sign-both",
        "Q06",
        "an error, and a play that shows a higher equity than the first",
        "negative-exchanged",
        opened().turn((0.0, 0.2, 0.3), 1).turn().turn((0.0, 0.05, -0.04), 2).turn().match(),
        (XG,),
    )
    yield Case("sign-error", "Q06", "errors are added up as positive numbers", "errors-negative", plays((0.0, 0.06, 0.2)))
    theirs = opened().turn().turn((0.0, 0.09, 0.2), 1).match()
    yield Case("sign-theirs", "Q06", "an error of the other player is the other player's", "players-swapped", theirs)
    yield Case("sign-negative-level", "Q06", "an error in a lost position has the same sign", "errors-negative", _lost())


def _lost() -> WrittenMatch:
    """An error among candidates below zero."""
    return opened().turn((0.9, 1.02, 1.4), 1).turn().match()


def _rounding() -> Iterator[Case]:
    for text, code in (
        ("0.0204", "errors-rounded-to-3"),
        ("0.0206", "errors-truncated-to-3"),
        ("0.02004", "errors-rounded-to-4"),
        ("0.024", "errors-rounded-to-2"),
    ):
        made = plays(*((0.0, float(text), 0.1),) * ROUNDED)
        yield Case(f"round-{text}", "Q06", f"{ROUNDED} errors of {text}: added up, then rounded", code, made)
    made = plays(*((0.0, 0.0004, 0.1),) * ROUNDED)
    yield Case("round-0.0004", "Q06", f"{ROUNDED} errors of 0.0004, none of which is a thousandth", "errors-rounded-to-3", made)
    theirs = opened()
    for _ in range(ROUNDED):
        theirs.turn().turn((0.0, 0.0206, 0.1), 1)
    yield Case("round-theirs", "Q06", "the same of the other player", "errors-truncated-to-3", theirs.match())
    small = plays(*((0.0, 0.00008, PLAIN[-1]),) * ROUNDED)
    yield Case(
        "round-0.00008", "Q06", f"{ROUNDED} errors below the ten-thousandth that XG stores as none", "stored-exchanged", small, (XG,)
    )
