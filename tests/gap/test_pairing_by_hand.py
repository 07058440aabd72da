"""Who is who and what is paired at the very border, whichever file is named first: a handful of rolls, made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.errors import NotTheSameMatch, UnknownName
from reconcile.gap.pairing import Pairing, pair, seat_of
from reconcile.match.match import Match
from tests.support.examples import examples
from tests.support.hand_made import cubes, match_of, plays

Dice = tuple[int, int]


def rolled(*dice: Dice, players: tuple[str, str] = ("Ann", "Ben"), first: int = 0) -> Match:
    """A match of these rolls, the players in turn."""
    seats = [(number + first) % 2 for number in range(len(dice))]
    made = plays(
        len(dice),
        turn=list(range(1, len(dice) + 1)),
        player=seats,
        dice=np.array(dice).reshape(-1, 2),
    )
    return replace(match_of(made), players=players)


def test_files_that_share_half_of_their_rolls_are_one_match_and_with_less_they_are_not() -> None:
    common: list[Dice] = [(3, 1)] * 9
    half = [rolled(*common, (4, 2), *[dice] * 10) for dice in ((1, 1), (2, 2))]
    assert len(pair(half[0], half[1]).plays[0]) == 10
    less = [rolled(*common, *[dice] * 11) for dice in ((1, 1), (2, 2))]
    with pytest.raises(NotTheSameMatch, match="only 45% of the rolls agree"):
        pair(less[0], less[1])


def test_file_without_a_roll_is_no_match_with_one_and_one_with_another_that_has_none() -> None:
    some, none = rolled((3, 1)), rolled()
    with pytest.raises(NotTheSameMatch, match="only 0% of the rolls agree"):
        pair(some, none)
    assert len(pair(none, none).plays[0]) == 0


def test_dice_are_the_same_in_either_order() -> None:
    pairing = pair(rolled((3, 1), (6, 5), (4, 2)), rolled((1, 3), (6, 5), (2, 4)))
    assert pairing.plays[0].tolist() == pairing.plays[1].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("names", "how"),
    [
        (("Annabel", "Benjamin"), "prefix"),
        (("An", "Ben"), "transcript"),  # two letters are too few
        (("Annabel", "Cid"), "transcript"),  # one name alone tells nothing of the other
        (("Cid", "Annabel"), "transcript"),
    ],
)
def test_names_cut_to_three_letters_still_tell_who_is_who(names: tuple[str, str], how: str) -> None:
    rolls: list[Dice] = [(3, 1), (6, 5), (4, 2)]
    pairing = pair(rolled(*rolls), rolled(*rolls, players=names))
    assert (pairing.seats, pairing.matched_by) == ((0, 1), how)


@pytest.mark.parametrize("names", [("Annabel", "Benjamin"), ("Cid", "Annabel"), ("X", "Y")])
def test_dice_decide_where_cut_names_mislead_or_tell_nothing(names: tuple[str, str]) -> None:
    rolls: list[Dice] = [(3, 1), (6, 5), (4, 2), (5, 1)]
    pairing = pair(rolled(*rolls), rolled(*rolls, players=names, first=1))
    assert (pairing.seats, pairing.matched_by, len(pairing.plays[0])) == ((1, 0), "transcript", 4)


@pytest.mark.parametrize(
    ("asked", "seat"),
    [
        ("Annabél", 0),
        ("ANNABEL", 0),
        ("ben_jamin", 1),
        ("ann", 0),
        ("jam", 1),
        ("N J", 1),
        ("bel", 0),
    ],
)
def test_player_is_found_by_any_part_of_a_name_that_only_one_has_however_it_is_written(
    asked: str, seat: int
) -> None:
    assert seat_of(rolled((3, 1), players=("Annabel", "Bén Jamin")), asked) == seat


@pytest.mark.parametrize(
    ("players", "asked", "said"),
    [
        (("Annabel", "Ben Jamin"), "b", "more than one player 'b'"),
        (("Annabel", "Ben Jamin"), "x", "no player 'x'"),
        (("Annabel", "Ben Jamin"), "", "no player ''"),
        (("Maxence Job", "Jobert"), "job", "more than one player 'job'"),
    ],
)
def test_part_that_both_players_have_or_none_is_refused(
    players: tuple[str, str], asked: str, said: str
) -> None:
    with pytest.raises(UnknownName, match=f"{said}; there are '{players[0]}' and '{players[1]}'"):
        seat_of(rolled((3, 1), players=players), asked)


def test_name_of_one_player_may_be_a_part_of_the_other_s() -> None:
    assert seat_of(rolled((3, 1), players=("Maxence Job", "Job")), "job") == 1


# -- whichever file is named first -------------------------------------------------------------------------------------


Roll = tuple[int, tuple[int, int]]
"""Seat and dice."""


def transcript(
    rolls: Sequence[Roll], players: tuple[str, str] = ("Ann", "Ben"), path: str = ""
) -> Match:
    """A game of these rolls, a no-double before each of them but the first."""
    seats, turns = [seat for seat, _ in rolls], list(range(1, len(rolls) + 1))
    made = plays(
        len(rolls),
        turn=turns,
        player=seats,
        dice=np.array([dice for _, dice in rolls]).reshape(-1, 2),
    )
    asked = cubes(max(len(rolls) - 1, 0), turn=turns[1:], player=seats[1:])
    match = match_of(made, asked)
    return replace(match, players=players, source=replace(match.source, path=path))


def pairs_of(pairing: Pairing) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    plays, cubes = (
        list(zip(*(rows.tolist() for rows in two), strict=True))
        for two in (pairing.plays, pairing.cubes)
    )
    for found in (plays, cubes):
        for side in zip(*found, strict=True):
            assert len(set(side)) == len(side), "a decision has two partners"
    return set(plays), set(cubes)


def mirrored(left: Match, right: Match) -> bool:
    there, back = pair(left, right), pair(right, left)
    return pairs_of(there) == tuple(
        {(b, a) for a, b in found} for found in pairs_of(back)
    ) and there.seats == tuple(back.seats.index(seat) for seat in (0, 1))


def test_roll_that_one_file_lacks_leaves_one_partner_for_every_cube() -> None:
    rolls: list[Roll] = [(number % 2, (1 + number % 6, 6)) for number in range(12)]
    for missing in range(12):
        assert mirrored(transcript(rolls), transcript(rolls[:missing] + rolls[missing + 1 :]))


@settings(max_examples=examples(80), deadline=None)
@given(st.data())
def test_files_that_lack_rolls_or_have_others_are_paired_alike_in_either_order(
    data: st.DataObject,
) -> None:
    dice = st.sampled_from([(1, 2), (3, 3), (1, 6)])
    rolls = [
        (number % 2, one)
        for number, one in enumerate(data.draw(st.lists(dice, min_size=4, max_size=16)))
    ]
    sides: list[Any] = []
    for names in (
        ("Ann", "Ben"),
        data.draw(st.sampled_from([("Ann", "Ben"), ("Ben", "Ann"), ("Cid", "Dan")])),
    ):
        kept = [one for one in rolls if data.draw(st.integers(0, 5))]
        changed = [
            (seat, data.draw(dice)) if not data.draw(st.integers(0, 5)) else (seat, one)
            for seat, one in kept
        ]
        if names == ("Ben", "Ann"):
            changed = [(1 - seat, one) for seat, one in changed]
        sides.append(transcript(changed, names, path=f"{len(sides)}"))
    try:
        assert mirrored(*sides)
    except NotTheSameMatch:
        return
