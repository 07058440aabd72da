"""blunderDB's listings: statistics of one player or both, and its table of players."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.errors import NothingToCompare
from reconcile.gap.verdict import OUTSIDE
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.judging import codes, only, refused, told, validate
from tests.gate.candidates.samples import (
    DEMONSTRATION,
    PACK,
    blunderdb_statistics,
    file_of,
    loaded,
    written,
)


def test_statistics_of_blunderdb_are_those_of_both_players(tmp_path: Path) -> None:
    path = file_of(DEMONSTRATION, ".xg")
    result = validate(
        PACK, candidates=[written(tmp_path / "stats.json", blunderdb_statistics(path, 0, 1))]
    )
    (candidate,) = told(result, "demonstration")
    figures = {one.metric: one for one in candidate.figures}
    assert {one.player for one in candidate.figures} == {"both players"}
    ours = [statistics(loaded(path)).figures(seat) for seat in (0, 1)]
    assert figures["decisions.counted"].left == sum(one["decisions.counted"] or 0 for one in ours)
    lost = sum(one["equity_error.total"] or 0 for one in ours)
    assert figures["pr"].left == pytest.approx(
        500 * lost / (figures["decisions.counted"].left or 0)
    )
    assert figures["mwc_loss_percent.total"].left == pytest.approx(
        sum(one["mwc_loss_percent.total"] or 0 for one in ours)
    )
    assert "cube_pr" not in figures, "0 is what blunderDB prints for no decision, too"
    assert codes(candidate) >= {"candidate-rules"}


def test_statistics_of_one_player_are_his_where_he_is_named(tmp_path: Path) -> None:
    path = file_of(DEMONSTRATION, ".xg")
    name = loaded(path).players[1]
    given = written(tmp_path / "stats.json", blunderdb_statistics(path, 1))
    candidate = only(validate(DEMONSTRATION, candidates=[f"{given}#demonstration/{name}"]))
    assert {one.player for one in candidate.figures} == {name}
    right = {one.metric: one.right for one in candidate.figures}
    assert "snowie_er" not in right, "the moves it was divided by are unknown"
    assert right["pr"] == pytest.approx(statistics(loaded(path), "blunderdb-2026").figures(1)["pr"])


PLAYERS = "player,matches,wins,losses,decisions,pr,pr_checker,pr_cube,snowie_er,errors,blunders,luck_rate_mp,luck_rolls\n"


def players_csv(path: Path, matches: int = 1) -> str:
    lines = []
    for seat, name in enumerate(loaded(path).players):
        one = statistics(loaded(path), "blunderdb-2026").figures(seat)
        rates = [
            f"{one[metric] or 0:.2f}" for metric in ("pr", "checker_pr", "cube_pr", "snowie_er")
        ]
        lines.append(f'"{name}",{matches},1,0,{one["decisions.counted"]},{",".join(rates)},3,1,,0')
    return PLAYERS + "\n".join(lines) + "\n"


def test_player_table_of_blunderdb_is_one_claim_of_both(tmp_path: Path) -> None:
    candidate = only(
        validate(
            DEMONSTRATION,
            candidates=[
                written(tmp_path / "players.csv", players_csv(file_of(DEMONSTRATION, ".xg")))
            ],
        )
    )
    assert len(candidate.figures) == 10
    (finding,) = (one for one in candidate.findings if one.code == "candidate-rules")
    assert finding.evidence.startswith("rule set blunderdb-2026 gives all 10 figures")


def test_listing_over_several_matches_is_refused(tmp_path: Path) -> None:
    path = file_of(DEMONSTRATION, ".xg")
    stats = blunderdb_statistics(path, 0, 1)
    stats["Totals"]["NumMatches"] = 2
    for listing in (
        written(tmp_path / "a.csv", players_csv(path, 2)),
        written(tmp_path / "a.json", stats),
    ):
        assert "sums over 2 matches" in refused(listing, NothingToCompare, DEMONSTRATION)


@pytest.mark.usefixtures("undiagnosed")
def test_player_without_a_decision_has_no_rate(tmp_path: Path) -> None:
    name = loaded(file_of(DEMONSTRATION, ".xg")).players[0]
    rows = [{"name": name, "matches": 1, "decisions": 0, "pr": 0, "pr_checker": 0, "snowie_er": 0}]
    candidate = only(validate(DEMONSTRATION, candidates=[written(tmp_path / "a.json", rows)]))
    assert [(one.metric, one.right, one.verdict) for one in candidate.figures] == [
        ("decisions.counted", 0, OUTSIDE)
    ]
