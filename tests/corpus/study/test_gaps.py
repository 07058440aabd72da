"""Gaps between tools and levels are those of the single files, whoever sits where and whatever
the names."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from pydantic import TypeAdapter

from reconcile import load_match
from reconcile.corpus.assembly import Corpus
from reconcile.corpus.run import build
from reconcile.corpus.study import Gaps, Study, study, usual_pairs
from reconcile.files.aliases import load_aliases
from reconcile.gap.comparison import compare
from reconcile.gap.usual import UsualTable, usual_document
from tests.support.hand_made_corpus import (
    UNKNOWN,
    corpus_of,
    decision_row,
    match_row,
    player_rows,
)

XG, GNUBG = "eXtreme Gammon", "GNU Backgammon"


@pytest.fixture(scope="module")
def levels(
    data: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Corpus, dict[tuple[float | None, float | None], list[float]]]:
    """Two matches by XG and by gnuBG at 0 plies, one at 2, and their gaps by the plies, from
    `compare`."""
    names = [
        ("match_with_comment", "0ply"),
        ("ronde1-UngerHarmand-FriebeJacobi-7pt", "0ply"),
        ("charlot1-charlot2_7p_2025-11-08-2305", "2ply"),
    ]
    files = []
    expected: dict[tuple[float | None, float | None], list[float]] = defaultdict(list)
    for name, level in names:
        pair = data / "real" / f"{name}.xg", data / "real" / f"{name}_{level}.sgf"
        files += [str(path) for path in pair]
        left, right = (load_match(path) for path in pair)
        gaps = [figure.gap for figure in compare(left, right).figures if figure.metric == "pr"]
        expected[left.lookahead, right.lookahead] += [gap for gap in gaps if gap is not None]
    return build(files, tmp_path_factory.mktemp("levels"), jobs=1), expected


def test_levels_have_the_gaps_of_their_files(
    levels: tuple[Corpus, dict[tuple[float | None, float | None], list[float]]],
) -> None:
    corpus, expected = levels
    (pair,) = study(corpus, load_aliases(None)).tools
    plies = {
        ("3 plies ahead", "0 plies ahead"): (3.0, 0.0),
        ("3 plies ahead", "2 plies ahead"): (3.0, 2.0),
    }
    assert {plies[level.depth]: len(level.gap.values) for level in pair.levels} == {
        (3.0, 0.0): 4,
        (3.0, 2.0): 2,
    }
    for level in pair.levels:
        values = expected[plies[level.depth]]
        assert level.gap.values == pytest.approx(np.sort(values), abs=1e-9)
        assert level.gap.quantiles == pytest.approx(
            np.quantile(values, (0.05, 0.25, 0.5, 0.75, 0.95)), abs=1e-9
        )
        assert level.mean.value == pytest.approx(np.mean(values), abs=1e-9)
        assert level.size.value == pytest.approx(np.mean(np.abs(values)), abs=1e-9)
        assert level.mean.matches == len(values) / 2


@pytest.mark.long
def test_interval_of_a_quantile_holds_it_19_times_of_20() -> None:
    draw, hits = np.random.default_rng(5), 0
    for _ in range(1000):
        # Both players of a match have the same gap: the worst case, in which there are only as many
        # values as matches.
        interval = Gaps(np.sort(np.repeat(draw.normal(0, 1, 200), 2)), 200).quantile_intervals[1]
        assert interval is not None
        hits += interval[0] <= NormalDist().inv_cdf(0.25) <= interval[1]
    assert 925 <= hits <= 975
    assert Gaps(np.arange(20.0), 10).quantile_intervals[0] is None
    assert Gaps(np.arange(0.0), 0).quantile_intervals[2] is None


def test_table_of_usual_gaps_has_them_by_level(
    levels: tuple[Corpus, dict[tuple[float | None, float | None], list[float]]],
) -> None:
    corpus, expected = levels
    table = TypeAdapter(UsualTable).validate_json(usual_document(usual_pairs(corpus)))
    for (left, right), values in expected.items():
        sizes = sorted(abs(value) for value in values)
        assert table.between((XG, left), (GNUBG, right)) == pytest.approx(sizes, abs=1e-9)
        assert table.between((GNUBG, right), (XG, left)) == pytest.approx(sizes, abs=1e-6)
    assert table.between((XG, 3.0), (GNUBG, 7.0)) == ()
    assert {pair.matches for pair in table.pairs} == {1, 2}


def seated(folder: Path, *, complete: bool = True) -> Study:
    """A match whose players sit the other way round in gnuBG's file, under other names."""
    names = (("Ann", "Ben"), ("guest", "me"))
    matches = [
        match_row(0, XG, names[0]),
        match_row(1, GNUBG, names[1], same_as=0, fully_analysed=complete),
    ]
    players = [*player_rows(0, names[0], (1.0, 4.0)), *player_rows(1, names[1], (5.0, 1.5))]
    if not complete:
        players = [row | UNKNOWN if row["name"] == "me" else row for row in players]
    decisions = [
        decision_row(0, 1, 0, 0.0),
        decision_row(1, 1, 1, 0.0),
        decision_row(0, 2, 1, 0.0),
        decision_row(1, 2, 0, 0.0),
    ]
    return study(
        corpus_of(folder, matches=matches, players=players, decisions=decisions), load_aliases(None)
    )


