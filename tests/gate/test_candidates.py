"""Candidates: every form in which a program speaks of the matches is understood, and nothing it says is passed over or believed blindly."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.adapters import load_match
from reconcile.board.identifiers import xgid
from reconcile.board.play import format_play
from reconcile.cli import main
from reconcile.columns import Kind
from reconcile.errors import InvalidConfiguration, NothingToCompare, ReconcileError, UnreadableFile
from reconcile.files.bundled import bundled
from reconcile.gap.comparison import INCOMPLETE, OUTSIDE, WITHIN
from reconcile.gap.contributions import situation_of
from reconcile.gap.tolerances import Tolerances, load_tolerances
from reconcile.gap.walk import Walk, bridges_of
from reconcile.gate.candidates.command import read_command
from reconcile.gate.candidates.judgement import CandidateResult
from reconcile.gate.candidates.read import read_candidates
from reconcile.gate.documents import pack_document
from reconcile.gate.files import DATA_VARIABLE
from reconcile.gate.judged_figures import pack_cases, pack_parts
from reconcile.gate.pack_results import MatchResult, PackResult
from reconcile.gate.validate import validate as validate_pack
from reconcile.match import Match
from reconcile.results.documents import dumps
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics
from tests.results.test_schemas import faults
from tests.support import blunderdb_writer
from tests.support.data import cases

PACK = bundled("reference_matches")
ZERO_PLY = PACK / "gnubg-7pt-0ply"
RICH = PACK / "gnubg-11pt-cube-rich"
DEMONSTRATION = PACK / "demonstration"
ALICE, BOB = "Alice m04", "Bob m04"
GNUBG = Path("/usr/games/gnubg")
PRINTER = "import sys; sys.stdout.write(open(sys.argv[1]).read())"


def validate(pack: Path, tolerances: Tolerances | None = None, **more: Any) -> PackResult:
    return validate_pack(pack, tolerances or shipped(), **more)


@cache
def shipped() -> Tolerances:
    return load_tolerances()


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)


@cache
def loaded(path: Path) -> Match:
    return load_match(path)


def file_of(folder: Path, ending: str = ".sgf") -> Path:
    (path,) = folder.glob(f"*{ending}")
    return path


def make_pack(folder: Path, files: Mapping[str, Mapping[str, Path]], **more: Any) -> Path:
    """A pack of real files by match and handle, without reported figures."""
    for name, handles in files.items():
        (folder / name).mkdir(parents=True)
        manifest: dict[str, Any] = {
            "schema_version": 1,
            "id": name,
            "title": name,
            "synthetic": False,
            "licence": "as where it comes from",
            "provenance": "copied for a test",
            "files": {},
            "reported": [],
            "pairs": [],
            **more,
        }
        for handle, path in handles.items():
            content = path.read_bytes()
            (folder / name / path.name).write_bytes(content)
            manifest["files"][handle] = {
                "name": path.name,
                "sha256": sha256(content).hexdigest(),
                "bytes": len(content),
                "url": None,
                "bundled": True,
                "tool": loaded(path).source.tool,
                "tool_version": None,
                "level": None,
            }
        (folder / name / "match.yaml").write_text(yaml.safe_dump(manifest, allow_unicode=True, sort_keys=False), "utf-8")
    return folder


def written(path: Path, content: str | bytes | Any) -> str:
    """A candidate file: text or bytes as they are, anything else as JSON."""
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return str(path)


def plain(*matches: Mapping[str, Any]) -> dict[str, Any]:
    return {"schema_version": 1, "matches": list(matches)}


def own(
    path: Path, seat: int, rules: str | None = None, metrics: tuple[str, ...] = ("pr", "snowie_er", "decisions.counted")
) -> dict[str, Any]:
    figures = statistics(loaded(path), rules).figures(seat)
    return {metric: figures[metric] for metric in metrics}


def told(results: Mapping[str, Any] | PackResult, match: str) -> tuple[CandidateResult, ...]:
    assert isinstance(results, PackResult)
    (found,) = (one for one in results.matches if one.manifest.id == match)
    return found.candidates


def only(result: PackResult) -> CandidateResult:
    (found,) = (candidate for match in result.matches for candidate in match.candidates)
    return found


def match_of(result: PackResult, name: str) -> MatchResult:
    (found,) = (match for match in result.matches if match.manifest.id == name)
    return found


def codes(candidate: CandidateResult) -> set[str]:
    return {finding.code for finding in candidate.findings}


def refused(given: str, kind: type[ReconcileError] = ReconcileError, pack: Path = ZERO_PLY) -> str:
    with pytest.raises(kind) as caught:
        validate(pack, candidates=[given])
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 1000
    return message


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["validate", *map(str, arguments)], catch_exceptions=False)


# -- the plain format ----------------------------------------------------------------------------------------------------


FIGURES = {ALICE: {"pr": 20.13, "snowie_er": "21.08", "decisions": 55}, BOB: {"mwc_loss_percent": "-1,5%", "luck.equity": -0.25}}


def as_csv(players: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [f'"{player}",{metric},"{figure}"' for player, printed in players.items() for metric, figure in printed.items()]
    return "player,metric,figure\n" + "\n".join(lines) + "\n"


def test_yaml_json_and_csv_say_the_same(tmp_path: Path) -> None:
    tree = plain({"match": ZERO_PLY.name, "players": FIGURES})
    files = {
        "a.yaml": yaml.safe_dump(tree, allow_unicode=True, sort_keys=False),
        "a.json": json.dumps(tree),
        "a.csv": as_csv(FIGURES),
        "bom.csv": "\ufeff" + as_csv(FIGURES).replace("\n", "\r\n"),
    }
    said = [validate(ZERO_PLY, candidates=[written(tmp_path / name, text)]) for name, text in files.items()]
    figures = [[(one.metric, one.player, one.right, one.verdict) for one in only(result).figures] for result in said]
    assert all(one == figures[0] for one in figures)
    assert [one[:3] for one in figures[0]] == [
        ("pr", ALICE, 20.13),
        ("snowie_er", ALICE, 21.08),
        ("decisions.counted", ALICE, 55),
        ("mwc_loss_percent.total", BOB, 1.5),
        ("luck.equity", BOB, -0.25),
    ]


def test_figure_out_of_tolerance_fails_and_says_whose_it_is(tmp_path: Path) -> None:
    right = own(file_of(ZERO_PLY), 0)["snowie_er"]
    for off, code in ((0.4, 0), (0.6, 1)):
        result = run(ZERO_PLY, "--candidate", written(tmp_path / "a.json", plain({"players": {ALICE: {"snowie_er": right + off}}})))
        assert result.exit_code == code
        assert ("outside: candidate a.json: Snowie error rate  Alice m04" in result.output) == bool(code)


def test_null_is_incomplete_and_never_zero(tmp_path: Path) -> None:
    players = {ALICE: {"snowie_er": None, "checker_pr": own(file_of(ZERO_PLY), 0, metrics=("checker_pr",))["checker_pr"]}}
    given = written(tmp_path / "a.json", plain({"players": players}))
    result = validate(ZERO_PLY, candidates=[given])
    assert {one.metric: one.verdict for one in only(result).figures} == {"snowie_er": INCOMPLETE, "checker_pr": WITHIN}
    assert only(result).figures[0].coverage == "none in the candidate"
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)


def test_figure_without_a_tolerance_is_told(tmp_path: Path) -> None:
    given = written(tmp_path / "a.json", plain({"players": {ALICE: own(file_of(ZERO_PLY), 0)}}))
    (finding,) = (one for one in only(validate(ZERO_PLY, candidates=[given])).findings if one.code == "candidate-unjudged")
    assert finding.evidence == "table gnubg-blunderdb: pr, decisions.counted"


def test_candidate_without_one_figure_that_is_judged_is_nothing_to_compare(tmp_path: Path) -> None:
    given = written(tmp_path / "a.json", plain({"players": {ALICE: {"pr": 3.5}}}))
    assert "bounds none of its figures (pr)" in refused(given, NothingToCompare)
    assert run(ZERO_PLY, "--candidate", given, "--exit-zero").exit_code == 2


def test_table_and_rules_of_the_manifest_judge(tmp_path: Path) -> None:
    path = file_of(ZERO_PLY)
    given = written(tmp_path / "a.json", plain({"players": {ALICE: own(path, 0, "blunderdb", ("pr", "decisions.counted"))}}))
    settings = {"file": "gnubg", "table": "xg-blunderdb", "rules": "blunderdb"}
    pack = make_pack(tmp_path / "pack", {"one": {"gnubg": path}}, candidates=settings)
    candidate = only(validate(pack, candidates=[given]))
    assert (candidate.rules, candidate.table) == ("blunderdb", "xg-blunderdb")
    assert {one.gap for one in candidate.figures} == {0.0}
    assert codes(candidate) == {"candidate-own-rules"}
    assert only(validate(pack, candidates=[given], candidate_table="documented")).table == "documented"


@pytest.mark.parametrize("settings", [{"file": "xg"}, {"rules": "snowflake"}, {"tables": "documented"}])
def test_spoilt_settings_of_a_manifest_are_refused(tmp_path: Path, settings: dict[str, str]) -> None:
    pack = make_pack(tmp_path / "pack", {"one": {"gnubg": file_of(ZERO_PLY)}}, candidates=settings)
    with pytest.raises(InvalidConfiguration, match=r"match\.yaml:\d+: candidates"):
        validate(pack, candidates=[written(tmp_path / "a.json", plain({"players": {ALICE: {"snowie_er": 1}}}))])


def test_unknown_table_for_candidates_is_told(tmp_path: Path) -> None:
    given = written(tmp_path / "a.json", plain({"players": {ALICE: {"snowie_er": 1}}}))
    result = run(ZERO_PLY, "--candidate", given, "--candidate-table", "snowflake")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "snowflake" in result.stderr


# -- which match ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def namesakes(tmp_path: Path) -> Path:
    """Two matches of the same players: the same transcript analysed twice stands for it."""
    return make_pack(tmp_path / "two", {"first": {"gnubg": file_of(ZERO_PLY)}, "second": {"gnubg": file_of(ZERO_PLY)}})


def test_players_are_found_in_either_order_and_without_case_and_accents(tmp_path: Path) -> None:
    for names in ((ALICE, BOB), (BOB, ALICE), ("ALICE_M04", "bob  M04"), ("Àlice m04", "Bob")):
        figures = {name: own(file_of(ZERO_PLY), 0 if name[0] in "AÀ" else 1, metrics=("snowie_er",)) for name in names}
        result = validate(PACK, candidates=[written(tmp_path / "a.json", plain({"players": figures}))])
        assert [one.verdict for one in only(result).figures] == [WITHIN, WITHIN]
        assert {match.manifest.id for match in result.matches if match.candidates} == {ZERO_PLY.name}


def test_alias_finds_a_player(tmp_path: Path) -> None:
    given = written(tmp_path / "a.json", plain({"players": {"Wonderland": own(file_of(ZERO_PLY), 0)}}))
    assert "no reference match is of 'Wonderland'" in refused(given, NothingToCompare)
    aliases = written(tmp_path / "aliases.yaml", 'schema_version: 1\nplayers: {"Alice m04": [Wonderland]}\n')
    assert run(ZERO_PLY, "--candidate", given, "--aliases", aliases).exit_code == 0


@pytest.mark.parametrize(
    ("match", "said"),
    [
        ({"match": "nowhere", "players": {ALICE: {"pr": 1}}}, "no reference match 'nowhere'; there are gnubg-7pt-0ply"),
        ({"match": ZERO_PLY.name, "players": {"Cleo": {"pr": 1}}}, "no player 'Cleo' in this match; there are 'Alice m04', 'Bob m04'"),
        ({"players": {ALICE: {"pr": 1}}, "length": 9}, "no reference match is of 'Alice m04', 9 points"),
        ({"players": {ALICE: {"pr": 1}, "Cleo": {"pr": 1}}}, "no reference match is of 'Alice m04' and 'Cleo'"),
        ({"players": {"'; DROP TABLE match; --": {"pr": 1}}}, 'no reference match is of "\'; DROP TABLE match; --"'),
    ],
    ids=["unknown id", "unknown player", "other length", "other opponent", "SQL in a name"],
)
def test_candidate_of_no_reference_match_is_told(tmp_path: Path, match: dict[str, Any], said: str) -> None:
    assert said in refused(written(tmp_path / "a.json", plain(match)), NothingToCompare)


def test_candidate_that_fits_two_matches_is_told_and_not_guessed_at(tmp_path: Path, namesakes: Path) -> None:
    given = written(tmp_path / "a.json", plain({"players": {ALICE: own(file_of(ZERO_PLY), 0)}}))
    assert "fits 2 reference matches (first, second)" in refused(given, NothingToCompare, namesakes)
    result = validate(namesakes, candidates=[f"{given}#second"])
    assert [match.manifest.id for match in result.matches if match.candidates] == ["second"]


def test_part_that_fits_no_match_is_not_compared_and_fails_with_strict(tmp_path: Path) -> None:
    matches = [{"players": {name: own(file_of(ZERO_PLY), 0)}} for name in (ALICE, "Cleo")]
    result = validate(ZERO_PLY, candidates=[written(tmp_path / "a.json", plain(*matches))])
    (reason,) = result.not_compared
    assert reason.startswith("candidate a.json: a.json: matches.1: no reference match is of 'Cleo'")
    assert result.summary["not_compared"] == 1
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)
    assert [part.missing for part in pack_parts(result) if part.missing] == [reason.removeprefix("candidate a.json: ")]


def test_match_that_no_candidate_speaks_of_is_not_compared(tmp_path: Path) -> None:
    given = written(tmp_path / "a.json", plain({"players": {ALICE: own(file_of(ZERO_PLY), 0)}}))
    result = validate(PACK, candidates=[given])
    assert match_of(result, RICH.name).not_compared == ("candidate a.json: says nothing about this match",)
    assert match_of(result, ZERO_PLY.name).not_compared == ()


# -- rules and bridges ---------------------------------------------------------------------------------------------------

EVERYTHING = tuple(metric for metric in METRICS if not metric.startswith(("luck", "moves")))


@pytest.mark.parametrize("rules", ["blunderdb", "snowie4", "gnubg"])
def test_totals_of_other_rules_are_recognised_and_their_decisions_shown(tmp_path: Path, rules: str) -> None:
    path = file_of(DEMONSTRATION, ".xg")
    match = loaded(path)
    players = {name: own(path, seat, rules, EVERYTHING) for seat, name in enumerate(match.players)}
    candidate = only(validate(DEMONSTRATION, candidates=[written(tmp_path / "a.json", plain({"players": players}))]))
    (finding,) = (one for one in candidate.findings if one.code == "candidate-rules")
    assert finding.evidence.startswith(f"rule set {rules} gives all {2 * 18} figures that depend on rules, which differ from xg in ")
    assert candidate.comparison is not None
    walk = Walk(candidate.comparison)
    for bridge in bridges_of(walk, ("pr", "decisions", "equity_error")):
        steps = {step.code: step.change for step in bridge.steps}
        assert bridge.end == pytest.approx(players[bridge.player][bridge.metric], abs=1e-9)
        assert sum(steps.values()) == pytest.approx((bridge.end or 0) - (bridge.start or 0), abs=1e-9)
        assert steps["reported-right"] == pytest.approx(0, abs=1e-9)
    assert not walk.ledger(bridges_of(walk, ("decisions",))).empty


@settings(max_examples=10, deadline=None)
@given(
    pr=st.floats(0, 90, allow_subnormal=False).map(lambda value: round(value, 3)),
    decisions=st.integers(0, 400),
)
def test_bridge_of_totals_ends_at_whatever_the_candidate_says(tmp_path_factory: pytest.TempPathFactory, pr: float, decisions: int) -> None:
    name = loaded(file_of(DEMONSTRATION, ".xg")).players[0]
    tree = plain({"match": "demonstration", "players": {name: {"pr": pr, "decisions": decisions}}})
    folder = tmp_path_factory.mktemp("any")
    candidate = only(validate(DEMONSTRATION, candidates=[written(folder / "a.json", tree)]))
    assert candidate.comparison is not None
    for bridge in bridges_of(Walk(candidate.comparison), ("pr", "decisions", "snowie_er")):
        stated = {"pr": pr, "decisions.counted": decisions}.get(bridge.metric) if bridge.player == name else None
        assert bridge.end == stated
        assert bool(bridge.steps) == (stated is not None)
        assert not bridge.steps or math.fsum(step.change for step in bridge.steps) == pytest.approx(
            (bridge.end or 0) - (bridge.start or 0), abs=1e-9
        )


def test_totals_of_no_rules_are_a_warning(tmp_path: Path) -> None:
    name = loaded(file_of(DEMONSTRATION, ".xg")).players[0]
    given = written(tmp_path / "a.json", plain({"players": {name: {"pr": 1.234, "decisions": 17}}}))
    candidate = only(validate(DEMONSTRATION, candidates=[given]))
    (finding,) = (one for one in candidate.findings if one.code == "candidate-unexplained")
    assert finding.severity == "warning"
    assert "gives none of 2 figures" in finding.evidence


@pytest.mark.parametrize("path", cases("real/charlot*.xg"))
def test_window_of_xg_is_right_against_its_own_file(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    """The figures that a person read in XG's window: those of rule set xg, and the reference where the manifest has them."""
    monkeypatch.setenv(DATA_VARIABLE, str(data))
    manifest = yaml.safe_load((PACK / "charlot" / "match.yaml").read_text("utf-8"))
    printed = manifest["reported"][0]["players"]
    pack = shutil.copytree(PACK / "charlot", tmp_path / "charlot")
    given = written(tmp_path / "a.json", plain({"match": "charlot", "players": printed}))
    candidate = only(validate(pack, candidates=[given], candidate_table="xg-reported"))
    assert all(candidate.reported)
    assert {(one.gap, one.verdict) for one in candidate.figures} == {(0.0, WITHIN)}
    assert codes(candidate) == {"candidate-own-rules"}
    monkeypatch.delenv(DATA_VARIABLE)
    without_file = only(validate(pack, candidates=[given], candidate_table="xg-reported"))
    assert [one.left for one in without_file.figures] == [one.left for one in candidate.figures]
    assert without_file.comparison is None


