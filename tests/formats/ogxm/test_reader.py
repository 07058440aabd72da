"""An OGXM document read: values by hand, what leaves its unit open is left out, and nothing damaged
gets further than one line."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import load_analyses, load_match, read_match
from reconcile.formats.ogxm import model as codec
from reconcile.gap.pairing import pair
from reconcile.match.met import load_met
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from tests.support.loaded import DEMONSTRATION
from tests.support.ogxm import analyses, encode, needs_ogxm, small
from tests.support.tables import cases_of

pytestmark = needs_ogxm
GAMMONVIEW, RESIGNED = (
    Path(__file__).with_name(f"{name}.gvab") for name in ("demonstration", "resigned")
)
NEAR = 2e-5
"""Six decimals of a match winning chance as an equity, at 0 : 0 of a match to five."""


def test_each_analysis_has_an_address(tmp_path):
    path = tmp_path / "two.ogxm"
    path.write_bytes(encode(analyses(2)))
    analyses_read = load_analyses([str(path)])
    addresses = [each.source.path for each in analyses_read]
    assert addresses == [f"{path}#1", f"{path}#2"]
    packed = tmp_path / "two.ogxm.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    of_packed = load_analyses([str(packed)])
    named_packed = [load_match(each.source.path) for each in of_packed]
    for each in (analyses_read, map(load_match, addresses), of_packed, named_packed):
        assert [match.plays.best[0] for match in each] == pytest.approx([0.5, 0.4], abs=NEAR)
    for wrong in (str(path), f"{path}#3", f"{path}#x", f"{path}#0"):
        with pytest.raises(UnreadableFile, match="expected the number of one of its 2 analyses"):
            load_match(wrong)


@pytest.mark.parametrize(
    ("fault", "words"),
    cases_of(__file__, "fault of the codec ends no more than its process"),
)
def test_fault_of_the_codec_ends_no_more_than_its_process(fault, words, tmp_path, monkeypatch):
    worker = tmp_path / "worker.py"
    worker.write_text(f"import os, signal, sys, time\n{fault}\n", "utf-8")
    monkeypatch.setattr(codec, "WORKER", worker)
    monkeypatch.setattr(codec, "SECONDS", 0.5 if "sleep" in fault else codec.SECONDS)
    with pytest.raises(UnreadableFile, match=words):
        codec.decoded(b"OGXM" + fault.encode())


def test_error_of_resigning_is_weighed_at_the_cube_of_the_end():
    """`resigned.gvab` was written by GammonView 3.1.0 (`write_gvab`): resigning at a cube of 2
    costs Ann 0.5."""
    match = load_match(RESIGNED)
    assert match.resignations.cube.tolist() == [2, 2]
    assert match.resignations.stored_error.tolist() == pytest.approx([0.5, 0], abs=NEAR)


def test_document_of_gammonview_has_the_values_of_its_source():
    """`demonstration.gvab` is what GammonView 3.1.0 makes of the bundled .xg (`convert_xg`,
    `write_gvab`); it rounds equities to 0.0001."""
    ours, source = load_match(GAMMONVIEW), load_match(DEMONSTRATION.with_suffix(".xg"))
    pairing = pair(source, ours)
    assert pairing.differences == ()
    assert (ours.source.tool, len(pairing.plays[0]), len(pairing.cubes[0])) == (
        "GammonView",
        len(source.plays),
        len(source.cubes),
    )
    for table, (left, right), names in (
        ("plays", pairing.plays, ("best", "played", "luck")),
        ("cubes", pairing.cubes, ("no_double", "double_take", "double_pass")),
    ):
        for name in names:
            there, here = (getattr(getattr(match, table), name) for match in (source, ours))
            present = ~np.isnan(there[left])
            assert np.abs(there[left] - here[right])[present].max() < 0.00006, name


@pytest.mark.parametrize(
    ("named", "named_by_user", "table"),
    cases_of(__file__, "table is the one named or else the one given"),
)
def test_table_is_the_one_named_or_else_the_one_given(named, named_by_user, table):
    document = small()
    document["analysis_info"]["met_id"] = named
    match = read_match("small.ogxm", encode(document), met=named_by_user)
    win, lose = load_met(table).chance(4, 5, False), load_met(table).chance(5, 4, False)
    assert match.plays.best.tolist() == pytest.approx(
        [(0.53866 - 0.5) * 2 / (win - lose)], abs=NEAR
    )
    assert (f"equities by {table}" in match.notes[0].evidence) == (table != "Kazaross-XG2")


@pytest.mark.parametrize(
    ("name", "decisions", "metric", "values"),
    cases_of(__file__, "field documents have the figures of their programs"),
)
def test_field_documents_have_the_figures_of_their_programs(data, name, decisions, metric, values):
    """PR and decisions as GammonView 3.1.0 gives them (`compute_aggregates` of what `read_gvab`
    reads), who counts one more in the last of the first five, an illegal play that it keeps in a
    form of its own; MWC lost as HedgeHog's documents say of every loss, or GammonView's own."""
    match = load_match(data / "field" / name)
    by_gammonview = statistics(match, "gammonview")
    met = "Rockwell-Kazaross" if name.startswith("ogxm") else None
    own = by_gammonview if metric == "pr" else statistics(match, met=met)
    for seat in (0, 1):
        assert by_gammonview.figures(seat)["decisions.counted"] == decisions[seat]
        near = pytest.approx(values[seat], abs=0.01 if metric == "pr" else 0.0009)
        assert own.figures(seat)[metric] == near
    assert all(name.strip() for name in match.players)


@pytest.mark.parametrize(
    ("name", "code", "words"),
    cases_of(__file__, "what a field file says that it should not is told"),
)
def test_field_file_is_read_and_what_is_odd_about_it_is_told(data, name, code, words):
    found_here = findings_of(statistics(load_match(data / "field" / name)))
    assert any(words in each.evidence for each in found_here if each.code == code)
