"""What the report of an archive tells is what the single matches tell."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("duckdb", reason="duckdb is not installed")

from reconcile import load_match, statistics
from reconcile.corpus.assembly import load_corpus
from reconcile.corpus.study import study, usual_pairs
from reconcile.gap.usual import usual_document
from reconcile.match.aliases import load_aliases
from reconcile.match.names import fold
from reconcile.report import numbers
from reconcile.report.forms import in_form
from reconcile.report.text.corpus import findings
from reconcile.scoring.pool import pool
from tests.corpus.corpus_folder import change_manifest, make
from tests.report.markup import Page
from tests.support.archive import SGF, XG
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


@pytest.mark.long
def test_players_have_the_rates_of_a_pool_of_the_same_matches(report, archive):
    # Nora and Tomas by XG; gnuBG's analysis of the one match does not count a second time.
    paths = [path for path in sorted(archive.iterdir()) if path.suffix == ".xg"] + [
        archive / GNUBG.name
    ]
    for index, rules in enumerate(("xg", "gnubg")):
        pooled = {
            fold(player.name): player
            for player in pool(
                [statistics(load_match(path), rules) for path in paths], load_aliases(None)
            )
        }
        assert {fold(person.name) for person in report.people} == set(pooled)
        for person in report.people:
            expected, rate = pooled[fold(person.name)], person.rates[index]
            assert person.matches == expected.matches
            assert rate.decisions == expected.figures["decisions.counted"]
            assert rate.pr == pytest.approx(expected.figures["pr"], abs=1e-9)
            assert rate.snowie_er == pytest.approx(expected.figures["snowie_er"], abs=1e-9)
            assert (rate.low, rate.high) == pytest.approx(
                expected.intervals.get("pr", (None, None)), abs=1e-9
            )


def test_the_effect_of_a_question_is_that_of_answering_it_alone(report, archive):
    sizes = []
    for path in sorted(archive.glob("*.*g*")):
        if path.name == "broken.sgf":
            continue
        match = load_match(path)
        before, there = statistics(match, "xg"), statistics(match, "gnubg")
        if before.rules.answers["Q02"] == there.rules.answers["Q02"]:
            continue
        after = statistics(match, before.rules.switched("Q02", there.rules.answers["Q02"]))
        sizes += [
            abs((after.figures(seat)["pr"] or 0) - (before.figures(seat)["pr"] or 0))
            for seat in (0, 1)
        ]
    (effect,) = [effect for effect in report.effects if effect.question == "Q02"]
    assert effect.players == len(sizes)
    assert effect.mean == pytest.approx(np.mean(sizes), abs=1e-12)
    assert effect.most == pytest.approx(max(sizes), abs=1e-12)


def test_page_shows_every_section_and_asks_nobody(report):
    text = in_form(report, "html")
    assert Page(text).problems == []
    for key in ("gaps", "disputes", "players", "phases", "luck", "questions", "files"):
        assert f'<h2 id="{key}"' in text
    for person in report.people:
        assert person.name in text
    assert "reconcile compare" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert in_form(report, "html") == text


def run(*arguments):
    return command("corpus-report", *arguments)


def test_command_writes_the_page_beside_the_tables(report):
    ran = run(str(report.corpus.folder))
    assert ran.exit_code == 0, ran.stderr
    assert "9 matches in 10 files" in ran.stdout
    assert (report.corpus.folder / "report.html").read_text("utf-8") == in_form(report, "html")


def test_pages_and_usual_gaps_go_where_they_are_asked(corpus, tmp_path):
    ran = run(str(corpus.folder), "--usual", str(tmp_path / "usual.json"), "--html", "-")
    assert ran.exit_code == 0, ran.stderr
    assert ran.stdout.startswith("<!DOCTYPE html>")
    assert "9 matches" not in ran.stdout.splitlines()[0]
    assert (tmp_path / "usual.json").read_text("utf-8") == usual_document(usual_pairs(corpus))
    both = run(str(corpus.folder), "--usual", "-", "--html", "-")
    assert (both.exit_code, both.stdout) == (2, "")


def test_rule_set_named_in_a_manifest_is_no_sql(copied):
    for name in ('xg" from decisions; drop view decisions; --', "xg', 'x", "none"):
        change_manifest(copied, lambda stated, name=name: stated.update({"rules": name.split(",")}))
        ran = run(str(copied))
        assert (ran.exit_code, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)


def test_every_finding_comes_before_the_tables(report):
    story = findings(report)
    assert [line for line in story if line.startswith("XG and gnuBG differ by ")]
    text, page = in_form(report, "text"), Page(in_form(report, "html"))
    assert text.splitlines()[4 : 4 + len(story)] == [numbers.ascii_minus(line) for line in story]
    assert [element.text for element in page.find("li")][: len(story)] == story


def test_a_folder_that_is_no_finished_corpus_is_refused(copied, tmp_path):
    assert (run(str(tmp_path)).exit_code, run(str(tmp_path)).stdout) == (2, "")
    path = next((copied / "players").rglob("*.parquet"))
    path.unlink()
    assert f"found no {path.name}" in run(str(copied)).stderr
    (copied / "archive.json").write_text("[" * 100_000)
    assert run(str(copied)).exit_code == 2


@pytest.mark.parametrize("other", [[], {"tables": 1}, {"rules": None}, {"files": "many"}])
def test_manifest_of_something_else_is_refused(copied, other):
    whole = json.loads((copied / "archive.json").read_text("utf-8"))
    stated = {**whole, **other} if other else other
    (copied / "archive.json").write_text(json.dumps(stated), "utf-8")
    assert "expected the manifest of a corpus" in run(str(copied)).stderr


def test_nothing_is_written_over_what_is_of_the_archive(copied):
    for name in ("README.md", "archive.json"):
        before = (copied / name).read_bytes()
        ran = run(str(copied), "--usual", str(copied / name))
        assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
        assert (copied / name).read_bytes() == before


def test_an_archive_without_any_analysis_has_no_rates(tmp_path):
    (tmp_path / "bare.mat").write_text(
        " 3 point match\n\n Game 1\n Ann : 0                             Ben : 0\n  1) 31: 8/5 "
        "6/5                  42: 8/4 6/4\n"
    )
    corpus = make(tmp_path, tmp_path / "out")
    report = study(load_corpus(str(corpus.folder)), load_aliases(None))
    assert (report.people, report.effects, len(report.rules_gap.values)) == ((), (), 0)
    assert "No" not in in_form(report, "text").split()[:1]
    assert "<h1>1 match" in in_form(report, "html")
