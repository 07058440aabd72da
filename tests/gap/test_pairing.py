"""Who is who and which decision is which in two files of one match, whatever the files do to names,
seats, rolls and games, and whichever is named first."""

from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.errors import NotTheSameMatch, UnknownName
from reconcile.files.bundled import bundled
from reconcile.formats import load_match, read_match
from reconcile.gap.comparison import compare
from reconcile.gap.pairing import pair, seat_of
from reconcile.match.board.play import carried_out, play_text
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.match.names import fold
from tests.support.bridged_pairs import real_pairs
from tests.support.data import label, skipped_if_empty
from tests.support.examples import examples
from tests.support.hand_made import cubes, match_of, plays
from tests.support.hand_made_levels import turned
from tests.support.loaded import DEMONSTRATION
from tests.support.long import long_but_first
from tests.support.tables import cases_of

PACK = bundled("reference_matches")
SEVEN = PACK / "gnubg-7pt-0ply" / "alice-bob-7pt-0ply.sgf"
Dice = tuple[int, int]
Roll = tuple[int, Dice]
"""Seat and dice."""


@cache
def seven():
    return load_match(SEVEN)


ANN_BEN = ("Ann", "Ben")


def transcript(rolls, players=ANN_BEN, path=""):
    """A game of these rolls, a no-double before each of them but the first."""
    seats, turns = [seat for seat, _ in rolls], list(range(1, len(rolls) + 1))
    dice = np.array([dice for _, dice in rolls]).reshape(-1, 2)
    asked = cubes(max(len(rolls) - 1, 0), turn=turns[1:], player=seats[1:])
    match = match_of(plays(len(rolls), turn=turns, player=seats, dice=dice), asked)
    return replace(match, players=players, source=replace(match.source, path=path))


def rolled(*dice, players=ANN_BEN, first=0):
    """A game of these rolls, the players in turn."""
    return transcript([((number + first) % 2, roll) for number, roll in enumerate(dice)], players)


def assert_all_paired(pairing, left, right):
    sizes = [(len(match.plays), len(match.cubes)) for match in (left, right)]
    assert [(len(pairing.plays[0]), len(pairing.cubes[0]))] * 2 == sizes
    assert pairing.differences == ()


# -- players ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "other", "same"),
    cases_of(__file__, "names_are_compared_without_what_exporters_change"),
)
def test_names_are_compared_without_what_exporters_change(name, other, same):
    assert (fold(name) == fold(other)) is same


ROLLS = ((3, 1), (6, 5), (4, 2), (5, 1))


@pytest.mark.parametrize(
    ("left", "right", "how"),
    cases_of(__file__, "players_are_found_by_name_and_else_by_their_rolls"),
)
def test_players_are_found_by_name_and_else_by_their_rolls(left, right, how):
    pairing = pair(rolled(*ROLLS, players=left), rolled(*ROLLS, players=right))
    assert (pairing.seats, pairing.matched_by) == ((0, 1), how)
    turned = pair(rolled(*ROLLS, players=left), rolled(*ROLLS, players=right[::-1], first=1))
    assert (turned.seats, turned.matched_by, len(turned.plays[0])) == ((1, 0), how, 4)


@pytest.mark.parametrize("names", [("Annabel", "Benjamin"), ("Cid", "Annabel"), ("X", "Y")])
def test_dice_decide_where_cut_names_mislead_and_aliases_name_a_player(
    names,
):
    other = rolled(*ROLLS, players=names, first=1)
    aliases = [[*both] for both in zip(ANN_BEN, names[::-1], strict=True)]
    for names_known, by in ((), "transcript"), (aliases, "name"):
        pairing = pair(rolled(*ROLLS), other, names_known)
        assert (pairing.seats, pairing.matched_by, len(pairing.plays[0])) == ((1, 0), by, 4)


def test_swapped_seats_pair_every_decision_and_change_no_figure():
    other = turned(seven())
    pairing = pair(seven(), other)
    assert (pairing.seats, pairing.matched_by) == ((1, 0), "name")
    assert_all_paired(pairing, seven(), other)
    result = compare(seven(), other)
    # The chance of the other player is 1 minus a float32, so sums may differ in their last places.
    gaps = [figure.gap or 0.0 for figure in result.figures]
    assert gaps == pytest.approx([0.0] * len(gaps), abs=1e-4)
    assert "players-swapped" in {finding.code for finding in result.findings}


