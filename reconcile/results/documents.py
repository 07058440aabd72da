"""What documents have in common beside the results that are documents themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from reconcile.document import document
from reconcile.match import Source
from reconcile.scoring.findings import Finding

if TYPE_CHECKING:
    from reconcile.results.models import shared


def picked(one: object, *names: str) -> dict[str, Any]:
    """Attributes that are keys of a document under the same names."""
    return {name: getattr(one, name) for name in names}


def source_document(source: Source) -> shared.Source:
    """Where a match came from."""
    return cast("shared.Source", document(source))


def finding_document(finding: Finding) -> shared.Finding:
    """A finding."""
    return cast("shared.Finding", document(finding))
