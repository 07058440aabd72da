"""The cases of the suite: tiny files that our readers accept, with the same figures in every
format, about one edge each; the figures of those from which answers are read depend on the
questions that they name and on nothing else."""

import random
import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from reconcile.infer.reported import SUMMED_PRECISION
from reconcile.match.board.play import apply_play, legal_plays
from reconcile.match.columns import Validity
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics
from reconcile.suite.answers import figures_under, names_read, predicted, read_cases, supported
from reconcile.suite.cases import AREAS, every
from reconcile.suite.synthetic import FORMATS, STUDIED, content_of
from tests.support.claims import some
from tests.support.long import long_but_first

LONGEST = 20
"""Turns of a case."""
LONGER = {"notanalysed": 40}
"""By area: nine in ten decisions must be analysed, or no figure is shown."""
UNDER = ("xg", "gnubg")
SINGLE_PRECISION = 2e-6
"""EMG; the files of a match in two formats differ by as much, a rate by its factor times that, and
a percentage by ten times."""
IN_PERCENT = 10


def precision(name):
    """By how much a figure may differ between the files of a match in two formats."""
    figure = METRICS[name]
    return SINGLE_PRECISION * (IN_PERCENT if figure.in_mwc else max(figure.factor, 1.0))


def test_every_area_has_cases_with_ids_of_their_own():
    ids = Counter(case.id for case in every())
    assert [name for name, times in ids.items() if times > 1] == []
    assert len(ids) >= 200
    assert len(AREAS) == 38
    assert all(re.fullmatch(r"[a-z]+(-[a-z0-9.]+)+", name) for name in ids)
    assert {case.question for case in every()} - {""} == set(QUESTIONS)


@pytest.mark.parametrize("area", long_but_first(AREAS, 8))
def test_files_are_small_and_read_without_a_note_and_agree(area):
    for case in some([case for case in every() if case.area == area]):
        for match in some([case.read(form) for form in case.formats]):
            assert (case.id, match.notes) == (case.id, ())
            assert len(match.plays) <= LONGER.get(area, LONGEST)
        for name in some(UNDER):
            scored = [
                [statistics(case.read(form), name).figures(seat) for seat in (0, 1)]
                for form in case.formats
            ]
            unlike = [
                (case.id, name, metric, value, theirs)
                for seat in (0, 1)
                for metric, value in scored[0][seat].items()
                for theirs in (other[seat][metric] for other in scored[1:])
                if value is not None
                and theirs is not None
                and value != pytest.approx(theirs, abs=precision(metric), rel=SUMMED_PRECISION)
            ]
            assert unlike == []


# The cases from which answers are read

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
def test_only_the_questions_that_a_case_is_about_matter_and_each_of_them_does(case, form):
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
        other_codes = [table[other] for other in codes if other != code] or [
            table[code].map(len) * 0
        ]
        assert figures.groupby(other_codes).nunique().gt(1).any(axis=None), code
    assert "Q13" in codes or "pr" not in names or (figures["pr"] < 100).all()


@pytest.mark.parametrize(("case", "form"), EVERY)
def test_plays_are_legal_but_for_the_illegal_one_and_the_match_says_what_it_is(case, form):
    match = case.read(form)
    assert match.players[0] == STUDIED
    assert {name.split()[0] for name in (*match.players, match.event)} == {"Synthetic"}
    for row in np.flatnonzero(match.plays.validity == Validity.VALID).tolist():
        position, dice = match.plays.position[row].tolist(), match.plays.dice[row].tolist()
        if results := {play.result for play in legal_plays(position, *dice)}:
            played = next(candidate for candidate in match.candidates(row) if candidate.made)
            assert apply_play(position, played.play) in results


def test_same_bytes_twice_and_words_of_one_begin_with_an_article():
    several = {"count-two-errors", "equal-small-errors", "round-0.0204", "round-0.02004"}
    cases = {case.id: case for form in FORMATS for case in read_cases(form).values()}
    assert {name for name, case in cases.items() if not case.is_single} == several
    for case in some(list(cases.values())[::9]):
        for form in FORMATS:
            assert content_of(case.match, form) == content_of(case.match, form)
