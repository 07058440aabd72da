"""What was given to be compared: files, each analysis of one that holds several by itself, or folders of matches."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from reconcile.formats import analyses_in
from reconcile.formats.interface import DATABASE, TAR, ZIP


class Given(NamedTuple):
    """Paths and addresses of matches, looked at once."""

    paths: tuple[str, ...]
    """As given; in place of a file with several analyses the address of each."""
    are_folders: bool
    """Whether they are to be compared as folders."""


def files_given(paths: Sequence[str], *, folders: bool = True) -> Given:
    """What these paths are; without `folders` always files. Raises `UnreadableFile`.

    They are folders where one of them is a folder, a zip or a tar file, or all are databases.
    """
    each = tuple(address for path in paths for address in analyses_in(path))
    return Given(each, folders and (any(map(_is_folder, each)) or all(map(_is_database, each))))


def _is_folder(path: str) -> bool:
    with suppress(OSError, ValueError):  # a name far too long, a null character: whoever reads it says so
        return Path(path).is_dir() or (path.lower().endswith(ZIP + TAR) and Path(path).is_file())
    return False


def _is_database(path: str) -> bool:
    with suppress(OSError, ValueError):
        return path.lower().endswith(DATABASE) and Path(path).is_file()
    return False
