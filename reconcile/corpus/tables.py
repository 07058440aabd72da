"""The tables of an archive (`tables.yaml`): their columns, types and units, as the documentation
shows them, and what SQL asks of the columns that every rule set has its own of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import pyarrow as pa

from reconcile.files.yaml_file import read_tree
from reconcile.match.board.position import KEY_BYTES
from reconcile.scoring.figures import METRICS

TYPES: Final = {"position": pa.binary(KEY_BYTES), "numbers": pa.list_(pa.int64())}
"""Those that have no name in Arrow."""
_GROUPS: Final = read_tree(Path(__file__).with_name("tables.yaml"))
ABOUT: Final[Mapping[str, str]] = _GROUPS["about"]
"""By table what its rows are."""
IDS: Final = tuple(_GROUPS["ids"])
"""The columns that say which analysis a row is of, in every table but `files`."""
SHARDED: Final = ("players", "games", "questions", "decisions")
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
    for name in rules if group == "under_rules" else ("",):
        for column, (kind, text) in _GROUPS[group].items():
            yield column.format(rules=column_of(name)), kind, text.format(rules=name)


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
