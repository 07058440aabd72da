"""The one table of the records' fields, by which they are read and written."""

from __future__ import annotations

import struct

import pytest

from reconcile.formats.xg import records
from tests.support.claims import some

LAYOUTS = {name: layout for name, layout in vars(records).items() if name.endswith("_LAYOUT")}


@pytest.mark.parametrize("name", LAYOUTS)
def test_fields_follow_each_other_without_overlap_as_long_for_the_reader_as_for_the_writer(name: str) -> None:
    end = records.TYPE_OFFSET
    for field, (form, offset) in some(LAYOUTS[name].items()):
        assert offset >= end, field
        size = struct.calcsize(f"<{records.struct_form(form)}")
        assert records.numpy_type(form).itemsize == size, field
        end = offset + size
    assert end <= records.RECORD_SIZE


def test_every_kind_of_record_has_a_table() -> None:
    assert sorted(LAYOUTS) == [f"{name}_LAYOUT" for name in ("CUBE", "GAME_FOOTER", "GAME_HEADER", "MATCH_FOOTER", "MATCH_HEADER", "MOVE")]
