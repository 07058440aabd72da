"""Where the files of a pack are on this computer: in the pack, in a folder of copies, or in the cache that `reconcile fetch` fills.

Only a file of the right size and SHA-256 is taken; one of the same name that is something else is passed over.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from reconcile.adapters import read_bytes
from reconcile.errors import MissingPackage, UnreadableFile
from reconcile.manifest import ReferenceFile, inside

DATA_VARIABLE: Final = "RECONCILE_DATA"
"""A folder where copies of files that are not bundled may lie; they are found by name and checked by SHA-256."""
CACHE_VARIABLE: Final = "RECONCILE_CACHE"
"""Where fetched files lie, instead of the user's cache folder."""


def find_file(folder: Path, file: ReferenceFile) -> Path | None:
    """A file of a match: in the pack, else a copy of it under `RECONCILE_DATA`, else what `reconcile fetch` brought.

    `None` where it is nowhere. Raises `InvalidConfiguration` for a link out of the pack.
    """
    if file.bundled:
        return inside(folder, file)
    return next((path for path in _places(folder, file) if _is(path, file)), None)


def checked_bytes(path: Path, file: ReferenceFile) -> bytes:
    """The bytes of a file of a match. Raises `UnreadableFile` where they are not those of the manifest."""
    content = read_bytes(str(path))
    digest = sha256(content).hexdigest()
    if digest != file.sha256:
        raise UnreadableFile(
            f"{path}: expected SHA-256 {file.sha256}, found {digest}; the file was changed, restore it or correct the manifest with "
            "`reconcile validate --update`"
        )
    if len(content) != file.bytes:
        raise UnreadableFile(
            f"{path}: expected {file.bytes} bytes, found {len(content)}; correct the manifest with `reconcile validate --update`"
        )
    return content


def cache_folder() -> Path:
    """The folder of fetched files. Raises `MissingPackage` where only pooch could tell and is not installed."""
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named) if named else Path(pooch().os_cache("reconcile"))


def cached(file: ReferenceFile, cache: Path) -> Path:
    """Where a file lies in the cache: under its SHA-256, so that two files of one name do not meet."""
    return cache / file.sha256 / file.name


def pooch() -> Any:
    """The package pooch. Raises `MissingPackage`."""
    try:
        return import_module("pooch")
    except ImportError:
        raise MissingPackage(
            "fetching files needs pooch, which is not installed; install it with pip install 'gammon-reconcile[fetch]', or save the files "
            f"yourself and name their folder in {DATA_VARIABLE}"
        ) from None


def _places(folder: Path, file: ReferenceFile) -> Iterator[Path]:
    yield folder / file.name
    copies = os.environ.get(DATA_VARIABLE)
    if copies:
        yield from sorted(Path(copies).glob(f"**/{_literal(file.name)}"))
    try:
        yield cached(file, cache_folder())
    except MissingPackage:
        return


def _is(path: Path, file: ReferenceFile) -> bool:
    try:
        return path.is_file() and path.stat().st_size == file.bytes and sha256(path.read_bytes()).hexdigest() == file.sha256
    except OSError:
        return False


def _literal(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)
