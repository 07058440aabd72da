"""The tables of a corpus (`tables.yaml`): their columns, types and units, as the documentation
shows them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import pyarrow as pa

from reconcile.files.yaml_file import read_tree
from reconcile.match.board.position import KEY_BYTES
from reconcile.match.tools import TOOLS
from reconcile.scoring.metrics import METRICS

PARTS: Final = ("checker", "cube", "luck")
TYPES: Final = {
    "text": pa.string(),
    "number": pa.float64(),
    "int8": pa.int8(),
    "int16": pa.int16(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "bool": pa.bool_(),
    "date": pa.date32(),
    "position": pa.binary(KEY_BYTES),
}
_DESCRIBED: Final = read_tree(Path(__file__).with_name("tables.yaml"))


def column_of(metric: str) -> str:
    """The column of a metric: its name with `_` for `.`."""
    return metric.replace(".", "_")


def described(schema: pa.Schema) -> dict[str, str]:
    """What the columns of a table are, by their names."""
    return {field.name: field.metadata[b"description"].decode() for field in schema}


def _described(group: str, **words: str) -> list[pa.Field]:
    """The columns of a table or group, with these words in them."""
    return [
        pa.field(name.format(**words), TYPES[kind], metadata={"description": text.format(**words)})
        for name, (kind, text) in _DESCRIBED[group].items()
    ]


def _figures() -> list[pa.Field]:
    fields = []
    for metric in METRICS.values():
        text = f"{metric.title}, {metric.unit}" if metric.unit else metric.title
        fields.append(
            pa.field(
                column_of(metric.name),
                pa.int32() if metric.is_whole else pa.float64(),
                metadata={"description": text},
            )
        )
    return fields


_IDS: Final = _described("ids")
IDS: Final = tuple(field.name for field in _IDS)
"""The columns that say which analysis a row is of, in every table but `files`."""
_OWNER: Final = [*_IDS, *_described("owner")]
_SUMS: Final = [
    *_described("sums"),
    *(field for part in PARTS for field in _described("completeness", part=part)),
]
FILES: Final = pa.schema(_described("files"))
MATCHES: Final = pa.schema(_described("matches"))
PLAYERS: Final = pa.schema(
    [*_OWNER, *_figures(), *_described("range"), *_described("rating"), *_SUMS]
)
GAMES: Final = pa.schema([*_OWNER, *_described("game"), *_figures(), *_SUMS])
QUESTIONS: Final = pa.schema([*_OWNER[:-1], *_described("question")])
OF_A_FILE: Final = "file"
"""The column that `matches` has beside those of `analyses`, where copies of a file are one."""
ANALYSES: Final = pa.schema([field for field in MATCHES if field.name != OF_A_FILE])


def decisions_schema(rules: Sequence[str]) -> pa.Schema:
    """The table of decisions: every roll, cube action with access, response and resignation."""
    under = (_described("under_rules", rules=name, column=name.replace("-", "_")) for name in rules)
    return pa.schema(
        [*_IDS, *_described("decision"), *(field for fields in under for field in fields)]
    )


def own_rules(tool: str, rules: Sequence[str]) -> str:
    """SQL for the rule set that rates a file: that of its tool, or the first one of the corpus
    if the tool has none there."""
    named = " ".join(
        f"when '{each.name}' then '{each.rules}'" for each in TOOLS.values() if each.rules in rules
    )
    return f"case {tool} {named} else '{rules[0]}' end" if named else f"'{rules[0]}'"


def under_rules(column: str, chosen: str, rules: Sequence[str]) -> str:
    """SQL for the column of `decisions`, such as `d.error`, of the rule set that `chosen` names."""
    choices = " ".join(f"when '{name}' then {column}_{name.replace('-', '_')}" for name in rules)
    return f"case {chosen} {choices} end"


def schemas(rules: Sequence[str]) -> dict[str, pa.Schema]:
    """Every table."""
    of_matches = {
        "matches": MATCHES,
        "analyses": ANALYSES,
        "players": PLAYERS,
        "games": GAMES,
        "questions": QUESTIONS,
    }
    return {"files": FILES, **of_matches, "decisions": decisions_schema(rules)}


@lru_cache(maxsize=8)
def rows_schemas(rules: tuple[str, ...]) -> dict[str, pa.Schema]:
    """What a worker makes for a match, bare: of the ids, tables other than `matches` have only
    its number."""
    bare = {
        name: schema for name, schema in schemas(rules).items() if name not in ("files", "analyses")
    }
    return {
        name: pa.schema(
            [
                pa.field(field.name, field.type)
                for field in schema
                if name == "matches" or field.name not in IDS[1:]
            ]
        )
        for name, schema in bare.items()
    }
