"""Which decision is which does not depend on the file that is named first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.errors import NotTheSameMatch
from reconcile.gap.pairing import Pairing, pair
from reconcile.match.match import Match
from tests.support.examples import examples
from tests.support.hand_made import cubes, match_of, plays

Roll = tuple[int, tuple[int, int]]
"""Seat and dice."""


def transcript(rolls: Sequence[Roll], players: tuple[str, str] = ("Ann", "Ben"), path: str = "") -> Match:
    """A game of these rolls, a no-double before each of them but the first."""
    seats, turns = [seat for seat, _ in rolls], list(range(1, len(rolls) + 1))
    made = plays(len(rolls), turn=turns, player=seats, dice=np.array([dice for _, dice in rolls]).reshape(-1, 2))
    asked = cubes(max(len(rolls) - 1, 0), turn=turns[1:], player=seats[1:])
    match = match_of(made, asked)
    return replace(match, players=players, source=replace(match.source, path=path))


def pairs_of(pairing: Pairing) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    plays, cubes = (list(zip(*(rows.tolist() for rows in two), strict=True)) for two in (pairing.plays, pairing.cubes))
    for found in (plays, cubes):
        for side in zip(*found, strict=True):
            assert len(set(side)) == len(side), "a decision has two partners"
    return set(plays), set(cubes)


def mirrored(left: Match, right: Match) -> bool:
    there, back = pair(left, right), pair(right, left)
    return pairs_of(there) == tuple({(b, a) for a, b in found} for found in pairs_of(back)) and there.seats == tuple(
        back.seats.index(seat) for seat in (0, 1)
    )


def test_roll_that_one_file_lacks_leaves_one_partner_for_every_cube() -> None:
    rolls: list[Roll] = [(number % 2, (1 + number % 6, 6)) for number in range(12)]
    for missing in range(12):
        assert mirrored(transcript(rolls), transcript(rolls[:missing] + rolls[missing + 1 :]))


@settings(max_examples=examples(80), deadline=None)
@given(st.data())
def test_files_that_lack_rolls_or_have_others_are_paired_alike_in_either_order(data: st.DataObject) -> None:
    dice = st.sampled_from([(1, 2), (3, 3), (1, 6)])
    rolls = [(number % 2, one) for number, one in enumerate(data.draw(st.lists(dice, min_size=4, max_size=16)))]
    sides: list[Any] = []
    for names in (("Ann", "Ben"), data.draw(st.sampled_from([("Ann", "Ben"), ("Ben", "Ann"), ("Cid", "Dan")]))):
        kept = [one for one in rolls if data.draw(st.integers(0, 5))]
        changed = [(seat, data.draw(dice)) if not data.draw(st.integers(0, 5)) else (seat, one) for seat, one in kept]
        if names == ("Ben", "Ann"):
            changed = [(1 - seat, one) for seat, one in changed]
        sides.append(transcript(changed, names, path=f"{len(sides)}"))
    try:
        assert mirrored(*sides)
    except NotTheSameMatch:
        return
