"""A program that is run for every match: how its words are given to it, and what happens when it fails."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from reconcile.errors import InvalidConfiguration
from reconcile.gap.verdict import WITHIN
from reconcile.gate.candidates.command import read_command
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.judging import run, told, validate
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
from tests.support.long import long_but_first

pytestmark = pytest.mark.usefixtures("undiagnosed")
PRINTER = "import sys; sys.stdout.write(open(sys.argv[1]).read())"


def program(folder: Path, code: str) -> str:
    """A command line that runs a Python program with the rest of its words."""
    written(folder / "program.py", code)
    return f'"{sys.executable}" "{folder / "program.py"}"'


def failed(command: str, *, timeout: float = 60, pack: Path = ZERO_PLY) -> str:
    """Why a program gave nothing for a match; the tool's own figures are judged all the same."""
    result = validate(pack, command=command, command_timeout=timeout)
    assert result.exit_code() == 2
    assert [one.is_failure for match in result.matches for one in match.not_compared] == [
        True
    ] * len(result.failed)
    assert "\n" not in str(result.failed[0])
    return str(result.failed[0])


def test_program_runs_for_every_match_and_agrees_with_itself(two: Path) -> None:
    result = validate(
        two, command=f'"{sys.executable}" -m reconcile stats {{file}} --decisions --format csv'
    )
    judged = [
        one
        for match in result.matches
        for candidate in match.candidates
        for one in candidate.judged
    ]
    assert [match.id for match in result.matches if match.candidates] == [RICH.name, ZERO_PLY.name]
    assert {one.verdict for one in judged} == {WITHIN}
    assert result.exit_code() == 0


def test_words_with_shell_characters_reach_the_program_as_they_are(tmp_path: Path) -> None:
    words = [
        "$(touch stolen)",
        "`touch stolen`",
        "a;touch stolen",
        "x|y",
        "${HOME}",
        "*",
        "~",
        "a b",
        "{{}}",
        "'q'",
    ]
    code = (
        "import sys, json; json.dump(sys.argv[1:], open('words.json', 'w')); print(json.dumps({}))"
    )
    quoted = " ".join("'" + word.replace("'", "'\"'\"'") + "'" for word in words)
    failed(f"{program(tmp_path, code)} {{match}} {quoted.replace('${HOME}', '${{HOME}}')}")
    assert json.loads((tmp_path / "words.json").read_text()) == [
        ZERO_PLY.name,
        *[word.replace("{{}}", "{}") for word in words],
    ]
    assert not (tmp_path / "stolen").exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "found nothing"),
        ("prog 'open {file}", "no closing quotation"),
        ("prog {fil}", "unknown placeholder {fil}, expected one of {file}"),
        ("prog {}", "unknown placeholder {}"),
        ("prog {file.__class__}", "unknown placeholder"),
        ("prog --json", "expected {file} or another placeholder"),
        *(
            (f"prog {{file}} {word} out", "only has a meaning in a shell")
            for word in ("|", "||", "&&", "&", ";", ">", ">>", "2>&1", "<", "2>")
        ),
    ],
)
def test_command_line_that_cannot_be_meant_is_refused(line: str, said: str) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        read_command(line)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("prog {file}", "prog"),
        ("/usr/local/bin/prog {file}", "prog"),
        ("python3 prog.py {file}", "prog.py"),
        ("/usr/bin/python3.11 -X utf8 -B tools/prog.py {file}", "prog.py"),
        ("python3 -m prog stats {file}", "prog"),
        ("python3 -c 'print(1)' {file}", "python3"),
        ("env python3 prog.py {file}", "prog.py"),
        ("sh prog.sh {file}", "prog.sh"),
        ("java -cp lib.jar -jar prog.jar {file}", "prog.jar"),
        ("node {file}", "node"),
    ],
)
def test_program_is_called_by_its_script_and_not_by_what_runs_it(line: str, name: str) -> None:
    assert read_command(line).name == name


