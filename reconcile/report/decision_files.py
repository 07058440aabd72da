"""Decisions as files: the list of an analysis as JSON or CSV; the ledger of a comparison as CSV,
Parquet where pyarrow is installed, or the list of the decisions that matter most."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from reconcile.document import dumps
from reconcile.errors import MissingPackage, UnknownName
from reconcile.files.output import STANDARD
from reconcile.gap import walk as gap
from reconcile.gap.comparison import Comparison
from reconcile.gap.walk import CAUSES, Walk, disagreements, opinions, rate_bridges
from reconcile.report.text.statistics import cell, comma_separated
from reconcile.results.decisions import COLUMNS, decisions_document
from reconcile.scoring.figures import METRICS, short_metric
from reconcile.scoring.statistics import Statistics
from reconcile.wording import Turn

if TYPE_CHECKING:
    import pandas as pd


CSV, PARQUET, LIST = ".csv", ".parquet", ".txt"
TEXTS = ("player", "decider")
"""Columns with names of people, which a spreadsheet could mistake for a formula."""


def check_ledger_path(path: str) -> None:
    """Check that a ledger can be written, before any work is done.

    Raises `UnknownName` for an extension other than `.csv`, `.parquet` and `.txt`, and
    `MissingPackage` if Parquet needs one."""
    if path.lower().endswith(PARQUET):
        try:
            import_module("pyarrow")
        except ImportError:
            raise MissingPackage(
                f"{path}: Parquet needs pyarrow, which is not installed; install it with "
                "pip install 'gammon-reconcile[corpus]', or choose a name ending in .csv"
            ) from None
    elif path != STANDARD and not path.lower().endswith((CSV, LIST)):
        raise UnknownName(
            "expected a name ending in .csv, .parquet or .txt for the ledger; choose such a name",
            path,
        )


def ledger_frame(walk: Walk) -> pd.DataFrame:
    """The ledger with the short names of totals, as the documents of a comparison have them."""
    frame = gap.ledger_frame(walk)
    frame["metric"] = list(map(short_metric, frame["metric"]))
    return frame


def ledger_content(comparison: Comparison, path: str, most: int = 20) -> str | bytes:
    """The ledger in the format of the path's extension, of which a list has `most` decisions; CSV
    for standard output."""
    if path.lower().endswith(LIST):
        return _positions(comparison, most)
    frame = ledger_frame(comparison.walk)
    if path.lower().endswith(PARQUET):
        from io import BytesIO

        content = BytesIO()
        frame.to_parquet(content, engine="pyarrow", index=False)
        return content.getvalue()
    plain = frame.assign(**{name: [cell(text) for text in frame[name]] for name in TEXTS})
    return plain.to_csv(index=False, lineterminator="\n")


def _positions(comparison: Comparison, most: int) -> str:
    """The decisions that move PR most, one a line: change, XGID, gnuBG ID, player and what
    happened, parted by tabs.

    Where a player's PR is unknown it is PR of checker plays; the first line says which it is, and
    whose if they differ."""
    rates = {
        bridge.player: METRICS[bridge.metric].title for bridge in rate_bridges(comparison.walk)
    }
    titles = set(rates.values())
    if len(titles) > 1:
        titles = {f"{title} ({' '.join(player.split())})" for player, title in rates.items()}
    lines = [f"# change of {', '.join(sorted(titles))}\tXGID\tgnuBG ID\tplayer\twhat"]
    walk, labels = comparison.walk, comparison.labels
    dice, xgid, gnubg_id = map(walk.aligned.stated, ("dice", "xgid", "gnubg_id"))
    for change, player, row, cause in disagreements(walk, most):
        place = walk.aligned.place(row)
        roll = f" {'-'.join(dice[row])}" if dice[row] else ""
        views = ", ".join(map(" ".join, zip(labels, opinions(walk.aligned, row), strict=True)))
        words = (
            f"{Turn(place.game, place.turn)}, {place.kind}{roll}: {CAUSES[cause].title}; {views}"
        )
        cells = f"{change:+.4f}", xgid[row], gnubg_id[row], player, words
        lines.append("\t".join(" ".join(cell.split()) for cell in cells))
    return "\n".join(lines) + "\n"


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
