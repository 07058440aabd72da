"""Programs and workers end: in time, with bounded output, and with everything in their group."""

import math
import os
import signal
import socket
import sys
from multiprocessing import active_children
from time import sleep

import pytest

from reconcile.errors import InvalidConfiguration, UnreadableFile
from reconcile.files import processes
from reconcile.files.limits import LONGEST_WAIT, seconds
from reconcile.files.processes import Program, TooLate, TooMuch, in_batches, in_order, stop, threads
from tests.support.command_line import SGF, refused
from tests.support.processes import NOTES, alive, wait_until

posix = pytest.mark.skipif(os.name == "nt", reason="sessions and signals of POSIX")
LEAVES_A_CHILD = "child = os.fork()\nif not child: here(); time.sleep(1e6)\n"
"""A child with every stream of its parent open, for ever."""


def words(code):
    return [sys.executable, "-c", f"{NOTES}{code}"]


def ran(
    code,
    folder,
    *,
    limit=600,
    questions=None,
    most=2**28,
):
    """Exit code, output and complaint of a few lines of Python."""
    asked = None if questions is None else [questions]
    with Program(words(code), cwd=folder, questions=asked, most=most) as program:
        program.allow(limit)
        printed = b"".join(program.output())
    return program.code, printed, program.complaint


def child(folder):
    """The process id that a program wrote down."""
    path = folder / "child"
    wait_until(lambda: path.exists() and path.read_text().endswith("\n"))
    return int(path.read_text())


def test_streams_and_exit_code_are_the_program_s(tmp_path):
    code = "print('out'); sys.stderr.write('x' * 10**6 + 'the end'); sys.exit(7)"
    end = b"x" * (processes.PIECE - 7) + b"the end"
    assert ran(code, tmp_path) == (7, b"out\n", end)
    if os.name != "nt":
        assert ran("os.kill(os.getpid(), signal.SIGKILL)", tmp_path)[0] == -signal.SIGKILL
    with pytest.raises(FileNotFoundError):
        Program(["no-such-program-here"])


def test_questions_that_nobody_reads_are_no_fault(tmp_path):
    assert ran("print('done')", tmp_path, questions=b"x" * 10**7)[:2] == (0, b"done\n")
    assert ran("print(len(sys.stdin.read()))", tmp_path, questions=b"x" * 10**6)[1] == b"1000000\n"


def test_slow_reader_gets_all_of_the_output(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "GRACE", 0.01)
    with Program(words("print('x' * 10**6, end='')"), cwd=tmp_path) as program:
        length = 0
        for piece in program.output():
            length += len(piece)
            sleep(0.01)
        assert length == 10**6


@posix
def test_what_a_program_leaves_in_its_group_ends_with_it(tmp_path):
    code = f"{LEAVES_A_CHILD}while not os.path.exists('child'): time.sleep(0.01)\nprint('done')"
    assert ran(code, tmp_path)[:2] == (0, b"done\n")
    wait_until(lambda: not alive(child(tmp_path)))


@posix
@pytest.mark.parametrize("how", ["late", "left", "stopped"])
def test_program_ends_with_its_group_from_here(how, tmp_path):
    with Program(words(f"{LEAVES_A_CHILD}time.sleep(1e6)"), cwd=tmp_path) as program:
        pid = child(tmp_path)
        if how == "late":
            program.allow(0.01)
            with pytest.raises(TooLate):
                list(program.output())
        if how == "stopped":
            stop()
            assert list(program.output()) == []
    wait_until(lambda: not alive(pid))


@pytest.mark.parametrize("line", ["x' * 1000 + '\\n", "x' * 1000 + '"])
def test_program_that_prints_for_ever_is_ended_in_time(line, tmp_path):
    code = f"while True: sys.stdout.write('{line}')"
    with pytest.raises(TooLate):
        ran(code, tmp_path, limit=0.3, most=2**40)
    with pytest.raises(TooMuch):
        ran(code, tmp_path, most=10**6)
    if "\\n" not in line:
        with Program(words(code)) as program, pytest.raises(TooMuch):
            list(program.lines())


@posix
def test_pipe_that_something_else_holds_open_is_left_behind(tmp_path):
    """Here it is this test that has the other end."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        server.listen()
        code = (
            "import socket\ns = socket.socket(socket.AF_UNIX); s.connect('socket')\n"
            "socket.send_fds(s, [b'x'], [1]); s.recv(1)"
        )
        with Program(words(code), cwd=tmp_path) as program:
            connection, _ = server.accept()
            _, (escaped,), _, _ = socket.recv_fds(connection, 1, 1)
            os.write(escaped, b"y")
            connection.send(b"x")
            connection.close()
            assert (b"".join(program.output()), program.code) == (b"y", 0)
        os.close(escaped)


def test_if_a_block_raises_every_program_is_ended_and_none_begins(tmp_path):
    begun: list[int] = []

    def work(number):
        begun.append(number)
        ran("time.sleep(1e6)", tmp_path)

    def interrupted():
        with threads(2) as pool:
            for number in range(20):
                pool.submit(work, number)
            wait_until(lambda: len(begun) == 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert len(begun) <= 4


def test_lines_come_in_one_piece(tmp_path):
    code = "sys.stdout.write('a\\nb' + 'c' * 200000 + '\\n'); sys.stdout.flush(); "
    code += "print('last', end='')"
    with Program(words(code), cwd=tmp_path) as program:
        assert list(program.lines()) == [b"a", b"b" + b"c" * 200000, b"last"]


@pytest.mark.parametrize("time", ["nan", "inf", "-inf", "0", "-1", "1e300"])
def test_every_option_that_is_a_time_refuses_what_is_none(time):
    with pytest.raises(InvalidConfiguration, match="expected a number of seconds"):
        seconds(float(time), "--candidate-timeout")
    assert math.isclose(seconds(LONGEST_WAIT, "--candidate-timeout"), LONGEST_WAIT)
    for arguments in (
        ("validate", "--candidate-command", "true {file}", f"--candidate-timeout={time}"),
        ("analyse", SGF, "-o", "-", f"--timeout={time}"),
        ("benchmark", "x.bm", "--engine", "true", f"--silence={time}"),
        ("benchmark-make", SGF, "-o", "x.bm", f"--time-limit={time}"),
        ("fetch", f"--timeout={time}"),
    ):
        refused(*arguments)


# -- workers --------------------------------------------------------------------------------------

DEADLY, REFUSED = 7, 11


def work(batch):
    """Every number and the process that saw it; the first batches take longest."""
    sleep(0.2 if 0 in batch else 0)
    for number in batch:
        if number == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        if number == REFUSED:
            raise UnreadableFile(f"{number}: expected another")
    return [(number, os.getpid()) for number in batch]


def died(number):
    return [(number, 0)]


def test_results_come_in_order_from_several_processes_which_end_with_the_generator():
    results = in_order(in_batches(range(7), 3), work, died, 2)
    pairs = next(results) + next(results)
    assert [number for number, _ in pairs] == list(range(6))
    assert os.getpid() not in {process for _, process in pairs}
    results.close()
    wait_until(lambda: not active_children())


@pytest.mark.long
def test_what_is_raised_there_is_raised_here_and_item_that_ends_its_process_is_found():
    results = in_order(in_batches(range(6, 12), 2), work, died, 2)
    pairs = dict(pair for _ in range(3) for pair in next(results))
    assert list(pairs)[:4] == [6, 7, 8, 9]
    assert [number for number, process in pairs.items() if not process] == [DEADLY]
    with pytest.raises(UnreadableFile, match=r"^11: expected another$"):
        list(results)
