"""The schemas of the JSON documents, and what they say of a document."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema_rs

from reconcile.cli.schemas import schema_of


@cache
def validator(name: str) -> jsonschema_rs.Validator:
    """What judges documents of a kind, `comparison` for example."""
    return jsonschema_rs.validator_for(schema_of(name))


def faults(name: str, document: Any) -> list[str]:
    """What a schema says against a document of JSON; nothing, when it fits."""
    return [
        f"{'/'.join(map(str, error.instance_path))}: {error.message[:120]}"
        for error in validator(name).iter_errors(document)
    ]
