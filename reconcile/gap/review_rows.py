"""A match with its analyses as rows: of one the PR, what it is made of and the costliest decisions; of several the PRs, who is apart, disputes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from reconcile.files.wording import listed, plural
from reconcile.gap.aligned import SIZE
from reconcile.gap.disputed import DisputedDecision, Outlier
from reconcile.gap.notes import noted
from reconcile.gap.review import Review
from reconcile.gap.rows import Line, Place, Rows, hundredths, signed
from reconcile.gap.walk import LEADING
from reconcile.match.columns import Bools, Floats
from reconcile.rules.rulesets import Q13
from reconcile.scoring.figures import emg
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.grades import rated
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics

BLUNDER: Final = 0.080
"""EMG. A loss from which an error is called a blunder here, for all analyses alike."""
MOST: Final = 3
"""Decisions that are named."""
MOST_DISPUTES: Final = 5
RANKS: Final = ("costliest", "second", "third")
PARTS: Final = {"checker": "checker plays", "double": "doubling", "take": "takes and passes"}
CHECKER: Final = "checker_pr"
WITHOUT: Final = {"copy": "file-copied", "same-program": "program-twice"}


def at_least(error: Floats, border: float) -> Bools:
    """Whether errors reach a border, with the digits that documents have; one that is unknown does not."""
    reached: Bools = np.round(error, 5) >= border
    return reached


def error_words(error: Floats) -> str:
    """`25 errors, 14 of them blunders`, by one border for all programs."""
    errors, blunders = (int(at_least(error, border).sum()) for border in (SIZE, BLUNDER))
    words = plural(errors, "error")
    if not blunders:
        return words
    whose = (
        "a blunder"
        if errors == blunders == 1
        else f"{blunders} of them {'a blunder' if blunders == 1 else 'blunders'}"
    )
    return f"{words}, {whose}"


def review_rows(review: Review) -> list[Rows]:
    """Rows for every player that is shown; of several analyses also for the match."""
    if len(review.analyses) == 1:
        return [_alone(review, seat) for seat in review.seats]
    return [*(_player(review, seat) for seat in review.seats), _disputes(review)]


def review_notes(review: Review) -> list[str]:
    """What a reader has to know beside the rows."""
    findings: list[tuple[str, Finding]] = []
    several = len(review.analyses) > 1
    for side, label in enumerate(review.labels):
        findings += [(label if several else "", one) for one in review.findings(side)]
    for side, (why, other) in review.aligned.without_vote.items():
        labels = review.labels
        findings.append(("", new_finding(WITHOUT[why], file=labels[side], other=labels[other])))
    if not review.aligned.same_transcript:
        every = plural(len(review.aligned.items), "decision")
        evidence = f"{review.aligned.in_all} of {every} are in all files"
        findings.append(("", new_finding("transcript-differs", evidence)))
    found = noted(findings, review.players)
    return found + ([review.settlement.sentence] if review.settlement else [])


def review_story(review: Review) -> Iterator[str]:
    """Headlines, rows and notes as strings, in reading order."""
    for rows in review_rows(review):
        yield from rows.story()
    yield from review_notes(review)


# -- one analysis ------------------------------------------------------------------------------------------------------


def _alone(review: Review, seat: int) -> Rows:
    figures, name, label = review.figures_of(0, seat), review.names[seat], review.labels[0]
    items, missing, pr = review.aligned.items, review.missing(0, seat), figures[LEADING]
    mine = items.player == seat
    error = np.where(mine, review.aligned.error[0], np.nan)
    dearest = list(_dearest(review, error))
    if not review.aligned.known.any():
        return Rows(f"{name}: no analysis, so no PR", (), name)
    if pr is None or missing:
        plays = figures[CHECKER]
        also = f"; in checker plays {METRICS[CHECKER].shown(plays)}" if plays is not None else ""
        why = f" ({missing} analysed)" if missing else ""
        return Rows(f"{name}: no PR by {label}{why}{also}", dearest, name)
    counted = plural(int(figures["decisions.counted"] or 0), "decision")
    headline = (
        f"{name}: PR {_pr(review, seat)} by {label}{_grade(review.analyses[0], seat)}, {counted}"
    )
    lines = [*_made_of(review.analyses[0], review.seat(0, seat)), *dearest]
    return Rows(f"{headline}, {error_words(error)}", lines, name)


def _pr(review: Review, seat: int) -> str:
    """The PR, as a range where an open rule moves it."""
    shown, pr = METRICS[LEADING].shown, review.figures_of(0, seat)[LEADING]
    ends = review.ranges[0][seat].get(LEADING, (pr, pr))
    return " to ".join(dict.fromkeys(map(shown, ends)))


def _grade(statistics: Statistics, seat: int) -> str:
    """` (Advanced)`: the word of the program's own scale."""
    figures = statistics.figures(seat)
    memg = figures["error_rate_memg"]
    word = rated(statistics.rules.name, figures[LEADING], None if memg is None else emg(memg))[0]
    return f" ({word})" if word else ""


