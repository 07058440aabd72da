"""A question in SQL reads the tables of one corpus, by readable views, and can do nothing else;
its answer comes in every format."""

import csv
import io
import shutil
from hashlib import sha256

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reconcile.corpus.query import (
    QUESTIONS,
    REPORT,
    SETTINGS,
    Answer,
    answered,
    ask,
    ask_apart,
    opened,
)
from reconcile.corpus.run import load_corpus
from reconcile.corpus.tables import ANY, VIEWS, Settings
from reconcile.errors import InvalidConfiguration, InvalidQuery
from reconcile.match.names import NO_ALIASES
from reconcile.report.forms import in_form
from tests.corpus.corpus_folder import answer, change_manifest, make
from tests.report.samples import Terminal
from tests.support.archive import SGF, XG
from tests.support.command_line import json_of, process, refused, run, strict


def test_views_have_the_columns_that_are_described(database):
    for name, view in VIEWS.items():
        columns = answer(database, f"from {name} limit 0").columns
        described = [column for column in view.columns if column != ANY]
        assert list(columns[: len(described)]) == described
        assert len(columns) > len(described) or ANY not in view.columns


def test_a_corpus_without_the_rules_of_a_tool_uses_its_first_ones(tmp_path):
    (tmp_path / "a.xg").write_bytes(XG.read_bytes())
    corpus = make(tmp_path / "a.xg", tmp_path / "out", Settings(("gnubg",)))
    assert ask(
        corpus, "select distinct rules from player_decisions join player_matches using (rules)"
    ).rows == [("gnubg",)]


@pytest.mark.long
def test_a_question_has_limits(corpus, monkeypatch):
    monkeypatch.setattr("reconcile.corpus.query.MOST_ROWS", 5000)
    monkeypatch.setattr("reconcile.corpus.query.LARGEST_ANSWER", 1 << 20)
    with pytest.raises(InvalidQuery, match="at most 5,000 rows"):
        ask(corpus, "select * from range(5001)")
    assert len(ask(corpus, "select * from range(5000)").rows) == 5000
    with pytest.raises(InvalidQuery, match="1 MB of text"):
        ask(corpus, "select repeat('x', 30000) from range(100)")
    monkeypatch.setitem(SETTINGS, "max_temp_directory_size", "1MB")
    large = "select array_agg(i order by md5(i::varchar)) from range(3000000) t(i)"
    with pytest.raises(InvalidQuery, match="Out of Memory"):
        ask(corpus, large, memory=0.07)


@pytest.mark.long
def test_what_does_not_notice_its_end_is_ended(corpus):
    # Both texts are compared in one step that asks nobody.
    endless = "select levenshtein(repeat('ab', 100000), repeat('ba', 100000))"
    done = process("corpus-query", str(corpus.folder), endless, "--timeout", "1")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert b"expected an answer within 1 s" in done.stderr


def test_a_process_of_its_own_gives_the_answer_without_its_progress(corpus):
    """`test_what_one_function_makes_is_held_to_the_memory` has the reason of one without."""
    limits = {"threads": 1, "memory": 1.0, "player": None, "also": ()}
    asked = "select current_setting('enable_progress_bar')"
    assert ask_apart(corpus, asked, 60, NO_ALIASES, **limits).rows == [(False,)]


