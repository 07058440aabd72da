"""gnuBG as a process: a script goes in, its output comes out.

    program = find()
    printed = program.run('gnubg.command("set threads 1")\nprint(gnubg.positionid())', timeout=60)

* gnuBG runs without a board and without the user's settings, in its own folder and HOME, with the decimal point of the C locale.
  Its exit status is always 0, so its output decides: if the script raises, or gnuBG ends before the script does, the result
  is an `EngineError` with the last line printed.
* It never outlives this process (`files/processes.py`).
* A folder left behind by such an end is removed by the next run.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reconcile.errors import EngineError, reason_of
from reconcile.files.processes import Program, TooLate
from reconcile.files.regular import lock, open_regular

VARIABLE: Final = "RECONCILE_GNUBG"
"""Environment variable with the path of the program."""
NAMES: Final = ("gnubg", "gnubg-cli")
FOLDERS: Final = ("/usr/games", "/usr/local/games", "/usr/local/bin")
"""Searched after PATH, since Debian keeps games out of PATH."""
VERSION_LIMIT: Final = 60.0
"""Seconds for `gnubg --version`."""
MOST_OUTPUT: Final = 256 * 2**20
"""Characters; more output than this means that gnuBG is stuck in a loop."""
PREFIX: Final = "reconcile-gnubg-"
LOCK: Final = "lock"
LONGEST_LINE: Final = 2**20
WINDOWS: Final = os.name == "nt"
"""On Windows the folder of a killed process stays."""

_DONE: Final = "reconcile: the script has ended"
_RAISED: Final = "reconcile: the script has raised: "
_MAIN: Final = """
import sys, traceback
sys.stdout.reconfigure(line_buffering=True)
try:
    exec(compile({script!r}, "script", "exec"), globals())
except BaseException:
    print({raised!r} + " ".join(traceback.format_exception_only(*sys.exc_info()[:2])[-1].split()))
else:
    print({done!r})
