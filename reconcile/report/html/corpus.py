"""What an archive says, as a page with its pictures: distributions, rates with their intervals, the
cube by score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from reconcile.files.wording import plural
from reconcile.report import numbers
from reconcile.report.html.svg import (
    Scale,
    coordinate,
    dot,
    mark,
    picture,
    rect,
    scale,
    text,
    texts,
)
from reconcile.report.text import corpus_words as words
from reconcile.report.text.corpus import findings, left_out, mixture, sentence
from reconcile.report.text.corpus_words import course_named, player_matches, with_interval
from reconcile.scoring.rates import FEWEST_DECISIONS, Estimate

if TYPE_CHECKING:
    from reconcile.corpus.study import BetweenTools, Course, Gaps, Study
    from reconcile.scoring.rates import Score


WIDTH, HEIGHT = 640.0, 220.0
LEFT, RIGHT, TOP, FLOOR = 44.0, 616.0, 16.0, 186.0
BARS: Final = 40
TAIL: Final = 0.005
"""Share of the values beyond each end of the picture; they are counted in its outermost bars."""
ROW: Final = 26.0
LABELS: Final = 150.0
"""Room for the names of rows."""
CELL: Final = 40.0
SMALL_WIDTH, SMALL_HEIGHT = 480.0, 170.0
DARKEST: Final = 0.75
"""Opacity of the highest PR in the picture of scores."""


BELOW: Final = 'class="axis" text-anchor="middle"'
"""Numbers and names below a chart."""


def histogram(gaps: Gaps, name: str, key: str) -> str:
    """How often a gap of each size occurs; the outermost bars hold what lies beyond them."""
    low, high = (float(value) for value in np.quantile(gaps.values, (TAIL, 1 - TAIL)))
    across = scale(min(low, -0.01), max(high, 0.01), LEFT, RIGHT, 8)
    width = (across.high - across.low) / BARS
    counts, _ = np.histogram(
        np.clip(gaps.values, across.low, across.high), BARS, (across.low, across.high)
    )
    most = int(counts.max())
    up = scale(0.0, most, FLOOR, TOP, min(4, most))
    parts = [
        *rising(up, LEFT, RIGHT),
        texts(
            BELOW,
            *(
                text(numbers.signed(tick, across.decimals), across(tick), FLOOR + 18)
                for tick in across.ticks
            ),
        ),
    ]
    for index, count in enumerate(counts.tolist()):
        if count:
            start = across.low + index * width
            left, right = across(start) + 0.5, across(start + width) - 0.5
            side = "up" if start + width / 2 > 0 else "down"
            hint = f"{numbers.signed(start, 2)} to {numbers.signed(start + width, 2)}: {count}"
            top = up(count)
            bar = rect(left, top, right - left, FLOOR - top, f'class="step {side}"')
            parts.append(mark(hint, bar))
    parts.append(f'<path d="M{coordinate(across(0.0))} {TOP:g}V{FLOOR:g}" class="bound"/>')
    middle = across.low + (int(counts.argmax()) + 0.5) * width
    usual = numbers.signed(middle if math.isfinite(middle) else 0.0, 2)
    size = numbers.number(gaps.mean_size, 2)
    many = player_matches(len(gaps.values))
    summary = f"{many}, mean size {size}, most often near {usual}."
    return picture(f"histogram-{key}", WIDTH, HEIGHT, f"Gaps of PR. {name}", summary, *parts)


def rising(up: Scale, left: float, right: float) -> list[str]:
    """Horizontal lines with their numbers at the left."""
    lines = "".join(f"M{left:g} {coordinate(up(tick))}H{right:g}" for tick in up.ticks)
    labels = [text(f"{tick:g}", left - 6, up(tick) + 4) for tick in up.ticks]
    return [f'<path d="{lines}" class="grid"/>', texts('class="axis" text-anchor="end"', *labels)]


def upright(across: Scale, top: float, floor: float, names: Sequence[str]) -> list[str]:
    """Vertical lines at the ticks, with their names below."""
    places = [across(tick) for tick in across.ticks]
    lines = "".join(f"M{coordinate(x)} {top:g}V{coordinate(floor)}" for x in places)
    labels = [text(name, x, floor + 18) for x, name in zip(places, names, strict=True)]
    return [f'<path d="{lines}" class="grid"/>', texts(BELOW, *labels)]


def intervals(
    rows: Sequence[tuple[str, Estimate]],
    name: str,
    key: str,
    *,
    factor: float = 1.0,
    unit: str = "",
) -> str:
    """Rates as points on a common axis, each with its 95 % interval as a line; `unit` follows the
    numbers of the axis."""
    rated = [(label, rate) for label, rate in rows if rate.value is not None]
    if not rated:
        return ""
    ends = [
        factor * value
        for _, rate in rated
        for value in (rate.value, rate.low, rate.high)
        if value is not None
    ]
    across = scale(min(0.0, *ends), max(ends), LABELS, RIGHT, 5)
    floor = TOP + ROW * len(rated)
    parts = upright(
        across, TOP, floor, [numbers.number(tick, across.decimals) + unit for tick in across.ticks]
    )
    for index, (label, rate) in enumerate(rated):
        y, value = TOP + ROW * (index + 0.5), factor * (rate.value or 0.0)
        parts.append(text(label, LABELS - 10, y + 4, 'text-anchor="end"'))
        whisker = ""
        if rate.low is not None and rate.high is not None:
            low, high = (coordinate(across(factor * end)) for end in (rate.low, rate.high))
            whisker = f'<path d="M{low} {coordinate(y)}H{high}" class="stem whisker"/>'
        hint = f"{label}: {numbers.number(value, 2)}{unit}, {rate.number}"
        parts.append(mark(hint, whisker, dot(across(value), y)))
    summary = "Each point is a rate; the line through it is its 95 % interval."
    return picture(key, WIDTH, floor + 30, name, summary, *parts)


def scores(cells: Sequence[Score], key: str = "cube-by-score") -> str:
    """PR of cube decisions by score: a row for the points that the decider needs, a column for the
    opponent's."""
    most = max((cell.rate.value or 0.0 for cell in cells), default=0.0) or 1.0
    down, across = max(cell.away for cell in cells), max(cell.opponent_away for cell in cells)
    start = 84.0
    parts = [text("opponent needs", start + across * CELL / 2, 14, BELOW)]
    parts += [text(str(n), start + (n - 0.5) * CELL, 32, BELOW) for n in range(1, across + 1)]
    parts += [
        text(
            str(n) if n > 1 else "needs 1",
            start - 8,
            42 + (n - 0.5) * CELL,
            'class="axis" text-anchor="end"',
        )
        for n in range(1, down + 1)
    ]
    for cell in cells:
        x, y = start + (cell.opponent_away - 1) * CELL, 38 + (cell.away - 1) * CELL
        value = cell.rate.value
        opacity = "0" if value is None else f"{math.sqrt(min(value / most, 1.0)) * DARKEST:.2f}"
        hint = (
            f"{cell.away}-away against {cell.opponent_away}-away: "
            f"PR {with_interval(cell.rate)}, {plural(cell.rate.number, 'decision')}"
        )
        look = f'class="total right" fill-opacity="{opacity}"'
        label = text(
            numbers.number(value, 1 if (value or 0.0) < 9.95 else 0),
            x + CELL / 2,
            y + CELL / 2 + 4,
            'text-anchor="middle"' + (' class="axis"' if value is None else ""),
        )
        parts.append(mark(hint, rect(x + 1, y + 1, CELL - 2, CELL - 2, look), label))
    summary = "The darker, the higher; a dash is a score with too few decisions for a rate."
    width, height = start + across * CELL + 8, 46 + down * CELL
    return picture(key, width, height, "PR of cube decisions by score", summary, *parts)


