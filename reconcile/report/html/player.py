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
from reconcile.report import numbers
from reconcile.report.blocks import (
    Block,
    Bullets,
    Marked,
    Picture,
    Sentences,
    Table,
    Title,
)
from reconcile.report.html.charts import LEFT, RIGHT, Point, intervals, over_time, scores
from reconcile.report.html.look import page
from reconcile.report.html.many import many_page
from reconcile.report.text import career as said
from reconcile.report.text.folders import page_names
from reconcile.report.text.statistics import analysed, shown
from reconcile.report.words import length_text
from reconcile.scoring.rates import Analysis, Estimate
from reconcile.wording import plural

MATCHES: Final = "matches"
"""The folder of the pages of single matches."""
Page = tuple[str, str | Iterator[str]]
"""Where it is written, and its content."""
SIZE: Final = (640.0, 240.0)
PR_NOTE: Final = (
    "A PR is all that was lost over all decisions that count; in brackets is its 95 % interval, or "
    "what an open rule leaves."
)
RATES: Final = (
    "Analysis", "Matches", "Decisions", "PR, all decisions", "PR, mean of matches", "Checker",
    "Cube", "Snowie error rate", "MWC lost a match",
)  # fmt: skip
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
        contents["index.html"] = page(_player(careers.players[0], pages, careers))
    else:
        names = page_names([career.name for career in careers.players])
        contents |= {
            name: page(_player(career, pages, careers, index="index.html"))
            for career, name in zip(careers.players, names, strict=True)
        }
        contents["index.html"] = page(_players(careers, names))
    return [(str(Path(folder) / name), content) for name, content in contents.items()]


def _made_later(review: Review, done: Callable[[], None]) -> Iterator[str]:
    yield many_page(review)
    done()


def _players(careers: Careers, pages: Sequence[str]) -> Iterator[Block]:
    """Every player, with a link to the page."""
    yield Title(said.index_heading(careers))
    rows = []
    for career, name in zip(careers.players, pages, strict=True):
        who = Marked(career.name, note=_also(career), link=name)
        rates = [
            f"{said.rate(rated)} {analysed(rated.analysis)}, "
            f"{plural(rated.pooled.matches, 'match', 'matches')}"
            for rated in career.rated
        ]
        rows.append((who, str(len(career.played)), "; ".join(rates) or "not analysed"))
    yield Table(("Player", "Matches", "PR"), rows, (1,))
    yield Sentences([f"{PR_NOTE} Rates of different programs or depths are never added up."])
    yield from _left_out(careers)


def _player(
    career: Career, pages: dict[int, str], careers: Careers, index: str = ""
) -> Iterator[Block]:
    """Rates by program and depth, their course, phases and scores, and every match."""
    yield Title(said.heading(career))
    names = [_also(career)] if career.spellings else []
    links = [Marked("All players", link=index)] if index else []
    yield Sentences([*said.sentences(career), *names, *links])
    if career.rated:
        yield Table(RATES, list(map(_rated, career.rated)), range(1, len(RATES)), "Rates")
        yield Sentences([PR_NOTE])
    for number, rated in enumerate(career.rated):
        by = analysed(rated.analysis)
        if drawn := course(career, rated.analysis, f"course-{number}"):
            yield Picture(f"PR of every match, {by}", partial(str, drawn), by)
        if rates := _rates(rated):
            name = f"{PHASES}{by}"
            yield Picture(name, partial(intervals, rates, name, f"phases-{number}"), name)
        if any(score.rate.value is not None for score in rated.scores):
            name = f"PR of cube decisions by score, {by}"
            yield Picture(name, partial(scores, rated.scores, f"scores-{number}"), name)
    if note := said.course_note(career):
        yield Sentences([note])
    rows = [_row(played, pages) for played in reversed(career.played)]
    head = ("Match", "Files", "Result", "PR", "Net luck")
    yield Table(head, rows, (4,), "Matches")
    yield from _left_out(careers)


