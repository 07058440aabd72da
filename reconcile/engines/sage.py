"""Open Sage as one WebAssembly module, which `engine/` builds: a browser runs it in the page,
wasmtime elsewhere.

Both give the same figures to the last bit, on every processor. Its plies count like XG's: 1-ply
looks no roll ahead, which gnuBG calls 0-ply.
"""

from __future__ import annotations

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

from reconcile.errors import EngineError, MissingPackage

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
class Situation:
    """A position with its cube and score, in the view of the player on roll."""

    position: tuple[int, ...]
    """26 signed counts."""
    cube: int = 1
    owner: int = 0
    """1 if the player on roll owns the cube, -1 if the opponent does."""
    away: tuple[int, int] = (0, 0)
    """(0, 0) for money."""
    crawford: bool = False
    jacoby: bool = False


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
    values = (*dice, plies, asked.cube, owner, *asked.away, asked.crawford, asked.jacoby)
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
