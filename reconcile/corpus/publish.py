"""An archive in object storage: its finished tables, copied there, and back to be read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from reconcile.corpus.assembly import Corpus, load_corpus
from reconcile.corpus.card import NAME as CARD
from reconcile.corpus.catalogue import NAME as CATALOGUE
from reconcile.corpus.catalogue import listing
from reconcile.errors import InvalidConfiguration, UnreadableFile
from reconcile.files.output import CannotWrite
from reconcile.files.storage import NothingThere, delete, download, is_remote, upload


def publish(corpus: Corpus, address: str) -> None:
    """Copy the tables that are not there yet to this address. Raises `CannotWrite`.

    The catalogue comes after the files that it names, which never change, and before those that it
    no longer names are deleted: so whoever reads it finds the old archive or the new one.
    """
    root = address.rstrip("/")
    here = _names(corpus.folder / CATALOGUE)
    with TemporaryDirectory(prefix="reconcile-") as temporary:
        before = Path(temporary) / CATALOGUE
        try:
            download(f"{root}/{CATALOGUE}", before)
            there = _names(before)
        except NothingThere:
            there = []
        except UnreadableFile as error:
            raise CannotWrite(str(error)) from None
    for name in (*(name for name in here if name not in there), CARD, CATALOGUE):
        upload(corpus.folder / name, f"{root}/{name}")
    for name in there:
        if name not in here:
            delete(f"{root}/{name}")


def _names(catalogue: Path) -> list[str]:
    """The files that a catalogue lists; none for one that cannot be read."""
    with suppress(sqlite3.Error, ValueError):
        return [name for files in listing(catalogue)[1].values() for name in files]
    return []


@contextmanager
def fetched(folder: str) -> Iterator[Corpus]:
    """The corpus in a folder; one in object storage is copied to a temporary folder as long as the
    block lasts. Raises `InvalidConfiguration` for what is no corpus, and `UnreadableFile`."""
    if not is_remote(folder):
        yield load_corpus(folder)
        return
    with TemporaryDirectory(prefix="reconcile-") as temporary:
        target = Path(temporary).resolve()
        _fetch(folder, CATALOGUE, target)
        for name in _names(target / CATALOGUE):
            _fetch(folder, name, target)
        yield load_corpus(temporary)


def _fetch(address: str, name: str, target: Path) -> None:
    """Copy a file of an archive into a folder, and nowhere else."""
    path = target / name
    if not path.resolve().is_relative_to(target):
        raise InvalidConfiguration(
            f"expected tables in this folder, found {name!r}; make the corpus again", address
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        download(f"{address.rstrip('/')}/{name}", path)
    except NothingThere:
        raise InvalidConfiguration(
            f"expected a finished corpus, found no {name}; check the address", address
        ) from None
