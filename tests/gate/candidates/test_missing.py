"""What a program gives of one player or match and not of another is never green: named in every output, and a failure with `--strict`."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from reconcile.report.ci.github import badge
from tests.gate.candidates.judging import codes, only, run, validate
from tests.gate.candidates.samples import RICH, ZERO_PLY, file_of, loaded, own, plain, written
from tests.support.schemas import faults

pytestmark = pytest.mark.usefixtures("undiagnosed")
GIVEN = ("pr", "decisions.counted", "equity_error.total")
Players = dict[str, dict[str, Any]]
Matches = dict[str, Players]


def right(names: tuple[str, ...] = GIVEN) -> Matches:
    """What gnuBG's rules give of two matches."""
    return {
        folder.name: {
            name: own(file_of(folder), seat, metrics=names)
            for seat, name in enumerate(loaded(file_of(folder)).players)
        }
        for folder in (ZERO_PLY, RICH)
    }


def document(matches: Mapping[str, Players]) -> dict[str, Any]:
    return plain(*({"match": match, "players": players} for match, players in matches.items()))


CHANGES: dict[str, tuple[Callable[[Matches], Any], list[tuple[str, str | None, str | None]]]] = {
    "a player": (lambda of: of[RICH.name].pop("Ben"), [(RICH.name, "Ben", None)]),
    "a figure of a player": (
        lambda of: of[RICH.name]["Ben"].pop("pr"),
        [(RICH.name, "Ben", "pr")],
    ),
    "two figures of both": (
        lambda of: [
            of[RICH.name][name].pop(metric) for name in ("Ann", "Ben") for metric in GIVEN[1:]
        ],
        [
            (RICH.name, name, metric)
            for name in ("Ann", "Ben")
            for metric in ("decisions", "equity_error")
        ],
    ),
    "a match": (lambda of: of.pop(RICH.name), [(RICH.name, None, None)]),
    "nothing": (lambda of: None, []),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_vanishes_is_missing(what: str, two: Path, tmp_path: Path) -> None:
    change, lacking = CHANGES[what]
    figures = right()
    change(figures)
    path = written(tmp_path / "a.json", document(figures))
    result = validate(two, candidates=[path])
    assert [(one.match, one.player, one.figure) for one in result.missing] == lacking
    assert result.summary.missing == len(lacking)
    assert result.exit_code() == 0
    assert result.exit_code(strict=True) == bool(lacking)
    assert badge(result).color == ("yellow" if lacking else "brightgreen")
    outputs = {"--junit": "a.xml", "--markdown": "a.md", "--json": "b.json", "--html": "site"}
    words = [part for option, name in outputs.items() for part in (option, str(tmp_path / name))]
    shown = run(two, "--candidate", path, *words, "--strict", "--github").output
    forms = [shown, *((tmp_path / name).read_text("utf-8") for name in ("a.md", "site/index.html"))]
    assert all(("a.json gives no" in form) == bool(lacking) for form in forms)
    assert ("::error title=" in shown) == bool(lacking)
    failures = (tmp_path / "a.xml").read_text("utf-8").count('type="missing"')
    assert failures == len(lacking)
    tree = json.loads((tmp_path / "b.json").read_text("utf-8"))
    assert faults("validation", tree) == []
    assert [(one["match"], one["player"], one["figure"]) for one in tree["missing"]] == lacking


def test_only_what_the_reference_has_is_missing(two: Path, tmp_path: Path) -> None:
    """Ann never answers a double: nobody has a rate of her answers, and a program that says nothing of it lacks nothing."""
    figures = right((*GIVEN, "cube_pr", "mwc_loss_percent.take"))
    for players in figures.values():
        for player in players.values():
            for name in [name for name, value in player.items() if value is None]:
                del player[name]
    path = written(tmp_path / "a.json", document(figures))
    assert validate(two, candidates=[path]).missing == ()


def test_null_is_incomplete_and_not_missing_unless_it_is_declared(
    two: Path, tmp_path: Path
) -> None:
    figures = right()
    figures[RICH.name]["Ben"]["pr"] = None
    path = written(tmp_path / "a.json", document(figures))
    result = validate(two, candidates=[path])
    assert (result.missing, result.summary.incomplete) == ((), 1)


def declared(pack: Path, folder: Path, **settings: Any) -> Path:
    """The pack with a `pack.yaml`."""
    copy = folder / "declared"
    copy.mkdir()
    for match in pack.iterdir():
        shutil.copytree(match, copy / match.name)
    written(copy / "pack.yaml", {"schema_version": 1, "candidates": settings})
    return copy


def test_declared_figures_fail_always_and_others_may_be_absent(two: Path, tmp_path: Path) -> None:
    pack = declared(two, tmp_path, figures=["pr", "decisions.counted"])
    figures = right()
    del figures[RICH.name]["Ben"]["equity_error.total"]
    path = written(tmp_path / "a.json", document(figures))
    assert validate(pack, candidates=[path]).missing == ()
    figures[RICH.name]["Ben"]["pr"] = None
    del figures[ZERO_PLY.name]["Bob m04"]
    result = validate(pack, candidates=[written(tmp_path / "a.json", document(figures))])
    assert {(one.player, one.figure) for one in result.missing} == {
        ("Bob m04", None),
        ("Ben", "pr"),
    }
    assert (result.verdict, result.exit_code()) == ("outside", 1)
    del figures[ZERO_PLY.name]
    result = validate(pack, candidates=[written(tmp_path / "a.json", document(figures))])
    assert (ZERO_PLY.name, None) in [(one.match, one.player) for one in result.missing]


def test_declared_figure_that_there_is_not_is_refused_with_its_line(
    two: Path, tmp_path: Path
) -> None:
    pack = declared(two, tmp_path, figures=["prr"])
    assert "pack.yaml" in run(pack).output


# -- digits -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "warns"),
    [("20", True), ("20.1", True), ("20.13", False), (20, True), (20.1, False), (20.13, False)],
)
def test_fewer_digits_than_the_reference_are_a_warning(
    given: float | str, warns: bool, tmp_path: Path
) -> None:
    figures = {"match": ZERO_PLY.name, "players": {"Alice m04": {"pr": given}}}
    candidate = only(validate(ZERO_PLY, candidates=[written(tmp_path / "a.json", plain(figures))]))
    assert ("candidate-digits" in codes(candidate)) == warns


