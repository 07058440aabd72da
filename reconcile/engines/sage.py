"""Open Sage as one WebAssembly module, which `engine/` builds: a browser runs it in the page,
wasmtime elsewhere; and a match analysed by it.

Both give the same figures to the last bit, on every processor. Its plies count like XG's: 1-ply
looks no roll ahead, which gnuBG calls 0-ply. The transcript is the game record that gnuBG is given
as well, so both analyses have the same rows.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from reconcile.engines.analysis import Analysed, Effort, kept_or_made, read_back
from reconcile.engines.gnubg import game_record, renamed
from reconcile.errors import EngineError, MissingPackage
from reconcile.formats import read_match
from reconcile.formats.evaluated import CHANCES, VERSION
from reconcile.formats.mat.writer import differences
from reconcile.match.board.play import carried_out, legal_plays, play_text
from reconcile.match.board.position import Situation
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.match.tools import BGSAGE

RELEASE = "2.0.20260907"
"""Of the package bgsage, whose source the module is built from and whose networks it loads."""
INSTALL = "pip install 'gammon-reconcile[engine]'"
VARIABLE = "RECONCILE_WEIGHTS"
"""Names the folder of an unpacked wheel of bgsage, where it cannot be installed."""
MODULE = Path(__file__).with_name("sage.wasm")
LICENCE = Path(__file__).with_name("sage.LICENSE.txt")
WEIGHTS = (
    "models/sl_s9_purerace.weights.best",
    *(f"models/sl_s9_race_{plan}.weights.best" for plan in ("race", "att", "prim", "anch")),
    *(f"models/sl_s9_att_{plan}.weights.best" for plan in ("race", "att", "prim", "anch")),
    *(f"models/sl_s9_prim_{plan}.weights.best" for plan in ("race", "att", "anch")),
    *(f"models/sl_s9_anch_{plan}.weights.best" for plan in ("race", "att")),
    *(f"models/sl_s11_bg_{plan}.weights.best" for plan in ("deep", "middle", "double", "p3")),
    *(f"models/sl_s11_bg_{plan}.weights.best" for plan in ("containment", "snake", "massive")),
    "data/bearoff_1sided.db",
)
"""The networks and the bear-off database below `bgsage/_assets`, in the order of the module."""
DIGEST = "e5508b90da6f381d3c65e09d2258dc5be36f7c5afa9ea2d1ef067247284f9e71"
"""SHA-256 of all of them, one after the other."""
MOST_MEMORY = 512 * 2**20
"""Bytes of the module; it takes 51 MB at 1-ply, and some 120 MB beyond."""
ROLLS = [(first, second) for first in range(1, 7) for second in range(1, first + 1)]
"""The higher die first, as the module gives them."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What the engine says of the plays of a roll, in the order in which it finds them."""

    results: np.ndarray[Any, Any]
    """Positions after them, still in the view of the player who moved; shape (plays, 26)."""
    chances: np.ndarray[Any, Any]
    """To win, win a gammon, a backgammon, lose a gammon, a backgammon; shape (plays, 5)."""
    equities: np.ndarray[Any, Any]
    """Cubeful, EMG."""
    plies: np.ndarray[Any, Any]
    """How deep each was looked at."""


