"""Tool and depth are part of every rate: two depths of one tool are a pair, and a change of
depth over time is no progress."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from reconcile.corpus.study import Study, study
from reconcile.files.aliases import load_aliases
from reconcile.match.tools import BGBLITZ, XG
from reconcile.report.html.corpus import corpus_page
from reconcile.report.text.corpus import corpus_text
from tests.support.hand_made_corpus import (
    RULES,
    corpus_of,
    decision_row,
    match_row,
    player_rows,
)

GNUBG = "GNU Backgammon"
NAMES = ("Ann", "Ben")
NOBODY = load_aliases(None)
SHALLOW, DEEP = (2.0, 1.0), (1.0, 1.0)
"""Equity that the two players lost in the eyes of either depth."""


def archive(folder: Path, *matches: tuple[int, int, tuple[float, float], date | None]) -> Study:
    """The study of matches, each the same as another one, with plies ahead, equity lost and day."""
    rows, players, decisions = [], [], []
    for number, (same_as, plies, lost, day) in enumerate(matches):
        rows.append(
            match_row(
                number,
                GNUBG,
                NAMES,
                same_as=same_as,
                lookahead=float(plies),
                level_name=f"{plies}-ply",
                date=day,
            )
        )
        players += player_rows(number, NAMES, lost)
        decisions += [
            decision_row(number, turn + 1, turn % 2, 0.02, kind="play") for turn in range(2)
        ]
    return study(corpus_of(folder, matches=rows, players=players, decisions=decisions), NOBODY)


def test_two_depths_of_one_tool_are_a_pair_and_one_counts(tmp_path: Path) -> None:
    report = archive(
        tmp_path,
        *(
            (2 * (number // 2), (0, 4)[number % 2], (SHALLOW, DEEP)[number % 2], None)
            for number in range(12)
        ),
    )
    (pair,) = report.tools
    assert (pair.left.short, pair.right.short) == ("gnuBG 0 plies ahead", "gnuBG 4 plies ahead")
    assert pair.gap.values.tolist() == [-10.0] * 6 + [0.0] * 6
    assert [
        (person.name, person.analysis.depth, person.matches, person.rates[0].pr)
        for person in report.people
    ] == [
        ("Ann", "4 plies ahead", 6, 10.0),
        ("Ben", "4 plies ahead", 6, 10.0),
    ]
    text = corpus_text(report)
    assert "gnuBG 0 plies ahead and gnuBG 4 plies ahead differ by 5.00 PR on average" in text
    assert "All rates are of gnuBG 4 plies ahead; counting rules: gnubg." in text.splitlines()[1]


def test_a_change_of_depth_over_time_is_no_progress(tmp_path: Path) -> None:
    years = [
        (
            number,
            0 if number < 10 else 4,
            SHALLOW if number < 10 else DEEP,
            date(2020 + number // 5, 3, 1),
        )
        for number in range(20)
    ]
    report = archive(tmp_path, *years)
    anns = [course for course in report.periods.courses if course.name == "Ann"]
    of_ann = {
        course.analysis.depth: [rate and rate.value for rate in course.rates] for course in anns
    }
    months = {
        depth: [value for value in rates if value is not None] for depth, rates in of_ann.items()
    }
    assert months == {"0 plies ahead": [20.0, 20.0], "4 plies ahead": [10.0, 10.0]}
    assert sorted(
        (person.name, person.analysis.depth, person.rates[0].pr) for person in report.people
    ) == [
        ("Ann", "0 plies ahead", 20.0),
        ("Ann", "4 plies ahead", 10.0),
        ("Ben", "0 plies ahead", 10.0),
        ("Ben", "4 plies ahead", 10.0),
    ]
    mixed = (
        "Analyses are mixed: gnuBG 0 plies ahead 10 matches, gnuBG 4 plies ahead 10 matches; "
        "counting rules: gnubg; played from 2020 to 2023."
    )
    assert corpus_text(report).splitlines()[1] == mixed
    page = corpus_page(report)
    assert mixed in page
    assert page.index(mixed) < page.index("PR")


@pytest.mark.parametrize(
    ("tool", "place", "named"),
    [(XG.name, 0, "xg"), (GNUBG, 1, "gnubg"), (BGBLITZ.name, 2, "bgblitz"), ("Other", 0, "xg")],
)
def test_every_rate_is_by_the_rules_of_the_tool(
    tool: str, place: int, named: str, tmp_path: Path
) -> None:
    rows = [match_row(number, tool, NAMES, date=date(2020, 1 + number, 1)) for number in range(3)]
    players = [
        row | {"rated_error": 1.0 + RULES.index(row["rules"]), "pr": 10.0}
        for number in range(3)
        for row in player_rows(number, NAMES)
    ]
    decisions = [
        decision_row(number, turn, turn % 2, (0.1, 0.2, 0.3))
        for number in range(3)
        for turn in range(40)
    ]
    rated = study(corpus_of(tmp_path, matches=rows, players=players, decisions=decisions), NOBODY)
    factor = place + 1
    assert [person.own.pr for person in rated.people] == [pytest.approx(10.0 * factor)] * 2
    assert [rate and rate.value for course in rated.periods.courses for rate in course.rates] == [
        pytest.approx(10.0 * factor)
    ] * 9
    assert [phase.rates["both"].value for phase in rated.phases] == [pytest.approx(50.0 * factor)]
    assert rated.rules == ((tool, named),)
    text, page = corpus_text(rated), corpus_page(rated)
    assert f"counting rules: {named};" in text.splitlines()[1]
    assert text.count("counting rules") == page.count("counting rules") == 1


def test_the_rules_of_several_tools_are_named_with_them(tmp_path: Path) -> None:
    tools = (XG.name, XG.name, GNUBG)
    rows = [match_row(number, tool, NAMES) for number, tool in enumerate(tools)]
    players = [row for number in range(3) for row in player_rows(number, NAMES)]
    rated = study(corpus_of(tmp_path, matches=rows, players=players), NOBODY)
    assert "counting rules: xg for XG, gnubg for gnuBG." in corpus_text(rated).splitlines()[1]
