"""Transcripts as sites, hand-written tools and damaged files have them: read as far as they go, and
what is odd is a finding."""

from __future__ import annotations

import pytest

from reconcile.formats import read_match
from reconcile.formats.mat.writer import transcript
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from tests.support.small_transcripts import cube_rows, read

HEAD = "5 point match\n\n Game 1\n Ann : 0                        Ben : 0\n"
OPENING = "  1) 31: 8/5 6/5                 64: 24/14\n"
ANN, BEN = 0, 1


def game(*lines: str, head: str = HEAD) -> Match:
    return read(head + OPENING + "".join(f"{line}\n" for line in lines))


def found(match: Match) -> list[tuple[str, str]]:
    return [(note.code, note.evidence) for note in match.notes]


def result(match: Match) -> tuple[int, int, bool]:
    games = match.games
    return int(games.winner[-1]), int(games.points[-1]), bool(games.resigned[-1])


LEFT, RIGHT = "  2) 61: 13/7 8/7                {}", "  2) {}                        {}"


@pytest.mark.parametrize("word", ["Concedes", "concede", "Resigns", "Resigned", "RESIGNS"])
@pytest.mark.parametrize(
    ("lines", "winner", "rolls"),
    [
        (("  2) {}                       Wins 1 point",), BEN, 2),
        (("  2) {}", "                                 Wins 1 point"), BEN, 2),
        (("  2) 61: 13/7 8/7                {}", "  3) Wins 1 point"), ANN, 3),
        (("  2) 61: 13/7 8/7              {}", "      Wins 1 point"), ANN, 3),
        (("  2) 61: {}                   Wins 1 point",), BEN, 3),
        (("  2) 61: 13/7 8/7 {}          Wins 1 point",), BEN, 3),
        (("  2) 61: 13/7 8/7              42: {}", "      Wins 1 point"), ANN, 4),
        (("  2) 61: 13/7 8/7              42: 8/4 6/4 {}", "      Wins 1 point"), ANN, 4),
        (("  2)  Doubles => 2              {}", "      Wins 1 point"), ANN, 2),
        (("  2) {}",), BEN, 2),
    ],
)
def test_resignation_is_of_the_player_in_whose_cell_it_is(
    word: str, lines: tuple[str, ...], winner: int, rolls: int
) -> None:
    match = game(*(line.format(word) for line in lines))
    assert result(match) == (winner, 1, True)
    assert match.notes == ()
    validity = match.plays.validity.tolist()
    assert len(validity) == rolls
    assert set(validity[:3]) == {Validity.VALID} or validity[:2] == [Validity.VALID] * 2
    assert Validity.ILLEGAL not in validity


def test_raccoon_turns_the_cube_and_whoever_was_doubled_owns_it() -> None:
    match = game(
        "  2)  Doubles => 2                Beavers => 4",
        "  3)  Raccoons => 8               Takes",
        "  4) 52: 13/11 13/8               66: ????",
        "      Wins 8 points",
        head=HEAD.replace("5 point", "0 point"),
    )
    labels = sorted(Kind(kind).label for *_, kind, _, _ in cube_rows(match))
    assert labels == ["beaver", "beaver", "double", "no-double", "no-double", "take"]
    assert (match.plays.cube.tolist()[2:], match.plays.owner.tolist()[2:]) == ([8, 8], [-1, 1])
    assert result(match) == (ANN, 8, True)
    assert match.notes == ()
    assert " Raccoons => 8 " in transcript(match).text


@pytest.mark.parametrize("dice", ["00", "07", "70", "90", "??"])
def test_roll_that_cannot_be_is_an_unknown_turn_and_no_decision(dice: str) -> None:
    match = game(
        f"  2) {dice}: ????                  63: 24/18 13/10",
        "  3) 42: 8/4 6/4",
        "      Wins 1 point",
    )
    assert found(match) == [("unknown-roll", "game 1, turn 3 (line 6)")]
    assert match.plays.turn.tolist() == [1, 2, 4, 5]
    assert match.plays.player.tolist() == [ANN, BEN, BEN, ANN]
    assert 3 not in match.cubes.turn.tolist()
    assert set(match.plays.validity.tolist()) == {Validity.VALID}


