"""The score of an engine on benchmark files: what its choices lose on average.

The chosen play costs nothing if it is the best listed one, its own loss if it is listed, and the
**last** listed loss if it is not. A choice that is missing or not a legal play has no loss: it is
counted, reported and left out of the averages.

"All lines" divides by every scored m line, as published figures do. "Interesting lines" leaves out
lines whose listed plays were rolled out to the same five probabilities, or that list only one play,
as gnuBG's own perr.py does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from heapq import nlargest
from itertools import islice
from math import nan
from pathlib import Path, PurePath

import pandas as pd

from engine_benchmark.engines import Engine, Question
from engine_benchmark.keys import position_key, result_keys
from engine_benchmark.reader import Line, read_benchmark
from engine_benchmark.results import (
    WORST,
    Choice,
    Costly,
    FileScore,
    ListedPlay,
    Score,
    Tally,
    tally,
)
from reconcile.errors import NothingToCompare
from reconcile.match.board.play import legal_plays, play_text
from reconcile.match.board.position import Situation, gnubg_ids, situations, swap, xgids
from reconcile.scoring.findings import Finding, new_finding

CHUNK = 8192
"""Lines asked at once."""
MANY_FLAT = 0.5
"""Share of the lines."""
COLUMNS = {
    "group": str,
    "interesting": bool,
    "loss": float,
    "listed": bool,
    "answered": bool,
}
Progress = Callable[[int], None]


def score(
    engine: Engine,
    paths: Sequence[str],
    *,
    limit: int | None = None,
    progress: Progress = lambda count: None,
) -> Score:
    """Score an engine on files, each up to its first `limit` m lines; `progress` counts answers.

    Raises `UnreadableFile`, `EngineError`, and `NothingToCompare` if no line could be scored.
    """
    files, tables, worst = [], list[pd.DataFrame](), list[tuple[float, str, Line, str]]()
    for path in paths:
        file, rows = FileScore(path), list[tuple[object, ...]]()
        for line, answer in _answered(engine, file, limit, progress):
            loss = _loss(line, answer)
            listed = answer in line.losses
            rows.append((line.group, line.interesting, loss, listed, answer is not None))
            if answer and loss > 0:
                worst = nlargest(
                    WORST, [*worst, (loss, path, line, answer)], key=lambda row: row[0]
                )
        tables.append(pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS))
        file.by_class, file.total = _by_class(tables[-1]), tally(tables[-1])
        files.append(file)
    table = pd.concat(tables)
    total = tally(table)
    if total.missing == total.lines:
        raise NothingToCompare(
            f"{', '.join(paths)}: no m line could be scored: {total.lines} with a list of plays, "
            f"{total.missing} answers missing; check the file and the engine"
        )
    return Score(
        engine=engine.name,
        verdict="not judged" if total.is_answered else "outside",
        files=tuple(files),
        by_class=_by_class(table),
        total=total,
        worst=tuple(_costly(*row) for row in worst),
    )


def _answered(
    engine: Engine, file: FileScore, limit: int | None, progress: Progress
) -> Iterator[tuple[Line, str | None]]:
    """The lines of a file and what the engine answers to each."""
    with closing(read_benchmark(file.path, file)) as every:
        lines = islice(every, limit)
        while chunk := list(islice(lines, CHUNK)):
            questions = [Question(line.key, line.dice) for line in chunk]
            yield from zip(chunk, engine.choose(questions, progress), strict=True)
        file.complete = limit is None or next(every, None) is None
    if Path(file.path).is_file():
        with Path(file.path).open("rb") as content:
            file.sha256 = hashlib.file_digest(content, "sha256").hexdigest()


def _by_class(table: pd.DataFrame) -> dict[str, Tally]:
    """Tallies by class, in the order of the classes, of those that occur."""
    return {str(group): tally(lines) for group, lines in table.groupby("group")}


def _loss(line: Line, answer: str | None) -> float:
    """What an answer costs; NaN if it is missing or no legal play."""
    if answer is None or answer in line.losses:
        return nan if answer is None else line.losses[answer]
    # Without a legal play the position stays, and the opponent is on roll.
    legal = result_keys(legal_plays(line.position, *line.dice)) or {
        position_key(swap(line.position))
    }
    return [*line.losses.values()][-1] if answer in legal else nan


def _costly(loss: float, path: str, line: Line, answer: str) -> Costly:
    asked = situations([Situation(line.position, line.dice)])
    legal = result_keys(legal_plays(line.position, *line.dice))

    def notation(key: str) -> str | None:
        return play_text(line.position, legal[key].play) if key in legal else None

    return Costly(
        path=path,
        line=line.number,
        key=line.key,
        dice=line.dice,
        group=line.group,
        xgid=xgids(asked)[0],
        gnubg_id=gnubg_ids(asked)[0],
        equity=line.equity,
        choice=Choice(answer, notation(answer), loss, answer in line.losses),
        listed=tuple(ListedPlay(key, notation(key), lost) for key, lost in line.losses.items()),
    )


def findings(score: Score) -> Iterator[Finding]:
    """Findings of a score and its files."""
    total = score.total
    for code, count in (("answers-missing", total.missing), ("answers-illegal", total.illegal)):
        if count:
            yield new_finding(code, f"{count} of {total.lines} lines")
    if total.n_out:
        share = f"{100 * total.n_out / total.scored:.2f} %"
        yield new_finding("choices-not-listed", f"{total.n_out} of {total.scored} lines, {share}")
    for file in score.files:
        name, flat = PurePath(file.path).name, file.total.scored - file.total.interesting
        for code, count in (
            ("flat-lines", flat if flat > MANY_FLAT * file.total.scored else 0),
            ("rollouts-missing", file.without_rollouts),
            ("lists-unordered", file.unordered),
            ("lines-without-plays", file.without_plays),
        ):
            if count:
                yield new_finding(code, f"{name}: {count} of {file.kinds['m']} m lines")
        if file.total.lines and file.database is None:
            part = "" if file.complete else ", not read to the end"
            yield new_finding(
                "other-positions", f"{name}: {file.total.lines} m lines with plays{part}"
            )
