"""The plugin: every reference match is an item that passes, fails with its figures, is skipped with
its reason or warns; which packs and items a run takes; and it keeps out of others' way."""

import json
import re
import shutil
import subprocess
import sys
from importlib import import_module
from xml.etree import ElementTree as ET

import pytest
import yaml

from reconcile.files.bundled import bundled
from tests.support.long import long_but_first

LOADED = (
    "gate.validate", "gate.candidates.read", "gate.candidates.figures", "gap.tolerance_file",
    "infer.program", "report.forms",
    "report.text.comparison", "formats.xg", "formats.gnubg", "formats.gnubg_text", "formats.mat",
)  # fmt: skip
for name in LOADED:
    import_module(
        f"reconcile.{name}"
    )  # once: what a run inside this process loads is forgotten with it

PACK = bundled("reference_matches")
REPORTED = "gnubg-3pt-2ply"
PAIR = "demonstration"


def add_pair(pack, judged_by="documented"):
    """A match whose two files are judged."""
    shutil.copytree(PACK / PAIR, pack / PAIR)
    respell(pack / PAIR, lambda manifest: manifest["pairs"][0].update(judged_by=judged_by))
    respell(pack / PAIR, lambda manifest: manifest["files"]["xg"].update(tool="eXtreme Gammon"))
    return pack


def respell(folder, change):
    """Change a manifest."""
    path = folder / "match.yaml"
    manifest = yaml.safe_load(path.read_text("utf-8"))
    change(manifest)
    path.write_text(yaml.safe_dump(manifest, allow_unicode=True, sort_keys=False), "utf-8")


def falsify(pack, player="Alice m26", metric="luck.equity", printed="9.9"):
    respell(
        pack / REPORTED,
        lambda manifest: manifest["reported"][0]["players"][player].update({metric: printed}),
    )


def tolerances(path, table="documented", **document):
    """A file of tolerances beside the bundled ones; `pr` is the entry for PR in `table`."""
    entry = document.pop("pr", None)
    if entry is not None:
        document["tables"] = {
            table: {"title": "t", "entries": {"pr": {"reason": "r", "source": "s"} | entry}}
        }
    path.write_text(yaml.safe_dump({"schema_version": 1, "extends": "bundled"} | document))
    return str(path)


QUIET = ("-p", "no:hypothesispytest", "-p", "no:benchmark")
"""Other plugins that take their time."""


def run(pytester, *arguments):
    """pytest in this process."""
    return pytester.runpytest_inprocess(*QUIET, *arguments)


def ids(result):
    """Node ids of a run with `--collect-only -q`."""
    return [line for line in result.outlines if "::" in line]


def plain(result):
    """What was printed, without anything that a bug of ours would print."""
    text = result.stdout.str() + result.stderr.str()
    for sign in ("INTERNALERROR", "Traceback", "pytest_plugin.py", "PytestConfigWarning"):
        assert sign not in text, text
    return text


@pytest.fixture
def pack(pytester):
    """A pack of one match with reported figures, below the current folder."""
    shutil.copytree(PACK / REPORTED, pytester.path / "pack" / REPORTED)
    return pytester.path / "pack"


# -- items -----------------------------------------------------------------------------------------

ITEM = f"pack/{REPORTED}/match.yaml::{REPORTED}"


def test_match_is_an_item_and_nothing_is_judged_at_collection(pytester, pack):
    add_pair(pack)
    before = ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q"))
    assert sorted(before) == [f"pack/{PAIR}/match.yaml::{PAIR}", ITEM]
    falsify(pack)
    for file in pack.glob("*/*.sgf"):
        file.unlink()
    assert ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q")) == before


def test_match_fails_with_every_figure_that_is_off(pytester, pack):
    run(pytester, "--reconcile", "pack").assert_outcomes(passed=1)
    falsify(pack)
    falsify(pack, "Bob m26", "decisions.counted", "9")
    result = run(pytester, "--reconcile", "pack")
    result.assert_outcomes(failed=1)
    text = plain(result)
    assert re.search(
        r"Luck.*Alice m26.*expected 9.9 within 0.0001, found 1.743.* \(gap -8.157\)", text
    )
    assert re.search(r"Decisions +Bob m26 +expected 9 within", text)
    assert re.search(rf"FAILED {ITEM}", text)


