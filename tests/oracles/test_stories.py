"""The judge of sentences finds nothing in what the program says, and finds each of many lies."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest

from tests.oracles.stories import documents
from tests.oracles.stories.__main__ import main
from tests.oracles.stories.compared import Compared
from tests.oracles.stories.forms import Form, Names, Said, shows
from tests.oracles.stories.judge import faults
from tests.oracles.stories.lies import LIES, Lie, told
from tests.oracles.stories.runs import (
    COMPARED,
    judged_files,
    judged_generated,
    real_sets,
)
from tests.support.data import label, skipped_if_empty
from tests.support.loaded import DEMONSTRATION
from tests.support.long import long_but_first
from tests.support.several import bundled_sgf, bundled_xg

pytestmark = pytest.mark.xdist_group("stories")  # what is judged is made once

FIRST, PART, CHUNK, LAST = 5, 25, 350, 5000
"""Generated pairs among the default tests, in each part that takes long, in each of the exhaustive ones, and in all."""
SEEDS = [range(FIRST), range(FIRST, PART), *(range(start, start + PART) for start in range(PART, 8 * PART, PART))]
SEEDS += [range(start, min(start + CHUNK, LAST)) for start in range(8 * PART, LAST, CHUNK)]
SETS = [pytest.param(one, id=label(one[0])) for one in (*real_sets()[4:], *real_sets()[1:4])]
"""Of real matches: first one by XG and gnuBG, and one by XG and BGBlitz."""
DEMO = [DEMONSTRATION.with_suffix(".xg"), DEMONSTRATION.with_suffix(".sgf")]


@pytest.mark.parametrize("seeds", long_but_first(SEEDS, 1, 3), ids=str)
def test_generated_pairs_tell_nothing_false(seeds: range) -> None:
    assert len(seeds) >= FIRST
    assert list(map(str, chain.from_iterable(map(judged_generated, seeds)))) == []


@pytest.mark.parametrize("files", long_but_first(skipped_if_empty(SETS), 0, 2))
def test_files_of_one_match_tell_nothing_false(files: list[Path]) -> None:
    """Of the demonstration match the command says so below."""
    assert len(files) > 1
    assert list(map(str, judged_files(files))) == []


def test_the_list_of_lies_is_long_enough() -> None:
    assert len(set(LIES)) == len(LIES) >= 30


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: f"{lie.about}: {lie.false}")
def test_each_lie_is_found(lie: Lie) -> None:
    text, nothing = told(lie.about)
    assert nothing == []
    assert lie.true in text
    _, found = told(lie.about, lambda sentence: sentence.replace(lie.true, lie.false))
    assert found


def test_a_sentence_without_a_form_is_a_fault() -> None:
    facts = Compared(documents.compared(bundled_xg(), bundled_sgf(), whole=False))
    found = [fault.wrong for fault in faults("new", facts, [*facts.document["story"], "Both played well."], COMPARED)]
    assert found == ["no form of the judge has this sentence"]


def test_a_number_that_no_claim_reads_is_a_fault() -> None:
    def careless(_: object, __: Said) -> list[str]:
        return []

    said = Form("<player:player> lost <number:number>.", careless).match("Ann lost 7.79.", Names((), ("Ann",)))
    assert said is not None
    assert list(said.unread()) == ["nothing was computed for '7.79' (<number>)"]


def test_half_a_digit_may_be_rounded_either_way() -> None:
    assert shows("0.12", 0.125)
    assert shows("0.13", 0.125)
    assert not shows("0.12", 0.1251)
    assert not shows("0.13", 0.1249)
    assert not shows("+0.13", -0.13)
    assert not shows("0.00", None)


def test_the_command_says_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(path) for path in DEMO]) == 0
    assert capsys.readouterr().out == "no faults\n"
