"""What the report of an archive tells is what the single matches tell."""

import json
import shutil
from pathlib import Path

import pytest

from reconcile.corpus.query import QUESTIONS, Study, study, usual_pairs
from reconcile.gap.comparison import usual_document
from reconcile.match.names import load_aliases
from reconcile.report.forms import in_form
from reconcile.report.text.query import sentences
from tests.corpus.corpus_folder import change_manifest, make, rows_by_column
from tests.report.markup import Page
from tests.support.archive import SGF, XG
from tests.support.command_line import refused
from tests.support.command_line import run as command
from tests.support.variants import variant

GNUBG = XG.parents[1] / "gnubg-7pt-0ply" / "alice-bob-7pt-0ply.sgf"


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Eight matches of Nora and Tomas by XG, one of them by gnuBG, too, and one of others."""
    folder = tmp_path_factory.mktemp("matches")
    for seed in range(7):
        (folder / f"v{seed}.xg").write_bytes(variant(XG.read_bytes(), seed))
    for path in (XG, SGF, GNUBG):
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "broken.sgf").write_text("(;FF[4]GM[6]")
    return folder


@pytest.fixture(scope="module")
def corpus(archive, tmp_path_factory):
    return make(archive, tmp_path_factory.mktemp("out") / "out [1]")


@pytest.fixture
def copied(corpus, tmp_path):
    """The folder of the tables, to be changed."""
    return Path(shutil.copytree(corpus.folder, tmp_path / "out"))


@pytest.fixture(scope="module")
def report(corpus):
    return study(corpus, load_aliases(None))


def test_page_shows_every_section_and_asks_nobody(report):
    text = in_form(report, "html")
    assert Page(text).problems == []
    for key in ("analyses", "tools", "disputes", "players", "phases", "luck", "effects"):
        assert f'<h2 id="{key}"' in text
    for row in rows_by_column(report.answers["players"]):
        assert row["person"] in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert in_form(report, "html") == text


def run(*arguments):
    return command("corpus-report", *arguments)


def test_command_writes_the_page_beside_the_tables(report, corpus):
    ran = run(str(corpus.folder))
    assert ran.exit_code == 0, ran.stderr
    assert "9 matches in 10 files" in ran.stdout
    assert (corpus.folder / "report.html").read_text("utf-8") == in_form(report, "html")


def test_pages_and_usual_gaps_go_where_they_are_asked(corpus, tmp_path):
    ran = run(str(corpus.folder), "--usual", str(tmp_path / "usual.json"), "--html", "-")
    assert ran.exit_code == 0, ran.stderr
    assert ran.stdout.startswith("<!DOCTYPE html>")
    assert "9 matches" not in ran.stdout.splitlines()[0]
    assert (tmp_path / "usual.json").read_text("utf-8") == usual_document(usual_pairs(corpus))
    refused("corpus-report", corpus.folder, "--usual", "-", "--html", "-")


def test_rule_set_named_in_a_manifest_is_no_sql(copied):
    for name in ('xg" from decisions; drop view decisions; --', "xg', 'x", "none"):
        change_manifest(copied, lambda stated, name=name: stated.update({"rules": name.split(",")}))
        refused("corpus-report", copied)


def test_every_sentence_comes_before_the_tables(report):
    story = [line for name, answer in report.answers.items() for line in sentences(name, answer)]
    assert [line for line in story if line.startswith("PRs by XG and by gnuBG differ by ")]
    page = Page(in_form(report, "html"))
    assert [element.text for element in page.find("h1")] == story[:1]
    assert [element.text for element in page.find("li")][: len(story) - 1] == story[1:]


def test_a_question_with_a_name_is_asked_by_it_in_every_form(corpus, report, tmp_path):
    folder, page = str(corpus.folder), tmp_path / "page.html"
    asked = command("corpus-query", folder, "players", "--format", "json", "--html", str(page))
    assert asked.exit_code == 0, asked.stderr
    assert json.loads(asked.stdout) == [
        {name: value for name, value in row.items() if not name.startswith("_")}
        for row in rows_by_column(report.answers["players"])
    ]
    assert "<h1>Players</h1>" in page.read_text("utf-8")
    assert page.read_text("utf-8").count('class="chart"') == 1
    text = command("corpus-query", folder, "tools").stdout
    assert text.startswith("PRs by XG and by gnuBG differ by ")
    assert "_moved" not in text + command("corpus-query", folder, "tools", "--format", "csv").stdout
    listed = command("corpus-query", folder).stdout
    assert [name for name in QUESTIONS if f"  {name} " not in listed] == []


def test_a_report_has_the_beginning_of_a_long_answer_and_pictures_of_enough_points(report):
    contents, players = (report.answers[name] for name in ("contents", "players"))
    pages = []
    for rows in ([*players.rows[:1]] * 25, players.rows[:2]):
        shown = Study({"contents": contents, "players": players._replace(rows=rows)})
        pages.append(in_form(shown, "html"))
    assert "The first 20 of 25 rows; <code>reconcile corpus-query DIR players</code>" in pages[0]
    assert [page.count('class="chart"') for page in pages] == [1, 0]


def test_a_folder_that_is_no_finished_corpus_is_refused(copied):
    path = next((copied / "players").rglob("*.parquet"))
    path.unlink()
    assert f"found no {path.name}" in run(str(copied)).stderr
    (copied / "archive.json").write_text("[" * 100_000)
    refused("corpus-report", copied)


@pytest.mark.parametrize("other", [[], {"tables": 1}, {"rules": None}, {"files": "many"}])
def test_manifest_of_something_else_is_refused(copied, other):
    whole = json.loads((copied / "archive.json").read_text("utf-8"))
    stated = {**whole, **other} if other else other
    (copied / "archive.json").write_text(json.dumps(stated), "utf-8")
    assert "expected the manifest of a corpus" in run(str(copied)).stderr
