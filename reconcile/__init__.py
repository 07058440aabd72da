"""Recompute a backgammon match's statistics under each tool's own rules, and explain every gap.

    bytes --formats---> Match --rules, met--> Statistics --+
                                                           +--> Comparison --> text, HTML, JSON, Markdown
    bytes --formats---> Match --rules, met--> Statistics --+        |
                          +------ pairing ----> Pairing ------------+---- tolerances.yaml

    load_match(path) -> Match                statistics(match, rules="xg", met="Kazaross-XG2") -> Statistics
    review(*matches) -> Review, of one match and its analyses
    compare(left, right, tolerances) -> Comparison          validate(pack, tolerances) -> PackResult
    analyse(match, "gnubg") -> Match                        convert(match, "match.mat")
    build_archive(paths, folder) -> Archive                 run_suite(command="prog {file}") -> SuiteRun
    investigate(match, player, {"pr": "9.23"}) -> Investigation            load_tolerances(path) -> Tolerances

Every stage takes a frozen value and returns a new one; an unknown figure is `None` or NaN, never 0.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reconcile.corpus.archive import Archive as Archive
    from reconcile.corpus.archive import open_archive as open_archive
    from reconcile.errors import (
        EngineError as EngineError,
    )
    from reconcile.errors import (
        InvalidArgument as InvalidArgument,
    )
    from reconcile.errors import (
        InvalidConfiguration as InvalidConfiguration,
    )
    from reconcile.errors import (
        InvalidQuery as InvalidQuery,
    )
    from reconcile.errors import (
        MissingPackage as MissingPackage,
    )
    from reconcile.errors import (
        NothingToCompare as NothingToCompare,
    )
    from reconcile.errors import (
        NotTheSameMatch as NotTheSameMatch,
    )
    from reconcile.errors import (
        ReconcileError as ReconcileError,
    )
    from reconcile.errors import (
        UnknownName as UnknownName,
    )
    from reconcile.errors import (
        UnreadableFile as UnreadableFile,
    )
    from reconcile.formats import load_match as load_match
    from reconcile.gap.comparison import Comparison as Comparison
    from reconcile.gap.comparison import compare as compare
    from reconcile.gap.review import Review as Review
    from reconcile.gap.review import review as review
    from reconcile.gap.tolerances import Tolerances as Tolerances
    from reconcile.gap.tolerances import load_tolerances as load_tolerances
    from reconcile.gap.verdict import Figure as Figure
    from reconcile.gate.pack_results import PackResult as PackResult
    from reconcile.gate.validate import validate as validate
    from reconcile.infer.investigation import Investigation as Investigation
    from reconcile.infer.investigation import investigate as investigate
    from reconcile.match.match import Match as Match
    from reconcile.match.met.table import Met as Met
    from reconcile.report.library import (
        analyse as analyse,
    )
    from reconcile.report.library import (
        build_archive as build_archive,
    )
    from reconcile.report.library import (
        convert as convert,
    )
    from reconcile.report.library import (
        equity_tables as equity_tables,
    )
    from reconcile.report.library import (
        metrics as metrics,
    )
    from reconcile.report.library import (
        pool as pool,
    )
    from reconcile.report.library import (
        rule_sets as rule_sets,
    )
    from reconcile.report.library import (
        run_suite as run_suite,
    )
    from reconcile.report.library import (
        samples as samples,
    )
    from reconcile.report.library import (
        to_html as to_html,
    )
    from reconcile.report.library import (
        to_json as to_json,
    )
    from reconcile.rules.rulesets import RuleSet as RuleSet
    from reconcile.scoring.decision_table import DecisionTable as DecisionTable
    from reconcile.scoring.findings import Finding as Finding
    from reconcile.scoring.pool import Pooled as Pooled
    from reconcile.scoring.statistics import Statistics as Statistics
    from reconcile.scoring.statistics import statistics as statistics
    from reconcile.version import __version__ as __version__

_NAMES = {
    "corpus.archive": ("Archive", "open_archive"),
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
    "formats": ("load_match",),
    "gap.comparison": ("Comparison", "compare"),
    "gap.review": ("Review", "review"),
    "gap.tolerances": ("Tolerances", "load_tolerances"),
    "gap.verdict": ("Figure",),
    "gate.pack_results": ("PackResult",),
    "gate.validate": ("validate",),
    "infer.investigation": ("Investigation", "investigate"),
    "match.match": ("Match",),
    "match.met.table": ("Met",),
    "report.library": (
        "analyse",
        "build_archive",
        "convert",
        "equity_tables",
        "metrics",
        "pool",
        "rule_sets",
        "run_suite",
        "samples",
        "to_html",
        "to_json",
    ),
    "rules.rulesets": ("RuleSet",),
    "scoring.decision_table": ("DecisionTable",),
    "scoring.findings": ("Finding",),
    "scoring.pool": ("Pooled",),
    "scoring.statistics": ("Statistics", "statistics"),
    "version": ("__version__",),
}
"""The public names of every module, which is imported when one is asked for."""
_HOME = {name: module for module, names in _NAMES.items() for name in names}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'reconcile' has no attribute {name!r}")
    return getattr(import_module(f"reconcile.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    """The public names, whether or not they have been used yet."""
    return list(__all__)
