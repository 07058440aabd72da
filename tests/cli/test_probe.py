"""`reconcile probe` as a shell runs it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from reconcile.gate.candidates.command import Command
from reconcile.rules.rulesets import RULE_SETS
from reconcile.suite.borders import SERIES
from tests.support.command_line import ERROR, WITHIN, process, run, strict
from tests.support.probed_programs import write_answers
from tests.support.schemas import faults

NAME = "gammonview"
PYTHON = f"'{sys.executable}' -I -S"
SHOW = (
    shutil.which("cat")
    or f"""{PYTHON} -c "import sys; sys.stdout.buffer.write(open(sys.argv[1], 'rb').read())\""""
)
"""A program that prints a file."""


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A program that counts like GammonView; it is not started for every match, but what it prints is read from a file."""
    monkeypatch.setattr(
        Command, "run", lambda self, values, timeout: Path(self.filled(values)[1]).read_bytes()
    )
    return f"cat '{tmp_path}/printed/{{match}}.json'"


def test_every_output_of_one_run(line: str, tmp_path: Path) -> None:
    write_answers(tmp_path / "printed", RULE_SETS[NAME])
    paths = {name: tmp_path / f"probe.{name}" for name in ("yaml", "json", "html")}
    outputs = ("-o", str(paths["yaml"]), "--json", str(paths["json"]), "--html", str(paths["html"]))
    done = run(
        "probe", "--candidate-command", line, "--program", "Mine 2.0", "--no-borders", *outputs
    )
    assert done.exit_code == WITHIN, done.stderr
    first = " ".join(done.stdout.split("\n\n")[0].split())
    assert first.startswith(
        f"Mine 2.0 counts like {NAME}; 12 of 16 questions answered, Q10, Q11, Q12 and Q14 cannot be seen"
    )
    document = strict(paths["json"].read_text("utf-8"))
    assert faults("probe", document) == []
    assert document["sentence"] == first
    assert document["nearest"] == NAME
    answers = {
        code: one["answer"]
        for code, one in document["answers"].items()
        if one["answer"] is not None
    }
    rules = RULE_SETS[NAME].switched("Q07", "no")  # as it counts an `.xg`
    assert answers == {code: rules.answers[code] for code in answers}
    assert document["borders"] == {}
    assert first in paths["html"].read_text("utf-8")
    shown = run("rules", str(paths["yaml"]))
    assert shown.exit_code == WITHIN
    assert (
        f"Nearest: {NAME}, 1 answer differs: Q07" in shown.stdout
    )  # of its own documents it counts resignations otherwise


@pytest.mark.long
def test_borders_and_the_same_bytes_twice(line: str, tmp_path: Path) -> None:
    write_answers(tmp_path / "printed", RULE_SETS[NAME], SERIES)
    paths = [tmp_path / f"{name}.json" for name in ("one", "two")]
    for path in paths:
        done = run("probe", "--candidate-command", line, "--json", str(path), "--quiet")
        assert (done.stdout, done.exit_code) == ("", WITHIN)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    border = strict(paths[0].read_text("utf-8"))["borders"]["close-no-double"]
    assert (border["low"], border["high"]) == (0.200045, 0.200055)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Missing option '--candidate-command'"),
        (("--candidate-command", "prog"), "expected {file} or another placeholder"),
        (
            ("--candidate-command", "prog {file}", "--format", "mat"),
            "'mat' is not one of 'xg', 'sgf'",
        ),
        (("--candidate-command", "no-such-program {file}"), "no-such-program: cannot be started"),
        (("--candidate-command", f"{PYTHON} -c 0 {{file}}"), "printed nothing"),
        (
            ("--candidate-command", f"{PYTHON} -c 1/0 {{file}}"),
            "ended with exit code 1: ZeroDivisionError",
        ),
        (
            ("--candidate-command", f"{PYTHON} -c print(7) {{file}}"),
            "count-two-errors.xg): expected a match",
        ),
        (
            ("--candidate-command", f"{SHOW} {{file}}"),
            "expected the figures of one match, found a match",
        ),
        (("--candidate-command", "prog {file}", "--candidate-timeout", "0"), "--candidate-timeout"),
    ],
)
def test_mistakes_are_one_line(words: tuple[str, ...], said: str) -> None:
    done = run("probe", *words)
    assert done.exit_code == ERROR
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.exhaustive
@pytest.mark.parametrize(("form", "rules"), [("xg", "xg"), ("sgf", "gnubg")])
def test_statistics_of_our_own_command_line(form: str, rules: str, tmp_path: Path) -> None:
    """Through a process for each match; the same figures are probed in this one in tests/suite."""
    stats = f"'{sys.executable}' -m reconcile stats {{file}} --format json --rules {rules}"
    path = tmp_path / "probe.json"
    done = process(
        "probe", "--candidate-command", stats, "--no-borders", "--format", form, "--json", str(path)
    )
    assert done.returncode == WITHIN, done.stderr
    document = strict(path.read_text("utf-8"))
    assert document["equally_near"] == [rules]
    assert document["differing"] == []
