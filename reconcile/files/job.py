"""A program in a job object of Windows, which ends everything in it when its last handle closes: on our own end as well.

Written after Microsoft's documentation of `CreateJobObjectW`, `SetInformationJobObject`, `AssignProcessToJobObject` and
`TerminateJobObject`; only the layout of the limits is tested, since no test runs on Windows.
"""

from __future__ import annotations

import ctypes
import sys

if sys.platform == "win32":
    import subprocess
    from collections.abc import Mapping, Sequence
    from ctypes import wintypes
    from pathlib import Path
    from typing import Any, Final

    _KILL_ON_CLOSE: Final = 0x2000
    """`JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE`."""
    _EXTENDED_LIMITS: Final = 9
    """`JobObjectExtendedLimitInformation`."""


class Limits(ctypes.Structure):
    """`JOBOBJECT_EXTENDED_LIMIT_INFORMATION`; only the flags are used."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("smallest_set", ctypes.c_size_t),
        ("largest_set", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
        ("counters", ctypes.c_uint64 * 6),
        ("memory", ctypes.c_size_t * 4),
    )


if sys.platform == "win32":

    class Held:
        """A program in a job object. What it starts before it is in the job, in its first moments, stays outside.

        Raises `OSError` if it cannot be started or cannot be put into a job.
        """

        def __init__(
            self,
            words: Sequence[str],
            *,
            stdin: int,
            stdout: int,
            stderr: int,
            cwd: Path | None,
            env: Mapping[str, str] | None,
        ):
            self._stopped = False
            self._kernel: Any = ctypes.WinDLL("kernel32", use_last_error=True)
            self._kernel.CreateJobObjectW.restype = wintypes.HANDLE
            self._job: Any = wintypes.HANDLE(self._kernel.CreateJobObjectW(None, None))
            limits = Limits(flags=_KILL_ON_CLOSE)
            size = ctypes.sizeof(limits)
            if not (
                self._job.value
                and self._kernel.SetInformationJobObject(
                    self._job, _EXTENDED_LIMITS, ctypes.byref(limits), size
                )
            ):
                raise ctypes.WinError(ctypes.get_last_error())
            self._process = subprocess.Popen(  # noqa: S603  # the program that the user named, without a shell
                list(words), stdin=stdin, stdout=stdout, stderr=stderr, cwd=cwd, env=env
            )
            held = self._kernel.AssignProcessToJobObject(
                self._job, wintypes.HANDLE(int(self._process._handle))
            )
            if (
                not held and self._process.poll() is None
            ):  # one that has ended cannot be put into a job
                error = ctypes.WinError(ctypes.get_last_error())
                self._process.kill()
                raise error

        def __del__(self) -> None:
            self._kernel.CloseHandle(self._job)

        def cut(self) -> None:
            """End everything in the job."""
            self._stopped |= self._process.poll() is None
            self._kernel.TerminateJobObject(self._job, 1)
            self._process.kill()

        kill = cut

        def wait(self) -> None:
            """Wait for the program, and end what it left running."""
            self._process.wait()
            self._kernel.TerminateJobObject(self._job, 1)

        def result(self) -> int | None:
            """Its exit code, after `wait`; `None` if it was ended from here."""
            return None if self._stopped else self._process.returncode
