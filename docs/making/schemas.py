"""The pages that describe the JSON documents."""

from __future__ import annotations

import json
from collections.abc import Mapping

from docs.making.markdown import code, coded, page, prose, table
from reconcile.cli.schemas import DOCUMENTS, Schema, schema_of

ABOUT = """\
The JSON documents contain the same figures as the tables, under the same names. An unknown \
figure is `null`, never 0. Numbers are not rounded. The same input gives the same bytes.

Every document has a `schema_version`, raised by one for every incompatible change. The site has \
a page for each, made from its schema (JSON Schema 2020-12). `reconcile explain --schema NAME` \
prints the schema. Names of figures are explained in [figures](figures.md)."""


def json_index() -> str:
    """The page that lists all documents."""
    rows = []
    for name in DOCUMENTS:
        schema = schema_of(name)
        link = f"[{code(name)}](json/{name}.md){{#{name}}}"
        rows.append((link, prose(schema["description"])))
    return page("JSON documents", ABOUT, table(["name", "document"], rows))


def json_pages() -> dict[str, str]:
    """The page of every document, by its path in the site."""
    return {f"json/{name}.md": _page(name, schema_of(name)) for name in DOCUMENTS}


def _page(name: str, schema: Schema) -> str:
    """The keys of a document, and of every object that it is made of."""
    about = f"{prose(schema['description'])} `reconcile explain --schema {name}` prints the schema."
    parts = [about, _described(schema)]
    for key, part in schema.get("$defs", {}).items():
        parts += [coded(2, key), prose(part.get("description", "")), _described(part)]
    return page(f"JSON: {schema['title']}", *parts)


def _described(schema: Schema) -> str:
    """The keys of an object, or the type of what is none."""
    if "properties" not in schema:
        return f"Type: {type_of(schema)}."
    required = set(schema.get("required", ()))
    rows = (
        (
            code(key),
            type_of(part),
            "yes" if key in required else "",
            prose(part.get("description", "")),
        )
        for key, part in schema["properties"].items()
    )
    return table(["key", "type", "always there", "meaning"], rows)


def type_of(schema: Schema | bool) -> str:
    """The type of a value in a few words, with links to the objects of the document."""
    if not isinstance(schema, Mapping):
        return "anything"
    if "$ref" in schema:
        key = schema["$ref"].removeprefix("#/$defs/")
        return f"[{code(key)}](#{key})"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(type_of(part) for part in schema["anyOf"]))
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    if "enum" in schema:
        return ", ".join(code(json.dumps(value, ensure_ascii=False)) for value in schema["enum"])
    return _container(schema, schema.get("type", "anything"))


def _container(schema: Schema, word: str) -> str:
    if word == "array" and ("items" in schema or "prefixItems" in schema):
        parts = [type_of(part) for part in schema.get("prefixItems", [schema.get("items")])]
        return f"list of {' or '.join(dict.fromkeys(parts))}"
    if word == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"object of {type_of(schema['additionalProperties'])}"
    if word == "object" and "properties" in schema:
        return f"object with {', '.join(code(key) for key in schema['properties'])}"
    return word
