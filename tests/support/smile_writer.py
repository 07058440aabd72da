"""Writes Smile, so that its decoder can be tested with values of any kind: all forms of the
specification that the decoder reads."""

from __future__ import annotations

import struct
from typing import Any

SHARED_NAMES, SHARED_VALUES = 1, 2
MOST_SHARED = 1024


def encode(value: Any, *, flags: int = SHARED_NAMES) -> bytes:
    """A value as Smile. A float of single precision is written short."""
    return b":)\n" + bytes([flags]) + _Writer(flags).value(value)


class _Writer:
    def __init__(self, flags: int) -> None:
        self.flags = flags
        self.names: list[str] = []
        self.texts: list[str] = []

    def value(self, value: Any) -> bytes:
        match value:
            case None:
                return b"\x21"
            case bool():
                return b"\x23" if value else b"\x22"
            case int():
                return self.integer(value)
            case float():
                return _float(value)
            case str():
                return self.text(value)
            case list():
                return b"\xf8" + b"".join(map(self.value, value)) + b"\xf9"
            case dict():
                return (
                    b"\xfa"
                    + b"".join(self.name(name) + self.value(item) for name, item in value.items())
                    + b"\xfb"
                )
        raise TypeError(value)

    @staticmethod
    def integer(value: int) -> bytes:
        if -16 <= value < 16:
            return bytes([0xC0 + _zigzag(value)])
        bits = _zigzag(value)
        groups = [0x80 | bits & 0x3F]
        bits >>= 6
        while bits:
            groups.insert(0, bits & 0x7F)
            bits >>= 7
        return (b"\x24" if -(2**31) <= value < 2**31 else b"\x25") + bytes(groups)

    def text(self, value: str) -> bytes:
        raw = value.encode()
        if not raw:
            return b"\x20"
        if (
            self.flags & SHARED_VALUES
            and value in self.texts
            and (self.texts.index(value) & 0xFF) < 0xFE
        ):
            index = self.texts.index(value)
            return bytes([index + 1]) if index < 31 else bytes([0xEC | index >> 8, index & 0xFF])
        if value.isascii() and len(raw) <= 64:
            written = bytes([(0x40 if len(raw) <= 32 else 0x60) + (len(raw) - 1) % 32]) + raw
        elif not value.isascii() and 2 <= len(raw) <= 64:
            written = bytes([0x80 + len(raw) - 2]) + raw
        else:
            return (b"\xe0" if value.isascii() else b"\xe4") + raw + b"\xfc"
        _share(self.texts, value)
        return written

    def name(self, name: str) -> bytes:
        raw = name.encode()
        if not raw:
            return b"\x20"
        if (
            self.flags & SHARED_NAMES
            and name in self.names
            and (self.names.index(name) & 0xFF) < 0xFE
        ):
            index = self.names.index(name)
            return bytes([0x40 + index]) if index < 64 else bytes([0x30 | index >> 8, index & 0xFF])
        if name.isascii() and len(raw) <= 64:
            written = bytes([0x80 + len(raw) - 1]) + raw
        elif not name.isascii() and len(raw) <= 57:
            written = bytes([0xC0 + len(raw) - 2]) + raw
        else:
            return b"\x34" + raw + b"\xfc"
        _share(self.names, name)
        return written


def _share(table: list[str], text: str) -> None:
    if len(table) >= MOST_SHARED:
        table.clear()
    table.append(text)


def _zigzag(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def _float(value: float) -> bytes:
    try:
        short = struct.unpack(">f", struct.pack(">f", value))[0] == value
    except OverflowError:
        short = False
    form, size, token = (">f", 5, 0x28) if short else (">d", 10, 0x29)
    bits = int.from_bytes(struct.pack(form, value), "big")
    return bytes([token, *(bits >> 7 * group & 0x7F for group in reversed(range(size)))])