class Sage:
    """The engine; its module is started when it is first asked."""

    version = RELEASE

    def __init__(self) -> None:
        if sys.platform != "emscripten" and find_spec("wasmtime") is None:
            raise MissingPackage(
                f"the engine `sage` needs wasmtime, which is not installed; {INSTALL}"
            )
        self._folder = assets()

    @cached_property
    def _host(self) -> Any:
        contents = weights(self._folder)
        host = (_Browser if sys.platform == "emscripten" else _Wasmtime)(MODULE.read_bytes())
        host.call("_initialize")
        for content in contents:
            host.write(host.call("room", len(content)), content)
        if not host.call("load"):
            raise EngineError("Open Sage did not load its networks; is there enough memory?")
        self._question = host.call("question")
        return host

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Questions inside may take so many seconds together. Raises `EngineError`."""
        with self._host.within(seconds):
            yield

    def plays(
        self, situation: Situation, dice: Sequence[int], plies: int, played: Sequence[int]
    ) -> Looked:
        """The plays of a roll, all by 1 ply, the best and the one in the match by `plies`.
        `played` is the position after it. Raises `EngineError`."""
        rows = self._ask("plays", situation, plies, dice, played).reshape(-1, 33)
        results = rows[:, :26].astype(np.int64)
        results[:, 0] *= -1
        return Looked(results, rows[:, 26:31], rows[:, 31], rows[:, 32].astype(np.int64))

    def cube(self, situation: Situation, plies: int) -> np.ndarray[Any, Any]:
        """No double, double and take, double and pass (EMG), and the chances before the roll."""
        return self._ask("cube", situation, plies)

    def luck(self, situation: Situation, dice: Sequence[int], *, is_first: bool) -> float:
        """The equity of the best play of a roll, less that of an average roll, by 1 ply; a game
        never begins with a double."""
        best = self._ask("rolls", situation, 1)
        weights = np.array([2 if high != low else not is_first for high, low in ROLLS])
        return float(best[ROLLS.index((max(dice), min(dice)))] - best @ weights / weights.sum())

    def _ask(
        self,
        kind: str,
        situation: Situation,
        plies: int,
        dice: Sequence[int] = (0, 0),
        played: Sequence[int] = (0,) * 26,
    ) -> np.ndarray[Any, Any]:
        host = self._host
        asked = words(situation, plies, dice, played)
        host.write(self._question, struct.pack(f"<{len(asked)}i", *asked))
        count = host.call(kind)
        if count < 0:
            raise EngineError(f"Open Sage cannot be asked for this position: {situation}")
        size = 8 * count * (33 if kind == "plays" else 1)
        return np.frombuffer(host.read(host.call("answer"), size), "<f8")


def words(
    situation: Situation, plies: int, dice: Sequence[int], played: Sequence[int]
) -> list[int]:
    """A question as the module has it: checkers of either player on the bar are positive."""
    asked, owner = situation, situation.owner % 3
    boards = [[-position[0], *position[1:]] for position in (asked.position, played)]
    away = asked.away or (0, 0)  # for money
    jacoby = asked.jacoby and not asked.length
    values = (*dice, plies, asked.cube, owner, *away, asked.crawford, jacoby)
    return [*map(int, (*boards[0], *values, *boards[1]))]


def assets() -> Path:
    """The folder of the networks. Raises `MissingPackage`."""
    if named := os.environ.get(VARIABLE):
        return Path(named, "bgsage", "_assets")
    package = find_spec("bgsage")
    for place in (package and package.submodule_search_locations) or ():
        return Path(place, "_assets")
    raise MissingPackage(
        "the engine `sage` needs the networks of bgsage, which is not installed; "
        f"{INSTALL}, or name an unpacked wheel of it with {VARIABLE}"
    )


def weights(folder: Path) -> list[bytes]:
    """The networks, in the order of the module. Raises `EngineError` if they are others."""
    try:
        contents = [(folder / name).read_bytes() for name in WEIGHTS]
    except OSError as error:
        raise EngineError(
            f"{folder}: expected the networks of bgsage {RELEASE}, found none "
            f"({error.strerror}); {INSTALL}"
        ) from None
    if sha256(b"".join(contents)).hexdigest() != DIGEST:
        raise EngineError(
            f"{folder}: expected the networks of bgsage {RELEASE}, found others; {INSTALL}"
        )
    return contents


class _Browser:
    """The module in the browser that runs this Python; who waits too long stops the page's work."""

    def __init__(self, code: bytes) -> None:
        import js
        from pyodide.ffi import JsException, create_proxy, to_js

        module = js.WebAssembly.Module.new(to_js(code))
        refused = create_proxy(lambda *_: 52)
        names = {wanted.name: refused for wanted in js.WebAssembly.Module.imports(module)}
        imports = to_js({"wasi_snapshot_preview1": names}, dict_converter=js.Object.fromEntries)
        self._bytes, self._fault = js.Uint8Array, JsException
        self._exports = js.WebAssembly.Instance.new(module, imports).exports

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        yield

    def call(self, name: str, *arguments: int) -> int:
        try:
            return int(getattr(self._exports, name)(*arguments) or 0)
        except self._fault as error:
            raise EngineError(f"Open Sage broke off: {error}") from None

    def write(self, at: int, content: bytes) -> None:
        self._bytes.new(self._exports.memory.buffer, at, len(content)).assign(content)

    def read(self, at: int, size: int) -> bytes:
        return bytes(self._bytes.new(self._exports.memory.buffer, at, size).to_bytes())


