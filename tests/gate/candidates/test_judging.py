"""Which match and player a claim is about, what judges its figures; nothing is guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from reconcile.errors import InvalidConfiguration, NothingToCompare
from reconcile.gap.verdict import INCOMPLETE, OUTSIDE, WITHIN
from reconcile.gate.judged_figures import pack_parts
from reconcile.scoring.metrics import METRICS
from tests.gate.candidates.judging import only, refused, run, validate
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    DEMONSTRATION,
    PACK,
    ZERO_PLY,
    file_of,
    make_pack,
    own,
    plain,
    written,
)
from tests.gate.cases import cases
from tests.support.data import PROJECT

pytestmark = pytest.mark.usefixtures("undiagnosed")
FIGURES = {
    ALICE: {"pr": 20.13, "snowie_er": "21.08", "decisions": 55},
    BOB: {"mwc_loss_percent": "-1.5%", "luck.equity": -0.25},
}


def figures(folder: Path, players: Mapping[str, Any], **match: Any) -> str:
    return written(folder / "a.json", plain({**match, "players": players}))


def test_json_and_csv_say_the_same(tmp_path: Path) -> None:
    lines = [
        f'"{player}",{metric},"{figure}"'
        for player, printed in FIGURES.items()
        for metric, figure in printed.items()
    ]
    table = "\n".join(["player,metric,figure", *lines, ""])
    files = {
        "a.json": json.dumps(plain({"match": ZERO_PLY.name, "players": FIGURES})),
        "a.csv": table,
        "bom.csv": "\ufeff" + table.replace("\n", "\r\n"),
    }
    for name, text in files.items():
        candidate = only(validate(ZERO_PLY, candidates=[written(tmp_path / name, text)]))
        assert [(entry.metric, entry.player, entry.right) for entry in candidate.figures] == [
            ("pr", ALICE, 20.13),
            ("snowie_er", ALICE, 21.08),
            ("decisions.counted", ALICE, 55),
            ("mwc_loss_percent.total", BOB, 1.5),
            ("luck.equity", BOB, -0.25),
        ]


# -- what judges ----------------------------------------------------------------------------------


def test_null_is_incomplete_and_never_zero(tmp_path: Path) -> None:
    right = own(file_of(ZERO_PLY), 0, metrics=("checker_pr",))
    path = figures(tmp_path, {ALICE: {"snowie_er": None, **right}})
    result = validate(ZERO_PLY, candidates=[path])
    verdicts = {entry.metric: entry.verdict for entry in only(result).figures}
    assert verdicts == {"snowie_er": INCOMPLETE, "checker_pr": WITHIN}
    assert only(result).figures[0].coverage == "missing in the candidate"
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)


def test_absurd_figure_fails_by_default(tmp_path: Path) -> None:
    for metrics in ([*METRICS], ["pr"]):
        path = figures(tmp_path, {ALICE: dict.fromkeys(metrics, 5_000_000)})
        candidate = only(validate(ZERO_PLY, candidates=[path]))
        verdicts = {entry.verdict for entry in candidate.figures}
        assert (candidate.table, verdicts) == ("printed", {OUTSIDE})
        assert len(candidate.figures) > len(metrics) / 2  # gnuBG has not all of them


def test_figure_is_bounded_by_the_digits_with_which_it_is_given(tmp_path: Path) -> None:
    rate = own(file_of(ZERO_PLY), 0, metrics=("checker_pr",))["checker_pr"]
    for digits, off, code in ((2, 0.0, 0), (2, 0.01, 1), (1, 0.0, 0), (5, 0.0, 0), (5, 0.00002, 1)):
        path = figures(tmp_path, {ALICE: {"checker_pr": f"{rate + off:.{digits}f}"}})
        result = run(ZERO_PLY, "--candidate", path, "--candidate-table", "printed")
        line = "outside: candidate a.json: PR of checker plays  Alice m04"
        assert (result.exit_code, line in result.output) == (code, bool(code))


def test_candidate_without_one_figure_that_is_judged_is_nothing_to_compare(tmp_path: Path) -> None:
    path = figures(tmp_path, {ALICE: {"pr": 3.5}})
    table = "gnubg-blunderdb"
    words = rf"a\.json: table {table} has no bound for pr"
    with pytest.raises(NothingToCompare, match=words):
        validate(ZERO_PLY, candidates=[path], candidate_table=table)
    done = run(ZERO_PLY, "--candidate", path, "--candidate-table", table, "--exit-zero")
    assert done.exit_code == 2
    done = run(ZERO_PLY, "--candidate", path, "--candidate-table", "snowflake")
    assert (done.exit_code, done.stdout, "snowflake" in done.stderr) == (2, "", True)


def test_table_and_rules_of_the_manifest_judge(tmp_path: Path) -> None:
    path = file_of(ZERO_PLY)
    right = own(path, 0, "blunderdb", ("pr", "decisions.counted"))
    settings = {"file": "gnubg", "table": "xg-blunderdb", "rules": "blunderdb"}
    pack = make_pack(tmp_path / "pack", {"one": {"gnubg": path}}, candidates=settings)
    word = figures(tmp_path, {ALICE: right})
    candidate = only(validate(pack, candidates=[word]))
    assert (candidate.rules, candidate.table) == ("blunderdb", "xg-blunderdb")
    assert {entry.gap for entry in candidate.figures} == {0.0}
    chosen = only(validate(pack, candidates=[word], candidate_table="documented"))
    assert chosen.table == "documented"


@pytest.mark.parametrize(
    "settings", [{"file": "xg"}, {"rules": "snowflake"}, {"tables": "documented"}]
)
def test_spoilt_settings_of_a_manifest_are_refused(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    pack = make_pack(tmp_path / "pack", {"one": {"gnubg": file_of(ZERO_PLY)}}, candidates=settings)
    word = figures(tmp_path, {ALICE: {"snowie_er": 1}})
    with pytest.raises(InvalidConfiguration, match=r"match\.yaml:\d+: candidates"):
        validate(pack, candidates=[word])


def blocks(kind: str, begin: str = "") -> list[str]:
    """Examples of the documentation."""
    page = (PROJECT / "docs" / "candidates.md").read_text("utf-8")
    every = re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL)
    return [block for block in every if block.startswith(begin)]


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_examples_of_the_documentation_are_right(tmp_path: Path, kind: str) -> None:
    rest = ("candidates:", "match,game")
    (text,) = (block for block in blocks(kind) if not block.startswith(rest))
    result = validate(PACK, candidates=[written(tmp_path / f"example.{kind}", text)])
    candidates = [candidate for match in result.matches for candidate in match.candidates]
    verdicts = {figure.verdict for candidate in candidates for figure in candidate.judged}
    assert verdicts == {WITHIN, INCOMPLETE}
    assert result.not_compared == ()


def test_settings_of_the_documentation_are_those_of_a_manifest(tmp_path: Path) -> None:
    (text,) = blocks("yaml", "candidates:")
    files = {"one": {"xg": file_of(DEMONSTRATION, ".xg")}}
    pack = make_pack(tmp_path / "pack", files, **yaml.safe_load(text))
    candidate = only(validate(pack, candidates=[str(file_of(DEMONSTRATION))]))
    facts = candidate.file, candidate.table, candidate.rules
    assert facts == ("xg", "xg-blunderdb", "blunderdb-2026")


# -- which match, which player --------------------------------------------------------------------


def test_players_are_found_in_either_order_and_without_case_and_accents(
    tmp_path: Path, two: Path
) -> None:
    for names in ((ALICE, BOB), (BOB, ALICE), ("ALICE_M04", "bob  M04"), ("Àlice m04", "Bob")):
        players = {
            name: own(file_of(ZERO_PLY), 0 if name[0] in "AÀ" else 1, metrics=("snowie_er",))
            for name in names
        }
        result = validate(two, candidates=[figures(tmp_path, players)])
        assert [entry.verdict for entry in only(result).figures] == [WITHIN, WITHIN]
        assert {match.id for match in result.matches if match.candidates} == {ZERO_PLY.name}


def test_beginning_of_two_players_names_is_neither(tmp_path: Path) -> None:
    alike = tmp_path / "alike.sgf"
    alike.write_text(file_of(ZERO_PLY).read_text("utf-8").replace(BOB, "Alice m05"), "utf-8")
    pack = make_pack(tmp_path / "pack", {"alike": {"gnubg": alike}})
    word = figures(tmp_path, {"Alice m0": {"snowie_er": 1}})
    assert "no reference match has 'Alice m0'" in refused(word, NothingToCompare, pack)
    result = validate(pack, candidates=[figures(tmp_path, {"Alice m05": {"snowie_er": 1}})])
    assert [entry.player for entry in only(result).figures] == ["Alice m05"]


def test_alias_finds_a_player(tmp_path: Path) -> None:
    word = figures(tmp_path, {"Wonderland": own(file_of(ZERO_PLY), 0)})
    assert "no reference match has 'Wonderland'" in refused(word, NothingToCompare)
    text = 'schema_version: 1\nplayers: {"Alice m04": [Wonderland]}\n'
    aliases = written(tmp_path / "aliases.yaml", text)
    assert run(ZERO_PLY, "--candidate", word, "--aliases", aliases).exit_code == 0


PR = {"pr": 1}
NOBODYS = cases("matches")


@pytest.mark.parametrize(("match", "words"), NOBODYS.values(), ids=list(NOBODYS))
def test_candidate_of_no_reference_match_is_refused(
    tmp_path: Path, match: dict[str, Any], words: str
) -> None:
    assert words in refused(written(tmp_path / "a.json", plain(match)), NothingToCompare)


def test_candidate_that_fits_two_matches_is_not_guessed_at(tmp_path: Path) -> None:
    files = {name: {"gnubg": file_of(ZERO_PLY)} for name in ("first", "second")}
    pack = make_pack(tmp_path / "two", files)
    word = figures(tmp_path, {ALICE: own(file_of(ZERO_PLY), 0)})
    assert "fits 2 reference matches (first, second)" in refused(word, NothingToCompare, pack)
    result = validate(pack, candidates=[f"{word}#second"])
    assert [match.id for match in result.matches if match.candidates] == ["second"]


def test_part_that_fits_no_match_is_not_compared_and_fails_with_strict(tmp_path: Path) -> None:
    matches = [{"players": {name: own(file_of(ZERO_PLY), 0)}} for name in (ALICE, "Cleo")]
    result = validate(ZERO_PLY, candidates=[written(tmp_path / "a.json", plain(*matches))])
    (reason,) = map(str, result.not_compared)
    assert reason.startswith("candidate a.json: a.json: matches.1: no reference match has 'Cleo'")
    assert result.summary.not_compared == 1
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)
    missing = [part.missing for part in pack_parts(result) if part.missing]
    assert missing == [reason.removeprefix("candidate a.json: ")]