def course(line: Course, names: Sequence[str], key: str, highest: float) -> str:
    """A player's PR over the periods, with its 95 % interval as a band; all courses of a page have
    the same axis."""
    left, right, top, floor = 34.0, SMALL_WIDTH - 16, 12.0, SMALL_HEIGHT - 28
    up = scale(0.0, highest, floor, top, 4)
    step = (right - left) / max(len(names) - 1, 1)
    points = [
        (left + index * step, rate)
        for index, rate in enumerate(line.rates)
        if rate is not None and rate.value is not None
    ]
    every = max(1, math.ceil(len(names) / 6))
    labels = [(index, name) for index, name in enumerate(names) if index % every == 0]
    parts = rising(up, left, right)
    names_below = [text(name, left + index * step, floor + 18) for index, name in labels]
    parts.append(texts(BELOW, *names_below))
    for x, rate in points:
        if rate.low is not None and rate.high is not None:
            low, high = (coordinate(up.clipped(end)) for end in (rate.low, rate.high))
            parts.append(f'<path d="M{coordinate(x)} {low}V{high}" class="stem whisker"/>')
    path = "L".join(
        f"{coordinate(x)} {coordinate(up.clipped(rate.value or 0.0))}" for x, rate in points
    )
    parts.append(f'<path d="M{path}" class="line left"/>')
    by_name = dict(zip((left + index * step for index in range(len(names))), names, strict=True))
    for x, rate in points:
        count = plural(rate.matches, "match", "matches")
        hint = f"{by_name[x]}: PR {with_interval(rate)}, {count}"
        parts.append(mark(hint, dot(x, up.clipped(rate.value or 0.0), 4)))
    summary = "Each point is the PR of a period; the line through it is its 95 % interval."
    name = f"PR over time: {course_named(line)}"
    return picture(key, SMALL_WIDTH, SMALL_HEIGHT, name, summary, *parts)


