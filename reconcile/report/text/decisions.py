"""Decisions as CSV, and those in which a list of a program differs as text."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Final

from reconcile.gate.match_results import MatchResult
from reconcile.gate.pack_results import PackResult
from reconcile.report import numbers
from reconcile.report.text.statistics import cell
from reconcile.results.decisions import Decisions

COLUMNS: Final = ("game", "turn", "player", "kind", "counted", "error", "luck")


def decisions_csv(document: Decisions, players: tuple[str, str]) -> str:
    """The rows of a list; a player whose name a spreadsheet could mistake for a formula is written as 1 or 2."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    # A name that has to be changed for a spreadsheet would fit no player any more.
    names = {name: name if cell(name) == name else seat for seat, name in enumerate(players, 1)}
    for row in document.decisions:
        cells = (row.game, row.turn, names.get(str(row.player), row.player), row.kind, int(row.counted))
        writer.writerow((*cells, *("" if value is None else value for value in (row.error, row.luck))))
    return out.getvalue()


MOST: Final = 5
"""Decisions of one list that are printed."""


def list_sentences(result: PackResult) -> Iterator[str]:
    """What the lists of every program show, one line each."""
    for pooled in result.decision_lists or ():
        yield from (f"decisions of {pooled.candidate}: {line}" for line in pooled.sentences)


def list_lines(match: MatchResult) -> Iterator[str]:
    """The decisions of every list that move PR most, and how many more there are."""
    for candidate in match.candidates:
        if candidate.decisions is None:
            continue
        for one in candidate.decisions.differing[:MOST]:
            moved = "" if one.pr is None else f", PR {numbers.ascii_minus(numbers.change('pr', one.pr))}"
            yield f"{candidate.suite}: {one.address}: {one.sentence}{moved}{one.xgid and f'  {one.xgid}'}"
        if len(candidate.decisions.differing) > MOST:
            yield f"{candidate.suite}: {len(candidate.decisions.differing) - MOST:,} more decisions differ; --html and --json have them all"
