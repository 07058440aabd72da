"""The judge of sentences finds nothing in what the program says, and finds each of many lies."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from tests.oracles.stories import archive, documents
from tests.oracles.stories.__main__ import main
from tests.oracles.stories.compared import Compared
from tests.oracles.stories.forms import Form, Names, Said, shows
from tests.oracles.stories.judge import Fault, faults
from tests.oracles.stories.lies import LIES, Lie, of_an_archive, told
from tests.oracles.stories.mirror import mirror_faults
from tests.oracles.stories.runs import (
    COMPARED,
    judged_archive,
    judged_files,
    judged_generated,
    judged_investigations,
    judged_pool,
    real_sets,
)
from tests.support.data import FOLDER, cases, label, matching, skipped_if_empty
from tests.support.loaded import DEMONSTRATION, loaded
from tests.support.long import long_but_first
from tests.support.several import bundled_sgf, bundled_xg

FIRST, PART, CHUNK, LAST = 5, 25, 350, 5000
"""Generated pairs among the default tests, in each part that takes long, in each of the exhaustive ones, and in all."""
SEEDS = [
    range(FIRST),
    range(FIRST, PART),
    *(range(start, start + PART) for start in range(PART, 8 * PART, PART)),
]
SEEDS += [range(start, min(start + CHUNK, LAST)) for start in range(8 * PART, LAST, CHUNK)]
DEMO = [DEMONSTRATION.with_suffix(".xg"), DEMONSTRATION.with_suffix(".sgf")]
FILES = [*DEMO, *matching("real/*.xg", "bgblitz/bgf/*.bgf")]


@pytest.mark.parametrize("seed", [20261186783381, 20261186783477])
def test_a_pair_that_fresh_examples_found_stays_right(seed: int) -> None:
    """What the cap of a PR leaves of a decision is as small as rounding in these."""
    assert list(map(str, judged_generated(seed))) == []


@pytest.mark.parametrize("seeds", long_but_first(SEEDS, 1, 2), ids=str)
def test_generated_pairs_tell_nothing_false(seeds: range) -> None:
    assert len(seeds) >= FIRST
    assert list(map(str, chain.from_iterable(map(judged_generated, seeds)))) == []


@pytest.mark.parametrize(
    "files",
    long_but_first(
        skipped_if_empty([pytest.param(one, id=label(one[0])) for one in real_sets()[1:]]), 0, 1
    ),
)
def test_files_of_one_match_tell_nothing_false(files: list[Path]) -> None:
    """Of the demonstration match the command says so below."""
    assert len(files) > 1
    assert list(map(str, judged_files(files))) == []


@pytest.mark.parametrize(
    ("path", "number"),
    [
        (DEMO[0], 1),
        pytest.param(DEMO[0], 4, marks=pytest.mark.long),
        *(
            pytest.param(path, 2, id=f"{label(path)}-few", marks=pytest.mark.long)
            for path in FILES[len(DEMO) :][:2]
        ),
        *(pytest.param(path, 25, id=label(path), marks=pytest.mark.exhaustive) for path in FILES),
    ],
)
def test_investigations_tell_nothing_false(path: Path, number: int) -> None:
    assert list(map(str, judged_investigations(loaded(path), 1, number))) == []


def test_pooled_figures_tell_nothing_false() -> None:
    assert list(map(str, judged_pool(DEMO[:1]))) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "pattern",
    skipped_if_empty(
        ["real/*.xg", "real/*_2ply.sgf", "bgblitz/bgf/*.bgf"] if matching("real/*.xg") else []
    ),
)
def test_real_pools_tell_nothing_false(pattern: str) -> None:
    assert list(map(str, judged_pool(matching(pattern)))) == []


@pytest.mark.long
@pytest.mark.parametrize("path", cases("real/test.xg"))
def test_the_report_of_real_matches_tells_nothing_false(path: Path, tmp_path: Path) -> None:
    assert path.is_relative_to(FOLDER)
    assert list(map(str, judged_archive(path.parent, tmp_path))) == []


def test_the_list_of_lies_is_long_enough() -> None:
    assert len(set(LIES)) == len(LIES) >= 30


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: f"{lie.about}: {lie.false}")
def test_each_lie_is_found(lie: Lie) -> None:
    text, nothing = told(lie.about)
    assert nothing == []
    assert lie.true in text
    _, found = told(lie.about, lambda sentence: sentence.replace(lie.true, lie.false))
    assert found


@pytest.mark.long
@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("XG and gnuBG differ by", "gnuBG and XG differ by"),
        ("contact positions", "races"),
        ("The tools disagree most on", "The tools agree most on"),
    ],
)
def test_lies_of_an_archive_are_found(
    true: str, false: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text, decisions = _archive(tmp_path_factory)
    assert list(of_an_archive(text, decisions)) == []
    assert true in text
    assert list(of_an_archive(text.replace(true, false), decisions))


@pytest.mark.long
def test_a_larger_dispute_of_an_archive_is_found(tmp_path_factory: pytest.TempPathFactory) -> None:
    text, decisions = _archive(tmp_path_factory)
    found = [dict(one) for one in decisions]
    larger = next(one for one in found if one["tool"] == "eXtreme Gammon" and one["kind"] == "play")
    larger["error_xg"] = 1.0
    assert any("the archive has one" in fault.wrong for fault in of_an_archive(text, found))


def _archive(factory: pytest.TempPathFactory) -> tuple[str, list[documents.Document]]:
    made: list[tuple[str, list[documents.Document]]] = vars(archive).setdefault(
        "_of_the_demonstration", []
    )
    if not made:
        made.append(documents.corpus_report(DEMO[0].parent, factory.mktemp("tables")))
    return made[0]


@cache
def ways() -> tuple[documents.Document, documents.Document]:
    return documents.compared(bundled_xg(), bundled_sgf()), documents.compared(
        bundled_sgf(), bundled_xg()
    )


def mirrored(back: documents.Document) -> list[Fault]:
    return list(mirror_faults("demonstration", Compared(ways()[0]), Compared(back), COMPARED))


def test_what_is_not_the_mirror_image_is_found() -> None:
    assert mirrored(ways()[1]) == []
    for place, key in (("ledger", "change"), ("figures", "gap"), ("bridge", "steps")):
        spoiled = deepcopy(dict(ways()[1]))
        row = next(one for one in spoiled[place] if one["metric"] == "pr")
        if place == "bridge":
            row, key = next(step for step in row["steps"] if step["code"] == "engine"), "change"
        row[key] *= -1
        assert mirrored(spoiled), place
    told = {
        **ways()[1],
        "story": [
            one.replace("game 4, turn 8 (+0.41)", "game 4, turn 8 (+0.40)")
            for one in ways()[1]["story"]
        ],
    }
    assert any("the other way round" in fault.wrong for fault in mirrored(told))


def test_a_sentence_without_a_form_is_a_fault() -> None:
    facts = Compared(ways()[0])
    found = [
        fault.wrong
        for fault in faults("new", facts, [*facts.document["story"], "Both played well."], COMPARED)
    ]
    assert found == ["no form of the judge has this sentence"]


def test_a_number_that_no_claim_reads_is_a_fault() -> None:
    def careless(_: object, __: Said) -> list[str]:
        return []

    said = Form("<player:player> lost <number:number>.", careless).match(
        "Ann lost 7.79.", Names((), ("Ann",))
    )
    assert said is not None
    assert list(said.unread()) == ["nothing was computed for '7.79' (<number>)"]


def test_half_a_digit_may_be_rounded_either_way() -> None:
    assert shows("0.12", 0.125)
    assert shows("0.13", 0.125)
    assert not shows("0.12", 0.1251)
    assert not shows("0.13", 0.1249)
    assert not shows("+0.13", -0.13)
    assert not shows("0.00", None)


@pytest.mark.long
def test_the_command_says_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(path) for path in DEMO]) == 0
    assert capsys.readouterr().out == "no faults\n"
