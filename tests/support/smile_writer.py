"""Writes Smile, so that its decoder can be tested with values of any kind: all forms of the
specification that the decoder reads."""

import struct

SHARED_NAMES, SHARED_VALUES = 1, 2
MOST_SHARED = 1024
SHORT = {
    (True, True): (0x7F, 64),
    (True, False): (0xBE, 57),
    (False, True): (0x3F, 64),
    (False, False): (0x7E, 64),
}
"""Whether a text is a name, whether it is ASCII: what is added to its length in bytes for its first
byte, and the longest."""


def encode(value, *, flags=SHARED_NAMES):
    """A value as Smile. A float of single precision is written short."""
    return b":)\n" + bytes([flags]) + _Writer(flags).value(value)


class _Writer:
    def __init__(self, flags):
        self.flags = flags
        self.tables: dict[bool, list[str]] = {True: [], False: []}

    def value(self, value):
        match value:
            case None:
                return b"\x21"
            case bool():
                return b"\x23" if value else b"\x22"
            case int():
                return _integer(value)
            case float():
                return _float(value)
            case str():
                return self.text(value)
            case list():
                return b"\xf8" + b"".join(map(self.value, value)) + b"\xf9"
            case dict():
                pairs = (self.text(name, is_name=True) + self.value(value[name]) for name in value)
                return b"\xfa" + b"".join(pairs) + b"\xfb"
        raise TypeError(value)

    def text(self, text, *, is_name=False):
        raw, table = text.encode(), self.tables[is_name]
        if not raw:
            return b"\x20"
        if self.flags & (SHARED_NAMES if is_name else SHARED_VALUES) and text in table:
            index = table.index(text)
            start, short, long = (0x40, 64, 0x30) if is_name else (1, 31, 0xEC)
            if index & 0xFF < 0xFE:
                near = bytes([start + index]) if index < short else b""
                return near or bytes([long | index >> 8, index & 0xFF])
        head, longest = SHORT[is_name, text.isascii()]
        if len(raw) > longest or (len(raw) < 2 and not text.isascii()):
            long_value = b"\xe0" if text.isascii() else b"\xe4"
            return (b"\x34" if is_name else long_value) + raw + b"\xfc"
        if len(table) >= MOST_SHARED:
            table.clear()
        table.append(text)
        return bytes([head + len(raw)]) + raw


def _integer(value):
    bits = value << 1 if value >= 0 else (-value << 1) - 1
    if -16 <= value < 16:
        return bytes([0xC0 + bits])
    groups = [0x80 | bits & 0x3F]
    bits >>= 6
    while bits:
        groups.insert(0, bits & 0x7F)
        bits >>= 7
    return (b"\x24" if -(2**31) <= value < 2**31 else b"\x25") + bytes(groups)


def _float(value):
    try:
        short = struct.unpack(">f", struct.pack(">f", value))[0] == value
    except OverflowError:
        short = False
    form, size, token = (">f", 5, 0x28) if short else (">d", 10, 0x29)
    bits = int.from_bytes(struct.pack(form, value), "big")
    return bytes([token, *(bits >> 7 * group & 0x7F for group in reversed(range(size)))])
