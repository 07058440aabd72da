"""Views over the tables of a corpus (`views.yaml`) for people who ask in SQL: players by name,
with tool, file and date of each figure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reconcile.corpus.tables import IDS, decisions_schema, own_rules, under_rules
from reconcile.files.yaml_file import read_tree
from reconcile.match.tools import ANALYSERS

ANY: Final = "..."
"""Stands for all further columns of a table."""

Columns = Mapping[str, tuple[str, str]]
"""By name: the SQL and the description."""


@dataclass(frozen=True, slots=True)
class View:
    """A view in SQL."""

    row: str
    """What a row of it is."""
    columns: Columns
    sources: tuple[str, ...]
    """From `from` on; the rows of all."""

    def statement(self, name: str, rules: Sequence[str]) -> str:
        """The statement that creates it for a corpus with these rule sets."""
        columns = ", ".join(
            sql if column == ANY else f'{sql} as "{column}"'
            for column, (sql, _) in self.columns.items()
        )
        text = " union all ".join(f"select {columns} {source}" for source in self.sources)

        text = text.replace("{own}", own_rules("m.tool", rules))
        text = re.sub(r"{rank ([\w.]+)}", lambda slot: _rank(slot[1]), text)
        return f"create view {name} as " + re.sub(
            r"{(\w+) (\w+) ([\w.]+)}",
            lambda slot: under_rules(f"{slot[2]}.{slot[1]}", slot[3], rules),
            text,
        )


def _rank(tool: str) -> str:
    """The place of a tool among those whose analyses the report pools."""
    ranks = " ".join(
        f"when '{tool_of.name}' then {number}" for number, tool_of in enumerate(ANALYSERS.values())
    )
    return f"case {tool} {ranks} else {len(ANALYSERS)} end"


_LEVEL: Final = (
    "Plies looked ahead in most evaluations, on one scale for all tools; null where the level has "
    "no place on it: rollouts, books, BGBlitz."
)
_PERSON: Final = "The player under one name for all spellings, as in `corpus-report`."
_DESCRIBED: Final = read_tree(Path(__file__).with_name("views.yaml"))
_ANALYSIS: Final[Columns] = _DESCRIBED["analysis"]


def _owner(row: str) -> Columns:
    """The analysis and the player that a row of a table belongs to."""
    return {
        **{name: (f"a.{name}", text) for name, (_, text) in _ANALYSIS.items()},
        "seat": (f"{row}.seat", "0 or 1, as in the file."),
        "player": (f"if({row}.seat = 0, a.player0, a.player1)", "Name in the file."),
        "person": (f"if({row}.seat = 0, a.person0, a.person1)", _PERSON),
        "opponent": (f"if({row}.seat = 0, a.player1, a.player0)", "Name in the file."),
        "opponent_person": (
            f"if({row}.seat = 0, a.person1, a.person0)",
            "The same for the opponent.",
        ),
    }


def _sides(*columns: tuple[str, str]) -> Columns:
    """Columns of two analyses beside each other."""
    return {
        f"{side}_{name}": (f"{side[0]}.{name}", text)
        for name, text in columns
        for side in ("left", "right")
    }


def _figures(table: str) -> tuple[str, str]:
    names = "`pr`, `decisions_counted`, `equity_error_total`, `luck_equity`, `rated_error`"
    return f"t.* exclude ({_OWNED[table]})", f"All figures of `{table}`, such as {names}."


_OWNED: Final = {
    "players": f"{', '.join(IDS)}, seat, name, rules",
    "games": f"{', '.join(IDS)}, seat, name, rules, game, won",
}
_OF_DECISIONS: Final = {
    field.name: field.metadata[b"description"].decode()
    for field in decisions_schema(())
    if field.name not in (*IDS, "seat")
}
_COMPARED: Final = (
    *((name, _ANALYSIS[name][1]) for name in ("match_id", "analysis_id")),
    ("tool", "Program; of XG and gnuBG, XG is left, of two depths of one the smaller."),
    ("level", _LEVEL),
    ("file", "Where it was read."),
)
_OF_PAIR: Final = {
    **{name: (f"x.{name}", _ANALYSIS[name][1]) for name in ("played", "date", "length")},
    "player": ("if(l.seat = 0, x.left_player0, x.left_player1)", "Name in the left file."),
    "person": ("if(l.seat = 0, x.left_person0, x.left_person1)", _PERSON),
    **{
        f"{side}_{name}": (f"x.{side}_{name}", text)
        for name, text in _COMPARED
        for side in ("left", "right")
    },
}
_BEFORE: Final[Mapping[str, Columns]] = {
    "analyses": _ANALYSIS,
    "player_matches": _owner("t"),
    "player_games": _owner("t"),
    "player_decisions": _owner("d"),
    "pairs": {
        **{name: (f"l.{name}", _ANALYSIS[name][1]) for name in ("played", "date", "length")},
        **_sides(
            *((name, _ANALYSIS[name][1]) for name in ("match", "rules")),
            ("fully_analysed", "Whether it has figures of both players."),
            *_COMPARED,
            ("player0", "Seat 0 in its file."),
            ("player1", "Seat 1 in its file."),
            ("person0", "The same under one name."),
            ("person1", "The same under one name."),
        ),
    },
    "tool_gaps": _OF_PAIR,
    "disputes": {
        **_OF_PAIR,
        **{name: (f"l.{name}", _OF_DECISIONS[name]) for name in ("game", "turn", "kind", "phase")},
    },
}
"""The columns that views have from others, before their own."""
_AFTER: Final[Mapping[str, Columns]] = {
    "player_matches": {ANY: _figures("players")},
    "player_games": {ANY: _figures("games")},
    "player_decisions": {name: (f"d.{name}", text) for name, text in _OF_DECISIONS.items()},
}
"""The same after them."""
VIEWS: Final[Mapping[str, View]] = {
    name: View(
        view["row"],
        {**_BEFORE.get(name, {}), **view["columns"], **_AFTER.get(name, {})},
        tuple(view["from"]),
    )
    for name, view in _DESCRIBED["views"].items()
}
"""In the order in which they are created: each uses those before it, and `named` of the study."""
