"""Results of the library in the hands of somebody who explores: their line, their tables, and how a
notebook shows them."""

import re
from dataclasses import replace
from functools import cache

import pandas as pd
import pytest

import reconcile
from reconcile.formats import read_match
from reconcile.gap.verdict import FIGURE_COLUMNS
from reconcile.gate.pack_results import pack_parts
from reconcile.notebook import LONGEST_LINE, NotebookTable
from reconcile.scoring.figures import METRICS
from tests.support.claims import some
from tests.support.command_line import PACK
from tests.support.several import bundled_sgf, bundled_xg
from tests.support.tolerance_files import bounds

NOT_ANALYSED = b"(;GM[6]MI[length:5][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford];W[31hefe];B[66])"
MONEY = NOT_ANALYSED.replace(b"length:5", b"length:0")
HOSTILE = "<script>alert(1)</script>\x1b[31m\n" + "x" * 500


@cache
def results():
    """One result of every kind."""
    left, right = bundled_xg(), bundled_sgf()
    return {
        "match": left,
        "statistics": reconcile.statistics(left),
        "comparison": reconcile.compare(left, right),
        "investigation": reconcile.investigate(left, "Nora", {"pr": "7.16", "decisions": "104"}),
        "nothing found": reconcile.investigate(left, "Nora", {"pr": "1.00"}),
        "pack": reconcile.validate(PACK / "gnubg-3pt-2ply"),
        "tolerances": reconcile.load_tolerances(),
    }


def test_line_of_a_result_says_what_it_is():
    lines = {
        "match": "<Match nora-lindqvist-tomas-beck.xg: Nora Lindqvist - Tomas Beck, 7 points, "
        "5 games, eXtreme Gammon>",
        "statistics": "<Statistics nora-lindqvist-tomas-beck.xg under xg, Kazaross-XG2: "
        "Nora Lindqvist PR 7.16, Tomas Beck PR 7.74>",
        "comparison": "<Comparison outside: PR XG 7.16, gnuBG 4.85 for Nora Lindqvist; "
        "XG 7.74, gnuBG 6.96 for Tomas Beck>",
        "investigation": "<Investigation of PR 7.16, Decisions 104 for Nora Lindqvist: ... "
        "combinations of answers, the first xg>",
        "nothing found": "<Investigation ...0 explanations in ...>",
        "pack": "<PackResult gnubg-3pt-2ply: within; 1 match, ...>",
        "tolerances": "<Tolerances 0 overrides, 0 known gaps; 10 tables: documented, ...>",
    }
    for name, line in lines.items():
        pattern = re.escape(line).replace(re.escape("..."), ".*")
        assert re.fullmatch(pattern, repr(results()[name])), name


def test_no_part_of_a_result_is_shown_as_an_array_or_as_bytes():
    actual = results()
    match, scored, pairing = actual["match"], actual["statistics"], actual["comparison"].pairing
    parts = [match.plays, match.games, scored.scored, scored.scored.met, scored.sums, pairing]
    for part in (*actual.values(), *parts, *actual["pack"].matches):
        assert len(repr(part)) < LONGEST_LINE + 20
        assert not re.search(r"array\(|b'|\n", repr(part))


def test_hostile_names_stay_on_the_line_and_out_of_the_page():
    short = reconcile.load_match(reconcile.samples()["alice-bob-3pt-2ply.sgf"])
    match = replace(short, players=(HOSTILE, "b"), source=replace(short.source, path=HOSTILE))
    scored = reconcile.statistics(match)
    comparison = reconcile.compare(match, match)
    investigation = reconcile.investigate(match, HOSTILE, {"pr": "7.16"})
    for result in (match, scored, comparison, investigation):
        assert repr(result).isprintable()
        assert len(repr(result)) < LONGEST_LINE + 20
        page = result._repr_html_()
        assert "<script" not in page
        assert "<table" in page


@pytest.mark.parametrize("content", [NOT_ANALYSED, MONEY], ids=["not analysed", "money"])
def test_unknown_figure_is_missing_and_never_zero(content):
    match = read_match("made.sgf", content)
    scored = reconcile.statistics(match)
    assert (
        repr(scored)
        == f"<Statistics made.sgf under gnubg, {scored.scored.met.name}: a PR -, b PR ->"
    )
    assert (
        scored.to_frame().loc[["pr", "mwc_loss_percent.total", "luck.equity"]].isna().all(axis=None)
    )
    frame = match.to_frame()
    assert frame[["best", "played", "luck", "stored_error", "level"]].isna().all(axis=None)
    assert frame["away"].isna().all() == match.is_money
    for result in (match, scored):
        assert result._repr_html_()


