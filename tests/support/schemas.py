"""The schemas of the JSON documents, and what they say of a document."""

from functools import cache

import jsonschema_rs

from reconcile.cli.schemas import schema_of


@cache
def validator(name):
    """What judges documents of a kind, `comparison` for example."""
    return jsonschema_rs.validator_for(schema_of(name))


def faults(name, document):
    """What a schema says against a document of JSON; nothing, when it fits."""
    return [
        f"{'/'.join(map(str, error.instance_path))}: {error.message[:120]}"
        for error in validator(name).iter_errors(document)
    ]
