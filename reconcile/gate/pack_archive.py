"""A pack from an address: a zip archive known by its SHA-256, downloaded, checked and unpacked beside what is there already."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

from reconcile.errors import InvalidConfiguration
from reconcile.files.output import write_all
from reconcile.formats import LARGEST_FILE
from reconcile.gate.fetch import SILENCE, CannotFetch, Progress, download
from reconcile.gate.manifest import MANIFEST, ReferenceFile, plain_name, secure_address

ADDRESS: Final = re.compile(
    r"(?P<url>[a-z]+://[^#]+)(?:#(?:sha256=)?(?P<sha256>.*))?", re.IGNORECASE
)
LARGEST_UNPACKED: Final = 2**29
"""Bytes of a pack."""
MOST_FILES: Final = 10_000
BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
)
"""What reading a damaged archive raises."""


def is_address(pack: str) -> bool:
    """Whether a pack is named by an address."""
    return ADDRESS.fullmatch(pack) is not None


def fetch_archive(
    address: str,
    folder: Path,
    *,
    silence: float = SILENCE,
    private: bool = False,
    progress: Progress | None = None,
) -> list[str]:
    """Unpack the archive at `https://.../pack.zip#sha256=...` into a folder; the ids of the matches that are new there.

    A match whose folder is there already is left as it is, and nothing is unpacked of an archive that is not whole. Raises
    `InvalidConfiguration` for an address, `CannotFetch` for an archive, `CannotWrite`.
    """
    found = ADDRESS.fullmatch(address)
    url, digest = (found["url"], found["sha256"] or "") if found else (address, "")
    try:
        secure_address(url)
    except ValueError as error:
        raise InvalidConfiguration(f"{error}; correct it", address) from None
    if not re.fullmatch("[0-9a-f]{64}", digest.lower()):
        said = f"found {digest[:70]!r}" if digest else "found none"
        raise InvalidConfiguration(
            f"expected the SHA-256 of the archive after the address, as in {url}#sha256=..., {said}",
            address,
        )
    facts = {
        "bytes": LARGEST_FILE,
        "url": url,
        "bundled": False,
        "tool": "",
        "tool_version": None,
        "level": None,
    }
    file = ReferenceFile.model_validate({"name": "pack.zip", "sha256": digest.lower(), **facts})
    with TemporaryDirectory() as home:
        path = download(
            file, Path(home), silence=silence, private=private, progress=progress, is_exact=False
        )
        try:
            with zipfile.ZipFile(path) as archive:
                contents = dict(_members(archive))
        except BROKEN as error:
            raise CannotFetch(
                f"{url}: expected a zip archive, found a damaged one or another file: {error}"
            ) from None
        except ValueError as error:
            raise CannotFetch(f"{url}: {error}") from None
    missing = {
        path: content for path, content in contents.items() if not (folder / path.parts[0]).exists()
    }
    write_all([(str(folder / path), content) for path, content in missing.items()])
    return sorted(path.parent.name for path in missing if path.name == MANIFEST)


def _members(archive: zipfile.ZipFile) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The files of every match, by its folder, and the YAML files beside the matches. Raises `ValueError`."""
    infos = {PurePosixPath(info.filename): info for info in archive.infolist() if not info.is_dir()}
    homes = {path.parent for path in infos if path.name == MANIFEST}
    packs = {home.parent for home in homes}
    if len(packs) != 1 or not all(home.name for home in homes):
        found = (
            "none"
            if not homes
            else f"them in {len(packs)} places"
            if len(packs) > 1
            else f"a {MANIFEST} without one"
        )
        raise ValueError(f"expected folders with a {MANIFEST} beside each other, found {found}")
    (pack,) = packs
    wanted = {
        path: info
        for path, info in infos.items()
        if path.parent in homes or (path.parent == pack and path.suffix in (".yaml", ".yml"))
    }
    if (
        len(wanted) > MOST_FILES
        or sum(info.file_size for info in wanted.values()) > LARGEST_UNPACKED
    ):
        raise ValueError(
            f"expected at most {MOST_FILES} files of {LARGEST_UNPACKED >> 20} MB together, found more"
        )
    for path, info in wanted.items():
        inside = path.relative_to(pack)
        for name in inside.parts:
            plain_name(name)
        with archive.open(info) as member:
            content = member.read(info.file_size + 1)
        if len(content) != info.file_size:
            raise ValueError(f"expected {info.file_size} bytes of {inside}, found others")
        yield inside, content
