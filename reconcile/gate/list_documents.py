"""Lists of decisions beside their references, as parts of JSON documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reconcile.gate.candidates.list_result import ListResult, sentence
from reconcile.gate.candidates.pooled_lists import PooledList

if TYPE_CHECKING:
    from reconcile.results.models import decisions as models


def list_document(result: ListResult) -> models.ListedDecisions:
    """A list compared row by row."""
    return {
        "rows": result.rows,
        "paired": result.paired,
        "unlisted": result.unlisted,
        "unit": result.listed.rows.unit,
        "fault": result.fault,
        "differing": [
            {
                "what": one.what,
                "row": one.line,
                "game": one.game,
                "turn": one.turn,
                "player": one.player,
                "kind": one.kind.label,
                "counted": list(one.counted),
                "error": list(one.error),
                "pr": one.pr,
                "questions": list(one.questions),
                "agreeing": list(one.agreeing),
                "sentence": sentence(one, result),
                "xgid": one.xgid or None,
                "gnubg_id": one.gnubg_id or None,
            }
            for one in result.differing
        ],
        "unpaired": [{"row": row.line, "why": row.why, "text": row.text} for row in result.unpaired],
        "borders": [
            {"question": one.question, "measure": one.what, "counts": one.counts, "not_counts": one.not_counts, "moved": one.moved}
            for one in result.borders
        ],
        "rule_sets": result.counts,
    }


def pooled_document(pooled: PooledList) -> models.PooledLists:
    """The lists of one program over all matches."""
    return {
        "candidate": pooled.candidate,
        "rules": pooled.rules,
        "matches": len(pooled.lists),
        "rows": pooled.rows,
        "paired": pooled.paired,
        "differing": pooled.differing,
        "rule_sets": pooled.counts,
        "sentences": list(pooled.sentences),
    }
