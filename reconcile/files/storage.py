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
from typing import Any, BinaryIO

from reconcile.errors import MissingPackage, ReconcileError, UnreadableFile
from reconcile.files.inputs import opened
from reconcile.files.output import CannotWrite

SCHEME = "s3://"
LIMITS = {"connect_timeout": 5.0, "request_timeout": 10.0}
"""Seconds until a server answers, and between two pieces of its answer."""
ATTEMPTS = 3
AHEAD = 2**18
NOISE = re.compile(r"^When .*?: AWS Error | during \w+ operation|\s*\(Request ID:[^)]*\)")
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
    storage, key = _place(path)
    # Read ahead: a request for every few bytes would take all the time.
    return io.BufferedReader(storage.open_input_file(key), AHEAD)


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
        storage, key = _place(address)
        from pyarrow.fs import FileSelector

        if storage.get_file_info(key).is_file:
            yield address
            return
        waiting = [key.rstrip("/")]
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
        shutil.copyfileobj(source, target)


def upload(path: str | Path, address: str) -> None:
    """Copy a file to an object. Raises `CannotWrite`."""
    with _reported(address, CannotWrite, "written"), Path(path).open("rb") as source:
        storage, key = _place(address)
        with storage.open_output_stream(key, compression=None) as target:
            shutil.copyfileobj(source, target)


def delete(address: str) -> None:
    """Delete an object, if there is one. Raises `CannotWrite`."""
    with _reported(address, CannotWrite, "written"):
        storage, key = _place(address)
        if storage.get_file_info(key).is_file:
            storage.delete_file(key)


def check_writable(address: str) -> None:
    """Write something below this address and delete it again. Raises `CannotWrite`."""
    place = f"{address.rstrip('/')}/.unfinished"
    upload(os.devnull, place)
    delete(place)


@contextmanager
def _reported(address: str, kind: type[ReconcileError], doing: str) -> Iterator[None]:
    """Errors in here are those of an object to read, or of a place to write to."""
    try:
        yield
    except OSError as error:
        if isinstance(error, FileNotFoundError) and doing == "read":
            expected = "expected an object or a folder of them, found nothing"
            raise NothingThere(f"{address}: {expected}; check the address") from None
        reason = NOISE.sub("", error.strerror or str(error))[:200].strip().lower()
        advice = "check the address, AWS_ENDPOINT_URL and the credentials"
        raise kind(f"cannot be {doing}: {reason}; {advice}", address) from None


def _place(address: str) -> tuple[Any, str]:
    """The storage that an address is in, and the key of the object there."""
    key = address.removeprefix(SCHEME)
    bucket = key.partition("/")[0]
    if not bucket:
        expected = f"expected {SCHEME}BUCKET/PATH, found no bucket"
        raise UnreadableFile(f"{expected}; check the address", address)
    names = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_REGION", "AWS_DEFAULT_REGION")
    first, second, region, usual = (os.environ.get(name, "") for name in names)
    return _storage(bucket, first or second, region or usual), key


@lru_cache(maxsize=8)
def _storage(bucket: str, endpoint: str, region: str) -> Any:
    """The storage; the region of a bucket of Amazon's is asked for if none is given."""
    try:
        from pyarrow.fs import AwsStandardS3RetryStrategy, S3FileSystem, resolve_s3_region
    except ImportError:
        advice = "pip install 'gammon-reconcile[corpus]'"
        raise MissingPackage(f"{SCHEME} needs pyarrow with S3; {advice}") from None
    if not endpoint and not region:
        region = resolve_s3_region(bucket)
    scheme, _, host = endpoint.rpartition("://")
    settings = {"region": region, "endpoint_override": host, "scheme": scheme or "https"}
    return S3FileSystem(
        **{name: text for name, text in settings.items() if text},
        **LIMITS,
        retry_strategy=AwsStandardS3RetryStrategy(max_attempts=ATTEMPTS),
    )