def test_play_of_an_unknown_roll_leads_to_the_position_that_was_recorded() -> None:
    match = game("  2) 00: 13/7 8/7                 63: 24/18 13/10")
    assert match.plays.position[2].tolist()[25 - 7] == -2  # Ben sees the point that Ann made


@pytest.mark.parametrize(
    ("play", "after"),
    [
        ("13/7 13/8 6/8", {13: 3, 7: 1, 8: 4, 6: 3}),
        ("6/11", {11: 1, 6: 3, 8: 2}),
        ("13/8 13/24", {13: 3, 8: 3, 24: 3}),
        (
            "6/19 13/8",
            {6: 4, 13: 4, 8: 3},
        ),  # the opponent's point cannot be entered in any direction
    ],
)
def test_checker_moved_backwards_is_where_it_was_recorded(play: str, after: dict[int, int]) -> None:
    match = game(f"  2) 65: {play}               42: 8/4 6/4", "  3) 31: 8/7 6/3")
    assert next(code for code, _ in found(match)) == "illegal-play"
    assert match.plays.validity.tolist()[2] == Validity.ILLEGAL
    board = match.plays.position[4].tolist()
    assert {place: board[place] for place in after} == after


FORCED = """\
5 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 21: 24/23 13/11             66: 24/18 13/1* 8/2*
  2) 64: {}                      62: 13/11 8/2
  3) 31: bar/21
"""


@pytest.mark.parametrize("cell", ["", "????", "Cannot Move", "bar/21"])
def test_only_legal_play_is_made_where_a_site_does_not_write_it(cell: str) -> None:
    match = read(FORCED.format(cell))
    assert match.plays.play[2] == ((25, 21),)
    assert (match.plays.validity[2], match.plays.legal[2]) == (Validity.VALID, 1)
    note = ("forced-play", "game 1, turn 3 (line 6): bar/21")
    assert found(match) == [note] * (cell != "bar/21")


@pytest.mark.parametrize("cell", ["", "????"])
def test_roll_before_a_resignation_is_not_played_even_if_it_is_forced(cell: str) -> None:
    lines = FORCED.partition("62:")[0].format(cell)
    match = read(f"{lines}\n                                 Wins 1 point\n")
    assert match.plays.validity[2] == Validity.UNPLAYED
    assert match.notes == ()


SECOND = (
    "      Wins 2 points\n\n Game 2\n {} : 2                        {} : 0\n  1)                  "
    "           31: 8/5 6/5\n"
)


@pytest.mark.parametrize(
    ("written", "name", "elo"),
    [
        ("rookie7808,1673", "rookie7808", 1673.0),
        ("Ann Lee, 1673.25", "Ann Lee", 1673.25),
        ("Ann (6.84)", "Ann", None),
        ("Ann(12,5)", "Ann", None),
        ("Ann (1702.31)", "Ann", None),
        ("Ann,0", "Ann,0", None),  # as gnuBG has it
        ("Lee, Ann", "Lee, Ann", None),
        ("Ann (2)", "Ann (2)", None),
    ],
)
def test_rating_behind_a_name_is_no_part_of_it(written: str, name: str, elo: float | None) -> None:
    match = read(HEAD.replace("Ann", written) + OPENING)
    assert (match.players, match.ratings) == ((name, "Ben"), (elo, None))
    record = f"(;GM[6]MI[length:5]PW[{written}]PB[Ben];W[31hefe])".encode()
    assert read_match("ann.sgf", record).players == (name, "Ben")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("Ann,1673", "Ben,1550"), ("Ann,1675.5", "Ben,1547.5")),
        (("Ann (6.84)", "Ben (5.02)"), ("Ann (6.79)", "Ben (5.1)")),
    ],
)
def test_rating_may_change_from_game_to_game(
    first: tuple[str, str], second: tuple[str, str]
) -> None:
    head = HEAD.replace("Ann", first[0]).replace("Ben", first[1])
    match = read(head + OPENING + SECOND.format(*second))
    assert (match.players, match.notes, len(match.games)) == (("Ann", "Ben"), (), 2)


