"""The outside of an `.xg` file: file header, compressed members, registry, trailer, and its three kinds of text."""

from __future__ import annotations

import zlib
from typing import NamedTuple

from reconcile.adapters.writers import xg_layout as at
from reconcile.adapters.writers.match import Match
from reconcile.adapters.writers.xg_layout import put

GUID = bytes.fromhex("e1f55a2f21e03248a423ef480ec58a0b")


class Packed(NamedTuple):
    """A member as it lies in the file."""

    blob: bytes
    size: int
    """Of its content."""
    crc: int
    """Of its content."""


def packed(content: bytes | bytearray, level: int = zlib.Z_DEFAULT_COMPRESSION) -> Packed:
    """A member, compressed."""
    return Packed(zlib.compress(content, level), len(content), zlib.crc32(content))


def archive(members: dict[str, bytes], *, compressed: bool = True) -> bytes:
    """What follows the file header and its thumbnail: members, registry, trailer."""
    if compressed:
        return sealed({name: packed(content) for name, content in members.items()})
    return sealed({name: Packed(content, len(content), zlib.crc32(content)) for name, content in members.items()}, compressed=False)


def sealed(members: dict[str, Packed], *, compressed: bool = True) -> bytes:
    """The same of members that are ready, under true sizes and checksums."""
    registry = bytearray(at.REGISTRY_ENTRY_SIZE * len(members))
    start = 0
    for number, (name, member) in enumerate(members.items()):
        put(
            registry,
            at.REGISTRY_ENTRY,
            base=number * at.REGISTRY_ENTRY_SIZE,
            name=short_string(name, 255),
            original_size=member.size,
            compressed_size=len(member.blob),
            start=start,
            crc=member.crc,
            status=0 if compressed else 1,
            level=2,
        )
        start += len(member.blob)
    packed_registry = zlib.compress(bytes(registry)) if compressed else bytes(registry)
    body = b"".join(member.blob for member in members.values()) + packed_registry
    trailer = bytearray(at.TRAILER_SIZE)
    put(
        trailer,
        at.TRAILER,
        crc=zlib.crc32(body),
        file_count=len(members),
        version=1,
        registry_size=len(packed_registry),
        members_size=start,
        registry_compressed=1 if compressed else 0,
    )
    return body + bytes(trailer)


def file_header(match: Match, score: tuple[int, int]) -> bytes:
    """The uncompressed front of the file, with the texts a file manager shows."""
    header = bytearray(at.FILE_HEADER_SIZE)
    first, second = match.players
    length = "Unlimited game" if match.length is None else f"{match.length} point match"
    put(
        header,
        at.FILE_HEADER,
        magic=b"RGMH",
        header_version=1,
        header_size=at.FILE_HEADER_SIZE,
        thumbnail_size=len(match.thumbnail),
        guid=GUID,
        played_on=utf16(f"Played on {match.location}" if match.location else "", 1024),
        title=utf16(f"{first} vs. {second}, {length}{score[0]}-{score[1]}", 1024),
        event=utf16(f"Event: {match.event} Round: {match.round}" if match.event else "", 1024),
    )
    return bytes(header)


def utf16(text: str, units: int) -> bytes:
    """UTF-16 with room for the final NUL."""
    encoded = text.encode("utf-16-le")[: 2 * (units - 1)]
    return encoded.ljust(2 * units, b"\0")


def short_string(text: str, most: int) -> bytes:
    """A Delphi string: a length byte and at most `most` bytes of code page 1252."""
    encoded = text.encode("cp1252", errors="replace")[:most]
    return bytes([len(encoded)]) + encoded


def comment_line(text: str) -> bytes:
    """One line of temp.xgc: RTF, in which a line break is the bytes 01 02."""
    escaped = text.replace("\\", r"\\").replace("{", r"\{").replace("}", r"\}")
    body = b"".join(b"\\par\x01\x02" if char == "\n" else _rtf_character(char) for char in escaped)
    return b"{\\rtf1\\ansi\\ansicpg1252\\uc1\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}}\x01\x02\\f0 " + body + b"\\par\x01\x02}\r\n"


def _rtf_character(char: str) -> bytes:
    if ord(char) < 128:
        return char.encode("ascii")
    try:
        return b"\\'%02x" % char.encode("cp1252")[0]
    except UnicodeEncodeError:
        units = char.encode("utf-16-le")
        signed = [int.from_bytes(units[i : i + 2], "little", signed=True) for i in range(0, len(units), 2)]
        return b"".join(b"\\u%d?" % unit for unit in signed)
