"""What a match equity table promises, without gnuBG at hand."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.errors import UnknownName, UnreadableFile
from reconcile.match.met import DEFAULT_MET, LONGEST_MATCH, equity_tables, load_met
from tests.match.met.table_files import CASES, GOOD, GOOD_TABLE, table_xml

SYMMETRIC = {
    "Kazaross-XG2",
    "Rockwell-Kazaross",
    "g11",
    "jacobs",
    "mec26",
    "snowie",
    "woolsey",
    "zadeh",
}
"""Two are lopsided by design (jac050, jac100), ortega lists figures that do not add up to 1, and
mec is lopsided by gnuBG's fault."""

aways = st.integers(1, LONGEST_MATCH)


def chance(met, away0, away1, post_crawford=False):
    return float(met.chance(away0, away1, post_crawford))


def written(folder, content):
    path = folder / "made.xml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


# Names


@pytest.mark.parametrize("name", equity_tables())
def test_every_table_knows_its_source_and_has_chances_that_can_be(name):
    met = load_met(name)
    assert met.name == name
    assert met.title
    assert met.source.endswith(f"as shipped by gnuBG 1.07.001, met/{name}.xml")
    for chances, shape in ((met.pre, (64, 64)), (met.post, (2, 64))):
        assert chances.shape == shape
        assert chances.dtype == np.float32
        assert np.all((chances > 0) & (chances < 1))
    alike = np.allclose(met.pre + met.pre.T, 1, rtol=0, atol=1e-6) and np.array_equal(
        met.post[0], met.post[1]
    )
    assert alike is (name in SYMMETRIC)
    # An opponent who needs a point more is never better off. Where listed figures end and projected
    # ones begin, the three tables of Jacobs and Trice jump, in gnuBG too.
    edge = met.explicit_length or 0
    worse = np.diff(met.pre, axis=1) < 0
    assert not worse[:edge, : max(edge - 1, 0)].any()
    assert not worse[:, edge:].any()


def test_letter_case_does_not_matter():
    assert load_met("kazaross-xg2") is load_met("Kazaross-XG2")
    assert load_met("WOOLSEY") is load_met("woolsey")
    assert DEFAULT_MET in equity_tables()


@pytest.mark.parametrize("name", ["Kazaros", "", "woolsey ", "../met/woolsey", "woolsey.json"])
def test_unknown_name_lists_the_known_ones(name):
    with pytest.raises(
        UnknownName, match=r"expected one of Kazaross-XG2, .*zadeh, or a path that ends in \.xml"
    ) as caught:
        load_met(name)
    assert repr(name) in str(caught.value)


def test_tables_cannot_be_changed():
    met = load_met("g11")
    for chances in (met.pre, met.post, met.listed):
        with pytest.raises(ValueError, match="read-only"):
            chances[0] = 0


# Lookup


@given(
    scores=st.lists(st.tuples(aways, st.integers(-5, LONGEST_MATCH), st.booleans()), max_size=30)
)
@pytest.mark.parametrize("name", ["Kazaross-XG2", "mec"])
def test_many_scores_at_once_are_the_single_scores(name, scores):
    met = load_met(name)
    columns = np.array(scores, np.int64).reshape(-1, 3)
    together = met.chance(columns[:, 0], columns[:, 1], columns[:, 2].astype(bool))
    assert together.dtype == np.float32
    assert together.tolist() == [chance(met, *score) for score in scores]


@pytest.mark.parametrize("name", ["jac050", "jac100", "mec", "woolsey"])
def test_table_before_and_in_the_crawford_game_the_trailer_s_row_after_it_and_certainty_at_the_end(
    name,
):
    """Arguments broadcast, and narrow integers do not overflow."""
    met = load_met(name)
    aways, beyond = np.arange(1, 65, dtype=np.int8), np.arange(-63, 1, dtype=np.int8)
    assert np.array_equal(met.chance(aways[:, np.newaxis], aways, False), met.pre)
    assert np.array_equal(met.chance(1, aways, True), np.float32(1) - met.post[1])
    assert np.array_equal(met.chance(aways[1:], 1, True), met.post[0, 1:])
    for post_crawford in (False, True):
        assert np.all(met.chance(beyond[:, np.newaxis], aways, post_crawford) == 1)
        assert np.all(met.chance(aways, beyond[:, np.newaxis], post_crawford) == 0)


