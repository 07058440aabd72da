"""The plugin in runs of its own: which items there are, what fails, what is told, and that it keeps out of others' way."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from reconcile.files.bundled import bundled
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.judged_figures import pack_cases
from reconcile.gate.manifest import load_pack
from reconcile.gate.planned import look_up, plan
from reconcile.gate.validate import match_results, validate
from reconcile.report.text.comparison import comparison_text  # loaded here once, so that runs inside this process need not

PACK = bundled("reference_matches")
REPORTED = "gnubg-3pt-2ply"
PAIR = "demonstration"
FIGURES = 36
"""Reported figures of the one."""
assert comparison_text is not None


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("RECONCILE_DATA", raising=False)
    monkeypatch.setenv("RECONCILE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def pack(pytester: pytest.Pytester) -> Path:
    """A pack of one match with reported figures, below the current folder."""
    shutil.copytree(PACK / REPORTED, pytester.path / "pack" / REPORTED)
    return pytester.path / "pack"


def add_pair(pack: Path, judged_by: str = "documented") -> Path:
    """A match whose two files are judged."""
    shutil.copytree(PACK / PAIR, pack / PAIR)
    respell(pack / PAIR, lambda manifest: manifest["pairs"][0].update(judged_by=judged_by))
    respell(pack / PAIR, lambda manifest: manifest["files"]["xg"].update(tool="eXtreme Gammon"))
    return pack


def respell(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change a manifest."""
    path = folder / "match.yaml"
    manifest = yaml.safe_load(path.read_text("utf-8"))
    change(manifest)
    path.write_text(yaml.safe_dump(manifest, allow_unicode=True, sort_keys=False), "utf-8")


def falsify(pack: Path, player: str = "Alice m26", metric: str = "luck.equity", printed: str = "9.9") -> None:
    respell(pack / REPORTED, lambda manifest: manifest["reported"][0]["players"][player].update({metric: printed}))


def tolerances(path: Path, table: str = "documented", **document: Any) -> str:
    """A file of tolerances beside the bundled ones; `pr` is the entry for PR in `table`."""
    entry = document.pop("pr", None)
    if entry is not None:
        document["tables"] = {table: {"title": "t", "entries": {"pr": {"reason": "r", "source": "s"} | entry}}}
    path.write_text(yaml.safe_dump({"schema_version": 1, "extends": "bundled"} | document))
    return str(path)


QUIET = ("-p", "no:hypothesispytest", "-p", "no:benchmark")
"""Other plugins that take their time."""


def run(pytester: pytest.Pytester, *arguments: str | Path) -> pytest.RunResult:
    """pytest in this process."""
    return pytester.runpytest_inprocess(*QUIET, *arguments)


def ids(result: pytest.RunResult) -> list[str]:
    """Node ids of a run with `--collect-only -q`."""
    return [line for line in result.outlines if "::" in line]


def plain(result: pytest.RunResult) -> str:
    """What was printed, without anything that a bug of ours would print."""
    text = result.stdout.str() + result.stderr.str()
    for sign in ("INTERNALERROR", "Traceback", "pytest_plugin.py", "PytestConfigWarning"):
        assert sign not in text, text
    return text


# Off unless asked for.


def test_nothing_is_collected_unless_asked_for(pytester: pytest.Pytester, pack: Path) -> None:
    pytester.makepyfile("def test_mine(): pass")
    result = run(pytester)
    result.assert_outcomes(passed=1)
    assert "reconcile" not in result.stdout.str().replace("gammon-reconcile", "")


def test_plugin_costs_nothing_at_the_start() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import reconcile.pytest_plugin; "
        "print(sorted({name.partition('.')[0] for name in set(sys.modules) - before} - {'reconcile'}), "
        "sorted(name for name in sys.modules if name.startswith('reconcile')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[] ['reconcile', 'reconcile.errors', 'reconcile.pytest_plugin']"


def test_manifests_of_others_are_left_alone(pytester: pytest.Pytester, pack: Path) -> None:
    (pytester.path / "other").mkdir()
    (pytester.path / "other" / "match.yaml").write_text("not: ours")
    pytester.makepyfile("def test_mine(): pass")
    result = run(pytester, "--reconcile", "pack")
    result.assert_outcomes(passed=FIGURES + 1)


