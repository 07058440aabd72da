"""The least that reading Smile can take in Python: every token decoded and nothing checked, to measure the reader of `.bgf` against.

Only the tokens that BGBlitz writes are known.
"""

from __future__ import annotations

from typing import Any

LITERALS = {0x20: "", 0x21: None, 0x22: False, 0x23: True}
FIRST = 4
"""Bytes of the head."""


def decode(content: bytes) -> Any:
    """The value of a sound file."""
    return _value(content, FIRST, [])[0]


def _value(content: bytes, at: int, names: list[str]) -> tuple[Any, int]:
    token = content[at]
    at += 1
    if 0x40 <= token < 0x80:
        end = at + token - 0x3F
        return content[at:end].decode(), end
    if token >= 0xC0 and token < 0xE0:
        bits = token & 0x1F
        return (bits >> 1) ^ -(bits & 1), at
    if token == 0xFA:
        table: dict[str, Any] = {}
        while content[at] != 0xFB:
            name, at = _name(content, at, names)
            table[name], at = _value(content, at, names)
        return table, at + 1
    if token == 0xF8:
        listed: list[Any] = []
        while content[at] != 0xF9:
            value, at = _value(content, at, names)
            listed.append(value)
        return listed, at + 1
    if token == 0x24:
        bits = 0
        while not content[at] & 0x80:
            bits = bits << 7 | content[at]
            at += 1
        bits = bits << 6 | content[at] & 0x3F
        return (bits >> 1) ^ -(bits & 1), at + 1
    return LITERALS[token], at


def _name(content: bytes, at: int, names: list[str]) -> tuple[str, int]:
    token = content[at]
    if 0x40 <= token < 0x80:
        return names[token - 0x40], at + 1
    if 0x30 <= token < 0x34:
        return names[(token & 3) << 8 | content[at + 1]], at + 2
    end = at + token - 0x7E
    names.append(content[at + 1 : end].decode())
    return names[-1], end
