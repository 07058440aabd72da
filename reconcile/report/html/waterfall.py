"""A bridge as a waterfall and as the walks of a page, and the ledger: every contribution of every
decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Final, NamedTuple

from reconcile.gap.bridge import Bridge, Contribution, Step
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import UNGATED
from reconcile.report import numbers
from reconcile.report.html.charts import Scale, coordinate, picture, rect, scale, text, texts, title
from reconcile.report.html.decisions import DecisionKey, leading_metric, place_of
from reconcile.report.html.figures import RATE
from reconcile.report.words import players, step_label, step_name
from reconcile.scoring.metrics import METRICS
from reconcile.wording import plural

COLUMN: Final = 70.0
BAR: Final = 44.0
SIDE: Final = 44.0
"""Room for the axis."""
TOP: Final = 26.0
FLOOR: Final = 276.0
HEIGHT: Final = 316.0
FEWEST_COLUMNS: Final = 7
CUT: Final = 0.45
"""The axis starts at zero unless all values lie above this share of the highest."""


Ends = tuple[float, float]


def waterfall_svg(
    bridge: Bridge,
    labels: tuple[str, str],
    tolerance: float | None,
    key: str,
    ranges: tuple[Ends | None, Ends | None] = (None, None),
) -> str:
    """The picture of a bridge; steps too small to be seen are left to the table. `ranges` are those
    of both figures where a rule of the tool is not known; they are hatched."""
    start, end = bridge.start or 0.0, bridge.end or 0.0
    metric, figure = bridge.metric, partial(numbers.figure, bridge.metric)
    every = [(step, numbers.change(metric, step.change)) for step in bridge.steps]
    steps = [(step, change) for step, change in every if change.strip("0.")]
    levels = list(accumulate([start, *[step.change for step, _ in steps]]))
    axis, cut = _axis([*levels, end, *(value for ends in ranges if ends for value in ends)])
    columns = max(len(steps) + 2, FEWEST_COLUMNS)
    width = SIDE + columns * COLUMN
    offset = SIDE + (columns - len(steps) - 2) * COLUMN / 2
    parts = [*_grid(axis, width), *_band(axis, width, start, tolerance)]
    parts.append(_total(axis, offset, start, labels[0], "left", metric, cut))
    parts += _hatched(axis, offset, ranges[0], metric)
    x = offset
    for (step, change), before, after in zip(steps, levels, levels[1:], strict=False):
        x += COLUMN
        hint = (
            f"{step_name(step.code)}: {step.title}: {change} "
            f"({plural(step.decisions, 'decision')}), from {figure(before)} to {figure(after)}"
        )
        parts.append(_connector(axis, x, before))
        parts.append(_step(axis, x, before, after, step_label(step.code), change, hint))
    x += COLUMN
    parts.append(_connector(axis, x, levels[-1]))
    parts.append(_total(axis, x, end, labels[1], "right", metric, cut))
    parts += _hatched(axis, x, ranges[1], metric)
    moved = ", ".join(f"{step_name(step.code)} {change}" for step, change in steps)
    ends = f"from {figure(start)} ({labels[0]}) to {figure(end)} ({labels[1]})"
    name = f"{METRICS[metric].title} of {bridge.player} {ends}"
    summary = f"Waterfall: {moved or 'no step changes it'}."
    return picture(key, width, HEIGHT, name, summary, *parts)


def _axis(levels: list[float]) -> tuple[Scale, bool]:
    low, high = min(levels), max(levels)
    cut = low > 0 and low > CUT * high
    if cut:
        room = max((high - low) * 0.35, high * 0.004)
        low, high = max(low - room, 0.0), high + room * 0.3
    else:
        low, high = min(low, 0.0), max(high, 0.0)
        if high == low:
            high = low + 1
    return scale(low, high, FLOOR, TOP + 14), cut


def _grid(axis: Scale, width: float) -> list[str]:
    lines = "".join(
        f"M{SIDE - 4:g} {coordinate(axis(tick))}H{coordinate(width)}" for tick in axis.ticks
    )
    names = [
        text(numbers.number(tick, axis.decimals), SIDE - 8, axis(tick) + 4) for tick in axis.ticks
    ]
    return [f'<path d="{lines}" class="grid"/>', texts('class="axis" text-anchor="end"', *names)]


def _band(axis: Scale, width: float, start: float, tolerance: float | None) -> list[str]:
    if tolerance is None:
        return []
    high, low = axis.clipped(start + tolerance), axis.clipped(start - tolerance)
    hint = title(f"allowed: {numbers.number(tolerance, 2)} to either side of the left figure")
    shape = rect(SIDE, high, width - SIDE, max(low - high, 1), 'class="band"')
    return [f"{shape.removesuffix('/>')}>{hint}</rect>"]


def _total(
    axis: Scale, x: float, value: float, label: str, side: str, metric: str, cut: bool
) -> str:
    left = x + (COLUMN - BAR) / 2
    top, floor = axis(value), FLOOR if cut else axis(0.0)
    upper, lower = min(top, floor), max(top, floor)
    shape = f"M{coordinate(left)} {coordinate(upper)}h{BAR:g}V{coordinate(lower)}"
    if cut:
        teeth = "".join(f"l{-BAR / 8:g} {4 if index % 2 else -4}" for index in range(8))
        shape += teeth
    else:
        shape += f"h{-BAR:g}"
    shown = numbers.figure(metric, value)
    middle = x + COLUMN / 2
    return texts(
        'text-anchor="middle"',
        title(f"{label}: {shown}"),
        f'<path d="{shape}Z" class="total {side}"/>',
        text(shown, middle, upper - 7, 'class="value"'),
        text(label if len(label) <= 10 else label[:9] + "…", middle, FLOOR + 20, 'class="label"'),
        text(side, middle, FLOOR + 34, 'class="axis"'),
    )


def _hatched(axis: Scale, x: float, ends: Ends | None, metric: str) -> list[str]:
    """Where a figure may lie that depends on a rule that is not known."""
    if ends is None:
        return []
    left, upper, lower = x + (COLUMN - BAR) / 2, axis(ends[1]), axis(ends[0])
    height = lower - upper
    lines = []
    for start in range(-int(height) // 6 * 6, int(BAR), 6):
        first, last = max(start, 0.0), min(start + height, BAR)
        ends_of_line = [(left + along, lower - (along - start)) for along in (first, last)]
        lines.append("M" + "L".join(f"{coordinate(x)} {coordinate(y)}" for x, y in ends_of_line))
    hint = title(f"{numbers.between(metric, ends)}: a rule of the tool is not known")
    box = rect(left, upper, BAR, height, "").replace(" /", "/")
    return [f'<g class="open">{hint}{box}<path d="{"".join(lines)}"/></g>']


def _step(
    axis: Scale, x: float, before: float, after: float, label: str, change: str, hint: str
) -> str:
    upper, lower = min(axis(before), axis(after)), max(axis(before), axis(after))
    kind = "up" if after > before else "down"
    middle = x + COLUMN / 2
    height = max(lower - upper, 1.5)
    below = kind == "down" and lower + 18 < FLOOR
    return texts(
        'text-anchor="middle" class="bar"',
        title(hint),
        rect(x, TOP, COLUMN, HEIGHT - TOP, 'fill="transparent"'),
        rect(x + (COLUMN - BAR) / 2, upper, BAR, height, f'rx="1.5" class="step {kind}"'),
        text(change, middle, lower + 16 if below else upper - 7, 'class="value"'),
        text(label, middle, FLOOR + 20, 'class="label"'),
    )


def _connector(axis: Scale, x: float, level: float) -> str:
    gap = (COLUMN - BAR) / 2
    start = f"M{coordinate(x - gap)} {coordinate(axis(level))}"
    return f'<path d="{start}h{2 * gap:g}" class="connector"/>'


class Walk(NamedTuple):
    """A bridge and what is shown beside it."""

    key: str
    """Its anchor on the page."""
    bridge: Bridge
    gap: float | None
    moving: list[tuple[Step, float]]
    """The steps that change the figure, each with the figure after it."""
    svg: str


def walks(comparison: Comparison, labels: tuple[str, str]) -> tuple[list[Walk], list[Walk]]:
    """The bridges in the order of the figures: of the rate and of what is judged, then of the
    others."""
    figures = {(figure.player, figure.metric): figure for figure in comparison.figures}
    order = {key: index for index, key in enumerate(figures)}

    def place(bridge: Bridge) -> tuple[bool, int]:
        return bridge.metric != RATE, order.get((bridge.player, bridge.metric), len(order))

    shown: list[Walk] = []
    folded: list[Walk] = []
    for index, bridge in enumerate(sorted(comparison.bridges, key=place), start=1):
        key, figure = f"bridge-{index}", figures.get((bridge.player, bridge.metric))
        important = bridge.metric == RATE or (figure is not None and figure.verdict != UNGATED)
        start, end = bridge.start, bridge.end
        gap = None if start is None or end is None else end - start
        levels = accumulate([start or 0.0, *[step.change for step in bridge.steps]])
        after = zip(bridge.steps, list(levels)[1:], strict=True)
        svg = ""
        if important and bridge.steps and gap is not None:
            ranges = (figure.left_range, figure.right_range) if figure else (None, None)
            tolerance = figure.tolerance if figure else None
            svg = waterfall_svg(bridge, labels, tolerance, f"{key}-chart", ranges)
        moving = [(step, level) for step, level in after if step.change]
        (shown if important else folded).append(Walk(key, bridge, gap, moving, svg))
    return shown, folded


MOST_ROWS: Final = 500
"""What fits into a page of reasonable size; the smallest are summed up in one line, so that the
ledger still adds up."""
MOST_COLUMNS: Final = 5
PRINTED: Final = 40
"""Rows on paper; `style.css` hides those after it."""


@dataclass(slots=True)
class LedgerRow:
    """One decision in one step."""

    first: Contribution
    """One of its contributions; the others differ from it in metric and change."""
    place: DecisionKey | None
    changes: dict[str, float] = field(default_factory=dict)
    """By metric."""


Total = tuple[str, int, dict[str, float]]
"""A player, how many rows there are, and what they add up to by metric."""


def ledger(comparison: Comparison, contributions: Sequence[Contribution]) -> dict[str, object]:
    """The ledger of a comparison, largest contributions to the leading figure first, and what can
    be chosen in it."""
    leading = leading_metric(comparison, contributions)
    columns = _columns(comparison, contributions, leading)
    rows = _rows(comparison, contributions, columns)
    names = players(comparison)

    def place(player: str) -> int:
        return names.index(player) if player in names else len(names)

    def key(row: LedgerRow) -> tuple[float, float, int, DecisionKey | tuple[()], str]:
        first, last = (row.changes.get(name, 0.0) for name in (leading, columns[-1]))
        sizes = -abs(round(first, 9)), -abs(round(last, 9))
        return *sizes, place(row.first.player), row.place or (), row.first.step

    rows.sort(key=key)
    shown = rows[:MOST_ROWS]
    places = [row.place for row in shown if row.place]
    return {
        "columns": [METRICS[name] for name in columns],
        "rows": shown,
        "rest": _totals(rows[MOST_ROWS:]),
        "totals": _totals(rows),
        "players": sorted(
            {row.first.player for row in shown}, key=lambda name: (place(name), name)
        ),
        "causes": sorted({row.first.cause: row.first.cause_title for row in shown}.items()),
        "kinds": sorted({where.kind for where in places}),
        "games": sorted({where.game for where in places}),
    }


def _columns(
    comparison: Comparison, contributions: Sequence[Contribution], leading: str
) -> list[str]:
    """The figures that get a column: the leading one, then those that are judged, then others as
    far as there is room."""
    present = {contribution.metric for contribution in contributions}
    wanted = list(dict.fromkeys([leading, *(figure.metric for figure in comparison.judged)]))
    if not present & set(wanted[1:]):
        wanted += list(METRICS)
    return [name for name in dict.fromkeys(wanted) if name in present][:MOST_COLUMNS] or [leading]


def _rows(
    comparison: Comparison, contributions: Sequence[Contribution], columns: Sequence[str]
) -> list[LedgerRow]:
    rows: dict[tuple[str, DecisionKey | None, str, str, str], LedgerRow] = {}
    for share in contributions:
        if share.metric in columns:
            place = place_of(share, comparison)
            # Without a place only the identifiers distinguish two rows.
            row = rows.setdefault(
                (share.player, place, share.step, share.cause, "" if place else share.xgid),
                LedgerRow(share, place),
            )
            row.changes[share.metric] = row.changes.get(share.metric, 0.0) + share.change
    return list(rows.values())


def _totals(rows: Sequence[LedgerRow]) -> list[Total]:
    totals: dict[str, Total] = {}
    for row in rows:
        player, count, sums = totals.get(row.first.player, (row.first.player, 0, {}))
        for name, change in row.changes.items():
            sums[name] = sums.get(name, 0.0) + change
        totals[player] = player, count + 1, sums
    return [totals[player] for player in sorted(totals)]
