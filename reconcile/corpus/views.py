"""Views over the tables of an archive (`views.yaml`) for people who ask in SQL: players by name,
with tool, file and date of each figure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from reconcile.corpus.tables import IDS, choice, described, in_sql, schemas, under_rules
from reconcile.files.yaml_file import read_tree
from reconcile.match.tools import ANALYSERS, TOOLS
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.scoring.figures import cap_of
from reconcile.scoring.grades import ERROR
from reconcile.version import __version__

NAMED = "create view named as select match, seat, name, person from persons"
"""Who is who by the archive's own table, without further names."""
ANY = "..."
"""Stands for all further columns of a table."""


class View(NamedTuple):
    """A view in SQL."""

    row: str
    """What a row of it is."""
    columns: Mapping[str, tuple[str, str]]
    """By name: the SQL and the description."""
    sources: tuple[str, ...]
    """From `from` on; the rows of all."""
    before: str = ""
    """What stands before them."""

    def statement(self, name: str, rules: Sequence[str]) -> str:
        """The statement that creates it for an archive with these rule sets."""
        columns = ", ".join(
            sql if column == ANY else f'{sql} as "{column}"'
            for column, (sql, _) in self.columns.items()
        )
        text = " union all ".join(f"select {columns} {source}" for source in self.sources)
        text = re.sub(
            r"{(\w+) (\w+) ([\w.]+)}",
            lambda slot: under_rules(f"{slot[2]}.{slot[1]}", slot[3], rules),
            text,
        )
        return f"create view {name} as {self.before} {text}"


_DESCRIBED = read_tree(Path(__file__).with_name("views.yaml"))
_BORDER = "{border}", str(ERROR)
_OF_DECISIONS = described(schemas(())["decisions"])
_DECISION = [each for each in _OF_DECISIONS if each not in (*IDS, "seat")]
"""The columns of the table of decisions that no group of a view has: the group `decision`."""
_WORDS = _OF_DECISIONS | described(schemas(())["matches"]) | _DESCRIBED["words"]


def _view(asked: Mapping[str, Any]) -> View:
    columns: dict[str, str | list[str]] = {}
    for group in asked.get("with", ()):
        name, table, start = f"{group} ".split(" ")[:3]
        of_group = _DESCRIBED["groups"].get(name)
        if of_group is None:
            columns |= {each: [f"{table}.{each}", _OF_DECISIONS[each]] for each in _DECISION}
        elif isinstance(of_group, list):
            columns |= {f"{start}{column}": f"{table}.{column}" for column in of_group}
        else:
            columns |= {column: sql.format(table) for column, sql in of_group.items()}
    columns |= asked["columns"]
    described = {
        column: (sql.replace(*_BORDER), _WORDS[re.sub("^(left|right)_", "", column)])
        if isinstance(sql, str)
        else (sql[0].replace(*_BORDER), sql[1])
        for column, sql in columns.items()
    }
    sources = tuple(source.replace(*_BORDER) for source in asked["from"])
    return View(asked["row"].replace(*_BORDER), described, sources, asked.get("before", ""))


VIEWS: Mapping[str, View] = {name: _view(view) for name, view in _DESCRIBED["views"].items()}
"""In the order in which they are created."""


def macros(rules: Sequence[str]) -> list[str]:
    """What the views and the questions compute with, for an archive with these rule sets: a
    program's short name, rule set and rank among those whose analyses are pooled, a rule's title,
    the highest PR that a rule set shows, and those of `views.yaml`."""
    caps = {name: cap_of(each) for name, each in RULE_SETS.items()}
    own = {each.name: in_sql(each.rules) for each in TOOLS.values() if each.rules in rules}
    ranks = {each.name: str(place) for place, each in enumerate(ANALYSERS.values())}
    short = {each.name: in_sql(each.short) for each in TOOLS.values()}
    titles = {code: in_sql(each.title) for code, each in QUESTIONS.items()}
    highest = {name: str(cap) for name, cap in caps.items() if cap < math.inf}
    choices = {
        "short(tool)": choice("tool", short, "tool"),
        "rules_of(tool)": choice("tool", own, in_sql(rules[0])),
        "rank_of(tool)": choice("tool", ranks, str(len(ranks))),
        "titled(question)": choice("question", titles, "null"),
        "most_of(rules)": choice("rules", highest, "null"),
    }
    every = (choices | _DESCRIBED["macros"]).items()
    return [f"create macro {name} as {sql}" for name, sql in every]


SCRIPT = "views.sql"
"""The file of an archive that creates them in a DuckDB of one's own."""
INTRODUCTION = """\
-- The tables and views of this archive, for DuckDB. Start it in the archive's folder and say
-- `.read views.sql`, or say first where the folder is: `set file_search_path = 'PATH/OF/ARCHIVE'`.
-- Made by reconcile {version}; its documentation describes every view and column.
"""


def script(rules: Sequence[str]) -> str:
    """The statements that create every table and view of an archive with these rule sets."""
    tables = (
        f"create view {name} as from read_parquet('{name}/*.parquet', hive_partitioning = false)"
        for name in schemas(())
        if name not in VIEWS
    )
    views = (view.statement(name, rules) for name, view in VIEWS.items())
    statements = (f"{statement};\n" for statement in (*tables, NAMED, *macros(rules), *views))
    return INTRODUCTION.format(version=__version__) + "".join(statements)
