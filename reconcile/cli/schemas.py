"""The schemas of the JSON documents, made from the dataclasses that they are."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final, get_args, get_type_hints

from pydantic import TypeAdapter
from typing_extensions import TypeAliasType, is_typeddict

from engine_benchmark.results import Score
from reconcile.document import VERSION_PAGE, Keyed, keys_of
from reconcile.engines.selfcheck import SelfCheck
from reconcile.errors import UnknownName
from reconcile.files.wording import meant
from reconcile.gate.candidates.figures import PlainFigures
from reconcile.gate.changes import Changes
from reconcile.gate.measure import Measurement
from reconcile.gate.pack_results import PackResult
from reconcile.infer.investigation import Investigation
from reconcile.report.ci.github import Badge
from reconcile.results.analysis import Analysis
from reconcile.results.comparison import ComparisonDocument
from reconcile.results.decisions import Decisions
from reconcile.results.match import MatchDocument
from reconcile.results.review import FoldersDocument, ManyFoldersDocument, ReviewDocument
from reconcile.results.statistics import Written as Statistics
from reconcile.suite.documents import ExpectedFigures, SuiteIndex, SuiteRun

Schema = dict[str, Any]
DOCUMENTS: Final[Mapping[str, tuple[str, Any]]] = {
    "analysis": ("Analysis by an engine", Analysis),
    "badge": ("Badge", Badge),
    "benchmark": ("Benchmark score", Score),
    "changes": ("Changes", Changes),
    "comparison": ("Comparison", ComparisonDocument),
    "decisions": ("Decision list", Decisions),
    "figures": ("Figures", PlainFigures),
    "folders": ("Folders", FoldersDocument),
    "investigation": ("Investigation", Investigation),
    "many": ("Many analyses", ReviewDocument),
    "many_folders": ("Folders with many analyses", ManyFoldersDocument),
    "match": ("A backgammon match with its decisions", MatchDocument),
    "measurement": ("Measurement", Measurement),
    "selfcheck": ("Self-check", SelfCheck),
    "statistics": ("Statistics", Statistics),
    "suite_case": ("Expected figures of a case", ExpectedFigures),
    "suite_index": ("Conformance suite", SuiteIndex),
    "suite_run": ("Run of the conformance suite", SuiteRun),
    "validation": ("Validation", PackResult),
}
"""The title and the type of every document."""
STATISTICS: Final = "What `reconcile stats --format json` writes: one object for one file, a list of them for several, a pool with `--pool`."


@cache
def schema_of(kind: str) -> Schema:
    """The schema of a document, complete in itself. Raises `UnknownName`."""
    if kind not in DOCUMENTS:
        raise UnknownName(
            f"expected one of {', '.join(DOCUMENTS)}, found {kind[:60]!r}{meant(kind, DOCUMENTS)}"
        )
    return _schema(kind, *DOCUMENTS[kind])


def _schema(name: str, title: str, kind: Any) -> Schema:
    with warnings.catch_warnings(action="ignore"):  # of defaults of what is not written
        made = TypeAdapter(kind).json_schema()
    classes = {one.__name__: one for one in _classes(kind)}
    parts = {key: _tidy(part, classes.get(key), key) for key, part in made.pop("$defs", {}).items()}
    root = _tidy(made, classes.get(getattr(kind, "__name__", "")), getattr(kind, "__name__", ""))
    head: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:x-reconcile:schema:{name}:1",
        "title": title,
        "description": root.pop("description", STATISTICS),
    }
    head |= root | ({"$defs": {_snake(key): parts[key] for key in sorted(parts)}} if parts else {})
    return head


def _classes(kind: Any) -> Iterator[type]:
    """The dataclasses of a document, each with those of its fields."""
    seen: set[Any] = set()

    def inside(one: Any) -> Iterator[type]:
        one = one.typed() if isinstance(one, type) and issubclass(one, Keyed) else one
        if isinstance(one, TypeAliasType) or one in seen:
            return
        seen.add(one)
        parts = get_args(one)
        if isinstance(one, type) and is_dataclass(one):
            yield one
            hints = get_type_hints(one)
            parts = tuple(
                how.kind or hints[field] for field, how in keys_of(one).items() if not how.hidden
            )
        elif is_typeddict(one):
            parts = tuple(get_type_hints(one).values())
        for part in parts:
            yield from inside(part)

    return inside(kind)


def _tidy(schema: Any, kind: type | None = None, owner: str = "") -> Any:
    """A schema of pydantic with descriptions from docstrings, without its generated titles, closed to unknown keys."""
    if isinstance(schema, list):
        return [_tidy(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    tidy = {
        key: _tidy(part)
        for key, part in schema.items()
        if key not in ("title", "properties", "default")
    }
    if "description" in tidy:
        tidy["description"] = (
            inspect.cleandoc(tidy["description"]).replace("\n\n", " ").replace("\n", " ")
        )
    if "$ref" in tidy:
        tidy["$ref"] = f"#/$defs/{_snake(tidy['$ref'].rpartition('/')[2])}"
    if "properties" in schema:
        tidy["properties"] = {
            key: _described(owner if kind is None else "", key, _tidy(part))
            for key, part in schema["properties"].items()
        }
        tidy.setdefault("additionalProperties", False)
    return tidy if kind is None else _as_written(tidy, kind)


def _as_written(schema: dict[str, Any], kind: type) -> dict[str, Any]:
    """The schema of a dataclass by what is written of it: a field with a default is written too, unless it is left out or hidden."""
    texts, properties, required = _texts(kind), {}, []
    for field, how in keys_of(kind).items():
        key = how.name or field
        if how.hidden:
            continue
        part = {
            name: value for name, value in schema["properties"][key].items() if name != "default"
        }
        if how.left_out and not how.later and "anyOf" in part:
            kinds = [one for one in part.pop("anyOf") if one != {"type": "null"}]
            part |= kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
        said = {"description": texts[field]} if field in texts else {}
        properties[key] = said | part | said
        if not (how.left_out or how.later):
            required.append(key)
    return schema | {"properties": properties} | ({"required": required} if required else {})


@cache
def _texts(kind: type) -> dict[str, str]:
    """The docstring of every field of a dataclass, inherited ones included; of one that is made of data, what its metadata say."""
    found: dict[str, str] = {"schema_version": VERSION_PAGE}
    for one in reversed([base for base in kind.__mro__ if is_dataclass(base)]):
        made = {
            field.name: field.metadata["page"] for field in fields(one) if "page" in field.metadata
        }
        if made.keys().isdisjoint(one.__annotations__):
            made = _docstrings(_written(one.__module__)[one.__name__])
        found |= made
    return found


@cache
def _written(module: str) -> dict[str, ast.ClassDef]:
    """The classes of a module by name."""
    tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def _docstrings(node: ast.ClassDef) -> dict[str, str]:
    """The docstring of every attribute of a class."""
    return {
        line.target.id: " ".join(ast.literal_eval(after.value).split())
        for line, after in pairwise(node.body)
        if isinstance(line, ast.AnnAssign)
        and isinstance(line.target, ast.Name)
        and isinstance(after, ast.Expr)
    }


def _described(owner: str, key: str, part: dict[str, Any]) -> dict[str, Any]:
    text = part.pop("description", "") or docstrings().get((owner, key), "")
    return ({"description": text} if text else {}) | part


@cache
def docstrings() -> dict[tuple[str, str], str]:
    """The docstring of every attribute of the models of candidates' figures, by class and attribute."""
    classes = _written(PlainFigures.__module__).values()
    return {(node.name, key): text for node in classes for key, text in _docstrings(node).items()}


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
