"""A figure that a candidate gives and nothing bounds is counted, named and never bright green, in every output."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import OUTSIDE, UNGATED
from reconcile.gate.measure import FEWEST
from reconcile.report.ci.github import badge
from reconcile.scoring.metrics import METRICS
from tests.gate.candidates.judging import match_of, only, run, validate
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    ZERO_PLY,
    file_of,
    make_pack,
    own,
    plain,
    written,
)
from tests.support.schemas import faults

pytestmark = pytest.mark.usefixtures("undiagnosed")
WRONG = 55.0
"""A PR that nobody has in this match."""
BOUNDED = {"snowie_er": {"abs": 0.5, "level": "error", "reason": "for a test", "source": "a test"}}
OFF = {"pr": {"abs": 0.5, "level": "off", "reason": "for a test", "source": "a test"}}


def tables(**entries: object) -> Tolerances:
    return Tolerances.from_mapping(
        {"schema_version": 1, "tables": {"one": {"title": "for a test", "entries": entries}}}
    )


@pytest.fixture
def given(tmp_path: Path) -> str:
    right = own(file_of(ZERO_PLY), 0)
    players = {
        ALICE: {"snowie_er": right["snowie_er"], "pr": WRONG, "luck.equity": None},
        BOB: {"pr": WRONG},
    }
    return written(tmp_path / "wrong.json", plain({"players": players}))


@pytest.fixture
def options(tmp_path: Path) -> tuple[str, ...]:
    path = written(
        tmp_path / "own.yaml",
        json.dumps({"schema_version": 1, "tables": {"one": {"title": "a", "entries": BOUNDED}}}),
    )
    return "--tolerances", path, "--candidate-table", "one"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A match of which nothing was reported, so that its tables judge candidates alone."""
    return make_pack(tmp_path / "pack", {"one": {"gnubg": file_of(ZERO_PLY)}})


def test_given_figures_are_counted_and_an_unknown_one_is_not_given_nor_a_green_one_bright(
    pack: Path, given: str
) -> None:
    result = validate(pack, tables(**BOUNDED), candidates=[given], candidate_table="one")
    counts = {key: getattr(result.summary, key) for key in ("stated", "given_judged", "unjudged")}
    assert counts == {"stated": 3, "given_judged": 1, "unjudged": 2}
    assert [(one.player, one.metric, one.right) for one in only(result).unjudged] == [
        (ALICE, "pr", WRONG),
        (BOB, "pr", WRONG),
    ]
    assert {one.verdict for one in only(result).unjudged} == {UNGATED}
    assert len(list(match_of(result, "one").figures)) == 1
    assert (badge(result).color, badge(result).message) == (
        "yellow",
        "1 of 1 within tolerance, 1 missing, 2 not judged",
    )  # and not bright
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)


def test_level_off_judges_nothing_and_says_so(pack: Path, given: str) -> None:
    result = validate(pack, tables(**BOUNDED, **OFF), candidates=[given], candidate_table="one")
    assert {one.note for one in only(result).unjudged} == {"table one has the level off for pr"}
    assert result.exit_code(strict=True) == 1


def test_every_output_names_what_is_not_judged(
    pack: Path, given: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    written_to = (
        "--html",
        "site",
        "--markdown",
        "a.md",
        "--junit",
        "a.xml",
        "--json",
        "a.json",
        "--github",
    )
    result = run(pack, "--candidate", given, *options, *written_to)
    assert result.exit_code == 0
    index = (tmp_path / "site" / "index.html").read_text("utf-8")
    markdown = (tmp_path / "a.md").read_text("utf-8")
    plain_text = run(pack, "--candidate", given, *options).output
    for text in (index, markdown, plain_text):
        assert "1 of 3 given figures judged" in text
    for text in (markdown, plain_text):
        assert "2 of 3 given figures, table one: pr" in text
    for text in (index, (tmp_path / "site" / "one.html").read_text("utf-8")):
        assert "table one has no bound for pr" in text
        assert "55.00" in text
    document = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert faults("validation", document) == []
    assert [
        (one["match"], one["candidate"], one["player"], one["metric"], one["given"])
        for one in document["unjudged"]
    ] == [("one", "wrong.json", player, "pr", WRONG) for player in (ALICE, BOB)]
    warning, _ = (text for text in result.output.splitlines() if text.startswith("::warning"))
    assert "2 given figures not judged" in warning
    assert "table one has no bound for pr" in warning


@pytest.mark.parametrize(("strict", "tag"), [(False, "skipped"), (True, "error")])
def test_gates_skip_it_with_the_reason_and_fail_where_they_are_strict(
    pack: Path, given: str, options: tuple[str, ...], tmp_path: Path, strict: bool, tag: str
) -> None:
    arguments = (
        "--candidate",
        given,
        *options,
        "--junit",
        "a.xml",
        "--github",
        *(["--strict"] if strict else []),
    )
    result = run(pack, *arguments)
    assert result.exit_code == int(strict)
    found = ET.parse(tmp_path / "a.xml").getroot().findall(f".//{tag}[@type='unjudged']")
    assert len(found) == 2
    assert all(
        "given 55.00, not judged: table one has no bound for pr" in one.attrib["message"]
        for one in found
    )
    assert ("::error " in result.output) == strict


def test_absurd_figure_fails_by_default_whatever_the_tool_of_the_reference(
    pack: Path, tmp_path: Path
) -> None:
    for metrics in ([*METRICS], ["pr"]):
        given = written(
            tmp_path / "absurd.json", plain({"players": {ALICE: dict.fromkeys(metrics, 5_000_000)}})
        )
        candidate = only(validate(pack, candidates=[given]))
        assert (candidate.table, {one.verdict for one in candidate.figures}) == (
            "printed",
            {OUTSIDE},
        )
        assert (
            len(candidate.figures) > len(metrics) / 2
        )  # gnuBG has not all of them, and the match is not finished


def test_figure_is_bounded_by_the_digits_with_which_it_is_given(pack: Path, tmp_path: Path) -> None:
    rate = own(file_of(ZERO_PLY), 0, metrics=("checker_pr",))["checker_pr"]
    for digits, off, code in ((2, 0.0, 0), (2, 0.01, 1), (1, 0.0, 0), (5, 0.0, 0), (5, 0.00002, 1)):
        given = written(
            tmp_path / "a.json",
            plain({"players": {ALICE: {"checker_pr": f"{rate + off:.{digits}f}"}}}),
        )
        result = run(pack, "--candidate", given, "--candidate-table", "printed")
        assert (
            result.exit_code,
            "outside: candidate a.json: PR of checker plays  Alice m04" in result.output,
        ) == (code, bool(code))


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
    entries = {"checker_pr": {"abs": 100.0, "level": "error", "reason": "r", "source": "s"}}
    given = written(
        tmp_path / "a.json",
        plain(*({"match": name, "players": {ALICE: {"checker_pr": rate}}} for name in files)),
    )
    assert "tolerance-too-wide" in {
        one.code
        for one in validate(
            pack, tables(**entries), candidates=[given], candidate_table="one"
        ).findings
    }
    wide = tables(checker_pr={"within": "printed", "level": "error", "reason": "r", "source": "s"})
    assert not validate(pack, wide, candidates=[given], candidate_table="one").findings
