"""What a reference match has for a figure of a candidate: what its tool reported, what we compute, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence

from reconcile.files.names import fold
from reconcile.gap.bounds import Gate
from reconcile.gap.verdict import Figure
from reconcile.gate.candidates.claims import Stated
from reconcile.gate.candidates.explain import both_players
from reconcile.gate.manifest import Manifest
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.open_rules import Range, dead_cubes_of, open_range, range_of
from reconcile.scoring.statistics import Statistics


def computed(ours: Statistics | None, seat: int | None, metric: str) -> float | None:
    """Our figure of a player, or of both if there is no seat; `None` without the file."""
    if ours is None:
        return None
    return both_players(ours, metric) if seat is None else ours.figures(seat)[metric]


def computed_range(ours: Statistics | None, seat: int | None, metric: str) -> Range | None:
    """The lowest and the highest that our figure may be, where not all of a rule or of a file is known; `None` where it is one number."""
    if ours is None:
        return None
    if seat is not None:
        return open_range(ours).figures[seat].get(metric)
    both = range_of([ours], lambda each: [{name: both_players(each[0], name) for name in METRICS}], [sum(dead_cubes_of(ours))])
    return both.figures[0].get(metric)


def reported_by_tool(manifest: Manifest, handle: str, rules: str, metric: str, seat: int, players: Sequence[str]) -> str | None:
    """A figure, as printed, that the tool reported under the same rules, according to the manifest."""
    for entry in manifest.reported:
        if entry.file != handle or entry.rules != rules:
            continue
        for name, printed in entry.players.items():
            is_players = int(name) - 1 == seat if entry.by_seat and name in ("1", "2") else fold(name) == fold(players[seat])
            if is_players and metric in printed:
                return printed[metric]
    return None


def unbounded(gate: Gate, figure: Figure, table: str) -> str:
    """Why nothing bounds a figure, in words."""
    bound = gate.of(figure.metric, figure.player)
    return f"table {table} has {'no bound' if bound is None else 'the level off'} for {figure.metric}"


def missing_parts(ours: Statistics | None, seat: int | None, one: Stated) -> str:
    """What is missing in the reference's analysis for a figure, in words."""
    if ours is None:
        return ""
    words = {"checker": "checker plays", "cube": "cube decisions", "luck": "rolls"}
    lacking = []
    for part in METRICS[one.metric].parts:
        covered = [ours.completeness(player)[part] for player in ((0, 1) if seat is None else (seat,))]
        if not all(one.complete for one in covered):
            analysed, expected = (sum(counts) for counts in zip(*((c.analysed, c.expected) for c in covered), strict=True))
            lacking.append(f"left: {analysed} of {expected} {words[part]}")
    return "; ".join(lacking)
