"""What a study says of real archives is what the single matches, or the rows of the tables, say."""

import re
from itertools import chain
from operator import itemgetter
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from pydantic import TypeAdapter

from reconcile import load_match, statistics
from reconcile.corpus import study as module
from reconcile.corpus.query import ask
from reconcile.corpus.run import build
from reconcile.corpus.study import Gaps, study, usual_pairs
from reconcile.gap.comparison import compare
from reconcile.gap.usual import UsualTable, usual_document
from reconcile.match.aliases import load_aliases
from reconcile.report.forms import in_form
from reconcile.report.text.corpus import sentence
from tests.corpus.corpus_folder import make

NOBODY = load_aliases(None)
_, *PARTS = re.split(r"^-- (\w+)\n", Path(__file__).with_name("oracle.sql").read_text(), flags=re.M)
ORACLE = dict(zip(PARTS[::2], PARTS[1::2], strict=True))
XG, GNUBG = "eXtreme Gammon", "GNU Backgammon"
CHARLOT = "charlot1-charlot2_7p_2025-11-08-2305"
LEVELS = (
    ("match_with_comment", "0ply"),
    ("ronde1-UngerHarmand-FriebeJacobi-7pt", "0ply"),
    (CHARLOT, "2ply"),
)


@pytest.fixture(scope="session")
def real_files(data):
    """Ten matches: four by XG and gnuBG at two levels, six by XG and BGBlitz, all as
    transcripts, too."""
    return sorted(
        path
        for folder in ("real", "bgblitz")
        for path in (data / folder).rglob("*")
        if path.suffix in (".xg", ".sgf", ".bgf", ".mat")
    )


@pytest.fixture(scope="session")
def real(real_files, tmp_path_factory):
    return build([str(path) for path in real_files], tmp_path_factory.mktemp("real"), jobs=1)


@pytest.fixture(scope="module")
def report(real):
    return study(real, NOBODY)