# -- files with decisions ------------------------------------------------------------------------------------------------


def test_same_file_agrees_with_itself() -> None:
    candidate = only(validate(RICH, candidates=[str(file_of(RICH))]))
    assert candidate.comparison is not None
    assert {(one.gap, one.verdict) for one in candidate.figures} == {(0.0, WITHIN)}


def test_decisions_of_another_analysis_are_explained_one_by_one(tmp_path: Path) -> None:
    pack = make_pack(tmp_path / "pack", {"one": {"xg": file_of(DEMONSTRATION, ".xg")}})
    result = validate(pack, candidates=[str(file_of(DEMONSTRATION))])
    candidate = only(result)
    assert (candidate.file, candidate.table, candidate.rules) == ("xg", "xg-blunderdb", "xg")
    assert candidate.comparison is not None
    walk = Walk(candidate.comparison)
    ledger = walk.ledger(bridges_of(walk, ("pr",)))
    assert set(ledger["step"]) >= {"engine", "Q02"}
    assert {case.suite for case in pack_cases(result)} == {f"candidate {file_of(DEMONSTRATION).name}"}


def test_file_is_held_against_the_file_of_its_own_tool() -> None:
    assert {result.file for result in told(validate(DEMONSTRATION, candidates=[str(file_of(DEMONSTRATION))]), "demonstration")} == {"gnubg"}


