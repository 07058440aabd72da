"""The cases of the suite, by subject; `every` lists all of them in the order of the index."""

from __future__ import annotations

from functools import cache

from reconcile.suite.case import AREAS, Case
from reconcile.suite.cases.checkers import CHECKERS
from reconcile.suite.cases.cubes import CUBES
from reconcile.suite.cases.figures import FIGURES
from reconcile.suite.cases.matches import MATCHES


@cache
def every() -> tuple[Case, ...]:
    """All cases, area by area."""
    found = [case for make in (CHECKERS, CUBES, MATCHES, FIGURES) for case in make()]
    return tuple(sorted(found, key=lambda case: AREAS.index(case.area)))
