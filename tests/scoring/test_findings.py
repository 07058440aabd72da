"""What is found about files and pairs of files, beyond what their figures say."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from reconcile.files.bundled import bundled
from reconcile.formats import load_match, read_match
from reconcile.formats import written as xg
from reconcile.formats.xg.writer import write
from reconcile.gap.review import review
from reconcile.match.board.position import START
from reconcile.match.columns import Plays
from reconcile.match.match import Level, Match
from reconcile.report.explain import page
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.findings import FINDINGS, SEVERITIES, Finding, findings_of
from reconcile.scoring.statistics import statistics
from tests.support.balance import compared
from tests.support.hand_made_levels import two_opinions
from tests.support.small_files import after
from tests.support.small_sgf import ANN_31, BEN_31
from tests.support.small_sgf import read as read_sgf
from tests.support.small_sgf import root as sgf_root

DEMONSTRATION = bundled("reference_matches") / "demonstration" / "nora-lindqvist-tomas-beck"
TRANSCRIPT = """ 3 point match

 Game 1
 Ann : 0                         Ben : 0
  1) 31: 8/5 6/5                  52: 13/11 13/8
      Wins 3 points
"""


def candidate(equity: float, *pairs: tuple[int, int], level: int = 2) -> xg.Candidate:
    return xg.Candidate(tuple(pairs), after(*pairs), xg.level_equity(equity), level)


def many(count: int, level: int = 2) -> tuple[xg.Candidate, ...]:
    """As many different plays as asked for, from the best to the worst."""
    places = [(source, target) for source in (24, 13, 8, 6) for target in range(1, source)]
    return tuple(
        candidate(-0.01 * index, pair, level=level) for index, pair in enumerate(places[:count])
    )


def file(*moves: xg.Move, version: int = 32) -> Match:
    turns = tuple(xg.Turn(1 + index % 2, START, move=move) for index, move in enumerate(moves))
    match = xg.WrittenMatch(
        ("Ann", "Ben"), 3, (xg.Game(turns, (0, 0), None),), version=version, ended=False
    )
    return read_match("made-up.xg", write(match))


def roll(count: int, level: int = 2) -> xg.Move:
    return xg.Move((3, 1), many(count, level))


def codes(match: Match) -> dict[str, Finding]:
    return {finding.code: finding for finding in findings_of(statistics(match))}


def between(left: Match, right: Match) -> dict[str, Finding]:
    return {
        finding.code: finding for finding in compared(left, right).findings if finding.side is None
    }


@pytest.mark.parametrize("code", FINDINGS)
def test_every_finding_has_severity_page_and_advice_that_says_what_to_do_or_why_nothing(
    code: str,
) -> None:
    expected = FINDINGS[code]
    assert expected.severity in SEVERITIES
    assert expected.title[0].isupper()
    assert expected.advice.endswith(".")
    assert len(expected.advice.split()) > 4
    assert not re.match(r"Nothing(?! to do: )", expected.advice)
    assert page(code).startswith(f"{code} ({expected.severity}): {expected.title}")
    assert expected.advice in " ".join(page(code).split())


def test_lists_that_pile_up_at_one_length_are_cut() -> None:
    evidence = codes(file(*[roll(10)] * 9, roll(9), roll(9), roll(4)))["cut-candidates"]
    assert (evidence.severity, evidence.evidence) == (
        "info",
        "9 plays list exactly 10 candidates, none more",
    )


@pytest.mark.parametrize(
    "lengths",
    [[10] * 4, [10] * 6 + [9] * 3, [4] * 30, [3, 7, 12, 20]],
    ids=["too few", "no pile", "short lists", "all different"],
)
def test_lists_of_other_lengths_are_not_called_cut(lengths: list[int]) -> None:
    assert "cut-candidates" not in codes(file(*map(roll, lengths)))


def test_transcript_says_that_its_format_has_no_evaluations() -> None:
    evidence = codes(read_match("match.mat", TRANSCRIPT.encode()))
    assert evidence["transcript-only"].evidence == "a mat file has no evaluations"
    assert evidence["not-analysed"].severity == "error"
    assert "transcript-only" not in codes(load_match(f"{DEMONSTRATION}.sgf"))


def test_play_without_a_value_is_counted_and_placed() -> None:
    listed, other = many(3)[:2], many(3)[2]
    move = xg.Move((3, 1), listed, None, other.play, other.position, error=-0.25)
    match = file(move)
    assert "play-not-listed" not in codes(match)  # the tool stored its error
    match = replace(match, plays=without_errors(match.plays))
    evidence = codes(match)["play-not-listed"]
    assert (evidence.severity, evidence.evidence) == ("warning", "1 play: game 1 turn 1 (Ann)")


def without_errors(plays: Plays) -> Plays:
    return Plays(
        len(plays),
        {name: getattr(plays, name) for name in Plays.names()}
        | {"stored_error": plays.stored_error * float("nan")},
    )


def test_two_versions_levels_and_tables_of_one_tool_are_told() -> None:
    old, new, deep = file(roll(3), version=30), file(roll(3), version=32), file(roll(3, level=1002))
    tables = {
        finding.code: finding for finding in compared(new, new, met=("woolsey", "zadeh")).findings
    }
    for outcome, severity, evidence in (
        (
            between(old, new)["tool-versions-differ"],
            "info",
            "eXtreme Gammon: left file version 30, right file version 32",
        ),
        (
            between(new, deep)["levels-differ"],
            "info",
            "eXtreme Gammon, most plays: left 3-ply, right XG Roller++",
        ),
        (tables["met-differs"], "warning", "left woolsey, right zadeh"),
    ):
        assert (outcome.severity, outcome.evidence) == (severity, evidence)
    # What a file does not say is no difference.
    unstated = [
        replace(each, source=replace(each.source, tool_version=None)) for each in (old, deep)
    ]
    alike = [
        replace(each, levels=tuple(replace(level, label="same") for level in each.levels))
        for each in (old, deep)
    ]
    assert "tool-versions-differ" not in between(*unstated)
    assert "levels-differ" not in between(*alike)


@pytest.mark.parametrize(("flat", "deep", "shallow"), [(3, 2, True), (2, 2, False), (1, 4, False)])
def test_analysis_that_mostly_does_not_look_ahead_is_named_with_a_command(
    flat: int, deep: int, shallow: bool
) -> None:
    match = file(*[roll(4, level=0)] * flat, *[roll(4, level=2)] * deep)
    finding = codes(match).get("shallow-analysis")
    assert (finding is not None) == shallow
    if finding is not None:
        assert (
            finding.evidence
            == "3 of 5 checker plays with a choice at 1-ply; `reconcile compare made-up.xg "
            "--analyse 2`"
        )


def test_command_for_a_shallow_side_analyses_the_other_file_s_match() -> None:
    left, right = (load_match(f"{DEMONSTRATION}.{end}") for end in ("xg", "sgf"))
    (finding,) = [
        item for item in compared(left, right).findings if item.code == "shallow-analysis"
    ]
    assert finding.side == "right"
    assert f"`reconcile compare {DEMONSTRATION.name}.xg --analyse 2`" in finding.evidence


@pytest.mark.parametrize(
    ("tool", "deep", "named"),
    [
        ("GNU Backgammon", 2, False),
        ("GNU Backgammon", None, False),
        ("GNU Backgammon", 1, True),
        ("eXtreme Gammon", 2, True),
    ],
)
@pytest.mark.parametrize("several", [False, True])
def test_command_for_a_shallow_analysis_never_asks_for_one_that_is_there(
    tool: str, deep: float | None, named: bool, several: bool
) -> None:
    left, right = two_opinions(0.3, tools=("GNU Backgammon", tool))
    shallow = replace(left, levels=(Level("0-ply", 0),) * 2)
    other = replace(right, levels=(Level("deeper", deep),) * 2)
    if several:
        third = two_opinions(0.1)[0]
        third = replace(third, source=replace(third.source, path="third.xg"))
        findings = review(shallow, third, other).findings(0)
    else:
        findings = compared(shallow, other).findings
    (finding,) = [item for item in findings if item.code == "shallow-analysis"]
    assert ("--analyse 2" in finding.evidence) == named


def test_luck_that_gammonview_adds_up_otherwise_is_marked_under_its_rules_alone() -> None:
    match = load_match(DEMONSTRATION.with_suffix(".xg"))
    marked = {
        rules
        for rules in RULE_SETS
        if "luck-not-theirs" in [finding.code for finding in findings_of(statistics(match, rules))]
    }
    assert marked == {"gammonview"}
    unknown = replace(match, plays=match.plays.replaced(luck=np.full(len(match.plays), np.nan)))
    assert "luck-not-theirs" not in [
        finding.code for finding in findings_of(statistics(unknown, "gammonview"))
    ]


GAME_OF_7 = sgf_root(length=7) + "{}" + BEN_31 + ")"


@pytest.mark.parametrize(
    ("match", "evidence"),
    [
        (
            read_sgf(GAME_OF_7.format(ANN_31.replace("LU[0.1]", "LU[64]"))),
            "game 1, turn 1: the roll moves 4",
        ),
        (
            read_sgf(GAME_OF_7.format(ANN_31.replace("LU[0.1]", "LU[-64]"))),
            "game 1, turn 1: the roll moves 4",
        ),
        (
            read_sgf(
                GAME_OF_7.format(ANN_31.replace("W[31hefe", "W[31xufe").replace("0.25 2C", "40 2C"))
            ),
            "game 1, turn 1: the decision moves 2",
        ),
        (
            read_sgf(
                sgf_root(length=0)
                + ANN_31.replace("LU[0.1]", "LU[6.5]")
                + BEN_31.replace("-0.2", "-7")
                + ")"
            ),
            "game 1, turn 1: the roll moves 6.50 equity, and 1 more",
        ),
        (
            file(xg.Move((3, 1), many(3), luck=40.0), roll(2)),
            "game 1, turn 1: the roll moves ",
        ),
    ],
)
def test_roll_or_decision_that_moves_more_than_there_is_is_a_warning(
    match: Match, evidence: str
) -> None:
    finding = codes(match)["impossible-value"]
    assert finding.severity == "warning"
    assert finding.evidence.startswith(evidence)


def test_roll_that_moves_much_is_none() -> None:
    for length, luck in ((7, 9.0), (0, 5.9)):
        text = sgf_root(length=length) + ANN_31.replace("LU[0.1]", f"LU[{luck}]") + ")"
        assert "impossible-value" not in codes(read_sgf(text))
