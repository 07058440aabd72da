"""The files of a zip file that somebody sent, within bounds."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from reconcile.errors import UnreadableFile

MAGIC: Final = b"PK\x03\x04"
LARGEST: Final = 64 * 2**20
MOST_FILES: Final = 2000


def zipped_files(name: str, content: bytes) -> list[tuple[str, bytes]]:
    """Every file with its path inside. Raises `UnreadableFile`."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return list(_members(name, archive))
    except (
        zipfile.BadZipFile,
        RuntimeError,
        NotImplementedError,
        EOFError,
        OSError,
        ValueError,
    ) as error:
        raise UnreadableFile(
            f"expected a zip file, but it cannot be unpacked: {error}; zip the folder again", name
        ) from None


def _members(name: str, archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    members = [one for one in archive.infolist() if not one.is_dir()]
    if len(members) > MOST_FILES or sum(one.file_size for one in members) > LARGEST:
        most = f"{MOST_FILES} files and {LARGEST >> 20} MB"
        raise UnreadableFile(f"expected at most {most}, found more; choose fewer", name)
    for one in members:
        place = PurePosixPath(one.filename)
        if (
            place.is_absolute()
            or ".." in place.parts
            or "\\" in one.filename
            or ":" in one.filename
        ):
            raise UnreadableFile(
                f"expected names of files inside the folder, found {one.filename!r}; zip it again",
                name,
            )
        with archive.open(one) as file:
            unpacked = file.read(one.file_size + 1)
        if len(unpacked) > one.file_size:
            raise UnreadableFile(
                f"expected {one.file_size} bytes in {one.filename!r}, found more; zip the "
                f"folder again",
                name,
            )
        yield one.filename, unpacked
