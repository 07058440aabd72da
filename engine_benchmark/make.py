"""Make a benchmark file from a match with gnuBG rollouts, as `sagnubg` does.

For every roll with a choice, all legal plays are evaluated at 0 plies and the best of them deeper.
The best few after that, and the favourite at 0 plies if it is not among them, are rolled out:
cubeless money play at 0 plies to the end or to the one-sided bearoff database, with quasi-random
dice and variance reduction, all plays of a roll with the same seed.

A file grows by an m line a write, with its seed and rollouts before it. The same command continues
a run that was killed, where the head of the file has the same settings. The same match, settings
and gnuBG give the same bytes, whatever the number of processes.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from engine_benchmark.engines import Question
from engine_benchmark.keys import from_position_key, position_key, result_key
from reconcile.engines.gnubg import Gnubg, find
from reconcile.engines.rollout import DONE, SEEDS, SETTINGS
from reconcile.errors import EngineError, NothingToCompare, UnreadableFile, reason_of
from reconcile.files.output import CannotWrite, check_not_read
from reconcile.files.processes import awaited, threads
from reconcile.formats import load_match
from reconcile.match.board.identifiers import Situation, gnubg_id
from reconcile.match.board.play import legal_plays
from reconcile.match.board.position import checked
from reconcile.match.match import Match

DEEPER: Final = 20
"""Plays that are evaluated deeper after the evaluation at 0 plies."""
SECONDS_PER_GAME: Final = 2.0
"""Longest time for one game of a rollout before gnuBG is considered dead, on a busy machine too."""
CLOSE: Final = 1e-4
"""How far a rollout's equity may be from its probabilities without a note in the file."""
_NUMBER: Final = r"([-+]?\d+\.\d+)"
_RESULT: Final = re.compile(
    rf"^\s*{_NUMBER} {_NUMBER} {_NUMBER} - {_NUMBER} {_NUMBER} {_NUMBER} +CL {_NUMBER}",
    re.MULTILINE,
)
_ROLLED: Final = "rollout of play "
_CUBELESS: Final = ["jacoby off", "rollout cubeful off", "rollout chequerplay cubeful off"]
_SCRIPT: Final = """
import os
quiet, screen = os.open(os.devnull, os.O_WRONLY), os.dup(1)
os.dup2(quiet, 1)
for setting in {settings!r}:
    gnubg.command("set " + setting)
gnubg.command("new session")
os.dup2(screen, 1)
money = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0, 0)
def equity(board, plies):
    settings = {{"cubeful": 0, "plies": plies, "deterministic": 1, "prune": 1, "noise": 0.0}}
    return -gnubg.evaluate(board, money, settings)[5]
ids = {ids!r}
boards = [gnubg.positionfromid(name.split(":")[0]) for name in ids]
shallow = [equity(board, 0) for board in boards]
order = sorted(range(len(ids)), key=lambda index: (-shallow[index], index))
deep = {{index: equity(boards[index], {plies}) for index in order[:{deeper}]}}
chosen = sorted(deep, key=lambda index: (-deep[index], index))[:{moves}]
if order[0] not in chosen:
    chosen.append(order[0])
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
    earlier: int
    """How many of them come from earlier runs."""


def make_benchmark(
    path: str,
    output: str,
    settings: Settings,
    *,
    jobs: int | None = None,
    time_limit: float | None = None,
    progress: Progress = lambda count, total: None,
) -> Made:
    """Make or continue a benchmark file of a match; `time_limit` is in seconds for one roll.

    Raises `UnreadableFile`, `EngineError`, `CannotWrite`, and `NothingToCompare` for a match
    without a choice.
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
    try:
        earlier = _begin(Path(output), _head(match, program, settings), asked)
        progress(earlier, len(asked))
        rolled = _rolled(program, asked[earlier:], settings, limit, jobs or os.cpu_count() or 1)
        with Path(output).open("ab") as file:
            for count, lines in enumerate(rolled, start=earlier + 1):
                file.write(lines.encode("ascii"))
                file.flush()
                os.fsync(file.fileno())
                progress(count, len(asked))
    except OSError as error:
        raise CannotWrite(
            f"cannot be written: {reason_of(error)}; check the folder and the disk", output
        ) from None
    return Made(len(asked), earlier)


