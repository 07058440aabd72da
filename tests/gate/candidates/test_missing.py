"""What a program lacks, or what nothing bounds of it, is never green: named in every output."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from reconcile.gap.tolerances import Tolerances
from reconcile.gate.measure import FEWEST
from reconcile.report.ci.github import badge
from tests.gate.candidates.judging import bound, codes, only, outputs, run, tables, validate
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    RICH,
    ZERO_PLY,
    file_of,
    loaded,
    make_pack,
    own,
    plain,
    written,
)

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
    # A null says that the program has no such figure.
    "a figure that is null": (lambda of: of[RICH.name]["Ben"].update(pr=None), []),
}


@pytest.mark.parametrize("vanished", CHANGES)
def test_what_vanishes_is_missing(vanished: str, two: Path, tmp_path: Path) -> None:
    change, lacking = CHANGES[vanished]
    figures = right()
    change(figures)
    path = written(tmp_path / "a.json", document(figures))
    result = validate(two, candidates=[path])
    assert [(member.match, member.player, member.figure) for member in result.missing] == lacking
    assert result.summary.missing == len(lacking)
    assert result.exit_code() == 0
    if vanished == "a figure that is null":
        assert result.summary.incomplete == 1
        return
    assert result.exit_code(strict=True) == bool(lacking)
    assert badge(result).color == ("yellow" if lacking else "brightgreen")
    shown = outputs(two, "--candidate", path, "--strict", "--github")
    forms = [shown.result.output, shown["result.md"], shown["site/index.html"]]
    assert all(("a.json gives no" in form) == bool(lacking) for form in forms)
    assert ("::error title=" in shown.result.stdout) == bool(lacking)
    assert shown["junit.xml"].count('type="missing"') == len(lacking)
    missing = shown.document["missing"]
    assert [(member["match"], member["player"], member["figure"]) for member in missing] == lacking


def test_only_what_the_reference_has_is_missing(two: Path, tmp_path: Path) -> None:
    """Ann never answers a double: nobody has a rate of her answers."""
    figures = {
        match: {
            player: {name: value for name, value in printed.items() if value is not None}
            for player, printed in players.items()
        }
        for match, players in right((*GIVEN, "cube_pr", "mwc_loss_percent.take")).items()
    }
    path = written(tmp_path / "a.json", document(figures))
    assert validate(two, candidates=[path]).missing == ()


def declared(pack: Path, folder: Path, **settings: Any) -> Path:
    """The pack with a `pack.yaml`."""
    copy = shutil.copytree(pack, folder / "declared")
    written(copy / "pack.yaml", {"schema_version": 1, "candidates": settings})
    return copy


def test_declared_printedfail_always_and_others_may_be_absent(two: Path, tmp_path: Path) -> None:
    pack = declared(two, tmp_path, figures=["pr", "decisions.counted"])
    figures = right()
    del figures[RICH.name]["Ben"]["equity_error.total"]
    path = written(tmp_path / "a.json", document(figures))
    assert validate(pack, candidates=[path]).missing == ()
    figures[RICH.name]["Ben"]["pr"] = None
    del figures[ZERO_PLY.name]["Bob m04"]
    result = validate(pack, candidates=[written(tmp_path / "a.json", document(figures))])
    assert {(member.player, member.figure) for member in result.missing} == {
        (BOB, None),
        ("Ben", "pr"),
    }
    assert (result.verdict, result.exit_code()) == ("outside", 1)
    del figures[ZERO_PLY.name]
    result = validate(pack, candidates=[written(tmp_path / "a.json", document(figures))])
    assert (ZERO_PLY.name, None) in [(member.match, member.player) for member in result.missing]
    shutil.rmtree(pack)
    assert "pack.yaml" in run(declared(two, tmp_path, figures=["prr"])).output


# -- digits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pr", "warns"),
    [("20", True), ("20.1", True), ("20.13", False), (20, True), (20.1, False), (20.13, False)],
)
def test_fewer_digits_than_the_reference_are_a_warning(
    pr: float | str, warns: bool, tmp_path: Path
) -> None:
    figures = {"match": ZERO_PLY.name, "players": {ALICE: {"pr": pr, "checker_pr": pr}}}
    candidate = only(validate(ZERO_PLY, candidates=[written(tmp_path / "a.json", plain(figures))]))
    assert ("candidate-digits" in codes(candidate)) == warns
    evidence = [
        member.evidence for member in candidate.findings if member.code == "candidate-digits"
    ]
    assert evidence == [f"pr of Alice m04 as {pr}, where 0.00 is usual; 1 more"] * warns


def test_pack_may_demand_digits(tmp_path: Path) -> None:
    pr = own(file_of(ZERO_PLY), 0)["pr"]
    figures = {"match": ZERO_PLY.name, "players": {ALICE: {"pr": f"{pr:.0f}"}}}
    path = written(tmp_path / "a.json", plain(figures))
    assert validate(ZERO_PLY, candidates=[path]).exit_code() == 0
    shutil.copytree(ZERO_PLY, tmp_path / "pack" / ZERO_PLY.name)
    pack = declared(tmp_path / "pack", tmp_path, digits={"pr": 2})
    assert validate(pack, candidates=[path]).exit_code() == 1


# -- what a program does not support, and what it has alone ---------------------------------------

ANSWERING = """import sys
unsupported = '{"unsupported": "no matches to 11 points"}'
print(unsupported if "11pt" in sys.argv[1] else open(sys.argv[2]).read())
"""


def test_command_may_say_that_it_does_not_support_a_match(two: Path, tmp_path: Path) -> None:
    figures = {ZERO_PLY.name: right()[ZERO_PLY.name]}
    answer = written(tmp_path / "answer.json", document(figures))
    program = written(tmp_path / "show.py", ANSWERING)
    command = f'"{sys.executable}" "{program}" {{match}} "{answer}"'
    result = validate(two, command=command)
    assert (result.missing, result.failed) == ((), ())
    assert (result.summary.unsupported, result.exit_code(strict=True)) == (1, 0)
    output = run(two, "--candidate-command", command).output
    assert "does not support it: no matches to 11 points" in output


def test_printedthat_no_reference_has_are_counted(tmp_path: Path) -> None:
    """Snowie's rules have no rate per decision."""
    path = written(tmp_path / "a.json", document({ZERO_PLY.name: right()[ZERO_PLY.name]}))
    result = validate(ZERO_PLY, candidates=[path], candidate_rules="snowie4")
    assert result.summary.given_alone == 2
    shown = run(ZERO_PLY, "--candidate", path, "--candidate-rules", "snowie4").output
    assert "2 given figures that no reference has" in shown


