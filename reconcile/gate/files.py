"""Where files of a pack are: in it, in a folder of copies, or in the cache of `reconcile fetch`.

Only a file with the right size and SHA-256 is used; another file of the same name is ignored.
What is large and quickly made of them is not held: many matches need no more memory than few.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from glob import escape
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, cast

from reconcile.errors import UnreadableFile, reason_of
from reconcile.files.bundled import cache_folder
from reconcile.files.inputs import LARGEST_FILE, open_regular
from reconcile.gate.manifest import ReferenceFile, inside

DATA_VARIABLE: Final = "RECONCILE_DATA"
"""Environment variable with a folder of copies, found by name and checked by SHA-256."""


def find_file(folder: Path, file: ReferenceFile) -> Path | None:
    """A file of a match: in the pack, a copy under `RECONCILE_DATA`, or a downloaded one.

    `None` if it is not found. Raises `InvalidConfiguration` for a link out of the pack.
    """
    if file.bundled:
        return inside(folder, file)
    return next((path for path in _places(folder, file) if _is(path, file)), None)


def checked_bytes(path: Path, file: ReferenceFile) -> bytes:
    """The bytes of a file of a match. Raises `UnreadableFile` unless they match the manifest."""
    try:
        with open_regular(path) as opened:
            content = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise UnreadableFile(f"cannot be read: {reason_of(error)}; check the pack", path) from None
    digest, wrong = sha256(content).hexdigest(), ""
    if digest != file.sha256:
        wrong = (
            f"expected SHA-256 {file.sha256}, found {digest}; the file was changed, restore it or"
        )
    elif len(content) != file.bytes:
        wrong = f"expected {file.bytes} bytes, found {len(content)};"
    if wrong:
        remedy = "correct the manifest with `reconcile validate --update`"
        raise UnreadableFile(f"{wrong} {remedy}", path)
    return content


def cached(file: ReferenceFile, cache: Path) -> Path:
    """The path of a file in the cache: under its SHA-256, so that two of one name do not clash."""
    return cache / file.sha256 / file.name


def _places(folder: Path, file: ReferenceFile) -> Iterator[Path]:
    yield folder / file.name
    copies = os.environ.get(DATA_VARIABLE)
    if copies:
        yield from sorted(Path(copies).glob(f"**/{escape(file.name)}"))
    yield cached(file, cache_folder())


def _is(path: Path, file: ReferenceFile) -> bool:
    try:
        with open_regular(path) as opened:
            return (
                os.fstat(opened.fileno()).st_size == file.bytes
                and file_digest(opened, "sha256").hexdigest() == file.sha256
            )
    except OSError:
        return False


T = TypeVar("T")
REMEMBERED: Final = 6
"""Of the last things that were asked for."""


@dataclass(frozen=True, eq=False)
class Again(Generic[T]):
    """Something that is made again when it is asked for."""

    make: Callable[[], T]

    def __call__(self) -> T:
        """An equal object; the last ones that were asked for are remembered."""
        return cast("T", _again(self))


@lru_cache(maxsize=REMEMBERED)
def _again(source: Again[Any]) -> Any:
    return source.make()
