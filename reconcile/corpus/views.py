"""Views over the tables of a corpus for people who ask in SQL: players by name, with their tool, file and date beside every figure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reconcile.corpus.tables import decisions_schema
from reconcile.match.tools import ANALYSERS, TOOLS

ANY: Final = "..."
"""Stands for all further columns of a table."""
DISPUTED: Final = 0.02
"""Smallest difference of two tools' errors in `disputes`, EMG: from there on the tables have the position."""

Columns = Mapping[str, tuple[str, str]]
"""By name: the SQL and the description."""


@dataclass(frozen=True, slots=True)
class View:
    """A view in SQL."""

    row: str
    """What a row of it is."""
    columns: Columns
    sources: tuple[str, ...]
    """From `from` on; the rows of all. `{own}` is the rule set of the tool, `{error d a.rules}` a column of `d` under such a rule set."""

    def statement(self, name: str, rules: Sequence[str]) -> str:
        """The statement that creates it for a corpus with these rule sets."""
        columns = ", ".join(sql if column == ANY else f'{sql} as "{column}"' for column, (sql, _) in self.columns.items())
        text = " union all ".join(f"select {columns} {source}" for source in self.sources)

        def under(found: re.Match[str]) -> str:
            part, row, chosen = found.groups()
            choices = " ".join(f"when '{one}' then {row}.{part}_{one.replace('-', '_')}" for one in rules)
            return f"case {chosen} {choices} end"

        return f"create view {name} as " + re.sub(r"{(\w+) (\w+) ([\w.]+)}", under, text.replace("{own}", _own(rules)))


def _own(rules: Sequence[str]) -> str:
    """The rule set of the tool that wrote a file, or the first one of the corpus."""
    known = " ".join(f"when '{tool.name}' then '{tool.rules}'" for tool in TOOLS.values() if tool.rules in rules)
    return f"case m.tool {known} else '{rules[0]}' end" if known else f"'{rules[0]}'"


def _rank(tool: str) -> str:
    """The place of a tool among those whose analyses the report pools."""
    known = " ".join(f"when '{one.name}' then {number}" for number, one in enumerate(ANALYSERS.values()))
    return f"case {tool} {known} else {len(ANALYSERS)} end"


_FULL: Final = "(m.analysed = m.expected and m.analysed > 0)"
_LEVEL: Final = (
    "Plies looked ahead in most evaluations, on one scale for all tools; null where the level has no place on it: rollouts, books, BGBlitz."
)
_PERSON: Final = "The player under one name, whatever the spelling in the file, as in `corpus-report`."
_ANALYSIS: Final[Columns] = {
    "match": ("m.match", "Row of `matches`."),
    "match_id": ("m.match_id", "Digest of rolls, plays, cube actions, length and players: the same in every archive."),
    "played": ("m.same_as", "The match that was played: the same number in every analysis of one transcript, and of its near twins."),
    "once": (
        f"row_number() over (partition by m.same_as order by {_FULL} desc, m.analysed > 0 desc, m.twin_of is not null, {_rank('m.tool')}, "
        "m.lookahead desc nulls first, m.match) = 1",
        "True in one analysis of every match that was played, so `where once` counts no match twice: one with nothing missing if there is "
        "one, of these XG's, else gnuBG's, else BGBlitz's, and the deepest. "
        "Tools and depths differ, so rates are `group by tool, level_name`.",
    ),
    "fully_analysed": (_FULL, "Whether no evaluation is missing: rates over several matches are `where once and fully_analysed`."),
    "date": (
        "m.day",
        "Day of the match: the earliest that any file of it states, since some tools write the day of the analysis; null if none does.",
    ),
    "event": ("m.event", "As the file states it."),
    "length": ("m.length", "Points; null for money."),
    "file": ("m.file", "Where it was read."),
    "tool": ("m.tool", "Program that wrote the file."),
    "level": ("m.lookahead", _LEVEL),
    "level_name": ("m.level_name", "The same in the tool's own words; null for none."),
    "rules": ("{own}", "Rule set of the figures: that of the tool, or the first one of the corpus if the tool has none there."),
}


def _owner(row: str) -> Columns:
    """The analysis and the player that a row of a table belongs to."""
    return {
        **{name: (f"a.{name}", text) for name, (_, text) in _ANALYSIS.items()},
        "seat": (f"{row}.seat", "0 or 1, as in the file."),
        "player": (f"if({row}.seat = 0, a.player0, a.player1)", "Name in the file."),
        "person": (f"if({row}.seat = 0, a.person0, a.person1)", _PERSON),
        "opponent": (f"if({row}.seat = 0, a.player1, a.player0)", "Name in the file."),
        "opponent_person": (f"if({row}.seat = 0, a.person1, a.person0)", "The same for the opponent."),
    }


