"""A diagnosis of each program in every output, and the rules that give its totals; GammonView
agrees with its own rules."""

from xml.etree import ElementTree as ET

import pytest

from reconcile.scoring.figures import METRICS
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.samples import (
    DEMONSTRATION,
    RICH,
    ZERO_PLY,
    file_of,
    loaded,
    make_pack,
    of_figures,
    only,
    outputs,
    plain,
    validate,
    written,
)
from tests.support.long import long_but_first

XG = file_of(DEMONSTRATION, ".xg")
PLAYERS = loaded(XG).players
FILES = {"one": XG, "three": file_of(ZERO_PLY), "two": file_of(RICH)}


@pytest.fixture
def pack(tmp_path):
    return make_pack(tmp_path / "pack", {name: {"file": path} for name, path in FILES.items()})


USUAL = (
    "pr",
    "decisions.counted",
    "equity_error.total",
    "equity_error.checker",
    "mwc_loss_percent.total",
)


def figures(name, rules=None):
    """A match in the plain format, by rules."""
    ours = statistics(loaded(FILES[name]), rules)
    players = {
        player: {metric: METRICS[metric].shown(ours.figures(seat)[metric]) for metric in USUAL}
        for seat, player in enumerate(ours.match.players)
    }
    return {"match": name, "players": players}


def exchanged(name):
    """The same with each player's figures under the name of the other."""
    entry = figures(name)
    both = entry["players"]
    return entry | {"players": dict(zip(both, reversed(both.values()), strict=True))}


def program(*matches, name="prog"):
    return plain(*matches, program=name)


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
    assert (outcome.program, outcome.figures) == ("0.json and 3 more files", 30)
    assert outcome.agree["gnubg-manual"] == 30
    # The finding of every match is about the same rules, also where others give its figures.
    words = [entry.findings[0].evidence.split()[:3] for entry in candidates(result).values()]
    assert words == [["rule", "set", "gnubg-manual"]] * len(FILES)
    ours = [program(figures(name, "blunderdb"), name="ours") for name in ("one", "two")]
    theirs = program(figures("one"), figures("two"), name="theirs")
    diagnoses = of_programs(pack, tmp_path, *ours, theirs).diagnoses
    assert [(each.program, each.agree["blunderdb"] == 20) for each in diagnoses] == [
        ("ours", True),
        ("theirs", False),
    ]


def test_program_that_agrees_with_other_rules_is_told_what_to_write(pack, tmp_path):
    result = of_programs(
        pack, tmp_path, program(*(figures(name, "gnubg-manual") for name in FILES))
    )
    (diagnosis,) = result.diagnoses
    words = "prog agrees with rule set gnubg-manual: 30 of 30 figures of 3 matches. "
    words += "Write `rules: gnubg-manual` under `candidates` in pack.yaml to judge it by them."
    assert diagnosis.sentence == words
    assert result.groups == ()


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
    assert diagnosis.agree[rules] == diagnosis.figures - len(spoilt)
    (group,) = result.groups
    assert (group.figure, group.matches, group.of) == ("equity_error", len(spoilt), 3)
    for name, candidate in candidates(result).items():
        words = candidate.findings[0].evidence
        number, every = words.removeprefix(f"rule set {rules} gives ").split()[:3:2]
        assert (number == every) == (name not in spoilt)


# -- outputs --------------------------------------------------------------------------------------


def test_every_output_begins_with_the_diagnosis(pack, tmp_path):
    tree = program(*(exchanged(name) for name in FILES))
    shown = outputs(pack, "--candidate", written(tmp_path / "given.json", tree))
    words = "prog: all its figures are of the other player. With that undone the rules of each "
    words += "reference give all 30 figures of 3 matches."
    lines = shown.result.output.splitlines()
    assert (shown.result.exit_code, lines[2:4]) == (1, ["Diagnosis:", f"  {words}"])
    (diagnosis,) = shown.document["diagnosis"]
    assert list(diagnosis) == ["program", "figures", "agree", "transformation", "sentence"]
    assert (diagnosis["sentence"], diagnosis["transformation"]) == (words, "players-exchanged")
    groups = shown.document["groups"]
    assert {group["cause"] for group in groups} == {"players-exchanged"}
    assert words in shown["site/index.html"]
    assert words in shown["result.md"].split("| Match")[0]
    facts = {
        entry.get("name"): entry.get("value") for entry in ET.fromstring(shown["junit.xml"]).iter()
    }
    assert facts["diagnosis"] == words


def test_figures_that_are_off_are_a_line_each_in_every_output(pack, tmp_path):
    matches = [figures(name) for name in FILES]
    for match in matches:
        first = next(iter(match["players"].values()))
        first["decisions.counted"] = str(int(first["decisions.counted"]) + 1)
    shown = outputs(pack, "--candidate", written(tmp_path / "a.json", program(*matches)))
    words = "only decisions +1, first player, in all 3 matches"
    (group,) = shown.document["groups"]
    assert group == {
        "figure": "decisions", "player": "first", "cause": None, "first": True, "change": 1,
        "ratio": None, "matches": 3, "of": 3, "sentence": words,
    }  # fmt: skip
    first = "Off, and not because of another figure: decisions."
    assert first in shown["junit.xml"]
    assert first in shown.result.output
    assert words in shown.result.output
    assert words in shown["site/index.html"]
    assert words in shown["result.md"]


# -- rules of totals ----------------------------------------------------------------------------


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


@pytest.mark.parametrize(("rules", "count"), [("blunderdb", 36), ("snowie4", 28)])
def test_totals_of_other_rules_are_recognised_and_compared_as_figures(tmp_path, rules, count):
    """Snowie has no rate per decision."""
    players = of_rules(rules, [name for name in METRICS if not name.startswith(("luck", "moves"))])
    candidate = judged(tmp_path, players)
    words = f"rule set {rules} gives {count} of {count} figures that depend on the rules; "
    assert evidence(candidate, "candidate-rules").startswith(words)
    assert candidate.comparison is None


def test_totals_of_no_rules_are_a_warning(tmp_path):
    stated = {"pr": 1.234, "decisions.counted": 17}
    candidate = judged(tmp_path, {PLAYERS[0]: stated})
    (finding,) = (entry for entry in candidate.findings if entry.code == "candidate-unexplained")
    assert (finding.severity, "gives 0 of 2 figures" in finding.evidence) == ("warning", True)


THREE = ("pr", "decisions.counted", "equity_error.total")


def test_of_rules_that_give_the_same_figures_all_are_named(tmp_path):
    players = {
        player: {name: METRICS[name].shown(value) for name, value in entry.items()}
        for player, entry in of_rules("gammonview", THREE).items()
    }
    (diagnosis,) = of_figures(tmp_path, players, DEMONSTRATION, "demonstration").diagnoses
    assert diagnosis.agree["xg"] == diagnosis.agree["gammonview"] == 6
    assert "agrees with rule set xg: 6 of 6 figures of 1 match; " in diagnosis.sentence
    assert "Write" not in diagnosis.sentence


# -- the real GammonView --------------------------------------------------------------------------
