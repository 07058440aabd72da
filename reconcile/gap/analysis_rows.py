"""An analysis as rows: the PR of each player, what it is made of, and the costliest decisions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat
from typing import Final, NamedTuple

import numpy as np

from reconcile.gap.naming import under_rules
from reconcile.gap.rows import Line, Place, Rows, hundredths, noted, signed, span
from reconcile.language import Number, joined, listing, say
from reconcile.match.all_rows import evaluated
from reconcile.match.columns import Floats, Kind
from reconcile.match.values import once
from reconcile.rules.rulesets import Q13
from reconcile.scoring.findings import findings_of
from reconcile.scoring.grades import BLUNDER, ERROR, at_least, rated, worst_first
from reconcile.scoring.metrics import CHECKER, LEADING, METRICS
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.statistics import Statistics, lacking

MOST_NAMED: Final = 3
"""Decisions that are named."""


class PageCounts(NamedTuple):
    """Of a player, by the borders of headlines and filters, for all analyses alike."""

    page_errors: int | None
    """Decisions that cost `ERROR` or more."""
    page_blunders: int | None
    """Decisions that cost `BLUNDER` or more."""

    def __str__(self) -> str:
        errors = say("count.errors", n=self.page_errors or 0)
        if not self.page_blunders:
            return errors
        return joined(", ", errors, say("count.blunders-of-them", n=self.page_blunders))


def errors_and_blunders(statistics: Statistics, seat: int) -> PageCounts:
    """How many decisions of a player are errors and blunders; `None` where the analysis is
    incomplete."""
    if statistics.figures(seat)["decisions.counted"] is None:
        return PageCounts(None, None)
    error = charged(statistics, seat)
    first, second = (int(at_least(error, border).sum()) for border in (ERROR, BLUNDER))
    return PageCounts(first, second)


@once
def charged(statistics: Statistics, seat: int) -> Floats:
    """What every decision cost a player (EMG); NaN of the opponent's, and where not evaluated."""
    scored = statistics.scored
    own = evaluated(statistics.match)[: len(scored.error)] & (scored.player == seat)
    return np.where(own, scored.error, np.nan)


def analysis_notes(statistics: Statistics) -> list[str]:
    """What a reader has to know beside the rows."""
    findings = [("", finding) for finding in findings_of(statistics)]
    return noted(findings, statistics.match.names)


def analysis_rows(
    statistics: Statistics, seat: int, label: str, costliest: int = MOST_NAMED
) -> Rows:
    """The rows of a player; `label` is what the analysis is called, `costliest` how many decisions
    are named."""
    match, scored, figures = statistics.match, statistics.scored, statistics.figures(seat)
    name, shown = match.names[seat], METRICS[LEADING].shown
    if not evaluated(match)[: len(scored.error)].any():
        return Rows(say("head.no-analysis", player=name), (), name)
    error = charged(statistics, seat)
    label = under_rules(label, statistics.rules, match)
    decisions = list(_costliest(statistics, error, costliest))
    pr, plays = figures[LEADING], figures[CHECKER]
    if pr is None:
        missing = listing(lacking(statistics.completeness(seat)))
        by = {"player": name, "label": label}
        headline: str = (
            say("head.no-pr-lacking", **by, missing=missing) if missing else say("head.no-pr", **by)
        )
        if plays is not None:
            checker = say("head.checker", rate=METRICS[CHECKER].shown(plays))
            headline = joined("; ", headline, checker)
        return Rows(headline, decisions, name)
    ends = open_range(statistics).figures[seat].get(LEADING, (pr, pr))
    value = span(tuple(map(shown, ends)))
    # The word of the program's own scale.
    rating, _ = rated(statistics.rules.known_as, figures)
    counted = say("row.decisions", n=int(figures["decisions.counted"] or 0))
    by = {"player": name, "rate": value, "label": label}
    rate = say("head.rate-graded", **by, grade=rating) if rating else say("head.rate", **by)
    headline = joined(", ", rate, counted, str(errors_and_blunders(statistics, seat)))
    return Rows(headline, [*_made_of(statistics, seat), *decisions], name)


def _made_of(statistics: Statistics, seat: int) -> Iterator[Line]:
    """What a PR is made of; the parts add up to it as it is printed."""
    figures, rate = statistics.figures(seat), statistics.uncapped_pr(seat)
    every, pr = figures["equity_error.total"], figures[LEADING]
    if not every or rate is None or pr is None:
        return
    names = {
        "checker": say("lost.checker"),
        "double": say("lost.double"),
        "take": say("lost.take"),
        "": say("lost.resignations"),
    }
    lost = {name: figures[f"equity_error.{name}"] or 0.0 for name in names if name}
    counts = {name: int(figures[f"decisions.{name}"] or 0) for name in lost}
    lost[""] = every - sum(lost.values())
    parts = {name: hundredths(rate * error / every) for name, error in lost.items()}
    parts[max(lost, key=lost.__getitem__)] += hundredths(rate) - sum(parts.values())
    for name, part in parts.items():
        count = counts.get(name, 0)
        if part or count:
            share = say("lost.share", part=Number(f"{part / 100:.2f}"))
            yield Line(share, names[name], say("row.decisions", n=count) if count else "")
    cap = statistics.rules.value(Q13)
    if cap is not None and rate > cap:
        capped = signed(hundredths(pr) - hundredths(rate))
        share, at = say("lost.share", part=capped), say("row.cap-at", cap=Number(f"{cap:g}"))
        yield Line(share, at, say("row.uncapped", rate=Number(f"{rate:.2f}")))


def _costliest(statistics: Statistics, error: Floats, most: int) -> Iterator[Line]:
    """The decisions that cost most."""
    match, scored = statistics.match, statistics.scored
    order = worst_first(error, np.flatnonzero(at_least(error, ERROR)))
    ranks = say("rank.first"), say("rank.second"), say("rank.third")
    for row, rank in zip(order[:most], chain(ranks, repeat("")), strict=False):
        game, kind = int(match.games.number[scored.game[row]]), Kind(int(scored.kind[row]))
        place = Place(game, int(match.turns[row]), kind.label)
        yield Line(joined(" ", Number(f"{error[row]:.3f}"), "EMG"), str(place), rank, place)
