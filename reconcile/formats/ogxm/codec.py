"""OGXM documents to JSON, by the codec of the Python package `ogxm` in a process of its own.

The codec is native code, so a damaged document can end no more than that process, which is bounded
in time and size.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from reconcile.errors import MissingPackage, UnreadableFile, reason_of
from reconcile.files.processes import Program, TooLate, TooMuch
from reconcile.formats.values import check_size
from reconcile.wording import printable

MAGIC: Final = b"OGXM"
WORKER: Final = Path(__file__).with_name("codec_worker.py")
LARGEST: Final = 8 * 2**20
"""Bytes of a document; five analyses of a match to seven take a tenth."""
LARGEST_DECODED: Final = 96 * 2**20
"""Bytes of its JSON, which is ten times as long."""
SECONDS: Final = 60.0
"""Three analyses of a match to seven take one."""
REFUSED: Final = 3
"""The worker's exit code where the codec refuses what it was given."""


class Refused(Exception):
    """The codec does not take it; the text says why."""


def decoded(path: str, content: bytes) -> dict[str, Any]:
    """A document as the codec's JSON, or as GammonView's own.

    Raises `UnreadableFile`, and `MissingPackage` where the package `ogxm` is not installed.
    """
    check_size(path, content, LARGEST, "an OGXM document")
    try:
        document = json.loads(content if content.startswith(b"{") else _json_of(content))
    except (Refused, ValueError, RecursionError) as error:
        raise UnreadableFile(
            f"damaged OGXM document: {error}; save it again in the program that made it", path
        ) from None
    if type(document) is not dict:
        raise UnreadableFile(
            "damaged OGXM document: expected one match; save it again in the program that made it",
            path,
        )
    return document


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
        raise Refused(f"it unpacks to more than {LARGEST_DECODED >> 20} MB") from None
    except TooLate:
        raise Refused(f"the codec has not finished after {SECONDS:.0f} seconds") from None
    except OSError as error:
        raise Refused(f"the codec cannot be started: {reason_of(error)}") from None
    if program.code == REFUSED:
        raise Refused(printable(program.complaint.decode("utf-8", "replace").strip())[:200])
    if program.code != 0:
        raise Refused("the codec failed on it")
    return converted
