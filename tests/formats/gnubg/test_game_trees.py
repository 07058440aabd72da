"""The tree of a `.sgf` collection: the first variation counts, a truncated file is refused, and hostile megabytes are done with."""

from __future__ import annotations

import pytest

from reconcile.errors import UnreadableFile
from tests.support.claims import some
from tests.support.small_files import USUAL
from tests.support.small_sgf import ANN_31, BEN_31, codes, read, root


def test_only_the_first_variation_is_followed() -> None:
    branched = root() + ANN_31 + "(" + BEN_31 + "(;W[52mhmk](;B[66]))(;W[66]))(;B[66];W[66])(;B[55]))"
    plays = read(branched).plays
    assert plays.dice.tolist() == [[3, 1], [3, 1], [5, 2], [6, 6]]


@pytest.mark.parametrize(
    ("before", "after"),
    [("CA[UTF-8]", "CA()[UTF-8]"), ("\n;B", "\n(((;B"), ("\n;B", "\n()\n;B"), ("LU[-0.2]", "LUX[-0.2]"), ("FF[4]", "FF[4](PC[x])")],
)
def test_mark_in_a_place_without_one_is_noted(before: str, after: str) -> None:
    """gnuBG's parser reports a syntax error, and where it resumes may be elsewhere."""
    assert "damaged-value" in codes(read(USUAL.replace(before, after, 1) + ")" * (3 * after.count("((("))))
    assert codes(read(USUAL)) == []


@pytest.mark.parametrize(
    ("before", "after"), [("LU[0.1]", "LU][0.1]"), ("A[1]", "A[1]]"), ("GW[1]", "]GW[1]"), ("(;FF", "FF;)x(;FF"), (";B", ";B;B")]
)
def test_what_gnubg_skips_is_skipped(before: str, after: str) -> None:
    odd, plain = read(USUAL.replace(before, after, 1)), read(USUAL)
    assert codes(odd) == []
    assert [one.plays.luck.tolist() for one in (odd, plain)] == [plain.plays.luck.tolist()] * 2
    assert odd.candidates(1) == plain.candidates(1)


def test_every_prefix_is_refused_or_read_without_another_fault() -> None:
    two = USUAL + root(1, score=(1, 0)) + BEN_31 + ")"
    for end in some(range(len(two))):
        try:
            match = read(two[:end])
        except UnreadableFile:
            continue
        assert len(match.games) == 1
        assert end >= len(USUAL)
