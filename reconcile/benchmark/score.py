"""The score of an engine on benchmark files: what its choices lose on average, by class, by file and overall.

The chosen play costs nothing if it is the best listed one, its own loss if it is listed, and the **last** listed loss if it is not. A
choice that is missing or not a legal play has no loss: it is counted, reported and left out of the averages.

There are two denominators. "All lines" divides by every scored m line, as published figures do. "Interesting lines" leaves out lines
whose listed plays were rolled out to the same five probabilities, or that list only one play, as gnuBG's own perr.py does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from reconcile.benchmark.engines.command import Engine, Question
from reconcile.benchmark.keys import CLASSES, result_keys, to_letters
from reconcile.benchmark.reader import Chunk, Contents, read_benchmark
from reconcile.board.play import Play, legal_plays
from reconcile.board.position import Counts, from_position_key, swap
from reconcile.errors import NothingToCompare

SCALE: Final = 1000
"""Average losses are given in thousandths of a point, as published."""
BORDERS: Final = (0.0, 0.005, 0.010, 0.020, 0.040, 0.080, 0.160, 0.320)
"""Upper ends of the bins of losses, in points; the first is for no loss at all."""
WORST: Final = 20
"""The costliest lines that are kept in full."""
TOTAL: Final = "total"
Progress = Callable[[int], None]


@dataclass(slots=True)
class Tally:
    """Counts and sums over m lines; filled chunk by chunk."""

    lines: int = 0
    scored: int = 0
    interesting: int = 0
    """Of the scored ones."""
    missing: int = 0
    illegal: int = 0
    n_out: int = 0
    n_out_interesting: int = 0
    errors: int = 0
    loss: float = 0.0
    loss_interesting: float = 0.0
    squares: float = 0.0
    bins: list[int] = field(default_factory=lambda: [0] * (len(BORDERS) + 1))

    @property
    def average_loss(self) -> float | None:
        """Over all scored lines, times 1000; unknown if there are none."""
        return SCALE * self.loss / self.scored if self.scored else None

    @property
    def average_loss_interesting(self) -> float | None:
        """Over the interesting scored lines, times 1000."""
        return SCALE * self.loss_interesting / self.interesting if self.interesting else None

    @property
    def standard_error(self) -> float | None:
        """Of `average_loss`."""
        if self.scored < 2:
            return None
        mean = self.loss / self.scored
        return SCALE * sqrt(max(self.squares - self.scored * mean * mean, 0.0) / (self.scored - 1) / self.scored)

    def add(self, other: Tally) -> None:
        """Add another tally."""
        bins = [mine + theirs for mine, theirs in zip(self.bins, other.bins, strict=True)]
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))
        self.bins = bins


@dataclass(frozen=True, slots=True)
class Listed:
    """A play of an m line, in the file's order."""

    key: str
    loss: float


@dataclass(frozen=True, slots=True)
class Costly:
    """An m line that cost the engine a lot, with everything needed to look at it."""

    path: str
    line: int
    key: str
    dice: tuple[int, int]
    group: str
    equity: float
    """The mover's, after the best play."""
    listed: tuple[Listed, ...]
    choice: str
    loss: float
    is_listed: bool

    @property
    def position(self) -> Counts:
        """Before the roll, in the mover's view."""
        return from_position_key(self.key)

    def plays(self) -> dict[str, Play | None]:
        """The plays that lead to the choice and to the listed keys; `None` for a key that no play leads to."""
        legal = result_keys(legal_plays(self.position, *self.dice))
        return {key: legal[key].play if key in legal else None for key in (self.choice, *(one.key for one in self.listed))}


@dataclass(frozen=True, slots=True)
class FileScore:
    """The score on one file."""

    contents: Contents
    sha256: str | None
    """Unknown for standard input."""
    by_class: Mapping[str, Tally]
    """Of the classes it has lines of."""
    total: Tally
    complete: bool
    """False if a limit left lines out."""


@dataclass(frozen=True, slots=True)
class Score:
    """The score of an engine."""

    engine: str
    files: tuple[FileScore, ...]
    by_class: Mapping[str, Tally]
    total: Tally
    worst: tuple[Costly, ...]
    """Dearest first."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A chunk with the engine's choices."""

    loss: npt.NDArray[np.float64]
    """(n) NaN if there is none."""
    listed: npt.NDArray[np.bool_]
    missing: npt.NDArray[np.bool_]
    illegal: npt.NDArray[np.bool_]


