"""What all JSON documents of the command line share; an unknown figure is null. Schemas are in `reconcile/schemas`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from json.encoder import encode_basestring
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from reconcile.match import Source
from reconcile.scoring.findings import Finding
from reconcile.scoring.metrics import SHORT

if TYPE_CHECKING:
    from reconcile.gap.verdict import Figure
    from reconcile.results.models import comparison, shared

SCHEMA_VERSION: Final[Literal[1]] = 1


def dumps(document: object) -> str:
    """A document as text: stable, readable, strict JSON."""
    return _text(document, "\n") + "\n"


def _text(value: object, margin: str) -> str:
    """What `json.dumps` makes with an indent of 2, in less than half its time; `margin` begins a line."""
    kind = type(value)
    if kind is str:
        return encode_basestring(cast("str", value))
    if kind is int or (kind is float and isfinite(cast("float", value))):
        return repr(value)
    inner = f"{margin}  "
    if isinstance(value, dict) and value:
        return "{" + ",".join([f"{inner}{encode_basestring(key)}: {_text(one, inner)}" for key, one in value.items()]) + margin + "}"
    if isinstance(value, (list, tuple)) and value:
        return "[" + ",".join([inner + _text(one, inner) for one in value]) + margin + "]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def in_list(documents: Iterable[str]) -> str:
    """Documents that are text already as one list, as `dumps` writes it."""
    items = [document.rstrip("\n").replace("\n", "\n  ") for document in documents]
    return "[\n  " + ",\n  ".join(items) + "\n]\n"


def picked(one: object, *names: str) -> dict[str, Any]:
    """Attributes that are keys of a document under the same names."""
    return {name: getattr(one, name) for name in names}


def source_document(source: Source) -> shared.Source:
    """Where a match came from."""
    return cast("shared.Source", picked(source, "path", "sha256", "format", "tool", "tool_version"))


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
    for side in ("left_range", "right_range", "gap_range"):
        if document[side] is None:
            del document[side]
    return cast("comparison.Figure", document | {"metric": short_metric(figure.name)})