def test_gap_of_a_pair_is_told_in_steps(pytester, pack):
    add_pair(pack)
    text = plain(run(pytester, "--reconcile", "pack", "-k", PAIR))
    start = r"PR  Nora Lindqvist  gap -2\.31, allowed 0\.10 "
    bridge = r"\n +XG +7\.16\n(?: +Q\d\d .*\n)+ +analysis +-.*\n(?:.*\n)* +gnuBG +4\.85"
    assert re.search(f"{start}(?s:.)*?{bridge}", text), text


BROKEN = {
    "schema_version: 1\nid: x\nsurprise: 1\n": "match.yaml",
    "a: *b": "aliases are not allowed",
    "!!python/object:os.system x": "tags are not allowed",
}


def test_what_is_broken_fails_in_a_line_and_hides_no_other(pytester, pack):
    for number, content in enumerate(BROKEN):
        (pack / f"broken-{number}").mkdir()
        (pack / f"broken-{number}" / "match.yaml").write_text(content)
    add_pair(pack)
    shutil.copytree(PACK / "gnubg-7pt-0ply", pack / "gnubg-7pt-0ply")
    (file,) = (pack / REPORTED).glob("*.sgf")
    file.write_bytes(file.read_bytes() + b" ")
    result = run(pytester, "--reconcile", "pack")
    result.assert_outcomes(passed=1, failed=len(BROKEN) + 2)
    text = plain(result)
    assert all(words in text for words in (*BROKEN.values(), "expected SHA-256"))
    (pytester.path / "t.yaml").write_text("tables: [")
    assert "t.yaml" in plain(
        run(pytester, "--reconcile", "pack", "--reconcile-tolerances", "t.yaml")
    )


def test_absent_file_is_skipped_with_its_reason_and_fails_when_strict(pytester, pack):
    shutil.copytree(PACK / "charlot", pack / "charlot")
    result = run(pytester, "--reconcile", "pack", "-rs")
    result.assert_outcomes(passed=1, skipped=1)
    assert result.ret == pytest.ExitCode.OK
    assert "no reported figure could be compared" in plain(result)
    run(pytester, "--reconcile", "pack", "--reconcile-strict").assert_outcomes(passed=1, failed=1)


@pytest.mark.long
def test_level_warn_is_a_warning_and_an_error_only_where_asked(pytester, pack):
    add_pair(pack)
    shutil.rmtree(pack / REPORTED)
    path = tolerances(pytester.path / "t.yaml", pr={"abs": 0.0, "level": "warn"})
    asked = ["--reconcile", "pack", "--reconcile-tolerances", path]
    pytester.makeini("[pytest]\nfilterwarnings = error")
    result = pytester.runpytest_subprocess(*QUIET, *asked)
    result.assert_outcomes(passed=1, warnings=1)
    assert re.search(r"PR  Nora Lindqvist  gap [+-]\d\.\d+, allowed 0\.00", result.stdout.str())
    strict = ("-W", "error::reconcile.pytest_plugin.ToleranceWarning")
    pytester.runpytest_subprocess(*QUIET, *asked, *strict).assert_outcomes(failed=1)


def test_open_figure_is_a_warning_and_an_error_only_when_strict(pytester, pack):
    """By XG's rules Ben's PR is 74.57 or 75.77, and nobody outside XG knows which; 75.00 may be
    either."""
    shutil.rmtree(pack / REPORTED)
    shutil.copytree(PACK / "gnubg-11pt-cube-rich", pack / "gnubg-11pt-cube-rich")
    shown = {"rules": "xg", "table": "one", "players": {"Ben": {"pr": "75.00"}}}
    respell(pack / "gnubg-11pt-cube-rich", lambda manifest: manifest["reported"][0].update(shown))
    path = tolerances(pytester.path / "t.yaml", "one", pr={"abs": 0.01, "level": "error"})
    arguments = ("--reconcile", "pack", "--reconcile-tolerances", path)
    result = run(pytester, *arguments)
    result.assert_outcomes(passed=1, warnings=1)
    assert "found 74.57 (74.57 to 75.77)" in plain(result)
    run(pytester, *arguments, "--reconcile-strict").assert_outcomes(failed=1)


# -- programs -------------------------------------------------------------------------------------

PROGRAM = """import sys
if sys.argv[1] == "demonstration": sys.exit("no such match")
print('player,metric,figure')
print('Alice m26,decisions,%s' % sys.argv[2])
print('Bob m26,decisions,78')
"""


def command(pytester, counted):
    (pytester.path / "program.py").write_text(PROGRAM)
    return f'"{sys.executable}" "{pytester.path / "program.py"}" {{match}} {counted}'


