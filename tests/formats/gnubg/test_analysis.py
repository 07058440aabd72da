"""Equities and chances in a `.sgf` file read alike in every version of gnuBG; what is cut or no
number is refused or unknown."""

from __future__ import annotations

import numpy as np
import pytest

from reconcile.errors import UnreadableFile
from reconcile.match.columns import Kind
from reconcile.scoring.statistics import statistics
from tests.support.small_sgf import (
    ANN,
    ANN_31,
    BEN_31,
    POINT,
    SPLIT,
    cube,
    read,
    root,
    score,
    scored,
)


@pytest.mark.parametrize(
    "alternative",
    [
        f"[{POINT} E ver 3 0.55 0.2 0.01 0.1 0.005 0.375 2C 0 1 0.000000 1]",
        f"[{POINT} E ver 2 0.55 0.2 0.01 0.1 0.005 0.375 2C 0 1 0.000000 1]",
        f"[{POINT} E 0.55 0.2 0.01 0.1 0.005 0.375 2C 0 1 0.000000]",
        f"[{POINT} X ver 3 Score 0.375 0.3 Trials 1296 Output 0.55 0.2 0.01 0.1 0.005 0.3 0.6 "
        "StdDev 1 1 1 1 1 1 1 SK 2 RC 2C]",
        f"[{POINT} R Score 0.375 0.3 Trials 36 Output 0.55 0.2 0.01 0.1 0.005 0.3 0.6]",
    ],
    ids=["ver 3", "ver 2", "no ver", "rollout", "old rollout"],
)
def test_alternative_reads_alike_in_every_version(alternative: str) -> None:
    match = read(root() + f";W[31{POINT}]A[0]{alternative})")
    assert match.plays.best.tolist() == [0.375]
    (candidate,) = match.candidates(0)
    assert candidate.equity == 0.375
    assert candidate.probabilities == (0.55, 0.2, 0.01, 0.1, 0.005)
    assert (candidate.level == "rollout") == (" X " in alternative or " R " in alternative)


SEVEN = "0.5 0.1 0.0 0.1 0.0 0.2"


@pytest.mark.parametrize(
    "analysis",
    [
        f"E ver 3 2C 1 0.000000 1 {SEVEN} 0.5625 {SEVEN} 0.625",
        f"E ver 2 2C 0 1 0.000000 1 {SEVEN} 0.5625 {SEVEN} 0.625",
        f"E 0 0 0 0 2C 0 1 0.000000 {SEVEN} 0.5625 {SEVEN} 0.625",
        f"X ver 3 Eq 0.1 Trials 36 NoDouble Output {SEVEN} 0.5625 StdDev 1 DoubleTake Output "
        f"{SEVEN} 0.625 StdDev 1 SK 1",
        f"R Eq 0.1 Trials 36 NoDouble Output {SEVEN} 0.5625 StdDev 1 DoubleTake Output {SEVEN} "
        "0.625",
    ],
    ids=["ver 3", "ver 2", "no ver", "rollout", "old rollout"],
)
def test_cube_analysis_reads_alike_in_every_version(analysis: str) -> None:
    cubes = read(root() + ANN_31 + f";B[31qtst]DA[{analysis}])").cubes
    assert (cubes.no_double.tolist(), cubes.double_take.tolist()) == ([0.5625], [0.625])
    assert np.isnan(cubes.double_pass).all()  # it comes from the match equity table


@pytest.mark.parametrize(
    "analysis", ["", "Z 1 2 3", f"E ver 3 2C 1 0.000000 1 {SEVEN} nan {SEVEN} 0.5"]
)
def test_cube_without_a_readable_analysis_is_unknown_but_expected(analysis: str) -> None:
    cubes = read(root() + ANN_31 + f";B[31qtst]DA[{analysis}])").cubes
    assert (cubes.kind.tolist(), cubes.expected.tolist(), cubes.analysed.tolist()) == (
        [Kind.NO_DOUBLE],
        [True],
        [False],
    )


HUGE = f"{10**400}.0"
"""Written like any number of gnuBG's, and infinite when read."""


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e999", pytest.param(HUGE, id="huge")])
@pytest.mark.parametrize("index", [0, 1])
def test_score_that_is_no_number_makes_a_play_unknown_and_not_perfect(
    number: str, index: int
) -> None:
    alternatives = [scored(SPLIT, 0.25), scored(SPLIT, 0.25)]
    alternatives[index] = scored(POINT, number)
    computed = score(root() + f";W[31{POINT}]A[{index}]{''.join(alternatives)})")
    assert computed.match.plays.analysed.tolist() == [False]
    assert computed.figures(ANN)["decisions.counted"] is computed.figures(ANN)["pr"] is None


@pytest.mark.parametrize("number", ["inf", pytest.param(HUGE, id="huge")])
def test_value_of_a_cube_that_is_no_number_was_not_computed(number: str) -> None:
    text = (
        root()
        + ANN_31
        + BEN_31.replace("]A[", f"]{cube(0.5, 0.375).replace('0.375', number)}A[")
        + ")"
    )
    assert number in text
    assert read(text).cubes.analysed.tolist() == [False]


def test_numbers_that_only_candidates_need_are_refused_when_they_are_read() -> None:
    match = read(
        root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)}{scored(SPLIT, 0.25).replace('0.55', 'x')})"
    )
    with pytest.raises(UnreadableFile, match="game 1"):
        match.candidates(0)
    match = read(root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)}{scored(SPLIT, 'x')})")
    with pytest.raises(UnreadableFile, match="game 1"):
        statistics(match, "xg")


def test_blanks_before_the_version_of_an_analysis_are_skipped() -> None:
    match = root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)})"
    assert read(match.replace("E ver 3", "E  ver 3")).plays.best.tolist() == [0.5]