def test_plugin_can_be_left_out(pytester: pytest.Pytester, pack: Path) -> None:
    pytester.makepyfile("def test_mine(): pass")
    result = pytester.runpytest_subprocess(*QUIET, "-p", "no:reconcile")
    result.assert_outcomes(passed=1)
    result = pytester.runpytest_subprocess(*QUIET, "-p", "no:reconcile", "--reconcile", "pack")
    assert result.ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--reconcile", "absent"], "found nothing there"),
        (["--reconcile", "empty"], "found none"),
        (["--reconcile-strict"], "--reconcile-strict needs a pack"),
        (["--reconcile-candidate", "c.yaml"], "--reconcile-candidate needs a pack"),
    ],
)
def test_mistake_in_the_command_is_told(pytester: pytest.Pytester, arguments: list[str], told: str) -> None:
    (pytester.path / "empty").mkdir()
    result = run(pytester, *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert told in plain(result)


# Items.


def test_every_judged_figure_is_an_item_under_its_id(pytester: pytest.Pytester, pack: Path) -> None:
    add_pair(pack)
    result = run(pytester, "--reconcile", "pack", "--collect-only", "-q")
    prefix = re.compile(r"^pack/([^/]+)/match\.yaml::")
    assert [prefix.sub(r"\1::", node) for node in ids(result)] == [case.id for case in pack_cases(validate(pack))]
    assert len(ids(result)) == FIGURES + 6


def test_plan_is_what_validation_judges(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    monkeypatch.setenv("RECONCILE_DATA", str(data))
    known = load_tolerances()
    results = {match.manifest.id: match for match in match_results(PACK, known)}
    found = [look_up(one, results[manifest.id]) for folder, manifest in load_pack(PACK) for one in plan(folder, manifest, known)]
    judged = [one.id for one in found if not isinstance(one, str)]
    assert judged == [case.id for case in pack_cases(validate(PACK, known))]
    assert len(judged) >= 135


def test_ids_do_not_depend_on_results_or_on_files_at_hand(pytester: pytest.Pytester, pack: Path) -> None:
    before = ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q"))
    falsify(pack)
    assert ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q")) == before
    respell(pack / REPORTED, lambda m: m["files"]["gnubg"].update(bundled=False, url="https://example.org/a.sgf", name="gone.sgf"))
    assert ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q")) == before


def test_all_within_passes(pytester: pytest.Pytester, pack: Path) -> None:
    result = run(pytester, "--reconcile", "pack")
    result.assert_outcomes(passed=FIGURES)
    assert result.ret == pytest.ExitCode.OK
    assert "nothing used" not in plain(result)


def test_figure_that_is_off_fails_alone_with_its_verdict(pytester: pytest.Pytester, pack: Path) -> None:
    falsify(pack)
    result = run(pytester, "--reconcile", "pack")
    result.assert_outcomes(passed=FIGURES - 1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "Luck*Alice m26*expected 9.9 within 0.0001, found 1.743* (gap -8.157)",
            f"match.yaml:* in {REPORTED}",
            f"FAILED pack/{REPORTED}/match.yaml::reported gnubg::Alice m26::luck.equity*",
        ]
    )
    line = int(re.findall(r"match\.yaml:(\d+) in", plain(result))[0])
    assert "luck.equity: '9.9'" in (pack / REPORTED / "match.yaml").read_text("utf-8").splitlines()[line - 1]


def test_gap_of_a_pair_is_told_in_steps(pytester: pytest.Pytester, pack: Path) -> None:
    add_pair(pack)
    result = run(pytester, "--reconcile", "pack", "-m", "reconcile(player='Nora Lindqvist', metric='pr')")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    text = plain(result)
    assert re.search(r"^PR  Nora Lindqvist  expected <= 0\.10  found \d\.\d\d ", text, re.MULTILINE)
    told = text.partition("short test summary")[0]
    steps = re.findall(r"^(XG|Q\d\d|analysis|gnuBG) +(-?\+?\d+\.\d+)", told, re.MULTILINE)
    values = [float(value) for _, value in steps]
    assert [steps[0][0], steps[-1][0]] == ["XG", "gnuBG"]
    assert {"Q01", "analysis"} <= {name for name, _ in steps}
    assert values[0] + sum(values[1:-1]) == pytest.approx(values[-1], abs=0.02)


def test_absent_file_is_skipped_with_its_reason_and_fails_when_strict(pytester: pytest.Pytester, pack: Path) -> None:
    shutil.copytree(PACK / "charlot", pack / "charlot")
    result = run(pytester, "--reconcile", "pack", "-rs")
    result.assert_outcomes(passed=FIGURES, skipped=26)
    assert re.search(r"SKIPPED \[26\] .*charlot1-charlot2.*\.xg is not here; bring it with `reconcile fetch`", result.stdout.str())
    result = run(pytester, "--reconcile", "pack", "--reconcile-strict")
    result.assert_outcomes(passed=FIGURES, failed=26)
    plain(result)


def test_pair_whose_file_is_absent_is_one_skipped_item(pytester: pytest.Pytester, pack: Path) -> None:
    shutil.copytree(PACK / "charlot", pack / "charlot")
    respell(pack / "charlot", lambda manifest: manifest.update(reported=[], pairs=[manifest["pairs"][0] | {"judged_by": "documented"}]))
    result = run(pytester, "--reconcile", "pack", "-k", "charlot", "-v")
    result.assert_outcomes(skipped=1, deselected=FIGURES)
    result.stdout.fnmatch_lines(["pack/charlot/match.yaml::xg against gnubg::not compared SKIPPED*"])


def test_incomplete_figure_is_skipped_and_fails_when_strict(pytester: pytest.Pytester, pack: Path, data: Path) -> None:
    add_pair(pack)
    content = (data / "gnubg" / "m15_5pt_partly_game2.sgf").read_bytes()
    files = {}
    for name in ("one", "two"):
        (pack / PAIR / f"{name}.sgf").write_bytes(content)
        files[name] = {
            "name": f"{name}.sgf", "sha256": sha256(content).hexdigest(), "bytes": len(content), "url": None, "bundled": True,
            "tool": "GNU Backgammon", "tool_version": None, "level": None,
        }  # fmt: skip
    pairs = [{"left": "one", "right": "two", "judged_by": "documented"}]
    respell(pack / PAIR, lambda manifest: manifest.update(files=files, pairs=pairs))
    result = run(pytester, "--reconcile", "pack", "-rs", "-k", PAIR)
    result.assert_outcomes(skipped=6, deselected=FIGURES)
    assert re.search(rf"SKIPPED \[1\] pack/{PAIR}/match\.yaml:\d+: PR  Alice m15  not judged: left: 37 of 104 checker plays", plain(result))
    run(pytester, "--reconcile", "pack", "--reconcile-strict", "-k", PAIR).assert_outcomes(failed=6, deselected=FIGURES)


def test_level_warn_is_a_warning_and_an_error_only_where_asked(pytester: pytest.Pytester, pack: Path) -> None:
    add_pair(pack)
    shutil.rmtree(pack / REPORTED)
    asked = ["--reconcile", "pack", "--reconcile-tolerances", tolerances(pytester.path / "t.yaml", pr={"abs": 0.0, "level": "warn"})]
    pytester.makeini("[pytest]\nfilterwarnings = error")
    result = pytester.runpytest_subprocess(*QUIET, *asked)
    result.assert_outcomes(passed=2, warnings=2)
    assert re.search(r"ToleranceWarning: PR  Nora Lindqvist  expected <= 0\.00", result.stdout.str())
    result = pytester.runpytest_subprocess(*QUIET, *asked, "-W", "error::reconcile.pytest_plugin.ToleranceWarning")
    result.assert_outcomes(failed=2)


def test_two_packs_in_one_run(pytester: pytest.Pytester, pack: Path) -> None:
    (pytester.path / "second").mkdir()
    add_pair(pytester.path / "second")
    result = run(pytester, "--reconcile", "pack", "--reconcile", "second", "--collect-only", "-q")
    nodes = ids(result)
    assert [node.partition("/")[0] for node in nodes] == ["pack"] * FIGURES + ["second"] * 6
    assert "reconcile: pack, second" in run(pytester, "--reconcile", "pack", "--reconcile", "second", "-k", "pr").stdout.str()


def test_folder_of_one_match_is_a_pack(pytester: pytest.Pytester, pack: Path) -> None:
    result = run(pytester, "--reconcile", f"pack/{REPORTED}")
    result.assert_outcomes(passed=FIGURES)


def test_pack_in_the_ini_file(pytester: pytest.Pytester, pack: Path) -> None:
    pytester.makeini("[pytest]\nreconcile_packs = pack")
    mine = pytester.makepyfile("def test_mine(): pass")
    run(pytester).assert_outcomes(passed=FIGURES + 1)
    run(pytester, mine).assert_outcomes(passed=1)
    run(pytester, f"pack/{REPORTED}/match.yaml").assert_outcomes(passed=FIGURES)


@pytest.mark.parametrize(
    ("chosen", "count"),
    [
        (["-m", "reconcile"], FIGURES + 6),
        (["-m", "not reconcile"], 1),
        (["-m", "reconcile(metric='pr')"], 2),
        (["-m", "reconcile(tool='xg')"], 6),
        (["-m", "reconcile(tool='gnubg')"], FIGURES + 6),
        (["-m", f"reconcile(match='{REPORTED}')"], FIGURES),
        (["-m", "reconcile(player='Nora Lindqvist', metric='pr')"], 1),
        (["-k", PAIR], 6),
        (["-k", "luck"], 4),
        (["-k", "Alice and luck.equity"], 1),
    ],
)
def test_marker_and_keywords_select(pytester: pytest.Pytester, pack: Path, chosen: list[str], count: int) -> None:
    add_pair(pack)
    pytester.makepyfile("def test_mine(): pass")
    result = run(pytester, "--reconcile", "pack", "--strict-markers", "--collect-only", "-q", *chosen)
    assert len(ids(result)) == count


def test_one_item_by_its_node_id(pytester: pytest.Pytester, pack: Path) -> None:
    node = f"pack/{REPORTED}/match.yaml::reported gnubg::Bob m26::decisions"
    result = run(pytester, "--reconcile", "pack", node)
    result.assert_outcomes(passed=1)


def test_failed_ones_can_be_run_again(pytester: pytest.Pytester, pack: Path) -> None:
    falsify(pack)
    run(pytester, "--reconcile", "pack")
    run(pytester, "--reconcile", "pack", "--lf").assert_outcomes(failed=1)


def test_pack_below_the_current_folder_is_collected_once(pytester: pytest.Pytester, pack: Path) -> None:
    for arguments in ([], ["."], ["pack"], [".", "pack"]):
        run(pytester, "--reconcile", "pack", *arguments).assert_outcomes(passed=FIGURES)


def test_players_whose_names_cannot_stand_in_an_id_stay_apart(pytester: pytest.Pytester, pack: Path) -> None:
    add_pair(pack)
    path = pack / PAIR / "nora-lindqvist-tomas-beck.sgf"
    text = path.read_text("utf-8").replace("PW[Nora_Lindqvist]", "PW[a::b \u2028]").replace("PB[Tomas_Beck]", "PB[a:b ?]")
    assert "a::b" in text
    path.write_text(text, "utf-8")
    facts = {"sha256": sha256(path.read_bytes()).hexdigest(), "bytes": path.stat().st_size}
    respell(pack / PAIR, lambda manifest: manifest["files"]["gnubg"].update(facts))
    respell(pack / PAIR, lambda manifest: manifest["pairs"][0].update(left="gnubg", right="xg"))
    nodes = ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q", "-k", PAIR))
    assert len(set(nodes)) == len(nodes) == 6
    assert len({node.split("::")[2] for node in nodes}) == 2


def test_pack_of_links_is_collected(pytester: pytest.Pytester, pack: Path) -> None:
    (pytester.path / "linked").mkdir()
    try:
        (pytester.path / "linked" / REPORTED).symlink_to(pack / REPORTED, target_is_directory=True)
    except OSError:
        pytest.skip("no links here")
    run(pytester, "--reconcile", "linked").assert_outcomes(passed=FIGURES)


# What is broken.


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("schema_version: 1\nid: x\nsurprise: 1\n", "match.yaml"),
        ("a: *b", "aliases are not allowed"),
        ("!!python/object:os.system x", "tags are not allowed"),
        ("[", "match.yaml"),
    ],
)
def test_broken_manifest_is_one_line_and_hides_no_other(pytester: pytest.Pytester, pack: Path, content: str, told: str) -> None:
    (pack / "a-broken").mkdir()
    (pack / "a-broken" / "match.yaml").write_text(content)
    result = run(pytester, "--reconcile", "pack")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*ERROR collecting pack/a-broken/match.yaml*", f"*{told}*"])
    plain(result)
    result = run(pytester, "--reconcile", "pack", "--continue-on-collection-errors")
    result.assert_outcomes(passed=FIGURES, errors=1)


