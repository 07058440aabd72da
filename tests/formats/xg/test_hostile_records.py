"""A record with an impossible value is refused, and what no count reaches is never read."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats.xg import read as read_xg
from reconcile.formats.xg import records as at
from reconcile.scoring.statistics import statistics
from tests.support.small_files import CONTENT
from tests.support.small_files import WRITTEN as USUAL
from tests.support.small_xg import NORA, refused, score
from tests.support.xg_tampering import changed, first, records_of, sealed

NAN, INFINITE = float("nan"), float("inf")
LOWEST = -(2**31)
HOSTILE: dict[str, Callable[[bytes], bytes]] = {
    "play error NaN": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, error=NAN),
    "play error infinite": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, error=-INFINITE),
    "cube error NaN": lambda c: changed(c, 4, at.CUBE_LAYOUT, error=NAN),
    "response error infinite": lambda c: changed(c, 4, at.CUBE_LAYOUT, take_error=INFINITE),
    "no double NaN": lambda c: changed(c, 4, at.CUBE_LAYOUT, no_double=NAN),
    "double and take infinite": lambda c: changed(c, 4, at.CUBE_LAYOUT, double_take=INFINITE),
    "player 0 on roll": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, on_roll=0),
    "player 2 on roll": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, on_roll=2),
    "lowest player on roll": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, on_roll=LOWEST),
    "doubler 7": lambda c: changed(c, 4, at.CUBE_LAYOUT, on_roll=7),
    "33 candidates": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, candidates=33),
    "-1 candidates": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, candidates=-1),
    "lowest number of candidates": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, candidates=LOWEST),
    "cube 2^40 in a play": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, cube=40),
    "cube 2^40 in a double": lambda c: changed(c, 4, at.CUBE_LAYOUT, cube=-40),
    "lowest cube of a play": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, cube=LOWEST),
    "lowest cube of a double": lambda c: changed(c, 4, at.CUBE_LAYOUT, cube=LOWEST),
    "dice 9 and 0": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, dice=(9, 0)),
    "-5 points": lambda c: changed(c, first(c, 4), at.GAME_FOOTER_LAYOUT, points=-5),
    "2^31-1 points": lambda c: changed(c, first(c, 4), at.GAME_FOOTER_LAYOUT, points=2**31 - 1),
    "play error 1e300": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, error=-1e300),
    "cube error 1e300": lambda c: changed(c, 4, at.CUBE_LAYOUT, error=1e300),
    "resignation error NaN": lambda c: changed(c, first(c, 4), at.GAME_FOOTER_LAYOUT, resign_error=NAN, termination=101),
    "candidates NaN": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, evaluations=(NAN,) * 224),
    "candidates infinite": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, evaluations=(INFINITE,) * 224),
    "candidates of 3e38": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, evaluations=(3e38,) * 224),
    "double and take of 3e38": lambda c: changed(c, 4, at.CUBE_LAYOUT, double_take=3e38),
    "2^31-1 automatic doubles": lambda c: changed(c, 1, at.GAME_HEADER_LAYOUT, automatic_doubles=2**31 - 1),
    "-1 automatic doubles": lambda c: changed(c, 1, at.GAME_HEADER_LAYOUT, automatic_doubles=-1),
    "cube 2^13": lambda c: changed(c, first(c, 3), at.MOVE_LAYOUT, cube=13),
    "answer 9": lambda c: changed(c, 4, at.CUBE_LAYOUT, take=9),
    "match of 0 points": lambda c: changed(c, 0, at.MATCH_HEADER_LAYOUT, length=0),
    "match of -7 points": lambda c: changed(c, 0, at.MATCH_HEADER_LAYOUT, length=-7),
    "match of 65 points": lambda c: changed(c, 0, at.MATCH_HEADER_LAYOUT, length=65),
    "match of 99998 points": lambda c: changed(c, 0, at.MATCH_HEADER_LAYOUT, length=99998),
    "score of the match length": lambda c: changed(c, 1, at.GAME_HEADER_LAYOUT, score=(5, 0)),
    "negative score": lambda c: changed(c, 1, at.GAME_HEADER_LAYOUT, score=(0, -1)),
    "no mark DMLI": lambda c: changed(c, 0, at.MATCH_HEADER_LAYOUT, magic=b"NONE"),
    "a game header first": lambda c: changed(c, 0, at.MATCH_HEADER_LAYOUT, type=1),
    "no match header": lambda c: sealed(c, records_of(c)[1:]),
    "no game": lambda c: sealed(c, records_of(c)[:1]),
    "a play before the first game": lambda c: sealed(c, [records_of(c)[0], *records_of(c)[2:]]),
    "half a record": lambda c: sealed(c, [*records_of(c), bytearray(1280)]),
    "no record": lambda c: sealed(c, []),
}


@pytest.mark.parametrize("tamper", HOSTILE.values(), ids=HOSTILE.keys())
def test_record_with_an_impossible_value_is_refused(tamper: Callable[[bytes], bytes]) -> None:
    assert "expected" in refused(tamper(CONTENT))


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


def test_number_that_signals_to_be_none_makes_no_noise() -> None:
    """NumPy warns where it is converted, and a warning is an error in these tests."""
    head, *records = records_of(changed(CONTENT, 4, at.CUBE_LAYOUT, double_take=123.25))
    signalling = [one.replace(struct.pack("<f", 123.25), b"\x01\x00\x80\x7f") for one in records]
    assert signalling != records
    with pytest.raises(UnreadableFile, match="expected equities of at most 1000"):
        read_xg("signalling.xg", sealed(CONTENT, [head, *signalling]))


@pytest.mark.parametrize(("layout", "kind"), [(at.MOVE_LAYOUT, "plays"), (at.CUBE_LAYOUT, "cubes")])
@pytest.mark.parametrize("checkers", [16, 127, -128])
def test_position_with_more_checkers_than_there_are_is_refused_where_positions_are_asked_for(layout: Any, kind: str, checkers: int) -> None:
    match = read_xg(
        "x.xg", changed(CONTENT, first(CONTENT, 3) if kind == "plays" else 4, layout, position=(0,) * 10 + (checkers,) + (0,) * 15)
    )
    with pytest.raises(UnreadableFile, match=f"expected at most 15 checkers on a point, found {abs(checkers)}"):
        getattr(match, kind).position  # noqa: B018
    assert statistics(match).figures(NORA)["decisions.counted"]
