"""An archive in Python: its tables and views as relations and frames, which say what
`corpus-query` says, and read nothing else."""

import sys

import pytest

from reconcile import (
    InvalidArgument,
    InvalidConfiguration,
    InvalidQuery,
    MissingPackage,
    open_archive,
)
from reconcile.corpus.query import ask
from reconcile.corpus.tables import VIEWS
from tests.support.archive import XG
from tests.support.command_line import process, run
from tests.support.long import long_but_first

ASKED = "select person, pr, once, fully_analysed from player_matches order by match, seat"


def test_frames_have_the_rows_of_the_command(corpus):
    expected = ask(corpus, ASKED)
    assert len(expected.rows) == 2 * corpus.matches
    with open_archive(corpus.folder) as archive:
        relation = archive.relation(ASKED)
        assert (tuple(relation.columns), relation.fetchall()) == (expected.columns, expected.rows)
        for frame in (archive.arrow(ASKED).to_pandas(), archive.pandas(ASKED)):
            assert list(frame.itertuples(index=False, name=None)) == expected.rows
        assert set(archive.names) == {*corpus.tables, *VIEWS}
        # A relation is asked further, by name as in SQL.
        assert archive.relation("player_matches").filter("once").aggregate(
            "count(*)"
        ).fetchall() == [(2 * (corpus.matches - 1),)]


@pytest.mark.long
def test_names_of_one_person_are_joined_by_a_file(corpus, tmp_path):
    (tmp_path / "aliases.yaml").write_text(
        "schema_version: 1\nplayers: {Someone: [Nora Lindqvist]}\n"
    )
    counted = "select count(*) from player_matches where person = '{}'"
    named = ask(corpus, counted.format("Nora Lindqvist")).rows
    with open_archive(corpus.folder, aliases=tmp_path / "aliases.yaml") as archive:
        assert archive.relation(counted.format("Someone")).fetchall() == named != [(0,)]


def test_what_is_no_question_of_these_tables_is_refused_in_every_form(corpus):
    with open_archive(corpus.folder) as archive:
        for form in (archive.relation, archive.arrow, archive.pandas):
            for asked in ("nobody", "drop view matches", "", f"select * from '{XG}'"):
                with pytest.raises(InvalidQuery) as caught:
                    form(asked)
                assert "\n" not in str(caught.value)


def test_what_fails_in_the_middle_is_said_in_a_line_and_a_closed_archive_answers_nothing(
    corpus,
):
    with (
        open_archive(corpus.folder, memory=0.07) as archive,
        pytest.raises(InvalidQuery, match="DuckDB: Conversion Error"),
    ):
        archive.arrow("select file::integer from matches")
    with pytest.raises(InvalidQuery, match="closed"):
        archive.arrow("matches")


def test_what_cannot_be_opened_is_refused(tmp_path, monkeypatch, corpus):
    with pytest.raises(InvalidConfiguration, match="holds no finished tables"):
        open_archive(tmp_path)
    for wrong in (
        {"threads": 0},
        {"threads": 1.5},
        {"memory": 0},
        {"memory": float("nan")},
        {"memory": "1GB"},
        {"aliases": 3},
    ):
        with pytest.raises(InvalidArgument, match=next(iter(wrong))):
            open_archive(corpus.folder, **wrong)
    monkeypatch.setitem(sys.modules, "polars", None)
    with (
        open_archive(corpus.folder) as archive,
        pytest.raises(MissingPackage, match="pip install polars"),
    ):
        archive.polars("matches")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its memory")
@pytest.mark.parametrize(
    "endless",
    long_but_first(["length(repeat('x', 2000000000))", "len(list_sort(range(60000000)))"], 0, 1),
)
def test_what_one_function_makes_is_held_to_the_memory(endless, corpus):
    """DuckDB counts neither a list nor a text that one call makes."""
    done = process("corpus-query", str(corpus.folder), f"select {endless}", "--timeout", "60")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert b"Out of Memory" in done.stderr
    threaded = run("corpus-query", str(corpus.folder), ASKED, "--memory", "2", "--threads", "2")
    assert threaded.stdout == run("corpus-query", str(corpus.folder), ASKED).stdout