def _made_of(statistics: Statistics, seat: int) -> Iterator[Line]:
    """What a PR is made of; the parts add up to it as it is printed."""
    figures, rate = statistics.figures(seat), statistics.uncapped_pr(seat)
    every, pr = figures["equity_error.total"], figures[LEADING]
    if not every or rate is None or pr is None:
        return
    lost = {words: figures[f"equity_error.{name}"] or 0.0 for name, words in PARTS.items()}
    counts = {words: int(figures[f"decisions.{name}"] or 0) for name, words in PARTS.items()}
    lost["resignations"] = every - sum(lost.values())
    parts = {words: rate * error / every for words, error in lost.items()}
    shown = {words: hundredths(part) for words, part in parts.items()}
    largest = max(parts, key=lambda words: parts[words])
    shown[largest] += hundredths(rate) - sum(shown.values())
    for words, part in shown.items():
        if part:
            count = counts.get(words, 0)
            yield Line(f"{part / 100:.2f}", words, plural(count, "decision") if count else "")
    cap = statistics.rules.value(Q13)
    if cap is not None and rate > cap:
        yield Line(
            signed(hundredths(pr) - hundredths(rate)),
            f"cap of PR at {cap:g}",
            f"{rate:.2f} without it",
        )


def _dearest(review: Review, error: Floats) -> Iterator[Line]:
    """The decisions that cost most."""
    wrong = np.flatnonzero(at_least(error, SIZE))
    order = wrong[np.lexsort((wrong, -np.round(error[wrong], 9)))][:MOST].tolist()
    for rank, item in zip(RANKS, order, strict=False):
        place = Place(*review.aligned.items.place(item))
        played = review.aligned.played(item)
        detail = f"{rank}, {played}" if place.kind == "play" else rank
        yield Line(f"{error[item]:.3f}", str(place), detail, place)


# -- several analyses --------------------------------------------------------------------------------------------------


def _player(review: Review, seat: int) -> Rows:
    """The PR of a player by every analysis, and on which decision the outlier parts from the others."""
    name, shown, outlier = review.names[seat], METRICS[LEADING].shown, review.outliers[seat]
    rates = review.rates(seat)
    lines = [_analysis(review, side, seat, outlier) for side in range(len(review.analyses))]
    if outlier is not None and outlier.largest is not None:
        lines.append(_parting(review, outlier))
    if not rates:
        return Rows(f"{name}: no analysis is complete, so the PRs do not compare", lines, name)
    ends = " to ".join(dict.fromkeys((shown(min(rates.values())), shown(max(rates.values())))))
    apart = "no outlier" if outlier is None else f"outlier {review.labels[outlier.side]}"
    return Rows(f"{name}: PR {ends} by {plural(len(rates), 'program')}, {apart}", lines, name)


def _analysis(review: Review, side: int, seat: int, outlier: Outlier | None) -> Line:
    shown, pr = METRICS[LEADING].shown, review.figures_of(side, seat)[LEADING]
    missing = review.missing(side, seat)
    details = [f"only {missing} analysed"] if missing else []
    if outlier is not None and outlier.side == side:
        where = "above" if outlier.from_median > 0 else "below"
        away = sorted(map(abs, outlier.range or (outlier.from_median,) * 2))
        details.append(f"{_span(away)} {where} the median of the others ({_span(outlier.median)})")
        details.append(_choices(outlier.decisions))
    if ends := review.ranges[side][seat].get(LEADING):
        details.append(f"{_span(ends)}: a rule is not known")
    number = "-" if missing or pr is None else shown(pr)
    return Line(number, review.labels[side], "; ".join(details))


def _choices(number: int) -> str:
    if not number:
        return "nowhere alone with its choice"
    return f"alone with its choice on {plural(number, 'decision')}"


def _span(ends: Sequence[float]) -> str:
    return " to ".join(dict.fromkeys(map(METRICS[LEADING].shown, ends)))


def _parting(review: Review, outlier: Outlier) -> Line:
    largest, labels = outlier.largest, review.labels
    assert largest is not None
    place = Place(largest.game, largest.turn, largest.kind)
    detail = f"most of {labels[outlier.side]} against {labels[largest.against]}"
    return Line(signed(hundredths(largest.change)), str(place), detail, place)


def _disputes(review: Review) -> Rows:
    """How many decisions are in dispute, and those with most at stake."""
    disputes, agreed = review.disputes, len(review.agreed_errors)
    choices = sum(one.dispute == "choice" for one in disputes)
    parts = [f"{choices} over the choice"] * bool(choices)
    parts += [f"{len(disputes) - choices} over its cost"] * (choices < len(disputes))
    words = (
        plural(len(disputes), "decision") + " in dispute" if disputes else "No decision in dispute"
    )
    headline = words + (f": {', '.join(parts)}" if parts else "")
    if agreed:
        headline += f"; {plural(agreed, 'decision is', 'decisions are')} an error to all"
    return Rows(headline, [_dispute(review, one) for one in disputes[:MOST_DISPUTES]])


def _dispute(review: Review, one: DisputedDecision) -> Line:
    """A decision, with what every analysis prefers, or what each charges."""
    place = Place(one.game, one.turn, one.kind)
    opinions: dict[str, list[str]] = {}
    for verdict in one.verdicts:
        if verdict.side not in review.aligned.voters:
            continue
        label = review.labels[verdict.side]
        if one.dispute == "choice" and verdict.best:
            opinions.setdefault(verdict.best, []).append(label)
        elif one.dispute == "size" and verdict.error is not None:
            opinions.setdefault(f"{verdict.error:.3f}", []).append(label)
    detail = ", ".join(f"{words} by {listed(labels)}" for words, labels in opinions.items())
    return Line(f"{one.at_stake:.3f}", str(place), f"{one.player}; {detail}", place)
