"""What the outputs tell of candidates, and the settings that a manifest has for them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from reconcile.document import dumps
from reconcile.gate.candidates.read import read_printed
from tests.gate.candidates.judging import only, run, validate
from tests.gate.candidates.samples import (
    ALICE,
    DEMONSTRATION,
    ZERO_PLY,
    file_of,
    loaded,
    make_pack,
    own,
    plain,
    written,
)
from tests.support.data import PROJECT
from tests.support.schemas import faults


def several(tmp_path: Path) -> list[str]:
    """Candidates of every kind of result: totals, decisions, and something that is about no match."""
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    return [
        written(
            tmp_path / "totals.json",
            plain(
                {"players": {match.players[0]: {"pr": 1.0, "decisions": 3}}},
                {"players": {"Cleo": {"pr": 1}}},
            ),
        ),
        str(file_of(DEMONSTRATION)),
    ]


def test_same_candidate_gives_the_same_bytes(tmp_path: Path) -> None:
    given = written(tmp_path / "a.json", plain({"players": {ALICE: own(file_of(ZERO_PLY), 0)}}))
    texts = [dumps(validate(ZERO_PLY, candidates=[given])) for _ in range(2)]
    assert texts[0] == texts[1]
    assert str(tmp_path) not in texts[0]


def test_pages_markdown_and_text_tell_of_candidates(tmp_path: Path) -> None:
    arguments = [part for path in several(tmp_path) for part in ("--candidate", path)]
    result = run(
        DEMONSTRATION,
        *arguments,
        "--html",
        "site",
        "--markdown",
        "a.md",
        "--junit",
        "a.xml",
        "--json",
        "a.json",
    )
    assert result.exit_code == 1
    document = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert faults("validation", document) == []
    assert [one["name"] for one in document["matches"][0]["candidates"]] == [
        "totals.json",
        file_of(DEMONSTRATION).name,
    ]
    assert len(document["not_compared"]) == 1
    del document["matches"][0]["candidates"][0]["reported"]
    assert faults("validation", document)
    site = {path.name: path.read_text("utf-8") for path in (tmp_path / "site").iterdir()}
    assert {
        "demonstration.candidate-1.html",
        "demonstration.candidate-2.html",
        "demonstration.html",
        "index.html",
    } <= set(site)
    assert 'href="demonstration.candidate-1.html"' in site["demonstration.html"]
    assert "reporting, right" in site["demonstration.candidate-1.html"]
    for text in (
        site["index.html"],
        (tmp_path / "a.md").read_text("utf-8"),
        (tmp_path / "a.xml").read_text("utf-8"),
        result.output,
    ):
        assert "Cleo" in text
        assert "decisions of" in text or "gives no" in text
        assert "totals.json" in text


def test_settings_of_the_documentation_are_those_of_a_manifest(tmp_path: Path) -> None:
    page = (PROJECT / "docs" / "candidates.md").read_text("utf-8")
    (text,) = (
        block
        for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
        if block.startswith("candidates:")
    )
    pack = make_pack(
        tmp_path / "pack", {"one": {"xg": file_of(DEMONSTRATION, ".xg")}}, **yaml.safe_load(text)
    )
    candidate = only(validate(pack, candidates=[str(file_of(DEMONSTRATION))]))
    assert (candidate.file, candidate.table, candidate.rules) == (
        "xg",
        "xg-blunderdb",
        "blunderdb-2026",
    )


SCRIPTS: dict[str, tuple[str, dict[str, dict[str, str | None]]]] = {
    "blunderDB": (
        "player,matches,decisions,checker_decisions,pr,pr_checker,pr_cube,snowie_er\n"
        "Ann,1,110,90,7.41,6.00,,5.2\nBob,1,100,80,8.20,7.00,3.10,5.9\n",
        {
            "Ann": {"pr": "7.41", "cube_pr": None, "decisions.checker": "90"},
            "Bob": {"pr": "8.20", "cube_pr": "3.10", "snowie_er": "5.9"},
        },
    ),
    "gnuBG": (
        "Game statistics for game 2\n\nPlayer                                   Ann                       Bob Byte\n"
        "Error total EMG (MWC)              -9.000 (-1.000%)         -9.000 (-1.000%)\n\n"
        "Match statistics\n\nPlayer                                   Ann                       Bob Byte\n"
        "Error total EMG (MWC)              -2.281 (-22.153%)         -0.411 ( -6.532%)\n"
        "Error rate mEMG (MWC)                     -16.3 ( -0.158%)          -3.6 ( -0.057%)\n"
        "Luck total EMG (MWC)               +1.743 (+20.512%)        -0.255 (  -5.106%)\n"
        "Snowie error rate                  -8.5                      -1.5\n",
        {
            "Ann": {
                "equity_error.total": "-2.281",
                "error_rate_memg": "-16.3",
                "luck.equity": "+1.743",
            },
            "Bob Byte": {"equity_error.total": "-0.411", "snowie_memg": "-1.5"},
        },
    ),
    "our sheet": (
        "Player;PR;Decisions;Remarks\nKévin;7,41;110;\n",
        {"Kévin": {"pr": "7.41", "decisions.counted": "110"}},
    ),
}


@pytest.mark.parametrize("program", SCRIPTS)
def test_script_of_the_documentation_makes_figures_of_other_texts(program: str) -> None:
    text, expected = SCRIPTS[program]
    page = (PROJECT / "docs" / "candidates.md").read_text("utf-8")
    scripts = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (script,) = (one for one in scripts if f'"program": "{program}"' in one)
    assert script.count("\n") <= 20
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", script],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    (claim,) = read_printed("printed", done.stdout.encode()).claims
    given = {(one.player, one.metric): (one.text or None) for one in claim.figures}
    assert claim.program == program
    for player, figures in expected.items():
        for metric, printed in figures.items():
            assert given[player, metric] == printed
