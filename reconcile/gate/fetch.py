"""Downloads the public files of a pack into the cache, and keeps only those with the manifest's size and SHA-256.

No file is ever half-written: a download has a temporary name until it is complete and verified. A body that is longer than declared
is cut off, and redirects to addresses that a manifest could not contain are not followed.
"""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus
from importlib import import_module
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

from reconcile.errors import MissingPackage, ReconcileError, reason_of
from reconcile.files.bundled import cache_folder
from reconcile.files.patience import in_time
from reconcile.gate.files import DATA_VARIABLE, cached, find_file
from reconcile.gate.manifest import ReferenceFile, is_loopback, load_pack, secure_address
from reconcile.gate.package_files import PackageFiles
from reconcile.version import __version__

CONNECT: Final = 10.0
"""Seconds to wait for a server's first answer."""
SILENCE: Final = 30.0
"""Seconds to wait for the next bytes."""
LONGEST: Final = 900.0
"""Seconds that one file may take, even if data keeps arriving."""
MOST_REDIRECTS: Final = 5
CHUNK: Final = 2**16

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
    pack: Path,
    *,
    silence: float = SILENCE,
    longest: float = LONGEST,
    private: bool = False,
    progress: Progress | None = None,
) -> Iterator[Fetched]:
    """Download every public file of a pack that is not yet in the cache; a failure does not stop the others.

    Addresses on this computer and on private networks are refused unless `private`.

    Raises `InvalidConfiguration` for a bad manifest, `MissingPackage` without pooch.
    """
    manifests = load_pack(pack)
    _pooch()
    cache = cache_folder()
    packages = PackageFiles(
        [file for _, one in manifests for file in one.files.values() if file.package],
        cache,
        lambda archive, target: _retrieve(
            archive, target, _Download(archive, silence, longest, progress, private)
        ),
    )
    for folder, manifest in manifests:
        for handle, file in manifest.files.items():
            if file.bundled:
                continue
            path = find_file(folder, file)
            if path is not None:
                yield Fetched(manifest.id, handle, file, path, new=packages.has_brought(file))
                continue
            try:
                download = _Download(file, silence, longest, progress, private)
                path = packages.path_of(file) if file.package else _retrieve(file, cache, download)
            except ReconcileError as error:
                yield Fetched(manifest.id, handle, file, None, new=False, error=str(error))
            else:
                yield Fetched(manifest.id, handle, file, path, new=True)


def download(
    file: ReferenceFile,
    folder: Path,
    *,
    silence: float,
    private: bool,
    progress: Progress | None,
    is_exact: bool = True,
) -> Path:
    """Download a file into a folder; unless `is_exact` its size is the most that it may have. Raises `CannotFetch`, `MissingPackage`."""
    return _retrieve(file, folder, _Download(file, silence, LONGEST, progress, private, is_exact))


def encoded(url: str) -> str:
    """An address with everything but ASCII percent-encoded and the host in its DNS form; existing encoding stays."""
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
        address = encoded(file.url or "")
    except ValueError:
        raise CannotFetch(
            f"{file.url}: expected an address that can be encoded; correct it"
        ) from None
    try:  # a server can send its headers letter by letter
        in_time(
            lambda: package.retrieve(
                address,
                known_hash=f"sha256:{file.sha256}",
                fname=target.name,
                path=target.parent,
                downloader=download,
            ),
            download.longest + CONNECT,
        )
    except TimeoutError:
        download.given_up.set()
        raise CannotFetch(
            f"{file.url}: not finished after {download.longest:g} seconds; try again later"
        ) from None
    except OSError as error:
        raise CannotFetch(
            f"{target}: cannot be written: {reason_of(error)}; check the folder and the disk"
        ) from None
    for left in target.parent.glob(
        "tmp*"
    ):  # pooch's downloads of runs that were killed, not of one that is still at it
        with suppress(OSError):
            if left != target and left.stat().st_mtime < time.time() - download.longest - CONNECT:
                left.unlink()
    return target


