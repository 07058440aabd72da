"""What the outputs tell of candidates, and the settings that a manifest has for them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml

from reconcile.document import dumps
from tests.gate.candidates.judging import only, run, validate
from tests.gate.candidates.samples import (
    ALICE,
    DEMONSTRATION,
    ZERO_PLY,
    file_of,
    loaded,
    make_pack,
    mistakes,
    own,
    plain,
    play_text,
    written,
)
from tests.support.data import PROJECT
from tests.support.schemas import faults


def several(tmp_path: Path) -> list[str]:
    """Candidates of every kind of result: totals, decisions, a position, and something that is about no match."""
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
        written(tmp_path / "position.txt", play_text(match, mistakes(match)[0])),
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
        "position.txt",
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
