"""A match with its analyses in the sentences that a player came for.

Of one analysis the PR, what it is made of, and the decisions that cost most; of several where the PRs lie, who is the outlier, and on which
decision. The sentences are made here once and every output prints the same ones: at most three for a player, and what holds for the match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from reconcile.files.wording import Sentence, Turn, capital, listed, plural, signed
from reconcile.gap.aligned import SIZE, NoVote, is_shallow
from reconcile.gap.disputed import FEWEST, DisputedDecision, Outlier
from reconcile.gap.review import Review
from reconcile.gap.story import Story, number
from reconcile.gap.walk import LEADING
from reconcile.scoring.figures import emg
from reconcile.scoring.findings import main_level
from reconcile.scoring.grades import rated
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.open_words import range_words

WORTH_NAMING: Final = 0.2
"""Share of an outlier's distance from which the single decision that makes most of it is named."""
NAMED: Final = 4
"""Analyses of which each PR is said; of more, the lowest and the highest."""

TOO_FEW: Final = 20
"""Decisions below which a PR says next to nothing."""
DEAREST: Final = 3
PARTS: Final = {"checker": "checker plays", "double": "doubling or not", "take": "takes and passes"}
WHY_NO_VOTE: Final[dict[NoVote, str]] = {
    "copy": "it is a copy of {}",
    "same-program": "{} is the deeper analysis by the same program",
}


def stories(review: Review) -> tuple[Story, ...]:
    """The story of every player that is shown; of one analysis after what the match lacks, of several before what holds for the match."""
    if len(review.analyses) == 1:
        return (
            *_lacking(review),
            *(
                Story(review.names[seat], "one", tuple(_alone(review, seat)))
                for seat in review.seats
            ),
        )
    found = (
        (
            review.names[seat],
            "outlier" if review.outliers[seat] else "none",
            tuple(_player(review, seat)),
        )
        for seat in review.seats
    )
    return (*(Story(*one) for one in found), Story("", "match", tuple(_match(review))))


def sentences(many: Review) -> tuple[str, ...]:
    """All sentences in reading order."""
    return tuple(sentence for story in stories(many) for sentence in story.sentences)


def _player(many: Review, seat: int) -> Iterator[str]:
    player, rates, outlier = many.names[seat], many.rates(seat), many.outliers[seat]
    lacking = {
        side: missing for side in range(len(many.analyses)) if (missing := many.missing(side, seat))
    }
    if not rates:
        yield f"No analysis of {player} is complete, so the PRs do not compare."
    else:
        none = "; none of them is an outlier" if outlier is None and len(rates) >= FEWEST else ""
        yield f"{_where(many, rates, seat, outlier)}{none}."
    if outlier is not None:
        yield _outlier(many, outlier)
    if (
        outlier is not None
        and not lacking
        and is_shallow(main_level(many.analyses[outlier.side].match))
    ):
        yield "Its analysis is shallow: it does not look beyond the play itself."
    for side in rates:
        if LEADING in many.ranges[side][seat]:
            yield from (
                f"{words}."
                for _, owner, words in range_words(many.analyses[side])
                if owner == many.seat(side, seat)
            )
    if lacking:
        said = [f"{many.labels[side]} analysed only {missing}" for side, missing in lacking.items()]
        yield f"{listed(said)} of {player}: {'its PR is' if len(lacking) == 1 else 'their PRs are'} left out."


def _where(many: Review, rates: Mapping[int, float], seat: int, outlier: Outlier | None) -> str:
    """`XG puts the PR of Nora at 3.50, gnuBG at 3.90`; of more analyses than are named, the lowest and the highest."""
    shown, player = METRICS[LEADING].shown, many.names[seat]
    if len(rates) <= NAMED:
        (first, pr), *others = rates.items()
        said = [f"{many.labels[side]} at {shown(other)}" for side, other in others]
        return listed([f"{many.labels[first]} puts the PR of {player} at {shown(pr)}", *said])
    inside = {side: pr for side, pr in rates.items() if outlier is None or side != outlier.side}
    low, high = min(inside.values()), max(inside.values())
    where = (
        f"between {shown(low)} and {shown(high)}"
        if shown(low) != shown(high)
        else f"at {shown(low)}"
    )
    apart = f", {many.labels[outlier.side]} at {shown(rates[outlier.side])}" if outlier else ""
    return f"{capital(number(len(inside)))} analyses put the PR of {player} {where}{apart}"


def _outlier(many: Review, outlier: Outlier) -> str:
    """How far it is away, on how many decisions, and the decision that makes most of it."""
    name, where = many.labels[outlier.side], "above" if outlier.from_median > 0 else "below"
    ends = sorted(map(abs, outlier.range or (outlier.from_median, outlier.from_median)))
    away = f"{name} is the outlier, {_span(*ends)} {where} the median of the others ({_span(*outlier.median)})"
    on = "it is nowhere alone with its choice"
    if outlier.decisions:
        on = f"on {plural(outlier.decisions, 'decision')} it is alone with its choice"
    largest = outlier.largest
    if largest is None or abs(largest.change) < WORTH_NAMING * abs(outlier.from_median):
        return f"{away}; {on}."
    place = Turn(largest.game, largest.turn)
    return f"{away}; {on}; {place} alone makes {signed(largest.change)} of its gap to {many.labels[largest.against]}."


def _span(low: float, high: float) -> str:
    first, second = METRICS[LEADING].shown(low), METRICS[LEADING].shown(high)
    return first if first == second else f"{first} to {second}"


