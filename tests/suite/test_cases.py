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
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.scoring.figures import METRICS
from reconcile.scoring.statistics import statistics
from reconcile.suite.cases import FORMATS, areas, every, table
from tests.suite.writer.recipe import recipes
from tests.suite.writer.synthetic import STUDIED
from tests.suite.writer.table import figures_under, match_of_file
from tests.suite.writer.table import table as written_table
from tests.support.claims import some
from tests.support.data import PROJECT
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
    assert len(areas()) == 38
    assert all(re.fullmatch(r"[a-z]+(-[a-z0-9.]+)+", name) for name in ids)
    assert {case.question for case in every()} - {None} == set(QUESTIONS)


@pytest.mark.parametrize("area", long_but_first(areas(), 8))
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


# The files and the table are those of the recipe


@pytest.mark.parametrize("first", long_but_first(range(40), 1, 8))
def test_files_are_those_that_the_recipe_gives(first):
    for case in recipes()[first::40]:
        for name, content in case.files():
            assert (PROJECT / "conformance" / "cases" / name).read_bytes() == content, name


def test_no_file_is_without_a_case():
    names = {path.name for path in (PROJECT / "conformance" / "cases").iterdir()}
    assert names == {f"{case.id}.{form}" for case in every() for form in case.formats}


def test_table_has_every_rule_set_and_figure():
    """A new one is put in by `python -m tests.suite.writer`."""
    assert (table()["rules"], table()["figures"]) == ([*RULE_SETS], [*METRICS])


@pytest.mark.long
def test_table_is_that_of_the_recipe():
    assert (PROJECT / "conformance" / "cases.json").read_text("utf-8") == written_table()


# The cases from which answers are read

DRAWN = 12
READ = [
    (case, form) for form in FORMATS for case in recipes() if case.reads if form in case.formats
]
EVERY = long_but_first(
    [pytest.param(case, form, id=f"{case.id}.{form}") for case, form in READ], 12, 200
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
    (bundled,) = (other for other in every() if other.id == case.id)
    combinations = list(bundled.combinations(form))
    draw, names = random.Random(17), list(bundled.given[form])
    for _ in range(DRAWN):
        answers = {code: draw.choice(known) for code, known in table()["answers"][form].items()}
        (expected,) = (
            figures
            for read, figures in combinations
            if all(answers[code] == answer for code, answer in read.items())
        )
        shown = figures_under(case, form, answers)
        ours, theirs = (pd.Series(each, dtype=float)[names] for each in (shown, expected))
        assert np.allclose(ours, theirs, 1e-5, 1e-5, equal_nan=True), answers
    codes = list(case.reads)
    questions = pd.DataFrame([answers for answers, _ in combinations])
    given = pd.DataFrame([figures for _, figures in combinations])
    figures = given.astype(float).fillna(0).round(4)
    for code in () if form == "sgf" or case.id in BEYOND else codes:
        other_codes = [questions[other] for other in codes if other != code] or [
            questions[code].map(len) * 0
        ]
        assert figures.groupby(other_codes).nunique().gt(1).any(axis=None), code
    assert "Q13" in codes or "pr" not in names or (figures["pr"] < 100).all()


@pytest.mark.parametrize(("case", "form"), EVERY)
def test_plays_are_legal_but_for_the_illegal_one_and_the_match_says_what_it_is(case, form):
    match = match_of_file(f"{case.id}.{form}")
    assert match.players[0] == STUDIED
    assert {name.split()[0] for name in (*match.players, match.event)} == {"Synthetic"}
    for row in np.flatnonzero(match.plays.validity == Validity.VALID).tolist():
        position, dice = match.plays.position[row].tolist(), match.plays.dice[row].tolist()
        if results := {play.result for play in legal_plays(position, *dice)}:
            played = next(candidate for candidate in match.candidates(row) if candidate.made)
            assert apply_play(position, played.play) in results
