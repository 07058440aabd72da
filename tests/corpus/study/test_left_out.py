"""Nothing is told of what is not known: incomplete analyses, few decisions and few matches are
left out, named and counted."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from reconcile.corpus.run import build
from reconcile.corpus.study import Study, study
from reconcile.files.aliases import load_aliases
from reconcile.report.html.corpus import corpus_page
from reconcile.report.text.corpus import corpus_text, findings, sentence
from reconcile.scoring.rates import FEWEST_DECISIONS
from tests.support.hand_made_corpus import UNKNOWN, corpus_of, decision_row, match_row, player_rows

XG, GNUBG = "eXtreme Gammon", "GNU Backgammon"
NAMES = ("Ann", "Ben")
NOBODY = load_aliases(None)


def of(folder: Path, *analyses: tuple[int, str, dict[str, Any]]) -> Study:
    """Matches by number, each with the tool of an analysis and what its rows of `players` have:
    5 EMG lost in 50 decisions by each."""
    matches = [
        match_row(
            key,
            tool,
            NAMES,
            same_as=[analysis[0] for analysis in analyses].index(same),
            fully_analysed=more is not UNKNOWN,
        )
        for key, (same, tool, more) in enumerate(analyses)
    ]
    players = [
        row
        for key, (_, _, more) in enumerate(analyses)
        for row in player_rows(key, NAMES, (5.0, 5.0), **more)
    ]
    # Who is first in a file rolls first.
    decisions = [
        decision_row(key, turn, turn - 1, 0.1) for key in range(len(analyses)) for turn in (1, 2)
    ]
    games = [
        {"match": key, "seat": seat, "rules": "xg", "game": 1, "won": 7 * (1 - seat)}
        for key in range(len(analyses))
        for seat in (0, 1)
    ]
    return study(
        corpus_of(folder, matches=matches, players=players, decisions=decisions, games=games),
        NOBODY,
    )


def test_incomplete_file_has_no_rate_anywhere(data: Path, tmp_path: Path) -> None:
    corpus = build(
        [str(data / "real" / "charlot1-charlot2_7p_2025-11-08-2305.sgf")], tmp_path / "out", jobs=1
    )
    report = study(corpus, NOBODY)
    text, page = corpus_text(report), corpus_page(report)
    assert text == (
        "1 match in 1 file, with 2 players and 287 decisions; 1 match left out of the rates, "
        "since its analysis is incomplete.\n"
    )
    assert "0.00" not in page
    assert "<section" not in page.replace('<section id="files"', "")


def test_incomplete_analysis_is_in_no_rate_share_or_course(tmp_path: Path) -> None:
    alone, both = of(tmp_path / "1", (0, XG, {})), of(tmp_path / "2", (0, XG, {}), (1, XG, UNKNOWN))
    for part in (
        "people",
        "phases",
        "by_person",
        "cube_by_score",
        "luck",
        "effects",
        "periods",
        "rules_outliers",
        "rated",
    ):
        assert getattr(both, part) == getattr(alone, part), part
    assert both.rules_gap.values.tolist() == alone.rules_gap.values.tolist()
    assert (alone.incomplete, both.incomplete, both.unanalysed, both.played) == (0, 1, 0, 2)
    assert "1 match left out of the rates, since its analysis is incomplete" in sentence(both)


def test_complete_analysis_of_another_tool_takes_the_place_of_an_incomplete_one(
    tmp_path: Path,
) -> None:
    report = of(tmp_path, (0, XG, UNKNOWN), (0, GNUBG, {"pr": 3.0, "rated_error": 0.3}))
    assert [person.rates[0].pr for person in report.people] == [pytest.approx(3.0)] * 2
    assert (report.incomplete, report.tools) == (0, ())


def test_players_of_transcripts_are_players(data: Path, tmp_path: Path) -> None:
    files = [*(data / "real").glob("*.mat"), data / "real" / "test.xg"]
    report = study(build([str(path) for path in files], tmp_path / "out", jobs=1), NOBODY)
    assert (report.played, report.unanalysed, report.rated, len(report.people)) == (4, 3, 2, 2)
    # Kévin Unger is in two of the four.
    assert (
        sentence(report)
        == "4 matches in 5 files, with 7 players and 1,475 decisions; 3 matches have no analysis."
    )


@pytest.mark.parametrize(
    ("decisions", "rated"), [(FEWEST_DECISIONS - 1, False), (FEWEST_DECISIONS, True)]
)
def test_few_decisions_have_no_rate(decisions: int, rated: bool, tmp_path: Path) -> None:
    matches = [match_row(0, XG, NAMES, date=date(2024, 1, 1))]
    more = {"xgid": "x", "away": 3, "opponent_away": 5}
    errors = [decision_row(0, 1, 0, 0.1, kind="double", **more) for _ in range(decisions)]
    corpus = corpus_of(
        tmp_path,
        matches=matches,
        players=player_rows(0, NAMES, (5.0, 5.0), decisions),
        decisions=errors,
    )
    report = study(corpus, NOBODY)
    rates = [
        *(person.rates[0].pr for person in report.people),
        *(person.rates[0].snowie_er for person in report.people),
        *(rate.value for phase in report.phases for rate in phase.rates.values()),
        *(rate.value for _, _, phases in report.by_person for rate in phases.values()),
        *(cell.rate.value for cell in report.cube_by_score),
    ]
    assert len(rates) == 4 + 2 + 1 + 1
    assert [rate is not None for rate in rates] == [rated] * len(rates)
    assert len(report.rules_gap.values) == 2 * rated
    text, page = corpus_text(report), corpus_page(report)
    assert (
        f"  Ann  XG at an unknown depth  1 match, {decisions} decisions  xg "
        f"{'100.00' if rated else '-'}  " in text
    )
    assert ("Cube decisions by score" in page) == rated


def test_nothing_lost_has_no_share(tmp_path: Path) -> None:
    players = player_rows(0, NAMES, (0.0, 0.0))
    corpus = corpus_of(
        tmp_path,
        matches=[match_row(0, XG, NAMES)],
        players=players,
        decisions=[decision_row(0, 1, 0, 0.0)],
    )
    report = study(corpus, NOBODY)
    assert [phase.share for phase in report.phases] == [None]
    assert findings(report) == []
    assert ", - of the equity lost" in corpus_text(report)


def test_luck_of_some_rolls_decides_nothing(tmp_path: Path) -> None:
    report = of(tmp_path, (0, XG, {"luck_net_mwc_percent": None}), (1, XG, {}))
    assert (report.luck.luckier.number, report.luck.bins, report.luck.without_luck) == (0, (), 2)


def test_money_sessions_and_unfinished_matches_are_named(tmp_path: Path) -> None:
    kinds: list[dict[str, Any]] = [{}, {"length": None}, {"length": None}, {"complete": False}]
    matches = [match_row(key, XG, NAMES, **kind) for key, kind in enumerate(kinds)]
    players = [row for key in range(4) for row in player_rows(key, NAMES, (1.0, 2.0))]
    for row in players:
        row["luck_net_mwc_percent"] = 5.0 if row["seat"] else -5.0
    games = [
        {"match": key, "seat": seat, "rules": "xg", "game": 1, "won": 7 * seat}
        for key in range(4)
        for seat in (0, 1)
    ]
    report = study(corpus_of(tmp_path, matches=matches, players=players, games=games), NOBODY)
    assert findings(report)[-2:] == [
        "The luckier player won 1 of 1 match (21 to 100 %); 2 money sessions and 1 unfinished "
        "match left out.",
        "The player with the lower PR won 0 of 1 match (0 to 79 %); in the match where the "
        "other player was luckier, the luckier one won.",
    ]


def test_gap_that_is_shown_as_nothing_is_no_large_gap(tmp_path: Path) -> None:
    players = [
        {**row, "pr": row["pr"] + (0.004 if row["seat"] else 0.006)}
        if row["rules"] == "gnubg"
        else row
        for row in player_rows(0, NAMES)
    ]
    report = study(corpus_of(tmp_path, matches=[match_row(0, XG, NAMES)], players=players), NOBODY)
    assert [outlier.player for outlier in report.rules_outliers] == ["Ann"]
    assert len(report.rules_gap.values) == 2