COUNTING = """
import pathlib, sys
path = pathlib.Path(sys.argv[2])
runs = int(path.read_text()) if path.exists() else 0
path.write_text(str(runs + 1))
print("player,metric,figure")
print(f"Alice m04,decisions,{DECISIONS}")
print(f"Alice m04,pr,5.{runs * CHANGES}")
"""


def counting(folder: Path, changes: int) -> str:
    code = COUNTING.replace(
        "DECISIONS", str(own(file_of(ZERO_PLY), 0)["decisions.counted"])
    ).replace("CHANGES", str(changes))
    return f'{program(folder, code)} {{file}} "{folder / "runs"}"'


@pytest.mark.parametrize(("changes", "repeat", "runs"), [(0, 3, 3), (1, 3, 2), (1, 1, 1)])
def test_figure_that_changes_from_run_to_run_is_named_and_fails(
    tmp_path: Path, changes: int, repeat: int, runs: int
) -> None:
    result = validate(
        ZERO_PLY, command=counting(tmp_path, changes), repeat=repeat, candidate_table="counts-exact"
    )
    assert (tmp_path / "runs").read_text() == str(runs)
    said = [str(one) for one in result.failed]
    assert said == (
        ["gnubg-7pt-0ply: program.py: changes from run to run: pr of Alice m04 5.0, then 5.1"]
        if runs == 2
        else []
    )
    (candidate,) = told(result, ZERO_PLY.name)
    assert {one.metric: one.right for one in candidate.figures}["pr"] == 5.0


