"""Read a benchmark file, one line after the other, so that its length does not matter.

`sagnubg` writes an item a line. Read here, by the first word:

    s NAME VALUE ...                  settings of the lines that follow
    #R KEY w wg wbg lg lbg            rollout of a result, seen by the opponent, who is on roll
    m KEY D1 D2 K1 EQ K2 LOSS ...     rolled out plays, best first: the mover's cubeless equity
                                      after the best, what the others lose
    o KEY p p p p p                   rollout of a position

Other lines are counted. A file that begins like gzip is unpacked while it is read.
"""

from __future__ import annotations

import gzip
import io
import re
import sys
import zlib
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple, cast

from engine_benchmark.keys import from_position_key, position_class
from reconcile.document import HIDDEN, Count, Document, Key, Positive, Sha256, with_keys
from reconcile.errors import UnreadableFile, reason_of
from reconcile.files.inputs import opened
from reconcile.files.limits import MOST_IDLE_LINES
from reconcile.match.board.position import Counts

STANDARD_INPUT = "-"
LONGEST_LINE = 2**16
"""Bytes; a roll has at most a few hundred plays, of which 5 or 6 are listed."""
MOST_SETTINGS = 100
MOST_ROLLOUTS = 4096
"""`#R` lines before an m line."""
_KEY = "[A-P]{20}"
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d\d?)?"
KINDS = {
    "m": (
        rf"m {_KEY} [1-6] [1-6](?: {_KEY} {_NUMBER})*",
        "m KEY D1 D2, then KEY NUMBER for every play",
    ),
    "o": (rf"o {_KEY}(?:(?: {_NUMBER}){{5}})?", "o KEY and 5 probabilities"),
    "#R": (rf"#R {_KEY}(?: {_NUMBER}){{5}}", "#R KEY and 5 probabilities"),
    "s": (".*", ""),
}
"""By the first word what a line looks like, and that in words."""


class Line(NamedTuple):
    """An m line with at least one listed play."""

    number: int
    """In the file, from 1."""
    key: str
    position: Counts
    """Before the roll, the mover's view."""
    group: str
    """Class of the position."""
    dice: tuple[int, int]
    equity: float
    """The mover's cubeless money equity after the best play."""
    interesting: bool
    """Whether the rollouts of the listed plays differ; true where one is missing."""
    losses: dict[str, float]
    """Equity lost by the listed plays, by the key of the result, best first."""


_LINES = with_keys(
    "Lines", {"total": (Count, "All lines that were read.")}, "Numbers of lines.", rest=Positive
)


@dataclass(slots=True)
class Contents(Document):
    """A benchmark file, filled while its lines are read."""

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
    """By the first word: m, o, #R, s, `other`."""
    settings: list[str] = field(default_factory=list)
    """Different `s` lines, in order."""
    without_plays: Count = 0
    """m lines without a listed play."""
    without_rollouts: Count = 0
    """m lines for which a rollout of a listed play is missing."""
    unordered: Count = 0
    """m lines whose losses are not in ascending order."""

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of lines, in total and by the first word."""
        return {"total": self.lines, **dict(sorted(self.kinds.items()))}


def read_benchmark(path: str, contents: Contents) -> Generator[Line, None, None]:
    """The m lines of a file; `-` is standard input. `contents` is filled while reading.

    Raises `UnreadableFile` with the line number if the file is not a benchmark file.
    """
    rollouts, idle, kinds = dict[str, tuple[str, ...]](), 0, contents.kinds
    with _opened(path) as file:
        while raw := file.readline(LONGEST_LINE + 1):
            contents.lines += 1
            try:
                kind, *words = _words(raw)
                idle = 0 if kind in ("m", "o") else idle + 1
                kinds[kind] += 1
                if idle == MOST_IDLE_LINES:
                    raise ValueError(f"an m or o line among {idle:,} lines, found none")
                if kind == "s" and len(contents.settings) < MOST_SETTINGS:
                    contents.settings = [*dict.fromkeys([*contents.settings, " ".join(words)])]
                elif kind in ("#R", "o"):
                    _position(words[0])
                if kind == "#R":
                    if len(rollouts) >= MOST_ROLLOUTS:
                        rollouts.clear()  # more than any roll has: they belong to other lines
                    rollouts[words[0]] = tuple(words[1:])
                elif kind == "m":
                    line = _play(contents, words, rollouts)
                    rollouts.clear()
                    if line:
                        yield line
            except ValueError as error:
                raise UnreadableFile(
                    f"line {contents.lines}: expected {error}; fetch or make the file again", path
                ) from None
    if not kinds["m"] + kinds["o"]:
        nothing = f"found none in {contents.lines} lines; is it the right file?"
        raise UnreadableFile(f"expected a benchmark file with m or o lines, {nothing}", path)


@contextmanager
def _opened(path: str) -> Iterator[io.BufferedIOBase]:
    try:
        with sys.stdin.buffer if path == STANDARD_INPUT else opened(path) as file:
            begin = cast("io.BufferedReader", file)
            packed = begin.peek(2).startswith(b"\x1f\x8b")
            yield gzip.open(begin) if packed else begin  # noqa: SIM115
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UnreadableFile(f"damaged gzip data ({error}); fetch the file again", path) from None
    except OSError as error:
        raise UnreadableFile(f"cannot be read: {reason_of(error)}; check the path", path) from None


def _words(raw: bytes) -> list[str]:
    """The kind and the other words of a line. Raises `ValueError` for what has not the form of its
    kind."""
    if len(raw) > LONGEST_LINE or b"\0" in raw:
        raise ValueError(f"text of at most {LONGEST_LINE} bytes, found other bytes")
    words = raw.decode("utf-8", "replace").split() or [""]
    if words[0] not in KINDS:
        return ["other"]
    pattern, expected = KINDS[words[0]]
    if not re.fullmatch(pattern, text := " ".join(words)):
        shown = text.encode("ascii", "replace")[:60].decode()
        raise ValueError(f"{expected} (a KEY is 20 letters A-P), found {shown!r}")
    return words


def _play(
    contents: Contents, words: list[str], rollouts: dict[str, tuple[str, ...]]
) -> Line | None:
    """An m line, `None` without plays. Raises `ValueError`."""
    key, first, second, *rest = words
    position, *_ = map(_position, (key, *rest[::2]))
    if (group := position_class(position)) is None:
        raise ValueError("the key of a position of a game that goes on, found one that is over")
    if not rest:
        contents.without_plays += 1
        return None
    listed, (equity, *losses) = rest[::2], map(float, rest[1::2])
    if losses and min(losses) < 0:
        raise ValueError(f"losses of 0 or more, found {min(losses):g}")
    if len(set(listed)) < len(listed):
        raise ValueError("different plays, found one that is listed twice")
    contents.unordered += losses != sorted(losses)
    results = [rollouts.get(play) for play in listed]
    contents.without_rollouts += None in results
    return Line(
        number=contents.lines,
        key=key,
        position=position,
        group=group,
        dice=(int(first), int(second)),
        equity=equity,
        interesting=results[0] is None or len(set(results)) > 1,
        losses=dict(zip(listed, [0.0, *losses], strict=True)),
    )


def _position(key: str) -> Counts:
    try:
        return from_position_key(key)
    except ValueError as error:
        raise ValueError(f"the key of a position, found {key}: {error}") from None
