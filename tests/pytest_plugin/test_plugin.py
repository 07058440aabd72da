"""The plugin: every reference match is an item that passes, fails with its figures, is skipped with
its reason or warns; which packs and items a run takes; and it keeps out of others' way."""

import json
import re
import shutil
import subprocess
import sys
from importlib import import_module

import pytest
import yaml

from reconcile.files.bundled import bundled
from tests.support.long import long_but_first
from tests.support.packs import respell

for name in ("gate.validate", "report.forms", "report.text.pack", "formats.xg", "formats.gnubg"):
    import_module(f"reconcile.{name}")  # what a run inside this process loads is forgotten with it
PACK = bundled("reference_matches")
REPORTED = "gnubg-3pt-2ply"
PAIR = "demonstration"
ITEM = f"pack/{REPORTED}/match.yaml::{REPORTED}"
QUIET = ("-p", "no:hypothesispytest", "-p", "no:benchmark")
"""Other plugins that take their time."""


def add_pair(pack, judged_by="documented"):
    """A match whose two files are judged."""
    shutil.copytree(PACK / PAIR, pack / PAIR)
    respell(pack / PAIR, lambda manifest: manifest["pairs"][0].update(judged_by=judged_by))


def falsify(pack, player="Alice m26", metric="luck.equity", printed="9.9"):
    respell(
        pack / REPORTED,
        lambda manifest: manifest["reported"][0]["players"][player].update({metric: printed}),
    )


def judged_by(pack, table, **entry):
    """Have the `pack.yaml` name a file of tolerances with one bound."""
    entry |= {"reason": "r", "source": "s"}
    tables = {table: {"title": "t", "entries": {entry.pop("metric"): entry}}}
    text = {"schema_version": 1, "extends": "bundled", "tables": tables}
    (pack / "t.yaml").write_text(yaml.safe_dump(text))
    settings = f"schema_version: 1\ntolerances: t.yaml\ncandidates: {{table: {table}}}\n"
    (pack / "pack.yaml").write_text(settings)


def run(pytester, *arguments):
    """pytest in this process."""
    return pytester.runpytest_inprocess(*QUIET, *arguments)


def ids(pytester, *arguments):
    """Node ids of what a run collects."""
    lines = run(pytester, "--collect-only", "-q", *arguments).outlines
    return [line for line in lines if "::" in line]


def plain(result):
    """What was printed, without anything that a bug of ours would print."""
    text = result.stdout.str() + result.stderr.str()
    for sign in ("INTERNALERROR", "Traceback", "PytestConfigWarning"):
        assert sign not in text, text
    return text


@pytest.fixture
def pack(pytester):
    """A pack of one match with reported figures, below the current folder."""
    shutil.copytree(PACK / REPORTED, pytester.path / "pack" / REPORTED)
    return pytester.path / "pack"


# -- items -----------------------------------------------------------------------------------------


def test_match_is_an_item_and_nothing_is_judged_at_collection(pytester, pack):
    add_pair(pack)
    before = ids(pytester, "--reconcile", "pack")
    assert sorted(before) == [f"pack/{PAIR}/match.yaml::{PAIR}", ITEM]
    falsify(pack)
    for file in pack.glob("*/*.sgf"):
        file.unlink()
    assert ids(pytester, "--reconcile", "pack") == before


@pytest.mark.parametrize("workers", long_but_first(["", "2"]))
def test_match_fails_with_every_figure_that_is_off(pytester, pack, workers):
    add_pair(pack)
    falsify(pack)
    falsify(pack, "Bob m26", "decisions.counted", "9")
    start = pytester.runpytest_subprocess if workers else pytester.runpytest_inprocess
    result = start(*QUIET, "--reconcile", "pack", *(("-n", workers) if workers else ()))
    result.assert_outcomes(failed=2)
    text = plain(result)
    assert re.search(r"Luck.*Alice m26 .*expected 9.9 .*found 1.743.* \(gap -8.157\)", text)
    assert re.search(r"Decisions +Bob m26 +expected 9 within", text)
    assert re.search(r"PR  Nora Lindqvist  gap -2\.31, allowed 0\.10 ", text)
    assert re.search(r"7\.16, Q01 -0\.\d+, .*analysis -2\.\d+ = 4\.85", text)
    assert f"FAILED {ITEM}" in text


