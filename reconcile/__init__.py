"""Recompute a backgammon match's statistics under each tool's own rules, and explain every gap.

    bytes --adapters--> Match --rules, met--> Statistics --+
                                                           +--> Comparison --> text, HTML, JSON, Markdown
    bytes --adapters--> Match --rules, met--> Statistics --+        |
                          +------ pairing ----> Pairing ------------+---- tolerances.yaml

    load_match(path) -> Match                statistics(match, rules="xg", met="Kazaross-XG2") -> Statistics
    compare(left, right, tolerances) -> Comparison          validate(pack, tolerances) -> PackResult
    investigate(match, player, {"pr": "9.23"}) -> Investigation

Every stage takes a frozen value and returns a new one; an unknown figure is `None` or NaN, never 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reconcile.errors import ReconcileError

__version__ = "0.1.0"
__all__ = [
    "Comparison",
    "Investigation",
    "Match",
    "PackResult",
    "ReconcileError",
    "Statistics",
    "__version__",
    "compare",
    "investigate",
    "load_match",
    "statistics",
    "validate",
]

if TYPE_CHECKING:
    from reconcile.adapters import load_match
    from reconcile.diagnosis.investigation import Investigation, investigate
    from reconcile.gap.comparison import Comparison, compare
    from reconcile.gate.pack_results import PackResult
    from reconcile.gate.validate import validate
    from reconcile.match import Match
    from reconcile.scoring.statistics import Statistics, statistics

_HOME = {
    "Comparison": "gap.comparison",
    "compare": "gap.comparison",
    "Investigation": "diagnosis.investigation",
    "investigate": "diagnosis.investigation",
    "Match": "match",
    "load_match": "adapters",
    "PackResult": "gate.validate",
    "validate": "gate.validate",
    "Statistics": "scoring.statistics",
    "statistics": "scoring.statistics",
}


def __getattr__(name: str) -> Any:
    # Looked up when used, so that the command line starts without what it does not need.
    if name in _HOME:
        from importlib import import_module

        return getattr(import_module(f"reconcile.{_HOME[name]}"), name)
    raise AttributeError(f"module 'reconcile' has no attribute {name!r}")
