"""One diagnosis of a program in every output, whichever way its figures are given; GammonView itself gets its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from benchmarks.peers import NoPeer, gammonview_totals
from reconcile.files.wording import MINUS
from reconcile.gate.pack_results import PackResult
from reconcile.report.markdown import escape
from reconcile.rules.rulesets import RULE_SETS, own_rules
from tests.gate.candidates.judging import codes, run, validate
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    DEMONSTRATION,
    RICH,
    ZERO_PLY,
    file_of,
    loaded,
    make_pack,
    plain,
    written,
)
from tests.support.data import matching
from tests.support.faulty import BUGS, FEW, USUAL, under
from tests.support.long import long_but_first
from tests.support.schemas import faults

FILES = {"one": file_of(DEMONSTRATION, ".xg"), "three": file_of(ZERO_PLY), "two": file_of(RICH)}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return make_pack(tmp_path / "pack", {name: {"file": path} for name, path in FILES.items()})


def figures(
    name: str, rules: str | None = None, bug: str = "", names: Sequence[str] = USUAL
) -> dict[str, Any]:
    """A match in the plain format, by rules or with a fault."""
    match = loaded(FILES[name])
    own = RULE_SETS[rules] if rules else own_rules(match)
    seats = BUGS[bug][1](match, names) if bug else under(match, own, names)
    return {
        "match": name,
        "players": {match.players[seat]: dict(given) for seat, given in seats.items()},
    }


def test_files_without_a_name_are_one_program(pack: Path, tmp_path: Path) -> None:
    given = [
        written(tmp_path / f"{name}.json", plain(figures(name, "gnubg-manual"))) for name in FILES
    ]
    result = validate(pack, candidates=given)
    (found,) = result.diagnoses
    assert found.candidate == "one.json and 2 more files"
    assert found.matches == ("one", "three", "two")
    assert found.best.rules == "gnubg-manual"
    # the finding of every match is about the same rules, also where others give its figures
    assert {
        one.comparison.right.rules
        for match in result.matches
        for one in match.candidates
        if one.comparison
    } == {"gnubg-manual"}


@pytest.mark.parametrize(
    ("rules", "spoilt"),
    [("gnubg-manual", ["two"]), ("blunderdb", ["one"]), ("gammonview", ["one", "three"])],
)
def test_finding_of_every_match_says_the_same_of_the_rules_that_come_closest(
    pack: Path, tmp_path: Path, rules: str, spoilt: Sequence[str]
) -> None:
    matches = [figures(name, rules) for name in FILES]
    for match in matches:
        if match["match"] in spoilt:
            next(iter(match["players"].values()))["equity_error.total"] = "77.777"
    given = written(tmp_path / "a.json", plain(*matches) | {"program": "prog"})
    result = validate(pack, candidates=[given])
    (diagnosis,) = result.diagnoses
    assert diagnosis.best.explained == diagnosis.best.number - len(spoilt)
    said = {
        match.id: next(
            one.evidence for one in candidate.findings if "here it gives" in one.evidence
        )
        for match in result.matches
        for candidate in match.candidates
    }
    assert said.keys() == FILES.keys()
    assert {words.partition("; here it gives ")[0] for words in said.values()} == {
        f"rule set {rules} comes closest over all matches"
    }
    assert {name for name, words in said.items() if "here it gives all " not in words} == set(
        spoilt
    )


@pytest.mark.parametrize("swapped", [["one", "two"], ["one", "three"], ["two", "three"]])
def test_match_without_the_mistake_says_that_others_have_it(
    pack: Path, tmp_path: Path, swapped: Sequence[str]
) -> None:
    matches = [figures(name, bug="players swapped" * (name in swapped)) for name in FILES]
    given = written(tmp_path / "a.json", plain(*matches) | {"program": "prog"})
    result = validate(pack, candidates=[given])
    assert result.diagnoses[0].faults[0].matches == tuple(sorted(swapped))
    for match in result.matches:
        (candidate,) = match.candidates
        said = next(one.evidence for one in candidate.findings if "swapped" in one.evidence)
        assert said.startswith("the players are swapped")
        assert (", in other matches; here rule set " in said) == (match.id not in swapped)


def test_files_that_name_their_programs_are_two(pack: Path, tmp_path: Path) -> None:
    given = [
        written(
            tmp_path / "a.json",
            plain(figures("one", "blunderdb"), figures("two", "blunderdb")) | {"program": "ours"},
        ),
        written(tmp_path / "b.json", plain(figures("three", "blunderdb")) | {"program": "ours"}),
        written(tmp_path / "c.json", plain(figures("one"), figures("two")) | {"program": "theirs"}),
    ]
    ours, theirs = validate(pack, candidates=given).diagnoses
    assert (ours.candidate, ours.best.rules, len(ours.matches)) == ("ours", "blunderdb", 3)
    assert (theirs.candidate, theirs.best.rules, len(theirs.matches)) == ("theirs", "own", 2)


def test_command_is_one_program(pack: Path, tmp_path: Path) -> None:
    for name in FILES:
        written(tmp_path / f"{name}.json", plain(figures(name, bug="players swapped")))
    program = written(
        tmp_path / "prog.py",
        f"import sys\nprint(open({str(tmp_path)!r} + '/' + sys.argv[1] + '.json').read())\n",
    )
    result = validate(pack, command=f"{sys.executable} {program} {{match}}")
    (found,) = result.diagnoses
    assert found.faults[0].code == "other-player"
    assert found.matches == ("one", "three", "two")
    assert {"candidate-fault"} <= set.union(
        *(codes(one) for match in result.matches for one in match.candidates)
    )


def test_figures_of_the_two_players_in_two_files_are_one_match(pack: Path, tmp_path: Path) -> None:
    whole = figures("one", "gnubg-manual")
    given = []
    for number, (player, theirs) in enumerate(whole["players"].items()):
        given.append(
            written(
                tmp_path / f"{number}.json", plain({"match": "one", "players": {player: theirs}})
            )
        )
    (found,) = validate(pack, candidates=given).diagnoses
    assert found.matches == ("one",)
    assert found.best.number == sum(map(len, whole["players"].values()))


def test_every_output_begins_with_the_diagnosis(pack: Path, tmp_path: Path) -> None:
    given = written(
        tmp_path / "given.json",
        plain(*(figures(name, bug="PR doubled") for name in FILES)) | {"program": "prog"},
    )
    outputs = ("--html", "site", "--markdown", "a.md", "--junit", "a.xml", "--json", "a.json")
    result = run(pack, "--candidate", given, *outputs)
    assert result.exit_code == 1
    said = (
        "prog: it multiplies the rate per decision by 2 or it multiplies the PR by 2, and not those "
        "of plays and cube. That accounts for 30 of 30 figures over 3 matches"
    )
    lines = result.output.splitlines()
    assert lines[2].startswith(said)
    assert "[factor]" in result.output
    document = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert faults("validation", document) == []
    (diagnosis,) = document["diagnosis"]
    assert diagnosis["sentence"].startswith(said)
    assert diagnosis["faults"][0]["code"] == "factor"
    assert diagnosis["faults"][0]["matches"] == ["one", "three", "two"]
    del document["diagnosis"]
    assert faults("validation", document) == []  # as a result of an older version
    assert said in (tmp_path / "site" / "index.html").read_text("utf-8")
    assert said in (tmp_path / "a.md").read_text("utf-8").split("| Match")[0]
    properties = {
        (one.get("name"), one.get("value")) for one in ET.parse(tmp_path / "a.xml").iter("property")
    }
    assert any(name == "diagnosis" and str(value).startswith(said) for name, value in properties)


def test_bridge_of_a_failing_figure_is_under_it_in_one_line(pack: Path, tmp_path: Path) -> None:
    given = written(tmp_path / "a.json", plain(figures("one", "gnubg")))
    result = run(
        pack,
        "--candidate",
        given,
        "--html",
        "site",
        "--markdown",
        "a.md",
        "--candidate-table",
        "counts-exact",
    )
    lines = result.output.splitlines()
    failing = [
        index
        for index, line in enumerate(lines)
        if line.strip().startswith("outside: ") and "Decisions  " in line
    ]
    assert failing
    match = loaded(FILES["one"])
    for index in failing:
        walk = lines[index + 1].strip()
        assert walk.startswith(lines[index].partition("expected ")[2].split()[0])
        assert "Q" in walk
        assert "= " in walk
        shown = walk.replace(" -", f" {MINUS}")  # a terminal may not have the sign
        assert f"  - {escape(shown)}" in (tmp_path / "a.md").read_text("utf-8")
        for page in ("index", "one"):
            assert shown in (tmp_path / "site" / f"{page}.html").read_text("utf-8")
    assert match.players[0] in lines[failing[0]]


# -- the real GammonView -------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    "names",
    long_but_first(
        [pytest.param(USUAL, id="usual figures"), pytest.param(FEW, id="PR and decisions")], 0, 1
    ),
)
def test_gammonview_gets_one_diagnosis_its_own(
    names: Sequence[str], gammonview: dict[Path, list[dict[str, Any]]], tmp_path: Path
) -> None:
    pack = make_pack(
        tmp_path / "pack", {f"m{number}": {"xg": path} for number, path in enumerate(gammonview)}
    )
    made = []
    for number, scopes in enumerate(gammonview.values()):
        players = {}
        for player, theirs in scopes[0].items():
            printed = {"pr": f"{theirs['pr']:.3f}", "decisions": theirs["total_decisions"]}
            if names == USUAL:
                printed["equity_error.total"] = f"{theirs['total_error']:.4f}"
            players[player] = printed
        made.append({"match": f"m{number}", "players": players})
    result: PackResult = validate(
        pack, candidates=[written(tmp_path / "a.json", plain(*made) | {"program": "GammonView"})]
    )
    (found,) = result.diagnoses
    assert (found.best.rules, found.best.differences, found.best.also, found.faults) == (
        "gammonview",
        (),
        (),
        (),
    )
    assert found.best.explained == found.best.number
    assert found.sure == "certain"
    assert found.sentence.startswith("GammonView counts like rule set gammonview: ")
    rules = {
        one.comparison.right.rules
        for match in result.matches
        for one in match.candidates
        if one.comparison
    }
    assert rules == {"gammonview"}


@pytest.mark.long
def test_player_with_figures_of_luck_alone_has_no_fault_of_counting(tmp_path: Path) -> None:
    """Mistakes of adding and counting are looked for in what depends on rules; of luck only the sign may be wrong."""
    players = {ALICE: {"pr": "9", "snowie_er": "41.51"}, BOB: {"luck.mwc_percent": "52.497"}}
    done = run(
        ZERO_PLY,
        "--candidate",
        written(tmp_path / "luck.json", plain({"match": ZERO_PLY.name, "players": players})),
    )
    assert done.exit_code in (1, 2), done.output
    assert "Traceback" not in done.output
