"""The demonstration pair: what its files say of themselves, and the right one as gnuBG saved it."""

import re

import pytest

from reconcile.scoring.statistics import statistics
from tests.support.loaded import DEMONSTRATION, loaded

RIGHT, LEFT = (DEMONSTRATION.with_suffix(ending) for ending in (".sgf", ".xg"))


def test_demonstration_says_in_its_header_that_no_xg_made_it():
    content = LEFT.read_bytes()
    title, event = (content[start : start + 2048].decode("utf-16-le") for start in (40, 4136))
    assert "Synthetic" in title
    assert "not by eXtreme Gammon" in event
    assert loaded(LEFT).event.startswith("Synthetic: written from a GNU Backgammon analysis")


def test_both_sides_are_of_the_same_players_and_hold_as_many_turns():
    left, right = loaded(LEFT), loaded(RIGHT)
    assert [name.replace("_", " ") for name in right.players] == list(left.players)
    assert len(left.plays) == len(right.plays)
    assert left.games.number.tolist() == right.games.number.tolist()


@pytest.mark.parametrize("number", range(5))
def test_errors_of_the_plays_add_up_to_what_gnubg_saved(number):
    computed, text = statistics(loaded(RIGHT), "gnubg"), RIGHT.read_text("utf-8")
    saved = [float(word) for word in re.findall(r"GS\[M:([^\]]*)\]", text)[number].split()]
    for seat, error in ((0, saved[12]), (1, saved[14])):
        figure = computed.figures_at(seat, number)["equity_error.checker"]
        assert figure == pytest.approx(abs(error), abs=4e-4)
