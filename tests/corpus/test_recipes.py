"""Every recipe of the documentation gives what the same arithmetic over the rows of the tables
gave (`recipes.yaml`)."""

import re
from itertools import count

import duckdb
import numpy as np
import pytest

from reconcile.corpus.query import QUESTIONS, RECIPES, STUDIES, about, answered, opened, study
from reconcile.corpus.run import build
from reconcile.formats.xg import records
from reconcile.match.names import NO_ALIASES
from reconcile.report.forms import in_form
from tests.corpus.corpus_folder import make
from tests.support.archive import XG, make_archive
from tests.support.command_line import refused, run
from tests.support.data import PROJECT
from tests.support.long import long_but_first
from tests.support.tables import beside
from tests.support.xg_tampering import changed

EXPECTED = beside(__file__)
PAGE = (PROJECT / "docs" / "corpus-sql.md").read_text("utf-8")
ELSEWHERE = PAGE.partition("## The tables in a program of your own")[2]
NORA = "Nora Lindqvist"
NAMED = {QUESTIONS[name].title: name for name in (*RECIPES, *STUDIES)}
MARK = (
    r'<g class="bar"><title>[^<]*: (\w+) (-?[\d.]+)</title>(?:<path [^>]*>)?'
    r'<g transform="translate\(([\d.]+) '
)


def without_most(content):
    """The match of Alice as one of Nora under another spelling, of which only the first game is
    analysed."""
    first, begin, rest = content.replace(b"[Alice m26]", b"[NORA_Lindqvist]").partition(b")\n(;")
    assert begin
    return first + begin + re.sub(rb"(?<=\])D?A\[[^\]]*\](\[[^\]]*\])*", b"", rest)


def deeper(content):
    """The same analysis as one two plies deep, by which every second candidate is worse by 0.03."""
    second = rb"(?<= 0C 0 1 0\.000000 1\]\[)(\w+ E ver 3(?: [-\d.]+){5} )(-?[\d.]+)"
    worse = re.sub(second, lambda match: match[1] + b"%.6f" % (float(match[2]) - 0.03), content)
    assert worse != content
    return worse.replace(b" 0C ", b" 2C ")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    archive = make_archive(tmp_path_factory.mktemp("matches") / "m")
    for name in ("gnubg-7pt-0ply", "gnubg-11pt-cube-rich", "gnubg-3pt-2ply"):
        (path,) = (XG.parents[1] / name).glob("*.sgf")
        (archive / path.name).write_bytes(
            without_most(path.read_bytes()) if name == "gnubg-3pt-2ply" else path.read_bytes()
        )
    (path,) = archive.glob("*7pt-0ply.sgf")
    path.with_name("deep.sgf").write_bytes(deeper(path.read_bytes()))
    for number, name in enumerate(("v1.xg", "v2.xg")):
        rated = {"elo": (1720.0 + number, 1590.0 + number), "experience": (number, 900)}
        (archive / name).write_bytes(
            changed((archive / name).read_bytes(), 0, records.MATCH_HEADER_LAYOUT, **rated)
        )
    return make(archive, tmp_path_factory.mktemp("out") / "tables")


@pytest.fixture(scope="module")
def database(corpus):
    """The tables opened once, and asked about Nora."""
    with opened(corpus, NO_ALIASES) as database:
        about(database, NORA)
        yield database


@pytest.mark.parametrize("name", long_but_first(NAMED, 4))
def test_a_recipe_gives_what_its_heading_says(name, database):
    answer = answered(database, QUESTIONS[NAMED[name]].sql)
    rows = [
        [str(cell).rpartition("/m/")[2] if "/m/" in str(cell) else cell for cell in row]
        for row in answer.rows
    ]
    expected = EXPECTED[name]
    if isinstance(expected, dict):
        columns = [sum(map(weight, column, count(1))) for column in zip(*rows, strict=True)]
        assert len(rows) == expected["rows"]
        assert columns == pytest.approx(expected["weighed"])
        rows, expected = [*rows[:2], rows[-1]], expected["ends"]
    # Rounded by the recipe to two or three decimals, a percentage to none.
    places = [0.5 if column.endswith("percent") else 0.005 for column in answer.columns]
    assert rows == [
        [
            pytest.approx(value, abs=within) if isinstance(value, float) else value
            for value, within in zip(row, places, strict=True)
        ]
        for row in expected
    ]


@pytest.mark.long
def test_every_question_has_the_same_answer_in_a_duckdb_of_ones_own(corpus, database):
    """By `views.sql` alone, as whoever was given the folder asks it."""
    with duckdb.connect(config={"threads": 1}) as own:
        own.execute("set file_search_path = ?", [str(corpus.folder)])
        own.execute((corpus.folder / "views.sql").read_text("utf-8"))
        about(own, NORA)
        for question in QUESTIONS.values():
            here, there = (answered(each, question.sql) for each in (database, own))
            assert there == here, question.title


