"""The page of the study of plies, from what `benchmarks.study_of_plies` measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

MISTAKE, BLUNDER, NOTICED = 0.02, 0.08, 0.005
QUANTILES: Final = (10, 25, 50, 75, 90, 95, 100)
FEWEST: Final = 50
"""Decisions of a kind that has a row of its own."""
Interval = Callable[[Any, Any], tuple[float, float]]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Sides:
    """Figures of every player of every match, at both depths: shape (sides, 2), flat and deep."""

    match: npt.NDArray[np.int64]
    pr: Floats
    checker: Floats
    cube: Floats
    counted: Floats
    error: Floats

    @property
    def gap(self) -> Floats:
        """PR of the deep analysis less that of the flat one."""
        gap: Floats = self.pr[:, 1] - self.pr[:, 0]
        return gap


@dataclass(frozen=True)
class Rows:
    """Every decision that counts at one depth at least."""

    group: npt.NDArray[np.object_]
    """Its kind and phase."""
    error: Floats
    """Shape (rows, 2)."""
    counted: npt.NDArray[np.bool_]
    """Shape (rows, 2)."""
    flipped: npt.NDArray[np.bool_]
    """Whether the best action is another one, and what was best without depth costs `NOTICED` or more with it."""


def page(
    sides: Sides,
    rows: Rows,
    worst: Sequence[dict[str, str]],
    *,
    interval: Interval,
    rolls: int,
    undecided: int,
    date: str,
    versions: Sequence[str],
) -> str:
    """The whole page as Markdown."""
    matches = len(sides.pr) // 2
    gap, size = sides.gap, np.abs(sides.gap)
    lowered = int((gap < 0).sum())
    pairs = sides.pr.reshape(-1, 2, 2)
    ahead = np.sign(pairs[:, 0] - pairs[:, 1])
    turned = int((ahead[:, 0] * ahead[:, 1] < 0).sum())
    mean = interval(sides, lambda chosen: gap[chosen].mean())
    middle = interval(sides, lambda chosen: np.median(size[chosen]))
    both = sides.pr.mean(axis=1)
    apart = rows.error[:, 1] - rows.error[:, 0]
    shares = np.cumsum(np.sort(np.abs(apart))[::-1]) / np.abs(apart).sum()
    cube = np.array([not one.startswith("play") for one in rows.group])
    return f"""# Study: how far PR moves with depth

This study was measured on {
        date
    } by `python -m benchmarks.study_of_plies`. Every figure on the page comes from that run.

{matches} real matches (7 to 13 points, {rolls:,} rolls) were analysed by gnuBG {
        " and ".join(versions)
    } at 0 plies and again at 4 plies. Transcript, program and settings are the same, so
every difference comes from depth. The pages are gnuBG's text export, from github.com/lassehjorthmadsen/bglab (MIT), commit 671cb08d63bdfa8a2a7b1a3c39d482989fb94fde, folder
`data-raw/Llabba`. PR is 500 times the equity lost per decision, decisions counted by gnuBG's rules, for each of the {
        2 * matches
    } sides. A gap is PR at 4 plies less PR at 0 plies.
Equities are printed with three decimals, which leaves {undecided} of {
        int(
            rows.counted.sum()
        ):,} counted decisions of both analyses open; one of 150 more or less moves a PR by less than 1 %.

## In short

- A PR at 0 plies is off from 4 plies of gnuBG by {
        np.median(size):.2f} in the median (95 % interval {middle[0]:.2f} to {
        middle[1]:.2f}). On one side in ten it is off by more than {
        np.percentile(size, 90):.2f}. The most is {size.max():.2f}.
- It is too high, by {-gap.mean():.2f} on average (95 % interval {-mean[1]:.2f} to {
        -mean[0]:.2f}). 4 plies lower the PR of {lowered} of {2 * matches} sides.
- It still orders players: the correlation of both PRs over the sides is {
        _correlation(sides.pr[:, 0], sides.pr[:, 1]):.2f}, of their ranks {
        _correlation(_ranks(sides.pr[:, 0]), _ranks(sides.pr[:, 1])):.2f}. In {turned} of {
        matches
    } matches the other player is the better one.
