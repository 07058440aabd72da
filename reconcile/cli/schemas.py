"""The schemas of the JSON documents, made from the dataclasses that they are."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from itertools import pairwise
from typing import Any, cast

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from engine_benchmark.results import Score
from reconcile.document import VERSION_PAGE, Document, keys_of
from reconcile.errors import UnknownName
from reconcile.files.model import Model
from reconcile.gate.candidates.reading import PlainFigures
from reconcile.gate.changes import Changes
from reconcile.gate.measure import Measurement
from reconcile.gate.pack_results import PackResult
from reconcile.infer.investigation import Investigation
from reconcile.report.ci import Badge
from reconcile.results.analysis import Analysis
from reconcile.results.comparison import ComparisonDocument, ManyFoldersDocument, ReviewDocument
from reconcile.results.decisions import Decisions
from reconcile.results.statistics import Written as Statistics
from reconcile.suite.cases import ExpectedFigures, SuiteIndex, SuiteRun
from reconcile.wording import did_you_mean

Schema = dict[str, Any]
DOCUMENTS: Mapping[str, tuple[str, Any]] = {
    "analysis": ("Analysis by an engine", Analysis),
    "badge": ("Badge", Badge),
    "benchmark": ("Benchmark score", Score),
    "changes": ("Changes", Changes),
    "comparison": ("Comparison", ComparisonDocument),
    "decisions": ("Decision list", Decisions),
    "figures": ("Figures", PlainFigures),
    "investigation": ("Investigation", Investigation),
    "many": ("Many analyses", ReviewDocument),
    "many_folders": ("Folders with many analyses", ManyFoldersDocument),
    "measurement": ("Measurement", Measurement),
    "statistics": ("Statistics", Statistics),
    "suite_case": ("Expected figures of a case", ExpectedFigures),
    "suite_index": ("Conformance suite", SuiteIndex),
    "suite_run": ("Run of the conformance suite", SuiteRun),
    "validation": ("Validation", PackResult),
}
"""The title and the type of every document."""
STATISTICS = (
    "What `reconcile stats --format json` writes: one object for one file, a list of them for "
    "several, a pool with `--pool`."
)


@cache
def schema_of(kind: str) -> Schema:
    """The schema of a document, complete in itself. Raises `UnknownName`."""
    if kind not in DOCUMENTS:
        near = did_you_mean(kind, DOCUMENTS)
        raise UnknownName(f"expected one of {', '.join(DOCUMENTS)}, found {kind[:60]!r}{near}")
    title, document = DOCUMENTS[kind]
    schema = TypeAdapter(document).json_schema(schema_generator=_AsWritten)
    parts = schema.pop("$defs", None)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:x-reconcile:schema:{kind}:1",
        "title": title,
        "description": schema.pop("description", STATISTICS),
    }
    return head | schema | ({"$defs": parts} if parts else {})


class _AsWritten(GenerateJsonSchema):
    """Schemas of what is written: closed to unknown keys, described by the docstrings of fields,
    without titles and defaults."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """No field has a title."""
        return False

    def default_schema(self, schema: Any) -> Schema:
        """The schema of a field that has a default, which is written like any other."""
        return self.generate_inner(schema["schema"])

    def normalize_name(self, name: str) -> str:
        """The key of a part: `explored_figures` for `ExploredFigures`."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", super().normalize_name(name)).lower()

    def dataclass_schema(self, schema: Any) -> Schema:
        """The schema of a document."""
        kind = schema["cls"]
        return _as_written(_closed(super().dataclass_schema(schema), kind), kind)

    def typed_dict_schema(self, schema: Any) -> Schema:
        """The schema of `document.with_keys`."""
        return _closed(super().typed_dict_schema(schema), schema.get("cls"))

    def model_schema(self, schema: Any) -> Schema:
        """The schema of what is read only."""
        kind = schema["cls"]
        closed, texts = _closed(super().model_schema(schema), kind), _docstrings(kind)
        closed["properties"] = {
            key: ({"description": texts[key]} if key in texts else {}) | part
            for key, part in closed["properties"].items()
        }
        return closed


def _closed(schema: Schema, kind: Any) -> Schema:
    del schema["title"]
    # Not every version of pydantic takes the docstring of a dataclass.
    text = " ".join(schema.get("description", inspect.getdoc(kind) or "").split())
    return {"additionalProperties": False} | schema | {"description": text}


def _as_written(schema: Schema, kind: Any) -> Schema:
    """Describe the keys of a dataclass, in their order; one that may be left out is not null."""
    texts, properties = _docstrings(kind), schema["properties"]
    schema["properties"], schema["required"] = {}, []
    for field, how in keys_of(kind).items():
        key = how.name or field
        if how.hidden:
            continue
        part = dict(properties[key])
        if how.left_out and "anyOf" in part:
            kinds = [each for each in part.pop("anyOf") if each != {"type": "null"}]
            part |= kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
        if field in texts:
            part["description"] = texts[field]
        schema["properties"][key] = part
        if not how.left_out:
            schema["required"].append(key)
    if not schema["required"]:
        del schema["required"]
    return schema


@cache
def _docstrings(kind: Any) -> dict[str, str]:
    """The docstring of every field of a class and its bases; of a class that is made of data, what
    the metadata of its fields say."""
    texts = {"schema_version": VERSION_PAGE} if issubclass(kind, Document) else {}
    for base in reversed(kind.__mro__):
        if base.__module__ == "types":
            texts |= {field.name: field.metadata["page"] for field in fields(base)}
        elif issubclass(base, (Document, Model)):
            body = ast.parse(inspect.getsource(base)).body[0]
            for line, after in pairwise(cast("ast.ClassDef", body).body):
                match line, after:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str(text))):
                        texts[name] = " ".join(text.split())
    return texts
