"""The tables of an archive (`tables.yaml`): their columns, types and units, as the documentation
shows them, and what SQL asks of the columns that every rule set has its own of.

What the rows of an archive depend on besides its files: rules, program, licence, names.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

import pyarrow as pa

from reconcile.errors import UnknownName
from reconcile.files.yaml_file import read_tree
from reconcile.match.board.position import KEY_BYTES
from reconcile.match.tools import ANALYSERS, TOOLS
from reconcile.rules.rulesets import RULE_SETS, is_rule_file, rule_set
from reconcile.scoring.figures import METRICS
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
