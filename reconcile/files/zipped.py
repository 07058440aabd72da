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
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > MOST_FILES or sum(member.file_size for member in members) > LARGEST:
        most = f"{MOST_FILES} files and {LARGEST >> 20} MB"
        raise UnreadableFile(f"expected at most {most}, found more; choose fewer", name)
    for member in members:
        place = PurePosixPath(member.filename)
        if (
            place.is_absolute()
            or ".." in place.parts
            or "\\" in member.filename
            or ":" in member.filename
        ):
            raise UnreadableFile(
                f"expected names of files inside the folder, found {member.filename!r}; "
                "zip it again",
                name,
            )
        with archive.open(member) as file:
            unpacked = file.read(member.file_size + 1)
        if len(unpacked) > member.file_size:
            raise UnreadableFile(
                f"expected {member.file_size} bytes in {member.filename!r}, found more; zip the "
                f"folder again",
                name,
            )
        yield member.filename, unpacked
