"""Views over the tables of an archive (`views.yaml`) for people who ask in SQL: players by name,
with tool, file and date of each figure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from reconcile.corpus.tables import described, own_rules_in_sql, rank_in_sql, schemas, under_rules
from reconcile.files.yaml_file import read_tree
from reconcile.scoring.grades import ERROR
from reconcile.version import __version__

NAMED: Final = "create view named as select match, seat, name, person from persons"
"""Who is who by the archive's own table, without further names."""
ANY: Final = "..."
"""Stands for all further columns of a table."""


class View(NamedTuple):
    """A view in SQL."""

    row: str
    """What a row of it is."""
    columns: Mapping[str, tuple[str, str]]
    """By name: the SQL and the description."""
    sources: tuple[str, ...]
    """From `from` on; the rows of all."""

    def statement(self, name: str, rules: Sequence[str]) -> str:
        """The statement that creates it for an archive with these rule sets."""
        columns = ", ".join(
            sql if column == ANY else f'{sql} as "{column}"'
            for column, (sql, _) in self.columns.items()
        )
        text = " union all ".join(f"select {columns} {source}" for source in self.sources)
        text = text.replace("{own}", own_rules_in_sql("m.tool", rules))
        text = re.sub(r"{rank ([\w.]+)}", lambda slot: rank_in_sql(slot[1]), text)
        text = re.sub(
            r"{(\w+) (\w+) ([\w.]+)}",
            lambda slot: under_rules(f"{slot[2]}.{slot[1]}", slot[3], rules),
            text,
        )
        return f"create view {name} as {text}"


_DESCRIBED: Final = read_tree(Path(__file__).with_name("views.yaml"))
_BORDER: Final = "{border}", str(ERROR)
_WORDS: Final = described(schemas(())["decisions"]) | _DESCRIBED["words"]


def _column(name: str, column: str | list[str]) -> tuple[str, str]:
    """The SQL and the words of a column; what both sides of a pair have is described once."""
    if isinstance(column, str):
        return column, _WORDS[re.sub("^(left|right)_", "", name)]
    sql, words = column
    return sql, words


VIEWS: Final[Mapping[str, View]] = {
    name: View(
        view["row"].replace(*_BORDER),
        {column: _column(column, sql) for column, sql in view["columns"].items()},
        tuple(source.replace(*_BORDER) for source in view["from"]),
    )
    for name, view in _DESCRIBED["views"].items()
}
"""In the order in which they are created."""
SCRIPT: Final = "views.sql"
"""The file of an archive that creates them in a DuckDB of one's own."""
INTRODUCTION: Final = """\
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
    statements = (f"{statement};\n" for statement in (*tables, NAMED, *views))
    return INTRODUCTION.format(version=__version__) + "".join(statements)
