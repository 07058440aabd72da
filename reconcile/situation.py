"""The situation of a decision in a match, from which any tool's ID is made."""

from __future__ import annotations

from reconcile.identifiers import NO_DICE, Dice, Situation
from reconcile.match import Match
from reconcile.position import Counts

SECOND_PLAYER_ON_TOP = ("xg",)
"""Formats whose tool shows seat 1 at the top; the others show seat 0 there."""


def situation(
    match: Match, game: int, seat: int, position: Counts, *, cube: int, owner: int, dice: Dice = NO_DICE, double_offered: bool = False
) -> Situation:
    """What a player (`seat`, in game index `game`) has to decide on.

    `position` and `owner` (1 himself, 0 nobody, -1 the opponent) are in his view. Raises `ValueError` for what cannot be, as in a
    damaged game.
    """
    score = match.games.score[game].tolist()
    return Situation(
        position=position,
        dice=dice,
        cube=cube,
        owner=owner,
        length=match.length,
        score=(0, 0) if match.is_money else (score[seat], score[1 - seat]),
        crawford=not match.is_money and bool(match.games.crawford[game]),
        jacoby=match.is_money and match.rules.jacoby,
        beavers=match.is_money and match.rules.beavers,
        double_offered=double_offered,
        decider_is_top=seat == int(match.source.format in SECOND_PLAYER_ON_TOP),
    )
