"""Make a benchmark file from a match with gnuBG rollouts, as `sagnubg` does.

For every roll with a choice, all legal plays are evaluated at 0 plies and the best of them deeper. The best few after that, and the
favourite at 0 plies if it is not among them, are rolled out: cubeless money play at 0 plies to the end or to the one-sided bearoff
database, with quasi-random dice and variance reduction, all plays of a roll with the same seed.

A file grows by one m line per write, with its seed and rollouts before it. A killed run can be continued: complete lines are kept, an
incomplete one is dropped, and the settings at the head of the file must be the same. The same match, settings and gnuBG give the same
bytes, whatever the number of processes.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Final

from engine_benchmark.engines import Question
from engine_benchmark.keys import from_position_key, position_key, result_key
from reconcile.engines.gnubg import Gnubg, find
from reconcile.errors import EngineError, NothingToCompare, UnreadableFile, reason_of
from reconcile.files.output import CannotWrite, check_not_read
from reconcile.files.processes import threads
from reconcile.formats import load_match
from reconcile.match.board.identifiers import Situation, gnubg_id
from reconcile.match.board.play import legal_plays
from reconcile.match.board.position import checked
from reconcile.match.match import Match

KEPT: Final = 20
"""Plays that are evaluated deeper after the evaluation at 0 plies."""
SECONDS_PER_GAME: Final = 2.0
"""Longest time for one game of a rollout before gnuBG is considered dead, even on a busy machine."""
CLOSE: Final = 1e-4
"""How far a rollout's equity may be from its probabilities without a note in the file."""
_SEEDS: Final = 2**31 - 1
"""Largest seed; the seed of a roll is derived from the file's seed, the position and the dice."""
_NUMBER: Final = r"([-+]?\d+\.\d+)"
_RESULT: Final = re.compile(
    rf"\s*{_NUMBER} {_NUMBER} {_NUMBER} - {_NUMBER} {_NUMBER} {_NUMBER} +CL {_NUMBER}"
)
_DONE: Final = "Printing final results."
_ROLLED: Final = "rollout of play"
_SETTINGS: Final = (
    "set jacoby off",
    "set output digits 6",
    "set threads 1",
    "set automatic game off",
    "set automatic roll off",
    "set automatic move off",
    "set player 0 human",
    "set player 1 human",
    "set rollout players-are-same on",
    "set rollout cube-equal-chequer on",
    "set rollout chequerplay plies 0",
    "set rollout chequerplay cubeful off",
    "set rollout chequerplay prune on",
    "set rollout chequerplay noise 0",
    "set rollout cubeful off",
    "set rollout initial off",
    "set rollout later enable off",
    "set rollout truncation enable off",
    "set rollout limit enable off",
    "set rollout jsd stop off",
    "set rollout varredn on",
    "set rollout quasirandom on",
    "set rollout rng mersenne",
)
_SCRIPT: Final = """
import os
quiet, screen = os.open(os.devnull, os.O_WRONLY), os.dup(1)
os.dup2(quiet, 1)
for command in {settings!r}:
    gnubg.command(command)
gnubg.command("set rollout trials {games}")
gnubg.command("new session")
os.dup2(screen, 1)
money = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0, 0)
def equity(board, plies):
    settings = {{"cubeful": 0, "plies": plies, "deterministic": 1, "prune": 1, "noise": 0.0}}
    return -gnubg.evaluate(board, money, settings)[5]
ids = {ids!r}
boards = [gnubg.positionfromid(one.split(":")[0]) for one in ids]
shallow = [equity(board, 0) for board in boards]
order = sorted(range(len(ids)), key=lambda index: (-shallow[index], index))
favourite = order[0]
deep = {{index: equity(boards[index], {plies}) for index in order[:{kept}]}}
chosen = sorted(deep, key=lambda index: (-deep[index], index))[:{moves}]
if favourite not in chosen:
    chosen.append(favourite)
for index in chosen:
    gnubg.command("set gnubgid " + ids[index])
    gnubg.command("set rollout seed {seed}")
    print("{rolled}", index)
    gnubg.command("rollout")
"""
Progress = Callable[[int, int], None]
"""Called with the number of lines in the file and the total."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the plays of a roll are chosen and rolled out."""

    games: int = 1296
    plies: int = 2
    """Plies at which the plays to roll out are chosen."""
    moves: int = 5
    seed: int = 1
    positions: int | None = None
    """At most this many rolls, spread over the match."""


