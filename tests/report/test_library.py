"""What the commands do, the library does."""

import pytest

import reconcile
from reconcile import InvalidArgument, UnknownName, load_match
from tests.support.command_line import SGF, XG, run
from tests.support.gnubg import needs_gnubg


def test_match_is_converted_as_by_the_command(tmp_path):
    reconcile.convert(load_match(XG), tmp_path / "a.mat")
    assert run("convert", XG, "-o", tmp_path / "b.mat").exit_code == 0
    text = (tmp_path / "a.mat").read_bytes().decode()
    assert text == (tmp_path / "b.mat").read_bytes().decode() == run("convert", XG).stdout
    with pytest.raises(InvalidArgument, match=r"ending in \.mat"):
        reconcile.convert(load_match(XG), tmp_path / "a.xg")


@needs_gnubg
def test_match_is_analysed(tmp_path, monkeypatch):
    monkeypatch.setenv("RECONCILE_CACHE", str(tmp_path))
    match = reconcile.analyse(load_match(XG), plies=0)
    assert match.source.tool == "GNU Backgammon"
    with pytest.raises(InvalidArgument, match="gnubg"):
        reconcile.analyse(match, "snowie")


def test_archive_is_built_and_opened(tmp_path):
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    with reconcile.build_archive([XG, SGF], tmp_path / "tables", jobs=1) as archive:
        assert "1 matches in 2 files" in repr(archive)


def test_bundled_pack_is_the_one_that_is_judged_where_none_is_named():
    assert len(reconcile.validate().matches) > 1


def test_suite_asks_a_command_or_a_harness():
    with pytest.raises(InvalidArgument, match="a command, a harness or files"):
        reconcile.run_suite()


def test_result_of_a_match_is_that_of_its_games():
    match = load_match(XG)
    assert match.winner in match.names
    assert match.length is not None
    won = match.final_score[match.names.index(match.winner)]
    assert won >= match.length > min(match.final_score)


def test_what_is_not_there_is_named_with_what_is():
    match = load_match(XG)
    figures = reconcile.statistics(match).figures(0)
    with pytest.raises(UnknownName, match=r"no figure 'PR' \(did you mean pr\?\)"):
        figures["PR"]
    with pytest.raises(InvalidArgument, match=f"0 for {match.names[0]}"):
        reconcile.statistics(match).figures("Nora")  # type: ignore[arg-type]
    for row in (9999, -1):
        with pytest.raises(InvalidArgument, match=r"Match\.plays and then of Match\.cubes"):
            match.decision(row)
