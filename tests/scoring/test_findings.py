"""What is found about files and pairs of files, beyond what their figures say."""

import re
from dataclasses import replace

import numpy as np
import pytest

from reconcile.formats import read_match
from reconcile.gap.review import review
from reconcile.match.match import Level
from reconcile.report.explain import page
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.findings import FINDINGS, SEVERITIES, findings_of
from reconcile.scoring.statistics import statistics
from tests.support.balance import compared
from tests.support.hand_made import NAN, match_of, plays
from tests.support.hand_made_levels import two_opinions
from tests.support.loaded import DEMONSTRATION, loaded
from tests.support.several import named
from tests.support.small_sgf import ANN_31, BEN_31
from tests.support.small_sgf import read as read_sgf
from tests.support.small_sgf import root as sgf_root
from tests.support.tables import cases_of

TRANSCRIPT = """ 3 point match

 Game 1
 Ann : 0                         Ben : 0
  1) 31: 8/5 6/5                  52: 13/11 13/8
      Wins 3 points
"""
FLAT, DEEPER = Level("1-ply", 0), Level("3-ply", 2)


def rolled(rows=1, levels=(DEEPER,), version="file version 32", **columns):
    """Rolls of Ann, analysed by XG at one of these levels."""
    match = named(match_of(plays(rows, turn=[*range(1, rows + 1)], **columns)), "made-up.xg")
    return replace(match, levels=levels, source=replace(match.source, tool_version=version))


def codes(match, rules=None):
    return {finding.code: finding for finding in findings_of(statistics(match, rules))}


def pair_codes(left, right, **options):
    findings = compared(left, right, **options).findings
    return {finding.code: finding for finding in findings}


@pytest.mark.parametrize("code", FINDINGS)
def test_every_finding_has_severity_page_and_advice_that_says_what_to_do_or_why_nothing(
    code,
):
    finding = FINDINGS[code]
    assert finding.severity in SEVERITIES
    assert finding.title[0].isupper()
    assert re.fullmatch(r"(?!Nothing(?! to do: ))(\S+ ){4,}\S+\.", finding.advice)
    assert page(code).startswith(f"{code} ({finding.severity}): {finding.title}")
    assert finding.advice in " ".join(page(code).split())


@pytest.mark.parametrize(
    ("times", "evidence"), cases_of(__file__, "lists_that_pile_up_at_one_length_are_cut")
)
def test_lists_that_pile_up_at_one_length_are_cut(times, evidence):
    lengths = [length for length, number in times.items() for _ in range(number)]
    finding = codes(rolled(len(lengths), legal=lengths)).get("cut-candidates")
    assert (finding.evidence if finding else "") == evidence


def test_transcript_says_that_its_format_has_no_evaluations():
    findings = codes(read_match("match.mat", TRANSCRIPT.encode()))
    assert findings["transcript-only"].evidence == "a mat file has no analysis"
    assert findings["not-analysed"].severity == "error"
    assert "transcript-only" not in codes(loaded(DEMONSTRATION.with_suffix(".sgf")))


def test_play_without_a_value_is_counted_and_placed():
    assert "play-not-listed" not in codes(rolled(played=[NAN]))  # the tool stored its error
    finding = codes(rolled(played=[NAN], stored_error=[NAN]))["play-not-listed"]
    assert (finding.severity, finding.evidence) == ("warning", "1 play: game 1, turn 1 (Ann)")


def test_two_versions_levels_and_tables_of_one_tool_are_told():
    new, deep = rolled(), rolled(levels=(Level("XG Roller++", None),))
    old = rolled(version="file version 30")
    same = pair_codes(new, new)
    findings = [pair_codes(old, new), pair_codes(new, deep)]
    findings.append(pair_codes(new, new, met=("woolsey", "zadeh")))
    for (code, severity, evidence), here in zip(
        cases_of(__file__, "two_versions_levels_and_tables_of_one_tool"), findings, strict=True
    ):
        assert (here[code].severity, here[code].evidence) == (severity, evidence)
        assert code not in same
    # What a file does not say is no difference.
    assert "tool-versions-differ" not in pair_codes(rolled(version=None), rolled(version=None))


@pytest.mark.parametrize(("flat", "deep", "shallow"), [(3, 2, True), (2, 2, False), (1, 4, False)])
def test_analysis_that_mostly_does_not_look_ahead_is_named_with_a_command(flat, deep, shallow):
    level = [0] * flat + [1] * deep
    match = rolled(len(level), (FLAT, DEEPER), level=level)
    finding = codes(match).get("shallow-analysis")
    where = "3 of 5 checker plays with a choice at 1-ply"
    command = "`reconcile compare made-up.xg --analyse 2`"
    assert (finding and finding.evidence) == (f"{where}; {command}" if shallow else None)


def test_command_for_a_shallow_side_analyses_the_other_file_s_match():
    left, right = (loaded(DEMONSTRATION.with_suffix(end)) for end in (".xg", ".sgf"))
    finding = pair_codes(left, right)["shallow-analysis"]
    assert finding.side == "right"
    assert f"`reconcile compare {DEMONSTRATION.name}.xg --analyse 2`" in finding.evidence


@pytest.mark.parametrize(
    ("tool", "deep", "named"),
    cases_of(__file__, "command_for_a_shallow_analysis_never_asks_for_one_that_is_there_tool"),
)
@pytest.mark.parametrize("several", [False, True])
def test_command_for_a_shallow_analysis_never_asks_for_one_that_is_there(
    tool, deep, named, several
):
    left, right = two_opinions(0.3, tools=("GNU Backgammon", tool))
    shallow = replace(left, levels=(Level("0-ply", 0),) * 2)
    other = replace(right, levels=(Level("deeper", deep),) * 2)
    findings = compared(shallow, other).findings
    if several:
        third = two_opinions(0.1)[0]
        third = replace(third, source=replace(third.source, path="third.xg"))
        findings = review(shallow, third, other).findings(0)
    (finding,) = (finding for finding in findings if finding.code == "shallow-analysis")
    assert ("--analyse 2" in finding.evidence) == named


def test_luck_that_gammonview_adds_up_otherwise_is_marked_under_its_rules_alone():
    match = loaded(DEMONSTRATION.with_suffix(".xg"))
    marked = {rules for rules in RULE_SETS if "luck-not-theirs" in codes(match, rules)}
    assert marked == {"gammonview"}
    unknown = replace(match, plays=match.plays.replaced(luck=match.plays.luck * np.nan))
    assert "luck-not-theirs" not in codes(unknown, "gammonview")


def small(*changes, length=7):
    """A roll of Ann and one of Ben, with these changes of the text."""
    text = ANN_31 + BEN_31
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return read_sgf(f"{sgf_root(length=length)}{text})")


@pytest.mark.parametrize(
    ("changes", "length", "evidence"),
    cases_of(__file__, "roll_or_decision_that_moves_more_than_there_is_is_a_warning"),
)
def test_roll_or_decision_that_moves_more_than_there_is_is_a_warning(changes, length, evidence):
    finding = codes(small(*changes, length=length)).get("impossible-value")
    assert (finding is not None) == bool(evidence)
    if finding is not None:
        assert (finding.severity, finding.evidence[: len(evidence)]) == ("warning", evidence)
