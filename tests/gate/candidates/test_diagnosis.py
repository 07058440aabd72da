"""One diagnosis of a program in every output; bridges to its totals; GammonView gets its own."""

import shutil
from xml.etree import ElementTree as ET

import pytest
import yaml

from benchmarks.peers import NoPeer, gammonview_totals
from reconcile.gap.verdict import WITHIN
from reconcile.gate.files import DATA_VARIABLE
from reconcile.report.markdown import escape
from reconcile.rules.rulesets import RULE_SETS, own_rules, rule_set
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics
from reconcile.wording import MINUS
from tests.gate.candidates.judging import codes, of_figures, only, outputs, validate
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
    plain,
    written,
)
from tests.support.balance import ledger_of
from tests.support.data import cases, matching
from tests.support.faulty import BUGS, USUAL, under
from tests.support.long import long_but_first

XG = file_of(DEMONSTRATION, ".xg")
PLAYERS = loaded(XG).players
FILES = {"one": XG, "three": file_of(ZERO_PLY), "two": file_of(RICH)}


@pytest.fixture
def pack(tmp_path):
    return make_pack(tmp_path / "pack", {name: {"file": path} for name, path in FILES.items()})


def figures(name, rules=None, bug=""):
    """A match in the plain format, by rules or with a fault."""
    match = loaded(FILES[name])
    set_ = RULE_SETS[rules] if rules else own_rules(match)
    seats = BUGS[bug][1](match, USUAL) if bug else under(match, set_, USUAL)
    players = {match.players[seat]: dict(printed) for seat, printed in seats.items()}
    return {"match": name, "players": players}


def program(*matches, name="prog"):
    return plain(*matches) | ({"program": name} if name else {})


def of_programs(pack, folder, *trees):
    paths = [written(folder / f"{number}.json", tree) for number, tree in enumerate(trees)]
    return validate(pack, candidates=paths)


def candidates(result):
    return {match.id: candidate for match in result.matches for candidate in match.candidates}


# -- which results are one program ----------------------------------------------------------------


def test_files_are_one_program_unless_they_name_several_and_the_two_players_of_a_match_too(
    pack, tmp_path
):
    trees = [figures(name, "gnubg-manual") for name in FILES]
    halves = [
        {"match": "one", "players": {name: entry}} for name, entry in trees[0]["players"].items()
    ]
    result = of_programs(pack, tmp_path, *map(plain, (*halves, *trees[1:])))
    (outcome,) = result.diagnoses
    assert (outcome.candidate, outcome.matches) == ("0.json and 3 more files", tuple(FILES))
    # The finding of every match is about the same rules, also where others give its figures.
    comparisons = [entry.comparison for entry in candidates(result).values()]
    rules = {entry and entry.right.rules for entry in comparisons}
    assert rules == {outcome.best.rules} == {"gnubg-manual"}
    ours = [program(figures(name, "blunderdb"), name="ours") for name in ("one", "two")]
    theirs = program(figures("one"), figures("two"), name="theirs")
    diagnoses = of_programs(pack, tmp_path, *ours, theirs).diagnoses
    assert [(each.candidate, each.best.rules, len(each.matches)) for each in diagnoses] == [
        ("ours", "blunderdb", 2),
        ("theirs", "own", 2),
    ]


@pytest.mark.parametrize(
    ("rules", "spoilt"),
    long_but_first([("gnubg-manual", ["two"]), ("gammonview", ["one", "three"])]),
)
def test_finding_of_a_match_says_how_many_figures_the_rules_of_the_program_give_there(
    pack, tmp_path, rules, spoilt
):
    matches = [figures(name, rules) for name in FILES]
    for match in matches:
        if match["match"] in spoilt:
            next(iter(match["players"].values()))["equity_error.total"] = "77.777"
    result = of_programs(pack, tmp_path, program(*matches))
    (diagnosis,) = result.diagnoses
    assert diagnosis.best.explained == diagnosis.best.number - len(spoilt)
    for name, candidate in candidates(result).items():
        words = candidate.findings[0].evidence
        number, every = words.removeprefix(f"rule set {rules} gives ").split()[:3:2]
        assert (number == every) == (name not in spoilt)


def test_match_without_the_mistake_says_that_others_have_it(pack, tmp_path):
    matches = [figures(name, bug="players swapped" * (name != "one")) for name in FILES]
    result = of_programs(pack, tmp_path, program(*matches))
    assert result.diagnoses[0].faults[0].matches == ("three", "two")
    words = {name: entry.findings[0].evidence for name, entry in candidates(result).items()}
    assert "; in other matches the players are swapped" in words.pop("one")
    assert all(text.startswith("the players are swapped") for text in words.values())


