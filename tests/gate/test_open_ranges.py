"""A figure that an open rule leaves a range is judged as a range by `validate`, unless what the
tool itself reported decides the rule.

Counted by XG's rules, Ben's PR in the cube-rich match is 75.77 with 14 doubles, or 74.57 with 15:
nobody outside XG knows which no-doubles
of the losing side it counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import Figure
from reconcile.gate.validate import validate
from tests.gate.candidates.judging import only, run
from tests.gate.candidates.samples import RICH, file_of, make_pack, plain, written

pytestmark = pytest.mark.usefixtures("undiagnosed")
FEWER, MORE = {"pr": "75.77", "decisions.double": "14"}, {"pr": "74.57", "decisions.double": "15"}
"""What XG's window would show under either answer."""
BETWEEN = 75.0
SOURCE = "made up for a test, 2026-11-22"
PRINTED: dict[str, Any] = {"within": "printed", "level": "error", "reason": "r", "source": "s"}
WHOLE: dict[str, Any] = {"abs": 0, "level": "error", "reason": "r", "source": "s"}


def document(**entries: Any) -> dict[str, Any]:
    entries = entries or {"pr": PRINTED, "decisions.double": WHOLE}
    return {"schema_version": 1, "tables": {"one": {"title": "t", "entries": entries}}}


def tables(**entries: Any) -> Tolerances:
    return Tolerances.from_mapping(document(**entries))


def pack_of(folder: Path, **players: Mapping[str, str]) -> Path:
    """The match as if XG had analysed it, with what its window shows of the players."""
    entry = {
        "file": "gnubg",
        "rules": "xg",
        "table": "one",
        "source": SOURCE,
        "players": {name: dict(of) for name, of in players.items()},
    }
    return make_pack(
        folder / "pack",
        {"rich": {"gnubg": file_of(RICH)}},
        reported=[entry] if players else [],
        candidates={"rules": "xg"},
    )


def reported(
    folder: Path, tolerances: Tolerances | None = None, **printed: str
) -> dict[str, Figure]:
    (match,) = validate(
        pack_of(folder, Ben={name.replace("__", "."): text for name, text in printed.items()}),
        tolerances or tables(),
    ).matches
    (result,) = match.reported
    return {figure.name: figure for figure in (*result.figures, *result.shares)}


def candidate_figure(
    folder: Path,
    figures: Mapping[str, Any],
    tolerances: Tolerances | None = None,
    player: str = "Ben",
) -> Figure:
    """A candidate's figure, judged against a match of which nothing is reported."""
    folder.mkdir(exist_ok=True)
    path = written(folder / "a.json", plain({"players": {player: dict(figures)}}))
    (figure,) = only(
        validate(pack_of(folder), tolerances or tables(), candidates=[path], candidate_table="one")
    ).judged
    return figure


@pytest.mark.parametrize(
    ("pr", "verdict"),
    [
        ("75.77", "within"),
        ("74.57", "within"),
        ("75.00", "open"),
        ("75.79", "outside"),
        ("74.55", "outside"),
    ],
)
def test_reported_figure_is_within_if_one_answer_of_its_tool_gives_it(
    tmp_path: Path, pr: str, verdict: str
) -> None:
    assert reported(tmp_path, pr=pr)["pr"].verdict == verdict


def test_reported_figures_decide_the_answer_together_and_that_of_the_rule_set_needs_no_note(
    tmp_path: Path,
) -> None:
    figures = reported(tmp_path, pr=FEWER["pr"], decisions__double="14")
    assert [member.verdict for member in figures.values()] == ["within", "within"]
    assert figures["pr"].right == pytest.approx(75.7743, abs=1e-4)
    assert figures["decisions.double"].right == 14
    assert figures["pr"].gap_range is None
    assert (
        "which no-doubles of the losing side XG counts is not known; the reported figures agree "
        "with nd-positive" in figures["pr"].note
    )
    figures = reported(tmp_path / "usual", pr=MORE["pr"], decisions__double="15")
    assert [(member.verdict, member.right_range, member.note) for member in figures.values()] == [
        ("within", None, "")
    ] * 2


def test_figure_that_fits_another_answer_than_most_is_outside(tmp_path: Path) -> None:
    figures = reported(
        tmp_path,
        tables(**{"*": PRINTED}),
        pr=FEWER["pr"],
        decisions__double="15",
        decisions__counted="63",
    )
    assert (
        figures["pr"].verdict,
        figures["decisions.double"].verdict,
        figures["decisions.counted"].verdict,
    ) == (
        "outside",
        "within",
        "within",
    )