# -- what nothing bounds --------------------------------------------------------------------------

WRONG = 55.0
"""A PR that nobody has in this match."""
BOUNDED = {"snowie_er": bound(abs=0.5)}


@pytest.fixture
def unbounded(tmp_path: Path) -> tuple[Path, str, tuple[str, ...]]:
    """A pack, a candidate with figures of which a table bounds one, and the options for it."""
    pack = make_pack(tmp_path / "pack", {"one": {"gnubg": file_of(ZERO_PLY)}})
    snowie = own(file_of(ZERO_PLY), 0)["snowie_er"]
    alice = {"snowie_er": snowie, "pr": WRONG, "luck.equity": None}
    players = {ALICE: alice, BOB: {"pr": WRONG}}
    path = written(tmp_path / "wrong.json", plain({"players": players}))
    own_tables = written(tmp_path / "own.yaml", json.dumps(tables(**BOUNDED)))
    return pack, path, ("--tolerances", own_tables, "--candidate-table", "one")


def test_figure_without_a_bound_is_counted_and_not_bright(
    unbounded: tuple[Path, str, tuple[str, ...]],
) -> None:
    pack, path, _ = unbounded
    bounds = Tolerances.from_mapping(tables(**BOUNDED))
    result = validate(pack, bounds, candidates=[path], candidate_table="one")
    summary = result.summary
    assert (summary.stated, summary.given_judged, summary.unjudged) == (3, 1, 2)
    unjudged = [(member.player, member.metric, member.right) for member in only(result).unjudged]
    assert unjudged == [(ALICE, "pr", WRONG), (BOB, "pr", WRONG)]
    shown = badge(result)
    message = "1 of 1 within tolerance, 1 missing, 2 not judged"
    assert (shown.color, shown.message) == ("yellow", message)
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)
    off = Tolerances.from_mapping(tables(**BOUNDED, pr=bound(abs=0.5, level="off")))
    result = validate(pack, off, candidates=[path], candidate_table="one")
    notes = {member.note for member in only(result).unjudged}
    assert (notes, result.exit_code(strict=True)) == ({"table one has the level off for pr"}, 1)


@pytest.mark.parametrize(("strict", "tag"), [((), "skipped"), (("--strict",), "error")])
def test_every_output_names_what_is_not_judged(
    unbounded: tuple[Path, str, tuple[str, ...]], strict: tuple[str, ...], tag: str
) -> None:
    pack, path, options = unbounded
    shown = outputs(pack, "--candidate", path, *options, *strict, "--github")
    assert shown.result.exit_code == len(strict)
    index, markdown = shown["site/index.html"], shown["result.md"]
    text = run(pack, "--candidate", path, *options).output
    assert all("1 of 3 given figures judged" in form for form in (index, markdown, text))
    assert all("2 of 3 given figures, table one: pr" in form for form in (markdown, text))
    for page in (index, shown["site/one.html"]):
        assert "table one has no bound for pr" in page
        assert "55.00" in page
    keys = ("match", "candidate", "player", "metric", "given")
    unjudged = [tuple(member[key] for key in keys) for member in shown.document["unjudged"]]
    assert unjudged == [("one", "wrong.json", player, "pr", WRONG) for player in (ALICE, BOB)]
    annotations = shown.result.stdout
    assert ("::error " in annotations) == bool(strict)
    assert "table one has no bound for pr" in annotations
    cases = ET.fromstring(shown["junit.xml"]).findall(f".//{tag}[@type='unjudged']")
    message = "given 55.00, not judged: table one has no bound for pr"
    assert [message in member.attrib["message"] for member in cases] == [True, True]


@pytest.mark.long
def test_half_a_digit_is_never_too_wide_a_bound(tmp_path: Path) -> None:
    small = tmp_path / "small.sgf"
    small.write_bytes(file_of(ZERO_PLY).read_bytes().partition(b"\n(;")[0])
    files = {f"match-{number}": {"gnubg": small} for number in range(FEWEST)}
    pack = make_pack(tmp_path / "many", files)
    exact = own(small, 0, metrics=("checker_pr",))["checker_pr"]
    rate = min(
        (f"{exact:.{digits}f}" for digits in range(1, 8)),
        key=lambda text: abs(float(text) - exact) * 10 ** len(text),
    )
    figures = {ALICE: {"checker_pr": rate}}
    path = written(tmp_path / "a.json", document(dict.fromkeys(files, figures)))
    for entry, outcome in ((bound(abs=100.0), True), (bound(within="printed"), False)):
        bounds = Tolerances.from_mapping(tables(checker_pr=entry))
        result = validate(pack, bounds, candidates=[path], candidate_table="one")
        assert ("tolerance-too-wide" in {member.code for member in result.findings}) == outcome