_TRANSLATED: Final = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))
"""Where the last four bytes are an IPv4 address that a router reaches (NAT64), or that were meant to (RFC 4291)."""
_OF_A_SITE: Final = IPv6Network("64:ff9b:1::/48")
"""NAT64 within a network (RFC 8215)."""


def is_public(host: str) -> bool:
    """Whether an address is one of the network, not of this computer, a private one or many at once, also where it holds another."""
    address = ip_address(host.partition("%")[0])
    if isinstance(address, IPv6Address):
        held = address.ipv4_mapped or address.sixtofour
        if any(address in translated for translated in _TRANSLATED):
            held = IPv4Address(address.packed[-4:])
        if held is not None:
            return is_public(str(held))
        if address in _OF_A_SITE:
            return False
    return address.is_global and not address.is_multicast


@dataclass(frozen=True, slots=True)
class _Download:
    """Downloads one file, called by pooch: no more bytes than declared, and only from secure addresses."""

    file: ReferenceFile
    silence: float
    longest: float
    progress: Progress | None
    private: bool = False
    is_exact: bool = True
    """Whether the file has as many bytes as are declared; otherwise these are the most that it may have."""
    given_up: threading.Event = field(default_factory=threading.Event)
    """Nobody waits any more, and nothing may be kept."""

    def __call__(self, url: str, output: str, _: Any = None) -> None:
        requests = import_module("requests")
        try:
            with (
                requests.Session() as session,
                self._answer(session, url) as response,
                Path(output).open("wb") as target,
            ):
                found = self._copy(url, response, target)
        except requests.exceptions.SSLError as error:
            raise CannotFetch(
                f"{url}: the certificate of the server cannot be trusted: {_root(error)}"
            ) from None
        except requests.exceptions.Timeout:
            raise CannotFetch(f"{url}: {self._silent()}") from None
        except (
            requests.exceptions.RequestException,
            import_module("urllib3.exceptions").HTTPError,
            UnicodeError,
        ) as error:
            raise CannotFetch(
                f"{url}: cannot be reached: {_root(error)}; check the network and the address"
            ) from None
        if self.given_up.is_set():
            raise CannotFetch(f"{url}: given up")
        if found != self.file.sha256:
            what = "the reference match" if self.is_exact else "that pack"
            raise CannotFetch(
                f"{url}: expected SHA-256 {self.file.sha256}, found {found}; the public file was changed, so it is not {what}"
            )

    def _silent(self) -> str:
        return f"no answer for {max(CONNECT, self.silence):g} seconds; try again later"

    def _answer(self, session: Any, url: str) -> Any:
        """The response to read, after following redirects to addresses that a manifest may contain."""
        session.auth = _no_password
        for scheme in ("http://", "https://"):
            session.mount(scheme, self._checked(url))
        headers = {"Accept-Encoding": "identity", "User-Agent": f"reconcile/{__version__}"}
        at = url
        for _ in range(MOST_REDIRECTS + 1):
            self._allowed(url, at)
            response = session.get(
                at,
                headers=headers,
                stream=True,
                allow_redirects=False,
                timeout=(min(CONNECT, self.silence), self.silence),
            )
            if response.is_redirect:
                response.close()
                at = self._next(url, response.headers["Location"], at)
                continue
            if response.status_code != HTTPStatus.OK:
                response.close()
                phrase = f"{response.status_code} {response.reason or ''}".strip()
                gone = response.status_code in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
                raise CannotFetch(
                    f"{url}: the server answered {phrase}; {'correct the address' if gone else 'try again later'}"
                )
            return response
        raise CannotFetch(
            f"{url}: redirected more than {MOST_REDIRECTS} times; correct the address"
        )

    def _allowed(self, url: str, at: str) -> None:
        """Raise `CannotFetch` for a host on this computer or a private network, which a manifest of somebody else could probe.

        A proxy looks a host up itself; without one, `_checked` looks at what the host was when it was connected to.
        """
        parts = urlsplit(at)
        try:
            hosts = {
                str(found[4][0])
                for found in socket.getaddrinfo(
                    parts.hostname, parts.port or 443, type=socket.SOCK_STREAM
                )
            }
        except (OSError, ValueError):  # the request says what is wrong
            return
        self._public(url, *sorted(hosts))

    def _public(self, url: str, *hosts: str) -> None:
        inner = [host for host in hosts if not is_public(host)]
        if inner and not self.private:
            raise CannotFetch(
                f"{url}: expected a public address, found {inner[0]}; if you trust the pack, add --allow-private"
            )

    def _checked(self, url: str) -> Any:
        """Connections that look at the address they reached before they send anything: a name may lead elsewhere each time it is asked."""
        adapter = import_module("requests.adapters").HTTPAdapter()
        public = self._public

        def checked(pool: Any) -> Any:
            class Connection(pool.ConnectionCls):  # type: ignore[misc]
                def _new_conn(self) -> Any:
                    made = super()._new_conn()
                    try:
                        public(url, str(made.getpeername()[0]))
                    except CannotFetch:
                        made.close()
                        raise
                    return made

            return type(pool.__name__, (pool,), {"ConnectionCls": Connection})

        pools = adapter.poolmanager.pool_classes_by_scheme
        adapter.poolmanager.pool_classes_by_scheme = {
            scheme: checked(pool) for scheme, pool in pools.items()
        }
        return adapter

    def _next(self, url: str, target: str, at: str = "") -> str:
        """The target of a redirect. Raises `CannotFetch` for one that a manifest may not contain, or from the network to this computer."""
        try:
            target = urljoin(at, target)
            secure_address(target)
            target = encoded(target)
            if is_loopback(urlsplit(target)) and not is_loopback(urlsplit(url)):
                raise ValueError("expected an address on the network")
        except ValueError as error:
            raise CannotFetch(
                f"{url}: redirected to {target[:200]!r}, {error}; correct the address"
            ) from None
        return target

    def _copy(self, url: str, response: Any, target: IO[bytes]) -> str:
        """Write the body, never more than the declared size, and return its SHA-256."""
        exceptions = import_module("urllib3.exceptions")
        declared = response.headers.get("Content-Length", "")
        if declared.isascii() and declared.isdigit() and int(declared) > self.file.bytes:
            raise CannotFetch(
                f"{url}: expected {self.file.bytes} bytes, found {declared} announced; it is not the file in the manifest"
            )
        digest, size, end = sha256(), 0, time.monotonic() + self.longest
        while True:
            try:
                piece = response.raw.read1(
                    min(CHUNK, self.file.bytes + 1 - size), decode_content=False
                )
            except exceptions.ReadTimeoutError:
                raise CannotFetch(f"{url}: {self._silent()}") from None
            except (exceptions.HTTPError, OSError):
                piece = b""
            if not piece:
                break
            size += len(piece)
            if size > self.file.bytes:
                raise CannotFetch(
                    f"{url}: expected {self.file.bytes} bytes, found more; it is not the file in the manifest"
                )
            if time.monotonic() > end:
                raise CannotFetch(
                    f"{url}: {size} of {self.file.bytes} bytes after {self.longest:g} seconds; try again later"
                )
            target.write(piece)
            digest.update(piece)
            if self.progress is not None:
                self.progress(self.file, size)
        if size < (self.file.bytes if self.is_exact else int(declared or 0)):
            raise CannotFetch(
                f"{url}: expected {self.file.bytes} bytes, found {size}; the download was cut off, try again"
            )
        return digest.hexdigest()


def _no_password(request: Any) -> Any:
    """Keeps requests from sending credentials from `.netrc`."""
    return request


def _root(error: BaseException) -> str:
    """The innermost reason, in a few words."""
    while error.args and isinstance(error.args[-1], BaseException):
        error = error.args[-1]
    while (deeper := getattr(error, "reason", None)) is not None and isinstance(
        deeper, BaseException
    ):
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