def test_another_name_in_one_game_is_a_finding_where_the_score_goes_on() -> None:
    three = SECOND.format("X22", "Ben") + SECOND.format("Ann", "Ben").replace("Game 2", "Game 3")
    match = read(HEAD + OPENING + three.replace("Ann : 2", "Ann : 4"))
    assert match.players == ("Ann", "Ben")
    assert found(match) == [("player-renamed", "game 2, line 8: X22 in place of Ann")]
    match = read(HEAD.replace("Ann", "X22") + OPENING + three.replace("Ann : 2", "Ann : 4"))
    assert match.players == ("X22", "Ben")


@pytest.mark.parametrize(
    ("lines", "points"),
    [
        (("      Wins 1004 points",), 3),
        (("      Wins 9 points",), 3),
        (("  2)  Doubles => 2              Takes", "      Wins 9 points"), 6),
        (("  2)  Doubles => 2              Drops", "      Wins 2 points"), 1),
        (("  2)  Doubles => 2              Drops", SECOND.format("Ann", "Ben")), 1),
    ],
)
def test_points_are_at_most_what_cube_and_board_allow(lines: tuple[str, ...], points: int) -> None:
    match = game(*lines)
    assert match.games.points[0] == points
    (note,) = [note for note in match.notes if note.code == "impossible-result"]
    assert f"at most {points} can be won" in note.evidence
    if len(match.games) > 1:
        assert match.games.score[1].tolist() == [2, 0]  # as recorded


@pytest.mark.parametrize(
    "lines",
    [
        ("      Wins 3 points",),
        ("  2)  Doubles => 2              Takes", "      Wins 6 points"),
        ("  2)  Doubles => 2              Drops", "      Wins 1 point"),
    ],
)
def test_points_that_can_be_won_are_no_finding(lines: tuple[str, ...]) -> None:
    assert game(*lines).notes == ()


@pytest.mark.parametrize(
    "lines",
    [
        (
            "  2) 00: ????                    63: 24/18 13/10",
            "  3) 42: 8/4 6/4                 ??: ????",
            "  4) 31: 8/5 6/5                 11: 6/5 6/5",
        ),
        ("  2)  Doubles => 2              Takes", "  3) 07: ????      61: 13/7 8/7"),
    ],
)
def test_unknown_turn_is_written_as_it_was_read(lines: tuple[str, ...]) -> None:
    match = game(*lines)
    written = transcript(match)
    assert written.changes == ()
    assert read(written.text).plays.turn.tolist() == match.plays.turn.tolist()
    assert written.text.count("00: ????") == sum("????" in line for line in lines)


@pytest.mark.parametrize(
    "end", ["00: ????", "??: ????", "00: ????\n                                 Wins 1 point"]
)
def test_unknown_roll_after_which_nothing_is_written_is_reported_as_lost(end: str) -> None:
    match = game("  2) 61: 13/7 8/7                63: 24/18 13/10", f"  3) {end}")
    assert transcript(match).changes == ("game 1, turn 5 (line 7): the unknown roll is lost",)
    match = game("  2) 61: 13/7 8/7                00: ????", "  3) 42: 8/4 6/4", f"  4) {end}")
    (change,) = transcript(match).changes
    assert change.startswith("1 of 2 unknown rolls lost: game 1, turn 4 (line 6); game 1, turn 6")


@pytest.mark.parametrize("mark", ["\ufeff", ""])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["Zoë", "Ольга", "王"])
def test_text_saved_as_unicode_is_read_with_its_byte_order_mark_or_without(
    encoding: str, name: str, mark: str
) -> None:
    content = (mark + HEAD.replace("Ann", name) + OPENING).encode(encoding)
    match = read_match("unicode.mat", content)
    assert (match.players, match.source.content) == ((name, "Ben"), content)
