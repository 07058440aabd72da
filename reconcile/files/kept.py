"""What is made of a file of the program, kept where Python keeps a module's bytecode; made again when what it depends on changes."""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import Any, Final

DIGEST: Final = 64
"""Length of the digest with which a kept file begins."""


def stamp(made_by: str) -> str:
    """What the result depends on besides its source: this Python, and the module that makes it."""
    module = Path(made_by).stat()
    return f"{MAGIC_NUMBER!r} {module.st_size} {module.st_mtime_ns}\n"


def read(place: str, digest: str) -> Any:
    """What is kept in a file under a digest; `None` if it is not there, damaged, or of another source."""
    with suppress(OSError, EOFError, ValueError, TypeError):
        kept = Path(place).read_bytes()
        if kept.startswith(digest.encode()):
            return marshal.loads(kept[DIGEST:])  # noqa: S302  # as Python does with its own
    return None


def write(place: str, digest: str, made: Any) -> None:
    """Keep values that `marshal` can write; as for a module, it does not matter if this is impossible."""
    if not sys.dont_write_bytecode:
        SourceFileLoader("", place).set_data(place, digest.encode() + marshal.dumps(made))


def made_of(path: Path, make: Callable[[Path], Any]) -> Any:
    """What a function of a module makes of a file that comes with the program: plain values."""
    place = cache_from_source(str(path))
    digest = sha256(stamp(make.__code__.co_filename).encode() + path.read_bytes()).hexdigest()
    made = read(place, digest)
    if made is None:
        made = make(path)
        write(place, digest, made)
    return made
