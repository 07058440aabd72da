"""A broken, cut or hostile archive around the records is refused at once, with or without libdeflate."""

from __future__ import annotations

import struct
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import read_match
from reconcile.formats.xg import read as read_xg
from reconcile.formats.xg.container import HEADER_SIZE, LARGEST_MEMBER, TRAILER
from tests.support.data import PROJECT, cases
from tests.support.small_files import CONTENT
from tests.support.small_xg import refused
from tests.support.xg_tampering import RECORDS, Entry, records_of, with_entry, with_registry


def with_trailer(content: bytes, offset: int, form: str, value: int) -> bytes:
    tampered = bytearray(content)
    struct.pack_into("<" + form, tampered, len(content) - TRAILER.size + offset, value)
    return bytes(tampered)


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "signature only": lambda c: c[:4],
    "header only": lambda c: c[:HEADER_SIZE],
    "half": lambda c: c[: len(c) // 2],
    "without its last byte": lambda c: c[:-1],
    "one byte more": lambda c: c + b"\0",
    "one byte changed": lambda c: c[:9000] + bytes([c[9000] ^ 1]) + c[9001:],
    "header version 2": lambda c: c[:4] + b"\2" + c[5:],
    "header of 0 bytes": lambda c: c[:8] + bytes(4) + c[12:],
    "thumbnail beyond the file": lambda c: c[:20] + b"\xff" * 4 + c[24:],
    "archive version 2": lambda c: with_trailer(c, 8, "i", 2),
    "0 members": lambda c: with_trailer(c, 4, "i", 0),
    "2^31-1 members": lambda c: with_trailer(c, 4, "i", 2**31 - 1),
    "negative registry": lambda c: with_trailer(c, 12, "i", -1),
    "registry beyond the file": lambda c: with_trailer(c, 12, "i", 2**31 - 1),
    "archive checksum": lambda c: with_trailer(c, 0, "I", 0),
    "member checksum": lambda c: with_entry(c, crc=0),
    "member beyond the archive": lambda c: with_entry(c, start=10**6),
    "member before the archive": lambda c: with_entry(c, start=-1),
    "member of negative size": lambda c: with_entry(c, size=-2560),
    "member of negative stored size": lambda c: with_entry(c, stored_size=-1),
    "member stored beyond the archive": lambda c: with_entry(c, stored_size=2**31 - 1),
    "member of 2 GB": lambda c: with_entry(c, size=2**31 - 1),
    "member of 200 MB that is none": lambda c: with_entry(c, size=200 * 2**20),
    "member inflates beyond its size": lambda c: with_entry(c, size=2560),
    "member stored, not compressed": lambda c: with_registry(c, Entry(RECORDS, b"\x07" * 100, size=2560, compressed=False)),
    "no records": lambda c: with_registry(c, Entry("temp.xgi", b"".join(records_of(c)))),
    "registry of another size": lambda c: with_registry(c, Entry(RECORDS, b""), count=2),
    "registry that is a bomb": lambda c: with_registry(c, Entry(RECORDS, b""), registry=bytes(200 * 2**20)),
    "records that are a bomb": lambda c: with_registry(c, Entry(RECORDS, bytes(200 * 2**20), size=2560 * 8)),
}


@pytest.mark.parametrize("tamper", BROKEN.values(), ids=BROKEN.keys())
def test_broken_container_is_refused_before_it_fills_the_memory(tamper: Callable[[bytes], bytes]) -> None:
    content = tamper(CONTENT)
    tracemalloc.start()
    try:
        assert "expected" in refused(content)
        assert tracemalloc.get_traced_memory()[1] < 2 * LARGEST_MEMBER
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("path", cases("damaged/*.xg"))
def test_damaged_real_file_is_refused(path: Path) -> None:
    with pytest.raises(UnreadableFile, match="expected"):
        read_match(path.name, path.read_bytes())


@pytest.mark.parametrize("path", cases("real/*.xg", short=1))
def test_every_prefix_of_a_real_file_is_refused(path: Path) -> None:
    content = path.read_bytes()
    for end in [*range(0, len(content), 997), len(content) - 1]:
        with pytest.raises(UnreadableFile):
            read_xg(path.name, content[:end])


def test_figures_are_the_same_without_libdeflate() -> None:
    path = PROJECT / "reference_matches" / "demonstration" / "nora-lindqvist-tomas-beck.xg"
    program = (
        "import sys; {}; from reconcile import load_match, statistics;"
        f"print(statistics(load_match({str(path)!r})).figures(0));"
        "import reconcile.formats.xg.container as c; print(c.zlib_decompress.__module__)"
    )
    outputs = [
        subprocess.run([sys.executable, "-c", program.format(first)], capture_output=True, text=True, check=True).stdout.splitlines()
        for first in ("pass", "sys.modules['deflate'] = None", "sys.modules['deflate'] = sys.modules['zlib_ng'] = None")
    ]
    assert outputs[0][0] == outputs[1][0] == outputs[2][0]
    assert outputs[1][1] == outputs[2][1] == "reconcile.formats.xg.container"
