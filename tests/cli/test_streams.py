"""Streams that are full, closed or read by nobody, and interrupts: an exit code that is no verdict,
one line, no traceback."""

import os
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest

from tests.support.command_line import SGF, XG, environment, process
from tests.support.data import PROJECT
from tests.support.long import long_but_first

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
RUNS = {
    "text": ("stats", SGF),
    "output": ("stats", SGF, "--format", "json"),
    "terminal": ("compare", SGF, XG),
    "annotations": ("compare", SGF, XG, "--github"),
    "help": ("--help",),
    "help of a command": ("stats", "--help"),
    "version": ("--version",),
    "pages": ("explain",),
}


def shell(redirections, *arguments):
    """The program with its streams redirected by a shell."""
    words = ["sh", "-c", f'exec "$@" {redirections}', "sh", sys.executable, "-m", "reconcile"]
    done = subprocess.run([*words, *arguments], capture_output=True, env=environment(), timeout=120)
    assert b"Traceback" not in done.stderr
    return done


@pytest.mark.parametrize(
    ("to", "run"),
    long_but_first(
        [
            *zip((">/dev/full", ">&-"), RUNS, strict=False),
            *product((">/dev/full", ">&-"), list(RUNS)[2:]),
        ],
        2,
        6,
    ),
)
def test_output_that_nobody_takes_is_an_error_of_one_line(to, run):
    done = shell(to, *RUNS[run])
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[-1].startswith(
        b"reconcile: standard output: cannot be written: "
    )


@pytest.mark.parametrize("to", ["2>/dev/full", ">/dev/full 2>/dev/full"])
@pytest.mark.parametrize(
    "line",
    long_but_first(["stats nowhere", "stats --nope", "", f"convert {SGF} -o out.mat"], 1, 2),
)
def test_messages_that_nobody_takes_are_no_verdict(line, to, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert shell(to, *line.split()).returncode == 2


@pytest.mark.long
def test_closed_streams_are_no_place_for_files(tmp_path, monkeypatch):
    """The next file that is opened would get the number of a closed stream, and with it what is
    printed."""
    monkeypatch.chdir(tmp_path)
    assert shell("<&- >&- 2>&-", "stats", SGF, "--format", "json", "-o", "out.json").returncode == 0
    assert shell("", "stats", SGF, "--format", "json").stdout == Path("out.json").read_bytes()


def test_closed_input_is_an_empty_one():
    done = shell("<&-", "stats", "-")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)


@pytest.mark.parametrize("line", long_but_first(["explain Q01", "--help", f"convert {XG}"]))
def test_pipe_that_nobody_reads_ends_it_as_a_shell_expects(line):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "reconcile", *line.split()],
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_interrupt_while_the_program_is_loaded_has_no_traceback():
    """The interrupt comes from an import, so that no clock decides when."""
    code = """
import builtins, os, signal, sys
real, (name, *sys.argv[1:]) = builtins.__import__, sys.argv[1:]
def importing(wanted, *rest, **more):
    if wanted == name:
        os.kill(os.getpid(), signal.SIGINT)
    return real(wanted, *rest, **more)
builtins.__import__ = importing
from reconcile.__main__ import run
run()
"""
    for name in ("reconcile.cli", "numpy", "reconcile.scoring.statistics"):
        done = process(name, "stats", SGF, python=("-c", code))
        assert (done.returncode, done.stdout, done.stderr) == (130, b"", b""), name


@pytest.mark.parametrize("times", long_but_first([8, 40, 200], 0, 1))
def test_interrupt_at_any_moment_has_no_traceback_of_ours_and_leaves_no_half_file(times, tmp_path):
    """While Python starts and loads the package, the answer is Python's own: a traceback, and the
    exit code 1 or the signal.

    NumPy prints the traceback of an interrupt that comes while its compiled parts are loaded, and
    Python passes over one that comes while it clears away what nobody uses, and says so.
    """
    words, codes = (
        [sys.executable, "-m", "reconcile", "stats", SGF, "-o", str(tmp_path / "out.txt")],
        set(),
    )
    began = time.monotonic()
    subprocess.run(words, stdout=subprocess.DEVNULL, timeout=60, check=True)
    full, new = time.monotonic() - began, (tmp_path / "out.txt").read_text("utf-8")
    for number in range(times):
        (tmp_path / "out.txt").write_text("old", "utf-8")
        started = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with started:
            time.sleep(full * number / times)
            started.send_signal(signal.SIGINT)
            _, message = started.communicate(timeout=60)
        if message.startswith(b"Exception ignored in"):
            continue
        ours = [line for line in message.splitlines() if os.fsencode(PROJECT / "reconcile") in line]
        assert all(line.endswith(b"in <module>") for line in ours), message
        assert (
            not message or started.returncode != 130 or message.endswith(b"\nKeyboardInterrupt\n")
        )
        assert (tmp_path / "out.txt").read_text("utf-8") in ("old", new)
        codes.add(started.returncode)
    assert 130 in codes


IN_A_CLASS = """
class Interrupted:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(9)
def work(**_):
    class Made:
        one = Interrupted()
"""
REPLACED = """
def work(**_):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(9)
    except KeyboardInterrupt:
        pass
    raise ImportError("numpy._core.multiarray failed to import")
"""


@pytest.mark.parametrize(
    "work", [IN_A_CLASS, REPLACED], ids=["a class is made", "another error takes its place"]
)
def test_interrupt_that_arrives_as_another_error_is_one(work):
    code = (
        f"import os, signal, time, reconcile.cli\n{work}\nreconcile.cli.main.main = work\n"
        "from reconcile.__main__ import run\nrun()"
    )
    done = process(python=("-c", code))
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_interrupt_that_the_caller_ignores_stays_ignored():
    code = """
import os, signal, sys, reconcile.cli
def work(**_):
    os.kill(os.getpid(), signal.SIGINT)
    print(signal.getsignal(signal.SIGINT) == signal.SIG_IGN)
    sys.exit(0)
reconcile.cli.main.main = work
signal.signal(signal.SIGINT, signal.SIG_IGN)
from reconcile.__main__ import run
run()
"""
    done = process(python=("-c", code))
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, [b"True"], b"")