def test_players_are_paired_by_who_rolled_first(tmp_path: Path) -> None:
    (pair,) = seated(tmp_path).tools
    # Ann lost 1 by XG and, as "me", 1.5 by gnuBG; Ben 4 and 5. PR is 500 times that over 50
    # decisions.
    assert pair.gap.values.tolist() == pytest.approx([5.0, 10.0])
    assert [(outlier.player, outlier.left, outlier.right) for outlier in pair.outliers] == [
        ("Ben", 40.0, 50.0),
        ("Ann", 10.0, 15.0),
    ]


def test_incomplete_analysis_is_left_out_and_counted(tmp_path: Path) -> None:
    (pair,) = seated(tmp_path, complete=False).tools
    assert (pair.gap.values.tolist(), pair.incomplete) == ([10.0], 1)


def test_gap_of_two_tools_is_split_by_the_left_analysis_under_the_right_rules(
    tmp_path: Path,
) -> None:
    """XG's analysis gives Ann 8 by its own rules and 9 by gnuBG's, gnuBG's gives 11 by its own:
    of 3 between them 1 is counting."""
    names = ("Ann", "Ben")
    rates = {
        (0, "xg"): (8.0, 6.0),
        (0, "gnubg"): (9.0, 5.5),
        (1, "xg"): (10.0, 2.0),
        (1, "gnubg"): (11.0, 1.0),
    }
    matches = [match_row(0, XG, names), match_row(1, GNUBG, names, same_as=0)]
    players = [
        {**row, "pr": rates.get((number, row["rules"]), (7.0, 7.0))[row["seat"]]}
        for number in (0, 1)
        for row in player_rows(number, names)
    ]
    decisions = [decision_row(number, turn, turn - 1, 0.0) for number in (0, 1) for turn in (1, 2)]
    report = study(
        corpus_of(tmp_path, matches=matches, players=players, decisions=decisions),
        load_aliases(None),
    )
    (pair,) = report.tools
    assert [(outlier.player, outlier.gap, outlier.counting) for outlier in pair.outliers] == [
        ("Ben", -5.0, -0.5),
        ("Ann", 3.0, 1.0),
    ]
    assert pair.counting.values.tolist() == [-0.5, 1.0]
    # The same files under two rule sets: every one has its own gap, gnuBG's rules minus XG's, and
    # the sign does not matter.
    assert report.rules_gap.values.tolist() == [-1.0, -0.5, 1.0, 1.0]
    assert [(outlier.gap, outlier.files) for outlier in report.rules_outliers[-1:]] == [
        (-0.5, ("0.file",))
    ]


def test_match_with_several_analyses_by_one_program_counts_once(tmp_path: Path) -> None:
    """Of gnuBG's files that of 4 plies speaks, and each pair of levels has the match once."""
    names = ("Ann", "Ben")
    depths = [(XG, 2.0, (1.0, 4.0)), (GNUBG, 0.0, (9.0, 9.0)), (GNUBG, 4.0, (5.0, 1.5))]
    matches = [
        match_row(number, tool, names, same_as=0, lookahead=plies, level_name=f"{plies:g}-ply")
        for number, (tool, plies, _) in enumerate(depths)
    ]
    players = [
        row
        for number, (_, _, lost) in enumerate(depths)
        for row in player_rows(number, names, lost)
    ]
    decisions = [
        decision_row(number, turn, turn - 1, 0.0) for number in range(3) for turn in (1, 2)
    ]
    report = study(
        corpus_of(tmp_path, matches=matches, players=players, decisions=decisions),
        load_aliases(None),
    )
    between = next(pair for pair in report.tools if pair.left.name != pair.right.name)
    assert (between.gap.values.tolist(), between.mean.matches) == ([-25.0, 40.0], 1)
    assert [len(level.gap.values) for level in between.levels] == [2, 2]
