"""The files of a zip file that somebody sent, within bounds."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePosixPath

from reconcile.errors import UnreadableFile

MAGIC = b"PK\x03\x04"
LARGEST = 64 * 2**20
MOST_FILES = 2000


def zipped_files(name: str, content: bytes) -> list[tuple[str, bytes]]:
    """Every file with its path inside. Raises `UnreadableFile`."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            for member in members:
                path = PurePosixPath(member.filename)
                if path.is_absolute() or ".." in path.parts or set("\\:") & {*member.filename}:
                    raise UnreadableFile(
                        f"expected names of files inside the folder, found {member.filename!r}; "
                        "zip it again",
                        name,
                    )
            if len(members) > MOST_FILES or sum(m.file_size for m in members) > LARGEST:
                most = f"{MOST_FILES} files and {LARGEST >> 20} MB"
                raise UnreadableFile(f"expected at most {most}, found more; choose fewer", name)
            # `read` gives no more than the size that a member states.
            return [(member.filename, archive.read(member)) for member in members]
    except (zipfile.BadZipFile, RuntimeError, EOFError, OSError, ValueError) as error:
        raise UnreadableFile(
            f"expected a zip file, but it cannot be unpacked: {error}; zip the folder again", name
        ) from None
