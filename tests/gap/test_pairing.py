"""Who is who and which decision is which in two files of one match, whatever the files do to names, seats and games."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.errors import NotTheSameMatch
from reconcile.files.bundled import bundled
from reconcile.files.names import fold
from reconcile.formats import load_match, read_match
from reconcile.gap.comparison import compare
from reconcile.gap.pairing import Pairing, pair
from reconcile.match.board.play import Play, carried_out, play_text
from reconcile.match.columns import Columns, Kind, Plays, Validity
from reconcile.match.match import Match
from tests.support.data import matching, skipped_if_empty
from tests.support.loaded import DEMONSTRATION
from tests.support.long import long_but_first

PACK = bundled("reference_matches")
SEVEN = PACK / "gnubg-7pt-0ply" / "alice-bob-7pt-0ply.sgf"


@cache
def seven() -> Match:
    return load_match(SEVEN)


def named(first: str, second: str) -> Match:
    return replace(seven(), players=(first, second))


def changed(table: Any, **columns: Callable[[Any], Any]) -> Any:
    """A table with some of its columns made anew from the old."""
    old: type[Columns] = type(table)
    kept = {name: getattr(table, name) for name in old.names() if name != "play" or old is Plays}
    return old(
        len(table), kept | {name: make(np.array(kept[name])) for name, make in columns.items()}
    )


def seats_swapped(match: Match) -> Match:
    """The same match with its players the other way round."""
    return replace(
        match,
        players=(match.players[1], match.players[0]),
        games=changed(
            match.games,
            score=lambda score: score[:, ::-1],
            winner=lambda seat: np.where(seat < 0, seat, 1 - seat),
        ),
        plays=changed(match.plays, player=lambda seat: 1 - seat),
        cubes=changed(match.cubes, player=lambda seat: 1 - seat),
        resignations=changed(match.resignations, player=lambda seat: 1 - seat),
    )


def assert_all_paired(pairing: Pairing, left: Match, right: Match) -> None:
    assert (
        (len(pairing.plays[0]), len(pairing.cubes[0]))
        == (len(left.plays), len(left.cubes))
        == (len(right.plays), len(right.cubes))
    )
    assert pairing.differences == ()


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Kévin Unger", "kevin unger"),
        ("Kévin Unger", "Kévin_Unger"),
        ("Kévin Unger", "  KÉVIN   UNGER "),
        ("Kévin", "Ke\u0301vin"),
        ("Jørgensen", "jorgensen"),
        ("Großmann", "GROSSMANN"),
        ("Łukasz", "lukasz"),
        ("Ｎｏｒａ", "nora"),
        ("ﬁn", "fin"),
    ],
)
def test_names_are_compared_without_what_exporters_change(one: str, two: str) -> None:
    assert fold(one) == fold(two)


@pytest.mark.parametrize(
    ("one", "two"), [("Nora", "Norma"), ("A1", "A2"), ("山田", "田中"), ("Ann", "")]
)
def test_different_names_stay_different(one: str, two: str) -> None:
    assert fold(one) != fold(two)


@pytest.mark.parametrize(
    ("left", "right", "seats", "how"),
    [
        (("Nora", "Tomas"), ("NORA", "tomas"), (0, 1), "name"),
        (("Nora", "Tomas"), ("Nora", "Tomas"), (0, 1), "name"),
        (("Kévin Unger", "Maxence Job"), ("Kévin_Unger", "Maxence_Job"), (0, 1), "name"),
        (
            ("Kévin UNGER Nicolas HARMAND", "FRIEBE JACOBI"),
            ("Kévin_UNGER_Nicola", "FRIEBE_JACOBI"),
            (0, 1),
            "prefix",
        ),
        (("Nora Lindqvist", "Tomas"), ("Nora", "Tomas Beck"), (0, 1), "prefix"),
    ],
)
def test_players_are_found_by_name(
    left: tuple[str, str], right: tuple[str, str], seats: tuple[int, int], how: str
) -> None:
    pairing = pair(named(*left), named(*right))
    assert (pairing.seats, pairing.matched_by) == (seats, how)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (("Nora", "Tomas"), ("Player 1", "Player 2")),
        (("Player", "Player"), ("Player", "Player")),
        (("Al", "Bo"), ("Alan", "Bob")),  # too short for a prefix
        (("Anna Bell", "Anna Berg"), ("Anna B", "Anna B")),  # either could be either
    ],
)
def test_players_without_telling_names_are_found_by_their_rolls(
    left: tuple[str, str], right: tuple[str, str]
) -> None:
    assert (
        pair(named(*left), named(*right)).seats,
        pair(named(*left), named(*right)).matched_by,
    ) == ((0, 1), "transcript")
    swapped = pair(named(*left), seats_swapped(named(*right)))
    assert (swapped.seats, swapped.matched_by) == ((1, 0), "transcript")


def test_swapped_seats_pair_every_decision_and_change_no_figure() -> None:
    other = seats_swapped(seven())
    pairing = pair(seven(), other)
    assert (pairing.seats, pairing.matched_by) == ((1, 0), "name")
    assert_all_paired(pairing, seven(), other)
    for rows, table in ((pairing.plays, "plays"), (pairing.cubes, "cubes")):
        left, right = getattr(seven(), table), getattr(other, table)
        assert (left.player[rows[0]] == 1 - right.player[rows[1]]).all()
    result = compare(seven(), other)
    # The chance of the other player is 1 minus a float32, so sums may differ in their last places.
    assert [figure.gap or 0.0 for figure in result.figures] == pytest.approx(
        [0.0] * len(result.figures), abs=1e-4
    )
    assert "players-swapped" in {finding.code for finding in result.findings}


def test_aliases_name_a_player() -> None:
    other = seats_swapped(named("jellyfish", "X22"))
    assert (
        pair(named("Nora", "Tomas"), other, [["Nora", "Jellyfish"], ["Tomas", "x22"]]).matched_by
        == "name"
    )


@pytest.mark.parametrize("other", ["gnubg-3pt-2ply", "gnubg-11pt-cube-rich", "demonstration"])
def test_different_matches_are_refused(other: str) -> None:
    (path,) = (PACK / other).glob("*.sgf")
    with pytest.raises(NotTheSameMatch) as caught:
        pair(seven(), load_match(path))
    assert SEVEN.name in str(caught.value)
    assert path.name in str(caught.value)


def test_other_rolls_of_the_same_players_and_a_money_session_are_other_matches() -> None:
    other = replace(load_match(f"{DEMONSTRATION}.sgf"), players=seven().players)
    for match, why in (
        (other, r"only \d+% of the rolls agree"),
        (replace(seven(), length=None), "money session"),
    ):
        with pytest.raises(NotTheSameMatch, match=why):
            pair(seven(), match)


def test_changed_roll_is_the_first_difference_and_pairing_resumes() -> None:
    row = len(seven().plays) // 2
    game, turn = int(seven().plays.game[row]), int(seven().plays.turn[row])

    def other_roll(dice: Any) -> Any:
        dice[row] = (1, 1) if tuple(dice[row]) != (1, 1) else (2, 2)
        return dice

    other = replace(seven(), plays=changed(seven().plays, dice=other_roll))
    pairing = pair(seven(), other)
    first = pairing.differences[0]
    assert (first.game, first.turn) == (seven().games.number[game], turn)
    assert (
        pairing.plays[0].tolist()
        == pairing.plays[1].tolist()
        == [each for each in range(len(other.plays)) if each != row]
    )
    assert len(pairing.differences) == 1
    assert "11" in first.right


def test_changed_cube_action_is_a_difference() -> None:
    (path,) = (PACK / "gnubg-11pt-cube-rich").glob("*.sgf")
    match = load_match(path)
    row = int(np.flatnonzero(match.cubes.kind == Kind.DOUBLE)[0])

    def not_doubled(kinds: Any) -> Any:
        kinds[row] = Kind.NO_DOUBLE
        return kinds

    other = replace(match, cubes=changed(match.cubes, kind=not_doubled))
    (difference,) = pair(match, other).differences
    assert (difference.game, difference.turn) == (
        match.games.number[match.cubes.game[row]],
        match.cubes.turn[row],
    )
    assert "double" in difference.left
    assert "double" not in difference.right


def written_otherwise(position: tuple[int, ...], play: Play) -> Play:
    """The play with other steps and in other words, two of its steps as one, that leads to the same position; or as it is."""
    for steps in permutations(play):
        (start, between), (onward, end), *rest = (*steps, (0, 0), (1, 1))[: max(len(steps), 2)]
        other = ((start, end), *rest)
        same = between == onward and carried_out(position, other) == carried_out(position, play)
        if same and play_text(position, other) != play_text(position, play):
            return other
    return play


def test_play_written_otherwise_that_leads_to_the_same_position_is_no_difference() -> None:
    plays = seven().plays
    positions = [tuple(position) for position in plays.position.tolist()]
    written: Any = [
        written_otherwise(position, play)
        for position, play in zip(positions, plays.play, strict=True)
    ]
    assert (
        sum(one != two for one, two in zip(plays.play, written, strict=True)) > 1
    )  # as 24/18 13/1 13/7 and 24/18 13/7 13/1
    other = replace(seven(), plays=plays.replaced(play=written))
    for left, right in ((seven(), other), (other, seven())):
        assert_all_paired(pair(left, right), left, right)


def games_of(text: str) -> list[str]:
    """The games of a collection that gnuBG wrote."""
    return ["(;FF[4]" + game for game in text.split("(;FF[4]")[1:]]


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_missing_game_is_told_and_the_others_pair(lost: int) -> None:
    games = games_of(SEVEN.read_text("utf-8"))
    assert len(games) == 3
    other = read_match(
        "lost.sgf", "".join(game for index, game in enumerate(games) if index != lost).encode()
    )
    pairing = pair(seven(), other)
    (difference,) = pairing.differences
    assert (difference.game, difference.turn, difference.what) == (lost + 1, 0, "game only left")
    assert (len(pairing.plays[0]), len(pairing.cubes[0])) == (len(other.plays), len(other.cubes))
    assert lost not in seven().plays.game[pairing.plays[0]]
    (back,) = pair(other, seven()).differences
    assert (back.game, back.what, back.left) == (lost + 1, "game only right", "no such game")


def test_roll_only_one_side_has_leaves_the_rest_paired() -> None:
    text = SEVEN.read_text("utf-8")
    nodes = list(re.finditer(r"\n;[BW]\[[1-6]{2}[a-y]*\]", text))
    cut = nodes[40]
    following = nodes[41]
    other = read_match("cut.sgf", (text[: cut.start()] + text[following.start() :]).encode())
    pairing = pair(seven(), other)
    assert pairing.differences
    assert len(pairing.plays[0]) >= len(seven().plays) - 2


def real_pairs(*suffixes: str) -> list[Any]:
    found = [
        (path, path.with_name(path.stem + suffix))
        for path in matching("real/*.xg")
        for suffix in suffixes
    ]
    return skipped_if_empty(
        long_but_first(
            [pytest.param(one, two, id=two.name[:24]) for one, two in found if two.exists()], 4
        ),
        2,
    )


@pytest.mark.parametrize(("left", "right"), real_pairs("_2ply.sgf", "_0ply.sgf", ".sgf", ".mat"))
def test_real_pairs_pair_all_but_what_was_not_played_with_the_same_dice_position_and_player(
    left: Path, right: Path
) -> None:
    one, two = load_match(left), load_match(right)
    pairing = pair(one, two)
    assert pairing.differences == ()
    for match, rows in ((one, pairing.plays[0]), (two, pairing.plays[1])):
        missing = np.setdiff1d(np.arange(len(match.plays)), rows)
        assert set(match.plays.validity[missing].tolist()) <= {int(Validity.UNPLAYED)}
    # A cube action without a partner is one before a roll that was not played.
    unplayed = {
        (int(one.plays.game[row]), int(one.plays.turn[row]))
        for row in np.flatnonzero(one.plays.validity == Validity.UNPLAYED)
    }
    lonely = np.setdiff1d(np.arange(len(one.cubes)), pairing.cubes[0])
    assert {(int(one.cubes.game[row]), int(one.cubes.turn[row])) for row in lonely} <= unplayed
    here, there = pairing.plays
    assert (np.sort(one.plays.dice[here], axis=1) == np.sort(two.plays.dice[there], axis=1)).all()
    assert (one.plays.position[here] == two.plays.position[there]).all()
    assert (np.array(pairing.seats)[one.plays.player[here]] == two.plays.player[there]).all()
    here, there = pairing.cubes
    assert (one.cubes.kind[here] == two.cubes.kind[there]).all()
    assert (one.cubes.position[here] == two.cubes.position[there]).all()


def test_file_whose_names_are_exchanged_is_another_match_and_a_game_missing_from_a_real_file_is_told(
    data: Path,
) -> None:
    # The header of the first gives each player the other's moves: by name hardly a roll agrees.
    whole, swapped, part = (
        load_match(data / name)
        for name in ("real/test.xg", "damaged/swapped_players.sgf", "damaged/one_game_missing.sgf")
    )
    with pytest.raises(NotTheSameMatch):
        pair(whole, swapped)
    assert any(difference.what == "game only left" for difference in pair(whole, part).differences)
