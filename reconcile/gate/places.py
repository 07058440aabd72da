"""What is wrong in a manifest where it meets the tolerances, with file, line and key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reconcile.errors import InvalidConfiguration, UnknownName
from reconcile.files.yaml_file import place
from reconcile.gap.bounds import Table
from reconcile.gate.manifest import MANIFEST


@contextmanager
def located(folder: Path, *keys: str | int) -> Iterator[None]:
    """Report an unknown name with its place in the manifest."""
    try:
        yield
    except UnknownName as error:
        raise InvalidConfiguration(f"{place(folder / MANIFEST, *keys)}: {error}; correct the file") from None


def check_bounded(folder: Path, name: str, table: Table, *keys: str | int) -> None:
    """Raise `InvalidConfiguration` for a figure, the last of `keys`, for which the table has no tolerance."""
    if table.of(str(keys[-1])) is None:
        where = place(folder / MANIFEST, *keys)
        raise InvalidConfiguration(f"{where}: table {name!r} has no tolerance for it; add one, or leave the figure out")
