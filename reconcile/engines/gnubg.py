"""gnuBG as a process: a script goes in, its output comes out.

program = find() printed = program.run('gnubg.command("set threads 1")\nprint(gnubg.positionid())',
timeout=60)

* gnuBG runs without a board and without the user's settings, in its own folder and HOME, with
  the decimal point of the C locale. Its exit status is always 0, so its output decides: if the
  script raises, or gnuBG ends before the script does, the result is an `EngineError` with the
  last line printed.
* It ends with the call that runs it (`files/processes.py`).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reconcile.errors import EngineError, reason_of
from reconcile.files.processes import Program, TooLate, TooMuch

VARIABLE = "RECONCILE_GNUBG"
"""Environment variable with the path of the program."""
NAMES = ("gnubg", "gnubg-cli")
FOLDERS = ("/usr/games", "/usr/local/games", "/usr/local/bin")
"""Searched after PATH, since Debian keeps games out of PATH."""
VERSION_LIMIT = 60.0
"""Seconds for `gnubg --version`."""
MOST_OUTPUT = 256 * 2**20
"""Bytes; more output than this means that gnuBG is stuck in a loop."""
WINDOWS = os.name == "nt"

_DONE = "reconcile: the script has ended"
_RAISED = "reconcile: the script has raised: "
_MAIN = """
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
        on_line: Callable[[str], object] = str,
        terminal: bool = False,
    ) -> str:
        """Run a Python script inside gnuBG and return its output, including gnuBG's own messages.

        The script can use `gnubg` (`gnubg.command(...)`, `gnubg.match(...)`). Its working folder is
        `folder`, by default a temporary one that is removed afterwards, so name files without a
        path. `timeout` is in seconds. `on_line` is called with every line as it arrives, without
        the line end; an exception from it ends gnuBG. With `terminal`, gnuBG prints to a
        pseudo-terminal, since it shows the results of rollouts nowhere else.

        May be called from several threads at once. Raises `EngineError` if the script raises,
        gnuBG ends before it, the output is too long, or the time limit is reached.
        """
        with scratch() as home:
            main = home / "main.py"
            text = _MAIN.format(script=script, raised=_RAISED, done=_DONE)
            main.write_text(text, encoding="utf-8")
            words = [str(self.path), "-t", "-q", "-r", "-p", str(main)]
            printed = _output(words, home, folder or home, timeout, on_line, terminal)
        before, ended, _ = printed.rpartition(_DONE)
        if ended:
            return before
        _, raised, reason = printed.rpartition(_RAISED)
        if not raised:
            reason = f"it ended early; the last line it printed: {last_line(printed)}"
        raise EngineError(f"gnuBG {self.version} failed: {reason.strip()[:300]}", self.path)


def last_line(printed: str) -> str:
    """The last line that is not empty, or `nothing`."""
    return next(filter(None, map(str.strip, reversed(printed.splitlines()))), "nothing")


def look_up() -> str | None:
    """The path of the gnuBG of `RECONCILE_GNUBG`, otherwise from PATH or the usual folders."""
    if named := os.environ.get(VARIABLE):
        return shutil.which(named)
    places = os.pathsep.join([os.environ.get("PATH", os.defpath), *FOLDERS])
    return next(filter(None, (shutil.which(name, path=places) for name in NAMES)), None)


def find() -> Gnubg:
    """The installed gnuBG and its version. Raises `EngineError` if there is none."""
    path = look_up()
    if path is None:
        if named := os.environ.get(VARIABLE):
            raise EngineError(
                f"{named}: no such program; correct the environment variable {VARIABLE}"
            )
        raise EngineError(
            f"gnuBG not found: no program {NAMES[0]} in PATH or {FOLDERS[0]}; "
            f"install it (apt-get install gnubg) or name it in the environment variable {VARIABLE}"
        )
    absolute = Path(path).absolute()
    with scratch() as home:
        printed = _output([str(absolute), "--version"], home, home, VERSION_LIMIT)
    version = re.search(r"GNU Backgammon (\d\S*)", printed)
    if version is None:
        first = next(iter(printed.splitlines()), "nothing")
        raise EngineError(
            f"{absolute}: expected gnuBG, but --version prints: {first[:100]}; name another "
            f"program in {VARIABLE}"
        )
    return Gnubg(absolute, version[1])


@contextmanager
def scratch() -> Iterator[Path]:
    """A temporary folder, removed afterwards.

    Raises `EngineError` where there is none, or no room in it.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="reconcile-gnubg-") as folder:
            yield Path(folder)
    except BrokenPipeError:  # of who reads what we print
        raise
    except OSError as error:
        raise EngineError(
            f"temporary files: {reason_of(error)}; name another folder in TMPDIR"
        ) from None


def _output(
    words: list[str],
    home: Path,
    folder: Path,
    timeout: float,
    on_line: Callable[[str], object] = str,
    terminal: bool = False,
) -> str:
    """Everything the program prints until it ends."""
    if terminal and WINDOWS:
        raise EngineError(
            "gnuBG shows the results of rollouts only on a terminal, which is not available on "
            "Windows; use another system"
        )
    printed = ""
    settings: dict[str, Any] = {"cwd": folder, "env": _environment(home)}
    trouble = f"expected at most {MOST_OUTPUT >> 20} MB of output, found more; is it gnuBG?"
    try:
        with Program(
            words, most=MOST_OUTPUT, terminal=terminal, stderr=subprocess.STDOUT, **settings
        ) as program:
            program.allow(timeout)
            for raw in program.lines():
                line = raw.decode("utf-8", "replace")
                printed += f"{line}\n"
                if line.rstrip("\r") != _DONE:
                    on_line(line.rstrip("\r"))
        return printed
    except OSError as error:
        trouble = f"cannot be started: {reason_of(error)}"
    except TooLate:
        trouble = f"not finished after {timeout:g} seconds; allow more time"
    except TooMuch:
        pass
    raise EngineError(f"{words[0]}: {trouble}")


def _environment(home: Path) -> dict[str, str]:
    """The environment without the user's settings for gnuBG, the locale and Python."""
    theirs = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("PYTHON", "LC_", "LANG"))
    }
    ours = {"LC_ALL": "C", "PYTHONNOUSERSITE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return theirs | ours | {"HOME": str(home)}
