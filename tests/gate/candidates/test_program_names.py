"""A program under test is called what it calls itself, in every output, and is the same program in every version."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from reconcile.gate.candidates.read import read_candidates
from tests.gate.candidates.judging import run
from tests.gate.candidates.samples import ALICE, PACK, ZERO_PLY, written
from tests.support.command_line import run as command
from tests.support.schemas import faults

pytestmark = pytest.mark.usefixtures("undiagnosed")
OUTPUTS = {"--json": "o.json", "--markdown": "o.md", "--junit": "o.xml", "--html": "pages"}


def named(**keys: Any) -> dict[str, Any]:
    return {
        "schema_version": 1,
        **keys,
        "matches": [{"match": ZERO_PLY.name, "players": {ALICE: {"pr": 1.0}}}],
    }


@pytest.mark.parametrize(
    ("keys", "name", "version"),
    [
        ({"program": "GammonView", "version": "3.1.0"}, "GammonView", "3.1.0"),
        ({"program": "GammonView 3.1.0"}, "GammonView", "3.1.0"),
        ({"program": "my stats, v2"}, "my stats", "2"),
        ({"program": "GNU Backgammon 1.07.001"}, "GNU Backgammon", "1.07.001"),
        ({"program": "prog 2", "version": "1"}, "prog 2", "1"),
        ({"program": "4"}, "4", ""),
        ({"program": "snowie4"}, "snowie4", ""),
        ({"program": " a \n b "}, "a b", ""),
        ({"version": "3"}, "a.json", "3"),
        ({"program": None}, "a.json", ""),
        ({}, "a.json", ""),
    ],
)
def test_name_and_version_are_apart(
    keys: dict[str, Any], name: str, version: str, tmp_path: Path
) -> None:
    (candidate,) = read_candidates([written(tmp_path / "a.json", named(**keys))])
    assert (candidate.name, candidate.claims[0].version) == (name, version)


def test_table_names_its_program_too(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.csv",
        f'program,version,player,metric,figure\nprog,2,"{ALICE}",pr,1.0\nprog,2,"{ALICE}",decisions,3\n',
    )
    (candidate,) = read_candidates([path])
    assert (candidate.name, len(candidate.claims), candidate.claims[0].version) == ("prog", 1, "2")


def test_every_output_names_the_program(tmp_path: Path) -> None:
    given = written(tmp_path / "figures.json", named(program="GammonView", version="3.1.0"))
    wanted = [word for option, name in OUTPUTS.items() for word in (option, str(tmp_path / name))]
    done = run(ZERO_PLY, "--candidate", given, *wanted)
    assert "outside: candidate GammonView 3.1.0: PR  Alice m04" in done.stdout
    document = json.loads((tmp_path / "o.json").read_text("utf-8"))
    (candidate,) = document["matches"][0]["candidates"]
    assert (candidate["name"], candidate["version"]) == ("GammonView", "3.1.0")
    assert faults("validation", document) == []
    assert "candidate GammonView 3\\.1\\.0: PR" in (tmp_path / "o.md").read_text("utf-8").replace(
        "3.1.0", "3\\.1\\.0"
    )
    assert f'name="{ZERO_PLY.name}: candidate GammonView"' in (tmp_path / "o.xml").read_text(
        "utf-8"
    )
    assert '<property name="version" value="3.1.0"' in (tmp_path / "o.xml").read_text("utf-8")
    page = (tmp_path / "pages" / f"{ZERO_PLY.name}.html").read_text("utf-8")
    assert ">Candidate GammonView</h2>" in page
    assert "<dt>version</dt><dd>3.1.0</dd>" in page
    written_ = [
        path.read_text("utf-8")
        for path in tmp_path.rglob("*")
        if path.is_file() and path.name != "figures.json"
    ]
    assert not any("figures.json" in text for text in (done.output, *written_))


def test_two_versions_of_a_program_are_compared_figure_by_figure(tmp_path: Path) -> None:
    for number, version in enumerate(("1.0", "1.1")):
        tree = named(program=f"prog {version}")
        tree["matches"][0]["players"][ALICE]["pr"] += number
        run(
            ZERO_PLY,
            "--candidate",
            written(tmp_path / "a.json", tree),
            "--json",
            tmp_path / f"{number}.json",
        )
    done = command(
        "diff",
        str(tmp_path / "0.json"),
        str(tmp_path / "1.json"),
        "--json",
        str(tmp_path / "d.json"),
    )
    document = json.loads((tmp_path / "d.json").read_text("utf-8"))
    assert faults("changes", document) == []
    changes = [one["change"] for one in document["figures"] if "candidate prog" in one["where"]]
    assert changes != ["new"]
    assert "candidate prog, version: 1.0 -> 1.1" in done.output


@pytest.mark.long
def test_match_without_figures_is_reported_under_the_name_of_the_program(tmp_path: Path) -> None:
    code = f"""import json, sys
if {ZERO_PLY.name!r} not in sys.argv[1]: sys.exit('no such match')
print({json.dumps(named(program="prog 1"))!r})"""
    line = f'"{sys.executable}" "{written(tmp_path / "p.py", code)}" {{match}}'
    done = run(PACK, "--candidate-command", line)
    assert done.exit_code == 2
    assert "prog: ended with exit code 1: no such match (in " in done.stderr
    assert "candidate python" not in done.output
