"""What is wrong in a pack: the errors of a run are kept beside what can be judged, with file, line and key."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from reconcile.errors import InvalidConfiguration, ReconcileError, UnknownName
from reconcile.files.wording import listed
from reconcile.files.yaml_file import place
from reconcile.gap.tolerances import Table
from reconcile.gate.candidates.claims import Candidate
from reconcile.gate.candidates.judgement import NotCompared
from reconcile.gate.candidates.read import read_candidates
from reconcile.gate.manifest import MANIFEST


def read_what_can_be(given: Sequence[str], *, alone: bool) -> tuple[tuple[Candidate, ...], list[tuple[NotCompared, str]]]:
    """The candidates, and those that cannot be read, each with the whole message.

    Raises `ReconcileError` if none can be, and they are `alone`: no other program is under test.
    """
    errors: dict[Path, ReconcileError] = {}
    read = read_candidates(given, errors)
    if errors and alone and not read:
        raise_first(errors)
    unread = ((f"candidate {path.name}", path, error) for path, error in errors.items())
    return read, [
        (NotCompared(what, without_folder(error, path), is_candidate=True, is_failure=True), str(error)) for what, path, error in unread
    ]


def raise_first(errors: Mapping[Path, ReconcileError]) -> NoReturn:
    """Raise the first, and say how many there are."""
    first = next(iter(errors.values()))
    raise first if len(errors) == 1 else type(first)(f"{first} (and {len(errors) - 1} more)")


def by_reason(failed: Iterable[str]) -> Iterator[str]:
    """Lines MATCH: REASON, those with one reason as one."""
    matches: dict[str, list[str]] = {}
    for line in failed:
        match, _, reason = line.partition(": ")
        matches.setdefault(reason, []).append(match)
    for reason, named in matches.items():
        yield (
            f"{named[0]}: {reason}"
            if len(named) == 1
            else f"{reason} (in {len(named)} matches: {listed(named[:3])}{', ...' * (len(named) > 3)})"
        )


def line_in(error: ReconcileError, path: Path) -> int:
    """The line of a file that a message begins with, 1 if it names none."""
    line = str(error).removeprefix(f"{path}:").partition(":")[0]
    return int(line) if line.isdecimal() else 1


def without_folder(error: ReconcileError, path: Path) -> str:
    """The message without the folders of a path, which differ from machine to machine."""
    return str(error).replace(f"{path.parent}{os.sep}", "").replace(f"{path.name}{os.sep}", "")


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
