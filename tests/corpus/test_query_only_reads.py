"""A question in SQL can change nothing and read nothing but the tables of its corpus, which are
those that were made."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("duckdb", reason="duckdb is not installed")

from reconcile.corpus.assembly import Corpus, load_corpus
from reconcile.corpus.query import ask
from reconcile.errors import InvalidQuery
from tests.corpus.corpus_folder import change_catalogue, content
from tests.support.command_line import run
from tests.support.long import long_but_first


@pytest.mark.parametrize(
    "attempt",
    long_but_first(
        [
            "select * from read_csv('{secret}')",
            "select * from read_parquet('{folder}/*.parquet')",
            "select * from read_csv('http://127.0.0.1:9/x')",
            "copy matches to '{new}'",
            "explain analyze copy (select 42 a) to '{folder}/matches.parquet' (format parquet, "
            "use_tmp_file false)",
            "attach '{new}'",
            "set enable_external_access = true",
            "select * from secret_variable",
            "select 1; select 2",
            "select * from read_text('{secret}')",
            "select * from read_blob('{secret}')",
            "select * from '{secret}'",
            "select * from glob('{folder}/*')",
            "select * from sniff_csv('{secret}')",
            "select * from query('copy matches to ''{new}''')",
            "explain analyse copy (select 42 a) to '{folder}/matches.parquet' (format parquet, "
            "use_tmp_file false)",
            "explain (analyze) copy (select 42 a) to '{folder}/matches.parquet' (format "
            "parquet, use_tmp_file false)",
            "explain (analyze, format json) copy (select 42 a) to '{folder}/matches.parquet' "
            "(format parquet, use_tmp_file false)",
            "explain/**/analyze copy (select 42 a) to '{folder}/matches.parquet' (format "
            "parquet, use_tmp_file false)",
            "/* a */ explain analyze copy (select 42 a) to '{folder}/matches.parquet' (format "
            "parquet, use_tmp_file false)",
            "explain analyze -- (select 1)\n copy (select 42 a) to '{folder}/matches.parquet' "
            "(format parquet, use_tmp_file false)",
            "explain analyze /* /* */ select 1 */ copy (select 42 a) to "
            "'{folder}/matches.parquet' (format parquet, use_tmp_file false)",
            "explain analyze explain analyze copy (select 42 a) to '{folder}/matches.parquet' "
            "(format parquet, use_tmp_file false)",
            "explain analyze create table x as select 1",
            "explain analyze export database '{new}'",
            "explain analyze pragma version",
            "explain copy matches to '{new}'",
            "copy (pivot (select 1 a, 2 b) on a using sum(b)) to '{folder}/matches.parquet' "
            "(use_tmp_file false)",
            "explain analyze copy (pivot (select 1 a, 2 b) on a using sum(b)) to "
            "'{folder}/matches.parquet' (use_tmp_file false)",
            "/* /* */ pivot */ copy (pivot (select 1 a, 2 b) on a using sum(b)) to "
            "'{folder}/matches.parquet' (use_tmp_file false)",
            "-- pivot\n copy (pivot (select 1 a, 2 b) on a using sum(b)) to "
            "'{folder}/matches.parquet' (use_tmp_file false)",
            "with x as (pivot (select 1 a, 2 b) on a using sum(b)) copy x to '{new}'",
            "create table x as pivot (select 1 a, 2 b) on a using sum(b)",
            "with x as (select 1) insert into matches from x",
            "with x as (pivot (select 1 a, 2 b) on a using sum(b)) insert into matches from x",
            "prepare x as copy matches to '{new}'",
            "execute x",
            "checkpoint",
            "pragma database_list",
            "set variable x = 1",
            "reset allowed_paths",
            "use memory",
            "import database '{folder}'",
            "create secret (type s3)",
            "comment on view matches is 'x'",
            "create macro f() as 1",
            "call pragma_version()",
            "vacuum",
            "select getenv('HOME')",
            "select * from read_text('{folder}/catalogue.sqlite')",
            "select * from read_blob('{folder}/../*')",
            "select * from read_json('{folder}/catalogue.sqlite')",
            "select * from '{folder}/catalogue.sqlite'",
            "select * from query_table('{secret}')",
            "select * from query('from ''{secret}''')",
            "select * from parquet_metadata('{secret}')",
            "select * from json_execute_serialized_sql(json_serialize_sql('from "
            "read_text(''{secret}'')'))",
            "select * from arrow_scan(1, 1, 1)",
            "select * from pandas_scan(1)",
            "copy matches to '{folder}/matches.parquet'",
            "export database '{new}'",
            "install httpfs",
            "load httpfs",
            "set memory_limit = '100GB'",
            "create table x as select 1",
            "drop view matches",
            "call enable_logging(storage = 'file', storage_path = '{new}')",
            "select * from enable_logging(storage = 'file', storage_path = '{new}')",
            "",
            "-- nothing",
            "selec 1",
            "select nobody from player_matches",
        ],
        5,
        48,
    ),
)
def test_a_question_can_neither_write_nor_read_anything_else(
    attempt: str, corpus: Corpus, tmp_path: Path
) -> None:
    secret_variable = [1]
    assert secret_variable
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    before, names = content(corpus.folder), sorted(tmp_path.iterdir())
    folder = str(corpus.folder).replace("'", "''")
    with pytest.raises(InvalidQuery) as caught:
        ask(
            corpus,
            attempt.format(secret=tmp_path / "secret.csv", new=tmp_path / "new", folder=folder),
        )
    assert "\n" not in str(caught.value)
    assert (content(corpus.folder), sorted(tmp_path.iterdir())) == (before, names)


@pytest.mark.parametrize(
    "asked",
    long_but_first(
        [
            " EXPLAIN ANALYZE select count(*) from matches;",
            "with x as (pivot matches on tool using count(*)) select * from x -- end",
            "summarize matches",
            "explain select 1",
            "explain (format json) from matches",
            "explain analyse /* why */ select 1",
            "pivot matches on tool using count(*)",
            "from (pivot matches on tool using count(*))",
            "/* first */ select 1",
            "describe matches",
            "from query('select 1')",
        ],
        3,
    ),
)
def test_what_only_reads_is_answered(asked: str, corpus: Corpus) -> None:
    before = content(corpus.folder)
    assert ask(corpus, asked).rows
    assert content(corpus.folder) == before


@pytest.fixture
def copied(corpus: Corpus, tmp_path: Path) -> Path:
    return Path(shutil.copytree(corpus.folder, tmp_path / "copy"))


@pytest.mark.parametrize("kind", ["outside", "absolute", "link", "folder"])
@pytest.mark.parametrize("command", ["corpus-query", "corpus-report"])
def test_no_table_lies_outside_the_folder(kind: str, command: str, copied: Path) -> None:
    other = copied.parent / "other" / "matches.parquet"
    other.parent.mkdir()
    (path,) = load_corpus(str(copied)).tables["matches"]
    (copied / path).rename(other)
    name = {
        "outside": "../other/matches.parquet",
        "absolute": str(other),
        "folder": "in/matches.parquet",
    }.get(kind, path)
    try:
        if kind == "link":
            (copied / name).symlink_to(other)
        if kind == "folder":
            (copied / "in").symlink_to(other.parent, target_is_directory=True)
    except OSError:
        pytest.skip("no links here")
    change_catalogue(copied, "update tables set path = ? where path = ?", name, path)
    done = run(command, str(copied), *(["select 1"] if command == "corpus-query" else []))
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "expected tables in this folder" in done.stderr


@pytest.mark.parametrize("command", ["corpus-query", "corpus-report"])
def test_a_table_that_is_not_the_one_that_was_made_is_not_read(command: str, copied: Path) -> None:
    """Another table of the same form would give an answer."""
    import pyarrow.parquet as pq

    path = next((copied / "players").rglob("*.parquet"))
    rows = pq.read_table(path, partitioning=None)
    pq.write_table(rows.slice(1), path)
    done = run(command, str(copied), *(["select 1"] if command == "corpus-query" else []))
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"{path}: expected the table that catalogue.sqlite lists, found another" in done.stderr
    assert not (copied / "report.html").exists()