def test_transcript_has_nothing_to_judge(tmp_path: Path) -> None:
    given = tmp_path / "a.mat"
    assert CliRunner().invoke(main, ["convert", str(file_of(ZERO_PLY)), "-o", str(given)]).exit_code == 0
    assert "could be judged" in refused(str(given), NothingToCompare)


def test_file_of_another_match_is_told() -> None:
    assert "no reference match at hand has its rolls" in refused(str(file_of(RICH)), NothingToCompare)


SCHEMAS = (blunderdb_writer.TEXTS, blunderdb_writer.CODES, blunderdb_writer.LATER_RULES, blunderdb_writer.PER_MOVE)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_database_is_judged_by_its_decisions_and_by_what_it_keeps(tmp_path: Path, schema: str) -> None:
    matches = [loaded(file_of(DEMONSTRATION, ".xg")), loaded(file_of(ZERO_PLY))]
    blunderdb_writer.write(tmp_path / "all.db", matches, schema=schema)
    result = validate(PACK, candidates=[str(tmp_path / "all.db")])
    assert result.not_compared == ()
    for name, files in (("demonstration", {"xg"}), (ZERO_PLY.name, {"gnubg"})):
        decisions, kept = told(result, name)
        assert {decisions.file, kept.file} == files
        assert decisions.comparison is not None
        assert decisions.comparison.right.format == "blunderdb"
        assert kept.part == "kept figures"
        assert {one.metric for one in kept.figures} >= {"pr", "decisions.counted", "equity_error.total"}


def test_figure_that_a_database_keeps_wrong_is_noticed(tmp_path: Path) -> None:
    """Its decisions may be right and what it makes of them wrong: both are the release's."""
    blunderdb_writer.write(tmp_path / "all.db", [loaded(file_of(DEMONSTRATION, ".xg"))])
    pack = make_pack(tmp_path / "pack", {"one": {"xg": file_of(DEMONSTRATION, ".xg")}})
    verdicts = []
    for change in ("pr = pr", "pr = pr + 1"):
        with sqlite3.connect(tmp_path / "all.db") as database:
            database.execute(f"UPDATE match_stats SET {change} WHERE seat = 1")
        database.close()
        decisions, kept = told(validate(pack, candidates=[f"{tmp_path / 'all.db'}#1"]), "one")
        verdicts.append([next(one.verdict for one in part.figures if one.metric == "pr") for part in (decisions, kept)])
    assert verdicts == [[WITHIN, WITHIN], [WITHIN, OUTSIDE]]


