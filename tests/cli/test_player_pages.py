"""`reconcile stats DIR --html DIR`: a page for every player, and one for every match."""

import re
import shutil
import zipfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from reconcile import load_match, review, statistics, to_html
from reconcile.corpus.career import careers
from reconcile.match.aliases import NO_ALIASES
from reconcile.report.html.player import player_pages
from reconcile.report.text.career import rate
from reconcile.scoring.pool import pool
from tests.support.claims import some
from tests.support.command_line import ERROR, SGF, WITHIN, run
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
    """A folder with one match in three analyses, eight others, and a file that is no match."""
    folder = tmp_path_factory.mktemp("made") / "several"
    folder.mkdir()
    for path in (XG, SGF, ONE_PLY, MATCHES):
        shutil.copy(path, folder)
    (folder / "broken.xg").write_bytes(XG.read_bytes()[:2000])
    return folder


@pytest.fixture(scope="module")
def site(several, tmp_path_factory):
    """The pages of all of them."""
    folder = tmp_path_factory.mktemp("pages")
    assert run("stats", several, "--html", folder).exit_code == WITHIN
    return folder


@cache
def nora():
    return careers([str(MATCHES)], player="Nora Lindqvist")


def pages(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))


def test_every_player_and_every_match_has_a_page_and_a_file_that_is_none_is_listed(
    site,
):
    actual = pages(site)
    assert [name for name in actual if "/" not in name] == [
        "ida_kallio.html", "index.html", "marit_solheim.html", "nora-lindqvist.html",
        "ruben_achterberg.html", "tomas-beck.html",
    ]  # fmt: skip
    assert len([name for name in actual if name.startswith("matches/")]) == 9
    index = (site / "index.html").read_text("utf-8")
    assert "<h1>5 players in 9 matches</h1>" in index
    assert "several/broken.xg" in index
    for name in actual:
        page = site / name
        for target in re.findall(r'<a href="([^"#]+)"', page.read_text("utf-8")):
            assert (page.parent / target).is_file(), f"{name}: {target}"


def test_page_of_one_player_is_the_index_and_has_no_match_of_others(tmp_path):
    result = run("stats", MATCHES, "--html", tmp_path / "pages", "--player", "ida kallio")
    assert result.exit_code == WITHIN, result.stderr
    actual = pages(tmp_path / "pages")
    assert len(actual) == 3
    assert all(name == "index.html" or "ida-kallio" in name for name in actual)
    assert "<h1>Ida Kallio: PR " in (tmp_path / "pages" / "index.html").read_text("utf-8").replace(
        "Ida_Kallio", "Ida Kallio"
    )


@pytest.mark.long
def test_page_of_a_match_is_that_of_the_command(site, several):
    (page,) = (site / "matches").glob("several-nora-lindqvist-tomas-beck*.html")
    files = sorted(
        path for path in several.iterdir() if path.name.startswith("nora") and path.suffix != ".zip"
    )
    assert page.read_text("utf-8") == to_html(review(*map(load_match, files)))


def test_figures_of_a_kind_of_analysis_are_those_of_a_pool_of_it(tmp_path):
    with zipfile.ZipFile(MATCHES) as packed:
        packed.extractall(tmp_path)
    scored = [statistics(load_match(path)) for path in sorted(tmp_path.glob("*.sgf"))]
    for career in some(careers([str(MATCHES)]).players):
        for each in some(career.rated):
            same = [built for built in scored if (built.match.lookahead or 0) == each.ahead]
            (alone,) = (
                actual
                for actual in pool(same, NO_ALIASES)
                if actual.name.replace("_", " ") == career.name.replace("_", " ")
            )
            assert each.pooled.figures == alone.figures
            assert each.pooled.intervals == alone.intervals
            complete = [score for played in career.played if (score := played.rate(0)) is not None]
            assert each.mean is None or min(complete) <= each.mean <= max(complete)


