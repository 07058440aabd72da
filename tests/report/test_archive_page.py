"""The page of an archive: bounded whatever the archive, its pictures true to the numbers, harmless
whatever the names.
"""

import re
from datetime import date, timedelta
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("duckdb", reason="duckdb is not installed")

from reconcile.corpus.query import Answer, study
from reconcile.match.names import load_aliases
from reconcile.report.forms import in_form
from reconcile.report.html.charts import scores
from tests.corpus.hand_made_corpus import corpus_of, decision_row, match_row, player_rows
from tests.report.markup import Page, assert_usable

EVIL = '<script>alert("x")</script>' + "n" * 200
PLAYERS = 150


def analysis_of_a_crowd(number, which, tool):
    """The rows of every table for the first or the second analysis of a match."""
    names = (f"{EVIL}{number % PLAYERS}", f"{EVIL}{(number + 1) % PLAYERS}")
    key = 2 * number + which
    match = match_row(
        key,
        tool,
        names,
        same_as=2 * number,
        date=date(2015, 1, 1) + timedelta(days=10 * number),
        lookahead=float(number % 7),
        file=f"{EVIL}/{key}.xg",
    )
    players = player_rows(key, names, (number / 100 + which, 1.0))
    for row in players:
        row["luck_net_mwc_percent"] = (number % 60) * (1.0 if row["seat"] else -1.0)
    games = [
        {"match": key, "seat": seat, "rules": "xg", "game": 1, "won": 7 * ((seat + number) % 2)}
        for seat in (0, 1)
    ]
    more = {
        "xgid": f"XGID={EVIL}",
        "action": EVIL,
        "best": EVIL,
        "away": 1 + number % 15,
        "opponent_away": 1 + number % 14,
    }
    decisions = [
        *(
            decision_row(key, turn, turn % 2, 0.1 * turn + which * number / 300, **more)
            for turn in (1, 2)
        ),
        decision_row(key, 3, 1, 0.2, kind="double", **more),
    ]
    return {"matches": [match], "players": players, "decisions": decisions, "games": games}


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """Three hundred matches of 150 players with awkward names, by XG and gnuBG, over years."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for number in range(300):
        for which, tool in enumerate(("eXtreme Gammon", "GNU Backgammon")):
            for table, rows in analysis_of_a_crowd(number, which, tool).items():
                tables.setdefault(table, []).extend(rows)
    return study(corpus_of(tmp_path_factory.mktemp("crowd"), **tables), load_aliases(None))


def test_page_of_a_crowd_is_small_and_whole_and_runs_nothing(crowd):
    page = in_form(crowd, "html")
    assert_usable(page, Page(page))
    assert "<script>alert" not in page
    assert len(page) < 400_000


def test_interval_is_drawn_where_its_numbers_are():
    answer = Answer(
        ("name", "pr", "pr_low", "pr_high"), [("one", 10.0, 5.0, 20.0), ("two", 0.0, None, None)]
    )
    page = in_form(answer, "html", sql="select", drawn=["pr"])
    assert "10 (5 to 20)" in page
    ((left, right),) = re.findall(r'd="M([\d.]+) [\d.]+H([\d.]+)" class="stem whisker"', page)
    upper, lower = (
        float(x)
        for x in re.findall(
            r'<g transform="translate\(([\d.]+) [\d.]+\)"><circle [^>]*/></g></g>', page
        )
    )
    # The axis begins at lower's 0.
    assert (float(left) - lower) / (upper - lower) == pytest.approx(0.5, abs=0.01)
    assert (float(right) - lower) / (upper - lower) == pytest.approx(2.0, abs=0.01)


def test_score_of_few_decisions_has_no_colour():
    known = {"away": 2, "opponent_away": 3, "pr": 20.0, "decisions": 30}
    svg = scores([known, {"away": 3, "opponent_away": 2, "pr": None, "decisions": 4}], "k")
    assert re.findall(r'fill-opacity="([\d.]+)"', svg) == ["0.75", "0"]
    assert "2-away against 3-away: PR 20.00, 30 decisions" in svg
    assert "3-away against 2-away: PR –, 4 decisions" in svg