# -- gnuBG's exports -----------------------------------------------------------------------------------------------------

BETWEEN_BUILDS = {"equity_error": 0.007, "mwc_loss_percent": 0.163, "error_rate_memg": 0.3, "snowie_memg": 0.3}
"""What two builds of gnuBG 1.07 differ by on one transcript, measured on 87 matches; their counts are equal."""


def between_builds() -> Tolerances:
    entries = {
        metric: {"abs": BETWEEN_BUILDS.get(metric.partition(".")[0], 0), "level": "error", "reason": "measured", "source": "87 matches"}
        for metric in METRICS
        if not metric.startswith(("luck", "pr", "checker_pr", "cube_pr", "snowie_er"))
    }
    return Tolerances.model_validate(
        {"schema_version": 1, "extends": "bundled", "tables": {"gnubg-blunderdb": {"title": "two builds", "entries": entries}}}
    )


@pytest.mark.parametrize("path", cases("gnubg-text/*/*.sgf"))
def test_text_export_agrees_with_the_analysis_of_the_same_transcript(path: Path, tmp_path: Path) -> None:
    pack = make_pack(tmp_path / "pack", {path.stem: {"gnubg": path}})
    games = sorted(path.parent.glob(f"{path.stem}*.txt"))
    assert len(games) == len(loaded(path).games)
    result = validate(pack, between_builds(), candidates=[str(game) for game in games])
    candidate = only(result)
    judged = {one.metric for one in candidate.judged}
    assert len(candidate.judged) == 30
    assert judged >= {"decisions.counted", "decisions.double", "moves.total", "equity_error.take", "mwc_loss_percent.total", "snowie_memg"}
    assert {one.verdict for one in candidate.judged} == {WITHIN}
    first = only(validate(pack, between_builds(), candidates=[str(games[0])]))
    assert first.figures == candidate.figures


@pytest.mark.parametrize("path", cases("gnubg-text/4-ply/match1151563_002.txt"))
def test_export_of_one_game_alone_is_not_taken_for_the_match(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path)
    assert "found those of a game alone" in refused(str(tmp_path / path.name), InvalidConfiguration)


@pytest.mark.skipif(not GNUBG.exists(), reason="no gnuBG here")
def test_exports_of_gnubg_itself_agree_with_its_file(tmp_path: Path) -> None:
    source = file_of(PACK / "gnubg-3pt-2ply")
    script = f'load match "{source}"\nexport match text "{tmp_path}/a.txt"\nexport match html "{tmp_path}/a.html"\nshow statistics match\n'
    written(tmp_path / "script", script)
    arguments = [str(GNUBG), "-t", "-q", "-r", "-c", str(tmp_path / "script")]
    shown = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=120).stdout
    written(tmp_path / "shown", shown)
    said = []
    for name in ("a.txt", "a.html", "shown"):
        result = validate(PACK / "gnubg-3pt-2ply", between_builds(), candidates=[str(tmp_path / name)])
        assert {one.verdict for one in only(result).judged} == {WITHIN}
        said.append([(one.player, one.metric, one.right) for one in only(result).figures])
    assert said[0] == said[1] == said[2]
    assert len(said[0]) == 33, "one player has no cube decision, and so no rate"


# -- listings ------------------------------------------------------------------------------------------------------------


def blunderdb_statistics(path: Path, *seats: int) -> dict[str, Any]:
    """The JSON of `list --type stats`, as blunderDB's program spells it, with our figures of these players."""
    scored = statistics(loaded(path), "blunderdb-2026")
    figures = [scored.figures(seat) for seat in seats]

    def total(metric: str) -> float:
        return sum(one[metric] or 0 for one in figures)

    count = total("decisions.counted")
    return {
        "Totals": {"NumPositions": 90, "NumMatches": 1, "NumTournaments": 0, "NumDecisions": int(count)},
        "PRGlobal": 500 * total("equity_error.total") / count,
        "PRChecker": 500 * total("equity_error.checker") / total("decisions.checker"),
        "PRCube": 0,
        "PRRolling": {"5": 1.0},
        "MWCGlobal": total("mwc_loss_percent.total") / 100,
        "MWCAvailable": True,
        "SnowieGlobal": total("snowie_er"),
        "PerMatch": [{"ID": 1, "PlayerName": "", "PR": 0, "MWC": 0, "NumDecisions": int(count)}],
        "TopBlunders": [{"PlayerNames": " vs ".join(loaded(path).players)}],
    }


def test_statistics_of_blunderdb_are_those_of_both_players(tmp_path: Path) -> None:
    path = file_of(DEMONSTRATION, ".xg")
    result = validate(PACK, candidates=[written(tmp_path / "stats.json", blunderdb_statistics(path, 0, 1))])
    (candidate,) = told(result, "demonstration")
    figures = {one.metric: one for one in candidate.figures}
    assert {one.player for one in candidate.figures} == {"both players"}
    ours = [statistics(loaded(path)).figures(seat) for seat in (0, 1)]
    assert figures["decisions.counted"].left == sum(one["decisions.counted"] or 0 for one in ours)
    lost = sum(one["equity_error.total"] or 0 for one in ours)
    assert figures["pr"].left == pytest.approx(500 * lost / (figures["decisions.counted"].left or 0))
    assert figures["mwc_loss_percent.total"].left == pytest.approx(sum(one["mwc_loss_percent.total"] or 0 for one in ours))
    assert "cube_pr" not in figures, "0 is what blunderDB prints for no decision, too"
    assert codes(candidate) >= {"candidate-rules"}


def test_statistics_of_one_player_are_his_where_he_is_named(tmp_path: Path) -> None:
    path = file_of(DEMONSTRATION, ".xg")
    name = loaded(path).players[1]
    given = written(tmp_path / "stats.json", blunderdb_statistics(path, 1))
    candidate = only(validate(DEMONSTRATION, candidates=[f"{given}#demonstration/{name}"]))
    assert {one.player for one in candidate.figures} == {name}
    right = {one.metric: one.right for one in candidate.figures}
    assert "snowie_er" not in right, "the moves it was divided by are unknown"
    assert right["pr"] == pytest.approx(statistics(loaded(path), "blunderdb-2026").figures(1)["pr"])


PLAYERS = "player,matches,wins,losses,decisions,pr,pr_checker,pr_cube,snowie_er,errors,blunders,luck_rate_mp,luck_rolls\n"


def players_csv(path: Path, matches: int = 1) -> str:
    lines = []
    for seat, name in enumerate(loaded(path).players):
        one = statistics(loaded(path), "blunderdb-2026").figures(seat)
        rates = [f"{one[metric] or 0:.2f}" for metric in ("pr", "checker_pr", "cube_pr", "snowie_er")]
        lines.append(f'"{name}",{matches},1,0,{one["decisions.counted"]},{",".join(rates)},3,1,,0')
    return PLAYERS + "\n".join(lines) + "\n"