BROKEN = {
    "schema_version: 1\nid: x\nsurprise: 1\n": "match.yaml",
    "a: *b": "aliases are not allowed",
    "!!python/object:os.system x": "tags are not allowed",
}


def test_what_is_broken_fails_in_a_line_and_hides_no_other(pytester, pack):
    for number, content in enumerate(BROKEN):
        (pack / f"broken-{number}").mkdir()
        (pack / f"broken-{number}" / "match.yaml").write_text(content)
    shutil.copytree(PACK / "gnubg-7pt-0ply", pack / "gnubg-7pt-0ply")
    (file,) = (pack / REPORTED).glob("*.sgf")
    file.write_bytes(file.read_bytes() + b" ")
    result = run(pytester, "--reconcile", "pack")
    result.assert_outcomes(passed=1, failed=len(BROKEN) + 1)
    text = plain(result)
    assert all(words in text for words in (*BROKEN.values(), "expected SHA-256"))


def test_absent_file_is_skipped_with_its_reason_and_fails_when_strict(pytester, pack):
    shutil.copytree(PACK / "charlot", pack / "charlot")
    result = run(pytester, "--reconcile", "pack", "-rs")
    result.assert_outcomes(passed=1, skipped=1)
    assert "no reported figure could be compared" in plain(result)
    run(pytester, "--reconcile", "pack", "--reconcile-strict").assert_outcomes(passed=1, failed=1)


def test_level_warn_is_a_warning_and_an_error_only_where_asked(pytester, pack):
    add_pair(pack)
    shutil.rmtree(pack / REPORTED)
    judged_by(pack, "documented", metric="pr", abs=0.0, level="warn")
    pytester.makeini("[pytest]\nfilterwarnings = error")
    result = run(pytester, "--reconcile", "pack")
    result.assert_outcomes(passed=1, warnings=1)
    assert re.search(r"PR  Nora Lindqvist  gap [+-]\d\.\d+, allowed 0\.00", result.stdout.str())
    strict = ("-W", "error::reconcile.pytest_plugin.ToleranceWarning")
    run(pytester, "--reconcile", "pack", *strict).assert_outcomes(failed=1)


def test_open_figure_is_a_warning_and_an_error_only_when_strict(pytester, pack):
    """By XG's rules Ben's PR is 74.57 or 75.77, and nobody outside XG knows which; 75.00 may be
    either."""
    shutil.rmtree(pack / REPORTED)
    shutil.copytree(PACK / "gnubg-11pt-cube-rich", pack / "gnubg-11pt-cube-rich")
    shown = {"rules": "xg", "table": "one", "players": {"Ben": {"pr": "75.00"}}}
    respell(pack / "gnubg-11pt-cube-rich", lambda manifest: manifest["reported"][0].update(shown))
    judged_by(pack, "one", metric="pr", abs=0.01, level="error")
    result = run(pytester, "--reconcile", "pack")
    result.assert_outcomes(passed=1, warnings=1)
    assert "found 74.57 (74.57 to 75.77)" in plain(result)
    run(pytester, "--reconcile", "pack", "--reconcile-strict").assert_outcomes(failed=1)


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


def test_program_can_be_in_the_configuration_and_its_table_in_the_pack(pytester, pack):
    judged_by(pack, "mine", metric="decisions.counted", abs=2, level="error")
    settings = f"reconcile_packs = pack\nreconcile_candidate_command = {command(pytester, 57)}"
    pytester.makeini(f"[pytest]\n{settings}")
    run(pytester).assert_outcomes(failed=1)
    other = ["--reconcile-candidate-command", command(pytester, 58)]
    run(pytester, *other).assert_outcomes(passed=1)


