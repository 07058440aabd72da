"""A match with its analyses as rows: of several the PRs, who is apart and what is in dispute, of one as `analysis_rows.py` has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from reconcile.files.wording import listed, plural
from reconcile.gap.analysis_rows import analysis_rows
from reconcile.gap.disputed import DisputedDecision, Outlier
from reconcile.gap.notes import noted
from reconcile.gap.review import Review
from reconcile.gap.rows import Line, Place, Rows, hundredths, signed
from reconcile.gap.walk import LEADING
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.metrics import METRICS

MOST_DISPUTES: Final = 5
"""Decisions in dispute that are named."""
WITHOUT: Final = {"copy": "file-copied", "same-program": "program-twice"}


def review_rows(review: Review) -> list[Rows]:
    """Rows for every player that is shown; of several analyses also for the match."""
    if len(review.analyses) == 1:
        statistics, label = review.analyses[0], review.labels[0]
        return [analysis_rows(statistics, review.seat(0, seat), label) for seat in review.seats]
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