def weight(cell, place):
    """A number, or the length of a text, times the number of its row."""
    return place * (len(cell or "") if isinstance(cell, str | None) else cell)


@pytest.mark.parametrize(
    "name", long_but_first([name for name in STUDIES if QUESTIONS[name].drawn])
)
def test_the_picture_of_a_study_has_every_number_where_it_belongs(name, database):
    question = QUESTIONS[name]
    answer, columns, sql = answered(database, question.sql), question.drawn, question.sql
    page = in_form(answer, "html", sql=sql, drawn=columns)
    marks = re.findall(MARK, page)
    for column in columns:
        numbers = [
            row[answer.columns.index(column)]
            for row in answer.rows
            if row[answer.columns.index(column)] is not None
        ]
        assert [float(value) for drawn, value, _ in marks if drawn == column] == pytest.approx(
            numbers
        )
    across = np.array([float(x) for *_, x in marks])
    values = np.array([float(value) for _, value, _ in marks])
    first, last = values.argmin(), values.argmax()
    assert values[last] == values[first] or across[last] > across[first]
    step = (across[last] - across[first]) / ((values[last] - values[first]) or 1.0)
    assert across == pytest.approx(across[first] + step * (values - values[first]), abs=0.2)
    assert "<script>alert" not in in_form(
        answer._replace(columns=("<script>alert(1)</script>", *answer.columns[1:])),
        "html",
        sql="<script>alert",
        drawn=columns,
    )


@pytest.mark.long
def test_a_picture_needs_columns_of_numbers(corpus, tmp_path):
    sql, page = (
        "select 'a' as name, 1 as one, null as none, 2 as b, 3 as c, 4 as d",
        tmp_path / "page.html",
    )
    for columns, names in (
        (("name",), "name"),
        (("none",), "none"),
        (("other",), "other"),
        (("one", "b", "c", "d"), "one, b, c and d"),
    ):
        drawn = [word for column in columns for word in ("--draw", column)]
        line = refused("corpus-query", corpus.folder, sql, "--html", page, *drawn)
        assert line.endswith(
            f"expected 1 to 3 columns of numbers to draw, of one, b, c and d; found {names}"
        )
        assert not page.exists()
    for options in (("--html", str(page)), ("--draw", "one")):
        refused("corpus-query", corpus.folder, sql, *options)
    done = run("corpus-query", str(corpus.folder), sql, "--html", str(page), "--draw", "one")
    assert (done.exit_code, done.stdout.split()) == (
        0,
        ["name", "one", "none", "b", "c", "d", "a", "1", "-", "2", "3", "4"],
    )
    assert "<h1>one by name</h1>" in page.read_text("utf-8")
    alone = run("corpus-query", str(corpus.folder), sql, "--html", "-", "--draw", "one")
    assert alone.stdout == page.read_text("utf-8")


def test_every_recipe_is_computed_here():
    assert set(NAMED) == set(EXPECTED)


@pytest.mark.long
def test_rates_are_those_of_the_report(data, tmp_path):
    # Matches that two or three tools analysed, some of them partly, under names spelt in four ways.
    (path,) = (XG.parents[1] / "gnubg-3pt-2ply").glob("*.sgf")
    (tmp_path / "part.sgf").write_bytes(without_most(path.read_bytes()))
    corpus = build(
        [str(data / "real"), str(data / "bgblitz"), str(tmp_path / "part.sgf")],
        tmp_path / "archive",
        jobs=1,
    )
    answer = study(corpus, NO_ALIASES, ["rules"]).answers["rules"]
    places = [
        answer.columns.index(name) for name in ("person", "rules", "matches", "decisions", "pr")
    ]
    under = [[row[place] for place in places] for row in answer.rows]
    reported = sorted(
        (str(name).replace("_", " "), matches, decisions, pr or 0.0)
        for name, rules, matches, decisions, pr in under
        if rules == "xg" and name not in ("NORA_Lindqvist", "Bob m26")
    )
    assert [row[1:3] for row in reported if row[0] == "Jade1"] == [(4, 321)]
    sql = ELSEWHERE.partition("```sql")[2].partition("```")[0]
    assert sql.count("'archive/") == 2
    rows = duckdb.connect().execute(sql.replace("'archive/", f"'{corpus.folder}/")).fetchall()
    # Spelt as in the files of one tool.
    rates = sorted(tuple(figures) for _, _, _, *figures in rows)
    assert rates == [
        (number, pytest.approx(rate, abs=0.0051))
        for number, rate in sorted(row[2:] for row in reported)
    ]
