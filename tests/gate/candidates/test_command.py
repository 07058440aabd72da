"""A program that is run for every match, or started once for all: how its words reach it, and what
happens if it fails."""

import json
import shlex
import sys

import pytest

from reconcile.errors import InvalidArgument, InvalidConfiguration
from reconcile.gap.verdict import WITHIN
from reconcile.gate.candidates.program import read_command
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    DEMONSTRATION,
    RICH,
    ZERO_PLY,
    candidates_of,
    cases,
    file_of,
    loaded,
    make_pack,
    own,
    plain,
    validate,
    written,
)
from tests.support import harness_programs
from tests.support.command_line import ERROR, run, strict
from tests.support.data import PROJECT
from tests.support.long import long_but_first
from tests.support.packs import pack_of

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


# -- a program that is started once

OURS = shlex.join([sys.executable, str(PROJECT / "harnesses" / "reconcile_harness.py")])
MATCHES = ("gnubg-3pt-2ply", "gnubg-11pt-cube-rich")
ABOUT = (
    '{"protocol": 1, "program": "half", "version": "1", "formats": ["sgf"], "figures": [], '
    '"rules": null}'
)


def half(
    folder,
    of_short='sys.exit("no memory left")',
    of_others='"unsupported": "no doubles yet"',
):
    """The command of a program that does so for the short match, and says so of the others."""
    words = f'print(json.dumps({{"id": asked["id"], {of_others}}}), flush=True)'
    return harness_programs.program(
        folder,
        f"""number = globals().get("number", 0) + 1
    if "3pt" in asked["id"]: {of_short}
    {words}""",
        ABOUT,
    )


@pytest.fixture
def pack(tmp_path):
    return pack_of(tmp_path / "pack", *MATCHES)


def test_every_match_is_judged_by_one_start(pack):
    outcome = validate(pack, harness=f"{OURS} gnubg", candidate_table="printed")
    assert [[entry.program for entry in match.candidates] for match in outcome.matches] == [
        ["reconcile"],
        ["reconcile"],
    ]
    assert {
        figure.verdict
        for match in outcome.matches
        for entry in match.candidates
        for figure in entry.figures
        if figure.left is not None
    } <= {"within", "incomplete"}
    assert "agrees with rule set gnubg" in outcome.diagnoses[0].sentence
    assert outcome.exit_code() == 0


def test_program_and_pack_may_follow_the_rules_of_one_file(pack):
    (pack / "ours.yaml").write_text("extends: gnubg\nanswers: {Q02: xg}\n", "utf-8")
    rules = "schema_version: 1\ncandidates: {rules: ours.yaml}\n"
    (pack / "pack.yaml").write_text(rules, "utf-8")
    line = f'{OURS} "{pack / "ours.yaml"}"'
    done = run("validate", pack, "--harness", line, "--candidate-table", "printed", "--json", "-")
    matches = strict(done.stdout)["matches"]
    assert [match["candidates"][0]["rules"] for match in matches] == ["ours", "ours"]
    assert done.exit_code == 0


def test_what_it_does_not_answer_is_said_of_the_match_and_the_next_is_asked(pack, tmp_path):
    done = run("validate", pack, "--harness", half(tmp_path), "--json", "-")
    assert done.exit_code == ERROR
    assert "ended with exit code 1: no memory left" in done.stdout
    assert "no doubles yet" in done.stdout


@pytest.mark.long
def test_time_is_allowed_by_the_option_of_the_command(pack, tmp_path):
    line = half(tmp_path, of_short="import time; time.sleep(60)")
    done = run("validate", pack, "--harness", line, "--candidate-timeout", "1", "--json", "-")
    assert "no answer after 1 seconds; allow more with --candidate-timeout" in done.stdout


def test_command_and_harness_are_not_given_together(pack):
    with pytest.raises(InvalidArgument):
        validate(pack, command="prog {file}", harness=OURS)