def score(engine: Engine, paths: Sequence[str], *, limit: int | None = None, progress: Progress = lambda count: None) -> Score:
    """Score an engine on files, each up to its first `limit` m lines. `progress` is called with the number of newly answered lines.

    Raises `UnreadableFile`, `EngineError`, and `NothingToCompare` if no line could be scored.
    """
    files = []
    worst: list[Costly] = []
    for path in paths:
        contents = Contents(path)
        by_class = [Tally() for _ in CLASSES]
        left, complete = limit, True
        chunks = read_benchmark(path, contents)
        for chunk in chunks:
            if left is not None and len(chunk) > left:
                chunk, complete = _first(chunk, left), False
            answers = engine.choose(questions(chunk), progress)
            judged = judge(chunk, answers)
            for group in np.unique(chunk.group).tolist():
                by_class[group].add(_tally(chunk, judged, chunk.group == group))
            worst = sorted([*worst, *_costly(path, chunk, judged, answers)], key=lambda one: -one.loss)[:WORST]
            if left is not None:
                left -= len(chunk)
                if not left:
                    complete = complete and next(chunks, None) is None
                    break
        chunks.close()
        found = {name: tally for name, tally in zip(CLASSES, by_class, strict=True) if tally.lines}
        files.append(FileScore(contents, _sha256(path), found, _sum(found.values()), complete))
    together = {name: _sum(one.by_class[name] for one in files if name in one.by_class) for name in CLASSES}
    result = Score(
        engine=engine.name,
        files=tuple(files),
        by_class={name: tally for name, tally in together.items() if tally.lines},
        total=_sum(one.total for one in files),
        worst=tuple(worst),
    )
    if not result.total.scored:
        total = result.total
        raise NothingToCompare(
            f"{', '.join(paths)}: no m line could be scored: {total.lines} with a list of plays, "
            f"{total.missing} answers missing, {total.illegal} illegal; check the file and the engine"
        )
    return result


def questions(chunk: Chunk) -> list[Question]:
    """The questions about a chunk."""
    return [Question(key, (one, two)) for key, (one, two) in zip(to_letters(chunk.key), chunk.dice.tolist(), strict=True)]


def judge(chunk: Chunk, answers: Sequence[str | None]) -> Judged:
    """The losses of the choices."""
    listed = to_letters(chunk.listed)
    start, losses = chunk.start.tolist(), chunk.loss.tolist()
    count = len(chunk)
    loss = np.full(count, np.nan)
    is_listed, missing, illegal = (np.zeros(count, bool) for _ in range(3))
    for row, answer in enumerate(answers):
        first, end = start[row], start[row + 1]
        if answer is None:
            missing[row] = True
        elif answer in (plays := listed[first:end]):
            is_listed[row] = True
            loss[row] = losses[first + plays.index(answer)]
        elif is_legal(chunk, row, answer):
            loss[row] = losses[end - 1]
        else:
            illegal[row] = True
    return Judged(loss, is_listed, missing, illegal)


def is_legal(chunk: Chunk, row: int, answer: str) -> bool:
    """Whether a key is a legal result of the roll; without a legal play the position stays and the opponent is on roll."""
    before = tuple(chunk.board[row].tolist())
    first, second = chunk.dice[row].tolist()
    try:
        after = swap(from_position_key(answer))
    except ValueError:
        return False
    plays = legal_plays(before, first, second)
    return any(play.result == after for play in plays) if plays else after == before


def _tally(chunk: Chunk, judged: Judged, rows: npt.NDArray[np.bool_]) -> Tally:
    scored = rows & ~judged.missing & ~judged.illegal
    interesting = scored & chunk.interesting
    loss = judged.loss[scored]
    bins = np.bincount(np.searchsorted(BORDERS, loss, "left"), minlength=len(BORDERS) + 1)
    return Tally(
        lines=int(rows.sum()),
        scored=int(scored.sum()),
        interesting=int(interesting.sum()),
        missing=int((rows & judged.missing).sum()),
        illegal=int((rows & judged.illegal).sum()),
        n_out=int((scored & ~judged.listed).sum()),
        n_out_interesting=int((interesting & ~judged.listed).sum()),
        errors=int((loss > 0).sum()),
        loss=float(loss.sum()),
        loss_interesting=float(judged.loss[interesting].sum()),
        squares=float((loss * loss).sum()),
        bins=bins.tolist(),
    )


def _sum(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.add(tally)
    return total


def _costly(path: str, chunk: Chunk, judged: Judged, answers: Sequence[str | None]) -> list[Costly]:
    known = np.nan_to_num(judged.loss)
    rows = [row for row in np.argsort(-known, kind="stable")[:WORST].tolist() if known[row] > 0]
    found = []
    for row in rows:
        plays = slice(chunk.start[row], chunk.start[row + 1])
        found.append(
            Costly(
                path=path,
                line=int(chunk.line[row]),
                key=to_letters(chunk.key[row : row + 1])[0],
                dice=(int(chunk.dice[row, 0]), int(chunk.dice[row, 1])),
                group=CLASSES[chunk.group[row]],
                equity=float(chunk.equity[row]),
                listed=tuple(map(Listed, to_letters(chunk.listed[plays]), chunk.loss[plays].tolist())),
                choice=answers[row] or "",
                loss=float(known[row]),
                is_listed=bool(judged.listed[row]),
            )
        )
    return found


def _first(chunk: Chunk, count: int) -> Chunk:
    """The first lines of a chunk."""
    plays = chunk.start[count]
    lines = {name: getattr(chunk, name)[:count] for name in ("line", "key", "board", "group", "dice", "equity", "interesting")}
    return Chunk(**lines, start=chunk.start[: count + 1], listed=chunk.listed[:plays], loss=chunk.loss[:plays])


def _sha256(path: str) -> str | None:
    import hashlib
    from pathlib import Path

    if not Path(path).is_file():
        return None
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
