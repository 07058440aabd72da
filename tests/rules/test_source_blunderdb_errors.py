"""Where blunderDB's page on its statistics model errs, on gnuBG, XG or the SGF format, the measured
fact is shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.match.columns import Kind, Validity
from reconcile.rules import QUESTIONS, RULE_SETS
from reconcile.scoring.gnubg_table import GnubgTable
from reconcile.scoring.statistics import legal_plays
from tests.support.computed import figures, real_statistics, statistics_of
from tests.support.data import cases
from tests.support.hand_made import view


def test_close_cube_is_one_sided_and_a_missed_double_counts_however_large(data: Path) -> None:
    """The page: within [-0.16, +0.16] around the doubling point."""
    code, page = (QUESTIONS["Q02"].answers[name].value for name in ("gnubg", "window-0.16"))
    missed = view(0.0, 0.6)
    assert code(missed)[0]
    assert not page(missed)[0]
    match = real_statistics("real/match_with_comment.xg", "gnubg")
    lost = match.scored.error[len(match.match.plays) :]
    both = [
        rule(match.scored.view) & (match.match.cubes.kind == Kind.NO_DOUBLE)
        for rule in (code, page)
    ]
    only = np.flatnonzero(both[0] & ~both[1])
    assert [
        (
            int(match.match.cubes.game[row]) + 1,
            int(match.match.cubes.turn[row]),
            round(float(lost[row]), 3),
        )
        for row in only
    ] == [(8, 9, 0.218)]
    assert not (both[1] & ~both[0]).any()


@pytest.mark.parametrize(
    "path", cases("real/*_0ply.sgf", "real/*_2ply.sgf", "real/test.sgf", "gnubg/m0*.sgf")
)
def test_forced_moves_can_be_told_from_an_sgf(path: Path) -> None:
    """The page: an SGF does not allow it. One legal play is a list of one; no legal play is an
    empty move without a list."""
    computed = statistics_of(path)
    table = computed.match.plays
    rolled = table.validity == Validity.VALID
    exact = legal_plays(table)
    from reconcile.match.board.play import count_legal_plays

    for row in np.flatnonzero(rolled).tolist()[:400]:
        first, second = table.dice[row].tolist()
        true = count_legal_plays(table.position[row].tolist(), first, second, stop_after=2)
        # A dance leads to one position as well: the one there was.
        assert min(int(exact[row]), 2) == true or {int(exact[row]), true} == {0, 1}, row
    lines = rolled & (table.legal >= 0)
    assert lines.sum() == rolled.sum()


@pytest.mark.parametrize("path", cases("gnubg/m0[2-5]*.sgf"))
def test_cached_counters_of_an_sgf_hold_no_count_of_close_cubes(path: Path) -> None:
    """What the page takes for missing data: `GS` has errors and numbers of doubles, takes, passes,
    but not how many were close."""
    computed = statistics_of(path)
    table = GnubgTable(computed)
    blocks = re.findall(r"GS\[M:[^\]]*\]\[C:([^\]]*)\]", path.read_text("utf-8"))
    assert len(blocks) == len(computed.match.games)
    for game, block in enumerate(blocks):
        words = block.split()
        counters = [
            table.counts.games[name] for name in ("total-cube", "n-doubles", "n-takes", "n-drops")
        ]
        assert [int(word) for word in words[:8]] == [
            counter[game][seat] for counter in counters for seat in (0, 1)
        ]
        # Then how many were wrong in six ways, and the errors.
        assert all(int(word) <= int(words[index % 2]) for index, word in enumerate(words[8:20]))
        assert all("." in word for word in words[20:])


def test_line_numbers_cited_with_the_rules_are_those_of_the_source_read() -> None:
    """Of release 1.07.001 (71d14bc6); the page cites those of 1.08.003."""
    cited = {code: cell.source or "" for code, cell in RULE_SETS["gnubg"].evidence.items()}
    assert "eval.c:5080" in cited["Q02"]
    assert "formatgs.c:391" in cited["Q08"]
    assert "formatgs.c:403" in (RULE_SETS["snowie4"].evidence["Q08"].source or "")
    assert "analysis.c:440" in cited["Q01"]


def test_residuals_of_blunderdb_are_one_decision_each_and_follow_from_the_file(data: Path) -> None:
    """Charlot2: rounding every equity to the thousandth leaves two plays out that XG counts; XG's
    byte gives XG's count."""
    match = real_statistics("real/charlot1*.xg").match
    by_rule: dict[str, Any] = {}
    for name in ("xg-flag", "blunderdb"):
        rules: Any = RULE_SETS["xg"].switched("Q01", name)
        by_rule[name] = figures(match, rules, 1)["decisions.checker"]
    assert by_rule["xg-flag"] == 64
    assert 0 < by_rule["xg-flag"] - by_rule["blunderdb"] <= 5
