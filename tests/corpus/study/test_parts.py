"""Phases, scores, luck and time against sums over the single matches."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from pathlib import Path

import pytest

from reconcile import load_match, statistics
from reconcile.corpus.assembly import Corpus
from reconcile.corpus.study import Study, study
from reconcile.files.aliases import load_aliases
from reconcile.match.match import Match
from reconcile.report.text.corpus import findings
from reconcile.scoring.rates import FEWEST_DECISIONS
from tests.corpus.corpus_folder import table
from tests.support.hand_made_corpus import corpus_of, decision_row, match_row, player_rows

NOBODY = load_aliases(None)
CUBE = ("no-double", "double", "take", "pass", "beaver")


@pytest.fixture(scope="module")
def report(real: Corpus) -> Study:
    return study(real, NOBODY)


@pytest.fixture(scope="module")
def every(real: Corpus) -> Study:
    """The same with a rate for any number of decisions, so that what is added up is all there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reconcile.scoring.rates.FEWEST_DECISIONS", 1)
        return study(real, NOBODY)


@pytest.fixture(scope="module")
def xg_files(real_files: list[Path]) -> list[Match]:
    """The analyses that are pooled: every match has one by XG."""
    return [load_match(path) for path in real_files if path.suffix == ".xg"]


def test_phases_add_up_to_the_statistics_of_the_matches(
    report: Study, every: Study, xg_files: list[Match]
) -> None:
    scored = [statistics(match, "xg").figures(seat) for match in xg_files for seat in (0, 1)]
    assert sum(phase.rates["both"].number for phase in report.phases) == sum(
        figures["decisions.counted"] or 0 for figures in scored
    )
    assert sum(phase.lost for phase in report.phases) == pytest.approx(
        sum(figures["equity_error.total"] or 0 for figures in scored)
    )
    assert sum(phase.share or 0 for phase in report.phases) == pytest.approx(1.0)
    for part, metrics in (("checker", ["checker"]), ("cube", ["double", "take"])):
        rates = [phase.rates[part] for phase in every.phases if part in phase.rates]
        assert sum(rate.number for rate in rates) == sum(
            figures[f"decisions.{name}"] or 0 for figures in scored for name in metrics
        )
        lost = sum((rate.value or 0) * rate.number / 500 for rate in rates)
        assert lost == pytest.approx(
            sum(figures[f"equity_error.{name}"] or 0 for figures in scored for name in metrics)
        )


@pytest.mark.long
def test_phases_and_scores_are_those_of_the_rows(report: Study, real: Corpus) -> None:
    pooled = {
        row["match"] for row in table(real.folder, "matches") if row["tool"] == "eXtreme Gammon"
    }
    rows = [
        row
        for row in table(real.folder, "decisions")
        if row["match"] in pooled and row["counted_xg"]
    ]
    for phase in report.phases:
        mine = [row for row in rows if row["phase"] == phase.name]
        assert phase.rates["both"].matches == len({row["match"] for row in mine})
        for part, rate in phase.rates.items():
            errors = [
                row["error_xg"]
                for row in mine
                if part == "both" or (row["kind"] == "play") == (part == "checker")
            ]
            assert rate.number == len(errors)
            assert rate.value == (
                pytest.approx(500 * sum(errors) / len(errors))
                if len(errors) >= FEWEST_DECISIONS
                else None
            )
    cells = defaultdict(list)
    for row in rows:
        if row["kind"] in CUBE and row["away"] is not None:
            cells[row["away"], row["opponent_away"]].append(row["error_xg"])
    assert {
        (score.away, score.opponent_away): score.rate.number for score in report.cube_by_score
    } == {key: len(cell) for key, cell in cells.items()}
    for score in report.cube_by_score:
        cell = cells[score.away, score.opponent_away]
        assert score.rate.value == (
            pytest.approx(500 * sum(cell) / len(cell)) if len(cell) >= FEWEST_DECISIONS else None
        )


def test_players_phases_add_up_to_their_rates(every: Study) -> None:
    for name, analysis, rates in every.by_person:
        (person,) = [
            person for person in every.people if (person.name, person.analysis) == (name, analysis)
        ]
        assert sum(rate.number for rate in rates.values()) == person.rates[0].decisions
        lost = sum((rate.value or 0) * rate.number for rate in rates.values())
        assert lost == pytest.approx((person.rates[0].pr or 0) * person.rates[0].decisions)
    assert len(every.by_person) == len(every.people)


