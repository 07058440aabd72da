"""What documents have in common beside the results that are documents themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from reconcile.document import Document, Sha256, Text, document
from reconcile.match import Match
from reconcile.match import Source as MatchSource
from reconcile.scoring.findings import Finding

if TYPE_CHECKING:
    from reconcile.gap.verdict import Figure
    from reconcile.results.models import comparison, shared


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(Document):
    """A file, so that anyone can check a figure against the same bytes."""

    path: str
    """As given; `-` for standard input."""
    sha256: Sha256
    """SHA-256 of its bytes."""
    format: Text
    """Format found in its content."""
    tool: Text
    """The program that wrote it."""
    tool_version: str | None
    """As stated in the file; null if the format does not say."""


def source_of(match: Match) -> Source:
    """Where a match came from."""
    source = match.source
    return Source(path=source.path, sha256=source.sha256, format=source.format, tool=source.tool, tool_version=source.tool_version)


def picked(one: object, *names: str) -> dict[str, Any]:
    """Attributes that are keys of a document under the same names."""
    return {name: getattr(one, name) for name in names}


def source_document(source: MatchSource) -> shared.Source:
    """Where a match came from."""
    return cast("shared.Source", picked(source, "path", "sha256", "format", "tool", "tool_version"))


def finding_document(finding: Finding) -> shared.Finding:
    """A finding."""
    return cast("shared.Finding", document(finding))


def figure_document(figure: Figure) -> comparison.Figure:
    """A figure on both sides with its verdict, or the share of a gap."""
    return cast("comparison.Figure", document(figure))