SPELLINGS_SHOWN: Final = 4
SCORES_SHOWN: Final = 12
PLAYERS_DRAWN: Final = 20
LONGEST_NAME: Final = 20
HIGHEST: Final = 30.0
"""Where the axis of courses ends at most; a rate of few decisions can be anything."""


def corpus_page(study: Study) -> str:
    """The report as one HTML file."""
    from reconcile.report.html.render import render

    played = [score for score in study.cube_by_score if score.rate.value]
    costliest = sorted(played, key=lambda score: -(score.rate.value or 0.0) * score.rate.number)[
        :SCORES_SHOWN
    ]  # equity lost
    courses = study.periods.courses
    some, none = words.told_apart(study.effects)
    return render(
        "corpus.html.j2",
        study=study,
        said=words,
        sentence=sentence(study),
        mixture=mixture(study),
        findings=findings(study),
        left_out=left_out(study.luck),
        sections=_sections(study),
        gaps=_gaps(study),
        players=_players(study),
        phases=_phases(study),
        scores=scores(study.cube_by_score) if costliest else "",
        costliest=costliest,
        luck=_luck(study),
        courses=_courses(study),
        periods=[
            (at, name)
            for at, name in enumerate(study.periods.names)
            if any(score.rates[at] is not None for score in courses)
        ],
        effects=some,
        without_effect=none,
        fewest=FEWEST_DECISIONS,
        spellings_shown=SPELLINGS_SHOWN,
    )


def _sections(study: Study) -> list[tuple[str, str, bool]]:
    """Key and name of every section, and whether there is anything in it."""
    return [
        ("gaps", "Gaps", bool(len(study.rules_gap.values))),
        ("disputes", "In dispute", bool(study.disputes)),
        ("players", "Players", bool(study.people)),
        ("phases", "Phases", bool(study.phases)),
        ("luck", "Luck", bool(study.luck.bins)),
        ("time", "Over time", len(study.periods.names) > 1 and bool(study.periods.courses)),
        ("questions", "Rules", bool(study.effects)),
        (
            "outliers",
            "Largest gaps",
            bool(study.rules_outliers or any(pair.outliers for pair in study.tools)),
        ),
        ("files", "Files", True),
    ]


def _gaps(study: Study) -> list[tuple[str, Gaps, str, BetweenTools | None]]:
    """Title, gaps, picture and, for two tools, the pair whose levels are listed."""
    first, last = study.corpus.compared_rules
    gaps: list[tuple[str, str, Gaps, BetweenTools | None]] = []
    for pair in study.tools:
        key = f"{pair.left.key}-{pair.right.key}"
        who = "Two programs" if pair.left.name != pair.right.name else "One program at two depths"
        title = (
            f"{who}: {pair.left.short}'s analysis and {pair.right.short}'s of one transcript, "
            "each under its own rules"
        )
        gaps += [
            (f"tools-{key}", title, pair.gap, pair),
            (f"counting-{key}", "Of that, what counting alone makes", pair.counting, None),
        ]
    gaps.append(
        ("rules", f"Counting: the same file under {first} and under {last}", study.rules_gap, None)
    )
    return [
        (title, gap, histogram(gap, title, key) if gap.values.any() else "", pair)
        for key, title, gap, pair in gaps
        if len(gap.values)
    ]


def _players(study: Study) -> str:
    """The players with most decisions in the most frequent kind of analysis, the lowest PR
    first."""
    if not study.pooled:
        return ""
    usual = study.pooled[0][0]
    drawn = [person for person in study.people if person.analysis == usual][:PLAYERS_DRAWN]
    rates = [(person.name, person.own) for person in drawn if person.own.pr is not None]
    rows = [
        (
            name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…",
            Estimate(rate.pr, rate.low, rate.high, 0, rate.decisions),
        )
        for name, rate in sorted(rates, key=lambda person: person[1].pr or 0.0)
    ]
    name = f"PR of the players with most decisions, {words.analysed(usual)}"
    return intervals(rows, name, "players-chart") if len(rows) > 1 else ""


def _phases(study: Study) -> str:
    rows = [
        (f"{phase.name}, {part}", phase.rates[part])
        for phase in study.phases
        for part in ("checker", "cube")
        if part in phase.rates
    ]
    return intervals(rows, "PR by phase of the game", "phases-chart")


def _luck(study: Study) -> str:
    rows = [(words.bin_named(bin_.low, bin_.high), bin_.won) for bin_ in study.luck.bins]
    name = "How often the luckier player won, by net luck"
    return intervals(rows, name, "luck-chart", factor=100.0, unit=" %")


def _courses(study: Study) -> list[tuple[str, str]]:
    periods = study.periods
    if len(periods.names) < 2:
        return []
    rates = [rate for line in periods.courses for rate in line.rates if rate is not None]
    highest = min(max((rate.high or rate.value or 0.0 for rate in rates), default=1.0), HIGHEST)
    return [
        (words.course_named(line), course(line, periods.names, f"course-{number}", highest))
        for number, line in enumerate(periods.courses)
    ]