def test_pack_may_demand_digits(tmp_path: Path) -> None:
    pr = own(file_of(ZERO_PLY), 0)["pr"]
    figures = {"match": ZERO_PLY.name, "players": {"Alice m04": {"pr": f"{pr:.0f}"}}}
    path = written(tmp_path / "a.json", plain(figures))
    assert validate(ZERO_PLY, candidates=[path]).exit_code() == 0
    (folder := tmp_path / "pack").mkdir()
    shutil.copytree(ZERO_PLY, folder / ZERO_PLY.name)
    pack = declared(folder, tmp_path, digits={"pr": 2})
    assert validate(pack, candidates=[path]).exit_code() == 1


# -- what a program does not support, and what it has alone -------------------------------------------------------------

ANSWERING = """import json, sys
if sys.argv[1] == "gnubg-11pt-cube-rich":
    print('{"unsupported": "no matches to 11 points"}')
else:
    print(sys.argv[2])
"""


def test_command_may_say_that_it_does_not_support_a_match(two: Path, tmp_path: Path) -> None:
    figures = right()
    del figures[RICH.name]
    program = written(tmp_path / "program.py", ANSWERING)
    answer = written(tmp_path / "answer.json", document(figures))
    shown = written(
        tmp_path / "show.py",
        ANSWERING.replace("print(sys.argv[2])", "print(open(sys.argv[2]).read())"),
    )
    assert program != shown
    command = f'"{sys.executable}" "{shown}" {{match}} "{answer}"'
    result = validate(two, command=command)
    assert (result.missing, result.failed) == ((), ())
    assert (result.summary.unsupported, result.exit_code(strict=True)) == (1, 0)
    assert (
        "does not support it: no matches to 11 points"
        in run(two, "--candidate-command", command).output
    )


def test_figures_that_no_reference_has_are_counted(tmp_path: Path) -> None:
    """Snowie's rules have no rate per decision."""
    figures = {"match": ZERO_PLY.name, "players": right()[ZERO_PLY.name]}
    path = written(tmp_path / "a.json", plain(figures))
    result = validate(ZERO_PLY, candidates=[path], candidate_rules="snowie4")
    assert result.summary.given_alone == 2
    shown = run(ZERO_PLY, "--candidate", path, "--candidate-rules", "snowie4").output
    assert "2 given figures that no reference has" in shown
