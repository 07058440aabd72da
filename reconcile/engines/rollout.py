"""Single decisions rolled out by gnuBG: what each of a few actions is worth, and how sure that is.

gnuBG's `rollout` plays on from a position without a cube action before the first roll. So the
value of not doubling is that of the position, the value of a double that is taken that of the
same position with the cube turned, and a play is worth what the opponent, on roll after it, can
make of the better of the two. All actions of a decision have the same dice.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from reconcile.engines.analysis_cache import keep, key_of, place_of, read
from reconcile.engines.gnubg import Gnubg
from reconcile.errors import EngineError
from reconcile.files.processes import threads
from reconcile.match.board.identifiers import NO_DICE, Situation, gnubg_id, xgid
from reconcile.match.board.play import Play, carried_out
from reconcile.match.board.position import Counts, borne_off, swap
from reconcile.match.met import DEFAULT_MET, AnyMet, load_met

TRIALS: Final = 1296
"""Games of a rollout: every first two rolls once."""
LONGEST: Final = 600.0
"""Default time limit for all decisions, in seconds."""
CLOSE: Final = 0.25
"""A double of the opponent that gnuBG's 2-ply calls wrong by more than this (EMG) is not rolled
out."""
FORMAT: Final = 1
"""Version of the commands; changing it invalidates every kept rollout."""
_SEEDS: Final = 2**31 - 1
_ROLLOUT: Final = """
players-are-same on
cube-equal-chequer on
chequerplay plies 0
chequerplay cubeful on
chequerplay prune on
chequerplay noise 0
cubedecision plies 0
cubedecision cubeful on
cubeful on
initial off
later enable off
truncation enable off
limit enable off
jsd stop off
varredn on
quasirandom on
rng mersenne
"""
"""What a rollout is set to."""
_SETTINGS: Final = (
    *(f"set automatic {setting} off" for setting in ("game", "roll", "move")),
    *(f"set player {player} human" for player in (0, 1)),
    "set threads 1",
    "set output mwc off",
    "set output digits 6",
    *(f"set rollout {setting}" for setting in _ROLLOUT.split("\n")[1:-1]),
)
_SCRIPT: Final = """
for command in {settings!r}:
    gnubg.command(command)
for index, (position, doubled, close) in enumerate({positions!r}):
    gnubg.command("set gnubgid " + position)
    rolled = [position]
    if doubled:
        context = gnubg.evalcontext(1, 2, 1, 1, 0.0)
        values = gnubg.cfevaluate(gnubg.board(), gnubg.cubeinfo(), context) if close else ()
        if not values or min(values[2], values[3]) - values[1] > -close:
            rolled.append(doubled)
    for kind, one in enumerate(rolled):
        gnubg.command("set gnubgid " + one)
        gnubg.command("set rollout seed {seed}")
        print("{mark}%d %d" % (index, kind))
        gnubg.command("rollout")
"""
_MARK: Final = "reconcile: rolled out "
_DONE: Final = "Printing final results."
_PLAYED: Final = re.compile(r"(\d+) games, ")
_ERROR: Final = re.compile(r" *\[[^\]]* CF +(\d+\.\d+)\]")
_VALUES: Final = re.compile(r"CF ([-+]?\d+\.\d+)\s+\[[^\]]* CF +(\d+\.\d+)\]")
Progress = Callable[[int, int], None]
Games = Callable[[int, int, float], None]
"""Games played so far, of how many at most, and the standard error of the position that is
rolled out."""
Place = tuple[int, int]
"""Index of a position, and 1 where the cube is turned."""
Value = tuple[float, float]
"""Equity (EMG at the cube of the position) and standard error."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision: a roll and some plays of it, or without plays the cube of the player on roll."""

    situation: Situation
    """In the view of the player on roll."""
    plays: tuple[Play, ...] = ()


@dataclass(frozen=True, slots=True)
class Rolled:
    """What a rollout found, in the view of the player on roll, EMG at the cube of the situation."""

    equities: tuple[float, ...]
    """Of the plays in their order; of a cube of no double and of double/take."""
    errors: tuple[float, ...]
    """Their standard errors."""


def can_be_rolled_out(question: Question) -> bool:
    """Whether the game goes on after every play, and gnuBG can be asked about it."""
    try:
        return all(borne_off(_after(question, play))[0] < 15 for play in question.plays) and bool(
            gnubg_id(question.situation)
        )
    except (ValueError, IndexError):
        return False


def roll_out(
    questions: Sequence[Question],
    program: Gnubg,
    *,
    trials: int = TRIALS,
    timeout: float = LONGEST,
    jobs: int = 1,
    cache: Path | None = None,
    progress: Progress = lambda done, total: None,
    games: Games = lambda done, total, error: None,
) -> list[Rolled | None]:
    """Roll out every decision; `None` for one that was not finished when the time, in seconds for
    all of them, was over.

    The same decision, trials and version of gnuBG give the same numbers, whatever the number of
    `jobs`. Raises `EngineError`.
    """
    until = time.monotonic() + timeout
    done = 0

    def rolled(question: Question) -> Rolled | None:
        nonlocal done
        result = _rolled_out(question, program, trials, until, cache, games)
        done += 1
        progress(done, len(questions))
        return result

    progress(0, len(questions))
    with threads(jobs) as pool:
        return list(pool.map(rolled, questions))


