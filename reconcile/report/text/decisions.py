"""Decisions as CSV and on a board, and what lists of decisions show in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from reconcile.document import dumps
from reconcile.gate.pack_results import PackResult
from reconcile.match.board.drawing import board_svg
from reconcile.match.board.identifiers import from_xgid
from reconcile.report.blocks import Picture
from reconcile.report.text.statistics import cell, comma_separated
from reconcile.results.decisions import COLUMNS, decisions_document
from reconcile.scoring.statistics import Statistics


def decisions_content(scored: Statistics, form: str, *, candidates: bool = False) -> str:
    """The list of decisions as `json`, perhaps with the candidates of every play, or as CSV, where
    a player whose name a spreadsheet could mistake for a formula is 1 or 2."""
    document = decisions_document(scored, candidates=candidates)
    if form == "json":
        return dumps(document)
    # A name that has to be changed for a spreadsheet would fit no player any more.
    names = {
        name: name if cell(name) == name else seat
        for seat, name in enumerate(scored.match.players, 1)
    }
    rows = (
        {**row, "player": names.get(row["player"], row["player"]), "counted": int(row["counted"])}
        for row in document.decisions
    )
    return comma_separated([COLUMNS, *([row.get(name) for name in COLUMNS] for row in rows)])


def board_of(xgid: str, key: str, name: str, caption: str) -> Picture:
    """The board of a decision; `key` must be unique on the page."""
    draw = partial(board_svg, from_xgid(xgid), key=key, name=name, shared=True)
    return Picture(name, draw, caption)


def list_sentences(result: PackResult) -> Iterator[str]:
    """What the lists of every program show, one line each."""
    for pooled in result.decision_lists or ():
        yield from (f"decisions of {pooled.candidate}: {line}" for line in pooled.sentences)
