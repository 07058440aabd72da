"""A program with a mistake is never green where nobody chose a table: figures given plainly are
judged to their last printed digit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

import pytest

from reconcile.gate.manifest import load_pack
from reconcile.gate.validate import validate
from reconcile.infer.catalogue import program_figures
from reconcile.match.match import Match
from reconcile.report.ci.github import badge
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.metrics import METRICS
from tests.gate.candidates.judging import bound, run, shipped, tables
from tests.gate.candidates.samples import PACK, ZERO_PLY, loaded, written
from tests.support.long import long_but_first
from tests.support.planted import NAMED, PLANTED, Program

GIVEN: Final = (
    *("pr", "checker_pr", "cube_pr", "snowie_er"),
    *("decisions.counted", "decisions.checker", "decisions.double", "decisions.take"),
    *("equity_error.total", "mwc_loss_percent.total", "blunders.total", "luck.equity"),
)
"""Twelve figures, as many as a program prints in its summary."""
Given = Mapping[str, list[dict[str, str]]]


@cache
def matches():
    """A bundled match by id, as the gate holds a program against it."""
    outcome: dict[str, Match] = {}
    for folder, manifest in load_pack(PACK):
        paths = [
            folder / file.name
            for file in manifest.files.values()
            if file.name.endswith((".sgf", ".xg"))
        ]
        if paths and paths[0].exists():
            outcome[manifest.id] = loaded(paths[0])
    return outcome


def printed_by(program):
    built = {}
    for name, match in matches().items():
        (both,) = program.answers([match], own_rules(match))
        built[name] = [
            {
                metric: METRICS[metric].shown(entry[metric])
                for metric in GIVEN
                if entry.get(metric) is not None
            }
            for entry in both
        ]
    return built


@cache
def right():
    return printed_by(Program("is right"))


def document(of):
    listed = [
        {"match": name, "players": dict(zip(matches()[name].players, both, strict=True))}
        for name, both in of.items()
    ]
    return {"schema_version": 1, "program": "prog", "matches": listed}


def test_right_program_is_green_with_every_figure_judged_and_with_all_its_digits(
    tmp_path,
):
    """What a tool prints are sums in single precision, in which the seventh digit may be another
    one."""
    exact = {
        name: [
            {metric: value for metric, value in entry.items() if value is not None}
            for entry in program_figures(match, own_rules(match))
        ]
        for name, match in matches().items()
    }
    for figures, least in ((right(), 12 * len(matches())), (exact, 200)):
        path = written(tmp_path / "a.json", document(figures))
        result = validate(PACK, shipped(), candidates=[path])
        assert (result.exit_code(), result.summary.outside, result.faulty) == (0, 0, ())
        assert result.summary.given_judged > least
        assert figures is exact or result.summary.stated == result.summary.given_judged


CHECKED: Final[Mapping[str, str]] = {
    "p-q10": "Q10",
    "p-q15": "Q15",
    "p-luck-sign": "sign",
    "p-round-2": "rounded-errors",
    "p-round-3": "rounded-errors",
    "p-floor": "rounding",
}
"""What a check names of a planted fault; otherwise what the suite names may be named, and nothing
else."""
TRUE_TOO: Final[Mapping[str, str]] = {
    "p-redouble": "redouble-window-moved",
    "p-q16": "dead-cubes-counted",
    "p-largest": "level",
}
"""What is true of a planted fault as well, and shows in the figures of whole matches alone."""


@pytest.mark.parametrize("code", long_but_first(PLANTED, 1, 8))
def test_planted_fault_that_shows_is_never_green_and_never_named_falsely(code, tmp_path):
    wrong = printed_by(PLANTED[code])
    result = validate(
        PACK, shipped(), candidates=[written(tmp_path / "wrong.json", document(wrong))]
    )
    shows = wrong != right()
    assert (result.exit_code() == 1) == shows
    assert ("green" in badge(result).color) != shows
    named = [fault.code for entry in result.diagnoses for fault in entry.faults[:1]]
    named += [change.question for entry in result.diagnoses for change in entry.best.differences]
    assert set(named) <= {
        CHECKED.get(code),
        TRUE_TOO.get(code),
        *(entry.partition("=")[0] for entry in NAMED.get(code, ())),
    }
    assert named or not (shows and code in CHECKED)


def test_most_planted_faults_show_in_the_bundled_matches():
    """The others change no digit of these figures in any of the matches: there the program says
    nothing wrong."""
    shown = [code for code in PLANTED if printed_by(PLANTED[code]) != right()]
    assert 2 * len(shown) > len(PLANTED)


WIDE: Final = {"pr": 100, "decisions.counted": 1000, "equity_error.total": 100}


@pytest.fixture
def players_swapped(tmp_path):
    """Figures with the players swapped, and a table that finds nothing wrong with them."""
    both = [{name: entry[name] for name in WIDE} for entry in reversed(right()[ZERO_PLY.name])]
    own = tables(**{name: bound(abs=width) for name, width in WIDE.items()})
    tolerances = written(tmp_path / "wide.yaml", {"extends": "bundled"} | own)
    path = written(tmp_path / "a.json", document({ZERO_PLY.name: both}))
    return "--candidate", path, "--tolerances", tolerances, "--candidate-table", "one"


def test_named_mistake_within_a_wide_table_warns_and_fails_with_strict(players_swapped, tmp_path):
    names = ("badge", "junit")
    out = [f"--{name}={tmp_path / name}" for name in names]
    mild = run(ZERO_PLY, *players_swapped, *out, "--github")
    assert mild.exit_code == 0, mild.output
    assert "1 program with a mistake" in mild.output
    assert (
        f"::warning title={ZERO_PLY.name}%3A a mistake of candidate prog::"
        "prog: the players are swapped" in mild.stdout
    )
    built = {name: (tmp_path / name).read_text("utf-8") for name in names}
    assert '"yellow"' in built["badge"]
    assert "the players are swapped" in built["junit"]
    assert run(ZERO_PLY, *players_swapped, "--strict", *out).exit_code == 1
    assert 'type="fault"' in (tmp_path / "junit").read_text("utf-8")
