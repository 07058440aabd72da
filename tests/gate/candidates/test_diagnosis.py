"""One diagnosis of a program in every output; bridges to its totals; GammonView gets its own."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.peers import NoPeer, gammonview_totals
from reconcile.files.wording import MINUS
from reconcile.gap.verdict import WITHIN
from reconcile.gate.files import DATA_VARIABLE
from reconcile.gate.match_results import CandidateResult
from reconcile.gate.pack_results import PackResult
from reconcile.report.markdown import escape
from reconcile.rules.rulesets import RULE_SETS, own_rules, rule_set
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.judging import codes, only, outputs, run, validate
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    DEMONSTRATION,
    PACK,
    RICH,
    ZERO_PLY,
    file_of,
    loaded,
    make_pack,
    own,
    plain,
    written,
)
from tests.support.balance import ledger_of
from tests.support.data import cases, matching
from tests.support.examples import examples
from tests.support.faulty import BUGS, FEW, USUAL, under
from tests.support.long import long_but_first
from tests.support.schemas import faults

XG = file_of(DEMONSTRATION, ".xg")
FILES = {"one": XG, "three": file_of(ZERO_PLY), "two": file_of(RICH)}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return make_pack(tmp_path / "pack", {name: {"file": path} for name, path in FILES.items()})


def figures(name: str, rules: str | None = None, bug: str = "") -> dict[str, Any]:
    """A match in the plain format, by rules or with a fault."""
    match = loaded(FILES[name])
    set_ = RULE_SETS[rules] if rules else own_rules(match)
    seats = BUGS[bug][1](match, USUAL) if bug else under(match, set_, USUAL)
    players = {match.players[seat]: dict(printed) for seat, printed in seats.items()}
    return {"match": name, "players": players}


def candidates(result: PackResult) -> dict[str, CandidateResult]:
    return {match.id: candidate for match in result.matches for candidate in match.candidates}


def document(*matches: Any, program: str = "prog") -> dict[str, Any]:
    return plain(*matches) | {"program": program}


# -- which results are one program ----------------------------------------------------------------


def test_files_without_a_name_are_one_program(pack: Path, tmp_path: Path) -> None:
    trees = {name: plain(figures(name, "gnubg-manual")) for name in FILES}
    paths = [written(tmp_path / f"{name}.json", tree) for name, tree in trees.items()]
    result = validate(pack, candidates=paths)
    (outcome,) = result.diagnoses
    assert (outcome.candidate, outcome.matches) == ("one.json and 2 more files", tuple(FILES))
    # The finding of every match is about the same rules, also where others give its figures.
    comparisons = [entry.comparison for entry in candidates(result).values()]
    assert (
        {entry and entry.right.rules for entry in comparisons}
        == {outcome.best.rules}
        == {"gnubg-manual"}
    )


def test_files_that_name_their_programs_are_two(pack: Path, tmp_path: Path) -> None:
    trees = (
        document(figures("one", "blunderdb"), figures("two", "blunderdb"), program="ours"),
        document(figures("three", "blunderdb"), program="ours"),
        document(figures("one"), figures("two"), program="theirs"),
    )
    paths = [written(tmp_path / f"{at}.json", tree) for at, tree in enumerate(trees)]
    ours, theirs = validate(pack, candidates=paths).diagnoses
    assert (ours.candidate, ours.best.rules, len(ours.matches)) == ("ours", "blunderdb", 3)
    assert (theirs.candidate, theirs.best.rules, len(theirs.matches)) == ("theirs", "own", 2)


def test_command_is_one_program(pack: Path, tmp_path: Path) -> None:
    for name in FILES:
        written(tmp_path / f"{name}.json", plain(figures(name, bug="players swapped")))
    code = f"import sys\nprint(open({str(tmp_path)!r} + '/' + sys.argv[1] + '.json').read())\n"
    program = written(tmp_path / "prog.py", code)
    result = validate(pack, command=f"{sys.executable} {program} {{match}}")
    (outcome,) = result.diagnoses
    assert (outcome.faults[0].code, outcome.matches) == ("other-player", tuple(FILES))
    assert "candidate-fault" in set[str]().union(*map(codes, candidates(result).values()))


def test_figures_of_the_two_players_in_two_files_are_one_match(pack: Path, tmp_path: Path) -> None:
    players = figures("one", "gnubg-manual")["players"]
    trees = [plain({"match": "one", "players": {name: entry}}) for name, entry in players.items()]
    paths = [written(tmp_path / f"{number}.json", tree) for number, tree in enumerate(trees)]
    (outcome,) = validate(pack, candidates=paths).diagnoses
    assert (outcome.matches, outcome.best.number) == (("one",), sum(map(len, players.values())))


@pytest.mark.parametrize(
    ("rules", "spoilt"),
    long_but_first([("gnubg-manual", ["two"]), ("gammonview", ["one", "three"])]),
)
def test_finding_of_every_match_says_the_same_of_the_rules_that_come_closest(
    pack: Path, tmp_path: Path, rules: str, spoilt: Sequence[str]
) -> None:
    matches = [figures(name, rules) for name in FILES]
    for match in matches:
        if match["match"] in spoilt:
            next(iter(match["players"].values()))["equity_error.total"] = "77.777"
    result = validate(pack, candidates=[written(tmp_path / "a.json", document(*matches))])
    (diagnosis,) = result.diagnoses
    assert diagnosis.best.explained == diagnosis.best.number - len(spoilt)
    for name, candidate in candidates(result).items():
        words = candidate.findings[0].evidence
        given, every = words.removeprefix(f"rule set {rules} gives ").split()[:3:2]
        assert (given == every) == (name not in spoilt)


@pytest.mark.parametrize("swapped", [["one", "two"], ["two", "three"]])
def test_match_without_the_mistake_says_that_others_have_it(
    pack: Path, tmp_path: Path, swapped: Sequence[str]
) -> None:
    matches = [figures(name, bug="players swapped" * (name in swapped)) for name in FILES]
    result = validate(pack, candidates=[written(tmp_path / "a.json", document(*matches))])
    assert result.diagnoses[0].faults[0].matches == tuple(sorted(swapped))
    for name, candidate in candidates(result).items():
        words = candidate.findings[0].evidence
        assert words.startswith("the players are swapped") == (name in swapped)
        assert ("; in other matches the players are swapped" in words) == (name not in swapped)


# -- outputs --------------------------------------------------------------------------------------


def test_every_output_begins_with_the_diagnosis(pack: Path, tmp_path: Path) -> None:
    tree = document(*(figures(name, bug="PR doubled") for name in FILES))
    shown = outputs(pack, "--candidate", written(tmp_path / "given.json", tree))
    words = "prog: it multiplies the rate per decision by 2 or it multiplies the PR by 2, and not "
    words += "those of plays and cube. That accounts for 30 of 30 figures over 3 matches"
    assert shown.result.exit_code == 1
    assert shown.result.output.splitlines()[2].startswith(words)
    assert "[factor]" in shown.result.output
    result = shown.document
    (diagnosis,) = result["diagnosis"]
    fault = diagnosis["faults"][0]
    assert diagnosis["sentence"].startswith(words)
    assert (fault["code"], fault["matches"]) == ("factor", ["one", "three", "two"])
    del result["diagnosis"]
    assert faults("validation", result) == []  # as a result of an older version
    assert words in shown["site/index.html"]
    assert words in shown["result.md"].split("| Match")[0]
    facts = {
        entry.get("name"): entry.get("value") for entry in ET.fromstring(shown["junit.xml"]).iter()
    }
    assert str(facts["diagnosis"]).startswith(words)


def test_bridge_of_a_failing_figure_is_under_it_in_one_line(pack: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", plain(figures("one", "gnubg")))
    shown = outputs(pack, "--candidate", path, "--candidate-table", "counts-exact")
    lines = shown.result.output.splitlines()
    failing = [at for at, line in enumerate(lines) if "outside: " in line and "Decisions  " in line]
    assert failing
    for at in failing:
        walk = lines[at + 1].strip()
        assert walk.startswith(lines[at].partition("expected ")[2].split()[0])
        assert "Q" in walk
        assert "= " in walk
        signed = walk.replace(" -", f" {MINUS}")  # a terminal may not have the sign
        assert f"  - {escape(signed)}" in shown["result.md"]
        assert all(signed in shown[f"site/{page}.html"] for page in ("index", "one"))
    assert loaded(XG).players[0] in lines[failing[0]]


# -- bridges to totals ----------------------------------------------------------------------------


def judged(
    tmp_path: Path, players: Any, pack: Path = DEMONSTRATION, **more: Any
) -> CandidateResult:
    path = written(tmp_path / "a.json", plain({"match": "demonstration", "players": players}))
    return only(validate(pack, candidates=[path], **more))


def evidence(candidate: CandidateResult, code: str) -> str:
    return next(entry.evidence for entry in candidate.findings if entry.code == code)


@pytest.mark.parametrize("rules", ["blunderdb", "snowie4", "gnubg"])
def test_totals_of_other_rules_are_recognised_and_their_decisions_shown(
    tmp_path: Path, rules: str
) -> None:
    names = tuple(metric for metric in METRICS if not metric.startswith(("luck", "moves")))
    players = {name: own(XG, seat, rules, names) for seat, name in enumerate(loaded(XG).players)}
    candidate = judged(tmp_path, players)
    count = 2 * (14 if rules == "snowie4" else 18)  # Snowie has no rate per decision
    words = (
        f"rule set {rules} gives {count} of {count} figures that depend on the rules; it differs"
    )
    assert evidence(candidate, "candidate-rules").startswith(words)
    assert candidate.comparison is not None
    walk = candidate.comparison.walk
    rate = "snowie_memg" if rules == "snowie4" else "pr"
    for bridge in walk.bridges((rate, "decisions", "equity_error")):
        steps = {step.code: step.change for step in bridge.steps}
        assert bridge.end == pytest.approx(players[bridge.player][bridge.metric], abs=1e-9)
        assert steps["reported-right"] == pytest.approx(0, abs=1e-9)
    assert not ledger_of(walk, walk.bridges(("decisions",))).empty


@pytest.mark.long
@settings(max_examples=examples(5))
@given(pr=st.floats(0, 90).map(lambda value: round(value, 3)), decisions=st.integers(0, 400))
def test_bridge_of_totals_ends_at_whatever_the_candidate_says(
    tmp_path_factory: pytest.TempPathFactory, pr: float, decisions: int
) -> None:
    name = loaded(XG).players[0]
    stated = {"pr": pr, "decisions.counted": decisions}
    candidate = judged(tmp_path_factory.mktemp("any"), {name: stated})
    assert candidate.comparison is not None
    for bridge in candidate.comparison.walk.bridges(("pr", "decisions", "snowie_er")):
        end = stated.get(bridge.metric) if bridge.player == name else None
        assert (bridge.end, bool(bridge.steps)) == (end, end is not None)
        if bridge.end is not None and bridge.start is not None:
            changes = math.fsum(step.change for step in bridge.steps)
            assert changes == pytest.approx(bridge.end - bridge.start, abs=1e-9)


def test_totals_of_no_rules_are_a_warning(tmp_path: Path) -> None:
    candidate = judged(tmp_path, {loaded(XG).players[0]: {"pr": 1.234, "decisions": 17}})
    (finding,) = (entry for entry in candidate.findings if entry.code == "candidate-unexplained")
    assert finding.severity == "warning"
    assert "gives 0 of 2 figures" in finding.evidence


@pytest.mark.parametrize("path", cases("real/charlot*.xg"))
def test_window_of_xg_is_right_against_its_own_file(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    """What a person read in XG's window is the reference where the manifest has it."""
    monkeypatch.setenv(DATA_VARIABLE, str(data))
    manifest = yaml.safe_load((PACK / "charlot" / "match.yaml").read_text("utf-8"))
    pack = shutil.copytree(PACK / "charlot", tmp_path / "charlot")
    tree = plain({"match": "charlot", "players": manifest["reported"][0]["players"]})
    paths, table = [written(tmp_path / "a.json", tree)], "xg-reported"
    candidate = only(validate(pack, candidates=paths, candidate_table=table))
    assert all(candidate.reported)
    assert {(entry.gap, entry.verdict) for entry in candidate.figures} == {(0.0, WITHIN)}
    assert codes(candidate) == {"candidate-own-rules"}
    monkeypatch.delenv(DATA_VARIABLE)
    without_file = only(validate(pack, candidates=paths, candidate_table=table))
    assert [entry.left for entry in without_file.figures] == [
        entry.left for entry in candidate.figures
    ]
    assert without_file.comparison is None


