"""Single decisions of a gap: both analyses, the cause, and IDs for either tool; and all of them as
a ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reconcile.gap.bridge import CAUSES, Bridge, Contribution, SideOfDecision
from reconcile.gap.naming import level_name, pair_labels, tool_name
from reconcile.gap.paired_decisions import level_label
from reconcile.gap.rows import apart
from reconcile.gap.walk import Walk
from reconcile.match.all_rows import located
from reconcile.match.columns import Cubes, Plays
from reconcile.scoring.metrics import CHECKER, LEADING
from reconcile.scoring.score import Scored

if TYPE_CHECKING:
    import pandas as pd


def sides_of(walk: Walk, item: int) -> tuple[SideOfDecision | None, SideOfDecision | None]:
    """What the left and the right file say of an item of a walk."""
    left, right = int(walk.items.left[item]), int(walk.items.right[item])
    return side_of_decision(walk.left, left), side_of_decision(walk.right, right)


def identifiers(walk: Walk, item: int) -> tuple[str, str]:
    """XGID and gnuBG's `Position ID:Match ID` of an item; empty where there is no such ID (a
    resignation)."""
    left, right = int(walk.items.left[item]), int(walk.items.right[item])
    scored, row = (walk.left, left) if left >= 0 else (walk.right, right)
    return scored.facts.identifiers(row)


def opinions(*sides: SideOfDecision | None) -> tuple[str, str]:
    """What either side says of a decision: the error, with the digits that show how they differ,
    and whether it does not count."""
    errors = [None if side is None else side.error for side in sides]
    numbers = apart(*(error or 0.0 for error in errors))
    words = []
    for side, error, number in zip(sides, errors, numbers, strict=True):
        if side is None:
            words.append("does not have it")
        elif error is None:
            words.append("not analysed")
        elif side.counted:
            words.append(number)
        else:
            words.append(f"{number}, not counted" if float(number) else "not counted")
    return words[0], words[1]


def side_of_decision(scored: Scored, row: int) -> SideOfDecision | None:
    """What a file says of a checker play or a cube decision; `None` for a resignation, or where the
    file does not have it (-1)."""
    match = scored.match
    table, index = located(match, row)
    if row < 0 or table is None:
        return None
    analysed = bool(table.analysed[index])
    is_play = isinstance(table, Plays)
    equities: dict[str, float | None] = {}
    if analysed and isinstance(table, Cubes):
        names = "no_double", "double_take", "double_pass"
        equities = {name: float(getattr(scored.view, name)[index]) for name in names}
    return SideOfDecision(
        decision=match.play_decision(index) if is_play else match.cube_decision(index),
        counted=bool(scored.counted[row]),
        error=float(scored.error[row]) if analysed else None,
        level=level_label(match, row),
        **equities,
    )


def contributions_of(walk: Walk, bridges: Sequence[Bridge]) -> list[Contribution]:
    """Every decision that moves these bridges, the largest contribution first; its sentence is `XG
    0.016, gnuBG not counted`."""
    matches = walk.left.match, walk.right.match
    tools, levels = (tuple(map(name, matches)) for name in (tool_name, level_name))
    labels = pair_labels((tools[0], tools[1]), (levels[0], levels[1]))
    names = ("player", "metric", "step", "cause", "change", "item")
    columns, contributions = walk.ledger_columns(bridges), []
    rows = zip(*(columns[name].tolist() for name in names), strict=True)
    for player, metric, step, cause, change, item in rows:
        left, right = sides_of(walk, item)
        words = zip(labels, opinions(left, right), strict=True)
        facts = CAUSES[cause].title, change, ", ".join(map(" ".join, words)), left, right
        ids = identifiers(walk, item)
        contributions.append(Contribution(player, metric, step, cause, *facts, *ids, item))
    return sorted(
        contributions, key=lambda share: (-abs(share.change), share.item, share.player, share.cause)
    )


def ledger_columns(walk: Walk, bridges: Sequence[Bridge]) -> dict[str, list[Any]]:
    """Every contribution of every decision to these bridges, with XGID and gnuBG ID (empty without
    one)."""
    columns = {name: column.tolist() for name, column in walk.ledger_columns(bridges).items()}
    items = columns.pop("item")
    both = {item: identifiers(walk, item) for item in set(items)}
    columns["xgid"] = [both[item][0] for item in items]
    columns["gnubg_id"] = [both[item][1] for item in items]
    return columns


def ledger_frame(walk: Walk) -> pd.DataFrame:
    """The same as a table, for all bridges of the match."""
    import pandas as pd

    return pd.DataFrame(ledger_columns(walk, walk.bridges()))


def rate_bridges(walk: Walk) -> tuple[Bridge, ...]:
    """By player the bridge of PR, or of checker PR where PR has none."""
    rates = {seat: walk.bridge(LEADING, seat) for seat in walk.seats}
    return tuple(
        walk.bridge(CHECKER, seat) if rate.reason else rate for seat, rate in rates.items()
    )


def disagreements(walk: Walk, most: int) -> list[tuple[float, Contribution]]:
    """The decisions that move the rates of the players most, largest first: by how much over all
    steps, and the contribution to the step that it moves most. One that no ID can describe is left
    out."""
    moving = []
    for bridge in rate_bridges(walk):
        changes = bridge.by_item.tolist()
        largest = {share.item: share for share in reversed(contributions_of(walk, [bridge]))}
        moving += [
            (changes[item], share)
            for item, share in largest.items()
            if changes[item] and share.xgid
        ]
    moving.sort(key=lambda row: (-abs(row[0]), row[1].item, row[1].player))
    return moving[:most]