def test_player_table_of_blunderdb_is_one_claim_of_both(tmp_path: Path) -> None:
    candidate = only(validate(DEMONSTRATION, candidates=[written(tmp_path / "players.csv", players_csv(file_of(DEMONSTRATION, ".xg")))]))
    assert len(candidate.figures) == 10
    (finding,) = (one for one in candidate.findings if one.code == "candidate-rules")
    assert finding.evidence.startswith("rule set blunderdb-2026 gives all 10 figures")


def test_listing_over_several_matches_is_refused(tmp_path: Path) -> None:
    path = file_of(DEMONSTRATION, ".xg")
    stats = blunderdb_statistics(path, 0, 1)
    stats["Totals"]["NumMatches"] = 2
    for listing in (written(tmp_path / "a.csv", players_csv(path, 2)), written(tmp_path / "a.json", stats)):
        assert "adds up 2 matches" in refused(listing, NothingToCompare, DEMONSTRATION)


def test_player_without_a_decision_has_no_rate(tmp_path: Path) -> None:
    name = loaded(file_of(DEMONSTRATION, ".xg")).players[0]
    rows = [{"name": name, "matches": 1, "decisions": 0, "pr": 0, "pr_checker": 0, "snowie_er": 0}]
    candidate = only(validate(DEMONSTRATION, candidates=[written(tmp_path / "a.json", rows)]))
    assert [(one.metric, one.right, one.verdict) for one in candidate.figures] == [("decisions.counted", 0, OUTSIDE)]


# -- positions of XG -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", cases("xg-text/*_EN.txt"))
def test_position_reads_alike_in_four_languages(path: Path) -> None:
    read = [read_candidates([str(path.with_name(path.name.replace("_EN", f"_{language}")))])[0] for language in ("EN", "DE", "FR", "JP")]
    (english,) = read[0].positions
    for other in read[1:]:
        (position,) = other.positions
        assert position.situation == english.situation
        assert position.plays == english.plays
        if english.cube is not None and position.cube is not None:
            assert position.cube == pytest.approx(english.cube, abs=0.003), "analysed twice by XG Roller++"
    assert bool(english.plays) != (english.cube is not None)


@pytest.mark.parametrize("path", cases("xg-text/*_EN.txt"))
def test_position_of_no_reference_match_is_told(path: Path) -> None:
    assert "no reference match at hand has it" in refused(str(path), NothingToCompare)


def play_text(match: Match, row: int, shift: float = 0.0) -> str:
    """A checker play of the demonstration in the form in which XG copies it; `shift` spoils what the play that was made is worth."""
    situation = situation_of(match, row)
    assert situation is not None
    listed = [
        (one, one.equity + (shift if one.made and rank else 0.0))
        for rank, one in enumerate(match.candidates(row))
        if one.equity is not None
    ]
    chances = "      Player:   50.00% (G:0.00% B:0.00%)\n"
    lines = [
        f"    {rank}. 3-ply       {format_play(situation.position, one.play):<28}eq:{equity:+.3f}\n{chances}"
        for rank, (one, equity) in enumerate(listed, 1)
    ]
    return (
        f"{xgid(situation)}\n\nX:A   O:B\nX to play {situation.dice[0]}{situation.dice[1]}\n\n"
        + "\n".join(lines)
        + "\neXtreme Gammon Version: 2.10\n"
    )


def mistakes(match: Match) -> list[int]:
    errors = statistics(match).scored.error[: len(match.plays)]
    listed = [row for row in range(len(match.plays)) if errors[row] > 0.02 and any(one.made for one in match.candidates(row))]
    return listed[:6]


def test_position_is_judged_where_it_was_played(tmp_path: Path) -> None:
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    rows = mistakes(match)
    assert len(rows) == 6
    result = validate(DEMONSTRATION, candidates=[written(tmp_path / "p.txt", "\n\n".join(play_text(match, row) for row in rows))])
    found = told(result, "demonstration")
    errors = statistics(match).scored.error
    assert [one.figures[0].left for one in found] == pytest.approx([float(errors[row]) for row in rows])
    assert [one.figures[0].right for one in found] == pytest.approx([float(errors[row]) for row in rows], abs=0.001)
    assert {one.verdict for each in found for one in each.figures} == {WITHIN}
    places = [f"game {match.games.number[match.plays.game[row]]}, turn {match.plays.turn[row]}, play" for row in rows]
    assert [one.part for one in found] == places
    spoilt = validate(DEMONSTRATION, candidates=[written(tmp_path / "p.txt", play_text(match, rows[0], shift=-0.01))])
    assert [one.verdict for one in only(spoilt).figures] == [OUTSIDE]
    assert len({case.id for case in pack_cases(result)}) == 6


def test_cube_position_is_judged_by_the_action_that_was_taken(tmp_path: Path) -> None:
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    scored = statistics(match).scored
    plays = len(match.plays)
    rows = [
        row for row in range(len(match.cubes)) if match.cubes.kind[row] in (Kind.NO_DOUBLE, Kind.DOUBLE) and scored.counted[plays + row]
    ]
    texts = []
    for row in rows:
        situation = situation_of(match, plays + row)
        assert situation is not None
        view = scored.view
        lines = "".join(
            f"       {word}:     {value[row]:+.3f} (-0.1)\n"
            for word, value in (("No double", view.no_double), ("Double/Take", view.double_take), ("Double/Pass", view.double_pass))
        )
        cubeless = "Cubeless Equities: No Double=+0.1, Double=+0.2"
        texts.append(f"{xgid(situation)}\nX on roll, cube action\n\n{cubeless}\n\nCubeful Equities:\n{lines}\nBest Cube action: -\n")
    result = validate(DEMONSTRATION, candidates=[written(tmp_path / "p.txt", "\n".join(texts))])
    found = told(result, "demonstration")
    assert len(found) == len(rows) > 3
    assert {one.verdict for each in found for one in each.figures} == {WITHIN}
    assert [each.findings for each in found if each.findings] == []


# -- a command -----------------------------------------------------------------------------------------------------------


def program(folder: Path, code: str) -> str:
    """A command line that runs a Python program with the rest of its words."""
    written(folder / "program.py", code)
    return f'"{sys.executable}" "{folder / "program.py"}"'


def failed(command: str, *, timeout: float = 60, pack: Path = ZERO_PLY) -> str:
    with pytest.raises(NothingToCompare) as caught:
        validate(pack, command=command, command_timeout=timeout)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_program_runs_for_every_match_and_agrees_with_itself() -> None:
    result = validate(PACK, command=f'"{sys.executable}" -m reconcile stats {{file}} --format json')
    judged = [one for match in result.matches for candidate in match.candidates for one in candidate.judged]
    assert {match.manifest.id for match in result.matches if match.candidates} == {
        "demonstration",
        "gnubg-11pt-cube-rich",
        "gnubg-3pt-2ply",
        "gnubg-7pt-0ply",
    }
    assert {one.verdict for one in judged} == {WITHIN}
    assert result.exit_code() == 0


