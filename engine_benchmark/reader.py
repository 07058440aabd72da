"""Read a benchmark file into columns, a chunk of lines at a time, so that its length does not matter.

What `sagnubg` writes, one item per line, recognised by the first word:

    s NAME VALUE ...                  settings of the lines that follow
    r N                               seed of the next m, c or o
    #R KEY w wg wbg lg lbg            rollout of a result, seen by the opponent of the mover, who is on roll there
    m KEY D1 D2 K1 EQ K2 LOSS ...     rolled out plays of a roll, best first: the mover's cubeless equity after the best, what others lose
    o KEY p p p p p                   rollout of a position        e, O  the same evaluated by the net, as a one-sided race
    c KEY ND DT ACTION                match winning chances in per cent without and with a double, and TG, D/T, D/D or ND
    b KEY D1 D2 K p p p p p           the play an engine chooses

Any other line is a comment. A start key has the mover on roll, a result key the opponent. A file that ends in `.gz` or begins like one
is decompressed while it is read.
"""

from __future__ import annotations

import gzip
import io
import re
import sys
import zlib
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain, pairwise
from math import isfinite
from typing import Annotated, Final

import numpy as np
import numpy.typing as npt

from engine_benchmark.keys import KEY_LETTERS, OVER, Boards, Keys, boards_of, classes, from_letters
from reconcile.document import HIDDEN, Count, Document, Key, Positive, Sha256, with_keys
from reconcile.errors import UnreadableFile, reason_of
from reconcile.files.inputs import note
from reconcile.files.limits import MOST_IDLE_LINES
from reconcile.files.patience import opened

STANDARD_INPUT: Final = "-"
CHUNK: Final = 8192
"""m lines held in memory at once."""
LONGEST_LINE: Final = 2**16
"""A roll has at most a few hundred plays, of which 5 or 6 are listed."""
MOST_SETTINGS: Final = 100
"""Distinct `s` lines that are kept; a file has one for every run that made it."""
MOST_ROLLOUTS: Final = 4096
"""`#R` lines before one m line."""
CUBE_ACTIONS: Final = {
    "TG": "Too good to double.",
    "D/T": "Double, take.",
    "D/D": "Double, pass.",
    "ND": "No double.",
}
_GZIP: Final = b"\x1f\x8b"
_OTHERS: Final = {
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"PK\x03\x04": "zip",
    b"7z\xbc\xaf": "7-Zip",
    b"\x28\xb5\x2f\xfd": "Zstandard",
}
_PLAIN: Final = rb"-?\d{1,9}(?:\.\d{1,9})?(?:e-\d{1,2})?"
_ROLLOUT: Final = re.compile(rb"#R ([A-P]{20}) (%b(?: %b){4})\r?\n?" % (_PLAIN, _PLAIN))
"""The form `sagnubg` writes; anything else is parsed word by word."""
_PROBABILITIES: Final = (b"o", b"e", b"O")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some m lines with at least one listed play; n lines list m plays in total."""

    line: npt.NDArray[np.int64]
    """(n) number of the line in the file, from 1."""
    key: Keys
    """(n, 10) the position before the roll, mover on roll."""
    board: Boards
    """(n, 26) the same as counts."""
    group: npt.NDArray[np.uint8]
    """(n) class of the position, an index into `CLASSES`."""
    dice: npt.NDArray[np.uint8]
    """(n, 2)"""
    equity: npt.NDArray[np.float64]
    """(n) the mover's cubeless money equity after the best play."""
    interesting: npt.NDArray[np.bool_]
    """(n) whether the rollouts of the listed plays differ; true where a rollout is missing, false for a single play."""
    start: npt.NDArray[np.int64]
    """(n + 1) the plays of line i are start[i] to start[i + 1], best first."""
    listed: Keys
    """(m, 10) the positions after the plays, opponent on roll."""
    loss: npt.NDArray[np.float64]
    """(m) equity lost against the best play, which has 0."""

    def __len__(self) -> int:
        return len(self.line)


