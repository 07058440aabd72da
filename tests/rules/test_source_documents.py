"""What published pages say of these statistics: each system described works here, and where a page errs the measured fact is shown.

The pages: [0] blunderDB's statistics model, [1] Guido Flohr on the cube analysis of an SGF, [2] BackgammonDB on PR,
[3] the Computational Backgammon blog on gnuBG's benchmark databases, [4] gnuBG's manual on its overall rating.
"""

from __future__ import annotations

import re
import sqlite3
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.adapters import load_match
from reconcile.columns import Kind, Validity
from reconcile.files.aliases import Aliases
from reconcile.gap.tolerances import load_tolerances
from reconcile.match import Match
from reconcile.met import load_met
from reconcile.met.equity import chance_of, equity_of, stakes
from reconcile.report.text.statistics import statistics_text
from reconcile.results.statistics import statistics_document
from reconcile.rules import QUESTIONS, RULE_SETS, rule_set
from reconcile.scoring.findings import FINDINGS, findings_of
from reconcile.scoring.gnubg_table import RATINGS, GnubgTable, manual_results, rating
from reconcile.scoring.pool import pool
from reconcile.scoring.score import DecisionClass
from reconcile.scoring.skill import XG_BANDS
from reconcile.scoring.statistics import Statistics, legal_plays, statistics
from tests.support import blunderdb_writer
from tests.support.data import FOLDER, cases
from tests.support.hand_made import cubes, match_of, plays, view
from tests.support.reported import met_of

NAN = float("nan")
DEMONSTRATION = "reference_matches/demonstration/nora-lindqvist-tomas-beck.xg"


@cache
def scored(path: Path, rules: str | None = None) -> Statistics:
    return statistics(load_match(str(path)), rules)


def real(pattern: str, rules: str | None = None) -> Statistics:
    (path,) = FOLDER.glob(pattern)
    return scored(path, rules)


def figures(match: Match, rules: str, seat: int = 0) -> dict[str, Any]:
    return dict(statistics(match, rules).figures(seat))


# -- [0] blunderDB's model ---------------------------------------------------------------------------------------------


def test_pr_is_500_times_the_errors_over_the_counted_decisions() -> None:
    own = figures(match_of(plays(4, stored_error=[0.1, 0.02, 0.0, 0.3])), "blunderdb")
    assert own["pr"] == pytest.approx(500 * 0.42 / 4)


def test_snowie_s_rate_has_the_moves_of_both_players_below_forced_ones_included() -> None:
    match = match_of(plays(5, player=[0, 0, 0, 1, 1], legal=[10, 1, 0, 10, 1], stored_error=[0.3, 0, 0, 0.1, 0]))
    own = figures(match, "blunderdb")
    assert own["snowie_er"] == pytest.approx(500 * 0.3 / 5)
    assert own["pr"] == pytest.approx(500 * 0.3 / 1)


FILTER = [
    ("unforced move", match_of(plays()), 1),
    ("forced move", match_of(plays(legal=[1])), 0),
    ("close cube", match_of(cube=cubes(no_double=[0.5], double_take=[0.4])), 1),
    ("trivial no double", match_of(cube=cubes(no_double=[-0.9], double_take=[-1.4])), 0),
    ("take", match_of(cube=cubes(kind=[Kind.TAKE], no_double=[-0.9], double_take=[-1.4])), 1),
    ("pass", match_of(cube=cubes(kind=[Kind.PASS], no_double=[2.0], double_take=[2.9])), 1),
]


@pytest.mark.parametrize(("match", "counted"), [row[1:] for row in FILTER], ids=[row[0] for row in FILTER])
def test_filter_table_of_the_page(match: Match, counted: int) -> None:
    assert figures(match, "blunderdb")["decisions.counted"] == counted


def test_both_tolerance_tables_of_the_page_can_be_chosen() -> None:
    tables = load_tolerances().tables
    bounds = {name: {metric: entry.abs for metric, entry in tables[name].entries.items()} for name in ("xg-blunderdb", "gnubg-blunderdb")}
    xg, gnubg = bounds["xg-blunderdb"], bounds["gnubg-blunderdb"]
    assert xg == {"decisions.counted": 5, "moves.unforced": 7, "pr": 0.10, "mwc_loss_percent.total": 1.0, "equity_error.total": 0.05}
    assert gnubg == {"checker_pr": 0.20, "mwc_loss_percent.total": 3.5, "snowie_er": 0.50}