class _Wasmtime:
    """The module on a computer, within bounds of memory and time."""

    def __init__(self, code: bytes) -> None:
        from wasmtime import Config, Engine, Linker, Module, Store

        config = Config()
        config.epoch_interruption = True
        self._engine = Engine(config)
        self._store = Store(self._engine)
        self._store.set_limits(memory_size=MOST_MEMORY)
        self._store.set_epoch_deadline(1)
        module, linker = Module(self._engine, code), Linker(self._engine)
        linker.define_unknown_imports_as_traps(module)
        self._exports: Any = linker.instantiate(self._store, module).exports(self._store)
        self._seconds = 0.0

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        self._seconds = seconds
        self._store.set_epoch_deadline(1)
        timer = threading.Timer(seconds, self._engine.increment_epoch)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            self._store.set_epoch_deadline(1)  # what is asked later has its own time

    def call(self, name: str, *arguments: int) -> int:
        from wasmtime import Trap, TrapCode, WasmtimeError

        try:
            return int(self._exports[name](self._store, *arguments) or 0)
        except Trap as error:
            if error.trap_code == TrapCode.INTERRUPT:
                raise EngineError(
                    f"Open Sage did not finish in {self._seconds:g} seconds; allow more time, or "
                    "fewer plies"
                ) from None
            raise EngineError(f"Open Sage broke off: {_last_line(error)}") from None
        except WasmtimeError as error:
            raise EngineError(f"Open Sage broke off: {_last_line(error)}") from None

    def write(self, at: int, content: bytes) -> None:
        self._exports["memory"].write(self._store, content, at)

    def read(self, at: int, size: int) -> bytes:
        return bytes(self._exports["memory"].read(self._store, at, at + size))


def _last_line(error: Exception) -> str:
    return str(error).strip().rpartition("\n")[2].strip()


DEEPEST = 4
"""Plies as the engine counts them; a match takes seconds at 2, a minute at 3, an hour at 4."""
VARIATIONS = ("backgammon", "nackgammon", "longgammon")
"""Starting positions of fifteen checkers; the engine has learned no other game."""
MET_NAME = "Kazaross-XG2"
"""The table that the engine computes with; it takes no other."""
LONGEST_MATCH = 25
"""Points; the engine's table ends there."""
FORMAT = 2
"""Version of the questions and of the kept form; changing it invalidates every cached analysis."""
VALUES = ("no_double", "double_take", "double_pass", *CHANCES)


def analyse(
    match: Match, engine: Sage, *, only: tuple[int, int] | None = None, **options: Any
) -> Analysed:
    """Analyse a match with Open Sage, or only one turn of it, by the numbers of game and turn;
    `options` are those of `analysis.Effort`.

    Equities are cubeful, EMG, at the engine's own table (`MET_NAME`); luck is at 1 ply; beavers
    are not considered. Raises `EngineError` if the engine fails, takes too long or does not know
    the game that was played.
    """
    effort = Effort(**options)
    _check(match)
    record = renamed(game_record(match).encode(), match.players).decode()
    content, from_cache = kept_or_made(
        effort.cache,
        ".json",
        {
            "engine": "sage",
            "version": engine.version,
            "plies": effort.plies,
            "only": only,
            "format": FORMAT,
        },
        record,
        lambda: _analysis(match, record, engine, effort, only),
    )
    document = json.loads(content)
    how = f"analysed by Open Sage {engine.version} at {document['level']}"
    changes = tuple(change["change"] for change in document["changes"])
    return read_back(match, content, how, f"sage:{effort.plies}", changes, from_cache=from_cache)


def _check(match: Match) -> None:
    """Refuse a game that the engine does not know."""
    trouble = ""
    if match.rules.variation not in VARIATIONS:
        trouble = f"Open Sage does not know {match.rules.variation}"
    elif not match.rules.cube:
        trouble = "Open Sage evaluates only play with a cube, and this match has none"
    elif (match.length or 0) > LONGEST_MATCH:
        trouble = f"Open Sage knows matches of at most {LONGEST_MATCH} points, found {match.length}"
    if trouble:
        raise EngineError(f"{trouble}; analyse it with gnuBG", match.source.path)