@pytest.mark.long
def test_output_is_taken_again_until_the_program_or_the_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECONCILE_CACHE", str(tmp_path / "cache"))
    line = counting(tmp_path, 0)
    path = tmp_path / "other" / file_of(ZERO_PLY).name
    path.parent.mkdir()
    path.write_bytes(file_of(ZERO_PLY).read_bytes() + b"\n")
    other = make_pack(tmp_path / "pack", {ZERO_PLY.name: {"gnubg": path}})
    runs = []
    for pack, cached, change in (
        (ZERO_PLY, True, ""),
        (ZERO_PLY, True, ""),
        (ZERO_PLY, False, ""),
        (other, True, ""),
        (ZERO_PLY, True, "#"),
    ):
        with (tmp_path / "program.py").open("a") as file:
            file.write(change)
        (tmp_path / "runs").unlink(missing_ok=True)
        validate(pack, command=line, cached=cached, candidate_table="counts-exact")
        runs.append((tmp_path / "runs").exists())
    assert runs == [True, False, True, True, True]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--candidate", "x.json", "--repeat", "2"], "--repeat is for a program that is run"),
        (["--cached"], "--cached is for a program that is run"),
        (["--candidate-command", "x {file}", "--cached", "--repeat", "2"], "leave one of them out"),
        (["--candidate-command", "x {file}", "--repeat", "0"], "0 is not in the range"),
        (["--candidate-command", "x {file}", "--candidate-rules", "no-such"], "no-such"),
    ],
)
def test_option_of_a_run_that_has_no_use_is_refused(words: list[str], said: str) -> None:
    result = run(ZERO_PLY, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_program_is_told_of_match_and_players(tmp_path: Path) -> None:
    code = "import sys; open('said', 'a').write('|'.join(sys.argv[1:]) + '\\n'); print('{}')"
    failed(
        f"{program(tmp_path, code)} {{match}} {{player}} {{player1}} {{player2}} {{length}} x{{{{{{match}}}}}}"
    )
    lines = [
        f"{ZERO_PLY.name}|{name}|{ALICE}|{BOB}|7|x{{{ZERO_PLY.name}}}" for name in (ALICE, BOB)
    ]
    assert (tmp_path / "said").read_text().splitlines() == lines


def test_program_that_answers_for_one_player_at_a_time_is_understood(tmp_path: Path) -> None:
    path = file_of(DEMONSTRATION, ".xg")
    for seat, name in enumerate(loaded(path).players):
        of_player = own(path, seat, "blunderdb-2026", ("pr", "decisions.counted"))
        written(tmp_path / f"{name}.json", plain({"players": {name: of_player}}))
    result = validate(
        DEMONSTRATION, command=f'{program(tmp_path, PRINTER)} "{tmp_path}/{{player}}.json"'
    )
    figures = [one for candidate in told(result, "demonstration") for one in candidate.figures]
    pr = {one.player: one.right for one in figures if one.metric == "pr"}
    expected = {
        name: statistics(loaded(path), "blunderdb-2026").figures(seat)["pr"]
        for seat, name in enumerate(loaded(path).players)
    }
    assert pr == pytest.approx(expected)


def test_name_that_looks_like_an_option_is_not_given_to_the_program(tmp_path: Path) -> None:
    content = file_of(ZERO_PLY).read_bytes().replace(b"Alice m04", b"--delete")
    path = tmp_path / "odd.sgf"
    path.write_bytes(content)
    pack = make_pack(tmp_path / "pack", {"odd": {"gnubg": path}})
    code = "import sys; open('ran', 'a').write(sys.argv[1]); print('{}')"
    assert "would mistake for an option" in failed(
        f"{program(tmp_path, code)} {{player}}", pack=pack
    )
    assert (tmp_path / "ran").read_text() == BOB


GONE_WRONG: dict[str, tuple[str, str]] = {
    "exit code": (
        "import sys; print('first', file=sys.stderr); sys.exit('cannot open\\x1b[31m it')",
        "ended with exit code 1: cannot open?[31m it",
    ),
    "no reason": ("import sys; sys.exit(3)", "ended with exit code 3 and gave no reason"),
    "signal": ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", "was ended by signal 15"),
    "no output": ("", "printed nothing"),
    "complaint alone": (
        "import sys; print('no such match', file=sys.stderr)",
        "printed nothing, but reported: no such match",
    ),
    "garbage": ("print('hello')", "expected a match"),
    "binary": ("import sys; sys.stdout.buffer.write(bytes(range(256)) * 9)", "expected UTF-8"),
    "half of JSON": ("print('{\"schema_version\": 1, ')", "expected JSON"),
    "too much": (
        "import sys\nwhile True: sys.stdout.write('x' * 65536)",
        "expected at most 16 MB of output, found more",
    ),
    "complains for ever": (
        "import sys\nfor _ in range(300): sys.stderr.write('x' * 65536 + '\\n')\nsys.exit(2)",
        "ended with exit code 2: xxx",
    ),
}


@pytest.mark.parametrize("how", long_but_first(GONE_WRONG, 6))
def test_program_that_fails_is_told_in_one_line(tmp_path: Path, how: str) -> None:
    code, said = GONE_WRONG[how]
    assert said in failed(f"{program(tmp_path, code)} {{file}}")


def test_program_that_is_not_there_or_takes_too_long_is_told(tmp_path: Path) -> None:
    assert "no-such-program: cannot be started: no such file or directory" in failed(
        "no-such-program {file}"
    )
    told = failed(f"{program(tmp_path, 'import time; time.sleep(60)')} {{file}}", timeout=0.2)
    assert "not finished after 0.2 seconds; allow more with --candidate-timeout" in told


def test_one_failed_run_makes_the_gate_fail_and_hides_nothing(tmp_path: Path, two: Path) -> None:
    written(
        tmp_path / f"{ZERO_PLY.name}.json", plain({"players": {ALICE: own(file_of(ZERO_PLY), 0)}})
    )
    result = run(
        two,
        "--candidate-command",
        f'{program(tmp_path, PRINTER)} "{tmp_path}/{{match}}.json"',
        "--json",
        "out.json",
        "--exit-zero",
    )
    assert result.exit_code == 2
    assert result.stderr.count("error: ") == 1
    assert f"{RICH.name}: program.py: ended with exit code 1" in result.stderr
    document = json.loads((tmp_path / "out.json").read_text("utf-8"))
    judged = {match["id"] for match in document["matches"] if match["candidates"]}
    assert judged == {ZERO_PLY.name}
