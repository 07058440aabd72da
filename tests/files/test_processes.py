"""Programs end: in time, with everything they started, and when we end ourselves, however they try to stay."""

from __future__ import annotations

import math
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from reconcile.errors import InvalidConfiguration
from reconcile.files import keeper, processes
from reconcile.files.limits import LONGEST_WAIT
from reconcile.files.processes import COMPLAINTS, OUTPUT, Program, TooLate, seconds, stop, threads
from tests.support.long import long_but_first
from tests.support.processes import NOTES, alive, wait_until

posix = pytest.mark.skipif(os.name == "nt", reason="sessions and signals of POSIX")
linux = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux hands orphans to whoever started them"
)
LONG = 600.0
STARTS_A_CHILD = (
    "child = os.fork()\nif child:\n while not os.path.exists('child'): time.sleep(0.001)"
)
"""The child keeps every stream of its parent, whose end is that of everything."""
STAYS = {
    "in its group": f"{STARTS_A_CHILD}\nelse: here(); time.sleep(1e6)",
    "in a session of its own": f"{STARTS_A_CHILD}\nelse: os.setsid(); here(); time.sleep(1e6)",
    "as a daemon's child": "if not os.fork():\n os.setsid(); child = os.fork()\n if not child: os.setsid(); here(); time.sleep(1e6)\n"
    "else:\n while not os.path.exists('child'): time.sleep(0.01)",
    "deaf": f"{STARTS_A_CHILD}\nelse:\n for n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\n os.setsid(); here(); time.sleep(1e6)",
}
"""Ways to leave a child behind that has the program's output open for ever."""


def words(code: str) -> list[str]:
    return [sys.executable, "-c", f"{NOTES}{code}"]


def ran(
    code: str, folder: Path, *, limit: float = LONG, questions: bytes | None = None
) -> tuple[int | None, bytes, bytes]:
    """Exit code, output and complaints of a few lines of Python."""
    said = {OUTPUT: b"", COMPLAINTS: b""}
    with Program(words(code), folder=folder, questions=questions) as program:
        program.allow(limit)
        for stream, piece in program.output():
            said[stream] += piece
    return program.code, said[OUTPUT], said[COMPLAINTS]


def child(folder: Path) -> int:
    """The process id that a program wrote down."""
    path = folder / "child"
    wait_until(lambda: path.exists() and path.read_text().endswith("\n"))
    return int(path.read_text())


def test_streams_and_exit_code_are_the_program_s(tmp_path: Path) -> None:
    assert ran("print('out'); print('err', file=sys.stderr); sys.exit(7)", tmp_path) == (
        7,
        b"out\n",
        b"err\n",
    )


@posix
def test_signal_that_ended_it_is_its_negative_code(tmp_path: Path) -> None:
    assert ran("os.kill(os.getpid(), signal.SIGKILL)", tmp_path)[0] == -signal.SIGKILL


def test_questions_that_nobody_reads_are_no_fault(tmp_path: Path) -> None:
    assert ran("print('done')", tmp_path, questions=b"x" * 10**7)[:2] == (0, b"done\n")
    assert ran("print(len(sys.stdin.read()))", tmp_path, questions=b"x" * 10**6)[1] == b"1000000\n"


def test_environment_is_the_one_given(tmp_path: Path) -> None:
    code = "import os; print(sorted(name for name in os.environ if not name.startswith(('LC_', 'SYSTEM', 'PATH'))))"
    with Program(
        [sys.executable, "-c", code],
        folder=tmp_path,
        environment={"ONLY": "this", "PATH": os.defpath},
    ) as program:
        assert b"".join(piece for _, piece in program.output()).split() == [b"['ONLY']"]


@posix
def test_signals_are_as_a_shell_would_leave_them(tmp_path: Path) -> None:
    code = (
        "print([signal.getsignal(n).name for n in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP)])"
    )
    hangup = (
        "SIG_IGN" if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN else "SIG_DFL"
    )  # ignored in what `nohup` started
    assert ran(code, tmp_path)[1].decode() == f"{['SIG_DFL', 'SIG_DFL', hangup]}\n"
    with Program(["sh", "-c", "yes | head -1; kill -PIPE $$"]) as program:
        assert [piece for _, piece in program.output()] == [b"y\n"]
    assert program.code == -signal.SIGPIPE


