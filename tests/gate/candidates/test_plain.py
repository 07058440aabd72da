"""Figures: JSON and CSV say the same, tolerances judge them, and an unknown figure stays unknown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from reconcile.errors import InvalidConfiguration, NothingToCompare
from reconcile.gap.verdict import INCOMPLETE, WITHIN
from reconcile.gate.candidates.read import read_candidates
from tests.gate.candidates.judging import only, run, validate
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    PACK,
    ZERO_PLY,
    file_of,
    make_pack,
    own,
    plain,
    written,
)
from tests.support.data import PROJECT
from tests.support.schemas import faults

pytestmark = pytest.mark.usefixtures("undiagnosed")
FIGURES = {
    ALICE: {"pr": 20.13, "snowie_er": "21.08", "decisions": 55},
    BOB: {"mwc_loss_percent": "-1.5%", "luck.equity": -0.25},
}


def as_csv(players: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [
        f'"{player}",{metric},"{figure}"'
        for player, printed in players.items()
        for metric, figure in printed.items()
    ]
    return "player,metric,figure\n" + "\n".join(lines) + "\n"


def test_json_and_csv_say_the_same(tmp_path: Path) -> None:
    tree = plain({"match": ZERO_PLY.name, "players": FIGURES})
    files = {
        "a.json": json.dumps(tree),
        "a.csv": as_csv(FIGURES),
        "bom.csv": "\ufeff" + as_csv(FIGURES).replace("\n", "\r\n"),
    }
    said = [
        validate(ZERO_PLY, candidates=[written(tmp_path / name, text)])
        for name, text in files.items()
    ]
    figures = [
        [(one.metric, one.player, one.right, one.verdict) for one in only(result).figures]
        for result in said
    ]
    assert all(one == figures[0] for one in figures)
    assert [one[:3] for one in figures[0]] == [
        ("pr", ALICE, 20.13),
        ("snowie_er", ALICE, 21.08),
        ("decisions.counted", ALICE, 55),
        ("mwc_loss_percent.total", BOB, 1.5),
        ("luck.equity", BOB, -0.25),
    ]


def test_null_is_incomplete_and_never_zero(tmp_path: Path) -> None:
    players = {
        ALICE: {
            "snowie_er": None,
            "checker_pr": own(file_of(ZERO_PLY), 0, metrics=("checker_pr",))["checker_pr"],
        }
    }
    given = written(tmp_path / "a.json", plain({"players": players}))
    result = validate(ZERO_PLY, candidates=[given])
    assert {one.metric: one.verdict for one in only(result).figures} == {
        "snowie_er": INCOMPLETE,
        "checker_pr": WITHIN,
    }
    assert only(result).figures[0].coverage == "missing in the candidate"
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)


def test_candidate_without_one_figure_that_is_judged_is_nothing_to_compare(tmp_path: Path) -> None:
    given = written(tmp_path / "a.json", plain({"players": {ALICE: {"pr": 3.5}}}))
    with pytest.raises(
        NothingToCompare, match=r"a\.json: table gnubg-blunderdb has no bound for pr"
    ):
        validate(ZERO_PLY, candidates=[given], candidate_table="gnubg-blunderdb")
    assert (
        run(
            ZERO_PLY, "--candidate", given, "--candidate-table", "gnubg-blunderdb", "--exit-zero"
        ).exit_code
        == 2
    )


def test_table_and_rules_of_the_manifest_judge(tmp_path: Path) -> None:
    path = file_of(ZERO_PLY)
    given = written(
        tmp_path / "a.json",
        plain({"players": {ALICE: own(path, 0, "blunderdb", ("pr", "decisions.counted"))}}),
    )
    settings = {"file": "gnubg", "table": "xg-blunderdb", "rules": "blunderdb"}
    pack = make_pack(tmp_path / "pack", {"one": {"gnubg": path}}, candidates=settings)
    candidate = only(validate(pack, candidates=[given]))
    assert (candidate.rules, candidate.table) == ("blunderdb", "xg-blunderdb")
    assert {one.gap for one in candidate.figures} == {0.0}
    assert (
        only(validate(pack, candidates=[given], candidate_table="documented")).table == "documented"
    )


@pytest.mark.parametrize(
    "settings", [{"file": "xg"}, {"rules": "snowflake"}, {"tables": "documented"}]
)
def test_spoilt_settings_of_a_manifest_are_refused(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    pack = make_pack(tmp_path / "pack", {"one": {"gnubg": file_of(ZERO_PLY)}}, candidates=settings)
    with pytest.raises(InvalidConfiguration, match=r"match\.yaml:\d+: candidates"):
        validate(
            pack,
            candidates=[
                written(tmp_path / "a.json", plain({"players": {ALICE: {"snowie_er": 1}}}))
            ],
        )


def test_unknown_table_for_candidates_is_told(tmp_path: Path) -> None:
    given = written(tmp_path / "a.json", plain({"players": {ALICE: {"snowie_er": 1}}}))
    result = run(ZERO_PLY, "--candidate", given, "--candidate-table", "snowflake")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "snowflake" in result.stderr


def test_schema_of_the_plain_format_agrees_with_the_reader(tmp_path: Path) -> None:
    good = plain(
        {
            "match": ZERO_PLY.name,
            "length": 7,
            "analysis": "gnubg",
            "opponent": BOB,
            "players": {ALICE: {"snowie_er": None, "pr": "1.5"}},
        }
    )
    assert faults("figures", good) == []
    assert read_candidates([written(tmp_path / "a.json", good)])[0].claims
    spoilt: list[Callable[[dict[str, Any]], Any]] = [
        lambda tree: tree.update(schema_version=2),
        lambda tree: tree.update(matches=[]),
        lambda tree: tree.update(note="x"),
        lambda tree: tree["matches"][0].update(players={}),
        lambda tree: tree["matches"][0].update(length=0),
        lambda tree: tree["matches"][0].update(analysis="snowie"),
        lambda tree: tree["matches"][0]["players"][ALICE].update(prr=1),
        lambda tree: tree["matches"][0]["players"][ALICE].update(pr=[1]),
        lambda tree: tree["matches"][0]["players"][ALICE].update(pr="many"),
        lambda tree: tree["matches"][0]["players"][ALICE].update(pr="1,5"),
        lambda tree: tree["matches"][0]["players"].update(B={"pr": 1}, C={"pr": 1}),
    ]
    for change in spoilt:
        tree = json.loads(json.dumps(good))
        change(tree)
        assert faults("figures", tree)
        with pytest.raises(InvalidConfiguration):
            read_candidates([written(tmp_path / "a.json", tree)])


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_examples_of_the_documentation_are_right(tmp_path: Path, kind: str) -> None:
    page = (PROJECT / "docs" / "candidates.md").read_text("utf-8")
    blocks = re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL)
    (text,) = (block for block in blocks if not block.startswith(("candidates:", "match,game")))
    result = validate(PACK, candidates=[written(tmp_path / f"example.{kind}", text)])
    figures = [
        one
        for match in result.matches
        for candidate in match.candidates
        for one in candidate.judged
    ]
    assert {one.verdict for one in figures} == {WITHIN, INCOMPLETE}
    assert result.not_compared == ()