@pytest.mark.long
def test_program_is_run_for_each_match(pytester, pack):
    asked = ["--reconcile", "pack", "--reconcile-candidate-command"]
    result = run(pytester, *asked, command(pytester, 57))
    result.assert_outcomes(failed=1)
    assert re.search("candidate program.py: Decisions +Alice m26 +expected 60", plain(result))
    add_pair(pack, "figures")
    result = run(pytester, *asked, command(pytester, 60))
    result.assert_outcomes(passed=1, failed=1)
    assert "ended with exit code 1: no such match" in plain(result)


def test_program_and_table_can_be_in_the_configuration(pytester, pack):
    entry = {"abs": 2, "level": "error", "reason": "r", "source": "s"}
    tables = {"mine": {"title": "t", "entries": {"decisions.counted": entry}}}
    tolerances(pytester.path / "t.yaml", tables=tables)
    settings = {"tolerances": "t.yaml", "candidate_table": "mine", "packs": "pack"}
    settings["candidate_command"] = command(pytester, 57)
    lines = (f"reconcile_{name} = {value}" for name, value in settings.items())
    pytester.makeini("\n".join(("[pytest]", *lines)))
    run(pytester).assert_outcomes(failed=1)
    other = ["--reconcile-candidate-command", command(pytester, 58)]
    run(pytester, *other).assert_outcomes(passed=1)


@pytest.mark.parametrize("workers", long_but_first(["", "2"]))
def test_what_a_program_gives_of_one_match_and_not_of_another_is_listed(pytester, pack, workers):
    shutil.copytree(PACK / "gnubg-7pt-0ply", pack / "gnubg-7pt-0ply")
    of = {
        REPORTED: {"Alice m26": {"decisions": 60}, "Bob m26": {"decisions": 78}},
        "gnubg-7pt-0ply": {"Alice m04": {"decisions": 110}, "Bob m04": {"moves.total": 140}},
    }
    matches = [{"match": match, "players": players} for match, players in of.items()]
    document = {"schema_version": 1, "program": "p", "matches": matches}
    (pytester.path / "figures.json").write_text(json.dumps(document))
    asked = ["--reconcile", "pack", "--reconcile-candidate", "figures.json"]
    asked += ["--reconcile-candidate-table", "figures"]
    lines = (
        f"{REPORTED}: p gives no moves.total of Alice m26, no moves.total of Bob m26",
        "gnubg-7pt-0ply: p gives no moves.total of Alice m04, no decisions of Bob m04",
    )
    start = pytester.runpytest_subprocess if workers else pytester.runpytest_inprocess
    result = start(*QUIET, *asked, *(("-n", workers) if workers else ()))
    assert result.ret == pytest.ExitCode.OK
    section = plain(result).partition("reconcile: missing figures")[2]
    assert all(line in section for line in lines), section
    assert run(pytester, *asked, "--reconcile-strict").ret == pytest.ExitCode.TESTS_FAILED


def test_match_without_the_candidate_warns_and_fails_when_strict(pytester, pack):
    matches = [{"match": "other", "players": {"A": {"pr": 1.0}}}]
    (pytester.path / "f.json").write_text(json.dumps({"schema_version": 1, "matches": matches}))
    asked = ["--reconcile", "pack", "--reconcile-candidate", "f.json"]
    result = run(pytester, *asked)
    result.assert_outcomes(passed=1, warnings=1)
    assert f"{REPORTED}: f.json gives no figure" in plain(result)
    run(pytester, *asked, "--reconcile-strict").assert_outcomes(failed=1)
    result = run(pytester, "--reconcile", "pack", "--reconcile-candidate", "absent.json")
    result.assert_outcomes(failed=1)
    assert "absent.json" in plain(result)


# -- which packs and items -------------------------------------------------------------------------


def test_two_packs_in_one_run(pytester, pack):
    (pytester.path / "second").mkdir()
    add_pair(pytester.path / "second")
    result = run(pytester, "--reconcile", "pack", "--reconcile", "second", "--collect-only", "-q")
    nodes = ids(result)
    assert [node.partition("/")[0] for node in nodes] == ["pack", "second"]
    assert (
        "reconcile: pack, second"
        in run(pytester, "--reconcile", "pack", "--reconcile", "second", "-k", PAIR).stdout.str()
    )


def test_pack_in_the_ini_file(pytester, pack):
    pytester.makeini("[pytest]\nreconcile_packs = pack")
    mine = pytester.makepyfile("def test_mine(): pass")
    run(pytester).assert_outcomes(passed=2)
    for path, count in ((str(mine), 1), (f"pack/{REPORTED}/match.yaml", 1)):
        assert len(ids(run(pytester, "--collect-only", "-q", path))) == count


