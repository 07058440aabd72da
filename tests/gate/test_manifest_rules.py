"""Manifests whose figures are held against a file of rules: found in the pack alone, and faults in
it have its line."""

import sys
from typing import Any

import pytest

from reconcile.files.bundled import bundled
from reconcile.formats import load_match
from reconcile.gap.verdict import OUTSIDE, WITHIN
from reconcile.gate.manifest import MANIFEST
from reconcile.gate.validate import validate
from reconcile.rules.rulesets import rule_set
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.samples import of_matches, written
from tests.support.command_line import refused
from tests.support.packs import pack_of

MATCH = bundled("reference_matches") / "gnubg-3pt-2ply"
OURS = "extends: gnubg\nanswers:\n  Q01: all-plies\n"


@pytest.fixture
def manifest(tmp_path, elsewhere):
    """The manifest of a pack of one match that names the file `ours.yaml`, which is not there."""
    path = pack_of(tmp_path / "pack", MATCH.name) / MATCH.name / MANIFEST
    path.write_text(path.read_text("utf-8").replace("rules: gnubg", "rules: ours.yaml", 1), "utf-8")
    return path


def computed(rules="gnubg", answer=""):
    """The figures of both players, counted by rules with another answer to Q01."""
    counted = rule_set(rules).switched("Q01", answer) if answer else rule_set(rules)
    (match,) = MATCH.glob("*.sgf")
    scored = statistics(load_match(match), counted)
    return [dict(scored.figures(seat)) for seat in (0, 1)]


@pytest.mark.parametrize("place", ["beside", "in the pack"])
def test_file_of_rules_counts_as_it_says_under_its_own_name(manifest, place):
    folder = manifest.parent if place == "beside" else manifest.parent.parent
    for text, answer in (("extends: gnubg\n", ""), (OURS, "all-plies")):
        (folder / "ours.yaml").write_text(text, "utf-8")
        for pack in (manifest.parent.parent, manifest.parent):  # also for a single match
            (entry,) = validate(pack).matches[0].reported
            players, figures = ("Alice m26", "Bob m26"), computed(answer=answer)
            assert entry.rules == "ours"
            assert all(
                figure.right == figures[players.index(figure.player)][figure.metric]
                for figure in entry.figures
            )


ABSENT = "expected a file beside it or in the folder above, found no 'ours.yaml'"
REFUSED = [
    ("ours.yaml", "", f"{MATCH.name}/match.yaml:LINE: reported.0.rules: {ABSENT}"),
    ("../../ours.yaml", "", "match.yaml:LINE: reported.0.rules: expected a plain file name inside"),
    ("gnubg", "  rules: ours.yaml\n", "pack.yaml:3: candidates.rules: expected a file beside it"),
    ("gnubg", "  rules: nobodys\n", "pack.yaml:3: candidates.rules: unknown rule set"),
    ("gnubg", "  file: xg\n", "pack.yaml:3: candidates.file: no such key is known here"),
]


@pytest.mark.parametrize(("name", "of_pack", "words"), REFUSED)
def test_file_of_rules_that_is_not_in_the_pack_is_refused_with_the_line(
    manifest, name, of_pack, words
):
    text = manifest.read_text("utf-8").replace("rules: ours.yaml", f"rules: {name}")
    manifest.write_text(text, "utf-8")
    pack = manifest.parent.parent
    (pack.parent / "ours.yaml").write_text("extends: gnubg\n", "utf-8")
    if of_pack:
        (pack / "pack.yaml").write_text(f"schema_version: 1\ncandidates:\n{of_pack}", "utf-8")
    line = str(text[: text.index(f"rules: {name}")].count("\n") + 1)
    assert words.replace("LINE", line) in refused("validate", pack)


def claimed(folder, number):
    """A file in which a program counts so many decisions of Alice's."""
    figures = of_matches({MATCH.name: {"Alice m26": {"decisions": number}}})
    return written(folder / "figures.json", figures)


@pytest.mark.parametrize("words", ["by an option", "in the pack", "in the manifest too"])
def test_figures_of_a_program_are_held_against_the_rules_that_are_named_for_all_matches(
    tmp_path, words
):
    pack, table = pack_of(tmp_path / "pack", MATCH.name), "counts-exact"
    counted = computed(answer="all-plies")[0]["decisions.counted"]
    assert counted != computed()[0]["decisions.counted"]
    figures = claimed(tmp_path, counted)
    ours = tmp_path / ("ours.yaml" if words == "by an option" else "pack/ours.yaml")
    ours.write_text(OURS, "utf-8")
    options: dict[str, Any] = {"candidate_rules": str(ours), "candidate_table": table}
    if words != "by an option":
        wide = f"schema_version: 1\ncandidates:\n  rules: ours.yaml\n  table: {table}\n"
        (pack / "pack.yaml").write_text(wide, "utf-8")
        options = {}
    if words == "in the manifest too":
        with (pack / MATCH.name / MANIFEST).open("a", encoding="utf-8") as file:
            file.write("candidates: {rules: gnubg}\n")
    (match,) = validate(pack, candidates=[figures], **options).matches
    (candidate,) = match.candidates
    expected = ("gnubg", OUTSIDE) if words == "in the manifest too" else ("ours", WITHIN)
    shown = (candidate.rules, candidate.figures[0].verdict, candidate.table)
    assert shown == (*expected, table)
    assert {figure.verdict for entry in match.reported for figure in entry.figures} == {WITHIN}


@pytest.mark.parametrize("place", ["pack/t.yaml", "t.yaml"])
def test_pack_names_its_tolerances_and_how_long_a_program_may_take(tmp_path, place):
    pack = pack_of(tmp_path / "pack", MATCH.name)
    settings = "tolerances: t.yaml\ncandidates: {table: mine, timeout: 0.001}\n"
    (pack / "pack.yaml").write_text(f"schema_version: 1\n{settings}", "utf-8")
    told = "pack.yaml:2: tolerances: expected a file beside it or in the folder above"
    assert told in refused("validate", pack)
    entry = "{abs: 2, level: error, reason: r, source: s}"
    text = f"{{title: t, entries: {{decisions.counted: {entry}}}}}"
    tables = f"schema_version: 1\nextends: bundled\ntables: {{mine: {text}}}\n"
    (tmp_path / place).write_text(tables, "utf-8")
    for folder in (pack, pack / MATCH.name):
        (match,) = validate(folder, candidates=[claimed(tmp_path, 58)]).matches
        assert match.candidates[0].figures[0].verdict == WITHIN
    command = f'"{sys.executable}" -c "import time; time.sleep(60)" {{file}}'
    (failed,) = validate(pack, command=command).failed
    assert "0.001 seconds" in str(failed)


def test_fault_in_a_file_of_rules_is_told_with_its_line(manifest):
    (manifest.parent / "ours.yaml").write_text("extends: gnubg\nanswers: {Q04: ja}\n", "utf-8")
    wrong = "ours.yaml:2: answers.Q04: no answer 'ja', expected one of yes, "
    assert f"{manifest.parent}/{wrong}" in refused("validate", manifest.parent.parent)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_file_of_rules_that_is_a_link_out_of_the_pack_is_refused_unread(manifest, tmp_path):
    (tmp_path / "secret").write_text("extends: secret\n", "utf-8")
    (manifest.parent / "ours.yaml").symlink_to(tmp_path / "secret")
    line = refused("validate", manifest.parent.parent)
    assert "secret" not in line
    assert "ours.yaml: expected a file inside the pack, found a link out of it" in line