@pytest.mark.parametrize("code", ["incomplete-analysis", "tool-versions-differ", "cut-candidates", "migrated-database"])
def test_checks_a_user_is_told_to_make_are_findings_here(code: str) -> None:
    assert FINDINGS[code].advice


@pytest.mark.parametrize("schema", blunderdb_writer.SCHEMAS)
def test_its_database_gives_its_own_statistics_and_the_gap_to_the_imported_file_is_rounding(tmp_path: Path, schema: str) -> None:
    """The page's formulas over the columns of the database, against ours over the match read from it."""
    file = load_match(DEMONSTRATION)
    path = blunderdb_writer.write(tmp_path / "club.db", [file], schema)
    stored, imported = statistics(load_match(f"{path}#1")), statistics(file, "blunderdb-2026" if schema >= "2.37" else "blunderdb")
    totals = blunderdb_writer.own_totals(path, 1)
    for seat, player in ((0, 1), (1, -1)):
        own: dict[str, Any] = dict(stored.figures(seat))
        assert own["decisions.checker"] == totals[player, 0][0]
        assert own["decisions.double"] + own["decisions.take"] == totals[player, 1][0]
        number, lost = (sum(totals[player, kind][index] for kind in (0, 1)) for index in (0, 1))
        assert own["pr"] == pytest.approx(500 * lost / 1000 / number)
        assert own["pr"] == pytest.approx(imported.figures(seat)["pr"], abs=500 * 0.0005)


