"""gnuBG as a process: a script goes in, its output comes out; and the game record that it loads.

    program = find()
    printed = program.run('print(gnubg.positionid())', timeout=60)

* gnuBG runs without a board and without the user's settings, in its own folder and HOME, with
  the decimal point of the C locale. Its exit status is always 0, so its output decides: if the
  script raises, or gnuBG ends before the script does, the result is an `EngineError` with the
  last line printed.
* It ends with the call that runs it (`files/processes.py`).

A transcript (`.mat`) is not enough for it: gnuBG's import of one supports no automatic doubles, no
match without the Crawford rule and no position set up by hand, stops at an impossible play, and
plays a forced last roll that was never played. A record (SGF without an analysis) states all of
this, and gnuBG replays its plays without checking them. Players are named `PLAYERS` in it, which
gnuBG can handle; `renamed` restores the real names.
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
from reconcile.formats.gnubg.writer import (
    DOUBLED,
    PASSED,
    TAKEN,
    acted,
    escaped,
    name_of,
    result,
    rolled,
    root,
    set_up,
    tree,
)
from reconcile.formats.mat.writer import Event, events, steps
from reconcile.match.board.play import carried_out
from reconcile.match.board.position import STARTS, Counts, swap
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match

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


PLAYERS = ("seat-0", "seat-1")
VARIATIONS = {
    "backgammon": "",
    "nackgammon": "Nackgammon",
    "hypergammon1": "Hypergammon1",
    "hypergammon2": "Hypergammon2",
    "hypergammon3": "Hypergammon3",
}
"""gnuBG's names in `RU`."""
LONGEST_EVENT = 200


def game_record(match: Match) -> str:
    """The match as SGF. Raises `EngineError` for a variation that gnuBG does not support."""
    if match.rules.variation not in VARIATIONS:
        raise EngineError(
            f"gnuBG does not support the variation {match.rules.variation!r}", match.source.path
        )
    games = events(match)
    return "".join(
        tree(_root(match, index), _nodes(match, index, game)) for index, game in enumerate(games)
    )


def renamed(record: bytes, players: tuple[str, str]) -> bytes:
    """A record that gnuBG saved, with the players' own names."""
    for seat, name in enumerate(players):
        record = record.replace(name_of(seat, PLAYERS[seat]).encode(), name_of(seat, name).encode())
    return record


def _nodes(match: Match, index: int, game: list[Event]) -> Iterator[str]:
    plays = match.plays
    board = STARTS[match.rules.variation]
    """In seat 0's view."""
    first = True
    for event in game:
        if event.row >= 0:
            table = plays if event.kind is Kind.PLAY else match.cubes
            position: Counts = tuple(table.position[event.row].tolist())
            here = position if event.player == 0 else swap(position)
            cube = _cube(match, index, event) if first else ""
            if here != board or cube:
                yield f";PL[W]{set_up(here)}{cube}"
                board = here
        first, remark = False, _remark(match, index, event) if event.row >= 0 else ""
        if event.kind is not Kind.PLAY:
            words = {Kind.TAKE: TAKEN, Kind.PASS: PASSED}
            yield acted(event.player, words.get(event.kind, DOUBLED)) + remark
            continue
        dice = plays.dice[event.row].tolist()
        if plays.validity[event.row] == Validity.UNPLAYED:
            yield rolled(event.player, dice, None) + remark
            continue
        taken_steps = steps(match, event.row)
        yield rolled(event.player, dice, taken_steps) + remark
        after = carried_out(position, taken_steps)
        board = after if event.player == 0 else swap(after)


def _root(match: Match, index: int) -> str:
    games, rules = match.games, match.rules
    words = [VARIATIONS[rules.variation]]
    words += ["Crawford"] * (rules.crawford and not match.is_money) + ["CrawfordGame"] * bool(
        games.crawford[index]
    )
    words += ["Jacoby"] * (rules.jacoby and match.is_money) + ["NoCube"] * (not rules.cube)
    winner = int(games.winner[index])
    return root(
        int(games.number[index]) - 1,
        match.length,
        games.score[index].tolist(),
        PLAYERS,
        words,
        result=result(winner, int(games.points[index]), resigned=bool(games.resigned[index]))
        if winner >= 0
        else None,
        facts=_facts(match) if index == 0 else {},
        automatic_doubles=int(games.automatic_doubles[index]),
    )


def _facts(match: Match) -> dict[str, str]:
    """What the first root says of the match, by property."""
    return {
        "EV": match.event[:LONGEST_EVENT],
        "RO": match.round[:LONGEST_EVENT],
        "PC": match.place[:LONGEST_EVENT],
        "DT": match.date.isoformat() if match.date else "",
        "GC": match.comment,
    }


def _remark(match: Match, index: int, event: Event) -> str:
    """What was written about an event, for its node. That of a turn without a double is in the
    node of its play."""
    kinds = (Kind.NO_DOUBLE, Kind.PLAY) if event.kind is Kind.PLAY else (event.kind,)
    texts = [match.comments.get((index, event.turn, kind), "") for kind in kinds]
    text = "\n".join(filter(None, texts))
    return f"C[{escaped(text)}]" if text else ""


def _cube(match: Match, index: int, event: Event) -> str:
    """The cube of a game that begins with a turned cube, as in a position set up by hand."""
    table = match.plays if event.kind is Kind.PLAY else match.cubes
    value, owner = int(table.cube[event.row]), int(table.owner[event.row])
    if not owner:
        return (
            ""
            if value in (1, 1 << int(match.games.automatic_doubles[index]))
            else f"CV[{value}]CP[c]"
        )
    on_roll = (
        event.player if event.kind is Kind.PLAY or event.kind <= Kind.DOUBLE else 1 - event.player
    )
    return f"CV[{value}]CP[{'wb'[on_roll if owner > 0 else 1 - on_roll]}]"
