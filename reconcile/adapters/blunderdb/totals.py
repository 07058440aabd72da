"""The figures that blunderDB stores for a match and shows in its own statistics: figures to check ours against.

They are in the table `match_stats`; blunderDB recomputes missing rows, so a missing row has no further meaning.
"""

from __future__ import annotations

from typing import Any, Final

from reconcile.adapters.blunderdb.database import Database, Row
from reconcile.adapters.blunderdb.values import MILLIPOINTS

COLUMNS: Final = (
    "decisions", "checker_decisions", "cube_decisions", "error_mp", "pr", "luck_mp", "luck_rolls", "checker_error_mp", "cube_error_mp",
    "snowie_error_mp", "snowie_moves",
)  # fmt: skip
PR_FACTOR: Final = 500
PHASES: Final = 1
"""The kind of cell that contains every counted decision once."""

Totals = dict[str, dict[str, float | int | None]]


def totals_of(database: Database, match: Row) -> Totals:
    """Player -> metric -> blunderDB's own figure, `None` if it stores none.

    Errors and luck are whole thousandths (EMG), as stored. Takes and doubles are not separated there; a Snowie rate divides by the
    analysed plays of both players, which leaves dances out. Raises `UnreadableFile`.
    """
    statement = database.select("match_stats", ("seat",), COLUMNS, "WHERE match_id = ?")
    rows = database.ask(statement, (match[0],), 2, "rows of match_stats for a match") if database.has("match_stats", "seat") else []
    by_seat = {row[0]: dict(zip(COLUMNS, map(_number, row[1:]), strict=True)) for row in rows}
    moves = [seat["snowie_moves"] for seat in by_seat.values() if seat["snowie_moves"] is not None]
    both = sum(moves) if len(moves) == 2 else None
    names = [str(name or f"Player {seat}") for seat, name in enumerate(match[1:3], 1)]
    return {name: _figures(by_seat.get(seat, {}), both, _chances(database, match[0], seat)) for seat, name in enumerate(names, 1)}


def _figures(row: dict[str, Any], both: float | None, chances: tuple[float, int] | None) -> dict[str, float | int | None]:
    def share(name: str, per: float = MILLIPOINTS) -> float | None:
        value = row.get(name)
        return None if value is None else value / per

    counted, error = row.get("decisions"), row.get("snowie_error_mp")
    return {
        "pr": row.get("pr") if counted else None,
        "checker_pr": _rate(row.get("checker_error_mp"), row.get("checker_decisions")),
        "cube_pr": _rate(row.get("cube_error_mp"), row.get("cube_decisions")),
        "snowie_er": _rate(error, both),
        "decisions.counted": counted,
        "decisions.checker": row.get("checker_decisions"),
        "equity_error.total": share("error_mp"),
        "equity_error.checker": share("checker_error_mp"),
        "mwc_loss_percent.total": 100 * chances[0] if chances and chances[1] == counted else None,
        "luck.equity": share("luck_mp") if row.get("luck_rolls") else None,
    }


def _rate(error: float | None, number: float | None) -> float | None:
    return PR_FACTOR * error / MILLIPOINTS / number if number and error is not None else None


def _chances(database: Database, match: int, seat: int) -> tuple[float, int] | None:
    """Match winning chance lost, and the number of decisions for which it is known."""
    if not database.has("match_stats_cell", "mwc_loss"):
        return None
    statement = "SELECT SUM(mwc_loss), SUM(mwc_decisions) FROM match_stats_cell WHERE kind = ? AND match_id = ? AND seat = ?"
    ((loss, number),) = database.ask(statement, (PHASES, match, seat), 1, "sums")
    return None if _number(loss) is None or _number(number) is None else (float(loss), int(number))


def _number(value: Any) -> float | int | None:
    return value if type(value) in (int, float) else None
