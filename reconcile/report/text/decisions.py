"""Decisions as CSV, and what lists of decisions show in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reconcile.gate.pack_results import PackResult
from reconcile.report.text.statistics import cell, comma_separated
from reconcile.results.decisions import Decisions

COLUMNS: Final = ("game", "turn", "player", "kind", "counted", "error", "luck")


def decisions_csv(document: Decisions, players: tuple[str, str]) -> str:
    """The rows of a list; a player whose name a spreadsheet could mistake for a formula is written as 1 or 2."""
    # A name that has to be changed for a spreadsheet would fit no player any more.
    names = {name: name if cell(name) == name else seat for seat, name in enumerate(players, 1)}
    rows = (
        (one.game, one.turn, names.get(str(one.player), one.player), one.kind, int(one.counted), one.error, one.luck)
        for one in document.decisions
    )
    return comma_separated([COLUMNS, *rows])


def list_sentences(result: PackResult) -> Iterator[str]:
    """What the lists of every program show, one line each."""
    for pooled in result.decision_lists or ():
        yield from (f"decisions of {pooled.candidate}: {line}" for line in pooled.sentences)
