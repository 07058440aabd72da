"""The tables of a corpus have the published columns and say what `stats` says of each file; a
match counts once."""

from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow as pa
import pyarrow.parquet as pq

from reconcile.corpus.tables import schemas
from tests.corpus.corpus_folder import RULES, make, table
from tests.support.archive import SGF, XG
from tests.support.claims import some
from tests.support.variants import variant


def test_tables_have_the_columns_that_are_published(corpus):
    for name, schema in some(schemas(RULES).items()):
        assert pq.read_schema(next((corpus.folder / name).rglob("*.parquet"))).equals(schema)
        assert all(field.metadata[b"description"] for field in schema), name


def test_matches_without_a_roll_are_not_the_same(tmp_path):
    for name in ("a.mat", "b.mat"):
        (tmp_path / name).write_text(
            " 3 point match\n\n Game 1\n Ann : 0                             Ben : 0\n  1)  "
            "Doubles => 2          Drops\n"
        )
    make(tmp_path, tmp_path / "out")
    rows = table(tmp_path / "out", "matches")
    assert [(row["transcript"], row["same_as"]) for row in rows] == [
        ("", row["match"]) for row in rows
    ]


def test_one_match_of_one_tool_counts_once_and_two_tools_are_two_analyses(corpus):
    rows = table(corpus.folder, "matches")
    by_name = {Path(row["file"]).name: row for row in rows}
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


def test_of_two_analyses_by_one_tool_the_fuller_one_stands(tmp_path):
    content = SGF.read_bytes()
    (tmp_path / "a-bare.sgf").write_bytes(_without_analysis(content))
    (tmp_path / "b-whole.sgf").write_bytes(content)
    make(tmp_path, tmp_path / "out")
    first, second = table(tmp_path / "out", "matches")
    assert first["analysed"] < second["analysed"]
    assert (first["duplicate_of"], second["duplicate_of"]) == (second["match"], None)


def _without_analysis(content):
    import re

    return re.sub(rb"(?<=\])(?:DA|A)(?:\[[^\]]*\])+", b"", content)


def test_files_that_cannot_be_read_stop_nothing_and_a_text_of_no_match_is_no_error(
    tmp_path,
):
    (tmp_path / "good.sgf").write_bytes(SGF.read_bytes())
    (tmp_path / "broken.xg").write_bytes(XG.read_bytes()[:5000])
    (tmp_path / "notes.txt").write_text("nothing but notes")
    (tmp_path / "cut.txt").write_text(
        " 3 point match\n\n Game 1\n Ann : 0                             Ben : 0\n  1) Thinks "
        "about it\n"
    )
    corpus = make(tmp_path, tmp_path / "out")
    rows = {Path(row["file"]).name: row for row in table(tmp_path / "out", "files")}
    assert "truncated" in rows["broken.xg"]["error"]
    assert rows["cut.txt"]["error"].startswith("line 5: ")
    assert (rows["notes.txt"]["matches"], rows["notes.txt"]["error"]) == (0, None)
    assert (corpus.matches, corpus.without_match, corpus.errors) == (1, 1, 2)


def test_row_groups_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr("reconcile.corpus.work.ROW_GROUP", 1000)
    for seed in range(6):
        (tmp_path / f"v{seed}.xg").write_bytes(variant(XG.read_bytes(), seed))
    make(tmp_path, tmp_path / "out")
    file = pq.ParquetFile(next((tmp_path / "out" / "decisions").rglob("*.parquet")))
    rows = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
    assert len(rows) > 1
    assert max(rows) <= 1000
    assert isinstance(file.read(), pa.Table)