def test_program_is_gated_against_the_rules_that_it_declares(tmp_path: Path) -> None:
    folder = shutil.copytree(DEMONSTRATION, tmp_path / "pack" / DEMONSTRATION.name)
    text = (folder / "match.yaml").read_text("utf-8")
    settings_ = "candidates: {file: xg, rules: ours.yaml}\n"
    (folder / "match.yaml").write_text(text + settings_, "utf-8")
    answers = "extends: gammonview\nanswers: {Q02: gnubg, Q08: 1000/counted}\n"
    (tmp_path / "pack" / "ours.yaml").write_text(answers, "utf-8")
    rules = rule_set("gammonview").switched("Q02", "gnubg").switched("Q08", "1000/counted")
    players = {}
    for seat, name in enumerate(loaded(XG).players):
        ours = statistics(loaded(XG), rules).figures(seat)
        names = ("pr", "decisions.counted", "equity_error.total")
        players[name] = {metric: ours[metric] for metric in names}
    candidate = judged(tmp_path, players, tmp_path / "pack")
    assert (candidate.rules, {figure.gap for figure in candidate.figures}) == ("ours", {0})
    words = "rule set ours gives 6 of 6 figures that depend on the rules"
    assert evidence(candidate, "candidate-own-rules") == words
    assert candidate.comparison is not None
    assert (candidate.comparison.left.rules, candidate.comparison.right.rules) == ("ours", "ours")


