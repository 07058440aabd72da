"""`reconcile stats DIR --html DIR`: a page for every player, and one for every match."""

import re
import shutil
import zipfile
from pathlib import Path

import pytest

from reconcile import load_match, review, statistics, to_html
from reconcile.match.names import NO_ALIASES
from reconcile.report.text.query import player_pages
from reconcile.scoring.pool import pool
from tests.report.markup import Page
from tests.support.archive import archive_of
from tests.support.command_line import SGF, WITHIN, run
from tests.support.command_line import XG as MATCH
from tests.support.data import PROJECT

SAMPLES = PROJECT / "docs" / "samples"
MATCHES = SAMPLES / "nora-lindqvist.zip"
ONE_PLY = SAMPLES / "nora-lindqvist-tomas-beck-1ply.sgf"
XG = Path(MATCH)
SHALLOW, DEEP = "0 plies ahead", "2 plies ahead"

if not SAMPLES.is_dir():
    pytest.skip(
        "the sample matches are part of the documentation of a checkout", allow_module_level=True
    )


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """A folder with one match in three analyses, of which one is there twice, three others in an
    archive, and a file that is no match."""
    folder = tmp_path_factory.mktemp("made") / "several"
    folder.mkdir()
    shutil.copy(XG, folder / "the-same.xg")
    for path in (XG, SGF, ONE_PLY):
        shutil.copy(path, folder)
    with zipfile.ZipFile(MATCHES) as every, zipfile.ZipFile(folder / "others.zip", "w") as others:
        for name in every.namelist():
            if "ida" in name or "02-07" in name:
                others.writestr(name, every.read(name))
    (folder / "broken.xg").write_bytes(XG.read_bytes()[:2000])
    return folder


@pytest.fixture(scope="module")
def site(several, tmp_path_factory):
    """The pages of all of them."""
    folder = tmp_path_factory.mktemp("pages")
    assert run("stats", several, "--html", folder).exit_code == WITHIN
    return folder


@pytest.fixture(scope="module")
def nora():
    """The page of one player, whose matches were analysed at two depths."""
    made = player_pages([str(MATCHES)], "", player="Nora Lindqvist", aliases=NO_ALIASES)
    return str(dict(made)["index.html"])


def rows(page, heading):
    """The rows of the table below a heading, by the names of its columns."""
    part = page.partition(f">{heading}<")[2].partition("<table")[2].partition("</table>")[0]
    (table,) = Page(f"<html><body><table{part}</table></body></html>").find("table")
    head = [cell.text for cell in table.all("thead")[0].all("th")]
    body = [
        [cell.text for kind in ("th", "td") for cell in row.all(kind)]
        for row in table.all("tbody")[0].all("tr")
    ]
    return [dict(zip(head, row, strict=True)) for row in body]


def pages(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))


def test_every_player_and_every_match_has_a_page_and_a_file_that_is_none_is_listed(
    site,
):
    actual = pages(site)
    assert [name for name in actual if "/" not in name] == [
        "ida_kallio.html", "index.html", "nora-lindqvist.html", "tomas-beck.html",
    ]  # fmt: skip
    assert len([name for name in actual if name.startswith("matches/")]) == 4
    index = (site / "index.html").read_text("utf-8")
    assert "<h1>3 players in 4 matches</h1>" in index
    assert "several/broken.xg" in index
    for name in actual:
        page = site / name
        for target in re.findall(r'<a href="([^"#]+)"', page.read_text("utf-8")):
            assert (page.parent / target).is_file(), f"{name}: {target}"


def test_page_of_one_player_is_the_index_and_has_no_match_of_others(several, tmp_path):
    result = run(
        "stats", several / "others.zip", "--html", tmp_path / "pages", "--player", "ida KÁLL"
    )
    assert result.exit_code == WITHIN, result.stderr
    actual = pages(tmp_path / "pages")
    assert len(actual) == 3
    assert all(name == "index.html" or "ida-kallio" in name for name in actual)
    assert "<h1>Ida Kallio: PR " in (tmp_path / "pages" / "index.html").read_text("utf-8").replace(
        "Ida_Kallio", "Ida Kallio"
    )