def _also(career: Career) -> str:
    return f"also {', '.join(career.spellings)}" if career.spellings else ""


def _left_out(careers: Careers) -> Iterator[Block]:
    if careers.leftovers:
        lost = [f"{file.name}: {file.reason}" for file in careers.leftovers]
        yield Bullets(lost, "Left out")


def _rated(rated: Rated) -> tuple[str | Marked, ...]:
    """A row of the table of rates."""
    pooled, figures = rated.pooled, rated.pooled.figures
    lost = figures["mwc_loss_percent.total"]
    incomplete = f"{pooled.unanalysed} incomplete" if pooled.unanalysed else ""
    return (
        Marked(analysed(rated.analysis), note=f"rules of {pooled.rules}"),
        Marked(str(pooled.matches), note=incomplete),
        shown("decisions.counted", figures["decisions.counted"]),
        said.rate(rated),
        Marked(shown("pr", rated.mean), note=f"of {rated.rated_matches}"),
        *(shown(name, figures[name]) for name in ("checker_pr", "cube_pr", "snowie_memg")),
        numbers.UNKNOWN if lost is None else f"{numbers.number(lost / pooled.matches, 1)} %",
    )


def _row(played: Played, pages: dict[int, str]) -> tuple[str | Marked, ...]:
    """A match with a link to its page, its PR by the deepest analysis of every program, the most
    trusted first, and the net luck."""
    deepest: dict[str, tuple[Analysis, int]] = {}
    for analysis, side in sorted(
        played.analyses.items(), key=lambda item: -_depth(played, item[1])
    ):
        deepest.setdefault(analysis.tool, (analysis, side))
    rates = [
        f"{shown('pr', played.rate(side))} {analysed(analysis)}"
        for analysis, side in deepest.values()
    ]
    match, result = played.review.match, {None: numbers.UNKNOWN, True: "won", False: "lost"}
    about = " · ".join(filter(None, (length_text(match.length), match.event)))
    link = f"{MATCHES}/{pages[id(played.review)]}" if played.analyses else ""
    return (
        Marked(f"{played.date or 'No day stated'}, against {played.opponent}", "", about, link),
        ", ".join(played.files),
        result[played.won],
        "; ".join(rates) or "not analysed",
        said.points(said.net_luck(played)),
    )


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


def course(career: Career, analysis: Analysis, key: str) -> str:
    """The PR of every match by one program at one depth, in the order of play; a line joins
    neighbours; empty for fewer than two."""
    rates = [
        (match, match.rate(match.analyses[analysis]) if analysis in match.analyses else None)
        for match in career.played
        if match.analyses
    ]
    if sum(rate is not None for _, rate in rates) < 2:
        return ""
    played = [match for match, _ in rates]
    highest = max(rate for _, rate in rates if rate is not None)
    across, is_dated = _places_in_time(played)
    runs: list[tuple[str, list[tuple[float, Point]]]] = []
    is_joined = False
    for x, (match, rate) in zip(across, rates, strict=True):
        if rate is not None:
            against = f"{match.date or 'no day stated'}, against {match.opponent}"
            if not is_joined:
                runs.append(("left", []))
            runs[-1][1].append((x, Point(rate, f"{against}: PR {shown('pr', rate)}")))
        is_joined = is_dated and rate is not None
    joined = "by day. A line joins neighbours with the same kind of analysis."
    order = joined if is_dated else "in the order of the files; not every one has a day."
    summary = f"{plural(len(played), 'match', 'matches')} {order}"
    anchors = {0: "start", len(played) // 2: "middle", len(played) - 1: "end"}
    days = [(across[at], day, anchor) for at, anchor in anchors.items() if (day := played[at].date)]
    top = min(highest, HIGHEST) or 1.0
    name = f"PR of every match, {analysed(analysis)}"
    return over_time(runs, days, key, name, summary, top, SIZE)


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