def test_luck_is_counted_as_in_the_files(report: Study, xg_files: list[Match]) -> None:
    luckier, better, torn, luck_won = [], [], 0, 0
    sizes = []
    for match in xg_files:
        if match.is_money or not match.complete:
            continue
        figures = [statistics(match, "xg").figures(seat) for seat in (0, 1)]
        winner = int(match.games.winner[-1])
        luck, prs = (
            [seat_figures[name] or 0 for seat_figures in figures]
            for name in ("luck.net_mwc_percent", "pr")
        )
        lucky, good = luck.index(max(luck)), prs.index(min(prs))
        luckier.append(lucky == winner)
        better.append(good == winner)
        sizes.append(max(luck))
        torn += lucky != good
        luck_won += lucky != good and lucky == winner
    for rate, wins in ((report.luck.luckier, luckier), (report.luck.better, better)):
        assert rate.number == len(wins)
        assert rate.value == pytest.approx(sum(wins) / len(wins))
    assert report.luck.luck_over_skill.number == torn
    assert report.luck.luck_over_skill.value == pytest.approx(luck_won / torn)
    for step in report.luck.bins:
        assert step.won.number == sum(step.low <= size < (step.high or 1e9) for size in sizes)


def test_day_of_a_match_is_the_first_that_a_file_states(report: Study) -> None:
    # gnuBG's files of 2026 are later analyses of matches that XG's files date back to 2023.
    assert (report.periods.names[0], report.periods.names[-1], report.periods.undated) == (
        "2023-11",
        "2026-01",
        0,
    )
    every = [
        rate
        for course in report.periods.courses
        if course.name is None
        for rate in course.rates
        if rate
    ]
    assert sum(rate.matches for rate in every) == 10


def dated(folder: Path, *days: date | None) -> Study:
    """Ann's matches against Ben on these days; she loses 1, 2, 3... EMG in 50 decisions."""
    names = ("Ann", "Ben")
    matches = [
        match_row(number, "eXtreme Gammon", names, date=day) for number, day in enumerate(days)
    ]
    players = [
        row
        for number in range(len(days))
        for row in player_rows(number, names, (number + 1.0, 0.0))
    ]
    decisions = [decision_row(number, 1, 0, 0.1) for number in range(len(days))]
    return study(corpus_of(folder, matches=matches, players=players, decisions=decisions), NOBODY)


@pytest.mark.long
def test_close_days_are_months_and_far_ones_years(tmp_path: Path) -> None:
    near = dated(tmp_path / "near", date(2024, 11, 30), date(2025, 1, 1), date(2025, 1, 31), None)
    assert (near.periods.names, near.periods.undated) == (("2024-11", "2024-12", "2025-01"), 1)
    ann = next(course for course in near.periods.courses if course.name == "Ann")
    assert [rate and rate.value for rate in ann.rates] == [
        pytest.approx(10.0),
        None,
        pytest.approx(25.0),
    ]
    far = dated(tmp_path / "far", date(2019, 5, 1), date(2025, 1, 1))
    assert far.periods.names == ("2019", "2020", "2021", "2022", "2023", "2024", "2025")
    assert dated(tmp_path / "none", None).periods.names == ()


def test_five_matches_of_a_period_have_an_interval(tmp_path: Path) -> None:
    report = dated(tmp_path, *(date(2024, 1, day) for day in range(1, 6)), date(2024, 2, 1))
    ann = next(course for course in report.periods.courses if course.name == "Ann")
    january, february = ann.rates
    assert january is not None
    assert february is not None
    assert january.value == pytest.approx(500 * 15 / 250)
    # The spread of 1 to 5 lost in 50 decisions each: standard error sqrt(2.5 / 5) / 50, and
    # Student's 2.776.
    assert january.low == pytest.approx(30 - 500 * 2.776 * (2.5 / 5) ** 0.5 / 50, rel=0.005)
    assert february.low is None


def test_three_years_are_months_and_a_month_more_is_years(tmp_path: Path) -> None:
    within = dated(tmp_path / "within", date(2021, 1, 31), date(2023, 12, 1)).periods.names
    assert (len(within), within[0], within[-1]) == (36, "2021-01", "2023-12")
    assert dated(tmp_path / "beyond", date(2021, 1, 31), date(2024, 1, 1)).periods.names == (
        "2021",
        "2022",
        "2023",
        "2024",
    )


def test_course_of_all_players_stands_before_those_of_twelve(tmp_path: Path) -> None:
    pairs = [(f"Player {2 * number}", f"Player {2 * number + 1}") for number in range(7)]
    played = [(pair, date(2024, month, 1)) for pair in pairs for month in (1, 2)]
    matches = [
        match_row(number, "eXtreme Gammon", pair, date=day)
        for number, (pair, day) in enumerate(played)
    ]
    players = [row for number, (pair, _) in enumerate(played) for row in player_rows(number, pair)]
    report = study(corpus_of(tmp_path, matches=matches, players=players), NOBODY)
    names = [course.name for course in report.periods.courses]
    assert (len(names), names[0], names.count(None)) == (13, None, 1)


