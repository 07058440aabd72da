"""A JSON document that a command wrote, read back and checked against its type."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from reconcile.errors import UnreadableFile
from reconcile.files.inputs import first_bytes

LARGEST = 256 * 2**20
LONGEST_PLACE = 100


def read_document(path: str, model_of: Callable[[Any], Any], expected: str) -> tuple[Any, Any]:
    """The plain values of a document, and the same as the type that `model_of` takes for them.

    `-` is standard input. Raises `UnreadableFile`, which says what was `expected`.
    """
    from pydantic import TypeAdapter, ValidationError

    from reconcile.files.yaml_file import complaint

    content, wrong = first_bytes(path, LARGEST + 1), "no such JSON"
    if len(content) > LARGEST:
        wrong = f"more than {LARGEST >> 20} MB"
    else:
        try:
            tree = json.loads(content)
            return tree, TypeAdapter[Any](model_of(tree)).validate_json(content, strict=True)
        except ValidationError as error:
            keys, message = complaint(error)
            wrong = f"other content at {'.'.join(map(str, keys))[:LONGEST_PLACE]}: {message}"
        except (ValueError, RecursionError, OverflowError, AttributeError, TypeError):
            pass
    raise UnreadableFile(f"expected {expected}, found {wrong}; write it with this version", path)
