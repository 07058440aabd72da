"""An exercise as question, board and answer, for page, paper and Anki."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from zlib import crc32

from reconcile.exercises.exercise import KINDS, Answer, Exercise, Exercises
from reconcile.exercises.xg_text import best_action
from reconcile.match.board.drawing import board_svg
from reconcile.match.board.play import play_text
from reconcile.match.phases import PHASES
from reconcile.report.html.render import render
from reconcile.report.words import away_text
from reconcile.wording import listed, plural

SHOWN: Final = 5
"""Candidates of an analysis that an answer shows."""
LISTED: Final = 20
"""Exercises that the terminal lists."""
NAMES: Final = {"play": "checker plays", "double": "doubles", "take": "takes"}


def headline(several: Exercises) -> str:
    """How many exercises there are, of whom, and from how many matches."""
    number = plural(len(several.exercises), "exercise")
    return f"{several.player}: {number} from {plural(several.matches, 'match', 'matches')}"


def chosen(several: Exercises) -> str:
    """Which decisions they are, in a sentence."""
    wanted = several.wanted
    kinds = [NAMES[kind] for kind in KINDS if kind in wanted.kinds]
    decisions = "Decisions" if len(kinds) == len(KINDS) else listed(kinds).capitalize()
    by = "every analysis" if wanted.everywhere else "at least one analysis"
    tool = f" of {wanted.program}" if wanted.program else ""
    when = [phase for phase in PHASES if phase in wanted.phases]
    phase = f" in {listed(when)}" if len(when) < len(PHASES) else ""
    score = ""
    if wanted.score is not None:
        score = " at {} away, {} away".format(*wanted.score) if any(wanted.score) else " for money"
    cost = f"that cost {wanted.least:.3f} or more by {by}{tool}"
    return f"{decisions}{phase}{score} {cost}, the costliest first."


def question(exercise: Exercise) -> str:
    """What is asked: the roll to play, or the cube action."""
    decision = exercise.decision
    if decision.dice is not None:
        return f"{decision.dice[0]}{decision.dice[1]} to play."
    cube = decision.cube
    if exercise.kind == "double":
        return f"Double to {2 * cube}, or roll?"
    return f"Doubled to {2 * cube}: take or pass?"


def standing(exercise: Exercise) -> str:
    """The score, in the decider's view."""
    situation = exercise.situation
    rules = ", Jacoby" * (situation.length is None and situation.jacoby)
    return away_text(exercise.decision.away) + rules + ", Crawford game" * situation.crawford


def board(exercise: Exercise) -> str:
    """The board as SVG, as the decider sees it."""
    decision, key = exercise.decision, f"b{number_of(exercise)}"
    names = decision.player, decision.opponent
    return board_svg(decision.situation, names, key=key, name=question(exercise))


def number_of(exercise: Exercise) -> int:
    """A number that names the exercise, the same in every run."""
    return crc32(f"{exercise.xgid} {exercise.kind} {exercise.decision.player}".encode())


def options(exercise: Exercise, answer: Answer) -> Iterator[tuple[str, float]]:
    """What could be done and its equity (EMG), best first; of an answer to a double as its decider
    sees it."""
    if rated := answer.candidates:
        shown = rated[:SHOWN] + [each for each in rated[SHOWN:] if each.made]
        for each in shown:
            yield play_text(exercise.decision.position, each.play), each.equity or 0.0
    elif answer.cube:
        no_double, take, drop = answer.cube
        of_double = ("no double", no_double), ("double", min(take, drop))
        of_take = ("take", -take), ("pass", -drop)
        both = of_double if exercise.kind == "double" else of_take
        yield from sorted(both, key=lambda option: -option[1])


def verdict(exercise: Exercise, answer: Answer) -> str:
    """What an analysis says and what was lost by it, in a sentence."""
    lost = f"you lose {answer.error:.3f}" if answer.error > 0 else "as you did"
    return (
        f"{answer.program} {answer.level.removesuffix(' cubeful')}".strip()
        + f": {best_action(exercise, answer)}; {lost}"
    )


def summary(several: Exercises) -> str:
    """What the terminal shows: how many, which, and the most costly."""
    lines = [headline(several), chosen(several)]
    lines += (
        f"{each.cost:.3f}  {each.place}: {question(each)} You: {each.played}"
        for each in several.exercises[:LISTED]
    )
    rest = len(several.exercises) - LISTED
    return "\n".join([*lines, *[f"and {rest} more"] * (rest > 0)])


def answers(exercise: Exercise) -> str:
    """What every analysis says, as HTML."""
    return render("exercise_answers.html.j2", each=exercise, options=options, verdict=verdict)


def exercises_page(several: Exercises) -> str:
    """The page to practise on; printed it is a lesson sheet, four positions a page and the answers
    after them."""
    return render(
        "exercises.html.j2",
        several=several,
        headline=headline(several),
        chosen=chosen(several),
        question=question,
        standing=standing,
        board=board,
        options=options,
        verdict=verdict,
        number_of=number_of,
        scripts=["words", "exercises"],
    )