def test_luck_and_skill_are_those_of_the_winners(tmp_path: Path) -> None:
    """Ann's net luck in percentage points, what she and Ben lost, and who won."""
    names = ("Ann", "Ben")
    played = [
        (12.0, (2.0, 1.0), 0),
        (-55.0, (1.0, 2.0), 0),
        (-120.0, (2.0, 1.0), 1),
        (3.0, (1.0, 2.0), 0),
    ]
    players = [
        {**row, "luck_net_mwc_percent": -luck if row["seat"] else luck}
        for number, (luck, lost, _) in enumerate(played)
        for row in player_rows(number, names, lost)
    ]
    games = [
        {"match": number, "seat": seat, "rules": "xg", "game": 1, "won": 7 * (seat == winner)}
        for number, (_, _, winner) in enumerate(played)
        for seat in (0, 1)
    ]
    matches = [match_row(number, "eXtreme Gammon", names) for number in range(4)]
    luck = study(corpus_of(tmp_path, matches=matches, players=players, games=games), NOBODY).luck
    assert (luck.luckier.value, luck.luckier.number) == (0.75, 4)
    assert (luck.better.value, luck.better.number) == (0.75, 4)
    assert (luck.luck_over_skill.value, luck.luck_over_skill.number) == (
        0.5,
        2,
    )  # the first two matches
    bins = [(step.low, step.high, step.won.value, step.won.number) for step in luck.bins]
    assert bins == [(0.0, 10.0, 1.0, 1), (10.0, 20.0, 1.0, 1), (50.0, None, 0.5, 2)]


def test_share_of_a_phase_is_of_all_that_was_lost(tmp_path: Path) -> None:
    names = ("Ann", "Ben")
    phases = [("contact", 0.1), ("contact", 0.2), ("race", 0.1)]
    decisions = [
        decision_row(0, turn, 0, error, phase=phase)
        for turn, (phase, error) in enumerate(phases, 1)
    ]
    corpus = corpus_of(
        tmp_path,
        matches=[match_row(0, "eXtreme Gammon", names)],
        players=player_rows(0, names),
        decisions=decisions,
    )
    shares = study(corpus, NOBODY).phases
    assert [phase.name for phase in shares] == ["contact", "race"]
    assert [phase.lost for phase in shares] == pytest.approx([0.3, 0.1])
    assert [phase.share for phase in shares] == pytest.approx([0.75, 0.25])


def test_effect_of_a_question_is_the_size_of_its_changes(tmp_path: Path) -> None:
    """In eleven matches it moves the 22 PRs by 0, 1, ... 21, by turns up and down."""
    names = ("Ann", "Ben")
    asked = {"question": "Q02", "from": "xg", "to": "gnubg", "decisions": 0}
    questions = [
        {
            **asked,
            "match": size // 2,
            "seat": size % 2,
            "name": names[size % 2],
            "pr": float(size) * (-1) ** size,
        }
        for size in range(22)
    ]
    matches = [match_row(number, "eXtreme Gammon", names) for number in range(11)]
    players = [row for number in range(11) for row in player_rows(number, names)]
    (effect,) = study(
        corpus_of(tmp_path, matches=matches, players=players, questions=questions), NOBODY
    ).effects
    assert (effect.players, effect.changed, effect.mean, effect.most) == (22, 21, 10.5, 21.0)
    assert effect.high == pytest.approx(0.95 * 21)
    assert (effect.file, effect.player) == ("10.file", "Ben")


def test_widest_range_of_an_open_rule_is_the_largest(tmp_path: Path) -> None:
    names = ("Ann", "Ben")
    players = player_rows(0, names) + player_rows(1, names)
    ranges = {(0, "Ann"): (10.0, 10.5), (1, "Ben"): (10.0, 10.2)}
    for row in players:
        if row["rules"] == "xg" and (row["match"], row["name"]) in ranges:
            row["pr_low"], row["pr_high"] = ranges[row["match"], row["name"]]
    matches = [match_row(number, "eXtreme Gammon", names) for number in (0, 1)]
    (open_pr,) = study(corpus_of(tmp_path, matches=matches, players=players), NOBODY).open_prs
    assert (open_pr.rules, open_pr.players, open_pr.changed) == ("xg", 4, 2)
    assert open_pr.widest == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("length", "reason"),
    [
        (1, "whether BGBlitz multiplies the PR of a one-point match is not known."),
        (7, "which turns with a dead cube BGBlitz counts is not in these files."),
    ],
)
def test_range_is_explained_by_its_own_cause(tmp_path: Path, length: int, reason: str) -> None:
    names = ("Ann", "Ben")
    players = player_rows(0, names)
    for row in players:
        if row["rules"] == "bgblitz":
            row["pr_low"], row["pr_high"] = 10.0, 10.5
    matches = [match_row(0, "eXtreme Gammon", names) | {"length": length}]
    report = study(corpus_of(tmp_path, matches=matches, players=players), NOBODY)
    (finding,) = (line for line in findings(report) if " is a range" in line)
    assert finding.endswith(reason)
