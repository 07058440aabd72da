"""The synthetic matches: real files that our readers accept, whose figures depend on what they are about and on nothing else."""

from __future__ import annotations

import random

import pytest

from reconcile.match.board.play import apply_play, legal_plays
from reconcile.match.columns import Validity
from reconcile.probe.contrasts import SERIES
from reconcile.probe.inference import ContrastFile, contrast_files, plain_file, supported
from reconcile.probe.synthetic import FORMATS, STUDIED, content_of
from tests.support.claims import some

DRAWN = 40
EVERY = [(form, file) for form in FORMATS for file in (plain_file(form), *contrast_files(form))]
NAMES = [f"{file.contrast.key}.{form}" for form, file in EVERY]


@pytest.mark.parametrize(("form", "file"), EVERY, ids=NAMES)
def test_no_question_matters_but_those_that_a_contrast_is_about(form: str, file: ContrastFile) -> None:
    draw = random.Random(17)
    for _ in range(DRAWN):
        answers = {code: draw.choice(names) for code, names in supported(form).items()}
        own = tuple(answers[code] for code in file.contrast.about)
        found, expected = file.under(answers), file.predicted[own]
        assert [name for name in found if (found[name] is None) != (expected[name] is None)] == [], answers
        known = [name for name in found if found[name] is not None]
        assert [found[name] for name in known] == pytest.approx([expected[name] for name in known], rel=1e-5, abs=1e-5), answers


BEYOND = ("costs-0.159", "costs-0.251", "spread-0.0012", "optional-0.0012")
"""About what is beyond every border; and an `.sgf` says less than its contrast is about."""
WITHIN = [file for form, file in EVERY if form != "sgf" and file.contrast.about and file.contrast.key not in BEYOND]


@pytest.mark.parametrize("file", WITHIN, ids=lambda file: file.contrast.key)
def test_every_question_that_it_is_about_matters(file: ContrastFile) -> None:
    about = file.contrast.about
    for place in some(range(len(about))):
        others: dict[tuple[str, ...], set[tuple[float | None, ...]]] = {}
        for names, figures in file.predicted.items():
            rounded = tuple(None if value is None else round(value, 4) for value in figures.values())
            others.setdefault(names[:place] + names[place + 1 :], set()).add(rounded)
        assert any(len(found) > 1 for found in others.values()), about[place]


@pytest.mark.parametrize(("form", "file"), EVERY, ids=NAMES)
def test_only_the_match_about_the_cap_has_a_pr_above_100(form: str, file: ContrastFile) -> None:
    if "Q13" not in file.contrast.about:
        assert all((figures.get("pr") or 0) < 100 for figures in file.predicted.values())


@pytest.mark.parametrize(("form", "file"), EVERY, ids=NAMES)
def test_plays_are_legal_but_for_the_illegal_one_and_the_match_says_what_it_is(form: str, file: ContrastFile) -> None:
    match = file.match
    assert match.players[0] == STUDIED
    assert STUDIED.startswith("Synthetic")
    assert match.players[1].startswith("Synthetic")
    assert match.event.startswith("Synthetic")
    assert match.notes == ()
    plays = match.plays
    for row in range(len(plays)):
        position, dice = plays.position[row].tolist(), plays.dice[row].tolist()
        results = {one.result for one in legal_plays(position, dice[0], dice[1])}
        if results and plays.validity[row] == Validity.VALID:
            made = next(one for one in match.candidates(row) if one.made)
            assert apply_play(position, made.play) in results


@pytest.mark.parametrize("form", FORMATS)
def test_same_bytes_twice(form: str) -> None:
    for file in some(contrast_files(form)):
        assert content_of(file.contrast.match, form) == file.content


def test_names_are_different_and_a_series_never_hits_a_round_border() -> None:
    for form in FORMATS:
        keys = [file.contrast.key for file in contrast_files(form)]
        assert len(set(keys)) == len(keys)
    for series in SERIES:
        for step in (0, 1, series.steps // 3, series.steps):
            number = series.at(step) / series.step
            assert abs(number - round(number)) == pytest.approx(0.5, abs=1e-3)