@pytest.mark.parametrize("name", ["woolsey", "zadeh"])
@pytest.mark.parametrize("score", [(65, 1), (1, 65), (10_000, 0), ([3, 65], [3, 3])])
def test_more_than_64_away_is_refused(name, score):
    with pytest.raises(ValueError, match="points away, expected at most 64"):
        load_met(name).chance(np.array(score[0]), np.array(score[1]), False)


def test_two_winners_are_refused():
    with pytest.raises(ValueError, match="both players"):
        load_met("woolsey").chance([3, 0], [3, -1], False)


def test_points_away_are_whole_numbers():
    with pytest.raises(TypeError):
        load_met("woolsey").chance(np.array([2.5]), 3, False)


# Tables of the user's own


def test_a_file_is_named_after_its_stem_and_gives_its_figures_and_the_projected_ones(
    tmp_path,
):
    met = load_met(written(tmp_path, GOOD))
    assert (met.name, met.title, met.source) == (
        "made",
        "Made here",
        "for a test; read from made.xml",
    )
    assert met.explicit_length == 3
    assert np.array_equal(met.pre[:3, :3], np.array(GOOD_TABLE["pre"], np.float32))
    assert np.array_equal(met.pre[3:], load_met("zadeh").pre[3:])
    assert met.post[0, :2].tolist() == [np.float32(0.5), np.float32(0.48)]
    assert met.post[0, 2] == np.float32(0.3125) != np.float32(GOOD_TABLE["post"]["both"][2]), (
        "the last listed trailer is computed all the same"
    )


def test_a_file_may_name_gnubgs_document_type(tmp_path):
    head = '<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">\n'
    assert load_met(written(tmp_path, table_xml({"head": head}))).explicit_length == 3


REFUSED = CASES["refused"] | {
    "cut short": {"xml": GOOD[:200], "message": "line 4: expected XML, found"},
    "too large": {
        "xml": GOOD + " " * 1_000_000,
        "message": "expected at most 1000000 bytes, found more",
    },
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_damaged_file_is_refused_with_its_place(kind, tmp_path):
    path = written(tmp_path, table_xml(REFUSED[kind]))
    with pytest.raises(UnreadableFile, match=REFUSED[kind]["message"]) as caught:
        load_met(path)
    assert str(caught.value).startswith(path)
    assert str(caught.value).endswith("; correct the file or use the name of a known table")
    assert "\n" not in str(caught.value)


def test_what_is_no_file_is_refused(tmp_path):
    (tmp_path / "folder.xml").mkdir()
    with pytest.raises(
        UnreadableFile,
        match=r"none\.xml: expected a match equity table, found no readable file \(No such file",
    ):
        load_met(str(tmp_path / "none.xml"))
    for path in (str(tmp_path / "folder.xml"), "\0.xml"):
        with pytest.raises(UnreadableFile, match="found no readable file"):
            load_met(path)


def test_nesting_without_end_is_refused(tmp_path):
    with pytest.raises(UnreadableFile, match="expected XML, found no element found"):
        load_met(written(tmp_path, "<met>" * 40_000))
    with pytest.raises(UnreadableFile, match="expected one <info> in <met>, found 0"):
        load_met(written(tmp_path, "<met>" * 20_000 + "</met>" * 20_000))


@pytest.mark.parametrize("kind", CASES["read"])
def test_possible_table_is_read(kind, tmp_path):
    assert load_met(written(tmp_path, table_xml(CASES["read"][kind]))).explicit_length in (1, 3, 4)


def test_score_at_which_nothing_is_at_stake_has_no_equity_and_no_warning():
    from reconcile.match.met.equity import equity_of

    even = np.array([0.999, 0.999], np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(equity_of(np.array([0.999, 0.5], np.float32), even, even)).all()
