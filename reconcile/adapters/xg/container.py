"""The archive that an `.xg` file is: header, compressed members, registry, trailer; all little-endian.

    offset 0            header (8232 bytes)  thumbnail   members   registry   trailer (36 bytes)

Everything declared is checked before it is used: sizes against the file, checksums against the bytes, and no
member inflates beyond the size the registry states.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, Final

from reconcile.errors import UnreadableFile

zlib: Any
try:
    from zlib_ng import zlib_ng as zlib
except ImportError:  # the same interface, several times as slow
    import zlib

MAGIC: Final = b"RGMH"
HEADER: Final = struct.Struct("<4sIIqI")  # 0 magic; 4 header version, 1; 8 header size, 8232; 12 thumbnail offset; 20 thumbnail size
HEADER_SIZE: Final = 8232
TRAILER: Final = struct.Struct("<IiiiiB15x")  # CRC-32; members; version, 1; registry size; data size; registry compressed; reserved
ENTRY: Final = struct.Struct(
    "<256s256siiiIBB2x"
)  # name; path; size; compressed size; start; CRC-32 of the content; 0 compressed, 1 stored; level
LARGEST_MEMBER: Final = 256 * 2**20
MOST_MEMBERS: Final = 16


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of the registry: where a member lies in the file and what it must inflate to."""

    name: str
    start: int
    stored_size: int
    size: int
    crc: int
    compressed: bool


@dataclass(frozen=True, slots=True)
class Archive:
    """An opened container."""

    path: str
    content: bytes
    members: dict[str, Member]

    def read(self, name: str) -> bytes:
        """The content of a member, its checksum verified. Raises `UnreadableFile`."""
        member = self.members[name]
        blob = self.content[member.start : member.start + member.stored_size]
        if member.compressed:
            try:
                blob = zlib.decompressobj().decompress(blob, member.size + 1) if member.size else b""
            except zlib.error as error:
                raise _damaged(self.path, f"{name} inflates", str(error)) from None
        if len(blob) != member.size:
            found = f"more than {member.size}" if len(blob) > member.size else str(len(blob))
            raise _damaged(self.path, f"{name} has {member.size} bytes", found)
        if zlib.crc32(blob) != member.crc:
            raise _damaged(self.path, f"checksum of {name} {member.crc:08x}", f"{zlib.crc32(blob):08x}")
        return blob


def _damaged(path: str, expected: str, found: str) -> UnreadableFile:
    return UnreadableFile(
        f"{path}: damaged XG file: expected {expected}, found {found}; save the match again in XG or fetch the file again"
    )


def open_archive(path: str, content: bytes) -> Archive:
    """Check header, trailer and registry of an `.xg` file. Raises `UnreadableFile`."""
    end = len(content) - TRAILER.size
    if len(content) < HEADER_SIZE + TRAILER.size:
        raise _damaged(path, f"at least {HEADER_SIZE + TRAILER.size} bytes", f"{len(content)} (truncated)")
    magic, version, header_size, _, thumbnail = HEADER.unpack_from(content)
    if magic != MAGIC:
        raise _damaged(path, "the signature RGMH", repr(magic))
    if version != 1 or header_size < HEADER_SIZE:
        raise _damaged(path, "header version 1 of 8232 bytes", f"version {version} of {header_size} bytes")
    crc, count, archive_version, registry_size, data_size, registry_compressed = TRAILER.unpack_from(content, end)
    start = header_size + thumbnail
    if archive_version != 1 or min(registry_size, data_size) < 0 or start != end - registry_size - data_size:
        raise _damaged(path, f"data from byte {start} to a trailer at the end of the file", "no such trailer (truncated or changed)")
    if zlib.crc32(memoryview(content)[start:end]) != crc:
        raise _damaged(path, f"archive checksum {crc:08x}", f"{zlib.crc32(memoryview(content)[start:end]):08x}")
    if not 0 < count <= MOST_MEMBERS:
        raise _damaged(path, f"1 to {MOST_MEMBERS} members", str(count))
    registry = content[start + data_size : end]
    if registry_compressed:
        try:
            registry = zlib.decompressobj().decompress(registry, count * ENTRY.size + 1)
        except zlib.error as error:
            raise _damaged(path, "a readable registry", str(error)) from None
    if len(registry) != count * ENTRY.size:
        raise _damaged(path, f"a registry of {count * ENTRY.size} bytes", str(len(registry)))
    members = {}
    for name, _, size, stored, offset, member_crc, method, _ in ENTRY.iter_unpack(registry):
        label = name[1 : 1 + name[0]].decode("cp1252", "replace").lower()
        if not (0 <= size <= LARGEST_MEMBER and stored >= 0 and offset >= 0 and offset + stored <= data_size):
            raise _damaged(path, f"{label!r} inside the archive", f"{stored} bytes from {offset}, {size} inflated")
        members[label] = Member(label, start + offset, stored, size, member_crc, method == 0)
    return Archive(path, content, members)