@pytest.fixture(scope="module")
def every(real):
    """The same with a rate for any number of decisions, so that what is added up is all there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reconcile.scoring.rates.FEWEST_DECISIONS", 1)
        return study(real, NOBODY)


@pytest.fixture(scope="module")
def xg_files(real_files):
    """The analyses that are pooled: every match has one by XG."""
    return [load_match(path) for path in real_files if path.suffix == ".xg"]


def test_phases_add_up_to_the_statistics_of_the_matches(report, every, xg_files):
    figures = pd.DataFrame(
        [statistics(match, "xg").figures(seat) for match in xg_files for seat in (0, 1)]
    ).fillna(0)
    total = figures.sum()
    assert sum(phase.rates["both"].number for phase in report.phases) == total["decisions.counted"]
    lost = sum(phase.lost for phase in report.phases)
    assert lost == pytest.approx(total["equity_error.total"])
    assert sum(phase.share or 0 for phase in report.phases) == pytest.approx(1.0)
    for part, metrics in (("checker", ["checker"]), ("cube", ["double", "take"])):
        rates = [phase.rates[part] for phase in every.phases if part in phase.rates]
        number, lost = (
            sum(total[f"{figure}.{metric}"] for metric in metrics)
            for figure in ("decisions", "equity_error")
        )
        assert sum(rate.number for rate in rates) == number
        assert sum((rate.value or 0) * rate.number / 500 for rate in rates) == pytest.approx(lost)
    for name, analysis, of_phases in every.by_person:
        (person,) = (
            each for each in every.people if (each.name, each.analysis) == (name, analysis)
        )
        sums = [(rate.number, (rate.value or 0) * rate.number) for rate in of_phases.values()]
        decisions = person.rates[0].decisions
        assert np.sum(sums, axis=0) == pytest.approx(
            [decisions, (person.rates[0].pr or 0) * decisions]
        )
    assert len(every.by_person) == len(every.people)


def test_phases_and_scores_are_those_of_the_rows(report, real):
    phases = [(phase.name, *each) for phase in report.phases for each in phase.rates.items()]
    scores = [(score.away, score.opponent_away, score.rate) for score in report.cube_by_score]
    for name, rates in (("phases", phases), ("scores", scores)):
        rows = {row[:2]: row[2:] for row in ask(real, ORACLE[name]).rows}
        assert {tuple(key): (rate.number, rate.matches, rate.value) for *key, rate in rates} == {
            key: (number, matches, value and pytest.approx(value))
            for key, (number, matches, value) in rows.items()
        }


def test_luck_is_counted_as_in_the_files(report, xg_files):
    rows = []
    for match in xg_files:
        if match.complete and not match.is_money:
            figures = [statistics(match, "xg").figures(seat) for seat in (0, 1)]
            luck = [each["luck.net_mwc_percent"] or 0 for each in figures]
            prs = [each["pr"] or 0 for each in figures]
            winner = int(match.games.winner[-1])
            rows.append((luck.index(max(luck)), prs.index(min(prs)), winner, max(luck)))
    lucky, good, winner, size = np.array(rows).T
    torn = lucky != good
    wins = lucky == winner
    for rate, won in (
        (report.luck.luckier, wins),
        (report.luck.better, good == winner),
        (report.luck.luck_over_skill, wins[torn]),
    ):
        assert rate.number == len(won)
        assert rate.value == pytest.approx(won.mean())
    for step in report.luck.bins:
        within = (step.low <= size) & (size < (step.high or 1e9))
        assert step.won.number == within.sum()


def test_a_match_counts_once_and_its_day_is_the_first_that_a_file_states(report, real_files):
    assert (report.played, report.files) == (10, len(real_files))
    assert sum(person.matches for person in report.people) == 2 * 10
    cut = "Kévin UNGER Nicolas HARMAND", ("Kévin_UNGER_Nicola",)
    assert cut in [(person.name, person.spellings) for person in report.people]
    # gnuBG's files of 2026 are later analyses of matches that XG's files date back to 2023.
    periods = report.periods
    ends = periods.names[0], periods.names[-1], periods.undated
    assert ends == ("2023-11", "2026-01", 0)
    courses = [course for course in periods.courses if course.name is None]
    assert sum(rate.matches for course in courses for rate in course.rates if rate) == 10


# -- gaps and disputes -----------------------------------------------------------------------------


def gaps(left, right):
    figures = compare(load_match(left), load_match(right)).figures
    return [figure.gap or 0.0 for figure in figures if figure.metric == "pr"]


def test_levels_have_the_gaps_of_their_files(data, tmp_path):
    """Two matches by XG and by gnuBG at 0 plies, one at 2; so has the table of usual gaps."""
    pairs = {
        name: (data / "real" / f"{name}.xg", data / "real" / f"{name}_{level}.sgf")
        for name, level in LEVELS
    }
    files = [str(path) for pair in pairs.values() for path in pair]
    corpus = build(files, tmp_path, jobs=1)
    first, second, third = (gaps(*pair) for pair in pairs.values())
    expected = {0.0: first + second, 2.0: third}
    (between,) = study(corpus, NOBODY).tools
    assert [level.depth for level in between.levels] == [
        ("3 plies ahead", "0 plies ahead"),
        ("3 plies ahead", "2 plies ahead"),
    ]
    for level, values in zip(between.levels, expected.values(), strict=True):
        assert level.gap.values == pytest.approx(np.sort(values), abs=1e-9)
        assert level.gap.known_quantiles[2] in (None, pytest.approx(np.median(values), abs=1e-9))
        assert level.mean.value == pytest.approx(np.mean(values), abs=1e-9)
        assert level.size.value == pytest.approx(np.mean(np.abs(values)), abs=1e-9)
        assert level.mean.matches == len(values) / 2
    usual = TypeAdapter(UsualTable).validate_json(usual_document(usual_pairs(corpus)))
    for plies, values in expected.items():
        sizes = pytest.approx(sorted(map(abs, values)), abs=1e-6)
        assert usual.between((XG, 3.0), (GNUBG, plies)) == sizes
        assert usual.between((GNUBG, plies), (XG, 3.0)) == sizes
    assert usual.between((XG, 3.0), (GNUBG, 7.0)) == ()
    assert {pair.matches for pair in usual.pairs} == {1, 2}


@pytest.mark.long
def test_xg_and_bgblitz_are_compared_on_their_transcripts(report, data):
    pair = next(pair for pair in report.tools if pair.right.key == "bgblitz")
    expected = [
        gap
        for path in (data / "bgblitz" / "xg").glob("*.xg")
        for gap in gaps(path, data / "bgblitz" / "bgf" / f"{path.stem}.bgf")
    ]
    assert pair.gap.values == pytest.approx(np.sort(expected), abs=1e-9)
    assert "BGBlitz's PR minus XG's, same transcript" in in_form(report, "text")
    assert "XG and BGBlitz differ by" in in_form(report, "html")


@pytest.mark.long
def test_interval_of_a_quantile_holds_it_19_times_of_20():
    draw, hits = np.random.default_rng(5), 0
    for _ in range(1000):
        # Both players of a match have the same gap: the worst case, in which there are only as many
        # values as matches.
        interval = Gaps(np.sort(np.repeat(draw.normal(0, 1, 200), 2)), 200).quantile_intervals[1]
        assert interval is not None
        hits += interval[0] <= NormalDist().inv_cdf(0.25) <= interval[1]
    assert 925 <= hits <= 975
    assert Gaps(np.arange(20.0), 10).quantile_intervals[0] is None
    assert Gaps(np.arange(0.0), 0).quantile_intervals[2] is None


def test_disputes_are_the_largest_differences(real, report):
    rows = ask(real, ORACLE["disputes"]).rows
    wanted, largest = [*rows[: module.DISPUTES_SHOWN]], max(rows, key=itemgetter(1))
    # All that are shown have other verdicts; a larger difference of value would be shown besides.
    assert all(differs for differs, *_ in wanted)
    shown = []
    for each in report.disputes:
        stake = pytest.approx(each.at_stake)
        verdicts = ((side.file, side.error, side.best) for side in each.verdicts)
        place = each.game, each.turn, each.action, each.xgid
        shown.append((each.differs, stake, *place, *chain(*verdicts)))
    assert shown == [*wanted, *[largest] * (largest not in wanted)]


# -- what is not known -----------------------------------------------------------------------------


def test_incomplete_file_has_no_rate_anywhere(data, tmp_path):
    report = study(make(data / "real" / f"{CHARLOT}.sgf", tmp_path), NOBODY)
    text = in_form(report, "text")
    assert text.startswith(
        "1 match in 1 file, with 2 players and 287 decisions; 1 match left out of the rates, "
        "since its analysis is incomplete.\n"
    )
    assert "0.00" not in text + in_form(report, "html")


def test_players_of_transcripts_are_players(data, tmp_path):
    files = [*(data / "real").glob("*.mat"), data / "real" / "test.xg"]
    report = study(build([str(path) for path in files], tmp_path, jobs=1), NOBODY)
    assert (report.played, report.unanalysed, report.rated, len(report.people)) == (4, 3, 2, 2)
    # Kévin Unger is in two of the four.
    assert (
        sentence(report)
        == "4 matches in 5 files, with 7 players and 1,475 decisions; 3 matches have no analysis."
    )
