"""Shards hold the rows of the whole tables, as any engine reads them; their bytes depend on the matches alone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

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


def test_manifest_lists_every_file_with_its_digest(archive: Path, tmp_path: Path) -> None:
    made = build([str(archive)], tmp_path, jobs=1)
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
    next((tmp_path / "decisions").iterdir()).unlink()
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
    (out / "decisions" / "notes.txt").write_text("mine")
    build([str(archive)], out, jobs=1)
    assert every_row(out) == rows
    assert {path.parent.parent for name in SHARDED for path in (out / name).rglob("*.parquet")} == {
        out
    }
    assert (out / "decisions" / "notes.txt").read_text() == "mine"


def test_tables_without_rows_have_their_columns(tmp_path: Path) -> None:
    (tmp_path / "broken.xg").write_bytes(XG.read_bytes()[:5000])
    build([str(tmp_path)], tmp_path / "out", jobs=1)
    from reconcile.corpus.tables import schemas

    for name in SHARDED:
        assert ds.dataset(tmp_path / "out" / name).to_table().num_rows == 0
        assert pq.read_schema(next((tmp_path / "out" / name).rglob("*.parquet"))).equals(
            schemas(RULES)[name]
        )


def test_a_text_of_several_matches_is_in_a_shard_once(tmp_path: Path) -> None:
    """Else Parquet's writer gives up the dictionary, and fills the page up with whatever is in memory."""
    (tmp_path / "in").mkdir()
    for name, written in (
        ("a.xg", XG.read_bytes()),
        ("b.sgf", SGF.read_bytes()),
        ("c.sgf", SGF.read_bytes() + b"\n"),
    ):
        (tmp_path / "in" / name).write_bytes(written)
    made = build([str(tmp_path / "in")], tmp_path / "out", jobs=1)
    group = pq.ParquetFile(*made.paths("players")).metadata.row_group(0)
    columns = [group.column(at) for at in range(group.num_columns)]
    assert {
        "RLE_DICTIONARY" in one.encodings for one in columns if one.physical_type == "BYTE_ARRAY"
    } == {True}


def test_every_file_says_what_it_is(archive: Path, tmp_path: Path) -> None:
    made = build([str(archive)], tmp_path, jobs=1)
    for name in made.tables:
        for path in made.paths(name):
            stated = pq.ParquetFile(path).metadata.metadata
            assert stated[b"reconcile.table"].decode() == name
            assert stated[b"reconcile.rules"].decode() == ",".join(RULES)
            assert {b"reconcile.version", b"reconcile.units", b"reconcile.licence"} <= stated.keys()
            columns = json.loads(stated[b"reconcile.columns"])
            assert list(columns) == pq.read_schema(path).names
    card = (tmp_path / "README.md").read_text("utf-8")
    assert all(f"data_files: {name}/*.parquet" in card for name in made.tables)


def test_key_is_that_of_the_decision_in_any_analysis(archive: Path, tmp_path: Path) -> None:
    build([str(archive)], tmp_path, jobs=1)
    same: dict[int, set[tuple[object, ...]]] = {}
    tools = {one["match"]: one["tool"] for one in table(tmp_path, "matches")}
    found: dict[int, set[str]] = {}
    for row in table(tmp_path, "decisions"):
        dice = sorted((row["die1"] or 0, row["die2"] or 0))
        situation = row["position"], *dice, row["cube"], row["away"], row["opponent_away"]
        same.setdefault(row["key"], set()).add(situation)
        found.setdefault(row["key"], set()).add(tools[row["match"]])
    assert {len(situations) for situations in same.values()} == {1}
    assert any(len(names) > 1 for names in found.values())
    assert len(same) > 100
