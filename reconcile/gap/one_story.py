"""One analysis of a match in the sentences that a player came for: the PR, what it is made of, and the decisions that cost most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from reconcile.files.wording import Sentence, Turn, listed, plural
from reconcile.gap.review import SIZE, Review
from reconcile.gap.story import Story
from reconcile.gap.walk import LEADING
from reconcile.scoring.grades import band
from reconcile.scoring.metrics import METRICS

TOO_FEW: Final = 20
"""Decisions below which a PR says next to nothing."""
DEAREST: Final = 3
PARTS: Final = {"checker": "checker plays", "double": "doubling or not", "take": "takes and passes"}


def stories(one: Review) -> tuple[Story, ...]:
    """That the match is not all there, then the story of every player that is shown."""
    return (*_whole(one), *(Story(one.names[seat], "one", tuple(_player(one, seat))) for seat in one.seats))


def _whole(one: Review) -> Iterator[Story]:
    match, label = one.match, one.labels[0]
    if not len(one.aligned.items):
        yield Story("", "empty", ("The file has no decisions.",))
    elif not one.aligned.known.any():
        yield Story("", "transcript", ("A transcript without analysis: there is no PR, and no error is known.",))
    elif not match.complete:
        yield Story("", "unfinished", ("The match is unfinished: a PR here rests on what was played.",))
    elif not any(known.any() for known in (match.cubes.analysed,)) and len(match.cubes):
        yield Story("", "cubeless", (f"{label} analysed no cube decision, so there is no PR of all decisions.",))


def _player(one: Review, seat: int) -> Iterator[Sentence]:
    figures, name, label = one.figures_of(0, seat), one.names[seat], one.labels[0]
    pr, counted = figures[LEADING], figures["decisions.counted"]
    missing, shown = one.missing(0, seat), METRICS[LEADING].shown
    if pr is None or missing:
        if one.aligned.known.any():
            plays = figures["checker_pr"]
            also = f"; in checker plays {shown(plays)}" if plays is not None else ""
            yield Sentence(f"{name}: {label} analysed {missing or 'nothing of it'}, so no PR{also}.")
        return
    low, high = one.ranges[0][seat].get(LEADING, (pr, pr))
    value = shown(pr) if shown(low) == shown(high) else f"{shown(low)} to {shown(high)}"
    few = ", too few decisions to say" if (counted or 0) < TOO_FEW else f", {band(pr)}"
    yield Sentence(f"{name}: PR {value} by {label}{few}.")
    yield Sentence(*_made_of(figures, float(pr), int(counted or 0)), *_dearest(one, seat), ".")


def _made_of(figures: dict[str, float | int | None], pr: float, counted: int) -> Iterator[str]:
    """`7.79 on 162 decisions: 6.63 from checker plays and 1.16 from doubling or not`; the parts add up to the PR."""
    yield plural(counted, "decision")
    whole = figures["equity_error.total"]
    parts = [(words, figures[f"equity_error.{name}"]) for name, words in PARTS.items()]
    if whole:
        said = [f"{pr * error / whole:.2f} from {words}" for words, error in parts if error and pr * error / whole >= 0.005]
        yield f": {listed(said)}"


def _dearest(one: Review, seat: int) -> Iterator[str | Turn]:
    items, error = one.aligned.items, np.nan_to_num(one.aligned.error[0])
    mine = np.flatnonzero((items.player == seat) & (np.round(error, 5) >= SIZE))
    order = mine[np.lexsort((mine, -np.round(error[mine], 9)))][:DEAREST].tolist()
    places = [Sentence(Turn(int(items.game[row]), int(items.turn[row])), f" ({error[row]:.3f})") for row in order]
    if places:
        yield from ("; dearest: ", *Sentence.listed(places).pieces)
