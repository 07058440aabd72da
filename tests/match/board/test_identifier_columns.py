"""XGIDs of many situations at once are those of the single ones, and none where no such situation
can be."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reconcile.match.board.identifiers import (
    Situation,
    Situations,
    position_keys,
    possible_positions,
    xgid,
    xgids,
)
from reconcile.match.board.position import START, position_id, swap

BOARDS = st.one_of(
    st.sampled_from(
        (
            START,
            swap(START),
            (0,) * 26,
            (-15, *(0,) * 24, 15),
            (1, *(0,) * 25),
            (*(0,) * 25, -1),
            (0, 16, *(0,) * 24),
        )
    ),
    st.lists(st.integers(-3, 3), min_size=26, max_size=26).map(tuple),
)
ROWS = st.tuples(
    BOARDS,
    st.one_of(st.just((0, 0)), st.tuples(st.integers(0, 7), st.integers(0, 7))),
    st.sampled_from((1, 2, 4, 64, 1 << 15, 1 << 16, 0, 3)),
    st.sampled_from((-1, 0, 1, 2)),
    st.sampled_from((0, 1, 7, 64)),
    st.tuples(st.integers(-1, 70), st.integers(0, 70)),
    st.integers(0, 3),
    st.booleans(),
    st.booleans(),
)


@given(st.lists(ROWS, min_size=1, max_size=6))
def test_they_are_those_of_the_single_situations(rows: list[tuple[Any, ...]]) -> None:
    fields = (
        "position",
        "dice",
        "cube",
        "owner",
        "length",
        "score",
        "rules",
        "double_offered",
        "decider_is_top",
    )
    given_rows = [dict(zip(fields, row, strict=True)) for row in rows]
    for row in given_rows:
        row["rules"] = min(row["rules"], 1) if row["length"] else row["rules"]
        row["score"] = row["score"] if row["length"] else (0, 0)
    columns = {name: np.array([row[name] for row in given_rows]) for name in fields}
    expected: list[str | None] = []
    for row in given_rows:
        length, rules = row.pop("length") or None, row.pop("rules")
        own: dict[str, Any] = (
            {"crawford": bool(rules)}
            if length
            else {"jacoby": bool(rules & 1), "beavers": bool(rules & 2)}
        )
        try:
            expected.append(xgid(Situation(length=length, **row, **own)))
        except ValueError:
            expected.append(None)
    assert xgids(Situations(**columns)) == expected


@given(st.lists(BOARDS, min_size=1, max_size=6))
def test_keys_are_the_bytes_of_the_position_ids(boards: list[tuple[int, ...]]) -> None:
    expected: list[str | None] = []
    for board in boards:
        try:
            expected.append(position_id(board))
        except ValueError:
            expected.append(None)
    positions = np.array(boards, np.int8)
    possible = possible_positions(positions)
    result = (
        b64encode(key.tobytes()).decode().rstrip("=") for key in position_keys(positions[possible])
    )
    assert [next(result) if can_be else None for can_be in possible.tolist()] == expected
