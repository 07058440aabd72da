"""What is made of a file of the program, kept where Python keeps a module's bytecode; made again when what it depends on changes."""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
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


@cache
def _whole() -> str:
    """All files of the package, by what shows that one of them has changed."""
    here = Path(__file__).parents[1]
    files = (
        Path(folder) / name
        for folder, _, names in os.walk(here)
        if not folder.endswith("__pycache__")
        for name in names
    )
    known = sorted(
        (str(path.relative_to(here)), (found := path.stat()).st_size, found.st_mtime_ns)
        for path in files
    )
    return f"{MAGIC_NUMBER!r} {known}"


def made_by_all(place: Path, make: Callable[[], Any], *, needs: str) -> Any:
    """What the program makes of its own files alone: plain values, made again when any of them or what else it `needs` has changed.

    `None` where it is not kept and cannot be.
    """
    kept_at = cache_from_source(str(place))
    digest = sha256(f"{_whole()} {needs}".encode()).hexdigest()
    made = read(kept_at, digest)
    if made is None and not sys.dont_write_bytecode and os.access(place.parent, os.W_OK):
        made = make()
        write(kept_at, digest, made)
    return made


def made_of(path: Path, make: Callable[[Path], Any]) -> Any:
    """What a function of a module makes of a file that comes with the program: plain values."""
    place = cache_from_source(str(path))
    digest = sha256(stamp(make.__code__.co_filename).encode() + path.read_bytes()).hexdigest()
    made = read(place, digest)
    if made is None:
        made = make(path)
        write(place, digest, made)
    return made