def test_depths_are_never_added_up_and_no_line_joins_them():
    (player,) = nora().players
    assert [(each.analysis.depth, each.pooled.matches) for each in player.rated] == [
        (DEEP, 5),
        (SHALLOW, 3),
    ]
    assert sum(each.pooled.matches for each in player.rated) == len(player.played) == 8
    _, page = player_pages(nora(), "pages", alone=True)[-1]
    assert isinstance(page, str)
    lines = re.findall(r'<path d="M([^"]*)" class="line"', page)
    assert [line.count("L") + 1 for line in lines] == [5, 3]
    assert (
        "analysed in 2 ways, which are never added up: gnuBG 2 plies ahead 5 matches and gnuBG "
        "0 plies ahead 3 matches" in page
    )


def test_phases_and_scores_hold_every_decision_once():
    (player,) = nora().players
    for each in some(player.rated):
        by_phase = [rate for rates in each.phases.values() for rate in rates.values()]
        assert sum(rate.number for rate in by_phase) == each.pooled.figures["decisions.counted"]
        cubes = sum(rates["cube"].number for rates in each.phases.values())
        assert sum(score.rate.number for score in each.scores) == cubes


def test_days_order_the_matches_and_a_file_given_twice_counts_once(tmp_path):
    for name in (XG.name, "again.xg"):
        shutil.copy(XG, tmp_path / name)
    actual = careers([str(tmp_path), str(MATCHES)], player="a LÍND")
    (player,) = actual.players
    days = [played.date for played in player.played]
    assert days == sorted(days)
    assert days[0] == "2026-01-17"
    assert [(Path(each.name).name, each.why) for each in actual.leftovers] == [
        (XG.name, "duplicate")
    ]
    assert player.name == "Nora Lindqvist"
    assert player.spellings == ("Nora_Lindqvist",)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--html", "pages", "--player", "Nora Lindquist"),
            "no player 'Nora Lindquist' in any match (did you mean Nora",
        ),
        (
            ("--html", "pages", "--player", "a"),
            "more than one player 'a' in any match: ",
        ),
        (
            ("--player", "Nora Lindqvist"),
            "--player names the player whose page --html writes; add --html DIR, or leave it out",
        ),
        (("--html", "-"), "--html needs a folder for the pages of players, not -"),
        (("--html", "pages", "--pool"), "leave out --pool and --decisions"),
    ],
    ids=["unknown", "several", "no page", "no folder", "pool"],
)
def test_what_cannot_be_is_refused(words, message):
    result = run("stats", MATCHES, *words)
    assert (result.exit_code, message in result.stderr) == (ERROR, True), result.stderr


def test_a_match_has_the_deepest_pr_of_every_program_the_most_trusted_first(site):
    page = (site / "nora-lindqvist.html").read_text("utf-8")
    (row,) = (row for row in page.split("<tr>") if ONE_PLY.name in row)
    cell = row.split("<td>")[3].partition("</td>")[0]
    rates = {
        path: statistics(load_match(path)).figures(0)["pr"] or 0.0 for path in (XG, SGF, ONE_PLY)
    }
    assert cell == f"{rates[XG]:.2f} XG {DEEP}; {rates[ONE_PLY]:.2f} gnuBG 1 ply ahead"


def test_the_axis_of_a_course_has_days(site):
    page = (site / "nora-lindqvist.html").read_text("utf-8")
    course = page.partition("<figure>")[2].partition("</figure>")[0]
    days = re.findall(r'<text x="([^"]*)"[^>]*>(\d{4}-\d\d-\d\d)</text>', course)
    (player,) = nora().players
    assert len(days) == 3
    assert days[0][1] == min(played.date or "" for played in player.played)
    assert [day for _, day in days] == sorted(day for _, day in days)
    assert [float(x) for x, _ in days] == sorted(float(x) for x, _ in days)


@pytest.mark.parametrize("ends", [(5.0, 6.0), (0.0, 12.5)])
def test_a_range_of_an_open_rule_does_not_look_like_an_interval(ends):
    (player,) = nora().players
    rated = player.rated[0]
    value, low, high = (
        rated.pooled.figures["pr"] or 0.0,
        *(end or 0.0 for end in rated.pooled.intervals["pr"]),
    )
    assert rate(rated) == f"{value:.2f} ({low:.2f} to {high:.2f})"
    unsettled = rated._replace(pooled=replace(rated.pooled, ranges={"pr": ends}))
    assert rate(unsettled) == f"{ends[0]:.2f} to {ends[1]:.2f}, a rule is open"
