"""What a program lacks, or what nothing bounds of it, is never green: named in every output."""

import json
import shutil
import sys
from xml.etree import ElementTree as ET

import pytest

from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import UNGATED
from reconcile.report.ci import badge
from reconcile.scoring.figures import ALIASES
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    RICH,
    ZERO_PLY,
    file_of,
    loaded,
    make_pack,
    of_figures,
    of_matches,
    only,
    outputs,
    own,
    plain,
    run,
    validate,
    written,
)
from tests.support.packs import pack_of
from tests.support.tolerance_files import bound, tables

GIVEN = ("pr", "decisions.counted", "equity_error.total")


def right(names=GIVEN):
    """What gnuBG's rules give of two matches."""
    return {
        folder.name: {
            name: own(file_of(folder), seat, metrics=names)
            for seat, name in enumerate(loaded(file_of(folder)).players)
        }
        for folder in (ZERO_PLY, RICH)
    }


VANISHED: dict[str, list[tuple[str | None, str | None]]] = {
    "a player": [("Ben", None)],
    "a figure of a player": [("Ben", "pr")],
    "a figure of both": [("Ann", "decisions"), ("Ben", "decisions")],
    "a match": [(None, None)],
    "nothing": [],
}


@pytest.mark.parametrize("vanished", VANISHED)
def test_what_vanishes_is_missing_in_every_output(vanished, two, tmp_path):
    lacking, figures = VANISHED[vanished], right()
    for player, figure in lacking:
        if figure:
            del figures[RICH.name][str(player)][ALIASES.get(figure, figure)]
        elif player:
            del figures[RICH.name][player]
        else:
            del figures[RICH.name]
    path = written(tmp_path / "a.json", of_matches(figures))
    result = validate(two, candidates=[path])
    expected = [(RICH.name, *lack) for lack in lacking]
    assert [(each.match, each.player, each.figure) for each in result.missing] == expected
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, bool(lacking))
    assert badge(result).color == ("yellow" if lacking else "brightgreen")
    shown = outputs(two, "--candidate", path, "--strict", "--github")
    forms = [shown.result.output, shown["result.md"], shown["site/index.html"]]
    assert all(("a.json gives no" in form) == bool(lacking) for form in forms)
    assert ("::error title=" in shown.result.stdout) == bool(lacking)
    assert shown["junit.xml"].count('type="missing"') == len(lacking)
    tree = shown.document
    cells = [len(GIVEN) ** (not figure) * 2 ** (not player) for player, figure in lacking]
    assert tree["summary"]["missing"] == sum(cells)
    assert [(each["match"], each["player"], each["figure"]) for each in tree["missing"]] == expected


def test_null_and_what_the_reference_lacks_are_not_missing(two, tmp_path):
    """Ann never answers a double: nobody has a rate of her answers."""
    figures = right((*GIVEN, "cube_pr", "mwc_loss_percent.take"))
    for players in figures.values():
        for printed in players.values():
            for name in [name for name, value in printed.items() if value is None]:
                del printed[name]
    figures[RICH.name]["Ben"]["pr"] = None
    result = validate(two, candidates=[written(tmp_path / "a.json", of_matches(figures))])
    assert (result.missing, result.summary.incomplete) == ((), 1)


def declared(pack, folder, **settings):
    """The pack with a `pack.yaml`."""
    copy = shutil.copytree(pack, folder / "declared", dirs_exist_ok=True)
    written(copy / "pack.yaml", {"schema_version": 1, "candidates": settings})
    return copy


def test_what_is_declared_fails_always_and_other_figures_may_be_absent(two, tmp_path):
    pack, figures = declared(two, tmp_path, figures=["pr", "decisions.counted"]), right()

    def lacking():
        result = validate(pack, candidates=[written(tmp_path / "a.json", of_matches(figures))])
        return {(each.player, each.figure) for each in result.missing}, result.exit_code()

    del figures[RICH.name]["Ben"]["equity_error.total"]
    assert lacking() == (set(), 0)
    figures[RICH.name]["Ben"]["pr"] = None
    del figures[ZERO_PLY.name][BOB]
    assert lacking() == ({(BOB, None), ("Ben", "pr")}, 1)
    del figures[ZERO_PLY.name]
    assert (None, None) in lacking()[0]
    assert "pack.yaml" in run(declared(two, tmp_path, figures=["prr"])).output


# -- digits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pr", "warns"),
    [("20.1", True), ("20.13", False), (20.1, False), (20.13, False)],
)
def test_fewer_digits_than_the_reference_are_a_warning(pr, warns, tmp_path):
    candidate = only(of_figures(tmp_path, {ALICE: {"pr": pr, "checker_pr": pr}}))
    evidence = [each.evidence for each in candidate.findings if each.code == "candidate-digits"]
    assert evidence == [f"pr of Alice m04 as {pr}, where 0.00 is usual; 1 more"] * warns


@pytest.mark.parametrize(("pr", "others"), [("20", True), (20, True), (20, False), (0, True)])
def test_nothing_is_judged_by_one_digit_unless_json_lost_its_zeros(pr, others, tmp_path):
    other = {BOB: {"pr": 5 if others else 5.5}}
    whose = {ALICE: {"pr": pr, "snowie_er": 1.5}, **other}
    figure = only(of_figures(tmp_path, whose)).figures[0]
    is_one_digit = (bool(pr) and others) or isinstance(pr, str)
    assert (figure.verdict == UNGATED, "one digit" in figure.note) == (is_one_digit, is_one_digit)