def _match(many: Review) -> Iterator[str]:
    if many.disputes:
        yield f"{_disputes(many)}; {_most(many, many.disputes[0])}."
    else:
        yield "No decision is in dispute."
    if many.settlement is not None:
        yield many.settlement.sentence
    if many.agreed_errors:
        yield f"All analyses call {plural(len(many.agreed_errors), 'decision')} an error."
    for side, (why, other) in many.aligned.without_vote.items():
        yield f"{many.labels[side]} takes no part: {WHY_NO_VOTE[why].format(many.labels[other])}."
    if not many.aligned.same_transcript:
        every = plural(len(many.aligned.items), "decision")
        yield f"The files are not quite the same match: {many.aligned.in_all} of {every} are in all of them."


def _disputes(many: Review) -> str:
    """`7 decisions are in dispute: on 5 the analyses prefer another choice, on 2 they agree on it and differ in its size`."""
    every, choices = len(many.disputes), sum(one.dispute == "choice" for one in many.disputes)
    what = plural(every, "decision is", "decisions are") + " in dispute"
    apart = f"by {SIZE:.3f} or more in what the error costs"
    if choices == every:
        return what
    if not choices:
        return f"{what}, {'it' if every == 1 else 'all'} only for its size: the analyses agree on the choice and differ {apart}"
    return f"{what}: on {choices} the analyses prefer another choice, on {every - choices} they agree on it and differ {apart}"


def _most(many: Review, first: DisputedDecision) -> str:
    """The decision with most at stake, and who prefers what, or what each charges for it where they agree."""
    where = f"most is at stake in {Turn(first.game, first.turn)} ({first.at_stake:.3f})"
    if first.dispute == "size":
        charged = [
            f"{say.error:.3f} by {many.labels[say.side]}"
            for say in first.verdicts
            if say.error is not None
        ]
        best = f"they agree on {first.majority}; " if first.majority else ""
        return f"{where}: {best}{first.played} costs {listed(charged)}"
    sides: dict[str, list[str]] = {}
    for verdict in first.verdicts:
        if verdict.best:
            sides.setdefault(verdict.best, []).append(many.labels[verdict.side])
    said = [
        f"{listed(names)} {'prefers' if len(names) == 1 else 'prefer'} {best}"
        for best, names in sides.items()
    ]
    return f"{where}: {', '.join(said)}"


def _lacking(one: Review) -> Iterator[Story]:
    match, label = one.match, one.labels[0]
    if not len(one.aligned.items):
        yield Story("", "empty", ("The file has no decisions.",))
    elif not one.aligned.known.any():
        yield Story(
            "",
            "transcript",
            ("A transcript without analysis: there is no PR, and no error is known.",),
        )
    elif not match.complete:
        yield Story(
            "", "unfinished", ("The match is unfinished: a PR here rests on what was played.",)
        )
    elif len(match.cubes) and not match.cubes.analysed.any():
        yield Story(
            "",
            "cubeless",
            (f"{label} analysed no cube decision, so there is no PR of all decisions.",),
        )


def _alone(one: Review, seat: int) -> Iterator[Sentence]:
    figures, name, label = one.figures_of(0, seat), one.names[seat], one.labels[0]
    pr, counted = figures[LEADING], figures["decisions.counted"]
    missing, shown = one.missing(0, seat), METRICS[LEADING].shown
    if pr is None or missing:
        if one.aligned.known.any():
            plays = figures["checker_pr"]
            also = f"; in checker plays {shown(plays)}" if plays is not None else ""
            yield Sentence(
                f"{name}: {label} analysed {missing or 'nothing of it'}, so no PR{also}."
            )
        return
    low, high = one.ranges[0][seat].get(LEADING, (pr, pr))
    value = shown(pr) if shown(low) == shown(high) else f"{shown(low)} to {shown(high)}"
    memg = figures["error_rate_memg"]
    word = rated(one.analyses[0].rules.name, pr, None if memg is None else emg(memg))[0]
    few = ", too few decisions to say" if (counted or 0) < TOO_FEW else f", {word}" if word else ""
    yield Sentence(f"{name}: PR {value} by {label}{few}.")
    yield Sentence(*_made_of(figures, float(pr), int(counted or 0)), *_dearest(one, seat), ".")


def _made_of(figures: dict[str, float | int | None], pr: float, counted: int) -> Iterator[str]:
    """`7.79 on 162 decisions: 6.63 from checker plays and 1.16 from doubling or not`; the parts add up to the PR."""
    yield plural(counted, "decision")
    whole = figures["equity_error.total"]
    parts = [(words, figures[f"equity_error.{name}"]) for name, words in PARTS.items()]
    if whole:
        said = [
            f"{pr * error / whole:.2f} from {words}"
            for words, error in parts
            if error and pr * error / whole >= 0.005
        ]
        yield f": {listed(said)}"


def _dearest(one: Review, seat: int) -> Iterator[str | Turn]:
    items, error = one.aligned.items, np.nan_to_num(one.aligned.error[0])
    mine = np.flatnonzero((items.player == seat) & (np.round(error, 5) >= SIZE))
    order = mine[np.lexsort((mine, -np.round(error[mine], 9)))][:DEAREST].tolist()
    places = [
        Sentence(Turn(int(items.game[row]), int(items.turn[row])), f" ({error[row]:.3f})")
        for row in order
    ]
    if places:
        yield from ("; dearest: ", *Sentence.listed(places).pieces)
