"""Errors by kind of cube decision (wrong and missed doubles, wrong takes and passes) and by grade (errors, blunders)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from reconcile.columns import Kind
from reconcile.rules.q12_thresholds import Thresholds
from reconcile.scoring.score import Scored
from reconcile.scoring.sums import Group

PLAY, MISSED, WRONG_DOUBLE, WRONG_TAKE, WRONG_PASS, RESIGNED = range(6)
KINDS: Final = RESIGNED + 1
CUBE_PARTS: Final = {"wrong_double": WRONG_DOUBLE, "missed_double": MISSED, "wrong_take": WRONG_TAKE, "wrong_pass": WRONG_PASS}
GRADES: Final = ("errors", "blunders", "doubtful")
AT_THE_BORDER: Final = 1e-6
"""EMG. An error is at a border if it is no further away; programs show thousandths."""
_OF_CUBE: Final = {Kind.NO_DOUBLE: MISSED, Kind.DOUBLE: WRONG_DOUBLE, Kind.TAKE: WRONG_TAKE, Kind.PASS: WRONG_PASS, Kind.BEAVER: WRONG_TAKE}
_PART_OF_KIND: Final = np.array([_OF_CUBE.get(kind, PLAY) for kind in sorted(Kind)])
"""By kind of decision, the part that its error belongs to."""


def reaches(error: Any, border: float, limits: Thresholds) -> Any:
    """Whether an error, or each of many, is large enough for the grade that begins at a border.

    At the border it is, except in gnuBG, which compares in single precision and wants more. Two equities in single precision make a
    difference that is off by less than `AT_THE_BORDER`, and 0.5 - 0.42 is a blunder of 0.08 whatever its binary fraction says.
    """
    if limits.exclusive:
        return np.asarray(error, np.float32) > np.float32(border)
    return np.asarray(error) >= border - AT_THE_BORDER


def grade_of(error: float, limits: Thresholds) -> str:
    """The grade of one error: `doubtful`, `error`, `blunder`, or empty where it is too small for any."""
    grades = {"blunder": limits.blunder, "error": limits.error, "doubtful": limits.doubtful}
    return next((name for name, border in grades.items() if border is not None and reaches(error, border, limits)), "")


def graded(scored: Scored) -> Group:
    """Whether a row has each grade, its error and its loss, to be added up by the kind of decision."""
    plays, cubes = len(scored.match.plays), scored.match.cubes
    kind = np.full(len(scored.error), RESIGNED)
    kind[:plays] = PLAY
    kind[plays : plays + len(cubes)] = _PART_OF_KIND[cubes.kind]
    limits: Thresholds = scored.rules.value("Q12")
    doubtful = limits.error if limits.doubtful is None else limits.doubtful
    borders = zip(GRADES, (limits.error, limits.blunder, doubtful), strict=True)
    columns = {name: reaches(scored.error, border, limits) for name, border in borders}
    columns |= {"error of kind": scored.error, "loss of kind": scored.loss}
    return Group(scored.game, scored.player, columns, kind, KINDS)


def percent(chance: float) -> float | None:
    """A sum of winning chances in percentage points; `None` where the table does not have one of the scores."""
    return 100 * chance if chance == chance else None


def parts_and_grades(
    totals: Mapping[str, Sequence[Any]], seat: int, known: Mapping[str, bool], limits: Thresholds, *, in_match: bool
) -> dict[str, float | int | None]:
    """Losses by the kind of cube decision, and how many decisions have each grade, of one player.

    `totals` are the columns of `graded`, added up by seat and kind; `known` says which classes are analysed. Unknown figures are `None`.
    """
    errors, losses, cube = totals["error of kind"][seat], totals["loss of kind"][seat], known["double"]
    found: dict[str, float | int | None] = {f"equity_error.{name}": errors[code] if cube else None for name, code in CUBE_PARTS.items()}
    found |= {f"mwc_loss_percent.{name}": percent(losses[code]) if cube and in_match else None for name, code in CUBE_PARTS.items()}
    for grade in GRADES:
        exists, number = grade != "doubtful" or limits.doubtful is not None, totals[grade][seat]
        of = {"checker": number[PLAY], "double": number[MISSED] + number[WRONG_DOUBLE], "take": number[WRONG_TAKE] + number[WRONG_PASS]}
        found[f"{grade}.total"] = int(sum(of.values())) if exists and known["any"] else None
        found |= {f"{grade}.{name}": int(value) if exists and known[name] else None for name, value in of.items()}
    return found
