"""Recompute a backgammon match's statistics under each tool's own rules, and explain every gap.

    bytes --formats---> Match --rules, met--> Statistics --+
                                                           +--> Comparison --> text, HTML, JSON, Markdown
    bytes --formats---> Match --rules, met--> Statistics --+        |
                          +------ pairing ----> Pairing ------------+---- tolerances.yaml

    load_match(path) -> Match                statistics(match, rules="xg", met="Kazaross-XG2") -> Statistics
    review(*matches) -> Review, of one match and its analyses
    compare(left, right, tolerances) -> Comparison          validate(pack, tolerances) -> PackResult
    investigate(match, player, {"pr": "9.23"}) -> Investigation            load_tolerances(path) -> Tolerances

Every stage takes a frozen value and returns a new one; an unknown figure is `None` or NaN, never 0.
"""

TYPE_CHECKING = False
"""As `typing` has it, which takes longer to import than everything else before the command line can answer an interrupt."""

__all__ = [
    "Archive",
    "Comparison",
    "DecisionTable",
    "EngineError",
    "Figure",
    "Finding",
    "InvalidArgument",
    "InvalidConfiguration",
    "InvalidQuery",
    "Investigation",
    "Match",
    "Met",
    "MissingPackage",
    "NotTheSameMatch",
    "NothingToCompare",
    "PackResult",
    "Pooled",
    "ReconcileError",
    "Review",
    "RuleSet",
    "Statistics",
    "Tolerances",
    "UnknownName",
    "UnreadableFile",
    "__version__",
    "compare",
    "equity_tables",
    "investigate",
    "load_match",
    "load_tolerances",
    "metrics",
    "open_archive",
    "pool",
    "review",
    "rule_sets",
    "samples",
    "statistics",
    "to_html",
    "to_json",
    "validate",
]

if TYPE_CHECKING:
    from reconcile.corpus.archive import Archive, open_archive
    from reconcile.errors import (
        EngineError,
        InvalidArgument,
        InvalidConfiguration,
        InvalidQuery,
        MissingPackage,
        NothingToCompare,
        NotTheSameMatch,
        ReconcileError,
        UnknownName,
        UnreadableFile,
    )
    from reconcile.formats import load_match
    from reconcile.gap.comparison import Comparison, compare
    from reconcile.gap.review import Review, review
    from reconcile.gap.tolerances import Tolerances, load_tolerances
    from reconcile.gap.verdict import Figure
    from reconcile.gate.pack_results import PackResult
    from reconcile.gate.validate import validate
    from reconcile.infer.investigation import Investigation, investigate
    from reconcile.match.match import Match
    from reconcile.match.met.table import Met
    from reconcile.report.library import (
        equity_tables,
        metrics,
        pool,
        rule_sets,
        samples,
        to_html,
        to_json,
    )
    from reconcile.rules.rulesets import RuleSet
    from reconcile.scoring.decision_table import DecisionTable
    from reconcile.scoring.findings import Finding
    from reconcile.scoring.pool import Pooled
    from reconcile.scoring.statistics import Statistics, statistics
    from reconcile.version import __version__
else:
    # Looked up when used, so that the command line starts without what it does not need. A type checker sees the imports above alone,
    # so that a misspelt name is an error there.
    _HOME = {
        "__version__": "version",
        "EngineError": "errors",
        "InvalidArgument": "errors",
        "InvalidConfiguration": "errors",
        "InvalidQuery": "errors",
        "MissingPackage": "errors",
        "NotTheSameMatch": "errors",
        "NothingToCompare": "errors",
        "ReconcileError": "errors",
        "UnknownName": "errors",
        "UnreadableFile": "errors",
        "Archive": "corpus.archive",
        "open_archive": "corpus.archive",
        "Comparison": "gap.comparison",
        "compare": "gap.comparison",
        "Review": "gap.review",
        "review": "gap.review",
        "Investigation": "infer.investigation",
        "investigate": "infer.investigation",
        "Match": "match.match",
        "load_match": "formats",
        "PackResult": "gate.pack_results",
        "validate": "gate.validate",
        "Statistics": "scoring.statistics",
        "statistics": "scoring.statistics",
        "Tolerances": "gap.tolerances",
        "load_tolerances": "gap.tolerances",
        "DecisionTable": "scoring.decision_table",
        "Figure": "gap.verdict",
        "Finding": "scoring.findings",
        "Met": "match.met.table",
        "RuleSet": "rules.rulesets",
        "Pooled": "scoring.pool",
        **dict.fromkeys(
            ("equity_tables", "metrics", "pool", "rule_sets", "samples", "to_html", "to_json"),
            "report.library",
        ),
    }

    def __getattr__(name: str) -> object:
        if name in _HOME:
            from importlib import import_module

            return getattr(import_module(f"reconcile.{_HOME[name]}"), name)
        raise AttributeError(f"module 'reconcile' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, whether or not they have been used yet."""
    return sorted(__all__)
