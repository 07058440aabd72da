"""The cases from which answers are read: their figures depend on the questions that they name and
on nothing else."""

from __future__ import annotations

import random

import numpy as np
import pytest

from reconcile.match.board.play import apply_play, legal_plays
from reconcile.match.columns import Validity
from reconcile.scoring.figures import Figures
from reconcile.suite.answers import ReadCase, read_cases, supported
from reconcile.suite.synthetic import FORMATS, STUDIED, content_of
from tests.support.claims import some
from tests.support.long import long_but_first

DRAWN = 12
EVERY = long_but_first(
    [
        pytest.param(file, id=f"{name}.{form}")
        for form in FORMATS
        for name, file in read_cases(form).items()
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
PLURAL = {"count-two-errors", "equal-small-errors", "round-0.0204", "round-0.02004"}
"""The cases of which is said that they, not it, count."""


def numbers(figures: Figures) -> dict[str, float]:
    return {name: np.nan if value is None else value for name, value in figures.items()}


@pytest.mark.parametrize("file", EVERY)
def test_only_the_questions_that_a_case_is_about_matter_and_each_of_them_does(
    file: ReadCase,
) -> None:
    draw = random.Random(17)
    for _ in range(DRAWN):
        answers = {code: draw.choice(names) for code, names in supported(file.form).items()}
        expected = file.predicted[tuple(answers[code] for code in file.about)]
        shown = numbers(file.under(answers))
        assert shown == pytest.approx(numbers(expected), 1e-5, 1e-5, nan_ok=True), answers
    for place in () if file.form == "sgf" or file.case.id in BEYOND else range(len(file.about)):
        neighbours: dict[tuple[str, ...], set[tuple[float, ...]]] = {}
        for names, figures in file.predicted.items():
            rounded = tuple(round(value or 0, 4) for value in figures.values())
            neighbours.setdefault(names[:place] + names[place + 1 :], set()).add(rounded)
        assert any(len(figures) > 1 for figures in neighbours.values()), file.about[place]
    if "Q13" not in file.about:
        assert all((figures.get("pr") or 0) < 100 for figures in file.predicted.values())


@pytest.mark.parametrize("file", EVERY)
def test_plays_are_legal_but_for_the_illegal_one_and_the_match_says_what_it_is(
    file: ReadCase,
) -> None:
    match, plays = file.match, file.match.plays
    assert match.players[0] == STUDIED
    assert {name.split()[0] for name in (*match.players, match.event)} == {"Synthetic"}
    for row in np.flatnonzero(plays.validity == Validity.VALID).tolist():
        position, dice = plays.position[row].tolist(), plays.dice[row].tolist()
        if results := {play.result for play in legal_plays(position, *dice)}:
            played = next(candidate for candidate in match.candidates(row) if candidate.made)
            assert apply_play(position, played.play) in results


@pytest.mark.parametrize("form", FORMATS)
def test_same_bytes_twice_and_words_of_one_begin_with_an_article(form: str) -> None:
    for file in some(read_cases(form).values()):
        assert file.case.plural == (file.case.id in PLURAL)
        assert file.case.plural or file.case.has.split()[0] in ("a", "an")
    for file in some(list(read_cases(form).values())[::9]):
        assert content_of(file.case.match, form) == content_of(file.case.match, form)
