"""Which packs and which items a run takes: by option, ini file, path, marker, keyword, node id or
the last failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pytest_plugin.runs import PAIR, REPORTED, add_pair, falsify, ids, run


def test_two_packs_in_one_run(pytester: pytest.Pytester, pack: Path) -> None:
    (pytester.path / "second").mkdir()
    add_pair(pytester.path / "second")
    result = run(pytester, "--reconcile", "pack", "--reconcile", "second", "--collect-only", "-q")
    nodes = ids(result)
    assert [node.partition("/")[0] for node in nodes] == ["pack", "second"]
    assert (
        "reconcile: pack, second"
        in run(pytester, "--reconcile", "pack", "--reconcile", "second", "-k", PAIR).stdout.str()
    )


def test_pack_in_the_ini_file(pytester: pytest.Pytester, pack: Path) -> None:
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


def test_marker_and_keywords_select(pytester: pytest.Pytester, pack: Path) -> None:
    add_pair(pack)
    pytester.makepyfile("def test_mine(): pass")
    for chosen, count in CHOSEN:
        result = run(
            pytester, "--reconcile", "pack", "--strict-markers", "--collect-only", "-q", *chosen
        )
        assert len(ids(result)) == count, chosen


def test_failed_ones_can_be_run_again_and_one_by_its_node_id(
    pytester: pytest.Pytester, pack: Path
) -> None:
    falsify(pack)
    run(pytester, "--reconcile", "pack")
    run(pytester, "--reconcile", "pack", "--lf").assert_outcomes(failed=1)
    node = f"pack/{REPORTED}/match.yaml::{REPORTED}"
    run(pytester, "--reconcile", "pack", node).assert_outcomes(failed=1)


def test_pack_below_the_current_folder_is_collected_once_and_manifests_of_others_not_at_all(
    pytester: pytest.Pytester, pack: Path
) -> None:
    (pytester.path / "other").mkdir()
    (pytester.path / "other" / "match.yaml").write_text("not: ours")
    for arguments in ([], ["."], ["pack"], [".", "pack"]):
        assert (
            len(ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q", *arguments))) == 1
        )


def test_pack_of_links_or_of_one_match_is_collected(pytester: pytest.Pytester, pack: Path) -> None:
    assert len(ids(run(pytester, "--reconcile", f"pack/{REPORTED}", "--collect-only", "-q"))) == 1
    (pytester.path / "linked").mkdir()
    try:
        (pytester.path / "linked" / REPORTED).symlink_to(pack / REPORTED, target_is_directory=True)
    except OSError:
        pytest.skip("no links here")
    run(pytester, "--reconcile", "linked").assert_outcomes(passed=1)
