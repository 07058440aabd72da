"""Which questions can change a figure of a match at all, whatever their answers."""

from __future__ import annotations

from reconcile.columns import Kind
from reconcile.match import Match
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.dead_cubes import is_dead


def can_matter(code: str, match: Match) -> bool:
    """Whether the match has anything that a question is about; true for a question that is about every match."""
    if code == "Q16":  # rules do not know what a dead cube is
        return bool((is_dead(match) & (match.cubes.kind == Kind.NO_DOUBLE)).any())
    return QUESTIONS[code].matters(match)
