"""A broken, cut or hostile archive around the records is refused at once, with or without
libdeflate; so is an impossible record."""

from __future__ import annotations

import struct
import sys
import tracemalloc
from collections.abc import Callable
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import read_match
from reconcile.formats.xg import container
from reconcile.formats.xg import read as read_xg
from reconcile.formats.xg import records as at
from reconcile.scoring.statistics import statistics
from tests.support.data import cases
from tests.support.small_files import CONTENT
from tests.support.small_files import WRITTEN as USUAL
from tests.support.small_xg import NORA, refused, score
from tests.support.xg_tampering import (
    RECORDS,
    Entry,
    changed,
    first,
    records_of,
    sealed,
    with_entry,
    with_registry,
)

BOMBS: dict[str, Callable[[bytes], bytes]] = {
    "records": lambda c: with_registry(c, Entry(RECORDS, bytes(20 * 2**20), size=2560 * 8)),
    "registry": lambda c: with_registry(c, Entry(RECORDS, b""), registry=bytes(20 * 2**20)),
}


@pytest.mark.parametrize("tamper", BOMBS.values(), ids=BOMBS.keys())
def test_member_is_inflated_no_further_than_the_size_it_states(
    tamper: Callable[[bytes], bytes],
) -> None:
    content = tamper(CONTENT)
    tracemalloc.start()
    try:
        assert "expected" in refused(content)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("path", cases("damaged/*.xg"))
def test_damaged_real_file_is_refused(path: Path) -> None:
    with pytest.raises(UnreadableFile, match="expected"):
        read_match(path.name, path.read_bytes())


@pytest.mark.parametrize("missing", [("deflate",), ("deflate", "zlib_ng")])
def test_members_are_the_same_without_libdeflate(
    missing: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in missing:
        monkeypatch.setitem(sys.modules, name, None)
    spec = find_spec(container.__name__)
    assert spec is not None
    assert spec.loader is not None
    other = module_from_spec(spec)
    monkeypatch.setitem(
        sys.modules, spec.name, other
    )  # where its classes look for their annotations
    spec.loader.exec_module(other)
    assert other.zlib_decompress.__module__ == container.__name__
    opened = other.open_archive("nora.xg", CONTENT)
    assert {name: opened.read(name) for name in opened.members} == members(CONTENT)
    with pytest.raises(UnreadableFile, match=r"temp\.xg has 2560 bytes"):
        other.open_archive("x.xg", with_entry(CONTENT, size=2560)).read(RECORDS)


def members(content: bytes) -> dict[str, bytes | bytearray]:
    opened = container.open_archive("nora.xg", content)
    return {name: opened.read(name) for name in opened.members}


def test_what_stands_behind_the_last_candidate_is_not_read() -> None:
    records = records_of(CONTENT)
    for record in records:
        if record[8] == 3:
            (count,) = struct.unpack_from("<i", record, 188)
            for behind in range(count, 32):
                struct.pack_into("<7f", record, 1408 + 28 * behind, *(3e38,) * 7)
    junk, sound = read_xg("nora.xg", sealed(CONTENT, records)), score(USUAL)
    assert statistics(junk).figures(NORA) == sound.figures(NORA)
    assert statistics(junk, "gnubg").figures(NORA) == statistics(sound.match, "gnubg").figures(NORA)


@pytest.mark.parametrize(("layout", "kind"), [(at.MOVE_LAYOUT, "plays"), (at.CUBE_LAYOUT, "cubes")])
@pytest.mark.parametrize("checkers", [16, 127, -128])
def test_position_with_more_checkers_than_there_are_is_refused_where_positions_are_asked_for(
    layout: Any, kind: str, checkers: int
) -> None:
    row = first(CONTENT, 3) if kind == "plays" else 4
    match = read_xg(
        "x.xg", changed(CONTENT, row, layout, position=(0,) * 10 + (checkers,) + (0,) * 15)
    )
    with pytest.raises(
        UnreadableFile, match=f"expected at most 15 checkers on a point, found {abs(checkers)}"
    ):
        getattr(match, kind).position  # noqa: B018
    assert statistics(match).figures(NORA)["decisions.counted"]
