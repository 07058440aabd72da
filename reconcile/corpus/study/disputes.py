"""Which decisions the tools, or two depths of one, dispute most, on transcripts that both analysed.

First those on which the verdicts differ: another best action, or what one tool calls an error and the other does not. Then those that are
only valued differently. At stake is the difference of the two errors, each under its tool's own rules. Only a decision that one of the
tools calls a large error can be a large dispute, so the largest errors are looked up at the other tool until no other decision can be among
the disputes shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from reconcile.corpus.study.gaps import at_depth
from reconcile.corpus.study.prepared import COMPARED, column, rows
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
"""What is called an error, EMG, and how far the two values are apart at least where only one tool calls it that."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one tool says of a decision."""

    tool: Tool
    """Named with its depth where both verdicts are one tool's."""
    file: str
    error: float
    """Equity lost, EMG."""
    best: str | None
    """What it would have done; `None` if the tables do not say, since it calls what was done nearly as good."""


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


def most_disputed(database: duckdb.DuckDBPyConnection, rules: tuple[str, ...]) -> tuple[Dispute, ...]:
    """The decisions with other verdicts, then the others, by what is at stake; from `pairs`.

    The largest of all is among them, even if the verdicts agree there and as many differ as are shown.
    """
    if not rows(database, "select 1 from pairs limit 1"):
        return ()
    own = " ".join(f"when '{tool.name}' then {column('error', tool.rules)}" for tool in COMPARED if tool.rules in rules)
    database.execute(
        """create temp table judged as select match, same_as, tool from matches
        where match in (select left_match from pairs union select right_match from pairs)"""
    )
    database.execute(
        f"""create temp view judgements as
        select d.match, same_as, game, turn, class_of(kind) as class, seat, best, case tool {own} end as error
        from decisions d join judged using (match) where analysed"""  # noqa: S608 - names of our own tools and columns
    )
    tried = FIRST_TRIED
    while True:
        database.execute(
            """create or replace temp table large as select same_as, game, turn, class, error from judgements
            where class is not null and error > 0 order by error desc, match, game, turn, class limit ?""",
            [tried],
        )
        database.execute(
            "create or replace temp table looked_up as select j.* from judgements j semi join large using (same_as, game, turn, class)"
        )
        database.execute(
            f"""create or replace temp table disputed as
            select p.left_match, p.right_match, l.seat, l.game, l.turn, l.class, l.error as "left", r.error as "right",
                abs(l.error - r.error) as stake, coalesce(l.best <> r.best, false)
                    or (least(l.error, r.error) < {ERROR} and stake >= {ERROR}) as differs
            from pairs p join looked_up l on l.match = p.left_match
            join looked_up r on r.match = p.right_match and r.game = l.game and r.turn = l.turn and r.class = l.class
            where abs(l.error - r.error) >= ?
            qualify row_number() over (order by differs desc, stake desc, l.match, r.match, l.game, l.turn, l.class) <= ?
                or (stake > max(stake) filter (where differs) over () and row_number() over (
                    partition by differs order by stake desc, l.match, r.match, l.game, l.turn, l.class) = 1)""",  # noqa: S608 - a number of ours
            [AGREES, DISPUTES_SHOWN],
        )
        ((number, least),) = rows(database, "select count(*), min(error) from large")
        ((found, smallest),) = rows(database, "select count(*), min(stake) from disputed where differs")
        # What was not looked up has an error of at most `least` at either tool, so at most that is at stake.
        if number < tried or (found == DISPUTES_SHOWN and smallest >= least):
            break
        tried *= MORE
    return tuple(_dispute(row) for row in _in_words(database))


def _in_words(database: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    matches = [match for (match,) in rows(database, "select distinct unnest([left_match, right_match]) from disputed")]
    if not matches:
        return []
    database.execute(
        """create temp table worded as select match, game, turn, class_of(kind) as class, xgid, action, best from decisions
        where list_contains(?, match) and xgid is not null""",
        [matches],
    )
    return rows(
        database,
        """select if(d.seat = 0, n.person, o.person), if(d.seat = 0, o.person, n.person), d.differs, d.game, d.turn,
            coalesce(l.action, r.action, ''), coalesce(l.xgid, r.xgid, ''),
            lm.tool, if(lm.tool = rm.tool, depth_of(lm.lookahead, lm.level_name), null), lm.file, d."left", l.best,
            rm.tool, if(lm.tool = rm.tool, depth_of(rm.lookahead, rm.level_name), null), rm.file, d."right", r.best
        from disputed d join matches lm on lm.match = d.left_match join matches rm on rm.match = d.right_match
        left join worded l on l.match = d.left_match and l.game = d.game and l.turn = d.turn and l.class = d.class
        left join worded r on r.match = d.right_match and r.game = d.game and r.turn = d.turn and r.class = d.class
        left join named n on n.match = d.left_match and n.seat = 0 left join named o on o.match = d.left_match and o.seat = 1
        order by d.differs desc, d.stake desc, d.left_match, d.right_match, d.game, d.turn, d.class""",
    )


def _dispute(row: tuple[Any, ...]) -> Dispute:
    player, opponent, differs, game, turn, action, xgid = row[:7]
    verdicts = _verdict(*row[7:12]), _verdict(*row[12:17])
    return Dispute(
        player=player or "", opponent=opponent or "", game=game, turn=turn, action=action, xgid=xgid, verdicts=verdicts, differs=differs
    )


def _verdict(tool: str, depth: str | None, file: str, error: float, best: str | None) -> Verdict:
    return Verdict(at_depth(TOOLS[tool], depth), file, error, best)