def test_figure_without_tolerance_and_unknown_table_are_collection_errors(pytester: pytest.Pytester, pack: Path) -> None:
    respell(pack / REPORTED, lambda manifest: manifest["reported"][0].update(table="documented"))
    assert "has no tolerance for it" in plain(run(pytester, "--reconcile", "pack"))
    respell(pack / REPORTED, lambda manifest: manifest["reported"][0].update(table="none"))
    result = run(pytester, "--reconcile", "pack")
    result.assert_outcomes(errors=1)
    assert "no table of tolerances 'none'" in plain(result)


def test_bad_tolerances_are_told_in_a_line(pytester: pytest.Pytester, pack: Path) -> None:
    (pytester.path / "t.yaml").write_text("tables: [")
    result = run(pytester, "--reconcile", "pack", "--reconcile-tolerances", "t.yaml")
    result.assert_outcomes(errors=1)
    assert "t.yaml" in plain(result)


def test_changed_file_fails_every_figure_of_its_match_with_one_line(pytester: pytest.Pytester, pack: Path) -> None:
    add_pair(pack)
    (file,) = (pack / REPORTED).glob("*.sgf")
    file.write_bytes(file.read_bytes() + b" ")
    result = run(pytester, "--reconcile", "pack", "-k", f"{REPORTED} or snowie_er")
    result.assert_outcomes(
        failed=FIGURES + len(re.findall("FAILED .*snowie_er", result.stdout.str())),
        passed=result.parseoutcomes().get("passed", 0),
        deselected=4,
    )
    assert "expected SHA-256" in plain(result)


