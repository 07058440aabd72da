"""Manifests whose figures are held against a file of rules: found in the pack alone, and faults in
it have its line."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from reconcile.files.bundled import bundled
from reconcile.formats import load_match
from reconcile.gap.verdict import OUTSIDE, WITHIN
from reconcile.gate.manifest import MANIFEST
from reconcile.gate.validate import validate
from reconcile.rules.rulesets import rule_set
from reconcile.scoring.statistics import statistics
from tests.support.command_line import ERROR, run

MATCH = bundled("reference_matches") / "gnubg-3pt-2ply"


@pytest.fixture
def manifest(tmp_path: Path, elsewhere: None) -> Path:
    """The manifest of a pack of one match that names the file `ours.yaml`, which is not there."""
    shutil.copytree(MATCH, tmp_path / "pack" / MATCH.name)
    path = tmp_path / "pack" / MATCH.name / MANIFEST
    text = path.read_text("utf-8")
    assert "rules: gnubg" in text
    path.write_text(text.replace("rules: gnubg", "rules: ours.yaml", 1), "utf-8")
    return path


@pytest.mark.parametrize("place", ["beside", "in the pack"])
def test_file_of_rules_counts_as_it_says_under_its_own_name(manifest: Path, place: str) -> None:
    folder = manifest.parent if place == "beside" else manifest.parent.parent
    (folder / "ours.yaml").write_text("extends: gnubg\n", "utf-8")
    before = validate(MATCH)
    after = validate(manifest.parent.parent)
    assert [
        [entry.rules for entry in result.matches[0].reported] for result in (before, after)
    ] == [
        ["gnubg"],
        ["ours"],
    ]
    assert before.matches[0].reported[0].figures == after.matches[0].reported[0].figures
    (folder / "ours.yaml").write_text("extends: gnubg\nanswers:\n  Q01: all-plies\n", "utf-8")
    figures = validate(manifest.parent.parent).matches[0].reported[0].figures
    (match,) = manifest.parent.glob("*.sgf")
    rules = rule_set("gnubg").switched("Q01", "all-plies")
    seats = {
        name: statistics(load_match(match), rules).figures(seat)
        for seat, name in enumerate(load_match(match).players)
    }
    assert {figure.right for figure in figures} == {
        seats[figure.player][figure.metric] for figure in figures
    }
    assert figures != after.matches[0].reported[0].figures


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "ours.yaml",
            "expected a file beside the manifest or in the folder above, found no 'ours.yaml'",
        ),
        ("../../ours.yaml", "expected a plain file name inside the pack"),
        ("/etc/ours.yml", "expected a plain file name inside the pack"),
    ],
)
def test_file_of_rules_that_is_not_in_the_pack_is_refused_with_the_line(
    manifest: Path, name: str, words: str
) -> None:
    text = manifest.read_text("utf-8").replace("rules: ours.yaml", f"rules: {name}")
    manifest.write_text(text, "utf-8")
    (manifest.parent.parent.parent / "ours.yaml").write_text("extends: gnubg\n", "utf-8")
    done = run("validate", str(manifest.parent.parent))
    line = text[: text.index(f"rules: {name}")].count("\n") + 1
    assert (done.exit_code, done.stderr.count("\n")) == (ERROR, 1)
    assert f"{manifest}:{line}: reported.0.rules: {words}" in done.stderr


XG_COUNTS = (
    '{"schema_version": 1, "matches": [{"match": "gnubg-3pt-2ply", '
    '"players": {"Alice m26": {"decisions": %d}}}]}'
)
PACK_WIDE = "schema_version: 1\ncandidates:\n  rules: ours.yaml\n  table: counts-exact\n"


@pytest.mark.parametrize("words", ["by an option", "in the pack", "in the manifest too"])
def test_figures_of_a_program_are_held_against_the_rules_that_are_named_for_all_matches(
    tmp_path: Path, words: str
) -> None:
    shutil.copytree(MATCH, tmp_path / "pack" / MATCH.name)
    rules = rule_set("gnubg").switched("Q01", "all-plies")
    (match,) = MATCH.glob("*.sgf")
    counted = statistics(load_match(match), rules).figures(0)["decisions.counted"]
    assert counted != statistics(load_match(match), "gnubg").figures(0)["decisions.counted"]
    (tmp_path / "figures.json").write_text(XG_COUNTS % counted, "utf-8")
    ours = tmp_path / ("ours.yaml" if words == "by an option" else "pack/ours.yaml")
    ours.write_text("extends: gnubg\nanswers:\n  Q01: all-plies\n", "utf-8")
    options: dict[str, Any] = {"candidate_rules": str(ours), "candidate_table": "counts-exact"}
    if words != "by an option":
        (tmp_path / "pack" / "pack.yaml").write_text(PACK_WIDE, "utf-8")
        options = {}
    if words == "in the manifest too":
        path = tmp_path / "pack" / MATCH.name / MANIFEST
        path.write_text(path.read_text("utf-8") + "candidates: {rules: gnubg}\n", "utf-8")
    result = validate(tmp_path / "pack", candidates=[tmp_path / "figures.json"], **options)
    ((candidate,),) = (entry.candidates for entry in result.matches)
    expected = ("gnubg", OUTSIDE) if words == "in the manifest too" else ("ours", WITHIN)
    assert (candidate.rules, candidate.figures[0].verdict, candidate.table) == (
        *expected,
        "counts-exact",
    )
    assert all(
        figure.verdict == WITHIN
        for entry in result.matches
        for reported in entry.reported
        for figure in reported.figures
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            PACK_WIDE,
            "pack.yaml:3: candidates.rules: expected a file beside it, found no 'ours.yaml'",
        ),
        (
            PACK_WIDE.replace("ours.yaml", "nobodys"),
            "pack.yaml:3: candidates.rules: unknown rule set",
        ),
        (PACK_WIDE + "  file: xg\n", "pack.yaml:5: candidates.file: no such key is known here"),
    ],
)
def test_bad_file_of_a_pack_is_refused_with_the_line(
    tmp_path: Path, elsewhere: None, text: str, words: str
) -> None:
    shutil.copytree(MATCH, tmp_path / "pack" / MATCH.name)
    (tmp_path / "pack" / "pack.yaml").write_text(text, "utf-8")
    done = run("validate", str(tmp_path / "pack"))
    assert (done.exit_code, done.stderr.count("\n")) == (ERROR, 1)
    assert words in done.stderr


def test_file_of_rules_of_the_pack_is_found_for_a_single_match(manifest: Path) -> None:
    (manifest.parent.parent / "ours.yaml").write_text("extends: gnubg\n", "utf-8")
    assert validate(manifest.parent).matches[0].reported[0].rules == "ours"


def test_fault_in_a_file_of_rules_is_told_with_its_line(manifest: Path) -> None:
    (manifest.parent / "ours.yaml").write_text("extends: gnubg\nanswers: {Q04: ja}\n", "utf-8")
    done = run("validate", str(manifest.parent.parent))
    assert (done.exit_code, done.stderr.count("\n")) == (ERROR, 1)
    assert (
        f"{manifest.parent / 'ours.yaml'}:2: answers.Q04: no answer 'ja', expected one of yes, "
        in done.stderr
    )


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_file_of_rules_that_is_a_link_out_of_the_pack_is_refused_unread(
    manifest: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("extends: secret\n", "utf-8")
    (manifest.parent / "ours.yaml").symlink_to(tmp_path / "secret")
    done = run("validate", str(manifest.parent.parent))
    assert done.exit_code == ERROR
    assert "ours.yaml: expected a file inside the pack, found a link out of it" in done.stderr
    assert "secret" not in done.stderr
