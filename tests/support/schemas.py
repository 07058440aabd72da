"""The published schemas, and what they say of a document."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema_rs

from tests.support.data import PROJECT

FOLDER = PROJECT / "reconcile" / "schemas"


@cache
def schemas() -> dict[str, Any]:
    """Every schema by the name of its file."""
    return {
        path.name: json.loads(path.read_text("utf-8"))
        for path in sorted(FOLDER.glob("*.schema.json"))
    }


@cache
def validator(name: str) -> jsonschema_rs.Validator:
    """What judges documents of a kind, `comparison` for one."""
    return jsonschema_rs.validator_for(schemas()[f"{name}.schema.json"])


def faults(name: str, document: Any) -> list[str]:
    """What a schema says against a document of JSON; nothing, when it fits."""
    return [
        f"{'/'.join(map(str, error.instance_path))}: {error.message[:120]}"
        for error in validator(name).iter_errors(document)
    ]
