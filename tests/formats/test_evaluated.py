"""A kept analysis: read to the digit, and refused in one line whatever is wrong with it."""

import numpy as np
import pytest

from reconcile.formats import load_match, read_match
from reconcile.formats.evaluated import Roll, evaluated, places
from reconcile.match.board.play import parse_play
from reconcile.match.columns import UNKNOWN_COUNT
from reconcile.match.match import Candidate, Level
from reconcile.scoring.statistics import statistics
from tests.formats.kept_analysis import DOCUMENT, RECORD
from tests.support.schemas import faults
from tests.support.small_transcripts import SHORT


def test_the_document_is_the_published_one():
    assert faults("analysis", DOCUMENT) == []


BEST = Candidate(((8, 5), (6, 5)), 0.1, "1-ply", made=True)
OTHER = Candidate(((24, 20),), 0.05, "1-ply")


@pytest.mark.parametrize("listed", [(BEST, OTHER), (OTHER, BEST), (BEST,)])
def test_cut_list_of_plays_is_a_choice_and_one_play_is_as_many_as_the_transcript_says(
    listed,
):
    """A reader that lays a list of the best plays over a transcript; rules count a play by the
    number of legal ones."""
    transcript = read_match("short.mat", SHORT.encode())
    legal = transcript.plays.legal
    rolls = {
        place: Roll(listed if number > 1 else (BEST,))
        for place, number in zip(places(transcript, transcript.plays), legal, strict=True)
    }
    match = evaluated(transcript, transcript.source, Level("1-ply", 0), rolls, {})
    assert match.plays.analysed.all()
    counted = [statistics(match, "gnubg").figures(seat)["decisions.checker"] for seat in (0, 1)]
    assert sum(number or 0 for number in counted) == np.count_nonzero(legal > 1) > 0
    assert (legal < 2).any()


def test_cut_list_over_a_record_that_counts_no_plays_is_a_choice():
    record = read_match("record.sgf", RECORD.encode())
    assert set(record.plays.legal.tolist()) == {UNKNOWN_COUNT}
    rolls = {(1, 1): Roll((BEST, OTHER)), (1, 2): Roll((BEST,))}
    match = evaluated(record, record.source, Level("1-ply", 0), rolls, {})
    assert match.plays.legal.tolist() == [2, UNKNOWN_COUNT]


@pytest.mark.parametrize("name", ["order_best", "order_played"])
def test_order_of_candidates_decides_nothing(data, name):
    match = load_match(data / "field" / f"{name}.analysis.json")
    row = match.plays.analysed.tolist().index(True)
    assert match.first_candidate(row) == parse_play("24/18 13/9")
    error = statistics(match).decisions().to_frame()["error"].sum()
    assert error == pytest.approx(0.3)
    told = [note.code for note in match.notes]
    assert told == ["candidates-disagree"] * (name == "order_played")
