"""The pages that describe the JSON documents."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from docs.making.markdown import code, heading, page, prose, table
from reconcile.cli.schemas import DOCUMENTS, Schema, schema_of

SHARING: Final = ("statistics", "comparison")
"""The documents whose objects are also in others."""


@cache
def schemas() -> dict[str, Schema]:
    """Every schema by the name of its document."""
    return {name: schema_of(name) for name in DOCUMENTS}


def json_index() -> str:
    """The page that lists all documents."""
    return page(
        "JSON documents",
        "The JSON documents contain the same figures as the tables, under the same names. An "
        "unknown "
        "figure is `null`, never 0. Numbers are not rounded. The same input gives the same bytes.",
        "Every document has a `schema_version`, raised by one for every incompatible change. The "
        "site has a page for each, made from its schema (JSON Schema 2020-12). `reconcile explain "
        "--schema NAME` prints the schema. Names of figures are explained in "
        "[figures](figures.md).",
        table(
            ["name", "document", "written by"],
            (
                (
                    f"[{code(name)}](json/{name}.md){{#{name}}}",
                    schema["title"],
                    _first_sentence(schema["description"]),
                )
                for name, schema in schemas().items()
            ),
        ),
    )


def json_pages() -> dict[str, str]:
    """The page of every document, by its path in the site."""
    return {
        f"json/{name}.md": page(
            f"JSON: {schema['title']}",
            f"{prose(schema['description'])} `reconcile explain --schema {name}` prints the "
            "schema.",
            *_tables(name, schema),
        )
        for name, schema in schemas().items()
    }


def _first_sentence(text: str) -> str:
    return prose(
        text.partition(": ")[0].partition(". ")[0].removeprefix("What ").removesuffix(" writes")
    )


def _tables(name: str, schema: Schema) -> Iterator[str]:
    """The properties of a document and of every object it is made of; an object of several
    documents is described with one of them."""
    if "properties" in schema:
        yield _properties(name, schema)
    objects = sorted(schema.get("$defs", {}).items(), key=lambda item: item[0] != name)
    for key, part in objects:
        if _place(name, key) != f"{name}.md#{key}":
            continue
        yield heading(2, code(key), key)
        if "description" in part:
            yield prose(part["description"])
        if "properties" in part:
            yield _properties(name, part)
        else:
            yield f"Type: {type_of(name, part)}."


@cache
def _place(name: str, key: str) -> str:
    """Where an object is described: on the page of the first document with the same object."""
    definitions = schemas()
    part = definitions[name]["$defs"][key]
    if key in definitions and definitions[key].get("properties") == part.get("properties"):
        return f"{key}.md"
    owners = (*SHARING, *definitions)
    return next(
        f"{owner}.md#{key}"
        for owner in owners
        if definitions[owner].get("$defs", {}).get(key) == part
    )


def _properties(name: str, schema: Schema) -> str:
    required = set(schema.get("required", ()))
    rows = (
        (
            code(key),
            type_of(name, part),
            "yes" if key in required else "",
            prose(part.get("description", "")),
        )
        for key, part in schema["properties"].items()
    )
    return table(["key", "type", "always there", "meaning"], rows)


def type_of(name: str, schema: Schema | bool) -> str:
    """The type of a value in a few words, with links to the objects of the document."""
    if not isinstance(schema, Mapping):
        return "anything"
    if "$ref" in schema:
        key = schema["$ref"].removeprefix("#/$defs/")
        return f"[{code(key)}]({_place(name, key)})"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(type_of(name, part) for part in schema["anyOf"]))
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    if "enum" in schema:
        return ", ".join(code(json.dumps(value, ensure_ascii=False)) for value in schema["enum"])
    return _container(name, schema, schema.get("type", "anything"))


def _container(name: str, schema: Schema, word: str) -> str:
    if word == "array" and ("items" in schema or "prefixItems" in schema):
        parts = [type_of(name, part) for part in schema.get("prefixItems", [schema.get("items")])]
        return f"list of {' or '.join(dict.fromkeys(parts))}"
    if word == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"object of {type_of(name, schema['additionalProperties'])}"
    if word == "object" and "properties" in schema:
        return f"object with {', '.join(code(key) for key in schema['properties'])}"
    return word