- Few decisions make the difference: one in a hundred has {
        100 * shares[len(shares) // 100]:.0f} % of all that moves, one in twenty {
        100 * shares[len(shares) // 20]:.0f} %.
- The cube moves more than its share: {100 * cube.mean():.0f} % of the decisions, {
        100 * np.abs(apart[cube]).sum() / np.abs(apart).sum():.0f} % of what moves, and {
        100 * apart[cube].sum() / apart.sum():.0f} % of what depth takes off.

## The size of the gap

{
        _table(
            ["", "mean", *(f"{one} %" if one < 100 else "largest" for one in QUANTILES)],
            [
                [
                    "size of the gap",
                    f"{size.mean():.2f}",
                    *(f"{np.percentile(size, one):.2f}" for one in QUANTILES),
                ],
            ],
        )
    }

{
        _table(
            ["figure", "0 plies", "4 plies", "median at 0", "median at 4"],
            [
                ["PR", *_means(sides.pr, 2)],
                ["PR of checker plays", *_means(sides.checker, 2)],
                ["PR of cube decisions", *_means(sides.cube, 2)],
                ["equity lost in a match (EMG)", *_means(sides.error, 3)],
                ["decisions that count", *_means(sides.counted, 1)],
            ],
        )
    }

The gap comes from the errors, not from the count: with the errors of 4 plies and the decisions of 0 plies the mean PR would be {
        (500 * sides.error[:, 1] / sides.counted[:, 0]).mean():.2f}.

## For whom

The table has sides in three groups by the mean of both PRs, so neither analysis selects them. Better players gain more by depth: many of the errors that 0 plies charge them are none. The
correlation of that level with the gap is {_correlation(both, gap):+.2f} (of the ranks {
        _correlation(_ranks(both), _ranks(gap)):+.2f}), and with its size {
        _correlation(both, size):+.2f} ({
        _correlation(
            _ranks(both), _ranks(size)
        ):+.2f}). In PR the gap is about as large for everybody. Relative
to their PR it matters most for the best.

{
        _table(
            ["PR", "sides", "mean gap", "median size", "size / PR", "lower at 4 plies"],
            _by_level(both, gap, size),
        )
    }

## Which decisions

The table has the decisions that count in either analysis, by kind and phase. *Opening* is turns 1 to 6. *Contact* is every later turn in which the players can still hit each other, and
*race* follows. *Bear-off* is a race with all of the decider's checkers at home. Errors are means in thousandths of EMG. *Moves* is the mean size of the difference, and *share* its part of
all differences added up. *Net share* is the part of the sum with signs: what depth takes off the kind's errors ({
        -apart.sum():.1f} EMG in all). *Other verdict* means that the best action at 0 plies costs {
        NOTICED:.3f} or more at 4 plies.
For a cube decision it means that the other action is right and the two errors are {
        NOTICED:.3f} together. Kinds with fewer than {FEWEST} decisions are left out.

{
        _table(
            [
                "decision",
                "number",
                "error at 0",
                "error at 4",
                "moves",
                "share",
                "net share",
                "other verdict",
            ],
            _by_kind(rows, apart),
        )
    }

## Verdicts that change

{
        _table(
            ["", "0 plies", "4 plies"],
            [
                [f"errors of {MISTAKE:.2f} or more", *_count(rows.error >= MISTAKE)],
                [f"errors of {BLUNDER:.2f} or more", *_count(rows.error >= BLUNDER)],
                [
                    f"{BLUNDER:.2f} or more here, less than {NOTICED:.3f} there",
                    *_count((rows.error >= BLUNDER) & (rows.error[:, ::-1] < NOTICED)),
                ],
                [
                    f"{MISTAKE:.2f} or more here, less than {NOTICED:.3f} there",
                    *_count((rows.error >= MISTAKE) & (rows.error[:, ::-1] < NOTICED)),
                ],
                ["decisions that count here only", *_count(rows.counted & ~rows.counted[:, ::-1])],
            ],
        )
    }

The {len(worst)} plays whose error differs most; in brackets the cost of the play made.

{
        _table(
            ["position", "played", "best at 0 plies", "best at 4 plies"],
            [[f"`{one['xgid']}`", one["played"], one["flat"], one["deep"]] for one in worst],
        )
    }

## What this does not say

4 plies are not the truth either: they are wrong where gnuBG's network is. One player is in most of the matches, so half of the sides are not a sample of players. The two sides of a match are not
independent either, so the intervals are of resampled matches. One version of gnuBG was used, with one move filter. Both analyses are gnuBG's: how far other programs' depths differ is another question.
"""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    align = ["---", *["---:"] * (len(head) - 1)] if head[0] != "position" else ["---"] * len(head)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, align, *rows))


def _means(values: Floats, digits: int) -> list[str]:
    return [f"{one:.{digits}f}" for one in (*values.mean(axis=0), *np.median(values, axis=0))]


def _count(found: Any) -> list[str]:
    return [f"{one:,}" for one in found.sum(axis=0).tolist()]


def _ranks(values: Floats) -> Floats:
    return np.argsort(np.argsort(values, kind="stable"), kind="stable").astype(float)


def _correlation(one: Floats, two: Floats) -> float:
    return float(np.corrcoef(one, two)[0, 1])


def _by_level(level: Floats, gap: Floats, size: Floats) -> list[list[str]]:
    return [
        [
            f"{level[group].min():.2f} to {level[group].max():.2f}",
            str(len(group)),
            f"{gap[group].mean():+.2f}",
            f"{np.median(size[group]):.2f}",
            f"{100 * np.median(size[group] / level[group]):.0f} %",
            f"{100 * (gap[group] < 0).mean():.0f} %",
        ]
        for group in np.array_split(np.argsort(level, kind="stable"), 3)
    ]


def _by_kind(rows: Rows, apart: Floats) -> list[list[str]]:
    found = []
    for kind in sorted(set(rows.group)):
        own = rows.group == kind
        if own.sum() < FEWEST:
            continue
        flat, deep = 1000 * rows.error[own].mean(axis=0)
        found.append([
            kind, f"{own.sum():,}", f"{flat:.1f}", f"{deep:.1f}", f"{1000 * np.abs(apart[own]).mean():.1f}",
            f"{100 * np.abs(apart[own]).sum() / np.abs(apart).sum():.0f} %", f"{100 * apart[own].sum() / apart.sum():.0f} %",
            f"{100 * rows.flipped[own].mean():.0f} %",
        ])  # fmt: skip
    return found
