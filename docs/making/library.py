"""The page of the public functions and their results; mkdocstrings reads what the code says of
each."""

from __future__ import annotations

from inspect import isfunction
from typing import Any

import reconcile
from docs.making.markdown import heading, page
from reconcile.gap.bounds import Bound, KnownGap, Override, Special, Table, Tolerance
from reconcile.gap.explanation import ExplainedGap, GapRow
from reconcile.gap.review import ReviewedFigure
from reconcile.gap.walk import Bridge, Step
from reconcile.gate.match_results import MatchResult, Missing
from reconcile.infer.investigation import Difference, Explanation
from reconcile.infer.reported import HoldingCheck
from reconcile.match.columns import Cubes, Games, Plays
from reconcile.match.match import Candidate, Decision, Level
from reconcile.scoring.statistics import Coverage

INSIDE: tuple[type, ...] = (
    *(Games, Plays, Cubes, Decision, Candidate, Level, Coverage),
    *(ReviewedFigure, ExplainedGap, GapRow, Bridge, Step, Explanation, Difference, HoldingCheck),
    *(MatchResult, Missing, Table, Bound, Tolerance, Special, Override, KnownGap),
)
"""The types that a user meets in results: of a match and its statistics, of gaps and
investigations, of packs and tolerances."""
PUBLIC: list[Any] = [getattr(reconcile, name) for name in reconcile.__all__]
FUNCTIONS = [each for each in PUBLIC if isfunction(each)]
TYPES = [each for each in PUBLIC if isinstance(each, type)]
ERRORS = [each for each in TYPES if issubclass(each, reconcile.ReconcileError)]
RESULTS = [each for each in (*TYPES, *INSIDE) if each not in ERRORS]


def reference_page() -> str:
    """Every public function, and every type with its attributes and the columns of its tables."""
    return page(
        "Library reference",
        "Every public function with its arguments, the attributes of its results, and the "
        "columns of their tables. "
        "[Library](library.md) has an example of each and says what the results have in common.",
        *map(documented, FUNCTIONS),
        heading(2, "Results and what is in them", "types"),
        "A rule set and a match equity table can be given by name, by file or as a mapping, so few "
        "programs need their types.",
        *map(documented, RESULTS),
        heading(2, "Errors", "errors"),
        "Each is a `ReconcileError`. Its text is one line. Any other exception is a bug of "
        "this program.",
        *map(documented, ERRORS),
    )


def documented(member: Any) -> str:
    """What mkdocstrings replaces by the documentation of a function or of a type."""
    level = 3 if isinstance(member, type) else 2
    return f"::: {member.__module__}.{member.__name__}\n    options: {{heading_level: {level}}}"
