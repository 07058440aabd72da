"""What the outputs show of candidates, each called what it calls itself; scripts of the docs."""

import re
import subprocess
import sys

import pytest

from reconcile.gate.candidates.reading import read_candidates, read_printed
from tests.gate.candidates.samples import (
    ALICE,
    DEMONSTRATION,
    ZERO_PLY,
    cases,
    file_of,
    loaded,
    of_matches,
    outputs,
    plain,
    run,
    written,
)
from tests.support.command_line import json_in
from tests.support.command_line import run as command
from tests.support.data import PROJECT
from tests.support.schemas import faults


def test_every_output_shows_totals_decisions_and_what_is_about_no_match(tmp_path):
    player = loaded(file_of(DEMONSTRATION, ".xg")).players[0]
    matches = [{player: {"pr": 1.0, "decisions": 3}}, {"Cleo": {"pr": 1}}]
    totals = written(tmp_path / "totals.json", plain(*({"players": entry} for entry in matches)))
    words = ("--candidate", totals, "--candidate", file_of(DEMONSTRATION))
    shown = outputs(DEMONSTRATION, *words)
    assert shown.result.exit_code == 1
    document = shown.document
    names = [entry["name"] for entry in document["matches"][0]["candidates"]]
    assert names == ["totals.json", file_of(DEMONSTRATION).name]
    assert [row["match"] for row in document["unjudged"]] == ["Cleo"]
    del document["matches"][0]["candidates"][0]["reported"]
    assert faults("validation", document)
    assert (shown.folder / "site" / "demonstration.candidate-2.html").exists()
    assert 'href="demonstration.candidate-2.html"' in shown["site/demonstration.html"]
    for name in ("site/index.html", "result.md", "junit.xml"):
        assert "Cleo" in shown[name]
        assert "totals.json" in shown[name]
    assert "Cleo" in shown.result.output


# -- names of programs ----------------------------------------------------------------------------


def named(**keys):
    return of_matches({ZERO_PLY.name: {ALICE: {"pr": 1.0}}}, **keys)


@pytest.mark.parametrize("case", cases("names of programs"))
def test_name_and_version_are_apart(case, tmp_path):
    keys, name, version = cases("names of programs")[case]
    (candidate,) = read_candidates([written(tmp_path / "a.json", named(**keys))])
    assert (candidate.name, candidate.claims[0].version) == (name, version)
    text = f'program,version,player,metric,figure\nprog,2,"{ALICE}",pr,1.0\n'
    (table,) = read_candidates([written(tmp_path / "a.csv", text)])
    assert (table.name, table.claims[0].version) == ("prog", "2")


def test_every_output_names_the_program_and_never_its_file(tmp_path):
    path = written(tmp_path / "figures.json", named(program="GammonView", version="3.1.0"))
    shown = outputs(ZERO_PLY, "--candidate", path)
    assert "outside: candidate GammonView 3.1.0: PR  Alice m04" in shown.result.output
    (candidate,) = shown.document["matches"][0]["candidates"]
    assert (candidate["name"], candidate["version"]) == ("GammonView", "3.1.0")
    assert "candidate GammonView 3.1.0: PR" in shown["result.md"].replace("\\", "")
    assert f'name="{ZERO_PLY.name}: candidate GammonView"' in shown["junit.xml"]
    assert '<property name="version" value="3.1.0"' in shown["junit.xml"]
    page = shown[f"site/{ZERO_PLY.name}.html"]
    assert ">Candidate GammonView</h2>" in page
    assert ">version</th><td>3.1.0</td>" in page
    texts = [path.read_text("utf-8") for path in shown.folder.rglob("*.*") if path.is_file()]
    assert not any("figures.json" in text for text in (shown.result.output, *texts))


def test_two_versions_of_a_program_are_compared_figure_by_figure(tmp_path):
    for number, version in enumerate(("1.0", "1.1")):
        tree = named(program=f"prog {version}")
        tree["matches"][0]["players"][ALICE]["pr"] += number
        path = written(tmp_path / "a.json", tree)
        run(ZERO_PLY, "--candidate", path, "--json", f"{number}.json")
    done = command("diff", "0.json", "1.json", "--json", "d.json")
    document = json_in("d.json")
    assert faults("changes", document) == []
    changes = [
        entry["change"] for entry in document["figures"] if "candidate prog" in entry["match"]
    ]
    assert changes == ["moved"]
    assert done.output.count("prog: 1.0 -> 1.1") == 1


# -- scripts of the documentation -----------------------------------------------------------------

SCRIPTS = cases("scripts")


@pytest.mark.parametrize("program", SCRIPTS)
def test_script_of_the_documentation_makes_figures_of_other_texts(program):
    text, expected = SCRIPTS[program]
    page = (PROJECT / "docs" / "candidates.md").read_text("utf-8")
    scripts = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (script,) = (entry for entry in scripts if f'"program": "{program}"' in entry)
    assert script.count("\n") <= 20
    words = [sys.executable, "-X", "utf8", "-c", script]
    done = subprocess.run(words, input=text.encode(), capture_output=True, check=True)
    (claim,) = read_printed("printed", done.stdout).claims
    shown = {(entry.player, entry.metric): (entry.text or None) for entry in claim.figures}
    assert claim.program == program
    for player, figures in expected.items():
        assert {metric: shown[player, metric] for metric in figures} == figures