@pytest.mark.long
def test_every_format_has_the_same_rows(corpus, tmp_path):
    columns = "player, -pr as pr, won, date, null as nothing"
    asked = f"select {columns} from player_matches order by match, seat"
    rows = ask(corpus, asked).rows
    shown = {
        form: run("corpus-query", str(corpus.folder), asked, "--format", form).stdout
        for form in ("table", "csv", "json", "markdown")
    }
    head, *lines = csv.reader(io.StringIO(shown["csv"]))
    assert head == ["player", "pr", "won", "date", "nothing"]
    assert lines == [
        [name, repr(value), "" if won is None else str(won).lower(), str(date), ""]
        for name, value, won, date, _ in rows
    ]
    assert strict(shown["json"]) == [
        dict(zip(head, (*row[:3], str(row[3]), None), strict=True)) for row in rows
    ]
    for form, skipped in (("table", 1), ("markdown", 2)):
        assert len(shown[form].splitlines()) == skipped + len(rows)
        assert all(
            f"{row[1]:.4f}" in line
            for row, line in zip(rows, shown[form].splitlines()[skipped:], strict=True)
        )
    assert (
        run("corpus-query", str(corpus.folder), asked, "-o", str(tmp_path / "x.txt")).stdout == ""
    )
    assert (tmp_path / "x.txt").read_text("utf-8") == shown["table"]


def test_numbers_that_javascript_rounds_are_text_in_json(corpus):
    asked = "select match, games from matches order by match"
    rows = json_of("corpus-query", corpus.folder, asked, "--format", "json")
    numbers = ask(corpus, "select match from matches order by match").rows
    assert max(int(str(number)) for (number,) in numbers) > 2**53
    assert [row["match"] for row in rows] == [str(number) for (number,) in numbers]
    assert {type(row["games"]) for row in rows} == {int}


def test_a_table_fits_a_terminal_and_keeps_what_is_copied(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10"
    answer = Answer(
        ("player", "pr", "file", "xgid"),
        [("A" * 60, 3.25, "/a/long/path/" + "x" * 60 + "/end.xg", xgid), ("B", None, "b.xg", xgid)],
    )
    stream = Terminal()
    in_form(answer, "terminal", stream)
    lines = stream.plain.splitlines()
    assert max(map(len, lines)) <= 100
    assert sum(line.count(xgid) for line in lines) == 2
    assert "".join(lines).count("A") == 60
    assert "A" * 60 in in_form(answer, "text")


def test_numbers_have_no_more_decimals_than_they_need():
    lines = in_form(
        Answer(("a", "b", "c"), [(1.5, 2, 1 / 3), (-10.25, 300, None)]), "text"
    ).splitlines()
    assert [line.split() for line in lines] == [
        ["a", "b", "c"],
        ["1.50", "2", "0.3333"],
        ["-10.25", "300", "-"],
    ]
    assert len({len(line) for line in lines[:2]}) == 1


def test_without_a_question_it_lists_what_can_be_asked(corpus):
    text = run("corpus-query", str(corpus.folder)).stdout
    assert all(f"{name}: {view.row}" in " ".join(text.split()) for name, view in VIEWS.items())
    assert max(map(len, text.splitlines())) <= 80
    listed = json_of("corpus-query", corpus.folder, "--format", "json")
    assert [(row["view"], row["column"]) for row in listed] == [
        (name, column) for name, view in VIEWS.items() for column in view.columns
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["select nobody from player_matches"], 'Referenced column "nobody" not found'),
        (["worst"], "expected --player with this question, found none; name whom"),
        (["select getvariable('player') = getvariable('player')"], "expected --player"),
        (["plyers"], "found 'plyers'; did you mean players"),
        (["xyzzy"], "found 'xyzzy'; without one, corpus-query lists them"),
        (["select 1 as x, 2 as x", "--format", "json"], "expected one column 'x', found several"),
        ([""], "expected a SELECT, found an empty text"),
        (["  "], "expected a SELECT statement, found none"),
        (["select 1", "--aliases", "no.yaml"], "no.yaml"),
    ],
)
def test_a_mistake_is_one_line(words, message, corpus):
    assert message in refused("corpus-query", corpus.folder, *words)


