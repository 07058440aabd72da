"""Recompute a backgammon match's statistics under each tool's own rules, and explain every gap.

    bytes --formats---> Match --rules, met--> Statistics --+
                                                           +--> Comparison --> text, HTML, JSON
    bytes --formats---> Match --rules, met--> Statistics --+        |
                          +------ pairing ----> Pairing ------------+---- tolerances.yaml

    load_match(path) -> Match
    statistics(match, rules="xg", met="Kazaross-XG2") -> Statistics
    review(*matches) -> Review, of one match and its analyses
    compare(left, right, tolerances) -> Comparison
    investigate(match, player, {"pr": "9.23"}) -> Investigation
    validate(pack, tolerances) -> PackResult
    load_tolerances(path) -> Tolerances
    analyse(match, "gnubg") -> Match
    convert(match, "match.mat")
    build_archive(paths, folder) -> Archive
    run_suite(command="prog {file}") -> SuiteRun

Every stage takes a frozen value and returns a new one; an unknown figure is `None` or NaN, never 0.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reconcile.corpus.archive import Archive, build_archive, open_archive
    from reconcile.engines.second_opinion import analyse
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
    from reconcile.files.bundled import samples
    from reconcile.formats import load_match
    from reconcile.formats.mat.writer import convert
    from reconcile.gap.comparison import Comparison, compare
    from reconcile.gap.review import Review, review
    from reconcile.gap.tolerances import Tolerances, load_tolerances
    from reconcile.gap.verdict import Figure
    from reconcile.gate.pack_results import PackResult
    from reconcile.gate.validate import validate
    from reconcile.infer.investigation import Investigation, investigate
    from reconcile.match.match import Match
    from reconcile.match.met import equity_tables
    from reconcile.match.met.table import Met
    from reconcile.report.forms import to_html, to_json
    from reconcile.rules.rulesets import RuleSet, rule_sets
    from reconcile.scoring.decisions import DecisionTable
    from reconcile.scoring.figures import metrics
    from reconcile.scoring.findings import Finding
    from reconcile.scoring.pool import Pooled, pool
    from reconcile.scoring.statistics import Statistics, statistics
    from reconcile.suite.run import run_suite
    from reconcile.version import __version__

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
    "analyse",
    "build_archive",
    "compare",
    "convert",
    "equity_tables",
    "investigate",
    "load_match",
    "load_tolerances",
    "metrics",
    "open_archive",
    "pool",
    "review",
    "rule_sets",
    "run_suite",
    "samples",
    "statistics",
    "to_html",
    "to_json",
    "validate",
]
_NAMES = {
    "corpus.archive": ("Archive", "build_archive", "open_archive"),
    "engines.second_opinion": ("analyse",),
    "errors": (
        "EngineError",
        "InvalidArgument",
        "InvalidConfiguration",
        "InvalidQuery",
        "MissingPackage",
        "NotTheSameMatch",
        "NothingToCompare",
        "ReconcileError",
        "UnknownName",
        "UnreadableFile",
    ),
    "files.bundled": ("samples",),
    "formats": ("load_match",),
    "formats.mat.writer": ("convert",),
    "gap.comparison": ("Comparison", "compare"),
    "gap.review": ("Review", "review"),
    "gap.tolerances": ("Tolerances", "load_tolerances"),
    "gap.verdict": ("Figure",),
    "gate.pack_results": ("PackResult",),
    "gate.validate": ("validate",),
    "infer.investigation": ("Investigation", "investigate"),
    "match.match": ("Match",),
    "match.met": ("equity_tables",),
    "match.met.table": ("Met",),
    "report.forms": ("to_html", "to_json"),
    "rules.rulesets": ("RuleSet", "rule_sets"),
    "scoring.decisions": ("DecisionTable",),
    "scoring.figures": ("metrics",),
    "scoring.findings": ("Finding",),
    "scoring.pool": ("Pooled", "pool"),
    "scoring.statistics": ("Statistics", "statistics"),
    "suite.run": ("run_suite",),
    "version": ("__version__",),
}
"""The public names of every module, which is imported when one is asked for."""
_HOME = {name: module for module, names in _NAMES.items() for name in names}


if not TYPE_CHECKING:  # so that a checker of types refuses a misspelt name

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module 'reconcile' has no attribute {name!r}")
        return getattr(import_module(f"reconcile.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    """The public names, whether or not they have been used yet."""
    return list(__all__)
