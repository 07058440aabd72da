"""The documents that are judged, made by the program; nothing here looks into them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from reconcile.document import document
from reconcile.gap.comparison import compare
from reconcile.gap.review import review
from reconcile.match.match import Match
from reconcile.results.comparison import ComparisonDocument, comparison_document, ledger, moving_decisions
from reconcile.results.comparison import compared as compared_as
from reconcile.results.review import review_document
from tests.support.balance import ANY_GAP

Document = Mapping[str, Any]


def compared(left: Match, right: Match, *, whole: bool = True, **options: Any) -> Document:
    """The document of `compare` of two files, whatever is analysed in them; if not `whole`, without games and bridges but that of PR."""
    found = compare(left, right, ANY_GAP, **options)
    if whole:
        return cast("Document", document(comparison_document(found)))
    bridges, alone = found.walk.bridges(("pr",)), replace(found, by_game=())
    more: dict[str, Any] = {"bridge": bridges, "ledger": ledger(found.walk, bridges), "decisions": moving_decisions(found.walk)}
    return cast("Document", document(compared_as(ComparisonDocument, alone, **more)))


def several(matches: Sequence[Match]) -> Document:
    """The document of `compare` of several files."""
    return cast("Document", document(review_document(review(*matches))))
