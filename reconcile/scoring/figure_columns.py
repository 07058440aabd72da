"""The figures of many owners (games or matches) at once, each as a column: what `Statistics.figures` gives for one of them.

Sums have the shape (owners, 2 seats) or (owners, 2 seats, classes); an unknown figure is NaN.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from reconcile.columns import Bools
from reconcile.rules.q12_thresholds import Thresholds
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.grades import CUBE_PARTS, GRADES, MISSED, PLAY, WRONG_DOUBLE, WRONG_PASS, WRONG_TAKE
from reconcile.scoring.metrics import MEMG_FACTOR, PR_FACTOR
from reconcile.scoring.statistics import CHECKER, CLASSES, DOUBLE, EXPECTED, TAKE

Table = npt.NDArray[Any]
Totals = Mapping[str, Table]
Numbers = npt.NDArray[np.float64]


def figure_columns(totals: Totals, rules: RuleSet, *, is_money: bool, one_point: Bools) -> dict[str, Numbers]:
    """All metrics but those of a whole match's luck, each of shape (owners, 2 seats); `one_point` says which owners are of such a match."""
    analysed = {part: totals[f"{part} analysed"] for part in EXPECTED}
    known_checker, known_cube = ((analysed[part] > 0) | (totals[EXPECTED[part]] == 0) for part in ("checker", "cube"))
    any_known = analysed["checker"] + analysed["cube"] > 0
    known = {"checker": known_checker, "double": known_cube, "take": known_cube}
    counted, errors, losses = totals["counted"], totals["error"], totals["loss"]
    decisions = decisions_of(counted)
    total = error_of(totals)
    moves, unforced = totals["moves"], totals["unforced"]
    both = moves + moves[:, ::-1]
    scale = _of_decisions(rules, one_point)
    in_match = not is_money
    return {
        "pr": pr_of(rules, one_point, total, decisions),
        "checker_pr": _rate(PR_FACTOR * scale, errors[..., CHECKER], counted[..., CHECKER]),
        "cube_pr": _rate(PR_FACTOR * scale, errors[..., DOUBLE] + errors[..., TAKE], counted[..., DOUBLE] + counted[..., TAKE]),
        "error_rate_memg": _rate(MEMG_FACTOR * scale, total, decisions),
        "snowie_er": _rate(PR_FACTOR, total, both),
        "snowie_memg": _rate(MEMG_FACTOR, total, both),
        "decisions.counted": decisions,
        **{f"decisions.{name}": counted[..., code] for name, code in CLASSES.items()},
        "moves.total": moves,
        "moves.unforced": unforced,
        "moves.forced": moves - unforced,
        "equity_error.total": total,
        **{f"equity_error.{name}": _if(known[name], errors[..., code]) for name, code in CLASSES.items()},
        "mwc_loss_percent.total": _if(any_known & in_match, 100 * _added(losses)),
        **{f"mwc_loss_percent.{name}": _if(known[name] & in_match, 100 * losses[..., code]) for name, code in CLASSES.items()},
        **_parts_and_grades(totals, known | {"any": any_known}, rules.value("Q12"), in_match=in_match),
        **_luck(totals, in_match=in_match),
    }


def decisions_of(counted: Table) -> Table:
    """The number of decisions that count, of all classes."""
    decisions: Table = counted.sum(axis=-1)
    return decisions


def scale_of(rules: RuleSet, one_point: Bools) -> Numbers:
    """By which the rates of each owner are multiplied, shape (owners, 1)."""
    scale: Numbers = np.where(one_point, rules.value("Q09"), 1.0)[:, np.newaxis]
    return scale


def _of_decisions(rules: RuleSet, one_point: Bools) -> Numbers:
    """The same of rates per decision, which are unknown where a program rates moves alone."""
    return scale_of(rules, one_point) if rules.rates_decisions else np.full((len(one_point), 1), np.nan)


def pr_of(rules: RuleSet, one_point: Bools, total: Numbers, decisions: Table) -> Numbers:
    """PR of equity lost (EMG, NaN if unknown) over counted decisions."""
    pr, cap = _rate(PR_FACTOR * _of_decisions(rules, one_point), total, decisions), rules.value("Q13")
    return pr if cap is None else np.where(pr > cap, cap, pr)


def error_of(totals: Totals) -> Numbers:
    """Equity lost (EMG) in all classes; NaN where nothing is analysed."""
    return _if(totals["checker analysed"] + totals["cube analysed"] > 0, _added(totals["error"]))


def _added(table: Table) -> Table:
    """The sum over the last axis in the order of its classes."""
    added: Table = table[..., 0]
    for code in range(1, table.shape[-1]):
        added = added + table[..., code]
    return added


def _if(known: Bools | bool, values: Table) -> Numbers:
    found: Numbers = np.where(known, values, np.nan)
    return found


def _rate(factor: float | Numbers, total: Table, number: Table) -> Numbers:
    """A rate; NaN where nothing is counted."""
    found: Numbers = factor * total / np.where(number > 0, number, np.nan)
    return found


def _parts_and_grades(totals: Totals, known: Mapping[str, Bools], limits: Thresholds, *, in_match: bool) -> dict[str, Numbers]:
    errors, losses, cube = totals["error of kind"], totals["loss of kind"], known["double"]
    found = {f"equity_error.{name}": _if(cube, errors[..., code]) for name, code in CUBE_PARTS.items()}
    found |= {f"mwc_loss_percent.{name}": _if(cube & in_match, 100 * losses[..., code]) for name, code in CUBE_PARTS.items()}
    for grade in GRADES:
        exists, number = grade != "doubtful" or limits.doubtful is not None, totals[grade]
        of = {
            "checker": number[..., PLAY],
            "double": number[..., MISSED] + number[..., WRONG_DOUBLE],
            "take": number[..., WRONG_TAKE] + number[..., WRONG_PASS],
        }
        found[f"{grade}.total"] = _if(known["any"] & exists, of["checker"] + of["double"] + of["take"])
        found |= {f"{grade}.{name}": _if(known[name] & exists, value) for name, value in of.items()}
    return found


def _luck(totals: Totals, *, in_match: bool) -> dict[str, Numbers]:
    own = totals["luck analysed"] > 0
    both = own & own[:, ::-1]
    luck, chance, rolls = totals["luck"], totals["chance"], totals["rolls with luck"]
    net = luck - luck[:, ::-1]
    return {
        "luck.equity": _if(own, luck),
        "luck.mwc_percent": _if(own & in_match, 100 * chance),
        "luck.jokers": _if(own, totals["jokers"]),
        "luck.rolls": _if(own, rolls),
        "luck.net_equity": _if(both, net),
        "luck.net_mwc_percent": _if(both & in_match, 100 * (chance - chance[:, ::-1])),
        "luck.rate": _if(both, _rate(1.0, net, rolls + rolls[:, ::-1])),
    }