def test_match_without_the_candidate_fails(pytester, pack):
    shutil.copytree(PACK / "gnubg-7pt-0ply", pack / "gnubg-7pt-0ply")
    players = {"Alice m26": {"decisions": 60}, "Bob m26": {"decisions": 78}}
    document = {"schema_version": 1, "matches": [{"match": REPORTED, "players": players}]}
    (pytester.path / "f.json").write_text(json.dumps(document))
    result = run(pytester, "--reconcile", "pack", "--reconcile-candidate", "f.json")
    result.assert_outcomes(passed=1, failed=1)
    assert "gnubg-7pt-0ply: f.json gives no figure" in plain(result)
    result = run(pytester, "--reconcile", "pack", "--reconcile-candidate", "absent.json")
    result.assert_outcomes(failed=2)
    assert "absent.json" in plain(result)


# -- which packs and items -------------------------------------------------------------------------


def test_pack_in_the_ini_file_is_for_a_command_that_names_nothing(pytester, pack):
    pytester.makeini("[pytest]\nreconcile_packs = pack")
    mine = pytester.makepyfile("def test_mine(): pass")
    run(pytester).assert_outcomes(passed=2)
    assert ids(pytester, ITEM) == [ITEM]
    assert len(ids(pytester, str(mine))) == 1
    (pytester.path / "second").mkdir()
    add_pair(pytester.path / "second")
    assert len(ids(pytester, "--reconcile", "second", str(mine))) == 2


CHOSEN = {("-m", "reconcile"): 2, ("-m", "not reconcile"): 1, ("-k", PAIR): 1, (): 3}


def test_marker_and_keywords_select(pytester, pack):
    add_pair(pack)
    pytester.makepyfile("def test_mine(): pass")
    for chosen, count in CHOSEN.items():
        found = ids(pytester, "--reconcile", "pack", "--strict-markers", *chosen)
        assert len(found) == count, chosen


def test_pack_is_collected_once_and_manifests_of_others_not_at_all(pytester, pack):
    (pytester.path / "other").mkdir()
    (pytester.path / "other" / "match.yaml").write_text("not: ours")
    for asked in (["pack"], ["pack", "."], ["pack", ".", "pack"], [f"pack/{REPORTED}"]):
        assert ids(pytester, "--reconcile", *asked) == [ITEM]
    (pytester.path / "linked").mkdir()
    try:
        (pytester.path / "linked" / REPORTED).symlink_to(PACK / REPORTED, target_is_directory=True)
    except OSError:
        pytest.skip("no links here")
    run(pytester, "--reconcile", "linked").assert_outcomes(passed=1)


# -- keeping out of others' way --------------------------------------------------------------------


def test_nothing_is_collected_unless_asked_for(pytester, pack):
    pytester.makepyfile("def test_mine(): pass")
    run(pytester).assert_outcomes(passed=1)
    run(pytester, "-p", "no:reconcile").assert_outcomes(passed=1)


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


MISTAKES = {
    "--reconcile=absent": "found nothing",
    "--reconcile=empty": "found none",
    "--reconcile-strict": "expected --reconcile PACK too",
    "--reconcile-candidate=c.yaml": "expected --reconcile PACK too",
    "--reconcile-candidate-command=x {file}": "expected --reconcile PACK too",
}


@pytest.mark.parametrize("argument", MISTAKES)
def test_mistake_in_the_command_is_told(pytester, argument):
    (pytester.path / "empty").mkdir()
    result = run(pytester, argument)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert MISTAKES[argument] in plain(result)


def test_fixture_compares_two_files(pytester):
    left, right = (PACK / PAIR / f"nora-lindqvist-tomas-beck.{ending}" for ending in ("xg", "sgf"))
    pytester.makepyfile(
        f"""
        def test_same(reconcile_compare):
            assert reconcile_compare({str(right)!r}, {str(right)!r}).verdict == "within"

        def test_other(reconcile_compare):
            reconcile_compare({str(left)!r}, {str(right)!r}, fail_on="warn", strict=True)
        """
    )
    result = run(pytester)
    result.assert_outcomes(passed=1, failed=1)
    assert "Where the gaps come from:" in plain(result)
