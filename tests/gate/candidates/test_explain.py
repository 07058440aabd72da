"""Totals that other rules give are recognised as those, and the bridge to them ends at what the candidate says."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.gap.verdict import WITHIN
from reconcile.gate.files import DATA_VARIABLE
from reconcile.rules.rulesets import rule_set
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.judging import codes, only, validate
from tests.gate.candidates.samples import DEMONSTRATION, PACK, file_of, loaded, own, plain, written
from tests.support.balance import ledger_of
from tests.support.data import cases
from tests.support.examples import examples

EVERYTHING = tuple(metric for metric in METRICS if not metric.startswith(("luck", "moves")))


@pytest.mark.parametrize("rules", ["blunderdb", "snowie4", "gnubg"])
def test_totals_of_other_rules_are_recognised_and_their_decisions_shown(
    tmp_path: Path, rules: str
) -> None:
    path = file_of(DEMONSTRATION, ".xg")
    match = loaded(path)
    players = {name: own(path, seat, rules, EVERYTHING) for seat, name in enumerate(match.players)}
    candidate = only(
        validate(
            DEMONSTRATION, candidates=[written(tmp_path / "a.json", plain({"players": players}))]
        )
    )
    (finding,) = (one for one in candidate.findings if one.code == "candidate-rules")
    given = 2 * (14 if rules == "snowie4" else 18)  # Snowie has no rate per decision
    assert finding.evidence.startswith(
        f"rule set {rules} gives all {given} figures that depend on the rules; it differs from xg in "
    )
    assert candidate.comparison is not None
    walk = candidate.comparison.walk
    for bridge in walk.bridges(
        ("snowie_memg" if rules == "snowie4" else "pr", "decisions", "equity_error")
    ):
        steps = {step.code: step.change for step in bridge.steps}
        assert bridge.end == pytest.approx(players[bridge.player][bridge.metric], abs=1e-9)
        assert sum(steps.values()) == pytest.approx(
            (bridge.end or 0) - (bridge.start or 0), abs=1e-9
        )
        assert steps["reported-right"] == pytest.approx(0, abs=1e-9)
    assert not ledger_of(walk, walk.bridges(("decisions",))).empty


@pytest.mark.long
@settings(max_examples=examples(5))
@given(
    pr=st.floats(0, 90, allow_subnormal=False).map(lambda value: round(value, 3)),
    decisions=st.integers(0, 400),
)
def test_bridge_of_totals_ends_at_whatever_the_candidate_says(
    tmp_path_factory: pytest.TempPathFactory, pr: float, decisions: int
) -> None:
    name = loaded(file_of(DEMONSTRATION, ".xg")).players[0]
    tree = plain({"match": "demonstration", "players": {name: {"pr": pr, "decisions": decisions}}})
    folder = tmp_path_factory.mktemp("any")
    candidate = only(validate(DEMONSTRATION, candidates=[written(folder / "a.json", tree)]))
    assert candidate.comparison is not None
    for bridge in candidate.comparison.walk.bridges(("pr", "decisions", "snowie_er")):
        stated = (
            {"pr": pr, "decisions.counted": decisions}.get(bridge.metric)
            if bridge.player == name
            else None
        )
        assert bridge.end == stated
        assert bool(bridge.steps) == (stated is not None)
        assert not bridge.steps or math.fsum(step.change for step in bridge.steps) == pytest.approx(
            (bridge.end or 0) - (bridge.start or 0), abs=1e-9
        )


def test_totals_of_no_rules_are_a_warning(tmp_path: Path) -> None:
    name = loaded(file_of(DEMONSTRATION, ".xg")).players[0]
    given = written(tmp_path / "a.json", plain({"players": {name: {"pr": 1.234, "decisions": 17}}}))
    candidate = only(validate(DEMONSTRATION, candidates=[given]))
    (finding,) = (one for one in candidate.findings if one.code == "candidate-unexplained")
    assert finding.severity == "warning"
    assert "gives none of 2 figures" in finding.evidence


@pytest.mark.parametrize("path", cases("real/charlot*.xg"))
def test_window_of_xg_is_right_against_its_own_file(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    """The figures that a person read in XG's window: those of rule set xg, and the reference where the manifest has them."""
    monkeypatch.setenv(DATA_VARIABLE, str(data))
    manifest = yaml.safe_load((PACK / "charlot" / "match.yaml").read_text("utf-8"))
    printed = manifest["reported"][0]["players"]
    pack = shutil.copytree(PACK / "charlot", tmp_path / "charlot")
    given = written(tmp_path / "a.json", plain({"match": "charlot", "players": printed}))
    candidate = only(validate(pack, candidates=[given], candidate_table="xg-reported"))
    assert all(candidate.reported)
    assert {(one.gap, one.verdict) for one in candidate.figures} == {(0.0, WITHIN)}
    assert codes(candidate) == {"candidate-own-rules"}
    monkeypatch.delenv(DATA_VARIABLE)
    without_file = only(validate(pack, candidates=[given], candidate_table="xg-reported"))
    assert [one.left for one in without_file.figures] == [one.left for one in candidate.figures]
    assert without_file.comparison is None


def test_program_is_gated_against_the_rules_that_it_declares(tmp_path: Path) -> None:
    folder = tmp_path / "pack" / DEMONSTRATION.name
    shutil.copytree(DEMONSTRATION, folder)
    manifest = folder / "match.yaml"
    tree = yaml.safe_load(manifest.read_text("utf-8"))
    tree["candidates"] = {"file": "xg", "rules": "ours.yaml"}
    manifest.write_text(yaml.safe_dump(tree), "utf-8")
    (tmp_path / "pack" / "ours.yaml").write_text(
        "extends: gammonview\nanswers: {Q02: gnubg, Q08: 1000/counted}\n", "utf-8"
    )
    path = file_of(DEMONSTRATION, ".xg")
    rules = rule_set("gammonview").switched("Q02", "gnubg").switched("Q08", "1000/counted")
    ours = {
        name: statistics(loaded(path), rules).figures(seat)
        for seat, name in enumerate(loaded(path).players)
    }
    metrics = ("pr", "decisions.counted", "equity_error.total")
    players = {
        name: {metric: figures[metric] for metric in metrics} for name, figures in ours.items()
    }
    candidate = only(
        validate(
            tmp_path / "pack",
            candidates=[
                written(tmp_path / "a.json", plain({"match": folder.name, "players": players}))
            ],
        )
    )
    assert candidate.rules == "ours"
    assert {figure.gap for figure in candidate.figures} == {0}
    assert "candidate-own-rules" in codes(candidate)
    (finding,) = (one for one in candidate.findings if one.code == "candidate-own-rules")
    assert finding.evidence == "rule set ours gives all 6 figures that depend on the rules"
    assert candidate.comparison is not None
    assert (candidate.comparison.left.rules, candidate.comparison.right.rules) == ("ours", "ours")