# -- outputs --------------------------------------------------------------------------------------


def test_every_output_begins_with_the_diagnosis_and_a_few_of_the_figures(pack, tmp_path):
    tree = program(*(figures(name, bug="players swapped") for name in FILES))
    shown = outputs(pack, "--candidate", written(tmp_path / "given.json", tree))
    words = "prog: the players are swapped: it gives each the figures of the other. That accounts "
    words += "for 30 of 30 figures over 3 matches"
    lines = shown.result.output.splitlines()
    assert (shown.result.exit_code, lines[2][: len(words)]) == (1, words)
    assert "[other-player]" in lines[3]
    assert sum("outside: " in line for line in lines) == 2 * len(FILES)
    assert sum("more figures by this mistake" in line for line in lines) == len(FILES)
    (diagnosis,) = shown.document["diagnosis"]
    assert diagnosis["sentence"].startswith(words)
    assert diagnosis["faults"][0]["code"] == "other-player"
    assert diagnosis["faults"][0]["matches"] == ["one", "three", "two"]
    assert words in shown["site/index.html"]
    assert words in shown["result.md"].split("| Match")[0]
    facts = {
        entry.get("name"): entry.get("value") for entry in ET.fromstring(shown["junit.xml"]).iter()
    }
    assert str(facts["diagnosis"]).startswith(words)


def test_bridge_of_a_failing_figure_is_under_it_in_one_line(pack, tmp_path):
    path = written(tmp_path / "a.json", plain(figures("one", "gnubg")))
    shown = outputs(pack, "--candidate", path, "--candidate-table", "counts-exact")
    lines = shown.result.output.splitlines()
    failing = [at for at, line in enumerate(lines) if "outside: " in line and "Decisions  " in line]
    assert failing
    for at in failing:
        walk = lines[at + 1].strip()
        assert walk.startswith(lines[at].partition("expected ")[2].split()[0])
        assert ("Q" in walk, "= " in walk) == (True, True)
        signed = walk.replace(" -", f" {MINUS}")  # a terminal may not have the sign
        assert f"  - {escape(signed)}" in shown["result.md"]
        assert all(signed in shown[f"site/{page}.html"] for page in ("index", "one"))


# -- bridges to totals ----------------------------------------------------------------------------


def judged(folder, players, pack=DEMONSTRATION):
    return only(of_figures(folder, players, pack, "demonstration"))


def evidence(candidate, code):
    return next(entry.evidence for entry in candidate.findings if entry.code == code)


def of_rules(rules, names):
    """The figures of the demonstration by other rules."""
    ours = statistics(loaded(XG), rules)
    return {
        player: {name: ours.figures(seat)[name] for name in names}
        for seat, player in enumerate(PLAYERS)
    }


@pytest.mark.parametrize("rules", ["blunderdb", "snowie4", "gnubg"])
def test_totals_of_other_rules_are_recognised_and_their_decisions_shown(tmp_path, rules):
    players = of_rules(rules, [name for name in METRICS if not name.startswith(("luck", "moves"))])
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
        ends = bridge.end, steps["reported-right"]
        assert ends == pytest.approx((players[bridge.player][bridge.metric], 0), abs=1e-9)
    assert not ledger_of(walk, walk.bridges(("decisions",))).empty


def test_totals_of_no_rules_are_a_warning_and_the_bridge_ends_at_them(tmp_path):
    stated = {"pr": 1.234, "decisions.counted": 17}
    candidate = judged(tmp_path, {PLAYERS[0]: stated})
    (finding,) = (entry for entry in candidate.findings if entry.code == "candidate-unexplained")
    assert (finding.severity, "gives 0 of 2 figures" in finding.evidence) == ("warning", True)
    assert candidate.comparison is not None
    for bridge in candidate.comparison.walk.bridges(("pr", "decisions", "snowie_er")):
        end = stated.get(bridge.metric) if bridge.player == PLAYERS[0] else None
        assert (bridge.end, bool(bridge.steps)) == (end, end is not None)
        if bridge.end is not None and bridge.start is not None:
            changes = sum(step.change for step in bridge.steps)
            assert changes == pytest.approx(bridge.end - bridge.start, abs=1e-9)


THREE = ("pr", "decisions.counted", "equity_error.total")


def test_of_rules_that_give_the_same_figures_those_of_the_reference_come_first(
    tmp_path,
):
    players = {
        player: {name: METRICS[name].shown(value) for name, value in entry.items()}
        for player, entry in of_rules("gammonview", THREE).items()
    }
    (diagnosis,) = of_figures(tmp_path, players, DEMONSTRATION, "demonstration").diagnoses
    assert (diagnosis.best.rules, diagnosis.best.explained) == ("xg", 6)
    assert "gammonview" in diagnosis.best.also


