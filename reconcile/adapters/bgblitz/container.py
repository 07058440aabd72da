"""A `.bgf` file as BGBlitz writes it: one line of JSON that names the format, then the match as one object.

The object is binary JSON (Smile) or plain JSON, usually compressed. Its bytes decide what it is, not the first line, which is only
asked which format this is; sizes, depth and the number of parts are bounded before anything is built from them.
"""

from __future__ import annotations

import json
import zlib
from typing import Any, Final

from reconcile.adapters.bgblitz import smile
from reconcile.adapters.bgblitz.values import Damaged
from reconcile.errors import UnreadableFile

LONGEST_HEADER: Final = 4096
"""Bytes; the line that BGBlitz writes has 63."""
LARGEST_PAYLOAD: Final = 16 * 2**20
"""Bytes after decompression; a 7-point match has 0.6 million."""
GZIP: Final = b"\x1f\x8b"
ZLIB: Final = 0x78
"""First byte of a zlib stream with the usual window."""
EITHER_STREAM: Final = 32 + zlib.MAX_WBITS
"""Lets zlib recognise a gzip or a zlib stream by its head."""
FORMAT: Final = "BGF"
KNOWN_VERSION: Final = "1.0"


def looks_like_bgf(content: bytes) -> bool:
    """Whether the first line is that of a `.bgf` file."""
    return content[:1] == b"{" and b'"format"' in content[:LONGEST_HEADER].partition(b"\n")[0]


def open_bgf(path: str, content: bytes) -> tuple[dict[str, Any], str]:
    """The object of a `.bgf` file, and the version that its first line states. Raises `UnreadableFile`."""
    line, _, packed = content.partition(b"\n")
    version = _version(path, line)
    try:
        root = _decoded(_inflated(packed))
    except Damaged as error:
        raise UnreadableFile(f"{path}: damaged BGBlitz file: {error}; save the match again in BGBlitz or fetch the file again") from None
    return root, version


def _version(path: str, line: bytes) -> str:
    try:
        header = json.loads(line[:LONGEST_HEADER])
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise UnreadableFile(
            f"{path}: expected a first line with the format {FORMAT}, found {line[:40]!r}; "
            "if it is not a BGBlitz match (.bgf), export the match again"
        )
    return str(header.get("version", ""))[:20]


def _inflated(packed: bytes) -> bytes:
    if packed[:2] != GZIP and not (packed[:1] == bytes([ZLIB]) and len(packed) > 1 and not int.from_bytes(packed[:2], "big") % 31):
        payload = packed
    else:
        stream = zlib.decompressobj(EITHER_STREAM)
        try:
            payload = stream.decompress(packed, LARGEST_PAYLOAD + 1)
        except zlib.error as error:
            raise Damaged(f"expected a compressed match, found {str(error).lower()}") from None
        if not stream.eof and len(payload) <= LARGEST_PAYLOAD:
            raise Damaged(f"expected a complete compressed match, found an end after {len(packed)} bytes (truncated)")
    if len(payload) > LARGEST_PAYLOAD:
        raise Damaged(f"expected a match of at most {LARGEST_PAYLOAD >> 20} MB, found more")
    return payload


def _decoded(payload: bytes) -> dict[str, Any]:
    if payload.startswith(smile.MAGIC):
        root = smile.decode(payload)
    elif payload.lstrip()[:1] == b"{":
        if payload.count(b"{") + payload.count(b"[") > smile.MOST_PARTS:
            raise Damaged(f"expected at most {smile.MOST_PARTS} objects and lists, found more")
        try:
            root = json.loads(payload)
        except (ValueError, RecursionError) as error:
            raise Damaged(f"expected JSON, found {str(error).lower()}") from None
    else:
        raise Damaged(f"expected binary (Smile) or plain JSON, found {payload[:8]!r}")
    if not isinstance(root, dict):
        raise Damaged(f"expected an object, found {type(root).__name__}")
    return root