def _sides(*columns: tuple[str, str]) -> Columns:
    """Columns of two analyses beside each other."""
    return {f"{side}_{name}": (f"{side[0]}.{name}", text) for name, text in columns for side in ("left", "right")}


def _figures(table: str) -> tuple[str, str]:
    names = "`pr`, `decisions_counted`, `equity_error_total`, `luck_equity`, `rated_error`"
    counts = ", ".join(
        f"if({' + '.join(f't.{part}_expected' for part in parts)} > 0 and {' + '.join(f't.{part}_analysed' for part in parts)} = 0, "
        f"null, t.{name}) as {name}"
        for name, parts in _COUNTS.items()
    )
    text = f"All figures of `{table}`, such as {names}. Counts of decisions are null, not 0, where none of them was analysed."
    return f"t.* exclude ({_OWNED[table]}) replace ({counts})", text


_OWNED: Final = {"players": "match, seat, name, rules", "games": "match, seat, name, rules, game, won"}
_COUNTS: Final = {
    "decisions_counted": ("checker", "cube"),
    "decisions_checker": ("checker",),
    "decisions_double": ("cube",),
    "decisions_take": ("cube",),
}
"""Counts that are 0 in the tables without an analysis, and the parts of it that they need."""
_OF_DECISIONS: Final = {
    field.name: field.metadata[b"description"].decode() for field in decisions_schema(()) if field.name not in ("match", "seat")
}
_COMPARED: Final = (
    ("tool", "Program; of XG and gnuBG, XG is left, of two depths of one the smaller."),
    ("level", _LEVEL),
    ("file", "Where it was read."),
)
_STARTED: Final = """(select a.*, f.first, m.rolls from (select * from analyses where analysed > 0) a join
    (select match, arg_min(seat, game) as first from decisions where kind = 'play' and turn = 1 group by match) f on f.match = a.match
    join matches m on m.match = a.match)"""
_ORDER: Final = " < ".join(
    f"({_rank(f'{side}.tool')}, {side}.tool, coalesce({side}.level, 99), coalesce({side}.level_name, ''))" for side in ("l", "r")
)
_SAME_PLAYER: Final = "r.seat = if(x.swapped, 1 - l.seat, l.seat)"
_LEFT, _RIGHT = "{error l x.left_rules}", "{error r x.right_rules}"
_OF_PAIR: Final = {
    **{name: (f"x.{name}", _ANALYSIS[name][1]) for name in ("played", "date", "length")},
    "player": ("if(l.seat = 0, x.left_player0, x.left_player1)", "Name in the left file."),
    "person": ("if(l.seat = 0, x.left_person0, x.left_person1)", _PERSON),
    **{f"{side}_{name}": (f"x.{side}_{name}", text) for name, text in _COMPARED for side in ("left", "right")},
}
_WINNER: Final = "select match, rules, arg_max(seat, game) as seat from games where won > 0 group by match, rules"