def test_pack_may_demand_digits(tmp_path):
    players = {ALICE: {"pr": f"{own(file_of(ZERO_PLY), 0)['pr']:.1f}"}}
    pack = declared(pack_of(tmp_path / "pack", ZERO_PLY.name), tmp_path, digits={"pr": 2})
    codes_ = [of_figures(tmp_path, players, each).exit_code() for each in (ZERO_PLY, pack)]
    assert codes_ == [0, 1]


# -- what a program does not support, and what it has alone ---------------------------------------

ANSWERING = """import sys
unsupported = '{"unsupported": "no matches to 11 points"}'
print(unsupported if "11pt" in sys.argv[1] else open(sys.argv[2]).read())
"""


def test_command_may_say_that_it_does_not_support_a_match(two, tmp_path):
    answer = written(tmp_path / "a.json", of_matches({ZERO_PLY.name: right()[ZERO_PLY.name]}))
    program = written(tmp_path / "show.py", ANSWERING)
    command = f'"{sys.executable}" "{program}" {{match}} "{answer}"'
    result = validate(two, command=command)
    assert (result.missing, result.failed) == ((), ())
    assert (result.summary.unsupported, result.exit_code(strict=True)) == (2 * len(GIVEN), 0)
    output = run(two, "--candidate-command", command).output
    assert "does not support it: no matches to 11 points" in output


def test_figures_that_no_reference_has_are_counted(tmp_path):
    """Snowie's rules have no rate per decision."""
    path = written(tmp_path / "a.json", of_matches({ZERO_PLY.name: right()[ZERO_PLY.name]}))
    shown = run(ZERO_PLY, "--candidate", path, "--candidate-rules", "snowie4").output
    assert "2 incomparable" in shown


# -- what nothing bounds --------------------------------------------------------------------------

WRONG = 55.0
"""A PR that nobody has in this match."""
BOUNDED = {"snowie_er": bound(abs=0.5)}


@pytest.fixture
def unbounded(tmp_path):
    """A pack, a candidate with figures of which a table bounds one, and the options for it."""
    pack = make_pack(tmp_path / "pack", {"one": {"gnubg": file_of(ZERO_PLY)}})
    alice = {"snowie_er": own(file_of(ZERO_PLY), 0)["snowie_er"], "pr": WRONG, "luck.equity": None}
    path = written(tmp_path / "a.json", plain({"players": {ALICE: alice, BOB: {"pr": WRONG}}}))
    own_tables = written(tmp_path / "own.yaml", json.dumps(tables(**BOUNDED)))
    return pack, path, ("--tolerances", own_tables, "--candidate-table", "one")


@pytest.mark.parametrize(
    ("more", "note"),
    [
        ({}, "table one has no bound for pr"),
        ({"pr": bound(abs=0.5, level="off")}, "table one has the level off for pr"),
    ],
)
def test_figure_without_a_bound_is_counted_and_not_bright(more, note, unbounded):
    pack, path, _ = unbounded
    bounds = Tolerances.from_mapping(tables(**BOUNDED, **more))
    result = validate(pack, bounds, candidates=[path], candidate_table="one")
    summary = result.summary
    assert (summary.judged, summary.incomparable) == (1, 2)
    (match,) = result.matches
    unjudged = [(cell.player, cell.name, cell.value, cell.reason) for cell in match.unjudged]
    assert unjudged == [(ALICE, "pr", WRONG, note), (BOB, "pr", WRONG, note)]
    shown = badge(result)
    message = "1 of 1 within tolerance, 1 missing, 2 not judged"
    assert (shown.color, shown.message) == ("yellow", message)
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)


@pytest.mark.parametrize(("strict", "tag"), [((), "skipped"), (("--strict",), "error")])
def test_every_output_names_what_is_not_judged(unbounded, strict, tag):
    pack, path, options = unbounded
    shown = outputs(pack, "--candidate", path, *options, *strict, "--github")
    assert shown.result.exit_code == len(strict)
    index, markdown = shown["site/index.html"], shown["result.md"]
    text = run(pack, "--candidate", path, *options).output
    assert all("2 incomparable" in form for form in (index, markdown, text))
    assert all("2 of 3 given figures, table one: pr" in form for form in (markdown, text))
    for page in (index, shown["site/one.html"]):
        assert "table one has no bound for pr" in page
    assert "55.00" in shown["site/one.html"]
    keys = ("match", "candidate", "player", "metric", "given")
    unjudged = [tuple(each[key] for key in keys) for each in shown.document["unjudged"]]
    assert unjudged == [("one", "a.json", player, "pr", WRONG) for player in (ALICE, BOB)]
    annotations = shown.result.stdout
    assert ("::error " in annotations) == bool(strict)
    assert "table one has no bound for pr" in annotations
    skipped = ET.fromstring(shown["junit.xml"]).findall(f".//{tag}[@type='unjudged']")
    message = "given 55.00, not judged: table one has no bound for pr"
    assert [message in each.attrib["message"] for each in skipped] == [True, True]
