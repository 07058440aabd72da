"""The JSON documents, from their schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import reconcile
from docs.making.markdown import code, heading, page, prose, table

FOLDER: Final = Path(reconcile.__file__).parent / "schemas"
Schema = Mapping[str, Any]


def schemas() -> dict[str, Schema]:
    """Every schema of the package by the name of its document."""
    return {path.name.partition(".")[0]: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.schema.json"))}


def json_page() -> str:
    """The page of all documents."""
    parts = [
        "The JSON documents contain the same figures as the tables, under the same names. An unknown figure is `null`, "
        "never 0. "
        "Numbers are not rounded. The same input gives the same bytes.",
        "Every document has a `schema_version`, raised by one for every incompatible change. The schemas (JSON Schema "
        "2020-12) "
        "come with the package in `reconcile/schemas`; the tables below are made from them. Names of figures are explained in "
        "[figures](figures.md).",
        table(
            ["document", "schema", "written by"],
            (
                (f"[{schema['title']}](#{name})", code(f"{name}.schema.json"), _first_sentence(schema["description"]))
                for name, schema in schemas().items()
            ),
        ),
    ]
    for name, schema in schemas().items():
        parts += [heading(2, schema["title"], name), prose(schema["description"]), *_tables(name, schema)]
    return page("JSON documents", *parts)


def _first_sentence(text: str) -> str:
    return prose(text.partition(": ")[0].partition(". ")[0].removeprefix("What ").removesuffix(" writes"))


def _tables(name: str, schema: Schema) -> Iterator[str]:
    """The properties of a document and of every object it is made of."""
    if "properties" in schema:
        yield _properties(name, schema)
    for key, part in schema.get("$defs", {}).items():
        yield heading(3, f"{schema['title']}: {code(key)}", f"{name}-{key}")
        if "description" in part:
            yield prose(part["description"])
        if "properties" in part:
            yield _properties(name, part)
        else:
            yield f"Type: {type_of(name, part)}."


def _properties(name: str, schema: Schema) -> str:
    required = set(schema.get("required", ()))
    rows = (
        (code(key), type_of(name, part), "yes" if key in required else "", prose(part.get("description", "")))
        for key, part in schema["properties"].items()
    )
    return table(["key", "type", "always there", "meaning"], rows)


def type_of(name: str, schema: Schema | bool) -> str:
    """The type of a value in a few words, with links to the objects of the document."""
    if not isinstance(schema, Mapping):
        return "anything"
    if "$ref" in schema:
        document, _, pointer = schema["$ref"].partition("#/$defs/")
        target = document.partition(".")[0] or name
        owner, _, key = pointer.partition("/properties/")
        shown = f"{owner}.{key}" if key else owner or target
        return f"[{code(shown)}](#{target}{'-' + owner if owner else ''})"
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(type_of(name, part) for part in schema[key]))
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    if "enum" in schema:
        return ", ".join(code(json.dumps(value, ensure_ascii=False)) for value in schema["enum"])
    types = schema.get("type", "anything")
    words = [types] if isinstance(types, str) else list(types)
    named = [_container(name, schema, word) for word in words]
    return " or ".join(named)


def _container(name: str, schema: Schema, word: str) -> str:
    if word == "array" and "items" in schema:
        return f"list of {type_of(name, schema['items'])}"
    if word == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"object of {type_of(name, schema['additionalProperties'])}"
    if word == "object" and "properties" in schema:
        return f"object with {', '.join(code(key) for key in schema['properties'])}"
    return word
