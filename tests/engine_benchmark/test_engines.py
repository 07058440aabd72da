"""Programs that answer on standard streams: what they are asked, what counts as an answer, and how
they end."""

import shlex
import sys
from importlib.util import find_spec
from itertools import islice

import pytest

from engine_benchmark.engines import Question, engine, gnubg_player, program_player
from engine_benchmark.keys import from_position_key, position_key, result_key, result_keys
from reconcile.errors import EngineError, MissingPackage, UnknownName
from reconcile.match.board.play import legal_plays
from tests.match.board.boards import rolls
from tests.support.gnubg import needs_gnubg, program
from tests.support.processes import NOTES, alive, wait_until, waiting

BEST = "JIGHPAABDAOAHDPAABDA"
START_24 = Question("OAHDPAABDAOAHDPAABDA", (2, 4))
QUESTIONS = [Question(position_key(position), dice) for position, dice in islice(rolls(9), 300)]


def legal(question, answer):
    before = from_position_key(question.key)
    return answer in (result_keys(legal_plays(before, *question.dice)) or {result_key(before)})


@pytest.fixture
def play(tmp_path):
    """The answers of a program made of a few lines of Python."""

    def ask(
        code,
        questions=None,
        *,
        silence=30.0,
        jobs=1,
        counts=[],  # noqa: B006
    ):
        program = tmp_path / "program.py"
        program.write_text(f"import sys, os, time\n{code}\n")
        player = program_player((sys.executable, str(program)), silence, jobs)
        return player.choose(questions or [START_24], counts.append)

    return ask


def test_answer_is_a_key_or_a_play_and_anything_else_is_no_play(play):
    """The same question again and again gets every answer; the fourth as sagnubg writes it."""
    right = [BEST, f"{BEST} 0.46 0.12 0.005 0.17 0.008", "8/4 6/4", "8/4, 6/4"]
    printed = [*right, "hello", "7/3", "OAHD", "24/1"]
    code = f"for line, answer in zip(sys.stdin, {printed!r}): print(line.strip(), answer)"
    *answers, last = play(code, [START_24] * len(printed))
    assert answers == [BEST] * len(right) + [""] * 3
    assert last is not None
    assert not legal(START_24, last)


def test_order_does_not_matter_nor_does_other_output_and_several_processes_share(
    play,
):
    code = """
print("hello", flush=True); print("b is no answer"); print("b AAAA 1 1 AAAA")
lines = sys.stdin.read().splitlines()
for line in reversed(lines): print(line, line.split()[1]); print("#", line)
"""
    counts: list[int] = []
    answers = play(code, QUESTIONS, jobs=3, counts=counts)
    assert answers == [question.key for question in QUESTIONS]
    assert sum(counts) == len(QUESTIONS)


def test_what_is_not_answered_is_missing_also_where_the_program_fails_midway(play):
    every_second = (
        "for count, line in enumerate(sys.stdin): print(line.strip(), '8/4 6/4') if count % "
        "2 else None"
    )
    failing = "line = sys.stdin.readline(); print(line.strip(), '8/4 6/4', flush=True); os.abort()"
    for code, count in ((every_second, 2), (failing, 1)):
        answers = play(code, [START_24] * 5)
        assert (answers.count(BEST), answers.count(None)) == (count, 5 - count)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("sys.exit('no weights here')", "no weights here"),
        ("print('what?')", "what[?]"),
        ("raise ZeroDivisionError", "ZeroDivisionError"),
        ("os.write(1, b'x' * 10**7)", "prints without an end"),
        ("", "printed: nothing"),
    ],
)
def test_program_without_an_answer_is_an_error_with_its_last_words(play, code, message):
    with pytest.raises(EngineError, match=message) as raised:
        play(code)
    assert "\n" not in str(raised.value)


@pytest.mark.long
def test_silent_program_is_ended_with_its_children(play, tmp_path):
    child = tmp_path / "child"
    code = f"""
import subprocess
subprocess.Popen({waiting(child)!r})
while not os.path.exists({str(child)!r}): time.sleep(0.01)
line = sys.stdin.readline(); print(line.strip(), "8/4 6/4", flush=True)
while True: time.sleep(60)
"""
    with pytest.raises(EngineError, match="no answer for 6 seconds after 1 of 2 answers"):
        play(code, [START_24] * 2, silence=6)
    pid = int(child.read_text())
    wait_until(lambda: not alive(pid))


@pytest.mark.long
def test_program_that_stays_after_its_last_answer_is_ended(play, tmp_path):
    pid = tmp_path / "pid"
    code = (
        f"{NOTES}here({str(pid)!r}); line = sys.stdin.readline(); print(line.strip(), '8/4 "
        f"6/4', flush=True)"
    )
    assert play(f"{code}\nwhile True: time.sleep(60)", silence=600.0) == [BEST]
    assert not alive(int(pid.read_text()))


def test_command_is_no_shell(tmp_path, monkeypatch):
    program = tmp_path / "program.py"
    code = "for line in sys.stdin: print(line.strip(), '8/4 6/4')"
    program.write_text(f"import sys\n{code}\nopen('x', 'w').write(repr(sys.argv[1:]))\n")
    text = f"{shlex.quote(sys.executable)} {shlex.quote(str(program))} '$HOME' '; touch y' `z`"
    monkeypatch.chdir(tmp_path)
    assert engine(text).choose([START_24], lambda count: None) == [BEST]
    assert (tmp_path / "x").read_text() == "['$HOME', '; touch y', '`z`']"
    assert not (tmp_path / "y").exists()


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", UnknownName, "found nothing"),
        ("no-such-program-here --fast", EngineError, "no-such-program-here"),
        ("gnubg:9", UnknownName, "0 to 3 plies"),
        ("gnubg:x", UnknownName, "0 to 3 plies"),
        ("'open", UnknownName, "quotes"),
    ],
)
def test_engine_that_cannot_be(text, error, message):
    with pytest.raises(error, match=message):
        engine(text)


# -- gnuBG and its nets --


@pytest.mark.long
@needs_gnubg
@pytest.mark.parametrize("plies", [0, 1])
def test_gnubg_answers_every_question_with_a_legal_play(plies):
    counts: list[int] = []
    answers = gnubg_player(program(), plies, 120.0, 4).choose(QUESTIONS, counts.append)
    assert all(legal(question, answer) for question, answer in zip(QUESTIONS, answers, strict=True))
    assert sum(counts) == len(QUESTIONS)


NETS = {"gnubg-nn": "gnubg_nn", "sage": "wasmtime"}


@pytest.mark.parametrize("name", NETS)
def test_nets_answer_every_question_with_a_legal_play(name):
    if find_spec(NETS[name]) is None:
        with pytest.raises(MissingPackage, match="pip install"):
            engine(f"{name}:1")
        return
    asked = QUESTIONS[:8]
    answers = engine(name, jobs=2).choose(asked, lambda count: None)
    assert all(map(legal, asked, answers))