# -- the real GammonView --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gammonview() -> dict[Path, list[dict[str, Any]]]:
    """GammonView's own totals of every real `.xg`."""
    paths = matching("real/*.xg", "bgblitz/xg/*.xg")
    if len(paths) < 2:
        pytest.skip("RECONCILE_DATA has no real .xg files")
    try:
        return dict(zip(paths, gammonview_totals(paths), strict=True))
    except NoPeer as reason:
        pytest.skip(str(reason))


NAMES = [pytest.param(names, id=str(len(names))) for names in (USUAL, FEW)]


@pytest.mark.parametrize("names", long_but_first(NAMES, 0, 1))
def test_gammonview_gets_one_diagnosis_its_own(
    names: Sequence[str], gammonview: dict[Path, list[dict[str, Any]]], tmp_path: Path
) -> None:
    files = {f"m{number}": {"xg": path} for number, path in enumerate(gammonview)}
    matches = []
    for name, scopes in zip(files, gammonview.values(), strict=True):
        players = {}
        for player, totals in scopes[0].items():
            printed = {"pr": f"{totals['pr']:.3f}", "decisions": totals["total_decisions"]}
            if names == USUAL:
                printed["equity_error.total"] = f"{totals['total_error']:.4f}"
            players[player] = printed
        matches.append({"match": name, "players": players})
    path = written(tmp_path / "a.json", document(*matches, program="GammonView"))
    result = validate(make_pack(tmp_path / "pack", files), candidates=[path])
    (outcome,) = result.diagnoses
    best = outcome.best
    assert (best.rules, best.differences, best.also) == ("gammonview", (), ())
    assert (best.explained, outcome.faults, outcome.sure) == (best.number, (), "certain")
    assert outcome.sentence.startswith("GammonView counts like rule set gammonview: ")
    comparisons = [entry.comparison for entry in candidates(result).values()]
    assert {entry.right.rules for entry in comparisons if entry} == {"gammonview"}


@pytest.mark.long
def test_player_with_figures_of_luck_alone_has_no_fault_of_counting(tmp_path: Path) -> None:
    """Mistakes of counting are looked for in what depends on rules; of luck the sign may be wrong.
    Mistakes of counting are looked for in what depends on rules; of luck the sign may be wrong."""
    players = {ALICE: {"pr": "9", "snowie_er": "41.51"}, BOB: {"luck.mwc_percent": "52.497"}}
    tree = plain({"match": ZERO_PLY.name, "players": players})
    done = run(ZERO_PLY, "--candidate", written(tmp_path / "luck.json", tree))
    assert done.exit_code in (1, 2), done.output
    assert "Traceback" not in done.output