def test_database_that_was_migrated_is_found_and_one_that_was_not_is_not(tmp_path: Path) -> None:
    """The page's fourth check: an older database is brought up to date when it is opened."""

    def migrate(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE move ADD COLUMN decision_error_mp INTEGER")
        connection.execute("ALTER TABLE move ADD COLUMN is_close_cube INTEGER NOT NULL DEFAULT 0")
        connection.execute("UPDATE metadata SET value = '2.39.0'")

    file = load_match(DEMONSTRATION)
    old = blunderdb_writer.write(tmp_path / "old.db", [file], blunderdb_writer.CODES, change=migrate)
    new = blunderdb_writer.write(tmp_path / "new.db", [file])
    found = [{finding.code for finding in findings_of(statistics(load_match(path)))} for path in (old, new)]
    assert {"migrated-database", "migration-unfinished"} <= found[0]
    assert not {"migrated-database", "migration-unfinished"} & found[1]


def test_error_is_rounded_to_the_millipoint_as_the_database_keeps_it() -> None:
    assert figures(match_of(plays(stored_error=[0.00049])), "blunderdb")["equity_error.total"] == 0
    assert figures(match_of(plays(stored_error=[0.00151])), "blunderdb-2026")["equity_error.total"] == pytest.approx(0.002)


def test_xg_s_rule_set_counts_by_xg_s_flag() -> None:
    match = match_of(plays(2, flag=[0, 1], stored_error=[0.1, 0.0]))
    assert figures(match, "xg")["decisions.counted"] == 1
    assert figures(match, "blunderdb")["decisions.counted"] == 2


# -- [0] where the page errs -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", cases("gnubg/*.stats.txt"))
def test_gnubg_prints_1000_times_the_equity_per_decision_and_not_500(path: Path) -> None:
    """The page cites gnuBG's source for the factor 500."""
    printed = path.read_text("utf-8").partition("No game in progress")[0].partition("Overall statistics")[2]
    totals, rates = (re.search(rf"^{title}EMG.*?(-\d+\.\d+)", printed, re.M) for title in ("Error total ", "Error rate m"))
    if totals is None or rates is None or not float(rates[1]):
        pytest.skip("no error, no rate")
    own: dict[str, Any] = dict(statistics(load_match(str(path).replace(".stats.txt", ".sgf")), "gnubg", met_of(path)).figures(0))
    assert own["error_rate_memg"] == pytest.approx(-float(rates[1]), abs=0.051)
    assert own["pr"] == pytest.approx(own["error_rate_memg"] / 2)
    per_decision = -float(totals[1]) / own["decisions.counted"]
    assert 1000 * per_decision == pytest.approx(-float(rates[1]), abs=0.051 + 0.5 / own["decisions.counted"])


def test_close_cube_is_one_sided_and_a_missed_double_counts_however_large(data: Path) -> None:
    """The page: within [-0.16, +0.16] around the doubling point."""
    code, page = (QUESTIONS["Q02"].answers[name].value for name in ("gnubg", "window-0.16"))
    missed = view(0.0, 0.6)
    assert code(missed)[0]
    assert not page(missed)[0]
    match = real("real/match_with_comment.xg", "gnubg")
    lost = match.scored.error[len(match.match.plays) :]
    both = [rule(match.scored.view) & (match.match.cubes.kind == Kind.NO_DOUBLE) for rule in (code, page)]
    only = np.flatnonzero(both[0] & ~both[1])
    assert [(int(match.match.cubes.game[row]) + 1, int(match.match.cubes.turn[row]), round(float(lost[row]), 3)) for row in only] == [
        (8, 9, 0.218)
    ]
    assert not (both[1] & ~both[0]).any()


@pytest.mark.parametrize("path", cases("real/*.sgf", "gnubg/*.sgf"))
def test_mwc_loss_is_a_difference_of_two_chances_and_never_the_chance_of_the_error(path: Path) -> None:
    """The page: eq2mwc(error). The map is affine: eq2mwc(0) is about a half, so every decision would cost about 50 points."""
    computed = scored(path)
    if computed.match.is_money:
        pytest.skip("money")
    one = computed.scored
    win, lose = stakes(one.match, one.met, 1).of(one.game, one.player, np.ones(len(one.game), np.int64))
    nothing = chance_of(np.zeros(len(win), np.float32), win, lose)
    assert nothing.min() > 0.0
    assert float(np.median(nothing)) > 0.1
    assert not one.loss[one.error == 0].any()
    for seat in (0, 1):
        lost = computed.figures(seat)["mwc_loss_percent.total"]
        mine = one.player == seat
        assert lost is None or lost < 100 * float(nothing[mine].sum())


@pytest.mark.parametrize("path", cases("real/*_0ply.sgf", "real/*_2ply.sgf", "real/test.sgf", "gnubg/m0*.sgf"))
def test_forced_moves_can_be_told_from_an_sgf(path: Path) -> None:
    """The page: an SGF does not allow it. One legal play is a list of one; no legal play is an empty move without a list."""
    computed = scored(path)
    table = computed.match.plays
    rolled = table.validity == Validity.VALID
    exact = legal_plays(table)
    from reconcile.board.play import count_legal_plays

    for row in np.flatnonzero(rolled).tolist()[:400]:
        first, second = table.dice[row].tolist()
        true = count_legal_plays(table.position[row].tolist(), first, second, stop_after=2)
        # A dance leads to one position as well: the one there was.
        assert min(int(exact[row]), 2) == true or {int(exact[row]), true} == {0, 1}, row
    told = rolled & (table.legal >= 0)
    assert told.sum() == rolled.sum()


@pytest.mark.parametrize("path", cases("real/*_0ply.sgf", "real/*_2ply.sgf", "real/test.sgf", "gnubg/m0[1-5]*.sgf", "gnubg/m4[24]*.sgf"))
def test_close_cube_data_is_complete_in_an_analysed_sgf(path: Path) -> None:
    """The page: "the file does not include complete analyses for all cube decisions"."""
    computed = scored(path)
    for seat in (0, 1):
        covered = computed.completeness(seat)["cube"]
        assert covered.complete, covered


def test_cube_data_is_incomplete_where_the_match_was_saved_without_analysis(data: Path) -> None:
    computed = real("real/charlot1*305.sgf")
    covered = [computed.completeness(seat)["cube"] for seat in (0, 1)]
    assert (sum(one.analysed for one in covered), sum(one.expected for one in covered)) < (94, 95)
    assert not all(one.complete for one in covered)
    assert "incomplete-analysis" in {finding.code for finding in findings_of(computed)}


@pytest.mark.parametrize("path", cases("gnubg/m0[2-5]*.sgf"))
def test_cached_counters_of_an_sgf_hold_no_count_of_close_cubes(path: Path) -> None:
    """What the page takes for missing data: `GS` has errors and numbers of doubles, takes, passes, but not how many were close."""
    computed = scored(path)
    table = GnubgTable(computed)
    blocks = re.findall(r"GS\[M:[^\]]*\]\[C:([^\]]*)\]", path.read_text("utf-8"))
    assert len(blocks) == len(computed.match.games)
    for game, block in enumerate(blocks):
        words = block.split()
        counters = [table.counts[name] for name in ("total-cube", "n-doubles", "n-takes", "n-drops")]
        assert [int(word) for word in words[:8]] == [counter[game][seat] for counter in counters for seat in (0, 1)]
        # Then how many were wrong in six ways, and the errors.
        assert all(int(word) <= int(words[index % 2]) for index, word in enumerate(words[8:20]))
        assert all("." in word for word in words[20:])


def test_line_numbers_cited_with_the_rules_are_those_of_the_source_read() -> None:
    sources = {name: answer.source for question in QUESTIONS.values() for name, answer in question.answers.items()}
    assert "eval.c:5088" in sources["gnubg"] or any("eval.c:5088" in answer.source for answer in QUESTIONS["Q02"].answers.values())
    assert "formatgs.c:391" in QUESTIONS["Q08"].answers["1000/counted"].source
    assert "formatgs.c:403" in QUESTIONS["Q08"].answers["snowie"].source
    assert "analysis.c:465" in QUESTIONS["Q01"].answers["gnubg"].source


def test_residuals_of_blunderdb_are_one_decision_each_and_follow_from_the_file(data: Path) -> None:
    """Charlot2: rounding every equity to the thousandth leaves two plays out that XG counts; XG's byte gives XG's count."""
    match = real("real/charlot1*.xg").match
    by_rule = {
        name: figures(match, RULE_SETS["xg"].switched("Q01", name), 1)["decisions.checker"]  # type: ignore[arg-type]
        for name in ("xg-flag", "blunderdb")
    }
    assert by_rule["xg-flag"] == 64
    assert 0 < by_rule["xg-flag"] - by_rule["blunderdb"] <= 5


def test_first_candidate_is_the_best_and_not_the_highest(data: Path) -> None:
    """2.147 is XG's, 2.150 blunderDB's for one player: the highest candidate, each rounded to the thousandth."""
    match = real("real/test.xg").match
    errors = {}
    for size in ("stored", "max-candidate"):
        judged = statistics(match, rule_set("xg").switched("Q06", size)).scored
        mine = (judged.player == 0) & (judged.decision_class == DecisionClass.CHECKER)
        errors[size] = judged.error[mine]
    assert match.players[0] == "Kévin Unger"
    assert round(float(errors["stored"].sum()), 3) == 2.147
    assert errors["max-candidate"].round(3).sum() == pytest.approx(2.150)


# -- [1] the cube analysis of an SGF -----------------------------------------------------------------------------------


def worked_example() -> tuple[Any, Any]:
    """A leader at 7-away/6-away; he needs six points, has a centred cube, and Rockwell-Kazaross is the table."""
    base = match_of(plays())
    columns = {name: getattr(base.games, name) for name in type(base.games).names()}
    leading = type(base.games)(1, {**columns, "score": np.array([[1, 0]])})
    at_stake = stakes(replace(base, games=leading), load_met("Rockwell-Kazaross"), 2)
    one = np.array([0])
    win, lose = at_stake.of(one, one, one + 1)
    return win, lose


def test_worked_example_of_the_mail() -> None:
    win, lose = worked_example()
    assert float(win[0]) == pytest.approx(0.626658, abs=5e-7)
    assert float(lose[0]) == 0.5
    take, no_double, cash = (float(equity_of(np.array([chance]), win, lose)[0]) for chance in (0.631003, 0.615284, 0.626658))
    assert take == pytest.approx(1.068610, abs=2e-5)
    assert cash == pytest.approx(1.0, abs=1e-5)
    # The mail calls this line "double, drop"; it is no double.
    assert no_double == pytest.approx(0.820398, abs=2e-5)


# -- [2] BackgammonDB --------------------------------------------------------------------------------------------------


def test_optional_double_is_left_out() -> None:
    match = match_of(plays(), cubes(no_double=[0.3], double_take=[0.3]))
    assert figures(match, "backgammondb")["decisions.double"] == 0
    assert figures(match, "xg")["decisions.double"] == 1


def test_page_leaves_out_optional_doubles_that_xg_s_window_counts(data: Path) -> None:
    """The page says XG leaves them out; no XG figure at hand turns on it but that of a public match, so the rule is told apart here.

    The optional doubles of this match are a losing side's, so that they meet Q04 only where Q03 lets all of them in.
    """
    match = real("real/match_with_comment.xg").match
    everybody = [rule_set(name).switched("Q03", "all") for name in ("xg", "backgammondb")]
    window, page = (int(statistics(match, rules).figures(0)["decisions.double"] or 0) for rules in everybody)
    assert 0 < page < window == 26


@pytest.mark.parametrize(
    ("no_double", "double_take", "counted"),
    [
        (0.5, 0.1, 0),  # an obvious no-double
        (1.5, 1.9, 0),  # too good to double by far
        (-0.95, -1.0, 0),  # very negative either way
        (0.5, 0.45, 1),
        (-0.5, -0.6, 1),
    ],
)
def test_obvious_cube_decisions_of_the_page(no_double: float, double_take: float, counted: int) -> None:
    match = match_of(plays(), cubes(no_double=[no_double], double_take=[double_take]))
    assert figures(match, "backgammondb")["decisions.double"] == counted


def test_doubles_made_and_answers_are_never_obvious() -> None:
    match = match_of(plays(), cubes(3, kind=[Kind.DOUBLE, Kind.TAKE, Kind.PASS], no_double=[-0.95] * 3, double_take=[-1.0] * 3))
    own = figures(match, "backgammondb")
    assert (own["decisions.double"], own["decisions.take"]) == (1, 2)


def test_flag_is_honoured_without_a_spread_of_its_own() -> None:
    match = match_of(plays(2, flag=[1, 0], spread=[0.5, 0.0], stored_error=[0.0, 0.0]))
    assert figures(match, "backgammondb")["decisions.checker"] == 1
    assert figures(match, "gammonview")["decisions.checker"] == 1
    assert statistics(match, "backgammondb").scored.counted.tolist() == [False, True]
    assert statistics(match, "gammonview").scored.counted.tolist() == [True, False]


def test_one_point_match_is_scaled_by_one_and_a_half() -> None:
    one, seven = (figures(match_of(plays(), length=length), "backgammondb")["pr"] for length in (1, 7))
    assert one == pytest.approx(1.5 * seven)
    assert figures(match_of(plays(), length=None), "backgammondb")["pr"] == seven


def test_resignations_cost_without_being_decisions() -> None:
    own = figures(match_of(plays(), None, 0.2, 0.05), "backgammondb")
    assert (own["equity_error.total"], own["decisions.counted"]) == (pytest.approx(0.35), 1)


def test_rate_has_no_cap_and_xg_s_window_has() -> None:
    rough = match_of(plays(stored_error=[0.9]))
    assert figures(rough, "backgammondb")["pr"] == pytest.approx(450)
    assert figures(rough, "xg")["pr"] == 100


BANDS = [
    (0.0, 2.5, "World Champ"),
    (2.5, 5.0, "World Class"),
    (5.0, 7.5, "Expert"),
    (7.5, 12.5, "Advanced"),
    (12.5, 17.5, "Intermediate"),
    (17.5, 22.5, "Casual Player"),
    (22.5, 30.0, "Beginner"),
    (30.0, None, "Distracted"),
]


def test_skill_bands_are_those_of_the_page() -> None:
    assert [(one.below, one.name) for one in XG_BANDS] == [(end, name) for _, end, name in BANDS]


def test_pooled_rate_is_errors_over_decisions_and_no_mean_of_rates(data: Path) -> None:
    parts = [real("real/charlot1*.xg", "backgammondb"), real("real/match_with_comment.xg", "backgammondb")]
    names = [part.match.players[0] for part in parts]
    (one,) = [
        player
        for player in pool(parts, Aliases(schema_version=1, players={"He": tuple(names)}))
        if player.matches == 2  # the other two are different people
    ]
    each = [part.figures(0) for part in parts]
    errors, decisions = (sum(part[key] or 0 for part in each) for key in ("equity_error.total", "decisions.counted"))
    assert one.figures["pr"] == pytest.approx(500 * errors / decisions)
    assert one.figures["pr"] != pytest.approx(sum(part["pr"] or 0 for part in each) / 2)


# -- [3] gnuBG's benchmark databases -----------------------------------------------------------------------------------


BENCHMARK_LINE = (
    "m OAHDPAABDAOAHDPAABDA 2 4 JIGHPAABDAOAHDPAABDA 0.133905 OAHDMJABDAOAHDPAABDA 0.0835662 OAHDOEABCBOAHDPAABDA 0.111429 "
    "OAHDOBABCEOAHDPAABDA 0.124954 OAHDPAABAJOAHDPAABDA 0.189375"
)


def benchmark_chunk(path: Path, text: str) -> Any:
    from reconcile.benchmark.reader import Contents, read_benchmark

    path.write_text(text)
    (chunk,) = read_benchmark(str(path), Contents(str(path)))
    return chunk


def test_line_of_the_page_is_the_start_with_42_and_its_five_plays(tmp_path: Path) -> None:
    from reconcile.benchmark.keys import result_keys, to_letters
    from reconcile.board.play import format_play, legal_plays
    from reconcile.board.position import START

    chunk = benchmark_chunk(tmp_path / "a.bm", BENCHMARK_LINE)
    assert tuple(chunk.board[0].tolist()) == START
    assert chunk.dice.tolist() == [[2, 4]]
    legal = result_keys(legal_plays(START, 2, 4))
    named = [format_play(START, legal[key].play) for key in to_letters(chunk.listed)]
    assert named == ["8/4 6/4", "13/11 13/9", "24/20 13/11", "24/22 13/9", "24/22 24/20"]
    assert chunk.equity[0] == 0.133905


def test_losses_of_the_page_s_line_are_what_its_calculation_gives(tmp_path: Path) -> None:
    """The play found in the list costs the difference; one outside it the worst of the listed ones."""
    from reconcile.benchmark.keys import result_keys, to_letters
    from reconcile.benchmark.score import judge
    from reconcile.board.play import legal_plays
    from reconcile.board.position import START

    chunk = benchmark_chunk(tmp_path / "a.bm", BENCHMARK_LINE)
    listed = to_letters(chunk.listed)
    losses = {key: float(judge(chunk, [key]).loss[0]) for key in result_keys(legal_plays(START, 2, 4))}
    assert [losses[key] for key in listed] == [0.0, 0.0835662, 0.111429, 0.124954, 0.189375]
    assert {loss for key, loss in losses.items() if key not in listed} == {0.189375}


def test_key_of_the_page_is_the_position_id_in_other_letters() -> None:
    """The page: "not the usual GNUbg position ID - it uses a different serialization". The ten bytes are the same."""
    from base64 import b64decode

    from reconcile.board.position import START, position_id, position_key

    letters = position_key(START)
    code = bytes([(ord(high) - 65) << 4 | (ord(low) - 65) for high, low in zip(letters[::2], letters[1::2], strict=True)])
    assert letters == "OAHDPAABDAOAHDPAABDA"
    assert code == b64decode(position_id(START) + "==")


def test_more_than_the_top_five_can_be_listed(data: Path) -> None:
    """The page: "only the top five". The favourite at 0 plies comes on top, so that six can be."""
    text = (data / "benchmark" / "format-fixture.bm").read_text("utf-8")
    lengths = [(len(line.split()) - 4) // 2 for line in text.splitlines() if line.startswith("m ")]
    assert max(lengths) == 6


# -- [4] gnuBG's manual ------------------------------------------------------------------------------------------------

THRESHOLDS = [0.000, 0.002, 0.005, 0.008, 0.012, 0.018, 0.026, 0.035]
WORDS = ["Supernatural", "World Class", "Expert", "Advanced", "Intermediate", "Casual Player", "Beginner", "Awful!"]


def test_ratings_are_those_of_the_manual() -> None:
    assert [border for border, _ in RATINGS] == THRESHOLDS[1:]
    assert [word.lower() for _, word in RATINGS] == [word.lower() for word in WORDS[:-1]]
    for border, word in zip(THRESHOLDS, WORDS, strict=True):
        assert (rating(border) or "").lower() == word.lower()


def test_manual_and_code_count_other_no_doubles_and_are_two_rule_sets(data: Path) -> None:
    match = real("real/charlot1*.xg").match
    code, manual = (sum(figures(match, name, seat)["decisions.double"] for seat in (0, 1)) for name in ("gnubg", "gnubg-manual"))
    assert code < manual
    assert QUESTIONS["Q02"].answers["gnubg-manual"].page != QUESTIONS["Q02"].answers["gnubg"].page


@pytest.mark.parametrize("path", cases("gnubg/m0[2-5]*.sgf"))
def test_luck_adjusted_result_is_the_actual_one_less_the_luck_of_both(path: Path) -> None:
    """The manual adds 50 %, which 1.07 and later no longer print; the sum itself is as it says."""
    table = GnubgTable(scored(path))
    for seat in (0, 1):
        mine, theirs = table.table(seat)["dice"], table.table(1 - seat)["dice"]
        expected = mine["actual-result"] - mine["luck-cost"] + theirs["luck-cost"]
        assert mine["luck-adjusted-result"] == pytest.approx(expected, abs=1e-5)
        assert mine["actual-result"] == pytest.approx(-theirs["actual-result"])
    printed = path.with_name(path.name.replace(".sgf", ".stats.txt")).read_text("utf-8")
    assert "MWC against current opponent" not in printed
    actual = re.search(r"^Actual result +([+-][\d.]+)%", printed, re.M)
    assert actual is not None
    assert 100 * table.table(0)["dice"]["actual-result"] == pytest.approx(float(actual[1]), abs=0.006)


@pytest.mark.parametrize("path", cases("real/*_2ply.sgf", "gnubg/m0[2-5]*.sgf"))
def test_mwc_against_current_opponent_is_50_less_own_errors_plus_the_opponent_s(path: Path) -> None:
    one = scored(path, "gnubg-manual")
    mine, theirs = (manual_results(one, seat) for seat in (0, 1))
    lost = [one.figures(seat)["mwc_loss_percent.total"] for seat in (0, 1)]
    assert lost[0] is not None
    assert lost[1] is not None
    against = mine["mwc_against_current_opponent_percent"]
    assert against == pytest.approx(min(max(50 - lost[0] + lost[1], 0), 100))
    assert theirs["mwc_against_current_opponent_percent"] == pytest.approx(100 - (against or 0))
    assert mine["actual_result_percent"] in (pytest.approx(0, abs=1e-4), pytest.approx(100, abs=1e-4))
    told = statistics_document(one)["players"][0]["gnubg_manual"]
    assert told == mine
    assert "MWC against current opponent (%)" in statistics_text(one)


def test_mwc_against_current_opponent_ends_at_100_and_is_unknown_without_an_analysis_or_in_money_play(data: Path) -> None:
    """The manual: a lucky opponent who plays badly gives up more than there is."""
    match = real("real/match_with_comment_2ply.sgf").match
    worst = np.where(match.plays.player == 1, match.plays.played - 9, match.plays.played)
    awful = statistics(replace(match, plays=match.plays.replaced(played=worst.astype(np.float32))), "gnubg-manual")
    assert [manual_results(awful, seat)["mwc_against_current_opponent_percent"] for seat in (0, 1)] == [100, 0]
    unanalysed, money = (real(f"gnubg/{name}*.sgf", "gnubg-manual") for name in ("m14", "m09"))
    assert manual_results(unanalysed, 0)["mwc_against_current_opponent_percent"] is None
    assert manual_results(unanalysed, 0)["luck_adjusted_result_percent"] is None
    assert set(manual_results(money, 0).values()) == {None}


def test_rate_of_gnubg_is_higher_than_snowie_s_by_what_is_measured_and_not_always_1_4(data: Path) -> None:
    ratios = []
    for path in sorted(FOLDER.glob("real/*_2ply.sgf")):
        for seat in (0, 1):
            own = scored(path).figures(seat)
            assert own["error_rate_memg"]
            assert own["snowie_memg"]
            ratios.append(own["error_rate_memg"] / own["snowie_memg"])
    assert len(ratios) == 8
    assert min(ratios) > 1.4
    assert max(ratios) - min(ratios) > 0.2