@dataclass(frozen=True, slots=True)
class Made:
    """The result of a run."""

    lines: int
    """m lines in the file."""
    kept: int
    """How many of them come from earlier runs."""


def make_benchmark(
    path: str,
    output: str,
    settings: Settings,
    *,
    jobs: int | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Made:
    """Make or continue a benchmark file of a match; `time_limit` is in seconds for one roll.

    Raises `UnreadableFile`, `EngineError`, `CannotWrite`, and `NothingToCompare` for a match without a choice.
    """
    match = load_match(path)
    check_not_read(output)
    asked = rolls_of(match, settings.positions)
    if not asked:
        raise NothingToCompare(
            "no roll has a choice of plays, so there is nothing to roll out", path
        )
    program = find()
    limit = time_limit or max(600.0, SECONDS_PER_GAME * settings.games * (settings.moves + 1))
    with _appending(output, _head(match, program, settings)) as (file, standing):
        _agrees(output, standing, asked)
        kept = len(standing)
        if progress:
            progress(kept, len(asked))
        for count, lines in enumerate(
            _rolled(program, asked[kept:], settings, limit, jobs or os.cpu_count() or 1),
            start=kept + 1,
        ):
            try:
                file.write(lines.encode("ascii"))
                file.flush()
                os.fsync(file.fileno())
            except OSError as error:
                raise CannotWrite(
                    f"cannot be written: {reason_of(error)}; check the disk", output
                ) from None
            if progress:
                progress(count, len(asked))
    return Made(len(asked), kept)


def rolls_of(match: Match, most: int | None = None) -> list[Question]:
    """The distinct rolls of a match with a choice of plays, in the order played; at most `most`, spread over the match."""
    if match.rules.variation.lower().startswith("hyper"):
        raise UnreadableFile(
            f"{match.rules.variation} has no benchmark keys; use a match with 15 checkers",
            match.source.path,
        )
    found: dict[Question, None] = {}
    for position, dice in zip(
        match.plays.position.tolist(), match.plays.dice.tolist(), strict=True
    ):
        try:
            before = checked(position)
            if len(legal_plays(before, dice[0], dice[1])) > 1:
                found[Question(position_key(before), (dice[0], dice[1]))] = None
        except ValueError:
            continue  # a missing roll or a damaged position
    rolls = list(found)
    if most is None or most >= len(rolls):
        return rolls
    return [rolls[index * len(rolls) // most] for index in range(most)]


def _head(match: Match, program: Gnubg, settings: Settings) -> str:
    options = {
        "version": "reconcile",
        "weights": f"gnuBG-{program.version}",
        "moves2plyLimit": KEPT,
        "rolloutLimit": settings.moves,
        "nRollOutGames": settings.games,
        "include0Ply": 1,
        "evalPlies": settings.plies,
    }
    taken = "all" if settings.positions is None else str(settings.positions)
    return (
        f"# rolls of the match with SHA-256 {match.source.sha256}, {taken}, seed {settings.seed}\n"
        f"s {' '.join(f'{name} {value}' for name, value in options.items())}\n"
    )


@contextmanager
def _appending(path: str, head: str) -> Iterator[tuple[IO[bytes], list[str]]]:
    """The file, positioned after its complete lines, and its m lines; a new file gets its head."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        with Path(path).open("a+b") as file:
            file.seek(0)
            content = file.read()
            begin = head.encode("ascii")
            if begin.startswith(content):
                standing: list[str] = []
                file.truncate(0)
                file.write(begin)
                file.flush()
            elif content.startswith(begin):
                end, standing = _complete(content, len(begin))
                file.truncate(end)
            else:
                raise CannotWrite(
                    "made from another match or with other settings, or not a benchmark file; use those settings, or another name",
                    path,
                )
            yield file, standing
    except OSError as error:
        raise CannotWrite(
            f"cannot be written: {reason_of(error)}; check the folder", path
        ) from None


def _complete(content: bytes, begin: int) -> tuple[int, list[str]]:
    """The end of the last complete m line, and all complete m lines."""
    end, standing, place = begin, [], begin
    for line in content[begin:].splitlines(keepends=True):
        place += len(line)
        if not line.endswith(b"\n"):
            break
        if line.startswith(b"m "):
            standing.append(line.decode("ascii", "replace"))
            end = place
    return end, standing


def _agrees(path: str, standing: list[str], asked: list[Question]) -> None:
    wanted = [["m", one.key, *map(str, one.dice)] for one in asked[: len(standing)]]
    if [line.split()[:4] for line in standing] != wanted:
        raise CannotWrite(
            "its m lines are not the rolls of this match in order; use another name", path
        )


def _rolled(
    program: Gnubg, asked: list[Question], settings: Settings, limit: float, jobs: int
) -> Iterator[str]:
    """The lines of every roll, in order; some are computed ahead."""
    waiting: list[Future[str]] = []
    rest = iter(asked)
    with threads(jobs) as pool:
        while True:
            waiting += [
                pool.submit(_roll_out, program, one, settings, limit)
                for one in islice(rest, jobs + 1 - len(waiting))
            ]
            if not waiting:
                return
            yield waiting.pop(0).result()


def seed_of(seed: int, question: Question) -> int:
    """The seed of a roll's rollouts, at least 1."""
    text = f"{seed} {question.key} {question.dice[0]} {question.dice[1]}"
    return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest()[:4], "big") % _SEEDS + 1


def _roll_out(program: Gnubg, question: Question, settings: Settings, limit: float) -> str:
    """The lines of one roll: seed, rollouts, plays."""
    results = [
        result_key(play.result)
        for play in legal_plays(from_position_key(question.key), *question.dice)
    ]
    seed = seed_of(settings.seed, question)
    script = _SCRIPT.format(
        settings=_SETTINGS,
        games=settings.games,
        ids=[gnubg_id(Situation(from_position_key(key))) for key in results],
        plies=settings.plies,
        kept=max(KEPT, settings.moves),
        moves=settings.moves,
        seed=seed,
        rolled=_ROLLED,
    )
    printed = program.run(script, timeout=limit, terminal=True).replace("\r", "\n")
    rolled: list[tuple[float, str, str]] = []
    for part in printed.split(f"{_ROLLED} ")[1:]:
        index = int(part.split(None, 1)[0])
        equity, probabilities = _read(program, part)
        rolled.append((equity, results[index], probabilities))
    if not rolled:
        raise EngineError(
            f"{program.path}: gnuBG {program.version} rolled out nothing for {question.key} {question.dice}"
        )
    lines = [f"r {seed}"]
    for equity, key, probabilities in rolled:
        lines.append(f"#R {key} {probabilities}")
        if abs(equity + (computed := _equity(probabilities))) > CLOSE:
            lines.append(f"# equity {-equity:.6f}, of the probabilities {computed:.6f}")
    rolled.sort(key=lambda one: (-one[0], one[1]))
    best = rolled[0][0]
    plays = [
        f"{rolled[0][1]} {_short(best)}",
        *(f"{key} {_short(best - equity)}" for equity, key, _ in rolled[1:]),
    ]
    lines.append(f"m {question.key} {question.dice[0]} {question.dice[1]} {' '.join(plays)}")
    return "\n".join(lines) + "\n"


def _read(program: Gnubg, printed: str) -> tuple[float, str]:
    """The mover's equity after a play and the five probabilities of the opponent, who is on roll, as gnuBG prints them at the end."""
    _, done, end = printed.rpartition(_DONE)
    found = next((match for line in end.splitlines() if (match := _RESULT.match(line))), None)
    if not done or found is None:
        raise EngineError(
            f"{program.path}: gnuBG {program.version} printed no rollout result; is it an older or newer version?"
        )
    win, gammon, backgammon, _, lose_gammon, lose_backgammon, equity = map(float, found.groups())
    return -equity, " ".join(
        _short(value) for value in (win, gammon, backgammon, lose_gammon, lose_backgammon)
    )


def _equity(probabilities: str) -> float:
    """Of five probabilities, which gnuBG clamps after variance reduction, and the equity it does not."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = map(float, probabilities.split())
    return 2 * win - 1 + gammon + backgammon - lose_gammon - lose_backgammon


def _short(value: float) -> str:
    """A number as text with at most six decimals."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
