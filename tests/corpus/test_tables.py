"""The tables of a corpus have the published columns and say what `stats` says of each file; a
match counts once."""

import re

import pyarrow.parquet as pq
import pytest

from reconcile.corpus.tables import schemas
from tests.corpus.corpus_folder import RULES, by_file, make, table
from tests.support.archive import SGF, XG
from tests.support.claims import some


def test_tables_have_the_columns_that_are_published(corpus):
    for name, schema in some(schemas(RULES).items()):
        assert pq.read_schema(next((corpus.folder / name).rglob("*.parquet"))).equals(schema)
        assert all(field.metadata[b"description"] for field in schema), name


def test_one_match_of_one_tool_counts_once_and_two_tools_are_two_analyses(corpus):
    rows = table(corpus.folder, "matches")
    by_name = by_file(corpus.folder, "matches")
    assert (
        by_name["b.xg"]["transcript"]
        == by_name["a.sgf"]["transcript"]
        == by_name["again.sgf"]["transcript"]
    )
    assert by_name["again.sgf"]["duplicate_of"] == by_name["a.sgf"]["match"]
    assert by_name["a.sgf"]["duplicate_of"] is by_name["b.xg"]["duplicate_of"] is None
    assert (corpus.matches, corpus.duplicates) == (6, 1)
    first = min(by_name[name]["match"] for name in ("b.xg", "a.sgf", "again.sgf"))
    assert {row["match"] for row in rows if row["same_as"] == first} == {
        by_name[name]["match"] for name in ("b.xg", "a.sgf", "again.sgf")
    }
    assert len({row["same_as"] for row in rows}) == 5
    # Of two files with the same bytes the first has the rows of both.
    analyses = [row["match"] for row in table(corpus.folder, "analyses")]
    assert sorted(analyses) == sorted(
        {row["match"] for row in rows} - {by_name["again.sgf"]["match"]}
    )
    assert {row["match"] for row in table(corpus.folder, "decisions")} == {*analyses}


HEAD = " 3 point match\n\n Game 1\n Ann : 0                             Ben : 0\n"


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Two matches without a roll, two analyses by one tool, and files that cannot be read."""
    folder = tmp_path_factory.mktemp("odd")
    for name in ("a.mat", "b.mat"):
        (folder / name).write_text(f"{HEAD}  1)  Doubles => 2          Drops\n")
    bare = re.sub(rb"(?<=\])(?:DA|A)(?:\[[^\]]*\])+", b"", SGF.read_bytes())
    (folder / "bare.sgf").write_bytes(bare)
    (folder / "whole.sgf").write_bytes(SGF.read_bytes())
    (folder / "broken.xg").write_bytes(XG.read_bytes()[:5000])
    (folder / "notes.txt").write_text("nothing but notes")
    (folder / "cut.txt").write_text(f"{HEAD}  1) Thinks about it\n")
    return make(folder, folder / "out")


def test_matches_without_a_roll_are_not_the_same(odd):
    for row in (by_file(odd.folder, "matches")[name] for name in ("a.mat", "b.mat")):
        assert (row["transcript"], row["same_as"]) == ("", row["match"])


def test_of_two_analyses_by_one_tool_the_fuller_one_stands(odd):
    bare, whole = (by_file(odd.folder, "matches")[name] for name in ("bare.sgf", "whole.sgf"))
    assert bare["analysed"] < whole["analysed"]
    assert (bare["duplicate_of"], whole["duplicate_of"]) == (whole["match"], None)


def test_files_that_cannot_be_read_stop_nothing_and_a_text_of_no_match_is_no_error(odd):
    rows = by_file(odd.folder, "files")
    assert "truncated" in rows["broken.xg"]["error"]
    assert rows["cut.txt"]["error"].startswith("line 5: ")
    assert (rows["notes.txt"]["matches"], rows["notes.txt"]["error"]) == (0, None)
    assert (odd.matches, odd.without_match, odd.errors) == (3, 1, 2)


def test_row_groups_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr("reconcile.corpus.work.ROW_GROUP", 100)
    make(XG, tmp_path / "out")
    file = pq.ParquetFile(next((tmp_path / "out" / "decisions").rglob("*.parquet")))
    rows = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
    assert len(rows) > 1
    assert max(rows) <= 100