def _analysis(
    match: Match, record: str, engine: Sage, effort: Effort, only: tuple[int, int] | None
) -> bytes:
    """The analysis as the document that is kept."""
    base = read_match(match.source.path, record.encode())
    plays, cubes = base.plays, base.cubes
    play_rows = _rows(base, plays, plays.validity == 0, only)
    is_choice = (cubes.kind <= Kind.DOUBLE.value) & cubes.expected
    cube_rows = _rows(base, cubes, is_choice, only)
    total = len(cube_rows) + len(play_rows)
    values, rolls = list[dict[str, Any]](), list[dict[str, Any]]()
    try:
        with engine.within(effort.timeout):
            for row in cube_rows:
                effort.progress(len(values), total)
                asked = base.decision(len(plays) + row).situation
                equities = engine.cube(asked, effort.plies).tolist()
                values.append(_place(base, cubes, row) | dict(zip(VALUES, equities, strict=True)))
            for row in play_rows:
                effort.progress(len(values) + len(rolls), total)
                rolls.append(_roll(base, row, engine, effort.plies))
    except EngineError as error:
        raise EngineError(str(error), match.source.path) from None
    changes = (
        *_illegal(base, play_rows, rolls),
        *(f"{text} in the game record" for text in differences(match, base)),
    )
    document = _head(engine, effort.plies) | {
        "transcript": record,
        "changes": [{"change": change} for change in changes],
        "plays": rolls,
        "cubes": values,
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _rows(match: Match, table: Any, asked: Any, only: tuple[int, int] | None) -> list[int]:
    """The rows that are asked, in which both players have one to fifteen checkers."""
    for sign in (1, -1):
        checkers = np.maximum(sign * table.position, 0).sum(axis=1)
        asked = asked & (checkers >= 1) & (checkers <= 15)
    if only:
        asked = asked & (match.games.number[table.game] == only[0]) & (table.turn == only[1])
    return list(np.flatnonzero(asked).tolist())


def _head(engine: Sage, plies: int) -> dict[str, object]:
    """What the document of an analysis says of it."""
    return {
        "analysis_version": VERSION,
        "tool": BGSAGE.name,
        "tool_version": f"bgsage {engine.version}",
        "platform": "WebAssembly",
        "level": f"{plies}-ply",
        "lookahead": plies - 1,
        "match_equity_table": MET_NAME,
    }


def _illegal(match: Match, rows: list[int], rolls: list[dict[str, Any]]) -> Iterator[str]:
    """Rolls whose play, or dance, is not among the legal ones."""
    for row, roll in zip(rows, rolls, strict=True):
        candidates = roll["candidates"]
        has_choice = bool(candidates or match.plays.moved[row])
        if has_choice and not any(candidate["made"] for candidate in candidates):
            where = f"game {roll['game']}, turn {roll['turn']}"
            yield f"{where}: a play that the dice do not allow, which Open Sage cannot judge"


def _roll(match: Match, row: int, engine: Sage, plies: int) -> dict[str, Any]:
    """What the document has of a roll: the legal plays among those that the engine lists."""
    plays, asked = match.plays, match.decision(row).situation
    after = carried_out(asked.position, plays.play[row])
    legal = {tuple(play.result): play.play for play in legal_plays(asked.position, *asked.dice)}
    looked = engine.plays(asked, asked.dice, plies, after)
    candidates = []
    for at in np.argsort(-looked.equities, kind="stable").tolist():
        result = tuple(looked.results[at].tolist())
        if result in legal:
            is_made = result == after
            play = plays.play[row] if is_made else legal[result]
            candidates.append(
                {
                    "play": play_text(asked.position, play),
                    "equity": float(looked.equities[at]),
                    "level": f"{looked.plies[at]}-ply",
                    "made": is_made,
                    **dict(zip(CHANCES, looked.chances[at].tolist(), strict=True)),
                }
            )
    luck = engine.luck(asked, asked.dice, is_first=int(plays.turn[row]) == 1)
    return _place(match, plays, row) | {"luck": luck, "candidates": candidates}


def _place(match: Match, table: Any, row: int) -> dict[str, Any]:
    return {"game": int(match.games.number[table.game[row]]), "turn": int(table.turn[row])}
