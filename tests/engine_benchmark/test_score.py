"""What choices cost: best, listed, outside the list, missing, illegal; both denominators; by class;
beside published scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine_benchmark.engines import Answers, GnubgPlayer, Progress, Question
from engine_benchmark.keys import from_position_key, position_key, result_keys
from engine_benchmark.published import judged, load_published
from engine_benchmark.results import SCALE, Score
from engine_benchmark.score import findings, score
from reconcile.document import dumps
from reconcile.engines.gnubg import Gnubg
from reconcile.errors import InvalidConfiguration, NothingToCompare, UnknownName
from reconcile.match.board.play import legal_plays
from reconcile.match.board.position import START
from tests.engine_benchmark.samples import DATABASES, FLAT, LISTED, PUBLISHED, written
from tests.support.schemas import faults

LOSSES = [0.0, 0.0835662, 0.111429, 0.124954, 0.189375]


@dataclass(frozen=True)
class Chooser:
    """An engine made of a function."""

    choice: Callable[[Question], str | None]
    name: str = "a chooser"

    def choose(self, questions: Sequence[Question], progress: Progress) -> Answers:
        progress(len(questions))
        return [self.choice(question) for question in questions]


def scored(folder: Path, text: str, *choices: str | None, **options: Any) -> Score:
    """The score of an engine that gives these answers one after the other."""
    answers = iter(choices)
    return score(Chooser(lambda question: next(answers)), [written(folder, text)], **options)


@pytest.mark.parametrize(("choice", "loss"), list(zip(LISTED, LOSSES, strict=True)))
def test_listed_plays_of_the_published_line_cost_what_it_says(
    tmp_path: Path, choice: str, loss: float
) -> None:
    result = scored(tmp_path, PUBLISHED, choice)
    assert result.total.average_loss == pytest.approx(1000 * loss)
    assert (result.total.n_out, result.total.errors, result.total.scored) == (0, int(loss > 0), 1)


def test_each_legal_play_outside_the_list_costs_the_last_listed_loss(tmp_path: Path) -> None:
    outside = [key for key in result_keys(legal_plays(START, 2, 4)) if key not in LISTED]
    assert len(outside) == 18 - 5
    for choice in outside:
        result = scored(tmp_path, PUBLISHED, choice)
        assert result.total.average_loss == pytest.approx(189.375)
        assert result.total.n_out == 1
        assert not result.worst[0].choice.listed


UNSWAPPED = position_key(legal_plays(START, 2, 4)[0].result)
"""As if the mover were still on roll: the usual mistake."""


def test_missing_and_illegal_answers_are_counted_and_cost_nothing(tmp_path: Path) -> None:
    text = "\n".join([PUBLISHED] * 20)
    result = scored(tmp_path, text, *[LISTED[1]] * 18, None, UNSWAPPED)
    total = result.total
    assert (total.lines, total.scored, total.missing, total.illegal) == (20, 18, 1, 1)
    assert total.average_loss == pytest.approx(83.5662)
    codes = {finding.code: finding.evidence for finding in findings(result)}
    assert codes["answers-missing"] == codes["answers-illegal"] == "1 of 20 lines"


@pytest.mark.parametrize("wrong", [UNSWAPPED, "", "no key at all", None])
def test_engine_that_answers_few_lines_has_no_score_and_fails(
    tmp_path: Path, wrong: str | None
) -> None:
    result = scored(tmp_path, "\n".join([PUBLISHED] * 14), LISTED[1], *[wrong] * 13)
    total = result.total
    figures = (total.average_loss, total.average_loss_interesting, total.standard_error)
    assert (figures, result.verdict) == ((None, None, None), "outside")
    assert judged(result, load_published(), "gnubg-0ply").verdict == "outside"


def test_no_answer_at_all_is_no_score(tmp_path: Path) -> None:
    with pytest.raises(NothingToCompare, match="1 answers missing"):
        scored(tmp_path, PUBLISHED, None)
    with pytest.raises(NothingToCompare, match="0 with a list"):
        scored(tmp_path, "o OAHDPAABDAOAHDPAABDA 1 0 0 0 0\n")


def test_two_denominators(tmp_path: Path) -> None:
    """A flat line counts in the first only: 83.5662 over one line or over two; without any other
    the second is unknown."""
    total = scored(tmp_path, f"{FLAT}{PUBLISHED}\n", "NHDOCEEAAEOPBNAAAAAA", LISTED[1]).total
    assert total.average_loss == pytest.approx(83.5662 / 2)
    assert total.average_loss_interesting == pytest.approx(83.5662)
    assert (total.scored, total.interesting) == (2, 1)
    flat = scored(tmp_path, FLAT, "NHDOCEEAAEOPBNAAAAAA").total
    assert (flat.average_loss, flat.average_loss_interesting, flat.standard_error) == (
        0.0,
        None,
        None,
    )


def test_dance_is_answered_with_the_same_position(tmp_path: Path) -> None:
    """On the bar against a closed board nothing can be played; the opponent is on roll."""
    closed = (0, *[0] * 12, 5, 0, 0, 0, 0, 0, -2, -2, -2, -2, -2, -2, 2)
    key, other = position_key(closed), position_key(tuple(-count for count in reversed(closed)))
    assert legal_plays(closed, 6, 6) == []
    text = f"m {key} 6 6 {LISTED[0]} 0.5"
    assert scored(tmp_path, text, other).total.n_out == 1
    assert scored(tmp_path, text, key).total.illegal == 1


def test_standard_error_by_hand(tmp_path: Path) -> None:
    """Losses 0 and 0.189375: the mean is half, the deviation 0.189375 / sqrt(2), over sqrt(2) again
    half."""
    total = scored(tmp_path, f"{PUBLISHED}\n{PUBLISHED}\n", LISTED[0], LISTED[-1]).total
    assert total.standard_error == pytest.approx(1000 * 0.189375 / 2)


def test_distribution_has_every_scored_line_once(tmp_path: Path) -> None:
    total = scored(tmp_path, "\n".join([PUBLISHED] * 5), *LISTED).total
    assert [part.lines for part in total.distribution] == [1, 0, 0, 0, 0, 0, 3, 1, 0]


def test_dearest_choices_come_first_with_their_plays(tmp_path: Path) -> None:
    worst = scored(
        tmp_path, "\n".join([PUBLISHED] * 30), *(LISTED[index % 5] for index in range(30))
    ).worst
    losses = [each.choice.loss for each in worst]
    assert losses == sorted(losses, reverse=True)
    assert (len(worst), losses[0], worst[0].line) == (20, 0.189375, 5)
    assert worst[0].choice.play == "24/22 24/20"


def test_limit_is_a_number_of_m_lines_of_each_file(tmp_path: Path) -> None:
    text = "\n".join([PUBLISHED] * 7)
    result = scored(tmp_path, text, *LISTED[:3], limit=3)
    assert (result.total.lines, result.files[0].complete) == (3, False)
    for limit in (7, 8):
        assert scored(tmp_path, text, *[LISTED[0]] * 7, limit=limit).files[0].complete


def test_files_add_up(tmp_path: Path) -> None:
    each = written(tmp_path, PUBLISHED)
    other = tmp_path / "b.bm"
    other.write_text(FLAT)
    result = score(
        Chooser(lambda question: LISTED[1] if question.dice == (2, 4) else "NHDOCEEAAEOPBNAAAAAA"),
        [each, str(other)],
    )
    assert [file.total.lines for file in result.files] == [1, 1]
    assert {name: tally.lines for name, tally in result.by_class.items()} == {
        "contact": 1,
        "race": 1,
    }
    assert result.total.average_loss == pytest.approx(83.5662 / 2)


# -- gnuBG --

EXPECTED = {
    # Of four lines whose rollouts differ gnuBG chooses at 0 plies what its own 0-ply rollouts call
    # best. Of the ten flat ones it
    # chooses a listed play in eight and one outside the list in two races; each has a last loss of
    # 0. So every loss is 0. The choices
    # were read off gnuBG's `hint` for each position: the first line of its list.
    "contact": (6, 3, 0),
    "crashed": (4, 1, 0),
    "race": (4, 0, 2),
}


def test_fixture_under_gnubg_at_0_plies(gnubg: Gnubg, data: Path) -> None:
    result = score(GnubgPlayer(gnubg, 0, 120, 2), [str(data / "benchmark" / "format-fixture.bm")])
    tallies = {
        name: (tally.scored, tally.interesting, tally.n_out)
        for name, tally in result.by_class.items()
    }
    assert tallies == EXPECTED
    total = result.total
    assert (
        total.average_loss,
        total.average_loss_interesting,
        total.errors,
        total.n_out,
        total.scored,
    ) == (0.0, 0.0, 0, 2, 14)
    assert {finding.code for finding in findings(result)} == {
        "choices-not-listed",
        "flat-lines",
        "other-positions",
    }


# -- published scores --------------------------------------------------------------------------


def test_whole_database_is_judged_by_the_table_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "published.yaml"
    path.write_text(DATABASES)
    published = load_published(str(path))
    text = f"{PUBLISHED}\n{PUBLISHED}\n"
    result = scored(tmp_path, text, LISTED[0], LISTED[1])  # 41.7831
    verdicts = {
        table: judged(result, published, table).verdict for table in ("close", "far", "hint")
    }
    assert verdicts == {"close": "within", "far": "outside", "hint": "within"}
    assert judged(result, published).verdict == "not judged"
    references = {
        (each.table, each.database): each.verdict
        for each in judged(result, published, "close").published
    }
    assert references["close", "other"] == "not compared"
    assert references["far", "mine"] == "not judged"
    part = scored(tmp_path, text, LISTED[0], limit=1)
    for partial, table in ((part, "elsewhere"), (result, "elsewhere"), (part, "close")):
        with pytest.raises(NothingToCompare, match="whole database"):
            judged(partial, published, table)
    with pytest.raises(UnknownName, match="close, far, hint"):
        judged(result, published, "cloze")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("mine: {score: 50, abs", "mien: {score: 50, abs", "unknown database 'mien'"),
        ("score: 50", "score: -1", "greater"),
        ("lines: [9], ", "", "lines or sha256"),
        ("level: warn", "level: wrn", "level"),
    ],
)
def test_file_of_published_scores_is_checked(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "published.yaml"
    path.write_text(DATABASES.replace(old, new))
    with pytest.raises(InvalidConfiguration, match=message):
        load_published(str(path))


def test_published_scores_have_sources_and_differ_by_less_than_they_print() -> None:
    published = load_published()
    assert published.databases["crashed"].lines == (100_000,)
    for table in published.tables.values():
        assert table.source
        for entry in table.entries.values():
            digits = len(f"{entry.score:.10f}".rstrip("0").rpartition(".")[2])
            assert entry.abs <= 0.5 * 10.0**-digits + 1e-12 or entry.score == 1.00
    assert published.tables["gnubg-0ply"].entries["contact"].score == 10.5


# -- JSON --


def test_document_fits_its_schema_and_nothing_more_does(tmp_path: Path) -> None:
    text = f"{FLAT}{PUBLISHED}\no OAHDPAABDAOAHDPAABDA 0.5 0 0 0 0\n"
    result = scored(tmp_path, text, "NHDOCEEAAEOPBNAAAAAA", LISTED[2])
    document = json.loads(dumps(judged(result, load_published())))
    assert faults("benchmark", document) == []
    assert document["total"]["average_loss"] == pytest.approx(SCALE * 0.111429 / 2)
    assert document["worst"][0]["choice"] == {
        "key": LISTED[2],
        "play": "24/20 13/11",
        "listed": True,
        "loss": 0.111429,
    }
    assert document["worst"][0]["listed"][0]["play"] == "8/4 6/4"
    assert from_position_key(document["worst"][0]["key"]) == START
