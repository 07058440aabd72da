"""`reconcile probe` as a shell runs it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from reconcile.rules.rulesets import RULE_SETS
from tests.support.command_line import ERROR, WITHIN, process, run, strict
from tests.support.long import long_but_first
from tests.support.probed_programs import write_answers
from tests.support.schemas import faults

NAME = "gammonview"
PYTHON = f"'{sys.executable}' -I -S"
SHOW = f"""{PYTHON} -c "import sys; sys.stdout.buffer.write(open(sys.argv[1], 'rb').read())\""""
"""A program that prints a file."""


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A program that counts like GammonView."""
    folder = tmp_path_factory.mktemp("program")
    write_answers(folder / "printed", RULE_SETS[NAME])
    return f"{SHOW} '{folder}/printed/{{match}}.json'"


def test_every_output_of_one_run(command: str, tmp_path: Path) -> None:
    paths = {name: tmp_path / f"probe.{name}" for name in ("yaml", "json", "html")}
    outputs = ("-o", str(paths["yaml"]), "--json", str(paths["json"]), "--html", str(paths["html"]))
    done = run("probe", "--candidate-command", command, "--program", "Mine 2.0", "--no-borders", *outputs)
    assert done.exit_code == WITHIN, done.stderr
    first = " ".join(done.stdout.split("\n\n")[0].split())
    assert first.startswith(f"Mine 2.0 counts like {NAME}; 12 of 16 questions answered, Q10, Q11, Q12 and Q14 cannot be seen")
    document = strict(paths["json"].read_text("utf-8"))
    assert faults("probe", document) == []
    assert document["sentence"] == first
    assert document["nearest"] == NAME
    answers = {code: one["answer"] for code, one in document["answers"].items() if one["answer"] is not None}
    rules = RULE_SETS[NAME].switched("Q07", "no")  # as it counts an `.xg`
    assert answers == {code: rules.answers[code] for code in answers}
    assert document["borders"] == {}
    assert first in paths["html"].read_text("utf-8")
    shown = run("rules", str(paths["yaml"]))
    assert shown.exit_code == WITHIN
    assert f"Nearest: {NAME}, 1 answer differs: Q07" in shown.stdout  # of its own documents it counts resignations otherwise


@pytest.mark.long
def test_borders_and_the_same_bytes_twice(command: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.json" for name in ("one", "two")]
    for path in paths:
        done = run("probe", "--candidate-command", command, "--json", str(path), "--quiet")
        assert (done.stdout, done.exit_code) == ("", WITHIN)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    border = strict(paths[0].read_text("utf-8"))["borders"]["close-no-double"]
    assert (border["low"], border["high"]) == (0.200045, 0.200055)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Missing option '--candidate-command'"),
        (("--candidate-command", "prog"), "expected {file} or another placeholder"),
        (("--candidate-command", "prog {file}", "--format", "mat"), "'mat' is not one of 'xg', 'sgf'"),
        (("--candidate-command", "no-such-program {file}"), "no-such-program: cannot be started"),
        (("--candidate-command", f"{PYTHON} -c 0 {{file}}"), "printed nothing"),
        (("--candidate-command", f"{PYTHON} -c 1/0 {{file}}"), "ended with exit code 1: ZeroDivisionError"),
        (("--candidate-command", f"{PYTHON} -c print(7) {{file}}"), "count-two-errors.xg): expected a match"),
        (("--candidate-command", f"{SHOW} {{file}}"), "expected the figures of one match, found a match"),
        (("--candidate-command", "prog {file}", "--candidate-timeout", "0"), "--candidate-timeout"),
    ],
)
def test_mistakes_are_one_line(words: tuple[str, ...], said: str) -> None:
    done = run("probe", *words)
    assert done.exit_code == ERROR
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_our_own_command_line_counts_like_the_rules_that_it_is_given() -> None:
    """The first match through both processes; the others are probed in this one (tests/suite)."""
    stats = f"'{sys.executable}' -m reconcile stats {{file}} --format json --rules gnubg --met nowhere"
    done = process("probe", "--candidate-command", stats)
    assert done.returncode == ERROR
    assert b"match equity table 'nowhere'" in done.stderr


@pytest.mark.parametrize(("form", "rules"), long_but_first([("xg", "xg"), ("sgf", "gnubg")], 0, 1))
def test_statistics_of_our_own_command_line(form: str, rules: str, tmp_path: Path) -> None:
    stats = f"'{sys.executable}' -m reconcile stats {{file}} --format json --rules {rules}"
    path = tmp_path / "probe.json"
    done = process("probe", "--candidate-command", stats, "--no-borders", "--format", form, "--json", str(path))
    assert done.returncode == WITHIN, done.stderr
    document = strict(path.read_text("utf-8"))
    assert document["equally_near"] == [rules]
    assert document["differing"] == []
