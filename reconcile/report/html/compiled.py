"""Templates compiled once: compiling those of a report takes longer than importing NumPy."""

from __future__ import annotations

from hashlib import sha256
from importlib.util import cache_from_source
from typing import Final

from jinja2 import Environment, compiler
from jinja2.bccache import Bucket, BytecodeCache

from reconcile.files import kept

SETTINGS: Final = ("autoescape", "trim_blocks", "lstrip_blocks")
"""What the bytecode depends on, of what environments here differ in."""


class Compiled(BytecodeCache):
    """The bytecode of templates, each in a file that begins with a digest of its source, of the settings, and of what compiled it."""

    def __init__(self, environment: Environment) -> None:
        self.stamp = (
            f"{[getattr(environment, name) for name in SETTINGS]} {kept.stamp(compiler.__file__)}"
        )

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The file that keeps the bytecode of a template."""
        return cache_from_source(filename or name)

    def get_source_checksum(self, source: str) -> str:
        """What must be the same for bytecode to be used."""
        return sha256((self.stamp + source).encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take the bytecode if it is there and made of the same."""
        bucket.code = kept.read(bucket.key, bucket.checksum)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the bytecode."""
        kept.write(bucket.key, bucket.checksum, bucket.code)