# Candidates, and what nothing used.


def test_figures_of_a_candidate_are_items(pytester: pytest.Pytester, pack: Path) -> None:
    players = {"Alice m26": {"checker_pr": 31.7, "luck.equity": 1.0}, "Bob m26": {"checker_pr": 99.0}}
    document = {"schema_version": 1, "program": "p", "matches": [{"match": REPORTED, "players": players}]}
    (pytester.path / "figures.yaml").write_text(yaml.safe_dump(document))
    result = run(pytester, "--reconcile", "pack", "--reconcile-candidate", "figures.yaml", "-v")
    result.assert_outcomes(passed=FIGURES + 1, failed=1)
    result.stdout.fnmatch_lines([f"pack/{REPORTED}/match.yaml::candidate *::Bob m26::checker_pr FAILED*"])
    text = plain(result)
    assert "figures and exceptions that nothing used" in text
    assert "luck.equity" in text.partition("that nothing used")[2]


def test_candidate_about_another_match_is_told(pytester: pytest.Pytester, pack: Path) -> None:
    matches = [{"match": REPORTED, "players": {"Alice m26": {"checker_pr": 31.7}}}, {"match": "other", "players": {"A": {"pr": 1.0}}}]
    (pytester.path / "figures.yaml").write_text(yaml.safe_dump({"schema_version": 1, "matches": matches}))
    result = run(pytester, "--reconcile", "pack", "--reconcile-candidate", "figures.yaml")
    assert "no reference match 'other'" in plain(result).partition("that nothing used")[2]


