"""An analysis as rows: the PR of each player, what it is made of, and the costliest decisions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat
from typing import Final, NamedTuple

import numpy as np

from reconcile.gap.naming import under_rules
from reconcile.gap.rows import Line, Place, Rows, hundredths, noted, signed
from reconcile.match.all_rows import evaluated
from reconcile.match.columns import Floats, Kind
from reconcile.match.values import once
from reconcile.rules.rulesets import Q13
from reconcile.scoring.findings import findings_of
from reconcile.scoring.grades import BLUNDER, ERROR, at_least, rated
from reconcile.scoring.metrics import CHECKER, LEADING, METRICS
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.statistics import Statistics, lacking
from reconcile.wording import plural

RANKS: Final = ("costliest", "second", "third")
"""The decisions that are named."""
PARTS: Final = {
    "checker": "lost in checker plays",
    "double": "lost in doubling",
    "take": "lost in takes and passes",
}


class PageCounts(NamedTuple):
    """Of a player, by the borders of headlines and filters, for all analyses alike."""

    page_errors: int | None
    """Decisions that cost `ERROR` or more."""
    page_blunders: int | None
    """Decisions that cost `BLUNDER` or more."""

    def __str__(self) -> str:
        errors, blunders = plural(self.page_errors or 0, "error"), self.page_blunders
        if not blunders:
            return errors
        return f"{errors}, {blunders} of them {'a blunder' if blunders == 1 else 'blunders'}"


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


def analysis_story(statistics: Statistics, label: str) -> Iterator[str]:
    """Headlines, rows and notes of an analysis as strings, in reading order."""
    for seat in (0, 1):
        yield from analysis_rows(statistics, seat, label).story()
    yield from analysis_notes(statistics)


def analysis_notes(statistics: Statistics) -> list[str]:
    """What a reader has to know beside the rows."""
    findings = [("", finding) for finding in findings_of(statistics)]
    return noted(findings, statistics.match.names)


def analysis_rows(
    statistics: Statistics, seat: int, label: str, costliest: int = len(RANKS)
) -> Rows:
    """The rows of a player; `label` is what the analysis is called, `costliest` how many decisions
    are named."""
    match, scored, figures = statistics.match, statistics.scored, statistics.figures(seat)
    name, shown = match.names[seat], METRICS[LEADING].shown
    if not evaluated(match)[: len(scored.error)].any():
        return Rows(f"{name}: no analysis, so no PR", (), name)
    error = charged(statistics, seat)
    label = under_rules(label, statistics.rules, match)
    decisions = list(_costliest(statistics, error, costliest))
    pr, plays = figures[LEADING], figures[CHECKER]
    if pr is None:
        missing = " and ".join(lacking(statistics.completeness(seat)))
        why = f" ({missing} analysed)" if missing else ""
        also = f"; in checker plays {METRICS[CHECKER].shown(plays)}" if plays is not None else ""
        return Rows(f"{name}: no PR by {label}{why}{also}", decisions, name)
    ends = open_range(statistics).figures[seat].get(LEADING, (pr, pr))
    value = " to ".join(dict.fromkeys(map(shown, ends)))
    # The word of the program's own scale.
    rating, _ = rated(statistics.rules.known_as, figures)
    grade = f" ({rating})" if rating else ""
    counted = plural(int(figures["decisions.counted"] or 0), "decision")
    wrong = errors_and_blunders(statistics, seat)
    headline = f"{name}: PR {value} by {label}{grade}, {counted}, {wrong}"
    return Rows(headline, [*_made_of(statistics, seat), *decisions], name)


def _made_of(statistics: Statistics, seat: int) -> Iterator[Line]:
    """What a PR is made of; the parts add up to it as it is printed."""
    figures, rate = statistics.figures(seat), statistics.uncapped_pr(seat)
    every, pr = figures["equity_error.total"], figures[LEADING]
    if not every or rate is None or pr is None:
        return
    lost = {words: figures[f"equity_error.{name}"] or 0.0 for name, words in PARTS.items()}
    counts = {words: int(figures[f"decisions.{name}"] or 0) for name, words in PARTS.items()}
    lost["lost in resignations"] = every - sum(lost.values())
    parts = {words: hundredths(rate * error / every) for words, error in lost.items()}
    parts[max(lost, key=lost.__getitem__)] += hundredths(rate) - sum(parts.values())
    for words, part in parts.items():
        count = counts.get(words, 0)
        if part or count:
            share = f"{part / 100:.2f} of the PR"
            yield Line(share, words, plural(count, "decision") if count else "")
    cap = statistics.rules.value(Q13)
    if cap is not None and rate > cap:
        capped = signed(hundredths(pr) - hundredths(rate))
        yield Line(f"{capped} of the PR", f"cap of PR at {cap:g}", f"{rate:.2f} without it")


def _costliest(statistics: Statistics, error: Floats, most: int) -> Iterator[Line]:
    """The decisions that cost most."""
    match, scored = statistics.match, statistics.scored
    wrong = np.flatnonzero(at_least(error, ERROR))
    order = wrong[np.lexsort((wrong, -np.round(error[wrong], 9)))].tolist()
    for row, rank in zip(order[:most], chain(RANKS, repeat("")), strict=False):
        game, kind = int(match.games.number[scored.game[row]]), Kind(int(scored.kind[row]))
        place = Place(game, int(match.turns[row]), kind.label)
        yield Line(f"{error[row]:.3f} EMG", str(place), rank, place)
