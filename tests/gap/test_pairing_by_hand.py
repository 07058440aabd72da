"""Who is who and what is paired at the very border: a handful of rolls, made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reconcile.errors import NotTheSameMatch
from reconcile.gap.pairing import pair, seat_of
from reconcile.match.match import Match
from tests.support.hand_made import match_of, plays

Dice = tuple[int, int]


def rolled(*dice: Dice, players: tuple[str, str] = ("Ann", "Ben"), first: int = 0) -> Match:
    """A match of these rolls, the players in turn."""
    seats = [(number + first) % 2 for number in range(len(dice))]
    made = plays(len(dice), turn=list(range(1, len(dice) + 1)), player=seats, dice=np.array(dice).reshape(-1, 2))
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


def test_dice_decide_where_cut_names_mislead() -> None:
    rolls: list[Dice] = [(3, 1), (6, 5), (4, 2), (5, 1)]
    pairing = pair(rolled(*rolls), rolled(*rolls, players=("Annabel", "Benjamin"), first=1))
    assert (pairing.seats, pairing.matched_by, len(pairing.plays[0])) == ((1, 0), "transcript", 4)


def test_one_cut_name_alone_does_not_tell_who_is_who_though_the_dice_agree_with_it() -> None:
    rolls: list[Dice] = [(3, 1), (6, 5), (4, 2), (5, 1)]
    pairing = pair(rolled(*rolls), rolled(*rolls, players=("Cid", "Annabel"), first=1))
    assert (pairing.seats, pairing.matched_by) == ((1, 0), "transcript")


def test_players_without_telling_names_are_tried_in_both_orders() -> None:
    rolls: list[Dice] = [(3, 1), (6, 5), (4, 2), (5, 1)]
    pairing = pair(rolled(*rolls), rolled(*rolls, players=("X", "Y"), first=1))
    assert (pairing.seats, pairing.matched_by) == ((1, 0), "transcript")


@pytest.mark.parametrize(("asked", "seat"), [("Annabel", 0), ("ANNABEL", 0), ("ben_jamin", 1), ("ann", 0), ("b", 1)])
def test_player_is_found_by_a_name_however_it_is_written_or_by_its_beginning(asked: str, seat: int) -> None:
    assert seat_of(rolled((3, 1), players=("Annabel", "Ben Jamin")), asked) == seat
