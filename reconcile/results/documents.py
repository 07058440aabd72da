"""What all JSON documents of the command line share; an unknown figure is null. Schemas are in `reconcile/schemas`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Final, Literal, cast

from reconcile.match import Source
from reconcile.scoring.findings import Finding
from reconcile.scoring.metrics import SHORT

if TYPE_CHECKING:
    from reconcile.gap.verdict import Figure
    from reconcile.results.models import comparison, shared

SCHEMA_VERSION: Final[Literal[1]] = 1


def dumps(document: object) -> str:
    """A document as text: stable, readable, strict JSON."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def source_document(source: Source) -> shared.Source:
    """Where a match came from."""
    return {
        "path": source.path,
        "sha256": source.sha256,
        "format": source.format,
        "tool": source.tool,
        "tool_version": source.tool_version,
    }


def finding_document(finding: Finding) -> shared.Finding:
    """A finding."""
    return cast("shared.Finding", asdict(finding))


def short_metric(name: str) -> str:
    """A figure or a share of it; totals have their short name."""
    plain, at, share = name.partition("@")
    return SHORT.get(plain, plain) + at + share


def figure_document(figure: Figure) -> comparison.Figure:
    """A figure on both sides with its verdict, or the share of a gap."""
    document = asdict(figure)
    del document["share"], document["overridden"]
    for side in ("left_range", "right_range"):
        if document[side] is None:
            del document[side]
    return cast("comparison.Figure", document | {"metric": short_metric(figure.name)})
