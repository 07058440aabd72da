"""The tables of an archive (`tables.yaml`): their columns, types and units, as the documentation
shows them, and what SQL asks of the columns that every rule set has its own of.

What the rows of an archive depend on besides its files: rules, program, licence, names. Views over
the tables (`views.yaml`) for people who ask in SQL: players by name, with tool, file and date of
each figure.
"""

from __future__ import annotations

import json
import math
import os
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from reconcile.errors import UnknownName
from reconcile.files.yaml_file import read_tree
from reconcile.match.board.position import KEY_BYTES
from reconcile.match.tools import ANALYSERS, TOOLS
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, is_rule_file, rule_set
from reconcile.scoring.figures import METRICS, cap_of
from reconcile.scoring.grades import ERROR
from reconcile.scoring.sums import EXPECTED
from reconcile.version import __version__

ROOT = Path(__file__).parents[1]
"""The folder of this program."""
NO_PROGRAM = {"__pycache__", "data"}
"""Folders of the package that hold none of its program."""
RULES = tuple(tool.rules for tool in ANALYSERS.values())
"""Those of every program that analyses."""
OWN_RULES = tuple(dict.fromkeys((*RULES, *(tool.rules for tool in TOOLS.values()))))
"""Those of every program."""
WORK = ".work"
"""The folder of unfinished work and of what is done, below that of the archive."""
LOCK = "lock"
"""The file in it that is there as long as a run writes the archive."""
SECRET = "secret"  # noqa: S105
"""The file in it with the secret by which names are hidden."""


@cache
def program() -> str:
    """The version of this program and a digest of its files: another one may score otherwise.

    `data` has samples and templates that only an installed package keeps there; they score nothing.
    """
    digest = sha256()
    for path in sorted(ROOT.rglob("*")):
        place = path.relative_to(ROOT)
        if path.is_file() and not NO_PROGRAM & {*place.parts}:
            content = path.read_bytes()
            digest.update(f"{place.as_posix()}\0{len(content)}\0".encode() + content)
    return f"{__version__} ({digest.hexdigest()[:32]})"


@dataclass(frozen=True)
class Settings:
    """How the rows of an archive are made."""

    rules: tuple[str, ...] = RULES
    """The rule sets under which every match is scored."""
    licence: str = ""
    """As every file states it; empty if it states none."""
    anonymise: bool = False
    """Whether players have other names, the same for the same player, and events and names of
    files are left out."""
    secret: str = ""
    """What the names are hidden with, from `in_folder`."""
    met: str | None = None
    """The match equity table of files that name none, as in `load_match`."""

    def check(self) -> None:
        """Raise `UnknownName` for rule sets that no archive is made with."""
        for name in self.rules:
            if is_rule_file(name):
                raise UnknownName(
                    f"{name}: a corpus is completed later, when a file may have changed, so it has "
                    "only rule sets that come with the program: expected some of "
                    f"{', '.join(RULE_SETS)}; score single matches with "
                    f"`reconcile stats --rules {name}`"
                )
            rule_set(name)
        if not self.rules or len(set(self.rules)) != len(self.rules):
            names = ", ".join(self.rules) or "none"
            raise UnknownName(f"expected different rule sets, found {names}")

    def in_folder(self, folder: Path) -> Settings:
        """The same with the secret of an archive, which is made once and stays there."""
        if not self.anonymise:
            return self
        path = folder / WORK / SECRET
        fresh = path.with_name(f".{secrets.token_hex(8)}")
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.touch(0o600)
        fresh.write_text(secrets.token_hex(32), "ascii")
        with suppress(FileExistsError):  # of an earlier run, or of a process beside this one
            os.link(fresh, path)
        fresh.unlink()
        return replace(self, secret=path.read_text("ascii"))

    @property
    def digest(self) -> str:
        """The name of everything that a shard depends on besides the content of files; on a machine
        with another program it is another one."""
        parts = [program(), *self.rules, self.licence, self.secret, *filter(None, [self.met])]
        return sha256(json.dumps(parts).encode()).hexdigest()[:16]


TYPES = {"position": pa.binary(KEY_BYTES), "numbers": pa.list_(pa.int64())}
"""Those that have no name in Arrow."""
_GROUPS = read_tree(Path(__file__).with_name("tables.yaml"))
ABOUT: Mapping[str, str] = _GROUPS["about"]
"""By table what its rows are."""
IDS = tuple(_GROUPS["ids"])
"""The columns that say which analysis a row is of, in every table but `files`."""
SHARDED = ("players", "games", "questions", "decisions")
"""The tables that grow with the matches; the others are made again when something is new."""


def column_of(name: str) -> str:
    """The column of a metric or a rule set: its name with `_`."""
    return name.replace(".", "_").replace("-", "_")


def described(schema: pa.Schema) -> dict[str, str]:
    """What the columns of a table are, by their names."""
    return {field.name: field.metadata[b"description"].decode() for field in schema}


@lru_cache(maxsize=8)
def schemas(rules: tuple[str, ...]) -> dict[str, pa.Schema]:
    """Every table of an archive with these rule sets."""
    return {name: _schema(groups, rules) for name, groups in _GROUPS["tables"].items()}


def scored_schemas(rules: tuple[str, ...]) -> dict[str, pa.Schema]:
    """The tables that a match has rows in; `matches` as in a batch, with what a match is
    recognised by."""
    matches = _schema([*_GROUPS["tables"]["matches"], "batches"], rules)
    return {"matches": matches} | {name: schemas(rules)[name] for name in SHARDED}


def _schema(groups: Sequence[str], rules: tuple[str, ...]) -> pa.Schema:
    return pa.schema(
        [
            pa.field(
                column,
                TYPES.get(kind) or pa.type_for_alias(kind),
                metadata={"description": text},
            )
            for group in groups
            for column, kind, text in _columns(group, rules)
        ]
    )


def _columns(group: str, rules: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Name, type and description of the columns of a group."""
    if group == "figures":
        for metric in METRICS.values():
            text = ", ".join(filter(None, (metric.title, metric.unit)))
            yield column_of(metric.name), "int32" if metric.is_whole else "double", text
        return
    for name in {"under_rules": rules, "parts": EXPECTED}.get(group, ("",)):
        for column, (kind, text) in _GROUPS[group].items():
            names = {"rules": column_of(name), "part": name}
            yield column.format(**names), kind, text.format(rules=name, part=name)


def in_sql(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def under_rules(column: str, chosen: str, rules: Sequence[str]) -> str:
    """SQL for the column of `decisions`, such as `d.error`, of the rule set that `chosen` names."""
    return choice(chosen, {name: f"{column}_{column_of(name)}" for name in rules}, "null")


def choice(value: str, answers: Mapping[str, str], otherwise: str) -> str:
    """SQL for the answer that belongs to a value."""
    cases = "".join(f" when {in_sql(case)} then {answer}" for case, answer in answers.items())
    return f"case {value}{cases} else {otherwise} end" if cases else otherwise


# -- views -----------------------------------------------------------------------------------------

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
