"""Runs one program for `processes.py`, and ends it together with everything it started, however we end ourselves.

A script that imports nothing else of this package, nor pathlib, which takes as long as the rest:

    python -I -S keeper.py LIFELINE REPORT PROGRAM [WORD...]

Both numbers are open files. LIFELINE is a pipe of which nobody but the starting process has the other end: once it closes, for any
reason including `kill -9`, everything is killed; so it is once the program itself has ended. REPORT gets two lines: the process id and
the control group, for whoever must end the program if the keeper itself is killed; then the exit code, or why the program did not start.

* Linux, where the kernel lets us: the program and all it starts are in a process namespace of their own. The first process there, which
  only waits, ends when the keeper does, and the kernel ends everything with it. None of them can name the keeper, so none can stop it.
* Linux otherwise: the keeper adopts every orphan below it (a subreaper), so a child in its own session or group is found as well. Where a
  control group can be made, its members are killed all at once. A keeper that the program stops is continued, and at last killed, by
  `processes.py`.
* Other POSIX systems adopt no orphans: there a process that left the program's group, and whose parent has ended, escapes.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress
from typing import Final, NoReturn

PATIENCE: Final = 10.0
"""Seconds after which a process that cannot be killed, for example of another user, is given up."""
_DEATH_SIGNAL, _SUBREAPER = 1, 36
"""Of `prctl`."""
_NEW_USER, _NEW_PROCESSES = 0x10000000, 0x20000000
"""Of `unshare`: CLONE_NEWUSER and CLONE_NEWPID of Linux's `sched.h`."""


def keep(lifeline: int, report: int, words: list[str]) -> None:
    """Start the program, wait for its end or that of the lifeline, and leave nothing running."""
    for file in (lifeline, report):
        os.set_inheritable(file, False)
    _prctl(_SUBREAPER, 1)
    apart = _apart()
    group = "" if apart else _control_group()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    failure, failing = os.pipe()
    ended, living = os.pipe()
    told, telling = os.pipe()
    ours = os.getpid()
    program = os.fork()
    if not program:
        os.close(living)
        if apart:
            _first(words, failing, ended, telling)
        _become(words, failing, group, ours)
    os.close(failing)
    os.close(telling)
    os.write(report, os.fsencode(f"{program} {group}\n"))
    _let_go()
    error = os.read(failure, 32)
    code: int | None = None
    while not error and code is None:
        if lifeline in select.select([lifeline, woken], [], [])[0]:
            break
        os.read(woken, 4096)
        code = _reaped(program)
    _end(program, group, ended=code is not None)
    if error or code is not None:
        with suppress(OSError):  # nobody waits any more
            os.write(
                report,
                b"errno " + error
                if error
                else b"code " + (os.read(told, 32) or b"%d" % (code or 0)),
            )


def _apart() -> bool:
    """Whether what we start from now on is in a process namespace of its own; for others than root within a user namespace, which maps
    only the user's own number: there no program gains the rights of another user, as `sudo` would."""
    if sys.platform != "linux":
        return False
    user, users = os.geteuid(), os.getegid()
    with suppress(OSError, AttributeError):
        unshare = ctypes.CDLL(None).unshare
        if user == 0 and unshare(_NEW_PROCESSES) == 0:
            return True
        if user and unshare(_NEW_USER | _NEW_PROCESSES) == 0:
            for name, text in (
                ("setgroups", "deny"),
                ("uid_map", f"{user} {user} 1"),
                ("gid_map", f"{users} {users} 1"),
            ):
                _write(f"/proc/self/{name}", text)
            return True
    return False


def _first(words: list[str], failing: int, ended: int, telling: int) -> NoReturn:
    """Be the first process of a namespace: start the program, reap what ends, and tell its exit code. All others end with this one."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    _prctl(_DEATH_SIGNAL, signal.SIGKILL)
    if select.select([ended], [], [], 0)[0]:  # the keeper ended before it could take us with it
        os._exit(1)
    program = os.fork()
    if not program:
        _become(words, failing, "", 1)
    os.close(failing)
    _let_go()
    while True:
        pid, status = os.wait()
        if pid == program:
            os.write(telling, b"%d" % os.waitstatus_to_exitcode(status))
            os._exit(0)


def _let_go() -> None:
    """Have no end of the program's streams any more."""
    quiet = os.open(os.devnull, os.O_RDWR)
    for file in (0, 1, 2):
        os.dup2(quiet, file)


def _become(words: list[str], failing: int, group: str, parent: int) -> NoReturn:
    """Turn this child into the program, in its own session."""
    try:
        os.setsid()
        _prctl(_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
        if group:
            _write(f"{group}/cgroup.procs", "0")
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.execvp(words[0], words)  # noqa: S606  # the program that the user named, without a shell
    except (OSError, ValueError) as error:
        os.write(failing, b"%d" % (getattr(error, "errno", None) or 0))
    os._exit(1)


def _prctl(what: int, value: int) -> None:
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


def _control_group() -> str:
    """A new control group (version 2) below our own; empty where there is none or we may not make one."""
    with suppress(OSError, StopIteration, IndexError):
        with open("/proc/self/mountinfo", encoding="utf-8") as file:
            mount = next(line.split()[4] for line in file if " - cgroup2 " in line)
        with open("/proc/self/cgroup", encoding="utf-8") as file:
            own = next(line.split(":", 2)[2].strip() for line in file if line.startswith("0::"))
        folder = f"{mount}{own.rstrip('/')}/reconcile-{os.getpid()}"
        os.mkdir(folder)
        if os.path.exists(f"{folder}/cgroup.kill"):
            return folder
        os.rmdir(folder)
    return ""


def _write(path: str, text: str) -> None:
    with suppress(OSError), open(path, "w", encoding="ascii") as file:
        file.write(text)


def _reaped(program: int) -> int | None:
    """The exit code of the program if it has ended; every other child that has ended is reaped as well."""
    code = None
    with suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            if pid == program:
                code = os.waitstatus_to_exitcode(status)
    return code


def kill(program: int, group: str) -> None:
    """Kill the members of the program's process group and control group, and remove the latter when it is empty."""
    with suppress(OSError):
        os.killpg(program, signal.SIGKILL)
    if group:
        _write(f"{group}/cgroup.kill", "1")
        for _ in range(100):
            with suppress(OSError):
                os.rmdir(group)
                break
            time.sleep(0.001)


def _end(program: int, group: str, *, ended: bool) -> None:
    """Kill the groups, then our children until there are none: each death hands us those below it."""
    kill(program, group)
    until = time.monotonic() + PATIENCE
    while _has_children() and time.monotonic() < until:
        for pid in _children() or [program] * (not ended):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        _reaped(program)
        time.sleep(0.0001)
    with suppress(OSError):
        if group:
            os.rmdir(group)  # on a busy machine its members took longer to go


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _children() -> list[int]:
    """Our children; read at one go where the kernel lists them, so that a chain of short-lived ones cannot run away.

    None where the listed numbers are not ours, inside the namespace of another keeper, which ends them with everything.
    """
    own = os.getpid()
    with suppress(OSError):
        if int(os.readlink("/proc/self")) != own:
            return []
    with suppress(OSError), open(f"/proc/self/task/{own}/children", encoding="ascii") as file:
        return list(map(int, file.read().split()))
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        with (
            suppress(OSError, ValueError, IndexError),
            open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file,
        ):
            if int(file.read().rpartition(")")[2].split()[1]) == own:
                found.append(int(name))
    return found


if __name__ == "__main__":
    keep(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