def _watched(trials: int, positions: int, games: Games) -> Callable[[str], None]:
    """Reads how far gnuBG is out of what it prints."""
    begun, error = 0, 0.0

    def line(text: str) -> None:
        nonlocal begun, error
        if text.startswith(_MARK):
            begun, error = begun + 1, 0.0
        elif number := _ERROR.match(text):
            error = float(number[1])
        elif number := _PLAYED.match(text):
            games((begun - 1) * trials + int(number[1]), positions * trials, error)

    return line


def _rolled_out(
    question: Question, program: Gnubg, trials: int, until: float, cache: Path | None, games: Games
) -> Rolled | None:
    text = json.dumps([xgid(question.situation), gnubg_id(question.situation), question.plays])
    key = key_of(
        {"engine": "gnubg", "version": program.version, "trials": trials, "format": FORMAT}, text
    )
    place = place_of(cache, "rollouts", f"{key}.json")
    if (content := read(place, key)) is not None:
        document = json.loads(content)
        return Rolled(tuple(document["equities"]), tuple(document["errors"]))
    left = until - time.monotonic()
    if left <= 0:
        return None
    positions = list(_positions(question))
    seed = int.from_bytes(sha256(text.encode()).digest()[:4], "big") % _SEEDS + 1
    session = (
        f"set jacoby {'on' if question.situation.jacoby else 'off'}",
        f"set rollout trials {trials}",
        "new session",
    )
    asked = [
        (gnubg_id(here), doubled and gnubg_id(doubled), CLOSE if question.plays else 0)
        for here, doubled in positions
    ]
    script = _SCRIPT.format(settings=(*_SETTINGS, *session), positions=asked, seed=seed, mark=_MARK)
    try:
        printed = program.run(
            script,
            timeout=left,
            on_line=_watched(trials, sum(1 + bool(doubled) for _, doubled, _ in asked), games),
            terminal=True,
        )
    except EngineError:
        if time.monotonic() >= until:
            return None
        raise
    result = _result(question, positions, _read(program, printed.replace("\r", "\n")))
    keep(place, key, json.dumps({"equities": result.equities, "errors": result.errors}).encode())
    return result


def other_table(met: AnyMet | None) -> str:
    """What is to be said of rollouts where a match equity table was asked for; empty where it is
    the one that they are by."""
    if met is None or (name := load_met(met).name) == DEFAULT_MET:
        return ""
    return (
        f"rollouts, and the errors beside them, are by the match equity table {DEFAULT_MET}, "
        f"with which gnuBG plays, not by {name}"
    )


def _after(question: Question, play: Play) -> Counts:
    return carried_out(question.situation.position, play)


def _positions(question: Question) -> Iterator[tuple[Situation, Situation | None]]:
    """What is rolled out: for a play the opponent on roll, and with the opponent's double taken;
    for a cube the player on roll."""
    here = replace(question.situation, dice=NO_DICE, double_offered=False)
    if not question.plays:
        yield here, _doubled(here)
        return
    for play in question.plays:
        mine, theirs = here.score
        opponent = replace(
            here,
            position=swap(_after(question, play)),
            owner=-here.owner,
            score=(theirs, mine),
            decider_is_top=not here.decider_is_top,
        )
        dead = opponent.away is not None and opponent.cube >= opponent.away[0]
        yield (
            opponent,
            None if opponent.owner < 0 or opponent.crawford or dead else _doubled(opponent),
        )


def _doubled(here: Situation) -> Situation:
    return replace(here, cube=2 * here.cube, owner=-1)


def _result(
    question: Question,
    positions: list[tuple[Situation, Situation | None]],
    values_of: dict[Place, Value],
) -> Rolled:
    values: list[tuple[float, float]] = []
    for index, (here, _) in enumerate(positions):
        no_double = values_of[index, 0]
        doubled_value = values_of.get((index, 1))
        doubled_value = doubled_value and _at_smaller_cube(here, *doubled_value)
        if not question.plays:
            values = [no_double, doubled_value or no_double]
            continue
        best = no_double
        if doubled_value is not None:
            doubled = doubled_value if doubled_value[0] < 1 else (1.0, 0.0)
            best = max(no_double, doubled)
        values.append((-best[0], best[1]))
    return Rolled(tuple(equity for equity, _ in values), tuple(error for _, error in values))


def _at_smaller_cube(here: Situation, equity: float, error: float) -> tuple[float, float]:
    """An equity at twice the cube of a situation as one at its cube (EMG), and its standard
    error."""
    if here.away is None:
        return 2 * equity, 2 * error
    (win, lose), (more, less) = (_stakes(here, cube) for cube in (here.cube, 2 * here.cube))
    chance = (equity * (more - less) + more + less) / 2
    return (2 * chance - win - lose) / (win - lose), error * (more - less) / (win - lose)


def _stakes(here: Situation, cube: int) -> tuple[float, float]:
    """The chance of winning the match after winning or losing a cube."""
    assert here.away is not None
    mine, theirs = here.away
    met, post = load_met(DEFAULT_MET), here.crawford or 1 in here.away
    return float(met.chance(mine - cube, theirs, post)), float(
        met.chance(mine, theirs - cube, post)
    )


def _read(program: Gnubg, printed: str) -> dict[Place, Value]:
    """By position, and 1 where the cube is turned: cubeful equity and standard error, as gnuBG
    prints them at the end."""
    values_of = {}
    for part in printed.split(_MARK)[1:]:
        index, kind = part.split(None, 2)[:2]
        _, done, end = part.rpartition(_DONE)
        values = _VALUES.search(end)
        if not done or values is None:
            raise EngineError(
                f"{program.path}: gnuBG {program.version} printed no rollout result; is it an "
                f"older or newer version?"
            )
        values_of[int(index), int(kind)] = float(values[1]), float(values[2])
    return values_of