def test_words_with_shell_characters_reach_the_program_as_they_are(tmp_path: Path) -> None:
    words = ["$(touch stolen)", "`touch stolen`", "a;touch stolen", "x|y", "${HOME}", "*", "~", "a b", "{{}}", "'q'"]
    code = "import sys, json; json.dump(sys.argv[1:], open('words.json', 'w')); print(json.dumps({}))"
    quoted = " ".join("'" + word.replace("'", "'\"'\"'") + "'" for word in words)
    failed(f"{program(tmp_path, code)} {{match}} {quoted.replace('${HOME}', '${{HOME}}')}")
    assert json.loads((tmp_path / "words.json").read_text()) == [ZERO_PLY.name, *[word.replace("{{}}", "{}") for word in words]]
    assert not (tmp_path / "stolen").exists()


@pytest.mark.parametrize("word", ["|", "||", "&&", "&", ";", ">", ">>", "2>&1", "<", "2>"])
def test_what_only_a_shell_understands_is_refused(word: str) -> None:
    with pytest.raises(InvalidConfiguration, match="means something to a shell alone"):
        read_command(f"prog {{file}} {word} out")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "found nothing"),
        ("prog 'open {file}", "no closing quotation"),
        ("prog {fil}", "unknown placeholder {fil}; there are {file}"),
        ("prog {}", "unknown placeholder {}"),
        ("prog {file.__class__}", "unknown placeholder"),
        ("prog --json", "expected {file} or another placeholder"),
    ],
)
def test_command_line_that_cannot_be_meant_is_refused(line: str, said: str) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        read_command(line)
    assert said in str(caught.value)


def test_program_is_told_of_match_and_players(tmp_path: Path) -> None:
    code = "import sys; open('said', 'a').write('|'.join(sys.argv[1:]) + '\\n'); print('{}')"
    failed(f"{program(tmp_path, code)} {{match}} {{player}} {{player1}} {{player2}} {{length}} x{{{{{{match}}}}}}")
    lines = [f"{ZERO_PLY.name}|{name}|{ALICE}|{BOB}|7|x{{{ZERO_PLY.name}}}" for name in (ALICE, BOB)]
    assert (tmp_path / "said").read_text().splitlines() == lines


def test_program_that_answers_for_one_player_at_a_time_is_understood(tmp_path: Path) -> None:
    path = file_of(DEMONSTRATION, ".xg")
    for seat, name in enumerate(loaded(path).players):
        written(tmp_path / f"{name}.json", blunderdb_statistics(path, seat))
    result = validate(DEMONSTRATION, command=f'{program(tmp_path, PRINTER)} "{tmp_path}/{{player}}.json"')
    figures = [one for candidate in told(result, "demonstration") for one in candidate.figures]
    pr = {one.player: one.right for one in figures if one.metric == "pr"}
    expected = {name: statistics(loaded(path), "blunderdb-2026").figures(seat)["pr"] for seat, name in enumerate(loaded(path).players)}
    assert pr == pytest.approx(expected)


def test_name_that_looks_like_an_option_is_not_given_to_the_program(tmp_path: Path) -> None:
    content = file_of(ZERO_PLY).read_bytes().replace(b"Alice m04", b"--delete")
    path = tmp_path / "odd.sgf"
    path.write_bytes(content)
    pack = make_pack(tmp_path / "pack", {"odd": {"gnubg": path}})
    code = "import sys; open('ran', 'a').write(sys.argv[1]); print('{}')"
    assert "would take for an option" in failed(f"{program(tmp_path, code)} {{player}}", pack=pack)
    assert (tmp_path / "ran").read_text() == BOB


GONE_WRONG: dict[str, tuple[str, str]] = {
    "exit code": (
        "import sys; print('first', file=sys.stderr); sys.exit('cannot open\\x1b[31m it')",
        "ended with exit code 1: cannot open?[31m it",
    ),
    "no reason": ("import sys; sys.exit(3)", "ended with exit code 3 and gave no reason"),
    "signal": ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", "was ended by signal 15"),
    "no output": ("", "printed nothing"),
    "complaint alone": ("import sys; print('no such match', file=sys.stderr)", "printed nothing, but complained: no such match"),
    "garbage": ("print('hello')", "expected a match"),
    "binary": ("import sys; sys.stdout.buffer.write(bytes(range(256)) * 9)", "expected UTF-8"),
    "half of JSON": ("print('{\"schema_version\": 1, ')", "expected JSON"),
    "too much": ("import sys\nwhile True: sys.stdout.write('x' * 65536)", "expected at most 16 MB of output, found more"),
    "complains for ever": (
        "import sys\nfor _ in range(300): sys.stderr.write('x' * 65536 + '\\n')\nsys.exit(2)",
        "ended with exit code 2: xxx",
    ),
}


@pytest.mark.parametrize("how", GONE_WRONG)
def test_program_that_fails_is_told_in_one_line(tmp_path: Path, how: str) -> None:
    code, said = GONE_WRONG[how]
    assert said in failed(f"{program(tmp_path, code)} {{file}}")


def test_program_that_is_not_there_is_told() -> None:
    assert "no-such-program: cannot be started: no such file or directory" in failed("no-such-program {file}")


@pytest.mark.skipif(os.name == "nt", reason="process groups")
def test_program_that_takes_too_long_is_killed_with_what_it_started(tmp_path: Path) -> None:
    child = "import time; open('alive', 'w').close()\nwhile True: time.sleep(0.02); open('beat', 'a').write('x')"
    code = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {child!r}]).wait()"
    start = time.monotonic()
    assert "not done after 2 seconds; allow more with --candidate-timeout" in failed(f"{program(tmp_path, code)} {{file}}", timeout=2)
    assert time.monotonic() - start < 30
    assert (tmp_path / "alive").exists()
    beats = (tmp_path / "beat").stat().st_size
    time.sleep(0.3)
    assert (tmp_path / "beat").stat().st_size == beats


@pytest.mark.skipif(os.name == "nt", reason="process groups")
def test_what_a_program_leaves_running_ends_with_it(tmp_path: Path) -> None:
    child = "import time\nwhile True: time.sleep(0.02); open('beat', 'a').write('x')"
    code = (
        "import os, subprocess, sys, time\nquiet = subprocess.DEVNULL\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}], stdout=quiet, stderr=quiet)\n"
        "while not os.path.exists('beat'): time.sleep(0.01)\nprint('{}')"
    )
    failed(f"{program(tmp_path, code)} {{file}}")
    beats = (tmp_path / "beat").stat().st_size
    time.sleep(0.3)
    assert (tmp_path / "beat").stat().st_size == beats


def test_one_failed_run_makes_the_gate_fail_and_hides_nothing(tmp_path: Path) -> None:
    written(tmp_path / f"{ZERO_PLY.name}.json", plain({"players": {ALICE: own(file_of(ZERO_PLY), 0)}}))
    result = run(
        PACK, "--candidate-command", f'{program(tmp_path, PRINTER)} "{tmp_path}/{{match}}.json"', "--json", "out.json", "--exit-zero"
    )
    assert result.exit_code == 2
    assert result.stderr.count("error: ") == 3
    assert "gnubg-3pt-2ply: python" in result.stderr
    document = json.loads((tmp_path / "out.json").read_text("utf-8"))
    judged = {match["id"] for match in document["matches"] if match["candidates"]}
    assert judged == {ZERO_PLY.name}


# -- hostile files -------------------------------------------------------------------------------------------------------

