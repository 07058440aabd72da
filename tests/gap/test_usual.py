"""Whether a gap is usual: only analyses by the same tools at the same levels are compared, and a
file of gaps is read or refused."""

import re
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reconcile.errors import UnreadableFile
from reconcile.formats import load_match
from reconcile.gap.comparison import (
    FEWEST,
    compare,
    load_usual,
    of_others,
    shipped,
    usual_document,
)
from tests.support.command_line import SGF, XG, refused, run
from tests.support.several import bundled_sgf, bundled_xg
from tests.support.tables import cases_of


def usual(gaps):
    findings = compare(bundled_xg(), bundled_sgf(), usual=gaps).findings
    return [finding.evidence for finding in findings if finding.code == "usual-gap"]


def test_table_has_gnubg_at_0_and_2_plies_in_either_order(data):
    flat, deep = (load_match(data / f"real/test_{level}ply.sgf") for level in (0, 2))
    assert len(gaps := shipped().between(flat, deep)) >= FEWEST
    assert gaps == shipped().between(deep, flat) == tuple(sorted(gaps))


def test_other_levels_are_not_compared_with():
    left, right = bundled_xg(), bundled_sgf()
    other = replace(right, levels=tuple(replace(level, lookahead=17.0) for level in right.levels))
    assert shipped().between(left, other) == ()


def gaps_of(left, right):
    figures = compare(left, right).figures
    return [abs(figure.gap or 0) for figure in figures if figure.metric == "pr"]


def test_note_counts_the_smaller_gaps_of_other_matches():
    own = gaps_of(bundled_xg(), bundled_sgf())
    for gaps in ([0.1, 0.2, 1.0, 9.0], [0.1, 0.2, *own, 1.0, 9.0]):
        (evidence,) = usual(gaps)
        assert "in 4 other player-matches of XG" in evidence
        assert evidence.startswith("2.58 on average")
        assert "2.31 of Nora Lindqvist is larger than 3 of them" in evidence
    assert usual([0.1, 0.2, 0.3]) == usual([0.1, 0.2, *own, 9.0]) == []
    assert "in 5 other player-matches" in usual([0.1, 0.2, own[0], 1.0, 9.0])[0]


@given(st.lists(st.floats(0, 10)), st.lists(st.floats(0, 10), min_size=1, max_size=2))
def test_only_a_match_that_is_all_there_is_left_out(rest, own):
    assume(not any(abs(each - size) < 1e-6 for each in rest for size in own))
    remaining = of_others(sorted([*rest, *own]), own)
    assert list(remaining) == sorted(rest if any(own) else [*rest, *own])
    assert list(of_others(rest, own)) == rest


# -- the file --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [*cases_of(__file__, "other_content_is_refused"), "[" * 100_000],
)
def test_other_content_is_refused(content, tmp_path):
    path = tmp_path / "usual.json"
    path.write_text(content)
    why = r"usual\.json: expected usual gaps as .*, found (no such JSON|other content at .*);"
    with pytest.raises(UnreadableFile, match=why) as caught:
        load_usual(str(path))
    assert not re.search("Input should|Field required|Tuple|valid dictionary", str(caught.value))


def test_comparison_is_held_against_the_file(tmp_path):
    files = bundled_sgf(), bundled_xg()
    pair = {
        "tools": [match.source.tool for match in files],
        "lookahead": [match.lookahead for match in files],
        "matches": 2,
        "gaps": [0.1, 0.2, 1.0, 9.0],
    }
    table = tmp_path / "usual.json"
    for pairs, noted in (([pair], True), ([], False)):
        table.write_text(usual_document(pairs))
        text = " ".join(run("compare", XG, SGF, "--corpus", str(table)).output.split())
        assert ("in 4 other player-matches of XG" in text) == noted
    refused("compare", XG, SGF, "--corpus", tmp_path / "none.json")
