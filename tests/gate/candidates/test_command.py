"""A program that is run for every match: how its words reach it, and what happens if it fails."""

import json
import sys

import pytest

from reconcile.errors import InvalidConfiguration
from reconcile.gap.verdict import WITHIN
from reconcile.gate.candidates.program import read_command
from tests.gate.candidates.judging import candidates_of, validate
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    DEMONSTRATION,
    RICH,
    ZERO_PLY,
    file_of,
    loaded,
    make_pack,
    own,
    plain,
    written,
)
from tests.gate.cases import cases
from tests.support.long import long_but_first

PRINTER = "import sys; sys.stdout.write(open(sys.argv[1]).read())"


def program(folder, code):
    """A command line that runs a Python program with the rest of its words."""
    return f'"{sys.executable}" "{written(folder / "program.py", code)}"'


def failed(command, *, timeout=60, pack=ZERO_PLY):
    """Why a program gave nothing for a match; the tool's own figures are judged all the same."""
    result = validate(pack, command=command, command_timeout=timeout)
    assert result.exit_code() == 2
    failures = [part.is_failure for match in result.matches for part in match.not_compared]
    assert failures == [True] * len(result.failed)
    name, reason = result.failed[0]
    assert "\n" not in reason
    return f"{name}: {reason}"


@pytest.mark.long
def test_program_runs_for_every_match_and_agrees_with_itself(two):
    command = f'"{sys.executable}" -m reconcile stats {{file}} --decisions --format csv'
    result = validate(two, command=command)
    assert [match.id for match in result.matches if match.candidates] == [RICH.name, ZERO_PLY.name]
    candidates = [candidate for match in result.matches for candidate in match.candidates]
    assert {entry.verdict for candidate in candidates for entry in candidate.judged} == {WITHIN}
    assert result.exit_code() == 0


def test_words_with_shell_characters_reach_the_program_as_they_are(tmp_path):
    words = ["$(touch stolen)", "`touch stolen`", "a;touch stolen", "x|y", "${HOME}", "*", "~"]
    words += ["a b", "{{}}", "'q'"]
    code = "import sys, json; json.dump(sys.argv[1:], open('words.json', 'w')); print('{}')"
    quoted = " ".join("'" + word.replace("'", "'\"'\"'") + "'" for word in words)
    failed(f"{program(tmp_path, code)} {{match}} {quoted.replace('${HOME}', '${{HOME}}')}")
    reached = [word.replace("{{}}", "{}") for word in words]
    assert json.loads((tmp_path / "words.json").read_text()) == [ZERO_PLY.name, *reached]
    assert not (tmp_path / "stolen").exists()


@pytest.mark.parametrize("words", cases("lines"))
def test_command_line_that_cannot_be_meant_is_refused(words):
    for line in cases("lines")[words]:
        with pytest.raises(InvalidConfiguration) as caught:
            read_command(line)
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("/usr/local/bin/prog {file}", "prog"),
        ("/usr/bin/python3.11 -X utf8 -B tools/prog.py {file}", "prog.py"),
        ("python3 -m prog stats {file}", "prog"),
        ("python3 -c 'print(1)' {file}", "python3"),
        ("env python3 prog.py {file}", "prog.py"),
        ("sh prog.sh {file}", "prog.sh"),
        ("java -cp lib.jar -jar prog.jar {file}", "prog.jar"),
        ("node {file}", "node"),
    ],
)
def test_program_is_called_by_its_script_and_not_by_what_runs_it(line, name):
    assert read_command(line).name == name


COUNTING = """
import pathlib, sys
path = pathlib.Path(sys.argv[2])
runs = int(path.read_text()) if path.exists() else 0
path.write_text(str(runs + 1))
print("player,metric,figure")
print(f"Alice m04,decisions,{sys.argv[3]}")
print(f"Alice m04,pr,5.{runs * int(sys.argv[4])}")
"""


def counting(folder, changes):
    count = own(file_of(ZERO_PLY), 0)["decisions.counted"]
    return f'{program(folder, COUNTING)} {{file}} "{folder / "runs"}" {count} {changes}'


