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
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path, PurePath
from typing import Final

from engine_benchmark.engines import Engine, Question
from engine_benchmark.keys import CLASSES, position_key, result_keys
from engine_benchmark.reader import Line, read_benchmark
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
from reconcile.match.board.position import swap
from reconcile.scoring.findings import Finding, new_finding

CHUNK: Final = 8192
"""Lines asked at once."""
MANY_FLAT: Final = 0.5
"""Share of the lines."""
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
    files, worst = [], []
    for path in paths:
        file, costly = _scored(engine, path, limit, progress)
        files.append(file)
        worst += costly
    by_class = _added(file.by_class for file in files)
    total = sum(by_class.values(), Tally())
    if not total.lines or not (total.scored or total.illegal):
        raise NothingToCompare(
            f"{', '.join(paths)}: no m line could be scored: {total.lines} with a list of plays, "
            f"{total.missing} answers missing; check the file and the engine"
        )
    return Score(
        engine=engine.name,
        verdict="not judged" if total.is_answered else "outside",
        files=tuple(files),
        by_class=by_class,
        total=total,
        worst=tuple(sorted(worst, key=lambda costly: -costly.choice.loss)[:WORST]),
    )


def _scored(
    engine: Engine, path: str, limit: int | None, progress: Progress
) -> tuple[FileScore, list[Costly]]:
    file = FileScore(path)
    worst: list[Costly] = []
    with closing(read_benchmark(path, file)) as every:
        lines = islice(every, limit)
        while chunk := list(islice(lines, CHUNK)):
            answers = engine.choose([Question(line.key, line.dice) for line in chunk], progress)
            choices = [_choice(line, answer) for line, answer in zip(chunk, answers, strict=True)]
            file.by_class = _added([file.by_class, *map(_tally, chunk, choices)])
            lost = [
                (line, choice)
                for line, choice in zip(chunk, choices, strict=True)
                if isinstance(choice, Choice) and choice.loss
            ]
            lost.sort(key=lambda pair: -pair[1].loss)
            worst += [_costly(path, line, choice) for line, choice in lost[:WORST]]
        file.complete = limit is None or next(every, None) is None
    file.total = sum(file.by_class.values(), Tally())
    if Path(path).is_file():
        with Path(path).open("rb") as content:
            file.sha256 = hashlib.file_digest(content, "sha256").hexdigest()
    return file, worst


def _added(parts: Iterable[Mapping[str, Tally]]) -> dict[str, Tally]:
    """Tallies by class, in the order of the classes, of those that occur."""
    sums: dict[str, Tally] = {}
    for part in parts:
        for name, tally in part.items():
            sums[name] = sums.get(name, Tally()) + tally
    return {name: sums[name] for name in CLASSES if name in sums}


def _choice(line: Line, answer: str | None) -> Choice | str:
    """What an answer costs; `missing` or `illegal` if it has no loss."""
    if answer is None:
        return "missing"
    legal = result_keys(legal_plays(line.position, *line.dice))
    # Without a legal play the position stays, and the opponent is on roll.
    if answer not in line.losses and answer not in (legal or {position_key(swap(line.position))}):
        return "illegal"
    loss = line.losses.get(answer, [*line.losses.values()][-1])
    return Choice(*_reached(line, legal, answer), answer in line.losses, loss)


def _tally(line: Line, choice: Choice | str) -> dict[str, Tally]:
    if isinstance(choice, str):
        is_missing = choice == "missing"
        return {line.group: Tally(lines=1, missing=int(is_missing), illegal=int(not is_missing))}
    loss, outside = choice.loss, not choice.listed
    bins = [0] * (len(BORDERS) + 1)
    bins[bisect_left(BORDERS, loss)] = 1
    return {
        line.group: Tally(
            lines=1,
            scored=1,
            interesting=int(line.interesting),
            loss=loss,
            loss_interesting=loss * line.interesting,
            squares=loss * loss,
            errors=int(loss > 0),
            n_out=int(outside),
            n_out_interesting=int(outside and line.interesting),
            bins=tuple(bins),
        )
    }


def _costly(path: str, line: Line, choice: Choice) -> Costly:
    situation = Situation(line.position, line.dice)
    legal = result_keys(legal_plays(line.position, *line.dice))
    return Costly(
        path=path,
        line=line.number,
        key=line.key,
        dice=line.dice,
        group=line.group,
        xgid=xgid(situation),
        gnubg_id=gnubg_id(situation),
        equity=line.equity,
        choice=choice,
        listed=tuple(
            ListedPlay(*_reached(line, legal, key), loss) for key, loss in line.losses.items()
        ),
    )


def _reached(
    line: Line, legal: Mapping[str, LegalPlay], key: str
) -> tuple[str, str | None, Play | None]:
    """A position with the play that leads to it, in notation and as moves."""
    play = legal[key].play if key in legal else None
    return key, None if play is None else format_play(line.position, play), play


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