def test_a_folder_without_tables_is_not_advised_to_be_made_into_one(tmp_path):
    (tmp_path / "matches").mkdir()
    (tmp_path / "matches" / "a.sgf").write_bytes(SGF.read_bytes())
    for name, message in (
        ("matches", "holds no finished tables"),
        ("none", "no such folder"),
        ("matches/a.sgf", "expected a folder"),
    ):
        line = refused("corpus-report", tmp_path / name)
        assert f"{tmp_path / name}: {message}" in line
        assert "name the folder that was given to -o of `reconcile corpus`" in line
    (tmp_path / "begun" / ".work").mkdir(parents=True)
    with pytest.raises(
        InvalidConfiguration,
        match="begun: the tables are not finished; run the same `reconcile corpus` again",
    ):
        load_corpus(str(tmp_path / "begun"))


def test_a_player_has_the_name_that_a_file_of_aliases_gives(corpus, tmp_path):
    (tmp_path / "names.yaml").write_text('schema_version: 1\nplayers: {"Tom": ["tomas beck"]}\n')
    asked = "select distinct player, person from player_decisions where player like 'Tomas%'"
    names = "--aliases", str(tmp_path / "names.yaml")
    shown = run("corpus-query", str(corpus.folder), asked, "--format", "csv", *names).stdout
    assert sorted(shown.split("\n"))[1:3] == ["Tomas Beck,Tom", "Tomas_Beck,Tom"]


def test_the_day_of_a_match_is_the_first_that_any_of_its_files_states(tmp_path):
    (tmp_path / "a.sgf").write_bytes(
        SGF.read_bytes().replace(b"DT[2026-11-21]", b"DT[2027-01-02]", 1)
    )
    (tmp_path / "b.xg").write_bytes(XG.read_bytes())
    (tmp_path / "c.sgf").write_bytes(
        SGF.read_bytes().replace(b"DT[2026-11-21]", b"DT[2025-05-01]", 1)
    )
    corpus = make(tmp_path, tmp_path / "out")
    assert corpus.duplicates == 1
    assert {str(date) for (date,) in ask(corpus, "select date from player_games").rows} == {
        "2025-05-01"
    }


def test_a_transcript_has_moves_and_no_count_of_decisions(tmp_path):
    (tmp_path / "a.mat").write_text(
        " 3 point match\n\n Game 1\n Ann : 0                             Ben : 0\n"
        "  1) 31: 8/5 6/5                  42: 8/4 6/4\n  2) 31: 24/23 13/10              31: "
        "24/23 13/10\n"
    )
    corpus = make(tmp_path / "a.mat", tmp_path / "out")
    counts = "decisions_counted, decisions_checker, decisions_double, decisions_take, moves_total"
    counts += ", once, fully_analysed"
    with opened(corpus, NO_ALIASES) as database:
        for view in ("player_matches", "player_games"):
            rows = answer(database, f"select {counts} from {view}").rows
            assert rows == [(None, None, None, None, 2, True, False)] * 2
        asked = "select distinct counted, error from player_decisions"
        assert answer(database, asked).rows == [(None, None)]
        names = [name for name in REPORT if answered(database, QUESTIONS[name].sql).rows]
    assert names == ["contents", "analyses"]


@pytest.mark.parametrize("is_table", [False, True])
def test_a_damaged_or_foreign_table_is_one_line(is_table, corpus, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(corpus.folder, out)
    (name,) = corpus.tables["matches"]
    path = out / name
    path.write_bytes(b"PAR1" + path.read_bytes()[:2000])
    if is_table:
        columns = {"match": pa.array([0], pa.int32()), "player0": [["Ann"]]}
        pq.write_table(pa.table(columns), path)
    digest = sha256(path.read_bytes()).hexdigest()
    change_manifest(out, lambda stated: stated["tables"]["matches"].update({name: digest}))
    message = "the tables cannot be read: Parquet", "expected the columns of the table 'matches'"
    assert message[is_table] in refused("corpus-query", out, "select 1")


@pytest.mark.long
def test_an_answer_comes_with_nothing_on_standard_error(corpus):
    """Libraries report at their end what Python did not give back."""
    done = process("corpus-query", str(corpus.folder), "SELECT count(*) FROM matches")
    assert (done.returncode, done.stderr) == (0, b"")
