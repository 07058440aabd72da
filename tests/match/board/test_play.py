"""Plays: notation and rules, against every alternative gnuBG lists in its files and every play of
its and XG's transcripts."""

import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.formats import load_match
from reconcile.match.board.play import (
    apply_play,
    carried_out,
    count_legal_plays,
    legal_plays,
    parse_play,
    play_text,
)
from reconcile.match.board.position import (
    START,
    borne_off,
    from_position_id,
)
from tests.support.claims import some
from tests.support.data import FOLDER, matching
from tests.support.tables import beside

Play = tuple[tuple[int, int], ...]
CASES = beside(__file__, "plays.yaml")


def board(counts):
    """A position by the checkers on its places."""
    return tuple(counts.get(place, 0) for place in range(26))


DICE = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def positions(draw):
    """Positions of few enough checkers that all orders of play can be tried; bars, bear-offs and
    contact come often."""
    board = [0] * 26
    for place in draw(st.lists(st.integers(1, 25) | st.integers(1, 7), min_size=1, max_size=6)):
        board[place] += 1
    for place in draw(st.lists(st.integers(0, 24), max_size=8)):
        if board[place] <= 0:
            board[place] -= draw(st.integers(1, 2))
    return tuple(board)


@cache
def gnubg_rolls():
    """Every roll in gnuBG's files, with the plays that gnuBG lists."""
    matches = map(load_match, matching("gnubg/*.sgf", "real/*.sgf", "gnubg-text/*/*.sgf"))
    rolls = [match.decision(row) for match in matches for row in range(len(match.plays))]
    return rolls or pytest.skip("gnuBG's files are not here; set RECONCILE_DATA")


class TestApplyPlay:
    def test_a_blot_that_is_hit_goes_to_the_opponent_s_bar(self):
        assert apply_play(board({3: -1, 8: 1}), ((8, 3),)) == board({0: -1, 3: 1})

    def test_a_checker_borne_off_does_not_land_on_the_opponent_s_bar(self):
        position = board({0: -1, 1: 2})
        assert apply_play(position, ((1, 0), (1, 0))) == board({0: -1})
        assert borne_off(apply_play(position, ((1, 0),))) == (14, 14)

    @pytest.mark.parametrize(
        ("play", "why"),
        [
            ((7, 1), "7/1: no own"),
            ((8, 1), "8/1.*made"),
            ((6, 8), "is not a checker move"),
            ((26, 20), "is not a checker move"),
        ],
    )
    def test_what_cannot_be_carried_out_is_refused(self, play, why):
        with pytest.raises(ValueError, match=why):
            apply_play(START, (play,))


class TestLegalPlays:
    @pytest.mark.parametrize("case", CASES["legal"], ids=str)
    def test_only_some_plays_are_allowed(self, case):
        legal = legal_plays(board(case["position"]), *case["dice"])
        assert sorted(map(list, (map(list, each.play) for each in legal))) == sorted(case["plays"])

    def test_the_number_is_counted_no_further_than_asked(self):
        assert count_legal_plays(START, 4, 2) == 2
        assert count_legal_plays(START, 4, 2, stop_after=5) == 5
        assert count_legal_plays(START, 4, 2, stop_after=99) == 18

    @pytest.mark.parametrize("dice", [(0, 0), (7, 1), (1, -1)])
    def test_what_is_no_roll_is_refused(self, dice):
        with pytest.raises(ValueError, match="no roll"):
            legal_plays(START, *dice)

    @given(positions(), DICE, st.integers(1, 6))
    def test_each_leads_to_its_result_in_steps_of_one_die_in_either_order_and_counting_agrees(
        self, position, dice, stop_after
    ):
        outcome = legal_plays(position, *dice)
        assert outcome == legal_plays(position, *dice[::-1])
        assert count_legal_plays(position, dice[0], dice[1], stop_after) == min(
            len(outcome), stop_after
        )
        for play, result in outcome:
            assert apply_play(position, play) == result
            assert all(start - end in dice or end == 0 for start, end in play)

    @pytest.mark.long
    def test_they_are_exactly_what_gnubg_lists(self):
        listed = [roll for roll in gnubg_rolls() if roll.candidates]
        for roll in listed:
            position, dice, candidates = roll.position, roll.dice, roll.candidates
            plays = {carried_out(position, candidate.play) for candidate in candidates}
            assert {play.result for play in legal_plays(position, *dice)} == plays
            assert len(plays) == len(candidates)
            assert count_legal_plays(position, *dice) == min(len(plays), 2)
        assert len(listed) > 3000

    @pytest.mark.long
    def test_where_gnubg_could_not_move_there_is_no_play(self):
        dances = [roll for roll in gnubg_rolls() if roll.play == ()]
        assert len(dances) > 500
        assert not [roll for roll in dances if legal_plays(roll.position, *roll.dice)]


class TestNotation:
    @pytest.mark.parametrize("case", CASES["written"], ids=str)
    def test_a_play_is_written_as_players_write_it(self, case):
        text, play, facts = (*case, {})[:3]
        position = board(facts["position"]) if facts else START
        assert play_text(position, (*map(tuple, play),)) == text

    @pytest.mark.parametrize("case", CASES["read"], ids=str)
    def test_what_the_tools_write_is_read(self, case):
        text, play, facts = (*case, {})[:3]
        position = board(facts["position"]) if "position" in facts else None
        assert parse_play(text, facts.get("dice"), position) == (*map(tuple, play),)

    @pytest.mark.parametrize("text", CASES["refused"])
    def test_anything_else_is_refused(self, text):
        with pytest.raises(ValueError, match="not a play"):
            parse_play(text)

    @given(positions(), DICE)
    def test_what_is_written_leads_to_the_same_position_when_read(self, position, dice):
        for play, result in some(legal_plays(position, *dice)):
            text = play_text(position, play)
            assert apply_play(position, parse_play(text)) == result
            steps = parse_play(text, dice, position)
            assert apply_play(position, steps) == result
            assert play_text(position, steps) == text

    @pytest.mark.long
    def test_plays_of_gnubg_s_exports_are_legal_and_written_as_gnubg_writes_them(self):
        checked = 0
        for path in sorted(FOLDER.glob("gnubg-text/*/*.txt")):
            position, dice = START, (0, 0)
            for line in path.read_text(encoding="utf-8").splitlines():
                if "Position ID:" in line:
                    position = from_position_id(line.split()[-1])
                elif rolled := re.search(r"Rolled (\d)(\d)", line):
                    dice = (int(rolled[1]), int(rolled[2]))
                elif written := re.match(
                    r"\*? +\d+\. Cube\w+ \d-ply +(\S.*?) +Eq\.:|\* \S+ moves (\S.*?) *$", line
                ):
                    text = written[1] or written[2]
                    play = parse_play(text, dice, position)
                    assert play_text(position, play) == text
                    assert apply_play(position, play) in {
                        legal.result for legal in legal_plays(position, *dice)
                    }
                    checked += 1
        if not checked:
            pytest.skip("the text exports of gnuBG are not here; set RECONCILE_DATA")
        assert checked > 3000