def test_notebook_shows_a_line_and_a_small_table():
    for name, result in some(results().items()):
        assert isinstance(result, NotebookTable), name
        page = result._repr_html_()
        assert page.count("<table") == 1, name
        assert page.count("<tr") < 40, name
        assert len(page) < 20_000, name


def test_table_of_a_match_has_every_decision_in_order():
    match = results()["match"]
    frame = match.to_frame()
    assert len(frame) == len(match.plays) + len(match.cubes)
    assert (frame["game"] * 10_000 + frame["turn"]).is_monotonic_increasing
    for row in frame.itertuples():
        decision = match.decision(row.row)
        dice = "".join(map(str, decision.dice)) if row.kind == "play" else None
        shown = (row.kind, row.game, row.turn, row.player, (row.away, row.opponent_away), row.dice)
        place = (decision.kind.label, decision.game, decision.turn, decision.player)
        assert (*place, decision.away, dice) == shown
    first = frame.iloc[0][["player", "dice", "play", "level"]].tolist()
    assert first == ["Tomas Beck", "64", "24/18 13/9", "3-ply"]
    turn = frame[frame["kind"] == "double"].iloc[0][["game", "turn"]]
    kinds = frame[(frame[["game", "turn"]] == turn).all(axis=1)]["kind"].tolist()
    assert (kinds[0], kinds[1] in ("take", "pass")) == ("double", True)


def documented(kind, method="to_frame"):
    """The columns that a docstring names, in its order."""
    lines = re.findall(r"(?m)^ *- (`[^:\n]*)", getattr(kind, method).__doc__ or "")
    return [name.strip("` ") for line in lines for name in line.split(", ")]


def test_result_of_a_match_is_that_of_its_games():
    match = results()["match"]
    won = match.final_score[match.names.index(match.winner)]
    assert won >= match.length > min(match.final_score)


def test_columns_are_the_documented_ones():
    columns = {name: result.to_frame().columns.tolist() for name, result in results().items()}
    figures = documented(reconcile.Comparison)
    assert documented(reconcile.Match) == columns["match"]
    assert figures == columns["comparison"] == list(FIGURE_COLUMNS)
    ledger = results()["comparison"].ledger()
    assert documented(reconcile.Comparison, "ledger") == ledger.columns.tolist()
    assert documented(reconcile.PackResult) + figures == columns["pack"]
    assert documented(reconcile.Tolerances) == columns["tolerances"]
    assert documented(reconcile.Investigation) == columns["investigation"][:4]


def test_table_of_statistics_is_its_figures():
    scored = results()["statistics"]
    frame, games = scored.to_frame(), scored.to_frame(per_game=True)
    assert frame.index.tolist() == list(METRICS)
    assert frame.columns.tolist() == list(scored.match.players)
    parts = {None: frame} | {
        row: games.loc[number] for row, number in enumerate(scored.match.games.number.tolist())
    }
    for row, part in parts.items():
        for seat, name in enumerate(scored.match.players):
            values = part[name].items()
            shown = {metric: None if pd.isna(value) else value for metric, value in values}
            assert shown == scored.figures_at(seat, row)


def test_shares_of_a_gap_follow_their_figure():
    tolerances = bounds("error", {"pr": 0.1, "pr@engine": 0.2})
    frame = reconcile.compare(bundled_xg(), bundled_sgf(), tolerances).to_frame()
    assert frame["metric"].tolist()[:2] == ["pr", "pr@engine"]
    assert frame["left"].isna().tolist()[:2] == [False, True]


def test_table_of_an_investigation_begins_with_what_fits():
    frame = results()["investigation"].to_frame()
    assert frame["fits"].iloc[0]
    assert frame["pr"].iloc[0] == pytest.approx(7.16, abs=0.005)
    rule_sets = [each.name for each in results()["investigation"].rule_sets]
    assert frame[frame["off"].isna()]["rules"].tolist() == rule_sets
    nothing = results()["nothing found"].to_frame()
    assert (nothing["fits"].any(), nothing["off"].iloc[0] > 1) == (False, True)


def test_table_of_a_pack_has_every_judged_figure():
    frame = results()["pack"].to_frame()[["match", "judged", "metric"]]
    judged = [
        (case.match, case.suite, case.figure.name)
        for part in pack_parts(results()["pack"])
        for case in part.cases
    ]
    assert list(frame.itertuples(index=False, name=None)) == judged
