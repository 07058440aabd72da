"""Whether a gap is usual: only analyses by the same tools at the same levels are compared, and the counts are right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reconcile.formats import load_match
from reconcile.gap.comparison import compare
from reconcile.gap.story import stories
from reconcile.gap.usual import FEWEST, of_others, place_of, usual_gaps
from reconcile.match.match import Match
from reconcile.scoring.statistics import statistics
from tests.support.loaded import DEMONSTRATION, loaded


def demonstration() -> tuple[Match, Match]:
    return loaded(Path(f"{DEMONSTRATION}.xg")), loaded(Path(f"{DEMONSTRATION}.sgf"))


def said(gaps: list[float]) -> list[str]:
    found = stories(compare(*demonstration(), usual=gaps))
    return [story.sentences[0] for story in found if story.cause == "usual"]


def test_table_has_gnubg_at_0_and_2_plies_in_either_order(data: Path) -> None:
    flat, deep = (statistics(load_match(data / f"real/test_{level}ply.sgf")) for level in (0, 2))
    assert len(usual_gaps(flat, deep)) >= FEWEST
    assert usual_gaps(flat, deep) == usual_gaps(deep, flat)
    assert list(usual_gaps(flat, deep)) == sorted(usual_gaps(flat, deep))


def test_other_levels_are_not_compared_with() -> None:
    left, right = demonstration()
    other = replace(right, levels=tuple(replace(level, lookahead=17.0) for level in right.levels))
    assert usual_gaps(statistics(left), statistics(other)) == ()
    assert not [story for story in stories(compare(left, other)) if story.cause == "usual"]


def test_sentence_counts_the_smaller_gaps() -> None:
    (sentence,) = said([0.1, 0.2, 1.0, 9.0])
    assert "In 4 player-matches of XG" in sentence
    assert "the gap was 2.58 on average" in sentence
    assert "the 2.31 of Nora Lindqvist is larger than 3 of them" in sentence


def test_a_match_is_not_held_against_itself() -> None:
    own = [abs(one.gap or 0) for one in compare(*demonstration()).figures if one.metric == "pr"]
    (sentence,) = said([0.1, 0.2, *own, 1.0, 9.0])
    assert "In 4 other player-matches of XG" in sentence
    assert "the gap was 2.58 on average" in sentence
    assert "the 2.31 of Nora Lindqvist is larger than 3 of them" in sentence
    assert said([0.1, 0.2, *own, 9.0]) == []
    assert "In 5 player-matches" in said([0.1, 0.2, own[0], 1.0, 9.0])[0]


@given(st.lists(st.floats(0, 10)), st.lists(st.floats(0, 10), min_size=1, max_size=2))
def test_only_a_match_that_is_all_there_is_left_out(others: list[float], own: list[float]) -> None:
    assume(not any(abs(one - size) < 1e-6 for one in others for size in own))
    kept = of_others(sorted([*others, *own]), own)
    assert list(kept) == sorted(others if any(own) else [*others, *own])
    assert list(of_others(others, own)) == others


def test_fewer_than_four_make_nothing_usual() -> None:
    assert said([0.1, 0.2, 0.3]) == []


@given(st.lists(st.floats(0, 10), min_size=1), st.floats(-10, 10))
def test_place_is_the_number_of_smaller_gaps(gaps: list[float], gap: float) -> None:
    number = sum(one < abs(gap) for one in gaps)
    words = {0: "none", len(gaps): "all"}.get(number, str(number))
    assert place_of(gap, gaps) == f"larger than {words} of them"


@pytest.mark.long
def test_gaps_of_an_archive_are_those_of_its_matches(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    from reconcile.corpus.assembly import load_corpus
    from reconcile.corpus.run import build
    from reconcile.corpus.study.gaps import measured_gaps

    files = [next(data.glob(f"bgblitz/{kind}/3WNK*.{kind}")) for kind in ("xg", "bgf")]
    build([str(path) for path in files], str(tmp_path), rules=("xg", "bgblitz"), jobs=1)
    left, right = (load_match(path) for path in files)
    expected = sorted(abs(one.gap or 0) for one in compare(left, right).figures if one.metric == "pr")
    corpus = load_corpus(str(tmp_path))
    analyses = [(match.source.tool, match.lookahead) for match in (left, right)]
    assert sorted(measured_gaps(corpus, analyses[0], analyses[1])) == pytest.approx(expected, abs=1e-9)
    assert measured_gaps(corpus, (analyses[0][0], 17.0), analyses[1]) == ()