def test_a_compressed_tar_file_has_the_pages_of_its_matches(several, tmp_path):
    """It can only be read from its start, and no bytes of it are held."""
    with zipfile.ZipFile(several / "others.zip") as packed:
        members = {name: packed.read(name) for name in packed.namelist() if "ida" in name}
    path = tmp_path / "m.tar.gz"
    path.write_bytes(archive_of("tar.gz", members))
    made = dict(player_pages([str(path)], "", player="Ida Kallio", aliases=NO_ALIASES))
    listed = rows(str(made["index.html"]), "Matches of a player")
    assert {row["File"].rpartition("!")[2] for row in listed} == members.keys()
    assert len(made) == 1 + len(listed) == 3


@pytest.mark.long
def test_page_of_a_match_is_that_of_the_command(site, several):
    (page,) = (site / "matches").glob("several-nora-lindqvist-tomas-beck*.html")
    files = sorted(
        path for path in several.iterdir() if path.name.startswith("nora") and path.suffix != ".zip"
    )
    assert page.read_text("utf-8") == to_html(review(*map(load_match, files)))


def test_figures_of_a_kind_of_analysis_are_those_of_a_pool_of_it(nora, tmp_path):
    with zipfile.ZipFile(MATCHES) as packed:
        packed.extractall(tmp_path)
    scored = [statistics(load_match(path)) for path in sorted(tmp_path.glob("*.sgf"))]
    rates = rows(nora, "Players")
    assert [row["Analysis"] for row in rates] == [f"gnuBG {DEEP}", f"gnuBG {SHALLOW}"]
    for row in rates:
        depth = float(row["Analysis"].split()[1])
        same = [built for built in scored if (built.match.lookahead or 0) == depth]
        (alone,) = (each for each in pool(same, NO_ALIASES) if each.name.startswith("Nora"))
        figures, (low, high) = alone.figures, alone.intervals["pr"]
        assert row["PR"] == f"{figures['pr']:.2f} ({low:.2f} to {high:.2f})"
        names = {"Checker PR": "checker_pr", "Cube PR": "cube_pr", "Snowie error rate": "snowie_er"}
        for column, name in names.items():
            assert float(row[column]) == pytest.approx(figures[name], abs=0.0051)
        assert int(row["Decisions"]) == figures["decisions.counted"]
        assert int(row["Matches"]) == len(same)
        lost = (figures["mwc_loss_percent.total"] or 0) / len(same)
        assert float(row["MWC lost %"]) == pytest.approx(lost, abs=0.051)


def test_depths_are_never_added_up_and_no_line_joins_them(nora):
    lines = re.findall(r'<path d="M([^"]*)" class="line"', nora)
    assert [line.count("L") + 1 for line in lines] == [5, 3]
    assert (
        "analysed in several ways, which are never added up: gnuBG 2 plies ahead 5 matches, gnuBG "
        "0 plies ahead 3 matches." in nora
    )


def test_phases_hold_every_decision_once(nora):
    phases = rows(nora, "Where the errors are made")
    for row in rows(nora, "Players"):
        mine = [each for each in phases if each["Analysis"] == row["Analysis"]]
        parts = [
            sum(int(each["Decisions"]) for each in mine if each["Part"] == part)
            for part in ("both", "checker", "cube")
        ]
        assert parts[0] == parts[1] + parts[2] == int(row["Decisions"])


def test_days_order_the_matches_and_a_file_given_twice_counts_once(site):
    page = (site / "nora-lindqvist.html").read_text("utf-8")
    days = [row["Date"] for row in rows(page, "Matches of a player")]
    assert days == sorted(days, reverse=True)
    assert days[-1] == "2026-01-17"
    assert len(days) == 3 + 3
    assert "several/the-same.xg: the same analysis as " in page


def test_a_match_has_the_pr_of_every_analysis(site):
    page = (site / "nora-lindqvist.html").read_text("utf-8")
    found = [row["PR"] for row in rows(page, "Matches of a player") if row["Date"] == "2026-11-21"]
    rates = [statistics(load_match(path)).figures(0)["pr"] or 0.0 for path in (XG, SGF, ONE_PLY)]
    assert sorted(found) == sorted(f"{rate:.2f}" for rate in rates)


def test_the_axis_of_a_course_has_days(nora):
    course = nora.partition(">Matches of a player<")[2].partition("<figure>")[2]
    course = course.partition("</figure>")[0]
    days = re.findall(r'<text x="([^"]*)"[^>]*>(\d{4}-\d\d-\d\d)</text>', course)
    assert len(days) == 3
    assert days[0][1] == min(row["Date"] for row in rows(nora, "Matches of a player"))
    assert [day for _, day in days] == sorted(day for _, day in days)
    assert [float(x) for x, _ in days] == sorted(float(x) for x, _ in days)