@pytest.mark.parametrize("path", cases("real/charlot*.xg"))
def test_window_of_xg_is_right_against_its_own_file(path, tmp_path, monkeypatch, data):
    """What a person read in XG's window is the reference where the manifest has it."""
    monkeypatch.setenv(DATA_VARIABLE, str(data))
    manifest = yaml.safe_load((PACK / "charlot" / "match.yaml").read_text("utf-8"))
    pack = shutil.copytree(PACK / "charlot", tmp_path / "charlot")
    players, table = manifest["reported"][0]["players"], {"candidate_table": "xg-reported"}
    candidate = only(of_figures(tmp_path, players, pack, "charlot", **table))
    assert all(candidate.reported)
    assert {(entry.gap, entry.verdict) for entry in candidate.figures} == {(0.0, WITHIN)}
    assert codes(candidate) == {"candidate-own-rules"}
    monkeypatch.delenv(DATA_VARIABLE)
    without_file = only(of_figures(tmp_path, players, pack, "charlot", **table))
    lefts = [[entry.left for entry in each.figures] for each in (candidate, without_file)]
    assert (lefts[0], without_file.comparison) == (lefts[1], None)


def test_program_is_gated_against_the_rules_that_it_declares(tmp_path):
    folder = shutil.copytree(DEMONSTRATION, tmp_path / "pack" / DEMONSTRATION.name)
    with (folder / "match.yaml").open("a", encoding="utf-8") as manifest:
        manifest.write("candidates: {file: xg, rules: ours.yaml}\n")
    answers = "extends: gammonview\nanswers: {Q02: gnubg, Q08: 1000/counted}\n"
    (tmp_path / "pack" / "ours.yaml").write_text(answers, "utf-8")
    rules = rule_set("gammonview").switched("Q02", "gnubg").switched("Q08", "1000/counted")
    players = of_rules(rules, THREE)
    candidate = judged(tmp_path, players, tmp_path / "pack")
    assert (candidate.rules, {figure.gap for figure in candidate.figures}) == ("ours", {0})
    words = "rule set ours gives 6 of 6 figures that depend on the rules"
    assert evidence(candidate, "candidate-own-rules") == words
    assert candidate.comparison is not None
    assert (candidate.comparison.left.rules, candidate.comparison.right.rules) == ("ours", "ours")


# -- the real GammonView --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gammonview():
    """GammonView's own totals of every real `.xg`."""
    paths = matching("real/*.xg", "bgblitz/xg/*.xg")
    try:
        return dict(zip(paths, gammonview_totals(paths), strict=True)) if len(paths) > 1 else {}
    except NoPeer as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("decimals", long_but_first([4, 0], 0, 1))
def test_gammonview_gets_one_diagnosis_its_own(decimals, gammonview, tmp_path):
    """With the sum of errors, or with PR and the number of decisions alone."""
    matches = []
    for number, scopes in enumerate(gammonview.values()):
        players = {}
        for player, totals in scopes[0].items():
            players[player] = {"pr": f"{totals['pr']:.3f}", "decisions": totals["total_decisions"]}
            if decimals:
                players[player]["equity_error.total"] = f"{totals['total_error']:.{decimals}f}"
        matches.append({"match": f"m{number}", "players": players})
    if not matches:
        pytest.skip("RECONCILE_DATA has no real .xg files")
    files = {f"m{number}": {"xg": path} for number, path in enumerate(gammonview)}
    pack = make_pack(tmp_path / "pack", files)
    result = of_programs(pack, tmp_path, program(*matches, name="GammonView"))
    (outcome,) = result.diagnoses
    best = outcome.best
    assert (best.rules, best.differences, best.also) == ("gammonview", (), ())
    assert (best.explained, outcome.faults, outcome.sure) == (best.number, (), "certain")
    assert outcome.sentence.startswith("GammonView counts like rule set gammonview: ")
    comparisons = [entry.comparison for entry in candidates(result).values()]
    assert {entry.right.rules for entry in comparisons if entry} == {"gammonview"}


@pytest.mark.long
def test_player_with_figures_of_luck_alone_has_no_fault_of_counting(tmp_path):
    players = {ALICE: {"pr": "9", "snowie_er": "41.51"}, BOB: {"luck.mwc_percent": "52.497"}}
    (diagnosis,) = of_figures(tmp_path, players).diagnoses
    assert diagnosis.faults == ()
