"""The page of a player: rates by program and depth, the course over time, phases and scores, luck,
and every match with its page."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from reconcile.corpus.career import PARTS, Career, Careers, Played, Rated
from reconcile.gap.folders import Progress
from reconcile.gap.review import Review
from reconcile.report.html.charts import LEFT, RIGHT, Point, intervals, over_time, scores
from reconcile.report.html.many import many_page
from reconcile.report.html.render import render
from reconcile.report.text import career as said
from reconcile.report.text.corpus import analysed
from reconcile.report.text.folders import page_names
from reconcile.report.text.statistics import shown
from reconcile.scoring.rates import Analysis, Estimate
from reconcile.wording import plural

MATCHES: Final = "matches"
"""The folder of the pages of single matches."""
STYLES: Final = ("left", "right", "third", "fourth", "fifth", "sixth")
"""Of analyses, in the order of their matches; later ones are drawn like the last."""
Page = tuple[str, str | Iterator[str]]
"""Where it is written, and its content."""
SIZE: Final = (640.0, 240.0)
PHASES: Final = "PR by phase of the game, "
HIGHEST: Final = 40.0
"""Where the axis of the course ends at most."""


def player_pages(
    careers: Careers,
    folder: str,
    alone: bool,
    progress: Progress = lambda action, done, total: None,
) -> list[Page]:
    """Paths and contents: `index.html`, a page for each player (of one player `alone` that is the
    index), and in `matches` one for every match.

    The page of a match is made when it is written; `progress` is told of each.
    """
    reviews = {id(played.review): played for career in careers.players for played in career.played}
    names = page_names([played.files[0] for played in reviews.values()])
    pages = dict(zip(reviews, names, strict=True))
    shown = {key: played.review for key, played in reviews.items() if played.analyses}
    contents: dict[str, str | Iterator[str]] = {
        f"{MATCHES}/{pages[key]}": _made_later(
            review, partial(progress, "writing", number, len(shown))
        )
        for number, (key, review) in enumerate(shown.items(), 1)
    }
    if alone:
        contents["index.html"] = _page(careers.players[0], pages, careers, index="")
    else:
        names = page_names([career.name for career in careers.players])
        rows = list(zip(careers.players, names, strict=True))
        contents |= {
            name: _page(career, pages, careers, index="index.html") for career, name in rows
        }
        contents["index.html"] = render(
            "players.html.j2", careers=careers, said=said, rows=rows, analysed=analysed
        )
    return [(str(Path(folder) / name), content) for name, content in contents.items()]


def _made_later(review: Review, done: Callable[[], None]) -> Iterator[str]:
    yield many_page(review)
    done()


def _page(career: Career, pages: dict[int, str], careers: Careers, index: str) -> str:
    styles = {
        rated.analysis: STYLES[min(number, len(STYLES) - 1)]
        for number, rated in enumerate(career.rated)
    }
    return render(
        "player.html.j2",
        career=career,
        said=said,
        heading=said.heading(career),
        sentences=list(said.sentences(career)),
        analysed=analysed,
        shown=shown,
        styles=styles,
        course=course(career, styles),
        course_note=said.course_note(career),
        phases=[
            (rated, intervals(rates, PHASES + analysed(rated.analysis), f"phases-{number}"))
            for number, rated in enumerate(career.rated)
            if (rates := _rates(rated))
        ],
        scores=[
            (rated, scores(rated.scores, f"scores-{number}"))
            for number, rated in enumerate(career.rated)
            if any(score.rate.value is not None for score in rated.scores)
        ],
        rows=[_row(played, pages) for played in reversed(career.played)],
        leftovers=careers.leftovers,
        index=index,
    )


def _row(
    played: Played, pages: dict[int, str]
) -> tuple[Played, str, list[tuple[Analysis, str]], str]:
    """A match, the address of its page, its PR by the deepest analysis of every program, the most
    trusted first, and the net luck."""
    page = f"{MATCHES}/{pages[id(played.review)]}" if played.analyses else ""
    deepest: dict[str, tuple[Analysis, int]] = {}
    for analysis, side in sorted(
        played.analyses.items(), key=lambda item: -_depth(played, item[1])
    ):
        deepest.setdefault(analysis.tool, (analysis, side))
    rates = [(analysis, shown("pr", played.rate(side))) for analysis, side in deepest.values()]
    return played, page, rates, said.points(said.net_luck(played))


def _depth(played: Played, side: int) -> float:
    """Plies ahead, on one scale; a rollout or XG's Roller is beyond all."""
    level = played.review.analyses[side].match.usual_level
    if level is None:
        return -1.0
    return math.inf if re.search("roll", level.label, re.IGNORECASE) else level.lookahead or 0.0


def _rates(rated: Rated) -> list[tuple[str, Estimate]]:
    """PR by phase and part, of those that have a rate."""
    every = [
        (f"{name}, {part}", rates[part]) for name, rates in rated.phases.items() for part in PARTS
    ]
    return [(label, rate) for label, rate in every if rate.value is not None]


def course(career: Career, styles: dict[Analysis, str]) -> str:
    """The PR of every match in the order of play; a line joins neighbours with an analysis by one
    program at one depth, and no others."""
    rated = [
        (match, {analysis: match.rate(side) for analysis, side in match.analyses.items()})
        for match in career.played
    ]
    rated = [(match, rates) for match, rates in rated if {*rates.values()} - {None}]
    if len(rated) < 2:
        return ""
    played = [match for match, _ in rated]
    highest = max(rate for _, rates in rated for rate in rates.values() if rate is not None)
    across, is_dated = _places_in_time(played)
    runs: list[tuple[str, list[tuple[float, Point]]]] = []
    for analysis, colour in styles.items():
        is_joined = False
        for x, (match, rates) in zip(across, rated, strict=True):
            if (rate := rates.get(analysis)) is not None:
                against = f"{match.date or 'no day stated'}, against {match.opponent}"
                hint = f"{against}: PR {shown('pr', rate)}, {analysed(analysis)}"
                if not is_joined:
                    runs.append((colour, []))
                runs[-1][1].append((x, Point(rate, hint)))
            is_joined = is_dated and rate is not None
    joined = "by day. A line joins neighbours with the same kind of analysis."
    order = joined if is_dated else "in the order of the files; not every one has a day."
    summary = f"{plural(len(played), 'match', 'matches')} {order}"
    anchors = {0: "start", len(played) // 2: "middle", len(played) - 1: "end"}
    days = [(across[at], day, anchor) for at, anchor in anchors.items() if (day := played[at].date)]
    top = min(highest, HIGHEST) or 1.0
    return over_time(runs, days, "course", "PR of every match", summary, top, SIZE)


def _places_in_time(played: Sequence[Played]) -> tuple[list[float], bool]:
    """Where matches stand on the axis, and whether by their days; where a day is not known they are
    evenly apart."""
    days = [match.date for match in played]
    stated = [date.fromisoformat(day).toordinal() for day in days if day]
    if len(stated) == len(days) and stated[0] != stated[-1]:
        width = (RIGHT - LEFT) / (stated[-1] - stated[0])
        return [LEFT + (day - stated[0]) * width for day in stated], True
    step = (RIGHT - LEFT) / (len(played) - 1)
    return [LEFT + at * step for at in range(len(played))], False
