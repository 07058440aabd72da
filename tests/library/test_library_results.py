"""Results of the library in the hands of somebody who explores: their line, their tables, and how a
notebook shows them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import reconcile
from reconcile.formats import read_match
from reconcile.gap.verdict import FIGURE_COLUMNS
from reconcile.gate.judged_figures import pack_cases
from reconcile.match.columns import Kind
from reconcile.notebook import LONGEST_LINE, NotebookTable
from reconcile.scoring.metrics import METRICS
from tests.support.claims import some
from tests.support.data import PROJECT

PACK = PROJECT / "reference_matches"
XG, SGF = (
    str(PACK / "demonstration" / f"nora-lindqvist-tomas-beck.{ending}") for ending in ("xg", "sgf")
)
NOT_ANALYSED = b"(;GM[6]MI[length:5][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford];W[31hefe];B[66])"
MONEY = NOT_ANALYSED.replace(b"length:5", b"length:0")
HOSTILE = "<script>alert(1)</script>\x1b[31m\n" + "x" * 500


@cache
def results() -> dict[str, Any]:
    """One result of every kind."""
    left, right = reconcile.load_match(XG), reconcile.load_match(SGF)
    return {
        "match": left,
        "statistics": reconcile.statistics(left),
        "comparison": reconcile.compare(left, right),
        "investigation": reconcile.investigate(left, "Nora", {"pr": "7.16", "decisions": "104"}),
        "nothing found": reconcile.investigate(left, "Nora", {"pr": "1.00"}),
        "pack": reconcile.validate(PACK / "gnubg-3pt-2ply"),
        "tolerances": reconcile.load_tolerances(),
    }


LINES = {
    "match": "<Match nora-lindqvist-tomas-beck.xg: Nora Lindqvist - Tomas Beck, 7 points, 5 "
    "games, eXtreme Gammon>",
    "statistics": "<Statistics nora-lindqvist-tomas-beck.xg under xg, Kazaross-XG2: Nora "
    "Lindqvist PR 7.16, Tomas Beck PR 7.74>",
    "comparison": "<Comparison outside: PR XG 7.16, gnuBG 4.85 for Nora Lindqvist; XG 7.74, "
    "gnuBG 6.96 for Tomas Beck>",
}


def test_line_of_a_result_says_what_it_is() -> None:
    shown = {name: repr(result) for name, result in results().items()}
    assert {name: shown[name] for name in LINES} == LINES
    assert shown["investigation"].startswith(
        "<Investigation of PR 7.16, Decisions 104 for Nora Lindqvist: "
    )
    assert shown["investigation"].endswith(" combinations of answers, the first xg>")
    assert "0 explanations in " in shown["nothing found"]
    assert shown["pack"].startswith("<PackResult gnubg-3pt-2ply: within; 1 match, ")
    assert shown["tolerances"].startswith(
        "<Tolerances 0 overrides, 0 known gaps; 10 tables: documented, "
    )


def test_no_part_of_a_result_is_shown_as_an_array_or_as_bytes() -> None:
    actual = results()
    match, comparison = actual["match"], actual["comparison"]
    scored = actual["statistics"].scored
    parts = [
        match.plays,
        match.games,
        scored,
        scored.met,
        actual["statistics"].sums,
        comparison.pairing,
        *actual["pack"].matches,
    ]
    for part in (*actual.values(), *parts):
        assert len(repr(part)) < LONGEST_LINE + 20
        assert "array(" not in repr(part)
        assert "b'" not in repr(part)
        assert "\n" not in repr(part)


def test_hostile_names_stay_on_the_line_and_out_of_the_page() -> None:
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
def test_unknown_figure_is_missing_and_never_zero(content: bytes) -> None:
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


def test_notebook_shows_a_line_and_a_small_table() -> None:
    for name, result in some(results().items()):
        assert isinstance(result, NotebookTable), name
        page = result._repr_html_()
        assert page.count("<table") == 1, name
        assert page.count("<tr") < 40, name
        assert len(page) < 20_000, name


def same_as_decisions(match: reconcile.Match) -> None:
    frame = match.to_frame()
    assert len(frame) == len(match.plays) + len(match.cubes)
    order = frame[["game", "turn"]].to_numpy()
    assert (np.diff(order[:, 0] * 10_000 + order[:, 1]) >= 0).all()
    row: Any
    for row in frame.itertuples():
        decision = (
            match.play_decision(row.row) if row.kind == "play" else match.cube_decision(row.row)
        )
        assert (decision.kind.label, decision.game, decision.turn, decision.player) == (
            row.kind,
            row.game,
            row.turn,
            row.player,
        )
        assert decision.away == (None if match.is_money else (row.away, row.opponent_away))
        assert row.dice == (
            None if decision.kind is not Kind.PLAY else "".join(map(str, decision.dice or ()))
        )


def test_table_of_a_match_has_every_decision_in_order() -> None:
    frame = results()["match"].to_frame()
    same_as_decisions(results()["match"])
    assert frame.iloc[0][["player", "dice", "play", "level"]].tolist() == [
        "Tomas Beck",
        "64",
        "24/18 13/9",
        "3-ply",
    ]
    doubled = frame[frame["kind"] == "double"].iloc[0]
    (action, response) = frame[
        (frame["game"] == doubled["game"]) & (frame["turn"] == doubled["turn"])
    ]["kind"].tolist()[:2]
    assert (action, response in ("take", "pass")) == ("double", True)


def documented(kind: type, method: str = "to_frame") -> list[str]:
    """The columns that a docstring names, in its order."""
    lines = [
        line.strip()
        for line in (getattr(kind, method).__doc__ or "").splitlines()
        if line.strip().startswith("- `")
    ]
    return [
        name.strip("` ")
        for line in lines
        for name in line.removeprefix("- ").partition(":")[0].split(", ")
    ]


def test_columns_are_the_documented_ones() -> None:
    actual = results()
    assert documented(reconcile.Match) == actual["match"].to_frame().columns.tolist()
    figures = documented(reconcile.Comparison)
    assert figures == actual["comparison"].to_frame().columns.tolist() == list(FIGURE_COLUMNS)
    assert (
        documented(reconcile.Comparison, "ledger") == actual["comparison"].ledger().columns.tolist()
    )
    assert documented(reconcile.PackResult) + figures == actual["pack"].to_frame().columns.tolist()
    assert documented(reconcile.Tolerances) == actual["tolerances"].to_frame().columns.tolist()
    assert (
        documented(reconcile.Investigation)
        == actual["investigation"].to_frame().columns.tolist()[:4]
    )


def test_table_of_statistics_is_its_figures() -> None:
    scored = results()["statistics"]
    frame = scored.to_frame()
    assert frame.index.tolist() == list(METRICS)
    assert frame.columns.tolist() == list(scored.match.players)
    games = scored.to_frame(per_game=True)
    for seat, name in enumerate(scored.match.players):
        assert {
            metric: None if pd.isna(value) else value for metric, value in frame[name].items()
        } == scored.figures(seat)
        for index, number in enumerate(scored.match.games.number.tolist()):
            block = games.loc[number, name]
            assert {
                metric: None if pd.isna(value) else value for metric, value in block.items()
            } == scored.figures_at(seat, index)


def test_shares_of_a_gap_follow_their_figure() -> None:
    entry = {"level": "error", "reason": "r", "source": "s"}
    entries = {"pr": {"abs": 0.1, **entry}, "pr@engine": {"abs": 0.2, **entry}}
    tolerances = reconcile.Tolerances.from_mapping(
        {"schema_version": 1, "tables": {"documented": {"title": "t", "entries": entries}}}
    )
    frame = reconcile.compare(
        reconcile.load_match(XG), reconcile.load_match(SGF), tolerances
    ).to_frame()
    assert frame["metric"].tolist()[:2] == ["pr", "pr@engine"]
    assert frame["left"].isna().tolist()[:2] == [False, True]


def test_table_of_an_investigation_begins_with_what_fits() -> None:
    actual = results()
    frame = actual["investigation"].to_frame()
    assert frame["fits"].iloc[0]
    assert frame["pr"].iloc[0] == pytest.approx(7.16, abs=0.005)
    assert frame[frame["off"].isna()]["rules"].tolist() == [
        each.name for each in actual["investigation"].rule_sets
    ]
    nothing = actual["nothing found"].to_frame()
    assert not nothing["fits"].any()
    assert nothing["off"].iloc[0] > 1


def test_table_of_a_pack_has_every_judged_figure() -> None:
    judged = [(case.match, case.suite, case.figure.name) for case in pack_cases(results()["pack"])]
    assert (
        list(
            results()["pack"]
            .to_frame()[["match", "judged", "metric"]]
            .itertuples(index=False, name=None)
        )
        == judged
    )
