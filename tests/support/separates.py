"""Which cases of the suite fail together, and which case decides about a fault: from the known
faults.

    python -m tests.support.separates

writes both files of the program anew, which takes minutes; tests hold them against the faults.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from typing import Final

from reconcile.infer.catalogue import DECIDING, Fault, all_faults, program_figures
from reconcile.infer.changes import Both
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.metrics import METRICS
from reconcile.suite.cases import SEPARATES, Case, every

UNDER_RULES: Final = ("xg", "gnubg")
"""Rule sets under which an edge may show."""
SINGLE_PRECISION: Final = 2e-6
"""EMG; the files of a match in two formats differ by as much, a rate by its factor times that, and
a percentage by ten times."""
IN_PERCENT: Final = 10


def precision(name: str) -> float:
    """By how much a figure may differ between the files of a match in two formats."""
    figure = METRICS[name]
    return SINGLE_PRECISION * (IN_PERCENT if figure.in_mwc else max(figure.factor, 1.0))


def differ(left: Both, right: Both) -> bool:
    """Whether any figure of either player differs by more than files in single precision do."""
    return any(
        _differs(name, value, theirs[name])
        for own, theirs in zip(left, right, strict=True)
        for name, value in own.items()
    )


def _differs(name: str, left: float | None, right: float | None) -> bool:
    if left is None or right is None:
        return left is not right
    gap = left - right if METRICS[name].is_signed else abs(left) - abs(right)
    return abs(gap) > 2 * precision(name)


@lru_cache(maxsize=1000)
def _right(match: Match, name: str) -> Both:
    return program_figures(match, RULE_SETS[name])


def changed(case: Case, fault: Fault) -> bool:
    """Whether a fault changes a figure of a case under any of the rule sets."""
    match = case.read(case.formats[0])
    try:
        return any(
            differ(_right(match, name), program_figures(match, RULE_SETS[name], (fault,)))
            for name in UNDER_RULES
        )
    except ValueError:  # a score that no match has
        return False


def main() -> None:
    """Write both files anew."""
    failing: dict[str, list[int]] = {fault.code: [] for fault in all_faults()}
    for place, case in enumerate(every()):
        for code in dict.fromkeys(fault.code for fault in all_faults() if changed(case, fault)):
            failing[code].append(place)
    times = Counter(place for places in failing.values() for place in places)
    edges = dict.fromkeys(case.edge for case in every())
    packed = {edge: f"{sum(1 << place for place in failing[edge]):x}" for edge in edges}
    SEPARATES.write_text(json.dumps(packed, indent=0) + "\n", "utf-8")
    deciding = {case.question: case.id for case in every()[::-1] if case.question in case.reads}
    for code, places in failing.items():
        own = [place for place in places if every()[place].edge == code]
        if places:
            best = own[0] if own else min(places, key=lambda place: times[place])
            deciding[code] = every()[best].id
    DECIDING.write_text(json.dumps(deciding, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main()
