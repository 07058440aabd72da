"""A question in SQL can change nothing and read nothing but the tables of its corpus, which are
those that were made."""

import shutil
from pathlib import Path

import pytest

from reconcile.corpus.run import load_corpus
from reconcile.errors import InvalidQuery
from tests.corpus.corpus_folder import answer, change_manifest, content
from tests.support.command_line import refused
from tests.support.long import long_but_first
from tests.support.tables import beside

QUESTIONS = beside(__file__, "questions.yaml")


@pytest.mark.parametrize("attempt", long_but_first(QUESTIONS["refused"], 8, 48))
def test_a_question_can_neither_write_nor_read_anything_else(attempt, corpus, database, tmp_path):
    secret_variable = [1]
    assert secret_variable
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    before, names = content(corpus.folder), sorted(tmp_path.iterdir())
    folder = str(corpus.folder).replace("'", "''")
    asked = attempt.format(secret=tmp_path / "secret.csv", new=tmp_path / "new", folder=folder)
    with pytest.raises(InvalidQuery) as caught:
        answer(database, asked)
    assert "\n" not in str(caught.value)
    assert (content(corpus.folder), sorted(tmp_path.iterdir())) == (before, names)


@pytest.mark.parametrize("asked", QUESTIONS["answered"])
def test_what_only_reads_is_answered(asked, database):
    assert answer(database, asked).rows


@pytest.mark.parametrize("asked", QUESTIONS["rows"])
def test_a_question_has_its_rows(asked, database):
    assert [*map(list, answer(database, asked).rows)] == QUESTIONS["rows"][asked]


@pytest.fixture
def copied(corpus, tmp_path):
    return Path(shutil.copytree(corpus.folder, tmp_path / "copy"))


@pytest.mark.parametrize("kind", ["outside", "absolute", "link", "folder"])
def test_no_table_lies_outside_the_folder(kind, copied):
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
    change_manifest(copied, lambda stated: stated["tables"].update({"matches": {name: ""}}))
    assert "expected tables in this folder" in refused("corpus-query", copied, "select 1")


def test_a_table_that_is_not_the_one_that_was_made_is_not_read(copied):
    """Another table of the same form would give an answer."""
    import pyarrow.parquet as pq

    path = next((copied / "players").rglob("*.parquet"))
    rows = pq.read_table(path, partitioning=None)
    pq.write_table(rows.slice(1), path)
    line = refused("corpus-query", copied, "select 1")
    assert f"{path}: expected the table that archive.json lists, found another" in line
