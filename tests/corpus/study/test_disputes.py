"""The disputes are the decisions on which two tools' errors differ most, found whatever is tried
first."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from reconcile.corpus import study as module
from reconcile.corpus.assembly import Corpus
from reconcile.corpus.study import study
from reconcile.files.aliases import load_aliases
from reconcile.report.text.corpus import findings
from tests.corpus.corpus_folder import table
from tests.support.claims import some
from tests.support.hand_made_corpus import corpus_of, decision_row, match_row, player_rows
from tests.support.long import long_but_first

TOOLS = {"eXtreme Gammon": "xg", "GNU Backgammon": "gnubg", "BGBlitz": "bgblitz"}
NOBODY = load_aliases(None)


def group(kind: str) -> str:
    return "cube" if "double" in kind else kind if kind == "play" else "answer"


def expected(folder: Path) -> list[tuple[bool, float, int, int]]:
    """Whether verdicts differ, what is at stake, game and turn of every dispute, largest first:
    every pair, decision by decision."""
    every: dict[int, dict[tuple[int, int, str], dict[str, Any]]] = {}
    for row in table(folder, "decisions"):
        if row["analysed"] and "resign" not in row["kind"]:
            every.setdefault(row["match"], {})[row["game"], row["turn"], group(row["kind"])] = row
    matches = [
        row
        for row in table(folder, "matches")
        if row["duplicate_of"] is None and row["tool"] in TOOLS
    ]
    speaking: dict[tuple[object, ...], tuple[dict[str, Any], dict[str, Any]]] = {}
    for pair in combinations(matches, 2):
        tools = [row["tool"] for row in pair]
        depths = [(row["lookahead"], row["level_name"]) for row in pair]
        analyses = set(zip(tools, depths, strict=True))
        if len({row["rolls"] for row in pair}) > 1 or len(analyses) < 2:
            continue
        if all(row["analysed"] for row in pair):
            key = (pair[0]["same_as"], *sorted(tools), *(depths * (tools[0] == tools[1])))
            speaking[key] = max(pair, speaking.get(key, pair), key=weight)
    disputes = []
    for left, right in speaking.values():
        here, there = every[left["match"]], every[right["match"]]
        for key in here.keys() & there.keys():
            errors = (
                here[key][f"error_{TOOLS[left['tool']]}"],
                there[key][f"error_{TOOLS[right['tool']]}"],
            )
            stake = abs(errors[0] - errors[1])
            if stake >= 0.0005:
                bests = {row["best"] for row in (here[key], there[key])} - {None}
                differs = len(bests) > 1 or (min(errors) < 0.02 and stake >= 0.02)
                disputes.append((differs, stake, *key[:2]))
    return sorted(disputes, reverse=True)


def weight(pair: tuple[dict[str, Any], dict[str, Any]]) -> tuple[bool, int]:
    """Of several pairs of two programs the deepest complete one speaks."""
    depths = [99 if row["lookahead"] is None else row["lookahead"] for row in pair]
    return all(row["fully_analysed"] for row in pair), sum(depths)


@pytest.mark.parametrize("first", long_but_first([1, 20_000, 7], 1, 2))
def test_disputes_are_the_largest_differences(
    real: Corpus, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "DISPUTES_SHOWN", module.DISPUTES_SHOWN)
    disputes = study(real, NOBODY).disputes
    every = expected(real.folder)
    wanted = every[: module.DISPUTES_SHOWN]
    largest = max(every, key=lambda dispute: dispute[1])
    assert wanted[-1][
        0
    ]  # all that are shown have other verdicts; a larger difference of value would be shown besides
    wanted += [largest] * (largest not in wanted)
    assert [dispute.differs for dispute in disputes] == [differs for differs, *_ in wanted]
    assert [dispute.at_stake for dispute in disputes] == pytest.approx(
        [stake for _, stake, _, _ in wanted]
    )
    assert [(dispute.game, dispute.turn) for dispute in disputes] == [
        (game, turn) for _, _, game, turn in wanted
    ]


@pytest.mark.long
def test_dispute_has_both_verdicts_and_its_position(real: Corpus) -> None:
    rows = {
        (row["match"], row["game"], row["turn"], group(row["kind"])): row
        for row in table(real.folder, "decisions")
    }
    matches = {row["file"]: row for row in table(real.folder, "matches")}
    for dispute in some(study(real, NOBODY).disputes):
        assert dispute.xgid.startswith("XGID=")
        for verdict in dispute.verdicts:
            match = matches[verdict.file]
            assert match["tool"] == verdict.tool.name
            of_turn = [
                row
                for key, row in rows.items()
                if key[:3] == (match["match"], dispute.game, dispute.turn)
            ]
            assert (verdict.error, verdict.best) in [
                (row[f"error_{verdict.tool.rules}"], row["best"]) for row in of_turn
            ]
        assert (dispute.action, dispute.xgid) in [
            (row["action"], row["xgid"]) for row in rows.values()
        ]


def test_own_rules_decide_the_error_and_one_tool_alone_disputes_nothing(tmp_path: Path) -> None:
    names = ("Ann", "Ben")
    matches = [
        match_row(0, "eXtreme Gammon", names),
        match_row(1, "BGBlitz", names, same_as=0),
        match_row(2, "eXtreme Gammon", names),
    ]
    players = [row for number in range(3) for row in player_rows(number, names)]
    decisions = [
        decision_row(0, 1, 0, (0.3, 9.0, 9.0), xgid="XGID=a", action="8/5 6/5", best="24/20"),
        decision_row(1, 1, 0, (9.0, 9.0, 0.1)),
        decision_row(0, 2, 1, 0.5),
        decision_row(1, 2, 1, 0.5),
        decision_row(2, 1, 0, 5.0),
    ]
    (dispute,) = study(
        corpus_of(tmp_path, matches=matches, players=players, decisions=decisions), NOBODY
    ).disputes
    assert (dispute.player, dispute.opponent, dispute.action, dispute.xgid) == (
        "Ann",
        "Ben",
        "8/5 6/5",
        "XGID=a",
    )
    assert not dispute.differs
    assert dispute.at_stake == pytest.approx(0.2)
    assert [(verdict.error, verdict.best) for verdict in dispute.verdicts] == [
        (0.3, "24/20"),
        (0.1, None),
    ]


def test_another_verdict_comes_before_a_larger_difference_of_value(tmp_path: Path) -> None:
    names = ("Ann", "Ben")
    matches = [
        match_row(0, "eXtreme Gammon", names),
        match_row(1, "GNU Backgammon", names, same_as=0),
    ]
    players = [row for number in range(2) for row in player_rows(number, names)]
    decisions = [
        decision_row(0, 1, 0, 0.9, best="24/20"),
        decision_row(1, 1, 0, 0.4, best="24/20"),
        decision_row(0, 2, 1, 0.1, best="8/2"),
        decision_row(1, 2, 1, 0.13, best="13/7"),
        decision_row(0, 3, 0, 0.0),
        decision_row(1, 3, 0, 0.02, best="6/3"),
        decision_row(0, 4, 1, 0.019),
        decision_row(1, 4, 1, 0.021, best="6/3"),
    ]
    disputes = study(
        corpus_of(tmp_path, matches=matches, players=players, decisions=decisions), NOBODY
    ).disputes
    assert [(dispute.turn, dispute.differs) for dispute in disputes] == [
        (2, True),
        (3, True),
        (1, False),
        (4, False),
    ]


@pytest.mark.parametrize(
    ("shown", "turns"),
    long_but_first([(2, [2, 3, 1]), (40, [2, 3, 1, 4]), (1, [2, 1]), (3, [2, 3, 1])], 2),
)
def test_largest_difference_of_all_is_there_however_many_verdicts_differ(
    shown: int, turns: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("Ann", "Ben")
    matches = [
        match_row(0, "eXtreme Gammon", names),
        match_row(1, "GNU Backgammon", names, same_as=0),
    ]
    players = [row for number in range(2) for row in player_rows(number, names)]
    values: dict[int, Any] = {
        1: (0.9, 0.4, "24/20", "24/20"),
        2: (0.1, 0.2, "8/2", "13/7"),
        3: (0.1, 0.13, "8/2", "13/7"),
        4: (0.5, 0.48, None, None),
    }
    decisions = [
        decision_row(match, turn, turn % 2, errors[match], best=bests[match])
        for turn, (*both,) in values.items()
        for errors, bests in ((both[:2], both[2:]),)
        for match in (0, 1)
    ]
    monkeypatch.setattr(module, "DISPUTES_SHOWN", shown)
    report = study(
        corpus_of(tmp_path, matches=matches, players=players, decisions=decisions), NOBODY
    )
    assert [dispute.turn for dispute in report.disputes] == turns
    about = [finding for finding in findings(report) if "apart" in finding]
    assert [finding.partition(" (")[0] for finding in about] == [
        "Where the tools' verdicts differ, they are furthest apart on Ann's decision against Ben",
        "They are further apart, with one verdict, on Ben's decision against Ann",
    ]
