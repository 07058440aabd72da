"""Equities and chances in a `.sgf` file read alike in every version of gnuBG; what is cut or no number is refused or unknown."""

from __future__ import annotations

import numpy as np
import pytest

from reconcile.errors import UnreadableFile
from reconcile.match.columns import Kind
from reconcile.scoring.statistics import statistics
from tests.support.small_sgf import ANN, ANN_31, BEN_31, POINT, SPLIT, cube, read, refused, root, score, scored


@pytest.mark.parametrize(
    "alternative",
    [
        f"[{POINT} E ver 3 0.55 0.2 0.01 0.1 0.005 0.375 2C 0 1 0.000000 1]",
        f"[{POINT} E ver 2 0.55 0.2 0.01 0.1 0.005 0.375 2C 0 1 0.000000 1]",
        f"[{POINT} E 0.55 0.2 0.01 0.1 0.005 0.375 2C 0 1 0.000000]",
        f"[{POINT} X ver 3 Score 0.375 0.3 Trials 1296 Output 0.55 0.2 0.01 0.1 0.005 0.3 0.6 StdDev 1 1 1 1 1 1 1 SK 2 RC 2C]",
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
        f"X ver 3 Eq 0.1 Trials 36 NoDouble Output {SEVEN} 0.5625 StdDev 1 DoubleTake Output {SEVEN} 0.625 StdDev 1 SK 1",
        f"R Eq 0.1 Trials 36 NoDouble Output {SEVEN} 0.5625 StdDev 1 DoubleTake Output {SEVEN} 0.625",
    ],
    ids=["ver 3", "ver 2", "no ver", "rollout", "old rollout"],
)
def test_cube_analysis_reads_alike_in_every_version(analysis: str) -> None:
    cubes = read(root() + ANN_31 + f";B[31qtst]DA[{analysis}])").cubes
    assert (cubes.no_double.tolist(), cubes.double_take.tolist()) == ([0.5625], [0.625])
    assert np.isnan(cubes.double_pass).all()  # it comes from the match equity table


@pytest.mark.parametrize("analysis", ["", "Z 1 2 3", f"E ver 3 2C 1 0.000000 1 {SEVEN} nan {SEVEN} 0.5"])
def test_cube_without_a_readable_analysis_is_unknown_but_expected(analysis: str) -> None:
    cubes = read(root() + ANN_31 + f";B[31qtst]DA[{analysis}])").cubes
    assert (cubes.kind.tolist(), cubes.expected.tolist(), cubes.analysed.tolist()) == ([Kind.NO_DOUBLE], [True], [False])


@pytest.mark.parametrize(
    "node",
    [
        f"W[31{POINT}]A[0][{POINT} E ver 3 0.5 0.2]",
        f"W[31{POINT}]A[0]{scored(POINT, '0,25')}",
        f"W[31{POINT}]A[0]{scored(POINT, 'high')}",
        f"W[31{POINT}]LU[lucky]",
        f"W[31{POINT}]LU[1e39]",
        f"W[31{POINT}]A[0]{scored(POINT, '-1e300')}",
        f"W[31{POINT}]DA[E ver 3 2C 1 0.0 1 0.5]",
        f"W[31{POINT}]DA[X ver 3 NoDouble Output 1 2 3]",
    ],
)
def test_analysis_that_is_cut_or_no_number_is_refused_with_its_game(node: str) -> None:
    assert "game 1" in refused(root() + f";{node})")


HUGE = f"{10**400}.0"
"""Written like any number of gnuBG's, and infinite when read."""


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e999", pytest.param(HUGE, id="huge")])
@pytest.mark.parametrize("index", [0, 1])
def test_score_that_is_no_number_makes_a_play_unknown_and_not_perfect(number: str, index: int) -> None:
    alternatives = [scored(SPLIT, 0.25), scored(SPLIT, 0.25)]
    alternatives[index] = scored(POINT, number)
    computed = score(root() + f";W[31{POINT}]A[{index}]{''.join(alternatives)})")
    assert computed.match.plays.analysed.tolist() == [False]
    assert computed.figures(ANN)["decisions.counted"] == 0
    assert computed.figures(ANN)["pr"] is None


@pytest.mark.parametrize("number", ["inf", pytest.param(HUGE, id="huge")])
def test_value_of_a_cube_that_is_no_number_was_not_computed(number: str) -> None:
    text = root() + ANN_31 + BEN_31.replace("]A[", f"]{cube(0.5, 0.375).replace('0.375', number)}A[") + ")"
    assert number in text
    assert read(text).cubes.analysed.tolist() == [False]


BROKEN_ALTERNATIVES = (
    *(("0.55", "x"), ("0.2 ", "0.2: "), ("0.01", "0.0_1"), ("0.1 ", "--1 "), ("0.005", "0.005!"), ("ver 3", "ver ;"), ("ver 3", "vur 3")),
    *(("ver 3 0.55", "ver 3(0.55"), ("E ver", "E`ver"), (f"[{POINT}", f"[{POINT * 3}"), (f"[{POINT} E", "[E")),
)


@pytest.mark.parametrize(("sound", "broken"), BROKEN_ALTERNATIVES)
def test_alternative_with_anything_broken_before_its_score_is_refused(sound: str, broken: str) -> None:
    # gnuBG reads number by number and takes 0 from the first that is none.
    whole = root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)})"
    assert read(whole).plays.best.tolist() == [0.5]
    assert "damaged analysis: game 1, turn 1" in refused(whole.replace(sound, broken))


BROKEN_CUBES = (
    *(
        ("0.5 0.1", "0.5? 0.1"),
        (" 0.0 0.5 ", " --1 0.5 "),
        ("2C", "2`"),
        ("2C", "-1C"),
        ("2C 1 ", "2C 1e3 "),
        ("0.000000 1 ", "0x000000 1 "),
    ),
    *(("0.000000 1 ", "0.000000 1.5 "), ("ver 3", "ver 9x"), ("E ver", "E`ver"), ("ver 3", "ver 1"), (" 0.25]", "]"), ("2C", "C")),
)


@pytest.mark.parametrize(("sound", "broken"), BROKEN_CUBES)
def test_cube_analysis_with_anything_broken_is_refused(sound: str, broken: str) -> None:
    whole = root() + ANN_31 + BEN_31.replace("]A[", f"]{cube(0.5, 0.25)}A[") + ")"
    assert read(whole).cubes.no_double.tolist() == [0.5]
    broken_cube = cube(0.5, 0.25).replace(sound, broken, 1)
    assert broken_cube != cube(0.5, 0.25)
    assert "damaged analysis: game 1, turn 2" in refused(whole.replace(cube(0.5, 0.25), broken_cube))


def test_alternatives_without_the_number_of_the_play_made_are_refused() -> None:
    whole = root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)})"
    assert "number of the play made" in refused(whole.replace("A[0]", f"A{scored(SPLIT, 0.5)}[0]"))


def test_numbers_that_only_candidates_need_are_refused_when_they_are_read() -> None:
    match = read(root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)}{scored(SPLIT, 0.25).replace('0.55', 'x')})")
    with pytest.raises(UnreadableFile, match="game 1"):
        match.candidates(0)
    match = read(root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)}{scored(SPLIT, 'x')})")
    with pytest.raises(UnreadableFile, match="game 1"):
        statistics(match, "xg")
