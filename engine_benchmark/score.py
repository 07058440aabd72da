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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from math import nan
from pathlib import Path, PurePath
from typing import Final

from engine_benchmark.engines import Engine, Question
from engine_benchmark.keys import CLASSES, position_key, result_keys
from engine_benchmark.reader import Line, read_benchmark
from engine_benchmark.results import (
    WORST,
    Choice,
    Costly,
    FileScore,
    ListedPlay,
    Outcome,
    Score,
    Tally,
    tally,
)
from reconcile.errors import NothingToCompare
from reconcile.match.board.identifiers import Situation, gnubg_id, xgid
from reconcile.match.board.play import LegalPlay, format_play, legal_plays
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
    files, outcomes, worst = [], list[Outcome](), list[Costly]()
    for path in paths:
        file = FileScore(path)
        of_file, costly = _scored(engine, file, limit, progress)
        file.by_class, file.total = _by_class(of_file), tally(of_file)
        files.append(file)
        outcomes += of_file
        worst += costly
    total = tally(outcomes)
    if not total.lines or total.missing == total.lines:
        raise NothingToCompare(
            f"{', '.join(paths)}: no m line could be scored: {total.lines} with a list of plays, "
            f"{total.missing} answers missing; check the file and the engine"
        )
    return Score(
        engine=engine.name,
        verdict="not judged" if total.is_answered else "outside",
        files=tuple(files),
        by_class=_by_class(outcomes),
        total=total,
        worst=tuple(sorted(worst, key=lambda costly: -costly.choice.loss)[:WORST]),
    )


def _scored(
    engine: Engine, file: FileScore, limit: int | None, progress: Progress
) -> tuple[list[Outcome], list[Costly]]:
    outcomes, worst = list[Outcome](), list[Costly]()
    with closing(read_benchmark(file.path, file)) as every:
        lines = islice(every, limit)
        while chunk := list(islice(lines, CHUNK)):
            answers = engine.choose([Question(line.key, line.dice) for line in chunk], progress)
            choices = [_choice(line, answer) for line, answer in zip(chunk, answers, strict=True)]
            outcomes += [
                Outcome(
                    line.group,
                    line.interesting,
                    choice.loss if choice else nan,
                    choice is not None and choice.listed,
                    answer is not None,
                )
                for line, choice, answer in zip(chunk, choices, answers, strict=True)
            ]
            costly = [
                (choice.loss, line, choice)
                for line, choice in zip(chunk, choices, strict=True)
                if choice and choice.loss
            ]
            costly.sort(key=lambda row: -row[0])
            worst += [_costly(file.path, line, choice) for _, line, choice in costly[:WORST]]
        file.complete = limit is None or next(every, None) is None
    if Path(file.path).is_file():
        with Path(file.path).open("rb") as content:
            file.sha256 = hashlib.file_digest(content, "sha256").hexdigest()
    return outcomes, worst


def _by_class(outcomes: Sequence[Outcome]) -> dict[str, Tally]:
    """Tallies by class, in the order of the classes, of those that occur."""
    groups = {name: [outcome for outcome in outcomes if outcome.group == name] for name in CLASSES}
    return {name: tally(group) for name, group in groups.items() if group}


def _choice(line: Line, answer: str | None) -> Choice | None:
    """What an answer costs; none if it is missing or no legal play."""
    if answer is None:
        return None
    legal = result_keys(legal_plays(line.position, *line.dice))
    # Without a legal play the position stays, and the opponent is on roll.
    if answer not in line.losses and answer not in (legal or {position_key(swap(line.position))}):
        return None
    loss = line.losses.get(answer, [*line.losses.values()][-1])
    return Choice(answer, _notation(line, legal, answer), loss, answer in line.losses)


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
            ListedPlay(key, _notation(line, legal, key), loss) for key, loss in line.losses.items()
        ),
    )


def _notation(line: Line, legal: Mapping[str, LegalPlay], key: str) -> str | None:
    """The play that leads to a position."""
    return format_play(line.position, legal[key].play) if key in legal else None


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