def test_candidate_that_cannot_be_read_is_a_collection_error(pytester: pytest.Pytester, pack: Path) -> None:
    result = run(pytester, "--reconcile", "pack", "--reconcile-candidate", "absent.yaml")
    result.assert_outcomes(errors=1)
    assert "absent.yaml" in plain(result)


def test_exception_that_concerns_nothing_is_told(pytester: pytest.Pytester, pack: Path) -> None:
    entry = {"table": "gnubg-reported", "metric": "luck.equity", "until": "2999-01-01", "abs": 1.0, "level": "error", "reason": "r"}
    overrides = [entry | {"player": "Alice m26"}, entry | {"player": "Zoe"}]
    asked = ["--reconcile", "pack", "--reconcile-tolerances", tolerances(pytester.path / "t.yaml", overrides=overrides)]
    text = plain(run(pytester, *asked)).partition("that nothing used")[2]
    assert "luck.equity of Zoe" in text
    assert "Alice" not in text
    # A selection says nothing about what is used, and neither does a part of a pack.
    add_pair(pack)
    assert "nothing used" not in plain(run(pytester, *asked, f"pack/{PAIR}/match.yaml"))


def test_reported_figure_of_level_off_is_told(pytester: pytest.Pytester, pack: Path) -> None:
    entry = {"table": "gnubg-reported", "metric": "luck.equity", "until": "2999-01-01", "abs": 1.0, "level": "off", "reason": "r"}
    path = tolerances(pytester.path / "t.yaml", overrides=[entry | {"player": "Alice m26"}])
    result = run(pytester, "--reconcile", "pack", "--reconcile-tolerances", path)
    result.assert_outcomes(passed=FIGURES - 1)
    assert "luck.equity of Alice m26 is reported and never judged" in plain(result)


