"""Shards hold the rows of the whole tables, as any engine reads them; their bytes depend on the matches alone."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow.dataset as ds
import pyarrow.parquet as pq

from reconcile.cli import main
from reconcile.corpus.assembly import load_corpus
from reconcile.corpus.run import build
from reconcile.corpus.shards import SHARDED
from tests.corpus.corpus_folder import RULES, content, every_row, table
from tests.support.archive import SGF, XG
from tests.support.variants import variant


def places_of(matches: list[dict[str, Any]]) -> dict[int, dict[str, object]]:
    """Tool and year by number of the match: those of its own file."""
    tools = {"eXtreme Gammon": "xg", "GNU Backgammon": "gnubg"}
    return {one["match"]: {"tool": tools[one["tool"]], "year": one["date"].year} for one in matches}


def test_rows_are_those_of_the_whole_tables_in_their_folders(archive: Path, tmp_path: Path) -> None:
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    build([str(archive)], whole, jobs=1, partition_by=())
    build([str(archive)], parted, jobs=1)
    places = places_of(table(whole, "matches"))
    assert len({tuple(one.values()) for one in places.values()}) > 1
    for name in SHARDED:
        found = ds.dataset(parted / name, partitioning="hive").to_table().to_pylist()
        expected = [row | places[row["match"]] for row in table(whole, name)]
        assert expected
        assert Counter(map(repr, (sorted(row.items()) for row in found))) == Counter(
            map(repr, (sorted(row.items()) for row in expected))
        )
        for path in (parted / name).rglob("*.parquet"):
            assert not {"tool", "year"} & set(pq.ParquetFile(path).schema.names)
    assert table(whole, "files") == table(parted, "files")
    assert table(whole, "matches") == table(parted, "matches")


def test_the_year_is_that_of_the_file_so_that_another_file_moves_no_rows(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes(
        SGF.read_bytes().replace(b"DT[2026-11-21]", b"DT[2027-01-02]", 1)
    )
    (tmp_path / "b.xg").write_bytes(XG.read_bytes())
    build([str(tmp_path)], tmp_path / "out", jobs=1)
    assert [row["date"].year for row in table(tmp_path / "out", "matches")] == [2027, 2026]
    folders = {
        path.parent.relative_to(tmp_path / "out").as_posix()
        for path in (tmp_path / "out" / "players").rglob("*.parquet")
    }
    assert folders == {"players/tool=gnubg/year=2027", "players/tool=xg/year=2026"}


def test_duckdb_reads_one_folder_where_one_tool_is_asked_for(archive: Path, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    build([str(archive)], tmp_path / "out", jobs=1, partition_by=("tool",))
    pattern = f"read_parquet('{tmp_path}/out/decisions/**/*.parquet', hive_partitioning = true, filename = true)"
    rows = duckdb.sql(
        f"select distinct tool, filename from {pattern} where tool = 'gnubg'"
    ).fetchall()
    (shard,) = (tmp_path / "out" / "decisions" / "tool=gnubg").iterdir()
    assert rows == [("gnubg", str(shard))]


@pytest.mark.long
def test_report_and_queries_read_both(archive: Path, tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    from reconcile.corpus.query import ask

    asked = "select * exclude (file) from player_decisions order by match, game, turn, kind, seat"
    found = []
    for keys in ((), ("tool", "year")):
        corpus = build(
            [str(archive)], tmp_path / f"out{len(keys)}{''.join(keys)}", jobs=1, partition_by=keys
        )
        ran = CliRunner().invoke(main, ["corpus-report", str(corpus.folder)])
        assert ran.exit_code == 0, ran.stderr
        page = (corpus.folder / "report.html").read_text("utf-8").replace(str(corpus.folder), "")
        found.append((ask(corpus, asked), page, ran.stdout))
    assert found[0] == found[1]


def test_manifest_lists_every_file_with_its_digest(archive: Path, tmp_path: Path) -> None:
    made = build([str(archive)], tmp_path, jobs=1, partition_by=("tool",))
    manifest = json.loads((tmp_path / "corpus.json").read_text("utf-8"))
    listed = {
        name: digest for files in manifest["tables"].values() for name, digest in files.items()
    }
    assert listed == {
        name: hashlib.sha256(blob).hexdigest()
        for name, blob in content(tmp_path).items()
        if name.endswith(".parquet")
    }
    assert load_corpus(str(tmp_path)) == made
    next((tmp_path / "decisions" / "tool=gnubg").iterdir()).unlink()
    ran = CliRunner().invoke(main, ["corpus-report", str(tmp_path)])
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)


@pytest.mark.long
def test_what_another_layout_or_version_left_is_removed_and_nothing_else(
    archive: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    for path in (
        older := [
            out / "matches.parquet",
            out / "decisions" / "tool=xg" / "part-0.parquet",
            tmp_path / "mine.parquet",
        ]
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("of another version")
    listed = {
        "matches": {"matches.parquet": "", "../mine.parquet": ""},
        "decisions": {"decisions/tool=xg/part-0.parquet": ""},
    }
    (out / "corpus.json").write_text(json.dumps({"schema_version": 4, "tables": listed}))
    build([str(archive)], out, jobs=1)
    assert [path.exists() for path in older] == [False, False, True]
    rows = every_row(out)
    (out / "decisions" / "tool=xg" / "notes.txt").write_text("mine")
    for keys in ((), ("tool", "year")):
        build([str(archive)], out, jobs=1, partition_by=keys)
        assert every_row(out) == rows
        shards = [
            path.relative_to(out) for name in SHARDED for path in (out / name).rglob("*.parquet")
        ]
        assert {tuple(part.partition("=")[0] for part in path.parts[1:-1]) for path in shards} == {
            keys
        }
        assert (out / "decisions" / "tool=xg" / "notes.txt").read_text() == "mine"
        assert not [path for path in out.rglob("*") if path.is_dir() and not [*path.iterdir()]]


def test_tables_without_rows_have_their_columns(tmp_path: Path) -> None:
    (tmp_path / "broken.xg").write_bytes(XG.read_bytes()[:5000])
    build([str(tmp_path)], tmp_path / "out", jobs=1, partition_by=("year",))
    from reconcile.corpus.tables import schemas

    for name in SHARDED:
        assert ds.dataset(tmp_path / "out" / name).to_table().num_rows == 0
        assert pq.read_schema(next((tmp_path / "out" / name).rglob("*.parquet"))).equals(
            schemas(RULES)[name]
        )


def test_a_name_of_a_tool_or_a_year_from_a_file_makes_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(
        '; [EventDate "0001.01.02"]\n 3 point match\n\n Game 1\n Ann : 0                             Ben : 0\n'
        "  1) 31: 8/5 6/5                  42: 8/4 6/4\n"
    )
    sgf = SGF.read_bytes()
    (tmp_path / "b.sgf").write_bytes(sgf.replace(b"AP[GNU Backgammon", b"AP[../../../x", 1))
    build([str(tmp_path)], tmp_path / "out", jobs=1, partition_by=("tool", "year"))
    folders = {
        path.parent.relative_to(tmp_path / "out" / "players").as_posix()
        for path in (tmp_path / "out" / "players").rglob("*.parquet")
    }
    assert {row["tool"] for row in table(tmp_path / "out", "matches")} == {
        "transcript",
        "../../../x",
    }
    assert folders == {"tool=other/year=__HIVE_DEFAULT_PARTITION__", "tool=other/year=2026"}


@pytest.mark.parametrize("keys", ["tol", "tool,tool", "tool,players"])
def test_other_keys_are_refused(keys: str, tmp_path: Path) -> None:
    (tmp_path / "v.xg").write_bytes(variant(XG.read_bytes(), 1))
    ran = CliRunner().invoke(
        main, ["corpus", str(tmp_path), "-o", str(tmp_path / "out"), "--partition-by", keys]
    )
    assert (ran.exit_code, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert "expected partitions by some of tool, year" in ran.stderr


def test_a_text_of_several_matches_is_in_a_shard_once(tmp_path: Path) -> None:
    """Else Parquet's writer gives up the dictionary, and fills the page up with whatever is in memory."""
    (tmp_path / "in").mkdir()
    for name, written in (
        ("a.xg", XG.read_bytes()),
        ("b.sgf", SGF.read_bytes()),
        ("c.sgf", SGF.read_bytes() + b"\n"),
    ):
        (tmp_path / "in" / name).write_bytes(written)
    made = build([str(tmp_path / "in")], tmp_path / "out", jobs=1, partition_by=())
    group = pq.ParquetFile(*made.paths("players")).metadata.row_group(0)
    columns = [group.column(at) for at in range(group.num_columns)]
    assert {
        "RLE_DICTIONARY" in one.encodings for one in columns if one.physical_type == "BYTE_ARRAY"
    } == {True}
