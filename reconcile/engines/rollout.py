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
from reconcile.files.processes import awaited, threads
from reconcile.match.board.identifiers import NO_DICE, Situation, gnubg_id, xgid
from reconcile.match.board.play import Play, carried_out
from reconcile.match.board.position import borne_off, swap
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
SEEDS: Final = 2**31 - 1
"""Largest seed."""
SETTINGS: Final = """\
automatic game off|automatic roll off|automatic move off|player 0 human|player 1 human|threads 1
output digits 6|rollout players-are-same on|rollout cube-equal-chequer on
rollout chequerplay plies 0|rollout chequerplay prune on|rollout chequerplay noise 0
rollout initial off|rollout later enable off|rollout truncation enable off|rollout limit enable off
rollout jsd stop off|rollout varredn on|rollout quasirandom on|rollout rng mersenne""".replace(
    "\n", "|"
).split("|")
"""What gnuBG is set to for any rollout: at 0 plies, to the end, with quasi-random dice and variance
reduction."""
_CUBEFUL: Final = [
    "output mwc off",
    "rollout cubedecision plies 0",
    *(f"rollout {part}cubeful on" for part in ("", "chequerplay ", "cubedecision ")),
]
_SCRIPT: Final = """
for setting in {settings!r}:
    gnubg.command("set " + setting)
gnubg.command("new session")
for index, (position, doubled, close) in enumerate({positions!r}):
    gnubg.command("set gnubgid " + position)
    rolled = [position]
    if doubled:
        context = gnubg.evalcontext(1, 2, 1, 1, 0.0)
        values = gnubg.cfevaluate(gnubg.board(), gnubg.cubeinfo(), context) if close else ()
        if not values or min(values[2], values[3]) - values[1] > -close:
            rolled.append(doubled)
    for kind, place in enumerate(rolled):
        gnubg.command("set gnubgid " + place)
        gnubg.command("set rollout seed {seed}")
        print("{mark}%d %d" % (index, kind))
        gnubg.command("rollout")
"""
_MARK: Final = "reconcile: rolled out "
DONE: Final = "Printing final results."
"""What gnuBG prints before the results of a rollout."""
_PLAYED: Final = re.compile(r"(\d+) games, ")
_ERROR: Final = re.compile(r" *\[[^\]]* CF +(\d+\.\d+)\]")
_VALUES: Final = re.compile(r"CF ([-+]?\d+\.\d+)\s+\[[^\]]* CF +(\d+\.\d+)\]")
Progress = Callable[[int, int], None]
Games = Callable[[int, int, float], None]
"""Games played so far, of how many at most, and the standard error of the position that is
rolled out."""
Value = tuple[float, float]
"""Equity (EMG at the cube of the position) and standard error."""
Position = tuple[Situation, Situation | None]
"""What is rolled out, and the same with the cube turned where that can be."""


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
    here = question.situation
    try:
        after = [carried_out(here.position, play) for play in question.plays]
        return all(borne_off(each)[0] < 15 for each in after) and bool(gnubg_id(here))
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
        return list(awaited([pool.submit(rolled, question) for question in questions]))


def _rolled_out(
    question: Question, program: Gnubg, trials: int, until: float, cache: Path | None, games: Games
) -> Rolled | None:
    here = question.situation
    text = json.dumps([xgid(here), gnubg_id(here), question.plays])
    settings = {"engine": "gnubg", "version": program.version, "trials": trials, "format": FORMAT}
    key = key_of(settings, text)
    place = place_of(cache, "rollouts", f"{key}.json")
    if (content := read(place, key)) is not None:
        document = json.loads(content)
        return Rolled(tuple(document["equities"]), tuple(document["errors"]))
    positions = _positions(question)
    asked = [
        (gnubg_id(first), doubled and gnubg_id(doubled), CLOSE if question.plays else 0)
        for first, doubled in positions
    ]
    of_now = [f"jacoby {'on' if here.jacoby else 'off'}", f"rollout trials {trials}"]
    script = _SCRIPT.format(
        settings=[*SETTINGS, *_CUBEFUL, *of_now],
        positions=asked,
        seed=seed_from(text),
        mark=_MARK,
    )
    watched = _watched(trials, sum(1 + bool(doubled) for _, doubled in positions), games)
    left = until - time.monotonic()
    try:
        if left <= 0:
            return None
        printed = program.run(script, timeout=left, on_line=watched, terminal=True)
    except EngineError:
        if time.monotonic() >= until:
            return None
        raise
    values = {
        (index, kind): (equity, error)
        for (index, kind), (equity, error) in final_results(program, printed, _MARK, _VALUES)
    }
    equities, errors = zip(*_results(question, positions, values), strict=True)
    keep(place, key, json.dumps({"equities": equities, "errors": errors}).encode())
    return Rolled(equities, errors)


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


