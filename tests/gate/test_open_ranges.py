"""A figure that an open rule leaves a range is judged as a range by `validate`, unless what the
tool itself reported decides the rule.

Counted by XG's rules, Ben's PR in the cube-rich match is 75.77 with 14 doubles, or 74.57 with 15:
nobody outside XG knows which no-doubles of the losing side it counts.
"""

import json

import pytest

from reconcile.gap.tolerances import Tolerances
from tests.gate.candidates.samples import (
    RICH,
    file_of,
    make_pack,
    only,
    outputs,
    plain,
    run,
    validate,
    written,
)
from tests.support.tolerance_files import bound, tables

pytestmark = pytest.mark.usefixtures("elsewhere")
BETWEEN = 75.0
USUAL = {"pr": bound(within="printed"), "decisions.double": bound(abs=0)}
DOUBLES = "decisions.double"
SHARES = USUAL | {"pr@reporting": bound(abs=0.1), "pr@engine": bound(abs=0)}


def pack_of(folder, ben):
    """The match as if XG had analysed it, with what its window shows of Ben."""
    source = {"source": "made up for a test, 2026-11-22", "players": {"Ben": dict(ben)}}
    entry = {"file": "gnubg", "rules": "xg", "table": "one", **source}
    files, rules = {"rich": {"gnubg": file_of(RICH)}}, {"rules": "xg"}
    return make_pack(folder / "pack", files, reported=[entry] * bool(ben), candidates=rules)


def reported(folder, ben, **bounds):
    (match,) = validate(pack_of(folder, ben), Tolerances.from_mapping(tables(**bounds))).matches
    (result,) = match.reported
    return {figure.name: figure for figure in result.judged}


@pytest.mark.parametrize(
    ("ben", "bounds", "verdicts"),
    [
        ({"pr": "75.77"}, USUAL, "within"),  # one answer gives it
        ({"pr": "75.00"}, USUAL, "open"),
        ({"pr": "75.79"}, USUAL, "outside"),
        ({"pr": "74.55"}, USUAL, "outside"),
        ({"pr": "74.57", DOUBLES: "15"}, USUAL, "within within"),
        ({"pr": "75.77", DOUBLES: "15"}, USUAL, "open open"),  # they contradict each other
        (  # most fit the other answer
            {"pr": "75.77", DOUBLES: "15", "decisions.counted": "63"},
            {"*": bound(within="printed")},
            "outside within within",
        ),
        ({"pr": "75.00"}, SHARES, "open within open"),  # all of the gap is reporting
    ],
)
def test_reported_figures_decide_together_which_answer_the_tool_used(
    ben, bounds, verdicts, tmp_path
):
    figures = reported(tmp_path, ben, **bounds)
    assert " ".join(figure.verdict for figure in figures.values()) == verdicts
    if bounds == SHARES:
        assert figures["pr@reporting"].gap_range == figures["pr"].gap_range
    if verdicts == "open open":
        assert figures[DOUBLES].right_range == (14, 15)


def test_answer_that_is_not_the_usual_is_said(tmp_path):
    figure = reported(tmp_path, {"pr": "75.77", DOUBLES: "14"}, **USUAL)["pr"]
    assert figure.right == pytest.approx(75.7743, abs=1e-4)
    assert figure.gap_range is None
    why = "which no-doubles of the losing side XG counts is not known; the reported figures agree "
    assert f"{why}with nd-positive" in figure.note
    figure = reported(tmp_path / "usual", {"pr": "74.57", DOUBLES: "15"}, **USUAL)["pr"]
    assert (figure.right_range, figure.note) == (None, "")


RANGE = pytest.approx((75.0 - 75.7743, 75.0 - 74.5716), abs=1e-4)


@pytest.mark.parametrize(
    ("ben", "pr", "doubles", "bounds", "verdicts", "gaps"),
    [
        ({}, 75.77, None, USUAL, "open incomplete", None),
        ({}, 74.5, None, USUAL, "outside incomplete", None),
        ({}, BETWEEN, None, {"pr": bound(abs=0.8)}, "within", RANGE),  # near to both ends
        ({}, None, 14, USUAL, "incomplete open", None),
        ({"pr": "75.77"}, BETWEEN, None, {"pr": bound(abs=0)}, "outside", None),  # of the tool
    ],
)
def test_candidate_is_judged_by_the_whole_range_of_what_the_tool_does_not_report(
    ben,
    pr,
    doubles,
    bounds,
    verdicts,
    gaps,
    tmp_path,
):
    figures = plain({"players": {"Ben": {"pr": pr, DOUBLES: doubles}}})
    options = {"candidates": [written(tmp_path / "a.json", figures)], "candidate_table": "one"}
    bound_by = Tolerances.from_mapping(tables(**bounds))
    judged = only(validate(pack_of(tmp_path, ben), bound_by, **options)).judged
    assert " ".join(figure.verdict for figure in judged) == verdicts
    assert gaps is None or judged[0].gap_range == gaps
    assert judged[0].left_range is None or (not ben and pr)


@pytest.fixture
def options(tmp_path):
    """A run with one open figure of a candidate and one that the tool reported."""
    candidate = written(tmp_path / "a.json", plain({"players": {"Ben": {DOUBLES: 14}}}))
    bounds = written(tmp_path / "t.yaml", tables(**USUAL))
    pack = pack_of(tmp_path, {"pr": "75.00"})
    return [pack, "--tolerances", bounds, "--candidate", candidate, "--candidate-table", "one"]


def test_open_figures_are_a_warning_fail_with_strict_and_are_shown_as_ranges(
    options,
):
    codes = [run(*options, *more).exit_code for more in (("--fail-on", "warn"), ("--strict",))]
    assert codes == [0, 1]
    shown = outputs(*options, "--github")
    tree = shown.document
    numbers = {name: tree["summary"][name] for name in ("open", "within", "outside")}
    assert (tree["verdict"], numbers) == ("within", {"open": 2, "within": 0, "outside": 0})
    (figure,) = tree["matches"][0]["reported"][0]["figures"]
    assert (figure["verdict"], figure["gap_range"]) == (
        "open",
        pytest.approx([-0.4284, 0.7743], abs=1e-4),
    )
    page = shown["site/rich.html"]
    assert "</svg>open</span>" in page
    texts = [shown[name] for name in ("junit.xml", "result.md", "site/index.html")]
    texts += [shown.result.stdout, run(*options).output]
    assert all("a rule is not known" in text for text in texts)
    assert all("74.57 to 75.77" in text and "14 to 15" in text for text in (*texts, page))
    badge = json.loads(shown["badge.json"])
    assert (badge["message"], badge["color"]) == ("2 of 2 open, 1 missing", "yellow")
