"""A program in a job object of Windows, which ends everything in it when its last handle closes: on our own end as well."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    import subprocess
    from collections.abc import Mapping, Sequence
    from ctypes import wintypes
    from pathlib import Path
    from typing import Any, Final

    _KILL_ON_CLOSE: Final = 0x2000
    """`JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE`."""
    _EXTENDED_LIMITS: Final = 9
    """`JobObjectExtendedLimitInformation`."""

    class _Limits(ctypes.Structure):
        """`JOBOBJECT_EXTENDED_LIMIT_INFORMATION`; only the flags are used."""

        _fields_ = (
            ("process_time", ctypes.c_int64),
            ("job_time", ctypes.c_int64),
            ("flags", wintypes.DWORD),
            ("smallest_set", ctypes.c_size_t),
            ("largest_set", ctypes.c_size_t),
            ("processes", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("priority", wintypes.DWORD),
            ("scheduling", wintypes.DWORD),
            ("counters", ctypes.c_uint64 * 6),
            ("memory", ctypes.c_size_t * 4),
        )

    class Held:
        """A program in a job object. What it starts before it is in the job, in its first moments, stays outside."""

        def __init__(self, words: Sequence[str], *, stdin: int, stdout: int, stderr: int, cwd: Path | None, env: Mapping[str, str] | None):
            self._kernel: Any = ctypes.WinDLL("kernel32", use_last_error=True)
            self._kernel.CreateJobObjectW.restype = wintypes.HANDLE
            self._job: Any = wintypes.HANDLE(self._kernel.CreateJobObjectW(None, None))
            limits = _Limits(flags=_KILL_ON_CLOSE)
            self._kernel.SetInformationJobObject(self._job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits))
            self._stopped = False
            try:
                self._process = subprocess.Popen(  # noqa: S603  # the program that the user named, without a shell
                    list(words), stdin=stdin, stdout=stdout, stderr=stderr, cwd=cwd, env=env
                )
            except BaseException:
                self._kernel.CloseHandle(self._job)
                raise
            self._kernel.AssignProcessToJobObject(self._job, wintypes.HANDLE(int(self._process._handle)))

        def cut(self) -> None:
            """End everything in the job."""
            self._stopped |= self._process.poll() is None
            self._kernel.TerminateJobObject(self._job, 1)
            self._process.kill()

        def wait(self) -> None:
            """Wait for the program, and end what it left running."""
            self._process.wait()
            self._kernel.TerminateJobObject(self._job, 1)

        def result(self) -> int | None:
            """Its exit code, after `wait`; `None` if it was ended from here."""
            return None if self._stopped else self._process.returncode