@pytest.mark.parametrize(("changes", "repeat", "runs"), [(0, 3, 3), (1, 3, 2), (1, 1, 1)])
def test_figure_that_changes_from_run_to_run_is_named_and_fails(tmp_path, changes, repeat, runs):
    command, table = counting(tmp_path, changes), "counts-exact"
    result = validate(ZERO_PLY, command=command, repeat=repeat, candidate_table=table)
    assert (tmp_path / "runs").read_text() == str(runs)
    words = "program.py: changes from run to run: pr of Alice m04 5.0, then 5.1"
    assert list(result.failed) == [(ZERO_PLY.name, words)] * (runs == 2)
    (candidate,) = candidates_of(result, ZERO_PLY.name)
    assert {entry.metric: entry.right for entry in candidate.figures}["pr"] == 5.0


@pytest.mark.long
def test_output_is_taken_again_until_the_program_or_the_file_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("RECONCILE_CACHE", str(tmp_path / "cache"))
    line = counting(tmp_path, 0)
    path = tmp_path / file_of(ZERO_PLY).name
    path.write_bytes(file_of(ZERO_PLY).read_bytes() + b"\n")
    other = make_pack(tmp_path / "pack", {ZERO_PLY.name: {"gnubg": path}})
    for pack, cached, change, runs in (
        (ZERO_PLY, True, "", True),
        (ZERO_PLY, True, "", False),
        (ZERO_PLY, False, "", True),
        (other, True, "", True),
        (ZERO_PLY, True, "#", True),
    ):
        with (tmp_path / "program.py").open("a") as file:
            file.write(change)
        (tmp_path / "runs").unlink(missing_ok=True)
        validate(pack, command=line, cached=cached, candidate_table="counts-exact")
        assert (tmp_path / "runs").exists() == runs


def test_program_gets_match_and_players_and_no_name_that_looks_like_an_option(
    tmp_path,
):
    code = "import sys; open('words', 'a').write('|'.join(sys.argv[1:]) + '\\n'); print('{}')"
    words = "{match} {player} {player1} {player2} {length} x{{{match}}}"
    failed(f"{program(tmp_path, code)} {words}")
    rest = f"{ALICE}|{BOB}|7|x{{{ZERO_PLY.name}}}"
    lines = [f"{ZERO_PLY.name}|{name}|{rest}" for name in (ALICE, BOB)]
    assert (tmp_path / "words").read_text().splitlines() == lines
    (tmp_path / "words").unlink()
    path = tmp_path / "odd.sgf"
    path.write_bytes(file_of(ZERO_PLY).read_bytes().replace(b"Alice m04", b"--delete"))
    pack = make_pack(tmp_path / "pack", {"odd": {"gnubg": path}})
    message = failed(f"{program(tmp_path, code)} {{player}}", pack=pack)
    assert "would mistake for an option" in message
    assert (tmp_path / "words").read_text() == f"{BOB}\n"


def test_program_that_answers_for_one_player_at_a_time_is_understood(tmp_path):
    path, metrics = file_of(DEMONSTRATION, ".xg"), ("pr", "decisions.counted")
    expected = {}
    for seat, name in enumerate(loaded(path).players):
        figures = own(path, seat, "blunderdb-2026", metrics)
        written(tmp_path / f"{name}.json", plain({"players": {name: figures}}))
        expected[name] = figures["pr"]
    command = f'{program(tmp_path, PRINTER)} "{tmp_path}/{{player}}.json"'
    result = validate(DEMONSTRATION, command=command)
    candidates = candidates_of(result, "demonstration")
    figures_ = [entry for candidate in candidates for entry in candidate.figures]
    pr = {entry.player: entry.right for entry in figures_ if entry.metric == "pr"}
    assert pr == pytest.approx(expected)


GONE_WRONG = cases("programs")


@pytest.mark.parametrize("how", long_but_first(GONE_WRONG, 6))
def test_program_that_fails_is_reported_in_one_line(tmp_path, how):
    code, message = GONE_WRONG[how]
    assert message in failed(f"{program(tmp_path, code)} {{file}}")


def test_program_that_is_not_there_or_takes_too_long_is_reported(tmp_path):
    absent = failed("no-such-program {file}")
    assert "no-such-program: cannot be started: no such file or directory" in absent
    slow = failed(f"{program(tmp_path, 'import time; time.sleep(60)')} {{file}}", timeout=0.2)
    assert "no answer after 0.2 seconds; allow more with --candidate-timeout" in slow
