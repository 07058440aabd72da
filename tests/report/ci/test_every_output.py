"""All outputs of one run: they tell the same, the exit code stays that of the gate, and all are
written or none is.
"""

import re
from pathlib import Path

import pytest

from tests.gate.candidates.samples import written
from tests.report.ci.outputs import (
    CHARLOT,
    as_the_runner_reads,
    every,
    outcomes,
    schema,
)
from tests.support.command_line import (
    CUBE_RICH,
    ERROR,
    OUTPUTS,
    OUTSIDE,
    SGF,
    XG,
    json_in,
    run,
)
from tests.support.long import long_but_first
from tests.support.packs import falsified, pack_of, respell
from tests.support.tolerance_files import bound, tables


def test_share_of_a_gap_out_of_tolerance_is_told_in_every_output(tmp_path):
    pack = pack_of(tmp_path / "pack", "demonstration")
    respell(pack / "demonstration", lambda manifest: manifest["pairs"][0].update(judged_by="one"))
    shares = {"pr@engine": bound(abs=0.1), "pr@rules": bound(abs=0.0001, level="warn")}
    table = written(Path("t.yaml"), tables(pr=bound(abs=100), **shares))
    result = run("validate", pack, "--tolerances", table, *every("validate"))
    assert result.exit_code == OUTSIDE
    schema().validate("o/junit.xml")
    failed = {
        name
        for (_, name), outcome in outcomes(Path("o/junit.xml").read_bytes()).items()
        if outcome == "failure"
    }
    assert failed == {"PR, analysis of Nora Lindqvist", "PR, analysis of Tomas Beck"}
    assert re.search(
        r"warning: PR, counting rules  Nora Lindqvist  \+0\.0\d+ of the gap, allowed 0\.0001$",
        result.stderr,
        re.MULTILINE,
    )
    kinds = [as_the_runner_reads(line)[0] for line in result.stdout.splitlines()]
    assert kinds == ["error", "error", "warning", "warning"]
    for name in ("result.md", "site/index.html", "site/demonstration.html"):
        assert "PR, analysis" in Path("o", name).read_text("utf-8")


CAUSES = """
0 validate RICH
0 validate ABSENT
1 validate --strict ABSENT
1 validate FALSE
0 validate --exit-zero FALSE
1 validate --quiet FALSE
1 compare XG SGF
0 compare XG XG
2 validate CHARLOT
2 validate --exit-zero CHARLOT
2 validate --exit-zero nowhere
2 validate --exit-zero --tolerances nowhere.yaml
2 compare XG RICH_SGF
"""
"""The exit code, and a command: RICH is a pack in which all is within, ABSENT lacks files as
well, FALSE has a figure that is not the tool's."""


@pytest.mark.parametrize("cause", long_but_first(CAUSES.strip().splitlines()[::-1], 7))
def test_exit_code_with_every_output_on(cause, tmp_path, monkeypatch):
    number, *words = cause.split()
    places = {"RICH": CUBE_RICH, "XG": XG, "SGF": SGF, "CHARLOT": CHARLOT}
    places["RICH_SGF"] = next(CUBE_RICH.glob("*.sgf"))
    if words[-1] in ("ABSENT", "FALSE"):
        changed = {"snowie_memg": "99"} if words[-1] == "FALSE" else {}
        places[words[-1]] = falsified(tmp_path / "pack", "charlot", **changed)
    code, arguments = int(number), [str(places.get(word, word)) for word in words]
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    result = run(*arguments, *every(arguments[0]))
    assert result.exit_code == code
    if code == ERROR:
        kind, _, message = as_the_runner_reads(result.stdout.rstrip("\n"))
        assert (kind, f"reconcile: {message}\n") == ("error", result.stderr)
        assert len(result.stderr.splitlines()) == 1
        assert not Path("o").exists()
        assert not Path("summary.md").exists()
        return
    assert all(as_the_runner_reads(line) for line in result.stdout.splitlines())
    schema().validate("o/junit.xml")
    assert json_in("o/result.json")
    assert Path("o/site/index.html" if arguments[0] == "validate" else "o/page.html").is_file()
    assert Path("summary.md").read_text("utf-8").startswith(Path("o/result.md").read_text("utf-8"))
    if "--quiet" in arguments:
        assert result.stderr == ""


@pytest.mark.parametrize("option", OUTPUTS)
def test_output_that_cannot_be_written_is_2_and_leaves_no_other(option, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("a file", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    arguments = every("validate")
    arguments[arguments.index(option) + 1] = "file/in/a/file"
    result = run("validate", CUBE_RICH, "--exit-zero", *arguments)
    assert result.exit_code == ERROR
    assert as_the_runner_reads(result.stdout.rstrip("\n"))[0] == "error"
    assert "cannot be written" in result.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"file"}


def test_same_input_gives_the_same_bytes(pack):
    outputs = set()
    for folder in ("a", "b"):
        files = (f"--junit={folder}/j", f"--badge={folder}/b", f"--html={folder}/site")
        run("validate", pack, *files, "--quiet")
        paths = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        outputs.add(tuple((path.name, path.read_bytes()) for path in paths))
    assert len(outputs) == 1
    assert str(pack.parent).encode() not in b"".join(content for _, content in outputs.pop())
