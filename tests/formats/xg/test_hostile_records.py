"""A record with an impossible value is refused, and what no count reaches is never read."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats.xg import read as read_xg
from reconcile.formats.xg import records as at
from reconcile.scoring.statistics import statistics
from tests.support.small_files import CONTENT
from tests.support.small_files import WRITTEN as USUAL
from tests.support.small_xg import NORA, score
from tests.support.xg_tampering import changed, first, records_of, sealed

NAN, INFINITE = float("nan"), float("inf")


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
def test_position_with_more_checkers_than_there_are_is_refused_where_positions_are_asked_for(layout: Any, kind: str, checkers: int) -> None:
    match = read_xg(
        "x.xg", changed(CONTENT, first(CONTENT, 3) if kind == "plays" else 4, layout, position=(0,) * 10 + (checkers,) + (0,) * 15)
    )
    with pytest.raises(UnreadableFile, match=f"expected at most 15 checkers on a point, found {abs(checkers)}"):
        getattr(match, kind).position  # noqa: B018
    assert statistics(match).figures(NORA)["decisions.counted"]
