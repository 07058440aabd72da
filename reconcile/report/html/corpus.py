"""What an archive shows, as a page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from reconcile.report import numbers
from reconcile.report.html.scale import scale
from reconcile.report.html.svg import coordinate, picture, tag, text, title
from reconcile.report.text.corpus import compared, named_quantiles, sentence

if TYPE_CHECKING:
    from reconcile.corpus.study import Gaps, Study

WIDTH, HEIGHT = 640.0, 220.0
LEFT, RIGHT, TOP, FLOOR = 44.0, 616.0, 16.0, 186.0
BARS: Final = 40
TAIL: Final = 0.005
"""Share of the values beyond each end of the picture; they are counted in its outermost bars."""


def corpus_page(study: Study) -> str:
    """The report as one HTML file."""
    from reconcile.report.html.render import render

    first, last = study.corpus.compared_rules
    gaps = [("rules", f"Counting: the same file under {first} and under {last}", study.rules_gap)]
    for one in study.tools:
        pair = f"{one.left.key}-{one.right.key}"
        title_of_pair = f"Two tools: {one.left.short}'s analysis and {one.right.short}'s of one transcript, each under its own rules"
        gaps += [(f"tools-{pair}", title_of_pair, one.gap), (f"counting-{pair}", "Of that, what counting alone makes", one.counting)]
    return render(
        "corpus.html.j2",
        study=study,
        sentence=sentence(study),
        gaps=[(name, found, histogram(found, name, key)) for key, name, found in gaps if len(found.values)],
        named_quantiles=named_quantiles,
        compared=compared,
    )


def histogram(gaps: Gaps, name: str, key: str) -> str:
    """How often a gap of each size occurs; the outermost bars hold what lies beyond them."""
    low, high = (float(value) for value in np.quantile(gaps.values, (TAIL, 1 - TAIL)))
    across = scale(min(low, -0.01), max(high, 0.01), LEFT, RIGHT, 8)
    width = (across.high - across.low) / BARS
    counts, _ = np.histogram(np.clip(gaps.values, across.low, across.high), BARS, (across.low, across.high))
    most = int(counts.max())
    up = scale(0.0, most, FLOOR, TOP, min(4, most))
    parts = [
        tag("path", d="".join(f"M{LEFT:g} {coordinate(up(tick))}H{RIGHT:g}" for tick in up.ticks), class_="grid"),
        tag("g", *(text(f"{tick:g}", LEFT - 6, up(tick) + 4) for tick in up.ticks), class_="axis", text_anchor="end"),
        tag(
            "g",
            *(text(numbers.signed(tick, across.decimals), across(tick), FLOOR + 18) for tick in across.ticks),
            class_="axis",
            text_anchor="middle",
        ),
    ]
    for index, count in enumerate(counts.tolist()):
        if count:
            start = across.low + index * width
            left, right = across(start) + 0.5, across(start + width) - 0.5
            side = "up" if start + width / 2 > 0 else "down"
            hint = title(f"{numbers.signed(start, 2)} to {numbers.signed(start + width, 2)}: {count}")
            bar = tag("rect", x=left, y=up(count), width=right - left, height=FLOOR - up(count), class_=f"step {side}")
            parts.append(tag("g", hint, bar, class_="bar"))
    parts.append(tag("path", d=f"M{coordinate(across(0.0))} {TOP:g}V{FLOOR:g}", class_="bound"))
    usual = _mode(counts, across.low, width)
    summary = f"{len(gaps.values)} players of matches, mean size {numbers.number(gaps.mean_size, 2)}, most often near {usual}."
    return picture(f"histogram-{key}", WIDTH, HEIGHT, f"Gaps of PR. {name}", summary, *parts, class_="chart")


def _mode(counts: np.ndarray[tuple[int], np.dtype[np.int64]], low: float, width: float) -> str:
    middle = low + (int(counts.argmax()) + 0.5) * width
    return numbers.signed(middle if math.isfinite(middle) else 0.0, 2)
