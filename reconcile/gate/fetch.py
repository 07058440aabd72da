"""Brings the public files of a pack into the cache, checked: the size and the SHA-256 of the manifest, or nothing.

Nothing is ever half-written: a download lies under another name until it is complete and right. A body that is longer than declared
is cut off, and a server that redirects to where a manifest must not point is not followed.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

from reconcile import __version__
from reconcile.errors import MissingPackage, ReconcileError
from reconcile.files.cache import cache_folder
from reconcile.gate.files import DATA_VARIABLE, cached, find_file
from reconcile.gate.manifest import ReferenceFile, is_loopback, load_pack, secure_address

CONNECT: Final = 10.0
"""Seconds to wait for a server to answer at all."""
SILENCE: Final = 30.0
"""Seconds to wait for the next bytes."""
LONGEST: Final = 900.0
"""Seconds that one file may take, however steadily it trickles."""
MOST_REDIRECTS: Final = 5
CHUNK: Final = 2**16

Progress = Callable[[ReferenceFile, int], None]
"""Told of every piece: the file, and how many of its bytes are here."""


class CannotFetch(ReconcileError):
    """A file could not be brought, or is not what the manifest says."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What became of one file."""

    match: str
    handle: str
    file: ReferenceFile
    path: Path | None
    """Where it lies; `None` where it could not be brought."""
    new: bool
    """Whether it was not here before."""
    error: str = ""


def fetch(pack: Path, *, silence: float = SILENCE, longest: float = LONGEST, progress: Progress | None = None) -> Iterator[Fetched]:
    """Bring every public file of a pack that is not here yet into the cache; one that fails does not keep the others away.

    Raises `InvalidConfiguration` for a bad manifest, `MissingPackage` without pooch.
    """
    manifests = load_pack(pack)
    _pooch()
    cache = cache_folder()
    for folder, manifest in manifests:
        for handle, file in manifest.files.items():
            if file.bundled:
                continue
            path = find_file(folder, file)
            if path is not None:
                yield Fetched(manifest.id, handle, file, path, new=False)
                continue
            try:
                path = _retrieve(file, cache, _Download(file, silence, longest, progress))
            except CannotFetch as error:
                yield Fetched(manifest.id, handle, file, None, new=False, error=str(error))
            else:
                yield Fetched(manifest.id, handle, file, path, new=True)


def encoded(url: str) -> str:
    """An address with everything that is not ASCII percent-encoded, and the host as DNS knows it; what is encoded stays."""
    parts = urlsplit(url)
    host = parts.netloc
    if not host.isascii():
        host = host.encode("idna").decode("ascii")
    safe = "/%:@!$&'()*+,;=~?"
    return urlunsplit((parts.scheme, host, quote(parts.path, safe), quote(parts.query, safe), ""))


def _retrieve(file: ReferenceFile, cache: Path, download: _Download) -> Path:
    target = cached(file, cache)
    package = _pooch()
    package.get_logger().setLevel("ERROR")
    try:
        package.retrieve(
            encoded(file.url or ""),
            known_hash=f"sha256:{file.sha256}",
            fname=target.name,
            path=target.parent,
            downloader=download,
        )
    except OSError as error:
        raise CannotFetch(f"{target}: cannot be written: {(error.strerror or str(error)).lower()}; check the folder and the disk") from None
    return target


