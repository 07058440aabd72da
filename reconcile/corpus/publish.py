"""A corpus in object storage: its finished tables, copied there from the folder they were made in, and back to be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from reconcile.corpus.assembly import MANIFEST, Corpus, listed_files, load_corpus
from reconcile.corpus.card import NAME as CARD
from reconcile.errors import InvalidConfiguration, UnreadableFile
from reconcile.files.output import CannotWrite
from reconcile.files.storage import NothingThere, delete, download, is_remote, read, upload

LARGEST: Final = 2**28
"""Bytes of the list of a corpus's tables."""


def publish(corpus: Corpus, address: str) -> None:
    """Copy the tables that are not there yet to this address. Raises `CannotWrite`.

    The list of tables comes after the files that it names, which never change, and before those that it no longer names are deleted: so
    whoever reads it finds the old archive or the new one.
    """
    root = address.rstrip("/")
    here = listed_files((corpus.folder / MANIFEST).read_bytes())
    try:
        there = {*listed_files(read(f"{root}/{MANIFEST}", LARGEST) or b"")}
    except UnreadableFile as error:
        raise CannotWrite(str(error)) from None
    for name in (*(name for name in here if name not in there), CARD, MANIFEST):
        upload(corpus.folder / name, f"{root}/{name}")
    for name in there.difference(here):
        delete(f"{root}/{name}")


@contextmanager
def fetched(folder: str) -> Iterator[Corpus]:
    """The corpus in a folder; one in object storage is copied to a temporary folder as long as the block lasts.

    Raises `InvalidConfiguration` for what is no corpus, and `UnreadableFile`.
    """
    if not is_remote(folder):
        yield load_corpus(folder)
        return
    root = folder.rstrip("/")
    manifest = read(f"{root}/{MANIFEST}", LARGEST)
    if manifest is None:
        raise InvalidConfiguration(
            f"expected a finished corpus, found no {MANIFEST}; check the address", folder
        )
    with TemporaryDirectory(prefix="reconcile-") as temporary:
        target = Path(temporary)
        (target / MANIFEST).write_bytes(manifest)
        for name in listed_files(manifest):
            path = target / name
            if not path.resolve().is_relative_to(target.resolve()):
                raise InvalidConfiguration(
                    f"expected tables in this folder, found {name!r}; make the corpus again", folder
                )
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                download(f"{root}/{name}", path)
            except NothingThere:
                raise InvalidConfiguration(
                    f"expected a finished corpus, found no {name}; make the corpus again", folder
                ) from None
        yield load_corpus(temporary)
