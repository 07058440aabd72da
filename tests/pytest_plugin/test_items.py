"""Every judged figure is an item: it passes, fails with its verdict, is skipped with its reason or warns."""

from __future__ import annotations

import re
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.judged_figures import pack_cases
from reconcile.gate.manifest import load_pack
from reconcile.gate.planned import look_up, plan
from reconcile.gate.validate import validate
from tests.pytest_plugin.runs import (
    FIGURES,
    PACK,
    PAIR,
    QUIET,
    REPORTED,
    add_pair,
    falsify,
    ids,
    plain,
    respell,
    run,
    tolerances,
)


def test_every_judged_figure_is_an_item_under_its_id(pytester: pytest.Pytester, pack: Path) -> None:
    add_pair(pack)
    result = run(pytester, "--reconcile", "pack", "--collect-only", "-q")
    prefix = re.compile(r"^pack/([^/]+)/match\.yaml::")
    assert [prefix.sub(r"\1::", node) for node in ids(result)] == [
        case.id for case in pack_cases(validate(pack))
    ]
    assert len(ids(result)) == FIGURES + 6


def test_plan_is_what_validation_judges(pack: Path) -> None:
    """In any pack: here one with figures, a pair that is judged, and files that are not at hand."""
    add_pair(pack)
    shutil.copytree(PACK / "charlot", pack / "charlot")
    known = load_tolerances()
    result = validate(pack, known)
    results = {match.id: match for match in result.matches}
    found = [
        look_up(one, results[manifest.id])
        for folder, manifest in load_pack(pack)
        for one in plan(folder, manifest, known)
    ]
    judged = [one.id for one in found if not isinstance(one, str)]
    assert judged == [case.id for case in pack_cases(result)]
    assert len(judged) == FIGURES + 6


def test_ids_do_not_depend_on_results_or_on_files_at_hand(
    pytester: pytest.Pytester, pack: Path
) -> None:
    before = ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q"))
    falsify(pack)
    assert ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q")) == before
    respell(
        pack / REPORTED,
        lambda m: m["files"]["gnubg"].update(
            bundled=False, url="https://example.org/a.sgf", name="gone.sgf"
        ),
    )
    assert ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q")) == before


def test_figure_that_is_off_fails_alone_with_its_verdict(
    pytester: pytest.Pytester, pack: Path
) -> None:
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
    assert (
        "luck.equity: '9.9'"
        in (pack / REPORTED / "match.yaml").read_text("utf-8").splitlines()[line - 1]
    )


