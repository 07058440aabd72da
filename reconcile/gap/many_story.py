"""Several analyses of one match in the sentences that a player came for: where the PRs lie, who is the outlier, and on which decision.

The sentences are made here once and every output prints the same ones: at most three for a player, then what holds for the match.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reconcile.files.wording import listed, plural
from reconcile.gap.many import FEWEST, Looked, Many, Outlier
from reconcile.gap.settle import sentence as settled
from reconcile.gap.story import SHALLOW, Story
from reconcile.gap.walk import LEADING
from reconcile.scoring.findings import main_level
from reconcile.scoring.metrics import METRICS

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
"""Small numbers in words."""
WORTH_NAMING: Final = 0.2
"""Share of an outlier's distance from which the single decision that makes most of it is named."""
SAME: Final = 0.005
"""PRs this close are printed as one number."""


def stories(many: Many) -> tuple[Story, ...]:
    """The story of every player that is shown, then that of the match."""
    return (*(Story(many.names[seat], "outlier" if many.outliers[seat] else "none", tuple(_player(many, seat))) for seat in many.seats),
            Story("", "match", tuple(_match(many))))  # fmt: skip


def sentences(many: Many) -> tuple[str, ...]:
    """All sentences in reading order."""
    return tuple(sentence for story in stories(many) for sentence in story.sentences)


def number(count: int) -> str:
    """A small number in words."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _player(many: Many, seat: int) -> Iterator[str]:
    player, rates, outlier = many.names[seat], many.rates(seat), many.outliers[seat]
    lacking = {side: missing for side in range(len(many.sides)) if (missing := many.missing(side, seat))}
    if not rates:
        yield f"No analysis of {player} is complete, so the PRs do not compare."
    elif outlier is None:
        yield f"{_where(many, rates, seat)}{'; none of them is an outlier' if len(rates) >= FEWEST else ''}."
    else:
        others = {side: pr for side, pr in rates.items() if side != outlier.side}
        yield f"{_where(many, others, seat)}, {many.labels[outlier.side]} at {_span(*_ends(many, outlier.side, seat, rates))}."
        yield _outlier(many, outlier)
        level = main_level(many.sides[outlier.side].match)
        if not lacking and level is not None and level.lookahead is not None and level.lookahead < SHALLOW:
            yield "Its analysis is shallow: it does not look beyond the play itself."
    if lacking:
        said = [f"{many.labels[side]} analysed only {missing}" for side, missing in lacking.items()]
        yield f"{listed(said)} of {player}: {'its PR is' if len(lacking) == 1 else 'their PRs are'} left out."


def _where(many: Many, rates: dict[int, float], seat: int) -> str:
    """`Four analyses put the PR of Nora between 3.50 and 3.90`; one analysis by its name."""
    ends = [_ends(many, side, seat, rates) for side in rates]
    if len(many.sides) == len(rates) == 2:
        (first, second), (one, other) = map(many.labels.__getitem__, rates), ends
        return f"{first} puts the PR of {many.names[seat]} at {_span(*one)}, {second} at {_span(*other)}"
    low, high = min(one for one, _ in ends), max(one for _, one in ends)
    who = f"{number(len(rates)).capitalize()} analyses put" if len(rates) > 1 else f"{many.labels[next(iter(rates))]} puts"
    where = f"between {_span(low, high).replace(' to ', ' and ')}" if high - low >= SAME else f"at {_span(low, high)}"
    return f"{who} the PR of {many.names[seat]} {where}"


def _ends(many: Many, side: int, seat: int, rates: dict[int, float]) -> tuple[float, float]:
    """The PR of a side twice, or its range where a rule of the tool is not known."""
    return many.ranges[side][seat].get(LEADING, (rates[side], rates[side]))


def _span(low: float, high: float) -> str:
    shown = METRICS[LEADING].shown
    return f"{shown(low)} to {shown(high)}" if high - low >= SAME else shown(high)


def _outlier(many: Many, outlier: Outlier) -> str:
    """How far it is away, on how many decisions, and the decision that makes most of it."""
    shown, name = METRICS[LEADING].shown, many.labels[outlier.side]
    where = "above" if outlier.from_median > 0 else "below"
    away = f"{name} is the outlier, {shown(abs(outlier.from_median))} {where} the median of the others"
    on = "it is nowhere alone with its choice"
    if outlier.decisions:
        on = f"on {plural(outlier.decisions, 'decision')} it is alone with its choice"
    if outlier.item is None or abs(outlier.change) < WORTH_NAMING * abs(outlier.from_median):
        return f"{away}; {on}."
    items = many.aligned.items
    place = f"game {items.game[outlier.item]}, turn {items.turn[outlier.item]}"
    change = f"{outlier.change:+.2f}".replace("-", "\N{MINUS SIGN}")
    return f"{away}; {on}; {place} alone makes {change} of its gap to {many.labels[outlier.other]}."


def _match(many: Many) -> Iterator[str]:
    if many.disputes:
        first = many.disputes[0]
        yield f"{plural(len(many.disputes), 'decision is', 'decisions are')} in dispute; {_most(many, first)}."
    else:
        yield "No decision is in dispute."
    if many.settlement is not None:
        yield settled(many.settlement, many.labels)
    if many.agreed_errors:
        yield f"All analyses call {plural(len(many.agreed_errors), 'decision')} an error."
    shown, rules = METRICS[LEADING].shown, many.consensus.rules
    rates = [f"{shown(many.consensus.figures(seat)[LEADING])} for {many.names[seat]}" for seat in many.seats]
    yield f"The consensus, which is ours and no program's, gives a PR of {listed(rates)} (rules {rules.name})."
    if many.repeated:
        yield f"{listed([many.labels[side] for side in many.repeated])} is a file that was given before."
    if not many.same_transcript:
        yield f"The files are not quite the same match: {many.in_all} of {plural(len(many.aligned.items), 'decision')} are in all of them."


def _most(many: Many, first: Looked) -> str:
    """The decision with most at stake, and who prefers what."""
    sides: dict[str, list[str]] = {}
    for verdict in first.verdicts:
        if verdict.best:
            sides.setdefault(verdict.best, []).append(many.labels[verdict.side])
    said = [f"{listed(names)} {'prefers' if len(names) == 1 else 'prefer'} {best}" for best, names in sides.items()]
    return f"most is at stake in game {first.game}, turn {first.turn} ({first.at_stake:.3f}): {', '.join(said)}"