VIEWS: Final[Mapping[str, View]] = {
    "analyses": View(
        "A match in a file; duplicates are left out.",
        {
            **_ANALYSIS,
            "player0": ("m.player0", "Seat 0."),
            "player1": ("m.player1", "Seat 1."),
            "person0": ("p.person", "Seat 0 under one name, whatever the spelling."),
            "person1": ("q.person", "Seat 1 under one name, whatever the spelling."),
            "complete": ("m.complete", "Whether a player has won the match."),
            "analysed": ("m.analysed", "Evaluated checker plays and cube decisions."),
            "expected": ("m.expected", "How many of them a full analysis has."),
        },
        (
            """from (select *, min(date) over (partition by same_as) as day from matches) m
            left join named p on p.match = m.match and p.seat = 0
            left join named q on q.match = m.match and q.seat = 1 where m.duplicate_of is null""",
        ),
    ),
    "player_matches": View(
        "A player in a match, under the rules of the tool that wrote the file.",
        {
            **_owner("t"),
            "won": (
                "if(a.complete and a.length is not null, w.seat = t.seat, null)",
                "Whether this player won the match; null if nobody did, and for money.",
            ),
            ANY: _figures("players"),
        },
        (
            f"""from players t join analyses a on a.match = t.match and a.rules = t.rules
            left join ({_WINNER}) w on w.match = t.match and w.rules = t.rules""",
        ),
    ),
    "player_games": View(
        "A player in a game, under the same rules.",
        {
            **_owner("t"),
            "game": ("t.game", "Number of the game in the file, from 1."),
            "points": ("t.won", "Points this player won in it, including the cube; null without a winner."),
            ANY: _figures("games"),
        },
        ("from games t join analyses a on a.match = t.match and a.rules = t.rules",),
    ),
    "player_decisions": View(
        "A decision of a player, under the same rules.",
        {
            **_owner("d"),
            "counted": (
                "if(d.analysed or a.fully_analysed, {counted d a.rules}, null)",
                "Whether it counts as a decision; null where an incomplete analysis leaves it out.",
            ),
            "error": ("{error d a.rules}", "Equity lost, EMG; null if not analysed."),
            "loss": ("{loss d a.rules}", "Match winning chance lost, percentage points; null if not analysed, and for money."),
            **{name: (f"d.{name}", text) for name, text in _OF_DECISIONS.items()},
        },
        ("from decisions d join analyses a on a.match = d.match",),
    ),
    "pairs": View(
        "Two analyses of one match by different tools, or by one at different depths.",
        {
            **{name: (f"l.{name}", _ANALYSIS[name][1]) for name in ("played", "date", "length")},
            **_sides(
                *((name, _ANALYSIS[name][1]) for name in ("match", "rules")),
                ("fully_analysed", "Whether no evaluation is missing."),
                *_COMPARED,
                ("player0", "Seat 0 in its file."),
                ("player1", "Seat 1 in its file."),
                ("person0", "The same under one name."),
                ("person1", "The same under one name."),
            ),
            "swapped": ("l.first <> r.first", "Whether seat 0 of one file is seat 1 of the other: who rolled first is the same player."),
        },
        (f"from {_STARTED} l join {_STARTED} r on r.played = l.played and r.rolls = l.rolls and {_ORDER}",),
    ),
    "tool_gaps": View(
        "A player in a match that two tools analysed, or one at two depths, each under its own rules.",
        {
            **_OF_PAIR,
            "fully_analysed": (
                "x.left_fully_analysed and x.right_fully_analysed",
                "Whether nothing is missing of either analysis; without that the two PRs do not compare.",
            ),
            **_sides(("pr", "PR.")),
            "gap": ("r.pr - l.pr", "PR of the right tool minus that of the left one."),
            "decisions": ("least(l.decisions_counted, r.decisions_counted)", "The smaller number of counted decisions."),
        },
        (
            f"""from pairs x join players l on l.match = x.left_match and l.rules = x.left_rules
            join players r on r.match = x.right_match and r.rules = x.right_rules and {_SAME_PLAYER}""",
        ),
    ),
    "disputes": View(
        f"A decision where the errors of two tools, each under its own rules, differ by {DISPUTED} or more.",
        {
            **_OF_PAIR,
            **{name: (f"l.{name}", _OF_DECISIONS[name]) for name in ("game", "turn", "kind", "phase")},
            "at_stake": (f"abs({_RIGHT} - {_LEFT})", "Difference of the errors, EMG."),
            "xgid": ("coalesce(l.xgid, r.xgid)", "The position."),
            "action": ("coalesce(l.action, r.action)", "What was done."),
            "left_error": (_LEFT, "Equity lost, EMG."),
            "right_error": (_RIGHT, "Equity lost, EMG."),
            **{
                f"{side}_best": (
                    f"if({error} = 0, coalesce(l.action, r.action), {side[0]}.best)",
                    "Its best action; null for another one with an error below 0.02.",
                )
                for side, error in (("left", _LEFT), ("right", _RIGHT))
            },
        },
        # One of the two errors is so large that its row has an action, as few have: joining those with all takes a small part of
        # joining all with all.
        tuple(
            f"""from pairs x join decisions l on l.match = x.left_match
            join decisions r on r.match = x.right_match and r.game = l.game and r.turn = l.turn and r.kind = l.kind and {_SAME_PLAYER}
            where {left} and {right} and abs({_RIGHT} - {_LEFT}) >= {DISPUTED}"""
            for left, right in (("l.action is not null", "true"), ("l.action is null", "r.action is not null"))
        ),
    ),
    "unread_files": View(
        "A file that could not be read.",
        {"file": ("file", "Path as given, `archive!member` inside an archive."), "reason": ("error", "Why not.")},
        ("from files where error is not null",),
    ),
}
"""In the order in which they are created: each uses those before it, and `named` of the study."""
