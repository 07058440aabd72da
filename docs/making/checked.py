"""What each tool was checked against, with counts: measured by `python -m tests.oracles.measure`,
kept in `docs/checked.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from docs.making.markdown import page, table

KEPT = Path(__file__).parents[1] / "checked.json"


class Check(NamedTuple):
    """The words for one comparison; its numbers are measured."""

    against: str
    tolerance: str
    how: str
    """How the other program's figures were had, and how to measure again."""


CHECKS = {
    "xg-window": Check(
        "its statistics window, as people typed it in",
        "equal when rounded to the digits that XG prints",
        "Two real matches with figures published by the author of blunderDB; one of them with "
        "a single figure. XG runs on Windows, and we know of no way to ask it from a program.",
    ),
    "gnubg-files": Check(
        "gnuBG's own table of files that it analysed",
        "counters equal; sums within single precision",
        "gnuBG loads each file and counts it again; its Python interface returns the table.",
    ),
    "gnubg-fresh": Check(
        "gnuBG's own table of matches made for the purpose",
        "counters equal; sums within single precision",
        "`python -m tests.oracles.gnubg --count 80 --seed 7` makes up matches (any legal plays, "
        "doubles, takes, beavers, resignations, games broken off, odd names), and has gnuBG "
        "analyse and count them: money with Jacoby and beavers, 1 to 64 points, every match "
        "equity table that gnuBG ships, Nackgammon, set-ups, partial analyses.",
    ),
    "gammonview": Check(
        "its own totals of real `.xg` files",
        "counts equal; PR and equity equal in the digits it prints",
        "GammonView, from PyPI, reads the same files in an environment of its own. The test "
        "also writes files whose cube decisions all lie at the borders of its rules.",
    ),
}
"""Every comparison, in the order of the page."""
SINGLE_PRECISION = """\
## Single precision {#single-precision}

gnuBG adds in numbers of 24 binary digits. An addition of match winning chances rounds by at most \
2^-24, so a sum of n of them is known to n times that: this is the tolerance of luck in MWC, of \
results and of luck-adjusted results, in which large parts of both signs cancel. In money play \
the bound is multiplied by the points that rolls gained and lost. Sums of errors have one sign \
and a relative tolerance of a millionth, 17 roundings. A rating difference is a logarithm of the \
luck-adjusted result, so its tolerance follows from that of the result; where the result is \
certain, gnuBG gives -2100 or nothing by the last binary digit.

In the matches measured here, on Debian 12, no counter and no sum of a game or match differs at \
all: all figures that are not the same number are rates, ratings and confidence intervals, which \
we divide and take logarithms of in double precision. The tolerance of sums is for other \
machines, whose compiler and C library may round a projected chance otherwise."""
HEAD = (
    "tool",
    "checked against",
    "files",
    "games",
    "sides",
    "figures",
    "the same",
    "within tolerance",
    "outside",
    "measured",
)


def checked_page() -> str:
    """The page of all comparisons."""
    measured: dict[str, dict[str, Any]] = json.loads(KEPT.read_text("utf-8"))
    rows = [
        (
            f"[{counts['tool']}](#{key})",
            CHECKS[key].against,
            *(counts[name] for name in ("files", "games", "sides")),
            *(f"{counts[name]:,}" for name in ("figures", "same", "within", "outside")),
            counts["measured"],
        )
        for key, counts in measured.items()
    ]
    sections = [
        f"## {counts['tool']}, {CHECKS[key].against} "
        f"{{#{key}}}\n\n{CHECKS[key].how}\n\nTolerance: {CHECKS[key].tolerance}."
        for key, counts in measured.items()
    ]
    return page(
        "What each tool was checked against",
        "A rule set is worth what it was checked against. This page counts: how many figures of "
        "the tool's own were compared with ours, how many are the same number, and how many are "
        "not but lie within the tolerance. The matches are not all public, so the counts were "
        "measured once, on the day shown.",
        table(HEAD, rows, "llrrrrrrrl"),
        "A *side* is one player of one file. gnuBG's figures are those of its whole table, for "
        "the match and every game; GammonView's are "
        "two counts, PR and equity lost, for the match and every game.",
        *sections,
        SINGLE_PRECISION,
        "What is not checked against a tool itself is marked on the page of its rule: see "
        "[open points](open-points.md).",
    )
