"""The cases from which answers are read: their figures depend on the questions that they name and
on nothing else."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import pytest

from reconcile.match.board.play import apply_play, legal_plays
from reconcile.match.columns import Validity
from reconcile.suite.answers import figures_under, names_read, predicted, read_cases, supported
from reconcile.suite.cases import Case
from reconcile.suite.synthetic import FORMATS, STUDIED, content_of
from tests.support.claims import some
from tests.support.long import long_but_first

DRAWN = 12
EVERY = long_but_first(
    [
        pytest.param(case, form, id=f"{case.id}.{form}")
        for form in FORMATS
        for case in read_cases(form).values()
    ],
    len(read_cases(FORMATS[0])),
)
BEYOND = (
    "close-window-0.159",
    "close-window-0.251",
    "count-spread-0.0012",
    "optional-right-0.0012",
)
"""What is beyond every border, or by its own question alone decides nothing; and an `.sgf` says
less than its case is about."""


@pytest.mark.parametrize(("case", "form"), EVERY)
def test_only_the_questions_that_a_case_is_about_matter_and_each_of_them_does(
    case: Case, form: str
) -> None:
    draw, table, codes = random.Random(17), predicted(case, form), list(case.reads)
    names = list(names_read(case))
    for _ in range(DRAWN):
        answers = {code: draw.choice(names) for code, names in supported(form).items()}
        (row,) = table[(table[codes] == [answers[code] for code in codes]).all(axis=1)].index
        shown = pd.Series(figures_under(case, form, answers), dtype=float)
        expected = table.loc[row, names].astype(float)
        assert np.allclose(shown[names], expected, 1e-5, 1e-5, equal_nan=True), answers
    figures = table[names].astype(float).fillna(0).round(4)
    for code in () if form == "sgf" or case.id in BEYOND else codes:
        others = [table[other] for other in codes if other != code] or [table[code].map(len) * 0]
        assert figures.groupby(others).nunique().gt(1).any(axis=None), code
    assert "Q13" in codes or "pr" not in names or (figures["pr"] < 100).all()


@pytest.mark.parametrize(("case", "form"), EVERY)
def test_plays_are_legal_but_for_the_illegal_one_and_the_match_says_what_it_is(
    case: Case, form: str
) -> None:
    match = case.read(form)
    assert match.players[0] == STUDIED
    assert {name.split()[0] for name in (*match.players, match.event)} == {"Synthetic"}
    for row in np.flatnonzero(match.plays.validity == Validity.VALID).tolist():
        position, dice = match.plays.position[row].tolist(), match.plays.dice[row].tolist()
        if results := {play.result for play in legal_plays(position, *dice)}:
            played = next(candidate for candidate in match.candidates(row) if candidate.made)
            assert apply_play(position, played.play) in results


def test_same_bytes_twice_and_words_of_one_begin_with_an_article() -> None:
    several = {"count-two-errors", "equal-small-errors", "round-0.0204", "round-0.02004"}
    cases = {case.id: case for form in FORMATS for case in read_cases(form).values()}
    assert {name for name, case in cases.items() if not case.is_single} == several
    for case in some(list(cases.values())[::9]):
        for form in FORMATS:
            assert content_of(case.match, form) == content_of(case.match, form)