_LINES: Final = with_keys(
    "Lines", {"total": (Count, "All lines that were read.")}, "Numbers of lines.", others=Positive
)
_ACTIONS: Final = with_keys(
    "CubeActions",
    {name: (Count, text) for name, text in CUBE_ACTIONS.items()},
    "c lines by their action.",
    CUBE_ACTIONS,
)


@dataclass(slots=True)
class Contents(Document):
    """A benchmark file, filled while its chunks are read."""

    path: str
    """As given."""
    sha256: Sha256 | None = None
    """SHA-256 of its bytes; null for standard input."""
    complete: bool = True
    """False if a limit left m lines out."""
    database: str | None = None
    """The published database that it is; null if none."""
    lines: Annotated[int, Key(shown="counts", kind=_LINES)] = 0
    """Lines read, in total and by their first word."""
    kinds: Annotated[Counter[str], HIDDEN] = field(default_factory=Counter)
    """By the first word: m, o, c, #R, s, r, e, O, b, `comment`, `blank`."""
    settings: list[str] = field(default_factory=list)
    """Different `s` lines, in order."""
    without_plays: Count = 0
    """m lines without a listed play."""  # a roll that cannot be played, or a file of commands
    without_rollouts: Count = 0
    """m lines for which a rollout of a listed play is missing."""
    unordered: Count = 0
    """m lines whose losses are not in ascending order."""
    interesting_cubes: Count = 0
    """o lines whose cubeless equity is not a whole number."""
    actions: Annotated[Counter[str], Key("cube_actions", shown="cube_actions", kind=_ACTIONS)] = (
        field(default_factory=Counter)
    )
    """c lines by their action."""

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of lines, in total and by the first word."""
        return {"total": self.lines, **dict(sorted(self.kinds.items()))}

    @property
    def cube_actions(self) -> dict[str, int]:
        """The number of c lines by action, in order."""
        return dict(sorted(self.actions.items()))

    @property
    def decisions(self) -> int:
        """Lines about a position."""
        return self.kinds["m"] + self.kinds["o"] + self.kinds["c"]


def read_benchmark(
    path: str, contents: Contents, chunk: int = CHUNK
) -> Generator[Chunk, None, None]:
    """The m lines of a file in chunks; `-` is standard input. `contents` is filled while reading.

    Raises `UnreadableFile` with the line number if the file is not a benchmark file.
    """
    note(path)
    rows = _Rows(path, contents)
    seen = 0
    with _opened(path) as file:
        try:
            while line := file.readline(LONGEST_LINE + 1):
                contents.lines += 1
                if not contents.lines % MOST_IDLE_LINES:
                    if contents.decisions == seen:
                        raise rows.wrong(
                            f"an m, o or c line among {MOST_IDLE_LINES:,} lines", "none"
                        )
                    seen = contents.decisions
                if len(line) > LONGEST_LINE:
                    raise rows.wrong(f"at most {LONGEST_LINE} characters", "a longer line")
                rows.add(line)
                if len(rows.found) >= chunk:
                    yield rows.chunk()
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise UnreadableFile(
                f"after line {contents.lines}: damaged gzip data ({error}); fetch the file again",
                path,
            ) from None
        except OSError as error:
            raise UnreadableFile(
                f"cannot be read: {reason_of(error)}; check the path", path
            ) from None
    if rows.found:
        yield rows.chunk()
    if not contents.lines:
        raise UnreadableFile("expected a benchmark file, found an empty file; fetch it again", path)
    if not contents.decisions:
        raise UnreadableFile(
            f"expected a benchmark file with m, o or c lines, found none in {contents.lines} lines; is it the right file?",
            path,
        )


@contextmanager
def _opened(path: str) -> Iterator[io.BufferedIOBase]:
    if not path:
        raise UnreadableFile("expected the name of a file, found an empty one; check the command")
    with ExitStack() as files:
        try:
            standard = path == STANDARD_INPUT
            file = files.enter_context(
                io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False))
                if standard
                else opened(path)
            )
            assert isinstance(file, io.BufferedReader)
            head = file.peek(8)
        except OSError as error:
            raise UnreadableFile(
                f"cannot be read: {reason_of(error)}; check the path", path
            ) from None
        for magic, name in _OTHERS.items():
            if head.startswith(magic):
                raise UnreadableFile(
                    f"expected a benchmark file or its gzip, found {name} data; unpack it first",
                    path,
                )
        yield files.enter_context(gzip.GzipFile(fileobj=file)) if head.startswith(_GZIP) else file


class _Rows:
    """The m lines read since the last chunk."""

    def __init__(self, path: str, contents: Contents) -> None:
        self.path = path
        self.contents = contents
        self.rollouts: dict[bytes, bytes] = {}
        self.found: list[
            tuple[int, bytes, tuple[int, int], float, bool, list[bytes], list[float]]
        ] = []
        """Of every line its number, key, dice, equity, whether it is interesting, the listed keys and their losses."""

    def wrong(self, expected: str, found: str) -> UnreadableFile:
        return UnreadableFile(
            f"line {self.contents.lines}: expected {expected}, found {found}; fetch or make the file again",
            self.path,
        )

    def add(self, line: bytes) -> None:
        """One line of the file."""
        if usual := _ROLLOUT.fullmatch(line):  # most lines of a file
            self.keep(usual[1], usual[2])
            return
        if b"\0" in line:
            raise self.wrong("text", "a byte 0")
        contents = self.contents
        words = line.split()
        if not words:
            contents.kinds["blank"] += 1
            return
        word = words[0]
        if word == b"#R":
            self.rollout(words)
            return
        if word == b"m":
            self.play(words)
        elif word in _PROBABILITIES:
            self.probabilities(words)
        elif word == b"c":
            self.cube(words)
        elif word == b"b":
            self.key(words, 1)
            self.roll(words)
        elif word == b"s":
            setting = b" ".join(words[1:]).decode("utf-8", "replace")
            if setting not in contents.settings and len(contents.settings) < MOST_SETTINGS:
                contents.settings.append(setting)
        elif word == b"r":
            if len(words) != 2 or not words[1].isdigit():
                raise self.wrong("r and a seed", _shown(line))
        else:
            contents.kinds["comment"] += 1
            return
        contents.kinds[word.decode("ascii")] += 1

    def key(self, words: list[bytes], index: int) -> bytes:
        """A word that must look like a key; whether it is a position is checked for all keys together."""
        word = words[index] if len(words) > index else b""
        if len(word) != KEY_LETTERS or word.translate(None, b"ABCDEFGHIJKLMNOP"):
            raise self.wrong(
                f"a key of {KEY_LETTERS} letters A-P as word {index + 1}", _shown(word)
            )
        return word

    def number(self, word: bytes) -> float:
        try:
            found = float(word)
        except ValueError:
            raise self.wrong("a number", _shown(word)) from None
        if not isfinite(found) or b"_" in word:
            raise self.wrong("a number", _shown(word))
        return found

    def roll(self, words: list[bytes]) -> tuple[int, int]:
        first, second = [*words[2:4], b"", b""][:2]
        if first not in b"123456" or second not in b"123456" or len(first) != 1 or len(second) != 1:
            raise self.wrong("two dice of 1 to 6 after the key", _shown(b" ".join(words[2:4])))
        return int(first), int(second)

    def rollout(self, words: list[bytes]) -> None:
        key = self.key(words, 1)
        if len(words) != 7:
            raise self.wrong("a key and 5 probabilities after #R", f"{len(words) - 1} words")
        for word in words[2:]:
            self.number(word)
        self.keep(key, b" ".join(words[2:]))

    def keep(self, key: bytes, probabilities: bytes) -> None:
        """A rollout, until its m line comes."""
        self.contents.kinds["#R"] += 1
        if len(self.rollouts) >= MOST_ROLLOUTS:
            self.rollouts.clear()  # more than any roll has, so they belong to other lines
        self.rollouts[key] = probabilities

    def probabilities(self, words: list[bytes]) -> None:
        self.key(words, 1)
        if len(words) == 2:
            return  # a command
        if len(words) != 7:
            raise self.wrong(
                f"a key and 5 probabilities after {words[0].decode()}", f"{len(words) - 1} words"
            )
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = map(self.number, words[2:])
        if words[0] == b"o":
            self.contents.interesting_cubes += (
                2 * win - 1 + win_gammon + win_backgammon - lose_gammon - lose_backgammon
            ) % 1 != 0

    def cube(self, words: list[bytes]) -> None:
        self.key(words, 1)
        if len(words) == 2:
            return
        if len(words) != 5 or words[4].decode("ascii", "replace") not in CUBE_ACTIONS:
            raise self.wrong(
                f"a key, two chances and one of {', '.join(CUBE_ACTIONS)} after c",
                _shown(b" ".join(words[2:])),
            )
        for word in words[2:4]:
            if not 0 <= self.number(word) <= 100:
                raise self.wrong("a chance of 0 to 100 per cent", _shown(word))
        self.contents.actions[words[4].decode("ascii")] += 1

    def play(self, words: list[bytes]) -> None:
        key = self.key(words, 1)
        dice = self.roll(words)
        plays = words[4:]
        rollouts, self.rollouts = self.rollouts, {}
        if not plays:
            self.contents.without_plays += 1
            return
        if len(plays) % 2:
            raise self.wrong("pairs of a key and a number after the dice", f"{len(plays)} words")
        listed = [self.key(words, index) for index in range(4, len(words), 2)]
        equity, *losses = map(self.number, plays[1::2])
        if losses and min(losses) < 0:
            raise self.wrong("losses of 0 or more", f"{min(losses):g}")
        if len(set(listed)) < len(listed):
            raise self.wrong("different plays", "one that is listed twice")
        self.contents.unordered += any(later < earlier for earlier, later in pairwise(losses))
        # As in perr.py, a missing rollout makes a line interesting.
        rolled = [rollouts.get(one) for one in listed]
        self.contents.without_rollouts += None in rolled
        interesting = rolled[0] is None or any(one != rolled[0] for one in rolled[1:])
        self.found.append(
            (self.contents.lines, key, dice, equity, interesting, listed, [0.0, *losses])
        )

    def chunk(self) -> Chunk:
        """The lines as columns; every key must be a position."""
        lines, keys, dice, equities, interesting, lists, losses = zip(*self.found, strict=True)
        plays = [*chain.from_iterable(lists)]
        start = np.cumsum([0, *map(len, lists)])
        key, listed = from_letters(b"".join(keys)), from_letters(b"".join(plays))
        board, can_be = boards_of(key)
        _, possible = boards_of(listed)
        group = classes(board)
        for row in np.flatnonzero(~can_be | (group == OVER))[:1].tolist():
            raise self.impossible(lines[row], keys[row], "a position of a game that goes on")
        for play in np.flatnonzero(~possible)[:1].tolist():
            raise self.impossible(
                lines[np.searchsorted(start, play, "right") - 1], plays[play], "a position"
            )
        self.found.clear()
        return Chunk(
            line=np.array(lines, np.int64),
            key=key,
            board=board,
            group=group,
            dice=np.array(dice, np.uint8),
            equity=np.array(equities),
            interesting=np.array(interesting),
            start=start,
            listed=listed,
            loss=np.array([*chain.from_iterable(losses)]),
        )

    def impossible(self, line: int, key: bytes, expected: str) -> UnreadableFile:
        return UnreadableFile(
            f"line {line}: expected the key of {expected}, found {key.decode()}; fetch or make the file again",
            self.path,
        )


def _shown(word: bytes) -> str:
    text = word[:40].decode("ascii", "backslashreplace").strip()
    return repr(text + ("..." if len(word) > 40 else "")) if text else "nothing"
