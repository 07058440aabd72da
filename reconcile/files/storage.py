"""Object storage: `s3://bucket/path` as a place to read files from and to write them to, through
pyarrow.

The address of a server other than Amazon's is taken from `AWS_ENDPOINT_URL`, credentials and
region from where Amazon's own programs take them. Every request ends within half a minute
without a byte.
"""

from __future__ import annotations

import io
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Final

from reconcile.errors import MissingPackage, ReconcileError, UnreadableFile
from reconcile.files.inputs import opened
from reconcile.files.output import CannotWrite

SCHEME: Final = "s3://"
_CONNECT: Final = 5.0
_SILENCE: Final = 10.0
_ATTEMPTS: Final = 3
"""Seconds until a server answers, and between two pieces of its answer; how often a request is
sent."""
_AHEAD: Final = 2**18
_PIECE: Final = 2**22
_NOISE: Final = re.compile(r"^When .*?: AWS Error | during \w+ operation|\s*\(Request ID:[^)]*\)")
"""What the library was about to do, and the numbers that the server gives its answers."""


class NothingThere(UnreadableFile):
    """No object has this address, and none is below it."""


def is_remote(path: str) -> bool:
    """Whether this is the address of an object or of a folder of them."""
    return path.startswith(SCHEME)


def open_bytes(path: str) -> BinaryIO:
    """A file or an object for reading at any place. Raises `OSError`."""
    if not is_remote(path):
        return opened(path)
    # Read ahead: a request for every few bytes would take all the time.
    return io.BufferedReader(_storage(path).open_input_file(_key(path)), _AHEAD)


def size_of(file: BinaryIO) -> int:
    """The number of bytes of an open file."""
    here = file.tell()
    size = file.seek(0, os.SEEK_END)
    file.seek(here)
    return size


def objects(address: str) -> Iterator[str]:
    """The object of this address, or all objects below it: those of a folder in order of their
    names, then its folders.

    Raises `UnreadableFile`.
    """
    with _reported(address, UnreadableFile, "read"):
        storage = _storage(address)
        from pyarrow.fs import FileSelector

        if storage.get_file_info(_key(address)).is_file:
            yield address
            return
        waiting = [_key(address).rstrip("/")]
        while waiting:
            entries = storage.get_file_info(FileSelector(waiting.pop()))
            entries.sort(key=lambda entry: entry.base_name)
            folders = [entry for entry in entries if not entry.is_file]
            waiting += [f.path for f in reversed(folders) if not f.base_name.startswith(".")]
            yield from (SCHEME + entry.path for entry in entries if entry.is_file)


def download(address: str, path: Path) -> None:
    """Copy an object to a file. Raises `UnreadableFile`."""
    with (
        _reported(address, UnreadableFile, "read"),
        open_bytes(address) as source,
        path.open("wb") as target,
    ):
        shutil.copyfileobj(source, target, _PIECE)


def check_writable(address: str) -> None:
    """Write something below this address and delete it again. Raises `CannotWrite`."""
    place = f"{address.rstrip('/')}/.unfinished"
    with _reported(address, CannotWrite, "written"):
        with _storage(place).open_output_stream(_key(place)) as target:
            target.write(b"-")
        _storage(place).delete_file(_key(place))


def upload(path: Path, address: str) -> None:
    """Copy a file to an object. Raises `CannotWrite`."""
    with (
        _reported(address, CannotWrite, "written"),
        path.open("rb") as source,
        _storage(address).open_output_stream(_key(address), compression=None) as target,
    ):
        shutil.copyfileobj(source, target, _PIECE)


def delete(address: str) -> None:
    """Delete an object, if there is one. Raises `CannotWrite`."""
    with _reported(address, CannotWrite, "written"):
        if _storage(address).get_file_info(_key(address)).is_file:
            _storage(address).delete_file(_key(address))


@contextmanager
def _reported(address: str, kind: type[ReconcileError], doing: str) -> Iterator[None]:
    """Errors in here are those of an object to read, or of a place to write to."""
    try:
        yield
    except OSError as error:
        if isinstance(error, FileNotFoundError) and doing == "read":
            raise NothingThere(
                f"{address}: expected an object or a folder of them, found nothing; "
                "check the address"
            ) from None
        reason = _NOISE.sub("", error.strerror or str(error))[:200].strip().lower()
        advice = "check the address, AWS_ENDPOINT_URL and the credentials"
        raise kind(f"cannot be {doing}: {reason}; {advice}", address) from None


def _key(address: str) -> str:
    return address.removeprefix(SCHEME)


def _storage(address: str) -> Any:
    bucket, _, _ = _key(address).partition("/")
    if not bucket:
        raise UnreadableFile(
            f"expected {SCHEME}BUCKET/PATH, found no bucket; check the address", address
        )
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or ""
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or ""
    return _opened(bucket if not endpoint and not region else "", endpoint, region)


@lru_cache(maxsize=8)
def _opened(bucket: str, endpoint: str, region: str) -> Any:
    """The storage; the region of a bucket of Amazon's is asked for if none is given."""
    try:
        from pyarrow.fs import AwsStandardS3RetryStrategy, S3FileSystem, resolve_s3_region
    except ImportError:
        raise MissingPackage(
            f"{SCHEME} needs pyarrow with S3; pip install 'gammon-reconcile[corpus]'"
        ) from None
    scheme, _, host = endpoint.rpartition("://")
    settings = {
        "region": resolve_s3_region(bucket) if bucket else region,
        "endpoint_override": host,
        "scheme": scheme or "https",
        "connect_timeout": _CONNECT,
        "request_timeout": _SILENCE,
        "retry_strategy": AwsStandardS3RetryStrategy(max_attempts=_ATTEMPTS),
    }
    return S3FileSystem(**{name: value for name, value in settings.items() if value})