@pytest.mark.parametrize(
    ("players", "asked", "seat"),
    cases_of(__file__, "player_is_found_by_any_part_of_a_name_that_only_one_has"),
)
def test_player_is_found_by_any_part_of_a_name_that_only_one_has(players, asked, seat):
    match = rolled((3, 1), players=players)
    if isinstance(seat, int):
        assert seat_of(match, asked) == seat
        return
    there = f"there are '{players[0]}' and '{players[1]}'"
    with pytest.raises(UnknownName, match=f"{seat}; {there}"):
        seat_of(match, asked)


# -- another match ---------------------------------------------------------------------------------


def test_other_matches_are_refused_with_both_files(data):
    (path,) = (PACK / "gnubg-3pt-2ply").glob("*.sgf")
    with pytest.raises(NotTheSameMatch, match=f"(?s){SEVEN.name}.*{path.name}"):
        pair(seven(), load_match(path))
    rolls = replace(load_match(f"{DEMONSTRATION}.sgf"), players=seven().players)
    money = replace(seven(), length=None)
    for match, why in ((rolls, r"only \d+% of the rolls agree"), (money, "money session")):
        with pytest.raises(NotTheSameMatch, match=why):
            pair(seven(), match)
    # The header gives each player the other's moves: by name hardly a roll agrees.
    with pytest.raises(NotTheSameMatch):
        pair(load_match(data / "real/test.xg"), load_match(data / "damaged/swapped_players.sgf"))


def test_files_that_share_half_of_their_rolls_are_one_match_and_with_less_they_are_not():
    def paired(common, first=0):
        left, right = (
            rolled(*[(3, 1)] * common, *[(die, die)] * (20 - common), first=(die - 1) * first)
            for die in (1, 2)
        )
        return pair(left, right)

    assert len(paired(10).plays[0]) == 10
    for common, first, why in ((9, 0, "only 45%"), (10, 1, "names seem exchanged"), (9, 1, "only")):
        with pytest.raises(NotTheSameMatch, match=why):
            paired(common, first)
    with pytest.raises(NotTheSameMatch, match="only 0% of the rolls agree"):
        pair(rolled((3, 1)), rolled())
    assert len(pair(rolled(), rolled()).plays[0]) == 0


# -- what differs ----------------------------------------------------------------------------------


def place_of(match, table, row):
    """The number of the game and the turn of a row."""
    return match.games.number[table.game[row]], table.turn[row]


def test_changed_roll_is_the_first_difference_and_pairing_resumes():
    row, table = len(seven().plays) // 2, seven().plays
    dice = table.dice.copy()
    dice[row] = (1, 1) if tuple(dice[row]) != (1, 1) else (2, 2)
    pairing = pair(seven(), replace(seven(), plays=table.replaced(dice=dice)))
    (difference,) = pairing.differences
    assert (difference["game"], difference["turn"]) == place_of(seven(), table, row)
    assert "11" in difference["right"]
    rest = [other for other in range(len(table)) if other != row]
    assert pairing.plays[0].tolist() == pairing.plays[1].tolist() == rest


def test_changed_cube_action_is_a_difference():
    (path,) = (PACK / "gnubg-11pt-cube-rich").glob("*.sgf")
    match = load_match(path)
    row = int(np.flatnonzero(match.cubes.kind == Kind.DOUBLE)[0])
    kinds = match.cubes.kind.copy()
    kinds[row] = Kind.NO_DOUBLE
    (difference,) = pair(match, replace(match, cubes=match.cubes.replaced(kind=kinds))).differences
    assert (difference["game"], difference["turn"]) == place_of(match, match.cubes, row)
    assert ("double" in difference["left"], "double" in difference["right"]) == (True, False)


def written_otherwise(position, play):
    """The play in other words, two of its steps as one, that leads to the same position; or as it
    is."""
    for steps in permutations(play):
        (start, between), (onward, end), *rest = (*steps, (0, 0), (1, 1))[: max(len(steps), 2)]
        other = ((start, end), *rest)
        same = between == onward and carried_out(position, other) == carried_out(position, play)
        if same and play_text(position, other) != play_text(position, play):
            return other
    return play