START = f"schema_version: 1\nmatches:\n  - match: {ZERO_PLY.name}\n    players:\n      {ALICE}: "
DEEP = 100_000
HOSTILE: dict[str, tuple[str | bytes, str]] = {
    "YAML tag": (START + "!!python/object/apply:os.system ['touch stolen']", "tags are not allowed"),
    "YAML tag of a figure": (START + "{pr: !!float 1}", "tags are not allowed"),
    "billion laughs": ("a: &a [x, x]\nschema_version: 1\nb: [*a, *a]", "aliases are not allowed"),
    "YAML key twice": (START + "{pr: 1, pr: 2}", "given twice"),
    "short and full name": (START + "{decisions: 1, decisions.counted: 2}", "given twice"),
    "YAML nan": (START + "{pr: .nan}", "expected a number"),
    "YAML infinity": (START + "{pr: .inf}", "expected a number"),
    "YAML 1e999": (START + "{pr: 1e999}", "expected a number"),
    "long number": (START + "{pr: 1" + "0" * 5000 + "}", ""),
    "unknown metric": (START + "{prr: 1}", "no metric 'prr'"),
    "half a decision": (START + "{decisions: 1.5}", "expected a whole number"),
    "negative count": (START + "{decisions: -3}", "expected a whole number"),
    "figure that is a list": (START + "{pr: [1]}", "expected a number"),
    "figure that is true": (START + "{pr: true}", "expected a number"),
    "three players": (START + "{pr: 1}\n      B: {pr: 1}\n      C: {pr: 1}", "at most 2"),
    "unknown key": (START.replace("match:", "game: x\n    match:") + "{pr: 1}", "matches.0.game"),
    "other version": (START.replace(": 1", ": 2", 1) + "{pr: 1}", "schema_version"),
    "deep YAML": ("schema_version: 1\nmatches: " + "[" * 2000, ""),
    "deep JSON": ("[" * DEEP + "]" * DEEP, "nested too deep"),
    "deep JSON objects": ('{"a":' * DEEP, "nested too deep"),
    "JSON nan": (json.dumps(plain({"players": {ALICE: {"pr": math.nan}}})), "NaN is no figure"),
    "JSON infinity": (json.dumps(plain({"players": {ALICE: {"pr": math.inf}}})), "Infinity is no figure"),
    "JSON 1e999": (json.dumps(plain({"players": {ALICE: {"pr": 5}}})).replace("5", "1e999"), "expected a number"),
    "JSON long number": (json.dumps(plain({"players": {ALICE: {"pr": 5}}})).replace("5", "9" * 9999), "expected JSON"),
    "JSON key twice": ('{"schema_version": 1, "schema_version": 1}', "given twice"),
    "JSON null byte": ('{"schema_version": "\0"}', "binary data"),
    "statistics that are none": ('{"Totals": [], "PRGlobal": 1, "PerMatch": []}', "expected an object"),
    "statistics with a word": (
        '{"Totals": {"NumMatches": "x", "NumDecisions": 1}, "PRGlobal": 1, "PerMatch": []}',
        "expected a whole number",
    ),
    "CSV other columns": ("player,value\nA,1\n", "expected the columns player, metric, figure"),
    "CSV column twice": ("player,metric,figure,figure\nA,pr,1,2\n", "named twice"),
    "CSV short line": ("player,metric,figure\nA,pr\n", "expected 3 cells, found 2"),
    "CSV long line": ("player,metric,figure\nA,pr,1,5\n", "expected 3 cells, found 4"),
    "CSV open quote": ('player,metric,figure\n"A,pr,1\n', "expected CSV"),
    "CSV nan": ("player,metric,figure\nA,pr,nan\n", "expected a number"),
    "CSV without a line": ("player,metric,figure\n", "found a header alone"),
    "CSV nobody": ("player,metric,figure\n,pr,1\n", "expected a name"),
    "CSV twice": ("player,metric,figure\nA,pr,1\nA,pr,1\n", "given twice"),
    "CSV length": ("player,metric,figure,length\nA,pr,1,7000\n", "expected points from 1 to 64"),
    "CSV analysis": ("player,metric,figure,analysis\nA,pr,1,snowie\n", "expected xg or gnubg"),
    "latin-1": ("player,metric,figure\nKévin,pr,1\n".encode("latin-1"), "expected UTF-8, found byte 0xe9"),
    "utf-16": (START.encode("utf-16") + b"\0", ""),
    "binary": (bytes(range(256)) * 40, "expected UTF-8"),
    "zeros": (bytes(9000), "found only blanks"),
    "empty": (b"", "found nothing"),
    "prose": ("It is a fine day.\n", "expected a match"),
    "ELF": (Path(sys.executable).resolve().read_bytes()[:4096], ""),
    "SQLite that is none": (b"SQLite format 3\0" + bytes(500), ""),
    "broken XG": (b"RGMH" + bytes(500), ""),
    "broken SGF": (b"(;GM[6", ""),
    "broken XGID": ("XGID=aaaaaaaaaaaaaaaaaaaaaaaaaaaa:1:1:1:99:0:0:0:7:10\n", "expected an XGID"),
    "XGID alone": ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n", "expected plays with their equities"),
    "page without statistics": ("<html><body><table><tr><td>Chequerplay statistics</td></tr></table></body></html>", "found no figure"),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_hostile_file_is_refused_in_one_line(tmp_path: Path, how: str) -> None:
    content, said = HOSTILE[how]
    message = refused(written(tmp_path / "candidate", content))
    assert said in message
    assert "candidate" in message
    assert not (tmp_path / "stolen").exists()


def test_huge_file_is_refused_without_reading_it_all(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.write(b"[")
        file.truncate(10 * 2**30)
    assert "found more than 16 MB" in refused(str(path), UnreadableFile)


ENDLESS = {
    "blanks": "Chequerplay statistics" + "\n" * 3_000_000,
    "a line of blanks": "Overall statistics\nA" + " " * 3_000_000 + "\n",
    "words": "Chequerplay statistics\n" + "A  " * 1_000_000 + "\n",
    "columns": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n1.  " + "a  " * 1_000_000 + "\n",
    "open tags": "<html>" + "<a " * 1_000_000,
    "declarations": "<html>" + "<!" * 1_000_000,
    "keys": "{" + ", ".join(f'"{n}": 1' for n in range(300_000)) + ', "299999": 1}',
    "quotes": "player,metric,figure\n" + '"' * 3_000_000,
    "colons": "schema_version: 1\n" + "a: " * 60_000,
}


@pytest.mark.parametrize("what", ENDLESS)
def test_endless_text_is_refused_soon(tmp_path: Path, what: str) -> None:
    start = time.process_time()
    refused(written(tmp_path / "candidate", ENDLESS[what]))
    assert time.process_time() - start < 20


def test_many_figures_are_read_soon(tmp_path: Path) -> None:
    rows = "".join(f"player {number},pr,1\n" for number in range(200_000))
    assert "expected" in refused(written(tmp_path / "a.csv", "player,metric,figure\n" + rows), InvalidConfiguration)


def test_standard_input_and_pipes_are_read_once(tmp_path: Path) -> None:
    text = json.dumps(plain({"match": ZERO_PLY.name, "players": {ALICE: own(file_of(ZERO_PLY), 0)}}))
    result = CliRunner().invoke(main, ["validate", str(ZERO_PLY), "--candidate", "-"], input=text, catch_exceptions=False)
    assert result.exit_code == 0
    assert "candidate standard input: " in result.output
    if os.name != "nt":
        os.mkfifo(tmp_path / "pipe")
        with subprocess.Popen(["/bin/sh", "-c", f"cat > {tmp_path}/pipe"], stdin=subprocess.PIPE, text=True) as writer:
            assert writer.stdin is not None
            writer.stdin.write(text)
            writer.stdin.close()
            assert only(validate(ZERO_PLY, candidates=[str(tmp_path / "pipe")])).candidate == "pipe"


def test_one_player_under_two_names_is_told(tmp_path: Path) -> None:
    players = {ALICE: {"snowie_er": 1}, "alice_m04": {"snowie_er": 2}}
    given = written(tmp_path / "a.json", plain({"match": ZERO_PLY.name, "players": players}))
    assert "'Alice m04' and 'alice_m04' are both 'Alice m04'" in refused(given, NothingToCompare)


@pytest.mark.parametrize("given", ["absent.json", "", "nul\0", "absent.json#x", "#", "folder", "x" * 300])
def test_path_that_leads_nowhere_is_told(tmp_path: Path, given: str) -> None:
    (tmp_path / "folder").mkdir()
    refused(given, UnreadableFile)


def test_match_named_with_a_path_reads_no_file(tmp_path: Path) -> None:
    for name in ("../secret", "/etc/passwd", "..", "a/b"):
        given = written(tmp_path / "a.json", plain({"match": name, "players": {ALICE: {"pr": 1}}}))
        assert f"no reference match {name!r}" in refused(given, NothingToCompare)


def test_link_beside_an_export_is_not_followed(tmp_path: Path) -> None:
    text = "Game statistics for game 1\n\nPlayer                                   A                       B\n\nChequerplay statistics\n\n"
    secret = tmp_path / "secret"
    secret.write_text(text.replace("Game statistics for game 1", "Match statistics") + "Unforced moves    1    2\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a_002.txt").symlink_to(secret)
    assert "game alone" in refused(written(tmp_path / "in" / "a.txt", text), InvalidConfiguration)


def complaint(path: Path) -> str:
    """What is said of a candidate that cannot be read; nothing of one that can."""
    try:
        read_candidates([str(path)])
    except ReconcileError as error:
        return str(error)
    return ""


@given(st.binary(max_size=400))
def test_any_bytes_end_in_a_candidate_or_one_line(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("bytes") / "candidate"
    path.write_bytes(content)
    assert "\n" not in complaint(path)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.integers(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "schema_version",
                        "matches",
                        "players",
                        "match",
                        "Totals",
                        "PRGlobal",
                        "PerMatch",
                        "source",
                        "rules",
                        "name",
                        "pr",
                        "matches",
                        "A",
                    ]
                ),
                inner,
                max_size=6,
            )
        ),
        max_leaves=20,
    )
)
def test_any_json_ends_in_a_candidate_or_one_line(tmp_path_factory: pytest.TempPathFactory, tree: Any) -> None:
    path = tmp_path_factory.mktemp("json") / "candidate.json"
    path.write_text(json.dumps([tree]) if not isinstance(tree, dict) else json.dumps(tree), "utf-8")
    assert "\n" not in complaint(path)