def rolls_of(match: Match, most: int | None = None) -> list[Question]:
    """The distinct rolls of a match with a choice of plays, in the order played; at most `most`,
    spread over the match."""
    if match.rules.variation.lower().startswith("hyper"):
        raise UnreadableFile(
            f"{match.rules.variation} has no benchmark keys; use a match with 15 checkers",
            match.source.path,
        )
    questions: dict[Question, None] = {}
    for position, dice in zip(
        match.plays.position.tolist(), match.plays.dice.tolist(), strict=True
    ):
        with suppress(ValueError):  # a missing roll or a damaged position
            before = checked(position)
            if len(legal_plays(before, *dice)) > 1:
                questions[Question(position_key(before), tuple(dice))] = None
    rolls = list(questions)
    if most is None or most >= len(rolls):
        return rolls
    return [rolls[index * len(rolls) // most] for index in range(most)]


def _head(match: Match, program: Gnubg, settings: Settings) -> bytes:
    options = {
        "version": "reconcile",
        "weights": f"gnuBG-{program.version}",
        "moves2plyLimit": DEEPER,
        "rolloutLimit": settings.moves,
        "nRollOutGames": settings.games,
        "include0Ply": 1,
        "evalPlies": settings.plies,
    }
    part = "all" if settings.positions is None else str(settings.positions)
    return (
        f"# rolls of the match with SHA-256 {match.source.sha256}, {part}, seed {settings.seed}\n"
        f"s {' '.join(f'{name} {value}' for name, value in options.items())}\n"
    ).encode("ascii")


def _begin(path: Path, head: bytes, asked: list[Question]) -> int:
    """The number of complete m lines in the file, which ends behind the last one; a new file gets
    its head."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = path.read_bytes() if path.exists() else b""
    if head.startswith(content):
        path.write_bytes(head)
        return 0
    # Behind the last m line that has its end, or behind the head.
    end = max(
        len(head), content.find(b"\n", content.rfind(b"\nm ", 0, content.rfind(b"\n")) + 1) + 1
    )
    begun = [line for line in content[:end].splitlines() if line.startswith(b"m ")]
    trouble = ""
    if not content.startswith(head):
        trouble = (
            "made from another match or with other settings, or not a benchmark file; use those "
            "settings, or another name"
        )
    elif [line.split()[1:4] for line in begun] != [
        f"{key} {first} {second}".encode().split() for key, (first, second) in asked[: len(begun)]
    ]:
        trouble = "its m lines are not the rolls of this match in order; use another name"
    if trouble:
        raise CannotWrite(trouble, str(path))
    os.truncate(path, end)
    return len(begun)


def _rolled(
    program: Gnubg, asked: list[Question], settings: Settings, limit: float, jobs: int
) -> Iterator[str]:
    """The lines of every roll, in order; some are computed ahead."""
    waiting: list[Future[str]] = []
    rest = iter(asked)
    with threads(jobs) as pool:
        while True:
            waiting += [
                pool.submit(_roll_out, program, question, settings, limit)
                for question in islice(rest, jobs + 1 - len(waiting))
            ]
            if not waiting:
                return
            yield from awaited([waiting.pop(0)])


def seed_of(seed: int, question: Question) -> int:
    """The seed of a roll's rollouts, at least 1."""
    text = f"{seed} {question.key} {question.dice[0]} {question.dice[1]}"
    return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest()[:4], "big") % SEEDS + 1


def _roll_out(program: Gnubg, question: Question, settings: Settings, limit: float) -> str:
    """The lines of one roll: seed, rollouts, plays."""
    plays = legal_plays(from_position_key(question.key), *question.dice)
    results = [result_key(play.result) for play in plays]
    seed = seed_of(settings.seed, question)
    script = _SCRIPT.format(
        settings=[*SETTINGS, *_CUBELESS, f"rollout trials {settings.games}"],
        ids=[gnubg_id(Situation(from_position_key(key))) for key in results],
        plies=settings.plies,
        deeper=max(DEEPER, settings.moves),
        moves=settings.moves,
        seed=seed,
        rolled=_ROLLED.rstrip(),
    )
    printed = program.run(script, timeout=limit, terminal=True).replace("\r", "\n")
    rolled: list[tuple[float, str]] = []
    lines = [f"r {seed}"]
    for part in printed.split(_ROLLED)[1:]:
        key = results[int(part.split(None, 1)[0])]
        *chances, equity = _result(program, part)
        win, gammon, backgammon, lose_gammon, lose_backgammon = chances
        rolled.append((equity, key))
        lines.append(f"#R {key} {' '.join(map(_short, chances))}")
        # After variance reduction gnuBG clamps the probabilities, and not the equity.
        computed = 2 * win - 1 + gammon + backgammon - lose_gammon - lose_backgammon
        if abs(equity - computed) > CLOSE:
            lines.append(f"# equity {equity:.6f}, of the probabilities {computed:.6f}")
    if not rolled:
        asked = f"{question.key} {question.dice}"
        raise EngineError(f"{program.path}: gnuBG {program.version} rolled out nothing for {asked}")
    rolled.sort()
    best = rolled[0][0]
    words = [
        f"{key} {_short(equity - best if row else -best)}"
        for row, (equity, key) in enumerate(rolled)
    ]
    lines.append(f"m {question.key} {question.dice[0]} {question.dice[1]} {' '.join(words)}")
    return "\n".join(lines) + "\n"


def _result(program: Gnubg, printed: str) -> tuple[float, ...]:
    """The five probabilities and the equity of the opponent, who is on roll, as gnuBG prints them
    at the end of a rollout."""
    _, done, end = printed.rpartition(DONE)
    result = _RESULT.search(end)
    if not done or result is None:
        raise EngineError(
            f"{program.path}: gnuBG {program.version} printed no rollout result; "
            "is it an older or newer version?"
        )
    win, gammon, backgammon, _, lose_gammon, lose_backgammon, equity = map(float, result.groups())
    return win, gammon, backgammon, lose_gammon, lose_backgammon, equity


def _short(value: float) -> str:
    """A number as text with at most six decimals."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