def test_play_written_otherwise_and_dice_in_another_order_are_no_difference():
    table = seven().plays
    positions = map(tuple, table.position.tolist())
    written: Any = list(map(written_otherwise, positions, table.play))
    # as 24/18 13/1 13/7 and 24/18 13/7 13/1
    assert sum(here != there for here, there in zip(table.play, written, strict=True)) > 1
    other = replace(seven(), plays=table.replaced(play=written, dice=table.dice[:, ::-1]))
    for left, right in ((seven(), other), (other, seven())):
        assert_all_paired(pair(left, right), left, right)


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_missing_game_is_a_difference_and_the_others_pair(lost):
    start, *games = SEVEN.read_text("utf-8").split("(;FF[4]")
    del games[lost]
    other = read_match("lost.sgf", "(;FF[4]".join([start, *games]).encode())
    pairing = pair(seven(), other)
    (difference,) = pairing.differences
    assert (difference["game"], difference["turn"], difference["what"]) == (
        lost + 1,
        0,
        "game only left",
    )
    assert (len(pairing.plays[0]), len(pairing.cubes[0])) == (len(other.plays), len(other.cubes))
    (back,) = pair(other, seven()).differences
    assert (back["game"], back["what"], back["left"]) == (
        lost + 1,
        "game only right",
        "no such game",
    )


REAL = [pytest.param(*both, id=label(both[0])) for both in real_pairs()[1:]]


@pytest.mark.parametrize(("left", "right"), skipped_if_empty(long_but_first(REAL, 4), 2))
def test_real_pairs_pair_all_but_what_was_not_played_with_the_same_dice_position_and_player(
    left, right
):
    here, there = load_match(left), load_match(right)
    pairing = pair(here, there)
    assert pairing.differences == ()
    for match, rows in ((here, pairing.plays[0]), (there, pairing.plays[1])):
        missing = np.setdiff1d(np.arange(len(match.plays)), rows)
        assert set(match.plays.validity[missing].tolist()) <= {int(Validity.UNPLAYED)}
    # A cube action without a partner is one before a roll that was not played.
    unplayed = here.plays.validity == Validity.UNPLAYED
    turns = set(zip(here.plays.game[unplayed], here.plays.turn[unplayed], strict=True))
    lonely = np.setdiff1d(np.arange(len(here.cubes)), pairing.cubes[0])
    assert set(zip(here.cubes.game[lonely], here.cubes.turn[lonely], strict=True)) <= turns
    for table, names in (("plays", ("dice", "position")), ("cubes", ("kind", "position"))):
        (rows, others), mine, theirs = (getattr(each, table) for each in (pairing, here, there))
        for name in names:
            columns = getattr(mine, name)[rows], getattr(theirs, name)[others]
            if name == "dice":
                columns = np.sort(columns[0]), np.sort(columns[1])
            np.testing.assert_array_equal(*columns)
        assert (np.array(pairing.seats)[mine.player[rows]] == theirs.player[others]).all()


# -- whichever file is named first -----------------------------------------------------------------


def pairs_of(pairing):
    """Rows of plays and of cubes that are paired; each has one partner."""
    for side in (*pairing.plays, *pairing.cubes):
        assert len(set(side.tolist())) == len(side)
    return [set(zip(*rows, strict=True)) for rows in (pairing.plays, pairing.cubes)]


def assert_mirrored(left, right):
    there, back = pair(left, right), pair(right, left)
    assert pairs_of(there) == [{(b, a) for a, b in pairs} for pairs in pairs_of(back)]
    assert there.seats == tuple(back.seats.index(seat) for seat in (0, 1))
    return there


def test_roll_that_one_file_lacks_leaves_one_partner_for_every_other_decision():
    rolls = [(number % 2, (1 + number % 6, 1 + number // 6)) for number in range(12)]
    for missing in range(12):
        part = rolls[:missing] + rolls[missing + 1 :]
        assert len(assert_mirrored(transcript(rolls), transcript(part)).plays[0]) == 11


@settings(max_examples=examples(80), deadline=None)
@given(st.data())
def test_files_that_lack_rolls_or_have_others_are_paired_alike_in_either_order(
    data,
):
    dice = st.sampled_from([(1, 2), (3, 3), (1, 6)])
    rolls = data.draw(st.lists(dice, min_size=4, max_size=16))
    names = data.draw(st.sampled_from([ANN_BEN, ("Ben", "Ann"), ("Cid", "Dan")]))
    sides: list[Match] = []
    for players in (ANN_BEN, names):
        turned = players == ("Ben", "Ann")
        side: list[Roll] = []
        for number, roll in enumerate(rolls):
            if data.draw(st.integers(0, 5)):
                other = data.draw(dice) if not data.draw(st.integers(0, 5)) else roll
                side.append(((number + turned) % 2, other))
        sides.append(transcript(side, players, path=f"{len(sides)}"))
    with suppress(NotTheSameMatch):
        assert_mirrored(sides[0], sides[1])
