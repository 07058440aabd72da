"""Backgammon programs, run and stopped as separate processes."""

from __future__ import annotations

from collections.abc import Callable

from reconcile.match.match import Match


def with_opinions(
    matches: list[Match], engines: str | None, progress: Callable[[str, int, int | None], None]
) -> list[Match]:
    """The matches, and after them the first as engines analyse it, named as `engines_asked` takes
    them; a single match without an analysis is not among them if two engines analyse it.

    Raises what `opinions` raises.
    """
    if engines is None:
        return matches
    from reconcile.engines.second_opinion import opinions

    analyses = opinions(matches[0], engines, progress)
    is_plain = len(matches) == 1 and not matches[0].has_analysis
    return analyses if is_plain and len(analyses) > 1 else [*matches, *analyses]
