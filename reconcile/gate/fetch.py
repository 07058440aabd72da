"""Downloads the public files of a pack into the cache: only with the manifest's size and SHA-256.

pooch downloads a file, or an archive that has it, from its https address.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urljoin

from reconcile.errors import MissingPackage, ReconcileError, reason_of
from reconcile.files.bundled import cache_folder
from reconcile.files.output import write
from reconcile.gate.manifest import (
    DATA_VARIABLE,
    Archive,
    ReferenceFile,
    cached,
    find_file,
    load_pack,
    secure_address,
)
from reconcile.version import __version__
from reconcile.wording import one_line

SILENCE = 30.0
"""Seconds to wait for a server's first answer, and for the next bytes."""
CHUNK = 2**16
LICENCE = "LICENSE"
"""Name under which an archive's licence is stored beside its file."""
Progress = Callable[[ReferenceFile, int], None]
"""Called for every chunk with the file and the number of bytes received."""


class CannotFetch(ReconcileError):
    """A file could not be downloaded, or is not the one in the manifest."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The result for one file."""

    match: str
    handle: str
    file: ReferenceFile
    path: Path | None
    """Its path in the cache; `None` if it could not be downloaded."""
    new: bool
    """Whether it was not in the cache before."""
    error: str = ""


def fetch(
    pack: Path, *, silence: float = SILENCE, progress: Progress = lambda file, size: None
) -> Iterator[Fetched]:
    """Download every public file that is not yet in the cache; a failure stops no other.

    Raises `InvalidConfiguration` for a bad manifest, `MissingPackage` without pooch.
    """
    manifests = load_pack(pack)
    _pooch()
    with TemporaryDirectory() as archives:
        fetcher = Fetcher(Path(archives), silence)
        for folder, manifest in manifests:
            for handle, file in manifest.files.items():
                if file.bundled:
                    continue
                path, is_new, trouble = find_file(folder, file), False, ""
                if path is None:
                    path = cached(file, cache_folder())
                    try:
                        fetcher.obtain(file, path, partial(progress, file))
                        is_new = True
                    except ReconcileError as error:
                        path, trouble = None, str(error)
                yield Fetched(manifest.id, handle, file, path, is_new, trouble)


@dataclass
class _Counter:
    """What pooch shows of chunks: no more are taken than the file has bytes."""

    most: int
    progress: Callable[[int], None]
    total: int = 0
    received: int = 0

    def update(self, count: int) -> None:
        if self.received > self.most:
            raise CannotFetch(f"expected {self.most} bytes, found more")
        self.received += count
        self.progress(min(self.received, self.most))

    def reset(self) -> None:
        self.received = 0

    def close(self) -> None:
        pass


class Fetcher:
    """Gets files from where they are; an archive that has several of them is downloaded once."""

    def __init__(self, folder: Path, silence: float) -> None:
        self.folder, self.silence = folder, silence
        self.failed: dict[str, CannotFetch] = {}
        """By address."""

    def obtain(self, file: ReferenceFile, target: Path, progress: Callable[[int], None]) -> None:
        """Write a file. Raises `CannotFetch`, `CannotWrite`."""
        if file.archive is None:
            write(str(target), self._downloaded(file, progress).read_bytes())
            return
        path, member = self._downloaded(file.archive, progress), file.archive.member
        content = _member(path, file.archive, member, file.bytes)
        if sha256(content).hexdigest() != file.sha256:
            wrong = f"expected {member} with SHA-256 {file.sha256}, found another"
            raise CannotFetch(f"{file.archive.url}: {wrong}; correct the manifest")
        if file.archive.licence is not None:
            licence = _member(path, file.archive, file.archive.licence, CHUNK)
            write(str(target.with_name(LICENCE)), licence)
        write(str(target), content)

    def _downloaded(self, source: ReferenceFile | Archive, progress: Callable[[int], None]) -> Path:
        """The path of what has an address, downloaded once. Raises `CannotFetch`."""
        url, target = str(source.url), self.folder / source.sha256
        if url in self.failed:
            raise self.failed[url]
        pooch, requests = _pooch(), import_module("requests")
        pooch.get_logger().setLevel("ERROR")
        downloader = pooch.HTTPDownloader(
            progressbar=_Counter(source.bytes, progress),
            chunk_size=CHUNK,
            timeout=self.silence,
            auth=lambda request: request,  # no password of `.netrc`
            hooks={"response": _check_redirect},
            headers={"Accept-Encoding": "identity", "User-Agent": f"reconcile/{__version__}"},
        )
        digest, remedy = f"sha256:{source.sha256}", "check the address in the manifest"
        try:
            pooch.retrieve(url, digest, target.name, target.parent, downloader=downloader)
            if target.stat().st_size == source.bytes:
                return target
            why = f"expected {source.bytes} bytes, found another number"
        except CannotFetch as error:
            why = str(error)
        except requests.exceptions.Timeout:
            why, remedy = f"no answer for {self.silence:g} seconds", "try again later"
        except requests.exceptions.RequestException as error:
            status = getattr(error.response, "status_code", "")
            why = f"the server answered {status}" if status else "cannot be reached"
            remedy = "check the network and the address"
        except ValueError as error:
            wrong = f"expected SHA-256 {source.sha256}, found another"
            why = wrong if "SHA256" in str(error) else one_line(str(error))
        except OSError as error:
            why = f"cannot be written to {target}: {reason_of(error)}"
            remedy = "check the folder and the disk"
        self.failed[url] = CannotFetch(f"{url}: {why}; {remedy}")
        raise self.failed[url]


def _check_redirect(response: Any, **_: Any) -> None:
    """Raise `CannotFetch` for an answer that leads from https to anything else."""
    if not response.is_redirect:
        return
    url = urljoin(response.url, response.headers["location"])
    with suppress(ValueError):
        secure_address(url)
        if url.startswith("https:") or not response.url.startswith("https:"):
            return
    raise CannotFetch("the server leads to an address that is not https://")


def _member(path: Path, archive: Archive, member: str, most: int) -> bytes:
    """A member of an archive with at most so many bytes. Raises `CannotFetch`."""
    # pooch's own processors extract every name that begins as the member does, of any size, and
    # before Python 3.12 out of the folder as well.
    with suppress(KeyError, OSError, tarfile.TarError, zipfile.BadZipFile, RuntimeError):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed, packed.open(member) as stream:
                content = stream.read(most + 1)
        else:
            with tarfile.open(path) as tar:
                opened = tar.extractfile(member)
                content = opened.read(most + 1) if opened else bytes(most + 1)
        if len(content) <= most:
            return content
    expected = f"expected a member {member} of at most {most} bytes, found none"
    raise CannotFetch(f"{archive.url}: {expected}; correct the manifest")


def _pooch() -> Any:
    """The package pooch. Raises `MissingPackage`."""
    try:
        return import_module("pooch")
    except ImportError:
        raise MissingPackage(
            "fetching files needs pooch, which is not installed; install it with "
            "pip install 'gammon-reconcile[fetch]', or save the files yourself and name their "
            f"folder in {DATA_VARIABLE}"
        ) from None
