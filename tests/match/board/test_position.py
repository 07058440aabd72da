"""Positions and their Position IDs, against gnuBG's own exports and the installed gnuBG."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_benchmark.keys import from_position_key, position_class, position_key
from reconcile.match.board.position import (
    START,
    STARTS,
    borne_off,
    from_position_id,
    pip_count,
    position_id,
    size_of_win,
    swap,
)
from tests.match.board.boards import gnubg_boards, positions, read_board, rolls
from tests.support.gnubg import needs_gnubg, program


@pytest.mark.parametrize(
    ("off", "hindmost", "gammons", "size"),
    [
        (1, 24, True, 1),
        (0, 18, True, 2),
        (0, 19, True, 3),
        (0, 25, True, 3),
        (0, 25, False, 1),
    ],
)
def test_win_is_a_gammon_if_nothing_is_off_and_a_backgammon_if_somebody_is_left_behind(
    off, hindmost, gammons, size
):
    """In the winner's home, from 19 on, or on the bar."""
    loser = [0] * 26
    loser[6], loser[hindmost] = 14 - off, 1
    assert size_of_win(loser, gammons=gammons) == size


class TestPosition:
    def test_pips_are_counted_from_each_player_s_own_side(self):
        assert pip_count(START) == (167, 167)
        assert pip_count(STARTS["nackgammon"]) == (194, 194)
        assert pip_count((-1, *[0] * 5, 2, *[0] * 19)) == (12, 25)

    def test_arrays_are_as_good_as_tuples(self):
        row = np.array(START, dtype=np.int8)
        assert position_id(row) == position_id(START)
        assert swap(row) == START
        assert all(type(count) is int for count in swap(row))

    @given(positions())
    def test_turning_twice_changes_nothing(self, position):
        assert swap(swap(position)) == position
        assert borne_off(swap(position)) == borne_off(position)[::-1]
        assert pip_count(swap(position)) == pip_count(position)[::-1]

    @pytest.mark.parametrize(
        "position", [START[:-1], (1, *[0] * 25), (*[0] * 25, -1), (0, 16, *[0] * 24)]
    )
    def test_what_is_no_position_is_refused(self, position):
        with pytest.raises(ValueError, match=r"position|bar|checkers"):
            position_id(position)


class TestPositionId:
    def test_the_start_has_the_id_everybody_knows(self):
        assert position_id(START) == "4HPwATDgc/ABMA"

    @given(positions())
    def test_both_spellings_round_trip(self, position):
        assert from_position_id(position_id(position)) == position
        assert from_position_key(position_key(position)) == position

    @given(
        st.text(max_size=20)
        | st.text("ABCDEFGHIJKLMNOP", min_size=20, max_size=20)
        | st.from_regex(r"[A-Za-z0-9+/]{14}", fullmatch=True)
    )
    def test_any_other_text_is_refused_or_names_a_position(self, text):
        for read in (from_position_id, from_position_key):
            try:
                position = read(text)
            except ValueError:
                continue
            assert from_position_id(position_id(position)) == position

    def test_ids_of_gnubg_s_exports_name_the_board_drawn_beneath(self):
        checked = 0
        for lines in gnubg_boards():
            text = lines[0].split("Position ID:")[1].strip()
            on_roll = "X" if any(line.startswith("v|") for line in lines) else "O"
            assert from_position_id(text) == read_board(lines)[on_roll]
            assert position_id(from_position_id(text)) == text
            checked += 1
        assert checked > 500

    @pytest.mark.parametrize(
        "text", ["OAHDPAABDAOAHDPAABDQ", "OAHDPAABDA", "oahdpaabdaoahdpaabda", "é"]
    )
    def test_what_is_no_key_is_refused(self, text):
        with pytest.raises(ValueError, match="20 letters"):
            from_position_key(text)

    @needs_gnubg
    def test_keys_ids_and_classes_are_gnubg_s_on_many_positions(self):
        many = list(dict.fromkeys(position for position, _ in islice(rolls(4), 1500)))
        script = f"""
for key in {[*map(position_key, many)]!r}:
    code = [(ord(high) - 65) * 16 + ord(low) - 65 for high, low in zip(key[::2], key[1::2])]
    board = gnubg.positionfromkey(code)
    assert list(gnubg.positionkey(list(board))) == code
    print("ID", gnubg.positionid(board), gnubg.classifypos(board, 0), *board[1], *board[0])
"""
        names = {"0": "over", "9": "crashed", "10": "contact"}
        lines = program().run(script, timeout=300).split("ID ")[1:]
        classes = set()
        for position, line in zip(many, lines, strict=True):
            name, number, *counts = line.split()
            own, other = (
                [max(sign * count, 0) for count in places]
                for sign, places in ((1, position[1:]), (-1, position[24::-1]))
            )
            assert position_id(position) == name
            assert [*own, *other] == list(map(int, counts))
            assert (position_class(position) or "over") == names.get(number, "race")
            classes.add(position_class(position))
        assert classes >= {"contact", "crashed", "race"}
