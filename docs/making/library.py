"""The page of the public functions and their results; mkdocstrings reads what the code says of
each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import reconcile
from docs.making.markdown import heading, page
from reconcile import errors as raised
from reconcile.gap.bounds import Bound, KnownGap, Override, Special, Table, Tolerance
from reconcile.gap.explanation import ExplainedGap, GapRow
from reconcile.gap.review import ReviewedFigure
from reconcile.gap.verdict import Figure
from reconcile.gap.walk import Bridge, Step
from reconcile.gate.cells import Missing
from reconcile.gate.match_results import MatchResult
from reconcile.infer.checks import HoldingCheck
from reconcile.infer.investigation import Difference, Explanation
from reconcile.match.columns import Cubes, Games, Plays
from reconcile.match.match import Candidate, Decision, Level
from reconcile.scoring.statistics import Coverage

SECTIONS: Final[Mapping[Callable[..., Any], tuple[type, ...]]] = {
    reconcile.load_match: (reconcile.Match, Games, Plays, Cubes, Decision, Candidate, Level),
    reconcile.statistics: (reconcile.Statistics, Coverage),
    reconcile.review: (reconcile.Review, ReviewedFigure, ExplainedGap, GapRow),
    reconcile.compare: (reconcile.Comparison, Figure, Bridge, Step),
    reconcile.investigate: (
        reconcile.Investigation,
        Explanation,
        Difference,
        HoldingCheck,
    ),
    reconcile.validate: (reconcile.PackResult, MatchResult, Missing),
    reconcile.load_tolerances: (
        reconcile.Tolerances,
        Table,
        Bound,
        Tolerance,
        Special,
        Override,
        KnownGap,
    ),
    reconcile.open_archive: (reconcile.Archive,),
    reconcile.build_archive: (),
    reconcile.convert: (),
    reconcile.analyse: (),
    reconcile.run_suite: (),
    reconcile.to_html: (),
    reconcile.to_json: (),
    reconcile.pool: (),
    reconcile.samples: (),
    reconcile.metrics: (),
    reconcile.rule_sets: (),
    reconcile.equity_tables: (),
}
"""The public functions, each with the types of its result and those a user meets inside them."""
FUNCTIONS: Final = tuple(SECTIONS)
RESULTS: Final = tuple(kind for kinds in SECTIONS.values() for kind in kinds)
TYPES: Final[tuple[type, ...]] = (
    reconcile.DecisionTable,
    reconcile.Finding,
    reconcile.Met,
    reconcile.Pooled,
    reconcile.RuleSet,
)
"""Further types in the signatures of what is public."""


def reference_page() -> str:
    """Every public function, and every type with its attributes and the columns of its tables."""
    errors = [
        kind
        for _, kind in sorted(vars(raised).items())
        if isinstance(kind, type) and issubclass(kind, reconcile.ReconcileError)
    ]
    return page(
        "Library reference",
        "Every public function with its arguments, the attributes of its results, and the "
        "columns of their tables. "
        "[Library](library.md) has an example of each and says what the results have in common.",
        *(
            text
            for function, kinds in SECTIONS.items()
            for text in (documented(function), *map(documented, kinds))
        ),
        heading(2, "Types in signatures", "types"),
        "These are public as well, for annotations and `isinstance`. A rule set and a match equity "
        "table can be given by name, by file or as a mapping, so few programs need the types.",
        *map(documented, TYPES),
        heading(2, "Errors", "errors"),
        "Each is a `ReconcileError`. Its text is one line. Any other exception is a bug of "
        "this program.",
        *map(documented, errors),
    )


def documented(member: Callable[..., Any]) -> str:
    """What mkdocstrings replaces by the documentation of a function or of a type."""
    level = 3 if isinstance(member, type) else 2
    name = f"{member.__module__}.{member.__name__}"
    return f"::: {name}\n    options: {{heading_level: {level}}}"