def test_gap_of_a_pair_is_told_in_steps(pytester: pytest.Pytester, pack: Path) -> None:
    add_pair(pack)
    result = run(
        pytester, "--reconcile", "pack", "-m", "reconcile(player='Nora Lindqvist', metric='pr')"
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    text = plain(result)
    assert re.search(r"^PR  Nora Lindqvist  gap -2\.31, allowed 0\.10 ", text, re.MULTILINE)
    told = text.partition("short test summary")[0]
    steps = re.findall(r"^(XG|Q\d\d|analysis|gnuBG) +(-?\+?\d+\.\d+)", told, re.MULTILINE)
    values = [float(value) for _, value in steps]
    assert [steps[0][0], steps[-1][0]] == ["XG", "gnuBG"]
    assert {"Q01", "analysis"} <= {name for name, _ in steps}
    assert values[0] + sum(values[1:-1]) == pytest.approx(values[-1], abs=0.02)


def test_absent_file_is_skipped_with_its_reason_and_fails_when_strict(
    pytester: pytest.Pytester, pack: Path
) -> None:
    shutil.copytree(PACK / "charlot", pack / "charlot")
    result = run(pytester, "--reconcile", "pack", "-rs")
    result.assert_outcomes(passed=FIGURES, skipped=26)
    assert result.ret == pytest.ExitCode.OK
    assert "unused figures" not in plain(result)
    assert re.search(
        r"SKIPPED \[26\] .*charlot1-charlot2.*\.xg is missing; download it with `reconcile fetch`",
        result.stdout.str(),
    )
    # Of a pair whose file is absent nobody knows which figures it would have.
    respell(
        pack / "charlot",
        lambda manifest: manifest.update(
            reported=[], pairs=[manifest["pairs"][0] | {"judged_by": "documented"}]
        ),
    )
    result = run(pytester, "--reconcile", "pack", "--reconcile-strict", "-k", "charlot", "-v")
    result.assert_outcomes(failed=1, deselected=FIGURES)
    result.stdout.fnmatch_lines(["pack/charlot/match.yaml::xg against gnubg::not compared FAILED*"])


def test_incomplete_figure_is_skipped_and_fails_when_strict(
    pytester: pytest.Pytester, pack: Path, data: Path
) -> None:
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
    assert re.search(
        rf"SKIPPED \[1\] pack/{PAIR}/match\.yaml:\d+: PR  Alice m15  not judged: left: 37 of 104 checker plays",
        plain(result),
    )
    run(pytester, "--reconcile", "pack", "--reconcile-strict", "-k", PAIR).assert_outcomes(
        failed=6, deselected=FIGURES
    )


@pytest.mark.long
def test_level_warn_is_a_warning_and_an_error_only_where_asked(
    pytester: pytest.Pytester, pack: Path
) -> None:
    add_pair(pack)
    shutil.rmtree(pack / REPORTED)
    asked = [
        "--reconcile",
        "pack",
        "--reconcile-tolerances",
        tolerances(pytester.path / "t.yaml", pr={"abs": 0.0, "level": "warn"}),
    ]
    pytester.makeini("[pytest]\nfilterwarnings = error")
    result = pytester.runpytest_subprocess(*QUIET, *asked)
    result.assert_outcomes(passed=2, warnings=2)
    assert re.search(
        r"ToleranceWarning: PR  Nora Lindqvist  gap [+-]\d\.\d+, allowed 0\.00", result.stdout.str()
    )
    result = pytester.runpytest_subprocess(
        *QUIET, *asked, "-W", "error::reconcile.pytest_plugin.ToleranceWarning"
    )
    result.assert_outcomes(failed=2)


def test_players_whose_names_cannot_stand_in_an_id_stay_apart(
    pytester: pytest.Pytester, pack: Path
) -> None:
    add_pair(pack)
    path = pack / PAIR / "nora-lindqvist-tomas-beck.sgf"
    text = (
        path.read_text("utf-8")
        .replace("PW[Nora_Lindqvist]", "PW[a::b \u2028]")
        .replace("PB[Tomas_Beck]", "PB[a:b ?]")
    )
    assert "a::b" in text
    path.write_text(text, "utf-8")
    facts = {"sha256": sha256(path.read_bytes()).hexdigest(), "bytes": path.stat().st_size}
    respell(pack / PAIR, lambda manifest: manifest["files"]["gnubg"].update(facts))
    respell(pack / PAIR, lambda manifest: manifest["pairs"][0].update(left="gnubg", right="xg"))
    nodes = ids(run(pytester, "--reconcile", "pack", "--collect-only", "-q", "-k", PAIR))
    assert len(set(nodes)) == len(nodes) == 6
    assert len({node.split("::")[2] for node in nodes}) == 2


def test_open_figure_is_a_warning_and_an_error_only_when_strict(
    pytester: pytest.Pytester, pack: Path
) -> None:
    """By XG's rules Ben's PR is 74.57 or 75.77, and nobody outside XG knows which; 75.00 may be either."""
    shutil.rmtree(pack / REPORTED)
    shutil.copytree(PACK / "gnubg-11pt-cube-rich", pack / "gnubg-11pt-cube-rich")
    shown = {"rules": "xg", "table": "one", "players": {"Ben": {"pr": "75.00"}}}
    respell(pack / "gnubg-11pt-cube-rich", lambda manifest: manifest["reported"][0].update(shown))
    entry = {"abs": 0.01, "level": "error"}
    arguments = (
        "--reconcile",
        "pack",
        "--reconcile-tolerances",
        tolerances(pytester.path / "t.yaml", "one", pr=entry),
    )
    result = run(pytester, *arguments)
    result.assert_outcomes(passed=1, warnings=1)
    assert "found 74.57 (74.57 to 75.77)" in plain(result)
    run(pytester, *arguments, "--reconcile-strict").assert_outcomes(failed=1)
