"""What choices cost: best, listed, outside the list, missing, illegal; both denominators; by class;
beside published scores."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from engine_benchmark.engines import Question, gnubg_player
from engine_benchmark.keys import from_position_key, position_key, result_keys
from engine_benchmark.published import judged, load_published
from engine_benchmark.results import SCALE
from engine_benchmark.score import findings, score
from reconcile.document import dumps
from reconcile.errors import InvalidConfiguration, NothingToCompare
from reconcile.match.board.play import legal_plays
from reconcile.match.board.position import START
from tests.engine_benchmark.samples import DATABASES, FLAT, LISTED, PUBLISHED, written
from tests.support.gnubg import needs_gnubg, program
from tests.support.schemas import faults

LOSSES = [0.0, 0.0835662, 0.111429, 0.124954, 0.189375]


@dataclass(frozen=True)
class Chooser:
    """An engine made of a function."""

    choice: Callable[[Question], str | None]
    name: str = "a chooser"

    def choose(self, questions, progress):
        progress(len(questions))
        return [self.choice(question) for question in questions]


def scored(folder, text, *choices, **options):
    """The score of an engine that gives these answers one after the other."""
    answers = iter(choices)
    return score(Chooser(lambda question: next(answers)), [written(folder, text)], **options)


def test_a_play_costs_what_the_line_says_and_outside_the_list_the_last_loss(
    tmp_path,
):
    outside = [key for key in result_keys(legal_plays(START, 2, 4)) if key not in LISTED]
    assert len(outside) == 18 - 5
    for choice, loss in zip([*LISTED, *outside], [*LOSSES, *13 * LOSSES[-1:]], strict=True):
        result = scored(tmp_path, PUBLISHED, choice)
        total = result.total
        assert total.average_loss == pytest.approx(1000 * loss)
        assert (total.n_out, total.errors, total.scored) == (choice in outside, loss > 0, 1)
        assert [worst.choice.listed for worst in result.worst] == [choice in LISTED] * (loss > 0)


UNSWAPPED = position_key(legal_plays(START, 2, 4)[0].result)
"""As if the mover were still on roll: the usual mistake."""


def test_missing_and_illegal_answers_are_counted_and_cost_nothing(tmp_path):
    text = "\n".join([PUBLISHED] * 20)
    result = scored(tmp_path, text, *[LISTED[1]] * 18, None, UNSWAPPED)
    total = result.total
    assert (total.lines, total.scored, total.missing, total.illegal) == (20, 18, 1, 1)
    assert total.average_loss == pytest.approx(83.5662)
    codes = {finding.code: finding.evidence for finding in findings(result)}
    assert codes["answers-missing"] == codes["answers-illegal"] == "1 of 20 lines"


@pytest.mark.parametrize("wrong", [UNSWAPPED, "", "no key at all", None])
def test_engine_that_answers_few_lines_has_no_score_and_fails(tmp_path, wrong):
    result = scored(tmp_path, "\n".join([PUBLISHED] * 14), LISTED[1], *[wrong] * 13)
    total = result.total
    figures = (total.average_loss, total.average_loss_interesting, total.standard_error)
    assert (figures, result.verdict) == ((None, None, None), "outside")
    assert judged(result, load_published(), "gnubg-0ply").verdict == "outside"


def test_no_answer_at_all_is_no_score(tmp_path):
    with pytest.raises(NothingToCompare, match="1 answers missing"):
        scored(tmp_path, PUBLISHED, None)
    with pytest.raises(NothingToCompare, match="0 with a list"):
        scored(tmp_path, "o OAHDPAABDAOAHDPAABDA 1 0 0 0 0\n")


def test_a_flat_line_counts_in_the_first_average_only_and_files_add_up(tmp_path):
    """83.5662 over one line or over two; without any other the second is unknown."""
    flat_play = "NHDOCEEAAEOPBNAAAAAA"
    flat = scored(tmp_path, FLAT, flat_play).total
    averages = flat.average_loss, flat.average_loss_interesting, flat.standard_error
    assert averages == (0, None, None)
    other = tmp_path / "b.bm"
    other.write_text(FLAT)
    chooser = Chooser(lambda question: LISTED[1] if question.dice == (2, 4) else flat_play)
    apart = score(chooser, [written(tmp_path, PUBLISHED), str(other)])
    assert [file.total.lines for file in apart.files] == [1, 1]
    lines = {name: tally.lines for name, tally in apart.by_class.items()}
    assert lines == {"contact": 1, "race": 1}
    for total in (apart.total, scored(tmp_path, f"{FLAT}{PUBLISHED}", flat_play, LISTED[1]).total):
        both = total.average_loss, total.average_loss_interesting
        assert both == pytest.approx((83.5662 / 2, 83.5662))
        assert (total.scored, total.interesting) == (2, 1)


def test_dance_is_answered_with_the_same_position(tmp_path):
    """On the bar against a closed board nothing can be played; the opponent is on roll."""
    closed = (0, *[0] * 12, 5, 0, 0, 0, 0, 0, -2, -2, -2, -2, -2, -2, 2)
    key, other = position_key(closed), position_key(tuple(-count for count in reversed(closed)))
    assert legal_plays(closed, 6, 6) == []
    text = f"m {key} 6 6 {LISTED[0]} 0.5"
    assert scored(tmp_path, text, other).total.n_out == 1
    assert scored(tmp_path, text, key).total.illegal == 1


def test_scatter_distribution_and_dearest_choices_by_hand(tmp_path):
    """Losses 0 and 0.189375: the mean is half, the deviation 0.189375 / sqrt(2), over sqrt(2) again
    half."""
    total = scored(tmp_path, f"{PUBLISHED}\n{PUBLISHED}\n", LISTED[0], LISTED[-1]).total
    assert total.standard_error == pytest.approx(1000 * 0.189375 / 2)
    result = scored(tmp_path, "\n".join([PUBLISHED] * 30), *LISTED * 6)
    parts = [part.lines for part in result.total.distribution]
    assert parts == [6, 0, 0, 0, 0, 0, 18, 6, 0]
    losses = [each.choice.loss for each in result.worst]
    assert (losses, len(losses)) == (sorted(losses, reverse=True), 20)
    worst = result.worst[0]
    assert (losses[0], worst.line, worst.choice.play) == (0.189375, 5, "24/22 24/20")


@pytest.mark.parametrize(("limit", "complete"), [(3, False), (7, True), (8, True)])
def test_limit_is_a_number_of_m_lines_of_each_file(tmp_path, limit, complete):
    result = scored(tmp_path, "\n".join([PUBLISHED] * 7), *LISTED[:1] * 7, limit=limit)
    assert (result.total.lines, result.files[0].complete) == (min(limit, 7), complete)
    if not complete:
        with pytest.raises(NothingToCompare, match="whole database"):
            judged(result, load_published(), "gnubg-0ply")


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


@needs_gnubg
def test_fixture_under_gnubg_at_0_plies(data):
    result = score(
        gnubg_player(program(), 0, 120, 2), [str(data / "benchmark" / "format-fixture.bm")]
    )
    tallies = {
        name: (tally.scored, tally.interesting, tally.n_out)
        for name, tally in result.by_class.items()
    }
    assert tallies == EXPECTED
    total = result.total
    assert (total.average_loss, total.average_loss_interesting, total.errors) == (0.0, 0.0, 0)
    codes = {finding.code for finding in findings(result)}
    assert codes == {"choices-not-listed", "flat-lines", "other-positions"}


# -- published scores --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("mine: {score: 50, abs", "mien: {score: 50, abs", "unknown database 'mien'"),
        ("score: 50", "score: -1", "greater"),
        ("lines: [9], ", "", "lines or sha256"),
        ("level: warn", "level: wrn", "level"),
    ],
)
def test_file_of_published_scores_is_checked(tmp_path, old, new, message):
    path = tmp_path / "published.yaml"
    path.write_text(DATABASES.replace(old, new))
    with pytest.raises(InvalidConfiguration, match=message):
        load_published(str(path))


def test_published_scores_differ_by_less_than_they_print():
    published = load_published()
    assert published.databases["crashed"].lines == (100_000,)
    for table in published.tables.values():
        for entry in table.entries.values():
            digits = len(f"{entry.score:.10f}".rstrip("0").rpartition(".")[2])
            assert entry.abs <= 0.5 * 10.0**-digits + 1e-12 or entry.score == 1.00


# -- JSON --


def test_document_fits_its_schema_and_nothing_more_does(tmp_path):
    text = f"{FLAT}{PUBLISHED}\no OAHDPAABDAOAHDPAABDA 0.5 0 0 0 0\n"
    result = scored(tmp_path, text, "NHDOCEEAAEOPBNAAAAAA", LISTED[2])
    document = json.loads(dumps(judged(result, load_published())))
    assert (faults("benchmark", document), document["verdict"]) == ([], "not judged")
    assert document["total"]["average_loss"] == pytest.approx(SCALE * 0.111429 / 2)
    worst = document["worst"][0]
    choice = {"key": LISTED[2], "play": "24/20 13/11", "listed": True, "loss": 0.111429}
    assert (worst["choice"], worst["listed"][0]["play"]) == (choice, "8/4 6/4")
    assert from_position_key(worst["key"]) == START