CHOSEN = [
    (["-m", "reconcile"], 2),
    (["-m", "not reconcile"], 1),
    (["-m", f"reconcile(match='{REPORTED}')"], 1),
    (["-k", PAIR], 1),
]


def test_marker_and_keywords_select(pytester, pack):
    add_pair(pack)
    pytester.makepyfile("def test_mine(): pass")
    for chosen, count in CHOSEN:
        result = run(
            pytester, "--reconcile", "pack", "--strict-markers", "--collect-only", "-q", *chosen
        )
        assert len(ids(result)) == count, chosen


def test_failed_ones_can_be_run_again_and_one_by_its_node_id(pytester, pack):
    falsify(pack)
    run(pytester, "--reconcile", "pack")
    run(pytester, "--reconcile", "pack", "--lf").assert_outcomes(failed=1)
    node = f"pack/{REPORTED}/match.yaml::{REPORTED}"
    run(pytester, "--reconcile", "pack", node).assert_outcomes(failed=1)


def test_pack_below_the_current_folder_is_collected_once_and_manifests_of_others_not_at_all(
    pytester, pack
):
    (pytester.path / "other").mkdir()
    (pytester.path / "other" / "match.yaml").write_text("not: ours")
    for arguments in ([], ["."], ["pack"], [".", "pack"]):
        assert (
            len(ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q", *arguments))) == 1
        )


def test_pack_of_links_or_of_one_match_is_collected(pytester, pack):
    assert len(ids(run(pytester, "--reconcile", f"pack/{REPORTED}", "--collect-only", "-q"))) == 1
    (pytester.path / "linked").mkdir()
    try:
        (pytester.path / "linked" / REPORTED).symlink_to(pack / REPORTED, target_is_directory=True)
    except OSError:
        pytest.skip("no links here")
    run(pytester, "--reconcile", "linked").assert_outcomes(passed=1)


# -- keeping out of others' way --------------------------------------------------------------------


def test_nothing_is_collected_unless_asked_for(pytester, pack):
    pytester.makepyfile("def test_mine(): pass")
    result = run(pytester)
    result.assert_outcomes(passed=1)
    assert "reconcile" not in result.stdout.str().replace("gammon-reconcile", "")


def test_plugin_costs_nothing_at_the_start():
    code = (
        "import sys, pytest; before = set(sys.modules); import reconcile.pytest_plugin; "
        "loaded = {name.partition('.')[0] for name in set(sys.modules) - before}; "
        "print(sorted(loaded - {'reconcile'}), "
        "sorted(name for name in sys.modules if name.startswith('reconcile')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[] ['reconcile', 'reconcile.pytest_plugin']"


def test_plugin_can_be_left_out(pytester, pack):
    pytester.makepyfile("def test_mine(): pass")
    run(pytester, "-p", "no:reconcile").assert_outcomes(passed=1)
    assert (
        run(pytester, "-p", "no:reconcile", "--reconcile", "pack").ret
        == pytest.ExitCode.USAGE_ERROR
    )


@pytest.mark.parametrize(
    ("arguments", "is_told"),
    [
        (["--reconcile", "absent"], "found nothing there"),
        (["--reconcile", "empty"], "found none"),
        (["--reconcile-strict"], "--reconcile-strict needs a pack"),
        *(
            ([f"--reconcile-{option}"], "needs a pack")
            for option in (
                "candidate=c.yaml",
                "candidate-command=x {file}",
                "candidate-table=figures",
                "candidate-timeout=5",
            )
        ),
    ],
)
def test_mistake_in_the_command_is_told(pytester, arguments, is_told):
    (pytester.path / "empty").mkdir()
    result = run(pytester, *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert is_told in plain(result)


def test_numbers_go_into_junit_xml_of_pytest(pytester, pack):
    run(pytester, "--reconcile", "pack", "--junitxml", "r.xml")
    (case,) = ET.parse(pytester.path / "r.xml").iter("testcase")
    facts = {entry.get("name"): entry.get("value") for entry in case.iter("property")}
    assert case.get("name") == REPORTED
    assert facts == {"within": "36", "outside": "0", "open": "0", "incomplete": "0", "missing": "0"}


def test_fixture_compares_two_files(pytester):
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
    result.stdout.fnmatch_lines(
        [
            "Two engines: PR of * differs by *; the documented 0.10 is for one analysis that "
            "is read twice*",
            "Where the gaps come from:",
            "absent.sgf: cannot be read*",
        ]
    )
    plain(result)