sys.stdout.flush()
"""


@dataclass(frozen=True, slots=True)
class Gnubg:
    """An installed gnuBG."""

    path: Path
    version: str
    """As gnuBG prints it, for example `1.07.001`."""

    def run(
        self,
        script: str,
        *,
        folder: Path | None = None,
        timeout: float,
        on_line: Callable[[str], None] | None = None,
        terminal: bool = False,
    ) -> str:
        """Run a Python script inside gnuBG and return its output, including gnuBG's own messages.

        The script can use `gnubg` (`gnubg.command(...)`, `gnubg.match(...)`). Its working folder is `folder`, by default a temporary one
        that is removed afterwards, so name files without a path. `timeout` is in seconds. `on_line` is called with every line as
        it arrives, without the line end; an exception from it ends gnuBG. With `terminal`, gnuBG prints to a pseudo-terminal, since it
        shows the results of rollouts nowhere else.

        May be called from several threads at once. Raises `EngineError` if the script raises, gnuBG ends before it, the
        output is too long, or the time limit is reached.
        """
        with scratch() as home:
            main = home / "main.py"
            main.write_text(
                _MAIN.format(script=script, raised=_RAISED, done=_DONE), encoding="utf-8"
            )
            arguments = [str(self.path), "-t", "-q", "-r", "-p", str(main)]
            printed = _output(arguments, home, folder or home, timeout, on_line, terminal)
        before, ended, _ = printed.rpartition(_DONE)
        if ended:
            return before
        if _RAISED in printed:
            reason = printed.rpartition(_RAISED)[2].strip()
        else:
            last = next(
                (line.strip() for line in reversed(printed.splitlines()) if line.strip()), "nothing"
            )
            reason = f"it ended early; the last line it printed: {last}"
        raise EngineError(f"gnuBG {self.version} failed: {reason[:300]}", self.path)


def find() -> Gnubg:
    """The gnuBG of `RECONCILE_GNUBG`, otherwise from PATH or the usual folders. Raises `EngineError` if there is none."""
    given = os.environ.get(VARIABLE)
    if given:
        path = shutil.which(given)
        if path is None:
            raise EngineError(
                f"{given}: no such program; correct the environment variable {VARIABLE}"
            )
    else:
        places = os.pathsep.join([os.environ.get("PATH", os.defpath), *FOLDERS])
        path = next((found for name in NAMES if (found := shutil.which(name, path=places))), None)
        if path is None:
            raise EngineError(
                f"gnuBG not found: no program {NAMES[0]} in PATH or {FOLDERS[0]}; "
                f"install it (apt-get install gnubg) or name it in the environment variable {VARIABLE}"
            )
    absolute = Path(path).absolute()
    with scratch() as home:
        printed = _output([str(absolute), "--version"], home, home, VERSION_LIMIT, None)
    version = re.search(r"GNU Backgammon (\d\S*)", printed)
    if version is None:
        first = next(iter(printed.splitlines()), "nothing")
        raise EngineError(
            f"{absolute}: expected gnuBG, but --version prints: {first[:100]}; name another program in {VARIABLE}"
        )
    return Gnubg(absolute, version[1])


@contextmanager
def scratch() -> Iterator[Path]:
    """A temporary folder, removed afterwards; folders left behind by killed processes are removed now.

    Raises `EngineError` where there is none, or no room in it.
    """
    try:
        _sweep()
        folder = Path(tempfile.mkdtemp(prefix="reconcile-new-"))
    except OSError as error:
        raise EngineError(
            f"no folder for temporary files: {reason_of(error)}; name one in TMPDIR"
        ) from None
    try:
        with (folder / LOCK).open("wb") as held:
            if not WINDOWS and not lock(held.fileno()):
                raise OSError(f"{LOCK} cannot be locked")
            folder = folder.rename(
                folder.with_name(folder.name.replace("reconcile-new-", PREFIX, 1))
            )
            yield folder
    except BrokenPipeError:  # of who reads what we print
        raise
    except OSError as error:
        raise EngineError(
            f"{folder.parent}: temporary files: {reason_of(error)}; name another in TMPDIR"
        ) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep() -> None:
    """Remove our folders whose process has ended: nobody holds their lock. Those of others are left alone."""
    if WINDOWS:
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            about = folder.lstat()
            if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid():
                continue
            with open_regular(folder / LOCK) as held:
                if lock(held.fileno()):
                    shutil.rmtree(folder, ignore_errors=True)


def _output(
    arguments: list[str],
    home: Path,
    folder: Path,
    timeout: float,
    on_line: Callable[[str], None] | None,
    terminal: bool = False,
) -> str:
    """Everything the program prints until it ends."""
    if terminal and WINDOWS:
        raise EngineError(
            "gnuBG shows the results of rollouts only on a terminal, which is not available on Windows; use another system"
        )
    printed: list[str] = []
    size = 0
    try:
        with Program(
            arguments, folder=folder, environment=_environment(home), merged=True, terminal=terminal
        ) as program:
            program.allow(timeout)
            for _, raw in program.lines(LONGEST_LINE):
                line = raw.decode("utf-8", "replace")
                size += len(line)
                if size > MOST_OUTPUT:
                    raise EngineError(
                        f"{arguments[0]}: expected at most {MOST_OUTPUT >> 20} MB of output, found more; is it gnuBG?"
                    )
                printed.append(line)
                if on_line is not None and line.rstrip("\r\n") != _DONE:
                    on_line(line.rstrip("\r\n"))
    except OSError as error:
        raise EngineError(f"{arguments[0]}: cannot be started: {reason_of(error)}") from None
    except TooLate:
        raise EngineError(
            f"{arguments[0]}: not finished after {timeout:g} seconds; allow more time"
        ) from None
    return "".join(printed)


def _environment(home: Path) -> dict[str, str]:
    """The environment without the user's settings for gnuBG, the locale and Python."""
    kept = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("PYTHON", "LC_", "LANG"))
    }
    return kept | {
        "HOME": str(home),
        "LC_ALL": "C",
        "PYTHONNOUSERSITE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
