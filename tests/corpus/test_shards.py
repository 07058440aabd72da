"""A file of a table says what it is, and any engine reads it."""

import hashlib
import json

import pyarrow.dataset as ds
import pyarrow.parquet as pq

from reconcile.corpus.run import load_corpus
from reconcile.corpus.tables import SHARDED, schemas
from tests.corpus.corpus_folder import RULES, content, make, table
from tests.support.archive import XG
from tests.support.command_line import run


def test_manifest_lists_every_file_with_its_digest(corpus):
    listed = {name: digest for files in corpus.tables.values() for name, digest in files.items()}
    assert listed == {
        name: hashlib.sha256(blob).hexdigest()
        for name, blob in content(corpus.folder).items()
        if name.endswith(".parquet")
    }
    assert load_corpus(str(corpus.folder)) == corpus


def test_tables_without_rows_have_their_columns(tmp_path):
    (tmp_path / "broken.xg").write_bytes(XG.read_bytes()[:5000])
    make(tmp_path, tmp_path / "out")
    for name in SHARDED:
        assert ds.dataset(tmp_path / "out" / name).to_table().num_rows == 0
        path = next((tmp_path / "out" / name).glob("*.parquet"))
        assert pq.read_schema(path).equals(schemas(RULES)[name])


def test_every_file_says_what_it_is(archive, corpus, tmp_path):
    words = "--jobs", "1", "--licence", "CC BY 4.0"
    assert run("corpus", archive, "-o", tmp_path, *words).exit_code == 0
    says_what_it_is(load_corpus(str(tmp_path)), "CC BY 4.0")
    says_what_it_is(corpus, "")


def says_what_it_is(corpus, licence):
    for name in corpus.tables:
        for path in corpus.paths(name):
            stated = pq.ParquetFile(path).metadata.metadata
            assert stated[b"reconcile.table"].decode() == name
            assert stated[b"reconcile.rules"].decode() == ",".join(RULES)
            assert {b"reconcile.version", b"reconcile.units"} <= stated.keys()
            assert stated.get(b"reconcile.licence", b"").decode() == licence
            columns = json.loads(stated[b"reconcile.columns"])
            assert list(columns) == pq.read_schema(path).names
    card = (corpus.folder / "README.md").read_text("utf-8")
    assert all(f"data_files: {name}/*.parquet" in card for name in corpus.tables)
    assert f"Licence: {licence or 'not stated'}" in card


def test_key_is_that_of_the_decision_in_any_analysis(corpus):
    same: dict[int, set[tuple[object, ...]]] = {}
    tools = {row["match"]: row["tool"] for row in table(corpus.folder, "matches")}
    analysers: dict[int, set[str]] = {}
    for row in table(corpus.folder, "decisions"):
        dice = sorted((row["die1"] or 0, row["die2"] or 0))
        situation = row["position"], *dice, row["cube"], row["away"], row["opponent_away"]
        same.setdefault(row["key"], set()).add(situation)
        analysers.setdefault(row["key"], set()).add(tools[row["match"]])
    assert {len(situations) for situations in same.values()} == {1}
    assert any(len(names) > 1 for names in analysers.values())
    assert len(same) > 100
