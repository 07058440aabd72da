"""A program with a mistake is never green where nobody chose a table: figures given plainly are
judged to their last printed digit. What is named of it is true."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from reconcile.gap.verdict import OUTSIDE
from reconcile.gate.manifest import load_pack
from reconcile.gate.validate import validate
from reconcile.rules.rulesets import own_rules
from tests.gate.candidates.samples import (
    PACK,
    ZERO_PLY,
    loaded,
    of_matches,
    outputs,
    run,
    shipped,
    written,
)
from tests.gate.wrong_programs import CLASSES, FAULTS, PLAY, answer, decisions
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


# -- right programs: three ways of adding up, and nine of printing


def double(values, _games):
    return float(np.sum(values))


def single(values, _games):
    total = np.float32(0)
    for value in values:
        total += np.float32(value)
    return total


def single_by_game(values, games):
    total = np.float32(0)
    for game in np.unique(games):
        total += single(values[games == game], games)
    return total


ADDING = {"double": double, "single": single, "single by game": single_by_game}


def rounded(mode, digits):
    return lambda value: str(Decimal(str(value)).quantize(Decimal(1).scaleb(-digits), mode))


def negative(value):
    """A loss as some programs print it."""
    return f"\N{MINUS SIGN}{value:.3f}"


PRINTING = {
    "all digits": float,
    "all digits as text": lambda value: repr(value.item() if hasattr(value, "item") else value),
    "shortest of its precision": str,
    "%.6g": lambda value: f"{value:.6g}",
    "%.7g": lambda value: float(f"{value:.7g}"),
    "%.9f": lambda value: f"{value:.9f}",
    "half up": rounded(ROUND_HALF_UP, 2),
    "half even": rounded(ROUND_HALF_EVEN, 3),
    "minus signs": negative,
}


def printed(match, adding, printing):
    """What a program prints of a match, by player."""
    rules = own_rules(match).for_match(match)[0]
    rows, add, show = decisions(match, rules), ADDING[adding], PRINTING[printing]
    rolls = ((rows.kind == PLAY) & rows.rolled).sum()
    both: dict[str, dict[str, int | str | None]] = {}
    for seat, name in enumerate(match.players):
        own = rows[rows.player == seat]
        games, number = own.game.to_numpy(), int(own.counted.sum())
        lost = add(own.error.to_numpy(), games)
        kind = type(lost)
        figures = {
            "equity_error.total": lost,
            "pr": kind(500) * lost / kind(number),
            "error_rate_memg": kind(1000) * lost / kind(number),
            "snowie_er": kind(500) * lost / kind(rolls),
        }
        for part, kinds in CLASSES.items():
            among = own.kind.isin(kinds)
            figures[f"equity_error.{part}"] = add(own.error[among].to_numpy(), games[among])
        if match.length:
            chance = add(own.loss.to_numpy(), games)
            figures["mwc_loss_percent.total"] = kind(100) * chance
        both[name] = {"decisions.counted": number}
        both[name] |= {name: show(value) for name, value in figures.items()}
        both[name]["mwc_loss_percent.total"] = both[name].get("mwc_loss_percent.total")
    return both


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
