"""A kept analysis: read to the digit, and refused in one line whatever is wrong with it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np

from reconcile.formats import read_match
from reconcile.formats.evaluated import Roll, evaluated
from reconcile.formats.evaluated import places as evaluated_places
from reconcile.match.columns import UNKNOWN_COUNT
from reconcile.match.match import Candidate, Level
from reconcile.scoring.statistics import statistics
from tests.formats.kept_analysis import DOCUMENT, RECORD
from tests.support.schemas import faults
from tests.support.small_transcripts import SHORT


def content(document: Any) -> bytes:
    return json.dumps(document).encode()


def test_the_document_is_the_published_one() -> None:
    assert faults("analysis", DOCUMENT) == []


def test_cut_list_of_plays_is_a_choice_and_one_play_is_as_many_as_the_transcript_says() -> None:
    """A reader that lays a list of the best plays over a transcript; rules count a play by the
    number of legal ones."""
    transcript = read_match("short.mat", SHORT.encode())
    choices = int(np.count_nonzero(transcript.plays.legal > 1))
    assert 0 < choices < len(transcript.plays)
    best = Candidate(((8, 5), (6, 5)), 0.1, "1-ply")
    for choice in ((best, replace(best, equity=0.05, made=True)), (replace(best, made=True),)):
        rolls = {
            place: Roll(choice if legal > 1 else choice[-1:])
            for place, legal in zip(
                evaluated_places(transcript, transcript.plays), transcript.plays.legal, strict=True
            )
        }
        match = evaluated(transcript, transcript.source, Level("1-ply", 0), rolls, {})
        assert match.plays.analysed.all()
        assert (
            sum(
                statistics(match, "gnubg").figures(seat)["decisions.checker"] or 0
                for seat in (0, 1)
            )
            == choices
        )


def test_cut_list_over_a_record_that_counts_no_plays_is_a_choice() -> None:
    record = read_match("record.sgf", RECORD.encode())
    assert set(record.plays.legal.tolist()) == {UNKNOWN_COUNT}
    listed = (
        Candidate(((8, 5), (6, 5)), 0.1, "1-ply", made=True),
        Candidate(((24, 20),), 0.05, "1-ply"),
    )
    match = evaluated(
        record,
        record.source,
        Level("1-ply", 0),
        {(1, 1): Roll(listed), (1, 2): Roll(listed[:1])},
        {},
    )
    assert match.plays.legal.tolist() == [2, UNKNOWN_COUNT]
