"""The ledger: every contribution of every decision, a row for each step it takes part in, a column for each figure it moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from reconcile.gap.bridge import Contribution
from reconcile.gap.comparison import Comparison
from reconcile.report import numbers
from reconcile.report.html.decisions import Place, leading_metric, place_of
from reconcile.report.html.walks import step_link
from reconcile.report.words import players, step_name, what_was_done
from reconcile.scoring.metrics import METRICS

MOST_ROWS: Final = 700
"""What fits into a page of reasonable size; the smallest are summed up in one line, so that the ledger still adds up."""
MOST_COLUMNS: Final = 5


@dataclass(frozen=True, slots=True)
class Column:
    """A figure that the rows move."""

    name: str
    title: str
    unit: str


@dataclass(frozen=True, slots=True)
class Amount:
    """A change, as shown and as sorted by."""

    shown: str
    value: str
    """With full precision; empty where the row does not move this figure."""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One decision in one step."""

    player: str
    game: str
    turn: str
    decider: str
    kind: str
    done: str
    step: str
    link: str
    cause: str
    cause_title: str
    left: str
    right: str
    amounts: tuple[Amount, ...]
    xgid: str
    rank: str
    """Number of the card that shows the decision; empty if none does."""


@dataclass(frozen=True, slots=True)
class Total:
    """What the rows of a player add up to."""

    player: str
    rows: str
    amounts: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """The table and what can be chosen in it."""

    columns: tuple[Column, ...]
    rows: tuple[LedgerRow, ...]
    rest: tuple[Total, ...]
    """What the rows that are left out add up to, by player."""
    totals: tuple[Total, ...]
    players: tuple[str, ...]
    causes: tuple[tuple[str, str], ...]
    kinds: tuple[str, ...]
    games: tuple[str, ...]


@dataclass(slots=True)
class _Entry:
    first: Contribution
    place: Place | None
    changes: dict[str, float] = field(default_factory=dict)


def ledger(comparison: Comparison, contributions: Sequence[Contribution], ranks: Mapping[Place, str]) -> Ledger:
    """The ledger of a comparison, largest contributions to the leading figure first."""
    leading = leading_metric(comparison, contributions)
    names = _columns(comparison, contributions, leading)
    entries = _entries(comparison, contributions, names)
    order = {name: index for index, name in enumerate(players(comparison))}

    def key(entry: _Entry) -> tuple[float, float, int, Place | tuple[()], str]:
        sizes = [abs(round(entry.changes.get(name, 0.0), 9)) for name in (leading, names[-1])]
        return -sizes[0], -sizes[1], order.get(entry.first.player, len(order)), entry.place or (), entry.first.step

    entries.sort(key=key)
    shown, hidden = entries[:MOST_ROWS], entries[MOST_ROWS:]
    rows = tuple(_row(entry, names, ranks) for entry in shown)
    return Ledger(
        columns=tuple(Column(name, METRICS[name].title.removesuffix(", all classes"), METRICS[name].unit) for name in names),
        rows=rows,
        rest=_totals(hidden, names),
        totals=_totals(entries, names),
        players=tuple(sorted({entry.first.player for entry in shown}, key=lambda name: (order.get(name, len(order)), name))),
        causes=tuple(sorted({row.cause: row.cause_title for row in rows}.items())),
        kinds=tuple(kind.label for kind in sorted({entry.place.kind for entry in shown if entry.place})),
        games=tuple(map(str, sorted({entry.place.game for entry in shown if entry.place}))),
    )


def _columns(comparison: Comparison, contributions: Sequence[Contribution], leading: str) -> list[str]:
    """The figures that get a column: the leading one, then those that are judged, then others as far as there is room."""
    present = {contribution.metric for contribution in contributions}
    judged = dict.fromkeys(figure.metric for figure in comparison.judged)
    wanted = list(dict.fromkeys([leading, *judged]))
    if not present & set(wanted[1:]):
        wanted += list(METRICS)
    return [name for name in dict.fromkeys(wanted) if name in present][:MOST_COLUMNS] or [leading]


def _entries(comparison: Comparison, contributions: Sequence[Contribution], names: Sequence[str]) -> list[_Entry]:
    found: dict[tuple[str, Place | None, str, str, str], _Entry] = {}
    for contribution in contributions:
        if contribution.metric not in names:
            continue
        place = place_of(contribution, comparison)
        # Without a place nothing but the identifiers tells two rows apart.
        key = (contribution.player, place, contribution.step, contribution.cause, "" if place else contribution.xgid)
        entry = found.setdefault(key, _Entry(contribution, place))
        entry.changes[contribution.metric] = entry.changes.get(contribution.metric, 0.0) + contribution.change
    return list(found.values())


def _row(entry: _Entry, names: Sequence[str], ranks: Mapping[Place, str]) -> LedgerRow:
    one, place = entry.first, entry.place
    side = one.left or one.right
    return LedgerRow(
        player=one.player,
        game=str(place.game) if place else "",
        turn=str(place.turn) if place else "",
        decider=place.decider if place and place.decider != one.player else "",
        kind=place.kind.label if place else "",
        done=what_was_done(side.decision) if side else numbers.UNKNOWN,
        step=step_name(one.step),
        link=step_link(one.step),
        cause=one.cause,
        cause_title=one.cause_title,
        left=numbers.number(one.left.error if one.left else None, numbers.EQUITY_DECIMALS),
        right=numbers.number(one.right.error if one.right else None, numbers.EQUITY_DECIMALS),
        amounts=_amounts(entry.changes, names),
        xgid=one.xgid,
        rank=ranks.get(place, "") if place else "",
    )


def _amounts(changes: Mapping[str, float], names: Sequence[str]) -> tuple[Amount, ...]:
    return tuple(
        Amount(numbers.change(name, changes[name]), f"{changes[name]:.9g}") if name in changes else Amount("", "") for name in names
    )


def _totals(entries: Sequence[_Entry], names: Sequence[str]) -> tuple[Total, ...]:
    sums: dict[str, dict[str, float]] = {}
    counts: dict[str, int] = {}
    for entry in entries:
        player = entry.first.player
        counts[player] = counts.get(player, 0) + 1
        for name, change in entry.changes.items():
            by_name = sums.setdefault(player, {})
            by_name[name] = by_name.get(name, 0.0) + change
    return tuple(Total(player, str(counts[player]), _amounts(sums[player], names)) for player in sorted(sums))
