"""A program with a mistake is never green where nobody chose a table: figures given plainly are
judged to their last printed digit. What is named of it is true."""

from functools import cache
from pathlib import Path

import pytest

from reconcile.gap.verdict import OUTSIDE
from reconcile.gate.manifest import load_pack
from reconcile.gate.validate import validate
from tests.gate.candidates.judging import outputs, run, shipped
from tests.gate.candidates.samples import PACK, ZERO_PLY, loaded, of_matches, written
from tests.gate.right_programs import ADDING, PRINTING, printed
from tests.gate.wrong_programs import FAULTS, answer
from tests.support.long import long_but_first
from tests.support.tolerance_files import bound, tables


@cache
def files():
    """A bundled file of each match by id, as the gate holds a program against it."""
    outcome = {}
    for folder, manifest in load_pack(PACK):
        names = (file.name for file in manifest.files.values())
        paths = [folder / name for name in names if name.endswith((".sgf", ".xg"))]
        if paths and paths[0].exists():
            outcome[manifest.id] = paths[0]
    return outcome


def given(name):
    """What one of the wrong programs prints of every match."""
    return {match: answer(name, path) for match, path in files().items()}


def document(of, program="prog"):
    return of_matches(of, program=program, version="1")


WAYS = [(printing, adding) for adding in ADDING for printing in PRINTING]
PROGRAMS = long_but_first(WAYS[::4] + [way for number, way in enumerate(WAYS) if number % 4], 7, 16)
"""Each way of adding up and each way of printing, and then every pair."""


@pytest.mark.parametrize(("printing", "adding"), PROGRAMS)
def test_right_programs_are_green(adding, printing, tmp_path):
    figures = {name: printed(loaded(path), adding, printing) for name, path in files().items()}
    path = written(tmp_path / "a.json", document(figures))
    result = validate(PACK, shipped(), candidates=[path])
    off = [
        (match.id, figure.name, figure.player, figure.left, figure.right, figure.tolerance)
        for match in result.matches
        for candidate in match.candidates
        for figure in candidate.figures
        if figure.verdict == OUTSIDE
    ]
    assert not off
    assert result.exit_code() == 0


NAMED = {
    "PR per 1000": "per-1000",
    "the last game is lost": "game-missing",
    "luck of the other player": "players-exchanged",
    "both players together": "both-players",
}
"""The wrong programs that do nothing else than a transformation, in all matches and figures;
`tests/infer/test_program.py` has the other transformations."""


@pytest.mark.parametrize("most", long_but_first([6, len(FAULTS)]))
def test_wrong_programs_are_red_and_none_is_named_falsely(most, tmp_path):
    asked = [*FAULTS][:most]
    paths = [
        written(tmp_path / f"{number}.json", document(given(name), name))
        for number, name in enumerate(asked)
    ]
    result = validate(PACK, shipped(), candidates=paths)
    red = {
        candidate.candidate
        for match in result.matches
        for candidate in match.candidates
        if any(figure.verdict == OUTSIDE for figure in candidate.figures)
    }
    assert red == {*asked} - {"nothing"}
    named = {entry.program: entry.transformation for entry in result.diagnoses}
    assert {name: code for name, code in named.items() if code} == {
        name: code for name, code in NAMED.items() if name in asked
    }
    off = {group.sentence.partition(":")[0] for group in result.groups}
    assert off == red


def test_named_mistake_within_a_wide_table_warns_and_fails_with_strict(tmp_path):
    """Figures with the players exchanged, and a table that finds nothing wrong with them."""
    bounds = {"pr": 100, "decisions.counted": 1000, "equity_error.total": 100}
    right = given("nothing")[ZERO_PLY.name]
    others = zip(right, reversed(right.values()), strict=True)
    both = {player: {name: entry[name] for name in bounds} for player, entry in others}
    own = tables(**{name: bound(abs=width) for name, width in bounds.items()})
    table = written(tmp_path / "wide.yaml", {"extends": "bundled"} | own)
    path = written(tmp_path / "a.json", document({ZERO_PLY.name: both}))
    words = ("--candidate", path, "--tolerances", table, "--candidate-table", "one")
    mild = outputs(ZERO_PLY, *words, "--github")
    assert mild.result.exit_code == 0, mild.result.output
    assert "1 program with a mistake" in mild.result.output
    assert (
        f"::warning title={ZERO_PLY.name}%3A a mistake of candidate prog::"
        "prog: all its figures are of the other player" in mild.result.stdout
    )
    assert '"yellow"' in mild["badge.json"]
    assert "of the other player" in mild["junit.xml"]
    assert run(ZERO_PLY, *words, "--strict", "--junit", "junit").exit_code == 1
    assert 'type="fault"' in Path("junit").read_text("utf-8")
