"""OGXM documents to JSON, by the codec of the Python package `ogxm` in a process of its own.

The codec is native code, so a damaged document can end no more than that process, which is bounded
in time and size.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from reconcile.errors import MissingPackage, reason_of
from reconcile.files.processes import Program, TooLate, TooMuch
from reconcile.formats.values import Damaged, JsonObject
from reconcile.wording import printable

MAGIC = b"OGXM"
WORKER = Path(__file__).with_name("codec_worker.py")
LARGEST_DECODED = 96 * 2**20
"""Bytes of its JSON, which is ten times as long."""
SECONDS = 60.0
"""Three analyses of a match to seven take one."""
REFUSED = 3
"""The worker's exit code where the codec refuses what it was given."""


def decoded(content: bytes) -> JsonObject:
    """A document as the codec's JSON, or as GammonView's own.

    Raises `Damaged`, and `MissingPackage` where the package `ogxm` is not installed.
    """
    try:
        document = json.loads(content if content.startswith(b"{") else _json_of(content))
    except (ValueError, RecursionError) as error:
        raise _refused(str(error)) from None
    if type(document) is not dict:
        raise _refused("expected one match")
    return document


def _refused(reason: str) -> Damaged:
    return Damaged(f"damaged, {reason}", "save it again in the program that made it")


def _json_of(content: bytes) -> bytes:
    try:
        version("ogxm")
    except PackageNotFoundError:
        raise MissingPackage(
            "OGXM documents need the package ogxm; pip install 'gammon-reconcile[ogxm]'"
        ) from None
    words = [sys.executable, "-P", str(WORKER)]
    try:
        with Program(words, questions=[content], most=LARGEST_DECODED) as program:
            program.allow(SECONDS)
            converted = b"".join(program.output())
    except TooMuch:
        raise _refused(f"it unpacks to more than {LARGEST_DECODED >> 20} MB") from None
    except TooLate:
        raise _refused(f"the codec has not finished after {SECONDS:.0f} seconds") from None
    except OSError as error:
        raise _refused(f"the codec cannot be started: {reason_of(error)}") from None
    if program.code == REFUSED:
        raise _refused(printable(program.complaint.decode("utf-8", "replace").strip())[:200])
    if program.code != 0:
        raise _refused("the codec failed on it")
    return converted
