"""Lists of the decisions of real matches: under the rules they were written by nothing differs, under others what these differ in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reconcile.gate.candidates.claims import StatedRows
from reconcile.gate.candidates.differing import Differences, fault_of
from reconcile.gate.candidates.listed import SLACK, Listed, listed_beside
from reconcile.gate.candidates.read import read_printed
from reconcile.infer.turning import filled
from reconcile.match.match import Match
from reconcile.report.text.decisions import decisions_content
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.score import score
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.samples import PACK, loaded
from tests.support.data import cases
from tests.support.long import long_but_first

MATCHES = [
    *long_but_first(
        [pytest.param(path, id=path.parent.name) for path in sorted(PACK.glob("*/*.[sx]g*"))], 1
    ),
    *cases(
        "real/*.xg",
        "real/*.sgf",
        "gnubg/*.sgf",
        "bgblitz/bgf/*.bgf",
        "bgblitz/xg/*.xg",
        short=0,
        most=3,
    ),
]


def rows_of(match: Match, rules: str) -> StatedRows:
    scored = statistics(match, rules)
    ((claim,),) = (read_printed("own.json", decisions_content(scored, "json").encode()).claims,)
    assert claim.rows is not None
    if rules == "xg":  # the table says the same
        ((again,),) = (read_printed("own.csv", decisions_content(scored, "csv").encode()).claims,)
        assert again.rows is not None
        assert np.array_equal(again.rows.error, claim.rows.error, equal_nan=True)
        assert np.array_equal(again.rows.counted, claim.rows.counted)
    return claim.rows


def paired(match: Match, reference: str, rows: StatedRows) -> Listed:
    listed = listed_beside(
        match,
        RULE_SETS[reference],
        rows,
        lambda name: match.players.index(name) if name in match.players else None,
    )
    assert isinstance(listed, Listed)
    return listed


@pytest.mark.parametrize("path", MATCHES)
def test_list_under_the_rules_of_its_reference_pairs_wholly_and_differs_in_nothing(
    path: Path,
) -> None:
    match = loaded(path)
    for name in RULE_SETS:
        rows = rows_of(match, name)
        listed = paired(match, name, rows)
        assert (listed.at >= 0).all()
        assert not listed.repeated.any()
        assert listed.misnamed.tolist() == []
        fault = fault_of(listed)
        assert fault.text == ""
        differences = Differences(listed, fault)
        assert differences.rows.tolist() == []
        assert differences.counts[name] == 0
        ours = statistics(match, name)
        for one in listed.figures():
            assert isinstance(one.player, int)
            left = ours.figures(one.player)[one.metric]
            assert one.value is None or one.value == pytest.approx(left or 0, abs=1e-9), (name, one)


@pytest.mark.parametrize("path", MATCHES)
def test_list_under_other_rules_differs_just_where_the_rules_do(path: Path) -> None:
    match, names = loaded(path), list(RULE_SETS)
    for name, reference in zip(
        names, [*names[1:], names[0]], strict=True
    ):  # any two that differ would do
        listed = paired(match, reference, rows_of(match, name))
        fault = fault_of(listed)
        assert fault.text == ""
        count = len(listed.mine)
        own = score(listed.match, RULE_SETS[name], listed.left.met)
        left = listed.left
        counted = filled(own.counted, count) != filled(left.counted, count)
        off = np.abs(filled(own.error, count).astype(float) - filled(left.error, count))
        differs = counted | (listed.analysed & (off > SLACK + listed.half))
        assert Differences(listed, fault).rows.tolist() == np.flatnonzero(differs).tolist(), (
            name,
            reference,
        )
