"""The schemas of the JSON documents, and what they say of a document."""

from functools import cache

import jsonschema_rs

from reconcile.cli.schemas import schema_of

_validator = cache(lambda name: jsonschema_rs.validator_for(schema_of(name)))


def faults(name, document):
    """What a schema says against a document of JSON, `comparison` for example; nothing, when it
    fits."""
    return [
        f"{'/'.join(map(str, error.instance_path))}: {error.message[:120]}"
        for error in _validator(name).iter_errors(document)
    ]
