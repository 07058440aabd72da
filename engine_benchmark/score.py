"""The score of an engine on benchmark files: what its choices lose on average, by class, by file and overall.

The chosen play costs nothing if it is the best listed one, its own loss if it is listed, and the **last** listed loss if it is not. A
choice that is missing or not a legal play has no loss: it is counted, reported and left out of the averages.

There are two denominators. "All lines" divides by every scored m line, as published figures do. "Interesting lines" leaves out lines
whose listed plays were rolled out to the same five probabilities, or that list only one play, as gnuBG's own perr.py does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from engine_benchmark.engines.command import Engine, Question
from engine_benchmark.keys import CLASSES, from_position_key, result_keys, to_letters
from engine_benchmark.reader import Chunk, read_benchmark
from engine_benchmark.results import (
    BORDERS,
    WORST,
    Choice,
    Costly,
    FileScore,
    ListedPlay,
    Score,
    Tally,
)
from reconcile.errors import NothingToCompare
from reconcile.match.board.identifiers import Situation, gnubg_id, xgid
from reconcile.match.board.play import LegalPlay, Play, format_play, legal_plays
from reconcile.match.board.position import Counts, swap

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Judged:
    """A chunk with the engine's choices."""

    loss: npt.NDArray[np.float64]
    """(n) NaN if there is none."""
    listed: npt.NDArray[np.bool_]
    missing: npt.NDArray[np.bool_]
    illegal: npt.NDArray[np.bool_]


def score(
    engine: Engine,
    paths: Sequence[str],
    *,
    limit: int | None = None,
    progress: Progress = lambda count: None,
) -> Score:
    """Score an engine on files, each up to its first `limit` m lines. `progress` is called with the number of newly answered lines.

    Raises `UnreadableFile`, `EngineError`, and `NothingToCompare` if no line could be scored.
    """
    files = []
    worst: list[Costly] = []
    for path in paths:
        one = FileScore(path)
        by_class = [Tally()] * len(CLASSES)
        left = limit
        chunks = read_benchmark(path, one)
        for chunk in chunks:
            if left is not None and len(chunk) > left:
                chunk, one.complete = _first(chunk, left), False
            answers = engine.choose(questions(chunk), progress)
            judged = judge(chunk, answers)
            for group in np.unique(chunk.group).tolist():
                by_class[group] += _tally(chunk, judged, chunk.group == group)
            worst = sorted(
                [*worst, *_costly(path, chunk, judged, answers)],
                key=lambda costly: -costly.choice.loss,
            )[:WORST]
            if left is not None:
                left -= len(chunk)
                if not left:
                    one.complete = one.complete and next(chunks, None) is None
                    break
        chunks.close()
        one.by_class = {
            name: tally for name, tally in zip(CLASSES, by_class, strict=True) if tally.lines
        }
        one.total = sum(one.by_class.values(), Tally())
        one.sha256 = _sha256(path)
        files.append(one)
    together = {
        name: sum((one.by_class[name] for one in files if name in one.by_class), Tally())
        for name in CLASSES
    }
    result = Score(
        engine=engine.name,
        files=tuple(files),
        by_class={name: tally for name, tally in together.items() if tally.lines},
        total=sum((one.total for one in files), Tally()),
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
    return [
        Question(key, (one, two))
        for key, (one, two) in zip(to_letters(chunk.key), chunk.dice.tolist(), strict=True)
    ]


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
        bins=tuple(bins.tolist()),
    )


def _costly(path: str, chunk: Chunk, judged: Judged, answers: Sequence[str | None]) -> list[Costly]:
    known = np.nan_to_num(judged.loss)
    rows = [row for row in np.argsort(-known, kind="stable")[:WORST].tolist() if known[row] > 0]
    found = []
    for row in rows:
        plays = slice(chunk.start[row], chunk.start[row + 1])
        (key,) = to_letters(chunk.key[row : row + 1])
        first, second = chunk.dice[row].tolist()
        position = from_position_key(key)
        situation = Situation(position, (first, second))
        reached = partial(_reached, position, result_keys(legal_plays(position, first, second)))
        found.append(
            Costly(
                path=path,
                line=int(chunk.line[row]),
                key=key,
                dice=(first, second),
                group=CLASSES[chunk.group[row]],
                xgid=xgid(situation),
                gnubg_id=gnubg_id(situation),
                equity=float(chunk.equity[row]),
                choice=Choice(
                    *reached(answers[row] or ""),
                    listed=bool(judged.listed[row]),
                    loss=float(known[row]),
                ),
                listed=tuple(
                    ListedPlay(*reached(one), loss)
                    for one, loss in zip(
                        to_letters(chunk.listed[plays]), chunk.loss[plays].tolist(), strict=True
                    )
                ),
            )
        )
    return found


def _reached(
    position: Counts, legal: Mapping[str, LegalPlay], key: str
) -> tuple[str, str | None, Play | None]:
    """A position with the play that leads to it, in notation and as moves."""
    play = legal[key].play if key in legal else None
    return key, None if play is None else format_play(position, play), play


def _first(chunk: Chunk, count: int) -> Chunk:
    """The first lines of a chunk."""
    plays = chunk.start[count]
    lines = {
        name: getattr(chunk, name)[:count]
        for name in ("line", "key", "board", "group", "dice", "equity", "interesting")
    }
    return Chunk(
        **lines,
        start=chunk.start[: count + 1],
        listed=chunk.listed[:plays],
        loss=chunk.loss[:plays],
    )


def _sha256(path: str) -> str | None:
    import hashlib
    from pathlib import Path

    if not Path(path).is_file():
        return None
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
