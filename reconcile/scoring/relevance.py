"""Which questions can change a figure of a match at all, whatever their answers."""

from __future__ import annotations

from reconcile.columns import Kind
from reconcile.match import Match
from reconcile.scoring.dead_cubes import is_dead


def can_matter(code: str, match: Match) -> bool:
    """Whether the match has anything that a question is about; true for a question that is about every match."""
    cubes = match.cubes
    match code:
        case "Q07":
            return bool((match.resignations.stored_error > 0).any())
        case "Q09":
            return match.length == 1
        case "Q14":
            return bool((cubes.answers_beaver | (cubes.access != cubes.recount_access)).any())
        case "Q15":
            return bool((cubes.kind > Kind.NO_DOUBLE).any())
        case "Q16":
            return bool((is_dead(match) & (cubes.kind == Kind.NO_DOUBLE)).any())
    return True
