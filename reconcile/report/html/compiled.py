"""Templates compiled once: their bytecode lies where Python keeps that of a module, and is made again when anything it depends on changes.

Compiling those of a report takes longer than importing NumPy.
"""

from __future__ import annotations

import marshal
import sys
from contextlib import suppress
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import Final

from jinja2 import Environment, compiler
from jinja2.bccache import Bucket, BytecodeCache

SETTINGS: Final = ("autoescape", "trim_blocks", "lstrip_blocks")
"""What the bytecode depends on, of what environments here differ in."""


class Compiled(BytecodeCache):
    """The bytecode of templates, each in a file that begins with a digest of its source, of the settings, and of what compiled it."""

    def __init__(self, environment: Environment) -> None:
        settings = [getattr(environment, name) for name in SETTINGS]
        made_by = Path(compiler.__file__).stat()
        self.stamp = f"{settings} {MAGIC_NUMBER!r} {made_by.st_size} {made_by.st_mtime_ns}\n"

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The file that keeps the bytecode of a template."""
        return cache_from_source(filename or name)

    def get_source_checksum(self, source: str) -> str:
        """What must be the same for bytecode to be used."""
        return sha256((self.stamp + source).encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take the bytecode if it is there and made of the same."""
        digest = bucket.checksum.encode()
        with suppress(OSError, EOFError, ValueError, TypeError):  # not there, or damaged
            kept = Path(bucket.key).read_bytes()
            if kept.startswith(digest):
                bucket.code = marshal.loads(kept[len(digest) :])  # noqa: S302  # as Python does with its own

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the bytecode; as for a module, it does not matter if this is impossible."""
        if not sys.dont_write_bytecode:
            SourceFileLoader("", bucket.key).set_data(bucket.key, bucket.checksum.encode() + marshal.dumps(bucket.code))
