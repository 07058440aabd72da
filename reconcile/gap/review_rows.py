"""A match with its analyses as rows: of several the PRs, who is apart and what is in dispute, of
one as `analysis_rows.py` has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from reconcile.files.wording import listed, plural
from reconcile.gap.analysis_rows import analysis_rows
from reconcile.gap.disputed import DisputedDecision, Outlier
from reconcile.gap.notes import noted
from reconcile.gap.review import Review
from reconcile.gap.rows import Line, Rows, hundredths, signed
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
    labels, aligned = review.labels, review.aligned
    for side, label in enumerate(labels):
        where = label if len(labels) > 1 else ""
        findings += [(where, finding) for finding in review.findings(side)]
    for side, (why, other) in aligned.without_vote.items():
        finding = new_finding(WITHOUT[why], file=labels[side], other=labels[other])
        findings.append(("", finding))
    if not aligned.same_transcript:
        every = plural(len(aligned.items), "decision")
        evidence = f"{aligned.in_all} of {every} are in all files"
        findings.append(("", new_finding("transcript-differs", evidence)))
    settlement = review.settlement
    return noted(findings, review.players) + ([settlement.sentence] if settlement else [])


def review_story(review: Review) -> Iterator[str]:
    """Headlines, rows and notes as strings, in reading order."""
    for rows in review_rows(review):
        yield from rows.story()
    yield from review_notes(review)


def _player(review: Review, seat: int) -> Rows:
    """The PR of a player by every analysis, and on which decision the outlier parts from the
    others."""
    name, outlier, rates = review.names[seat], review.outliers[seat], review.rates(seat)
    lines = [_analysis(review, side, seat, outlier) for side in range(len(review.analyses))]
    if outlier is not None and outlier.largest is not None:
        largest, against = outlier.largest, review.labels[outlier.largest.against]
        detail = f"most of {review.labels[outlier.side]} against {against}"
        lines.append(
            Line(signed(hundredths(largest.change)), str(largest.place), detail, largest.place)
        )
    if not rates:
        return Rows(f"{name}: no analysis is complete, so the PRs do not compare", lines, name)
    ends = _span((min(rates.values()), max(rates.values())))
    apart = "no outlier" if outlier is None else f"outlier {review.labels[outlier.side]}"
    return Rows(f"{name}: PR {ends} by {plural(len(rates), 'program')}, {apart}", lines, name)


def _analysis(review: Review, side: int, seat: int, outlier: Outlier | None) -> Line:
    pr, missing = review.figures_of(side, seat)[LEADING], review.missing(side, seat)
    details = [f"only {missing} analysed"] if missing else []
    if outlier is not None and outlier.side == side:
        where = "above" if outlier.from_median > 0 else "below"
        away = _span(sorted(map(abs, outlier.away)))
        details.append(f"{away} {where} the median of the others ({_span(outlier.median)})")
        number = plural(outlier.decisions, "decision")
        alone = f"alone with its choice on {number}"
        details.append(alone if outlier.decisions else "nowhere alone with its choice")
    if ends := review.ranges[side][seat].get(LEADING):
        details.append(f"{_span(ends)}: a rule is not known")
    number = "-" if missing or pr is None else METRICS[LEADING].shown(pr)
    return Line(number, review.labels[side], "; ".join(details))


def _span(ends: Sequence[float]) -> str:
    return " to ".join(dict.fromkeys(map(METRICS[LEADING].shown, ends)))


def _disputes(review: Review) -> Rows:
    """How many decisions are in dispute, and those with most at stake."""
    disputes, agreed = review.disputes, len(review.agreed_errors)
    choices = sum(dispute.dispute == "choice" for dispute in disputes)
    parts = [f"{choices} over the choice"] * bool(choices)
    parts += [f"{len(disputes) - choices} over its cost"] * (choices < len(disputes))
    headline = "No decision in dispute"
    if disputes:
        headline = f"{plural(len(disputes), 'decision')} in dispute: {', '.join(parts)}"
    if agreed:
        headline += f"; {plural(agreed, 'decision is', 'decisions are')} an error to all"
    return Rows(headline, [_dispute(review, dispute) for dispute in disputes[:MOST_DISPUTES]])


def _dispute(review: Review, dispute: DisputedDecision) -> Line:
    """A decision, with what every analysis prefers, or what each charges."""
    place = dispute.place
    opinions: dict[str, list[str]] = {}
    for verdict in (dispute.verdicts[side] for side in review.aligned.voters):
        words = verdict.best
        if dispute.dispute == "size":
            words = "" if verdict.error is None else f"{verdict.error:.3f}"
        if words:
            opinions.setdefault(words, []).append(review.labels[verdict.side])
    detail = ", ".join(f"{words} by {listed(labels)}" for words, labels in opinions.items())
    return Line(f"{dispute.at_stake:.3f}", str(place), f"{dispute.player}; {detail}", place)