@dataclass(frozen=True, slots=True)
class _Download:
    """Downloads one file, as pooch calls it: no more than is declared, from nowhere but secure addresses."""

    file: ReferenceFile
    silence: float
    longest: float
    progress: Progress | None

    def __call__(self, url: str, output: str, _: Any = None) -> None:
        requests = import_module("requests")
        try:
            with requests.Session() as session, self._answer(session, url) as response, Path(output).open("wb") as target:
                found = self._copy(url, response, target)
        except requests.exceptions.SSLError as error:
            raise CannotFetch(f"{url}: the certificate of the server cannot be trusted: {_root(error)}") from None
        except requests.exceptions.Timeout:
            raise CannotFetch(f"{url}: {self._silent()}") from None
        except requests.exceptions.RequestException as error:
            raise CannotFetch(f"{url}: cannot be reached: {_root(error)}; check the network and the address") from None
        if found != self.file.sha256:
            raise CannotFetch(
                f"{url}: expected SHA-256 {self.file.sha256}, found {found}; the public file was changed, so it is not the reference match"
            )

    def _silent(self) -> str:
        return f"no answer for {max(CONNECT, self.silence):g} seconds; try again later"

    def _answer(self, session: Any, url: str) -> Any:
        """The answer to be read, after redirects to addresses that a manifest could have named, too."""
        session.auth = _no_password
        headers = {"Accept-Encoding": "identity", "User-Agent": f"reconcile/{__version__}"}
        at = url
        for _ in range(MOST_REDIRECTS + 1):
            response = session.get(
                at, headers=headers, stream=True, allow_redirects=False, timeout=(min(CONNECT, self.silence), self.silence)
            )
            if response.is_redirect:
                response.close()
                at = self._next(url, urljoin(at, response.headers["Location"]))
                continue
            if response.status_code != HTTPStatus.OK:
                response.close()
                phrase = f"{response.status_code} {response.reason or ''}".strip()
                gone = response.status_code in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
                raise CannotFetch(f"{url}: the server says {phrase}; {'correct the address' if gone else 'try again later'}")
            return response
        raise CannotFetch(f"{url}: redirected more than {MOST_REDIRECTS} times; correct the address")

    def _next(self, url: str, target: str) -> str:
        """Where a redirect leads. Raises `CannotFetch` where a manifest must not point, or from the network to this computer."""
        try:
            secure_address(target)
            if is_loopback(urlsplit(target)) and not is_loopback(urlsplit(url)):
                raise ValueError("expected an address of the network")
        except ValueError as error:
            raise CannotFetch(f"{url}: redirected to {target!r}, {error}; correct the address") from None
        return encoded(target)

    def _copy(self, url: str, response: Any, target: IO[bytes]) -> str:
        """Write the body, no byte more than declared, and give its SHA-256."""
        exceptions = import_module("urllib3.exceptions")
        declared = response.headers.get("Content-Length", "")
        if declared.isascii() and declared.isdigit() and int(declared) > self.file.bytes:
            raise CannotFetch(f"{url}: expected {self.file.bytes} bytes, found {declared} announced; it is not the file of the manifest")
        digest, size, end = sha256(), 0, time.monotonic() + self.longest
        while True:
            try:
                piece = response.raw.read1(min(CHUNK, self.file.bytes + 1 - size), decode_content=False)
            except exceptions.ReadTimeoutError:
                raise CannotFetch(f"{url}: {self._silent()}") from None
            except (exceptions.HTTPError, OSError):
                piece = b""
            if not piece:
                break
            size += len(piece)
            if size > self.file.bytes:
                raise CannotFetch(f"{url}: expected {self.file.bytes} bytes, found more; it is not the file of the manifest")
            if time.monotonic() > end:
                raise CannotFetch(f"{url}: {size} of {self.file.bytes} bytes after {self.longest:g} seconds; try again later")
            target.write(piece)
            digest.update(piece)
            if self.progress is not None:
                self.progress(self.file, size)
        if size < self.file.bytes:
            raise CannotFetch(f"{url}: expected {self.file.bytes} bytes, found {size}; the download was cut off, try again")
        return digest.hexdigest()


def _no_password(request: Any) -> Any:
    """Keeps requests from sending what stands in `.netrc`."""
    return request


def _root(error: BaseException) -> str:
    """The innermost reason, in a few words."""
    while error.args and isinstance(error.args[-1], BaseException):
        error = error.args[-1]
    while (deeper := getattr(error, "reason", None)) is not None and isinstance(deeper, BaseException):
        error = deeper
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return re.sub(r"^\[\w+ -?\d+\] ", "", text.rpartition(": ")[2].strip("()'\"")).lower()


def _pooch() -> Any:
    """The package pooch. Raises `MissingPackage`."""
    try:
        return import_module("pooch")
    except ImportError:
        raise MissingPackage(
            "fetching files needs pooch, which is not installed; install it with pip install 'gammon-reconcile[fetch]', or save the files "
            f"yourself and name their folder in {DATA_VARIABLE}"
        ) from None
