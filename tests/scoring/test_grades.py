"""Errors by grade and by kind of cube decision."""

import numpy as np
import pytest

from reconcile.rules.rulesets import Q12, RULE_SETS
from reconcile.rules.values import Thresholds
from reconcile.scoring.grades import COLOURS, RATINGS, XG_BANDS, band, colour, rating, reaches
from tests.support.tables import cases_of

XG: Thresholds = RULE_SETS["xg"].value(Q12)
GNUBG: Thresholds = RULE_SETS["gnubg"].value(Q12)


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize(
    ("best", "played"), [(0.08, 0.0), (0.5, 0.42), (0.3, 0.22), (-0.22, -0.3), (1.02, 0.94)]
)
def test_error_of_80_thousandths_is_a_blunder_whatever_its_binary_fraction_says(
    best, played, single
):
    equities = np.array([best, played, played - 0.00001], np.float32 if single else np.float64)
    error = equities[0] - equities[1:]
    assert reaches(error, XG.blunder, XG).tolist() == [True, True]
    less = float(error[0]) - 0.00001
    assert [bool(reaches(less, border, XG)) for border in (XG.blunder, XG.error)] == [False, True]


@pytest.mark.parametrize(
    ("border", "grade"), [(0.03, "doubtful"), (0.06, "error"), (0.12, "blunder")]
)
def test_gnubg_compares_in_single_precision_and_wants_more_than_the_border(border, grade):
    single, limit = np.float32(border), getattr(GNUBG, grade)
    assert limit == border
    errors = [border, float(single), float(np.nextafter(single, np.float32(1)))]
    assert [bool(reaches(error, limit, GNUBG)) for error in errors] == [False, False, True]


@pytest.mark.parametrize(
    ("pr", "word"),
    cases_of(__file__, "band_of_a_pr_is_strictly_below_its_border"),
)
def test_band_of_a_pr_is_strictly_below_its_border(pr, word):
    assert band(pr, 20) == word


def test_unknown_pr_and_one_of_few_decisions_have_no_band_and_no_rating():
    assert band(None, 100) is rating(None, 100) is band(1.0, 19) is rating(0.001, 19) is None


def test_every_word_of_both_tools_has_its_colour():
    assert [colour(name) for _, name in XG_BANDS] == list(COLOURS)
    assert [colour(word) for _, word in RATINGS] == list(COLOURS[:-1])
    assert colour("Awful!") == COLOURS[-1]
    assert colour("nonsense") == ""


def test_gnubg_words_change_at_its_borders():
    words = [word for _, word in RATINGS]
    for (border, word), beyond in zip(RATINGS, [*words[1:], "Awful!"], strict=True):
        assert (rating(border - 1e-9, 20), rating(border, 20)) == (word, beyond)