# -- outputs -------------------------------------------------------------------------------------------------------------


def several(tmp_path: Path) -> list[str]:
    """Candidates of every kind of result: totals, decisions, a position, and something that is about no match."""
    match = loaded(file_of(DEMONSTRATION, ".xg"))
    return [
        written(
            tmp_path / "totals.json", plain({"players": {match.players[0]: {"pr": 1.0, "decisions": 3}}}, {"players": {"Cleo": {"pr": 1}}})
        ),
        str(file_of(DEMONSTRATION)),
        written(tmp_path / "position.txt", play_text(match, mistakes(match)[0])),
    ]


def test_same_candidate_gives_the_same_bytes(tmp_path: Path) -> None:
    given = written(tmp_path / "a.json", plain({"players": {ALICE: own(file_of(ZERO_PLY), 0)}}))
    texts = [dumps(pack_document(validate(ZERO_PLY, candidates=[given]))) for _ in range(2)]
    assert texts[0] == texts[1]
    assert str(tmp_path) not in texts[0]


def test_pages_markdown_and_text_tell_of_candidates(tmp_path: Path) -> None:
    arguments = [part for path in several(tmp_path) for part in ("--candidate", path)]
    result = run(DEMONSTRATION, *arguments, "--html", "site", "--markdown", "a.md", "--junit", "a.xml", "--json", "a.json")
    assert result.exit_code == 1
    document = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert faults("validation", document) == []
    assert [one["name"] for one in document["matches"][0]["candidates"]] == ["totals.json", file_of(DEMONSTRATION).name, "position.txt"]
    assert len(document["not_compared"]) == 1
    del document["matches"][0]["candidates"][0]["reported"]
    assert faults("validation", document)
    site = {path.name: path.read_text("utf-8") for path in (tmp_path / "site").iterdir()}
    assert {"demonstration.candidate-1.html", "demonstration.candidate-2.html", "demonstration.html", "index.html"} <= set(site)
    assert 'href="demonstration.candidate-1.html"' in site["demonstration.html"]
    assert "reporting, right" in site["demonstration.candidate-1.html"]
    for text in (site["index.html"], (tmp_path / "a.md").read_text("utf-8"), (tmp_path / "a.xml").read_text("utf-8"), result.output):
        assert "Cleo" in text
        assert "totals.json" in text


def test_schema_of_the_plain_format_agrees_with_the_reader(tmp_path: Path) -> None:
    good = plain(
        {"match": ZERO_PLY.name, "length": 7, "analysis": "gnubg", "opponent": BOB, "players": {ALICE: {"snowie_er": None, "pr": "1,5"}}}
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
        lambda tree: tree["matches"][0]["players"].update(B={"pr": 1}, C={"pr": 1}),
    ]
    for change in spoilt:
        tree = json.loads(json.dumps(good))
        change(tree)
        assert faults("figures", tree)
        with pytest.raises(InvalidConfiguration):
            read_candidates([written(tmp_path / "a.json", tree)])


@pytest.mark.parametrize("kind", ["yaml", "csv"])
def test_examples_of_the_documentation_are_right(tmp_path: Path, kind: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "candidates.md").read_text("utf-8")
    (text,) = (block for block in re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL) if not block.startswith("candidates:"))
    result = validate(PACK, candidates=[written(tmp_path / f"example.{kind}", text)])
    figures = [one for match in result.matches for candidate in match.candidates for one in candidate.judged]
    assert {one.verdict for one in figures} == {WITHIN, INCOMPLETE}
    assert result.not_compared == ()


def test_settings_of_the_documentation_are_those_of_a_manifest(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "candidates.md").read_text("utf-8")
    (text,) = (block for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if block.startswith("candidates:"))
    pack = make_pack(tmp_path / "pack", {"one": {"xg": file_of(DEMONSTRATION, ".xg")}}, **yaml.safe_load(text))
    candidate = only(validate(pack, candidates=[str(file_of(DEMONSTRATION))]))
    assert (candidate.file, candidate.table, candidate.rules) == ("xg", "xg-blunderdb", "blunderdb-2026")


def test_default_tables_exist() -> None:
    known = shipped().tables
    assert {"xg-blunderdb", "gnubg-blunderdb", "xg-position"} <= set(known)