def test_program_that_does_not_exist_is_an_error_of_the_system() -> None:
    with pytest.raises(FileNotFoundError), Program(["no-such-program-here"]) as program:
        list(program.output())


APART = pytest.mark.parametrize("apart", [True, False], ids=["apart", "beside"])
"""With a process namespace of its own, and where the kernel gives none."""


@linux
@APART
@pytest.mark.parametrize("how", STAYS)
def test_what_a_program_leaves_running_ends_with_it(
    how: str, apart: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not apart:
        without_namespaces(tmp_path, monkeypatch)
    assert ran(f"print('done', flush=True)\n{STAYS[how]}", tmp_path)[:2] == (0, b"done\n")
    assert not alive(child(tmp_path))


@linux
@pytest.mark.parametrize("how", long_but_first(STAYS))
def test_program_that_takes_too_long_ends_with_what_it_left(how: str, tmp_path: Path) -> None:
    with Program(words(f"{STAYS[how]}\ntime.sleep(1e6)"), folder=tmp_path) as program:
        pid = child(tmp_path)
        program.allow(0.01)
        with pytest.raises(TooLate):
            list(program.output())
    assert not alive(pid)


def test_program_that_prints_for_ever_is_ended_in_time(tmp_path: Path) -> None:
    with pytest.raises(TooLate):
        ran("while True: print('x' * 1000)", tmp_path, limit=0.3)


@linux
def test_chain_of_processes_that_run_away_is_caught(tmp_path: Path) -> None:
    """Each lives for less than a millisecond and is the child of nobody."""
    code = "print('done', flush=True)\nwhile not os.fork():\n os.setsid()\n open('last', 'w').write(str(os.getpid()))"
    assert ran(code, tmp_path)[1] == b"done\n"
    last = (tmp_path / "last").read_text() if (tmp_path / "last").exists() else ""
    for _ in range(100):
        assert ((tmp_path / "last").read_text() if (tmp_path / "last").exists() else "") == last


ATTACKS = {"kills": "KILL", "stops for ever": "STOP", "stops": "STOP"}


@linux
@pytest.mark.parametrize("how", long_but_first(ATTACKS, 2))
@APART
def test_program_that_attacks_its_keeper_gains_nothing(
    how: str, apart: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not apart:
        without_namespaces(tmp_path, monkeypatch)
    attack = f"os.kill(os.getppid(), signal.SIG{ATTACKS[how]})"
    code = f"while True: {attack}" if how == "stops for ever" else f"{attack}\ntime.sleep(1e6)"
    monkeypatch.setattr(processes, "_PATIENCE", 0.2)
    with Program(words(f"{STAYS['in its group']}\n{code}"), folder=tmp_path) as program:
        pid = child(tmp_path)
        program.allow(0.1)
        with suppress(TooLate):
            list(program.output())
    wait_until(lambda: not alive(pid))


def without_namespaces(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the keeper as on a kernel that refuses `unshare`."""
    text = Path(keeper.__file__).read_text("utf-8")
    assert text.count('if sys.platform != "linux":\n        return False') == 1
    path = folder / "keeper.py"
    path.write_text(
        text.replace('if sys.platform != "linux":\n        return False', "return False"), "utf-8"
    )
    monkeypatch.setattr(processes, "_KEEPER", path)


@linux
def test_programs_within_a_program_are_kept_as_well(tmp_path: Path) -> None:
    """Where `/proc` numbers processes otherwise than they themselves do."""
    inner = f"{STAYS['in a session of its own']}\ntime.sleep(1e6)"
    outer = (
        f"sys.path[:] = {sys.path!r}\nfrom reconcile.files.processes import Program, TooLate\n"
        f"with Program({words(inner)!r}) as program:\n"
        "    while not os.path.exists('child'): time.sleep(0.01)\n"
        "    program.allow(0.01)\n    try: list(program.output())\n    except TooLate: print('late')"
    )
    assert ran(outer, tmp_path)[:2] == (0, b"late\n")
    assert not alive(child(tmp_path))


@linux
def test_pipe_that_something_else_keeps_open_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here it is this test that has the other end."""
    monkeypatch.setattr(processes, "_GRACE", 0.1)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        server.listen()
        code = "import socket\ns = socket.socket(socket.AF_UNIX); s.connect('socket'); socket.send_fds(s, [b'x'], [1]); s.recv(1)"
        with Program(words(code), folder=tmp_path) as program:
            program.allow(LONG)
            connection, _ = server.accept()
            _, (kept,), _, _ = socket.recv_fds(connection, 1, 1)
            connection.send(b"x")
            connection.close()
            for _ in range(5):
                os.write(kept, b"y")
            assert set(b"".join(piece for _, piece in program.output())) == set(b"y")
            assert program.code == 0
        os.close(kept)


@posix
@pytest.mark.parametrize("how", ["in its group", "in a session of its own"])
def test_program_ends_when_we_are_killed(how: str, tmp_path: Path) -> None:
    if how != "in its group" and sys.platform != "linux":
        pytest.skip("only Linux hands orphans to whoever started them")
    program = words(f"{STAYS[how]}\ntime.sleep(1e6)")
    own = f"from reconcile.files.processes import Program\nwith Program({program!r}) as program: list(program.output())"
    with subprocess.Popen(
        [sys.executable, "-c", own],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    ) as ours:
        pid = child(tmp_path)
        ours.kill()
        ours.wait(60)
        wait_until(lambda: not alive(pid))


def test_stop_ends_every_program_and_drops_what_has_not_begun(tmp_path: Path) -> None:
    begun: list[int] = []

    def work(number: int) -> None:
        begun.append(number)
        ran("time.sleep(1e6)", tmp_path)

    def interrupted() -> None:
        with threads(2) as pool:
            for number in range(20):
                pool.submit(work, number)
            wait_until(lambda: len(begun) == 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert len(begun) <= 4
    stop()


def test_lines_come_whole_and_long_ones_in_parts(tmp_path: Path) -> None:
    code = "sys.stdout.write('a\\nb' + 'c' * 200000 + '\\n'); sys.stdout.flush(); sys.stdout.write('last')"
    with Program(words(code), folder=tmp_path) as program:
        found = [line for stream, line in program.lines(4096) if stream == OUTPUT]
    assert (found[0], found[-1], b"".join(found)) == (
        b"a\n",
        b"last",
        b"a\nb" + b"c" * 200000 + b"\nlast",
    )
    assert max(map(len, found)) < 200000


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 0.0, -1.0, 2 * LONGEST_WAIT])
def test_what_is_no_time_is_refused(number: float) -> None:
    with pytest.raises(InvalidConfiguration, match="expected a number of seconds"):
        seconds(number, "--candidate-timeout")


@pytest.mark.parametrize("number", [0.001, LONGEST_WAIT])
def test_longest_wait_is_a_time(number: float) -> None:
    assert seconds(number, "--candidate-timeout") == number


def refused(run: Callable[..., object], *arguments: str) -> None:
    from click.testing import Result

    result = run(*arguments)
    assert isinstance(result, Result)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.output


@pytest.mark.parametrize("time", ["nan", "inf", "-inf", "0", "-1", "1e300"])
def test_every_option_that_is_a_time_refuses_what_is_none(time: str) -> None:
    from tests.support.command_line import SGF, run

    for arguments in (
        ("validate", "--candidate-command", "true {file}", f"--candidate-timeout={time}"),
        ("analyse", SGF, "-o", "-", f"--timeout={time}"),
        ("benchmark", "x.bm", "--engine", "true", f"--silence={time}"),
        ("benchmark-make", SGF, "-o", "x.bm", f"--time-limit={time}"),
        ("fetch", f"--timeout={time}"),
    ):
        refused(run, *arguments)
