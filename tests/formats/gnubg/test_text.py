"""Names, comments and encodings of a `.sgf` file stand as gnuBG shows them, and how its text is laid out does not matter."""

from __future__ import annotations

import pytest

from tests.support.small_files import USUAL
from tests.support.small_sgf import ANN, BEN, read, score


def named(raw: bytes) -> str:
    return read(USUAL.encode().replace(b"PW[Ann]", b"PW[" + raw + b"]")).players[ANN]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"Ann [the first\\]", "Ann [the first]"),
        (b"Ann [a\\] [b\\]", "Ann [a] [b]"),
        (b"\\]Ann\\]", "]Ann]"),
        (b"Ann\\][x", "Ann][x"),
        (b"back\\\\slash", "back\\\\slash"),  # gnuBG leaves every other pair as it is in names
        (b"Ann\\:Marie", "Ann\\:Marie"),
        ("Ægir Þór".encode(), "Ægir Þór"),
        ("木村".encode(), "木村"),
        (b"", ""),
        ("Björk Ýr Á".encode("latin-1"), "Björk Ýr Á"),
        ("Zoë".encode("latin-1"), "Zoë"),
        (b"x" * 40, "x" * 31),  # cut at 31 bytes, and never inside a character
        (("é" * 40).encode(), "é" * 15),
        (("x" + "木" * 20).encode(), "x" + "木" * 10),
    ],
)
def test_name_stands_as_gnubg_shows_it(raw: bytes, shown: str) -> None:
    assert named(raw) == shown


def test_event_has_its_escapes_removed() -> None:
    assert read(USUAL.replace("PW[Ann]", "PW[Ann]EV[Open [A\\] 50\\\\50\\: final]")).event == "Open [A] 50\\50: final"


@pytest.mark.parametrize(
    "written",
    [
        b"\xef\xbb\xbf" + USUAL.encode(),
        USUAL.replace("\n", "\r\n").encode(),
        USUAL.replace("\n", "").encode(),
        b"saved by hand\n" + USUAL.encode(),
        USUAL.replace("\n;", "\0\n  ;  ").encode(),
        USUAL.replace("A[", "A [").replace("LU[", "LU\n[").encode(),
        USUAL.replace(";W[", ";White[").replace(";B[", ";Black[").encode(),
        USUAL.replace("LU[-0.2]", "LU[-0.2]C[a \\] (;B[31aaaa\\]) [ \\\\ )) ;W[ 66 ((]").encode(),
        b"(;GM[2]FF[4];W[e4])" + USUAL.encode() + b"(;GM[2]FF[4];W[e4])",
    ],
    ids=["BOM", "CRLF", "one line", "text before", "blanks, NUL", "blanks before values", "long identifiers", "a comment", "chess"],
)
def test_what_stands_around_the_values_does_not_matter(written: bytes) -> None:
    assert score(written).figures(ANN) == score(USUAL).figures(ANN)
    assert score(written).figures(BEN) == score(USUAL).figures(BEN)