# Beside other plugins.


def test_workers_collect_the_same_and_tell_the_same(pytester: pytest.Pytester, pack: Path) -> None:
    add_pair(pack)
    falsify(pack)
    entry = {"table": "documented", "metric": "pr", "until": "2999-01-01", "abs": 1.0, "level": "error", "reason": "r", "player": "Zoe"}
    path = tolerances(pytester.path / "t.yaml", overrides=[entry])
    asked = ["--reconcile", "pack", "--reconcile-tolerances", path, "-rA", "-p", "no:cacheprovider"]
    alone = run(pytester, *asked)
    both = pytester.runpytest_subprocess(*QUIET, *asked, "-n", "2")

    def told(result: pytest.RunResult) -> list[str]:
        return sorted(line for line in result.outlines if re.match("(PASSED|FAILED|SKIPPED) ", line))

    assert told(alone) == told(both)
    assert len(told(alone)) == FIGURES + 6
    for result in (alone, both):
        assert plain(result).count("pr of Zoe") == 1


def test_numbers_go_into_junit_xml_of_pytest(pytester: pytest.Pytester, pack: Path) -> None:
    run(pytester, "--reconcile", "pack", "--junitxml", "r.xml", "-k", "Bob and decisions.take")
    (case,) = ET.parse(pytester.path / "r.xml").iter("testcase")
    facts = {one.get("name"): one.get("value") for one in case.iter("property")}
    assert facts == {
        "id": f"{REPORTED}::reported gnubg::Bob m26::decisions.take",
        "left": "0.0", "right": "0", "gap": "0.0", "tolerance": "0.0", "level": "error",
    }  # fmt: skip


def test_fixture_compares_two_files(pytester: pytest.Pytester) -> None:
    left, right = (PACK / PAIR / f"nora-lindqvist-tomas-beck.{ending}" for ending in ("xg", "sgf"))
    pytester.makepyfile(
        f"""
        def test_same(reconcile_compare):
            assert reconcile_compare({str(right)!r}, {str(right)!r}).verdict == "within"

        def test_other(reconcile_compare):
            reconcile_compare({str(left)!r}, {str(right)!r})

        def test_absent(reconcile_compare):
            reconcile_compare({str(left)!r}, "absent.sgf")
        """
    )
    result = run(pytester)
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*Worst of the * outside: PR of *", "Where the gaps come from:", "absent.sgf: cannot be read*"])
    plain(result)