def test_figures_that_contradict_each_other_decide_nothing(tmp_path: Path) -> None:
    figures = reported(tmp_path, pr=FEWER["pr"], decisions__double="15")
    assert [member.verdict for member in figures.values()] == ["open", "open"]
    assert figures["decisions.double"].right_range == (14, 15)


def test_share_of_a_reported_figure_is_a_range_too(tmp_path: Path) -> None:
    figures = reported(
        tmp_path,
        tables(pr=PRINTED, **{"pr@reporting": WHOLE | {"abs": 0.1}, "pr@engine": WHOLE}),
        pr="75.00",
    )
    assert (figures["pr@reporting"].verdict, figures["pr@engine"].verdict) == ("open", "within")
    assert figures["pr@reporting"].gap_range == figures["pr"].gap_range


def test_candidate_is_judged_by_the_whole_range_and_within_where_it_is_near_enough_to_both_ends(
    tmp_path: Path,
) -> None:
    for pr, verdict in ((75.77, "open"), (74.5, "outside")):
        assert candidate_figure(tmp_path / str(pr), {"pr": pr}).verdict == verdict
    outcome = candidate_figure(tmp_path / "wide", {"pr": BETWEEN}, tables(pr=WHOLE | {"abs": 0.8}))
    assert outcome.verdict == "within"
    assert outcome.left_range == pytest.approx((74.5716, 75.7743), abs=1e-4)
    assert outcome.gap_range == pytest.approx((75.0 - 75.7743, 75.0 - 74.5716), abs=1e-4)


def test_unknown_figure_of_a_candidate_has_no_range(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.json", plain({"players": {"Ben": {"pr": None, "decisions.double": 14}}})
    )
    figures = only(
        validate(pack_of(tmp_path), tables(), candidates=[path], candidate_table="one")
    ).judged
    assert [(member.verdict, member.gap_range) for member in figures] == [
        ("incomplete", None),
        ("open", (-1, 0)),
    ]


def test_candidate_against_what_the_tool_reported_is_judged_as_a_number(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", plain({"players": {"Ben": {"pr": BETWEEN}}}))
    pack = pack_of(tmp_path, Ben={"pr": FEWER["pr"]})
    (outcome,) = only(validate(pack, tables(), candidates=[path], candidate_table="one")).judged
    assert (outcome.left, outcome.left_range, outcome.verdict) == (75.77, None, "outside")


@pytest.fixture
def options(tmp_path: Path) -> list[str | Path]:
    """A run with one open figure of a candidate and one that the tool reported."""
    (tmp_path / "t.yaml").write_text(yaml.safe_dump(document()), "utf-8")
    candidate = written(tmp_path / "a.json", plain({"players": {"Ben": {"decisions.double": 14}}}))
    pack = pack_of(tmp_path, Ben={"pr": "75.00"})
    return [
        pack,
        "--tolerances",
        tmp_path / "t.yaml",
        "--candidate",
        candidate,
        "--candidate-table",
        "one",
    ]


def test_open_figures_are_a_warning_and_fail_with_strict(
    options: list[str | Path], tmp_path: Path
) -> None:
    assert [
        run(*options, *more).exit_code for more in ((), ("--fail-on", "warn"), ("--strict",))
    ] == [0, 0, 1]
    run(*options, "--json", tmp_path / "out.json")
    outcome = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert (
        outcome["verdict"],
        outcome["summary"]["open"],
        outcome["summary"]["within"],
        outcome["summary"]["outside"],
    ) == ("within", 2, 0, 0)
    (figure,) = outcome["matches"][0]["reported"][0]["figures"]
    assert (figure["verdict"], figure["gap_range"]) == (
        "open",
        pytest.approx([-0.4284, 0.7743], abs=1e-4),
    )


def test_every_output_says_open_and_shows_the_range(
    options: list[str | Path], tmp_path: Path
) -> None:
    files = {
        "--junit": "a.xml",
        "--markdown": "a.md",
        "--badge": "badge.json",
    }
    more = [part for option, name in files.items() for part in (option, tmp_path / name)]
    text = run(*options, *more, "--html", tmp_path / "site").output
    shown = {
        name: (tmp_path / name).read_text("utf-8")
        for name in ("a.xml", "a.md", "site/index.html", "site/rich.html")
    }
    shown |= {"text": text, "github": run(*options, "--github").output}
    for name, form in shown.items():
        assert "74.57 to 75.77" in form, name
        assert "14 to 15" in form, name
        assert (
            "</svg>open</span>" if name == "site/rich.html" else "a rule is not known"
        ) in form, name
    assert (
        json.loads((tmp_path / "badge.json").read_text("utf-8"))["message"]
        == "2 of 2 open, 1 missing"
    )
    assert json.loads((tmp_path / "badge.json").read_text("utf-8"))["color"] == "yellow"
