"""The decoder of Smile: whatever the specification can write is read back, and anything else is
refused in one line."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reconcile.formats.bgblitz.container import decode
from reconcile.formats.common import Damaged
from tests.support.examples import examples
from tests.support.smile_writer import encode
from tests.support.tables import cases_of

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=examples(50))
@given(value=VALUES, flags=st.integers(0, 3))
@example(value=list(range(-5000, 5000, 7)), flags=1)
@example(value=[29.951, 0.5, -1e300], flags=0)  # 29.951 as in the specification
@example(value=[{f"name {number}": number} for number in range(1500)] * 2, flags=1)
@example(value=[f"text {number}" for number in range(1500)] * 2, flags=3)
def test_what_is_written_is_read_back(value, flags):
    assert decode(encode(value, flags=flags)) == value


@pytest.mark.parametrize(
    ("bits", "value"),
    cases_of(__file__, "whole numbers have six bits in their last byte"),
)
def test_whole_numbers_have_six_bits_in_their_last_byte(bits, value):
    """24 01 81 is 1 and 000001 in zigzag: 65, that is -33."""
    assert decode(b":)\n\x01" + bytes.fromhex(bits)) == value


@settings(max_examples=examples(50))
@given(value=VALUES, cut=st.integers(1, 40))
def test_part_of_a_value_is_damaged(value, cut):
    full = encode([value])
    with pytest.raises(Damaged):
        decode(full[: max(len(full) - cut, 0)])


@pytest.mark.parametrize("content", cases_of(__file__, "hostile"))
def test_hostile_content_is_refused_at_once(content):
    with pytest.raises(Damaged):
        decode(b":)\n\x01" + bytes.fromhex(content))


@pytest.mark.parametrize("head", [b"", b":)", b":)\n", b":)\n\x11\x21", b":)\n\x04\x21", b"{}{}{}"])
def test_another_head_is_refused(head):
    with pytest.raises(Damaged):
        decode(head)
