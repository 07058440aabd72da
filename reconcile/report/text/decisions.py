"""A list of decisions as comma-separated values."""

from __future__ import annotations

import csv
from io import StringIO
from typing import TYPE_CHECKING, Final

from reconcile.report.text.statistics import cell

if TYPE_CHECKING:
    from reconcile.results.models.decisions import Decisions

COLUMNS: Final = ("game", "turn", "player", "kind", "counted", "error", "luck")


def decisions_csv(document: Decisions, players: tuple[str, str]) -> str:
    """The rows of a list; a player whose name a spreadsheet could mistake for a formula is written as 1 or 2."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    # A name that has to be changed for a spreadsheet would fit no player any more.
    names = {name: name if cell(name) == name else seat for seat, name in enumerate(players, 1)}
    for row in document["decisions"]:
        error, luck = row["error"], row.get("luck")
        cells = (row["game"], row["turn"], names.get(str(row["player"]), row["player"]), row["kind"], int(row["counted"]))
        writer.writerow((*cells, *("" if value is None else value for value in (error, luck))))
    return out.getvalue()
