"""Which cases fail together: generated from the known faults, kept in `separates.json`, and checked by a test.

    python -m reconcile.suite.separates

makes the file anew, which takes minutes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from reconcile.infer.faults import known
from reconcile.infer.scorer import Both, Fault, figures
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.metrics import METRICS
from reconcile.suite.cases import every
from reconcile.suite.content import CaseFiles

FILE: Final = Path(__file__).with_name("separates.json")
UNDER: Final = ("xg", "gnubg")
"""Rule sets under which an edge may show."""
SINGLE: Final = 2e-6
"""EMG; the files of a match in two formats differ by as much, a rate by its factor times that, and a percentage by ten times."""
IN_PERCENT: Final = 10


@cache
def separates() -> Mapping[str, tuple[str, ...]]:
    """By id, the other cases that fail when the edge of a case is wrong."""
    together = {edge: _unpacked(bits) for edge, bits in json.loads(FILE.read_text("utf-8")).items()}
    return {
        case.id: tuple(one for one in together.get(case.edge, ()) if one != case.id)
        for case in every()
    }


def _packed(ids: Sequence[str]) -> str:
    """Cases as a number in hexadecimal, a bit for each in the order of the suite."""
    places = {case.id: place for place, case in enumerate(every())}
    return f"{sum(1 << places[one] for one in ids):x}"


def _unpacked(bits: str) -> tuple[str, ...]:
    number = int(bits, 16)
    return tuple(case.id for place, case in enumerate(every()) if number >> place & 1)


def differ(one: Both, two: Both) -> bool:
    """Whether any figure of either player differs by more than files in single precision do."""
    return any(
        _differs(name, value, other[name])
        for own, other in zip(one, two, strict=True)
        for name, value in own.items()
    )


def precision(name: str) -> float:
    """By how much a figure may differ between the files of a match in two formats."""
    one = METRICS[name]
    return SINGLE * (IN_PERCENT if one.in_mwc else max(one.factor, 1.0))


def _differs(name: str, one: float | None, two: float | None) -> bool:
    if one is None or two is None:
        return one is not two
    return abs(one - two if METRICS[name].is_signed else abs(one) - abs(two)) > 2 * precision(name)


def changed(files: Sequence[CaseFiles], faults: Sequence[Fault]) -> list[str]:
    """The ids of the cases of which any of these faults changes a figure, under any of the rule sets."""
    return [
        one.case.id
        for one in files
        if any(_changed(one, fault, name) for name in UNDER for fault in faults)
    ]


@lru_cache(maxsize=1000)
def _right(match: Match, name: str) -> Both:
    return figures(match, RULE_SETS[name])


def _changed(files: CaseFiles, fault: Fault, name: str) -> bool:
    match = next(iter(files.matches.values()))
    try:
        return differ(_right(match, name), figures(match, RULE_SETS[name], (fault,)))
    except ValueError:  # a score that no match has
        return False


def main() -> None:
    """Write the file anew."""
    files = [CaseFiles(case) for case in every()]
    edges = dict.fromkeys(case.edge for case in every())
    found = {edge: changed(files, [one for one in known() if one.code == edge]) for edge in edges}
    packed = {edge: _packed(ids) for edge, ids in found.items()}
    FILE.write_text(json.dumps(packed, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main()