def other_table(met: AnyMet | None) -> str:
    """What is to be said of rollouts where a match equity table was asked for; empty where it is
    the one that they are by."""
    if met is None or (name := load_met(met).name) == DEFAULT_MET:
        return ""
    return (
        f"rollouts, and the errors beside them, are by the match equity table {DEFAULT_MET}, "
        f"with which gnuBG plays, not by {name}"
    )


def _positions(question: Question) -> list[Position]:
    """What is rolled out: for a play the opponent on roll, and with the opponent's double taken;
    for a cube the player on roll."""
    here = replace(question.situation, dice=NO_DICE, double_offered=False)
    if not question.plays:
        return [(here, _doubled(here))]
    positions: list[Position] = []
    for play in question.plays:
        opponent = replace(
            here,
            position=swap(carried_out(here.position, play)),
            owner=-here.owner,
            score=here.score[::-1],
            decider_is_top=not here.decider_is_top,
        )
        dead = opponent.away is not None and opponent.cube >= opponent.away[0]
        closed = opponent.owner < 0 or opponent.crawford or dead
        positions.append((opponent, None if closed else _doubled(opponent)))
    return positions


def _doubled(here: Situation) -> Situation:
    return replace(here, cube=2 * here.cube, owner=-1)


def _results(
    question: Question, positions: list[Position], values: dict[tuple[int, int], Value]
) -> list[Value]:
    """What the actions of a decision are worth."""
    results = []
    for index, (here, _) in enumerate(positions):
        no_double = values[index, 0]
        turned = values.get((index, 1))
        doubled = _at_smaller_cube(here, *turned) if turned else no_double
        if not question.plays:
            return [no_double, doubled]
        if doubled[0] >= 1:  # the opponent passes
            doubled = 1.0, 0.0
        equity, error = max(no_double, doubled) if turned else no_double
        results.append((-equity, error))
    return results


def _at_smaller_cube(here: Situation, equity: float, error: float) -> Value:
    """An equity at twice the cube of a situation as one at its cube (EMG), and its standard
    error."""
    if here.away is None:
        return 2 * equity, 2 * error
    met, (mine, theirs) = load_met(DEFAULT_MET), here.away
    post = here.crawford or 1 in here.away
    (win, lose), (more, less) = (
        (
            float(met.chance(mine - cube, theirs, post)),
            float(met.chance(mine, theirs - cube, post)),
        )
        for cube in (here.cube, 2 * here.cube)
    )
    chance = (equity * (more - less) + more + less) / 2
    return (2 * chance - win - lose) / (win - lose), error * (more - less) / (win - lose)


def seed_from(text: str) -> int:
    """The seed of a question's rollouts, at least 1."""
    return int.from_bytes(sha256(text.encode()).digest()[:4], "big") % SEEDS + 1


def final_results(
    program: Gnubg, printed: str, mark: str, pattern: re.Pattern[str]
) -> Iterator[tuple[list[int], list[float]]]:
    """The numbers behind each `mark` of a script, and those of `pattern` that gnuBG prints at the
    end of the rollout that follows. Raises `EngineError`."""
    for part in printed.replace("\r", "\n").split(mark)[1:]:
        head, _, rest = part.partition("\n")
        _, done, end = rest.rpartition(DONE)
        if not done or (numbers := pattern.search(end)) is None:
            older = "printed no rollout result; is it an older or newer version?"
            raise EngineError(f"{program.path}: gnuBG {program.version} {older}")
        yield [*map(int, head.split())], [*map(float, numbers.groups())]
