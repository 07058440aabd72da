"""An `.xg` file as an archive: header, compressed members, registry, trailer; all
little-endian.

    offset 0            header (8232 bytes)  thumbnail   members   registry   trailer (36 bytes)

Everything declared is checked before it is used: sizes against the file, checksums against the
bytes, and no member inflates beyond the size the registry states.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any, NamedTuple

from reconcile.formats.values import Damaged

try:
    # libdeflate, which gets the size in advance, takes a fifth of zlib's time.
    from deflate import DeflateError, crc32, zlib_decompress
except ImportError:
    crc32, DeflateError = zlib.crc32, zlib.error  # type: ignore[assignment,misc]

    def zlib_decompress(data: Any, originalsize: int) -> bytearray:
        """The content of a zlib stream, at most one byte more than its size."""
        return bytearray(zlib.decompressobj().decompress(data, originalsize + 1))


MAGIC = b"RGMH"
HEADER = struct.Struct(
    "<4sIIqI"
)  # 0 magic; 4 header version, 1; 8 header size, 8232; 12 thumbnail offset; 20 thumbnail size
TEXTS = struct.Struct(
    "<16s2048s2048s2048s2048s"
)  # 24 GUID, the same in every file; in UTF-16: played on; title; event; comments
HEADER_SIZE = HEADER.size + TEXTS.size
GUID = bytes.fromhex("e1f55a2f21e03248a423ef480ec58a0b")
TRAILER = struct.Struct(
    "<IiiiiB15x"
)  # CRC-32; members; version, 1; registry size; data size; registry compressed; reserved
ENTRY = struct.Struct(
    "<256s256siiiIBB2x"
    # name; path, empty; size; compressed size; start; CRC-32 of the content; 0 compressed, 1
    # stored; level
)
LARGEST_MEMBER = 64 * 2**20
"""Bytes; 26,000 records, of which a 25-point match has 3,000."""
MOST_MEMBERS = 16


class Member(NamedTuple):
    """One entry of the registry: the place of a member in the file and the size it must inflate
    to."""

    start: int
    stored_size: int
    size: int
    crc: int
    compressed: bool


class Archive(NamedTuple):
    """An opened container."""

    content: bytes
    members: dict[str, Member]

    def read(self, name: str) -> bytes | bytearray:
        """The content of a member, its checksum verified. Raises `Damaged`."""
        member = self.members[name]
        stored = memoryview(self.content)[member.start : member.start + member.stored_size]
        blob = _inflated(name, stored, member.size) if member.compressed else bytes(stored)
        if len(blob) != member.size:
            raise Damaged(f"expected {name} has {member.size} bytes, found {len(blob)}")
        _check(f"checksum of {name}", blob, member.crc)
        return blob


def _inflated(name: str, packed: bytes | memoryview, size: int) -> bytearray:
    try:
        return zlib_decompress(packed, size)
    except DeflateError as error:
        reason = str(error).lower()
        raise Damaged(f"expected {name} inflates to {size} bytes, found {reason}") from None


def _check(subject: str, blob: bytes | bytearray | memoryview, expected: int) -> None:
    checksum = crc32(blob)
    if checksum != expected:
        raise Damaged(f"expected {subject} {expected:08x}, found {checksum:08x}")


def open_archive(content: bytes) -> Archive:
    """Check header, trailer and registry of an `.xg` file. Raises `Damaged`."""
    end = len(content) - TRAILER.size
    if end < HEADER_SIZE:
        least = HEADER_SIZE + TRAILER.size
        raise Damaged(f"expected at least {least} bytes, found {len(content)} (truncated)")
    magic, version, header_size, _, thumbnail = HEADER.unpack_from(content)
    if magic != MAGIC:
        raise Damaged(f"expected the signature RGMH, found {magic!r}")
    if version != 1 or header_size < HEADER_SIZE:
        head = f"version {version} of {header_size} bytes"
        raise Damaged(f"expected header version 1 of {HEADER_SIZE} bytes, found {head}")
    crc, count, archive_version, registry_size, data_size, registry_compressed = (
        TRAILER.unpack_from(content, end)
    )
    start = header_size + thumbnail
    if (
        archive_version != 1
        or min(registry_size, data_size) < 0
        or start != end - registry_size - data_size
    ):
        raise Damaged(
            f"expected data from byte {start} to a trailer at the end of the file, found no such "
            "trailer (truncated or changed)"
        )
    _check("archive checksum", memoryview(content)[start:end], crc)
    if not 0 < count <= MOST_MEMBERS:
        raise Damaged(f"expected 1 to {MOST_MEMBERS} members, found {count}")
    registry: bytes | bytearray = content[start + data_size : end]
    if registry_compressed:
        registry = _inflated("the registry", bytes(registry), count * ENTRY.size)
    if len(registry) != count * ENTRY.size:
        raise Damaged(f"expected a registry of {count * ENTRY.size} bytes, found {len(registry)}")
    return Archive(content, _members(registry, start, data_size))


def _members(registry: bytes | bytearray, start: int, data_size: int) -> dict[str, Member]:
    """The members by name, whose data begin at byte `start`. Raises `Damaged`."""
    members = {}
    for name, _, size, stored, offset, crc, method, _ in ENTRY.iter_unpack(registry):
        label = name[1 : 1 + name[0]].decode("ascii", "replace").lower()
        is_inside = stored >= 0 and offset >= 0 and offset + stored <= data_size
        if not (is_inside and 0 <= size <= LARGEST_MEMBER):
            place = f"{stored} bytes from {offset}, {size} inflated"
            raise Damaged(f"expected {label!r} inside the archive, found {place}")
        members[label] = Member(start + offset, stored, size, crc, method == 0)
    return members
