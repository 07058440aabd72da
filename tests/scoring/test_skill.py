"""Words for a rate, at and beside their borders."""

from __future__ import annotations

import pytest

from reconcile.scoring.grades import COLOURS, RATINGS, XG_BANDS, band, colour, rating


@pytest.mark.parametrize(
    ("pr", "word"),
    [
        (0.0, "World Champ"),
        (2.49, "World Champ"),
        (2.5, "World Class"),
        (5.0, "Expert"),
        (7.5, "Advanced"),
        (12.5, "Intermediate"),
        (17.5, "Casual Player"),
        (22.5, "Beginner"),
        (29.99, "Beginner"),
        (30.0, "Distracted"),
        (250.0, "Distracted"),
    ],
)
def test_band_of_a_pr_is_strictly_below_its_border(pr: float, word: str) -> None:
    assert band(pr) == word


def test_unknown_pr_has_no_band_and_no_rating() -> None:
    assert band(None) is rating(None) is None


def test_every_word_of_both_tools_has_its_colour() -> None:
    assert [colour(name) for _, name in XG_BANDS] == list(COLOURS)
    assert [colour(word) for _, word in RATINGS] == list(COLOURS[:-1])
    assert colour("Awful!") == COLOURS[-1]
    assert colour("nonsense") == ""


def test_gnubg_words_change_at_its_borders() -> None:
    words = [word for _, word in RATINGS]
    for (border, word), beyond in zip(RATINGS, [*words[1:], "Awful!"], strict=True):
        assert (rating(border - 1e-9), rating(border)) == (word, beyond)
