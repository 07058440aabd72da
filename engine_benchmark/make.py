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

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

from engine_benchmark.engines import Question
from engine_benchmark.keys import from_position_key, position_key, result_key
from reconcile.engines.gnubg import Gnubg, find
from reconcile.errors import EngineError, NothingToCompare, UnreadableFile, reason_of
from reconcile.files.output import CannotWrite, check_not_read
from reconcile.files.processes import awaited, threads
from reconcile.formats import load_match
from reconcile.match.board.play import legal_plays
from reconcile.match.board.position import Situation, checked, gnubg_ids, situations
from reconcile.match.match import Match

DEEPER = 20
"""Plays that are evaluated deeper after the evaluation at 0 plies."""
SECONDS_PER_GAME = 2.0
"""Longest time for one game of a rollout before gnuBG is considered dead, on a busy machine too."""
CLOSE = 1e-4
"""How far a rollout's equity may be from its probabilities without a note in the file."""
_NUMBER = r"([-+]?\d+\.\d+)"
_RESULT = re.compile(
    rf"^\s*{_NUMBER} {_NUMBER} {_NUMBER} - {_NUMBER} {_NUMBER} {_NUMBER} +CL {_NUMBER}",
    re.MULTILINE,
)
_ROLLED = "rollout of play "
_SETTINGS = """\
automatic game off|automatic roll off|automatic move off|player 0 human|player 1 human|threads 1
output digits 6|rollout players-are-same on|rollout cube-equal-chequer on
rollout chequerplay plies 0|rollout chequerplay prune on|rollout chequerplay noise 0
rollout initial off|rollout later enable off|rollout truncation enable off|rollout limit enable off
rollout jsd stop off|rollout varredn on|rollout quasirandom on|rollout rng mersenne
jacoby off|rollout cubeful off|rollout chequerplay cubeful off""".replace("\n", "|").split("|")
"""What gnuBG is set to for a rollout: cubeless at 0 plies, to the end, with quasi-random dice and
variance reduction."""
_SEEDS = 2**31 - 1
"""Largest seed."""
_END = "Printing final results."
"""What gnuBG prints before the results of a rollout."""
_SCRIPT = """
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


def make_benchmark(
    path: str,
    output: str,
    settings: Settings,
    *,
    jobs: int | None = None,
    time_limit: float | None = None,
    progress: Progress = lambda count, total: None,
) -> tuple[int, int]:
    """Make or continue a benchmark file of a match; `time_limit` is in seconds for one roll.

    Returns the m lines in the file, and how many of them come from earlier runs. Raises
    `UnreadableFile`, `EngineError`, `CannotWrite`, and `NothingToCompare` for a match without a
    choice.
    """
    match = load_match(path)
    check_not_read(output, [path])
    asked = rolls_of(match, settings.positions)
    if not asked:
        reason = "no roll has a choice of plays, so there is nothing to roll out"
        raise NothingToCompare(reason, path)
    program = find()
    limit = time_limit or max(600.0, SECONDS_PER_GAME * settings.games * (settings.moves + 1))
    roll = partial(_rolled_out, program, settings, limit)
    try:
        earlier = _begin(Path(output), _head(match, program, settings))
        progress(earlier, len(asked))
        with threads(jobs or os.cpu_count() or 1) as pool, Path(output).open("ab") as file:
            rolled = awaited([pool.submit(roll, question) for question in asked[earlier:]])
            for count, lines in enumerate(rolled, start=earlier + 1):
                file.write(lines.encode("ascii"))
                file.flush()
                os.fsync(file.fileno())
                progress(count, len(asked))
    except OSError as error:
        reason = f"cannot be written: {reason_of(error)}"
        raise CannotWrite(f"{reason}; check the folder and the disk", output) from None
    return len(asked), earlier


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
    part = "all" if settings.positions is None else str(settings.positions)
    return (
        f"# rolls of the match with SHA-256 {match.source.sha256}, {part}, seed {settings.seed}\n"
        f"s version reconcile weights gnuBG-{program.version} moves2plyLimit {DEEPER} "
        f"rolloutLimit {settings.moves} nRollOutGames {settings.games} include0Ply 1 "
        f"evalPlies {settings.plies}\n"
    ).encode("ascii")


def _begin(path: Path, head: bytes) -> int:
    """The number of complete m lines in the file, which ends behind the last one; a new file gets
    its head."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = path.read_bytes() if path.exists() else b""
    if head.startswith(content):
        path.write_bytes(head)
    elif not content.startswith(head):
        trouble = "made from another match or with other settings, or not a benchmark file"
        raise CannotWrite(f"{trouble}; use those settings, or another name", str(path))
    begun = re.match(rb"(?:[^\n]*\n)*m [^\n]*\n", content)
    os.truncate(path, begun.end() if begun else len(head))
    return content[: begun.end()].count(b"\nm ") if begun else 0


def _rolled_out(program: Gnubg, settings: Settings, limit: float, question: Question) -> str:
    """The lines of one roll: seed, rollouts, plays."""
    key, (first, second) = question
    plays = legal_plays(from_position_key(key), first, second)
    results = [result_key(play.result) for play in plays]
    digest = sha256(f"{settings.seed} {key} {first} {second}".encode()).digest()
    seed = int.from_bytes(digest[:4], "big") % _SEEDS + 1
    script = _SCRIPT.format(
        settings=[*_SETTINGS, f"rollout trials {settings.games}"],
        ids=gnubg_ids(situations([Situation(from_position_key(key)) for key in results])),
        plies=settings.plies,
        deeper=max(DEEPER, settings.moves),
        moves=settings.moves,
        seed=seed,
        rolled=_ROLLED.rstrip(),
    )
    printed = program.run(script, timeout=limit, terminal=True)
    rolled, lines = list[tuple[float, str]](), [f"r {seed}"]
    for index, numbers in _final_results(program, printed):
        win, gammon, backgammon, _, lose_gammon, lose_backgammon, equity = numbers
        result = results[index]
        rolled.append((equity, result))
        chances = win, gammon, backgammon, lose_gammon, lose_backgammon
        lines.append(f"#R {result} {' '.join(map(_short, chances))}")
        # After variance reduction gnuBG clamps the probabilities, and not the equity.
        computed = 2 * win - 1 + gammon + backgammon - lose_gammon - lose_backgammon
        if abs(equity - computed) > CLOSE:
            lines.append(f"# equity {equity:.6f}, of the probabilities {computed:.6f}")
    if not rolled:
        nothing = f"gnuBG {program.version} rolled out nothing for {key} {first} {second}"
        raise EngineError(f"{program.path}: {nothing}")
    (best, best_result), *rest = sorted(rolled)
    words = [f"{best_result} {_short(-best)}"]
    words += [f"{result} {_short(equity - best)}" for equity, result in rest]
    return "\n".join([*lines, f"m {key} {first} {second} {' '.join(words)}", ""])


def _final_results(program: Gnubg, printed: str) -> Iterator[tuple[int, list[float]]]:
    """By play its index, and the numbers that gnuBG prints at the end of its rollout. Raises
    `EngineError`."""
    for part in printed.replace("\r", "\n").split(_ROLLED)[1:]:
        index, _, rest = part.partition("\n")
        _, done, end = rest.rpartition(_END)
        if not done or (numbers := _RESULT.search(end)) is None:
            older = "printed no rollout result; is it an older or newer version?"
            raise EngineError(f"{program.path}: gnuBG {program.version} {older}")
        yield int(index), [*map(float, numbers.groups())]


def _short(value: float) -> str:
    """A number as text with at most six decimals."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
