"""Which decisions the tools, or two depths of one, dispute most, on transcripts that both analysed.

First those on which the verdicts differ: another best action, or what one tool calls an error
and the other does not. Then those that are only valued differently. At stake is the difference
of the two errors, each under its tool's own rules. Only a decision that one of the tools calls a
large error can be a large dispute, so the largest errors are looked up at the other tool until
no other decision can be among the disputes shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from reconcile.corpus.study.gaps import at_depth
from reconcile.corpus.study.prepared import SQL, rows
from reconcile.corpus.tables import own_rules, under_rules
from reconcile.match.tools import TOOLS, Tool
from reconcile.scoring.grades import AT_THE_BORDER

if TYPE_CHECKING:
    import duckdb

DISPUTES_SHOWN: Final = 40
FIRST_TRIED: Final = 20_000
"""Number of largest errors that are looked up at the other tool at first."""
MORE: Final = 25
"""How many times as many are tried next."""
AGREES: Final = 0.0005
"""An error below half a thousandth is none."""
ERROR: Final = 0.02 - AT_THE_BORDER
"""What is called an error, EMG, and how far the two values are apart at least where only one
tool calls it that."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one tool says of a decision."""

    tool: Tool
    """Named with its depth where both verdicts are one tool's."""
    file: str
    error: float
    """Equity lost, EMG."""
    best: str | None
    """What it would have done; `None` if its file does not say."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """One decision that two tools judge differently."""

    player: str
    opponent: str
    game: int
    turn: int
    action: str
    """What was done."""
    xgid: str
    verdicts: tuple[Verdict, Verdict]
    differs: bool
    """Whether the verdicts differ, not only the values."""

    @property
    def at_stake(self) -> float:
        """Difference of the errors, EMG."""
        return abs(self.verdicts[0].error - self.verdicts[1].error)


def most_disputed(
    database: duckdb.DuckDBPyConnection, rules: tuple[str, ...]
) -> tuple[Dispute, ...]:
    """The decisions with other verdicts, then the others, by what is at stake; from `pairs`.

    The largest of all is among them, even if the verdicts agree there and as many differ as are
    shown.
    """
    if not rows(database, "select 1 from pairs limit 1"):
        return ()
    database.execute(SQL["judged"].format(own=own_rules("tool", rules)))
    error = under_rules("d.error", "judged.rules", rules)
    database.execute(SQL["judgements"].format(error=error))
    tried = FIRST_TRIED
    while True:
        database.execute(SQL["large_errors"], [tried])
        database.execute(
            "create or replace temp table looked_up as select j.* from judgements j semi join "
            "large using (same_as, game, turn, class)"
        )
        database.execute(SQL["disputed"].format(error=ERROR), [AGREES, DISPUTES_SHOWN])
        ((number, least),) = rows(database, "select count(*), min(error) from large")
        ((number_shown, smallest),) = rows(
            database, "select count(*), min(stake) from disputed where differs"
        )
        # What was not looked up has an error of at most `least` at either tool, so at most that is
        # at stake.
        if number < tried or (number_shown == DISPUTES_SHOWN and smallest >= least):
            break
        tried *= MORE
    return tuple(_dispute(row) for row in _in_words(database))


def _in_words(database: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    matches = [
        match
        for (match,) in rows(
            database, "select distinct unnest([left_match, right_match]) from disputed"
        )
    ]
    if not matches:
        return []
    database.execute(SQL["worded"], [matches])
    return rows(database, SQL["disputed_in_words"])


def _dispute(row: tuple[Any, ...]) -> Dispute:
    player, opponent, differs, game, turn, action, xgid = row[:7]
    verdicts = _verdict(*row[7:12]), _verdict(*row[12:17])
    return Dispute(
        player=player or "",
        opponent=opponent or "",
        game=game,
        turn=turn,
        action=action,
        xgid=xgid,
        verdicts=verdicts,
        differs=differs,
    )


def _verdict(tool: str, depth: str | None, file: str, error: float, best: str | None) -> Verdict:
    return Verdict(at_depth(TOOLS[tool], depth), file, error, best)
