"""Results of engines and of programs in the cache folder, each sealed with its key: a damaged or
exchanged file is made again."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Final

from reconcile.files.inputs import open_regular
from reconcile.files.output import write

LONGEST_SEAL: Final = 100
LARGEST_KEPT: Final = 128 * 2**20
"""Bytes; no match file is larger."""


def key_of(settings: object, question: str) -> str:
    """The key of a result: the settings of the engine, which JSON can express, and what it was
    asked."""
    return sha256((json.dumps(settings, sort_keys=True) + question).encode()).hexdigest()


def place_of(cache: Path | None, kind: str, name: str) -> Path | None:
    """Where a result of a kind is kept; `None` without a cache."""
    return None if cache is None else cache / kind / name


def read(path: Path | None, key: str) -> bytes | None:
    """A kept result; `None` if there is none, if it is damaged, or if it belongs to another key."""
    if path is None:
        return None
    try:
        with open_regular(path) as file:
            seal, content = file.readline(LONGEST_SEAL), file.read(LARGEST_KEPT)
    except OSError:
        return None
    return content if seal == _seal(key, content) else None


def keep(path: Path | None, key: str, content: bytes) -> None:
    """Keep a result. Raises `CannotWrite`."""
    if path is not None:
        write(str(path), _seal(key, content) + content)


def _seal(key: str, content: bytes) -> bytes:
    """The first line of a kept result: what it is the result of, and of which bytes."""
    return sha256(key.encode() + content).hexdigest().encode() + b"\n"
